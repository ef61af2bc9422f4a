// Resting contact as a complementarity problem: a stack, slopes, rolling, joints.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/force_contacts/force_kit.h"

namespace tenon::test {
namespace {

MaterialId add_friction(World& world, double still, double sliding, double rolling,
                        double spinning) {
  SurfaceMaterial m;
  m.restitution = 0;
  m.static_friction = still;
  m.sliding_friction = sliding;
  m.rolling_friction = rolling;
  m.spinning_friction = spinning;
  Result<MaterialId> id = world.add_material(m);
  EXPECT_TRUE(id.ok());
  return *id;
}

TEST(ForceResting, AStackOfTenNeitherSinksNorCreeps) {
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 60);
  const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 0.3});
  const std::vector<BodyHandle> boxes = add_stack(world, std::vector<double>(10, 1.0), m);
  while (world.time() < effort(3.0, 0.2)) world.step();
  double sunk = 0, crept = 0;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const Vec3 x = world.center_of_mass(boxes[i]);
    sunk = std::max(sunk, std::fabs(x.y - 0.25 * (2.0 * static_cast<double>(i) + 1)));
    crept = std::max({crept, std::fabs(x.x), std::fabs(x.z)});
  }
  report("10 boxes, 3 s: sunk, m", sunk, "1e-9");
  report("10 boxes, 3 s: crept, m", crept, "1e-9");
  report("10 boxes, 3 s: fastest, m/s", top_speed(world), "1e-9");
  EXPECT_LT(sunk, 1e-9);
  EXPECT_LT(crept, 1e-9);
  EXPECT_LT(top_speed(world), 1e-9);
  EXPECT_EQ(world.diagnostics().lcp_failures, 0u);
  // contacts carry what is above them
  EXPECT_NEAR(world.contact_force(boxes[0]).y, kG, 1e-6);
}

TEST(ForceResting, AStackThatFallsIntoPlaceRestsWhereItBelongs) {
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 60);
  const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 0});
  add_floor(world, m);
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < 3; ++i) {
    boxes.push_back(add_solid(world, Box{{0.25, 0.25, 0.25}}, 1, {0, 0.26 + 0.52 * i, 0}, m));
  }
  while (world.time() < 2) world.step();
  for (size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_NEAR(world.center_of_mass(boxes[i]).y, 0.25 * (2.0 * static_cast<double>(i) + 1), 1e-6);
  }
  EXPECT_LT(top_speed(world), 1e-6);
}

TEST(ForceResting, SlipsThenRollsAndGoesOnRolling) {
  const nlohmann::json all = load_reference("D_contact_closed_form");
  for (const auto& c : all["D2_slip_to_roll"]) {
    World world = make_force_world(ForceContacts::kLcp, 1.0 / 60, 1e-8);
    const MaterialId m = add_surface(world, {.friction = c["mu"].get<double>()});
    const double r = 0.1, mass = 2;
    add_floor(world, m);
    BodyDef def = make_solid(Sphere{r}, mass, {0, r, 0}, m);
    const double I = c["I_over_mR2"].get<double>() * mass * r * r;
    def.mass = MassProperties{mass, {}, Mat3::diagonal({I, I, I})};
    def.velocity = {c["v0"].get<double>(), 0, 0};
    const BodyHandle ball = add_body(world, def);
    while (world.time() < 2) world.step();
    const double v = c["v_roll"];
    // slips with x'' = -mu g, then rolls
    const double t = c["slip_time"],
                 x = c["distance_at_roll"].get<double>() + v * (world.time() - t);
    report("D2 rolling velocity, relative", std::fabs(world.velocity(ball).x / v - 1), "5e-3");
    EXPECT_NEAR(world.velocity(ball).x, v, 1e-3 * v);
    EXPECT_NEAR(world.center_of_mass(ball).x, x, 2e-3 * x);
    EXPECT_NEAR(world.center_of_mass(ball).y, r, 1e-6);
    EXPECT_NEAR(world.angular_velocity(ball).z, -v / r, 1e-3 * v / r);
  }
}

TEST(ForceResting, ABallRollsOverAnotherUntilItLeavesIt) {
  // a small ball on a large fixed one, without friction: it leaves at cos = 2/3 of the start's
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 240, 1e-9);
  const MaterialId m = add_surface(world, {});
  BodyDef big = make_solid(Sphere{1}, 1, {0, 0, 0}, m);
  big.motion = MotionKind::kStatic;
  add_body(world, big);
  const double a0 = 0.3, R = 1.1;
  const BodyHandle ball =
      add_solid(world, Sphere{0.1}, 1, {R * std::sin(a0), R * std::cos(a0), 0}, m);
  double leaves = 0, deepest = 0;
  while (world.time() < 2 && leaves == 0) {
    world.step();
    const Vec3 x = world.center_of_mass(ball);
    deepest = std::max(deepest, R - norm(x));
    if (norm(x) > R + 1e-4) leaves = world.time();
  }
  // energy: v^2 / 2 = g R (cos a0 - cos a), leaves where v^2 = g R cos a: cos a = 2/3 cos a0.
  // Afterwards the motion is a parabola: back to where it met the circle
  const Vec3 v = world.velocity(ball), x = world.center_of_mass(ball);
  const double speed2 = norm2(v) + 2 * kG * (x.y - R * 2.0 / 3 * std::cos(a0));
  report("leaves a sphere: speed^2 there, relative",
         std::fabs(speed2 / (kG * R * 2.0 / 3 * std::cos(a0)) - 1), "1e-5");
  EXPECT_NEAR(speed2, kG * R * 2.0 / 3 * std::cos(a0), 1e-4);
  // velocity along x is constant after leaving: v cos a
  const double vx = std::sqrt(kG * R * 2.0 / 3 * std::cos(a0)) * 2.0 / 3 * std::cos(a0);
  EXPECT_NEAR(v.x, vx, 1e-3 * vx);
  EXPECT_LT(deepest, 1e-6);
}

// A block on a slope, let go or pushed; how far it is after a second.
double slide_on_slope(double tangent, double static_friction, double sliding_friction, double push,
                      double accuracy) {
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 60, accuracy);
  const MaterialId m = add_friction(world, static_friction, sliding_friction, 0, 0);
  const double angle = std::atan(tangent);
  const Quat q = from_axis_angle({0, 0, 1}, -angle);
  const Vec3 up = rotate(q, {0, 1, 0}), down = rotate(q, {1, 0, 0});
  add_floor(world, m, q);
  BodyDef def = make_solid(Box{{0.25, 0.1, 0.25}}, 2, 0.1 * up, m, q);
  def.velocity = push * down;
  const BodyHandle block = add_body(world, def);
  while (world.time() < 1 - 1e-9) world.step();
  return dot(world.center_of_mass(block) - 0.1 * up, down);
}

TEST(ForceResting, WhatStaticFrictionDoesNotHoldSlidesAtOnce) {
  const double mu = 0.5, sliding = 0.4;
  for (const double tangent : {0.501, 0.51, 0.6, 0.8}) {
    const double cosine = 1 / std::sqrt(1 + tangent * tangent);
    const double way = 0.5 * kG * cosine * (tangent - sliding);
    const double found = slide_on_slope(tangent, mu, sliding, 0, 1e-8);
    report("slides from rest, way off, relative", std::fabs(found / way - 1), "1e-6");
    EXPECT_NEAR(found, way, 1e-6 * way) << tangent;
  }
  EXPECT_NEAR(slide_on_slope(0.499, mu, sliding, 0, 1e-8), 0, 1e-9);
}

TEST(ForceResting, WhatSlidesStopsWhereItShouldAndStays) {
  // up to v0^2 / 2 a, a = g (sliding cos - sin), for any accuracy
  const double tangent = 0.2, sliding = 0.4, v0 = 0.8;
  const double cosine = 1 / std::sqrt(1 + tangent * tangent);
  const double way = v0 * v0 / (2 * kG * cosine * (sliding - tangent));
  for (const double accuracy : {1e-6, 1e-8, 1e-10}) {
    const double off = std::fabs(slide_on_slope(tangent, 0.5, sliding, v0, accuracy) - way);
    report("stops on a slope, m off", off, "1e-8");
    EXPECT_LT(off, 1e-8) << accuracy;
  }
}

TEST(ForceResting, WhatSlidesSlowlyOnASlopeThatWouldHoldItGoesOn) {
  // static friction would hold it, sliding friction does not; far below v_Tmax
  const double tangent = 0.45, sliding = 0.4, v0 = 1e-4;
  const double cosine = 1 / std::sqrt(1 + tangent * tangent);
  const double way = v0 + 0.5 * kG * cosine * (tangent - sliding);
  EXPECT_NEAR(slide_on_slope(tangent, 0.5, sliding, v0, 1e-8), way, 1e-6);
}

TEST(ForceResting, SpinningFrictionStopsABallThatSpins) {
  // I w' = -c_s m g, I = 2/5 m r^2
  const double r = 0.1, lever = 2e-3, w0 = 8;
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 60, 1e-8);
  const MaterialId m = add_friction(world, 0.5, 0.5, 0, lever);
  add_floor(world, m);
  BodyDef def = make_solid(Sphere{r}, 2, {0, r, 0}, m);
  def.angular_velocity = {0, w0, 0};
  const BodyHandle ball = add_body(world, def);
  const double slower = lever * kG / (0.4 * r * r);
  while (world.time() < 1 - 1e-9) world.step();
  EXPECT_NEAR(world.angular_velocity(ball).y, w0 - slower, 1e-6 * w0);
  while (world.time() < 3) world.step();
  EXPECT_NEAR(world.angular_velocity(ball).y, 0, 1e-6);
}

TEST(ForceResting, RollingFrictionSlowsABallThatRolls) {
  // rolling at v: (I + m r^2) w' = -c_r m g, so v' = -5/7 g c_r / r
  const double r = 0.1, lever = 2e-3, v0 = 0.5;
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 60, 1e-8);
  const MaterialId m = add_friction(world, 0.5, 0.5, lever, 0);
  add_floor(world, m);
  BodyDef def = make_solid(Sphere{r}, 2, {0, r, 0}, m);
  def.velocity = {v0, 0, 0};
  def.angular_velocity = {0, 0, -v0 / r};
  const BodyHandle ball = add_body(world, def);
  const double slower = 5.0 / 7 * kG * lever / r;
  while (world.time() < 1 - 1e-9) world.step();
  EXPECT_NEAR(world.velocity(ball).x, v0 - slower, 1e-6 * v0);
  EXPECT_NEAR(world.center_of_mass(ball).x, v0 - 0.5 * slower, 1e-6 * v0);
}

TEST(ForceResting, ADiscThatSpinsFlatIsStoppedByItsRim) {
  // four points of the rim bear it: m r^2 / 2 w' = -mu m g r
  const double r = 0.2, mu = 0.05, w0 = 10;
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 60, 1e-8);
  const MaterialId m = add_friction(world, mu, mu, 0, 0);
  add_floor(world, m);
  BodyDef def = make_solid(Cylinder{r, 0.05}, 2, {0, 0.05, 0}, m);
  def.angular_velocity = {0, w0, 0};
  const BodyHandle disc = add_body(world, def);
  while (world.time() < 1 - 1e-9) world.step();
  EXPECT_NEAR(world.angular_velocity(disc).y, w0 - 2 * mu * kG / r, 1e-6 * w0);
}

TEST(ForceResting, CarriesAMechanism) {
  // two boxes joined by a hinge rest on the ground and on a step
  World world = make_force_world(ForceContacts::kLcp, 1.0 / 60, 1e-7);
  const MaterialId m = add_surface(world, {.friction = 0.6});
  add_floor(world, m);
  const BodyHandle a = add_solid(world, Box{{0.5, 0.1, 0.2}}, 2, {-0.55, 0.1, 0}, m);
  const BodyHandle b = add_solid(world, Box{{0.5, 0.1, 0.2}}, 3, {0.55, 0.1, 0}, m);
  ASSERT_TRUE(
      world.create_joint(make_joint(world, JointKind::kHinge, a, b, {{0, 0.1, 0}, axis_along_z()}))
          .ok());
  while (world.time() < 1) world.step();
  EXPECT_LT(top_speed(world), 1e-7);
  EXPECT_NEAR(world.center_of_mass(a).y, 0.1, 1e-7);
  EXPECT_NEAR(world.contact_force(a).y + world.contact_force(b).y, 5 * kG, 1e-5);
}

}  // namespace
}  // namespace tenon::test
