// What acts along one freedom of a joint: limits, motor, friction, spring and damper together.
//
// Over a step of length h with coordinate c0 at its begin and c1 at its end, the force on the
// coordinate is a falling, possibly set-valued function of c1 (a maximal monotone graph):
//   spring and damper  -k ((c0 + c1)/2 - rest) - d (c1 - c0)/h   (discrete gradient: exact energy)
//   motor              jumps from +max to -max where c1 = c0 + h * mean rate wanted
//   friction           jumps from +friction to -friction where c1 = c0
//   limits             c1 = min takes any force above, c1 = max any force below the others
// Its vertical parts are "holds" at a value of c1, between them lie straight segments. A solver
// keeps one number, the index of the part it assumes, solves, and asks for the part that the
// result belongs to, until both agree.
#pragma once

#include <array>
#include <cstddef>

#include "tenon/engine/joints/joint_def.h"

namespace tenon {

// a c1 + b lambda = g, lambda = force on the coordinate (mean over the step).
struct LawRow {
  double a = 0, b = 1, g = 0;  // default: no force
};

class AxisLaw {
 public:
  AxisLaw() = default;  // no force at all
  // `rate` is the coordinate's rate at the begin of the step (for position motors).
  // Precondition: the axis has passed check_joint; h > 0.
  AxisLaw(const JointAxisDef& axis, double c0, double rate, double h);

  // Parts are numbered along c1: 0 = segment below the first hold, 1 = that hold, 2 = segment, ...
  int part_count() const { return 2 * hold_count_ + 1; }
  // Segments that only an infinite force could reach (below a lower limit, ...) are not reachable;
  // find and next never name them, and row gives the hold that guards them.
  bool reachable(int part) const;
  LawRow row(int part) const;
  // The part to try next; the same one if c1 and lambda belong to `part` within `slack` (of c1) and
  // `force_slack`. It goes one part at a time and, for a single coordinate, never back: at most
  // part_count() - 1 changes.
  int next(int part, double c1, double lambda, double slack, double force_slack) const;
  // Where to begin: the part that holds a predicted c1.
  int find(double c1) const;
  // Velocity stage: whether the coordinate's rate is prescribed at the end of the step in this
  // part, and to what (motors: their target; friction: zero; limits: zero, before restitution).
  bool holds(int part) const { return part % 2 == 1; }
  double end_rate(int part) const;
  // Of a hold: +1 for the upper limit, -1 for the lower one, 0 for all others. A limit against
  // which a motor of unlimited force runs is not told from that motor.
  int limit_side(int part) const;
  // Nothing but limits: no force between them.
  bool only_limits() const {
    return hold_count_ == (has_lower_ ? 1 : 0) + (has_upper_ ? 1 : 0) && slope_ == 0 &&
           offset_ == 0 && base_[has_lower_ ? 1 : 0] == 0;
  }
  // Of a hold: the forces of its neighbours at its place, between which its own lies. Infinite on
  // the outer side of a limit, on both sides of what nothing can move.
  double least_force(int part) const;
  double greatest_force(int part) const;
  // A segment whose force has carried the rate beyond that of the jump that ends it (friction that
  // would turn the motion round, a motor that overshoots): the hold of that jump. Otherwise `part`.
  int passed_jump(int part, double rate0, double rate1) const;
  // The force at a value of c1 that is no hold.
  double force(double c1) const { return row(find(c1)).g - slope_ * c1; }

 private:
  static constexpr size_t kMaxHolds = 4;  // min, friction, motor, max
  int hold_count_ = 0;
  bool has_lower_ = false, has_upper_ = false;  // the first, the last hold is a limit
  std::array<double, kMaxHolds> at_{};          // c1 of each hold, ascending
  std::array<double, kMaxHolds> end_rate_{};    // prescribed rate after it
  std::array<double, kMaxHolds + 1> base_{};    // constant force on each segment; may be infinite
  double slope_ = 0, offset_ = 0;               // of spring and damper: force = offset - slope c1

  void add_hold(double at, double end_rate, double base_above);
  void add_only_hold(double at, double end_rate);
};

// Where a coordinate at distance `error` from its target and with the given rate is after a time h,
// and how fast, if it moves as a free oscillator of frequency w (rad/s) and damping ratio zeta:
//   e'' + 2 zeta w e' + w^2 e = 0
// Exact for any h, hence no limit on the stiffness. Any zeta >= 0, w >= 0.
struct Oscillation {
  double error, rate;
};
Oscillation damped_oscillation(double error, double rate, double w, double zeta, double h);

}  // namespace tenon
