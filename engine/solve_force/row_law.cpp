#include "tenon/engine/solve_force/row_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tenon/engine/math/elementary.h"

namespace tenon {

RateLaw make_rate_law(const JointAxisDef& axis) {
  RateLaw law;
  law.locked = axis.min == axis.max;
  const Motor& motor = axis.motor;
  const bool drives = motor.kind == Motor::Kind::kVelocity || motor.kind == Motor::Kind::kPosition;
  law.servo = motor.kind == Motor::Kind::kPosition;
  const bool unlimited = drives && motor.max_force == kInfinity;
  if (law.servo || unlimited) {
    // beside a motor that nothing stops, friction only adds to what the motor does
    law.holds = 1;
    law.at[0] = law.servo ? 0 : motor.target;
    law.base[0] = motor.max_force;
    law.base[1] = -motor.max_force;
    return law;
  }
  double size[2] = {};
  const auto add = [&](double at, double s) {
    law.at[law.holds] = at;
    size[law.holds++] = s;
  };
  if (axis.friction > 0) add(0, axis.friction);
  if (drives) add(motor.target, motor.max_force);
  if (law.holds == 2 && law.at[0] == law.at[1]) {
    size[0] += size[1];
    law.holds = 1;
  } else if (law.holds == 2 && law.at[1] < law.at[0]) {
    std::swap(law.at[0], law.at[1]);
    std::swap(size[0], size[1]);
  }
  law.base[0] = size[0] + (law.holds == 2 ? size[1] : 0);
  for (int k = 0; k < law.holds; ++k) law.base[k + 1] = law.base[k] - 2 * size[k];
  return law;
}

uint8_t RateLaw::find(double rate, double slack) const {
  if (servo) return 1;
  uint8_t part = 0;
  for (int k = 0; k < holds; ++k) {
    if (std::fabs(rate - at[k]) <= slack || base[k] == kInfinity) {
      return static_cast<uint8_t>(2 * k + 1);
    }
    if (rate > at[k]) part = static_cast<uint8_t>(2 * k + 2);
  }
  return part;
}

double calc_plain_force(const JointAxisDef& axis, double c, double rate, bool slack) {
  double force = 0;
  if (!slack) {
    force = -axis.stiffness * (c - axis.rest) - axis.damping * rate;
    // a rope does not push, whatever its damper says
    if (axis.stiffness > 0 && axis.min_separation >= axis.rest) force = std::min(force, 0.0);
  }
  if (axis.motor.kind == Motor::Kind::kForce) force += axis.motor.target;
  return force;
}

double calc_servo_acceleration(const Motor& motor, double c, double rate) {
  const double w = 2 * kPi * motor.frequency_hz;
  return -2 * motor.damping_ratio * w * rate - w * w * (c - motor.target);
}

Status check_force_law(const JointAxisDef& axis) {
  if (axis.motor.kind == Motor::Kind::kPosition && axis.motor.max_force < kInfinity &&
      axis.friction > 0) {
    return Error{.message =
                     "the method 'force' has no friction along a freedom that a position "
                     "motor of limited force drives",
                 .accepted = "either of the two, or a motor of unlimited force"};
  }
  return Ok{};
}

}  // namespace tenon
