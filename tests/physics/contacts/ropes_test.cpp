// Taut chains of light links over fixed and moved bodies: belt friction, Galileo's pendulum, a ball
// on a string round a pole. Section 5 of docs/theory/contacts.md.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

constexpr double kThin = 0.008;  // m, radius of links

// Links between neighbouring points, hinged about z; loads hang on the last and, without an anchor,
// on the first point, and touch nothing.
struct Rope {
  std::vector<BodyHandle> links;
  BodyHandle first, last;
};

BodyHandle add_load(World& world, double mass, const Vec3& p) {
  return add_body(world, make_body(mass, Vec3{1, 1, 1} * (0.4 * mass * 0.05 * 0.05), p));
}

Rope add_rope(World& world, const std::vector<Vec3>& points, double link, double first, double last,
              MaterialId m) {
  Rope rope;
  const CollisionClass own = *world.add_collision_class();
  EXPECT_TRUE(world.set_may_touch(own, own, false).ok());
  const auto hinge = [&](BodyHandle a, BodyHandle b, const Vec3& at) {
    add_joint(world, make_joint(world, JointKind::kHinge, a, b, {at, axis_along_z()}));
  };
  BodyHandle before;
  if (first > 0) before = rope.first = add_load(world, first, points.front());
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 along = points[i + 1] - points[i];
    const double angle = std::atan2(along.y, along.x) - kPi / 2;
    BodyDef def =
        make_solid(Capsule{kThin, 0.49 * norm(along)}, link, 0.5 * (points[i] + points[i + 1]), m,
                   from_axis_angle({0, 0, 1}, angle));
    def.collision_class = own;
    rope.links.push_back(add_body(world, def));
    hinge(before, rope.links.back(), points[i]);
    before = rope.links.back();
  }
  rope.last = add_load(world, last, points.back());
  hinge(before, rope.last, points.back());
  return rope;
}

BodyHandle add_cylinder(World& world, double radius, const Vec3& p, MaterialId m,
                        const Vec3& velocity = {}) {
  BodyDef def;
  def.motion = velocity == Vec3{} ? MotionKind::kStatic : MotionKind::kKinematic;
  def.X_WB = def.script.start = {p, from_axis_angle({1, 0, 0}, kPi / 2)};
  def.script.velocity = velocity;
  def.colliders = {{Cylinder{radius, 0.15}, {}, m, 1000}};
  return add_body(world, def);
}

// Half round a drum of about 0.3 m, links tangent to it in their middles, and down on both sides.
struct Belt {
  double friction = 0.3;
  double link = 0.1, mass = 0.02;  // m, kg
  int hanging = 10;                // links on each side
  double light = 10, heavy = 10;   // kg
  double step = kFrame, seconds = 0.8;
};

struct BeltRun {
  double heavy = 0, light = 0;  // m: how far loads have risen
  double overlap = 0;           // m, the deepest
};

BeltRun run_belt(const Belt& b) {
  World world = make_world(b.step);
  const MaterialId m = add_surface(world, {.friction = b.friction});
  const int round = static_cast<int>(kPi / (2 * std::asin(0.5 * b.link / (0.3 + kThin))));
  const double angle = kPi / round, far = 0.5 * b.link / std::sin(0.5 * angle);
  std::vector<Vec3> points;
  for (int i = b.hanging; i > 0; --i) points.push_back({-far, -i * b.link, 0});
  for (int i = 0; i <= round; ++i) {
    points.push_back({-far * std::cos(i * angle), far * std::sin(i * angle), 0});
  }
  for (int i = 1; i <= b.hanging; ++i) points.push_back({far, -i * b.link, 0});
  add_cylinder(world, far * std::cos(0.5 * angle) - kThin, {}, m);
  const Rope rope = add_rope(world, points, b.mass, b.heavy, b.light, m);
  BeltRun run;
  while (world.time() < b.seconds - 0.5 * b.step) {
    world.step();
    run.overlap = std::max(run.overlap, world.diagnostics().penetration_m);
  }
  run.heavy = world.center_of_mass(rope.first).y - points.front().y;
  run.light = world.center_of_mass(rope.last).y - points.back().y;
  return run;
}

// T2 = T1 exp(mu phi) [Euler 1769]: friction on half a turn holds a load so many times the other.
double calc_balance(double light, double friction) { return light * std::exp(friction * kPi); }

// What lies on a drum as a polygon goes some millimetres until each link has its tension.
TEST(Capstan, HoldsBelowItsBound) {
  for (const auto& [part, step] : {std::pair{0.8, kFrame}, {0.9, 1.0 / 120}}) {
    const BeltRun run = run_belt({.heavy = part * calc_balance(10, 0.3), .step = step});
    EXPECT_NEAR(run.heavy, 0, 5e-3) << part;
    EXPECT_NEAR(run.light, 0, 5e-3) << part;
    EXPECT_LT(run.overlap, 1e-3) << part;
  }
}

// Beyond it slips: with T = m (g -+ a) on both sides, a = g (M - m e^(mu phi)) / (M + m e^(mu
// phi)). Corners of the polygon go over the drum, which no rope does.
TEST(Capstan, SlipsBeyondItsBound) {
  const Belt b{.heavy = 1.3 * calc_balance(10, 0.3)};
  const double held = calc_balance(10, 0.3);
  const double fall = 0.5 * kG * (b.heavy - held) / (b.heavy + held) * b.seconds * b.seconds;
  const BeltRun run = run_belt(b);
  EXPECT_GT(-run.heavy, 0.75 * fall);
  EXPECT_LT(-run.heavy, 1.25 * fall);
  EXPECT_NEAR(run.light, -run.heavy, 0.1 * fall);
}

// Two equal loads on links of a fiftieth each, without friction: nothing moves, nothing sinks in.
TEST(Balance, OfEqualLoadsStays) {
  const BeltRun run = run_belt({.friction = 0,
                                .link = 0.04,
                                .hanging = 30,
                                .light = 1,
                                .heavy = 1,
                                .seconds = kShortTests ? 0.2 : 0.8});
  EXPECT_NEAR(run.heavy, 0, 1e-3);
  EXPECT_NEAR(run.light, 0, 1e-3);
  EXPECT_LT(run.overlap, 5e-4);
}

std::vector<Vec3> straight(const Vec3& from, const Vec3& to, int links) {
  std::vector<Vec3> points;
  for (int i = 0; i <= links; ++i) points.push_back(from + (double(i) / links) * (to - from));
  return points;
}

// A pendulum whose string meets a peg rises to the height from which it came.
TEST(GalileosPendulum, RisesToItsHeight) {
  for (const double step : {kFrame, 1.0 / 120, 1.0 / 240}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {});
    const double angle = 40 * kPi / 180;
    const Vec3 start{std::sin(angle), -std::cos(angle), 0};
    const Rope rope = add_rope(world, straight({}, start, 20), 0.002, 0, 1, m);
    add_cylinder(world, 0.02, {-0.02 - kThin, -0.5, 0}, m);
    Vec3 highest = start, p = start;
    while (world.time() < 1.2) {
      world.step();
      p = world.center_of_mass(rope.last);
      if (p.x < 0 && (highest.x > 0 || p.y > highest.y)) highest = p;
    }
    const double fall = 1 + start.y;
    EXPECT_NEAR(highest.y, start.y, 0.01 * fall) << step;
    // about the peg: half as long, (1 - l) cos = what is left of the height
    EXPECT_NEAR(highest.x, -std::sqrt(0.25 - std::pow(start.y + 0.5, 2)), 0.02) << step;
  }
}

// A ball on a string of links comes nearer to a pole as that winds up: with the free length l, the
// speed v and rho from the pole's axis to the links' (of a polygon, what a link covers), l' = -v
// rho / l; nothing brakes it, and what has wound up rests.
TEST(Tetherball, WindsUp) {
  constexpr int kLinks = 30;
  constexpr double kLength = 1.5, kLink = 0.01, kBall = 0.5, kSpeed = 5, kPole = 0.05;
  constexpr double kFrom = 0.07, kSeconds = 3;
  const double rho = kPole + kThin, part = kLength / kLinks;
  const double round = 0.5 * part / std::atan(0.5 * part / rho);
  // straight until it touches the pole, tangent to it
  const double reach = std::sqrt(kFrom * kFrom - rho * rho);
  double t = (kPi - std::asin(rho / kFrom)) * kLength / kSpeed, l = kLength - reach;
  const double energy = (kBall + kLinks * kLink / 3) * kSpeed * kSpeed;
  constexpr double kPart = 1e-4;
  for (; t < kSeconds; t += kPart) {
    l -= kPart * round / l * std::sqrt(energy / (kBall + kLinks * kLink * l / kLength / 3));
  }
  for (const double step : {kFrame, 1.0 / 240}) {
    World world = make_world(step, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.friction = 0.3});
    add_cylinder(world, kPole, {}, m);
    const Rope rope = add_rope(world, straight({kFrom, 0, 0}, {kFrom + kLength, 0, 0}, kLinks),
                               kLink, 0, kBall, m);
    std::vector<BodyHandle> all = rope.links;
    all.push_back(rope.last);
    for (const BodyHandle b : all) {
      const double w = kSpeed / kLength;
      EXPECT_TRUE(world.set_velocity(b, {0, w * (world.center_of_mass(b).x - kFrom), 0}).ok());
      EXPECT_TRUE(world.set_angular_velocity(b, {0, 0, w}).ok());
    }
    double overlap = 0;
    while (world.time() < kSeconds - 0.5 * step) {
      world.step();
      overlap = std::max(overlap, world.diagnostics().penetration_m);
    }
    EXPECT_NEAR(norm(world.center_of_mass(rope.last)), std::hypot(l, rho), 0.02) << step;
    EXPECT_LT(overlap, 1e-3) << step;
  }
}

// A rope under a load is pushed aside by half its length, and lifts the load.
TEST(Peg, PushesATautRopeAside) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {});
  const Rope rope = add_rope(world, straight({}, {0, -1, 0}, 10), 0.02, 0, 1, m);
  const BodyHandle peg = add_cylinder(world, 0.05, {-0.1, -0.5, 0}, m, {0.5, 0, 0});
  double overlap = 0;
  while (world.time() < 1) {
    world.step();
    overlap = std::max(overlap, world.diagnostics().penetration_m);
  }
  EXPECT_LT(overlap, 1e-3);
  // all links are on its far side, or above and below it
  const Vec3 p = world.center_of_mass(peg);
  for (const BodyHandle b : rope.links) EXPECT_GT(norm(world.center_of_mass(b) - p), 0.05);
  EXPECT_GT(world.center_of_mass(rope.last).y, -0.9);
}

// A ball on a hinge that just clears the floor passes it, whatever restitution they have; one that
// is a millimetre too long does not.
TEST(GrazingPendulum, PassesTheFloor) {
  for (const double step : {kFrame, 1.0 / 120, 1.0 / 240}) {
    for (const double clearance : {0.0, 1e-5, 1e-4, 1e-3, -1e-3}) {
      for (const double restitution : {0.0, 0.5, 1.0}) {
        World world = make_world(step);
        const MaterialId m = add_surface(world, {.restitution = restitution});
        add_floor(world, m);
        const Vec3 hinge{0, 1.1 + clearance, 0};
        const Vec3 start = hinge - Vec3{std::sin(1.0), std::cos(1.0), 0};
        const BodyHandle bob = add_solid(world, Sphere{0.1}, 2, start, m);
        add_joint(world, make_joint(world, JointKind::kHinge, {}, bob, {hinge, axis_along_z()}));
        double farthest = start.x;
        while (world.time() < 1.4) {
          world.step();
          farthest = std::max(farthest, world.center_of_mass(bob).x);
        }
        SCOPED_TRACE(testing::Message() << clearance << " m, e " << restitution << ", " << step);
        if (clearance >= 0) {
          EXPECT_NEAR(farthest, -start.x, 1e-3);
        } else {
          EXPECT_LT(farthest, 0.05);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tenon::test
