#include "tenon/engine/forces/timed_force.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tenon {
namespace {

Status check_interval(const TimedForceDef& def) {
  if (!std::isfinite(def.begin) || std::isnan(def.end)) {
    return Error{.message = "a force begins or ends at a time that is not finite",
                 .accepted = "seconds; only the end may be infinite"};
  }
  if (!(def.end > def.begin)) {
    return Error{.message = "a force ends before it begins",
                 .value = std::to_string(def.begin) + " s to " + std::to_string(def.end) + " s",
                 .accepted = "an end after the begin"};
  }
  return Ok{};
}

Status check_curve(const std::vector<ForceKey>& curve) {
  for (size_t i = 0; i < curve.size(); ++i) {
    if (!std::isfinite(curve[i].time) || !std::isfinite(curve[i].scale)) {
      return Error{.message = "a key of a force's curve is not finite"};
    }
    if (i > 0 && !(curve[i].time > curve[i - 1].time)) {
      return Error{.message = "the times of a force's curve must increase",
                   .value = std::to_string(curve[i].time) + " s after " +
                            std::to_string(curve[i - 1].time) + " s",
                   .accepted = "a time after that of the key before"};
    }
  }
  return Ok{};
}

Status check_direction(const TimedForceDef& def) {
  if (def.frame != ForceFrame::kToward) {
    if (def.magnitude != 0) {
      return Error{.message = "only a force towards a point has a magnitude",
                   .accepted = "a force vector"};
    }
    if (def.force == Vec3{} && def.torque == Vec3{}) {
      return Error{.message = "a force without force and torque",
                   .accepted = "a force or a torque that is not zero"};
    }
    return Ok{};
  }
  if (def.target.valid() && def.target == def.body) {
    return Error{.message = "a force cannot pull a body towards itself",
                 .accepted = "another body, or the world"};
  }
  if (!(def.force == Vec3{} && def.torque == Vec3{})) {
    return Error{.message = "a force towards a point has a magnitude, no vector and no torque",
                 .accepted = "a magnitude"};
  }
  if (def.magnitude == 0) {
    return Error{.message = "a force towards a point has no magnitude",
                 .accepted = "newtons; negative to push away"};
  }
  return Ok{};
}

// Straight between keys, held outside. Precondition: keys are there.
double value_of(const std::vector<ForceKey>& curve, double t) {
  const auto after =
      std::upper_bound(curve.begin(), curve.end(), t,
                       [](double time, const ForceKey& key) { return time < key.time; });
  if (after == curve.begin()) return curve.front().scale;
  if (after == curve.end()) return curve.back().scale;
  const ForceKey &a = *(after - 1), &b = *after;
  return a.scale + (b.scale - a.scale) * ((t - a.time) / (b.time - a.time));
}

}  // namespace

Status check(const TimedForceDef& def) {
  for (const Vec3& v : {def.force, def.torque, def.point.value_or(Vec3{}),
                        def.target_point.value_or(Vec3{}), Vec3{def.magnitude, 0, 0}}) {
    if (!is_finite(v)) return Error{.message = "a force must be finite"};
  }
  if (Status s = check_interval(def); !s) return s;
  if (Status s = check_curve(def.curve); !s) return s;
  return check_direction(def);
}

TimedForce make_timed_force(const TimedForceDef& def, const Vec3& com_B, const Vec3& target_com_B) {
  TimedForce f;
  f.body = def.body.index;
  f.frame = def.frame;
  if (def.point) f.r_B = *def.point - com_B;
  f.force = def.force;
  f.torque = def.torque;
  if (def.frame == ForceFrame::kToward) {
    f.magnitude = def.magnitude;
    if (def.target.valid()) f.target = def.target.index;
    if (def.target_point) {
      f.rT_B = *def.target_point - (def.target.valid() ? target_com_B : Vec3{});
    }
  }
  f.begin = def.begin;
  f.end = def.end;
  f.curve = def.curve;
  return f;
}

double scale_at(const TimedForce& f, double t) {
  if (!(t >= f.begin && t < f.end)) return 0;
  return f.curve.empty() ? 1 : value_of(f.curve, t);
}

double scale_in_piece(const TimedForce& f, double inside, double t) {
  if (!(inside >= f.begin && inside < f.end)) return 0;
  const auto& curve = f.curve;
  const auto after = std::upper_bound(curve.begin(), curve.end(), inside,
                                      [](double time, const ForceKey& k) { return time < k.time; });
  if (curve.empty()) return 1;
  if (after == curve.begin()) return curve.front().scale;
  if (after == curve.end()) return curve.back().scale;
  const ForceKey &a = *(after - 1), &b = *after;
  return a.scale + (b.scale - a.scale) * ((t - a.time) / (b.time - a.time));
}

// Piece by piece between the keys, each a trapezium: exact, and no difference of large numbers
// however far the interval reaches.
ScaleIntegral integrate_scale(const TimedForce& f, double t0, double t1) {
  const double a = std::max(t0, f.begin), b = std::min(t1, f.end);
  if (!(a < b)) return {};
  if (f.curve.empty()) return {b - a, a, b};
  auto key = std::upper_bound(f.curve.begin(), f.curve.end(), a,
                              [](double time, const ForceKey& k) { return time < k.time; });
  double sum = 0;
  for (double from = a, left = value_of(f.curve, a); from < b; ++key) {
    const bool inside = key != f.curve.end() && key->time < b;
    const double to = inside ? key->time : b;
    const double right = inside ? key->scale : value_of(f.curve, b);
    sum += 0.5 * (to - from) * (left + right);
    from = to;
    left = right;
    if (!inside) break;
  }
  return {sum, a, b};
}

double next_break(const TimedForce& f, double t) {
  if (t < f.begin) return f.begin;
  if (!(t < f.end)) return std::numeric_limits<double>::infinity();
  const auto key = std::upper_bound(f.curve.begin(), f.curve.end(), t,
                                    [](double time, const ForceKey& k) { return time < k.time; });
  return key == f.curve.end() ? f.end : std::min(key->time, f.end);
}

Vec3 calc_point(const TimedForce& f, const BodyState& body) {
  return body.x_WC + rotate(body.q_WB, f.r_B);
}

Wrench calc_unit_wrench(const TimedForce& f, const BodyState& body, const BodyState* target) {
  const Vec3 r = rotate(body.q_WB, f.r_B);
  Wrench w{f.force, f.torque};
  if (f.frame == ForceFrame::kBody) {
    w = {rotate(body.q_WB, f.force), rotate(body.q_WB, f.torque)};
  } else if (f.frame == ForceFrame::kToward) {
    const Vec3 goal = target == nullptr ? f.rT_B : target->x_WC + rotate(target->q_WB, f.rT_B);
    const Vec3 way = goal - (body.x_WC + r);
    const double distance = norm(way);
    w.force = distance > 0 ? (f.magnitude / distance) * way : Vec3{};
  }
  w.torque += cross(r, w.force);
  return w;
}

Wrench calc_wrench(const TimedForce& f, double scale, std::span<const BodyState> states) {
  if (scale == 0) return {};
  const BodyState* target = f.target == TimedForce::kWorldTarget ? nullptr : &states[f.target];
  const Wrench w = calc_unit_wrench(f, states[f.body], target);
  return {scale * w.force, scale * w.torque};
}

}  // namespace tenon
