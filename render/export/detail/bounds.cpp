#include "tenon/render/export/detail/bounds.h"

#include <algorithm>
#include <vector>

#include "tenon/engine/geometry/support.h"

namespace tenon::exports {
namespace {

// The value that this share of all does not exceed.
double share_of(std::vector<double>& values, double share) {
  const auto place = static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<size_t>(place)];
}

Aabb ball_box(const Vec3& p, double radius) {
  const Vec3 r{radius, radius, radius};
  return {p - r, p + r};
}

}  // namespace

Aabb bounds_of(std::span<const Aabb> boxes) {
  if (boxes.empty()) return {{-1, -1, -1}, {1, 1, 1}};
  std::vector<double> places[3], reaches;
  for (const Aabb& box : boxes)
    for (int c = 0; c < 3; ++c) places[c].push_back(center(box)[c]);
  Vec3 middle;
  for (int c = 0; c < 3; ++c) middle[c] = share_of(places[c], 0.5);
  const auto reach = [&](const Aabb& box) {
    return norm(center(box) - middle) + 0.5 * norm(box.hi - box.lo);
  };
  for (const Aabb& box : boxes) reaches.push_back(reach(box));
  const double limit = 6 * share_of(reaches, 0.9);
  Aabb bounds{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  for (const Aabb& box : boxes)
    if (reach(box) <= limit) bounds = merge(bounds, box);
  return bounds;
}

Aabb bounds_of(const render::Stage& stage) {
  std::vector<Aabb> boxes;
  for (const render::StageSolid& solid : stage.solids)
    if (kind(solid.shape) != ShapeKind::kPlane)
      boxes.push_back(ball_box(solid.X_WS.p, bounding_radius(solid.shape)));
  return bounds_of(boxes);
}

}  // namespace tenon::exports
