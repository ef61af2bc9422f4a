#include <algorithm>
#include <cmath>

#include "tenon/render/stage.h"

namespace tenon::render {

const StageSolid* find_around(const Stage& stage, const Vec3& p_W) {
  for (const StageSolid& solid : stage.solids) {
    if (solid.marker || solid.role != Role::kBody) continue;
    const Vec3 p = rotate(conjugate(solid.X_WS.q), p_W - solid.X_WS.p);
    bool inside = false;
    if (const auto* sphere = std::get_if<Sphere>(&solid.shape)) {
      inside = norm(p) < sphere->radius;
    } else if (const auto* box = std::get_if<Box>(&solid.shape)) {
      const Vec3 a = cwise_abs(p);
      inside = a.x < box->half.x && a.y < box->half.y && a.z < box->half.z;
    } else if (const auto* cylinder = std::get_if<Cylinder>(&solid.shape)) {
      inside = std::fabs(p.y) < cylinder->half_height &&
               std::sqrt(p.x * p.x + p.z * p.z) < cylinder->radius;
    } else if (const auto* capsule = std::get_if<Capsule>(&solid.shape)) {
      const double y = std::clamp(p.y, -capsule->half_length, capsule->half_length);
      inside = norm(p - Vec3{0, y, 0}) < capsule->radius;
    } else if (std::holds_alternative<Plane>(solid.shape)) {
      inside = p.y < 0;
    } else if (const auto* hull = std::get_if<Hull>(&solid.shape); hull && hull->geometry) {
      inside = std::all_of(hull->geometry->faces.begin(), hull->geometry->faces.end(),
                           [&](const auto& face) { return dot(face.normal, p) < face.offset; });
    } else if (const auto* mesh = std::get_if<Mesh>(&solid.shape); mesh && mesh->geometry) {
      inside = mesh->geometry->closed && contains(mesh->geometry->bounds, {p, p}) &&
               find_nearest(*mesh->geometry, p, mesh->geometry->origin_radius * 2).distance < 0;
    }
    if (inside) return &solid;
  }
  return nullptr;
}

}  // namespace tenon::render
