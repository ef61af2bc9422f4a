#include "tenon/recording/detail/predict.h"

#include <cmath>

namespace tenon::recording_detail {
namespace {

using P = Predictor;

constexpr P kForInteger[] = {P::kPrevious, P::kIntegerLinear, P::kZero};
constexpr P kForDouble[] = {P::kPrevious, P::kLinear, P::kQuadratic, P::kCubic};
constexpr P kForPosition[] = {P::kPrevious, P::kMeanVelocity, P::kNewVelocity, P::kOldVelocity,
                              P::kLinear,   P::kQuadratic,    P::kCubic};
constexpr P kForQuaternion[] = {P::kPrevious, P::kGreatCircle, P::kTurnedCircle,
                                P::kLinear,   P::kQuadratic,   P::kCubic};

// Newton's extrapolation of order 1 to 3 from the frames before `frame` (at least order + 1).
double extrapolate(const Columns& x, int channel, uint32_t frame, int order) {
  const double a = x.value(channel, frame - 1), b = x.value(channel, frame - 2);
  const double d1 = a - b;
  if (order == 1) return a + d1;
  const double c = x.value(channel, frame - 3);
  const double e1 = b - c;
  const double d2 = d1 - e1;
  if (order == 2) return a + (d1 + d2);
  const double d = x.value(channel, frame - 4);
  const double f1 = c - d;
  const double d3 = d2 - (e1 - f1);
  return a + (d1 + (d2 + d3));
}

struct Q {
  double w, x, y, z;
};
Q quaternion(const Columns& x, uint32_t frame) {
  return {x.value(3, frame), x.value(4, frame), x.value(5, frame), x.value(6, frame)};
}
double component(const Q& q, int channel) {
  return channel == 3 ? q.w : channel == 4 ? q.x : channel == 5 ? q.y : q.z;
}
// a times the conjugate of b
Q times_conjugate(const Q& a, const Q& b) {
  return {
      a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, a.x * b.w - a.w * b.x + a.z * b.y - a.y * b.z,
      a.y * b.w - a.w * b.y + a.x * b.z - a.z * b.x, a.z * b.w - a.w * b.z + a.y * b.x - a.x * b.y};
}
Q times(const Q& a, const Q& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}

// A turn at a constant rate walks along a great circle of unit quaternions. With t half the angle
// between frames, cos t = a.b, and three points at equal spacing on a circle obey
//   q_next = 2 cos(t) a - b                                        (1)
// exactly, by the addition theorem; so (1) needs no trigonometric function.
double great_circle(const Columns& x, int channel, uint32_t frame) {
  const Q a = quaternion(x, frame - 1), b = quaternion(x, frame - 2);
  const double cosine = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  return (cosine + cosine) * component(a, channel) - component(b, channel);
}

// With turns r1 = a b^-1 and r0 = b c^-1, a turn that changes at a constant rate goes on as
//   q_next = (r1 r0^-1) r1 a                                       (2)
double turned_circle(const Columns& x, int channel, uint32_t frame) {
  const Q a = quaternion(x, frame - 1), b = quaternion(x, frame - 2);
  const Q c = quaternion(x, frame - 3);
  const Q r1 = times_conjugate(a, b), r0 = times_conjugate(b, c);
  return component(times(times(times_conjugate(r1, r0), r1), a), channel);
}

double with_velocity(const Columns& x, int channel, uint32_t frame, P predictor) {
  const double p = x.value(channel, frame - 1);
  const double v_old = x.value(channel + kFirstVelocity, frame - 1);
  const double v_new = x.value(channel + kFirstVelocity, frame);
  if (predictor == P::kNewVelocity) return p + x.h * v_new;
  if (predictor == P::kOldVelocity) return p + x.h * v_old;
  return p + (0.5 * x.h) * (v_old + v_new);
}

double predict_double(P predictor, const Columns& x, int channel, uint32_t frame) {
  switch (predictor) {
    case P::kLinear:
      return extrapolate(x, channel, frame, 1);
    case P::kQuadratic:
      return extrapolate(x, channel, frame, 2);
    case P::kCubic:
      return extrapolate(x, channel, frame, 3);
    case P::kGreatCircle:
      return great_circle(x, channel, frame);
    case P::kTurnedCircle:
      return turned_circle(x, channel, frame);
    default:
      return with_velocity(x, channel, frame, predictor);
  }
}

// The predictor that the frames known so far allow.
P simplified(P predictor, uint32_t frame) {
  if (frame == 0) return P::kZero;
  switch (predictor) {
    case P::kIntegerLinear:
      return frame < 2 ? P::kPrevious : predictor;
    case P::kLinear:
    case P::kQuadratic:
    case P::kCubic:
      if (frame == 1) return P::kPrevious;
      if (frame == 2) return P::kLinear;
      return frame == 3 && predictor == P::kCubic ? P::kQuadratic : predictor;
    case P::kGreatCircle:
    case P::kTurnedCircle:
      if (frame == 1) return P::kPrevious;
      return frame == 2 ? P::kGreatCircle : predictor;
    default:
      return predictor;
  }
}

}  // namespace

std::span<const Predictor> candidates(ColumnType type) {
  if (type == ColumnType::kInteger) return kForInteger;
  return kForDouble;
}

std::span<const Predictor> body_candidates(int channel) {
  if (channel < kFirstQuaternion) return kForPosition;
  if (channel < kFirstVelocity) return kForQuaternion;
  return kForDouble;
}

uint64_t predict(Predictor predictor, const Columns& columns, int channel, uint32_t frame) {
  predictor = simplified(predictor, frame);
  switch (predictor) {
    case P::kZero:
      return 0;
    case P::kPrevious:
      return columns.bits(channel, frame - 1);
    case P::kIntegerLinear:
      return 2 * columns.bits(channel, frame - 1) - columns.bits(channel, frame - 2);
    default:
      break;
  }
  const double guess = predict_double(predictor, columns, channel, frame);
  // the bits of a NaN are not the same on all machines
  if (!std::isfinite(guess)) return columns.bits(channel, frame - 1);
  return std::bit_cast<uint64_t>(guess);
}

}  // namespace tenon::recording_detail
