// Mechanisms for the tests of the sweep, and a projection of the few joints they use.
#pragma once

#include <algorithm>
#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/solve_articulated/sweep.h"

namespace tenon::test {

inline const Vec3 kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

inline double hinge_angle(const Quat& q) {
  const double angle = 2 * tenon::atan2(q.x, q.w);
  return angle > kPi ? angle - 2 * kPi : (angle < -kPi ? angle + 2 * kPi : angle);
}
// A coordinate within its limits, and which way a limit pushes.
inline double within(double c, const JointAxisDef& axis) {
  return std::clamp(c, axis.min, axis.max);
}
inline int pushes(double c, const JointAxisDef& axis) {
  return c < axis.min ? 1 : (c > axis.max ? -1 : 0);
}

// Point, hinge, slider and rigid joints; a six-axis joint stands for "orientation held, position
// free".
inline Pose nearest(const JointModel& joint, const JointState&, const Pose& X) {
  switch (joint.kind) {
    case JointKind::kPoint:
      return {{}, X.q};
    case JointKind::kHinge:
      return {{}, from_axis_angle(kAxes[0], within(hinge_angle(X.q), joint.axes[3]))};
    case JointKind::kSlider:
      return {{within(X.p.x, joint.axes[0]), 0, 0}, {}};
    case JointKind::kSixAxis:
      return {X.p, {}};
    default:
      return {};
  }
}
inline SweepRows held(const JointModel& joint, const JointState&, const Pose& X) {
  SweepRows rows;
  const JointKind kind = joint.kind;
  const auto add = [&](const Vec3& f, const Vec3& t, int sense) {
    rows.row[static_cast<size_t>(rows.count)] = {f, t, sense, rows.count};
    ++rows.count;
  };
  const int first_l = kind == JointKind::kSixAxis ? 3 : (kind == JointKind::kSlider ? 1 : 0);
  for (int k = first_l; k < 3; ++k) add(kAxes[k], {}, 0);
  const int first_a = kind == JointKind::kPoint ? 3 : (kind == JointKind::kHinge ? 1 : 0);
  for (int k = first_a; k < 3; ++k) add({}, kAxes[k], 0);
  if (kind == JointKind::kSlider) {
    const int push = pushes(X.p.x, joint.axes[0]);
    if (push != 0) add(kAxes[0], {}, push);
  } else if (kind == JointKind::kHinge) {
    const int push = pushes(hinge_angle(X.q), joint.axes[3]);
    if (push != 0) add({}, kAxes[0], push);
  }
  return rows;
}

inline JointModel make_joint(JointKind kind, uint32_t parent, uint32_t child, const Vec3& rP,
                             const Vec3& rC) {
  JointModel joint;
  joint.kind = kind;
  joint.pairs[0].parent = parent;
  joint.pairs[0].child = child;
  joint.pairs[0].rP_B = rP;
  joint.pairs[0].rC_B = rC;
  return joint;
}

inline Mat3 box_inertia(double mass, const Vec3& edges) {
  const Vec3 s = cwise_mul(edges, edges);
  return Mat3::diagonal((mass / 12) * Vec3{s.y + s.z, s.z + s.x, s.x + s.y});
}

// Bodies and joints with everything a step needs; gravity is applied by step().
struct Rig {
  std::vector<BodyState> states;
  std::vector<BodyMass> masses;
  std::vector<uint8_t> infinite;
  std::vector<Pose> ends;
  std::vector<JointModel> joints;
  std::vector<uint32_t> body_slots, joint_slots;
  std::vector<SweepImpulse> impulses;
  std::vector<JointState> joint_states;  // empty: not kept
  JointProjection projection{&nearest, &held};
  Vec3 gravity;
  double link = 1;  // m, what errors are measured by
  SweepWork work;

  uint32_t add_body(double mass, const Mat3& I_B, const Vec3& x, const Quat& q = {}) {
    const uint32_t slot = static_cast<uint32_t>(states.size());
    states.push_back({x, q, {}, {}, {}});
    masses.push_back(mass > 0 ? make_body_mass(mass, {}, I_B) : BodyMass{});
    infinite.push_back(mass > 0 ? 0 : 1);
    ends.push_back({x, q});
    if (mass > 0) body_slots.push_back(slot);
    return slot;
  }
  void add_joint(const JointModel& joint) {
    joint_slots.push_back(static_cast<uint32_t>(joints.size()));
    joints.push_back(joint);
    impulses.emplace_back();
  }
  void set_velocity(uint32_t slot, const Vec3& v, const Vec3& w) {
    BodyState& s = states[slot];
    s.v_WC = v;
    s.w_WB = w;
    s.L_W = angular_momentum(s.q_WB, masses[slot].I_B, w);
  }
  SweepMechanism mechanism() {
    return {states,     masses,      infinite,     ends,      joints,
            body_slots, joint_slots, joint_states, projection};
  }
  void prepare() { prepare_sweep(mechanism(), work); }
  SweepResult step(double h, const SweepSettings& settings) {
    for (const uint32_t slot : body_slots) states[slot].v_WC += h * gravity;
    return sweep_step(mechanism(), h, settings, work, impulses);
  }
  double kinetic() const {
    double sum = 0;
    for (const uint32_t slot : body_slots) {
      const BodyState& s = states[slot];
      sum += 0.5 * masses[slot].mass * norm2(s.v_WC) + 0.5 * dot(s.w_WB, s.L_W);
    }
    return sum;
  }
  double energy() const {
    double sum = kinetic();
    for (const uint32_t slot : body_slots) {
      sum -= masses[slot].mass * dot(gravity, states[slot].x_WC);
    }
    return sum;
  }
};

// Links of 0.2 m and 1 kg, joined by balls, horizontal from the origin; the first one hangs on the
// world.
inline Rig make_chain(int links, double length = 0.2) {
  Rig rig;
  rig.gravity = {0, 0, -9.81};
  rig.link = length;
  const Vec3 half{0.5 * length, 0, 0};
  for (int i = 0; i < links; ++i) {
    const uint32_t slot =
        rig.add_body(1, box_inertia(1, length * Vec3{1, 0.2, 0.2}), {(i + 0.5) * length, 0, 0});
    rig.add_joint(make_joint(JointKind::kPoint, i == 0 ? kWorldBody : slot - 1, slot,
                             i == 0 ? Vec3{} : half, -half));
  }
  return rig;
}

// n x n meshes of rods between small cubes, joined by balls, slack, hung up at its four corners.
// 15: 256 cubes and 480 rods, 960 joints.
inline Rig make_net(int n) {
  Rig rig;
  rig.gravity = {0, 0, -9.81};
  const double e = 0.03, l = 0.14, up = 0.03, spacing = std::sqrt(l * l - 4 * up * up) + 2 * e;
  rig.link = l + 2 * e;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const bool corner = (i == 0 || i == n) && (j == 0 || j == n);
      rig.add_body(corner ? 0 : 0.1, box_inertia(0.1, 2 * e * Vec3{1, 1, 1}),
                   {i * spacing, j * spacing, (i + j) % 2 == 1 ? up : -up});
    }
  }
  const auto node = [&](int i, int j) { return static_cast<uint32_t>(i * (n + 1) + j); };
  for (int k = 0; k < 2 * (n + 1) * (n + 1); ++k) {
    const int dir = k / ((n + 1) * (n + 1)), i = k / (n + 1) % (n + 1), j = k % (n + 1);
    const int i2 = i + (dir == 0), j2 = j + (dir == 1);
    if (i2 > n || j2 > n) continue;
    const Vec3 u = kAxes[dir];
    const Vec3 from = rig.states[node(i, j)].x_WC + e * u;
    const Vec3 to = rig.states[node(i2, j2)].x_WC - e * u;
    // the shortest turn from x to the rod
    const Vec3 d = normalized(to - from);
    const Quat q = normalized(Quat{1 + d.x, 0, -d.z, d.y});
    const uint32_t rod = rig.add_body(0.1, box_inertia(0.1, {l, 0.02, 0.02}), 0.5 * (from + to), q);
    rig.add_joint(make_joint(JointKind::kPoint, node(i, j), rod, e * u, {-0.5 * l, 0, 0}));
    rig.add_joint(make_joint(JointKind::kPoint, rod, node(i2, j2), {0.5 * l, 0, 0}, -e * u));
  }
  return rig;
}

inline Vec3 random_vec(Rng& rng, double size) {
  return {rng.uniform(-size, size), rng.uniform(-size, size), rng.uniform(-size, size)};
}
// The order of random numbers must not depend on the compiler's order of arguments.
inline void set_random_velocity(Rig& rig, uint32_t slot, Rng& rng, double v, double w) {
  const Vec3 linear = random_vec(rng, v);
  rig.set_velocity(slot, linear, random_vec(rng, w));
}

}  // namespace tenon::test
