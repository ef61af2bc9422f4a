#include "tenon/engine/collision/narrow/separation_closed.h"
#include "tenon/engine/collision/narrow/witness.h"

namespace tenon::narrow {
namespace {

// Of the smaller radius: where cores are closer, their difference is too noisy a direction.
constexpr double kDistinct = 2e-4;
// Cosine of the angle between axes below which capsules touch in one point and no stretch, and the
// part of the half length within which that point is clear of the ends.
constexpr double kCrossed = 0.85, kInner = 0.999;

}  // namespace

// Two segments. Where they (nearly) meet, the difference of the points is noise and the common
// perpendicular, or any perpendicular of parallel segments, takes over.
CoreSeparation find_core_separation_capsules(const CorePair& pair) {
  const Vec3 u = pair.A.half.y * pair.A.axis[1], v = pair.B.half.y * pair.B.axis[1];
  const auto [s, t] = find_closest_segments(pair.A.p, u, pair.B.p, v);
  const Vec3 a = pair.A.p + s * u, b = pair.B.p + t * v;
  const double distance = norm(b - a);
  if (distance > 1e-4 * pair.small) return {(b - a) / distance, distance, a, b};
  Best best;
  if (distance > 0) try_direction(pair, (b - a) / distance, best);
  Vec3 across;
  if (!find_perpendicular(pair.A.axis[1], pair.B.axis[1], across))
    across = any_orthogonal(pair.A.axis[1]);
  try_direction(pair, across, best);
  try_direction(pair, -across, best);
  return {best.n, best.s, a, a + best.s * best.n};
}

CapsuleSeparation find_separation_capsules(const Capsule& a, const Transform& X_WA,
                                           const Capsule& b, const Transform& X_WB,
                                           double max_distance) {
  CapsuleSeparation out;
  const Vec3 between = X_WB.p - X_WA.p;
  const double radii = a.radius + b.radius;
  // spheres around both: when they are too far, so are the capsules
  const double reach = a.half_length + b.half_length + radii, far = reach + max_distance;
  const double between2 = norm2(between);
  if (between2 > far * far) {
    const double length = std::sqrt(between2);
    out.separation = {between / length, length - reach, X_WA.p, X_WB.p};
    // round-off may put it on the limit, which the sum decides
    out.valid = out.separation.distance > max_distance;
    if (out.valid) return out;
  }
  const Vec3 axis_a = X_WA.R.column(1), axis_b = X_WB.R.column(1);
  const Vec3 u = a.half_length * axis_a, v = b.half_length * axis_b;
  const auto [s, t] = find_closest_segments({}, u, between, v);
  const Vec3 to_a = s * u, to_b = between + t * v;
  const double distance = norm(to_b - to_a);
  out.valid = distance > kDistinct * (a.radius < b.radius ? a.radius : b.radius);
  if (!out.valid) return out;
  const Vec3 n = (to_b - to_a) / distance;
  out.separation = {n, distance - radii, X_WA.p + (to_a + a.radius * n),
                    X_WA.p + (to_b - b.radius * n)};
  out.crossed =
      std::fabs(s) < kInner && std::fabs(t) < kInner && std::fabs(dot(axis_a, axis_b)) < kCrossed;
  return out;
}

}  // namespace tenon::narrow
