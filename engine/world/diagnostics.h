// What every step says about itself. Numbers, never log lines.
#pragma once

#include <array>
#include <cstdint>

#include "tenon/engine/math/vec3.h"

namespace tenon {

// The phases of a step in call order. The same list orders the calls, the profiler, the counters
// in recordings and docs/step.md.
enum class Phase : uint8_t {
  kJointRules,     // joints that rules release and make
  kKinematics,     // poses of key-framed bodies at the end of the step
  kAppliedForces,  // forces on a timeline, random gravity, wind: means over the step
  kIslands,        // which bodies touch one another
  kCollisions,     // impacts, with restitution: velocities
  kContacts,       // what holds bodies up and rubs: forces over the step
  kMechanisms,     // bodies that joints hold: forces, joints, velocities, positions
  kFreeMotion,     // forces, velocities and positions of the other dynamic bodies
  kRebounds,       // positions of what was hit late in the step
  kBroadPhase,     // which colliders may touch
  kNarrowPhase,    // contact patches
  kOverlaps,       // what is left of overlaps: positions
  kContactEvents,  // begin and end of touching
  kDiagnostics,    // energy, momentum, penetration
};
inline constexpr int kPhaseCount = 14;
const char* name(Phase phase);

// Sums over dynamic bodies, SI units. Angular momentum is taken about the world origin.
struct Mechanics {
  double kinetic_J = 0;
  double potential_J = 0;  // of gravity, zero height at the world origin
  double elastic_J = 0;    // of the springs of joints; their work is in StepDiagnostics::work_J
  Vec3 linear_momentum;    // kg m/s
  Vec3 angular_momentum;   // kg m^2/s
};

// What outside influences and contacts put in; see StepDiagnostics.
struct Account {
  double work_J = 0, contact_work_J = 0;
  Vec3 linear_impulse, angular_impulse;
};

struct StepDiagnostics {
  uint64_t step = 0;  // number of steps done
  double time = 0;    // s
  Mechanics mechanics;
  // What outside influences (applied forces and torques, user edits between steps) put in since
  // the world began, so that what is left over shows the integrator's own error:
  //   energy balance = kinetic + potential - work_J;  constant for an exact integrator.
  double work_J = 0;
  double contact_work_J = 0;           // the part of it that contacts did, mostly negative
  Vec3 linear_impulse;                 // of gravity, drag, applied forces and edits
  Vec3 angular_impulse;                // of the same and of applied torques, about the world origin
  uint32_t contacts = 0;               // contact points that overlap or pushed in the step
  uint32_t contact_pairs = 0;          // collider pairs with at least one such point
  uint32_t candidate_pairs = 0;        // collider pairs the narrow phase looked at
  double penetration_m = 0;            // deepest overlap, >= 0
  uint32_t contact_sweeps = 0;         // of the island that took most
  double contact_residual = 0;         // m/s: what their last sweep still changed
  double joint_gap_m = 0;              // largest distance between the two anchor points of a joint
  double joint_gap_rel = 0;            // the same relative to the size of the smaller jointed body
  double joint_angle_rad = 0;          // largest angular error of a joint
  uint32_t worst_joint = 0xffffffffu;  // slot of the joint with the largest relative gap or angle
  uint32_t joint_iterations = 0;  // Newton iterations (or sweeps) of the mechanism that took most
  uint32_t bisections = 0;        // how often a mechanism's step had to be halved
  uint32_t softened_steps = 0;    // parts of steps that only the solver's last resorts could take
  // Integration 'rattle': into how many parts the step of a mechanism was cut, at most; and how
  // many mechanisms went on with the step of 'stable' because that of 'rattle' had no solution.
  uint32_t substeps = 0, fallbacks = 0;
  // Method 'force': steps of its integrator that were taken in the frame, that were tried and
  // refused, that had the least length allowed and still erred more than asked for; and how often a
  // limit, friction or motor of a joint changed from holding to giving way or back.
  uint32_t integrator_steps = 0, rejected_steps = 0, minimum_steps = 0, joint_events = 0;
  // The same method: moments at which bodies collided, the impulses of all of them, how many of
  // those moments ended by the number of impulses allowed (2 k for k points), and the fastest
  // approach that was left, m/s; resting contacts that were solved for as complementarity problems,
  // and how many of these had no solution (penalty forces took their place).
  uint32_t impacts = 0, impact_steps = 0, capped_impacts = 0;
  double approach_left = 0;
  uint32_t lcp_solves = 0, lcp_failures = 0;
  uint32_t unconverged_joints = 0;  // joints that miss the tolerance after the step
  uint32_t sleeping_bodies = 0;     // in this step
  uint32_t frozen_bodies = 0;       // since the world began
  // Wall time per phase (ms) by the clock given in WorldSettings; zero without a clock. Not part
  // of the state: two runs that are equal in bits differ here.
  std::array<double, kPhaseCount> phase_ms{};
};

}  // namespace tenon
