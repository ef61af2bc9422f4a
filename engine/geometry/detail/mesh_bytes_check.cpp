#include "tenon/engine/geometry/detail/mesh_bytes_check.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/detail/mesh_build.h"

namespace tenon::detail {
namespace {

bool are_finite(std::span<const Vec3> list) {
  return std::all_of(list.begin(), list.end(), [](const Vec3& v) { return is_finite(v); });
}

bool are_finite(std::span<const double> list) {
  return std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x); });
}

// Parents stand before their children, the left one right behind; leaves share out `items` in
// order; none is deeper than searches can follow.
template <class Node>
bool is_tree(std::span<const Node> nodes, size_t items) {
  struct Part {
    size_t behind = 0;  // the first node that is not below
    int64_t begin = 0, end = 0;
    int height = 1;
  };
  std::vector<Part> parts(nodes.size());
  for (size_t i = nodes.size(); i-- > 0;) {
    const Node& node = nodes[i];
    if (node.first < 0 || node.count < 0) return false;
    if (node.count > 0) {
      parts[i] = {i + 1, node.first, int64_t{node.first} + node.count, 1};
      continue;
    }
    const auto right = static_cast<size_t>(node.first);
    if (i + 1 >= nodes.size() || right >= nodes.size() || parts[i + 1].behind != right)
      return false;
    const Part &a = parts[i + 1], &b = parts[right];
    if (a.end != b.begin) return false;
    parts[i] = {b.behind, a.begin, b.end, 1 + std::max(a.height, b.height)};
    if (parts[i].height > kMostTreeDepth) return false;
  }
  return parts[0].behind == nodes.size() && parts[0].begin == 0 &&
         parts[0].end == static_cast<int64_t>(items);
}

bool is_order(const std::vector<int>& order, size_t count) {
  std::vector<bool> seen(count);
  if (order.size() != count) return false;
  for (const int i : order) {
    if (i < 0 || static_cast<size_t>(i) >= count || seen[static_cast<size_t>(i)]) return false;
    seen[static_cast<size_t>(i)] = true;
  }
  return true;
}

bool are_slabs(const MeshTree& tree) {
  return tree.slabs.size() == tree.nodes.size() &&
         std::all_of(tree.slabs.begin(), tree.slabs.end(), [](const MeshTree::Slab& s) {
           // one sum instead of eight questions: it is finite only if all of them are
           const float sum = s.centre[0] + s.centre[1] + s.centre[2] + s.normal[0] + s.normal[1] +
                             s.normal[2] + s.half + s.radius;
           return std::isfinite(sum);
         });
}

bool are_neighbours(const MeshGeometry& mesh) {
  const auto count = static_cast<int>(mesh.triangles.size());
  return mesh.neighbours.size() == mesh.triangles.size() &&
         std::all_of(mesh.neighbours.begin(), mesh.neighbours.end(), [&](const auto& of) {
           return std::all_of(of.begin(), of.end(), [&](int t) { return t >= -1 && t < count; });
         });
}

bool are_samples(const MeshSamples& samples, int triangles) {
  for (const MeshSamples::Point& p : samples.points) {
    if (!is_finite(p.p) || !is_finite(p.normal) || !std::isfinite(p.cone)) return false;
    if (p.triangle < 0 || p.triangle >= triangles) return false;
    if (p.corner < -1 || p.corner > 2 || p.edge < -1 || p.edge > 2) return false;
    if ((p.corner < 0) == (p.edge < 0)) return false;
  }
  for (const MeshSamples::Node& node : samples.nodes)
    if (!is_finite(node.centre) || !std::isfinite(node.radius)) return false;
  if (samples.points.empty() || samples.nodes.empty())
    return samples.points.empty() && samples.nodes.empty();
  return is_tree<MeshSamples::Node>(samples.nodes, samples.points.size());
}

}  // namespace

const char* find_damage(const MeshGeometry& mesh) {
  if (!check_mesh_input(mesh.vertices, mesh.triangles)) return "its triangles are none";
  if (!are_neighbours(mesh)) return "a neighbour leads nowhere";
  if (!mesh.unsure.empty() && mesh.unsure.size() != mesh.triangles.size())
    return "what is unsure is no list of its triangles";
  if (mesh.vertex_normals.size() != mesh.vertices.size() || !are_finite(mesh.vertex_normals))
    return "its normals are none";
  if (!is_order(mesh.tree.order, mesh.triangles.size()) || mesh.tree.nodes.empty() ||
      !is_tree<MeshTree::Node>(mesh.tree.nodes, mesh.triangles.size()))
    return "its tree leads nowhere";
  if (!are_slabs(mesh.tree)) return "its slabs are none";
  const double sizes[] = {mesh.origin_radius, mesh.area, mesh.volume, mesh.size};
  if (!are_finite(sizes) || !(mesh.size > 0) || !is_finite(mesh.centroid) ||
      !is_finite(mesh.bounds.lo) || !is_finite(mesh.bounds.hi))
    return "its sizes make no sense";
  if (mesh.reach.size() != kReachSize || !are_finite(mesh.reach)) return "its reach is none";
  if (!are_samples(mesh.samples, static_cast<int>(mesh.triangles.size())))
    return "its samples lead nowhere";
  if (mesh.field && !contains(mesh.field->bounds(), mesh.bounds)) return "its field is another's";
  return nullptr;
}

}  // namespace tenon::detail
