// Joints as projections and as rows must be the same joints.
#include "tenon/engine/joints/nearest.h"

#include <string>
#include <vector>

#include "tenon/engine/joints/axis_law.h"
#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/joints/coordinates.h"
#include "tenon/engine/joints/swing_twist.h"
#include "tenon/tests/unit/joints/joint_test_help.h"

namespace tenon {
namespace {

PairFrames frames_of(const Pose& X_PC) {
  return make_frames({}, {}, Mat3::identity(), X_PC.p, to_matrix(X_PC.q));
}

struct Named {
  std::string name;
  JointModel model;
};

// All kinds, bare and with limits on everything that is free; all six-axis combinations.
std::vector<Named> all_joints() {
  std::vector<Named> joints;
  CompileContext context = two_dynamic_bodies();
  context.child.X_WB.p = {0.3, 0.4, 0};  // for rods
  const auto add = [&](const std::string& text, const JointDef& def) {
    const Result<JointModel> m = compile_joint(def, context);
    EXPECT_TRUE(m.ok()) << text << ": " << (m.ok() ? "" : format(m.error()));
    if (m.ok()) joints.push_back({text, *m});
  };
  const auto add_both = [&](const std::string& text, JointDef def) {
    add(text, def);
    const Result<JointModel> bare = compile_joint(def, context);
    for (int k = 0; k < kJointAxisCount; ++k) {
      if (!bare.ok() || !bare->is_free(static_cast<JointAxis>(k))) continue;
      if (def.kind == JointKind::kScrew && k == 3) continue;
      def.axes[static_cast<size_t>(k)].min = -0.2 - 0.1 * k;
      def.axes[static_cast<size_t>(k)].max = 0.3;
    }
    if (def.kind == JointKind::kDistance) {
      def.length = 0;
      def.axes[0].min = 0.4;
      def.axes[0].max = 0.9;
    }
    add(text + " limited", def);
  };
  for (int k = 0; k < kJointKindCount; ++k) {
    JointDef def = make_def(static_cast<JointKind>(k));
    def.pitch = 0.2;
    if (def.kind == JointKind::kGear || def.kind == JointKind::kSixAxis) continue;
    if (def.kind == JointKind::kBlackBox) {
      def.black_box = *make_torus_magnet({});
      add(name(def.kind), def);
      continue;
    }
    add_both(name(def.kind), def);
  }
  for (int mask = 0; mask < 64; ++mask) {
    JointDef def = make_def(JointKind::kSixAxis);
    for (int k = 0; k < 6; ++k) def.locked[static_cast<size_t>(k)] = (mask >> k & 1) != 0;
    add_both("six-axis " + std::to_string(mask), def);
  }
  JointDef cone = make_def(JointKind::kPoint);
  cone.swing_max = 0.5;
  cone.axes[3].min = cone.axes[3].max = 0.4;
  add("cone", cone);
  cone.swing_max = 2.8;
  add("wide cone", cone);
  JointDef wide = make_def(JointKind::kHinge);
  wide.axes[3].min = 2;
  wide.axes[3].max = 5;  // across the cut at pi
  add("wide hinge", wide);
  return joints;
}

double distance(const Pose& a, const Pose& b) {
  return norm(a.p - b.p) + norm(log_map(a.q * conjugate(b.q)));
}

TEST(NearestFrames, AreAllowedByTheRows) {
  Rng rng(40);
  for (const auto& [name, m] : all_joints()) {
    for (int n = 0; n < 60; ++n) {
      const Pose X = random_pose(rng, 1, n % 2 == 0 ? 0.5 : 1.8);
      const Pose Y = nearest_allowed(m, X);
      const PairFrames x = frames_of(Y);
      const JointState state = make_joint_state(m, x, x);
      const JointDeviation e = calc_deviation(m, state, x, x);
      EXPECT_NEAR(e.gap_m, 0, 1e-13) << name;
      EXPECT_NEAR(e.angle_rad, 0, 1e-13) << name;
      EXPECT_NEAR(e.limit_m, 0, 1e-13) << name;
      // asin of a tilt, and the angle at the edge of a cone, lose half the digits near pi/2
      EXPECT_NEAR(e.limit_rad, 0, 1e-12) << name;
      if (m.kind == JointKind::kBlackBox) continue;
      for (int k = 0; k < m.row_count; ++k) {
        const RowSpec& row = m.rows[static_cast<size_t>(k)];
        if (!m.scalar_row(k) || row.axis != kHeldRow) continue;
        RowWrench w, w2;
        double c = eval_row(row, x, x, w, w2);
        if (row.ratio != 0) c -= row.ratio * 2 * kPi * std::round(c / (row.ratio * 2 * kPi));
        EXPECT_NEAR(c, 0, 1e-13) << name << " row " << k;
      }
    }
  }
}

TEST(NearestFrames, StayWhereTheyAre) {
  Rng rng(41);
  for (const auto& [name, m] : all_joints()) {
    for (int n = 0; n < 60; ++n) {
      const Pose once = nearest_allowed(m, random_pose(rng, 1, n % 2 == 0 ? 0.5 : 1.8));
      EXPECT_NEAR(distance(once, nearest_allowed(m, once)), 0, 1e-12) << name;
    }
  }
}

TEST(NearestFrames, MoveLittleForSmallErrors) {
  // an allowed frame disturbed by e must be projected back by about e, not to another branch
  Rng rng(42);
  for (const auto& [name, m] : all_joints()) {
    for (int n = 0; n < 40; ++n) {
      const Pose allowed = nearest_allowed(m, random_pose(rng, 0.5, 0.4));
      const Pose X{allowed.p + random_vector(rng, 1e-4),
                   exp_map(random_vector(rng, 1e-4)) * allowed.q};
      EXPECT_LE(distance(X, nearest_allowed(m, X)), 1e-3) << name;
    }
  }
}

TEST(NearestRotations, AreNearerThanOthersOfTheirKind) {
  Rng rng(43);
  const auto angle = [](const Quat& a, const Quat& b) { return norm(log_map(a * conjugate(b))); };
  for (const JointKind kind : {JointKind::kHinge, JointKind::kUniversal}) {
    const JointModel m = *compile_joint(make_def(kind), two_dynamic_bodies());
    for (int n = 0; n < 200; ++n) {
      const Quat q = exp_map(random_vector(rng, 1.8));
      const double best = angle(q, nearest_allowed(m, {{}, q}).q);
      for (int k = 0; k < 50; ++k) {
        Quat other = twist_about(0, rng.uniform(-kPi, kPi));
        if (kind == JointKind::kUniversal) other = other * twist_about(1, rng.uniform(-kPi, kPi));
        EXPECT_LE(best, angle(q, other) + 1e-12);
      }
    }
  }
}

TEST(NearestFrames, CountTurnsWithTheJointsState) {
  JointDef def = make_def(JointKind::kHinge);
  def.axes[3].min = -8;
  def.axes[3].max = 8;  // more than one turn to both sides
  const JointModel m = *compile_joint(def, two_dynamic_bodies());
  JointState state;
  state.coordinate[5] = 7.9;
  const Pose X{{}, twist_about(0, 8.1)};
  EXPECT_NEAR(norm(log_map(nearest_allowed(m, X, &state).q * conjugate(twist_about(0, 8)))), 0,
              1e-14);
  // without it the angle 8.1 - 2 pi is as good
  EXPECT_NEAR(distance(nearest_allowed(m, X), X), 0, 1e-14);
}

TEST(HeldAxes, AreThoseOfTheKind) {
  struct Case {
    JointKind kind;
    int linear, angular;
  };
  Rng rng(44);
  for (const Case& k :
       {Case{JointKind::kPoint, 3, 0}, Case{JointKind::kHinge, 3, 2}, Case{JointKind::kRigid, 3, 3},
        Case{JointKind::kSlider, 2, 3}, Case{JointKind::kSlider2, 1, 3},
        Case{JointKind::kPlanarTwist, 1, 2}, Case{JointKind::kUniversal, 3, 1},
        Case{JointKind::kBallInTube, 2, 0}, Case{JointKind::kPointOnPlane, 1, 0},
        Case{JointKind::kCylindrical, 2, 2}}) {
    const JointModel m = *compile_joint(make_def(k.kind), two_dynamic_bodies());
    for (int n = 0; n < 20; ++n) {
      const HeldAxes held = held_axes(m, nearest_allowed(m, random_pose(rng, 1, 1)));
      EXPECT_EQ(held.linear_count, k.linear) << name(k.kind);
      EXPECT_EQ(held.angular_count, k.angular) << name(k.kind);
      for (int a = 0; a < held.angular_count; ++a)
        for (int b = 0; b <= a; ++b)
          EXPECT_NEAR(
              dot(held.angular[static_cast<size_t>(a)], held.angular[static_cast<size_t>(b)]),
              a == b ? 1 : 0, 1e-14);
    }
  }
  // a locked limit counts
  JointDef def = make_def(JointKind::kHinge);
  def.axes[3].min = def.axes[3].max = 0;
  EXPECT_EQ(held_axes(*compile_joint(def, two_dynamic_bodies()), {}).angular_count, 3);
}

TEST(Coordinates, RatesAreDerivativesOfValues) {
  Rng rng(45);
  for (const auto& [name, m] : all_joints()) {
    const Pose X = nearest_allowed(m, random_pose(rng, 0.5, 0.4));
    const TwoBodies b = make_two_bodies(rng, X);
    const Vec3 vP = random_vector(rng, 1), wP = random_vector(rng, 1), vC = random_vector(rng, 1),
               wC = random_vector(rng, 1);
    const JointCoordinates at = calc_coordinates(m, b.frames(), {});
    const double e = 1e-6;
    const JointCoordinates up =
        calc_coordinates(m, b.moved(e * vP, e * wP, e * vC, e * wC).frames(), at.value);
    const JointCoordinates down =
        calc_coordinates(m, b.moved(-e * vP, -e * wP, -e * vC, -e * wC).frames(), at.value);
    for (size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR((up.value[k] - down.value[k]) / (2 * e),
                  calc_rate(at.gradient[k], b.frames(), vP, wP, vC, wC), 1e-7)
          << name << " " << k;
    }
  }
}

TEST(Coordinates, CountTurns) {
  const JointModel m = *compile_joint(make_def(JointKind::kHinge), two_dynamic_bodies());
  AxisValues last{};
  for (int n = 0; n <= 100; ++n)
    last = calc_coordinates(m, frames_of({{}, exp_map({0.3 * n, 0, 0})}), last).value;
  EXPECT_NEAR(last[3], 30, 1e-12);
}

TEST(Deviations, AreTrueDistancesAndAngles) {
  const JointModel hinge = *compile_joint(make_def(JointKind::kHinge), two_dynamic_bodies());
  const auto of = [](const JointModel& m, const Pose& X) {
    const PairFrames x = frames_of(X);
    return calc_deviation(m, make_joint_state(m, x, x), x, x);
  };
  const Pose off{{0.3, 0, 0.4}, exp_map({0, 0.6, 0.8}) * exp_map({2, 0, 0})};
  EXPECT_NEAR(of(hinge, off).gap_m, 0.5, 1e-15);
  EXPECT_NEAR(of(hinge, off).angle_rad, 1, 1e-14);
  // axes that point against each other are wrong by pi, although their dots are zero
  EXPECT_NEAR(of(hinge, {{}, {0, 0, 1, 0}}).angle_rad, kPi, 1e-14);
  const JointModel rigid = *compile_joint(make_def(JointKind::kRigid), two_dynamic_bodies());
  EXPECT_NEAR(of(rigid, {{}, exp_map({0.1, 0.2, 0.2})}).angle_rad, 0.3, 1e-14);
  EXPECT_NEAR(of(rigid, {{}, {0, 1, 0, 0}}).angle_rad, kPi, 1e-14);
  JointDef rope = make_def(JointKind::kDistance);
  rope.axes[0].max = 2;
  const JointModel r = *compile_joint(rope, two_dynamic_bodies());
  EXPECT_NEAR(of(r, {{0, 3, 0}, {}}).limit_m, 1, 1e-15);
  EXPECT_EQ(of(r, {{0, 1, 0}, {}}).limit_m, 0);
  JointDef cone = make_def(JointKind::kPoint);
  cone.swing_max = 0.5;
  const JointModel c = *compile_joint(cone, two_dynamic_bodies());
  EXPECT_NEAR(of(c, {{}, exp_map({0, 0.7, 0})}).limit_rad, 0.2, 1e-14);
  EXPECT_EQ(of(c, {{}, exp_map({0, 0.4, 0})}).limit_rad, 0);
}

TEST(Deviations, OfAGearKeepTheirTurnsApart) {
  // ratio 1/2: the second wheel makes two turns while the first makes one
  const JointModel hinge = *compile_joint(make_def(JointKind::kHinge), two_dynamic_bodies());
  JointDef def;
  def.kind = JointKind::kGear;
  def.first = {0, 0};
  def.second = {1, 0};
  def.ratio = 0.5;
  CompileContext context;
  context.first = context.second = {&hinge, frames_of({}), true};
  const JointModel gear = *compile_joint(def, context);
  JointState state = make_joint_state(gear, frames_of({}), frames_of({}));
  for (int n = 1; n <= 100; ++n) {
    const double first = 0.1 * n, second = -0.2 * n;
    const PairFrames x = frames_of({{}, exp_map({first, 0, 0})});
    const PairFrames x2 = frames_of({{}, exp_map({second, 0, 0})});
    EXPECT_NEAR(calc_deviation(gear, state, x, x2).angle_rad, 0, 1e-13) << n;
    state.coordinate[kGearFirst] = first;
    state.coordinate[kGearSecond] = second;
  }
}

}  // namespace
}  // namespace tenon
