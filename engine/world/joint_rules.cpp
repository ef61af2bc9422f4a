#include "tenon/engine/world/joint_rules.h"

#include <charconv>
#include <cmath>
#include <string>

#include "tenon/engine/world/joints.h"

namespace tenon {
namespace {

// Smaller distances are round-off where bodies are some metres from the origin; larger ones are a
// mistake.
constexpr double kLeastDistance = 1e-9, kLargestDistance = 1e6;  // m
constexpr size_t kMaxRules = 100000, kMaxAnchors = 10000000;

std::string text(double value) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

Status check_positive(const char* what, double value) {
  if (value > 0) return Ok{};
  return Error{.message = std::string(what) + " of a joint rule must be positive",
               .value = text(value),
               .accepted = "a number above 0"};
}

Status check_numbers(const JointRuleDef& def) {
  if (!(def.attach_distance >= kLeastDistance && def.attach_distance <= kLargestDistance)) {
    return Error{.message = "the attach_distance of a joint rule is out of range",
                 .value = text(def.attach_distance) + " m",
                 .accepted = "1e-9 to 1e6 m"};
  }
  if (Status s = check_positive("max_distance", def.max_distance); !s) return s;
  if (Status s = check_positive("max_force", def.max_force); !s) return s;
  if (Status s = check_positive("max_torque", def.max_torque); !s) return s;
  if (Status s = check_positive("max_time", def.max_time); !s) return s;
  if (Status s = check_positive("load_time", def.load_time); !s) return s;
  if (!std::isfinite(def.load_time) || !(def.rest_time >= 0) || !std::isfinite(def.rest_time)) {
    const bool load = !std::isfinite(def.load_time);
    return Error{.message = std::string(load ? "load_time" : "rest_time") +
                            " of a joint rule must be finite and not negative",
                 .value = text(load ? def.load_time : def.rest_time)};
  }
  if (def.max_distance < def.attach_distance) {
    return Error{.message =
                     "a joint rule would release what it has just attached: its "
                     "max_distance is below its attach_distance",
                 .value = text(def.max_distance) + " m",
                 .accepted = "at least " + text(def.attach_distance) + " m"};
  }
  return Ok{};
}

Status check_anchors(const WorldData& data, const std::vector<RuleAnchor>& anchors,
                     bool are_children) {
  const std::string what = are_children ? "child" : "parent";
  if (anchors.empty()) return Error{.message = "a joint rule has no " + what + " anchors"};
  if (anchors.size() > kMaxAnchors) return Error{.message = "a joint rule has too many anchors"};
  for (size_t i = 0; i < anchors.size(); ++i) {
    const RuleAnchor& a = anchors[i];
    const std::string place = what + " anchor " + std::to_string(i) + " of a joint rule";
    if (are_children && !a.body.valid()) {
      return Error{.message = place + " is on the world",
                   .accepted = "a body; the world can be a parent"};
    }
    if (a.body.valid() && !data.body_slots.contains(a.body)) {
      return Error{.message = place + " is on a body that does not exist (any more)"};
    }
    if (!is_finite(a.X_BA) || !(norm(a.X_BA.q) > 0) ||
        max_component(cwise_abs(a.X_BA.p)) > kWorldRadius) {
      return Error{.message = place + " has a frame that is not finite, or too far away"};
    }
  }
  return Ok{};
}

Status check_zone(const WorldData& data, const RuleZone& zone) {
  if (zone.body.valid() && !data.body_slots.contains(zone.body)) {
    return Error{.message = "the zone of a joint rule is on a body that does not exist (any more)"};
  }
  if (!is_finite(zone.point) || !is_finite(zone.normal) || !(norm(zone.normal) > 0)) {
    return Error{.message = "the zone of a joint rule is not finite or has a normal of length zero",
                 .accepted = "a finite point and any direction"};
  }
  return Ok{};
}

bool is_dynamic_body(const WorldData& data, BodyHandle body) {
  return data.body_slots.contains(body) && is_ever_dynamic(data, body.index);
}

// Some pair of anchors that a joint can join.
Status check_pairs(const WorldData& data, const JointRuleDef& def) {
  bool dynamic_parent = false, dynamic_child = false;
  for (const RuleAnchor& a : def.parents) dynamic_parent |= is_dynamic_body(data, a.body);
  for (const RuleAnchor& a : def.children) dynamic_child |= is_dynamic_body(data, a.body);
  if (!dynamic_parent && !dynamic_child) {
    return Error{.message = "none of the bodies of a joint rule is moved by forces",
                 .accepted = "dynamic bodies among its parents or its children"};
  }
  const BodyHandle only = def.parents[0].body;
  for (const RuleAnchor& a : def.parents) {
    if (a.body != only) return Ok{};
  }
  for (const RuleAnchor& a : def.children) {
    if (a.body != only) return Ok{};
  }
  return Error{.message = "all anchors of a joint rule are on the same body",
               .accepted = "parents and children on different bodies"};
}

Status check_kind(const WorldData& data, const JointRuleDef& def) {
  if (def.joint.kind == JointKind::kGear) {
    return Error{.message = "a rule cannot make gears: they join joints, not bodies",
                 .accepted = "any other kind of joint"};
  }
  if (def.joint.kind == JointKind::kBlackBox && !def.snap) {
    return Error{.message =
                     "a rule that makes black boxes must snap: only the box knows which "
                     "frames it allows",
                 .accepted = "snap = true"};
  }
  // everything else about the joint, for frames that coincide
  JointDef joint = make_rule_joint(def, 0, 0, {}, {}, 1);
  joint.parent = {};
  if (Status s = check_joint_for(joint, data.settings); !s) return s;
  return check_joint(joint);
}

// Joints of rules on point masses must be possible wherever they come about.
Status check_point_masses(const WorldData& data, const JointRuleDef& def) {
  const auto is_point = [&](const RuleAnchor& a) {
    return is_dynamic_body(data, a.body) && ever_mass(data, a.body.index).inv_I_B == Mat3{};
  };
  const auto check_pair = [&](uint32_t p, uint32_t c) -> Status {
    const RuleAnchor &parent = def.parents[p], &child = def.children[c];
    if (parent.body == child.body || (!is_point(parent) && !is_point(child))) return Ok{};
    if (is_point(child) && !def.snap && def.joint.kind != JointKind::kDistance) {
      return Error{.message =
                       "a joint rule on point masses must snap: their joints can only be at "
                       "their mass centres",
                   .value = "child anchor " + std::to_string(c),
                   .accepted = "snap = true"};
    }
    const Result<JointModel> model =
        compile_in(data, make_rule_joint(def, p, c, parent.X_BA, child.X_BA, 1));
    return model ? Status{Ok{}} : Status{model.error()};
  };
  for (uint32_t p = 0; p < def.parents.size(); ++p) {
    if (Status s = check_pair(p, 0); !s) return s;
  }
  for (uint32_t c = 0; c < def.children.size(); ++c) {
    if (Status s = check_pair(0, c); !s) return s;
  }
  return Ok{};
}

}  // namespace

JointDef make_rule_joint(const JointRuleDef& rule, uint32_t parent, uint32_t child,
                         const Pose& X_BP, const Pose& X_BC, double length) {
  JointDef def = rule.joint;
  def.parent = rule.parents[parent].body;
  def.child = rule.children[child].body;
  def.X_BP = X_BP;
  def.X_BC = X_BC;
  const bool rod = def.kind == JointKind::kDistance && !def.axes[0].has_law();
  if (rod && !(def.length > 0)) def.length = length;
  // the running means of the load are those of breaking (phases_joints.cpp)
  def.break_force = rule.max_force;
  def.break_torque = rule.max_torque;
  def.break_time = rule.load_time;
  def.enabled = true;
  return def;
}

Result<uint32_t> add_rule(WorldData& data, const JointRuleDef& def) {
  if (data.rules.size() >= kMaxRules) return Error{.message = "too many joint rules"};
  if (Status s = check_numbers(def); !s) return s.error();
  if (Status s = check_anchors(data, def.parents, false); !s) return s.error();
  if (Status s = check_anchors(data, def.children, true); !s) return s.error();
  if (def.zone) {
    if (Status s = check_zone(data, *def.zone); !s) return s.error();
  }
  if (Status s = check_pairs(data, def); !s) return s.error();
  if (Status s = check_kind(data, def); !s) return s.error();
  if (Status s = check_point_masses(data, def); !s) return s.error();
  data.rules.push_back(def);
  JointRuleDef& rule = data.rules.back();
  for (std::vector<RuleAnchor>* anchors : {&rule.parents, &rule.children}) {
    for (RuleAnchor& a : *anchors) a.X_BA.q = normalized(a.X_BA.q);
  }
  if (rule.zone) rule.zone->normal = normalized(rule.zone->normal);
  return static_cast<uint32_t>(data.rules.size() - 1);
}

}  // namespace tenon
