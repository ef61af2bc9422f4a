// Which joint a connection is, what is refused, and how fast it swings.
#include "tenon/engine/joints/connection.h"

#include <cmath>
#include <string>

#include "tenon/engine/joints/vibration.h"
#include "tenon/tests/unit/joints/joint_test_help.h"

namespace tenon {
namespace {

using Kind = ConnectionKind;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Bodies at the origin and at (3, 4, 0), held at their origins.
const ConnectionEnd kA{{}, false}, kB{{{3, 4, 0}, {}}, false};

ConnectionDef make(Kind kind, double stiffness = 0, double damping = 0) {
  ConnectionDef def;
  def.kind = kind;
  def.a = {0, 0};
  def.b = {1, 0};
  def.stiffness = stiffness;
  def.damping = damping;
  return def;
}

JointDef made(const ConnectionDef& def, const ConnectionEnd& a = kA, const ConnectionEnd& b = kB) {
  const Result<JointDef> joint = make_connection(def, a, b);
  EXPECT_TRUE(joint.ok()) << format(joint.error());
  if (!joint) return {};
  EXPECT_TRUE(check_joint(*joint).ok()) << format(check_joint(*joint).error());
  return *joint;
}

void expect_refused(const ConnectionDef& def, const std::string& part) {
  const Result<JointDef> joint = make_connection(def, kA, kB);
  ASSERT_FALSE(joint.ok()) << part;
  EXPECT_NE(format(joint.error()).find(part), std::string::npos) << format(joint.error());
}

TEST(Connections, AreJoints) {
  JointDef j = made(make(Kind::kSpring, 100, 2));
  EXPECT_EQ(j.kind, JointKind::kDistance);
  EXPECT_EQ(j.axes[0].stiffness, 100);
  EXPECT_EQ(j.axes[0].damping, 2);
  EXPECT_EQ(j.axes[0].rest, 5);  // as it starts
  EXPECT_EQ(j.axes[0].min_separation, -kInfinity);
  EXPECT_TRUE(j.bodies_collide);

  j = made(make(Kind::kDamper, 0, 3));
  EXPECT_EQ(j.kind, JointKind::kDistance);
  EXPECT_EQ(j.axes[0].damping, 3);
  EXPECT_EQ(j.axes[0].stiffness, 0);

  ConnectionDef def = make(Kind::kRod);
  j = made(def);
  EXPECT_EQ(j.kind, JointKind::kDistance);
  EXPECT_EQ(j.length, 5);
  EXPECT_FALSE(j.axes[0].has_law());
  def = make(Kind::kRod, 1e5, 10);
  def.length = 4;
  j = made(def);
  EXPECT_EQ(j.length, 0);
  EXPECT_EQ(j.axes[0].rest, 4);

  def = make(Kind::kShockAbsorber, 1e4, 500);
  def.length = 4.5;
  def.min_separation = 2;
  j = made(def);
  EXPECT_EQ(j.axes[0].rest, 4.5);
  EXPECT_EQ(j.axes[0].min_separation, 2);

  def = make(Kind::kRope);
  def.length = 6;
  j = made(def);
  EXPECT_EQ(j.axes[0].max, 6);
  EXPECT_EQ(j.axes[0].stiffness, 0);
  def.stiffness = 50;
  j = made(def);
  EXPECT_EQ(j.axes[0].max, kInfinity);
  EXPECT_EQ(j.axes[0].rest, 6);
  EXPECT_EQ(j.axes[0].min_separation, 6);

  EXPECT_EQ(made(make(Kind::kBall)).kind, JointKind::kPoint);
  EXPECT_FALSE(made(make(Kind::kBall)).bodies_collide);
  def = make(Kind::kBall);
  def.bodies_collide = true;
  EXPECT_TRUE(made(def).bodies_collide);
}

TEST(Connections, RigidOnesHoldTheBodiesAsTheyStand) {
  Rng rng(3);
  const ConnectionEnd a{random_pose(rng, 2), false}, b{random_pose(rng, 2), false};
  ConnectionDef def = make(Kind::kRigid);
  def.point_a = {0.1, 0.2, 0.3};
  const JointDef j = made(def, a, b);
  EXPECT_EQ(j.kind, JointKind::kRigid);
  EXPECT_FALSE(j.bodies_collide);
  const Pose P = a.X_WB * j.X_BP, C = b.X_WB * j.X_BC;
  EXPECT_NEAR(norm(P.p - C.p), 0, 1e-14);
  EXPECT_NEAR(norm(log_map(P.q * conjugate(C.q))), 0, 1e-14);
  EXPECT_EQ(j.X_BP.p, def.point_a);
}

TEST(Connections, WithoutLengthPullInAllDirections) {
  ConnectionDef spring = make(Kind::kSpring, 100, 2);
  spring.length = 0;
  ConnectionDef together = make(Kind::kShockAbsorber, 100, 2);
  together.point_a = {3, 4, 0};
  ConnectionDef damper = make(Kind::kDamper, 0, 2);
  damper.point_a = {3, 4, 0};
  for (const ConnectionDef& def : {spring, together, damper}) {
    const JointDef j = made(def);
    EXPECT_EQ(j.kind, JointKind::kSixAxis);
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(j.axes[k].stiffness, def.stiffness);
      EXPECT_EQ(j.axes[k].damping, 2);
      EXPECT_EQ(j.axes[k].rest, 0);
    }
    EXPECT_FALSE(j.axes[3].has_law());
  }
  // a separation gives it a direction wherever it acts
  spring.min_separation = 1;
  EXPECT_EQ(made(spring).kind, JointKind::kDistance);
  EXPECT_EQ(made(spring).axes[0].rest, 0);
}

TEST(Connections, TheWorldAndPointMassesStandWhereTheyMay) {
  ConnectionDef def = make(Kind::kSpring, 100);
  def.point_a = {1, 0, 0};
  def.point_b = {0, 2, 0};
  def.b = {};
  JointDef j = made(def, kA, {});
  EXPECT_FALSE(j.parent.valid());
  EXPECT_EQ(j.child, def.a);
  EXPECT_EQ(j.X_BP.p, def.point_b);
  EXPECT_EQ(j.X_BC.p, def.point_a);
  EXPECT_NEAR(j.axes[0].rest, std::sqrt(5.0), 1e-15);
  // axes of a spring without length are on the body that can turn
  def = make(Kind::kSpring, 100);
  def.length = 0;
  EXPECT_EQ(made(def, {{}, true}, kB).child, def.a);
  EXPECT_EQ(made(def, kA, {{}, true}).child, def.b);
}

TEST(Connections, SayWhatIsWrong) {
  for (const double bad : {-1.0, kNaN, kInfinity}) {
    ConnectionDef def = make(Kind::kSpring, 100);
    def.stiffness = bad;
    expect_refused(def, "the stiffness of a spring must be finite and not negative");
    def = make(Kind::kShockAbsorber, 100, bad);
    expect_refused(def, "the damping of a shock absorber must be");
    def = make(Kind::kRope);
    def.length = bad;
    expect_refused(def, "the length of a rope must be");
    def = make(Kind::kSpring, 100);
    def.min_separation = bad;
    expect_refused(def, "the min_separation of a spring must be");
  }
  ConnectionDef def = make(Kind::kSpring, 100);
  def.b = def.a;
  expect_refused(def, "cannot connect a body with itself");
  def = make(Kind::kSpring, 100);
  def.a = def.b = {};
  expect_refused(def, "both of its ends are the world");
  def = make(Kind::kSpring, 100);
  def.point_b = {0, kNaN, 0};
  expect_refused(def, "not finite");
  expect_refused(make(Kind::kSpring), "a spring needs a stiffness");
  expect_refused(make(Kind::kShockAbsorber, 100), "a shock absorber needs a damping");
  expect_refused(make(Kind::kDamper), "a damper needs a damping");
  expect_refused(make(Kind::kDamper, 5, 5), "a damper has no stiffness");
  expect_refused(make(Kind::kRod, 0, 5), "a rod has no damping (got 5; accepted: 0, or a stiff");
  expect_refused(make(Kind::kBall, 5), "a ball has no stiffness");
  expect_refused(make(Kind::kRigid, 0, 5), "a rigid connection has no damping");
  def = make(Kind::kRope);
  def.length = 0;
  expect_refused(def, "a rope needs a length");
  def.stiffness = 100;
  expect_refused(def, "a rope needs a length");
  def = make(Kind::kRod);
  def.point_a = {3, 4, 0};
  expect_refused(def, "a rod needs a length (got 0 m");
  def = make(Kind::kBall);
  def.length = 1;
  expect_refused(def, "a ball has no length");
  def = make(Kind::kRope);
  def.min_separation = 1;
  expect_refused(def, "min_separation");
  def = make(static_cast<Kind>(9));
  expect_refused(def, "unknown kind of connection");
  def = make(Kind::kSpring, 100);
  def.break_force = -1;
  const Result<JointDef> joint = make_connection(def, kA, kB);
  ASSERT_TRUE(joint.ok());
  EXPECT_FALSE(check_joint(*joint).ok());  // what joints refuse is left to them
}

Vibration vibration_of(const ConnectionDef& def, const ConnectionEnd& a, const ConnectionEnd& b,
                       const std::array<BodyAnswer, 2>& bodies) {
  CompileContext context = two_dynamic_bodies();
  context.parent.X_WB = a.X_WB;
  context.child.X_WB = b.X_WB;
  const Result<JointModel> model = compile_joint(made(def, a, b), context);
  EXPECT_TRUE(model.ok());
  const PairFrames x =
      make_frames(model->pairs[0], a.X_WB.p, to_matrix(a.X_WB.q), b.X_WB.p, to_matrix(b.X_WB.q));
  return calc_vibration(*model, x, bodies);
}

// E_force_model_closed_form.json, A6: m = 1 kg, 400 N/m, 4 N s/m.
TEST(Vibrations, AreThoseOfTheReducedMass) {
  const BodyAnswer fixed{}, one{1, {}};
  Vibration v = vibration_of(make(Kind::kSpring, 400, 4), kA, kB, {fixed, one});
  EXPECT_NEAR(v.frequency_hz, 1 / 0.3141592653589793, 1e-12);
  EXPECT_NEAR(v.damping_ratio, 0.1, 1e-15);
  EXPECT_NEAR(v.mass, 1, 1e-15);
  // two bodies: m1 m2 / (m1 + m2)
  v = vibration_of(make(Kind::kSpring, 400), kA, kB, {BodyAnswer{1.0 / 3, {}}, one});
  EXPECT_NEAR(v.mass, 0.75, 1e-15);
  EXPECT_EQ(v.damping_ratio, 0);
  // off the centre, along y: 1/m + r^2/I
  ConnectionDef def = make(Kind::kSpring, 400);
  def.point_a = {3.5, 1, 0};
  def.point_b = {0.5, 0, 0};
  v = vibration_of(def, kA, kB, {fixed, BodyAnswer{1, Mat3::diagonal({1, 1, 2})}});
  EXPECT_NEAR(v.mass, 1 / (1 + 0.25 * 2), 1e-15);
  v = vibration_of(make(Kind::kDamper, 0, 4), kA, kB, {fixed, one});
  EXPECT_TRUE(v.has_damper && !v.has_spring);
  EXPECT_EQ(v.frequency_hz, 0);
  EXPECT_EQ(v.damping_ratio, kInfinity);
  EXPECT_FALSE(vibration_of(make(Kind::kRod), kA, kB, {fixed, one}).has_spring);
  // without length: the fastest direction, whichever that is
  def = make(Kind::kSpring, 400);
  def.point_a = {3.5, 4, 0};
  def.point_b = {0.5, 0, 0};
  v = vibration_of(def, kA, kB, {fixed, BodyAnswer{1, Mat3::diagonal({1, 3, 2})}});
  EXPECT_NEAR(v.mass, 1 / (1 + 0.25 * 3), 1e-14);
}

}  // namespace
}  // namespace tenon
