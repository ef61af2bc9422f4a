#include "tenon/engine/bodies/kinematic_motion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tenon/engine/bodies/pose_curve.h"

namespace tenon {
namespace {

// Time within the keys for any time, by the repeat rule.
double fold_time(const KinematicMotion& motion, double time) {
  const double first = motion.keys.front().time, last = motion.keys.back().time;
  const double span = last - first;
  if (motion.repeat == KinematicMotion::Repeat::kHold || !(span > 0)) {
    return std::clamp(time, first, last);
  }
  const double period = motion.repeat == KinematicMotion::Repeat::kMirror ? 2 * span : span;
  double phase = (time - first) - period * std::floor((time - first) / period);
  if (phase > span) phase = period - phase;
  return first + std::clamp(phase, 0.0, span);
}

// Velocity at key i (Catmull-Rom, zero at the ends): half the way from the neighbour before to the
// neighbour after.
MovingPose key_with_slope(const std::vector<PoseKey>& keys, size_t i) {
  if (i == 0 || i + 1 == keys.size()) return {keys[i].X_WB, {}, {}};
  const PoseKey &a = keys[i - 1], &b = keys[i], &c = keys[i + 1];
  const double dt = c.time - a.time;
  // the two turns are added, not taken together: the sum may be more than half a turn
  const Vec3 turn =
      log_map(b.X_WB.q * conjugate(a.X_WB.q)) + log_map(c.X_WB.q * conjugate(b.X_WB.q));
  return {b.X_WB, (c.X_WB.p - a.X_WB.p) / dt, turn / dt};
}

// Pose, and velocity along the keys forwards, at a time between the first and the last of at least
// two keys; at a key the velocity of what follows.
MovingPose interpolate_keys(const KinematicMotion& motion, double t) {
  const std::vector<PoseKey>& keys = motion.keys;
  const auto after = std::upper_bound(
      keys.begin(), keys.end(), t, [](double value, const PoseKey& k) { return value < k.time; });
  const size_t i = std::min(
      static_cast<size_t>(std::max<std::ptrdiff_t>(after - keys.begin() - 1, 0)), keys.size() - 2);
  const PoseKey &a = keys[i], &b = keys[i + 1];
  const double T = b.time - a.time, s = (t - a.time) / T;
  if (motion.interpolation == KinematicMotion::Interpolation::kSmooth) {
    return interpolate(key_with_slope(keys, i), key_with_slope(keys, i + 1), T, s);
  }
  const Vec3 turn = log_map(b.X_WB.q * conjugate(a.X_WB.q));
  return {{a.X_WB.p + s * (b.X_WB.p - a.X_WB.p), normalized(exp_map(s * turn) * a.X_WB.q)},
          (b.X_WB.p - a.X_WB.p) / T,
          turn / T};
}

// The velocity from `time` on. Times are rounded multiples of a step: where the velocity jumps at
// keys, a time that misses one by round-off is at the key.
ScriptVelocity key_velocity(const KinematicMotion& motion, double time) {
  if (motion.keys.size() < 2) return {};
  const bool smooth = motion.interpolation == KinematicMotion::Interpolation::kSmooth;
  const double t = smooth ? time : time + 1e-9 * (1 + std::fabs(time));
  const double first = motion.keys.front().time, last = motion.keys.back().time;
  double sense = 1;
  if (motion.repeat == KinematicMotion::Repeat::kHold) {
    if (t < first || t >= last) return {};
  } else if (motion.repeat == KinematicMotion::Repeat::kMirror) {
    const double turns = (t - first) / (2 * (last - first));
    if (turns - std::floor(turns) >= 0.5) sense = -1;
  }
  const MovingPose m = interpolate_keys(motion, fold_time(motion, t));
  return {sense * m.v_WB, sense * m.w_WB};
}

Status check_keys(const std::vector<PoseKey>& keys) {
  if (keys.empty()) return Error{.message = "key-framed motion needs at least one key"};
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!std::isfinite(keys[i].time) || !is_finite(keys[i].X_WB)) {
      return Error{.message = "key " + std::to_string(i) + " is not finite"};
    }
    if (std::fabs(norm(keys[i].X_WB.q) - 1) > 1e-9) {
      return Error{.message =
                       "the orientation of key " + std::to_string(i) + " is not a unit quaternion"};
    }
    if (i > 0 && !(keys[i].time > keys[i - 1].time)) {
      return Error{
          .message = "key times must increase",
          .value = std::to_string(keys[i].time) + " after " + std::to_string(keys[i - 1].time)};
    }
  }
  return Ok{};
}

}  // namespace

Status check(const KinematicMotion& motion) {
  if (motion.kind == KinematicMotion::Kind::kKeyframes) return check_keys(motion.keys);
  if (!is_finite(motion.start) || !is_finite(motion.velocity) ||
      !is_finite(motion.angular_velocity) || !is_finite(motion.point) || !is_finite(motion.axis) ||
      !std::isfinite(motion.rate)) {
    return Error{.message = "kinematic motion has a number that is not finite"};
  }
  if (std::fabs(norm(motion.axis) - 1) > 1e-9) {
    return Error{.message = "the axis of a turning body must be a unit vector"};
  }
  return Ok{};
}

Pose pose_at(const KinematicMotion& motion, double time) {
  switch (motion.kind) {
    case KinematicMotion::Kind::kUniform:
      return {motion.start.p + time * motion.velocity,
              normalized(exp_map(time * motion.angular_velocity) * motion.start.q)};
    case KinematicMotion::Kind::kTurn: {
      const Quat turn = exp_map((motion.rate * time) * motion.axis);
      return {motion.point + rotate(turn, motion.start.p - motion.point),
              normalized(turn * motion.start.q)};
    }
    case KinematicMotion::Kind::kKeyframes:
      if (motion.keys.size() == 1) return motion.keys.front().X_WB;
      return interpolate_keys(motion, fold_time(motion, time)).X_WB;
  }
  return motion.start;
}

ScriptVelocity velocity_at(const KinematicMotion& motion, double time) {
  switch (motion.kind) {
    case KinematicMotion::Kind::kUniform:
      return {motion.velocity, motion.angular_velocity};
    case KinematicMotion::Kind::kTurn: {
      const Vec3 w = motion.rate * motion.axis;
      return {cross(w, pose_at(motion, time).p - motion.point), w};
    }
    case KinematicMotion::Kind::kKeyframes:
      return key_velocity(motion, time);
  }
  return {};
}

ScriptVelocity velocity_before(const KinematicMotion& motion, double time) {
  if (motion.kind != KinematicMotion::Kind::kKeyframes) return velocity_at(motion, time);
  // farther back than what velocity_at takes for the key itself
  const double before = time - 4e-9 * (1 + std::fabs(time));
  const bool begins =
      motion.repeat == KinematicMotion::Repeat::kHold && before < motion.keys.front().time;
  return velocity_at(motion, begins ? time : before);
}

ScriptVelocity mean_velocity(const KinematicMotion& motion, double begin, double end) {
  if (motion.kind == KinematicMotion::Kind::kUniform) {
    return {motion.velocity, motion.angular_velocity};
  }
  if (motion.kind == KinematicMotion::Kind::kTurn) {
    const Vec3 way = pose_at(motion, end).p - pose_at(motion, begin).p;
    return {way / (end - begin), motion.rate * motion.axis};
  }
  // after the last jump in the step, or, if that is its very end, what comes next
  double from = begin, to = end;
  const double first = motion.keys.front().time, span = motion.keys.back().time - first;
  if (motion.repeat == KinematicMotion::Repeat::kLoop && span > 0) {
    const double jump = first + span * std::floor((end - first) / span);
    if (jump > begin) from = jump;
    if (end - from < 1e-6 * (end - begin)) {
      from = end;
      to = end + std::min(end - begin, 0.5 * span);
    }
  }
  const Pose a = pose_at(motion, from), b = pose_at(motion, to);
  return {(b.p - a.p) / (to - from), log_map(b.q * conjugate(a.q)) / (to - from)};
}

}  // namespace tenon
