// A mechanism as a list of bodies and joints, so that it can be built in any order.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {

inline constexpr int kGround = -1;

struct PlannedJoint {
  JointKind kind;
  int parent, child;  // bodies of the plan; kGround: the world
  Pose X_WJ;
};

struct Plan {
  std::vector<BodyDef> bodies;
  std::vector<PlannedJoint> joints;

  int add(const BodyDef& body) {
    bodies.push_back(body);
    return static_cast<int>(bodies.size()) - 1;
  }
  void add(JointKind kind, int parent, int child, const Vec3& p_W) {
    joints.push_back({kind, parent, child, {p_W, axis_along_z()}});
  }
};

// Handles by the plan's numbers.
struct Built {
  std::vector<BodyHandle> bodies;
  std::vector<JointHandle> joints;
};

template <class T>
std::vector<T> shuffled(std::vector<T> list, Rng& rng) {
  for (size_t i = list.size(); i > 1; --i) {
    std::swap(list[i - 1], list[rng.below(static_cast<uint32_t>(i))]);
  }
  return list;
}

// seed 0: in the plan's order.
inline Built build(World& world, const Plan& plan, uint64_t seed = 0) {
  std::vector<size_t> bodies(plan.bodies.size()), joints(plan.joints.size());
  std::iota(bodies.begin(), bodies.end(), size_t{0});
  std::iota(joints.begin(), joints.end(), size_t{0});
  Rng rng(seed);
  if (seed != 0) {
    bodies = shuffled(bodies, rng);
    joints = shuffled(joints, rng);
  }
  Built built;
  built.bodies.resize(plan.bodies.size());
  built.joints.resize(plan.joints.size());
  for (const size_t i : bodies) built.bodies[i] = add_body(world, plan.bodies[i]);
  for (const size_t i : joints) {
    const PlannedJoint& j = plan.joints[i];
    const auto body = [&](int k) {
      return k == kGround ? BodyHandle{} : built.bodies[static_cast<size_t>(k)];
    };
    built.joints[i] =
        add_joint(world, make_joint(world, j.kind, body(j.parent), body(j.child), j.X_WJ));
  }
  return built;
}

// A chain along +x that starts at `from` and hangs from the world; balls and hinges in turn.
inline void plan_chain(Plan& plan, int links, double length, const Vec3& from, bool mixed) {
  int last = kGround;
  for (int i = 0; i < links; ++i) {
    const Vec3 p = from + Vec3{i * length, 0, 0};
    const int rod = plan.add(make_rod(1, length, p));
    plan.add(mixed && i % 2 == 1 ? JointKind::kHinge : JointKind::kPoint, last, rod, p);
    last = rod;
  }
}

// A four-bar with its feet at `from`, pushed to the side.
inline void plan_four_bar(Plan& plan, const Vec3& from) {
  std::vector<int> cranks;
  for (int i = 0; i < 2; ++i) {
    const Vec3 foot = from + Vec3{1.0 * i, 0, 0};
    BodyDef crank = make_rod(1, 1, foot, 0.5 * kPi);
    crank.velocity = {0.5, 0, 0};
    crank.angular_velocity = {0, 0, -1};
    cranks.push_back(plan.add(crank));
    plan.add(JointKind::kHinge, kGround, cranks.back(), foot);
  }
  BodyDef coupler = make_rod(1, 1, from + Vec3{0, 1, 0});
  coupler.velocity = {1, 0, 0};
  const int bar = plan.add(coupler);
  plan.add(JointKind::kHinge, cranks[0], bar, from + Vec3{0, 1, 0});
  plan.add(JointKind::kHinge, bar, cranks[1], from + Vec3{1, 1, 0});
}

// Several mechanisms side by side.
inline Plan make_park() {
  Plan plan;
  plan_chain(plan, 12, 0.2, {0, 0, 0}, true);
  plan_four_bar(plan, {0, 0, 3});
  plan_chain(plan, 7, 0.3, {0, 1, 5}, false);
  plan_four_bar(plan, {0, 0, 7});
  return plan;
}

}  // namespace tenon::test
