// Nearest consistent velocities [Faure1998, eq. 9].
#include "displacement_kit.h"

namespace tenon {
namespace {

using namespace displacement_kit;

// Rates of a joint's held directions, m/s and rad/s.
double worst_rate(const World& world, JointHandle joint) {
  const JointReading r = world.read_joint(joint);
  double worst = 0;
  for (size_t k = 0; k < 6; ++k) {
    if ((r.free_axes >> k & 1) == 0) worst = std::max(worst, std::fabs(r.rate[k]));
  }
  return worst;
}

TEST(NearestVelocities, AKickedPendulumKeepsWhatItsHingeAllows) {
  World world = make_world({});
  BodyDef rod = make_rod({0.5, 0, 0});
  rod.velocity = {3, 2, 1};
  rod.angular_velocity = {1, 1, 1};
  const BodyHandle body = add(world, rod);
  const JointHandle hinge = add_hinge_z(world, {}, {0, 0, 0}, body, {-0.5, 0, 0});
  const Result<VelocityReport> report = world.match_velocities();
  ASSERT_TRUE(report.ok());
  EXPECT_GT(report->start, 1);
  EXPECT_LT(report->error, 1e-12);
  EXPECT_LT(worst_rate(world, hinge), 1e-12);
  // momentum about the hinge is what the projection in the metric of masses keeps
  const BodyMass& m = world.mass(body);
  const double inertia = m.I_B(2, 2) + 0.25 * m.mass;
  const double before = m.I_B(2, 2) * 1 + m.mass * 0.5 * 2;
  EXPECT_NEAR(world.angular_velocity(body).z, before / inertia, 1e-12);
}

TEST(NearestVelocities, PrescribedRatesAreMet) {
  World world = make_world({});
  const BodyHandle a = add(world, make_rod({0.5, 0, 0})), b = add(world, make_rod({1.5, 0, 0}));
  const JointHandle first = add_hinge_z(world, {}, {0, 0, 0}, a, {-0.5, 0, 0});
  const JointHandle second = add_hinge_z(world, a, {0.5, 0, 0}, b, {-0.5, 0, 0});
  const RateTarget rates[] = {{first, JointAxis::kRx, 2}, {second, JointAxis::kRx, -3}};
  ASSERT_TRUE(world.match_velocities(rates).ok());
  EXPECT_NEAR(world.read_joint(first).rate[3], 2, 1e-12);
  EXPECT_NEAR(world.read_joint(second).rate[3], -3, 1e-12);
  EXPECT_NEAR(world.velocity(b).y, 2 * 1 - 1 * 0.5, 1e-12);
}

TEST(NearestVelocities, ARateAlongAHeldDirectionMovesTheAnchorsApart) {
  World world = make_world({});
  const BodyHandle a = add(world, make_rod({0.5, 0, 0}));
  JointDef ball;
  ball.child = a;
  ball.X_BC.p = {-0.5, 0, 0};
  const JointHandle joint = *world.create_joint(ball);
  const RateTarget rates[] = {{joint, JointAxis::kY, 0.25}};
  ASSERT_TRUE(world.match_velocities(rates).ok());
  EXPECT_NEAR(world.read_joint(joint).rate[1], 0.25, 1e-12);
}

TEST(NearestVelocities, ContradictingRatesAreMetHalfWay) {
  World world = make_world({});
  const BodyHandle a = add(world, make_rod({0.5, 0, 0}));
  const JointHandle hinge = add_hinge_z(world, {}, {0, 0, 0}, a, {-0.5, 0, 0});
  const RateTarget rates[] = {{hinge, JointAxis::kRx, 1}, {hinge, JointAxis::kRx, 3}};
  const Result<VelocityReport> report = world.match_velocities(rates);
  ASSERT_TRUE(report.ok());
  EXPECT_NEAR(world.read_joint(hinge).rate[3], 2, 1e-9);
  EXPECT_GT(report->error, 0.1);
}

TEST(NearestVelocities, RatesThatAreNotFiniteAreRefused) {
  World world = make_world({});
  const BodyHandle a = add(world, make_rod({0.5, 0, 0}));
  const JointHandle hinge = add_hinge_z(world, {}, {0, 0, 0}, a, {-0.5, 0, 0});
  const RateTarget rates[] = {{hinge, JointAxis::kRx, std::nan("")}};
  EXPECT_FALSE(world.match_velocities(rates).ok());
}

}  // namespace
}  // namespace tenon
