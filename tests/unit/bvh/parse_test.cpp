// Reading BVH: what is taken, where nodes are, and what is said about mistakes.
#include <cmath>

#include "tenon/tests/unit/bvh/bvh_test_help.h"

namespace tenon::scene::bvh {
namespace {

using test::kArm;
using test::parse_good;
using test::replaced;

TEST(BvhFiles, GiveTheTreeAndItsFrames) {
  const MotionFile m = parse_good(kArm);
  ASSERT_EQ(m.nodes.size(), 3u);
  EXPECT_EQ(m.nodes[0].name, "Body");
  EXPECT_EQ(m.nodes[0].parent, kNoParent);
  EXPECT_EQ(m.nodes[2].parent, 1);
  EXPECT_EQ(m.nodes[2].offset, (Vec3{30, 0, 0}));
  ASSERT_EQ(m.nodes[2].end_sites.size(), 1u);
  EXPECT_EQ(m.nodes[2].end_sites[0], (Vec3{25, 0, 0}));
  EXPECT_EQ(m.channels, 12u);
  EXPECT_EQ(m.frames, 3u);
  EXPECT_EQ(m.frame_time, 0.1);
  EXPECT_EQ(m.values.size(), 36u);
  EXPECT_EQ(m.nodes[1].place.line, 6);
  EXPECT_EQ(m.nodes[1].place.column, 9);
}

TEST(BvhFiles, MayHaveTabsCarriageReturnsExponentsAndWordsInAnyCase) {
  std::string text = kArm;
  text = replaced(text, "OFFSET 0 40 0", "offset\t0.0\t4.0e+1 \t-0");
  text = replaced(text, "Frames: 3", "Frames :\t3");
  text = replaced(text, "Frame Time: 0.1", "Frame Time: .1");
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const MotionFile m = parse_good("\xef\xbb\xbf" + windows + "\r\n\r\n");
  ASSERT_EQ(m.nodes.size(), 3u);
  EXPECT_EQ(m.nodes[1].offset, (Vec3{0, 40, 0}));
  EXPECT_EQ(m.values, parse_good(kArm).values);
}

// The order of the channels is the order of the rotations: R = R_1 R_2 R_3, checked with matrices
// that are written down here.
TEST(BvhFiles, ChannelsActInTheirOrder) {
  const MotionFile m = parse_good(kArm);
  constexpr double kDegree = 3.14159265358979323846 / 180;
  const auto Rx = [](double a) {
    return Mat3{{1, 0, 0}, {0, std::cos(a), -std::sin(a)}, {0, std::sin(a), std::cos(a)}};
  };
  const auto Ry = [](double a) {
    return Mat3{{std::cos(a), 0, std::sin(a)}, {0, 1, 0}, {-std::sin(a), 0, std::cos(a)}};
  };
  const auto Rz = [](double a) {
    return Mat3{{std::cos(a), -std::sin(a), 0}, {std::sin(a), std::cos(a), 0}, {0, 0, 1}};
  };
  const Mat3 body = Rz(90 * kDegree) * Rx(45 * kDegree) * Ry(-30 * kDegree);
  const Mat3 arm = body * Rz(20 * kDegree) * Ry(40 * kDegree) * Rx(60 * kDegree);
  const Vec3 shoulder = Vec3{1, 2, 3} + body * Vec3{0, 40, 0};
  const std::vector<Pose> poses = poses_at(m, 0.2);
  EXPECT_LT(norm(poses[1].p - shoulder), 1e-12);
  EXPECT_LT(norm(poses[2].p - (shoulder + arm * Vec3{30, 0, 0})), 1e-12);
  EXPECT_LT(norm(rotate(poses[1].q, Vec3{0, 0, 1}) - arm * Vec3{0, 0, 1}), 1e-12);
}

TEST(BvhFiles, BetweenFramesJointsTurnTheShortestWay) {
  const MotionFile m = parse_good(kArm);
  // 90 degrees about z in a tenth of a second
  const Quat half = local_pose_at(m, 0, 0.05).q;
  EXPECT_NEAR(norm(log_map(half)), 3.14159265358979323846 / 4, 1e-12);
  EXPECT_EQ(local_pose_at(m, 2, 99).q, local_pose(m, 2, 2).q);
  EXPECT_EQ(local_pose_at(m, 2, -1).q, local_pose(m, 2, 0).q);
}

struct Mistake {
  const char *what, *by;  // changed in kArm
  int line, column;
  const char* part;  // of the message
};

TEST(BvhFiles, MistakesAreToldWithPlaceValueAndWhatIsAccepted) {
  const Mistake mistakes[] = {
      {"HIERARCHY", "HIERARCHIE", 1, 1, "first word"},
      {"ROOT Body", "JOINT Body", 2, 1, "root"},
      {"OFFSET 0 40 0", "OFFSET 0 fourty 0", 8, 14, "offset along y"},
      {"OFFSET 0 40 0", "OFFSET 0 1e999 0", 8, 14, "number"},
      {"OFFSET 0 40 0", "OFFSET 0 nan 0", 8, 14, "number"},
      {"CHANNELS 3 Zrotation Yrotation", "CHANNELS 3 Zrotation Wrotation", 9, 26, "channel"},
      {"CHANNELS 3 Zrotation Yrotation", "CHANNELS 3 Zrotation Zrotation", 9, 26, "twice"},
      {"CHANNELS 3", "CHANNELS 7", 9, 14, "number of channels"},
      {"CHANNELS 3", "CHANNELS 2.5", 9, 14, "number of channels"},
      {"JOINT Elbow", "JOINT Arm", 10, 11, "taken"},
      {"JOINT Elbow", "JOINT world", 10, 11, "name"},
      {"JOINT Elbow", "JOINT \xff", 10, 11, "name"},
      {"JOINT Elbow", "BONE Elbow", 10, 5, "JOINT"},
      {"End Site", "End Side", 14, 11, "Site"},
      {"MOTION", "MOTON", 21, 1, "motion"},
      {"Frames: 3", "Frames: 0", 22, 9, "frames"},
      {"Frames: 3", "Frames: 4", 27, 1, "frame 4"},
      {"Frames: 3", "Frames: 2", 26, 1, "goes on"},
      {"Frame Time: 0.1", "Frame Time: -0.1", 23, 13, "time between"},
      {"90 0 0 10 20 30", "90 0 0 10 20", 25, 27, "frame 2"},
      {"90 0 0 10 20 30", "90 0 0 10 20 30 31", 25, 32, "more numbers"},
      {"90 0 0 10 20 30", "90 0 0 1O 20 30", 25, 14, "frame 2"},
  };
  for (const Mistake& m : mistakes) {
    const Result<MotionFile> motion = parse(replaced(kArm, m.what, m.by), "test.bvh");
    ASSERT_FALSE(motion.ok()) << m.by;
    const Error& e = motion.error();
    EXPECT_EQ(e.file, "test.bvh");
    EXPECT_EQ(e.line, m.line) << m.by << ": " << tenon::format(e);
    EXPECT_EQ(e.column, m.column) << m.by << ": " << tenon::format(e);
    EXPECT_NE((e.message + e.accepted).find(m.part), std::string::npos) << tenon::format(e);
    EXPECT_FALSE(e.accepted.empty()) << tenon::format(e);
    EXPECT_FALSE(e.value.empty()) << tenon::format(e);
  }
}

TEST(BvhFiles, CutOffAnywhereAreRefused) {
  const std::string text = kArm;
  // the last digit of the last frame may go; that is another number
  for (size_t length = 0; length + 2 < text.size(); ++length) {
    EXPECT_FALSE(parse(text.substr(0, length), "test.bvh").ok()) << length;
  }
}

TEST(BvhFiles, ThatAskForTooMuchAreRefusedBeforeMemoryIsSpent) {
  const std::string many = replaced(kArm, "Frames: 3", "Frames: 1000000");
  EXPECT_FALSE(parse(many, "test.bvh").ok());
  EXPECT_FALSE(parse(replaced(kArm, "Frames: 3", "Frames: 1e18"), "test.bvh").ok());
  Limits limits;
  limits.nodes = 2;
  EXPECT_FALSE(parse(kArm, "test.bvh", limits).ok());
  limits = {};
  limits.values = 35;
  EXPECT_FALSE(parse(kArm, "test.bvh", limits).ok());
  limits.values = 36;
  EXPECT_TRUE(parse(kArm, "test.bvh", limits).ok());
}

}  // namespace
}  // namespace tenon::scene::bvh
