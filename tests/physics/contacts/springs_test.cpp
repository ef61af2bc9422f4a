// Contacts of bodies that springs, dampers and motors press: rest is rest, and nothing is gained.
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

constexpr double kHalf = 0.25;

JointHandle connect(World& world, const ConnectionDef& def) {
  const Result<JointHandle> joint = world.create_connection(def);
  EXPECT_TRUE(joint.ok()) << (joint.ok() ? "" : format(joint.error()));
  return *joint;
}

struct Rest {
  double fastest = 0;  // after two seconds
  double deepest = 0;  // overlap, after two seconds
  double height = 0;   // of the last
  double most_J = 0;   // kinetic, after two seconds
  double force_N = 0;  // of the floor
};

// Runs for four seconds; the last body is what is looked at.
Rest watch(World& world, BodyHandle body, BodyHandle floor) {
  Rest r;
  while (world.time() < 4) {
    world.step();
    if (world.time() < 2) continue;
    r.fastest = std::max(r.fastest, top_speed(world));
    r.deepest = std::max(r.deepest, world.diagnostics().penetration_m);
    r.most_J = std::max(r.most_J, kinetic(world));
  }
  r.height = world.pose(body).p.y;
  r.force_N = -world.contact_force(floor).y;
  return r;
}

// A box of 1 kg on the floor, a spring between it and a point above or below presses it down.
Rest press(double stiffness, double damping, double force, double h) {
  World world = make_world(h);
  const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 0.3});
  const BodyHandle floor = add_floor(world, m);
  const BodyHandle box = add_solid(world, Box{{kHalf, kHalf, kHalf}}, 1, {0, kHalf, 0}, m);
  ConnectionDef spring;
  spring.kind = ConnectionKind::kSpring;
  spring.b = box;
  spring.point_a = {0, 2, 0};
  spring.point_b = {0, kHalf, 0};
  spring.stiffness = stiffness;
  spring.damping = damping;
  spring.length = 1.5 + force / stiffness;
  connect(world, spring);
  return watch(world, box, floor);
}

TEST(PressedBodies, RestUnderSpringsOfAnyStiffness) {
  for (const double h : {kFrame, kFine}) {
    for (const double k : {1e2, 1e4, 1e6, 1e8}) {
      for (const double d : {0.0, 2 * std::sqrt(k)}) {
        const Rest r = press(k, d, 300, h);
        const std::string what = "k " + std::to_string(k) + " d " + std::to_string(d);
        EXPECT_LT(r.fastest, 2e-4) << what;
        EXPECT_NEAR(r.height, kHalf, 2e-5) << what;
        // contacts may overlap by some 1e-5 of the body, by which springs are longer
        const double slack = 1e-5 * 2 * kHalf * std::sqrt(3.0);
        const double least = std::max(9.81, 309.81 - 2 * k * slack) - 3;
        EXPECT_GT(r.force_N, least) << what;
        EXPECT_LT(r.force_N, 313) << what;
      }
    }
  }
}

// Pulled up with less than its weight it stays, with more it goes.
TEST(PressedBodies, StayWhilePulledWithLessThanTheirWeight) {
  const Rest r = press(1e3, 0, -8, kFrame);
  EXPECT_LT(r.fastest, 1e-5);
  EXPECT_NEAR(r.force_N, 1.81, 0.05);
  const Rest up = press(1e3, 60, -12, kFrame);
  EXPECT_NEAR(up.height, kHalf + 2.19 / 1e3, 1e-5);
}

// A press: a ram on a slider that a motor of limited force, or a constant force, drives onto a box.
TEST(PressedBodies, RestUnderMotorsThatAreAtTheirLimit) {
  const Motor::Kind kinds[] = {Motor::Kind::kForce, Motor::Kind::kVelocity, Motor::Kind::kPosition};
  for (int i = 0; i < 6; ++i) {
    const Motor::Kind kind = kinds[i % 3];
    const double force = i < 3 ? 100 : 1e4, gap = i < 3 ? 0.02 : 0;
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    const BodyHandle floor = add_floor(world, m);
    const BodyHandle box = add_solid(world, Box{{kHalf, kHalf, kHalf}}, 1, {0, kHalf, 0}, m);
    const BodyHandle ram =
        add_solid(world, Box{{0.1, 0.1, 0.1}}, 2, {0, 2 * kHalf + 0.1 + gap, 0}, m);
    JointDef guide =
        make_joint(world, JointKind::kSlider, {}, ram, {world.pose(ram).p, axis_along_y()});
    guide.axes[0].motor.kind = kind;
    guide.axes[0].motor.target = kind == Motor::Kind::kForce ? -force : -1;
    guide.axes[0].motor.max_force = kind == Motor::Kind::kForce ? kInfinity : force;
    add_joint(world, guide);
    const Rest r = watch(world, box, floor);
    EXPECT_LT(r.fastest, 1e-4) << static_cast<int>(kind);
    EXPECT_NEAR(r.height, kHalf, 1e-4);
    EXPECT_NEAR(r.force_N, force + 3 * kG, 0.005 * force);
  }
}

// A damper in a door closer: a lid that falls onto its frame comes to rest there.
TEST(PressedBodies, RestOnDampedAndRubbingHinges) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  const BodyHandle floor = add_floor(world, m);
  const BodyHandle lid = add_solid(world, Box{{0.5, 0.02, 0.3}}, 5, {0.4330127, 0.27, 0}, m,
                                   from_axis_angle({0, 0, 1}, kPi / 6));
  JointDef hinge = make_joint(world, JointKind::kHinge, {}, lid, {{0, 0.02, 0}, axis_along_z()});
  hinge.axes[3].damping = 2;
  hinge.axes[3].stiffness = 20;
  hinge.axes[3].rest = -1;
  hinge.axes[3].friction = 0.5;
  add_joint(world, hinge);
  const Rest r = watch(world, lid, floor);
  EXPECT_LT(r.fastest, 1e-4);
  EXPECT_LT(r.deepest, 1e-3);
}

// A vehicle: each wheel is a ball on two rods and a shock absorber.
struct Car {
  BodyHandle floor, body;
  std::vector<BodyHandle> wheels;
};
Car add_car(World& world, double stiffness, double damping, const Vec3& start = {}) {
  Car car;
  const MaterialId m = add_surface(world, {.friction = 0.8});
  car.floor = add_floor(world, m);
  car.body = add_solid(world, Box{{1, 0.2, 0.5}}, 400, start + Vec3{0, 0.9, 0}, m);
  for (const double x : {-0.8, 0.8}) {
    for (const double z : {-0.7, 0.7}) {
      const Vec3 p = start + Vec3{x, 0.3, z};
      car.wheels.push_back(add_solid(world, Sphere{0.3}, 15, p, m));
      const double side = z > 0 ? 1 : -1;
      const auto link = [&](ConnectionKind kind, const Vec3& on_body, double k, double d) {
        ConnectionDef def;
        def.kind = kind;
        def.a = car.body;
        def.b = car.wheels.back();
        def.point_a = on_body;
        def.stiffness = k;
        def.damping = d;
        connect(world, def);
      };
      link(ConnectionKind::kRod, {x - 0.3, -0.2, 0.2 * side}, 0, 0);
      link(ConnectionKind::kRod, {x + 0.3, -0.2, 0.2 * side}, 0, 0);
      link(ConnectionKind::kShockAbsorber, {x, 0.2, 0.5 * side}, stiffness, damping);
    }
  }
  return car;
}

TEST(Vehicles, RestOnTheirShockAbsorbers) {
  for (const double k : {2e4, 1e6}) {
    World world = make_world(kFrame);
    const Car car = add_car(world, k, 2 * std::sqrt(k * 100) * 0.5);
    double most = 0, fastest = 0;
    const double start = energy(world);
    while (world.time() < 12) {
      world.step();
      most = std::max(most, energy(world) - start);
      if (world.time() > 9) fastest = std::max(fastest, top_speed(world));
    }
    report("car on shock absorbers: speed after 9 s, m/s", fastest, "1e-3");
    EXPECT_LT(fastest, 1e-3) << k;
    EXPECT_LT(most, 1e-6) << k;
    EXPECT_NEAR(-world.contact_force(car.floor).y, 460 * kG, 0.01 * 460 * kG) << k;
    EXPECT_LT(world.diagnostics().penetration_m, 1e-3);
    EXPECT_LT(world.diagnostics().joint_gap_rel, 1e-6);
  }
}

TEST(Vehicles, LandOnTheirShockAbsorbersWithoutGainingEnergy) {
  World world = make_world(kFrame);
  const Car car = add_car(world, 3e4, 2000, {0, 0.5, 0});
  const double start = energy(world);
  double most = 0;
  while (world.time() < 6) {
    world.step();
    most = std::max(most, energy(world) - start);
  }
  EXPECT_LT(most, 1e-6);
  EXPECT_LT(top_speed(world), 0.02);
  EXPECT_TRUE(all_finite(world));
}

// Boxes that springs of any stiffness tie together fall in a heap. Springs are long enough not to
// press boxes into each other.
TEST(PressedBodies, TiedByRandomStiffSpringsFallAndGainNothing) {
  double worst = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed);
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = 0.5, .restitution = 0.2});
    add_floor(world, m);
    std::vector<BodyHandle> boxes;
    for (int i = 0; i < 6; ++i) {
      const Vec3 half{rng.uniform(0.05, 0.2), rng.uniform(0.05, 0.2), rng.uniform(0.05, 0.2)};
      const double mass = exp(rng.uniform(-1, 3));
      const Vec3 p{0.6 * i - 1.5, 1 + rng.uniform(0, 1), rng.uniform(-0.3, 0.3)};
      boxes.push_back(add_solid(world, Box{half}, mass, p, m));
      ASSERT_TRUE(world.set_velocity(boxes.back(), random_vec(rng, 2)).ok());
    }
    struct Link {
      BodyHandle a, b;
      double k, rest;
    };
    std::vector<Link> links;
    for (size_t i = 0; i < 8; ++i) {
      const size_t a = i % 6, b = (a + 1 + rng.below(5)) % 6;
      ConnectionDef def;
      def.a = boxes[a];
      def.b = boxes[b];
      def.stiffness = exp(rng.uniform(2, 18));
      def.damping = rng.below(2) == 0 ? 0 : exp(rng.uniform(0, 9));
      connect(world, def);
      links.push_back(
          {def.a, def.b, def.stiffness, norm(world.pose(def.a).p - world.pose(def.b).p)});
    }
    const auto total = [&] {
      double sum = energy(world);
      for (const Link& l : links) {
        const double x = norm(world.pose(l.a).p - world.pose(l.b).p) - l.rest;
        sum += 0.5 * l.k * x * x;
      }
      return sum;
    };
    const double start = total();
    double most = 0, in_springs = 0;
    while (world.time() < 5) {
      world.step();
      most = std::max(most, energy(world));
      in_springs = std::max(in_springs, total() - energy(world));
    }
    worst = std::max(worst, most / start);
    EXPECT_TRUE(all_finite(world)) << seed;
    EXPECT_LT(most, start) << seed;
    // corrections of places load stiff springs for a step, and are not given back as motion
    EXPECT_LT(in_springs, 2 * start) << seed;
    EXPECT_LT(world.diagnostics().penetration_m, 5e-3) << seed;
  }
  report("boxes on stiff springs: largest energy, of that at the start", worst, "1");
}

// A net of springs between four balls on the floor, stretched: it pulls them together, they rub and
// stop.
TEST(PressedBodies, ThatSpringsPullAlongTheFloorComeToRest) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.3});
  add_floor(world, m);
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < 4; ++i) {
    boxes.push_back(add_solid(world, Box{{0.1, 0.1, 0.1}}, 2,
                              {i % 2 == 0 ? 0.5 : -0.5, 0.1, i < 2 ? 0.5 : -0.5}, m));
  }
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = i + 1; j < 4; ++j) {
      ConnectionDef spring;
      spring.a = boxes[i];
      spring.b = boxes[j];
      spring.stiffness = 50;
      spring.length = 0.3;
      connect(world, spring);
    }
  }
  double most = 0;
  while (world.time() < 5) {
    world.step();
    if (world.time() > 3) most = std::max(most, top_speed(world));
  }
  EXPECT_LT(most, 1e-4);
  for (const BodyHandle b : boxes) {
    EXPECT_LT(norm(world.pose(b).p), 0.6);
    EXPECT_NEAR(world.pose(b).p.y, 0.1, 1e-3);
  }
}

double total_energy(const World& world) {
  const Mechanics m = world.calc_mechanics();
  return m.kinetic_J + m.potential_J + m.elastic_J;
}

// Two balls on a spring, between walls, without gravity and loss: they hit one another and the
// walls about ten times a second.
TEST(BallsOnASpring, GainNothingFromTheirHits) {
  for (const double stiffness : {10.0, 100.0}) {
    for (const Integration integration : {Integration::kStable, Integration::kConservative}) {
      World world = make_world(kFrame, {.gravity = {}, .integration = integration});
      const MaterialId m = add_surface(world, {.restitution = 1});
      for (const double x : {-1.1, 1.1}) {
        BodyDef wall = make_solid(Box{{0.1, 0.5, 0.5}}, 1, {x, 0, 0}, m);
        wall.motion = MotionKind::kStatic;
        add_body(world, wall);
      }
      ConnectionDef spring;
      spring.kind = ConnectionKind::kSpring;
      spring.a = add_solid(world, Sphere{0.1}, 0.1, {-0.3, 0, 0}, m);
      spring.b = add_solid(world, Sphere{0.1}, 0.1, {0.4, 0, 0}, m);
      spring.stiffness = stiffness;
      spring.length = 0.6;
      connect(world, spring);
      ASSERT_TRUE(world.set_velocity(spring.a, {-1, 0, 0}).ok());
      ASSERT_TRUE(world.set_velocity(spring.b, {2, 0, 0}).ok());
      const double begin = total_energy(world);
      EXPECT_NEAR(begin, 0.25 + 0.5 * stiffness * 0.01, 1e-12);
      double most = 0;
      while (world.time() < 20) {
        world.step();
        most = std::max(most, total_energy(world));
      }
      EXPECT_LT(most, 1.001 * begin) << stiffness;
      EXPECT_GT(total_energy(world), (stiffness > 50 ? 0.4 : 0.99) * begin) << stiffness;
    }
  }
}

// A ball on a massless rod falls against a stop below its hinge: it comes back to where it was let
// go, each time, though gravity and rod act between the begin of the step and the hit.
TEST(BallOnARod, ComesBackFromAStop) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.restitution = 1});
  BodyDef stop = make_solid(Box{{0.1, 0.1, 0.5}}, 1, {-0.2, -1, 0}, m);
  stop.motion = MotionKind::kStatic;
  add_body(world, stop);
  const Vec3 start{0.5, -std::sqrt(0.75), 0};
  const BodyHandle ball = add_solid(world, Sphere{0.1}, 1, start, m);
  add_joint(world, make_joint(world, JointKind::kHinge, {}, ball, {{}, axis_along_z()}));
  const double begin = total_energy(world), depth = kG * (start.y + 1);
  double most = -kInfinity;
  int hits = 0;
  Vec3 last;
  while (world.time() < 20) {
    world.step();
    most = std::max(most, total_energy(world));
    const Vec3 v = world.velocity(ball);
    hits += last.x < -0.5 && v.x > 0.5;
    last = v;
  }
  EXPECT_GE(hits, 15);
  EXPECT_LT(most - begin, 5e-3 * depth);
  EXPECT_GT(total_energy(world) - begin, -0.05 * depth);
}

// Two balls on a slack rope hit each other aslant: what puts the angular momentum right gives none.
TEST(BallsOnARope, GainNothingFromAHitAslant) {
  World world = make_world(kFrame, {.gravity = {}});
  const MaterialId m = add_surface(world, {.restitution = 1});
  ConnectionDef rope;
  rope.kind = ConnectionKind::kRope;
  rope.a = add_solid(world, Sphere{0.1}, 1, {-0.4, 0, 0}, m);
  rope.b = add_solid(world, Sphere{0.1}, 1, {0.3, 0.18, 0}, m);
  rope.length = 0.8;
  connect(world, rope);
  ASSERT_TRUE(world.set_velocity(rope.a, {4, 0, 0}).ok());
  ASSERT_TRUE(world.set_velocity(rope.b, {-1, 0, 0}).ok());
  while (world.time() < 0.25) {
    world.step();
    EXPECT_LT(kinetic(world), 8.5 * (1 + 1e-9)) << world.time();
  }
  EXPECT_GT(norm(world.velocity(rope.b) - Vec3{-1, 0, 0}), 0.1);  // they did hit
}

// A torque that turns what lies on ice is no work of the ice.
TEST(TurnedOnIce, ContactsDoNoWork) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {});
  add_floor(world, m);
  const BodyHandle box = add_solid(world, Box{{kHalf, kHalf, kHalf}}, 1, {0, kHalf, 0}, m);
  while (world.time() < 1) {
    ASSERT_TRUE(world.apply_wrench(box, {.force = {}, .torque = {0, 1, 0}}).ok());
    world.step();
  }
  EXPECT_GT(kinetic(world), 1);
  EXPECT_NEAR(world.diagnostics().contact_work_J, 0, 1e-9);
}

// A shelf that a damper lets down slowly, with a box on it, on its way to its limit: what the
// damper gave in the last step is no guess for what the limit will, which it would throw back to be
// swept away again, in every step.
TEST(DampedShelf, HasNothingOfItsLimitBeforeItIsThere) {
  constexpr size_t kRx = 3;
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.9});
  const BodyHandle shelf = add_solid(world, Box{{0.5, 0.02, 0.2}}, 2, {0.5, 1, 0}, m);
  add_solid(world, Box{{0.1, 0.1, 0.1}}, 1, {0.4, 1.12, 0}, m);
  JointDef hinge = make_joint(world, JointKind::kHinge, {}, shelf, {{0, 1, 0}, axis_along_z()});
  hinge.axes[kRx].damping = 300;
  hinge.axes[kRx].min = -0.12;
  const JointHandle j = add_joint(world, hinge);
  double residual = 0, fastest = 0, slowest = 1;
  uint32_t sweeps = 0;
  while (world.time() < 2) {
    const double before = world.read_joint(j).coordinate[kRx];
    world.step();
    if (world.time() < 1) continue;  // the limit is near from 0.5 s on
    residual = std::max(residual, world.diagnostics().contact_residual);
    sweeps = std::max(sweeps, world.diagnostics().contact_sweeps);
    const double rate = (before - world.read_joint(j).coordinate[kRx]) / kFrame;
    fastest = std::max(fastest, rate);
    slowest = std::min(slowest, rate);
  }
  report("damped shelf: residual of contacts, m/s", residual, "1e-5");
  report("damped shelf: sweeps", sweeps, "8");
  EXPECT_LT(residual, 1e-5);
  EXPECT_LE(sweeps, 8u);
  // (2 * 0.5 + 1 * 0.4) g / d, of which a damper that the step does not resolve lacks a fifth
  EXPECT_NEAR(fastest, 1.4 * kG / 300, 0.2 * 1.4 * kG / 300);
  EXPECT_NEAR(slowest, fastest, 1e-4);
}

}  // namespace
}  // namespace tenon::test
