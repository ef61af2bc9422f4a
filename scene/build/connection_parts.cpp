#include "tenon/scene/build/connection_parts.h"

namespace tenon::scene {
namespace {

static_assert(static_cast<int>(ConnectionType::kBall) == static_cast<int>(ConnectionKind::kBall));
static_assert(static_cast<int>(ConnectionType::kRope) == static_cast<int>(ConnectionKind::kRope));

// A point of the scene in the frame of a body.
Vec3 in_frame(const Pose& X_WB, const Vec3& p_W) { return rotate(conjugate(X_WB.q), p_W - X_WB.p); }
Vec3 in_scene(const Pose& X_WB, const Vec3& p_B) { return X_WB.p + rotate(X_WB.q, p_B); }

}  // namespace

ConnectionDef make_connection_def(const Connection& c, const JointEnd& a, const JointEnd& b) {
  ConnectionDef def;
  def.kind = static_cast<ConnectionKind>(c.type);
  def.a = a.body;
  def.b = b.body;
  // places in the scene; an end without one is where the other is, or at the body's origin
  std::optional<Vec3> at = c.at, to = c.to;
  if (c.point_a) at = in_scene(a.X_WB, *c.point_a);
  if (c.point_b) to = in_scene(b.X_WB, *c.point_b);
  const bool together = c.type == ConnectionType::kRigid || c.type == ConnectionType::kBall;
  if (together && !at && !to) to = b.X_WB.p;
  if (together && !at) at = to;
  if (together && !to) to = at;
  def.point_a = c.point_a ? *c.point_a : in_frame(a.X_WB, at.value_or(a.X_WB.p));
  def.point_b = c.point_b ? *c.point_b : in_frame(b.X_WB, to.value_or(b.X_WB.p));
  def.stiffness = c.stiffness;
  def.damping = c.damping;
  def.length = c.length;
  def.min_separation = c.min_separation;
  def.break_force = c.break_force.value_or(def.break_force);
  def.break_time = c.break_time;
  def.enabled = c.enabled;
  def.bodies_collide = c.bodies_collide;
  return def;
}

}  // namespace tenon::scene
