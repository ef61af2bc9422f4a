// World files are read: what they say, what they leave open, and what is wrong with them.
#include <cmath>

#include "tenon/tests/unit/aero/aero_test_help.h"

namespace tenon::scene {
namespace {

TEST(WorldFile, HandWrittenIsReadRecordByRecord) {
  const LoadResult result = read_good(kHandWritten);
  EXPECT_TRUE(result.warnings.empty()) << all_notes(result.warnings);
  const Document& d = result.flat;
  EXPECT_EQ(d.world.gravity, (Vec3{0, -9.81, 0}));
  EXPECT_EQ(d.world.seed, 42u);
  ASSERT_EQ(d.bodies.size(), 7u);
  EXPECT_TRUE(std::holds_alternative<PlaneShape>(d.bodies[0].shape));
  EXPECT_EQ(d.bodies[0].motion, Motion::kStatic);
  EXPECT_EQ(d.bodies[0].material, "stone");
  const Body& ball = d.bodies[1];
  EXPECT_EQ(ball.name, "K2");
  EXPECT_EQ(std::get<SphereShape>(ball.shape).radius, 0.2);
  EXPECT_EQ(ball.mass, 4);
  EXPECT_EQ(ball.position, (Vec3{0, 2, 0}));
  EXPECT_EQ(ball.velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(ball.angular_velocity, (Vec3{0, 3, 0}));
  EXPECT_EQ(ball.color->r, 1);
  EXPECT_EQ(ball.color->b, 32768 / 65535.0);
  EXPECT_EQ(ball.transparency, 0.25);
  EXPECT_EQ(ball.reflection, 0.5);
  EXPECT_EQ(ball.roughness, 0.75);
  EXPECT_FALSE(ball.gravity);
  EXPECT_TRUE(ball.collision);
  EXPECT_EQ(std::get<BoxShape>(d.bodies[2].shape).size, (Vec3{1, 0.2, 0.5}));
  EXPECT_FALSE(d.bodies[2].mass);
  EXPECT_EQ(d.bodies[2].orientation.y, 0.3826834323650898);
  EXPECT_EQ(std::get<CylinderShape>(d.bodies[3].shape).height, 0.5);
  EXPECT_EQ(d.bodies[3].motion, Motion::kStatic);
  EXPECT_FALSE(d.bodies[3].collision);
  EXPECT_TRUE(std::holds_alternative<FixedPointShape>(d.bodies[4].shape));
  EXPECT_TRUE(std::holds_alternative<PointMassShape>(d.bodies[5].shape));
  EXPECT_EQ(d.bodies[5].mass, 2);

  ASSERT_EQ(d.connections.size(), 4u);
  EXPECT_EQ(d.connections[0].type, ConnectionType::kSpring);
  EXPECT_EQ(d.connections[0].stiffness, 100);
  EXPECT_EQ(d.connections[0].length, 1.5);
  EXPECT_EQ(d.connections[0].point_a, (Vec3{0, 0.2, 0}));
  EXPECT_EQ(d.connections[1].type, ConnectionType::kDamper);
  EXPECT_EQ(d.connections[1].damping, 3);
  EXPECT_EQ(d.connections[2].type, ConnectionType::kBall);
  EXPECT_EQ(d.connections[2].point_b, (Vec3{0, -1, 0}));
  EXPECT_EQ(d.connections[3].type, ConnectionType::kRod);
  EXPECT_EQ(d.connections[3].a.name, "K3");
  EXPECT_EQ(d.connections[3].b.name, "K7");

  ASSERT_EQ(d.forces.size(), 3u);
  EXPECT_EQ(d.forces[0].force, (Vec3{10, 0, 0}));
  EXPECT_EQ(d.forces[0].frame, ForceFrame::kWorld);
  EXPECT_EQ(d.forces[0].from, 0);
  EXPECT_EQ(d.forces[0].until, 2);
  EXPECT_FALSE(d.forces[0].point);
  EXPECT_EQ(d.forces[1].frame, ForceFrame::kBody);
  EXPECT_EQ(d.forces[1].point, (Vec3{0, 0.1, 0}));
  EXPECT_EQ(d.forces[2].toward->body.name, "K2");
  EXPECT_EQ(d.forces[2].toward->point, (Vec3{0, 0, 0.1}));
  EXPECT_EQ(d.forces[2].magnitude, 7);
}

// By hand: the handle weighs 700 pi 0.015^2 0.3 kg, the head 7870 * 0.1 * 0.03^2 kg.
TEST(WorldFile, ComposedBodiesAreAtTheirCentreOfGravity) {
  const LoadResult result = read_good(kHandWritten);
  const Body& hammer = result.flat.bodies[6];
  const double handle = 700 * 3.14159265358979323846 * 0.015 * 0.015 * 0.3;
  const double head = 7870 * 0.1 * 0.03 * 0.03;
  const double y = (handle * 1 + head * 1.15) / (handle + head);
  EXPECT_NEAR(hammer.position.y, y, 1e-15);
  const auto& parts = std::get<CompoundShape>(hammer.shape).parts;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].material, "wood");
  EXPECT_NEAR(parts[0].position.y, 1 - y, 1e-15);
  EXPECT_NEAR(parts[1].position.y, 1.15 - y, 1e-15);
  EXPECT_EQ(parts[1].color->b, 1);
  BuildResult built = build(result.flat, {.threads = 1});
  ASSERT_TRUE(built.ok()) << all_notes(built.errors);
  const World& world = built.scene[0].world;
  EXPECT_LT(norm(world.center_of_mass(built.scene[0].handles[6]) - Vec3{0, y, 0}), 1e-15);
  EXPECT_NEAR(world.mass(built.scene[0].handles[6]).mass, handle + head, 1e-14);
  // at its own place where it has one
  const LoadResult placed = read_good(
      "Z g 0 0 0 K1 composed p 7 8 9 E sphere 1 iron p 0 0 0 "
      "sphere 1 iron p 0 4 0 X Q");
  EXPECT_EQ(placed.flat.bodies[0].position, (Vec3{7, 8, 9}));
  const auto& balls = std::get<CompoundShape>(placed.flat.bodies[0].shape).parts;
  ASSERT_EQ(balls.size(), 2u);
  EXPECT_EQ(balls[0].position.y, -2);
  EXPECT_EQ(balls[1].position.y, 2);
}

TEST(WorldFile, Runs) {
  const LoadResult result = read_good(kHandWritten);
  BuildResult built = build(result.flat, {.threads = 1});
  ASSERT_TRUE(built.ok()) << all_notes(built.errors);
  World& world = built.scene[0].world;
  EXPECT_EQ(world.force_count(), 3u);
  EXPECT_EQ(world.joint_count(), 4u);
  for (int i = 0; i < 120; ++i) world.step();
  for (const BodyHandle body : world.bodies()) EXPECT_FALSE(world.frozen(body));
  // K6 hangs where it started: the joint's point on the nail is one metre below it
  EXPECT_LT(norm(world.center_of_mass(built.scene[0].handles[5]) - Vec3{0, 3, 0}), 1e-6);
}

TEST(WorldFile, LinesMeanNothing) {
  const LoadResult lines = read_good(kHandWritten);
  std::string one = kHandWritten;
  for (size_t i = 0; i < one.size(); ++i) {
    if (one[i] == '#') {
      while (one[i] != '\n') one[i++] = ' ';
    }
    if (one[i] == '\n') one[i] = ' ';
  }
  EXPECT_EQ(read_good(one).document, lines.document);
}

TEST(WorldFile, SequencesGiveTheirFirstState) {
  const LoadResult result =
      read_good("Z\ng 0 0 0\nK1 sphere 1 iron\nQ\nZ\nt 1\nK1 sphere 2 iron\nQ\nZ\nQ\n");
  ASSERT_EQ(result.flat.bodies.size(), 1u);
  EXPECT_EQ(std::get<SphereShape>(result.flat.bodies[0].shape).radius, 1);
  EXPECT_TRUE(has_note(result.warnings, 5, "a sequence of 3 states"));
}

TEST(WorldFile, TimesAreMovedToTheStart) {
  const LoadResult result = read_good(
      "Z t 2 g 0 0 0\nK1 sphere 1 iron\nF 0 1 K1 inertial 1 0 0\nF 1 5 K1 inertial 1 0 0\nQ");
  ASSERT_EQ(result.flat.forces.size(), 1u);
  EXPECT_EQ(result.flat.forces[0].from, -1);
  EXPECT_EQ(result.flat.forces[0].until, 3);
  EXPECT_TRUE(has_note(result.warnings, 3, "over before the scene starts"));
}

TEST(WorldFile, WhatIsNotUnderstoodIsLeftOutWithAWarning) {
  const LoadResult result = read_good(R"(Z
K1 sphere 1 unobtainium
x 1 2 3
lamp 4 5
p 0 1 0 9
b -gz
c 70000 0 0
K2 point
K3 plane 4 4 stone
v 1 0 0
K4 sphere 1 7 iron
V1 K2 K3 joint
V2 K1 K3 rod 5 6 7
F 0 1 K3 inertial 1 0 0
F 0 1 K1 inertial 0 0 0
E sphere 1 iron
Q
)");
  const auto& w = result.warnings;
  EXPECT_TRUE(has_note(w, 0, "no gravity")) << all_notes(w);
  EXPECT_TRUE(has_note(w, 2, "unknown material; taken as plastic"));
  EXPECT_TRUE(has_note(w, 3, "unknown record"));
  EXPECT_TRUE(has_note(w, 4, "unknown record"));
  EXPECT_TRUE(has_note(w, 5, "more numbers"));
  EXPECT_TRUE(has_note(w, 6, "unknown flag"));
  EXPECT_TRUE(has_note(w, 7, "0 to 65535"));
  EXPECT_TRUE(has_note(w, 8, "taken as an immovable point"));
  EXPECT_TRUE(has_note(w, 9, "more numbers"));
  EXPECT_TRUE(has_note(w, 9, "no velocity"));
  EXPECT_TRUE(has_note(w, 11, "more numbers"));
  EXPECT_TRUE(has_note(w, 12, "between immovable bodies"));
  EXPECT_TRUE(has_note(w, 13, "taken as constant and rest length"));
  EXPECT_TRUE(has_note(w, 14, "a force on an immovable body"));
  EXPECT_TRUE(has_note(w, 15, "a force of zero"));
  EXPECT_TRUE(has_note(w, 16, "parts belong to a composed body"));
  EXPECT_EQ(result.flat.bodies.size(), 4u);
  EXPECT_EQ(result.flat.bodies[0].position, (Vec3{0, 1, 0}));
  EXPECT_EQ(result.flat.connections.size(), 1u);
  EXPECT_TRUE(result.flat.forces.empty());
}

void expect_world_error(const std::string& text, int line, const std::string& part) {
  const LoadResult result = read_world(text);
  EXPECT_FALSE(result.ok()) << text;
  EXPECT_TRUE(has_note(result.errors, line, part)) << text << "\n" << all_notes(result.errors);
}

TEST(WorldFile, MistakesAreToldWithTheirLine) {
  const std::string begin = "Z\ng 0 0 0\n", ball = "K1 sphere 1 iron\n", two = "K2 nail\n";
  expect_world_error(begin + "K1 sphere iron\n", 3, "a sphere needs a radius");
  expect_world_error(begin + "K1 box 1 2 wood\n", 3, "three edges");
  expect_world_error(begin + "K1 cone 1 wood\n", 3, "unknown type of body");
  expect_world_error(begin + "K1\n", 3, "needs a type");
  expect_world_error(begin + "K1 sphere 1.2.3 iron\n", 3, "not a number");
  expect_world_error(begin + "K1 sphere -1 iron\n", 3, "radius");
  expect_world_error(begin + "K1 sphere 1e999 iron\n", 3, "not a number");
  expect_world_error(begin + ball + "p 0 nan 0\n", 4, "'p' needs 3 numbers");
  expect_world_error(begin + ball + "p 0 0\n", 4, "'p' needs 3 numbers");
  expect_world_error(begin + ball + "m -3\n", 3, "negative");
  expect_world_error(begin + ball + "n 2 0 0\n", 3, "transparency");
  expect_world_error(begin + ball + "p 1e300 0 0\n", 3, "position");
  expect_world_error(begin + ball + ball, 4, "already taken");
  expect_world_error(begin + "K1 mpoint\n", 3, "needs a mass");
  expect_world_error(begin + "K1 composed\nE X\n", 3, "no parts");
  expect_world_error(begin + ball + "V1 K1 K2 joint\n", 4, "no body of this number");
  expect_world_error(begin + ball + "V1 K1 K1 joint\n", 4, "to itself");
  expect_world_error(begin + ball + two + "V1 K1 K2\n", 5, "needs a type");
  expect_world_error(begin + ball + two + "V1 K1 K2 glue\n", 5, "unknown type of link");
  expect_world_error(begin + ball + two + "V1 K1 K2 spring\n", 5, "needs its constant");
  expect_world_error(begin + ball + two + "V1 K1 K2 spring -5\n", 5, "stiffness");
  expect_world_error(begin + ball + two + "V1 K1 joint\n", 5, "needs a body");
  expect_world_error(begin + ball + "F 0 K1 inertial 1 0 0\n", 4, "'F' needs 2 numbers");
  expect_world_error(begin + ball + "F 2 1 K1 inertial 1 0 0\n", 4, "ends before it begins");
  expect_world_error(begin + ball + "F 0 1 K3 inertial 1 0 0\n", 4, "no body of this number");
  expect_world_error(begin + ball + "F 0 1 K1 sideways 1 0 0\n", 4, "unknown kind of force");
  expect_world_error(begin + ball + "F 0 1 K1 inertial 1 0\n", 4, "'inertial' needs 3 numbers");
  expect_world_error(begin + ball + "F 0 1 K1 1 2 inertial 1 0 0\n", 4, "point of a force");
  expect_world_error(begin + ball + two + "F 0 1 K1 guided K2\n", 5, "needs a magnitude");
  expect_world_error(begin + ball + "F 0 1 K1 guided K1 5\n", 4, "to itself");
}

TEST(WorldFile, IsKnownByItsName) {
  EXPECT_TRUE(is_world_file("a.world"));
  EXPECT_TRUE(is_world_file("folder/A.WORLD"));
  EXPECT_FALSE(is_world_file("world"));
  EXPECT_FALSE(is_world_file("a.world.json"));
  EXPECT_EQ(load_scene_file("Z g 0 0 0 K1 nail Q", "a.world").flat.bodies.size(), 1u);
  EXPECT_EQ(load_scene_file("{\"tenon\": 1}", "a.json").errors.size(), 0u);
  EXPECT_EQ(load_scene_file("\n{\"tenon\": 1}", "a.world").errors.size(), 0u);
}

TEST(WorldFile, TakesChangesFromOutside) {
  LoadOptions options;
  options.overrides = {"world.step=1/120", "bodies.K2.mass=\"7 kg\""};
  const LoadResult result = load_world(kHandWritten, "a.world", options);
  ASSERT_TRUE(result.ok()) << all_notes(result.errors);
  EXPECT_EQ(result.flat.world.step, 1.0 / 120);
  EXPECT_EQ(result.flat.bodies[1].mass, 7);
  options.overrides = {"bodies.K9.mass=3"};
  EXPECT_FALSE(load_world(kHandWritten, "a.world", options).ok());
}

TEST(WorldFile, AnythingIsSurvived) {
  const std::string all = kHandWritten;
  // every beginning of the file, and the file with every word left out or replaced
  for (size_t i = 0; i < all.size(); i += 3) read_world(all.substr(0, i));
  for (const char* junk : {"", "-", "K", "V", "F", "E", "X", "b", "\xff\xfe", "99999999999", "Q"}) {
    for (size_t i = all.find(' '); i != std::string::npos; i = all.find(' ', i + 1)) {
      const size_t end = all.find_first_of(" \n", i + 1);
      if (end == std::string::npos) break;
      read_world(all.substr(0, i + 1) + junk + all.substr(end));
    }
  }
  LoadOptions few;
  few.max_bodies = 3;
  EXPECT_FALSE(load_world(all, "a.world", few).ok());
}

}  // namespace
}  // namespace tenon::scene
