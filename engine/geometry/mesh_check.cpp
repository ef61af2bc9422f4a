#include "tenon/engine/geometry/mesh_check.h"

#include <algorithm>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/detail/triangle_pair.h"

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

using detail::Sides;
using detail::ThreePoints;

// Where two surfaces pass through one another along a curve, each piece of it is
//   inside two triangles,                                                                 (1)
//   along an edge of one inside the other, the triangles at it on both sides,             (2)
//   along an edge of each, the four triangles at them in alternating order about it,      (3)
// or they overlap in a plane; then they pass through where they face the same way, for then what
// they enclose overlaps, and touch where they face one another, as stacked boxes do.      (4)
class Crossings {
 public:
  Crossings(const MeshGeometry& mesh, size_t most) : mesh_(mesh), most_(most) {}

  // Of triangle t with those behind it in the list.
  void find(int t, std::vector<MeshCrossing>& out) const {
    if (out.size() >= most_) return;
    const ThreePoints a = corners(t);
    const Aabb box{cwise_min(a[0], cwise_min(a[1], a[2])), cwise_max(a[0], cwise_max(a[1], a[2]))};
    visit(box, [&](int other) {
      if (other > t && cross(t, a, other)) out.push_back({t, other});
      return out.size() < most_;
    });
  }

 private:
  // The triangles near a box, some of them further away, as long as `on` says true.
  template <class F>
  void visit(const Aabb& box, F&& on) const {
    int stack[detail::kMostTreeDepth];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const int here = stack[--top];
      const MeshTree::Node& node = mesh_.tree.nodes[here];
      if (!overlaps(node.box, box)) continue;
      if (node.count == 0) {
        stack[top++] = node.first;
        stack[top++] = here + 1;
        continue;
      }
      for (int i = node.first; i < node.first + node.count; ++i)
        if (!on(mesh_.tree.order[i])) return;
    }
  }

  // The third vertex of the one other triangle at an edge of t; -1: there is none, or several.
  int beyond(int t, int i, int j) const {
    int count = 0, third = -1;
    const Vec3& p = mesh_.vertices[i];
    visit({p, p}, [&](int other) {
      const MeshTriangle& v = mesh_.triangles[other];
      if (other == t || !has(v, i) || !has(v, j)) return true;
      ++count;
      for (const int k : v)
        if (k != i && k != j) third = k;
      return true;
    });
    return count == 1 ? third : -1;
  }

  ThreePoints corners(int t) const {
    const MeshTriangle& v = mesh_.triangles[t];
    return {mesh_.vertices[v[0]], mesh_.vertices[v[1]], mesh_.vertices[v[2]]};
  }
  static bool has(const MeshTriangle& list, int i) {
    return list[0] == i || list[1] == i || list[2] == i;
  }
  static bool flat(const Sides& s) { return s == Sides{}; }
  static bool beside(const Sides& s) {
    return (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0);
  }

  bool cross(int t, const ThreePoints& a, int other) const {
    const MeshTriangle &v = mesh_.triangles[t], &w = mesh_.triangles[other];
    // neighbours along an edge meet in it and nowhere else
    if (has(w, v[0]) + has(w, v[1]) + has(w, v[2]) >= 2) return false;
    const ThreePoints b = corners(other);
    const Sides of_b = detail::find_sides(a, b);
    if (beside(of_b)) return false;
    const Sides of_a = detail::find_sides(b, a);
    if (beside(of_a)) return false;
    if (detail::insides_cross(a, of_a, b, of_b)) return true;          // (1)
    if (flat(of_a) && flat(of_b)) return detail::overlap_alike(a, b);  // (4)
    if (flat(of_a) || flat(of_b)) return line_crosses(v, a, w, b);
    return edge_crosses(t, a, of_a, b) || edge_crosses(other, b, of_b, a) ||  // (2)
           edges_cross(t, a, of_a, other, b, of_b);                           // (3)
  }

  // One of the two has no area: whether one of its edges, or of the other, pierces.
  bool line_crosses(const MeshTriangle& v, const ThreePoints& a, const MeshTriangle& w,
                    const ThreePoints& b) const {
    for (size_t k = 0; k < 3; ++k) {
      const size_t n = (k + 1) % 3;
      if (!has(w, v[k]) && !has(w, v[n]) && detail::pierces(a[k], a[n], b)) return true;
      if (!has(v, w[k]) && !has(v, w[n]) && detail::pierces(b[k], b[n], a)) return true;
    }
    return false;
  }

  // Whether the surface passes through b along an edge of a. sides: of a to the plane of b.
  bool edge_crosses(int t, const ThreePoints& a, const Sides& sides, const ThreePoints& b) const {
    for (size_t k = 0; k < 3; ++k) {
      const size_t n = (k + 1) % 3, third = (k + 2) % 3;
      if (sides[k] != 0 || sides[n] != 0 || !detail::runs_inside(a[k], a[n], b)) continue;
      const int third_beyond = beyond(t, mesh_.triangles[t][k], mesh_.triangles[t][n]);
      if (third_beyond < 0) continue;
      const Vec3& p = mesh_.vertices[third_beyond];
      if (detail::find_sides(b, {p, p, p})[0] * sides[third] < 0) return true;
    }
    return false;
  }

  // Whether the surfaces pass through one another along an edge of each.
  bool edges_cross(int t, const ThreePoints& a, const Sides& of_a, int other, const ThreePoints& b,
                   const Sides& of_b) const {
    for (size_t i = 0; i < 3; ++i) {
      const size_t i2 = (i + 1) % 3;
      if (of_a[i] != 0 || of_a[i2] != 0) continue;
      for (size_t j = 0; j < 3; ++j) {
        const size_t j2 = (j + 1) % 3;
        if (of_b[j] != 0 || of_b[j2] != 0) continue;
        if (!detail::run_together(a[i], a[i2], b[j], b[j2])) continue;
        const int c = beyond(t, mesh_.triangles[t][i], mesh_.triangles[t][i2]),
                  d = beyond(other, mesh_.triangles[other][j], mesh_.triangles[other][j2]);
        if (c < 0 || d < 0) continue;
        if (detail::halves_alternate(a[i], a[i2], {a[(i + 2) % 3], mesh_.vertices[c]},
                                     {b[(j + 2) % 3], mesh_.vertices[d]}))
          return true;
      }
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
