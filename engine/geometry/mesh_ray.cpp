// Rays against the tree of a mesh, watertight [Woop2013]: space is sheared so that the ray becomes
// the axis z, and the signs of three areas in the plane decide; a ray through a common edge sees
// the same numbers in both triangles and cannot pass between them.
#include <algorithm>

#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/mesh.h"

namespace tenon {
namespace {

// Round-off of the box test, relative [Ize2013]: a ray in the plane of a box side must not miss it.
constexpr double kWider = 1 + 1e-15;

class Cast {
 public:
  Cast(const MeshGeometry& mesh, const Vec3& origin, const Vec3& direction, double max_t)
      : mesh_(mesh), o_(origin), inverse_{1 / direction.x, 1 / direction.y, 1 / direction.z} {
    best_.t = max_t;
    const Vec3 a = cwise_abs(direction);
    z_ = a.y > a.x ? 1 : 0;
    if (a.z > a[z_]) z_ = 2;
    x_ = (z_ + 1) % 3;
    y_ = (z_ + 2) % 3;
    shear_x_ = direction[x_] / direction[z_];
    shear_y_ = direction[y_] / direction[z_];
    scale_z_ = 1 / direction[z_];
  }

  MeshHit run() {
    int stack[detail::kMostTreeDepth];
    int top = 0, here = 0;
    const std::vector<MeshTree::Node>& nodes = mesh_.tree.nodes;
    while (true) {
      const MeshTree::Node& node = nodes[static_cast<size_t>(here)];
      const bool met = enter(node.box) < detail::kInfinite;
      if (met && node.count == 0) {
        int a = here + 1, b = node.first;
        if (enter(nodes[static_cast<size_t>(b)].box) < enter(nodes[static_cast<size_t>(a)].box))
          std::swap(a, b);
        stack[top++] = b;
        here = a;
        continue;
      }
      for (int i = 0; met && i < node.count; ++i)
        try_triangle(mesh_.tree.order[static_cast<size_t>(node.first + i)]);
      if (top == 0) return best_.triangle >= 0 ? best_ : MeshHit{};
      here = stack[--top];
    }
  }

 private:
  // Where the ray enters the box; infinity: not before the best hit.
  double enter(const Aabb& box) const {
    double from = 0, to = best_.t;
    for (int k = 0; k < 3; ++k) {
      double t0 = (box.lo[k] - o_[k]) * inverse_[k], t1 = (box.hi[k] - o_[k]) * inverse_[k];
      if (t0 > t1) std::swap(t0, t1);
      // NaN, of a ray in the plane of a side, bounds nothing
      if (t0 > from) from = t0;
      if (t1 * kWider < to) to = t1 * kWider;
    }
    return from <= to ? from : detail::kInfinite;
  }

  void try_triangle(int t) {
    const MeshTriangle& i = mesh_.triangles[static_cast<size_t>(t)];
    double x[3], y[3], z[3];
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 p = mesh_.vertices[static_cast<size_t>(i[k])] - o_;
      x[k] = p[x_] - shear_x_ * p[z_];
      y[k] = p[y_] - shear_y_ * p[z_];
      z[k] = scale_z_ * p[z_];
    }
    const double u = x[2] * y[1] - y[2] * x[1], v = x[0] * y[2] - y[0] * x[2],
                 w = x[1] * y[0] - y[1] * x[0];
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return;
    const double sum = u + v + w;
    if (sum == 0) return;
    const double at = (u * z[0] + v * z[1] + w * z[2]) / sum;
    if (!(at >= 0) || at > best_.t) return;
    if (at == best_.t && best_.triangle >= 0 && t >= best_.triangle) return;
    best_ = {at, t};
  }

  const MeshGeometry& mesh_;
  Vec3 o_, inverse_;
  int x_ = 0, y_ = 1, z_ = 2;
  double shear_x_ = 0, shear_y_ = 0, scale_z_ = 1;
  MeshHit best_;
};

}  // namespace

MeshHit find_first_hit(const MeshGeometry& mesh, const Vec3& origin, const Vec3& direction,
                       double max_t) {
  return Cast(mesh, origin, direction, max_t).run();
}

}  // namespace tenon
