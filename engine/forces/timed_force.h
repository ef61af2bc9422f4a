// Forces that act for a while: at a point of a body, along the world's axes, along the body's own,
// or towards a point of another body; constant, growing, or along a curve [Keller1993, sec. 3.5].
//
// The size over time is a function of time alone, the direction one of where the bodies are:
//   F(t) = s(t) u(x, q),  s piecewise linear, zero outside of the interval.                    (1)
// Methods with steps take the exact mean of s over a step (5) and u where the bodies are in the
// middle of the part that counts; methods that ask for forces at an instant take (1) as it stands.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tenon/engine/base/handle.h"
#include "tenon/engine/base/result.h"
#include "tenon/engine/bodies/body.h"

namespace tenon {

enum class ForceFrame : uint8_t {
  kWorld,   // force and torque keep their direction in the world
  kBody,    // they turn with the body
  kToward,  // along the line to a point of another body, or of the world
};

// Times a force at that time; straight lines between the keys.
struct ForceKey {
  double time = 0;  // s
  double scale = 1;
};

// What a user says. All times in s of the world's clock.
struct TimedForceDef {
  BodyHandle body;  // dynamic
  ForceFrame frame = ForceFrame::kWorld;
  std::optional<Vec3> point;  // where the force acts, in the body frame; else the centre of mass
  // At scale 1, in the axes of the frame; not for kToward. The torque acts besides, wherever the
  // point is.
  Vec3 force, torque;  // N, N m
  // kToward: at scale 1; negative pushes away. None while the two points coincide.
  double magnitude = 0;              // N
  BodyHandle target;                 // another body, or invalid for the world
  std::optional<Vec3> target_point;  // in its frame; else its centre of mass, or the world's origin
  double begin = 0, end = std::numeric_limits<double>::infinity();  // s, acts in [begin, end)
  // Strictly increasing times; before the first and after the last key their scales hold. Empty: 1.
  // Keys beyond the interval are fine.
  std::vector<ForceKey> curve;
};

// The curve that grows from one scale to another over an interval.
inline std::vector<ForceKey> make_ramp(double begin, double end, double from, double to) {
  return {{begin, from}, {end, to}};
}

// The same as solvers see it. Points are from the centre of mass, in body axes; those of the world
// from its origin.
struct TimedForce {
  static constexpr uint32_t kWorldTarget = 0xffffffffu;
  uint32_t body = 0, target = kWorldTarget;  // slots
  ForceFrame frame = ForceFrame::kWorld;
  Vec3 r_B, rT_B;
  Vec3 force, torque;
  double magnitude = 0;
  double begin = 0, end = 0;
  std::vector<ForceKey> curve;
};

// Error: a number that is not finite, an interval that is empty or reversed, a curve whose times do
// not increase, no force at all, what kToward does not have, or a target that is the body itself.
Status check(const TimedForceDef& def);
// Precondition: check(def).ok(). `com_B` and `target_com_B`: BodyMass::com_B of the two.
TimedForce make_timed_force(const TimedForceDef& def, const Vec3& com_B, const Vec3& target_com_B);

// s(t) of (1).
double scale_at(const TimedForce& force, double t);
// The same of the smooth piece that `inside` lies in: t may be one of its ends, where s jumps.
double scale_in_piece(const TimedForce& force, double inside, double t);
// Its exact integral over [t0, t1], and where in it the part lies that the interval allows.
struct ScaleIntegral {
  double value = 0;           // s
  double begin = 0, end = 0;  // begin == end: nothing of it
};
ScaleIntegral integrate_scale(const TimedForce& force, double t0, double t1);
// The next time after t at which s is not smooth; infinite where there is none. Integrators with
// error control should end a step there.
double next_break(const TimedForce& force, double t);

// Force at scale 1 and its torque about the centre of mass, world axes. `target`: nullptr for the
// world.
Wrench calc_unit_wrench(const TimedForce& force, const BodyState& body, const BodyState* target);
// (1) at scale s; `states` by body slot.
Wrench calc_wrench(const TimedForce& force, double scale, std::span<const BodyState> states);
// Where it acts, world coordinates.
Vec3 calc_point(const TimedForce& force, const BodyState& body);

}  // namespace tenon
