// Bodies that follow a script until they are released.
#include <cmath>

#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon {
namespace {

constexpr double kStep = 1.0 / 64;  // exact in binary, so that times are

WorldSettings settings_of(const Vec3& gravity = {0, -9.81, 0}) {
  WorldSettings s;
  s.step = kStep;
  s.gravity = gravity;
  return s;
}

// Straight along x with 2 m/s, turning about z with 3 rad/s.
BodyDef make_thrown(double release, const Vec3& start = {}) {
  BodyDef def = test::make_box({});
  def.motion = MotionKind::kKinematic;
  def.script.start = {start, {}};
  def.script.velocity = {2, 1, 0};
  def.script.angular_velocity = {0, 0, 3};
  def.release = release;
  return def;
}

// A box whose mass centre is away from its origin.
BodyDef with_offset(BodyDef def, const Vec3& com) {
  def.colliders[0].X_BS.p = com;
  return def;
}

void step(World& world, int count) {
  for (int i = 0; i < count; ++i) world.step();
}

TEST(Release, AThrownBodyFliesOnLikeOneThatWasThrownByHand) {
  World world = test::make_world(settings_of()), other = test::make_world(settings_of());
  const Vec3 com{0.3, 0.1, -0.2};
  const BodyHandle body = *world.create_body(with_offset(make_thrown(0.5), com));
  step(world, 32);
  EXPECT_EQ(world.motion(body), MotionKind::kKinematic);
  EXPECT_TRUE(world.events().empty());
  const Pose at = world.pose(body);
  // what a rigid body in that motion has
  BodyDef free = with_offset(test::make_box({}), com);
  free.X_WB = at;
  free.velocity = Vec3{2, 1, 0} + cross(Vec3{0, 0, 3}, rotate(at.q, com));
  free.angular_velocity = {0, 0, 3};
  const BodyHandle twin = *other.create_body(free);
  world.step();
  ASSERT_EQ(world.events().size(), 1u);
  EXPECT_EQ(world.events()[0].kind, EventKind::kBodyReleased);
  EXPECT_EQ(world.events()[0].a, body);
  EXPECT_EQ(world.motion(body), MotionKind::kDynamic);
  EXPECT_EQ(world.mass(body).mass, other.mass(twin).mass);
  step(world, 31);
  step(other, 32);
  // round-off of a second of flight
  EXPECT_LT(norm(world.pose(body).p - other.pose(twin).p), 1e-12);
  EXPECT_LT(norm(log_map(world.pose(body).q * conjugate(other.pose(twin).q))), 1e-12);
  EXPECT_LT(norm(world.velocity(body) - other.velocity(twin)), 1e-12);
}

TEST(Release, HappensInTheFirstStepThatBeginsThenOrLater) {
  World world = test::make_world(settings_of());
  const BodyHandle body = *world.create_body(make_thrown(0.5 * kStep));
  world.step();
  EXPECT_EQ(world.motion(body), MotionKind::kKinematic);
  world.step();
  EXPECT_EQ(world.motion(body), MotionKind::kDynamic);
  EXPECT_EQ(world.release_time(body), 0.5 * kStep);
}

TEST(Release, TakesTheVelocityThatLedToTheKeyNotTheHoldAfterIt) {
  for (const double release : {0.5, 0.25}) {
    World world = test::make_world(settings_of({}));
    BodyDef def = test::make_box({});
    def.motion = MotionKind::kKinematic;
    def.script.kind = KinematicMotion::Kind::kKeyframes;
    def.script.keys = {{0, {}}, {0.25, {{1, 0, 0}, {}}}, {0.5, {{1, 2, 0}, {}}}};
    def.release = release;
    const BodyHandle body = *world.create_body(def);
    step(world, 33);
    const Vec3 expected = release == 0.5 ? Vec3{0, 8, 0} : Vec3{4, 0, 0};
    EXPECT_LT(norm(world.velocity(body) - expected), 1e-12);
  }
}

TEST(Release, NothingPushesTheBodyBefore) {
  World world = test::make_world(settings_of());
  BodyDef floor = test::make_box({0, -1, 0}, {10, 0.7, 10});
  floor.motion = MotionKind::kStatic;
  ASSERT_TRUE(world.create_body(floor).ok());
  BodyDef held = test::make_box({});
  held.motion = MotionKind::kKinematic;
  held.script.start = {{0, 2, 0}, {}};
  held.release = 1.0;
  const BodyHandle shelf = *world.create_body(held);
  const BodyHandle parcel = *world.create_body(test::make_box({0, 2.6, 0}));
  step(world, 64);
  EXPECT_EQ(world.pose(shelf).p, (Vec3{0, 2, 0}));
  EXPECT_NEAR(world.pose(parcel).p.y, 2.6, 1e-3);  // it lies on the shelf, to a contact's slack
  EXPECT_TRUE(world.asleep(parcel) || norm(world.velocity(parcel)) < 1e-6);
  // the shelf goes, the parcel wakes and falls with it
  step(world, 16);
  EXPECT_NEAR(world.pose(shelf).p.y, 2 - 0.5 * 9.81 * 0.0625, 0.02);
  EXPECT_LT(world.pose(parcel).p.y, 2.45);
  step(world, 300);
  EXPECT_NEAR(world.pose(shelf).p.y, 0, 5e-3);  // half its height above the floor at -0.3
}

// Two bodies on a hinge, both scripted at first: a pendulum that is carried and let go.
struct Carried {
  World world;
  BodyHandle upper, lower;
  JointHandle hinge, pin;
};
Carried make_carried(double release_upper, double release_lower, WorldSettings settings) {
  Carried c{test::make_world(settings), {}, {}, {}, {}};
  BodyDef upper = with_offset(test::make_box({}, {0.1, 0.5, 0.1}), {0, -0.5, 0});
  upper.motion = MotionKind::kKinematic;
  upper.script.start.q = exp_map({0, 0, 0.4});
  upper.release = release_upper;
  BodyDef lower = upper;
  lower.script.start.p = rotate(upper.script.start.q, Vec3{0, -1, 0});
  lower.release = release_lower;
  c.upper = *c.world.create_body(upper);
  c.lower = *c.world.create_body(lower);
  JointDef pin;
  pin.kind = JointKind::kHinge;
  pin.child = c.upper;
  pin.X_BP.q = pin.X_BC.q = exp_map({0, 1.5707963267948966, 0});
  c.pin = *c.world.create_joint(pin);
  JointDef hinge = pin;
  hinge.parent = c.upper;
  hinge.child = c.lower;
  hinge.X_BP.p = {0, -1, 0};
  c.hinge = *c.world.create_joint(hinge);
  return c;
}

TEST(Release, JointsOfScriptedBodiesRestUntilOneIsReleased) {
  Carried c = make_carried(0.5, 0.25, settings_of());
  step(c.world, 16);
  EXPECT_EQ(norm(c.world.read_joint(c.hinge).force), 0);
  EXPECT_TRUE(c.world.calc_mobility().empty());
  // the lower one hangs on the upper one, which is still held
  step(c.world, 16);
  EXPECT_EQ(c.world.motion(c.lower), MotionKind::kDynamic);
  EXPECT_EQ(c.world.motion(c.upper), MotionKind::kKinematic);
  EXPECT_GT(norm(c.world.read_joint(c.hinge).force), 1);
  EXPECT_EQ(norm(c.world.read_joint(c.pin).force), 0);
  for (int i = 0; i < 200; ++i) {
    c.world.step();
    ASSERT_LT(c.world.diagnostics().joint_gap_rel, 1e-6);  // the tolerance
  }
  EXPECT_GT(norm(c.world.read_joint(c.pin).force), 1);
  EXPECT_GT(norm(c.world.velocity(c.upper)), 0);
}

TEST(Release, EnergyThatScriptsBringInIsBookedAndKept) {
  for (const Method method : {Method::kImpulse, Method::kForce}) {
    WorldSettings settings = settings_of();
    settings.method = method;
    Carried c = make_carried(0.25, 0.25, settings);
    step(c.world, 17);
    const auto balance = [&] {
      const StepDiagnostics& d = c.world.diagnostics();
      return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
    };
    // all there is came from outside; 600 J at 1e-6, what a step of 1/64 s conserves
    EXPECT_NEAR(balance(), 0, 6e-4);
    step(c.world, 100);
    EXPECT_NEAR(balance(), 0, 6e-4);
  }
}

TEST(Release, SavedStatesContinueWithTheSameBitsBeforeAndAfter) {
  for (const int method : {0, 1, 2, 3}) {
    WorldSettings settings = settings_of();
    if (method == 1) settings.method = Method::kForce;
    if (method == 2) settings.joint_solver = JointSolver::kSweep;
    if (method == 3) settings.method = Method::kDisplacement;
    Carried a = make_carried(0.5, 0.25, settings), b = make_carried(0.5, 0.25, settings);
    std::vector<std::vector<std::byte>> states;
    std::vector<uint64_t> hashes;
    for (int i = 0; i < 48; ++i) {
      states.push_back(a.world.save_state());
      hashes.push_back(a.world.state_hash());
      a.world.step();
    }
    // forwards and backwards over both releases
    for (const size_t from : {40u, 20u, 8u, 33u, 16u, 32u}) {
      ASSERT_TRUE(b.world.load_state(states[from]).ok());
      EXPECT_EQ(b.world.motion(b.lower), from > 16 ? MotionKind::kDynamic : MotionKind::kKinematic);
      for (size_t i = from; i < hashes.size(); ++i) {
        ASSERT_EQ(b.world.state_hash(), hashes[i]) << "method " << method << " step " << i;
        b.world.step();
      }
      EXPECT_EQ(b.world.state_hash(), a.world.state_hash());
    }
  }
}

TEST(Release, ADamagedStateChangesNothing) {
  Carried a = make_carried(0.5, 0.25, settings_of());
  step(a.world, 20);
  std::vector<std::byte> bytes = a.world.save_state();
  Carried b = make_carried(0.5, 0.25, settings_of());
  const uint64_t before = b.world.state_hash();
  bytes.resize(bytes.size() - 3);
  EXPECT_FALSE(b.world.load_state(bytes).ok());
  EXPECT_EQ(b.world.state_hash(), before);
  EXPECT_EQ(b.world.motion(b.lower), MotionKind::kKinematic);
}

TEST(Release, SnapshotsGoBackBeforeIt) {
  Carried c = make_carried(0.25, 0.25, settings_of());
  step(c.world, 8);
  const Snapshot snapshot = c.world.snapshot();
  step(c.world, 30);
  const uint64_t after = c.world.state_hash();
  c.world.restore(snapshot);
  EXPECT_EQ(c.world.motion(c.upper), MotionKind::kKinematic);
  step(c.world, 30);
  EXPECT_EQ(c.world.state_hash(), after);
}

TEST(Release, MayComeEarlierByCall) {
  World world = test::make_world(settings_of());
  const BodyHandle body = *world.create_body(make_thrown(100));
  step(world, 16);
  ASSERT_TRUE(world.release(body).ok());
  EXPECT_EQ(world.motion(body), MotionKind::kDynamic);
  EXPECT_NEAR(norm(world.velocity(body) - Vec3{2, 1, 0}), 0, 1e-12);
  EXPECT_FALSE(world.release(body).ok());
  const BodyHandle box = *world.create_body(test::make_box({5, 0, 0}));
  EXPECT_FALSE(world.release(box).ok());
  EXPECT_EQ(world.release_time(box), std::nullopt);
}

TEST(Release, ForcesActFromItOnAndOnTheMassCentre) {
  World world = test::make_world(settings_of({}));
  BodyDef def = with_offset(test::make_box({}), {0, 0.5, 0});
  def.motion = MotionKind::kKinematic;
  def.release = 0.25;
  const BodyHandle body = *world.create_body(def);
  TimedForceDef push;
  push.body = body;
  push.point = Vec3{0, 0.5, 0};
  push.force = {10, 0, 0};
  ASSERT_TRUE(world.add_force(push).ok());
  step(world, 16);
  EXPECT_EQ(world.velocity(body), Vec3{});
  step(world, 64);
  EXPECT_NEAR(world.velocity(body).x, 10 / world.mass(body).mass, 1e-12);
  EXPECT_LT(norm(world.angular_velocity(body)), 1e-12);  // no lever
}

TEST(Release, AskingForItOfOtherBodiesIsRefused) {
  World world = test::make_world();
  BodyDef box = test::make_box({});
  box.release = 1.0;
  EXPECT_FALSE(world.create_body(box).ok());
  BodyDef thrown = make_thrown(std::nan(""));
  EXPECT_FALSE(world.create_body(thrown).ok());
  BodyDef plane = make_thrown(1);
  plane.colliders = {{Plane{}, {}, 0, 1000}};
  EXPECT_FALSE(world.create_body(plane).ok());
  // a joint between bodies that are scripted for ever holds nothing, ever
  BodyDef scripted = make_thrown(1);
  scripted.release.reset();
  JointDef joint;
  joint.parent = *world.create_body(scripted);
  joint.child = *world.create_body(scripted);
  EXPECT_FALSE(world.create_joint(joint).ok());
}

}  // namespace
}  // namespace tenon
