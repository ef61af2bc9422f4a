// Two boxes: the axis of least overlap, then the patch along it.
//
// Where the boxes overlap, the best of the 15 axes is the answer. Where they are apart it is only a
// lower bound s, exact where the gap is between a face and anything, or between two edges. The
// patch then proves it: two points of the boxes whose distance is (nearly) s. With x a lateral
// place of the patch, g its gap and r how deep it lies inside both features,
//   d <= g,   and for a direction at angle theta from n:  s(n') <= g cos(theta) - r sin(theta)  (1)
// so a direction as good as n is off by tan(theta) <= (g - s) / r at most. What is left, a vertex
// near a vertex or an edge, is for the general way.
#include "tenon/engine/collision/narrow/axes_box_box.h"
#include "tenon/engine/collision/narrow/collide_fast.h"
#include "tenon/engine/collision/narrow/detail/clip.h"

namespace tenon::narrow {
namespace {

using detail::Facing;
using detail::Feature;
using detail::FeatureKind;
using detail::PatchFrame;
using detail::PatchPoint;
using detail::PatchPoints;
using detail::Vec2;

constexpr double kRoundOff = 4e-15;      // of the sum of the sizes
constexpr double kGapTolerance = 1e-10;  // of the smaller size
constexpr double kAngleTolerance = 1e-4;

double reach_along(const Box& box, const Transform& X_WS, const Vec3& n) {
  return dot(box.half, cwise_abs(transpose_mul(X_WS.R, n)));
}

// Distance of the point of A nearest to p from B: an upper bound of the distance of the boxes.
double distance_from(const Vec3& p_W, const Box& a, const Transform& X_WA, const Box& b,
                     const Transform& X_WB) {
  const Vec3 p_A = inverse_mul(X_WA, p_W);
  const Vec3 q_A = cwise_max(-a.half, cwise_min(a.half, p_A));
  const Vec3 q_B = inverse_mul(X_WB, X_WA * q_A);
  return norm(cwise_max(cwise_abs(q_B) - b.half, Vec3{}));
}

double depth_in(const Feature& polygon, const Vec2& x) {
  double least = detail::depth_in_edge(polygon, 0, x);
  for (int k = 1; k < polygon.count; ++k) {
    const double depth = detail::depth_in_edge(polygon, k, x);
    least = depth < least ? depth : least;
  }
  return least;
}

int find_deepest(const PatchPoints& points) {
  int deepest = 0;
  for (int i = 1; i < points.count(); ++i) {
    if (points[i].gap() < points[deepest].gap()) deepest = i;
  }
  return deepest;
}

// (1) with a place a little inwards from the deepest point, which may stick out of flush faces.
bool is_proved_inside(const Feature& fa, const Feature& fb, const PatchPoints& points, double s,
                      double size) {
  if (fa.kind != FeatureKind::kPolygon || fb.kind != FeatureKind::kPolygon) return false;
  Vec2 mean{0, 0};
  for (int i = 0; i < points.count(); ++i) mean = mean + points[i].x;
  mean = (1.0 / points.count()) * mean;
  const Vec2 from = points[find_deepest(points)].x, inwards = mean - from;
  const double length = norm(inwards), step = 4 * points.slop();
  const Vec2 x = from + (length > step ? step / length : 1) * inwards;
  const double in_a = depth_in(fa, x), in_b = depth_in(fb, x);
  const double r = in_a < in_b ? in_a : in_b;
  const double excess = fb.height(x) - fa.height(x) - s;
  return excess <= kAngleTolerance * r && excess <= kGapTolerance * size;
}

}  // namespace

bool collide_box_box(const Box& a, const Transform& X_WA, const Box& b, const Transform& X_WB,
                     double margin, Manifold& out) {
  const auto [n, s] = find_axis_box_box(a, X_WA, b, X_WB, margin);
  out.normal_W = n;
  out.distance = s;
  if (s > margin) return true;
  const double size_a = max_component(a.half), size_b = max_component(b.half);
  const double size = size_a < size_b ? size_a : size_b;
  const double least = s + detail::kDeepest * size;
  const double limit = margin > least ? margin : least;

  // heights are measured from midway between the two touching planes
  const PatchFrame frame =
      detail::make_patch_frame(X_WA.p + (reach_along(a, X_WA, n) + 0.5 * s) * n, n);
  Feature fa, fb;
  detail::find_feature_box(a, X_WA, frame, 1, fa);
  detail::find_feature_box(b, X_WB, frame, -1, fb);
  if (fa.kind == FeatureKind::kPoint || fb.kind == FeatureKind::kPoint) return false;
  PatchPoints points(limit, detail::kSlop * size);
  detail::clip_features(fa, fb, points);
  if (!(points.least_gap() <= least)) return false;
  if (s > 0) {
    const PatchPoint& deepest = points[find_deepest(points)];
    const double most = distance_from(frame.point(deepest.x, deepest.zA), a, X_WA, b, X_WB);
    const double tolerance = 1e-7 * s + kRoundOff * (size_a + size_b);
    if (!(most <= s + tolerance) && !is_proved_inside(fa, fb, points, s, size)) return false;
  }
  points.write(frame, s, out);
  return true;
}

}  // namespace tenon::narrow
