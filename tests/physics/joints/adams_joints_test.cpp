// Single bodies on a hinge, a ball and a slider against series of MSC ADAMS (validation case B5).
// The series are printed with six digits: positions are good to 5e-6, those of the slider to 5e-5.
#include <gtest/gtest.h>

#include "tenon/tests/physics/joints/mechanism_kit.h"
#include "tenon/tests/physics/reference_series.h"

namespace tenon::test {
namespace {

struct AdamsErrors {
  double position = 0, velocity = 0, spin = 0, angle = 0;
  double force = 0, force_rel = 0, torque = 0;
};

AdamsErrors run(const std::string& file, JointKind kind, const Pose& X_WJ, double step) {
  const Series s = load_series(file);
  World world = make_world(step, {.gravity = {0, 0, -9.80665}, .tolerance = 1e-10});
  const Quat q0 = normalized(Quat{s.at(0, "qw"), s.at(0, "qx"), s.at(0, "qy"), s.at(0, "qz")});
  const BodyHandle body =
      add_body(world, make_body(1, {0.04, 0.1, 0.1}, X_WJ.p + Vec3{2, 0, 0}, q0));
  const JointHandle joint = add_joint(world, make_joint(world, kind, {}, body, X_WJ));
  AdamsErrors e;
  for (size_t row = 1; row < s.rows.size(); ++row) {
    const double t = s.at(row, "t");
    step_to(world, t);
    const Vec3 p{s.at(row, "x"), s.at(row, "y"), s.at(row, "z")};
    const Vec3 v{s.at(row, "vx"), s.at(row, "vy"), s.at(row, "vz")};
    const Vec3 w{s.at(row, "wx"), s.at(row, "wy"), s.at(row, "wz")};
    const Quat q =
        normalized(Quat{s.at(row, "qw"), s.at(row, "qx"), s.at(row, "qy"), s.at(row, "qz")});
    e.position = std::max(e.position, norm(world.center_of_mass(body) - p));
    e.velocity = std::max(e.velocity, norm(world.velocity(body) - v));
    e.spin = std::max(e.spin, std::fabs(norm(world.angular_velocity(body)) - norm(w)));
    e.angle = std::max(e.angle, angle_between(world.pose(body).q, q));
    // readings are means over a step: the two steps beside t give the force at t
    const JointReading before = world.read_joint(joint);
    const Vec3 at_t = point_of(world, body, {-2, 0, 0});
    world.step();
    const JointReading after = world.read_joint(joint);
    const double force = norm(0.5 * (before.force + after.force));
    // ours is about the joint's point on the body, theirs about the one on the ground
    const Vec3 arm = at_t - X_WJ.p;
    const double torque = norm(
        0.5 * (before.torque + after.torque + cross(arm, before.force) + cross(arm, after.force)));
    e.force = std::max(e.force, std::fabs(force - s.at(row, "force")));
    e.force_rel = std::max(e.force_rel, std::fabs(force / s.at(row, "force") - 1));
    const double scale = std::max(1.0, s.at(row, "torque"));
    e.torque = std::max(e.torque, std::fabs(torque - s.at(row, "torque")) / scale);
  }
  return e;
}

void check(const std::string& name, const std::string& file, JointKind kind, const Pose& X_WJ) {
  const AdamsErrors e = run(file, kind, X_WJ, 1e-3), fine = run(file, kind, X_WJ, 5e-4);
  report("B5 " + name + ", 1e-3: position over 5 s, m", e.position, "2e-2");
  report("B5 " + name + ", 1e-3: reaction force, rel.", e.force_rel, "1e-2");
  report("B5 " + name + ", 5e-4: position over 5 s, m", fine.position, "1e-3 (Chrono)");
  report("B5 " + name + ", 5e-4: velocity, m/s", fine.velocity, "none given");
  report("B5 " + name + ", 5e-4: angular velocity, rad/s", fine.spin, "1e-2 (Chrono)");
  report("B5 " + name + ", 5e-4: orientation, rad", fine.angle, "none given");
  report("B5 " + name + ", 5e-4: reaction force, N", fine.force, "2e-2 (Chrono)");
  report("B5 " + name + ", 5e-4: reaction torque, rel. or N m", fine.torque, "1e-3");
  EXPECT_LT(e.position, 2e-2);
  EXPECT_LT(e.force_rel, 1e-2);
  EXPECT_LT(fine.position, 1e-3);
  EXPECT_LT(fine.spin, 1e-2);
  EXPECT_LT(fine.force, 2e-2);
  EXPECT_LT(fine.torque, 1e-3);  // the series itself scatters by 1e-4 of the force
}

TEST(AdamsSeries, AreMetByAHinge) {
  check("hinge", "B5_adams_revolute_1.csv", JointKind::kHinge, {{}, axis_along_y()});
}
TEST(AdamsSeries, AreMetByABall) {
  check("ball", "B5_adams_spherical_2.csv", JointKind::kPoint, {{1, 2, 3}, {}});
}
TEST(AdamsSeries, AreMetByASlider) {
  const double s = std::sqrt(0.5);
  check("slider", "B5_adams_prismatic_2.csv", JointKind::kSlider,
        {{1, 2, 3}, from_axis_angle({0, -s, s}, 0.5 * kPi)});
}

}  // namespace
}  // namespace tenon::test
