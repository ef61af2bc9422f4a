// Inside and outside of meshes that pass through themselves.
//
// The sign of a pseudo-normal [Baerentzen2005] tells inside from outside where the surface is as
// good as embedded around the nearest point. Where a mesh is folded over so that it passes through
// itself, some faces look inwards, and the space above such a fold, up to where something else is
// nearer, counts as inside: 17 % of the size on one of our reference meshes. Its winding number,
//   w(q) = 1 / (4 pi)  sum of the signed solid angles of all triangles as q sees them     (1)
// [Jacobson2013], is 0 outside, 1 inside, 2 where two parts overlap, -1 in folds: inside is
// w > 1/2. The angle of one triangle with corners a, b, c from q is [VanOosterom1983]
//   tan(angle / 2) = a . (b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)           (2)
// and a node that is farther than kFar of its radii is as good as one area N at its centre p
// [Barill2018]:
//   angle = N . (p - q) / |p - q|^3                                                       (3)
// Half angles are added as complex numbers are multiplied, and whole turns counted: one arctangent
// for all.
// Along a surface w changes only where it is crossed. So all but the triangles there, and next to
// them, go together, and one of each such part tells whether pseudo-normals are right in it.
#include <algorithm>

#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/mesh_check.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

constexpr double kFar = 4;                          // (3) is off by some thousandths of a turn then
constexpr size_t kMostCrossings = size_t{1} << 22;  // 32 MB
constexpr double kFullAngle = 12.566370614359172;

// A sum of angles in (-pi, pi], each given by its sine and cosine times any length.
class AngleSum {
 public:
  void add(double y, double x) {
    const double size = std::fabs(x) + std::fabs(y);
    if (!(size > 0)) return;
    x /= size;
    y /= size;
    const double product_x = x_ * x - y_ * y, product_y = x_ * y + y_ * x;
    // two angles of one sign whose sum has the other have gone round
    if (y_ >= 0 && y >= 0 && product_y < 0) turns_ += 1;
    if (y_ < 0 && y < 0 && product_y >= 0) turns_ -= 1;
    const double length = std::fabs(product_x) + std::fabs(product_y);
    x_ = product_x / length;
    y_ = product_y / length + 0.0;  // no negative zero, which would be a turn less
  }
  double value() const { return atan2(y_, x_) + 0.5 * kFullAngle * turns_; }

 private:
  double x_ = 1, y_ = 0, turns_ = 0;
};

// Adds half of the angle.
void add_solid_angle(const MeshGeometry& mesh, int triangle, const Vec3& q, AngleSum& halves) {
  const MeshTriangle& t = mesh.triangles[static_cast<size_t>(triangle)];
  const Vec3 a = mesh.vertices[static_cast<size_t>(t[0])] - q;
  const Vec3 b = mesh.vertices[static_cast<size_t>(t[1])] - q;
  const Vec3 c = mesh.vertices[static_cast<size_t>(t[2])] - q;
  const double la = norm(a), lb = norm(b), lc = norm(c);
  halves.add(dot(a, cross(b, c)),
             la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);  // (2)
}

// Without the triangle `but`, which q lies on.
double calc_winding(const MeshGeometry& mesh, const Vec3& q, int but) {
  double sum = 0;
  AngleSum halves;
  int stack[detail::kMostTreeDepth];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int at = stack[--top];
    const MeshTree::Node& node = mesh.tree.nodes[static_cast<size_t>(at)];
    const MeshTree::Dipole& dipole = mesh.tree.dipoles[static_cast<size_t>(at)];
    const Vec3 d = dipole.centre - q;
    const double d2 = norm2(d);
    if (d2 > kFar * kFar * dipole.radius * dipole.radius) {
      sum += dot(dipole.area, d) / (d2 * std::sqrt(d2));  // (3)
    } else if (node.count == 0) {
      stack[top++] = node.first;
      stack[top++] = at + 1;
    } else {
      for (int i = node.first; i < node.first + node.count; ++i) {
        const int t = mesh.tree.order[static_cast<size_t>(i)];
        if (t != but) add_solid_angle(mesh, t, q, halves);
      }
    }
  }
  return (sum + 2 * halves.value()) / kFullAngle;
}

// Those that cross others, and all that share a vertex with them; all, where too many cross.
std::vector<uint8_t> find_near(const MeshGeometry& mesh, std::span<const MeshCrossing> crossings) {
  std::vector<uint8_t> at_vertex(mesh.vertices.size(), 0), near(mesh.triangles.size(), 0);
  if (crossings.size() >= kMostCrossings) std::fill(near.begin(), near.end(), uint8_t{1});
  for (const MeshCrossing& c : crossings) {
    for (const int t : {c.a, c.b}) {
      for (const int v : mesh.triangles[static_cast<size_t>(t)])
        at_vertex[static_cast<size_t>(v)] = 1;
    }
  }
  for (size_t t = 0; t < near.size(); ++t) {
    for (const int v : mesh.triangles[t]) near[t] |= at_vertex[static_cast<size_t>(v)];
  }
  return near;
}

// Whether the front of a triangle is outside and its back inside. Seen from the triangle itself
// the others have the mean of both, a half.
bool looks_out(const MeshGeometry& mesh, int triangle) {
  constexpr double kOff = 0.25;
  Vec3 middle;
  for (const int v : mesh.triangles[static_cast<size_t>(triangle)]) {
    middle += (1.0 / 3) * mesh.vertices[static_cast<size_t>(v)];
  }
  return std::fabs(calc_winding(mesh, middle, triangle) - 0.5) < kOff;
}

// The part of the surface about a triangle, up to those that are unsure.
std::vector<int> find_part(const MeshGeometry& mesh, int first, const std::vector<uint8_t>& unsure,
                           std::vector<uint8_t>& seen) {
  std::vector<int> part{first};
  seen[static_cast<size_t>(first)] = 1;
  for (size_t i = 0; i < part.size(); ++i) {
    for (const int n : mesh.neighbours[static_cast<size_t>(part[i])]) {
      if (n < 0 || seen[static_cast<size_t>(n)] != 0 || unsure[static_cast<size_t>(n)] != 0)
        continue;
      seen[static_cast<size_t>(n)] = 1;
      part.push_back(n);
    }
  }
  return part;
}

}  // namespace

void detail::calc_dipoles(MeshGeometry& mesh) {
  MeshTree& tree = mesh.tree;
  tree.dipoles.assign(tree.nodes.size(), {});
  std::vector<double> weight(tree.nodes.size(), 0);
  // children stand behind their parents
  for (size_t at = tree.nodes.size(); at-- > 0;) {
    const MeshTree::Node& node = tree.nodes[at];
    MeshTree::Dipole& d = tree.dipoles[at];
    Vec3 sum;
    for (int i = node.first; i < node.first + node.count; ++i) {
      const MeshTriangle& t =
          mesh.triangles[static_cast<size_t>(tree.order[static_cast<size_t>(i)])];
      const Vec3 &a = mesh.vertices[static_cast<size_t>(t[0])],
                 &b = mesh.vertices[static_cast<size_t>(t[1])],
                 &c = mesh.vertices[static_cast<size_t>(t[2])];
      const Vec3 area = 0.5 * cross(b - a, c - a);
      d.area += area;
      weight[at] += norm(area);
      sum += (norm(area) / 3) * (a + b + c);
    }
    if (node.count == 0) {
      for (const size_t child : {at + 1, static_cast<size_t>(node.first)}) {
        d.area += tree.dipoles[child].area;
        weight[at] += weight[child];
        sum += weight[child] * tree.dipoles[child].centre;
      }
    }
    d.centre = weight[at] > 0 ? (1 / weight[at]) * sum : center(node.box);
    d.radius =
        norm(cwise_max(cwise_abs(node.box.lo - d.centre), cwise_abs(node.box.hi - d.centre)));
  }
}

void detail::find_unsure(MeshGeometry& mesh, ThreadPool* pool) {
  const std::vector<MeshCrossing> crossings = find_crossings(mesh, kMostCrossings, pool);
  if (crossings.empty()) return;
  calc_dipoles(mesh);
  const std::vector<uint8_t> near = find_near(mesh, crossings);
  mesh.unsure = near;
  std::vector<uint8_t> seen(near.size(), 0);
  for (size_t t = 0; t < near.size(); ++t) {
    if (near[t] != 0 || seen[t] != 0) continue;
    const std::vector<int> part = find_part(mesh, static_cast<int>(t), near, seen);
    if (looks_out(mesh, part[0])) continue;
    for (const int i : part) mesh.unsure[static_cast<size_t>(i)] = 1;
  }
}

bool detail::is_inside(const MeshGeometry& mesh, const Vec3& q) {
  return calc_winding(mesh, q, -1) > 0.5;
}

}  // namespace tenon
