// Moving ground: conveyor belts and key-framed platforms; and thin plates hit by fast balls.
#include <gtest/gtest.h>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

const Vec3 kCrate{0.25, 0.25, 0.25};

// A belt that runs at v along x: the crate slips at mu g and then runs with it.
TEST(Conveyor, BringsACrateToItsSpeed) {
  const double mu = 0.4, v = 1.5;
  for (const double step : {kFine, kFrame}) {
    for (const double angle : {0.0, 0.6}) {
      World world = make_world(step);
      const MaterialId m = add_surface(world, {.friction = mu});
      BodyDef belt =
          make_solid(Box{{20, 0.1, 1}}, 1, {0, -0.1, 0}, m, from_axis_angle({0, 1, 0}, angle));
      belt.motion = MotionKind::kStatic;
      belt.mass.reset();
      belt.colliders[0].surface_velocity = {v, 0, 0};
      add_body(world, belt);
      const Vec3 d = rotate(from_axis_angle({0, 1, 0}, angle), {1, 0, 0});
      const BodyHandle crate = add_solid(world, Box{kCrate}, 5, {0, 0.25, 0}, m);
      const double slip = v / (mu * kG);
      step_to(world, 0.5 * slip);
      const double t = world.time();
      EXPECT_NEAR(dot(world.velocity(crate), d), mu * kG * t, 0.005 * v) << step;
      step_to(world, 5);
      EXPECT_NEAR(dot(world.velocity(crate), d), v, 1e-6) << step;
      const double x = v * 5 - 0.5 * v * slip;
      EXPECT_NEAR(dot(world.center_of_mass(crate), d), x, 0.005 * x) << step;
      EXPECT_NEAR(world.center_of_mass(crate).y, 0.25, 1e-6) << step;
      EXPECT_LT(norm(world.angular_velocity(crate)), 1e-6) << step;
    }
  }
}

BodyDef platform(const KinematicMotion& motion, MaterialId m) {
  BodyDef def;
  def.motion = MotionKind::kKinematic;
  def.script = motion;
  def.colliders = {{Box{{5, 0.1, 5}}, {}, m, 1000}};
  return def;
}

KinematicMotion there_and_back(const Vec3& way, double period) {
  KinematicMotion k;
  k.kind = KinematicMotion::Kind::kKeyframes;
  k.interpolation = KinematicMotion::Interpolation::kSmooth;
  k.repeat = KinematicMotion::Repeat::kMirror;
  const Vec3 p{0, -0.1, 0};
  k.keys = {{0, {p, {}}}, {0.5 * period, {p + way, {}}}};
  return k;
}

// Accelerations below mu g (6 way / (period/2)^2 at the ends of the cubic): the crate must not
// slip.
TEST(Platform, CarriesACrateSideways) {
  for (const double step : {kFine, kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    const BodyHandle ground = add_body(world, platform(there_and_back({0.8, 0, 0.3}, 4), m));
    const BodyHandle crate = add_solid(world, Box{kCrate}, 5, {0, 0.25, 0}, m);
    const Vec3 start = world.center_of_mass(crate) - world.pose(ground).p;
    double slip = 0;
    while (world.time() < 12) {
      world.step();
      slip = std::max(slip, norm(world.center_of_mass(crate) - world.pose(ground).p - start));
    }
    report("crate on a platform: slip in 12 s, m", slip, "1e-3");
    EXPECT_LT(slip, 1e-3) << step;
  }
}

TEST(Platform, LiftsACrateUpAndDown) {
  for (const double step : {kFine, kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    const BodyHandle ground = add_body(world, platform(there_and_back({0, 1, 0}, 4), m));
    const BodyHandle crate = add_solid(world, Box{kCrate}, 5, {0, 0.25, 0}, m);
    double apart = 0;
    while (world.time() < 12) {
      world.step();
      apart =
          std::max(apart, std::fabs(world.center_of_mass(crate).y - world.pose(ground).p.y - 0.35));
    }
    report("crate on a lift: largest distance from its place, m", apart, "1e-3");
    EXPECT_LT(apart, 1e-3) << step;
  }
}

// It begins to move at once: the crate slips with mu g until it is as fast.
TEST(Platform, PullsACrateAlong) {
  for (const double step : {kFine, kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    KinematicMotion k;
    k.start = {{0, -0.1, 0}, {}};
    k.velocity = {1, 0, 0};
    add_body(world, platform(k, m));
    const BodyHandle crate = add_solid(world, Box{kCrate}, 5, {0, 0.25, 0}, m);
    step_to(world, 3);
    EXPECT_NEAR(world.velocity(crate).x, 1, 1e-6) << step;
    const double x = 3 - 0.5 / (0.5 * kG);
    EXPECT_NEAR(world.center_of_mass(crate).x, x, 0.005 * x) << step;
  }
}

// A turntable carries a crate that sits where mu g > w^2 r, and throws off one farther out.
TEST(Platform, ThatTurnsCarriesUpToTheRadiusOfFriction) {
  const double w = 2, mu = 0.5, edge = mu * kG / (w * w);
  for (const double step : {kFine, kFrame}) {
    for (const double part : {0.9, 1.1}) {
      World world = make_world(step);
      const MaterialId m = add_surface(world, {.friction = mu});
      KinematicMotion k;
      k.kind = KinematicMotion::Kind::kTurn;
      k.start = {{0, -0.1, 0}, {}};
      k.rate = w;
      add_body(world, platform(k, m));
      const double r = part * edge;
      BodyDef def = make_solid(Box{{0.1, 0.02, 0.1}}, 1, {r, 0.02, 0}, m);
      def.velocity = {0, 0, -w * r};
      def.angular_velocity = {0, w, 0};
      const BodyHandle crate = add_body(world, def);
      step_to(world, 2);
      const Vec3 p = world.center_of_mass(crate);
      const double out = std::sqrt(p.x * p.x + p.z * p.z);
      if (part < 1) {
        // ways are means of two tangents: second order in the angle of a step
        EXPECT_NEAR(out, r, 1e-3 + r * w * step * w * step) << step;
      } else {
        EXPECT_GT(out, r + 0.05) << step;
      }
    }
  }
}

// A cube on a disc that turns, moved by a script or by a motor on a hinge. Returns its distance
// from the axis after ten seconds, m.
double radius_on_disc(double step, bool by_motor, double w, double r) {
  World world = make_world(step);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  BodyDef disc = make_solid(Cylinder{1, 0.05}, 50, {0, -0.05, 0}, m);
  disc.angular_velocity = {0, w, 0};
  if (!by_motor) {
    disc = platform({}, m);
    disc.script.kind = KinematicMotion::Kind::kTurn;
    disc.script.start = {{0, -0.1, 0}, {}};
    disc.script.rate = w;
  }
  const BodyHandle table = add_body(world, disc);
  if (by_motor) {
    const Pose axle{{0, -0.05, 0}, axis_along_y()};
    JointDef hinge = make_joint(world, JointKind::kHinge, {}, table, axle);
    JointAxisDef& axis = hinge.axes[static_cast<size_t>(JointAxis::kRx)];
    axis.motor = {.kind = Motor::Kind::kVelocity, .target = w, .max_force = 1000};
    add_joint(world, hinge);
  }
  BodyDef def = make_solid(Box{{0.05, 0.05, 0.05}}, 1, {r, 0.05, 0}, m);
  def.velocity = {0, 0, -w * r};
  def.angular_velocity = {0, w, 0};
  const BodyHandle cube = add_body(world, def);
  step_to(world, 10);
  const Vec3 p = world.center_of_mass(cube);
  return std::sqrt(p.x * p.x + p.z * p.z);
}

// Friction that asked for the velocities of the begin's levers let it creep by h w^2 r in a second.
TEST(Platform, ThatTurnsKeepsACubeInItsPlace) {
  const double r = 0.5;
  for (const double step : {kFrame, 0.5 * kFrame, 0.25 * kFrame}) {
    for (const bool by_motor : {false, true}) {
      const double w = by_motor ? 2 : 3;
      const double creep = std::fabs(radius_on_disc(step, by_motor, w, r) - r);
      report("cube on a turning disc: creep in 10 s, m", creep, "r (w h)^2");
      EXPECT_LT(creep, r * w * step * w * step) << step << " motor: " << by_motor;
    }
  }
}

// A ball that rolls on a turntable goes round a circle at 2/7 of its rate, at the
// speed it has: rolling without slip asks for a = 2/7 w x v.
TEST(Platform, ThatTurnsLeadsABallInACircle) {
  const double w = 3, radius = 0.05, v = 0.2, period = 2 * kPi / (2.0 / 7 * w);
  for (const double step : {kFrame, 0.5 * kFrame}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.8});
    KinematicMotion k;
    k.kind = KinematicMotion::Kind::kTurn;
    k.start = {{0, -0.1, 0}, {}};
    k.rate = w;
    add_body(world, platform(k, m));
    const Vec3 start{0.3, radius, 0};
    BodyDef def = make_solid(Sphere{radius}, 1, start, m);
    // no slip: v + w_ball x (-radius y) is what the table does there
    def.velocity = {0, 0, -v};
    def.angular_velocity = {(w * start.x - v) / radius, 0, 0};
    const BodyHandle ball = add_body(world, def);
    double slowest = v, fastest = v;
    while (world.time() < period - 0.5 * step) {
      world.step();
      slowest = std::min(slowest, norm(world.velocity(ball)));
      fastest = std::max(fastest, norm(world.velocity(ball)));
    }
    const double late = world.time() - period;
    const double away = norm(world.center_of_mass(ball) - late * world.velocity(ball) - start);
    report("ball on a turntable: speed lost in a round, of it", 1 - slowest / v, "(w h)^2");
    report("ball on a turntable: away from its start after a round, m", away, "r (w h)^2");
    EXPECT_GT(slowest, v * (1 - w * step * w * step)) << step;
    EXPECT_LT(fastest, v * (1 + w * step * w * step)) << step;
    EXPECT_LT(away, 7.0 / 2 * v / w * w * step * w * step) << step;
  }
}

// A ball of 0.1 m against a fixed plate of 1 cm: it must end on its own side, at any speed,
// wherever in the step it hits.
TEST(FastBall, DoesNotPassAThinPlate) {
  int through = 0, shots = 0;
  for (const double v : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0}) {
    for (int k = 0; k < 8; ++k) {
      World world = make_world(kFrame, {.gravity = kNoGravity});
      const MaterialId m = add_surface(world, {.restitution = k % 2 == 0 ? 0.0 : 0.5});
      BodyDef plate = make_solid(Box{{5, 5, 0.005}}, 1, {0, 0, 0}, m);
      plate.motion = MotionKind::kStatic;
      plate.mass.reset();
      add_body(world, plate);
      BodyDef def = make_solid(Sphere{0.05}, 1, {0.3, 0.2, -1 - v * kFrame * k / 8}, m);
      def.velocity = {0, 0, v};
      const BodyHandle ball = add_body(world, def);
      step_to(world, 2 / v + 0.1);
      ++shots;
      const bool passed = world.center_of_mass(ball).z > -0.05;
      through += passed;
      EXPECT_FALSE(passed) << v << " m/s, shot " << k;
      EXPECT_LE(world.velocity(ball).z, 1e-9) << v << " m/s, shot " << k;
    }
  }
  report("PAL-5 shots through the plate, of " + std::to_string(shots), through, "0");
}

// What flies past must not feel what it does not touch: over an edge, beside a post, along a floor.
TEST(FastBall, PassesWhatItMisses) {
  for (const double v : {1.0, 10.0, 100.0, 200.0}) {
    for (int k = 0; k < 8; ++k) {
      World world = make_world(kFrame, {.gravity = kNoGravity});
      const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 0.5});
      add_floor(world, m, {}, {0, -0.06, 0});
      BodyDef post = make_solid(Box{{0.1, 5, 0.1}}, 1, {0, 0, 0.16}, m);
      post.motion = MotionKind::kStatic;
      post.mass.reset();
      add_body(world, post);
      post.X_WB.p = {2, 0, -0.16};
      post.X_WB.q = from_axis_angle({0, 1, 0}, 0.25 * kPi);
      post.X_WB.p.z -= 0.05;  // its corner points at the way
      add_body(world, post);
      BodyDef def = make_solid(Sphere{0.05}, 1, {-1 - v * kFrame * k / 8, 0, 0}, m);
      def.velocity = {v, 0, 0};
      const BodyHandle ball = add_body(world, def);
      step_to(world, 6 / v + 0.05);
      const Vec3 p = world.center_of_mass(ball);
      EXPECT_LT(norm(world.velocity(ball) - Vec3{v, 0, 0}), 1e-9 * v) << v << " m/s, shot " << k;
      EXPECT_LT(std::fabs(p.y) + std::fabs(p.z), 1e-9) << v << " m/s, shot " << k;
      EXPECT_LT(norm(world.angular_velocity(ball)), 1e-9) << v << " m/s, shot " << k;
    }
  }
}

// Bodies of all shapes that fly and spin fast must not pass a thin plate either.
TEST(FastBody, OfAnyShapeDoesNotPassAThinPlate) {
  Rng rng(21);
  int through = 0;
  for (int k = 0; k < 150; ++k) {
    World world = make_world(kFrame, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.friction = 0.3, .restitution = 0.3});
    BodyDef plate = make_solid(Box{{20, 20, 0.005}}, 1, {0, 0, 0}, m);
    plate.motion = MotionKind::kStatic;
    plate.mass.reset();
    add_body(world, plate);
    const double v = k % 3 == 0 ? 5 : k % 3 == 1 ? 40 : 150;
    BodyDef def = make_solid(any_shape(rng, 0.5), 1, {0, 0, -1 - v * kFrame * rng.uniform()}, m,
                             exp_map(random_vec(rng, 3)));
    def.velocity = {0.2 * v * rng.uniform(-1, 1), 0, v};
    def.angular_velocity = random_vec(rng, k % 2 == 0 ? 3 : 30);
    const BodyHandle body = add_body(world, def);
    step_to(world, 2 / v + 0.2);
    const bool passed = world.center_of_mass(body).z > 0;
    through += passed;
    EXPECT_FALSE(passed) << "body " << k << ", a " << name(kind(def.colliders[0].shape)) << ", "
                         << v << " m/s, " << norm(def.angular_velocity) << " rad/s";
  }
  report("PAL-5 bodies of all shapes through the plate, of 150", through, "0");
}

// The same between bodies that both move: two balls that fly at each other.
TEST(FastBall, HitsAnotherFastBall) {
  for (const double v : {1.0, 10.0, 100.0}) {
    World world = make_world(kFrame, {.gravity = kNoGravity});
    const MaterialId m = add_surface(world, {.restitution = 1});
    BodyDef def = make_solid(Sphere{0.05}, 1, {-1, 0, 0}, m);
    def.velocity = {v, 0, 0};
    const BodyHandle a = add_body(world, def);
    def.X_WB.p = {1.01, 0, 0};
    def.velocity = {-v, 0, 0};
    const BodyHandle b = add_body(world, def);
    step_to(world, 2 / v + 0.1);
    EXPECT_NEAR(world.velocity(a).x, -v, 1e-9 * v) << v;
    EXPECT_NEAR(world.velocity(b).x, v, 1e-9 * v) << v;
  }
}

}  // namespace
}  // namespace tenon::test
