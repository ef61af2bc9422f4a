// Which joints of rules end and which begin, from where the bodies are at the beginning of a step.
// The order of everything is that of slots, rules and anchors, so that a run that is resumed makes
// the same choices.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

struct AnchorPair {
  uint32_t parent = 0, child = 0;
  friend auto operator<=>(const AnchorPair&, const AnchorPair&) = default;
};
struct NearPair {
  double distance2 = 0;
  AnchorPair pair;
};
struct PlacedAnchor {
  uint32_t anchor = 0;
  Vec3 p_W;
};

bool exists(const WorldData& data, BodyHandle body) {
  return !body.valid() || data.body_slots.contains(body);
}
// Precondition: exists.
Pose pose_of(const WorldData& data, BodyHandle body) {
  if (!body.valid()) return {};
  return body_pose(data.state[body.index], data.mass[body.index].com_B);
}
Vec3 origin_of(const WorldData& data, const RuleAnchor& a) {
  const Pose X_WB = pose_of(data, a.body);
  return X_WB.p + rotate(X_WB.q, a.X_BA.p);
}
// m/s, of the anchor's origin.
Vec3 velocity_of(const WorldData& data, const RuleAnchor& a) {
  if (!a.body.valid()) return {};
  const BodyState& s = data.state[a.body.index];
  return s.v_WC + cross(s.w_WB, origin_of(data, a) - s.x_WC);
}

// The zone where it is now.
struct ZoneNow {
  bool everywhere = true, nowhere = false;
  Vec3 point, normal;
  bool contains(const Vec3& p_W) const {
    return everywhere || (!nowhere && dot(p_W - point, normal) >= 0);
  }
};
ZoneNow zone_now(const WorldData& data, const JointRuleDef& rule) {
  if (!rule.zone) return {};
  ZoneNow zone;
  zone.everywhere = false;
  zone.nowhere = !exists(data, rule.zone->body);
  if (zone.nowhere) return zone;
  const Pose X_WB = pose_of(data, rule.zone->body);
  zone.point = X_WB.p + rotate(X_WB.q, rule.zone->point);
  zone.normal = rotate(X_WB.q, rule.zone->normal);
  return zone;
}

// --- release ------------------------------------------------------------------------------------

bool must_end(const StepContext& context, const WorldData& data, uint32_t slot,
              const ZoneNow& zone) {
  const RuleJoint& made = data.joint_rules[slot];
  const JointRuleDef& rule = data.rules[made.rule];
  const JointState& state = data.joint_states[slot];
  if (state.load_force > rule.max_force || state.load_torque > rule.max_torque) return true;
  // to the nearest step, whatever the sum of rounded steps is
  if (context.t_begin - made.made + 0.5 * context.h >= rule.max_time) return true;
  if (!rule.zone && !(rule.max_distance < kInfinity)) return false;
  const Vec3 p_child = origin_of(data, rule.children[made.child]);
  if (!zone.contains(p_child)) return true;
  const Vec3 d = p_child - origin_of(data, rule.parents[made.parent]);
  return norm2(d) > rule.max_distance * rule.max_distance;
}

bool is_made_by(const WorldData& data, uint32_t slot, uint32_t rule) {
  return data.joint_slots.live(slot) && data.joint_rules[slot].rule == rule;
}

// Joints of `rule` on the children that joints of no rule tie to children of `ending`.
void add_neighbours(const WorldData& data, uint32_t rule, std::vector<uint8_t>& ending) {
  std::vector<uint8_t> loose(data.info.size(), 0), beside(data.info.size(), 0);
  bool any = false;
  for (uint32_t slot = 0; slot < ending.size(); ++slot) {
    if (ending[slot] == 0 || !is_made_by(data, slot, rule)) continue;
    loose[data.joint_defs[slot].child.index] = 1;
    any = true;
  }
  if (!any) return;
  for (uint32_t slot = 0; slot < ending.size(); ++slot) {
    if (!is_made_by(data, slot, kNoRule)) continue;
    const JointState& state = data.joint_states[slot];
    if (!state.enabled || state.broken) continue;
    const JointPair& pair = data.joint_models[slot].pairs[0];
    if (pair.parent == kWorldBody || pair.child == kWorldBody) continue;
    if (loose[pair.parent] != 0) beside[pair.child] = 1;
    if (loose[pair.child] != 0) beside[pair.parent] = 1;
  }
  for (uint32_t slot = 0; slot < ending.size(); ++slot) {
    if (!is_made_by(data, slot, rule)) continue;
    if (beside[data.joint_defs[slot].child.index] != 0) ending[slot] = 1;
  }
}

void report(const StepContext& context, WorldData& data, EventKind kind, JointHandle joint) {
  const JointDef& def = data.joint_defs[joint.index];
  data.events.push_back({kind, data.step_count, context.t_end, def.parent, def.child,
                         static_cast<double>(joint.index), joint});
}

void release(const StepContext& context, WorldData& data, uint32_t slot) {
  const RuleJoint made = data.joint_rules[slot];
  const JointHandle joint = data.joint_slots.at(slot);
  report(context, data, EventKind::kJointReleased, joint);
  data.resting.push_back(
      {made.rule, made.parent, made.child, context.t_begin + data.rules[made.rule].rest_time});
  remove_joint(data, joint);
}

void release_joints(const StepContext& context, WorldData& data) {
  std::vector<ZoneNow> zones;
  for (const JointRuleDef& rule : data.rules) zones.push_back(zone_now(data, rule));
  std::vector<uint8_t> ending(data.joint_defs.size(), 0);
  bool any = false;
  for (uint32_t slot = 0; slot < ending.size(); ++slot) {
    if (!data.joint_slots.live(slot) || data.joint_rules[slot].rule == kNoRule) continue;
    ending[slot] = must_end(context, data, slot, zones[data.joint_rules[slot].rule]);
    any |= ending[slot] != 0;
  }
  if (!any) return;
  for (uint32_t rule = 0; rule < data.rules.size(); ++rule) {
    if (data.rules[rule].release_neighbours) add_neighbours(data, rule, ending);
  }
  for (uint32_t slot = 0; slot < ending.size(); ++slot) {
    if (ending[slot] != 0) release(context, data, slot);
  }
}

// --- attach -------------------------------------------------------------------------------------

// Pairs within `reach`: anchors in a grid of that cell size meet only in neighbouring cells. The
// grid is a sorted list, so its order is no accident of a hash.
class Grid {
 public:
  Grid(const std::vector<PlacedAnchor>& anchors, double cell) : anchors_(anchors), cell_(cell) {
    for (uint32_t i = 0; i < anchors.size(); ++i) cells_.push_back({key_of(anchors[i].p_W), i});
    std::sort(cells_.begin(), cells_.end());
  }
  template <class F>
  void each_near(const Vec3& p, F&& visit) const {
    const auto [x, y, z] = key_of(p);
    for (int64_t i = x - 1; i <= x + 1; ++i) {
      for (int64_t j = y - 1; j <= y + 1; ++j) {
        auto at = std::lower_bound(cells_.begin(), cells_.end(), Cell{{i, j, z - 1}, 0});
        for (; at != cells_.end() && at->key <= Key{i, j, z + 1}; ++at) visit(anchors_[at->index]);
      }
    }
  }

 private:
  using Key = std::tuple<int64_t, int64_t, int64_t>;
  struct Cell {
    Key key;
    uint32_t index;
    friend auto operator<=>(const Cell&, const Cell&) = default;
  };
  const std::vector<PlacedAnchor>& anchors_;
  double cell_;
  std::vector<Cell> cells_;

  // Anchors are within 2e9 m and cells 1e-9 m or more: no overflow.
  Key key_of(const Vec3& p) const {
    const auto number = [&](double v) { return static_cast<int64_t>(std::floor(v / cell_)); };
    return {number(p.x), number(p.y), number(p.z)};
  }
};

constexpr size_t kFewPairs = 256;  // comparing them all is cheaper than sorting

std::vector<NearPair> find_near(const std::vector<PlacedAnchor>& parents,
                                const std::vector<PlacedAnchor>& children, double reach) {
  std::vector<NearPair> near;
  const auto consider = [&](const PlacedAnchor& p, const PlacedAnchor& c) {
    const double d2 = norm2(c.p_W - p.p_W);
    if (d2 <= reach * reach) near.push_back({d2, {p.anchor, c.anchor}});
  };
  if (parents.size() * children.size() <= kFewPairs) {
    for (const PlacedAnchor& p : parents) {
      for (const PlacedAnchor& c : children) consider(p, c);
    }
  } else {
    const Grid grid(children, reach);
    for (const PlacedAnchor& p : parents) {
      grid.each_near(p.p_W, [&](const PlacedAnchor& c) { consider(p, c); });
    }
  }
  std::sort(near.begin(), near.end(), [](const NearPair& a, const NearPair& b) {
    return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.pair < b.pair;
  });
  return near;
}

// What one rule has, sorted.
struct RuleNow {
  std::vector<AnchorPair> joined, resting;
};

std::vector<RuleNow> sort_by_rule(const WorldData& data) {
  std::vector<RuleNow> now(data.rules.size());
  for (uint32_t slot = 0; slot < data.joint_rules.size(); ++slot) {
    const RuleJoint& made = data.joint_rules[slot];
    if (!data.joint_slots.live(slot) || made.rule == kNoRule) continue;
    now[made.rule].joined.push_back({made.parent, made.child});
  }
  for (const RestingPair& r : data.resting) now[r.rule].resting.push_back({r.parent, r.child});
  for (RuleNow& rule : now) {
    std::sort(rule.joined.begin(), rule.joined.end());
    std::sort(rule.resting.begin(), rule.resting.end());
  }
  return now;
}

bool is_dynamic(const WorldData& data, BodyHandle body) {
  return body.valid() && data.info[body.index].motion == MotionKind::kDynamic;
}

// A step at the velocities of now would bring the anchors nearer.
bool is_approaching(const StepContext& context, const WorldData& data, const JointRuleDef& rule,
                    const AnchorPair& pair) {
  const RuleAnchor &p = rule.parents[pair.parent], &c = rule.children[pair.child];
  const Vec3 d = origin_of(data, c) - origin_of(data, p);
  const Vec3 way = context.h * (velocity_of(data, c) - velocity_of(data, p));
  return norm2(d + way) < norm2(d);
}

// Makes the joint of one pair. A joint that cannot be made, such as a rod without length, is not.
bool attach(const StepContext& context, WorldData& data, uint32_t index, const NearPair& near) {
  const JointRuleDef& rule = data.rules[index];
  const RuleAnchor &p = rule.parents[near.pair.parent], &c = rule.children[near.pair.child];
  Pose X_BC = c.X_BA;
  if (!rule.snap && rule.joint.kind != JointKind::kDistance) {
    X_BC = inverse(pose_of(data, c.body)) * (pose_of(data, p.body) * p.X_BA);
    X_BC.q = normalized(X_BC.q);
  }
  const JointDef def = make_rule_joint(rule, near.pair.parent, near.pair.child, p.X_BA, X_BC,
                                       std::sqrt(near.distance2));
  const Result<JointHandle> joint = create_joint(data, def);
  if (!joint) return false;
  data.joint_rules[joint->index] = {index, near.pair.parent, near.pair.child, context.t_begin};
  report(context, data, EventKind::kJointMade, *joint);
  return true;
}

void attach_joints(const StepContext& context, WorldData& data, uint32_t index,
                   const RuleNow& now) {
  const JointRuleDef& rule = data.rules[index];
  std::vector<uint8_t> parent_used(rule.parents.size(), 0), child_used(rule.children.size(), 0);
  for (const AnchorPair& pair : now.joined) {
    parent_used[pair.parent] = rule.one_per_parent;
    child_used[pair.child] = rule.one_per_child;
  }
  const ZoneNow zone = zone_now(data, rule);
  std::vector<PlacedAnchor> parents, children;
  for (uint32_t i = 0; i < rule.children.size() && !zone.nowhere; ++i) {
    if (child_used[i] != 0 || !exists(data, rule.children[i].body)) continue;
    const Vec3 p_W = origin_of(data, rule.children[i]);
    if (zone.contains(p_W)) children.push_back({i, p_W});
  }
  for (uint32_t i = 0; i < rule.parents.size() && !children.empty(); ++i) {
    if (parent_used[i] != 0 || !exists(data, rule.parents[i].body)) continue;
    parents.push_back({i, origin_of(data, rule.parents[i])});
  }
  const auto is_in = [](const std::vector<AnchorPair>& list, const AnchorPair& pair) {
    return std::binary_search(list.begin(), list.end(), pair);
  };
  for (const NearPair& near : find_near(parents, children, rule.attach_distance)) {
    const BodyHandle a = rule.parents[near.pair.parent].body;
    const BodyHandle b = rule.children[near.pair.child].body;
    if (parent_used[near.pair.parent] != 0 || child_used[near.pair.child] != 0 || a == b) continue;
    if (!is_dynamic(data, a) && !is_dynamic(data, b)) continue;
    if (is_in(now.joined, near.pair) || is_in(now.resting, near.pair)) continue;
    if (rule.at_closest && is_approaching(context, data, rule, near.pair)) continue;
    if (!attach(context, data, index, near)) continue;
    parent_used[near.pair.parent] = rule.one_per_parent;
    child_used[near.pair.child] = rule.one_per_child;
  }
}

}  // namespace

void apply_joint_rules(StepContext& context, WorldData& data) {
  if (data.rules.empty()) return;
  const auto rested = [&](const RestingPair& r) {
    return context.t_begin + 0.5 * context.h >= r.until;
  };
  data.resting.erase(std::remove_if(data.resting.begin(), data.resting.end(), rested),
                     data.resting.end());
  // pairs released now wait at least until the next step
  release_joints(context, data);
  const std::vector<RuleNow> now = sort_by_rule(data);
  for (uint32_t rule = 0; rule < data.rules.size(); ++rule) {
    attach_joints(context, data, rule, now[rule]);
  }
}

}  // namespace tenon
