// Sensors, one-way bodies, pairs that never touch, and what contacts did in a step.
#include "tenon/engine/world/contact_rules.h"

#include "tenon/engine/world/create_body.h"
#include "tenon/engine/world/phases.h"
#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon {
namespace {

constexpr double kStep = 1.0 / 60;

World make_weightless_world() {
  WorldSettings s;
  s.gravity = {};
  s.step = kStep;
  return test::make_world(s);
}

BodyDef make_ball(const Vec3& position, const Vec3& velocity = {}, double radius = 0.1) {
  BodyDef def;
  def.colliders = {{Sphere{radius}, {}, 0, 1000}};
  def.X_WB.p = position;
  def.velocity = velocity;
  return def;
}

BodyDef make_platform(double half_height = 0.05) {
  BodyDef def;
  def.motion = MotionKind::kStatic;
  def.colliders = {{Box{{1, half_height, 1}}, {}, 0, 1000}};
  def.one_way = {0, 3, 0};  // of any length
  return def;
}

// Whether any contact acted, and any did not, during a run.
struct Seen {
  bool acting = false, idle = false;
};
Seen watch(World& world, int steps) {
  Seen seen;
  for (int i = 0; i < steps; ++i) {
    world.step();
    for (const Contact& c : world.contacts()) (c.acts ? seen.acting : seen.idle) = true;
  }
  return seen;
}

TEST(Sensors, ReportEnterAndLeaveAndPushNothing) {
  World world = make_weightless_world();
  const BodyHandle ball = *world.create_body(make_ball({0, 0.5, 0}, {0, -2, 0}));
  BodyDef gate;
  gate.motion = MotionKind::kStatic;
  gate.colliders = {{Box{{1, 0.1, 1}}, {}, 0, 1000}};
  gate.colliders[0].sensor = true;
  const BodyHandle sensor = *world.create_body(gate);
  const std::vector<Event> events = test::run_and_collect(world, 60);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::kSensorEnter);
  EXPECT_EQ(events[0].a, sensor);  // the sensor first, though its body is the later one
  EXPECT_EQ(events[0].b, ball);
  EXPECT_LE(events[0].value, 0);
  // 0.3 m at 2 m/s to the surface, 0.7 m until it is out
  EXPECT_NEAR(events[0].time, 0.15, kStep + 1e-12);
  EXPECT_EQ(events[1].kind, EventKind::kSensorLeave);
  EXPECT_NEAR(events[1].time, 0.35, kStep + 1e-12);
  EXPECT_EQ(world.velocity(ball), (Vec3{0, -2, 0}));
  EXPECT_EQ(world.contact_force(ball), Vec3{});
}

BodyDef make_barrier(const Vec3& half) {
  BodyDef barrier;
  barrier.motion = MotionKind::kStatic;
  barrier.colliders = {{Box{half}, {}, 0, 1000}};
  barrier.colliders[0].sensor = true;
  return barrier;
}

// Enters and leaves of one pair, in that order.
void expect_passes(const std::vector<Event>& events, BodyHandle sensor, BodyHandle felt,
                   size_t times = 1) {
  ASSERT_EQ(events.size(), 2 * times);
  for (size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].kind, i % 2 == 0 ? EventKind::kSensorEnter : EventKind::kSensorLeave);
    EXPECT_EQ(events[i].a, sensor);
    EXPECT_EQ(events[i].b, felt);
    EXPECT_LE(events[i].value, 0);
  }
}

TEST(Sensors, FeelWhatPassesWithinAStep) {
  for (const double speed : {1.0, 7.0, 20.0, 150.0, 1000.0}) {
    World world = make_weightless_world();
    const BodyHandle sensor = *world.create_body(make_barrier({0.005, 1, 1}));
    const BodyHandle ball = *world.create_body(make_ball({-0.73, 0, 0}, {speed, 0, 0}));
    const std::vector<Event> events =
        test::run_and_collect(world, static_cast<int>(2 / (speed * kStep)) + 2);
    expect_passes(events, sensor, ball);
    EXPECT_NEAR(events[0].time, (0.73 - 0.105) / speed, kStep + 1e-12) << speed;
    EXPECT_EQ(world.velocity(ball), (Vec3{speed, 0, 0}));
  }
}

TEST(Sensors, DoNotFeelWhatPassesThemBy) {
  World world = make_weightless_world();
  ASSERT_TRUE(world.create_body(make_barrier({0.005, 1, 1})).ok());
  // beside it, towards it and back before, and away from its surface
  ASSERT_TRUE(world.create_body(make_ball({-0.73, 1.11, 0}, {150, 0, 0})).ok());
  ASSERT_TRUE(world.create_body(make_ball({-3, 0, 0}, {-150, 0, 0})).ok());
  ASSERT_TRUE(world.create_body(make_ball({-0.105001, 0, 0}, {-150, 0, 0})).ok());
  EXPECT_TRUE(test::run_and_collect(world, 5).empty());
}

TEST(Sensors, SweepOverWhatStandsStill) {
  World world = make_weightless_world();
  BodyDef moved = make_barrier({0.005, 1, 1});
  moved.motion = MotionKind::kKinematic;
  moved.script.start.p = {-0.73, 0, 0};
  moved.script.velocity = {150, 0, 0};
  const BodyHandle sensor = *world.create_body(moved);
  const BodyHandle ball = *world.create_body(make_ball({}));
  expect_passes(test::run_and_collect(world, 5), sensor, ball);
  // and kinematic bodies pass sensors that stand
  World other = make_weightless_world();
  const BodyHandle gate = *other.create_body(make_barrier({0.005, 1, 1}));
  BodyDef driven = make_ball({});
  driven.motion = MotionKind::kKinematic;
  driven.script.start.p = {-0.73, 0, 0};
  driven.script.velocity = {150, 0, 0};
  const BodyHandle felt = *other.create_body(driven);
  expect_passes(test::run_and_collect(other, 5), gate, felt);
}

TEST(Sensors, DoNotFeelJumpsOfScripts) {
  World world = make_weightless_world();
  BodyDef barrier = make_barrier({0.005, 1, 1});
  barrier.X_WB.p = {1.5, 0, 0};
  const BodyHandle sensor = *world.create_body(barrier);
  BodyDef driven = make_ball({});
  driven.motion = MotionKind::kKinematic;
  driven.script.kind = KinematicMotion::Kind::kKeyframes;
  driven.script.repeat = KinematicMotion::Repeat::kLoop;
  driven.script.keys = {{0, {{1, 0, 0}, {}}}, {4 * kStep, {{2, 0, 0}, {}}}};
  const BodyHandle felt = *world.create_body(driven);
  // through it on the way, and back again without one
  expect_passes(test::run_and_collect(world, 12), sensor, felt, 3);
}

TEST(Sensors, FeelWhatComesBackWithinAStep) {
  World world = make_weightless_world();
  SurfaceMaterial m;
  m.restitution = 1;
  const MaterialId elastic = *world.add_material(m);
  BodyDef wall;
  wall.motion = MotionKind::kStatic;
  wall.colliders = {{Box{{0.5, 1, 1}}, {}, elastic, 1000}};
  wall.X_WB.p = {0.5, 0, 0};
  ASSERT_TRUE(world.create_body(wall).ok());
  BodyDef barrier = make_barrier({0.005, 1, 1});
  barrier.X_WB.p = {-0.15, 0, 0};
  const BodyHandle sensor = *world.create_body(barrier);
  // 1 m to the wall, and back again, in one step
  BodyDef def = make_ball({-1.1, 0, 0}, {2 / kStep, 0, 0});
  def.colliders[0].material = elastic;
  const BodyHandle ball = *world.create_body(def);
  std::vector<Event> events = test::run_and_collect(world, 1);
  EXPECT_NEAR(world.center_of_mass(ball).x, -1.1, 1e-6);
  std::erase_if(events, [](const Event& e) {
    return e.kind != EventKind::kSensorEnter && e.kind != EventKind::kSensorLeave;
  });
  expect_passes(events, sensor, ball);
}

TEST(Sensors, FeelPassesTheSameWayAfterAResume) {
  std::vector<Event> all[2];
  for (const bool resumed : {false, true}) {
    World world = make_weightless_world();
    ASSERT_TRUE(world.create_body(make_barrier({0.005, 1, 1})).ok());
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(world.create_body(make_ball({-1.0 - i, 0.4 * (i - 2), 0}, {90, 0, 0})).ok());
    }
    for (int step = 0; step < 12; ++step) {
      if (resumed) {
        const std::vector<std::byte> state = world.save_state();
        ASSERT_TRUE(world.load_state(state).ok());
      }
      world.step();
      for (const Event& e : world.events()) all[resumed].push_back(e);
    }
  }
  ASSERT_EQ(all[0].size(), 8u);
  ASSERT_EQ(all[1].size(), 8u);
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(all[0][i].kind, all[1][i].kind);
    EXPECT_EQ(all[0][i].time, all[1][i].time);
    EXPECT_EQ(all[0][i].b, all[1][i].b);
  }
}

TEST(Sensors, DoNotCountAsPenetration) {
  World world = make_weightless_world();
  BodyDef ghost = make_ball({});
  ghost.colliders[0].sensor = true;
  ASSERT_TRUE(world.create_body(ghost).ok());
  ASSERT_TRUE(world.create_body(make_ball({0.05, 0, 0})).ok());
  world.step();
  ASSERT_EQ(world.contacts().size(), 1u);
  EXPECT_FALSE(world.contacts()[0].acts);
  EXPECT_EQ(world.diagnostics().penetration_m, 0);
  EXPECT_EQ(world.diagnostics().contacts, 0u);
}

TEST(Sensors, FeelKinematicBodiesButOthersDoNot) {
  World world = make_weightless_world();
  BodyDef still = make_ball({});
  still.motion = MotionKind::kStatic;
  BodyDef driven = make_ball({});
  driven.motion = MotionKind::kKinematic;
  driven.script.start.p = {0.05, 0, 0};
  ASSERT_TRUE(world.create_body(still).ok());
  ASSERT_TRUE(world.create_body(driven).ok());
  world.step();
  EXPECT_EQ(world.contacts().size(), 0u);
  still.colliders[0].sensor = true;
  ASSERT_TRUE(world.create_body(still).ok());
  world.step();
  ASSERT_EQ(world.contacts().size(), 1u);
  EXPECT_EQ(world.events().size(), 1u);
}

TEST(Sensors, OfOneBodyLeaveItsOtherPartsSolid) {
  World world = make_weightless_world();
  BodyDef robot = make_ball({});
  robot.colliders.push_back({Sphere{0.5}, {}, 0, 1000, {}, true});
  ASSERT_TRUE(world.create_body(robot).ok());
  ASSERT_TRUE(world.create_body(make_ball({0.19, 0, 0})).ok());
  const std::vector<Event> events = test::run_and_collect(world, 1);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, EventKind::kContactBegin);
  EXPECT_EQ(events[1].kind, EventKind::kSensorEnter);
}

TEST(OneWay, LetsThroughFromBelowAndIsSilent) {
  // slow, fast, and so fast that the ball is past the middle when it is first found inside
  for (const double speed : {0.5, 3.0, 13.0}) {
    World world = make_weightless_world();
    ASSERT_TRUE(world.create_body(make_platform()).ok());
    const BodyHandle ball = *world.create_body(make_ball({0, -0.37, 0}, {0, speed, 0}));
    const int steps = static_cast<int>(0.74 / speed / kStep) + 2;
    Seen inside;
    std::vector<Event> events;
    for (int i = 0; i < steps; ++i) {
      world.step();
      events.insert(events.end(), world.events().begin(), world.events().end());
      for (const Contact& c : world.contacts()) {
        if (c.manifold.distance <= 0) (c.acts ? inside.acting : inside.idle) = true;
      }
    }
    EXPECT_TRUE(inside.idle) << speed;
    EXPECT_FALSE(inside.acting) << speed;
    EXPECT_TRUE(events.empty()) << speed;
    EXPECT_EQ(world.velocity(ball), (Vec3{0, speed, 0}));
    EXPECT_EQ(world.diagnostics().penetration_m, 0);
  }
}

TEST(OneWay, StopsFromAboveWithTheImpulseOfABounce) {
  for (const double speed : {0.5, 3.0, 13.0}) {
    World world = make_weightless_world();
    ASSERT_TRUE(world.create_body(make_platform()).ok());
    const BodyHandle ball = *world.create_body(make_ball({0, 0.17, 0}, {0, -speed, 0}));
    const std::vector<Event> events = test::run_and_collect(world, 6);
    ASSERT_GE(events.size(), 1u);
    EXPECT_EQ(events[0].kind, EventKind::kContactBegin);
    // restitution 0.5, in full at once
    EXPECT_NEAR(world.velocity(ball).y, 0.5 * speed, 1e-9 * speed);
    EXPECT_TRUE(world.ended_contacts().empty());
    EXPECT_NEAR(events[0].impulse, 1.5 * speed * world.mass(ball).mass, 1e-9 * events[0].impulse);
    EXPECT_GT(world.pose(ball).p.y, 0.15 - 1e-6);
  }
}

TEST(ContactForce, OfABodyAtRestIsItsWeight) {
  World world = test::make_world();
  BodyDef plane;
  plane.motion = MotionKind::kStatic;
  plane.colliders = {{Plane{}, {}, 0, 1000}};
  const BodyHandle floor = *world.create_body(plane);
  const BodyHandle box = *world.create_body(test::make_box({0, 0.3, 0}));
  EXPECT_EQ(world.contact_force(box), Vec3{});
  for (int i = 0; i < 30; ++i) world.step();
  const double weight = 9.81 * world.mass(box).mass;
  // the tolerance of contacts, relative
  EXPECT_NEAR(world.contact_force(box).y, weight, 1e-5 * weight);
  EXPECT_NEAR(world.contact_force(floor).y, -weight, 1e-5 * weight);
  Vec3 sum;
  for (const Contact& c : world.contacts()) {
    for (const Vec3& p : c.impulse_W) sum += p;
  }
  EXPECT_NEAR(norm(sum), weight * world.settings().step, 1e-5 * weight);
}

TEST(Belts, DragAlongWhatLiesOnThemUpToTheirVelocity) {
  World world = test::make_world();
  BodyDef belt;
  belt.motion = MotionKind::kStatic;
  belt.X_WB.q = exp_map({0, kPi / 2, 0});  // its x is the world's -z
  belt.colliders = {{Box{{5, 0.1, 5}}, {}, 0, 1000, {1, 0, 0}}};
  ASSERT_TRUE(world.create_body(belt).ok());
  const BodyHandle box = *world.create_body(test::make_box({0, 0.4, 0}));
  // friction 0.4 at 9.81 m/s^2 needs 0.255 s for 1 m/s
  for (int i = 0; i < 6; ++i) world.step();
  EXPECT_NEAR(world.velocity(box).z, -0.4 * 9.81 * 0.1, 0.1 * 0.4 * 9.81 * 0.1);
  for (int i = 0; i < 54; ++i) world.step();
  EXPECT_NEAR(world.velocity(box).z, -1, 1e-3);
  EXPECT_NEAR(world.velocity(box).x, 0, 1e-3);
}

TEST(OneWay, LetsThroughFromTheSideAndOutOfItsInside) {
  World world = make_weightless_world();
  ASSERT_TRUE(world.create_body(make_platform()).ok());
  ASSERT_TRUE(world.create_body(make_ball({-1.2, 0, 0}, {1, 0, 0})).ok());
  ASSERT_TRUE(world.create_body(make_ball({0, 0.01, 0.5}, {})).ok());
  const Seen seen = watch(world, 90);
  EXPECT_TRUE(seen.idle);
  EXPECT_FALSE(seen.acting);
}

TEST(OneWay, DecidesAgainOnceABodyIsOut) {
  World world = make_weightless_world();
  ASSERT_TRUE(world.create_body(make_platform()).ok());
  const BodyHandle ball = *world.create_body(make_ball({0, -0.2, 0}, {0, 2, 0}));
  watch(world, 6);  // in the middle
  // turns round half way: still passing
  ASSERT_TRUE(world.set_velocity(ball, {0, 0.01, 0}).ok());
  EXPECT_FALSE(watch(world, 10).acting);
  ASSERT_TRUE(world.set_velocity(ball, {0, 2, 0}).ok());
  watch(world, 12);  // out at the top
  ASSERT_GT(world.pose(ball).p.y, 0.15);
  ASSERT_TRUE(world.set_velocity(ball, {0, -2, 0}).ok());
  Seen back;
  for (int i = 0; i < 20 && !back.acting && !back.idle; ++i) back = watch(world, 1);
  EXPECT_TRUE(back.acting);
  EXPECT_FALSE(back.idle);
}

TEST(OneWay, TurnsWithItsBody) {
  World world = make_weightless_world();
  BodyDef platform = make_platform();
  platform.X_WB.q = exp_map({kPi, 0, 0});  // front down
  ASSERT_TRUE(world.create_body(platform).ok());
  ASSERT_TRUE(world.create_body(make_ball({0, 0.2, 0}, {0, -2, 0})).ok());
  const Seen from_above = watch(world, 8);
  EXPECT_TRUE(from_above.idle);
  EXPECT_FALSE(from_above.acting);
}

TEST(OneWay, KeepsACompoundPassingUntilAllOfItIsOut) {
  World world = make_weightless_world();
  ASSERT_TRUE(world.create_body(make_platform()).ok());
  BodyDef dumbbell = make_ball({0, -0.2, 0}, {0, 1, 0});
  dumbbell.colliders.push_back({Sphere{0.1}, {{0, -0.15, 0}, {}}, 0, 1000});
  const BodyHandle body = *world.create_body(dumbbell);
  EXPECT_FALSE(watch(world, 24).acting);  // the upper ball is out, the lower one inside
  ASSERT_TRUE(world.set_velocity(body, {0, -1, 0}).ok());
  EXPECT_FALSE(watch(world, 10).acting);
}

TEST(OneWay, PassesAreStateThatIsSavedAndHashed) {
  const auto make = [] {
    World world = make_weightless_world();
    EXPECT_TRUE(world.create_body(make_platform()).ok());
    EXPECT_TRUE(world.create_body(make_ball({0, -0.2, 0}, {0, 2, 0})).ok());
    return world;
  };
  World first = make(), second = make();
  watch(first, 9);  // past the middle: the normal points up by now
  const std::vector<std::byte> state = first.save_state();
  ASSERT_TRUE(second.load_state(state).ok());
  EXPECT_EQ(second.state_hash(), first.state_hash());
  for (int i = 0; i < 12; ++i) {
    const Seen one = watch(first, 1), two = watch(second, 1);
    EXPECT_EQ(one.acting, two.acting);
    EXPECT_EQ(one.idle, two.idle);
    EXPECT_EQ(second.state_hash(), first.state_hash());
  }
  // an unknown kind of touch: the last byte of the state, which has one touch
  std::vector<std::byte> broken = state;
  broken.back() = std::byte{9};
  EXPECT_FALSE(second.load_state(broken).ok());
}

TEST(BadContactRules, AreRefused) {
  World world = make_weightless_world();
  BodyDef def = make_ball({});
  def.one_way = {0, NAN, 0};
  EXPECT_FALSE(world.create_body(def).ok());
  def = make_ball({});
  def.colliders[0].surface_velocity = {INFINITY, 0, 0};
  EXPECT_FALSE(world.create_body(def).ok());
  def.colliders[0].surface_velocity = {2e9, 0, 0};
  EXPECT_FALSE(world.create_body(def).ok());
  EXPECT_EQ(world.body_count(), 0u);
}

TEST(StructureHash, SeesWhatContactsDependOn) {
  const auto hash = [](const auto& change) {
    World world = make_weightless_world();
    BodyDef def = make_ball({});
    change(def);
    EXPECT_TRUE(world.create_body(def).ok());
    return world.state_hash();
  };
  const uint64_t plain = hash([](BodyDef&) {});
  EXPECT_NE(hash([](BodyDef& d) { d.colliders[0].sensor = true; }), plain);
  EXPECT_NE(hash([](BodyDef& d) { d.colliders[0].surface_velocity = {0, 0, 1}; }), plain);
  EXPECT_NE(hash([](BodyDef& d) { d.one_way = {0, 0, 1}; }), plain);
}

TEST(PairsOfBodies, ThatMayNotTouchDoNotAndOthersDo) {
  World world = make_weightless_world();
  const BodyHandle a = *world.create_body(make_ball({}));
  const BodyHandle b = *world.create_body(make_ball({0.1, 0, 0}));
  const BodyHandle c = *world.create_body(make_ball({0, 0.1, 0}));
  world.step();
  ASSERT_EQ(world.contacts().size(), 3u);
  const uint64_t before = world.state_hash();
  ASSERT_TRUE(world.set_may_touch_bodies(b, a, false).ok());
  EXPECT_NE(world.state_hash(), before);
  EXPECT_EQ(world.contacts().size(), 2u);
  ASSERT_TRUE(world.set_may_touch_bodies(a, b, false).ok());  // twice is once
  world.step();
  EXPECT_EQ(world.contacts().size(), 2u);
  ASSERT_TRUE(world.set_may_touch_bodies(a, b, true).ok());
  world.step();
  EXPECT_EQ(world.contacts().size(), 3u);
  // the next body in the slot of a removed one has nothing to do with its pairs
  ASSERT_TRUE(world.set_may_touch_bodies(a, b, false).ok());
  ASSERT_TRUE(world.remove_body(b).ok());
  EXPECT_FALSE(world.set_may_touch_bodies(a, b, true).ok());
  ASSERT_TRUE(world.create_body(make_ball({0.1, 0, 0})).ok());
  world.step();
  EXPECT_EQ(world.contacts().size(), 3u);
  EXPECT_FALSE(world.set_may_touch_bodies(c, c, false).ok());
}

// A ball on a plane, with the impulses that a solver would have left.
struct Pushed {
  WorldData data;
  Mechanisms mechanisms;
  StepContext context;
  BodyHandle ball, floor;

  Pushed() {
    BodyDef plane;
    plane.motion = MotionKind::kStatic;
    plane.colliders = {{Plane{}, {}, 0, 1000}};
    ball = *create_body(data, make_ball({0, 0.1, 0}));
    floor = *create_body(data, plane);
    context.mechanisms = &mechanisms;
    context.h = kStep;
    find();
  }
  void find() {
    find_candidate_pairs(context, data);
    find_contacts(context, data);
    data.events.clear();
    report_contact_events(context, data);
  }
};

TEST(ContactImpulses, BecomeForcesAndGoOnToTheNextContacts) {
  Pushed p;
  ASSERT_EQ(p.data.contacts.size(), 1u);
  const double sign = p.data.contacts[0].body_b == p.ball.index ? 1 : -1;
  p.data.contacts[0].impulse_W[0] = sign * Vec3{0.5, 3, 0};
  p.find();
  EXPECT_EQ(calc_contact_impulse(p.data, p.ball.index), (Vec3{0.5, 3, 0}));
  EXPECT_EQ(calc_contact_impulse(p.data, p.floor.index), (Vec3{-0.5, -3, 0}));
  EXPECT_EQ(p.data.contacts[0].impulse_W[0], sign * Vec3({0.5, 3, 0}));
}

TEST(ContactImpulses, MakeABounceAnEventWithItsStrength) {
  Pushed p;
  p.data.touches.clear();
  const double sign = p.data.contacts[0].body_b == p.ball.index ? 1 : -1;
  p.data.contacts[0].impulse_W[0] = sign * Vec3{0.5, 3, 0};
  // far away again at the end of the step
  p.data.state[p.ball.index].x_WC.y = 1;
  update_proxies(p.data, p.ball.index);
  p.find();
  ASSERT_EQ(p.data.contacts.size(), 0u);
  ASSERT_EQ(p.data.ended.size(), 1u);
  EXPECT_EQ(p.data.ended[0].impulse_W[0], sign * Vec3({0.5, 3, 0}));
  ASSERT_EQ(p.data.events.size(), 1u);
  EXPECT_EQ(p.data.events[0].kind, EventKind::kContactBegin);
  EXPECT_EQ(p.data.events[0].impulse, 3);
  EXPECT_EQ(p.data.events[0].value, 0);
  p.find();
  EXPECT_TRUE(p.data.ended.empty());
  ASSERT_EQ(p.data.events.size(), 1u);
  EXPECT_EQ(p.data.events[0].kind, EventKind::kContactEnd);
  EXPECT_EQ(p.data.events[0].impulse, 0);
  EXPECT_EQ(calc_contact_impulse(p.data, p.ball.index), Vec3{});
}

}  // namespace
}  // namespace tenon
