// A box on a plane: the corners of the feature that looks at it, as detail/feature.h chooses it.
#include "tenon/engine/collision/narrow/collide_fast.h"
#include "tenon/engine/collision/narrow/detail/clip.h"

namespace tenon::narrow {
namespace {

// An edge or face shorter than this share of the box is left to the general way, which tells
// corners apart by their places.
constexpr double kShort = 1e-3;

// The vertices of the feature, ascending: all whose bits agree with the lowest one's but for those
// of the free axes.
struct Corners {
  int count = 0;
  int vertex[4];
};

Corners find_corners(const Vec3& m) {
  const double along[3] = {std::fabs(m.x), std::fabs(m.y), std::fabs(m.z)};
  const int lowest = (m.x > 0 ? 1 : 0) | (m.y > 0 ? 2 : 0) | (m.z > 0 ? 4 : 0);
  int free = 0;
  for (int i = 0; i < 3; ++i) {
    if (along[i] >= detail::kCosFace) free = 7 & ~(1 << i);
  }
  if (free == 0) {
    const int flat =
        along[0] <= along[1] && along[0] <= along[2] ? 0 : (along[1] <= along[2] ? 1 : 2);
    if (along[flat] <= detail::kSinLine) free = 1 << flat;
  }
  Corners corners;
  for (int vertex = 0; vertex < 8; ++vertex) {
    if (((vertex ^ lowest) & ~free) == 0) corners.vertex[corners.count++] = vertex;
  }
  return corners;
}

}  // namespace

bool collide_box_plane(const Box& a, const Transform& X_WA, const Transform& X_WB, double margin,
                       Manifold& out) {
  const Vec3 up = X_WB.R.column(1), between = X_WA.p - X_WB.p;
  // towards the plane, in the box's axes
  const Vec3 m = -transpose_mul(X_WA.R, up);
  const Vec3 rise{m.x * a.half.x, m.y * a.half.y, m.z * a.half.z};
  const double height = dot(up, between);
  const double distance = height - (std::fabs(rise.x) + std::fabs(rise.y) + std::fabs(rise.z));
  out.normal_W = -up;
  out.distance = distance;
  if (distance > margin) return true;
  const double size = max_component(a.half);
  if (!(a.half.x > kShort * size && a.half.y > kShort * size && a.half.z > kShort * size))
    return false;
  // a patch at the very edge of the margin is still delivered whole
  const double least = distance + detail::kDeepest * size;
  const double limit = margin > least ? margin : least;
  const Corners corners = find_corners(m);
  const uint16_t plane = detail::face_id();
  int deepest = 0;
  for (int i = 0; i < corners.count; ++i) {
    const int v = corners.vertex[i];
    const Vec3 corner{v & 1 ? a.half.x : -a.half.x, v & 2 ? a.half.y : -a.half.y,
                      v & 4 ? a.half.z : -a.half.z};
    const double gap = height - dot(m, corner);
    if (!(gap <= limit)) continue;
    const Vec3 p_W = X_WA.p + X_WA.R * corner;
    out.points[out.count] = {p_W - (0.5 * gap) * up, gap,
                             pack_features(make_feature(FeatureType::kVertex, v), plane)};
    if (gap < out.points[deepest].distance) deepest = out.count;
    ++out.count;
  }
  // the sum above is that of the lowest corner but for round-off
  out.points[deepest].distance = distance;
  return true;
}

}  // namespace tenon::narrow
