// Small pieces from which tests build mechanisms: rods, hinges, balls, and what to measure on them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tenon/engine/world/world.h"

namespace tenon::test {

// Prints a figure beside its target, so that a run of the suite is a table of what is reached.
inline void report(const std::string& what, double value, const std::string& target) {
  std::printf("[ figure   ] %-58s %11.3e   (%s)\n", what.c_str(), value, target.c_str());
}

struct WorldOptions {
  Vec3 gravity{0, -9.81, 0};
  double tolerance = 1e-6;
  Integration integration = Integration::kStable;
  int threads = 1;
  bool sleeping = false;  // what is measured is awake
  Method method = Method::kImpulse;
  ForceSettings force = {};
};

inline World make_world(double step, const WorldOptions& options = {}) {
  WorldSettings settings;
  settings.step = step;
  settings.gravity = options.gravity;
  settings.tolerance = options.tolerance;
  settings.integration = options.integration;
  settings.threads = options.threads;
  settings.sleeping = options.sleeping;
  settings.method = options.method;
  settings.force = options.force;
  Result<World> world = World::make(settings);
  EXPECT_TRUE(world.ok());
  return std::move(*world);
}

// A body frame at the centre of mass.
inline BodyDef make_body(double mass, const Vec3& moments, const Vec3& center = {},
                         const Quat& q = {}) {
  BodyDef def;
  def.mass = MassProperties{mass, {}, Mat3::diagonal(moments)};
  def.X_WB = {center, q};
  return def;
}

// Thin uniform rod from p to p + length (cos angle, sin angle, 0), its own x axis along it. The
// axial moment of a thin rod is that of a radius of 1 % of the length: it plays no part in a plane.
inline BodyDef make_rod(double mass, double length, const Vec3& p, double angle = 0) {
  const double I = mass * length * length / 12;
  const Vec3 along{std::cos(angle), std::sin(angle), 0};
  return make_body(mass, {0.5e-4 * mass * length * length, I, I}, p + (0.5 * length) * along,
                   from_axis_angle({0, 0, 1}, angle));
}

// Turns a joint's x axis to the world's z axis.
inline Quat axis_along_z() { return from_axis_angle({0, 1, 0}, -0.5 * kPi); }
inline Quat axis_along_y() { return from_axis_angle({0, 0, 1}, 0.5 * kPi); }

inline JointDef make_joint(const World& world, JointKind kind, BodyHandle parent, BodyHandle child,
                           const Pose& X_WJ) {
  JointDef def;
  def.kind = kind;
  def.parent = parent;
  def.child = child;
  def.X_BP = parent.valid() ? inverse(world.pose(parent)) * X_WJ : X_WJ;
  def.X_BC = inverse(world.pose(child)) * X_WJ;
  return def;
}

inline BodyHandle add_body(World& world, const BodyDef& def) {
  Result<BodyHandle> body = world.create_body(def);
  EXPECT_TRUE(body.ok()) << (body.ok() ? "" : body.error().message);
  return *body;
}

inline JointHandle add_joint(World& world, const JointDef& def) {
  Result<JointHandle> joint = world.create_joint(def);
  EXPECT_TRUE(joint.ok()) << (joint.ok() ? "" : joint.error().message);
  return *joint;
}

inline JointHandle add_hinge_z(World& world, BodyHandle parent, BodyHandle child, const Vec3& p_W) {
  return add_joint(world,
                   make_joint(world, JointKind::kHinge, parent, child, {p_W, axis_along_z()}));
}

inline JointHandle add_ball(World& world, BodyHandle parent, BodyHandle child, const Vec3& p_W) {
  return add_joint(world, make_joint(world, JointKind::kPoint, parent, child, {p_W, {}}));
}

// A chain of rods along +x from the origin; the first end is held by the world.
inline std::vector<BodyHandle> add_chain(World& world, int links, double length, JointKind kind,
                                         double mass = 1, double last_mass = 1) {
  std::vector<BodyHandle> rods;
  for (int i = 0; i < links; ++i) {
    const Vec3 p{i * length, 0, 0};
    rods.push_back(add_body(world, make_rod(i + 1 == links ? last_mass : mass, length, p)));
    const BodyHandle parent = i > 0 ? rods[rods.size() - 2] : BodyHandle{};
    add_joint(world, make_joint(world, kind, parent, rods.back(), {p, axis_along_z()}));
  }
  return rods;
}

// A net of n x n cells: ball nodes and rods of the given length between them, all ball joints. It
// starts slightly folded up, held at its four corners, so that it drops and snaps taut.
inline std::vector<BodyHandle> add_net(World& world, int n, double length) {
  std::vector<BodyHandle> rods, nodes;
  const double spacing = 0.95 * length;
  const double fold = 0.5 * std::sqrt(length * length - spacing * spacing);
  const auto at = [&](int i, int j) {
    return Vec3{i * spacing, (i + j) % 2 == 0 ? fold : -fold, j * spacing};
  };
  const double I_node = 0.4 * 0.1 * 0.0025, I_rod = 0.2 * length * length / 12;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      nodes.push_back(add_body(world, make_body(0.1, {I_node, I_node, I_node}, at(i, j))));
    }
  }
  const auto node = [&](int i, int j) { return nodes[static_cast<size_t>(i * (n + 1) + j)]; };
  const auto add_rod = [&](int i, int j, int i2, int j2) {
    const Vec3 a = at(i, j), b = at(i2, j2), u = (1 / length) * (b - a);
    const Quat q = normalized(Quat{1 + u.x, 0, -u.z, u.y});  // turns x to u
    rods.push_back(add_body(world, make_body(0.2, {1e-3 * I_rod, I_rod, I_rod}, 0.5 * (a + b), q)));
    add_ball(world, node(i, j), rods.back(), a);
    add_ball(world, rods.back(), node(i2, j2), b);
  };
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      if (i < n) add_rod(i, j, i + 1, j);
      if (j < n) add_rod(i, j, i, j + 1);
    }
  }
  for (const int i : {0, n}) {
    for (const int j : {0, n}) add_ball(world, {}, node(i, j), at(i, j));
  }
  return rods;
}

// The N-four-bar of the IFToMM benchmark A02: n + 1 cranks of 1 m and 1 kg, upright on the x axis,
// n couplers between their upper ends, moving with 1 m/s along +x at the top.
struct FourBars {
  std::vector<BodyHandle> cranks, couplers;
  std::vector<JointHandle> ground;
};
inline FourBars add_four_bars(World& world, int n, JointKind kind = JointKind::kHinge,
                              int copies_of_first_coupler = 1) {
  FourBars m;
  const auto joint = [&](BodyHandle parent, BodyHandle child, const Vec3& p) {
    return add_joint(world, make_joint(world, kind, parent, child, {p, axis_along_z()}));
  };
  for (int i = 0; i <= n; ++i) {
    const Vec3 foot{1.0 * i, 0, 0};
    BodyDef crank = make_rod(1, 1, foot, 0.5 * kPi);
    crank.velocity = {0.5, 0, 0};
    crank.angular_velocity = {0, 0, -1};
    m.cranks.push_back(add_body(world, crank));
    m.ground.push_back(joint({}, m.cranks.back(), foot));
  }
  for (int i = 0; i < n; ++i) {
    const int copies = i == 0 ? copies_of_first_coupler : 1;
    for (int c = 0; c < copies; ++c) {
      const Vec3 a{1.0 * i, 1, 0}, b{1.0 * i + 1, 1, 0};
      BodyDef coupler = make_rod(1.0 / copies, 1, a);
      coupler.velocity = {1, 0, 0};
      m.couplers.push_back(add_body(world, coupler));
      joint(m.cranks[static_cast<size_t>(i)], m.couplers.back(), a);
      joint(m.couplers.back(), m.cranks[static_cast<size_t>(i) + 1], b);
    }
  }
  return m;
}

inline Vec3 point_of(const World& world, BodyHandle body, const Vec3& p_B) {
  const Pose X = world.pose(body);
  return X.p + rotate(X.q, p_B);
}

inline double energy(const World& world) {
  const Mechanics m = world.calc_mechanics();
  return m.kinetic_J + m.potential_J;
}

inline double angle_between(const Quat& a, const Quat& b) {
  return norm(log_map(a * conjugate(b)));
}

inline bool all_finite(const World& world) {
  for (const BodyHandle b : world.bodies()) {
    if (!is_finite(world.pose(b)) || !is_finite(world.velocity(b)) ||
        !is_finite(world.angular_velocity(b)) || world.frozen(b)) {
      return false;
    }
  }
  return true;
}

// Steps to (the multiple of the step nearest to) t.
inline void step_to(World& world, double t) {
  while (world.time() < t - 0.5 * world.settings().step) world.step();
}

// Largest joint errors over all steps.
struct JointErrors {
  double gap_m = 0, angle_rad = 0;
  void add(const World& world) {
    gap_m = std::max(gap_m, world.diagnostics().joint_gap_m);
    angle_rad = std::max(angle_rad, world.diagnostics().joint_angle_rad);
  }
};

// The slider-crank of case C2, driven by a constant torque.
struct SliderCrank {
  BodyHandle crank, rod, slider;
  JointHandle motor;
};
inline SliderCrank add_slider_crank(World& world) {
  SliderCrank s;
  s.crank = add_body(world, make_rod(0.2, 0.1, {}));
  s.rod = add_body(world, make_rod(0.2, 0.3, {0.1, 0, 0}));
  s.slider = add_body(world, make_body(0.4, {1e-4, 1e-4, 1e-4}, {0.4, 0, 0}));
  JointDef drive = make_joint(world, JointKind::kHinge, {}, s.crank, {{}, axis_along_z()});
  drive.axes[static_cast<size_t>(JointAxis::kRx)].motor = {.kind = Motor::Kind::kForce,
                                                           .target = 0.1};
  s.motor = add_joint(world, drive);
  add_hinge_z(world, s.crank, s.rod, {0.1, 0, 0});
  add_hinge_z(world, s.rod, s.slider, {0.4, 0, 0});
  add_joint(world, make_joint(world, JointKind::kSlider, {}, s.slider, {{0.4, 0, 0}, {}}));
  return s;
}

// The two boxes on ball joints of case B4; returns the second one.
inline BodyHandle add_ball_chain(World& world) {
  const Vec3 I{(0.01 + 0.0025) / 12, (0.25 + 0.0025) / 12, (0.25 + 0.01) / 12};
  BodyDef first = make_body(1, I, {0.25, 0, 0}), second = make_body(1, I, {0.75, 0, 0});
  first.angular_velocity = {1, 0, 2};
  first.velocity = {0, 0.5, 0};
  second.angular_velocity = {-3, 0, 0};
  second.velocity = {0, 1, 0};
  const BodyHandle a = add_body(world, first), b = add_body(world, second);
  add_ball(world, {}, a, {});
  add_ball(world, a, b, {0.5, 0, 0});
  return b;
}

// Energy and joint errors of a run.
struct EnergyRun {
  double gain = 0;  // largest rise of kinetic + potential - work in a step, of the scale
  double loss = 0;  // over the whole run, of the scale
  double gap_rel = 0, angle_rad = 0;
  uint32_t unconverged = 0, bisections = 0;
  bool finite = true;
};

// The scale is the largest kinetic energy of the run.
inline EnergyRun run(World& world, double seconds) {
  const auto balance = [&] { return energy(world) - world.diagnostics().work_J; };
  EnergyRun r;
  const double start = balance();
  double last = start, gain = 0, scale = 1e-9;
  while (world.time() < seconds - 0.5 * world.settings().step) {
    world.step();
    const double now = balance();
    gain = std::max(gain, now - last);
    last = now;
    scale = std::max(scale, world.calc_mechanics().kinetic_J);
    const StepDiagnostics& d = world.diagnostics();
    r.gap_rel = std::max(r.gap_rel, d.joint_gap_rel);
    r.angle_rad = std::max(r.angle_rad, d.joint_angle_rad);
    r.unconverged += d.unconverged_joints;
    r.bisections += d.bisections;
  }
  r.gain = gain / scale;
  r.loss = (start - last) / scale;
  r.finite = all_finite(world);
  return r;
}

}  // namespace tenon::test
