#include "tenon/scene/build/joint_parts.h"

#include "tenon/engine/joints/black_boxes/black_boxes.h"

namespace tenon::scene {
namespace {

static_assert(static_cast<int>(JointType::kBlackBox) == static_cast<int>(JointKind::kBlackBox));
static_assert(static_cast<int>(JointType::kUniversal) == static_cast<int>(JointKind::kUniversal));
static_assert(static_cast<int>(JointAxis::kRz) == static_cast<int>(tenon::JointAxis::kRz));
static_assert(kJointAxes == kJointAxisCount);

// Axes along the given directions; y is made orthogonal to x.
Quat calc_axes(const Vec3& axis, const std::optional<Vec3>& axis2) {
  const Vec3 x = normalized(axis);
  const Vec3 hint = axis2 ? normalized(*axis2) : any_orthogonal(x);
  const Vec3 y = normalized(hint - dot(hint, x) * x);
  return to_quat(Mat3::from_columns(x, y, cross(x, y)));
}

Pose to_pose(const JointFrame& f) {
  if (f.axis) return {f.position, calc_axes(*f.axis, f.axis2)};
  return {f.position, f.orientation.value_or(Quat{})};
}

Pose relative(const Pose& X_WB, const Pose& X_WF) {
  Pose X = inverse(X_WB) * X_WF;
  X.q = normalized(X.q);
  return X;
}

Motor make_motor(const JointMotor& m) {
  Motor motor;
  motor.kind = m.force      ? Motor::Kind::kForce
               : m.velocity ? Motor::Kind::kVelocity
                            : Motor::Kind::kPosition;
  motor.target = m.force ? *m.force : m.velocity ? *m.velocity : m.position.value_or(0);
  motor.max_force = m.max.value_or(kInfinity);
  motor.frequency_hz = m.frequency;
  motor.damping_ratio = m.damping_ratio;
  return motor;
}

JointAxisDef make_axis(const JointLaw& law) {
  JointAxisDef axis;
  if (law.limits) axis.min = law.limits->min.value_or(-kInfinity);
  if (law.limits) axis.max = law.limits->max.value_or(kInfinity);
  axis.restitution = law.restitution;
  axis.friction = law.friction;
  if (law.spring) {
    axis.stiffness = law.spring->stiffness;
    axis.damping = law.spring->damping;
    axis.rest = law.spring->rest;
  }
  if (law.motor) axis.motor = make_motor(*law.motor);
  return axis;
}

struct MakeBlackBox {
  using Made = Result<std::shared_ptr<const BlackBox>>;
  Made operator()(const SpiralCamBox& c) const {
    return make_spiral_cam(
        {c.start_radius, c.pitch, c.turns, static_cast<SpiralCam::Guide>(c.guide)});
  }
  Made operator()(const ShoulderBox& s) const { return make_reach_cone({s.about_y, s.about_z}); }
  Made operator()(const EllipsoidMagnetBox& m) const {
    return make_ellipsoid_magnet({0.5 * m.size});
  }
  Made operator()(const TorusMagnetBox& m) const {
    return make_torus_magnet({m.ring_radius, m.tube_radius});
  }
};

}  // namespace

JointFrames calc_frames(const Joint& j, const JointEnd& parent, const JointEnd& child) {
  JointFrames frames;
  if (j.parent_frame || j.child_frame) {
    if (j.parent_frame) frames.X_BP = to_pose(*j.parent_frame);
    if (j.child_frame) frames.X_BC = to_pose(*j.child_frame);
    // the one that is not given coincides with the other now
    if (!j.parent_frame) frames.X_BP = relative(parent.X_WB, child.X_WB * frames.X_BC);
    if (!j.child_frame) frames.X_BC = relative(child.X_WB, parent.X_WB * frames.X_BP);
    return frames;
  }
  const bool rod = j.type == JointType::kDistance;
  const Vec3 at = j.at.value_or(rod ? parent.X_WB.p : j.to.value_or(child.X_WB.p));
  const Vec3 to = j.to.value_or(rod ? child.X_WB.p : at);
  const Quat q = j.axis ? calc_axes(*j.axis, j.axis2) : Quat{};
  frames.X_BP = relative(parent.X_WB, {at, q});
  frames.X_BC = relative(child.X_WB, {to, q});
  return frames;
}

Result<JointDef> make_joint_def(const Joint& j, const JointEnd& parent, const JointEnd& child,
                                const std::map<std::string, JointHandle>& joints) {
  JointDef def;
  def.kind = static_cast<JointKind>(j.type);
  if (j.type == JointType::kGear) {
    const auto first = joints.find(j.first.name), second = joints.find(j.second.name);
    if (first == joints.end() || second == joints.end()) {
      return Error{.message = "the gear's joint is not there",
                   .value = first == joints.end() ? j.first.name : j.second.name};
    }
    def.first = first->second;
    def.second = second->second;
    def.first_axis = static_cast<tenon::JointAxis>(j.first_axis.value_or(JointAxis::kRx));
    def.second_axis = static_cast<tenon::JointAxis>(j.second_axis.value_or(JointAxis::kRx));
    def.ratio = j.ratio;
  } else {
    def.parent = parent.body;
    def.child = child.body;
    const JointFrames frames = calc_frames(j, parent, child);
    def.X_BP = frames.X_BP;
    def.X_BC = frames.X_BC;
  }
  for (size_t i = 0; i < def.axes.size(); ++i) def.axes[i] = make_axis(j.laws[i]);
  for (const JointAxis axis : j.locked) def.locked[static_cast<size_t>(axis)] = true;
  if (j.black_box) {
    auto made = std::visit(MakeBlackBox{}, *j.black_box);
    if (!made) return made.error();
    def.black_box = *made;
  }
  def.swing_max = j.swing.value_or(kInfinity);
  def.length = j.length.value_or(0);
  def.pitch = j.pitch.value_or(0);
  def.break_force = j.break_force.value_or(kInfinity);
  def.break_torque = j.break_torque.value_or(kInfinity);
  def.break_time = j.break_time;
  def.enabled = j.enabled;
  def.bodies_collide = j.bodies_collide;
  return def;
}

Result<JointRuleDef> make_rule_def(const Rule& rule, const std::map<std::string, JointEnd>& ends) {
  JointRuleDef def;
  const Result<JointDef> joint = make_joint_def(rule.joint, {}, {}, {});
  if (!joint) return joint.error();
  def.joint = *joint;
  std::string unknown;
  const auto find = [&](const Reference& reference) {
    if (reference.name == kWorldName) return BodyHandle{};
    const auto found = ends.find(reference.name);
    if (found == ends.end()) unknown = reference.name;
    return found == ends.end() ? BodyHandle{} : found->second.body;
  };
  for (const RuleAnchor& a : rule.parents) def.parents.push_back({find(a.body), to_pose(a.frame)});
  for (const RuleAnchor& a : rule.children) {
    def.children.push_back({find(a.body), to_pose(a.frame)});
  }
  if (rule.zone) {
    def.zone =
        tenon::RuleZone{find(rule.zone->body), rule.zone->point, normalized(rule.zone->normal)};
  }
  if (!unknown.empty()) return Error{.message = "unknown body", .value = unknown};
  def.attach_distance = rule.attach_distance;
  def.snap = rule.snap;
  def.at_closest = rule.at_closest;
  def.one_per_parent = rule.one_per_parent;
  def.one_per_child = rule.one_per_child;
  def.max_distance = rule.max_distance.value_or(kInfinity);
  def.max_force = rule.max_force.value_or(kInfinity);
  def.max_torque = rule.max_torque.value_or(kInfinity);
  def.max_time = rule.max_time.value_or(kInfinity);
  def.load_time = rule.load_time;
  def.release_neighbours = rule.release_neighbours;
  def.rest_time = rule.rest_time;
  return def;
}

}  // namespace tenon::scene
