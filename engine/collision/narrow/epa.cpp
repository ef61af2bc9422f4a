// The expanding polytope as a proof of globality.
//
// A polytope P inscribed in E grows by support points. Its faces bound the depth from below: with
// m_i the outward normal and o_i the offset of face i, and the origin inside,
//   min_i o_i <= depth = -d                                              (1)
// and any direction bounds it from above, depth <= -s(-m). Classical EPA [vandenBergen2003, sec.
// 4.3.8] ends when the support along the nearest face meets the face; on curved shapes that takes
// long for the last digits. Departure: each direction that beats the best one so far is polished
// at once by refine_direction, so the upper bound is exact after a few iterations and the
// polytope only has to show that no other place is better: it ends when min o_i >= -s_best - tol.
// Limits: where a whole curve of directions is equally good (concentric cylinders) the budget ends
// the proof, not the precision of the polished value. An E without volume has no polytope; then
// `best` is polished from a few directions only.
#include "tenon/engine/collision/narrow/epa.h"

#include <vector>

#include "tenon/engine/collision/narrow/refine.h"

namespace tenon::narrow {
namespace {

constexpr int kMaxSupports = 200;
constexpr int kMaxPolishes = 64;

struct Face {
  int v[3];
  Vec3 m;         // outward unit normal
  double offset;  // plane m.w = offset; huge for a face without area, which is never expanded
};
struct DirectedEdge {
  int from, to;
};

class Polytope {
 public:
  explicit Polytope(const CorePair& pair) : pair_(pair), flat_(1e-12 * pair.large) {
    points_.reserve(64);
    faces_.reserve(128);
  }

  // First tetrahedron; false when E has no volume.
  bool start(const Vec3& n);
  const Face& nearest() const;
  const std::vector<Face>& faces() const { return faces_; }
  // Adds the point that is extreme along m; false when it adds nothing.
  bool expand(const Vec3& w);

 private:
  Vec3 extreme(const Vec3& m) const { return support(pair_, -m).w; }
  Vec3 farther_extreme(const Vec3& direction, const Vec3& from) const;
  void add_face(int i, int j, int k);

  const CorePair& pair_;
  double flat_;
  std::vector<Vec3> points_;
  std::vector<Face> faces_, kept_;
  std::vector<DirectedEdge> horizon_;
};

void Polytope::add_face(int i, int j, int k) {
  const Vec3 e1 = points_[j] - points_[i], e2 = points_[k] - points_[i];
  const Vec3 normal = cross(e1, e2);
  const double area = norm(normal);
  Face face{{i, j, k}, {0, 1, 0}, 1e300};
  if (area > 1e-14 * norm(e1) * norm(e2)) {
    face.m = normal / area;
    face.offset = dot(face.m, points_[i]);
  }
  faces_.push_back(face);
}

// Whichever of the extremes along +-direction is farther from the plane through `from`.
Vec3 Polytope::farther_extreme(const Vec3& direction, const Vec3& from) const {
  const Vec3 up = extreme(direction), down = extreme(-direction);
  return dot(direction, up - from) >= dot(direction, from - down) ? up : down;
}

bool Polytope::start(const Vec3& n) {
  const Vec3 p0 = extreme(n), p1 = extreme(-n);
  const Vec3 e1 = p1 - p0;
  if (norm(e1) <= flat_) return false;
  const Vec3 u1 = normalized(e1), side = any_orthogonal(u1);
  Vec3 p2 = farther_extreme(side, p0);
  Vec3 off = (p2 - p0) - dot(p2 - p0, u1) * u1;
  if (norm(off) <= flat_) {
    p2 = farther_extreme(cross(u1, side), p0);
    off = (p2 - p0) - dot(p2 - p0, u1) * u1;
    if (norm(off) <= flat_) return false;
  }
  const Vec3 normal = cross(u1, normalized(off));
  const Vec3 p3 = farther_extreme(normal, p0);
  const double height = dot(normal, p3 - p0);
  if (std::fabs(height) <= flat_) return false;
  points_ = {p0, p1, p2, p3};
  // order the first face so that p3 is behind it
  if (height > 0) std::swap(points_[1], points_[2]);
  add_face(0, 1, 2);
  add_face(0, 3, 1);
  add_face(1, 3, 2);
  add_face(2, 3, 0);
  return true;
}

const Face& Polytope::nearest() const {
  const Face* best = &faces_[0];
  for (const Face& face : faces_)
    if (face.offset < best->offset) best = &face;
  return *best;
}

bool Polytope::expand(const Vec3& w) {
  // an edge of one removed face cancels its twin of another; what is left is the horizon
  kept_.clear();
  horizon_.clear();
  for (const Face& face : faces_) {
    const bool visible = face.offset < 1e299 && dot(face.m, w) > face.offset + flat_;
    if (!visible) {
      kept_.push_back(face);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const DirectedEdge edge{face.v[k], face.v[(k + 1) % 3]};
      size_t twin = 0;
      while (twin < horizon_.size() &&
             !(horizon_[twin].from == edge.to && horizon_[twin].to == edge.from)) {
        ++twin;
      }
      if (twin == horizon_.size()) {
        horizon_.push_back(edge);
      } else {
        horizon_[twin] = horizon_.back();
        horizon_.pop_back();
      }
    }
  }
  // a closed convex mesh has 2 V - 4 faces; more means that round-off has torn it (slivers whose
  // visibility contradicts), and it would grow without bound
  const bool torn = kept_.size() + horizon_.size() > 2 * (points_.size() + 1) - 4;
  if (horizon_.empty() || torn) return false;
  faces_.swap(kept_);
  points_.push_back(w);
  const int apex = static_cast<int>(points_.size()) - 1;
  for (const DirectedEdge& edge : horizon_) add_face(edge.from, edge.to, apex);
  return true;
}

void polish_from_axes(const CorePair& pair, Best& best) {
  for (const Core* core : {&pair.A, &pair.B}) {
    for (const Vec3& axis : core->axis) {
      refine_direction(pair, axis, best);
      refine_direction(pair, -axis, best);
    }
  }
}

}  // namespace

EpaResult expand_polytope(const CorePair& pair, double tolerance, Best& best) {
  EpaResult result;
  Polytope polytope(pair);
  polish(pair, best);
  if (!polytope.start(best.n)) {
    polish_from_axes(pair, best);
    return result;
  }
  for (; result.iterations < kMaxSupports; ++result.iterations) {
    const Face face = polytope.nearest();
    result.gap = -best.s - face.offset;
    if (result.gap <= tolerance) return result;
    const Vec3 n = -face.m;
    const Vec3 w = support(pair, n).w;
    if (best.offer(n, dot(n, w))) polish(pair, best);
    if (!polytope.expand(w)) break;
  }
  // no proof: polish from every place that was not ruled out, and from every axis
  polish_from_axes(pair, best);
  int budget = kMaxPolishes;
  for (const Face& face : polytope.faces())
    if (face.offset < -best.s - tolerance && budget-- > 0) refine_direction(pair, -face.m, best);
  polish(pair, best);
  return result;
}

}  // namespace tenon::narrow
