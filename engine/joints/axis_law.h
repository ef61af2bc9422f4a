// What acts along one freedom of a joint: limits, motor, friction, spring and damper together.
//
// Over a step of length h with coordinate c0 at its begin and c1 at its end, the force on the
// coordinate is a falling, possibly set-valued function of c1 (a maximal monotone graph):
//   spring, damper   -k ((c0 + c1)/2 - rest) - d (c1 - c0)/h         discrete gradient: exact
//   energy motor            jumps from +max to -max where c1 = c0 + h * rate wanted friction jumps
//   from +friction to -friction where c1 = c0 limits           c1 = min takes any force >= 0, c1 =
//   max any force <= 0
// Its vertical parts are "holds" at a value of c1, between them lie straight segments. A solver
// keeps one number, the index of the part it assumes, solves, and asks for the part that the
// result belongs to, until both agree.
#pragma once

#include <array>

#include "tenon/engine/joints/joint_def.h"

namespace tenon {

// a c1 + b lambda = g, lambda = force on the coordinate (mean over the step).
struct LawRow {
  double a = 0, b = 1, g = 0;  // default: no force
};

class AxisLaw {
 public:
  AxisLaw() = default;  // no force at all
  // `rate` is the coordinate's rate at the begin of the step (for position motors and impacts).
  AxisLaw(const JointAxisDef& axis, double c0, double rate, double h);

  // Parts are numbered along c1: 0 = segment below the first hold, 1 = that hold, 2 = segment, ...
  int part_count() const { return 2 * hold_count_ + 1; }
  LawRow row(int part) const;
  // The part to try next; the same one if c1 and lambda belong to `part` within `slack` (of c1) and
  // `force_slack`.
  int next(int part, double c1, double lambda, double slack, double force_slack) const;
  // Where to begin: the part that holds a predicted c1.
  int find(double c1) const;
  // Velocity stage: whether the coordinate's rate is prescribed at the end of the step in this
  // part, and to what (limits: minus restitution times the approaching rate; motors: their target).
  bool holds(int part) const { return part % 2 == 1; }
  double end_rate(int part) const;

 private:
  static constexpr size_t kMaxHolds = 4;  // min, friction, motor, max
  int hold_count_ = 0;
  std::array<double, kMaxHolds> at_{};        // c1 of each hold, ascending
  std::array<double, kMaxHolds> end_rate_{};  // prescribed rate after it
  std::array<double, kMaxHolds + 1> base_{};  // constant force on each segment
  double slope_ = 0, offset_ = 0;             // of spring and damper: force = offset - slope c1
};

}  // namespace tenon
