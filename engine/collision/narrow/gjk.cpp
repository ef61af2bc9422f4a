// Source: [Gilbert1988]; termination by both bounds as in [vandenBergen2003, sec. 4.3.4].
// Departure: the sub-distance problem is not solved by Johnson's determinants, which fail on flat
// simplices, but by trying every sub-simplex that contains the newest vertex and keeping the
// nearest point. Each trial is a true convex combination, so that a poor one can only lose, and
// the distance falls from iteration to iteration or the loop ends.
#include "tenon/engine/collision/narrow/gjk.h"

namespace tenon::narrow {
namespace {

constexpr int kMaxIterations = 64;

struct Simplex {
  int count = 0;
  Support vertex[4];
  double weight[4] = {1, 0, 0, 0};
};

// Nearest point to the origin found so far, as weights of at most three of the vertices.
struct Nearest {
  double d2 = 1e300;
  Vec3 v;
  int count = 0;
  int index[3];
  double weight[3];
  void offer(const Vec3& point, int n, int i, double wi, int j = 0, double wj = 0, int k = 0,
             double wk = 0) {
    const double candidate = norm2(point);
    if (!(candidate < d2)) return;
    d2 = candidate;
    v = point;
    count = n;
    index[0] = i, index[1] = j, index[2] = k;
    weight[0] = wi, weight[1] = wj, weight[2] = wk;
  }
};

void try_segment(const Simplex& simplex, int i, int j, Nearest& nearest) {
  const Vec3& p = simplex.vertex[i].w;
  const Vec3 e = simplex.vertex[j].w - p;
  const double e2 = norm2(e);
  const double t = -dot(p, e) / e2;
  if (!(t > 0 && t < 1)) return;
  nearest.offer(p + t * e, 2, i, 1 - t, j, t);
}

void try_triangle(const Simplex& simplex, int i, int j, int k, Nearest& nearest) {
  const Vec3 &p = simplex.vertex[i].w, &q = simplex.vertex[j].w, &r = simplex.vertex[k].w;
  const Vec3 normal = cross(q - p, r - p);
  const double area2 = norm2(normal);
  // weights are areas seen along the normal, all measured from the origin
  const double wi = dot(normal, cross(q, r));
  const double wj = dot(normal, cross(r, p));
  const double wk = dot(normal, cross(p, q));
  if (!(wi > 0 && wj > 0 && wk > 0) || !(area2 > 0)) return;
  const double inv = 1 / (wi + wj + wk);
  // the foot point along the normal is more accurate than the sum of weights
  const Vec3 foot = (dot(normal, p) / area2) * normal;
  nearest.offer(foot, 3, i, wi * inv, j, wj * inv, k, wk * inv);
}

// True when the origin is on the inner side of all faces of the tetrahedron.
bool contains_origin(const Simplex& simplex) {
  const Vec3 &p = simplex.vertex[0].w, &q = simplex.vertex[1].w;
  const Vec3 &r = simplex.vertex[2].w, &t = simplex.vertex[3].w;
  const auto inner_side = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 normal = cross(b - a, c - a);
    const double side = dot(normal, d - a), origin = -dot(normal, a);
    return side > 0 ? origin >= 0 : (side < 0 ? origin <= 0 : false);
  };
  return inner_side(p, q, r, t) && inner_side(p, q, t, r) && inner_side(p, r, t, q) &&
         inner_side(q, r, t, p);
}

// The point of the simplex nearest to the origin; the newest vertex is the last one.
Nearest find_nearest(const Simplex& simplex) {
  const int last = simplex.count - 1;
  Nearest nearest;
  nearest.offer(simplex.vertex[last].w, 1, last, 1);
  for (int i = 0; i < last; ++i) try_segment(simplex, last, i, nearest);
  for (int i = 0; i < last; ++i)
    for (int j = i + 1; j < last; ++j) try_triangle(simplex, last, i, j, nearest);
  return nearest;
}

// Keeps only the vertices that carry the nearest point. The newest vertex comes first among them,
// the others in their order.
void keep(const Nearest& nearest, Simplex& simplex) {
  const Support newest = simplex.vertex[nearest.index[0]];
  Support others[2];
  for (int m = 1; m < nearest.count; ++m) others[m - 1] = simplex.vertex[nearest.index[m]];
  simplex.count = nearest.count;
  simplex.vertex[0] = newest;
  for (int m = 1; m < nearest.count; ++m) simplex.vertex[m] = others[m - 1];
  for (int m = 0; m < nearest.count; ++m) simplex.weight[m] = nearest.weight[m];
}

bool has_vertex(const Simplex& simplex, const Vec3& w) {
  for (int i = 0; i < simplex.count; ++i)
    if (simplex.vertex[i].w == w) return true;
  return false;
}

void store_points(const Simplex& simplex, double upper, GjkResult& result) {
  result.upper = upper;
  result.a = result.b = Vec3{};
  for (int i = 0; i < simplex.count; ++i) {
    result.a += simplex.weight[i] * simplex.vertex[i].a;
    result.b += simplex.weight[i] * simplex.vertex[i].b;
  }
}

}  // namespace

GjkResult find_distance_gjk(const CorePair& pair, const GjkOptions& options) {
  GjkResult result;
  const Vec3 between = pair.B.middle - pair.A.middle;
  Vec3 n = normalized(options.guess, normalized(between, {0, 1, 0}));
  const double touching = 1e-14 * (pair.large + norm(between));

  Simplex simplex;
  simplex.count = 1;
  simplex.vertex[0] = support(pair, n);
  Vec3 v = simplex.vertex[0].w;
  result.lower = dot(n, v);
  result.n = n;
  double upper = norm(v);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    if (result.lower > options.max_separation) {
      result.status = GjkResult::Status::kFar;
      store_points(simplex, upper, result);
      return result;
    }
    if (upper <= touching) return result;
    n = v / upper;
    const Support next = support(pair, n);
    const double lower = dot(n, next.w);
    if (lower > result.lower) result.lower = lower, result.n = n;
    if (upper - result.lower <= options.gap + touching || has_vertex(simplex, next.w)) break;

    // an expanded simplex that does not bring the origin nearer has met round-off
    simplex.vertex[simplex.count++] = next;
    if (simplex.count == 4 && contains_origin(simplex)) return result;
    const Nearest nearest = find_nearest(simplex);
    const double nearer_norm = norm(nearest.v);
    if (!(nearer_norm < upper)) {
      --simplex.count;
      break;
    }
    keep(nearest, simplex);
    v = nearest.v;
    upper = nearer_norm;
  }
  result.status = GjkResult::Status::kApart;
  store_points(simplex, upper, result);
  return result;
}

}  // namespace tenon::narrow
