#include "tenon/scene/mjcf/export_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "tenon/scene/model/import.h"

namespace tenon::scene::mjcf {
namespace {

constexpr int kDeepest = 80;  // bodies within bodies: readers of XML stop at 100 levels

bool weighs_as(const Body& middle, const Body& whole, double share) {
  if (!middle.mass || !whole.mass || !middle.inertia || !whole.inertia) return false;
  const double total = *whole.mass / (1 - share);
  const Mat3 gap = (1 / kMiddleShare) * *middle.inertia - (1 / (1 - share)) * *whole.inertia;
  const double size = trace(*whole.inertia);
  const double off = std::max({max_component(cwise_abs(gap.r0)), max_component(cwise_abs(gap.r1)),
                               max_component(cwise_abs(gap.r2))});
  return std::fabs(*middle.mass - kMiddleShare * total) < 1e-9 * total && off < 1e-9 * size;
}

bool is_only_seen(const Body& body) {
  const auto* compound = std::get_if<CompoundShape>(&body.shape);
  return compound != nullptr &&
         std::all_of(compound->parts.begin(), compound->parts.end(),
                     [](const Part& part) { return part.role == PartRole::kVisual; });
}

// A joint that <body>s can hang by.
bool is_tree_joint(const Joint& joint) {
  return joint.type != JointType::kGear && joint.type != JointType::kDistance &&
         joint.type != JointType::kBlackBox && joint.enabled;
}

class Planner {
 public:
  explicit Planner(Export& e) : e_(e), plan_(e.plan) {}
  void run();

 private:
  // a body that is written, with what an import put between it and what it hangs on
  struct Unit {
    OutLink out;
    const Joint* joint = nullptr;  // of the tree, to `parent`
    int parent = -1;
    int depth = 0;
    bool ground = false, placed = false;
    std::vector<int> children;
  };
  void make_units();
  void fold_middles();
  bool fold(Unit& unit);
  void choose_joints();
  void hang();
  void hang_from(int root);
  void put(int unit, int parent);
  int unit_of(const std::string& body) const {
    const auto found = unit_of_.find(body);
    return found == unit_of_.end() ? -1 : found->second;
  }
  int find_set(int i) {
    while (set_[static_cast<size_t>(i)] != i) i = set_[static_cast<size_t>(i)];
    return i;
  }
  Unit& unit(int i) { return units_[static_cast<size_t>(i)]; }

  Export& e_;
  Plan& plan_;
  std::vector<Unit> units_;
  std::map<std::string, int> unit_of_;  // middles stand for their unit
  std::map<std::string, std::vector<const Joint*>> joints_of_;
  std::set<std::string> held_otherwise_;  // bodies that connections and forces act on
  std::set<const Joint*> inner_;          // between the middles of a unit
  struct Edge {
    const Joint* joint;
    int parent, child;  // units; -1: the world
  };
  std::vector<Edge> edges_;
  std::map<int, std::vector<size_t>> edges_of_;
  std::vector<int> set_;
};

void Planner::make_units() {
  for (const Body& body : e_.flat.bodies) {
    plan_.bodies[body.name] = &body;
    if (std::holds_alternative<PlaneShape>(body.shape)) {
      plan_.planes.push_back(&body);
      continue;
    }
    Unit u;
    u.out.body = &body;
    u.ground = body.motion != Motion::kDynamic;
    unit_of_[body.name] = static_cast<int>(units_.size());
    units_.push_back(std::move(u));
  }
  for (const Joint& joint : e_.flat.joints) {
    if (joint.type == JointType::kGear) continue;
    joints_of_[joint.parent.name].push_back(&joint);
    joints_of_[joint.child.name].push_back(&joint);
  }
  for (const Connection& c : e_.flat.connections) held_otherwise_.insert({c.a.name, c.b.name});
  for (const Force& f : e_.flat.forces) held_otherwise_.insert(f.body.name);
}

// Names, masses and places as to_document.cpp gives them.
bool Planner::fold(Unit& u) {
  const std::string& name = u.out.body->name;
  std::vector<const Body*> middles;
  while (true) {
    const auto found = plan_.bodies.find(name + "_middle_" + std::to_string(middles.size() + 1));
    if (found == plan_.bodies.end()) break;
    middles.push_back(found->second);
  }
  if (middles.empty()) return false;
  std::vector<const Joint*> chain;
  std::string before;
  for (size_t k = 0; k <= middles.size(); ++k) {
    const Body& body = k < middles.size() ? *middles[k] : *u.out.body;
    const Joint* up = nullptr;
    for (const Joint* j : joints_of_[body.name]) {
      if (j->child.name == body.name && (k == 0 || j->parent.name == before)) up = j;
    }
    if (up == nullptr || !is_tree_joint(*up)) return false;
    chain.push_back(up);
    before = body.name;
    if (k == middles.size()) break;
    const double share = kMiddleShare * static_cast<double>(middles.size());
    if (joints_of_[body.name].size() != 2 || held_otherwise_.count(body.name) > 0 ||
        !is_only_seen(body) || !weighs_as(body, *u.out.body, share)) {
      return false;
    }
  }
  u.out.chain = std::move(chain);
  u.out.middles = std::move(middles);
  return true;
}

void Planner::fold_middles() {
  for (size_t i = 0; i < units_.size(); ++i) {
    if (!fold(units_[i])) continue;
    for (const Body* middle : units_[i].out.middles) {
      Unit& gone = unit(unit_of_[middle->name]);
      gone.placed = true;
      unit_of_[middle->name] = static_cast<int>(i);
    }
    for (size_t k = 1; k < units_[i].out.chain.size(); ++k) inner_.insert(units_[i].out.chain[k]);
  }
}

// A tree of as many joints as there can be; the rest closes circles. Two bodies next to each other
// in a tree do not touch unless the world holds one, so that points and rigid joints whose bodies
// do are left for <equality>.
void Planner::choose_joints() {
  const int ground = static_cast<int>(units_.size());
  set_.resize(units_.size() + 1);
  std::iota(set_.begin(), set_.end(), 0);
  const auto node_of = [&](int u) { return u < 0 || unit(u).ground ? ground : u; };
  for (const Joint& joint : e_.flat.joints) {
    if (joint.type == JointType::kGear || inner_.count(&joint) > 0) continue;
    const int parent = unit_of(joint.parent.name), child = unit_of(joint.child.name);
    const bool by_body = parent >= 0 && unit(parent).ground;
    const bool rigid = joint.type == JointType::kRigid;
    const bool held =
        joint.bodies_collide && (rigid || (joint.type == JointType::kPoint && !by_body));
    const int a = find_set(node_of(parent)), b = find_set(node_of(child));
    if (!is_tree_joint(joint) || held || a == b) {
      plan_.loops.push_back(&joint);
      continue;
    }
    set_[static_cast<size_t>(b)] = a;
    edges_.push_back({&joint, parent, child});
  }
}

void Planner::hang_from(int root) {
  std::vector<int> open{root};
  for (size_t at = 0; at < open.size(); ++at) {
    const int u = open[at];
    for (const size_t k : edges_of_[u]) {
      const Edge& edge = edges_[k];
      const int other = edge.parent == u ? edge.child : edge.parent;
      if (other < 0 || unit(other).placed || unit(other).ground) continue;
      if (unit(u).depth >= kDeepest) continue;
      unit(other).placed = true;
      unit(other).joint = edge.joint;
      unit(other).parent = u;
      unit(other).depth = unit(u).depth + 1;
      unit(other).out.turned = edge.parent == other;
      unit(u).children.push_back(other);
      open.push_back(other);
    }
  }
}

void Planner::hang() {
  std::set<int> children;
  for (size_t k = 0; k < edges_.size(); ++k) {
    children.insert(edges_[k].child);
    edges_of_[edges_[k].parent].push_back(k);
    edges_of_[edges_[k].child].push_back(k);
  }
  // what stands, and what hangs on the world
  for (size_t i = 0; i < units_.size(); ++i) {
    if (units_[i].ground) units_[i].placed = true;
  }
  for (const Edge& edge : edges_) {
    if (edge.parent >= 0 || edge.child < 0 || unit(edge.child).placed) continue;
    unit(edge.child).placed = true;
    unit(edge.child).joint = edge.joint;
  }
  for (size_t i = 0; i < units_.size(); ++i) {
    if (units_[i].ground ||
        (units_[i].placed && units_[i].joint != nullptr && units_[i].parent < 0))
      hang_from(static_cast<int>(i));
  }
  // what is free, from a body that is nobody's child
  for (const bool any : {false, true}) {
    for (size_t i = 0; i < units_.size(); ++i) {
      if (units_[i].placed || (!any && children.count(static_cast<int>(i)) > 0)) continue;
      units_[i].placed = true;
      units_[i].out.free = true;
      hang_from(static_cast<int>(i));
    }
  }
  for (const Edge& edge : edges_) {
    const auto uses = [&](int u) { return u >= 0 && unit(u).joint == edge.joint; };
    if (!uses(edge.parent) && !uses(edge.child)) plan_.loops.push_back(edge.joint);
  }
}

void Planner::put(int root, int parent) {
  // without recursion: a chain may be long
  std::vector<std::pair<int, int>> open{{root, parent}};
  while (!open.empty()) {
    const auto [i, above] = open.back();
    open.pop_back();
    Unit& u = unit(i);
    u.out.parent = above;
    if (!u.out.chain.empty() && (u.joint != u.out.chain.front() || u.out.turned)) {
      for (const Joint* j : u.out.chain) {
        if (j != u.joint) e_.warn(j->place, "the joint is left out: NOT HONOURED", j->name);
      }
      u.out.chain.clear();
    }
    if (u.out.chain.empty() && u.joint != nullptr) u.out.chain = {u.joint};
    const int index = static_cast<int>(plan_.links.size());
    plan_.index[u.out.body->name] = index;
    for (const Body* middle : u.out.middles) plan_.index[middle->name] = index;
    plan_.links.push_back(std::move(u.out));
    std::sort(u.children.begin(), u.children.end(), std::greater<>());
    for (const int child : u.children) open.emplace_back(child, index);
  }
}

void Planner::run() {
  make_units();
  fold_middles();
  std::vector<bool> folded;
  for (const Unit& u : units_) folded.push_back(u.placed);
  choose_joints();
  hang();
  for (size_t i = 0; i < units_.size(); ++i) {
    if (!folded[i] && units_[i].parent < 0) put(static_cast<int>(i), -1);
  }
}

}  // namespace

void Export::warn(const Place& place, std::string message, std::string value) {
  out.warnings.push_back(
      model::error_at(flat.source.name, place, std::move(message), std::move(value)));
}

JointEnd end_of(const Body* body) {
  if (body == nullptr) return {};
  return {{}, {body->position, body->orientation}};
}

StartFrames find_frames(const Plan& plan, const Joint& joint) {
  const auto find = [&](const std::string& name) -> const Body* {
    const auto found = plan.bodies.find(name);
    return found == plan.bodies.end() ? nullptr : found->second;
  };
  const JointEnd parent = end_of(find(joint.parent.name)), child = end_of(find(joint.child.name));
  StartFrames f;
  f.on_bodies = calc_frames(joint, parent, child);
  f.X_WP = parent.X_WB * f.on_bodies.X_BP;
  f.X_WC = child.X_WB * f.on_bodies.X_BC;
  return f;
}

void plan_tree(Export& e) { Planner(e).run(); }

}  // namespace tenon::scene::mjcf
