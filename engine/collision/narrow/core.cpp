#include "tenon/engine/collision/narrow/core.h"

#include <algorithm>

#include "tenon/engine/base/assert.h"

namespace tenon::narrow {

Core make_core(const Shape& shape, const Transform& X_PS) {
  Core core;
  core.p = X_PS.p;
  core.R = X_PS.R;
  for (int i = 0; i < 3; ++i) core.axis[i] = X_PS.R.column(i);
  core.middle = core.p;
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    core.radius = sphere->radius;
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    core.half = box->half;
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    core.half = {0, capsule->half_length, 0};
    core.radius = capsule->radius;
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    core.kind = Core::Kind::kCylinder;
    core.half = {cylinder->radius, cylinder->half_height, cylinder->radius};
  } else {
    const auto* hull = std::get_if<Hull>(&shape);
    TENON_DEMAND(hull && hull->geometry && !hull->geometry->vertices.empty());
    core.kind = Core::Kind::kHull;
    core.hull = hull->geometry.get();
    core.middle = X_PS * core.hull->centroid;
    core.size = core.hull->radius;
    core.width = std::max(core.hull->width, 1e-3 * core.size);
    return core;
  }
  const double extent = core.kind == Core::Kind::kCylinder
                            ? std::sqrt(core.half.x * core.half.x + core.half.y * core.half.y)
                            : norm(core.half);
  core.size = extent + core.radius;
  const double thinnest =
      core.radius > 0 ? core.radius : std::min({core.half.x, core.half.y, core.half.z});
  core.width = std::max(2 * thinnest, 1e-3 * core.size);
  return core;
}

}  // namespace tenon::narrow
