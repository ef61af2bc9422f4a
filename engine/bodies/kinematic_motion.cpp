#include "tenon/engine/bodies/kinematic_motion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

// Slope of the rotation vector and position at key i in units per second (Catmull-Rom, zero at the
// ends): half the way from the neighbour before to the neighbour after.
struct Slope {
  Vec3 v, w;
};
Slope slope_at(const std::vector<PoseKey>& keys, size_t i) {
  if (i == 0 || i + 1 == keys.size()) return {};
  const PoseKey &a = keys[i - 1], &b = keys[i], &c = keys[i + 1];
  const double dt = c.time - a.time;
  // the two turns are added, not taken together: the sum may be more than half a turn
  const Vec3 turn =
      log_map(b.X_WB.q * conjugate(a.X_WB.q)) + log_map(c.X_WB.q * conjugate(b.X_WB.q));
  return {(c.X_WB.p - a.X_WB.p) / dt, turn / dt};
}

// The rate dr/dt of a rotation vector r that gives exp(r(t)) the angular velocity w: the inverse of
// the left Jacobian of the rotation group [Sola2018, eq. 146],
//   dr/dt = w - r x w / 2 + c r x (r x w),  c = 1/|r|^2 - cot(|r|/2) / (2 |r|)               (2)
Vec3 rotation_vector_rate(const Vec3& r, const Vec3& w) {
  const double angle = norm(r);
  // the series of c below 1e-2 rad is exact to round-off
  const double c = angle < 1e-2 ? 1.0 / 12 + angle * angle / 720
                                : 1 / (angle * angle) - 1 / (2 * angle * tan(0.5 * angle));
  const Vec3 rw = cross(r, w);
  return w - 0.5 * rw + c * cross(r, rw);
}

// Between keys a = keys[i] and b = keys[i+1], s in [0, 1], T = b.time - a.time. Position is the
// cubic Hermite curve with the slopes above,
//   p(s) = p_a + h1(s) (p_b - p_a) + T (h2(s) v_a + h3(s) v_b)                              (1)
//   h1 = 3 s^2 - 2 s^3,  h2 = s - 2 s^2 + s^3,  h3 = s^3 - s^2
// Orientation is the same curve in the rotation vector r from a, whose slopes follow from the turn
// rates w_a and w_b by (2): exact at both keys, with a continuous angular velocity.
Pose interpolate_smooth(const std::vector<PoseKey>& keys, size_t i, double s) {
  const PoseKey &a = keys[i], &b = keys[i + 1];
  const double T = b.time - a.time;
  const Slope sa = slope_at(keys, i), sb = slope_at(keys, i + 1);
  const double h1 = s * s * (3 - 2 * s), h2 = s * (1 - s) * (1 - s), h3 = s * s * (s - 1);
  const Vec3 turn = log_map(b.X_WB.q * conjugate(a.X_WB.q));
  const Vec3 p = a.X_WB.p + h1 * (b.X_WB.p - a.X_WB.p) + T * (h2 * sa.v + h3 * sb.v);
  const Vec3 r = h1 * turn + T * (h2 * sa.w + h3 * rotation_vector_rate(turn, sb.w));
  return {p, normalized(exp_map(r) * a.X_WB.q)};
}

Pose interpolate_keys(const KinematicMotion& motion, double time) {
  const std::vector<PoseKey>& keys = motion.keys;
  if (keys.size() == 1) return keys.front().X_WB;
  const double t = fold_time(motion, time);
  const auto after = std::upper_bound(
      keys.begin(), keys.end(), t, [](double value, const PoseKey& k) { return value < k.time; });
  const size_t i = std::min(
      static_cast<size_t>(std::max<std::ptrdiff_t>(after - keys.begin() - 1, 0)), keys.size() - 2);
  const PoseKey &a = keys[i], &b = keys[i + 1];
  const double s = (t - a.time) / (b.time - a.time);
  if (motion.interpolation == KinematicMotion::Interpolation::kSmooth) {
    return interpolate_smooth(keys, i, s);
  }
  const Vec3 turn = log_map(b.X_WB.q * conjugate(a.X_WB.q));
  return {a.X_WB.p + s * (b.X_WB.p - a.X_WB.p), normalized(exp_map(s * turn) * a.X_WB.q)};
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
      return interpolate_keys(motion, time);
  }
  return motion.start;
}

ScriptVelocity mean_velocity(const KinematicMotion& motion, double begin, double end) {
  if (motion.kind == KinematicMotion::Kind::kUniform) {
    return {motion.velocity, motion.angular_velocity};
  }
  if (motion.kind == KinematicMotion::Kind::kTurn) {
    const Vec3 w = motion.rate * motion.axis;
    return {cross(w, pose_at(motion, end).p - motion.point), w};
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
