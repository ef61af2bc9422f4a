// A joint that is set to a coordinate while time stands still. Where the joint is the only way from
// one part of the mechanism to the other, that part goes along as it is (forward kinematics,
// exact); where the mechanism closes, the displacement method leads the child [Faure1998,
// sec. 4.1].
#include <algorithm>
#include <cmath>
#include <set>

#include "tenon/engine/math/elementary.h"
#include "tenon/studio/session/timeline.h"

namespace tenon::studio {
namespace {

constexpr int kRounds = 12;       // until coordinate and wish agree
constexpr double kClose = 1e-10;  // m or rad: below what the scene's text keeps of a pose
constexpr double kPoseStride =
    0.2;  // m or rad at a time, so that a closed mechanism keeps its branch

// What pulls or yields, but ties nothing.
bool ties(const std::string& type) {
  static const std::set<std::string> soft{"spring", "damper", "shock absorber", "rope"};
  return !soft.contains(type);
}

// The bodies that hang on one without the joint; empty where the world, something fixed or the
// other body is among them.
std::vector<BodyHandle> find_side(const World& world, const Cast& cast, JointHandle without,
                                  BodyHandle from, BodyHandle other) {
  std::vector<BodyHandle> side{from};
  const auto moves = [&](BodyHandle b) {
    return world.contains(b) && world.motion(b) == MotionKind::kDynamic;
  };
  if (!moves(from)) return {};
  for (size_t next = 0; next < side.size(); ++next) {
    for (size_t i = 0; i < cast.joint_handles.size(); ++i) {
      const JointHandle joint = cast.joint_handles[i];
      if (joint == without || !world.contains(joint) || !ties(cast.joint_types[i])) continue;
      const JointDef& def = world.joint_def(joint);
      if (def.kind == JointKind::kGear) continue;
      const JointReading reading = world.read_joint(joint);
      if (!reading.enabled || reading.broken) continue;
      if (def.parent != side[next] && def.child != side[next]) continue;
      const BodyHandle end = def.parent == side[next] ? def.child : def.parent;
      if (end == other || !moves(end)) return {};
      if (std::find(side.begin(), side.end(), end) == side.end()) side.push_back(end);
    }
  }
  return side;
}

bool is_geared(const World& world, const Cast& cast, JointHandle joint) {
  return std::any_of(cast.joint_handles.begin(), cast.joint_handles.end(), [&](JointHandle j) {
    if (!world.contains(j)) return false;
    const JointDef& def = world.joint_def(j);
    return def.kind == JointKind::kGear && (def.first == joint || def.second == joint);
  });
}

Pose pose_of(const World& world, BodyHandle body) {
  return world.contains(body) ? world.pose(body) : Pose{};
}

// The pose of C in P after a coordinate has changed by delta (joint_def.h has their meaning).
Pose change(const JointDef& def, Pose J, JointAxis axis, double delta) {
  const auto turn = [&](const Vec3& u, double angle) { return from_axis_angle(u, angle); };
  const double per_turn = def.kind == JointKind::kScrew ? def.pitch / (2 * kPi) : 0;
  switch (axis) {
    case JointAxis::kX:
      if (def.kind == JointKind::kDistance) {
        J.p += delta * normalized(J.p, {1, 0, 0});
        break;
      }
      J.p.x += delta;
      if (per_turn != 0) J.q = J.q * turn({1, 0, 0}, delta / per_turn);
      break;
    case JointAxis::kY:
      J.p.y += delta;
      break;
    case JointAxis::kZ:
      J.p.z += delta;
      break;
    case JointAxis::kRx:
      J.q = def.kind == JointKind::kUniversal ? turn({1, 0, 0}, delta) * J.q
                                              : J.q * turn({1, 0, 0}, delta);
      J.p.x += per_turn * delta;
      break;
    case JointAxis::kRy:
      J.q = def.kind == JointKind::kUniversal ? J.q * turn({0, 1, 0}, delta)
                                              : turn({0, 1, 0}, delta) * J.q;
      break;
    case JointAxis::kRz:
      J.q = turn({0, 0, 1}, delta) * J.q;
      break;
  }
  J.q = normalized(J.q);
  return J;
}

Error no_freedom(const std::string& joint, const std::string& axis, uint8_t free_axes) {
  Error error{.message = "'" + joint + "' has no such freedom", .file = "axis", .value = axis};
  for (int k = 0; k < kJointAxisCount; ++k) {
    if ((free_axes >> k & 1) == 0) continue;
    error.accepted +=
        (error.accepted.empty() ? "" : ", ") + std::string(name(static_cast<JointAxis>(k)));
  }
  if (error.accepted.empty()) error.accepted = "a joint that leaves something free";
  return error;
}

}  // namespace

Status Timeline::begin_posing(int id, uint64_t step, const std::string& joint,
                              const std::string& axis) {
  if (Status s = go_to(id, step); !s) return s;
  const Take& take = this->take(owner(id, step));
  const auto& names = take.cast.joint_names;
  const auto k = static_cast<size_t>(std::find(names.begin(), names.end(), joint) - names.begin());
  if (k >= take.cast.joint_handles.size() || !world_->contains(take.cast.joint_handles[k]))
    return Error{.message = "there is no such joint", .file = "joint", .value = joint};
  const JointHandle handle = take.cast.joint_handles[k];
  const JointDef& def = world_->joint_def(handle);
  const JointReading reading = world_->read_joint(handle);
  int which = 0;
  while (which < kJointAxisCount && axis != name(static_cast<JointAxis>(which))) ++which;
  if (which == kJointAxisCount || (reading.free_axes >> which & 1) == 0)
    return no_freedom(joint, axis, reading.free_axes);
  Posing posing{handle,
                static_cast<JointAxis>(which),
                {},
                true,
                reading.coordinate[static_cast<size_t>(which)]};
  if (!is_geared(*world_, take.cast, handle)) {
    posing.side = find_side(*world_, take.cast, handle, def.child, def.parent);
    if (posing.side.empty()) {
      posing.side = find_side(*world_, take.cast, handle, def.parent, def.child);
      posing.of_child = false;
    }
  }
  Leading led{{}, take.id, step, {}, {}, false, {}, {}};
  if (posing.side.empty()) {
    posing.of_child =
        world_->contains(def.child) && world_->motion(def.child) == MotionKind::kDynamic;
    Result<DragHandle> drag =
        world_->begin_drag({.body = posing.of_child ? def.child : def.parent,
                            .point_B = posing.of_child ? def.X_BC.p : def.X_BP.p,
                            .orientation = true});
    if (!drag) return drag.error();
    led.drag = *drag;
  }
  for (const BodyHandle one : take.cast.handles) led.before.push_back(world_->pose(one));
  led.posing = std::move(posing);
  led_ = std::move(led);
  return Ok{};
}

Result<double> Timeline::set_joint(double wanted) {
  Posing& posing = *led_->posing;
  const JointDef& def = world_->joint_def(posing.joint);
  const auto axis = static_cast<size_t>(posing.axis);
  const double value = std::clamp(wanted, def.axes[axis].min, def.axes[axis].max);
  // readings count turns from the last step on, and none is made here
  const auto now = [&](double near) {
    const double x = world_->read_joint(posing.joint).coordinate[axis];
    return axis < 3 ? x : x - 2 * kPi * std::round((x - near) / (2 * kPi));
  };
  const bool closed = posing.side.empty();
  const int rounds =
      kRounds +
      (closed ? static_cast<int>(std::min(200.0, std::abs(value - posing.at) / kPoseStride)) : 0);
  for (int round = 0; round < rounds; ++round) {
    double delta = value - posing.at;
    if (std::abs(delta) < kClose) break;
    if (closed) delta = std::clamp(delta, -kPoseStride, kPoseStride);
    const Pose X_WP = pose_of(*world_, def.parent) * def.X_BP;
    const Pose X_WC = pose_of(*world_, def.child) * def.X_BC;
    const Pose J = change(def, inverse(X_WP) * X_WC, posing.axis, delta);
    const Pose X_WC_new = X_WP * J, X_WP_new = X_WC * inverse(J);
    if (closed) {
      const Pose X = posing.of_child ? X_WC_new * inverse(def.X_BC) : X_WP_new * inverse(def.X_BP);
      const Result<DragReport> report = world_->move_drag(
          *led_->drag, {(posing.of_child ? X_WC_new : X_WP_new).p, normalized(X.q)});
      if (!report) return report.error();
      posing.at = now(posing.at + delta);
      continue;
    }
    const Pose D = posing.of_child ? X_WC_new * inverse(X_WC) : X_WP_new * inverse(X_WP);
    for (const BodyHandle body : posing.side) {
      Pose X = D * world_->pose(body);
      X.q = normalized(X.q);
      if (Status s = world_->set_pose(body, X); !s) return s.error();
    }
    posing.at = now(posing.at + delta);
  }
  return posing.at;
}

}  // namespace tenon::studio
