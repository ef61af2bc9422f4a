// Merging works from large to small: the largest triangle left over is a seed, its plane is the
// plane of the face, and the connected triangles whose vertices lie within the tolerance of that
// plane join it. The plane of one triangle of an exactly convex surface supports it, so merging
// does not break convexity, as a fitted plane would. On a convex surface the part within a depth
// of a supporting plane is convex as well, so a face comes out as one convex loop, except where an
// earlier face took triangles away from it; such a face is taken apart into its triangles again.
#include "tenon/engine/geometry/detail/hull_faces.h"

#include <algorithm>

namespace tenon::detail {
namespace {

constexpr int kNone = -1;

class FaceMerger {
 public:
  FaceMerger(std::span<const Vec3> points, std::span<const HullTriangle> triangles,
             double tolerance)
      : points_(points), triangles_(triangles), tolerance_(tolerance) {}

  HullGeometry run() {
    group_triangles();
    dissolve_bad_groups();
    drop_straight_vertices();
    return build();
  }

 private:
  struct Group {
    Vec3 normal;
    double offset;
    std::vector<int> members;
    std::vector<int> loop;  // point indices, counter-clockwise
  };
  struct HalfEdge {
    int from, to, group;
  };

  const Vec3& point(int triangle, int corner) const {
    return points_[triangles_[triangle].v[corner % 3]];
  }
  int longest_edge(int t) const {
    int best = 0;
    double longest = -1;
    for (int i = 0; i < 3; ++i) {
      const double length2 = norm2(point(t, i + 1) - point(t, i));
      if (length2 > longest) {
        longest = length2;
        best = i;
      }
    }
    return best;
  }
  double area2(int t) const {
    return norm(cross(point(t, 1) - point(t, 0), point(t, 2) - point(t, 0)));
  }
  // Too thin for its normal to mean anything at this tolerance.
  bool is_sliver(int t) const {
    const int e = longest_edge(t);
    return area2(t) <= tolerance_ * norm(point(t, e + 1) - point(t, e));
  }

  void group_triangles() {
    const size_t count = triangles_.size();
    group_of_.assign(count, kNone);
    std::vector<double> areas(count);
    std::vector<int> order, slivers;
    for (size_t t = 0; t < count; ++t) {
      areas[t] = area2(static_cast<int>(t));
      (is_sliver(static_cast<int>(t)) ? slivers : order).push_back(static_cast<int>(t));
    }
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return areas[a] != areas[b] ? areas[a] > areas[b] : a < b; });
    for (int seed : order) {
      if (group_of_[seed] == kNone) grow(seed);
    }
    join_slivers(slivers);
  }

  void grow(int seed) {
    const int index = static_cast<int>(groups_.size());
    Group group{triangles_[seed].normal, triangles_[seed].offset, {seed}, {}};
    group_of_[seed] = index;
    for (size_t i = 0; i < group.members.size(); ++i) {
      for (int n : triangles_[group.members[i]].adj) {
        if (group_of_[n] != kNone || !fits(group, n)) continue;
        group_of_[n] = index;
        group.members.push_back(n);
      }
    }
    groups_.push_back(std::move(group));
  }

  bool fits(const Group& group, int t) const {
    for (int i = 0; i < 3; ++i) {
      if (std::fabs(dot(group.normal, point(t, i)) - group.offset) > tolerance_) return false;
    }
    // a sliver's normal says nothing; a real triangle must not face away
    return is_sliver(t) || dot(group.normal, triangles_[t].normal) > 0.5;
  }

  // A sliver that fitted nowhere joins the face across its longest edge: its third vertex is
  // within the tolerance of that edge.
  void join_slivers(const std::vector<int>& slivers) {
    for (bool progress = true; progress;) {
      progress = false;
      for (int t : slivers) {
        if (group_of_[t] != kNone) continue;
        const int g = group_of_[triangles_[t].adj[longest_edge(t)]];
        if (g == kNone) continue;
        group_of_[t] = g;
        groups_[g].members.push_back(t);
        progress = true;
      }
    }
    for (int t : slivers) {
      if (group_of_[t] == kNone) grow(t);
    }
  }

  // One simple loop without a reflex corner? Then it is stored.
  bool find_loop(int g) {
    Group& group = groups_[g];
    std::vector<std::array<int, 2>> rim;
    for (int t : group.members) {
      for (int i = 0; i < 3; ++i) {
        if (group_of_[triangles_[t].adj[i]] == g) continue;
        rim.push_back({triangles_[t].v[i], triangles_[t].v[(i + 1) % 3]});
      }
    }
    std::sort(rim.begin(), rim.end());
    for (size_t i = 1; i < rim.size(); ++i) {
      if (rim[i][0] == rim[i - 1][0]) return false;  // touches itself in a vertex
    }
    group.loop.clear();
    int v = rim[0][0];
    do {
      group.loop.push_back(v);
      v = (*std::lower_bound(rim.begin(), rim.end(), std::array<int, 2>{v, 0}))[1];
    } while (v != rim[0][0]);
    return group.loop.size() == rim.size() && is_convex(group);
  }

  bool is_convex(const Group& group) const {
    const size_t n = group.loop.size();
    for (size_t i = 0; i < n; ++i) {
      const Vec3 &a = points_[group.loop[i]], &b = points_[group.loop[(i + 1) % n]],
                 &c = points_[group.loop[(i + 2) % n]];
      // distance of b to the left of the line from a to c, which is the inside
      const double inward = dot(group.normal, cross(c - a, b - a));
      if (inward > 2 * tolerance_ * norm(c - a)) return false;
    }
    return true;
  }

  void dissolve_bad_groups() {
    const size_t merged = groups_.size();
    for (size_t g = 0; g < merged; ++g) {
      if (find_loop(static_cast<int>(g))) continue;
      const std::vector<int> members = groups_[g].members;
      groups_[g].members = {members[0]};
      for (size_t i = 1; i < members.size(); ++i) {
        const HullTriangle& t = triangles_[members[i]];
        group_of_[members[i]] = static_cast<int>(groups_.size());
        groups_.push_back({t.normal, t.offset, {members[i]}, {}});
      }
      groups_[g].loop.assign(triangles_[members[0]].v.begin(), triangles_[members[0]].v.end());
    }
    for (size_t g = merged; g < groups_.size(); ++g) {
      const int t = groups_[g].members[0];
      groups_[g].loop.assign(triangles_[t].v.begin(), triangles_[t].v.end());
      borrow_normal(groups_[g], t);
    }
  }

  // A lone sliver gets the plane of the face across its longest edge, moved onto the sliver.
  void borrow_normal(Group& group, int t) const {
    if (!is_sliver(t)) return;
    group.normal = groups_[group_of_[triangles_[t].adj[longest_edge(t)]]].normal;
    group.offset = dot(group.normal, point(t, 0));
    for (int i = 1; i < 3; ++i) {
      group.offset = std::max(group.offset, dot(group.normal, point(t, i)));
    }
  }

  // A vertex of two faces only lies within their common edge. It is dropped from both when it is
  // within the tolerance of the line between its neighbours.
  void drop_straight_vertices() {
    std::vector<int> uses(points_.size(), 0);
    for (const Group& group : groups_) {
      for (int v : group.loop) ++uses[v];
    }
    std::vector<std::array<int, 2>> faces_of(points_.size(), {kNone, kNone});
    for (size_t g = 0; g < groups_.size(); ++g) {
      for (int v : groups_[g].loop) {
        if (uses[v] == 2) faces_of[v][faces_of[v][0] == kNone ? 0 : 1] = static_cast<int>(g);
      }
    }
    for (size_t v = 0; v < points_.size(); ++v) {
      if (faces_of[v][1] == kNone) continue;
      const int index = static_cast<int>(v);
      Group &a = groups_[faces_of[v][0]], &b = groups_[faces_of[v][1]];
      if (a.loop.size() <= 3 || b.loop.size() <= 3 || !is_straight(a, index)) continue;
      std::erase(a.loop, index);
      std::erase(b.loop, index);
    }
  }

  bool is_straight(const Group& group, int v) const {
    const size_t n = group.loop.size();
    const auto it = std::find(group.loop.begin(), group.loop.end(), v);
    const size_t i = static_cast<size_t>(it - group.loop.begin());
    const Vec3 &a = points_[group.loop[(i + n - 1) % n]], &c = points_[group.loop[(i + 1) % n]];
    return norm(cross(points_[v] - a, c - a)) <= tolerance_ * norm(c - a);
  }

  HullGeometry build() const {
    HullGeometry out;
    out.tolerance = tolerance_;
    // vertices in the order of the input
    std::vector<int> index(points_.size(), kNone);
    for (const Group& group : groups_) {
      for (int v : group.loop) index[v] = 0;
    }
    for (size_t v = 0; v < points_.size(); ++v) {
      if (index[v] == kNone) continue;
      index[v] = static_cast<int>(out.vertices.size());
      out.vertices.push_back(points_[v]);
    }
    for (const Group& group : groups_) {
      out.faces.push_back({group.normal, group.offset, static_cast<int>(out.face_vertices.size()),
                           static_cast<int>(group.loop.size())});
      for (int v : group.loop) out.face_vertices.push_back(index[v]);
    }
    add_edges(out);
    return out;
  }

  static void add_edges(HullGeometry& out) {
    std::vector<HalfEdge> halves;
    for (size_t f = 0; f < out.faces.size(); ++f) {
      const HullGeometry::Face& face = out.faces[f];
      for (int i = 0; i < face.count; ++i) {
        halves.push_back({out.face_vertices[face.first + i],
                          out.face_vertices[face.first + (i + 1) % face.count],
                          static_cast<int>(f)});
      }
    }
    // the two halves of an edge become neighbours, the one that runs upwards first
    std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) {
      const auto key = [](const HalfEdge& e) {
        return std::array{std::min(e.from, e.to), std::max(e.from, e.to), e.from < e.to ? 0 : 1,
                          e.group};
      };
      return key(a) < key(b);
    });
    out.first_neighbour.assign(out.vertices.size() + 1, 0);
    for (size_t i = 0; i + 1 < halves.size(); i += 2) {
      out.edges.push_back({halves[i].from, halves[i].to, halves[i].group, halves[i + 1].group});
      ++out.first_neighbour[halves[i].from + 1];
      ++out.first_neighbour[halves[i].to + 1];
    }
    for (size_t v = 1; v < out.first_neighbour.size(); ++v) {
      out.first_neighbour[v] += out.first_neighbour[v - 1];
    }
    out.neighbours.resize(2 * out.edges.size());
    std::vector<int> fill(out.first_neighbour.begin(), out.first_neighbour.end() - 1);
    for (const HullGeometry::Edge& e : out.edges) {
      out.neighbours[fill[e.v0]++] = e.v1;
      out.neighbours[fill[e.v1]++] = e.v0;
    }
  }

  std::span<const Vec3> points_;
  std::span<const HullTriangle> triangles_;
  double tolerance_;
  std::vector<int> group_of_;  // per triangle
  std::vector<Group> groups_;
};

}  // namespace

HullGeometry merge_triangles(std::span<const Vec3> points, std::span<const HullTriangle> triangles,
                             double tolerance) {
  return FaceMerger(points, triangles, tolerance).run();
}

}  // namespace tenon::detail
