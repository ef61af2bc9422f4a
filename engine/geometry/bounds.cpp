#include "tenon/engine/geometry/bounds.h"

#include <algorithm>

#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/support.h"

namespace tenon {
namespace {

Aabb around(const Vec3& center, const Vec3& half) { return {center - half, center + half}; }

// The furthest point of each shape along world axis k is p_k + (support value along row k of R).
struct Bounds {
  const Transform& X;

  Aabb operator()(const Sphere& s) const { return around(X.p, {s.radius, s.radius, s.radius}); }
  Aabb operator()(const Box& s) const { return around(X.p, cwise_abs(X.R) * s.half); }
  // A disc of radius r and normal y reaches r sqrt(Rk0^2 + Rk2^2) along k: the part of the axis k
  // that lies in the disc. (sqrt(1 - Rk1^2) loses all digits near an aligned axis.)
  Aabb operator()(const Cylinder& s) const {
    Vec3 half;
    for (int k = 0; k < 3; ++k) {
      const Vec3& row = X.R.row(k);
      half[k] =
          s.half_height * std::fabs(row.y) + s.radius * std::sqrt(row.x * row.x + row.z * row.z);
    }
    return around(X.p, half);
  }
  Aabb operator()(const Capsule& s) const {
    return around(X.p,
                  s.half_length * cwise_abs(X.R.column(1)) + Vec3{s.radius, s.radius, s.radius});
  }
  // Largest x_k with n . x <= n . p and |x_j| <= H (and the smallest, with n_k < 0):
  //   x_k <= (n . p + H sum_{j != k} |n_j|) / n_k   where n_k > 0
  Aabb operator()(const Plane&) const {
    constexpr double H = kPlaneExtent;
    const Vec3 n = X.R.column(1);
    const double offset = dot(n, X.p);
    Aabb box{{-H, -H, -H}, {H, H, H}};
    for (int k = 0; k < 3; ++k) {
      if (n[k] == 0) continue;
      const double others = std::fabs(n[(k + 1) % 3]) + std::fabs(n[(k + 2) % 3]);
      const double limit = std::clamp((offset + H * others) / n[k], -H, H);
      (n[k] > 0 ? box.hi : box.lo)[k] = limit;
    }
    return box;
  }
  Aabb operator()(const Hull& s) const {
    const std::vector<Vec3>& vertices = s.geometry->vertices;
    const Vec3 first = X * vertices[0];
    Aabb box{first, first};
    for (size_t i = 1; i < vertices.size(); ++i) {
      const Vec3 v = X * vertices[i];
      box = {cwise_min(box.lo, v), cwise_max(box.hi, v)};
    }
    return box;
  }
  Aabb operator()(const Mesh& s) const {
    const MeshGeometry& g = *s.geometry;
    Aabb box{X.p, X.p};
    for (int k = 0; k < 3; ++k) {
      const Vec3& row = X.R.row(k);
      box.hi[k] += detail::bound_reach(g, row);
      box.lo[k] -= detail::bound_reach(g, -row);
    }
    return box;
  }
};

}  // namespace

Aabb calc_bounds(const Shape& shape, const Transform& X_WS) {
  return std::visit(Bounds{X_WS}, shape);
}

}  // namespace tenon
