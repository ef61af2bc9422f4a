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

// Above it the force is less by `drop` and by slope (c1 - at) + ...; below, more by `before` than
// without it.
struct AxisLaw::Break {
  double at = 0, before = 0, drop = 0, end_rate = 0;
  bool of_rate = false;
  double slope = 0, offset = 0, pull = 0;
};

void AxisLaw::add_hold(double at, double end_rate, double base_above) {
  TENON_ASSERT(static_cast<size_t>(hold_count_) < kMaxHolds);
  const auto k = static_cast<size_t>(hold_count_++);
  at_[k] = at;
  end_rate_[k] = end_rate;
  base_[k + 1] = base_above;
  slope_[k + 1] = slope_[k];
  offset_[k + 1] = offset_[k];
  pull_[k + 1] = pull_[k];
}

void AxisLaw::add_break(const Break& b, double& force) {
  force -= b.drop;
  add_hold(b.at, b.end_rate, force);
  const auto k = static_cast<size_t>(hold_count_);
  of_rate_[k - 1] = b.of_rate;
  slope_[k] += b.slope;
  offset_[k] += b.offset;
  pull_[k] += b.pull;
}

void AxisLaw::add_only_hold(double at, double end_rate) {
  base_[0] = kInfinity;
  add_hold(at, end_rate, -kInfinity);
  of_rate_[0] = true;
}

bool AxisLaw::is_kink(size_t hold) const { return base_[hold] == base_[hold + 1]; }

// Only what can be reached is kept: a motor of unlimited force leaves a single hold, jumps outside
// the limits become constant forces between them.
AxisLaw::AxisLaw(const JointAxisDef& axis, double c0, double rate, double h, double stiffening,
                 double agreed) {
  const double lo = axis.min, hi = axis.max, s = axis.min_separation;
  const double k = axis.stiffness, per_h = axis.damping / h;
  const double end = 0.5 * (1 + stiffening), begin = 1 - end;  // weights of c1 and c0
  const bool always = s == -kInfinity;
  const bool pulls = !always && s >= axis.rest && k > 0;
  if (always || (!pulls && c0 >= s)) {
    slope_[0] = end * k + per_h;
    offset_[0] = k * (axis.rest - begin * c0) + per_h * c0;
  }

  const Motor& motor = axis.motor;
  const bool drives = motor.kind == Motor::Kind::kVelocity || motor.kind == Motor::Kind::kPosition;
  Jump drive{};
  if (drives) drive = make_motor_jump(motor, c0, rate, h);
  if (drives && !std::isnan(agreed)) {
    drive.at = c0 + 0.5 * h * (rate + agreed);
    drive.end_rate = agreed;
  }
  motor_rate_ = drive.end_rate;

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

  // jumps and kinks between the limits, in order; `force` is the one just above the lower limit
  std::array<Break, 4> breaks;
  size_t count = 0;
  double force = motor.kind == Motor::Kind::kForce ? motor.target : 0;
  const auto add = [&](const Break& b) {
    force += b.before;
    if (b.at <= lo || same_place(b.at, lo)) {
      force -= b.drop;
      slope_[0] += b.slope;
      offset_[0] += b.offset;
      pull_[0] += b.pull;
      return;
    }
    if (!(b.at < hi) || same_place(b.at, hi)) return;
    for (size_t i = 0; i < count; ++i) {
      if (!same_place(breaks[i].at, b.at)) continue;
      breaks[i].drop += b.drop;
      breaks[i].slope += b.slope;
      breaks[i].offset += b.offset;
      breaks[i].pull += b.pull;
      breaks[i].of_rate |= b.of_rate;
      return;
    }
    size_t place = count++;
    for (; place > 0 && b.at < breaks[place - 1].at; --place) breaks[place] = breaks[place - 1];
    breaks[place] = b;
  };
  const auto add_jump = [&](const Jump& j) {
    add({.at = j.at,
         .before = j.size,
         .drop = 2 * j.size,
         .end_rate = j.end_rate,
         .of_rate = true});
  };
  if (drives) add_jump(drive);
  if (axis.friction > 0) add_jump({c0, axis.friction, 0});
  if (pulls) {  // (1)
    const double slope = end * k + per_h;
    const double kink = c0 < s ? s : (k * (s - begin * c0) + per_h * c0) / slope;
    add({.at = kink, .slope = slope, .offset = slope * kink});
    const double pull = k * (s - axis.rest);
    if (pull > 0) add({.at = s, .drop = pull, .pull = pull});
  }

  // the graph from below
  base_[0] = force;
  if (lo > -kInfinity) {
    base_[0] = kInfinity;
    add_hold(lo, 0, force);
    has_lower_ = true;
  }
  for (size_t i = 0; i < count; ++i) add_break(breaks[i], force);
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
  return {slope_[k], 1, base_[k] + offset_[k]};
}

int AxisLaw::next(int part, double c1, double lambda, double slack, double force_slack) const {
  const auto k = static_cast<size_t>(part / 2);
  if (!holds(part)) {
    if (part > 0 && c1 < at_[k - 1] - slack) return is_kink(k - 1) ? part - 2 : part - 1;
    if (part < part_count() - 1 && c1 > at_[k] + slack) return is_kink(k) ? part + 2 : part + 1;
    return reachable(part) ? part : (base_[k] > 0 ? part + 1 : part - 1);
  }
  // on a hold the force lies between those of its two neighbours
  if (lambda > base_[k] + (offset_[k] - slope_[k] * at_[k]) + force_slack) return part - 1;
  if (lambda < base_[k + 1] + (offset_[k + 1] - slope_[k + 1] * at_[k]) - force_slack)
    return part + 1;
  return part;
}

int AxisLaw::find(double c1) const {
  int part = 0;
  for (int k = 0; k < hold_count_; ++k) {
    const double at = at_[static_cast<size_t>(k)];
    if (c1 == at && !is_kink(static_cast<size_t>(k))) return 2 * k + 1;
    if (c1 >= at) part = 2 * k + 2;
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
  return base_[k + 1] + offset_[k + 1] - slope_[k + 1] * at_[k];
}

double AxisLaw::greatest_force(int part) const {
  const auto k = static_cast<size_t>(part / 2);
  return base_[k] + offset_[k] - slope_[k] * at_[k];
}

int AxisLaw::passed_jump(int part, double rate0, double rate1) const {
  if (holds(part)) return part;
  const int hold = rate1 > rate0 ? part + 1 : part - 1;
  if (hold < 0 || hold >= part_count() || !of_rate_[static_cast<size_t>(hold / 2)]) return part;
  const double rate = end_rate(hold);
  return (rate0 - rate) * (rate1 - rate) < 0 ? hold : part;
}

int AxisLaw::driven_to(int part, double c1) const {
  if (holds(part) || !reachable(part)) return part;
  const int hold = segment_force(part, c1) > 0 ? part + 1 : part - 1;
  const bool jump = hold >= 0 && hold < part_count() && of_rate_[static_cast<size_t>(hold / 2)];
  return jump ? hold : part;
}

}  // namespace tenon
