// Cones about the normals of the triangles of a node [Johnson2001].
//
// The distance of a point from a surface has a minimum at x only where the way from x to the point
// is a normal of the surface there: of its face, or between those of the faces that meet at x. A
// node all of whose points are seen from elsewhere than its cone has none, however near it is.
#include <algorithm>

#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::detail {
namespace {

constexpr double kWidest = 2.5;    // rad: wider cones leave nothing out
constexpr double kRounded = 1e-5;  // rad, more than floats lose

struct WideCone {
  Vec3 axis;
  double angle = 0;  // rad; above kWidest: all directions
};

// At least the angle of a cosine, and no more than 11 % above it: acos(c) <= pi / 2 sqrt(1 - c) for
// 0 <= c <= 1. What is above a right angle counts as all directions.
double bound_angle(double cosine) {
  return cosine > 0 ? 1.5707963267948968 * std::sqrt(std::max(1 - cosine, 0.0)) : 4;
}

double reach_of(const WideCone& cone, const Vec3& axis) {
  return bound_angle(dot(axis, cone.axis)) + cone.angle;
}

WideCone merge(const WideCone& a, const WideCone& b) {
  const Vec3 sum = a.axis + b.axis;
  if (!(norm2(sum) > 1e-6)) return {a.axis, 4};
  const Vec3 axis = normalized(sum);
  return {axis, std::max(reach_of(a, axis), reach_of(b, axis))};
}

// By vertex: about the normals of all faces that meet there. Hollow corners have normals of minima
// between those of faces that are no neighbours: so twice as wide as the faces say.
std::vector<WideCone> calc_vertex_cones(const MeshGeometry& mesh) {
  std::vector<double> least(mesh.vertices.size(), 1);
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const int v : mesh.triangles[t]) {
      double& c = least[static_cast<size_t>(v)];
      c = std::min(c, dot(mesh.face_normals[t], mesh.vertex_normals[static_cast<size_t>(v)]));
    }
  }
  std::vector<WideCone> cones(least.size());
  for (size_t v = 0; v < cones.size(); ++v) {
    cones[v] = {mesh.vertex_normals[v], 2 * bound_angle(least[v])};
  }
  return cones;
}

WideCone calc_leaf_cone(const MeshGeometry& mesh, const MeshTree::Node& node,
                        const std::vector<WideCone>& of_vertex) {
  const auto each = [&](auto&& visit) {
    for (int k = node.first; k < node.first + node.count; ++k) {
      const auto t = static_cast<size_t>(mesh.tree.order[static_cast<size_t>(k)]);
      for (const int v : mesh.triangles[t]) visit(of_vertex[static_cast<size_t>(v)]);
    }
  };
  WideCone leaf;
  each([&](const WideCone& cone) { leaf.axis += cone.axis; });
  leaf.axis = normalized(leaf.axis, {0, 1, 0});
  each([&](const WideCone& cone) { leaf.angle = std::max(leaf.angle, reach_of(cone, leaf.axis)); });
  return leaf;
}

MeshTree::Cone round_cone(const WideCone& wide) {
  MeshTree::Cone cone;
  const double angle = wide.angle + kRounded;
  if (!(angle < kWidest)) return cone;
  for (int k = 0; k < 3; ++k) {
    cone.axis[static_cast<size_t>(k)] = static_cast<float>(wide.axis[k]);
  }
  cone.cosine = static_cast<float>(cos(angle));
  cone.sine = static_cast<float>(sin(angle));
  return cone;
}

}  // namespace

void calc_cones(MeshGeometry& mesh) {
  MeshTree& tree = mesh.tree;
  const std::vector<WideCone> of_vertex = calc_vertex_cones(mesh);
  std::vector<WideCone> wide(tree.nodes.size());
  tree.cones.assign(tree.nodes.size(), {});
  // children stand behind their parents
  for (size_t i = tree.nodes.size(); i-- > 0;) {
    const MeshTree::Node& node = tree.nodes[i];
    if (node.count == 0) {
      wide[i] = merge(wide[i + 1], wide[static_cast<size_t>(node.first)]);
    } else {
      wide[i] = calc_leaf_cone(mesh, node, of_vertex);
    }
    tree.cones[i] = round_cone(wide[i]);
  }
}

}  // namespace tenon::detail
