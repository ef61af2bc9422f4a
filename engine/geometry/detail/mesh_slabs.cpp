// Round slabs about the triangles of small nodes.
//
// A box about a patch that lies askew is as thick as the patch is wide, so a search for the nearest
// point at a distance h of a smooth surface looks into all boxes of width s within sqrt(2 h s): on
// fine meshes hundreds. A slab along the mean normal is as thin as the patch is flat.
#include <algorithm>

#include "tenon/engine/geometry/detail/mesh_build.h"

namespace tenon::detail {
namespace {

constexpr int kMostTriangles = 8;    // of a node with a slab: leaves and those next to them
constexpr double kRounding = 1e-12;  // of the coordinates: what distances lose

struct SlabRange {
  int begin = 0, end = 0;
};

// Children stand behind their parents.
std::vector<SlabRange> find_ranges(const MeshTree& tree) {
  std::vector<SlabRange> ranges(tree.nodes.size());
  for (size_t i = ranges.size(); i-- > 0;) {
    const MeshTree::Node& node = tree.nodes[i];
    const auto right = static_cast<size_t>(node.first);
    ranges[i] = node.count > 0 ? SlabRange{node.first, node.first + node.count}
                               : SlabRange{ranges[i + 1].begin, ranges[right].end};
  }
  return ranges;
}

float round_up(double x) {
  const auto y = static_cast<float>(x);
  return y * (1 + 1e-6f) + 1e-30f;
}

MeshTree::Slab calc_slab(const MeshGeometry& mesh, const Aabb& box, const SlabRange& range) {
  const auto each = [&](auto&& visit) {
    for (int i = range.begin; i < range.end; ++i)
      visit(static_cast<size_t>(mesh.tree.order[static_cast<size_t>(i)]));
  };
  Vec3 sum;
  each([&](size_t t) { sum += mesh.face_normals[t]; });
  const Vec3 mean = normalized(sum, {0, 1, 0}), middle = center(box);
  MeshTree::Slab slab;
  for (int k = 0; k < 3; ++k) {
    slab.normal[static_cast<size_t>(k)] = static_cast<float>(mean[k]);
    slab.centre[static_cast<size_t>(k)] = static_cast<float>(middle[k]);
  }
  // as they were rounded
  const Vec3 n{slab.normal[0], slab.normal[1], slab.normal[2]};
  const Vec3 c{slab.centre[0], slab.centre[1], slab.centre[2]};
  double half = 0, radius = 0;
  each([&](size_t t) {
    for (const int v : mesh.triangles[t]) {
      const Vec3 x = mesh.vertices[static_cast<size_t>(v)] - c;
      const double along = dot(x, n);
      half = std::max(half, std::fabs(along));
      radius = std::max(radius, norm(x - along * n));
    }
  });
  const double lost = kRounding * max_component(cwise_abs(middle) + (box.hi - box.lo));
  slab.half = round_up(half + lost);
  slab.radius = round_up(radius + lost);
  return slab;
}

}  // namespace

void calc_slabs(MeshGeometry& mesh, ThreadPool* pool) {
  MeshTree& tree = mesh.tree;
  const std::vector<SlabRange> ranges = find_ranges(tree);
  tree.slabs.assign(tree.nodes.size(), {});
  parallel_for(pool, ranges.size(), 1024, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (ranges[i].end - ranges[i].begin > kMostTriangles) continue;
      tree.slabs[i] = calc_slab(mesh, tree.nodes[i].box, ranges[i]);
    }
  });
}

}  // namespace tenon::detail
