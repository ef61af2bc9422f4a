// What a joint's definition must satisfy. Every refusal names the value and what would do.
#include <cmath>
#include <string>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/compile.h"
#include "tenon/engine/joints/detail/text.h"
#include "tenon/engine/joints/kinds/gear.h"
#include "tenon/engine/joints/kinds/kind.h"

namespace tenon {
namespace {

using detail::number_text;

// Beyond this many metres from its body a frame is a mistake, and its round-off a gap.
constexpr double kLargestOffset = 1e9;
// A cone narrower or wider than this has no direction to push in at its edge.
constexpr double kSmallestSwing = 0.001, kLargestSwing = kPi - 0.001;

Status check_not_negative(const std::string& what, double value) {
  if (value >= 0 && std::isfinite(value)) return Ok{};
  return Error{.message = what + " must be finite and not negative", .value = number_text(value)};
}

Status check_positive(const std::string& what, double value, bool may_be_infinite) {
  if (value > 0 && (may_be_infinite || std::isfinite(value))) return Ok{};
  return Error{.message = what + " must be positive" + (may_be_infinite ? "" : " and finite"),
               .value = number_text(value)};
}

Status check_frame(const char* which, const Pose& X) {
  const std::string place = std::string("frame ") + which + " of the joint";
  if (!is_finite(X)) return Error{.message = place + " is not finite"};
  if (!(norm(X.q) > 0)) {
    return Error{.message = place + " has a quaternion of length zero",
                 .accepted = "any other quaternion; (1, 0, 0, 0) does not turn"};
  }
  if (const double far = max_component(cwise_abs(X.p)); far > kLargestOffset) {
    return Error{.message = place + " is too far from its body",
                 .value = number_text(far) + " m",
                 .accepted = "up to " + number_text(kLargestOffset) + " m"};
  }
  return Ok{};
}

Status check_motor(const std::string& place, const Motor& m) {
  if (m.kind > Motor::Kind::kPosition) {
    return Error{.message = place + ": unknown kind of motor",
                 .value = std::to_string(static_cast<int>(m.kind))};
  }
  if (!std::isfinite(m.target)) {
    return Error{.message = place + ": the target of a motor must be finite",
                 .value = number_text(m.target)};
  }
  if (Status s = check_positive(place + ": max_force of a motor", m.max_force, true); !s) return s;
  if (Status s = check_positive(place + ": frequency_hz of a motor", m.frequency_hz, false); !s)
    return s;
  return check_not_negative(place + ": damping_ratio of a motor", m.damping_ratio);
}

Status check_axis(const std::string& place, const JointAxisDef& a) {
  // negated comparisons catch NaN as well
  if (!(a.min <= a.max) || a.min == kInfinity || a.max == -kInfinity) {
    return Error{.message = place + ": min must not be above max, nor infinite on the wrong side",
                 .value = number_text(a.min) + " ... " + number_text(a.max),
                 .accepted = "min <= max"};
  }
  if (!(a.restitution >= 0 && a.restitution <= 1)) {
    return Error{.message = place + ": restitution is out of range",
                 .value = number_text(a.restitution),
                 .accepted = "0 to 1"};
  }
  if (!std::isfinite(a.rest)) {
    return Error{.message = place + ": rest must be finite", .value = number_text(a.rest)};
  }
  if (!(a.min_separation < kInfinity)) {
    return Error{.message = place + ": min_separation must be a number",
                 .value = number_text(a.min_separation),
                 .accepted = "a length or an angle, or -infinity for none"};
  }
  if (Status s = check_not_negative(place + ": friction", a.friction); !s) return s;
  if (Status s = check_not_negative(place + ": stiffness", a.stiffness); !s) return s;
  if (Status s = check_not_negative(place + ": damping", a.damping); !s) return s;
  return check_motor(place, a.motor);
}

// Coordinates that do not reach everywhere: limits and targets beyond would silently do nothing.
Status check_range(const std::string& place, const JointAxisDef& a, RowForm form) {
  const bool goes_there = a.motor.kind == Motor::Kind::kPosition;
  if (form == RowForm::kTilt) {
    for (const double v : {a.min, a.max, goes_there ? a.motor.target : 0.0}) {
      if (std::isfinite(v) && !(std::fabs(v) <= kPi / 2)) {
        return Error{.message = place + ": a tilt stays between -pi/2 and pi/2",
                     .value = number_text(v) + " rad",
                     .accepted = "limits and targets in that range; swing_max for wider cones"};
      }
    }
  }
  if (form == RowForm::kDistance && (!(a.max > 0) || (goes_there && !(a.motor.target > 0)))) {
    return Error{.message = place + ": a distance is positive",
                 .value = number_text(!(a.max > 0) ? a.max : a.motor.target) + " m",
                 .accepted = "max and targets above 0"};
  }
  return Ok{};
}

Status check_axes(const JointDef& def, const JointModel& shape) {
  for (int k = 0; k < kJointAxisCount; ++k) {
    const auto axis = static_cast<JointAxis>(k);
    const JointAxisDef& a = def.axes[static_cast<size_t>(k)];
    const std::string place = std::string(name(def.kind)) + " joint, axis " + name(axis);
    if (Status s = check_axis(place, a); !s) return s;
    if (!a.has_law()) continue;
    if (!shape.is_free(axis)) {
      return Error{.message = place + " is not free: nothing can act along it",
                   .value = name(axis),
                   .accepted = detail::list_axes(shape.free_axes)};
    }
    if (Status s = check_range(place, a, coordinate_form(shape, axis).form); !s) return s;
  }
  if (def.kind == JointKind::kScrew && def.axes[0].has_law() && def.axes[3].has_law()) {
    return Error{
        .message = "a screw has one freedom, but both its x and its rx say what acts on it",
        .accepted = "limits, motor, friction and spring on one of the two"};
  }
  return Ok{};
}

Status check_swing(const JointDef& def) {
  if (def.swing_max == kInfinity) return Ok{};
  if (!(def.swing_max > kSmallestSwing && def.swing_max < kLargestSwing)) {
    return Error{.message = "swing_max is out of range",
                 .value = number_text(def.swing_max) + " rad",
                 .accepted = "0.001 to pi - 0.001, or infinity for no cone"};
  }
  if (def.kind != JointKind::kPoint && def.kind != JointKind::kBallInTube &&
      def.kind != JointKind::kPointOnPlane) {
    return Error{.message = std::string("a ") + name(def.kind) + " joint has no cone (swing_max)",
                 .accepted = "point, ball in tube, point on plane"};
  }
  return Ok{};
}

Status check_gear(const JointDef& def) {
  if (!def.first.valid() || !def.second.valid()) {
    return Error{.message = "a gear needs two joints (first, second)"};
  }
  if (def.first == def.second && def.first_axis == def.second_axis) {
    return Error{.message = "a gear cannot couple a freedom with itself"};
  }
  if (static_cast<int>(def.first_axis) >= kJointAxisCount ||
      static_cast<int>(def.second_axis) >= kJointAxisCount) {
    return Error{.message = "gear: unknown axis", .accepted = "x, y, z, rx, ry, rz"};
  }
  if (!std::isfinite(def.ratio) || def.ratio == 0) {
    return Error{.message = "the ratio of a gear must be finite and not zero",
                 .value = number_text(def.ratio)};
  }
  return Ok{};
}

Status check_black_box(const JointDef& def) {
  if (!def.black_box || !def.black_box->callable()) {
    return Error{.message = "a black box joint needs a function (black_box)"};
  }
  if (const int held = def.black_box->held(); held < 0 || held > 6) {
    return Error{.message = "a black box cannot hold that many freedoms",
                 .value = std::to_string(held),
                 .accepted = "1 to 6, or 0 to find out"};
  }
  return Ok{};
}

Status check_kind(const JointDef& def) {
  if (def.kind == JointKind::kGear) return check_gear(def);
  if (def.kind == JointKind::kBlackBox) return check_black_box(def);
  if (def.kind == JointKind::kScrew && !std::isfinite(def.pitch)) {
    return Error{.message = "the pitch of a screw must be finite", .value = number_text(def.pitch)};
  }
  if (def.kind == JointKind::kDistance) {
    if (Status s = check_not_negative("the length of a rod", def.length); !s) return s;
    if (def.length > 0 && def.axes[0].has_law()) {
      return Error{.message = "a rod of fixed length has no limits, spring or motor on x",
                   .value = number_text(def.length) + " m",
                   .accepted = "either a length, or something that acts along x"};
    }
  }
  return Ok{};
}

Status check_bodies(const JointDef& def) {
  if (def.kind == JointKind::kGear) return Ok{};
  if (!def.child.valid()) {
    return Error{.message = "a joint needs a child body; only the parent may be the world"};
  }
  if (def.parent == def.child) return Error{.message = "a joint cannot join a body to itself"};
  if (Status s = check_frame("P (X_BP)", def.X_BP); !s) return s;
  return check_frame("C (X_BC)", def.X_BC);
}

}  // namespace

namespace detail {

std::string list_axes(uint8_t free_axes) {
  std::string text;
  for (int k = 0; k < kJointAxisCount; ++k) {
    if ((free_axes >> k & 1) == 0) continue;
    if (!text.empty()) text += ", ";
    text += name(static_cast<JointAxis>(k));
  }
  return text.empty() ? "no axis: this joint has no coordinate that is free" : text;
}

}  // namespace detail

Status check_joint(const JointDef& def) {
  if (static_cast<int>(def.kind) >= kJointKindCount) {
    return Error{.message = "unknown kind of joint",
                 .value = std::to_string(static_cast<int>(def.kind))};
  }
  if (Status s = check_bodies(def); !s) return s;
  if (Status s = check_kind(def); !s) return s;
  JointModel shape;
  shape.kind = def.kind;
  shape.free_axes = detail::make_kind(def, 1).free_axes;
  if (Status s = check_axes(def, shape); !s) return s;
  if (Status s = check_swing(def); !s) return s;
  if (Status s = check_positive("break_force", def.break_force, true); !s) return s;
  if (Status s = check_positive("break_torque", def.break_torque, true); !s) return s;
  return check_positive("break_time", def.break_time, false);
}

}  // namespace tenon
