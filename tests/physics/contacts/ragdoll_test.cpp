// Ragdolls that are thrown to the floor: hinges with limits, ball joints with cone and twist. What
// falls on limbs presses them against their limits, and nothing of that may open a joint, pass a
// limit or make energy.
#include "tenon/engine/joints/swing_twist.h"
#include "tenon/tests/effort.h"
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

constexpr auto kTwist = static_cast<size_t>(JointAxis::kRx);

// A frame whose x axis is along `axis`.
Quat along(const Vec3& axis) { return shortest_arc({1, 0, 0}, axis); }

// 21 bones and 20 joints; measures in a frame with z from the feet to the head.
struct Ragdoll {
  World& world;
  MaterialId material;
  Pose X_WR;
  std::vector<BodyHandle> bones;

  size_t add(const Shape& shape, double mass, const Vec3& p, const Quat& q = {}) {
    BodyDef def = make_solid(shape, mass, {}, material);
    def.X_WB = X_WR * Pose{p, q};
    bones.push_back(add_body(world, def));
    return bones.size() - 1;
  }
  size_t box(const Vec3& p, const Vec3& half, double mass) { return add(Box{half}, mass, p); }
  size_t limb(const Vec3& p, double radius, double half, double mass) {
    return add(Capsule{radius, half}, mass, p, shortest_arc({0, 1, 0}, {0, 0, 1}));
  }
  JointDef join(JointKind kind, size_t a, size_t b, const Vec3& p, const Vec3& axis) {
    return make_joint(world, kind, bones[a], bones[b], X_WR * Pose{p, along(axis)});
  }
  void ball(size_t a, size_t b, const Vec3& p, const Vec3& axis, double swing, double twist) {
    JointDef def = join(JointKind::kPoint, a, b, p, axis);
    def.swing_max = swing;
    def.axes[kTwist].min = -twist;
    def.axes[kTwist].max = twist;
    add_joint(world, def);
  }
  void hinge(size_t a, size_t b, const Vec3& p, double min, double max) {
    JointDef def = join(JointKind::kHinge, a, b, p, {0, 1, 0});
    def.axes[kTwist].min = min;
    def.axes[kTwist].max = max;
    add_joint(world, def);
  }
  void build();
  void build_side(double s, size_t pelvis, size_t chest);
};

void Ragdoll::build() {
  const Vec3 up{0, 0, 1};
  const size_t pelvis = box({0, 0, 1.00}, {.09, .15, .07}, 10);
  const size_t belly = box({0, 0, 1.14}, {.08, .13, .06}, 8);
  const size_t chest = box({0, 0, 1.34}, {.10, .15, .12}, 16);
  const size_t neck = limb({0, 0, 1.51}, .04, .01, 1);
  const size_t head = limb({0, 0, 1.67}, .09, .03, 4.5);
  ball(pelvis, belly, {0, 0, 1.075}, up, .4, .4);
  ball(belly, chest, {0, 0, 1.21}, up, .4, .4);
  ball(chest, neck, {0, 0, 1.465}, up, .5, .6);
  ball(neck, head, {0, 0, 1.555}, up, .5, .6);
  for (const double s : {-1.0, 1.0}) build_side(s, pelvis, chest);
}

void Ragdoll::build_side(double s, size_t pelvis, size_t chest) {
  const Vec3 down{0, 0, -1};
  const size_t collar = add(Capsule{.03, .05}, 1.5, {0, s * .14, 1.43});
  const size_t arm = limb({0, s * .22, 1.27}, .045, .11, 2.2);
  const size_t forearm = limb({0, s * .22, .985}, .035, .10, 1.2);
  const size_t hand = box({0, s * .22, .77}, {.04, .015, .07}, .4);
  ball(chest, collar, {0, s * .06, 1.43}, {0, s, 0}, .3, .2);
  ball(collar, arm, {0, s * .22, 1.43}, down, 1.4, .8);
  hinge(arm, forearm, {0, s * .22, 1.115}, -2.4, .05);
  ball(forearm, hand, {0, s * .22, .845}, down, .7, .5);
  const size_t thigh = limb({0, s * .09, .72}, .065, .14, 8);
  const size_t shin = limb({0, s * .09, .30}, .045, .15, 3.5);
  const size_t foot = box({.04, s * .09, .05}, {.09, .04, .035}, .9);
  const size_t toes = box({.165, s * .09, .035}, {.03, .04, .02}, .2);
  ball(pelvis, thigh, {0, s * .09, .93}, down, 1.0, .5);
  hinge(thigh, shin, {0, s * .09, .505}, -.05, 2.4);
  ball(shin, foot, {0, s * .09, .10}, down, .5, .3);
  hinge(foot, toes, {.133, s * .09, .035}, -.6, .6);
}

Quat any_rotation(Rng& rng) {
  const Vec3 axis = normalized(random_vec(rng, 1), {0, 1, 0});
  return exp_map(rng.uniform(0, 2 * kPi) * axis);
}

// Two of them, one above the other, from up to 10 m, tumbling.
void add_drop(World& world, uint64_t seed) {
  Rng rng(seed);
  const MaterialId skin = add_surface(world, {.friction = 0.5});
  add_floor(world, skin);
  const double height = rng.uniform(1.5, 8);
  for (int i = 0; i < 2; ++i) {
    const Quat q = any_rotation(rng);
    const Vec3 p{rng.uniform(-.3, .3), height + 2.0 * i, rng.uniform(-.3, .3)};
    Ragdoll doll{world, skin, {p - rotate(q, {0, 0, 1}), q}, {}};
    doll.build();
    // as a rigid body would: joints and limits fit
    const Vec3 w = random_vec(rng, 3), v = random_vec(rng, 2);
    for (const BodyHandle b : doll.bones) {
      ASSERT_TRUE(world.set_angular_velocity(b, w).ok());
      ASSERT_TRUE(world.set_velocity(b, v + cross(w, world.pose(b).p - p)).ok());
    }
  }
}

TEST(Ragdolls, KeepTheirJointsAndLimitsInAnyDrop) {
  double unsolved = 0;
  for (uint64_t seed = 1; seed <= effort(20u, 2u); ++seed) {
    World world = make_world(kFrame);
    add_drop(world, seed);
    const double scale = energy(world);
    double gap = 0, limit = 0, gain = 0, last = energy(world), fastest = 0, left = 0;
    for (int i = 0; i < 180; ++i) {
      world.step();
      const StepDiagnostics& d = world.diagnostics();
      gap = std::max(gap, d.joint_gap_rel);
      limit = std::max(limit, d.joint_angle_rad);
      gain = std::max(gain, energy(world) - last);
      fastest = std::max(fastest, top_speed(world));
      left = std::max(left, d.contact_residual);
      last = energy(world);
    }
    ASSERT_TRUE(all_finite(world)) << seed;
    // the tolerance; limits are asked for half a degree, and kept to it too
    EXPECT_LT(gap, 1e-6) << seed;
    EXPECT_LT(limit, 2e-6) << seed;
    // taking overlaps away lifts bodies a little
    EXPECT_LT(gain, 1e-3 * scale) << seed;
    // a fall from 10 m ends at 14 m/s; the tumbling adds 5 at the feet, a whip more at the hands
    EXPECT_LT(fastest, 40) << seed;
    unsolved += left / 20;
    // on the floor, and slow
    EXPECT_LT(kinetic(world), 0.05 * scale) << seed;
  }
  // limbs between floor and limit, at ten metres per second: what sweeps leave at worst
  report("ragdolls: rate left by the contacts, m/s, mean of the worst steps", unsolved, "1.2");
  EXPECT_LT(unsolved, 1.2);
}

}  // namespace
}  // namespace tenon::test
