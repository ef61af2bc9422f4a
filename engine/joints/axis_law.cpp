#include "tenon/engine/joints/axis_law.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/base/assert.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

// Holds closer than this are one: the segment between them would be all round-off.
constexpr double kMergeDistance = 1e-13;
bool same_place(double a, double b) {
  return std::fabs(a - b) <= kMergeDistance * (1 + std::fabs(a));
}

// A place where the force falls by twice `size`: friction, or a motor of limited force.
struct Jump {
  double at, size, end_rate;
};

Jump make_motor_jump(const Motor& motor, double c0, double rate, double h) {
  if (motor.kind == Motor::Kind::kVelocity) {
    return {c0 + h * motor.target, motor.max_force, motor.target};
  }
  const Oscillation o = damped_oscillation(c0 - motor.target, rate, 2 * kPi * motor.frequency_hz,
                                           motor.damping_ratio, h);
  return {motor.target + o.error, motor.max_force, o.rate};
}

}  // namespace

// With E = exp(-zeta w h), wd^2 = w^2 (1 - zeta^2), C = cos(wd h), S = sin(wd h) / wd (hyperbolic
// beyond critical damping, S = h at it):
//   e(h)  = E (e0 (C + zeta w S) + v0 S)                                     (1)
//   e'(h) = E (v0 (C - zeta w S) - w^2 e0 S)                                 (2)
// The same closed form, for zeta = 1, is what [Weinstein2006] steers joints with.
Oscillation damped_oscillation(double error, double rate, double w, double zeta, double h) {
  const double zw = zeta * w;
  const double square = (1 - zeta) * (1 + zeta);  // 1 - zeta^2 without cancellation
  const double wd = w * std::sqrt(std::fabs(square));
  const double x = wd * h;
  double EC, ES;
  if (x < 1e-4) {
    // near critical: two terms of the series are exact to round-off
    const double signed_x2 = square >= 0 ? x * x : -x * x;
    const double E = exp(-zw * h);
    EC = E * (1 - signed_x2 / 2);
    ES = E * h * (1 - signed_x2 / 6);
  } else if (square > 0) {
    const double E = exp(-zw * h);
    EC = E * cos(x);
    ES = E * sin(x) / wd;
  } else {
    // both exponents fall; the slow one is -(zw - wd) = -w^2 / (zw + wd), without cancellation
    const double slow = exp(-w * w / (zw + wd) * h), fast = exp(-(zw + wd) * h);
    EC = 0.5 * (slow + fast);
    ES = 0.5 * (slow - fast) / wd;
  }
  const Oscillation o{error * (EC + zw * ES) + rate * ES,
                      rate * (EC - zw * ES) - w * w * error * ES};
  // frequencies or dampings near the end of the number range: it stays where it is
  if (!std::isfinite(o.error) || !std::isfinite(o.rate)) return {error, 0};
  return o;
}

void AxisLaw::add_hold(double at, double end_rate, double base_above) {
  TENON_ASSERT(static_cast<size_t>(hold_count_) < kMaxHolds);
  const auto k = static_cast<size_t>(hold_count_++);
  at_[k] = at;
  end_rate_[k] = end_rate;
  base_[k + 1] = base_above;
}

void AxisLaw::add_only_hold(double at, double end_rate) {
  base_[0] = kInfinity;
  add_hold(at, end_rate, -kInfinity);
}

// Only what can be reached is kept: a motor of unlimited force leaves a single hold, jumps outside
// the limits become constant forces between them.
AxisLaw::AxisLaw(const JointAxisDef& axis, double c0, double rate, double h) {
  const double lo = axis.min, hi = axis.max;
  slope_ = 0.5 * axis.stiffness + axis.damping / h;
  offset_ = axis.stiffness * (axis.rest - 0.5 * c0) + axis.damping / h * c0;

  const Motor& motor = axis.motor;
  const bool drives = motor.kind == Motor::Kind::kVelocity || motor.kind == Motor::Kind::kPosition;
  Jump drive{};
  if (drives) drive = make_motor_jump(motor, c0, rate, h);

  // one place only: locked, or a motor that nothing stops but a limit
  if (lo == hi) {
    add_only_hold(lo, 0);
    return;
  }
  if (drives && motor.max_force == kInfinity) {
    if (drive.at <= lo) {
      add_only_hold(lo, 0);
    } else if (drive.at >= hi) {
      add_only_hold(hi, 0);
    } else {
      add_only_hold(drive.at, drive.end_rate);
    }
    return;
  }

  // jumps between the limits, in order; `force` is the one just above the lower limit
  std::array<Jump, 2> jumps;
  size_t count = 0;
  double force = motor.kind == Motor::Kind::kForce ? motor.target : 0;
  const auto add_jump = [&](const Jump& jump) {
    if (jump.at <= lo || same_place(jump.at, lo)) {
      force -= jump.size;
    } else {
      force += jump.size;
      if (jump.at < hi && !same_place(jump.at, hi)) jumps[count++] = jump;
    }
  };
  if (drives) add_jump(drive);
  if (axis.friction > 0) add_jump({c0, axis.friction, 0});
  if (count == 2 && same_place(jumps[0].at, jumps[1].at)) {
    jumps[0].size += jumps[1].size;
    count = 1;
  } else if (count == 2 && jumps[1].at < jumps[0].at) {
    std::swap(jumps[0], jumps[1]);
  }

  // the graph from below
  base_[0] = force;
  if (lo > -kInfinity) {
    base_[0] = kInfinity;
    add_hold(lo, 0, force);
    has_lower_ = true;
  }
  for (size_t k = 0; k < count; ++k) {
    force -= 2 * jumps[k].size;
    add_hold(jumps[k].at, jumps[k].end_rate, force);
  }
  if (hi < kInfinity) {
    add_hold(hi, 0, -kInfinity);
    has_upper_ = true;
  }
}

bool AxisLaw::reachable(int part) const {
  return holds(part) || std::isfinite(base_[static_cast<size_t>(part / 2)]);
}

LawRow AxisLaw::row(int part) const {
  TENON_ASSERT(part >= 0 && part < part_count());
  if (!reachable(part)) part = base_[static_cast<size_t>(part / 2)] > 0 ? part + 1 : part - 1;
  const auto k = static_cast<size_t>(part / 2);
  if (holds(part)) return {1, 0, at_[k]};
  return {slope_, 1, base_[k] + offset_};
}

int AxisLaw::next(int part, double c1, double lambda, double slack, double force_slack) const {
  const auto k = static_cast<size_t>(part / 2);
  if (!holds(part)) {
    if (part > 0 && c1 < at_[k - 1] - slack) return part - 1;
    if (part < part_count() - 1 && c1 > at_[k] + slack) return part + 1;
    return reachable(part) ? part : (base_[k] > 0 ? part + 1 : part - 1);
  }
  // on a hold the force lies between those of its two neighbours
  const double rest = offset_ - slope_ * at_[k];
  if (lambda > base_[k] + rest + force_slack) return part - 1;
  if (lambda < base_[k + 1] + rest - force_slack) return part + 1;
  return part;
}

int AxisLaw::find(double c1) const {
  int part = 0;
  for (int k = 0; k < hold_count_; ++k) {
    const double at = at_[static_cast<size_t>(k)];
    if (c1 == at) return 2 * k + 1;
    if (c1 > at) part = 2 * k + 2;
  }
  if (reachable(part)) return part;
  return base_[static_cast<size_t>(part / 2)] > 0 ? part + 1 : part - 1;
}

double AxisLaw::end_rate(int part) const {
  return holds(part) ? end_rate_[static_cast<size_t>(part / 2)] : 0;
}

int AxisLaw::limit_side(int part) const {
  if (has_lower_ && part == 1) return -1;
  return has_upper_ && part == part_count() - 2 ? 1 : 0;
}

double AxisLaw::least_force(int part) const {
  const auto k = static_cast<size_t>(part / 2);
  return base_[k + 1] + offset_ - slope_ * at_[k];
}

double AxisLaw::greatest_force(int part) const {
  const auto k = static_cast<size_t>(part / 2);
  return base_[k] + offset_ - slope_ * at_[k];
}

int AxisLaw::passed_jump(int part, double rate0, double rate1) const {
  if (holds(part)) return part;
  const int hold = rate1 > rate0 ? part + 1 : part - 1;
  if (hold < 0 || hold >= part_count() || limit_side(hold) != 0) return part;
  const double rate = end_rate(hold);
  return (rate0 - rate) * (rate1 - rate) < 0 ? hold : part;
}

}  // namespace tenon
