// The arrays of a world. Private to engine/world: phases read and write them, world.cpp guards
// them. Indexed by body slot (BodyHandle::index) or by collider slot (= proxy of the broad phase).
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "tenon/engine/base/handle.h"
#include "tenon/engine/collision/broad/broad_phase.h"
#include "tenon/engine/contact/contact.h"
#include "tenon/engine/forces/timed_force.h"
#include "tenon/engine/joints/joint_model.h"
#include "tenon/engine/world/body_def.h"
#include "tenon/engine/world/diagnostics.h"
#include "tenon/engine/world/event.h"
#include "tenon/engine/world/force_run.h"
#include "tenon/engine/world/joint_rules.h"
#include "tenon/engine/world/mesh_memory.h"
#include "tenon/engine/world/world.h"

namespace tenon {

// What a state may be. Bodies beyond are refused by edits and frozen by steps: farther out, planes
// end (kPlaneExtent) and coordinates have no micrometre left; faster, squares would overflow one
// day.
inline constexpr double kWorldRadius = 1e9;   // m, on any axis
inline constexpr double kLargestSpeed = 1e9;  // m/s, on any axis
inline constexpr double kLargestSpin = 1e9;   // rad/s, on any axis

// A pair of body slots in either order.
inline uint64_t pair_key(uint32_t a, uint32_t b) {
  return static_cast<uint64_t>(std::min(a, b)) << 32 | std::max(a, b);
}

struct Collider {
  uint32_t body = 0;  // slot of its body
  Shape shape;
  Transform X_CS;  // shape frame in the body's axes, from the centre of mass
  MaterialId material = 0;
  double margin = 0;  // m; contacts are reported up to twice the smaller margin of a pair, and
                      // what the bodies may move in the coming step
  double size = 0;    // m, smallest extent of the shape
  double wall = 0;    // m, the same of its thin parts: of meshes that are not convex
  Vec3 surface_velocity = {};  // m/s, body axes
  bool sensor = false;
  Vec3 p_BS;  // m, origin of the shape frame in the body frame
  // Written by kBroadPhase: where it is in the world, and how far it may go in the coming step,
  // straight and by turning, m.
  Transform X_WS;
  Vec3 shift;
  double turn = 0;
  double drive = 0;  // m, and how far motors and springs of joints may bring it, in any direction
};

// Constant between user edits, but for bodies that are released: they change their motion once.
struct BodyInfo {
  MotionKind motion = MotionKind::kDynamic;
  bool gravity = true;
  bool collision = true;
  CollisionClass collision_class = 0;
  double drag = 0;  // kg/m
  KinematicMotion script;
  std::vector<uint32_t> colliders;  // slots
  Vec3 one_way = {};                // unit, body axes: the front; zero for none
  // Of kinematic bodies that become dynamic: when, with what mass, and whether they have.
  std::optional<double> release = {};  // s
  BodyMass own_mass = {};
  bool released = false;
};

// Something that kHealth has said: not again while it lasts.
struct HealthMark {
  EventKind kind{};
  uint32_t a = 0, b = 0;  // body slots
  double last = 0;        // s, when it was last so
  friend bool operator<(const HealthMark& x, const HealthMark& y) {
    return std::tie(x.kind, x.a, x.b) < std::tie(y.kind, y.a, y.b);
  }
};
struct HealthData {
  std::vector<HealthMark> marks;  // sorted by kind, a, b
  bool begun = false;
  double balance_J = 0;       // energy less what went in from outside, when it was last looked up
  double scale_J = 0;         // largest kinetic energy so far
  uint32_t impact_steps = 0;  // in a row, with several impacts in each
};

// How often a step may be cut in two.
inline constexpr uint8_t kMostHalvings = 5;

struct WorldData {
  WorldSettings settings;
  MaterialTable materials;
  CollisionClasses classes;
  std::vector<uint64_t> separated;  // pairs of bodies (pair_key) that never touch, sorted

  // bodies: written by user edits and by releases (release.h)
  HandleTable<BodyTag> body_slots;
  std::vector<BodyInfo> info;
  std::vector<BodyMass> mass;
  // bodies: written by kKinematics and kFreeMotion
  std::vector<BodyState> state;
  std::vector<uint8_t> frozen;
  // bodies: written by kRebounds: for how many steps all that touches it has stood still
  std::vector<uint16_t> still;
  // bodies: written by the user and kAppliedForces, read and cleared by kFreeMotion
  std::vector<Wrench> applied;
  // bodies: written by kAppliedForces and kBroadPhase: accelerations by forces on a timeline,
  // random gravity and wind in the coming step; empty: none
  std::vector<Vec3> coming;
  // bodies: written by kBroadPhase: contacts have been looked for as far as a step halved so many
  // times goes; part of snapshots. Empty: whole steps
  std::vector<uint8_t> halvings;
  double coming_step(uint32_t slot) const {
    return slot < halvings.size() ? settings.step / (1 << halvings[slot]) : settings.step;
  }
  // bodies: written by kMechanisms, which starts its next search there
  std::vector<Acceleration> acceleration;

  // colliders: written by user edits
  HandleTable<ColliderTag> collider_slots;
  std::vector<Collider> colliders;

  // joints: written by user edits
  HandleTable<JointTag> joint_slots;
  std::vector<JointDef> joint_defs;
  std::vector<JointModel> joint_models;
  // joints: written by kMechanisms
  std::vector<JointState> joint_states;
  // forces on a timeline: written by user edits
  HandleTable<ForceTag> force_slots;
  std::vector<TimedForceDef> force_defs;
  std::vector<TimedForce> forces;
  // rules: written by user edits
  std::vector<JointRuleDef> rules;
  // rules: written by kJointRules, which also makes and removes joints
  std::vector<RuleJoint> joint_rules;  // by joint slot
  std::vector<RestingPair> resting;
  ForceRun force;  // of the method `force`
  // Changes whenever mechanisms may have: joints made, removed, switched, broken, bodies frozen.
  uint64_t topology = 0;

  // written by kBroadPhase and kNarrowPhase
  BroadPhase broad_phase;
  std::vector<Contact> contacts;
  MeshMemory mesh_memory;        // of pairs with meshes; in no snapshot
  std::vector<Push> pushes;      // of the step just done
  std::vector<Contact> ended;    // those that pushed in it and are no longer among the contacts
  std::vector<uint8_t> shifted;  // by body slot, during kOverlaps: moved since contacts were found
  bool contacts_stale = true;    // bodies have been changed since they were found
  // written by kContactEvents
  std::vector<Touch> touches;
  std::vector<Event> events;
  // written by kDiagnostics
  HealthData health;

  // time = time_base + steps_since_base * settings.step: no sum of rounded steps
  double time_base = 0;
  uint64_t steps_since_base = 0;
  uint64_t step_count = 0;
  StepDiagnostics diagnostics;
  // By body slot, what of the diagnostics is a body's, while it may have to be taken back; mostly
  // empty.
  std::vector<Account> accounts;
};

// What has been done to a body, or to bodies of which it is one.
inline void book(WorldData& data, uint32_t slot, const Account& done) {
  const auto add = [&](auto& sum) {
    sum.work_J += done.work_J;
    sum.contact_work_J += done.contact_work_J;
    sum.linear_impulse += done.linear_impulse;
    sum.angular_impulse += done.angular_impulse;
  };
  add(data.diagnostics);
  if (!data.accounts.empty()) add(data.accounts[slot]);
}

inline double current_time(const WorldData& data) {
  return data.time_base + static_cast<double>(data.steps_since_base) * data.settings.step;
}

// After edits, and where joints come or go: what rested may not any more.
inline void wake_all(WorldData& data) {
  std::fill(data.still.begin(), data.still.end(), uint16_t{0});
}

// Finite, and within the limits above.
inline bool within_limits(const BodyState& s) {
  return is_finite(s) && max_component(cwise_abs(s.x_WC)) <= kWorldRadius &&
         max_component(cwise_abs(s.v_WC)) <= kLargestSpeed &&
         max_component(cwise_abs(s.w_WB)) <= kLargestSpin;
}
// For edits that would break them.
inline Error beyond_limits() {
  return {.message = "a body would be too far away or too fast",
          .accepted = "coordinates up to 1e9 m, velocities up to 1e9 m/s and 1e9 rad/s"};
}

// Dynamic, and not stopped for good.
inline bool moves_by_itself(const WorldData& data, uint32_t slot) {
  return data.info[slot].motion == MotionKind::kDynamic && data.frozen[slot] == 0;
}
// Dynamic now, or as soon as it is released; and the mass it has then.
inline bool is_ever_dynamic(const WorldData& data, uint32_t slot) {
  return data.info[slot].motion == MotionKind::kDynamic || data.info[slot].release.has_value();
}
inline const BodyMass& ever_mass(const WorldData& data, uint32_t slot) {
  return data.info[slot].release ? data.info[slot].own_mass : data.mass[slot];
}

// World transform of a collider's shape.
inline Transform collider_transform(const BodyState& s, const Collider& c) {
  return Transform{to_matrix(s.q_WB), s.x_WC} * c.X_CS;
}

// Energy and momentum of one body; zero unless it is dynamic.
Mechanics calc_body_mechanics(const WorldData& data, uint32_t slot);
Mechanics calc_all_mechanics(const WorldData& data);

// Fingerprint of what the bodies are (not where): save_state and load_state agree on it.
uint64_t calc_structure_hash(const WorldData& data);

}  // namespace tenon
