// Scenes after AERO do what the paper says of them, by AERO's method and by the default one.
#include <algorithm>
#include <cmath>

#include "tenon/tests/effort.h"
#include "tenon/tests/invariants/gallery_kit.h"

namespace tenon::test {
namespace {

double energy_of(const World& world) {
  const Mechanics m = world.calc_mechanics();
  return m.kinetic_J + m.potential_J;
}

// [Keller1993, sec. 5.1]: "the energy of the outer pendulums is propagated through collision
// impulses to the other pendulums". Ten swings of the outer balls.
TEST(PendulumOfFive, OuterBallsTakeTurns) {
  scene::BuiltScene s = load_gallery("aero/pendulum-5", {"world.method=force"});
  const BodyHandle first = find_body(s, "ball_0"), last = find_body(s, "ball_4");
  const double low = 0.6, start = energy_of(s.world);  // m, J
  double highest_first = 0, highest_last = 0, inner = 0, error = 0;
  int swings = 0;
  bool rises = true;
  const double mass = s.world.mass(first).mass;
  while (s.world.time() < 28 && swings < 10) {
    const double before = s.world.velocity(last).y;
    s.world.step();
    highest_last = std::max(highest_last, s.world.pose(last).p.y - low);
    if (s.world.time() > 0.5)
      highest_first = std::max(highest_first, s.world.pose(first).p.y - low);
    for (const char* name : {"ball_1", "ball_2", "ball_3"}) {
      const Vec3 p = s.world.pose(find_body(s, name)).p;
      inner = std::max(inner, p.y - low);
    }
    error = std::max(error, std::fabs(energy_of(s.world) - start));
    // the last ball turns round at its highest point
    const bool up = s.world.velocity(last).y > 0;
    if (rises && !up && before > 0 && s.world.pose(last).p.y > low + 0.3) ++swings;
    rises = up;
  }
  EXPECT_EQ(swings, 10);
  EXPECT_LT(error, 0.01 * mass * 9.81);  // of what the first ball had, falling by 1 m
  EXPECT_GT(highest_first, 0.95);
  EXPECT_GT(highest_last, 0.95);
  EXPECT_LT(inner, 0.02);
}

// [Keller1993, sec. 5.3].
class Vehicle : public testing::TestWithParam<const char*> {};

TEST_P(Vehicle, GoesItsWay) {
  scene::BuiltScene s =
      load_gallery("aero/vehicle-on-ice", {std::string("world.method=") + GetParam()});
  const BodyHandle chassis = find_body(s, "chassis"), hub = find_body(s, "hub_0");
  double lowest_travel = kInfinity, highest_travel = -kInfinity, turned = 0, tilt = 1;
  double side_at_hill = 0, at_tree = kInfinity;
  Vec3 last_heading{1, 0, 0};
  while (s.world.time() < effort(20.0, 0.5)) {
    s.world.step();
    const Pose X = s.world.pose(chassis);
    const Vec3 heading = rotate(X.q, {1, 0, 0}), up = rotate(X.q, {0, 1, 0});
    tilt = std::min(tilt, up.y);
    const double travel = dot(up, s.world.pose(hub).p - X.p);
    if (s.world.time() > 0.5) {
      lowest_travel = std::min(lowest_travel, travel);
      highest_travel = std::max(highest_travel, travel);
    }
    const double turn = std::atan2(cross(last_heading, heading).y, dot(last_heading, heading));
    if (s.world.time() > 7.5) turned += std::fabs(turn);
    last_heading = heading;
    if (std::fabs(X.p.x - 1) < 0.1) at_tree = std::min(at_tree, std::fabs(X.p.z));
    if (X.p.x < 10) side_at_hill = X.p.z;
  }
  EXPECT_GT(tilt, 0.8);  // on its wheels all the time
  if (kShortTests) return;
  const Vec3 end = s.world.pose(chassis).p;
  EXPECT_LT(at_tree, 0.5);                          // under the crown
  EXPECT_GT(highest_travel - lowest_travel, 0.03);  // shock absorbers work
  EXPECT_GT(side_at_hill, 0.1);                     // the hill sends it to the right
  EXPECT_GT(end.x, 10);                             // on the ice
  EXPECT_GT(turned, 3);                             // spins
  EXPECT_LT(norm(s.world.velocity(chassis)), 0.2);  // and stops
  EXPECT_LT(norm(s.world.angular_velocity(chassis)), 0.2);
  std::printf(
      "[ figure   ] vehicle, %s: travel of the shock absorber %.3f m, %.2f m aside at the "
      "hill, %.2f rad of spinning, ends at (%.2f, %.2f)\n",
      GetParam(), highest_travel - lowest_travel, side_at_hill, turned, end.x, end.z);
}

INSTANTIATE_TEST_SUITE_P(Methods, Vehicle, testing::Values("impulse", "force"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace tenon::test
