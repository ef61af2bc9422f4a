// Putting the mechanisms of a world together, and wishing their bodies elsewhere
// (docs/theory/displacement.md).
#pragma once

#include <vector>

#include "tenon/engine/base/handle.h"
#include "tenon/engine/joints/joint_def.h"
#include "tenon/engine/math/transform.h"
#include "tenon/engine/solve_displacement/assemble.h"

namespace tenon {

// Something that a body should do where the joints leave it room.
struct AssemblyWant {
  displacement::Want::Kind kind = displacement::Want::Kind::kReach;
  BodyHandle body;            // dynamic
  Vec3 point_B;               // kReach: a point of the body frame ...
  Vec3 target_W;              // ... and where in the world it should be
  Pose X_WB;                  // kStay: pose of the body frame; kOrient: its rotation alone
  Vec3 axis_B{0, 1, 0};       // kUpright: a direction of the body frame, any length but zero ...
  Vec3 direction_W{0, 1, 0};  // ... and where in the world it should point
  // > 0. Of two wants that contradict each other, the one with twice the weight gives way a quarter
  // as far. Joints come first, whatever the weight.
  double weight = 1;
};

// Errors of a joint count so many times as much as those of others, where not all can be zero.
struct JointImportance {
  JointHandle joint;
  double weight = 1;  // > 0
};

struct AssemblyDef {
  std::vector<AssemblyWant> wants;
  std::vector<BodyHandle> locked;  // stay where they are
  std::vector<JointImportance> importance;
  // Only mechanisms of these bodies are looked at; empty: all.
  std::vector<BodyHandle> only;
  bool limits = true;                                         // limits of joints are obeyed
  displacement::Metric metric = displacement::Metric::kWays;  // what "nearest" means
  // Clock and deadline of it are not read: budget_ms with the clock of the settings is.
  displacement::Effort effort;
  double budget_ms = 0;  // > 0: for all mechanisms together; needs a clock
};

struct OpenJoint {
  JointHandle joint;
  double gap_m = 0, angle_rad = 0;
};
struct MovedBody {
  BodyHandle body;
  double distance_m = 0, angle_rad = 0;  // of the mass centre; of the body
};

struct AssemblyReport {
  displacement::Outcome outcome = displacement::Outcome::kAssembled;  // the worst of all mechanisms
  displacement::Solver solver = displacement::Solver::kDirect;
  uint32_t mechanisms = 0;
  uint32_t geometric = 0;       // iterations of the mechanism that took most
  uint32_t inner = 0;           // of conjugate gradients, in all
  double start = 0, error = 0;  // largest gap relative to the smaller body, or angle: before, after
  bool escaped = false;         // a stall was left by chance: perhaps not on the nearest branch
  std::vector<OpenJoint> open;  // joints that do not fit to the precision, worst first
  std::vector<MovedBody> moved;  // farther than the precision, in the order of bodies()
  std::vector<double> misses;    // by want: m, angles times the body's size
};

// Prescribed rate along a direction that a joint holds or leaves free: the motion of C's origin
// against P along an axis of P (x y z), or the rotation about it (rx ry rz).
struct RateTarget {
  JointHandle joint;
  JointAxis axis = JointAxis::kX;
  double rate = 0;  // m/s or rad/s
};

struct VelocityReport {
  uint32_t iterations = 0;      // of conjugate gradients, in the mechanism that took most
  double start = 0, error = 0;  // m/s (angles times size): largest rate that misses, before, after
};

}  // namespace tenon
