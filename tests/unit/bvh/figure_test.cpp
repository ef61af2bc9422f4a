// Figures from trees: bodies, masses, joints and limits.
#include <algorithm>
#include <cmath>
#include <set>

#include "tenon/tests/unit/bvh/bvh_test_help.h"

namespace tenon::scene::bvh {
namespace {

using test::kArm;
using test::parse_good;
using test::read_file;
using test::replaced;

constexpr double kDegree = 3.14159265358979323846 / 180;
const std::string kWalk = std::string(TENON_SOURCE_DIR) + "/gallery/figures/walk.bvh";

Figure make_good(const MotionFile& motion, const FigureOptions& options = {}) {
  Result<Figure> figure = make_figure(motion, options);
  EXPECT_TRUE(figure.ok()) << (figure.ok() ? "" : tenon::format(figure.error()));
  return std::move(*figure);
}

const FigureJoint& joint_of(const MotionFile& motion, const Figure& figure, const char* name) {
  for (const FigureJoint& j : figure.joints) {
    if (motion.nodes[figure.bodies[j.child].node].name == name) return j;
  }
  ADD_FAILURE() << name;
  return figure.joints[0];
}

TEST(Figures, AreAsTallAndAsHeavyAsAskedFor) {
  const MotionFile m = parse_good(read_file(kWalk));
  FigureOptions options;
  options.height = 1.2;
  options.mass = 30;
  const Figure f = make_good(m, options);
  EXPECT_EQ(f.bodies.size(), 23u);
  EXPECT_EQ(f.joints.size(), 22u);
  EXPECT_NEAR(f.height_m, 1.2, 1e-12);
  double mass = 0, heaviest = 0;
  for (const FigureBody& b : f.bodies) {
    EXPECT_GT(b.mass, 0);
    mass += b.mass;
    heaviest = std::max(heaviest, b.mass);
  }
  EXPECT_NEAR(mass, 30, 1e-9);
  EXPECT_LT(heaviest, 0.4 * mass);  // no body is mostly one part
  options.height.reset();
  options.scale = 0.01;
  EXPECT_NEAR(make_good(m, options).height_m, 1.71, 1e-9);  // 94 + 77 units
}

TEST(Figures, TakeTheirLimbsFromTheNamesInUse) {
  EXPECT_EQ(find_limb("LeftUpLeg", {"LeftLeg"}, false), Limb::kThigh);
  EXPECT_EQ(find_limb("LeftLeg", {"LeftFoot"}, false), Limb::kShin);
  EXPECT_EQ(find_limb("LeftShoulder", {"LeftArm"}, false), Limb::kCollar);
  EXPECT_EQ(find_limb("LeftShoulder", {"LeftElbow"}, false), Limb::kUpperArm);
  EXPECT_EQ(find_limb("LeftHip", {"LeftKnee"}, false), Limb::kThigh);
  EXPECT_EQ(find_limb("rShin", {"rFoot"}, false), Limb::kShin);
  EXPECT_EQ(find_limb("RightHandThumb", {}, false), Limb::kFinger);
  EXPECT_EQ(find_limb("Tentacle", {}, false), Limb::kOther);
  EXPECT_EQ(find_side("LHipJoint"), Side::kLeft);
  EXPECT_EQ(find_side("RightArm"), Side::kRight);
  EXPECT_EQ(find_side("LowerBack"), Side::kNone);
}

TEST(Figures, HaveHingesWhereTheMotionIsOneOfAHinge) {
  const MotionFile m = parse_good(read_file(kWalk));
  const Figure f = make_good(m);
  for (const char* name : {"LeftLeg", "RightLeg", "LeftForeArm", "RightForeArm"}) {
    const FigureJoint& j = joint_of(m, f, name);
    EXPECT_TRUE(j.hinge) << name;
    EXPECT_TRUE(j.notes.empty()) << name;
    // knees turn about x, elbows about y: so the file was made
    const Vec3 axis = rotate(j.q_BC, Vec3{1, 0, 0});
    const bool knee = std::string(name).find("Leg") != std::string::npos;
    EXPECT_NEAR(std::fabs(knee ? axis.x : axis.y), 1, 1e-6) << name;
    // from straight to bent, with a little beyond
    EXPECT_NEAR(*j.twist_max - *j.twist_min, (knee ? 150 : 145) * kDegree, 1e-3) << name;
  }
  EXPECT_FALSE(joint_of(m, f, "LeftArm").hinge);
}

TEST(Figures, UseABallWhereAKneeDoesWhatNoHingeDoes) {
  const std::string text = replaced(kArm, "0 -40 0", "35 -40 20");
  const MotionFile m = parse_good(text);
  const Figure f = make_good(m);
  const FigureJoint& j = joint_of(m, f, "Elbow");
  EXPECT_FALSE(j.hinge);
  ASSERT_FALSE(j.notes.empty());
  EXPECT_NE(j.notes[0].find("hinge"), std::string::npos);
}

TEST(Figures, LimitsAreWidenedToTheMotionAndSaySo) {
  // an arm that turns by 140 degrees: more than a human shoulder's cone
  const MotionFile m = parse_good(replaced(kArm, "10 20 30", "140 0 0"));
  const Figure f = make_good(m);
  const FigureJoint& j = joint_of(m, f, "Arm");
  ASSERT_TRUE(j.swing.has_value());
  EXPECT_NEAR(*j.swing, 145 * kDegree, 1e-9);
  ASSERT_FALSE(j.notes.empty());
  EXPECT_NE(j.notes[0].find("widened"), std::string::npos);
}

TEST(Figures, NodesThatCannotMoveArePartOfTheirParents) {
  // a hip that sits where its parent does and never turns, and a plate without channels
  const char* text = R"(HIERARCHY
ROOT Hips { OFFSET 0 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
  JOINT LHipJoint { OFFSET 0 0 0 CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT LeftUpLeg { OFFSET 1 -2 0 CHANNELS 3 Zrotation Yrotation Xrotation
      End Site { OFFSET 0 -8 0 } } }
  JOINT Plate { OFFSET 0 1 0 CHANNELS 0
    JOINT Neck { OFFSET 0 2 0 CHANNELS 3 Zrotation Yrotation Xrotation End Site { OFFSET 0 3 0 } } }
}
MOTION
Frames: 2
Frame Time: 0.1
0 0 0 0 0 30 0 0 0 0 0 0
0 0 9 0 0 30 0 0 20 0 0 10
)";
  const MotionFile m = parse_good(text);
  const Figure f = make_good(m, {.height = {}, .scale = 1, .mass = 10});
  ASSERT_EQ(f.bodies.size(), 3u);
  EXPECT_EQ(f.bodies[0].merged, (std::vector<size_t>{1, 3}));
  EXPECT_EQ(f.bodies[0].segments.size(), 3u);  // to the leg, to the plate, to the neck
  const FigureJoint& neck = joint_of(m, f, "Neck");
  EXPECT_LT(norm(neck.anchor_P - Vec3{0, 3, 0}), 1e-12);
  // the constant rotation of 30 degrees about x counts
  const FigureJoint& leg = joint_of(m, f, "LeftUpLeg");
  const Vec3 expected{1, -2 * std::cos(30 * kDegree), -2 * std::sin(30 * kDegree)};
  EXPECT_LT(norm(leg.anchor_P - expected), 1e-12);
}

TEST(Figures, OptionsOutOfRangeAreRefused) {
  const MotionFile m = parse_good(kArm);
  for (const double bad : {0.0, -1.0, 1e300, std::nan("")}) {
    EXPECT_FALSE(make_figure(m, {.height = bad, .scale = {}, .mass = 75}).ok());
    EXPECT_FALSE(make_figure(m, {.height = {}, .scale = bad, .mass = 75}).ok());
    EXPECT_FALSE(make_figure(m, {.height = {}, .scale = {}, .mass = bad}).ok());
  }
  EXPECT_FALSE(make_figure(m, {.height = 1.0, .scale = 1.0, .mass = 75}).ok());
  std::string flat = replaced(kArm, "OFFSET 0 40 0", "OFFSET 0 0 0");
  flat = replaced(replaced(flat, "OFFSET 30 0 0", "OFFSET 0 0 0"), "OFFSET 25 0 0", "OFFSET 0 0 0");
  EXPECT_FALSE(make_figure(parse_good(flat), {}).ok());
}

}  // namespace
}  // namespace tenon::scene::bvh
