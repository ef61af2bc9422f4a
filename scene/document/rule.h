// Rules of the scene document: joints that come and go while the scene runs. What they do is told
// in engine/world/joint_rules.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/scene/document/joint.h"

namespace tenon::scene {

// A frame on a body, or on the world, where a rule may attach a joint.
struct RuleAnchor {
  Reference body;
  JointFrame frame;  // in the frame of the body
  Place place;
  friend bool operator==(const RuleAnchor&, const RuleAnchor&) = default;
};

// The half-space on the side of `point` that `normal` points to.
struct RuleZone {
  Reference body{kWorldName, {}};  // whose frame the other two are in
  Vec3 point;                      // m
  Vec3 normal{0, 1, 0};            // any length but zero
  friend bool operator==(const RuleZone&, const RuleZone&) = default;
};

struct Rule {
  std::string name;  // unique among rules, not empty
  // Type and options of the joints it makes; their names, bodies and places are not used.
  Joint joint;
  std::vector<RuleAnchor> parents, children;
  double attach_distance = 0;  // m, > 0
  bool snap = false;           // pulls the two anchors together; else nothing jumps
  bool at_closest = false;     // waits until the anchors come no nearer
  bool one_per_parent = true, one_per_child = true;
  std::optional<RuleZone> zone;                                         // of the child's anchor
  std::optional<double> max_distance, max_force, max_torque, max_time;  // m, N, N m, s
  double load_time = 0.02;  // s, over which the load is averaged
  bool release_neighbours = false;
  double rest_time = 0;  // s
  Place place;
  friend bool operator==(const Rule&, const Rule&) = default;
};

enum class AnchorSide { kParent, kChild };

// An anchor that stands apart from its rule, so that arrays and prefabs can make many. Flat
// documents have none: theirs stand in the rules.
struct Anchor {
  Reference rule;
  AnchorSide side = AnchorSide::kChild;
  RuleAnchor anchor;
  Place place;
  friend bool operator==(const Anchor&, const Anchor&) = default;
};

}  // namespace tenon::scene
