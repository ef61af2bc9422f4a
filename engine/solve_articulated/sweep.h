// The joint solver of [Weinstein2006, sec. IV and V]: impulses joint by joint, in sweeps.
//
// Pre-stabilization finds impulses at time n such that the joints fit at time n+1 after
//   x_n+1 = x_n + h v,  q_n+1 = exp(h w) q_n                                                   (1)
// so joints cannot drift: every step aims at the allowed state itself. Velocity post-stabilization
// then takes away the relative velocity in the directions that the joints hold.
//
// Faithful, hence with the method's limits. A sweep carries a correction one joint further: long
// chains and large mass ratios need very many sweeps. Levers are those of time n, so beyond a
// tension number of 1 (SweepResult::tension_number) the step has no good solution at all and
// energy grows. Then take a smaller step, or the direct solver.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/bodies/body.h"
#include "tenon/engine/joints/joint_model.h"

namespace tenon {

// A direction that a joint holds, as a unit wrench on the child in the axes of P: force f at C's
// origin and couple t. Linear directions have t = 0, angular ones f = 0, those of screws both.
struct SweepRow {
  Vec3 f, t;
  // 0: held both ways. +1, -1: a limit, which may push the child along +(f, t) or -(f, t) only.
  int sense = 0;
  int id = 0;  // which of the joint's rows: the same one at another frame has the same id
};

struct SweepRows {
  int count = 0;
  std::array<SweepRow, 6> row{};
};

// The joint as a black box [Weinstein2006, sec. IV]. Both functions depend on their arguments only;
// of the state they read the coordinates, to count turns.
struct JointProjection {
  // The nearest allowed frame; must be idempotent.
  Pose (*nearest)(const JointModel& joint, const JointState& state, const Pose& X_PC) = nullptr;
  // What holds in the neighbourhood. Limits that X_PC does not pass hold nothing.
  SweepRows (*held)(const JointModel& joint, const JointState& state, const Pose& X_PC) = nullptr;
};

// The joints of engine/joints: their held rows and their limits. Motors, springs, dampers, friction
// and the restitution of limits do nothing here.
Pose project_joint(const JointModel& joint, const JointState& state, const Pose& X_PC);
SweepRows find_sweep_rows(const JointModel& joint, const JointState& state, const Pose& X_PC);
inline constexpr JointProjection kJointProjection{&project_joint, &find_sweep_rows};

// The sweep treats joints between two bodies; gears couple four and are refused.
inline bool sweep_supports(const JointModel& joint) { return joint.pair_count == 1; }

enum class LineSearch : uint8_t {
  kNone,      // plain Newton
  kFallback,  // golden section where a Newton step does not reduce the error
  kAlways,    // golden section along every Newton step, as in the paper; about 30 times dearer
};
enum class JointUnknowns : uint8_t {
  kTogether,           // all held directions of a joint in one system of up to 6 equations
  kLinearThenAngular,  // the paper: a linear impulse for the position, then one for the orientation
};
enum class StepVelocities : uint8_t {
  kKept,   // the impulses of pre-stabilization change velocities for good
  kSaved,  // they move positions only; the velocities before them are put back after the move
};

struct SweepSettings {
  int sweeps = 9;           // of pre-stabilization, >= 0. The paper: 9 enough, always below 10
  int velocity_sweeps = 9;  // of each post-stabilization, >= 0
  // Epsilon of the paper: sweep i of n may spend i/n of the impulse that its joints ask for. It
  // spreads the error evenly and costs two to three times the sweeps for the same error.
  bool ramp = true;
  LineSearch line_search = LineSearch::kFallback;
  JointUnknowns unknowns = JointUnknowns::kTogether;
  StepVelocities velocities = StepVelocities::kKept;
  // Largest impulse of one joint solve, in first Newton steps (kinetic energy metric), > 0. A root
  // lies within 1.1 of them unless bodies turn by a radian per step.
  double trust = 4;
  double tolerance =
      1e-12;  // of Newton, relative to the size of the bodies; reached by 3 - 4 steps
  int newton_iterations = 20;  // per joint and sweep, at most
};

// What the sweep works on: arrays indexed by body slot or joint slot, and the slots that belong to
// one mechanism. Bodies that are joined to it without being listed must have infinite inertia.
struct SweepMechanism {
  std::span<BodyState> states;  // in: time n, forces of the step in v, w, L. out: n+1
  std::span<const BodyMass> masses;
  std::span<const uint8_t> infinite;  // 1: nothing moves the body: static, kinematic, frozen
  std::span<const Pose> ends;         // of those: mass centre and orientation at time n+1
  std::span<const JointModel> joints;
  std::span<const uint32_t> body_slots;   // of the mechanism, ascending, without infinite ones
  std::span<const uint32_t> joint_slots;  // in the order of solving
  // Coordinates and forces of the joints, advanced by sweep_step; empty: angles are within +-pi.
  std::span<JointState> joint_states = {};
  JointProjection project = kJointProjection;
};

// A body at work: at time n until integrate(), at time n+1 after.
struct SweepBody {
  uint32_t slot = kWorldBody;
  bool infinite = true;
  Vec3 x, v, w, L;
  Quat q;
  double inv_mass = 0;
  Mat3 inv_I{};      // world axes, at q
  Mat3 inv_I_B{};    // body axes
  double size2 = 0;  // m^2, largest moment over mass
  // Added to w where (1) turns the body. Constant over a step, so that what is predicted is what
  // happens; sweep_step leaves it zero.
  Vec3 gyro;
  // of infinite ones
  Vec3 x_end;
  Quat q_end;
  // What joints gave them, sums over the step: N s, N m s about the world origin, and the work (J)
  // at the body's own velocity.
  Vec3 taken_impulse, taken_angular_impulse;
  double taken_work = 0;

  // An impulse f at a point of the world and a couple t.
  void apply(const Vec3& f, const Vec3& point, const Vec3& t) {
    const Vec3 r = point - x;
    if (infinite) {
      taken_impulse += f;
      taken_angular_impulse += cross(point, f) + t;
      taken_work += dot(f, v + cross(w, r)) + dot(t, w);
      return;
    }
    v += inv_mass * f;
    L += cross(r, f) + t;
    w = inv_I * L;
  }
};

struct SweepJoint {
  const JointModel* model = nullptr;
  JointState state;                // coordinates at the begin of the step
  uint32_t parent = 0, child = 0;  // indices of SweepWork::bodies
  Quat q_BP, q_BC;                 // orientations of the joint frames in their bodies
  Pose nearest;                    // to the present relative frame
  SweepRows held;                  // there
  // Sums over the step, on the child, world axes: N s, and N m s about C's origin.
  Vec3 impulse, angular_impulse;
};

struct SweepWork {
  std::vector<SweepBody> bodies;
  std::vector<SweepJoint> joints;
  JointProjection project;
};

// Fills `work` from a mechanism, whose joints must all be supported.
void prepare_sweep(const SweepMechanism& mechanism, SweepWork& work);
// Writes positions, orientations and velocities of the finite bodies back.
void store_sweep(const SweepWork& work, std::span<BodyState> states);

struct SweepSolve {
  enum class Status : uint8_t {
    kSolved,      // within tolerance, or as near as epsilon and trust allow
    kUnfinished,  // no direction reduces the error, or iterations used up
    kIdle,        // nothing to do: both bodies infinite, or nothing held
    kNotFinite,   // nothing was applied
  };
  Status status = Status::kIdle;
  int iterations = 0;
  double before = 0, after = 0;  // m, error at the end of the step: |f_l|^2 + size^2 |f_a|^2, root
};

// Pre-stabilization of one joint: finds and applies the impulse. epsilon in (0, 1].
SweepSolve solve_joint_position(SweepWork& work, size_t joint, double h, double epsilon,
                                const SweepSettings& settings);

struct SweepCounts {
  int sweeps = 0;
  int64_t newton_iterations = 0;
  int most_newton_iterations = 0;  // of one joint solve
  int skipped = 0;                 // joint solves that were not finite, and were left out
  int unfinished = 0;              // joint solves that ended above tolerance, last sweep
};

// One sweep over all joints, in order.
void sweep_positions(SweepWork& work, double h, double epsilon, const SweepSettings& settings,
                     SweepCounts& counts);
// Velocity post-stabilization: `sweeps` sweeps at the present positions. Limits that are reached
// within a thousandth of h hold against motion outward. `joints`: 1 for those that take part;
// empty: all do.
void sweep_velocities(SweepWork& work, double h, int sweeps, SweepCounts& counts,
                      std::span<const uint8_t> joints = {});
// Moves all bodies by (1); angular velocities follow from L at the new orientation. Infinite bodies
// go to their given ends.
void integrate(SweepWork& work, double h);

// After positions or orientations were set from outside: inertias, angular velocities and targets
// follow.
void update_frames(SweepWork& work);

// The present pose of C in P.
Pose calc_relative_frame(const SweepWork& work, size_t joint);
// Coordinates of the joint's rows as they are now, turns counted on from `state`.
void store_coordinates(const SweepWork& work, size_t joint, JointState& state);
// Forces of the joint's rows, mean over the step: those that add up to its impulses. Limits that
// the joint is not at have none.
void store_reaction(const SweepWork& work, size_t joint, double h, JointState& state);

struct SweepError {
  double gap = 0, angle = 0;  // m, rad: distance from the nearest allowed frame
};
SweepError calc_joint_error(const SweepWork& work, size_t joint);

// What a joint did in a step; divided by h it is the mean reaction.
struct SweepImpulse {
  Vec3 linear;   // N s, on the child at C's origin, world axes
  Vec3 angular;  // N m s
};

struct SweepResult {
  double gap = 0, angle = 0;  // m, rad: largest error of a joint at the end of the step
  SweepCounts counts;
  // h times the fastest transverse frequency that the tension in the joints gives a body
  // [Tournier2015], over 2: beyond 1 levers of time n make the step unstable.
  double tension_number = 0;
  // What infinite bodies gave through joints: N s, N m s about the world origin, J.
  Vec3 outside_impulse, outside_angular_impulse;
  double outside_work = 0;
};

// A whole step: post-stabilize, pre-stabilize, move, post-stabilize. `impulses` has one entry per
// joint slot of the mechanism; it may be empty. Does nothing unless h is finite and > 0.
SweepResult sweep_step(const SweepMechanism& mechanism, double h, const SweepSettings& settings,
                       SweepWork& work, std::span<SweepImpulse> impulses);

}  // namespace tenon
