// Checks of whole joints: what belongs to which type, and where a joint is.
#include <cmath>

#include "tenon/scene/formats/decode.h"

namespace tenon::scene {
namespace {

using Type = JointType;

const char* word(JointType type) { return Words<JointType>::list[static_cast<size_t>(type)]; }

std::string joint_of(JointType type) { return "a joint of type '" + std::string(word(type)) + "'"; }

std::string list_free(const Joint& joint) {
  std::string list;
  const std::array<bool, kJointAxes> free = free_axes(joint);
  for (size_t i = 0; i < free.size(); ++i) {
    if (free[i]) list += (list.empty() ? "" : ", ") + std::string(word(static_cast<JointAxis>(i)));
  }
  return list;
}

bool is_axis(const std::string& key) {
  for (const char* axis : Words<JointAxis>::list) {
    if (key == axis) return true;
  }
  return false;
}

// {"rx": ...} and not the value itself, which may be an object, too.
bool is_keyed(const Json& json, const char* name) {
  if (!json.is_object()) return false;
  const std::string_view option = name;
  if (option != "motor" && option != "spring") return true;
  for (const JsonMember& member : json.members) {
    if (is_axis(member.key)) return true;
  }
  return false;
}

std::vector<AxisValue> find_keyed(Reader& r, const Json& json, const Joint& joint,
                                  const char* name) {
  std::vector<AxisValue> found;
  const std::array<bool, kJointAxes> free = free_axes(joint);
  bool good = !json.members.empty();
  if (!good) r.error(json, std::string(name) + " names no axis", list_free(joint));
  for (const JsonMember& member : json.members) {
    size_t axis = 0;
    while (axis < free.size() && member.key != Words<JointAxis>::list[axis]) ++axis;
    if (axis < free.size() && free[axis]) {
      found.push_back({static_cast<JointAxis>(axis), &member.value});
      continue;
    }
    good = false;
    const bool known = axis < free.size();
    r.error(member.place,
            known ? joint_of(joint.type) + " is not free along '" + member.key + "'"
                  : "unknown axis '" + member.key + "' in " + name,
            format_short(member.value), list_free(joint));
  }
  return good ? found : std::vector<AxisValue>{};
}

// Keys that only some types have; every other key is every type's, but for those that tell where a
// joint is, which a gear is not.
struct KeyRule {
  const char* key;
  std::vector<Type> types;
};
const std::vector<KeyRule>& key_rules() {
  static const std::vector<KeyRule> rules{
      {"swing", {Type::kPoint, Type::kBallInTube, Type::kPointOnPlane}},
      {"length", {Type::kDistance}},
      {"pitch", {Type::kScrew}},
      {"locked", {Type::kSixAxis}},
      {"black_box", {Type::kBlackBox}},
      {"first", {Type::kGear}},
      {"second", {Type::kGear}},
      {"first_axis", {Type::kGear}},
      {"second_axis", {Type::kGear}},
      {"ratio", {Type::kGear}},
  };
  return rules;
}

void check_keys(Reader& r, const Json& json, Type type) {
  for (const KeyRule& rule : key_rules()) {
    const Json* value = json.find(rule.key);
    std::string types;
    bool mine = false;
    for (const Type t : rule.types) {
      types += (types.empty() ? "" : ", ") + std::string(word(t));
      mine |= t == type;
    }
    if (value && !mine) {
      r.error(*value, joint_of(type) + " has no '" + rule.key + "'", "types with it: " + types);
    }
  }
  if (type != Type::kGear) return;
  for (const char* key : {"parent", "child", "at", "to", "axis", "axis2", "parent_frame",
                          "child_frame", "bodies_collide"}) {
    if (!json.find(key)) continue;
    r.error(at(json, key), std::string("a gear couples two joints and has no '") + key + "'",
            "\"first\" and \"second\": joints");
  }
}

void require(Reader& r, const Json& json, const char* key, const std::string& who) {
  if (json.find(key)) return;
  r.error(json.place, who + " has no '" + key + "'", format_short(json),
          "\"" + std::string(key) + "\": ...");
}

bool needs_axis(Type type) {
  switch (type) {
    case Type::kHinge:
    case Type::kTwist:
    case Type::kSlider:
    case Type::kSlider2:
    case Type::kPlanarTwist:
    case Type::kCylindrical:
    case Type::kUniversal:
    case Type::kBallInTube:
    case Type::kPointOnPlane:
    case Type::kScrew:
      return true;
    default:
      return false;
  }
}

void check_placement(Reader& r, const Json& json, const Joint& j) {
  const char* frame = json.find("parent_frame")  ? "parent_frame"
                      : json.find("child_frame") ? "child_frame"
                                                 : nullptr;
  for (const char* key : {"at", "to", "axis", "axis2"}) {
    if (!frame || !json.find(key)) continue;
    r.error(at(json, key), std::string("both ") + key + " and " + frame + " are given",
            "places in the scene (at, to, axis, axis2) or frames of the bodies");
    return;
  }
  if (!frame && needs_axis(j.type)) require(r, json, "axis", joint_of(j.type));
}

// Two directions of a frame; `json` holds them as "axis" and "axis2".
bool check_axes(Reader& r, const Json& json, const std::optional<Vec3>& axis,
                const std::optional<Vec3>& axis2) {
  if (!axis2) return true;
  if (!axis) {
    r.error(at(json, "axis2"), "axis2 is given without an axis", "\"axis\": direction of x");
    return false;
  }
  if (norm(cross(normalized(*axis), normalized(*axis2))) > 1e-6) return true;
  r.error(at(json, "axis2"), "axis2 runs along axis", "another direction");
  return false;
}

// The options of a joint, or of a rule's joints, as a whole.
void finish_options(Reader& r, const Json& json, const Joint& j, const std::string& who) {
  const JointLaw &x = j.laws[0], &rx = j.laws[3], none{};
  if (j.type == Type::kScrew && x != none && rx != none) {
    r.error(json.place, "a screw has one freedom, but both its x and its rx are told what to do",
            who, "limits, motor, friction and spring on one of the two");
  }
  if (j.type == Type::kDistance && j.length && x != none) {
    r.error(at(json, "length"), "a rod of fixed length has no limits, friction, spring or motor",
            "either a length, or what acts along it");
  }
}

}  // namespace

std::vector<AxisValue> find_axes(Reader& r, const Json& json, const Joint& joint, const Spec& spec,
                                 const char* name) {
  const std::string free = list_free(joint);
  if (free.empty()) {
    r.error(json, joint_of(joint.type) + " has no freedom for a " + name, "a joint without");
    return {};
  }
  if (is_keyed(json, name)) return find_keyed(r, json, joint, name);
  // a screw's two coordinates are one freedom: the options stay on the one that was named first
  if (joint.type == Type::kScrew && joint.laws[0] != JointLaw{}) return {{JointAxis::kX, &json}};
  if (const std::optional<JointAxis> only = only_axis(joint)) return {{*only, &json}};
  // several freedoms: only what has no direction may hold for all, and only in one unit
  std::vector<AxisValue> all;
  const std::array<bool, kJointAxes> axes = free_axes(joint);
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i]) all.push_back({static_cast<JointAxis>(i), &json});
  }
  const bool alike = is_turning(all.front().axis) == is_turning(all.back().axis);
  if (spec.is_for_all && (alike || !spec.is_per_axis) && (alike || !json.is_object())) return all;
  r.error(json,
          joint_of(joint.type) + " has several freedoms; " + name + " must say which it is for",
          "{\"" + std::string(word(all.front().axis)) + "\": ...} with one of " + free);
  return {};
}

void check_references(Reader& r, const Json& json, const Joint& j) {
  if (!json.find("type")) return;  // told already
  check_keys(r, json, j.type);
  if (j.type == Type::kGear) {
    require(r, json, "first", "a gear");
    require(r, json, "second", "a gear");
    return;
  }
  require(r, json, "child", "the joint");
  if (j.type == Type::kScrew) require(r, json, "pitch", "a screw");
  if (j.type == Type::kBlackBox) require(r, json, "black_box", "a black_box joint");
  check_placement(r, json, j);
}

void finish(Reader& r, const Json& json, Joint& j) {
  if (j.name.empty()) r.error(at(json, "name"), "a joint needs a name", "text");
  if (check_axes(r, json, j.axis, j.axis2) && j.type == Type::kUniversal && j.axis2 &&
      std::fabs(dot(normalized(*j.axis), normalized(*j.axis2))) > 1e-6) {
    r.error(at(json, "axis2"), "the two axes of a universal joint must be at right angles",
            "a direction at right angles to axis");
  }
  if (j.type == Type::kGear && j.ratio == 0) {
    r.error(at(json, "ratio"), "the ratio of a gear must not be 0", "any other number");
  }
  finish_options(r, json, j, j.name);
}

void check_references(Reader& r, const Json& json, const JointFrame&) {
  if (!json.find("orientation") || !json.find("axis")) return;
  r.error(at(json, "axis"), "both orientation and axis are given", "one of the two");
}

void finish(Reader& r, const Json& json, JointFrame& f) { check_axes(r, json, f.axis, f.axis2); }

void check_references(Reader& r, const Json& json, const Rule& rule) {
  if (!json.find("type")) return;  // told already
  const Type type = rule.joint.type;
  if (type == Type::kGear) {
    r.error(at(json, "type"), "a rule cannot make gears: they couple joints, not bodies",
            "another type of joint");
    return;
  }
  check_keys(r, json, type);
  if (type == Type::kScrew) require(r, json, "pitch", "a screw");
  if (type == Type::kBlackBox) require(r, json, "black_box", "a black_box joint");
}

void finish(Reader& r, const Json& json, Rule& rule) {
  if (rule.name.empty()) r.error(at(json, "name"), "a rule needs a name", "text");
  if (rule.joint.type == Type::kBlackBox && !rule.snap) {
    r.error(at(json, "type"), "a rule that makes black boxes must snap", "\"snap\": true");
  }
  if (rule.max_distance && *rule.max_distance < rule.attach_distance) {
    r.error(at(json, "max_distance"),
            "max_distance is below attach_distance: joints would be released at once",
            "at least attach_distance");
  }
  finish_options(r, json, rule.joint, rule.name);
}

void check_references(Reader& r, const Json& json, const RuleAnchor& a) {
  check_references(r, json, a.frame);
}
void finish(Reader& r, const Json& json, RuleAnchor& a) { finish(r, json, a.frame); }
void check_references(Reader& r, const Json& json, const Anchor& a) {
  check_references(r, json, a.anchor.frame);
}
void finish(Reader& r, const Json& json, Anchor& a) {
  a.anchor.place = a.place;
  finish(r, json, a.anchor.frame);
}

void finish(Reader& r, const Json& json, JointMotor& m) {
  const int ways = m.force.has_value() + m.velocity.has_value() + m.position.has_value();
  if (ways != 1) {
    r.error(json, ways == 0 ? "the motor is not told what to do" : "the motor has several aims",
            "one of force, velocity, position");
    return;
  }
  const char* needless = m.force && json.find("max") ? "max" : nullptr;
  for (const char* key : {"frequency", "damping_ratio"}) {
    if (!m.position && json.find(key)) needless = key;
  }
  if (needless) {
    r.error(at(json, needless), std::string(needless) + " means nothing to this motor",
            m.force ? "force alone" : "velocity and max");
  }
}

}  // namespace tenon::scene
