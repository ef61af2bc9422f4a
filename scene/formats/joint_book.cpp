#include "tenon/scene/formats/joint_book.h"

#include <cmath>

#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/fields.h"

namespace tenon::scene {
namespace {

// Like the reader: a quaternion that is unit to round-off stays as it is.
Quat unit_quat(const Quat& q) { return std::fabs(norm(q) - 1) < 1e-15 ? q : normalized(q); }
std::string quoted(const std::string& text) { return "'" + text + "'"; }

// "a/b/" -> "a/" -> "".
std::string outer(const std::string& prefix) {
  const size_t slash = prefix.rfind('/', prefix.size() - 2);
  return prefix.size() < 2 || slash == prefix.npos ? "" : prefix.substr(0, slash + 1);
}

// A frame of the world inside an instance.
void place_frame(JointFrame& f, const Pose& X) {
  f.position = X.p + rotate(X.q, f.position);
  if (X.q == Quat{}) return;
  if (f.axis) {
    const Vec3 y = f.axis2.value_or(any_orthogonal(normalized(*f.axis)));
    f.axis = rotate(X.q, *f.axis);
    f.axis2 = rotate(X.q, y);
  } else {
    f.orientation = unit_quat(X.q * f.orientation.value_or(Quat{}));
  }
}

}  // namespace

void place_joint(Joint& j, const Pose& X, const std::string& prefix) {
  j.name = prefix + j.name;
  if (j.type == JointType::kGear || X == Pose{}) return;
  if (j.at) j.at = X.p + rotate(X.q, *j.at);
  if (j.to) j.to = X.p + rotate(X.q, *j.to);
  if (j.parent_frame && j.parent.name == kWorldName) place_frame(*j.parent_frame, X);
  if (j.parent_frame || j.child_frame || X.q == Quat{}) return;
  // axes that are not given are those of the instance
  const Vec3 x = j.axis.value_or(Vec3{1, 0, 0});
  const Vec3 y = j.axis2.value_or(j.axis ? any_orthogonal(normalized(x)) : Vec3{0, 1, 0});
  j.axis = rotate(X.q, x);
  j.axis2 = rotate(X.q, y);
}

void place_connection(Connection& c, const Pose& X, const std::string& prefix) {
  c.name = prefix + c.name;
  if (X == Pose{}) return;
  const auto place = [&](std::optional<Vec3>& p) {
    if (p) p = X.p + rotate(X.q, *p);
  };
  place(c.at);
  place(c.to);
  if (c.a.name == kWorldName) place(c.point_a);
  if (c.b.name == kWorldName) place(c.point_b);
}

// Vectors of the world turn along with the instance, as velocities do.
void place_force(Force& f, const Pose& X, const std::string& prefix) {
  f.name = prefix + f.name;
  if (X == Pose{}) return;
  if (f.frame == ForceFrame::kWorld) {
    f.force = rotate(X.q, f.force);
    f.torque = rotate(X.q, f.torque);
  }
  if (f.toward && f.toward->body.name == kWorldName) {
    f.toward->point = X.p + rotate(X.q, f.toward->point.value_or(Vec3{}));
  }
}

void place_anchor(RuleAnchor& a, const Pose& X) {
  if (a.body.name == kWorldName && X != Pose{}) place_frame(a.frame, X);
}

void place_want(Want& w, const Pose& X) {
  if (X == Pose{}) return;
  if (w.reach) w.reach = X.p + rotate(X.q, *w.reach);
  if (w.orient) w.orient = unit_quat(X.q * *w.orient);
  if (w.upright) w.upright = rotate(X.q, *w.upright);
}

void place_rule(Rule& rule, const Pose& X, const std::string& prefix) {
  rule.name = prefix + rule.name;
  if (X == Pose{}) return;
  for (RuleAnchor& a : rule.parents) place_anchor(a, X);
  if (!rule.zone || rule.zone->body.name != kWorldName) return;
  rule.zone->point = X.p + rotate(X.q, rule.zone->point);
  rule.zone->normal = rotate(X.q, rule.zone->normal);
}

void JointBook::add_body(const Body& body) {
  if (bodies_
          .try_emplace(body.name,
                       KnownBody{body.motion == Motion::kDynamic || body.release.has_value()})
          .second) {
    body_names_.push_back(body.name);
  }
}

template <class Known>
const Known* JointBook::resolve(Reader& r, Reference& reference, const std::string& prefix,
                                const std::unordered_map<std::string, Known>& known,
                                const std::vector<std::string>& names, const char* what) const {
  for (std::string scope = prefix;; scope = outer(scope)) {
    const auto found = known.find(scope + reference.name);
    if (found != known.end()) {
      reference.name = found->first;
      return &found->second;
    }
    if (scope.empty()) break;
  }
  // suggestions as they would be written here
  std::vector<std::string> candidates;
  std::string list;
  for (const std::string& name : names) {
    const bool inside = name.compare(0, prefix.size(), prefix) == 0;
    candidates.push_back(inside ? name.substr(prefix.size()) : name);
    if (list.size() < 120) list += (list.empty() ? "" : ", ") + candidates.back();
  }
  r.error(reference.place,
          std::string("unknown ") + what + " " + quoted(reference.name) +
              did_you_mean(reference.name, candidates),
          "\"" + reference.name + "\"",
          names.empty() ? std::string("there is no ") + what + " in this scene" : list);
  return nullptr;
}

void JointBook::admit_bodies(Reader& r, Joint& j, const std::string& prefix) {
  const KnownBody* parent = nullptr;
  const bool to_world = j.parent.name == kWorldName;
  if (!to_world && !j.parent.name.empty()) {
    parent = resolve(r, j.parent, prefix, bodies_, body_names_, "body");
  }
  if (j.child.name.empty()) return;
  if (j.child.name == kWorldName) {
    r.error(j.child.place, "the child of a joint cannot be the world", "\"world\"",
            "a body; the world can be the parent");
    return;
  }
  const KnownBody* child = resolve(r, j.child, prefix, bodies_, body_names_, "body");
  if (!child || (!parent && !to_world)) return;
  if (parent == child) {
    r.error(j.child.place, "the joint joins " + quoted(j.child.name) + " to itself",
            "\"" + j.child.name + "\"", "two different bodies");
  } else if (!child->dynamic && (to_world || !parent->dynamic)) {
    r.error(j.place, "neither end of the joint can move by forces: it would do nothing", j.name,
            "at least one dynamic body");
  }
}

// The freedom of a gear's joint; the only one need not be said.
void JointBook::admit_axis(Reader& r, const Reference& reference, const KnownJoint& known,
                           std::optional<JointAxis>& axis) const {
  const std::array<bool, kJointAxes>& free = known.free;
  std::string list;
  for (size_t i = 0; i < free.size(); ++i) {
    if (free[i]) list += (list.empty() ? "" : ", ") + std::string(word(JointAxis(i)));
  }
  if (list.empty()) {
    r.error(reference.place, "the joint " + quoted(reference.name) + " has no freedom to couple",
            "\"" + reference.name + "\"", "a hinge, a slider or another joint with a freedom");
  } else if (!axis) {
    axis = known.only;
    if (axis) return;
    r.error(reference.place, "the joint " + quoted(reference.name) + " has several freedoms",
            "\"" + reference.name + "\"", "\"first_axis\" or \"second_axis\": one of " + list);
  } else if (!free[static_cast<size_t>(*axis)]) {
    r.error(reference.place,
            "the joint " + quoted(reference.name) + " is not free along " + quoted(word(*axis)),
            "\"" + reference.name + "\"", list);
  }
}

void JointBook::admit_gear(Reader& r, Joint& j, const std::string& prefix) {
  if (j.first.name.empty() || j.second.name.empty()) return;
  const KnownJoint* first = resolve(r, j.first, prefix, joints_, joint_names_, "joint");
  const KnownJoint* second = resolve(r, j.second, prefix, joints_, joint_names_, "joint");
  if (first) admit_axis(r, j.first, *first, j.first_axis);
  if (second) admit_axis(r, j.second, *second, j.second_axis);
  if (first && first == second && j.first_axis == j.second_axis) {
    r.error(j.second.place, "the gear couples a freedom with itself", "\"" + j.second.name + "\"",
            "another joint, or another axis of it");
  }
}

void JointBook::admit(Reader& r, Joint& j, const std::string& prefix) {
  if (j.type == JointType::kGear) {
    admit_gear(r, j, prefix);
  } else {
    admit_bodies(r, j, prefix);
  }
  if (admit_name(r, j.name, {j.place, free_axes(j), only_axis(j)}, "joint")) {
    joint_names_.push_back(j.name);
  }
}

// Whether it is a new one.
bool JointBook::admit_name(Reader& r, const std::string& name, const KnownJoint& known,
                           const char* what) {
  if (name.empty()) return false;
  const auto [first, fresh] = joints_.try_emplace(name, known);
  if (fresh) return true;
  r.error(known.place, std::string("the ") + what + " name " + quoted(name) + " is already taken",
          "",
          "another name (the first is in line " + std::to_string(first->second.place.line) + ")");
  return false;
}

void JointBook::admit(Reader& r, Connection& c, const std::string& prefix) {
  bool known = true, dynamic = false;
  for (Reference* end : {&c.a, &c.b}) {
    if (end->name == kWorldName) continue;
    const KnownBody* body = nullptr;
    if (!end->name.empty()) body = resolve(r, *end, prefix, bodies_, body_names_, "body");
    known = known && body != nullptr;
    dynamic = dynamic || (body != nullptr && body->dynamic);
  }
  if (known && c.a.name == c.b.name) {
    r.error(c.b.place, "the connection connects " + quoted(c.b.name) + " with itself",
            "\"" + c.b.name + "\"", "two different bodies");
  } else if (known && !dynamic) {
    r.error(c.place, "neither end of the connection can move by forces: it would do nothing",
            c.name, "at least one dynamic body");
  }
  admit_name(r, c.name, {c.place, {}, {}}, "connection");
}

void JointBook::admit(Reader& r, Force& f, const std::string& prefix) {
  const KnownBody* target = nullptr;
  if (f.toward && f.toward->body.name != kWorldName && !f.toward->body.name.empty()) {
    target = resolve(r, f.toward->body, prefix, bodies_, body_names_, "body");
  }
  if (f.body.name == kWorldName) {
    r.error(f.body.place, "a force cannot act on the world", "\"world\"", "a dynamic body");
  } else if (!f.body.name.empty()) {
    const KnownBody* body = resolve(r, f.body, prefix, bodies_, body_names_, "body");
    if (body && !body->dynamic) {
      r.error(f.body.place, "the body " + quoted(f.body.name) + " is not moved by forces",
              "\"" + f.body.name + "\"", "a dynamic body");
    } else if (body && body == target) {
      r.error(f.toward->body.place, "the force points from " + quoted(f.body.name) + " to itself",
              "\"" + f.body.name + "\"", "another body, or the world");
    }
  }
  if (f.name.empty()) return;
  const auto [first, fresh] = forces_.try_emplace(f.name, f.place);
  if (fresh) return;
  r.error(f.place, "the force name " + quoted(f.name) + " is already taken", "",
          "another name (the first is in line " + std::to_string(first->second.line) + ")");
}

void JointBook::admit_anchor(Reader& r, RuleAnchor& a, AnchorSide side, const std::string& prefix) {
  if (a.body.name.empty()) return;
  if (a.body.name != kWorldName) {
    resolve(r, a.body, prefix, bodies_, body_names_, "body");
  } else if (side == AnchorSide::kChild) {
    r.error(a.body.place, "a child anchor cannot be on the world", "\"world\"",
            "a body; the world can be a parent");
  }
}

void JointBook::admit(Reader& r, Rule& rule, const std::string& prefix) {
  for (RuleAnchor& a : rule.parents) admit_anchor(r, a, AnchorSide::kParent, prefix);
  for (RuleAnchor& a : rule.children) admit_anchor(r, a, AnchorSide::kChild, prefix);
  if (rule.zone && rule.zone->body.name != kWorldName && !rule.zone->body.name.empty()) {
    resolve(r, rule.zone->body, prefix, bodies_, body_names_, "body");
  }
  const size_t number = rule_count_++;
  if (rule.name.empty()) return;
  const auto [first, fresh] = rules_.try_emplace(rule.name, KnownRule{rule.place, number});
  if (fresh) {
    rule_names_.push_back(rule.name);
    return;
  }
  r.error(rule.place, "the rule name " + quoted(rule.name) + " is already taken", "",
          "another name (the first is in line " + std::to_string(first->second.place.line) + ")");
}

std::optional<size_t> JointBook::admit(Reader& r, Anchor& a, const std::string& prefix) {
  admit_anchor(r, a.anchor, a.side, prefix);
  if (a.rule.name.empty()) return {};
  const KnownRule* rule = resolve(r, a.rule, prefix, rules_, rule_names_, "rule");
  return rule ? std::optional(rule->number) : std::nullopt;
}

void JointBook::admit(Reader& r, Want& w, const std::string& prefix) {
  if (w.body.name.empty()) return;
  const KnownBody* body = resolve(r, w.body, prefix, bodies_, body_names_, "body");
  if (!body || body->dynamic) return;
  r.error(w.body.place, "the body " + quoted(w.body.name) + " does not move, so it wants nothing",
          "\"" + w.body.name + "\"", "a dynamic body");
}

void JointBook::admit(Reader& r, Assembly& assembly) {
  for (Reference& body : assembly.locked) {
    resolve(r, body, "", bodies_, body_names_, "body");
  }
  for (Importance& entry : assembly.importance) {
    Reference joint{entry.name, entry.place};
    resolve(r, joint, "", joints_, joint_names_, "joint");
  }
}

}  // namespace tenon::scene
