// Dispatch of the separation query.
//
// Why our own code and not FCL or libccd: accuracy for curved shapes, the same bits on every
// platform, and the WebAssembly build; libccd iterates to a tolerance on curved shapes and promises
// no smallest depth.
#include "tenon/engine/collision/narrow/separation.h"

#include <algorithm>
#include <limits>

#include "tenon/engine/collision/narrow/axes.h"
#include "tenon/engine/collision/narrow/axes_box_box.h"
#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/collision/narrow/core.h"
#include "tenon/engine/collision/narrow/epa.h"
#include "tenon/engine/collision/narrow/facet.h"
#include "tenon/engine/collision/narrow/gjk.h"
#include "tenon/engine/collision/narrow/refine.h"
#include "tenon/engine/collision/narrow/separation_closed.h"
#include "tenon/engine/collision/narrow/witness.h"

namespace tenon {
namespace {

using namespace narrow;

// Relative to the smaller shape. A tenth of the promise, because this is what the global search may
// overlook; everything it does find is polished to round-off.
constexpr double kSearchTolerance = 1e-7;
// Below this (relative) the direction of a difference of points is too noisy to be the normal by
// itself, and the overlap candidates are tried as well.
constexpr double kTouching = 1e-7;
// Edge pairs above which the axis test of two hulls is slower than the expanding polytope.
constexpr double kManyEdgePairs = 20000;

CoreSeparation overlap_of(const CorePair& pair, Best best) {
  const bool curved = pair.A.kind == Core::Kind::kCylinder || pair.B.kind == Core::Kind::kCylinder;
  if (pair.A.kind == Core::Kind::kBox && pair.B.kind == Core::Kind::kBox) {
    try_axes_box_box(pair, best);
  } else if (!curved && count_edge_pairs(pair) <= kManyEdgePairs) {
    try_axes_hull(pair, best);
  } else {
    expand_polytope(pair, kSearchTolerance * pair.small, best);
  }
  // just apart, no face of E need be nearest: vertices and edges count as well
  if (std::fabs(best.s) < 10 * kTouching * pair.small) polish(pair, best);
  return find_witness(pair, best.n, best.s);
}

GjkOptions make_options(const CorePair& pair, const SeparationQuery& query, double gap) {
  GjkOptions options;
  options.gap = gap;
  options.max_separation = query.max_distance + pair.A.radius + pair.B.radius;
  options.guess = query.guess_W;
  return options;
}

CoreSeparation core_separation_polyhedra(const CorePair& pair, const SeparationQuery& query) {
  const GjkResult gjk = find_distance_gjk(pair, make_options(pair, query, 1e-13 * pair.small));
  if (gjk.status == GjkResult::Status::kFar) return {gjk.n, gjk.lower, gjk.a, gjk.b};
  Best best{gjk.n, gjk.lower};
  if (gjk.status == GjkResult::Status::kOverlap || gjk.upper < kTouching * pair.small)
    return overlap_of(pair, best);
  // an ill-conditioned simplex, or a gap so wide against the shape that round-off of the distance
  // moves the points: the features near the direction settle it
  const auto mismatch = [&] { return norm((gjk.b - gjk.a) - best.s * best.n); };
  if (gjk.upper - gjk.lower > 1e-11 * pair.small || mismatch() > 1e-7 * pair.small) {
    polish(pair, best);
    const CoreSeparation result = find_witness(pair, best.n, best.s);
    if (calc_outside(pair, result) < mismatch()) return result;
  }
  return {best.n, best.s, gjk.a, gjk.b};
}

// With a cylinder GJK closes in slowly. A coarse run, refined, is exact most of the time, which its
// witness points prove; if they do not, a fine run follows.
CoreSeparation core_separation_curved(const CorePair& pair, const SeparationQuery& query) {
  Best best;
  for (const double gap : {1e-2 * pair.small, 1e-13 * pair.small}) {
    const GjkResult gjk = find_distance_gjk(pair, make_options(pair, query, gap));
    if (gjk.status == GjkResult::Status::kFar) return {gjk.n, gjk.lower, gjk.a, gjk.b};
    best.offer(gjk.n, gjk.lower);
    if (gjk.status == GjkResult::Status::kOverlap || gjk.upper < kTouching * pair.small)
      return overlap_of(pair, best);
    refine_direction(pair, gjk.n, best);
    // points inside both prove nothing while the cores are not shown to be apart
    if (!(best.s > 0)) continue;
    const CoreSeparation result = find_witness(pair, best.n, best.s);
    if (calc_outside(pair, result) <= 1e-8 * pair.small) return result;
  }
  polish(pair, best);
  return best.s > 0 ? find_witness(pair, best.n, best.s) : overlap_of(pair, best);
}

// Two boxes in contact mostly overlap a little: the axes first, GJK only where they are apart.
CoreSeparation core_separation_boxes(const CorePair& pair, const SeparationQuery& query) {
  const double far = query.max_distance + pair.A.radius + pair.B.radius;
  const BoxAxis axis = find_axis_box_box({pair.A.half}, {pair.A.R, pair.A.p}, {pair.B.half},
                                         {pair.B.R, pair.B.p}, far);
  const Best best{axis.n_W, axis.s};
  // of a lower bound the points do not matter
  if (best.s > far) return {best.n, best.s, pair.A.p, pair.B.p};
  if (best.s <= 0) return find_witness(pair, best.n, best.s);
  SeparationQuery from_axis = query;
  from_axis.guess_W = best.n;
  return core_separation_polyhedra(pair, from_axis);
}

CoreSeparation find_core_separation(const CorePair& pair, const SeparationQuery& query) {
  using Kind = Core::Kind;
  // a capsule's core is mostly well apart, where GJK is quicker
  if ((pair.A.kind != Kind::kBox || pair.B.kind != Kind::kBox) && pair.A.radius == 0) {
    CoreSeparation found;
    if (find_facet(pair, query.max_distance + pair.A.radius + pair.B.radius, found)) return found;
  }
  if (pair.A.kind == Kind::kCylinder || pair.B.kind == Kind::kCylinder)
    return core_separation_curved(pair, query);
  if (pair.A.kind == Kind::kBox && pair.B.kind == Kind::kBox)
    return core_separation_boxes(pair, query);
  return core_separation_polyhedra(pair, query);
}

// The simpler shape first, as the closed forms want it.
int order_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kPlane:
      return 0;
    case ShapeKind::kSphere:
      return 1;
    case ShapeKind::kCapsule:
      return 2;
    case ShapeKind::kBox:
      return 3;
    case ShapeKind::kCylinder:
      return 4;
    case ShapeKind::kHull:
      return 5;
    case ShapeKind::kMesh:
      return 6;
  }
  return 7;
}

// A fixed order of the arguments makes the swapped call the exact mirror image. Shapes of one kind
// are told apart by size, then by place; if all is equal, swapping changes nothing anyway.
int compare(const double* a, const double* b, int count) {
  for (int i = 0; i < count; ++i)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

int compare_sizes(const Shape& a, const Shape& b) {
  const auto numbers = [](const Shape& shape) -> Vec3 {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) return {sphere->radius, 0, 0};
    if (const auto* box = std::get_if<Box>(&shape)) return box->half;
    if (const auto* c = std::get_if<Cylinder>(&shape)) return {c->radius, c->half_height, 0};
    if (const auto* c = std::get_if<Capsule>(&shape)) return {c->radius, c->half_length, 0};
    if (const auto* hull = std::get_if<Hull>(&shape))
      return {static_cast<double>(hull->geometry->vertices.size()), hull->geometry->radius, 0};
    return {};
  };
  const Vec3 x = numbers(a), y = numbers(b);
  const double xs[] = {x.x, x.y, x.z}, ys[] = {y.x, y.y, y.z};
  return compare(xs, ys, 3);
}

int compare_hull_vertices(const Shape& a, const Shape& b) {
  const auto *x = std::get_if<Hull>(&a), *y = std::get_if<Hull>(&b);
  if (!x || !y || x->geometry == y->geometry) return 0;
  const auto &u = x->geometry->vertices, &v = y->geometry->vertices;
  for (size_t i = 0; i < std::min(u.size(), v.size()); ++i) {
    const double us[] = {u[i].x, u[i].y, u[i].z}, vs[] = {v[i].x, v[i].y, v[i].z};
    if (const int order = compare(us, vs, 3)) return order;
  }
  return 0;
}

int compare_poses(const Transform& a, const Transform& b) {
  const auto list = [](const Transform& X, double(&out)[12]) {
    for (int i = 0; i < 3; ++i) out[i] = X.p[i];
    for (int i = 0; i < 9; ++i) out[3 + i] = X.R(i / 3, i % 3);
  };
  double x[12], y[12];
  list(a, x);
  list(b, y);
  return compare(x, y, 12);
}

bool is_ordered(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB) {
  if (a.index() != b.index()) return order_of(kind(a)) < order_of(kind(b));
  if (const int sizes = compare_sizes(a, b)) return sizes < 0;
  if (const int hulls = compare_hull_vertices(a, b)) return hulls < 0;
  return compare_poses(X_WA, X_WB) <= 0;
}

CapsuleSeparation find_capsule(const Capsule& a, const Transform& X_WA, const Shape& b,
                               const Transform& X_WB, double max_distance) {
  if (const auto* capsule = std::get_if<Capsule>(&b))
    return find_separation_capsules(a, X_WA, *capsule, X_WB, max_distance);
  if (const auto* box = std::get_if<Box>(&b))
    return find_separation_capsule_box(a, X_WA, *box, X_WB, max_distance);
  if (const auto* cylinder = std::get_if<Cylinder>(&b))
    return find_separation_capsule_cylinder(a, X_WA, *cylinder, X_WB, max_distance);
  return {};
}

Separation find_ordered(const Shape& a, const Transform& X_WA, const Shape& b,
                        const Transform& X_WB, const SeparationQuery& query) {
  const Vec3 p_AB_W = X_WB.p - X_WA.p;
  if (kind(a) == ShapeKind::kPlane) {
    if (kind(b) == ShapeKind::kPlane)
      return {{0, 1, 0}, std::numeric_limits<double>::infinity(), X_WA.p, X_WB.p};
    return find_separation_plane(X_WA, make_core(b, {X_WB.R, p_AB_W}));
  }
  if (const auto* sphere = std::get_if<Sphere>(&a))
    return find_separation_sphere(*sphere, X_WA.p, b, X_WB);
  if (const auto* capsule = std::get_if<Capsule>(&a)) {
    const CapsuleSeparation found = find_capsule(*capsule, X_WA, b, X_WB, query.max_distance);
    if (found.valid) return found.separation;
  }
  CorePair pair{make_core(a, {X_WA.R, {}}), make_core(b, {X_WB.R, p_AB_W}), 0, 0};
  pair.small = std::min(pair.A.width, pair.B.width);
  pair.large = std::max(pair.A.size, pair.B.size);
  const bool capsules = kind(a) == ShapeKind::kCapsule && kind(b) == ShapeKind::kCapsule;
  const CoreSeparation core =
      capsules ? find_core_separation_capsules(pair) : find_core_separation(pair, query);
  Separation result;
  result.normal_W = core.n;
  result.distance = core.s - pair.A.radius - pair.B.radius;
  result.p_WA = X_WA.p + (core.a + pair.A.radius * core.n);
  result.p_WB = X_WA.p + (core.b - pair.B.radius * core.n);
  return result;
}

}  // namespace

namespace {

// Of samples and distances: within the error of find_mesh_distance.
Separation find_mesh_separation(const Shape& a, const Transform& X_WA, const Shape& b,
                                const Transform& X_WB, double max_distance) {
  const double far = norm(X_WB.p - X_WA.p) + bounding_radius(a) + bounding_radius(b);
  const MeshDistance d = find_mesh_distance(a, X_WA, b, X_WB, std::min(max_distance, far));
  return {d.normal_W, d.distance, d.p_W - (0.5 * d.distance) * d.normal_W,
          d.p_W + (0.5 * d.distance) * d.normal_W};
}

}  // namespace

Separation find_separation(const Shape& a, const Transform& X_WA, const Shape& b,
                           const Transform& X_WB, const SeparationQuery& query) {
  if (kind(a) == ShapeKind::kMesh || kind(b) == ShapeKind::kMesh) {
    if (!has_patches(a, b)) return find_separation(counts_as(a), X_WA, counts_as(b), X_WB, query);
    return find_mesh_separation(a, X_WA, b, X_WB, query.max_distance);
  }
  if (is_ordered(a, X_WA, b, X_WB)) return find_ordered(a, X_WA, b, X_WB, query);
  SeparationQuery mirrored = query;
  mirrored.guess_W = -query.guess_W;
  Separation result = find_ordered(b, X_WB, a, X_WA, mirrored);
  result.normal_W = -result.normal_W;
  std::swap(result.p_WA, result.p_WB);
  return result;
}

Separation find_separation(const Shape& a, const Transform& X_WA, const Shape& b,
                           const Transform& X_WB) {
  return find_separation(a, X_WA, b, X_WB, SeparationQuery{});
}

}  // namespace tenon
