// Poses compose as X_WB = X_WI X_IB down the chain of instances; velocities turn along.
#include "tenon/scene/formats/expand.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "tenon/engine/math/transform.h"
#include "tenon/scene/formats/decode.h"
#include "tenon/scene/formats/index_range.h"
#include "tenon/scene/formats/joint_book.h"

namespace tenon::scene {
namespace {

constexpr int kMaxNesting = 16;        // instances and arrays inside one another
constexpr double kRoundsPerBody = 10;  // rounds of arrays, also those that `where` leaves out
constexpr size_t kJointsPerBody = 4;   // a cubic lattice has three

// Joints name bodies, and gears name joints, wherever they stand: so all bodies are made first,
// then all joints, then the gears. What a later pass reads again it does not report again.
// Likewise anchors name rules: they come with the gears.
enum class Pass { kBodies, kJoints, kGears };

// Sets a variable of the reader for one block.
template <class T>
class Restore {
 public:
  Restore(T& variable, T value) : variable_(variable), old_(variable) { variable_ = value; }
  ~Restore() { variable_ = old_; }
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;

 private:
  T& variable_;
  T old_;
};

struct Frame {
  Pose X_WF;
  Vec3 v_WF;           // added to dynamic bodies
  std::string prefix;  // "crate/"
};

// Like the reader: a quaternion that is unit to round-off stays as it is, so that expanding what is
// flat changes no bit.
Quat unit(const Quat& q) { return std::fabs(norm(q) - 1) < 1e-15 ? q : normalized(q); }

void place_body(Body& b, const Frame& frame) {
  const Pose& X = frame.X_WF;
  b.name = frame.prefix + b.name;
  for (Keyframe& k : b.keyframes) {
    k.position = X.p + rotate(X.q, k.position.value_or(b.position));
    k.orientation = unit(X.q * k.orientation.value_or(b.orientation));
  }
  b.position = X.p + rotate(X.q, b.position);
  b.orientation = unit(X.q * b.orientation);
  b.velocity = rotate(X.q, b.velocity);
  if (b.motion == Motion::kDynamic) b.velocity += frame.v_WF;
  b.angular_velocity = b.angular_velocity_body ? rotate(b.orientation, *b.angular_velocity_body)
                                               : rotate(X.q, b.angular_velocity);
  b.angular_velocity_body.reset();
  if (b.turn) {
    b.turn->about = X.p + rotate(X.q, b.turn->about);
    b.turn->axis = rotate(X.q, b.turn->axis);
  }
}

// The bounds of the fields (spec.h) hold for what instances make of them, too.
bool in_bounds(const Body& b) {
  auto below = [](const Vec3& v, const Spec& spec) {
    return max_component(cwise_abs(v)) <= spec.max;
  };
  bool good = below(b.position, spec::length()) && below(b.velocity, spec::velocity()) &&
              below(b.angular_velocity, spec::angular_velocity());
  for (const Keyframe& k : b.keyframes) good = good && below(*k.position, spec::length());
  if (b.turn) good = good && below(b.turn->about, spec::length());
  if (b.turn) good = good && below(b.turn->axis, spec::direction());
  return good;
}

bool in_bounds(const Joint& j) {
  auto below = [](const Vec3& v, double bound) { return max_component(cwise_abs(v)) <= bound; };
  const Spec length = spec::length(), direction = spec::direction();
  return below(j.at.value_or(Vec3{}), length.max) && below(j.to.value_or(Vec3{}), length.max) &&
         below(j.axis.value_or(Vec3{}), direction.max) &&
         below(j.parent_frame ? j.parent_frame->position : Vec3{}, length.max);
}

bool in_bounds(const Connection& c) {
  auto below = [](const std::optional<Vec3>& v) {
    return max_component(cwise_abs(v.value_or(Vec3{}))) <= spec::length().max;
  };
  return below(c.at) && below(c.to) && below(c.point_a) && below(c.point_b);
}

class Expander {
 public:
  Expander(Reader& r, const Document& document, const Scope& globals, size_t max_bodies,
           Document& flat)
      : r_(r), document_(document), globals_(globals), max_bodies_(max_bodies), flat_(flat) {}

  void run();

 private:
  Reader& r_;
  const Document& document_;
  const Scope& globals_;
  size_t max_bodies_;
  Document& flat_;
  std::unordered_map<std::string, Place> names_;  // only looked up
  std::vector<const Prefab*> open_;               // prefabs being expanded
  std::vector<bool> used_;                        // prefabs that were
  JointBook book_;
  Pass pass_ = Pass::kBodies;
  bool gears_ = false;  // there are some, or anchors
  std::vector<Rule> rules_;
  double rounds_ = 0;
  size_t bodies_ = 0, joints_ = 0;
  int depth_ = 0;
  bool stopped_ = false;
  bool trial_ = false;  // only for its errors

  bool go_on() const { return !stopped_ && !r_.full(); }
  void stop(const Json& json, std::string message, std::string accepted);
  bool descend(const Json& json);
  void add(Body body, const Json& json);
  void add(Joint joint, const Json& json, const Frame& frame);
  void add(Connection connection, const Json& json, const Frame& frame);
  void add(Force force, const Json& json, const Frame& frame);
  void add(Rule rule, const Json& json, const Frame& frame);
  void add(Anchor anchor, const Json& json, const Frame& frame);
  void add(Want want, const Json& json, const Frame& frame);
  void add_assembly();
  bool affords_joint(const Json& json);
  template <class Entry>
  void add_entry(const Json& json, const Frame& frame);
  void check_rules(size_t first);
  void expand_scene();
  template <class F>
  void each_pass(F&& expand);
  void expand_block(const Block& block, const Frame& frame);
  void expand_instance(const Json& json, const Frame& frame);
  void expand_prefab(const Prefab& prefab, const Json* with, const Frame& frame);
  bool bind(const PrefabEntry& entry, const Json* with, const Prefab& prefab, Scope& scope);
  void expand_array(const Json& json, const Frame& frame);
  bool affordable(const Json& json, const ArrayEntry& array);
  void loop(const Json& json, const ArrayEntry& array, size_t index, Scope& scope,
            const Frame& frame);
  void round(const Json& json, const ArrayEntry& array, const Frame& frame);
};

void Expander::stop(const Json& json, std::string message, std::string accepted) {
  if (!stopped_) r_.error(json.place, std::move(message), format_short(json), std::move(accepted));
  stopped_ = true;
}

bool Expander::descend(const Json& json) {
  if (++depth_ <= kMaxNesting) return true;
  --depth_;
  stop(json, "instances and arrays are nested too deeply",
       "at most " + std::to_string(kMaxNesting) + " levels");
  return false;
}

void Expander::add(Body body, const Json& json) {
  if (++bodies_ > max_bodies_) {
    return stop(json, "the scene has too many bodies",
                "at most " + std::to_string(max_bodies_) + " after expansion");
  }
  if (!in_bounds(body)) {
    r_.error(body.place, "'" + body.name + "' ends up too far away or too fast", "",
             "coordinates up to 1e9 m, velocities up to 1e8 m/s and 1e6 rad/s");
  }
  book_.add_body(body);
  if (trial_) return;
  const auto [first, fresh] = names_.try_emplace(body.name, body.place);
  if (!fresh && !body.name.empty()) {
    r_.error(body.place, "the name '" + body.name + "' is already taken", "",
             "another name (the first is in line " + std::to_string(first->second.line) + ")");
  }
  flat_.bodies.push_back(std::move(body));
}

bool Expander::affords_joint(const Json& json) {
  if (++joints_ <= kJointsPerBody * max_bodies_) return true;
  stop(json, "the scene has too many joints, forces and rules",
       "at most " + std::to_string(kJointsPerBody * max_bodies_) + " after expansion");
  return false;
}

void Expander::add(Joint joint, const Json& json, const Frame& frame) {
  const bool gear = joint.type == JointType::kGear;
  gears_ |= gear;
  if (gear != (pass_ == Pass::kGears)) return;
  if (!affords_joint(json)) return;
  place_joint(joint, frame.X_WF, frame.prefix);
  if (!in_bounds(joint)) {
    r_.error(joint.place, "the joint '" + joint.name + "' ends up too far away", "",
             "coordinates up to 1e9 m");
  }
  book_.admit(r_, joint, frame.prefix);
  if (!trial_) flat_.joints.push_back(std::move(joint));
}

void Expander::add(Connection c, const Json& json, const Frame& frame) {
  if (pass_ != Pass::kJoints || !affords_joint(json)) return;
  place_connection(c, frame.X_WF, frame.prefix);
  if (!in_bounds(c)) {
    r_.error(c.place, "the connection '" + c.name + "' ends up too far away", "",
             "coordinates up to 1e9 m");
  }
  book_.admit(r_, c, frame.prefix);
  if (!trial_) flat_.connections.push_back(std::move(c));
}

void Expander::add(Force force, const Json& json, const Frame& frame) {
  if (pass_ != Pass::kJoints || !affords_joint(json)) return;
  place_force(force, frame.X_WF, frame.prefix);
  const Vec3 goal = force.toward ? force.toward->point.value_or(Vec3{}) : Vec3{};
  if (max_component(cwise_abs(goal)) > spec::length().max) {
    r_.error(force.place, "the force '" + force.name + "' points too far away", "",
             "coordinates up to 1e9 m");
  }
  book_.admit(r_, force, frame.prefix);
  if (!trial_) flat_.forces.push_back(std::move(force));
}

void Expander::add(Rule rule, const Json& json, const Frame& frame) {
  if (pass_ != Pass::kJoints || !affords_joint(json)) return;
  place_rule(rule, frame.X_WF, frame.prefix);
  book_.admit(r_, rule, frame.prefix);
  rules_.push_back(std::move(rule));
}

void Expander::add(Anchor anchor, const Json& json, const Frame& frame) {
  gears_ = true;
  if (pass_ != Pass::kGears || !affords_joint(json)) return;
  place_anchor(anchor.anchor, frame.X_WF);
  const std::optional<size_t> rule = book_.admit(r_, anchor, frame.prefix);
  if (!rule) return;
  const bool parent = anchor.side == AnchorSide::kParent;
  (parent ? rules_[*rule].parents : rules_[*rule].children).push_back(std::move(anchor.anchor));
}

void Expander::add(Want want, const Json& json, const Frame& frame) {
  if (pass_ != Pass::kJoints || !affords_joint(json)) return;
  place_want(want, frame.X_WF);
  if (max_component(cwise_abs(want.reach.value_or(Vec3{}))) > spec::length().max) {
    r_.error(want.place, "the want of '" + want.body.name + "' is too far away", "",
             "coordinates up to 1e9 m");
  }
  book_.admit(r_, want, frame.prefix);
  if (trial_) return;
  flat_.assembly.wants.push_back(std::move(want));
}

// Joints are known by then.
void Expander::add_assembly() {
  if (go_on()) book_.admit(r_, flat_.assembly);
}

template <class Entry>
void Expander::add_entry(const Json& json, const Frame& frame) {
  Entry entry;
  {
    // the pass for joints has told what is wrong with gears and anchors, too
    Restore<bool> told(r_.muted, pass_ == Pass::kGears);
    if (!read_object(r_, json, entry)) return;
  }
  Restore<bool> loud(r_.muted, false);
  add(std::move(entry), json, frame);
}

// Rules need anchors, from wherever they come.
void Expander::check_rules(size_t first) {
  for (size_t i = first; i < rules_.size() && go_on(); ++i) {
    const Rule& rule = rules_[i];
    if (!rule.parents.empty() && !rule.children.empty()) continue;
    const std::string what = rule.parents.empty() ? "parent" : "child";
    r_.error(rule.place, "the rule '" + rule.name + "' has no " + what + " anchors", rule.name,
             "\"" + std::string(rule.parents.empty() ? "parents" : "children") +
                 "\": [...], or entries of \"anchors\"");
  }
}

void Expander::expand_block(const Block& block, const Frame& frame) {
  auto each = [&](const Json* list, auto&& action) {
    for (size_t i = 0; list && i < list->items.size() && go_on(); ++i) action(list->items[i]);
  };
  if (pass_ != Pass::kBodies) {
    each(block.joints, [&](const Json& json) { add_entry<Joint>(json, frame); });
    each(block.connections, [&](const Json& json) { add_entry<Connection>(json, frame); });
    each(block.forces, [&](const Json& json) { add_entry<Force>(json, frame); });
    each(block.rules, [&](const Json& json) { add_entry<Rule>(json, frame); });
    each(block.anchors, [&](const Json& json) { add_entry<Anchor>(json, frame); });
    each(block.wants, [&](const Json& json) { add_entry<Want>(json, frame); });
  }
  each(pass_ == Pass::kBodies ? block.bodies : nullptr, [&](const Json& json) {
    Body body;
    if (!read_object(r_, json, body)) return;
    place_body(body, frame);
    add(std::move(body), json);
  });
  each(block.instances, [&](const Json& json) { expand_instance(json, frame); });
  each(block.arrays, [&](const Json& json) { expand_array(json, frame); });
}

// --- instances ----------------------------------------------------------------------------------

void Expander::expand_instance(const Json& json, const Frame& frame) {
  InstanceEntry entry;
  if (!read_object(r_, json, entry)) return;
  std::vector<std::string> known;
  for (size_t i = 0; i < document_.prefabs.size(); ++i) {
    const Prefab& prefab = document_.prefabs[i];
    known.push_back(prefab.name);
    if (prefab.name != entry.prefab) continue;
    for (const Prefab* open : open_) {
      if (open != &prefab) continue;
      return stop(*json.find("prefab"), "prefab '" + prefab.name + "' contains itself",
                  "a prefab that does not");
    }
    used_[i] = true;
    if (++rounds_ > kRoundsPerBody * static_cast<double>(max_bodies_)) {
      return stop(json, "the scene has too many instances", "");
    }
    Frame inner;
    inner.X_WF = frame.X_WF * Pose{entry.position, entry.orientation};
    inner.X_WF.q = unit(inner.X_WF.q);
    inner.v_WF = frame.v_WF + rotate(frame.X_WF.q, entry.velocity);
    inner.prefix = frame.prefix + entry.name + "/";
    if (!descend(json)) return;
    expand_prefab(prefab, entry.with, inner);
    --depth_;
    return;
  }
  r_.require_known(entry.prefab, known, *json.find("prefab"), "prefab");
}

// Values of a prefab's parameters: defaults see the scene's parameters and the prefab's earlier
// ones; values from `with` see what the instance sees.
bool Expander::bind(const PrefabEntry& entry, const Json* with, const Prefab& prefab,
                    Scope& scope) {
  const size_t errors = r_.error_count();
  std::vector<std::string> known;
  const Scope* outside = r_.scope;
  for (size_t i = 0; entry.parameters && i < entry.parameters->members.size(); ++i) {
    const JsonMember& member = entry.parameters->members[i];
    const std::string reason = reason_against_name(member.key);
    if (!reason.empty()) {
      r_.error(member.place, "parameter name '" + member.key + "' " + reason, "", "another name");
      continue;
    }
    known.push_back(member.key);
    const Json* given = with ? with->find(member.key) : nullptr;
    Restore<const Scope*> inside(r_.scope, given ? outside : &scope);
    Quantity value, standard;
    if (!r_.read_quantity(given ? *given : member.value, value, member.key)) continue;
    // the default says what kind of quantity it is
    if (given) {
      Restore<const Scope*> defaults(r_.scope, &scope);
      if (!r_.read_quantity(member.value, standard, member.key)) continue;
      if (!standard.dimension.none() && !fits(value.dimension, standard.dimension)) {
        r_.error(*given,
                 member.key + " must be " + describe(standard.dimension) + ", this is " +
                     describe(value.dimension),
                 example_of(standard.dimension));
        continue;
      }
      if (!standard.dimension.none()) value.dimension = standard.dimension;
    }
    scope.set(member.key, value);
  }
  for (size_t i = 0; with && i < with->members.size(); ++i) {
    const JsonMember& member = with->members[i];
    Json name(member.key);
    name.place = member.place;
    r_.require_known(member.key, known, name,
                     ("parameter of prefab '" + prefab.name + "',").c_str());
  }
  return r_.error_count() == errors;
}

void Expander::expand_prefab(const Prefab& prefab, const Json* with, const Frame& frame) {
  PrefabEntry entry;
  if (!read_object(r_, prefab.definition, entry)) return;
  if (entry.parameters && !entry.parameters->is_object()) return;
  if (with && !with->is_object()) return;
  Scope scope(&globals_);
  if (!bind(entry, with, prefab, scope)) return;
  open_.push_back(&prefab);
  Restore<const Scope*> inside(r_.scope, &scope);
  Restore<bool> substituting(r_.substitutes, true);
  expand_block(entry.block, frame);
  open_.pop_back();
}

// --- arrays -------------------------------------------------------------------------------------

// The sizes that are known before the first round; "for": {"i": 1e12} must not begin.
bool Expander::affordable(const Json& json, const ArrayEntry& array) {
  double rounds = 1;
  for (const JsonMember& member : array.indices->members) {
    rounds *= estimate_count(member.value, *r_.scope);
  }
  size_t entries = array.block.bodies ? array.block.bodies->items.size() : 0;
  for (const Json* list : {array.block.joints, array.block.connections, array.block.forces,
                           array.block.rules, array.block.anchors, array.block.wants}) {
    if (list) entries = std::max(entries, list->items.size() / kJointsPerBody);
  }
  const double limit = static_cast<double>(max_bodies_);
  const double made = array.where ? 0 : rounds * static_cast<double>(entries);
  if (made > limit || rounds > kRoundsPerBody * limit) {
    stop(json,
         "the array is too large: " + format_count(made > limit ? made : rounds) +
             (made > limit ? " bodies" : " rounds"),
         "at most " + format_count(made > limit ? limit : kRoundsPerBody * limit));
    return false;
  }
  return true;
}

void Expander::expand_array(const Json& json, const Frame& frame) {
  ArrayEntry array;
  if (!read_object(r_, json, array) || !array.indices->is_object()) return;
  for (const JsonMember& member : array.indices->members) {
    std::string reason = reason_against_name(member.key);
    if (reason.empty() && r_.scope->find(member.key)) reason = "is already in use";
    if (reason.empty()) continue;
    r_.error(member.place, "index name '" + member.key + "' " + reason, "", "another name");
    return;
  }
  if (!affordable(json, array) || !descend(json)) return;
  Scope scope(r_.scope);
  {
    Restore<const Scope*> inside(r_.scope, &scope);
    Restore<bool> substituting(r_.substitutes, true);
    r_.loops.push_back(&scope);
    loop(json, array, 0, scope, frame);
    r_.loops.pop_back();
  }
  --depth_;
}

void Expander::loop(const Json& json, const ArrayEntry& array, size_t index, Scope& scope,
                    const Frame& frame) {
  if (index == array.indices->members.size()) return round(json, array, frame);
  const JsonMember& member = array.indices->members[index];
  IndexRange range;
  if (!read_index_range(r_, member.value, member.key, range)) return;
  for (double k = 0; k < range.count && go_on(); ++k) {
    if (!index_value(r_, range, k, member.key, scope)) return;
    loop(json, array, index + 1, scope, frame);
  }
}

void Expander::round(const Json& json, const ArrayEntry& array, const Frame& frame) {
  if (++rounds_ > kRoundsPerBody * static_cast<double>(max_bodies_)) {
    return stop(json, "the arrays of the scene have too many rounds",
                "at most " + format_count(kRoundsPerBody * static_cast<double>(max_bodies_)));
  }
  bool here = true;
  if (array.where && !r_.read(*array.where, here, Spec{}, "where")) return;
  if (here) expand_block(array.block, frame);
}

void Expander::expand_scene() {
  Json none;
  for (size_t i = 0; pass_ == Pass::kBodies && i < document_.bodies.size() && go_on(); ++i) {
    Body copy = document_.bodies[i];
    place_body(copy, {});
    none.place = copy.place;
    add(std::move(copy), none);
  }
  const auto add_all = [&](const auto& list) {
    for (size_t i = 0; pass_ != Pass::kBodies && i < list.size() && go_on(); ++i) {
      Restore<bool> loud(r_.muted, false);
      none.place = list[i].place;
      add(list[i], none, {});
    }
  };
  add_all(document_.joints);
  add_all(document_.connections);
  add_all(document_.forces);
  add_all(document_.rules);
  add_all(document_.anchors);
  add_all(document_.assembly.wants);
  for (const Json& json : document_.instances) {
    Restore<bool> literal(r_.substitutes, false);
    if (go_on()) expand_instance(json, {});
  }
  for (const Json& json : document_.arrays) {
    if (go_on()) expand_array(json, {});
  }
}

template <class F>
void Expander::each_pass(F&& expand) {
  gears_ = false;
  bodies_ = joints_ = 0;
  for (const Pass pass : {Pass::kBodies, Pass::kJoints, Pass::kGears}) {
    if (pass == Pass::kGears && !gears_) break;
    Restore<bool> again(r_.muted, pass != Pass::kBodies);
    pass_ = pass;
    rounds_ = 0;
    expand();
  }
}

void Expander::run() {
  used_.assign(document_.prefabs.size(), false);
  each_pass([&] { expand_scene(); });
  check_rules(0);
  flat_.rules = rules_;
  add_assembly();
  // a prefab nobody uses is still checked, once, with its defaults
  trial_ = true;
  for (size_t i = 0; i < document_.prefabs.size() && go_on(); ++i) {
    if (used_[i]) continue;
    Frame alone;
    alone.prefix = document_.prefabs[i].name + "/";
    const size_t first = rules_.size();
    each_pass([&] { expand_prefab(document_.prefabs[i], nullptr, alone); });
    check_rules(first);
  }
}

}  // namespace

void evaluate_parameters(Reader& r, const std::vector<Parameter>& parameters, Scope& scope) {
  Restore<const Scope*> inside(r.scope, &scope);
  for (const Parameter& parameter : parameters) {
    Quantity value;
    if (!r.read_quantity(parameter.value, value, parameter.name)) value = {};
    scope.set(parameter.name, value);
  }
}

void expand_into(Reader& r, const Document& document, const Scope& globals, size_t max_bodies,
                 Document& flat) {
  Restore<const Scope*> inside(r.scope, &globals);
  Expander(r, document, globals, max_bodies, flat).run();
}

}  // namespace tenon::scene
