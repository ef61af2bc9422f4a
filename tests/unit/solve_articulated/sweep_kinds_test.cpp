// The sweep with every kind of joint that engine/joints makes.
#include <gtest/gtest.h>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/joints/compile.h"
#include "tenon/engine/joints/nearest.h"
#include "tenon/tests/unit/solve_articulated/sweep_fixture.h"

namespace tenon::test {
namespace {

constexpr double kStep = 1.0 / 120;

JointDef make_def(JointKind kind) {
  JointDef def;
  def.kind = kind;
  def.parent = {0, 0};
  def.child = {1, 0};
  def.X_BP = {{0.5, 0.1, 0}, exp_map({0.1, 0.2, 0.3})};
  def.X_BC = {{-0.5, 0, 0.1}, exp_map({-0.2, 0.1, 0.1})};
  def.length = kind == JointKind::kDistance ? 0.3 : 0;
  def.pitch = 0.2;
  def.locked = {true, false, true, false, true, false};
  return def;
}

// Two bodies in free flight whose joint nearly fits.
Rig make_pair(const JointDef& def, uint64_t seed) {
  Rng rng(seed);
  Rig rig;
  rig.projection = kJointProjection;
  CompileContext context;
  Pose X_WB[2];
  X_WB[0].p = random_vec(rng, 1);
  X_WB[0].q = exp_map(random_vec(rng, 1));
  Pose X_PC{random_vec(rng, 0.02), exp_map(random_vec(rng, 0.02))};
  if (def.kind == JointKind::kDistance || def.black_box) X_PC.p.y += 0.3;
  X_WB[1] = X_WB[0] * def.X_BP * X_PC * inverse(def.X_BC);
  for (uint32_t i = 0; i < 2; ++i) {
    rig.add_body(1 + i, box_inertia(1, {1, 0.6, 0.4}), X_WB[i].p, X_WB[i].q);
    set_random_velocity(rig, i, rng, 1, 3);
    (i == 0 ? context.parent : context.child) = {true, true, i, {}, X_WB[i]};
  }
  Result<JointModel> model = compile_joint(def, context);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : format(model.error()));
  if (!model.ok()) return rig;
  rig.add_joint(*model);
  const JointPair& pair = rig.joints[0].pairs[0];
  const PairFrames x = make_frames(pair, rig.states[0].x_WC, to_matrix(rig.states[0].q_WB),
                                   rig.states[1].x_WC, to_matrix(rig.states[1].q_WB));
  rig.joint_states.push_back(make_joint_state(rig.joints[0], x, x));
  return rig;
}

Vec3 total_momentum(const Rig& rig, Vec3& angular) {
  Vec3 linear;
  angular = {};
  for (uint32_t i = 0; i < 2; ++i) {
    const BodyState& s = rig.states[i];
    linear += rig.masses[i].mass * s.v_WC;
    angular += cross(s.x_WC, rig.masses[i].mass * s.v_WC) + s.L_W;
  }
  return linear;
}

// One joint alone is solved exactly by one sweep, whatever it holds.
void expect_exact(const JointDef& def, const char* what, int steps = 60, double tolerance = 1e-10) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Rig rig = make_pair(def, seed);
    ASSERT_EQ(rig.joints.size(), 1u) << what;
    Vec3 angular, angular_after;
    const Vec3 linear = total_momentum(rig, angular);
    SweepSettings settings;
    settings.sweeps = 3;
    for (int i = 0; i < steps; ++i) {
      const SweepResult result = rig.step(kStep, settings);
      ASSERT_LT(result.gap, tolerance) << what << " seed " << seed << " step " << i;
      ASSERT_LT(result.angle, tolerance) << what << " seed " << seed << " step " << i;
      ASSERT_EQ(result.counts.skipped, 0) << what;
      ASSERT_LE(result.counts.most_newton_iterations, 8) << what << " seed " << seed;
    }
    EXPECT_LT(norm(total_momentum(rig, angular_after) - linear), 1e-12) << what;
    EXPECT_LT(norm(angular_after - angular), 1e-12) << what;
  }
}

TEST(SweepKinds, EveryKindIsHeldExactly) {
  for (int k = 0; k < kJointKindCount; ++k) {
    const JointKind kind = static_cast<JointKind>(k);
    if (kind == JointKind::kGear || kind == JointKind::kBlackBox) continue;
    expect_exact(make_def(kind), name(kind));
  }
}

TEST(SweepKinds, LimitsAreObeyedToo) {
  const JointKind angles[] = {JointKind::kPoint, JointKind::kHinge, JointKind::kUniversal,
                              JointKind::kPlanarTwist, JointKind::kCylindrical};
  for (const JointKind kind : angles) {
    JointDef def = make_def(kind);
    def.axes[3].min = -0.2;
    def.axes[3].max = 0.3;
    expect_exact(def, name(kind));
  }
  for (const JointKind kind : {JointKind::kSlider, JointKind::kCylindrical, JointKind::kSlider3,
                               JointKind::kDistance, JointKind::kScrew}) {
    JointDef def = make_def(kind);
    def.length = 0;
    def.axes[0].min = kind == JointKind::kDistance ? 0.25 : -0.05;
    def.axes[0].max = kind == JointKind::kDistance ? 0.35 : 0.05;
    expect_exact(def, name(kind));
  }
  JointDef cone = make_def(JointKind::kPoint);
  cone.swing_max = 0.4;
  expect_exact(cone, "cone");
}

TEST(SweepKinds, GearsAreRefused) {
  JointModel gear;
  gear.pair_count = 2;
  EXPECT_FALSE(sweep_supports(gear));
  EXPECT_TRUE(sweep_supports(JointModel{}));
}

// A limit of two and a half turns: the coordinate counts them.
TEST(SweepKinds, CountsTurnsUpToALimit) {
  JointDef def = make_def(JointKind::kHinge);
  def.X_BP = def.X_BC = {};
  def.axes[3].min = -100;
  def.axes[3].max = 5 * kPi;
  Rig rig = make_pair(def, 1);
  rig.states[1].x_WC = rig.states[0].x_WC;
  rig.states[1].q_WB = rig.states[0].q_WB;
  rig.joint_states[0] = {};
  const Vec3 x = rotate(rig.states[0].q_WB, kAxes[0]);
  rig.set_velocity(0, {}, {});
  rig.set_velocity(1, {}, 6.0 * x);
  double largest = 0;
  for (int i = 0; i < 600; ++i) {
    rig.step(kStep, {});
    largest = std::max(largest, rig.joint_states[0].coordinate[5]);
  }
  EXPECT_NEAR(largest, 5 * kPi, 1e-9);
  EXPECT_NEAR(dot(rig.states[1].w_WB - rig.states[0].w_WB, x), 0, 1e-9);
}

// A user's own function: C stays on a sphere about P, its orientation free.
TEST(SweepKinds, BlackBoxesAreHeldExactly) {
  JointDef def = make_def(JointKind::kBlackBox);
  def.black_box =
      std::make_shared<BlackBox>([](const Pose& X) { return Pose{0.3 * normalized(X.p), X.q}; }, 1);
  // directions found by differences are good to 1e-9, which only slows Newton
  expect_exact(def, "sphere");
}

}  // namespace
}  // namespace tenon::test
