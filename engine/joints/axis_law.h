// What acts along one freedom of a joint: limits, motor, friction, spring and damper together.
//
// Over a step of length h with coordinate c0 at its begin and c1 at its end, the force on the
// coordinate is a falling, possibly set-valued function of c1 (a maximal monotone graph):
//   spring and damper  -k (c0/2 + c1/2 - rest) - d (c1 - c0)/h   (discrete gradient: exact energy)
//   motor              jumps from +max to -max where c1 = c0 + h * mean rate wanted
//   friction           jumps from +friction to -friction where c1 = c0
//   limits             c1 = min takes any force above, c1 = max any force below the others
// Springs that a step cannot resolve take more of c1 than of c0, (1 + stiffening)/2 in place of the
// halves; that takes the energy stiffening k (c1 - c0)^2/2, and never gives any.
// Its vertical parts are "holds" at a value of c1, between them lie straight segments. A solver
// keeps one number, the index of the part it assumes, solves, and asks for the part that the
// result belongs to, until both agree.
//
// Springs that act from a separation s on (JointAxisDef::min_separation), with B = s - rest >= 0
// and (..)+ the positive part:
//   -(k/2 + d/h) (c1 - kink)+, falling by a further k B at c1 = s                          (1)
//   slack at the begin, c0 < s:  kink = s
//   taut:                        k/2 (kink + c0 - 2 s) + d/h (kink - c0) = 0
// While it stays taut this is the spring and damper above. Where it becomes taut or slack within
// the step, its work is at most what its energy k/2 ((c - rest)^2 - B^2) loses: no step gains any.
// It never pushes. For s < rest the force would rise at s, and the graph not be monotone: then what
// it does in the whole step is decided by c0, which can only take energy as well.
#pragma once

#include <limits>

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
  // `rate` is the coordinate's rate at the begin of the step (for position motors); `agreed` the
  // one at its end that a motor has agreed upon with contacts, or not a number. Precondition: the
  // axis has passed check_joint; h > 0; stiffening is 0 to 1.
  AxisLaw(const JointAxisDef& axis, double c0, double rate, double h, double stiffening = 0,
          double agreed = kNotAgreed);
  static constexpr double kNotAgreed = std::numeric_limits<double>::quiet_NaN();

  // Parts are numbered along c1: 0 = segment below the first hold, 1 = that hold, 2 = segment, ...
  int part_count() const { return 2 * hold_count_ + 1; }
  // Segments that only an infinite force could reach (below a lower limit, ...) are not reachable;
  // find and next never name them, and row gives the hold that guards them.
  bool reachable(int part) const;
  LawRow row(int part) const;
  // The part to try next; the same one if c1 and lambda belong to `part` within `slack` (of c1) and
  // `force_slack`. It goes one part at a time (over kinks, two) and, for a single coordinate, never
  // back: at most part_count() - 1 changes.
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
    const size_t inner = has_lower_ ? 1 : 0;
    return hold_count_ == (has_lower_ ? 1 : 0) + (has_upper_ ? 1 : 0) && slope_[inner] == 0 &&
           offset_[inner] == 0 && base_[inner] == 0;
  }
  // Of a hold: the forces of its neighbours at its place, between which its own lies. Infinite on
  // the outer side of a limit, on both sides of what nothing can move.
  double least_force(int part) const;
  double greatest_force(int part) const;
  // A segment whose force has carried the rate beyond that of the jump that ends it (friction that
  // would turn the motion round, a motor that overshoots): the hold of that jump. Otherwise `part`.
  int passed_jump(int part, double rate0, double rate1) const;
  // Of a segment: its force at c1, and the jump of friction or motor that this drives towards (of
  // everything else: the part itself).
  double segment_force(int part, double c1) const {
    const LawRow r = row(part);
    return r.g - r.a * c1;
  }
  int driven_to(int part, double c1) const;
  // What contacts ask for: the segment of a part, of a limit that inside of it, of another hold
  // that above; whether nothing but a given place is left; the rate that a motor wants at the end
  // of the step; and what spring and damper alone would do on a segment at a value of c1.
  int between_limits(int part) const {
    return holds(part) ? (limit_side(part) > 0 ? part - 1 : part + 1) : part;
  }
  bool is_driven() const {
    return hold_count_ == 1 && base_[0] == kInfinity && base_[1] == -kInfinity;
  }
  double motor_rate() const { return motor_rate_; }
  double spring_force(int segment, double c1) const {
    const auto k = static_cast<size_t>(segment / 2);
    return offset_[k] - slope_[k] * c1 - pull_[k];
  }
  // The force at a value of c1 that is no hold.
  double force(double c1) const {
    const LawRow r = row(find(c1));
    return r.g - r.a * c1;
  }

 private:
  static constexpr size_t kMaxHolds = 6;  // min, friction, motor, kink, separation, max
  int hold_count_ = 0;
  bool has_lower_ = false, has_upper_ = false;  // the first, the last hold is a limit
  std::array<double, kMaxHolds> at_{};          // c1 of each hold, ascending
  std::array<double, kMaxHolds> end_rate_{};    // prescribed rate after it
  std::array<bool, kMaxHolds> of_rate_{};       // a jump of friction or motor: rates pass it, too
  std::array<double, kMaxHolds + 1> base_{};    // constant force on each segment; may be infinite
  // of spring and damper on each segment: force = offset - slope c1
  std::array<double, kMaxHolds + 1> slope_{}, offset_{};
  std::array<double, kMaxHolds + 1> pull_{};  // the part of -base that is a spring's
  double motor_rate_ = 0;

  struct Break;  // where the graph has a jump or a kink
  void add_hold(double at, double end_rate, double base_above);
  void add_break(const Break& b, double& force);
  void add_only_hold(double at, double end_rate);
  bool is_kink(size_t hold) const;
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
