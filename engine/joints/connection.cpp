#include "tenon/engine/joints/connection.h"

#include <cmath>
#include <string>

#include "tenon/engine/joints/detail/text.h"

namespace tenon {
namespace {

using detail::number_text;
using Kind = ConnectionKind;

Vec3 point_of(const Pose& X_WB, const Vec3& p_B) { return X_WB.p + rotate(X_WB.q, p_B); }

// m: shorter ones have no direction.
constexpr double kNoLength = 1e-9;

std::string with_article(Kind kind) { return std::string("a ") + name(kind); }

bool may_be_stiff(Kind kind) {
  return kind != Kind::kDamper && kind != Kind::kRigid && kind != Kind::kBall;
}

Status check_number(Kind kind, const char* what, double value, const char* unit) {
  if (value >= 0 && std::isfinite(value)) return Ok{};
  return Error{.message = std::string("the ") + what + " of " + with_article(kind) +
                          " must be finite and not negative",
               .value = number_text(value) + " " + unit,
               .accepted = "0 or more"};
}

Status check_ends(const ConnectionDef& def) {
  if (!def.a.valid() && !def.b.valid()) {
    return Error{.message = "the connection has no body: both of its ends are the world",
                 .accepted = "at least one body"};
  }
  if (def.a == def.b) return Error{.message = "a connection cannot connect a body with itself"};
  for (const Vec3& p : {def.point_a, def.point_b}) {
    if (!is_finite(p)) return Error{.message = "a point of the connection is not finite"};
  }
  return Ok{};
}

// What the kind needs, and what it has no use for.
Status check_values(const ConnectionDef& def) {
  const Kind kind = def.kind;
  const std::string who = with_article(kind);
  const auto refuse = [&](const char* what, double value, const std::string& accepted) -> Status {
    return Error{
        .message = who + " has no " + what, .value = number_text(value), .accepted = accepted};
  };
  const auto demand = [&](const char* what) -> Status {
    return Error{.message = who + " needs a " + what, .value = "0", .accepted = "more than 0"};
  };
  const bool needs_stiffness = kind == Kind::kSpring || kind == Kind::kShockAbsorber;
  const bool needs_damping = kind == Kind::kDamper || kind == Kind::kShockAbsorber;
  if (!may_be_stiff(kind) && def.stiffness > 0) return refuse("stiffness", def.stiffness, "0");
  if (needs_stiffness && !(def.stiffness > 0)) return demand("stiffness");
  if (needs_damping && !(def.damping > 0)) return demand("damping");
  const bool soft = def.stiffness > 0 || kind == Kind::kDamper;
  if (!soft && def.damping > 0) {
    return refuse("damping", def.damping, may_be_stiff(kind) ? "0, or a stiffness as well" : "0");
  }
  if (!soft && def.min_separation > 0) {
    return refuse("min_separation", def.min_separation,
                  may_be_stiff(kind) ? "0, or a stiffness as well" : "0");
  }
  if (kind == Kind::kRope && def.min_separation > 0) {
    return refuse("min_separation", def.min_separation, "0: it acts from its length on");
  }
  const bool has_length = kind != Kind::kDamper && kind != Kind::kRigid && kind != Kind::kBall;
  if (!has_length && def.length) return refuse("length", *def.length, "none");
  return Ok{};
}

Status check_connection(const ConnectionDef& def) {
  const auto kind = static_cast<int>(def.kind);
  if (kind >= kConnectionKindCount) {
    return Error{.message = "unknown kind of connection", .value = std::to_string(kind)};
  }
  if (Status s = check_ends(def); !s) return s;
  if (Status s = check_number(def.kind, "stiffness", def.stiffness, "N/m"); !s) return s;
  if (Status s = check_number(def.kind, "damping", def.damping, "N s/m"); !s) return s;
  if (Status s = check_number(def.kind, "min_separation", def.min_separation, "m"); !s) return s;
  if (Status s = check_number(def.kind, "length", def.length.value_or(0), "m"); !s) return s;
  return check_values(def);
}

// Frames of P and C, axes along the world's as the bodies stand; those of distances do not matter.
void set_frames(const ConnectionDef& def, const ConnectionEnd& parent, const ConnectionEnd& child,
                JointDef& joint) {
  joint.X_BP.q = conjugate(normalized(parent.X_WB.q));
  joint.X_BC.q = conjugate(normalized(child.X_WB.q));
  if (def.kind != Kind::kRigid) return;
  // as the bodies stand: C is where P is
  joint.X_BC.p = rotate(joint.X_BC.q, point_of(parent.X_WB, joint.X_BP.p) - child.X_WB.p);
}

// A law along the distance, or in all directions where there is no distance to go along.
void set_law(const ConnectionDef& def, double start, double length, JointDef& joint) {
  JointAxisDef law;
  law.stiffness = def.stiffness;
  law.damping = def.damping;
  law.rest = length;
  if (def.min_separation > 0) law.min_separation = def.min_separation;
  if (def.kind == Kind::kRope) law.min_separation = length;
  const bool no_direction = def.kind == Kind::kDamper ? start < kNoLength : length < kNoLength;
  if (!no_direction || def.min_separation > 0) {
    joint.kind = JointKind::kDistance;
    joint.axes[0] = law;
    return;
  }
  joint.kind = JointKind::kSixAxis;
  law.rest = 0;
  for (size_t k = 0; k < 3; ++k) joint.axes[k] = law;
}

// What keeps its length, or does not exceed it.
void set_length(const ConnectionDef& def, double length, JointDef& joint) {
  joint.kind = JointKind::kDistance;
  (def.kind == Kind::kRod ? joint.length : joint.axes[0].max) = length;
}

}  // namespace

const char* name(ConnectionKind kind) {
  constexpr const char* kNames[kConnectionKindCount] = {
      "spring", "damper", "rod", "shock absorber", "rope", "rigid connection", "ball"};
  const auto k = static_cast<int>(kind);
  return k < kConnectionKindCount ? kNames[k] : "unknown";
}

Result<JointDef> make_connection(const ConnectionDef& def, const ConnectionEnd& a,
                                 const ConnectionEnd& b) {
  if (Status s = check_connection(def); !s) return s.error();
  // the world is a parent and never a child; axes are on what can turn
  const bool swap = !def.b.valid() || (def.a.valid() && a.point_mass && !b.point_mass);
  const ConnectionEnd &parent = swap ? b : a, &child = swap ? a : b;
  JointDef joint;
  joint.parent = swap ? def.b : def.a;
  joint.child = swap ? def.a : def.b;
  joint.X_BP.p = swap ? def.point_b : def.point_a;
  joint.X_BC.p = swap ? def.point_a : def.point_b;
  set_frames(def, parent, child, joint);

  const double start =
      norm(point_of(child.X_WB, joint.X_BC.p) - point_of(parent.X_WB, joint.X_BP.p));
  const double length = def.length.value_or(start);
  const bool soft = def.stiffness > 0 || def.kind == Kind::kDamper;
  if ((def.kind == Kind::kRope || (def.kind == Kind::kRod && !soft)) && length < kNoLength) {
    return Error{.message = with_article(def.kind) + " needs a length",
                 .value = number_text(length) + " m",
                 .accepted = "more than 0, or points apart; a ball keeps two points together"};
  }
  if (def.kind == Kind::kRigid || def.kind == Kind::kBall) {
    joint.kind = def.kind == Kind::kRigid ? JointKind::kRigid : JointKind::kPoint;
  } else if (soft) {
    set_law(def, start, length, joint);
  } else {
    set_length(def, length, joint);
  }
  joint.break_force = def.break_force;
  joint.break_time = def.break_time;
  joint.enabled = def.enabled;
  const bool apart = def.kind == Kind::kRigid || def.kind == Kind::kBall;
  joint.bodies_collide = def.bodies_collide.value_or(!apart);
  return joint;
}

}  // namespace tenon
