// Scripted motion of kinematic bodies. The pose is a function of time alone, never integrated, so
// that it does not drift and any time can be asked for.
#pragma once

#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/math/transform.h"

namespace tenon {

struct PoseKey {
  double time = 0;  // s
  Pose X_WB;
};

struct KinematicMotion {
  enum class Kind : uint8_t {
    kUniform,   // constant velocity of the origin and constant angular velocity
    kTurn,      // the start pose turns about a fixed axis in the world
    kKeyframes  // interpolated key poses
  };
  enum class Interpolation : uint8_t {
    kLinear,  // straight lines and constant turn rates between keys
    kSmooth,  // continuous velocity: cubic Hermite with Catmull-Rom slopes, at rest at the ends
  };
  enum class Repeat : uint8_t {
    kHold,    // stays at the first key before it and at the last key after it
    kLoop,    // starts again at the first key; the jump is the user's business
    kMirror,  // forwards, backwards, forwards ...
  };

  Kind kind = Kind::kUniform;
  Pose start;                 // kUniform, kTurn: the pose at time 0
  Vec3 velocity;              // kUniform, m/s
  Vec3 angular_velocity;      // kUniform, rad/s, world axes
  Vec3 point;                 // kTurn: a point on the axis
  Vec3 axis{0, 1, 0};         // kTurn: unit vector
  double rate = 0;            // kTurn, rad/s
  std::vector<PoseKey> keys;  // kKeyframes: at least one, times strictly increasing
  Interpolation interpolation = Interpolation::kLinear;
  Repeat repeat = Repeat::kHold;
};

// Error if a number is not finite, the axis is not a unit vector, or the keys are not in order.
Status check(const KinematicMotion& motion);

// Precondition: check(motion).ok().
Pose pose_at(const KinematicMotion& motion, double time);

// Velocity of the frame's origin and angular velocity, world axes.
struct ScriptVelocity {
  Vec3 v_WB, w_WB;
};
// The exact derivative of pose_at. Where it jumps (keys with straight lines between them, the ends
// of a script), the velocity from then on; a jump back to the first key is not a motion.
ScriptVelocity velocity_at(const KinematicMotion& motion, double time);
// The velocity that has led to `time`: what a body keeps that is let go then. Where velocity_at
// jumps it is the one before the jump; at the beginning of a script, the one from then on.
ScriptVelocity velocity_before(const KinematicMotion& motion, double time);
// The mean over a step, begin < end: way by time. A step with a jump back to the first key counts
// from the jump on.
ScriptVelocity mean_velocity(const KinematicMotion& motion, double begin, double end);

}  // namespace tenon
