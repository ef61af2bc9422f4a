// Springs, dampers, rods and ropes in motion: closed forms, stiffness without bounds, energy.
#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

using Kind = ConnectionKind;
const Vec3 kNone{0, 0, 0};

ConnectionDef make(Kind kind, BodyHandle a, BodyHandle b, double stiffness = 0,
                   double damping = 0) {
  ConnectionDef def;
  def.kind = kind;
  def.a = a;
  def.b = b;
  def.stiffness = stiffness;
  def.damping = damping;
  return def;
}

JointHandle add(World& world, const ConnectionDef& def) {
  const Result<JointHandle> joint = world.create_connection(def);
  EXPECT_TRUE(joint.ok()) << (joint.ok() ? "" : format(joint.error()));
  return *joint;
}

BodyHandle add_ball(World& world, double mass, const Vec3& p, const Vec3& v = {}) {
  BodyDef def = make_body(mass, 0.004 * mass * Vec3{1, 1, 1}, p);
  def.velocity = v;
  return add_body(world, def);
}

// --- E_force_model_closed_form.json, A6: m = 1, c = 400, d = 4, x0 = 0.1 ------------------------

constexpr double kTimes[] = {0.1, 0.5, 1, 2};
constexpr double kPlaces[] = {-0.02580702634395465, -0.033685168059041336, 0.007911602361896248,
                              -0.0007664045828702524};

// Largest error at those times; of a spring of length `rest` along x, or without length.
double spring_error(double h, double rest) {
  World world = make_world(h, {.gravity = kNone});
  const BodyHandle ball = add_ball(world, 1, {rest + 0.1, 0, 0});
  ConnectionDef spring = make(Kind::kSpring, {}, ball, 400, 4);
  spring.length = rest;
  add(world, spring);
  double worst = 0;
  for (size_t i = 0; i < 4; ++i) {
    step_to(world, kTimes[i]);
    worst = std::max(worst, std::fabs(world.pose(ball).p.x - rest - kPlaces[i]));
  }
  return worst;
}

TEST(Connections, ASpringAndDamperFollowTheirClosedForm) {
  for (const double rest : {1.0, 0.0}) {
    const double coarse = spring_error(1e-3, rest), fine = spring_error(5e-4, rest);
    const double finest = spring_error(1e-4, rest);
    report("A6: largest error at 1e-4 s, m", finest, "order 2");
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.02);
    EXPECT_LT(finest, 1e-6);  // (omega h)^2 / 24 of the phase, of 0.1 m over 40 rad
  }
}

TEST(Connections, AWeightStretchesItsSpringByItsWeight) {
  World world = make_world(1.0 / 60);
  const BodyHandle ball = add_ball(world, 1, {0, -1, 0});
  ConnectionDef spring = make(Kind::kShockAbsorber, ball, {}, 400, 40);
  spring.length = 1;
  const JointHandle joint = add(world, spring);
  EXPECT_NEAR(world.calc_vibration(joint).frequency_hz, 1 / 0.3141592653589793, 1e-12);
  EXPECT_NEAR(world.calc_vibration(joint).damping_ratio, 1, 1e-14);
  step_to(world, 5);
  EXPECT_NEAR(-world.pose(ball).p.y - 1, 0.024525, 1e-12);
  EXPECT_NEAR(norm(world.read_joint(joint).force), 9.81, 1e-9);
  EXPECT_NEAR(world.read_joint(joint).coordinate[0], 1.024525, 1e-12);
}

// The stiffest spring of the list has 1600 swings a second.
TEST(Connections, StiffSpringsCarryTheirLoadAtFrameSteps) {
  for (const double k : {1e3, 1e5, 1e8, 1e12}) {
    for (const double rest : {0.5, 0.0}) {
      for (const double ratio : {0.0, 0.3, 1.0, 20.0}) {
        World world = make_world(1.0 / 60);
        const BodyHandle ball = add_ball(world, 1, {0, -rest, 0});
        ConnectionDef spring = make(Kind::kSpring, {}, ball, k, ratio * 2 * std::sqrt(k));
        spring.length = rest;
        const JointHandle joint = add(world, spring);
        const double stretch = 9.81 / k;
        double mean = 0, largest = 0;
        int count = 0;
        while (world.time() < 20 - 1e-9) {
          world.step();
          const double now = -world.pose(ball).p.y - rest;
          largest = std::max(largest, std::fabs(now));
          if (world.time() < 10) continue;
          mean += now;
          ++count;
        }
        // without a damper it goes on swinging, where the step shows that
        mean = ratio == 0 ? mean / count : -world.pose(ball).p.y - rest;
        const double digits = 2e-13;  // what rows yield (6) under this load
        EXPECT_LT(largest, 2 * stretch * (1 + 1e-6) + digits) << k << " " << rest << " " << ratio;
        EXPECT_NEAR(mean, stretch, (ratio == 0 ? 0.02 : 1e-6) * stretch + digits)
            << k << " " << rest << " " << ratio;
        if (ratio == 0) continue;
        EXPECT_NEAR(norm(world.read_joint(joint).force), 9.81, 1e-5) << k << " " << ratio;
        EXPECT_LT(norm(world.velocity(ball)), 1e-9 + 1e-3 * stretch) << k << " " << ratio;
      }
    }
  }
}

// A stretched stiff spring with a damper is at rest at once, not after seconds of ringing.
TEST(Connections, StiffDampersDoNotRing) {
  World world = make_world(1.0 / 60, {.gravity = kNone});
  const BodyHandle ball = add_ball(world, 1, {1.01, 0, 0}, {3, 0, 0});
  ConnectionDef spring = make(Kind::kSpring, {}, ball, 1e8, 2e4);
  spring.length = 1;
  add(world, spring);
  step_to(world, 0.2);
  EXPECT_NEAR(world.pose(ball).p.x, 1, 1e-6);
  EXPECT_LT(norm(world.velocity(ball)), 1e-4);
  World thick = make_world(1.0 / 60, {.gravity = kNone});
  const BodyHandle slow = add_ball(thick, 1, {1, 0, 0}, {3, 0, 0});
  add(thick, make(Kind::kDamper, {}, slow, 0, 1e7));
  step_to(thick, 0.2);
  EXPECT_NEAR(thick.pose(slow).p.x, 1, 1e-4);
  EXPECT_LT(norm(thick.velocity(slow)), 1e-4);
}

TEST(Connections, ADamperTakesTheRelativeSpeedAndNoMomentum) {
  World world = make_world(1e-3, {.gravity = kNone});
  const BodyHandle a = add_ball(world, 2, {0, 0, 0}), b = add_ball(world, 1, {1, 0, 0}, {3, 0, 0});
  add(world, make(Kind::kDamper, a, b, 0, 4));
  const double mass = 2.0 / 3;
  step_to(world, 0.5);
  const double relative = world.velocity(b).x - world.velocity(a).x;
  EXPECT_NEAR(relative, 3 * std::exp(-4 / mass * 0.5), 2e-6);
  EXPECT_NEAR(2 * world.velocity(a).x + world.velocity(b).x, 3, 1e-13);
}

TEST(Connections, SeveralBetweenTwoBodiesAddUp) {
  World world = make_world(1.0 / 60);
  BodyDef plate = make_body(10, {1, 2, 1}, {0, 1, 0});
  plate.angular_velocity = {0.3, 0.2, -0.1};
  const BodyHandle body = add_body(world, plate);
  const BodyHandle ground = add_body(world, [] {
    BodyDef def;
    def.motion = MotionKind::kStatic;
    return def;
  }());
  std::vector<JointHandle> springs;
  for (const double x : {-0.5, 0.5}) {
    for (const double z : {-0.5, 0.5}) {
      ConnectionDef spring = make(Kind::kShockAbsorber, ground, body, 1000, 100);
      spring.point_a = {x, 0, z};
      spring.point_b = {x, 0, z};
      springs.push_back(add(world, spring));
      // what keeps it upright, and is at rest there
      ConnectionDef side = make(Kind::kSpring, ground, body, 500, 50);
      side.point_a = {2 * x, 1 - 98.1 / 4000, -z};
      side.point_b = {x, 0, z};
      springs.push_back(add(world, side));
    }
  }
  EXPECT_EQ(world.joint_count(), 8u);
  step_to(world, 20);
  Vec3 sum;
  for (const JointHandle j : springs) sum += world.read_joint(j).force;
  EXPECT_NEAR(sum.y, 98.1, 1e-6);
  EXPECT_NEAR(world.pose(body).p.y, 1 - 98.1 / 4000, 2e-4);  // the sides are at rest nearly there
  EXPECT_LT(norm(world.velocity(body)) + norm(world.angular_velocity(body)), 1e-6);
}

// --- ropes ---------------------------------------------------------------------------------------

TEST(Connections, ARopePullsAndNeverPushes) {
  for (const double stiffness : {0.0, 200.0, 1e7}) {
    World world = make_world(1.0 / 240);
    const BodyHandle ball = add_ball(world, 1, {0, -1, 0}, {0, 6, 0});
    ConnectionDef rope = make(Kind::kRope, {}, ball, stiffness);
    rope.length = 3;
    const JointHandle joint = add(world, rope);
    double longest = 0, pushed = 0;
    while (world.time() < 6) {
      world.step();
      const JointReading r = world.read_joint(joint);
      const double length = norm(world.pose(ball).p);
      longest = std::max(longest, length);
      // along the rope, away from the world
      pushed = std::max(pushed, dot(r.force, world.pose(ball).p) / std::max(length, 1e-9));
      if (world.time() < 1.2) {
        // not taut before: up by v^2 / 2g = 1.83 m and down
        const double t = world.time();
        EXPECT_NEAR(world.pose(ball).p.y, -1 + 6 * t - 0.5 * 9.81 * t * t, 1e-9);
      }
    }
    EXPECT_LT(pushed, 1e-9);
    if (stiffness == 0) {
      EXPECT_LT(longest, 3 + 1e-6);
    }
    if (stiffness == 200) {
      // m g (x + drop) = k x^2 / 2 from its highest point, 0.835 m above the ring
      const double drop = 3 + (6 * 6 / (2 * 9.81) - 1), w = 9.81 / 200;
      EXPECT_NEAR(longest, 3 + w + std::sqrt(w * w + 2 * w * drop), 0.02);
    }
    EXPECT_TRUE(all_finite(world));
  }
}

// A bungee jumper comes up again to where he was, and not higher: what the steps in which it
// becomes taut or slack cost falls with the step.
TEST(Connections, AnElasticRopeGivesBackWhatItTook) {
  for (const double h : {1.0 / 60, 1.0 / 480}) {
    World world = make_world(h);
    const BodyHandle ball = add_ball(world, 1, {0, -1, 0});
    ConnectionDef rope = make(Kind::kRope, {}, ball, 100);
    rope.length = 3;
    add(world, rope);
    double highest = -10, last = -10;
    for (double next = 0; world.time() < 10;) {
      world.step();
      if (world.time() > 1) highest = std::max(highest, world.pose(ball).p.y);
      if (world.time() > next) {
        last = highest;
        next = world.time() + 1;
      }
    }
    EXPECT_LT(highest, -1 + 1e-9);
    report("elastic rope: height lost, m", -1 - last, "falls with the step");
    EXPECT_GT(highest, h > 0.01 ? -1.4 : -1.05);
  }
}

TEST(Connections, ARopeBreaksUnderItsLoad) {
  World world = make_world(1.0 / 60);
  const BodyHandle ball = add_ball(world, 1, {0, -1, 0});
  ConnectionDef rope = make(Kind::kRope, {}, ball);
  rope.break_force = 9;
  const JointHandle joint = add(world, rope);
  step_to(world, 1);
  EXPECT_TRUE(world.read_joint(joint).broken);
  EXPECT_LT(world.pose(ball).p.y, -2);
}

TEST(Connections, ASpringActsFromItsSeparationOn) {
  // pulls two bodies together until they are 0.8 m apart; from there on they fly on
  World world = make_world(1e-3, {.gravity = kNone});
  const BodyHandle a = add_ball(world, 1, {0, 0, 0}), b = add_ball(world, 1, {1, 0, 0});
  ConnectionDef spring = make(Kind::kSpring, a, b, 100);
  spring.length = 0.5;
  spring.min_separation = 0.8;
  add(world, spring);
  step_to(world, 0.2);
  // k/2 (0.5^2 - 0.3^2) = 8 J, two bodies of 1 kg; the step in which it ends takes up to k 0.3 m x
  // 5.6 mm of it
  EXPECT_NEAR(world.velocity(a).x, std::sqrt(8.0), 0.03);
  EXPECT_LT(world.velocity(a).x, std::sqrt(8.0));
  const double speed = world.velocity(a).x;
  step_to(world, 0.3);
  EXPECT_EQ(world.velocity(a).x, speed);
}

TEST(Connections, ASpringThatRisesAtItsSeparationTakesEnergyAtMost) {
  // pushes from 0.3 m on; rest at 1 m
  World world = make_world(1.0 / 60, {.gravity = kNone});
  const BodyHandle b = add_ball(world, 1, {0.9, 0, 0}, {-4, 0, 0});
  ConnectionDef spring = make(Kind::kSpring, {}, b, 20);
  spring.length = 1;
  spring.min_separation = 0.3;
  add(world, spring);
  const double start = 0.5 * 16 + 0.5 * 20 * 0.01;
  double most = 0;
  while (world.time() < 3) {
    world.step();
    const double c = std::fabs(world.pose(b).p.x), v = norm(world.velocity(b));
    most = std::max(most, 0.5 * v * v + (c < 0.3 ? 0.5 * 20 * 0.49 : 0.5 * 20 * (c - 1) * (c - 1)));
  }
  EXPECT_LT(most, start * (1 + 1e-9));
}

// --- any number of any stiffness -----------------------------------------------------------------

struct Link {
  BodyHandle a, b;
  Vec3 pa, pb;
  double k, rest;
};

double spring_energy(const World& world, const std::vector<Link>& links) {
  double sum = 0;
  for (const Link& l : links) {
    const double c = norm(point_of(world, l.a, l.pa) - point_of(world, l.b, l.pb));
    sum += 0.5 * l.k * (c - l.rest) * (c - l.rest);
  }
  return sum;
}

TEST(Connections, RandomStiffOnesStayFiniteAndGainNothing) {
  for (int n = 0; n < 40; ++n) {
    Rng rng(static_cast<uint64_t>(100 + n));
    World world = make_world(1.0 / 60);
    std::vector<BodyHandle> bodies;
    const auto vec = [&](double r) {
      const double x = rng.uniform(-r, r), y = rng.uniform(-r, r);
      return Vec3{x, y, rng.uniform(-r, r)};
    };
    for (int i = 0; i < 8; ++i) {
      const double mass = exp(rng.uniform(-3, 5));
      BodyDef def = make_body(mass, 0.01 * mass * Vec3{1, 1.5, 2}, vec(2));
      def.velocity = vec(2);
      def.angular_velocity = vec(3);
      bodies.push_back(add_body(world, def));
    }
    std::vector<Link> links;
    for (int i = 0; i < 16; ++i) {
      const size_t a = rng.below(8), b = (a + 1 + rng.below(7)) % 8;
      Link link{bodies[a], bodies[b], vec(0.2), vec(0.2), exp(rng.uniform(0, 20)), 0};
      ConnectionDef def = make(Kind::kSpring, link.a, link.b, link.k,
                               rng.below(2) == 0 ? 0 : exp(rng.uniform(-2, 12)));
      def.point_a = link.pa;
      def.point_b = link.pb;
      add(world, def);
      link.rest = norm(point_of(world, link.a, link.pa) - point_of(world, link.b, link.pb));
      links.push_back(link);
    }
    const double start = energy(world) + spring_energy(world, links);
    double last = start, most = 0, scale = 1;
    while (world.time() < 3) {
      world.step();
      const double now = energy(world) + spring_energy(world, links);
      scale = std::max(scale, world.calc_mechanics().kinetic_J);
      most = std::max(most, now - last);
      last = now;
    }
    EXPECT_TRUE(all_finite(world)) << n;
    // what Newton's method leaves of stiff springs' lengths is energy: k x tolerance x stretch
    EXPECT_LT(most, 2e-3 * scale) << n;
    EXPECT_LT(last, start + 1e-2 * scale) << n;
  }
}

TEST(Connections, OfBodiesThatAreNotThereAreRefused) {
  World world = make_world(1.0 / 60);
  const BodyHandle ball = add_ball(world, 1, {});
  const BodyHandle gone = add_ball(world, 1, {});
  ASSERT_TRUE(world.remove_body(gone).ok());
  EXPECT_FALSE(world.create_connection(make(Kind::kSpring, ball, gone, 1)).ok());
  EXPECT_FALSE(world.create_connection(make(Kind::kSpring, ball, ball, 1)).ok());
  EXPECT_FALSE(world.create_connection(make(Kind::kSpring, {}, {}, 1)).ok());
  EXPECT_FALSE(world.create_connection(make(Kind::kSpring, {}, ball, -1)).ok());
  EXPECT_EQ(world.joint_count(), 0u);
}

}  // namespace
}  // namespace tenon::test
