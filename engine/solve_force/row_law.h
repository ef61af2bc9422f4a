// What acts along one freedom of a joint, at an instant: spring, damper and constant force as plain
// forces; what jumps (friction, motors, limits) as parts that an integrator goes through one by
// one, each of them smooth.
//
// Against the rate r of the coordinate, the force that jumps is a falling step function: friction
// falls by twice its size at r = 0, a velocity motor at its rate. On a step's edge ("hold") the
// rate is kept and the force is whatever that takes, within the two neighbours. A position motor
// wants an acceleration, that of a damped oscillator, and is a hold from the start. Limits hold the
// coordinate and only push.
#pragma once

#include <cstdint>

#include "tenon/engine/base/result.h"
#include "tenon/engine/joints/joint_def.h"

namespace tenon {

// Parts of a row with a law (JointState::segment in the method `force`): 0, 2, 4 are segments
// below, between and above the holds 1 and 3; the limits come behind.
inline constexpr uint8_t kAtLowerLimit = 8, kAtUpperLimit = 9;
// Added to the part while the coordinate is below the separation from which on spring and damper
// act (JointAxisDef::min_separation).
inline constexpr uint8_t kSlackPart = 16, kPartMask = 15;
inline bool is_limit(uint8_t part) { return part >= kAtLowerLimit; }
inline bool is_hold(uint8_t part) { return is_limit(part) || part % 2 == 1; }

struct RateLaw {
  int holds = 0;
  double at[2] = {};    // rates of the holds, ascending
  double base[3] = {};  // force on the segments, falling; infinite where nothing stops it
  bool servo = false;   // the only hold is that of a position motor: an acceleration, not a rate
  bool locked = false;  // limits that are equal: held for good

  // The segment or hold of a rate; a servo's hold whatever the rate.
  uint8_t find(double rate, double slack) const;
  uint8_t last() const { return static_cast<uint8_t>(2 * holds); }
  double force(uint8_t segment) const { return base[segment / 2]; }
  // Of a hold: what its force lies between.
  double most(uint8_t hold) const { return base[hold / 2]; }
  double least(uint8_t hold) const { return base[hold / 2 + 1]; }
  double rate_of(uint8_t hold) const { return servo ? 0 : at[hold / 2]; }
};

RateLaw make_rate_law(const JointAxisDef& axis);
// Spring, damper and constant force. `slack`: below the separation from which on the first two act.
double calc_plain_force(const JointAxisDef& axis, double c, double rate, bool slack);
// What a position motor wants: c'' = -2 zeta w c' - w^2 (c - target).
double calc_servo_acceleration(const Motor& motor, double c, double rate);
// What cannot be had as a law of force: friction beside a position motor of limited force.
Status check_force_law(const JointAxisDef& axis);

}  // namespace tenon
