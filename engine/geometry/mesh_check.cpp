#include "tenon/engine/geometry/mesh_check.h"

#include <algorithm>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/detail/orient3d.h"

namespace tenon {
namespace {

template <class T>
void note(size_t& count, std::vector<T>& places, const T& place) {
  ++count;
  if (places.size() < MeshCheck::kPlaces) places.push_back(place);
}

bool repeats(const MeshTriangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

// A use of an edge, lower vertex first.
struct EdgeUse {
  int low, high;
  bool up;
};

void check_edges(std::span<const MeshTriangle> triangles, MeshCheck& out) {
  std::vector<EdgeUse> uses;
  uses.reserve(3 * triangles.size());
  for (const MeshTriangle& t : triangles) {
    if (repeats(t)) continue;
    for (size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      uses.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.up < b.up;
  });
  for (size_t i = 0; i < uses.size();) {
    size_t end = i;
    while (end < uses.size() && uses[end].low == uses[i].low && uses[end].high == uses[i].high)
      ++end;
    const std::array<int, 2> place{uses[i].low, uses[i].high};
    ++out.edges;
    if (end - i == 1) note(out.open_edges, out.open_places, place);
    if (end - i > 2) note(out.crowded_edges, out.crowded_places, place);
    if (end - i == 2 && uses[i].up == uses[i + 1].up)
      note(out.turned_edges, out.turned_places, place);
    i = end;
  }
}

void check_copies(std::span<const MeshTriangle> triangles, MeshCheck& out) {
  std::vector<std::pair<MeshTriangle, int>> sorted;
  for (size_t t = 0; t < triangles.size(); ++t) {
    MeshTriangle v = triangles[t];
    std::sort(v.begin(), v.end());
    sorted.push_back({v, static_cast<int>(t)});
  }
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].first == sorted[i - 1].first) note(out.copies, out.copy_places, sorted[i].second);
}

}  // namespace

MeshCheck check_triangles(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles) {
  MeshCheck out;
  DisjointSets pieces(vertices.size());
  std::vector<char> used(vertices.size(), 0);
  for (size_t t = 0; t < triangles.size(); ++t) {
    const MeshTriangle& v = triangles[t];
    for (const int i : v) used[i] = 1;
    pieces.join(static_cast<uint32_t>(v[0]), static_cast<uint32_t>(v[1]));
    pieces.join(static_cast<uint32_t>(v[0]), static_cast<uint32_t>(v[2]));
    const int place = static_cast<int>(t);
    if (repeats(v)) {
      note(out.repeated_vertices, out.repeated_places, place);
      continue;
    }
    const Vec3 &a = vertices[v[0]], &b = vertices[v[1]], &c = vertices[v[2]];
    if (detail::is_sliver(a, b, c)) note(out.slivers, out.sliver_places, place);
  }
  size_t used_count = 0;
  for (size_t i = 0; i < vertices.size(); ++i) {
    if (!used[i]) continue;
    ++used_count;
    if (pieces.find(static_cast<uint32_t>(i)) == i) ++out.pieces;
  }
  out.unused_vertices = vertices.size() - used_count;
  check_edges(triangles, out);
  check_copies(triangles, out);
  out.euler = static_cast<long long>(used_count) - static_cast<long long>(out.edges) +
              static_cast<long long>(triangles.size() - out.repeated_vertices);
  return out;
}

namespace {

using ThreePoints = std::array<Vec3, 3>;

// Whether the segment pq passes through the inside of the triangle.
bool pierces(const Vec3& p, const Vec3& q, const ThreePoints& t) {
  using detail::orient3d_sign;
  const int at_p = orient3d_sign(t[0], t[1], t[2], p), at_q = orient3d_sign(t[0], t[1], t[2], q);
  if (at_p * at_q >= 0) return false;
  const int s = orient3d_sign(p, q, t[0], t[1]);
  return s != 0 && orient3d_sign(p, q, t[1], t[2]) == s && orient3d_sign(p, q, t[2], t[0]) == s;
}

class Crossings {
 public:
  Crossings(const MeshGeometry& mesh, size_t most) : mesh_(mesh), most_(most) {}

  // Of triangle t with those behind it in the list.
  void find(int t, std::vector<MeshCrossing>& out) const {
    const ThreePoints a = corners(t);
    const Aabb box{cwise_min(a[0], cwise_min(a[1], a[2])), cwise_max(a[0], cwise_max(a[1], a[2]))};
    int stack[detail::kMostTreeDepth];
    int top = 0;
    stack[top++] = 0;
    while (top > 0 && out.size() < most_) {
      const int here = stack[--top];
      const MeshTree::Node& node = mesh_.tree.nodes[here];
      if (!overlaps(node.box, box)) continue;
      if (node.count == 0) {
        stack[top++] = node.first;
        stack[top++] = here + 1;
        continue;
      }
      for (int i = node.first; i < node.first + node.count; ++i) {
        const int other = mesh_.tree.order[i];
        if (other > t && cross(t, a, other)) out.push_back({t, other});
      }
    }
  }

 private:
  ThreePoints corners(int t) const {
    const MeshTriangle& v = mesh_.triangles[t];
    return {mesh_.vertices[v[0]], mesh_.vertices[v[1]], mesh_.vertices[v[2]]};
  }
  bool cross(int t, const ThreePoints& a, int other) const {
    const MeshTriangle &v = mesh_.triangles[t], &w = mesh_.triangles[other];
    const ThreePoints b = corners(other);
    const auto has = [](const MeshTriangle& list, int i) {
      return list[0] == i || list[1] == i || list[2] == i;
    };
    // neighbours along an edge meet in it and nowhere else
    if (has(w, v[0]) + has(w, v[1]) + has(w, v[2]) >= 2) return false;
    for (size_t k = 0; k < 3; ++k) {
      const size_t n = (k + 1) % 3;
      if (!has(w, v[k]) && !has(w, v[n]) && pierces(a[k], a[n], b)) return true;
      if (!has(v, w[k]) && !has(v, w[n]) && pierces(b[k], b[n], a)) return true;
    }
    return false;
  }

  const MeshGeometry& mesh_;
  size_t most_;
};

}  // namespace

std::vector<MeshCrossing> find_crossings(const MeshGeometry& mesh, size_t most, ThreadPool* pool) {
  constexpr size_t kGrain = 1024;
  const Crossings crossings(mesh, most);
  const size_t count = mesh.triangles.size();
  std::vector<std::vector<MeshCrossing>> parts(chunk_count(count, kGrain));
  parallel_for(pool, count, kGrain, [&](size_t begin, size_t end) {
    for (size_t t = begin; t < end; ++t) crossings.find(static_cast<int>(t), parts[begin / kGrain]);
  });
  std::vector<MeshCrossing> all;
  for (const auto& part : parts)
    for (const MeshCrossing& c : part)
      if (all.size() < most) all.push_back(c);
  return all;
}

}  // namespace tenon
