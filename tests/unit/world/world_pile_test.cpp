// Piles in the middle of their fall: saved states, snapshots, threads, order of creation.
#include <algorithm>
#include <numeric>

#include "tenon/tests/effort.h"
#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon {
namespace {

constexpr int kBodies = 40, kPairs = 6;

BodyDef make_static(const Shape& shape, const Vec3& p) {
  BodyDef def;
  def.motion = MotionKind::kStatic;
  def.colliders = {{shape, {}, 0, 1000}};
  def.X_WB.p = p;
  return def;
}

// A bin of 3 m x 3 m with a one-way shelf and a sensor in it, and a wall that sweeps through.
void add_bin(World& world) {
  ASSERT_TRUE(world.create_body(make_static(Plane{}, {})).ok());
  for (const double side : {-1.0, 1.0}) {
    ASSERT_TRUE(world.create_body(make_static(Box{{0.1, 2, 1.7}}, {1.6 * side, 2, 0})).ok());
    ASSERT_TRUE(world.create_body(make_static(Box{{1.5, 2, 0.1}}, {0, 2, 1.6 * side})).ok());
  }
  BodyDef shelf = make_static(Box{{0.5, 0.05, 0.5}}, {0.7, 1, 0.7});
  shelf.one_way = {0, 1, 0};
  ASSERT_TRUE(world.create_body(shelf).ok());
  BodyDef gate = make_static(Box{{0.5, 0.5, 0.5}}, {0, 0.5, 0});
  gate.colliders[0].sensor = true;
  ASSERT_TRUE(world.create_body(gate).ok());
  BodyDef pusher = make_static(Box{{0.1, 0.4, 1.4}}, {});
  pusher.motion = MotionKind::kKinematic;
  pusher.script.kind = KinematicMotion::Kind::kKeyframes;
  pusher.script.interpolation = KinematicMotion::Interpolation::kSmooth;
  pusher.script.keys = {{0, {{-1.35, 0.45, 0}, {}}}, {1.5, {{0.2, 0.45, 0}, {}}}};
  ASSERT_TRUE(world.create_body(pusher).ok());
}

// What falls into it: shapes of all kinds, some of them two by two on hinges with stops, in the
// order given.
void add_bodies(World& world, const std::vector<int>& order) {
  std::vector<BodyDef> defs;
  Rng rng(11);
  for (int i = 0; i < kBodies; ++i) {
    BodyDef def;
    def.colliders = {{test::any_shape(rng), {}, 0, 1000}};
    if (i % 7 == 0) def.colliders.push_back({Sphere{0.15}, {{0.2, 0.1, 0}, {}}, 0, 500});
    const int column = i % 9;
    def.X_WB.p = {0.9 * (column % 3 - 1) + rng.uniform(-0.1, 0.1), 1.5 + 0.9 * (i / 9),
                  0.9 * (column / 3 - 1) + rng.uniform(-0.1, 0.1)};
    def.X_WB.q = exp_map({rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
    defs.push_back(def);
  }
  std::vector<BodyHandle> made(kBodies);
  for (const int i : order) {
    made[static_cast<size_t>(i)] = *world.create_body(defs[static_cast<size_t>(i)]);
  }
  for (size_t i = 0; i < kPairs; ++i) {
    const size_t a = 3 * i, b = 3 * i + 1;
    JointDef joint;
    joint.kind = JointKind::kHinge;
    joint.parent = made[a];
    joint.child = made[b];
    const Vec3 middle = 0.5 * (defs[a].X_WB.p + defs[b].X_WB.p);
    joint.X_BP = {rotate(conjugate(defs[a].X_WB.q), middle - defs[a].X_WB.p),
                  conjugate(defs[a].X_WB.q)};
    joint.X_BC = {rotate(conjugate(defs[b].X_WB.q), middle - defs[b].X_WB.p),
                  conjugate(defs[b].X_WB.q)};
    auto& axis = joint.axes[static_cast<size_t>(JointAxis::kRx)];
    axis.min = -0.5;
    axis.max = 0.5;
    ASSERT_TRUE(world.create_joint(joint).ok());
  }
}

std::vector<int> in_order() {
  std::vector<int> order(kBodies);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

World make_pile(const WorldSettings& settings, const std::vector<int>& order = in_order()) {
  World world = test::make_world(settings);
  add_bin(world);
  add_bodies(world, order);
  return world;
}
World make_pile(int threads) { return make_pile({.threads = threads}); }

void expect_same(const Contact& a, const Contact& b) {
  EXPECT_EQ(a.collider_a, b.collider_a);
  EXPECT_EQ(a.collider_b, b.collider_b);
  EXPECT_EQ(a.body_a, b.body_a);
  EXPECT_EQ(a.body_b, b.body_b);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.acts, b.acts);
  EXPECT_EQ(a.slip_W, b.slip_W);
  EXPECT_EQ(a.rub_W, b.rub_W);
  EXPECT_EQ(a.roll_W, b.roll_W);
  EXPECT_EQ(a.spin, b.spin);
  EXPECT_EQ(a.manifold.normal_W, b.manifold.normal_W);
  EXPECT_EQ(a.manifold.distance, b.manifold.distance);
  ASSERT_EQ(a.manifold.count, b.manifold.count);
  for (size_t k = 0; k < static_cast<size_t>(a.manifold.count); ++k) {
    EXPECT_EQ(a.manifold.points[k].p_W, b.manifold.points[k].p_W);
    EXPECT_EQ(a.manifold.points[k].distance, b.manifold.points[k].distance);
    EXPECT_EQ(a.manifold.points[k].feature, b.manifold.points[k].feature);
    EXPECT_EQ(a.impulse_W[k], b.impulse_W[k]);
    EXPECT_EQ(a.holding[k], b.holding[k]);
  }
}

void expect_same(std::span<const Contact> a, std::span<const Contact> b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) expect_same(a[i], b[i]);
}

// What the last step says, besides the state: contacts, forces, diagnostics.
void expect_same_reports(const World& a, const World& b) {
  expect_same(a.contacts(), b.contacts());
  expect_same(a.ended_contacts(), b.ended_contacts());
  for (const BodyHandle body : a.bodies()) {
    EXPECT_EQ(a.contact_force(body), b.contact_force(body));
  }
  const StepDiagnostics &da = a.diagnostics(), &db = b.diagnostics();
  EXPECT_EQ(da.contacts, db.contacts);
  EXPECT_EQ(da.contact_pairs, db.contact_pairs);
  EXPECT_EQ(da.penetration_m, db.penetration_m);
  EXPECT_EQ(da.work_J, db.work_J);
  EXPECT_EQ(da.contact_work_J, db.contact_work_J);
  EXPECT_EQ(da.mechanics.kinetic_J, db.mechanics.kinetic_J);
}

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step();
}

void expect_same_future(World& a, World& b, int steps) {
  for (int i = 0; i < steps; ++i) {
    a.step();
    b.step();
    ASSERT_EQ(a.state_hash(), b.state_hash()) << "step " << i;
    ASSERT_EQ(a.events().size(), b.events().size()) << "step " << i;
    ASSERT_EQ(a.diagnostics().contact_work_J, b.diagnostics().contact_work_J) << "step " << i;
  }
}

TEST(SavedPile, ContinuesWithTheSameBits) {
  World world = make_pile(1);
  run(world, 75);
  ASSERT_GT(world.diagnostics().contacts, 30u);
  ASSERT_LT(world.diagnostics().contact_work_J, 0);
  World fresh = make_pile(1);
  ASSERT_TRUE(fresh.load_state(world.save_state()).ok());
  EXPECT_EQ(fresh.state_hash(), world.state_hash());
  expect_same_reports(world, fresh);
  expect_same_future(world, fresh, 60);
  expect_same_reports(world, fresh);
}

void expect_same_from_every_step(const WorldSettings& settings, int steps) {
  World world = make_pile(settings), fresh = make_pile(settings);
  for (int i = 0; i < steps; ++i) {
    ASSERT_TRUE(fresh.load_state(world.save_state()).ok());
    fresh.step();
    world.step();
    ASSERT_EQ(fresh.state_hash(), world.state_hash()) << "step " << i;
  }
  EXPECT_GT(world.diagnostics().contacts, 20u);
}

TEST(SavedPile, ContinuesFromEveryStep) {
  // overlaps taken away, bounces and new contacts come in some steps only
  expect_same_from_every_step({}, 100);
}

TEST(SavedPile, ContinuesFromEveryStepWithRattle) {
  expect_same_from_every_step({.integration = Integration::kRattle}, 60);
}

TEST(SavedPile, ContinuesFromEveryStepWithSweeps) {
  expect_same_from_every_step({.joint_solver = JointSolver::kSweep}, 60);
}

TEST(SavedPile, EditedBeforeItWasSavedContinuesAsWell) {
  World world = make_pile(1);
  run(world, 75);
  const BodyHandle body = world.bodies().back();
  Pose moved = world.pose(body);
  moved.p.y += 0.02;
  ASSERT_TRUE(world.set_pose(body, moved).ok());
  World fresh = make_pile(1);
  ASSERT_TRUE(fresh.load_state(world.save_state()).ok());
  expect_same_future(world, fresh, 10);
}

TEST(SavedPile, DamagedAnywhereIsRefusedOrGoesOn) {
  World world = make_pile(1);
  run(world, 75);
  const std::vector<std::byte> saved = world.save_state();
  const uint64_t before = world.state_hash();
  // contacts are the last part; sizes before them must not be trusted either
  for (size_t length = saved.size() - 3000; length < saved.size(); length += 7) {
    ASSERT_FALSE(world.load_state(std::span(saved).first(length)).ok()) << length;
  }
  EXPECT_EQ(world.state_hash(), before);
  Rng rng(3);
  int refused = 0;
  World fresh = make_pile(1);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::byte> damaged = saved;
    const size_t tail = saved.size() / 2;
    damaged[tail + rng.below(static_cast<uint32_t>(saved.size() - tail))] =
        static_cast<std::byte>(rng.below(256));
    if (!fresh.load_state(damaged).ok()) {
      ++refused;
      continue;
    }
    fresh.step();
    for (const BodyHandle b : fresh.bodies()) ASSERT_TRUE(is_finite(fresh.pose(b).p));
  }
  EXPECT_GT(refused, 10);
}

TEST(SnapshotOfAPile, RestoresToTheSameFuture) {
  World world = make_pile(1);
  run(world, 75);
  const Snapshot snapshot = world.snapshot();
  World other = test::make_world();
  other.restore(snapshot);
  expect_same_reports(world, other);
  expect_same_future(world, other, 60);
  other.restore(snapshot);
  world.restore(snapshot);
  expect_same_future(world, other, 5);
}

TEST(ThreadsOfAPile, DoNotChangeABit) {
  World one = make_pile(1), two = make_pile(2), three = make_pile(3);
  for (int i = 0; i < 90; ++i) {
    one.step();
    two.step();
    three.step();
    ASSERT_EQ(one.state_hash(), two.state_hash()) << "step " << i;
    ASSERT_EQ(one.state_hash(), three.state_hash()) << "step " << i;
  }
  expect_same_reports(one, two);
}

TEST(KinematicBodies, AreMetWhereTheyAreNotWhereTheyWillBe) {
  // An edit has contacts found at the begin of the step. The pusher is 0.08 m away then and comes
  // by 0.05 m per step: nothing may be touched, however often the ball is put back.
  WorldSettings s;
  s.gravity = {};
  World world = test::make_world(s);
  BodyDef pusher = make_static(Box{{0.5, 0.5, 0.5}}, {});
  pusher.motion = MotionKind::kKinematic;
  pusher.script.velocity = {3, 0, 0};
  ASSERT_TRUE(world.create_body(pusher).ok());
  BodyDef ball;
  ball.colliders = {{Sphere{0.2}, {}, 0, 1000}};
  ball.X_WB.p = {0.78, 0, 0};
  const BodyHandle body = *world.create_body(ball);
  for (int i = 1; i <= 20; ++i) {
    world.step();
    EXPECT_EQ(world.contact_force(body), Vec3{}) << i;
    EXPECT_EQ(world.velocity(body), Vec3{}) << i;
    ASSERT_TRUE(world.set_pose(body, {{0.78 + 0.05 * i, 0, 0}, {}}).ok());
  }
}

// -- another order of creation: other bits, the same pile

struct Settled {
  double height = 0, kinetic_J = 0, penetration_m = 0;
};

Settled settle(const std::vector<int>& order) {
  World world = make_pile(WorldSettings{}, order);
  run(world, 240);
  Settled s;
  double mass = 0;
  for (const BodyHandle b : world.bodies()) {
    mass += world.mass(b).mass;
    s.height += world.mass(b).mass * world.center_of_mass(b).y;
  }
  s.height /= mass;
  s.kinetic_J = world.diagnostics().mechanics.kinetic_J / mass;
  s.penetration_m = world.diagnostics().penetration_m;
  return s;
}

// A pile falls in one of many ways; its centre of mass is about as high in all of them, and that of
// the first order is one among the others.
TEST(OrderOfCreation, ChangesBitsButNotThePile) {
  if (test::kShortTests)
    GTEST_SKIP() << "a mean of whole runs; other tests here drop the same pile";
  constexpr int kOrders = 5;
  std::vector<Settled> all;
  Rng rng(5);
  std::vector<int> order = in_order();
  double mean = 0, square = 0;
  for (int round = 0; round <= kOrders; ++round) {
    all.push_back(settle(order));
    for (size_t i = order.size() - 1; i > 0; --i) {
      std::swap(order[i], order[rng.below(static_cast<uint32_t>(i + 1))]);
    }
    if (round == 0) continue;
    mean += all.back().height / kOrders;
    square += all.back().height * all.back().height / kOrders;
  }
  const double spread = std::sqrt(square - mean * mean);
  RecordProperty("spread_percent", std::to_string(100 * spread / mean));
  EXPECT_LT(spread, 0.1 * mean);
  EXPECT_NEAR(all[0].height, mean, 3 * spread);
  for (const Settled& s : all) EXPECT_LT(s.penetration_m, 0.01);
}

}  // namespace
}  // namespace tenon
