// Quickhull [Barber1996] on exact side tests.
//
// The usual code decides "does the new point see this face" with a tolerance, which on coplanar or
// nearly degenerate input yields a horizon that is no simple loop, and then needs repairs. Here two
// questions are kept apart:
//   - is a point worth adding?     its distance from a face exceeds the tolerance (doubles)
//   - which faces does it replace? those it sees or is coplanar with (exact sign, orient3d)
// Counting coplanar faces as seen keeps every new triangle from being degenerate: behind a horizon
// edge lies a face that the new point is strictly below, so the point is not on the edge's line.
// With exact signs the seen faces are connected and their rim is one simple loop, always.
#include "tenon/engine/geometry/detail/quickhull.h"

#include <algorithm>

#include "tenon/engine/base/assert.h"
#include "tenon/engine/geometry/detail/orient3d.h"

namespace tenon::detail {

void set_plane(HullTriangle& t, std::span<const Vec3> points) {
  const Vec3 p[3] = {points[t.v[0]], points[t.v[1]], points[t.v[2]]};
  // the vertex opposite the longest edge
  int apex = 0;
  double longest = -1;
  for (int i = 0; i < 3; ++i) {
    const double length2 = norm2(p[(i + 2) % 3] - p[(i + 1) % 3]);
    if (length2 > longest) {
      longest = length2;
      apex = i;
    }
  }
  const Vec3& o = p[apex];
  t.normal = normalized(cross(p[(apex + 1) % 3] - o, p[(apex + 2) % 3] - o), Vec3{});
  t.offset = dot(t.normal, o);
}

namespace {

constexpr int kNoIndex = -1;

class Quickhull {
 public:
  Quickhull(std::span<const Vec3> points, double tolerance)
      : points_(points),
        tolerance_(tolerance),
        next_point_(points.size(), kNoIndex),
        home_(points.size(), kNoIndex),
        rim_face_(points.size(), kNoIndex) {}

  std::vector<HullTriangle> run(const std::array<int, 4>& first) {
    make_first(first);
    size_t done = 0;
    do {
      add_furthest_points(done);
    } while (promote_near_points(done));
    return collect();
  }

 private:
  struct Face : HullTriangle {
    bool live = true;
    bool seen = false;
    int head = kNoIndex;      // list of the points outside this face, linked by next_point_
    int furthest = kNoIndex;  // the one furthest outside, if beyond the tolerance
    double distance = 0;      // of the furthest
  };
  struct RimEdge {
    int a, b;        // as the seen face runs
    int face, edge;  // the face behind it, and which of its edges this is
  };

  int make_face(int a, int b, int c) {
    Face face;
    face.v = {a, b, c};
    face.adj = {kNoIndex, kNoIndex, kNoIndex};
    set_plane(face, points_);
    faces_.push_back(face);
    return static_cast<int>(faces_.size()) - 1;
  }

  void make_first(const std::array<int, 4>& p) {
    // d is on the side of the normal of a, b, c, so the outward bottom is a, c, b
    const int f0 = make_face(p[0], p[2], p[1]), f1 = make_face(p[0], p[1], p[3]);
    const int f2 = make_face(p[1], p[2], p[3]), f3 = make_face(p[2], p[0], p[3]);
    faces_[f0].adj = {f3, f2, f1};
    faces_[f1].adj = {f0, f2, f3};
    faces_[f2].adj = {f0, f3, f1};
    faces_[f3].adj = {f0, f1, f2};
    const int count = static_cast<int>(points_.size());
    for (int i = 0; i < count; ++i) {
      if (i != p[0] && i != p[1] && i != p[2] && i != p[3]) assign(i, f0);
    }
  }

  int side(const Face& face, int point) const {
    return orient3d_sign(points_[face.v[0]], points_[face.v[1]], points_[face.v[2]],
                         points_[point]);
  }

  void add_furthest_points(size_t& done) {
    // faces are appended while this runs; those seen by a new point are dead when their turn comes
    for (; done < faces_.size(); ++done) {
      const Face& face = faces_[done];
      if (face.live && face.furthest != kNoIndex) add_point(static_cast<int>(done), face.furthest);
    }
  }

  double distance(const Face& face, int point) const {
    return dot(face.normal, points_[point]) - face.offset;
  }
  bool is_worth_adding(const Face& face, int point) const {
    return distance(face, point) > tolerance_ && side(face, point) > 0;
  }

  // A point that was near its face may lie far outside of a face made later beside it (beyond a
  // sharp edge, both planes can be near and the hull not). The faces that a point sees are
  // connected, so they are walked from its home; returns whether a point had to be added.
  bool promote_near_points(size_t& done) {
    bool promoted = false;
    for (size_t p = 0; p < points_.size(); ++p) {
      const int point = static_cast<int>(p);
      const int face = home_[p] == kNoIndex ? kNoIndex : find_far_face(point);
      if (face == kNoIndex) continue;
      add_point(face, point);
      add_furthest_points(done);
      promoted = true;
    }
    return promoted;
  }

  int find_far_face(int point) {
    mark_.resize(faces_.size(), kNoIndex);
    walk_.assign(1, home_[point]);
    mark_[home_[point]] = point;
    int found = kNoIndex;
    for (size_t i = 0; i < walk_.size() && found == kNoIndex; ++i) {
      if (is_worth_adding(faces_[walk_[i]], point)) found = walk_[i];
      for (int n : faces_[walk_[i]].adj) {
        if (mark_[n] == point || !(distance(faces_[n], point) > 0)) continue;
        mark_[n] = point;
        walk_.push_back(n);
      }
    }
    for (int f : walk_) mark_[f] = kNoIndex;
    return found;
  }

  // Puts a point on the list of the face, from `first_face` on, that it is furthest outside of.
  // Points nearer than the tolerance stay listed too, but are not added from there.
  void assign(int point, int first_face) {
    int best = kNoIndex;
    double best_distance = 0;
    for (size_t f = static_cast<size_t>(first_face); f < faces_.size(); ++f) {
      const double d = distance(faces_[f], point);
      if (d > best_distance && (d <= tolerance_ || side(faces_[f], point) > 0)) {
        best = static_cast<int>(f);
        best_distance = d;
      }
    }
    home_[point] = best;
    if (best == kNoIndex) return;  // inside of all: never looked at again
    Face& face = faces_[best];
    next_point_[point] = face.head;
    face.head = point;
    if (best_distance > std::max(face.distance, tolerance_)) {
      face.distance = best_distance;
      face.furthest = point;
    }
  }

  // All faces that see the point, or are coplanar with it, connected to `start`.
  void find_seen(int start, int point) {
    seen_.assign(1, start);
    rim_.clear();
    faces_[start].seen = true;
    for (size_t i = 0; i < seen_.size(); ++i) {
      for (int n : faces_[seen_[i]].adj) {
        if (faces_[n].seen || side(faces_[n], point) < 0) continue;
        faces_[n].seen = true;
        seen_.push_back(n);
      }
    }
    for (int f : seen_) {
      const Face& face = faces_[f];
      for (size_t i = 0; i < 3; ++i) {
        const int n = face.adj[i];
        if (faces_[n].seen) continue;
        int edge = 0;
        while (faces_[n].v[edge] != face.v[(i + 1) % 3]) ++edge;
        rim_.push_back({face.v[i], face.v[(i + 1) % 3], n, edge});
      }
    }
  }

  // Precondition: the point is strictly outside of the face `start`.
  void add_point(int start, int point) {
    find_seen(start, point);
    home_[point] = kNoIndex;

    // a fan of new faces over the rim; rim_face_ finds the neighbour by the vertex between them
    const int first_new = static_cast<int>(faces_.size());
    for (const RimEdge& e : rim_) {
      const int f = make_face(e.a, e.b, point);
      faces_[f].adj[0] = e.face;
      faces_[e.face].adj[e.edge] = f;
      TENON_ASSERT(rim_face_[e.a] < first_new);
      rim_face_[e.a] = f;
    }
    for (int f = first_new; f < static_cast<int>(faces_.size()); ++f) {
      const int after = rim_face_[faces_[f].v[1]];
      TENON_ASSERT(after >= first_new);
      faces_[f].adj[1] = after;
      faces_[after].adj[2] = f;
    }

    // the points of the replaced faces look for a new one
    for (int f : seen_) {
      faces_[f].live = false;
      for (int p = faces_[f].head; p != kNoIndex;) {
        const int next = next_point_[p];
        if (p != point) assign(p, first_new);
        p = next;
      }
    }
  }

  std::vector<HullTriangle> collect() const {
    std::vector<int> index(faces_.size(), kNoIndex);
    int count = 0;
    for (size_t f = 0; f < faces_.size(); ++f) {
      if (faces_[f].live) index[f] = count++;
    }
    std::vector<HullTriangle> triangles;
    triangles.reserve(static_cast<size_t>(count));
    for (const Face& face : faces_) {
      if (!face.live) continue;
      HullTriangle t = face;
      for (int& n : t.adj) n = index[n];
      triangles.push_back(t);
    }
    return triangles;
  }

  std::span<const Vec3> points_;
  double tolerance_;
  std::vector<Face> faces_;  // dead ones stay until the end
  std::vector<int> next_point_;
  std::vector<int> home_;      // per point: the face whose list it is on
  std::vector<int> rim_face_;  // per point: the newest face whose rim edge starts there
  std::vector<int> seen_;
  std::vector<int> mark_, walk_;  // of find_far_face
  std::vector<RimEdge> rim_;
};

}  // namespace

std::vector<HullTriangle> calc_hull_triangles(std::span<const Vec3> points,
                                              const std::array<int, 4>& first, double tolerance) {
  return Quickhull(points, tolerance).run(first);
}

}  // namespace tenon::detail
