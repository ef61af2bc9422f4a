// Impacts in the method `force`: D3 and E13 (times), D5, the paper's turning box (D6), joints.
#include <gtest/gtest.h>

#include "tenon/engine/solve_force/serial_impulses.h"
#include "tenon/tests/effort.h"
#include "tenon/tests/physics/force_contacts/force_kit.h"

namespace tenon::test {
namespace {

struct Flight {
  double impact_time, apex;
};

// The flight that a ball is in: when it began, and how high it goes.
Flight flight_of(const World& world, BodyHandle ball, double r) {
  const double h = world.center_of_mass(ball).y - r, v = world.velocity(ball).y;
  const double up = std::sqrt(v * v + 2 * kG * h);
  return {world.time() - (up - v) / kG, h + v * v / (2 * kG)};
}

TEST(ForceImpacts, ComeWhenTheClosedFormSays) {
  const nlohmann::json reference = load_reference("D_contact_closed_form")["D3_drop_0.05m_e0.81"];
  for (const ForceContacts contacts : {ForceContacts::kAnalytic, ForceContacts::kLcp}) {
    World world = make_force_world(contacts, 1.0 / 240, 1e-9);
    const MaterialId m = add_surface(world, {.restitution = 0.81});
    const double r = 0.05;
    add_floor(world, m);
    const BodyHandle ball = add_solid(world, Sphere{r}, 1, {0, r + 0.05, 0}, m);
    std::vector<Flight> flights;
    while (world.time() < 0.7) {
      world.step();
      const Flight f = flight_of(world, ball, r);
      if (f.impact_time < 0) continue;
      if (flights.empty() || f.impact_time > flights.back().impact_time + 1e-3) {
        flights.push_back(f);
      }
    }
    ASSERT_GE(flights.size(), 5u);
    double late = 0, high = 0;
    for (size_t i = 0; i < 5; ++i) {
      const auto& e = reference["events"][i];
      late = std::max(late, std::fabs(flights[i].impact_time - e["time"].get<double>()));
      high = std::max(high, std::fabs(flights[i].apex / e["apex_after"].get<double>() - 1));
    }
    report("E13 first five impacts, s", late, "1e-6");
    report("D3 first five apexes, relative", high, "1e-2");
    EXPECT_LT(late, 1e-6);
    EXPECT_LT(high, 1e-6);
    // at rest after the last of infinitely many impacts
    while (world.time() < 1.1) world.step();
    const double depth = r - world.center_of_mass(ball).y;
    report("D3 penetration at rest, m", depth,
           contacts == ForceContacts::kLcp ? "1e-6" : "m g / c = 9.8e-6");
    EXPECT_LT(std::fabs(world.velocity(ball).y), 1e-6);
    EXPECT_NEAR(depth, contacts == ForceContacts::kLcp ? 0 : kG / 1e6, 1e-8);
  }
}

TEST(ForceImpacts, PassThroughACradle) {
  World world = make_force_world(ForceContacts::kAnalytic, 1.0 / 240, 1e-9, kNoGravity);
  const MaterialId m = add_surface(world, {.restitution = 1});
  std::vector<BodyHandle> balls;
  const double r = 0.0625;
  for (int i = 0; i < 5; ++i) {
    BodyDef def = make_solid(Sphere{r}, 1, {2 * r * i + (i > 0 ? 0.25 : 0), 0, 0}, m);
    if (i == 0) def.velocity = {1, 0, 0};
    balls.push_back(add_body(world, def));
  }
  uint32_t steps = 0;
  while (world.time() < 0.5) {
    world.step();
    steps += world.diagnostics().impact_steps;
  }
  EXPECT_EQ(steps, 4u);
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(world.velocity(balls[i]).x, i == 4 ? 1 : 0, 1e-12) << i;
  }
  EXPECT_NEAR(world.calc_mechanics().kinetic_J, 0.5, 1e-12);
}

TEST(ForceImpacts, TurnABoxThatFallsFlatAsThePaperSays) {
  const nlohmann::json c = load_reference("D_contact_closed_form")["D6_cuboid_flat_serial_2k"][0];
  World world = make_force_world(ForceContacts::kAnalytic, 1.0 / 240, 1e-9, kNoGravity);
  const MaterialId m = add_surface(world, {.restitution = 0.5});
  ForceSettings f = world.settings().force;
  f.v_normal_max = 1e-9;  // the paper's example has no contacts that rest
  set_force(world, f);
  add_floor(world, m);
  BodyDef def = make_solid(Box{{0.5, 0.5, 0.5}}, 1, {0, 0.6, 0}, m);
  def.velocity = {0, -1, 0};
  const BodyHandle box = add_body(world, def);
  uint32_t steps = 0;
  while (world.time() < 0.11) {
    world.step();
    steps += world.diagnostics().impact_steps;
  }
  EXPECT_EQ(steps, 5u);
  // the order of the corners is the narrow phase's: one of all that there are
  const FreeResponse response({{}, {1, 6 * Mat3::identity()}});
  std::vector<Vec3> corners;
  for (const auto& corner : c["corner_order"]) corners.push_back({corner[0], -0.5, corner[2]});
  std::vector<size_t> order{0, 1, 2, 3};
  double nearest = 1;
  do {
    std::vector<CollidingPoint> points;
    for (const size_t i : order) points.push_back({{0, 1, {}, corners[i], {0, 1, 0}}, 0.5});
    std::vector<Motion> velocity(2);
    velocity[1].v = {0, -1, 0};
    collide_in_turn(points, response, velocity);
    nearest = std::min(nearest, norm(velocity[1].v - world.velocity(box)) +
                                    norm(velocity[1].w - world.angular_velocity(box)));
  } while (std::next_permutation(order.begin(), order.end()));
  report("D6 flat box, serial corners of some order", nearest, "1e-9");
  EXPECT_LT(nearest, 1e-9);
  // it turns, which it should not
  EXPECT_GT(norm(world.angular_velocity(box)), 0.1);
}

TEST(ForceImpacts, GoThroughJoints) {
  // a rod on a hinge, hit at its end by a ball: the closed form of an impact on a pendulum
  World world = make_force_world(ForceContacts::kAnalytic, 1.0 / 240, 1e-9, kNoGravity);
  const MaterialId m = add_surface(world, {.restitution = 1});
  BodyDef rod = make_solid(Box{{0.5, 0.05, 0.05}}, 2, {0.5, 0, 0}, m);
  const BodyHandle beam = add_body(world, rod);
  JointDef hinge = make_joint(world, JointKind::kHinge, {}, beam, {{0, 0, 0}, axis_along_z()});
  ASSERT_TRUE(world.create_joint(hinge).ok());
  BodyDef def = make_solid(Sphere{0.1}, 1, {0.9, -0.4, 0}, m);
  def.velocity = {0, 1, 0};
  const BodyHandle ball = add_body(world, def);
  while (world.time() < 0.3) world.step();
  // angular momentum about the hinge and energy: I w = 0.9 (1 - v), w^2 I + v^2 = 1
  const double I = 2 * (1.0 + 0.01) / 12 + 2 * 0.25;
  const double w = 2 * 0.9 / (I + 0.81);
  EXPECT_NEAR(world.angular_velocity(beam).z, w, 1e-9);
  EXPECT_NEAR(world.velocity(ball).y, 1 - I * w / 0.9, 1e-9);
  EXPECT_LT(world.diagnostics().joint_gap_m, 1e-12);
}

TEST(ForceImpacts, StopWhatIsFastAndThin) {
  // PAL-5: 0.1 m at up to 200 m/s against a plate of 1 cm
  for (const double speed : {1.0, 20.0, 200.0}) {
    World world = make_force_world(ForceContacts::kAnalytic, 1.0 / 60, 1e-6, kNoGravity);
    const MaterialId m = add_surface(world, {.restitution = 0.5});
    BodyDef plate = make_solid(Box{{0.005, 1, 1}}, 1, {0, 0, 0}, m);
    plate.motion = MotionKind::kStatic;
    add_body(world, plate);
    BodyDef def = make_solid(Sphere{0.05}, 1, {-0.5, 0, 0}, m);
    def.velocity = {speed, 0, 0};
    const BodyHandle ball = add_body(world, def);
    while (world.time() < 1 / speed + 0.05) world.step();
    EXPECT_LT(world.center_of_mass(ball).x, -0.05) << speed;
    EXPECT_NEAR(world.velocity(ball).x, -0.5 * speed, 1e-9 * speed) << speed;
  }
}

TEST(ForceImpacts, GoOnWithTheSameBitsFromASavedState) {
  constexpr int kSteps = effort(20, 14);  // the lowest has landed
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 60);
  const MaterialId m = add_surface(world, {.friction = 0.4, .restitution = 0.3});
  add_floor(world, m);
  for (int i = 0; i < 3; ++i) {
    add_solid(world, Box{{0.2, 0.1, 0.15}}, 1, {0.1 * i, 0.3 + 0.4 * i, 0}, m,
              from_axis_angle({0, 0, 1}, 0.3 * i));
  }
  for (int i = 0; i < kSteps; ++i) world.step();
  const std::vector<std::byte> bytes = world.save_state();
  const Snapshot snapshot = world.snapshot();
  for (int i = 0; i < kSteps; ++i) world.step();
  const uint64_t hash = world.state_hash();
  ASSERT_TRUE(world.load_state(bytes).ok());
  for (int i = 0; i < kSteps; ++i) world.step();
  EXPECT_EQ(world.state_hash(), hash);
  world.restore(snapshot);
  for (int i = 0; i < kSteps; ++i) world.step();
  EXPECT_EQ(world.state_hash(), hash);
}

}  // namespace
}  // namespace tenon::test
