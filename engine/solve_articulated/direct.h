// One step of a mechanism with all its joints solved at once: the default of the impulse method.
//
// Pre-stabilization [Weinstein2006, sec. V] asks for impulses that make the joint errors vanish at
// the end of the step. Here all joints of a mechanism are solved together by Newton's method on
// the exact end-of-step errors, with a block-sparse direct factorisation. Time integration is an
// energy-momentum step (Cayley rotations, mean lever arms) with the paper's post-stabilization
// carried along as a velocity projection. Equations, departures and reasons:
// docs/theory/joints.md; numbers in brackets below refer to that page.
#pragma once

#include <memory>
#include <span>

#include "tenon/engine/bodies/body.h"
#include "tenon/engine/mechanism/mechanism.h"

namespace tenon {

// A body of the mechanism, by local index.
struct StepBody {
  const BodyMass* mass = nullptr;  // of bodies that move by themselves; nullptr for the rest
  BodyState begin;                 // at the begin of the step
  BodyState end;                   // result; given for bodies that do not move by themselves
  Vec3 force, torque;              // constant over the step, gravity included, world axes
  Vec3 gravity;                    // the part of the force that has a potential: does no `work`
  double drag = 0;                 // kg/m, of air resistance -drag |v| v
  // Of the step before, for a first guess; of this step afterwards. World axes.
  Acceleration acceleration;
};

struct StepJoint {
  const JointModel* model = nullptr;
  JointState* state = nullptr;
  double size = 1;  // m: joint errors are measured relative to it
  // By row: rates at the end of the step that motors have agreed upon with contacts, or not a
  // number; nullptr: none.
  const double* agreed = nullptr;
};

struct DirectSettings {
  double tolerance = 1e-6;       // of size, and in rad
  bool adaptive_damping = true;  // alpha of (5); false: alpha = 1/2 everywhere
  double (*clock)() = nullptr;   // s; with deadline > 0
  double deadline = 0;           // of that clock: no further improvement after it
};

enum class StepStatus : uint8_t {
  kConverged,
  kRefined,  // converged after the step was halved
  // Taken by the last resorts: damped, or a least-squares answer where the joints contradict each
  // other or cannot be reached. Work and impulses are what the step changed, whatever did it.
  kSoftened,
  kFailed,  // nothing finite was found: `end` is not set
};

struct DirectResult {
  StepStatus status = StepStatus::kConverged;
  uint32_t iterations = 0;  // Newton iterations, all substeps
  uint32_t factorisations = 0;
  uint32_t bisections = 0;
  uint32_t softened = 0;  // substeps that only the last resorts could take
  // from outside through joints: work of motors, springs, friction and moved bodies; impulses from
  // bodies that do not move by themselves
  double work_J = 0;
  Vec3 impulse, angular_impulse;  // of all forces, joints to the outside included; about the origin
};

// Whether begin_answer() looks at how joints bend the ways of bodies, for calc_bend().
enum class Bends : uint8_t { kNone, kForeseen };

// Where displacements lead: along the path of the bodies, on which they keep their speed, or aside.
enum class ShiftAlong : uint8_t { kPath, kAside };

class DirectSolver {
 public:
  DirectSolver();
  ~DirectSolver();
  DirectSolver(DirectSolver&&) noexcept;
  DirectSolver& operator=(DirectSolver&&) noexcept;

  // Keeps pointers to the mechanism and, during step(), to its joints' models.
  void reset(const Mechanism& mechanism);
  DirectResult step(std::span<StepBody> bodies, std::span<const StepJoint> joints, double h,
                    const DirectSettings& settings);

  // How the mechanism answers to impulses: where its bodies begin, after this call; where they end,
  // after step().
  void begin_answer(std::span<StepBody> bodies, std::span<const StepJoint> joints, double h,
                    const DirectSettings& settings, Bends bends = Bends::kNone);
  // After begin_answer() with Bends::kForeseen: by how much joints change the velocities of moving
  // bodies in the step because their directions turn with the bodies. False, and nothing changed,
  // where bodies turn too far for that to be known.
  bool calc_bend(std::span<Motion> bend);
  // Velocities of all bodies, those that do not move by themselves behind the others: changes them
  // to the nearest ones, in kinetic energy, that held directions of joints allow.
  void project(std::span<Motion> motion);
  // After project(): the impulses of the joints that it took, by joint and row.
  void read_impulses(std::span<std::array<double, kMaxRows>> impulses) const;
  // The same as a matrix over some bodies (local indices): velocities per impulse, symmetric, six
  // rows and columns for each; then a row and a column for each of bounded_rows().
  void calc_answer(std::span<const uint32_t> bodies, std::vector<double>& answer);
  // After begin_answer(): how stiff tension makes the bodies of the mechanism, by local index, as
  // (omega h)^2 / 4 of their turning; above one half or so calc_answer() promises more motion than
  // the step allows.
  std::vector<double> calc_tightness();
  // After step(): the same matrix for impulses that are spread over the whole step, tension and
  // all, about where it went; symmetric part. False, and nothing changed, where the step was not
  // taken in one piece.
  bool calc_step_answer(std::span<const uint32_t> bodies, std::vector<double>& answer);
  // After begin_answer(): limits that are near, motors and friction of joints.
  std::span<const BoundedRow> bounded_rows() const;
  // After step(), with the same arguments: moves the ends of moving bodies by given small
  // displacements and then as little as possible to where the joints meet again. Velocities become
  // the nearest ones that the joints allow there. Returns the largest joint error that is left,
  // relative to size; where joints cannot follow, nothing moves.
  double shift_ends(std::span<StepBody> bodies, std::span<const Motion> displacement,
                    ShiftAlong along);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
