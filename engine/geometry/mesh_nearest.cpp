// Nearest points by the tree of a mesh.
#include <algorithm>

#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/mesh.h"

namespace tenon {
namespace {

// Where on a triangle a point lies: vertex 0 to 2, edge 3 to 5, or the face.
constexpr int kFace = 6;
struct TrianglePoint {
  Vec3 p;
  int feature = kFace;
};

TrianglePoint nearest_on_edges(const Vec3 (&v)[3], const Vec3& q) {
  TrianglePoint best;
  double least = detail::kInfinite;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &a = v[k], &b = v[(k + 1) % 3], e = b - a;
    const double t = dot(q - a, e), length2 = norm2(e);
    TrianglePoint here{a, k};
    if (t >= length2) here = {b, (k + 1) % 3};
    if (t > 0 && t < length2) here = {a + (t / length2) * e, 3 + k};
    const double d2 = norm2(q - here.p);
    if (d2 < least) {
      least = d2;
      best = here;
    }
  }
  return best;
}

// By the region of the triangle's plane that q projects into [Ericson2005, sec. 5.1.5].
TrianglePoint nearest_on_triangle(const Vec3 (&v)[3], const Vec3& q) {
  const Vec3 ab = v[1] - v[0], ac = v[2] - v[0], ap = q - v[0];
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {v[0], 0};
  const Vec3 bp = q - v[1];
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {v[1], 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 > 0 && d3 < 0) return {v[0] + (d1 / (d1 - d3)) * ab, 3};
  const Vec3 cp = q - v[2];
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {v[2], 2};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 > 0 && d6 < 0) return {v[0] + (d2 / (d2 - d6)) * ac, 5};
  const double va = d3 * d6 - d5 * d4, to_b = d4 - d3, to_c = d5 - d6;
  if (va <= 0 && to_b > 0 && to_c > 0) return {v[1] + (to_b / (to_b + to_c)) * (v[2] - v[1]), 4};
  // the sum is the square of twice the area; of a sliver nothing is left of it
  const double sum = va + vb + vc, l2 = norm2(ab) + norm2(ac);
  if (!(sum > 1e-20 * l2 * l2) || va < 0 || vb < 0 || vc < 0) return nearest_on_edges(v, q);
  return {v[0] + (vb / sum) * ab + (vc / sum) * ac, kFace};
}

double distance2(const Aabb& box, const Vec3& q) {
  const Vec3 d = cwise_max(cwise_max(box.lo - q, q - box.hi), Vec3{});
  return norm2(d);
}

struct Nearest {
  TrianglePoint at;
  double d2 = 0;
  int triangle = -1;
};

// What is left out is no nearer than the best by the factor `slack` (1: nothing is nearer).
class Search {
 public:
  Search(const MeshGeometry& mesh, const Vec3& q, double max_distance, double slack = 1)
      : mesh_(mesh), q_(q), slack2_(slack * slack) {
    best_.d2 = max_distance * max_distance;
  }

  void try_triangle(int t) {
    const MeshTriangle& i = mesh_.triangles[static_cast<size_t>(t)];
    const Vec3 v[3] = {mesh_.vertices[static_cast<size_t>(i[0])],
                       mesh_.vertices[static_cast<size_t>(i[1])],
                       mesh_.vertices[static_cast<size_t>(i[2])]};
    const TrianglePoint at = nearest_on_triangle(v, q_);
    const double d2 = norm2(q_ - at.p);
    // one order for all ways through the tree
    if (d2 > best_.d2 || (d2 == best_.d2 && best_.triangle >= 0 && t >= best_.triangle)) return;
    best_ = {at, d2, t};
  }

  const Nearest& run() {
    struct Entry {
      int node;
      double d2;
    };
    Entry stack[detail::kMostTreeDepth];
    int top = 0;
    const std::vector<MeshTree::Node>& nodes = mesh_.tree.nodes;
    Entry here{0, distance2(nodes[0].box, q_)};
    while (true) {
      const MeshTree::Node& node = nodes[static_cast<size_t>(here.node)];
      if (slack2_ * here.d2 <= best_.d2 && node.count == 0) {
        // the nearer child first
        Entry a{here.node + 1, 0}, b{node.first, 0};
        a.d2 = distance2(nodes[static_cast<size_t>(a.node)].box, q_);
        b.d2 = distance2(nodes[static_cast<size_t>(b.node)].box, q_);
        if (b.d2 < a.d2) std::swap(a, b);
        if (slack2_ * b.d2 <= best_.d2 && !is_slab_beyond(b.node)) stack[top++] = b;
        if (is_slab_beyond(a.node)) a.d2 = detail::kInfinite;
        here = a;
        continue;
      }
      if (slack2_ * here.d2 <= best_.d2)
        for (int i = 0; i < node.count; ++i)
          try_triangle(mesh_.tree.order[static_cast<size_t>(node.first + i)]);
      if (top == 0) return best_;
      here = stack[--top];
    }
  }

 private:
  bool is_slab_beyond(int node) const {
    const MeshTree::Slab& slab = mesh_.tree.slabs[static_cast<size_t>(node)];
    return slab.radius >= 0 && slack2_ * detail::calc_slab_distance2(slab, q_) > best_.d2;
  }

  const MeshGeometry& mesh_;
  Vec3 q_;
  double slack2_;
  Nearest best_;
};

Vec3 pseudo_normal(const MeshGeometry& mesh, int triangle, int feature) {
  const auto t = static_cast<size_t>(triangle);
  if (feature == kFace) return mesh.face_normals[t];
  if (feature >= 3) return mesh.edge_normal(t, static_cast<size_t>(feature - 3));
  return mesh.vertex_normals[static_cast<size_t>(mesh.triangles[t][static_cast<size_t>(feature)])];
}

}  // namespace

MeshPoint find_nearest(const MeshGeometry& mesh, const Vec3& q, double max_distance, int hint) {
  Search search(mesh, q, max_distance);
  if (hint >= 0 && static_cast<size_t>(hint) < mesh.triangles.size()) search.try_triangle(hint);
  const Nearest& found = search.run();
  if (found.triangle < 0) return {};
  MeshPoint result{found.at.p, pseudo_normal(mesh, found.triangle, found.at.feature),
                   std::sqrt(found.d2), found.triangle};
  const double up = dot(q - result.point, result.normal);
  const bool unsure = !mesh.unsure.empty() && mesh.unsure[static_cast<size_t>(found.triangle)] != 0;
  const bool inside = unsure ? detail::is_inside(mesh, q) : up < 0;
  if (inside) result.distance = -result.distance;
  // a face that looks the wrong way
  if (unsure && inside != (up < 0)) {
    result.normal = normalized((inside ? -1.0 : 1.0) * (q - result.point), -result.normal);
  }
  return result;
}

double detail::find_about(const MeshGeometry& mesh, const Vec3& q, double share, int& hint) {
  Search search(mesh, q, kInfinite, 1 + share);
  if (hint >= 0) search.try_triangle(hint);
  const Nearest& found = search.run();
  hint = found.triangle;
  return std::sqrt(found.d2);
}

}  // namespace tenon
