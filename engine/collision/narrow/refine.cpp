// s(n) is smooth except where n is normal to a face or perpendicular to an edge (or to the ruling
// lines of a cylinder's side) of one of the cores; there it has ridges, and maxima sit on ridges
// most of the time. So each kind of place is tried on its own:
//   n = a face normal                        nothing left to vary
//   n = e1 x e2                              nothing left to vary
//   n perpendicular to one edge e            Newton on a great circle
//   n free                                   Newton on the sphere
// Notation: w = support point of E along n, so that s = n.w; w_t its part perpendicular to n;
// W = sum of the cores' radius-of-curvature matrices at their support points. Then [Schneider2014,
// sec. 2.5: the Hessian of a support function holds the radii of curvature]
//   grad s =  w_t                                                       (1)
//   Hess s = -(W + s I)      on the tangent plane of n                  (2)
//   dn     =  (W + s I)^-1 w_t                                          (3)
// A vertex or an edge adds nothing to W along itself; a cylinder of radius r and axis a adds
//   r q q^T / |q|^3,   q = a x n                                        (4)
// Where W + s I is not positive definite (a deep overlap far from a maximum) it is shifted, and a
// step that does not increase s is halved.
#include "tenon/engine/collision/narrow/refine.h"

#include <algorithm>

namespace tenon::narrow {
namespace {

constexpr int kMaxFeatures = 24;
constexpr int kMaxNewton = 20;
constexpr int kMaxHalvings = 8;
constexpr double kNearEdge =
    0.5;  // sine: hull edges that n is far from perpendicular to are left out
constexpr int kMaxPolishRounds = 16;
constexpr double kLargestTurn = 0.5;  // rad per step; Newton's model is good within the ridge only

struct Directions {
  int count = 0;
  Vec3 v[kMaxFeatures];
  void add(const Vec3& u) {
    if (count < kMaxFeatures) v[count++] = u;
  }
};

// Outward face normals and edge directions of a core around its support point along n.
void collect_features(const Core& core, const Vec3& n, Directions& faces, Directions& edges) {
  if (core.kind == Core::Kind::kHull) {
    const HullGeometry& hull = *core.hull;
    const int vertex = find_support_vertex(hull, transpose_mul(core.R, n), 0);
    for (const HullGeometry::Edge& edge : hull.edges) {
      if (edge.v0 != vertex && edge.v1 != vertex) continue;
      faces.add(core.R * hull.faces[edge.face0].normal);
      faces.add(core.R * hull.faces[edge.face1].normal);
      const Vec3 e = core.R * normalized(hull.vertices[edge.v1] - hull.vertices[edge.v0]);
      if (std::fabs(dot(e, n)) < kNearEdge) edges.add(e);
    }
    return;
  }
  for (int i = 0; i < 3; ++i) {
    if (core.kind == Core::Kind::kCylinder && i != 1) continue;
    faces.add(dot(n, core.axis[i]) < 0 ? -core.axis[i] : core.axis[i]);
    if (core.half[i] > 0) edges.add(core.axis[i]);
  }
}

// u^T W v of (4).
double curvature(const CorePair& pair, const Vec3& n, const Vec3& u, const Vec3& v) {
  double sum = 0;
  for (const Core* core : {&pair.A, &pair.B}) {
    if (core->kind != Core::Kind::kCylinder) continue;
    const Vec3 q = cross(core->axis[1], n);
    const double q2 = norm2(q);
    if (q2 < 1e-20) continue;
    sum += core->half.x * dot(q, u) * dot(q, v) / (q2 * std::sqrt(q2));
  }
  return sum;
}

// Moves n by `turn` (tangent to the sphere) as far as s grows. False: no step helps. Close to the
// maximum s is flat within round-off although n is only good to its square root; there a step
// counts as progress when it halves the gradient, which brings the witness points together.
bool climb(const CorePair& pair, Vec3 turn, Vec3& n, Support& at) {
  const double length = norm(turn);
  if (length > kLargestTurn) turn = (kLargestTurn / length) * turn;
  // below this n no longer changes
  if (length < 1e-16) return false;
  const int halvings = length < 1e-6 ? 1 : kMaxHalvings;
  const double s = dot(n, at.w), slope2 = norm2(at.w - s * n);
  for (int i = 0; i < halvings; ++i, turn = 0.5 * turn) {
    const Vec3 n_new = normalized(n + turn, n);
    const Support there = support(pair, n_new);
    const double s_new = dot(n_new, there.w);
    const bool flat = s_new >= s - 1e-15 * pair.large;
    if (!(s_new > s) && !(flat && norm2(there.w - s_new * n_new) < 0.25 * slope2)) continue;
    n = n_new;
    at = there;
    return true;
  }
  return false;
}

// The end of a climb wins also when it is equally good within round-off.
void offer_polished(const CorePair& pair, const Vec3& n, double s, Best& best) {
  if (s > best.s - 1e-15 * pair.large && dot(n, best.n) > 1 - 1e-9) best.n = n, best.s = s;
  best.offer(n, s);
}

// What eigenvalues of W + s I are lifted to. Apart, they are positive by themselves, however small
// just above touching.
double least_bend(const CorePair& pair, double s) { return (s > 0 ? 1e-14 : 1e-3) * pair.small; }

// Newton with n perpendicular to the unit vector e.
void climb_on_circle(const CorePair& pair, const Vec3& e, Vec3 n, Best& best) {
  n = n - dot(n, e) * e;
  if (norm2(n) < 1e-6) return;
  n = normalized(n);
  Support at = support(pair, n);
  for (int i = 0; i < kMaxNewton; ++i) {
    const double s = dot(n, at.w);
    const Vec3 t = cross(e, n);
    const double slope = dot(t, at.w);
    if (std::fabs(slope) <= 1e-15 * pair.small) break;
    const double bend = std::max(curvature(pair, n, t, t) + s, least_bend(pair, s));
    if (!climb(pair, (slope / bend) * t, n, at)) break;
    n = normalized(n - dot(n, e) * e, n);
    at = support(pair, n);
  }
  offer_polished(pair, n, dot(n, at.w), best);
}

// Newton with n free.
void climb_on_sphere(const CorePair& pair, Vec3 n, Best& best) {
  Support at = support(pair, n);
  for (int i = 0; i < kMaxNewton; ++i) {
    const double s = dot(n, at.w);
    const Vec3 t1 = any_orthogonal(n), t2 = cross(n, t1);
    const double g1 = dot(t1, at.w), g2 = dot(t2, at.w);
    if (g1 * g1 + g2 * g2 <= 1e-30 * pair.small * pair.small) break;
    double m11 = curvature(pair, n, t1, t1) + s, m22 = curvature(pair, n, t2, t2) + s;
    const double m12 = curvature(pair, n, t1, t2);
    // shift the smaller eigenvalue up to a safe one
    const double mean = 0.5 * (m11 + m22), diff = 0.5 * (m11 - m22);
    const double lowest = mean - std::sqrt(diff * diff + m12 * m12);
    const double shift = std::max(0.0, least_bend(pair, s) - lowest);
    m11 += shift, m22 += shift;
    const double det = m11 * m22 - m12 * m12;
    const Vec3 turn = ((m22 * g1 - m12 * g2) / det) * t1 + ((m11 * g2 - m12 * g1) / det) * t2;
    if (!climb(pair, turn, n, at)) break;
  }
  offer_polished(pair, n, dot(n, at.w), best);
}

}  // namespace

void refine_direction(const CorePair& pair, const Vec3& n0, Best& best) {
  Directions faces_A, edges_A, faces_B, edges_B;
  collect_features(pair.A, n0, faces_A, edges_A);
  collect_features(pair.B, -n0, faces_B, edges_B);
  try_direction(pair, n0, best);
  Vec3 n;
  for (int i = 0; i < faces_A.count; ++i) try_direction(pair, faces_A.v[i], best);
  for (int i = 0; i < faces_B.count; ++i) try_direction(pair, -faces_B.v[i], best);
  for (int i = 0; i < edges_A.count; ++i) {
    for (int j = 0; j < edges_B.count; ++j) {
      if (!find_perpendicular(edges_A.v[i], edges_B.v[j], n)) continue;
      try_direction(pair, dot(n, n0) < 0 ? -n : n, best);
    }
  }
  for (int i = 0; i < edges_A.count; ++i) climb_on_circle(pair, edges_A.v[i], n0, best);
  for (int i = 0; i < edges_B.count; ++i) climb_on_circle(pair, edges_B.v[i], n0, best);
  climb_on_sphere(pair, n0, best);
}

void polish(const CorePair& pair, Best& best) {
  for (int i = 0; i < kMaxPolishRounds; ++i) {
    const double before = best.s;
    refine_direction(pair, best.n, best);
    if (!(best.s > before + 1e-13 * pair.small)) return;
  }
}

}  // namespace tenon::narrow
