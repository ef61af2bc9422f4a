// Worlds that step by the method of the paper.
#pragma once

#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon::test {

inline WorldSettings faithful_settings(double step = 1.0 / 60, int sweeps = 9) {
  WorldSettings s;
  s.step = step;
  s.joint_solver = JointSolver::kSweep;
  s.sweeps = sweeps;
  return s;
}

inline MaterialId add_material(World& world, double restitution, double friction,
                               double rolling = 0, double spinning = 0) {
  SurfaceMaterial m;
  m.restitution = restitution;
  m.static_friction = m.sliding_friction = friction;
  m.rolling_friction = rolling;
  m.spinning_friction = spinning;
  const Result<MaterialId> id = world.add_material(m);
  EXPECT_TRUE(id.ok());
  return *id;
}

inline BodyHandle add(World& world, const BodyDef& def) {
  const Result<BodyHandle> body = world.create_body(def);
  EXPECT_TRUE(body.ok()) << (body.ok() ? "" : format(body.error()));
  return *body;
}

inline BodyHandle add_shape(World& world, const Shape& shape, const Pose& X_WB, MaterialId material,
                            MotionKind motion = MotionKind::kDynamic) {
  BodyDef def;
  def.motion = motion;
  def.colliders = {{shape, {}, material, 1000}};
  def.X_WB = X_WB;
  return add(world, def);
}

// A plane through the origin whose normal leans from y towards -x by `angle`.
inline BodyHandle add_ground(World& world, MaterialId material, double angle = 0) {
  return add_shape(world, Plane{}, {{}, from_axis_angle({0, 0, 1}, angle)}, material,
                   MotionKind::kStatic);
}

inline JointHandle join(World& world, JointKind kind, BodyHandle parent, BodyHandle child,
                        const Vec3& p_W, const Quat& q = {}) {
  JointDef def;
  def.kind = kind;
  def.parent = parent;
  def.child = child;
  def.X_BP = world.contains(parent) ? inverse(world.pose(parent)) * Pose{p_W, q} : Pose{p_W, q};
  def.X_BC = inverse(world.pose(child)) * Pose{p_W, q};
  const Result<JointHandle> joint = world.create_joint(def);
  EXPECT_TRUE(joint.ok()) << (joint.ok() ? "" : format(joint.error()));
  return *joint;
}

inline void run(World& world, double seconds) {
  const int steps = static_cast<int>(seconds / world.settings().step + 0.5);
  for (int i = 0; i < steps; ++i) world.step();
}

inline double energy(const World& world) {
  const StepDiagnostics& d = world.diagnostics();
  return d.mechanics.kinetic_J + d.mechanics.potential_J - d.work_J;
}
inline Vec3 momentum_balance(const World& world) {
  return world.diagnostics().mechanics.linear_momentum - world.diagnostics().linear_impulse;
}
inline Vec3 spin_balance(const World& world) {
  return world.diagnostics().mechanics.angular_momentum - world.diagnostics().angular_impulse;
}

}  // namespace tenon::test
