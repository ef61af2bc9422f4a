// Rules by which joints come and go while a world runs: links of a tread that the teeth of a
// sprocket catch and let go, magnets that snap to a wall, couplings that open under load.
//
// A rule has anchors: frames on bodies, some of them parents and some children. At the beginning of
// each step, from where the bodies are then, it first releases joints and then makes new ones
// between a parent anchor and a child anchor that are near each other, the nearest pairs first.
// Neither changes a velocity: momentum is kept, and what two bodies lose by being joined in motion
// is what the joint's own solver takes away in that step (an inelastic impact, energy only falls).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/joints/joint_def.h"

namespace tenon {

inline constexpr uint32_t kNoRule = 0xffffffffu;

// A place on a body where a rule may attach a joint. An anchor whose body is removed does nothing.
struct RuleAnchor {
  BodyHandle body;  // an invalid handle: the world; for parents only
  Pose X_BA;        // in the body frame (in the world for an invalid body)
};

// The half-space of all points p with (p - point) . normal >= 0.
struct RuleZone {
  BodyHandle body;       // whose frame the other two are in; an invalid handle: the world
  Vec3 point;            // m
  Vec3 normal{0, 1, 0};  // any length but zero
};

struct JointRuleDef {
  // What is made: kind and options. parent, child, X_BP, X_BC, enabled and the break_ members are
  // the rule's and not read. No gear. A distance joint without limits and length keeps the distance
  // at which it is made. Black boxes need `snap`.
  JointDef joint;
  std::vector<RuleAnchor> parents, children;  // at least one each
  double attach_distance = 0;                 // m, > 0: of the anchors' origins, at most this
  // false: both frames of the joint are the parent's anchor as the bodies meet, so that nothing
  // jumps. true: they are the two anchors, which the first step pulls together; momentum is kept,
  // so that bodies drawn together may turn faster.
  bool snap = false;
  // false: as soon as the anchors are that near. true: where they come no nearer, that is where a
  // step at their velocities would not bring them nearer; so `snap` pulls over half a step's way at
  // most, and adds next to no energy. Anchors that pass each other farther apart stay apart.
  bool at_closest = false;
  // An anchor bears one joint of this rule at a time. A pair of anchors never bears two.
  bool one_per_parent = true, one_per_child = true;

  // Joints are made only where the child's anchor is in the zone, and released where it is not.
  std::optional<RuleZone> zone;
  // A joint is released when any of these is exceeded.
  double max_distance = kInfinity;  // m, > 0: of the two anchors, for joints that leave a freedom
  double max_force = kInfinity;     // N, > 0: load as read_joint has it, mean over load_time
  double max_torque = kInfinity;    // N m, > 0
  double load_time = 0.02;          // s, > 0
  double max_time = kInfinity;      // s, > 0: age, to the nearest step; at least one step
  // Where a joint is released, this rule's joints are released also from those children that other
  // joints (not of a rule) tie to its child: a tread leaves its wheel link by link.
  bool release_neighbours = false;
  double rest_time = 0;  // s, >= 0: a pair that was released does not attach again before this
};

// A joint's rule; part of the state.
struct RuleJoint {
  uint32_t rule = kNoRule;
  uint32_t parent = 0, child = 0;  // anchors of the rule
  double made = 0;                 // s
};
// A pair of anchors that waits for its rest_time to pass; part of the state.
struct RestingPair {
  uint32_t rule = 0, parent = 0, child = 0;
  double until = 0;  // s
};

struct WorldData;

// Error that says what is wrong with a definition; on an error nothing changes.
Result<uint32_t> add_rule(WorldData& data, const JointRuleDef& def);

// The definition of a joint of a rule between two of its anchors, with given frames. `length` is
// that of a distance joint and ignored for others.
JointDef make_rule_joint(const JointRuleDef& rule, uint32_t parent, uint32_t child,
                         const Pose& X_BP, const Pose& X_BC, double length);

}  // namespace tenon
