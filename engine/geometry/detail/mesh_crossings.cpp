// Triangles of a mesh that pass through others of it.
//
// Two triangles cross where an edge of the one passes through the other. Those that share an edge
// meet there and nowhere else; of those that share a vertex only the edges opposite to it count.
// Sides are exact [Shewchuk1997]; what lies in the plane of the other does not cross it.
#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/detail/orient3d.h"

namespace tenon::detail {
namespace {

constexpr size_t kGrain = 256;  // triangles per task

class Crossings {
 public:
  explicit Crossings(const MeshGeometry& mesh) : mesh_(mesh) {}

  // Whether anything of the mesh crosses triangle t.
  bool has(int t) const {
    const Aabb box = box_of(t);
    int stack[kMostTreeDepth];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const int at = stack[--top];
      const MeshTree::Node& node = mesh_.tree.nodes[static_cast<size_t>(at)];
      if (!overlaps(node.box, box)) continue;
      if (node.count == 0) {
        stack[top++] = node.first;
        stack[top++] = at + 1;
        continue;
      }
      for (int i = node.first; i < node.first + node.count; ++i) {
        const int other = mesh_.tree.order[static_cast<size_t>(i)];
        if (other != t && overlaps(box_of(other), box) && cross(t, other)) return true;
      }
    }
    return false;
  }

 private:
  static bool overlaps(const Aabb& a, const Aabb& b) {
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
           a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
  }
  const MeshTriangle& corners(int t) const { return mesh_.triangles[static_cast<size_t>(t)]; }
  const Vec3& point(int v) const { return mesh_.vertices[static_cast<size_t>(v)]; }
  Aabb box_of(int t) const {
    const MeshTriangle& c = corners(t);
    const Vec3 &p = point(c[0]), &q = point(c[1]), &r = point(c[2]);
    return {cwise_min(cwise_min(p, q), r), cwise_max(cwise_max(p, q), r)};
  }
  // Whether all of b lies on one side of a's plane, touching it at most where they share a vertex.
  bool is_beside(int a, int b) const {
    const MeshTriangle& t = corners(a);
    const Vec3& n = mesh_.face_normals[static_cast<size_t>(a)];
    double low = kInfinite, high = -kInfinite, far = 0;
    for (const int v : corners(b)) {
      const Vec3 d = point(v) - point(t[0]);
      low = std::min(low, dot(n, d));
      high = std::max(high, dot(n, d));
      far = std::max(far, norm2(d));
    }
    // round-off: what is nearer to the plane is asked exactly
    const double slop = 1e-12 * std::sqrt(far);
    return low > slop || high < -slop;
  }

  bool cross(int a, int b) const {
    int shared = 0, apex_a = -1, apex_b = -1;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        if (corners(a)[static_cast<size_t>(i)] != corners(b)[static_cast<size_t>(k)]) continue;
        ++shared;
        apex_a = i;
        apex_b = k;
      }
    }
    if (shared > 1) return false;
    if (shared == 1) return passes(a, apex_a + 1, b) || passes(b, apex_b + 1, a);
    if (is_beside(a, b) || is_beside(b, a)) return false;
    for (int k = 0; k < 3; ++k) {
      if (passes(a, k, b) || passes(b, k, a)) return true;
    }
    return false;
  }

  // Whether edge k of triangle a passes through triangle b, its rim included.
  bool passes(int a, int k, int b) const {
    const MeshTriangle &s = corners(a), &t = corners(b);
    const Vec3 &p = point(s[static_cast<size_t>(k % 3)]),
               &q = point(s[static_cast<size_t>((k + 1) % 3)]);
    const Vec3 &x = point(t[0]), &y = point(t[1]), &z = point(t[2]);
    const int from = orient3d_sign(x, y, z, p), to = orient3d_sign(x, y, z, q);
    if (from == to) return false;
    const int u = orient3d_sign(p, q, x, y), v = orient3d_sign(p, q, y, z),
              w = orient3d_sign(p, q, z, x);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  }

  const MeshGeometry& mesh_;
};

}  // namespace

std::vector<uint8_t> find_crossed(const MeshGeometry& mesh, ThreadPool* pool) {
  std::vector<uint8_t> crossed(mesh.triangles.size(), 0);
  const Crossings crossings(mesh);
  parallel_for(pool, crossed.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t t = begin; t < end; ++t) crossed[t] = crossings.has(static_cast<int>(t)) ? 1 : 0;
  });
  return crossed;
}

}  // namespace tenon::detail
