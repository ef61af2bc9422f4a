// Conservative advancement [Mirtich1996, sec. 2.3.2], along one direction at a time.
//
// Notation: f fraction of the step; d(f) distance; n unit, from A to B, fixed in the world;
// v displacement of B's centre less that of A's; w rotation vectors; s(n, f) separation along n:
//   s(n, f) = n . (p_B - p_A) - h_A(n, f) - h_B(-n, f)  <= d(f)                          (1)
// with h the support functions about the shape origins. No point of the shapes moves towards the
// other one, along n, faster than
//   m(n) = -n . v + |n x w_A| r_A + |n x w_B| r_B                                        (2)
// per unit of f, with r the largest distance of a point of the core (core.h: a radius around it
// turns with no effect) from the centre: n . (w x r) = (n x w) . r. So
//   s(n, f + (s(n, f) - c) / m(n)) >= c                                                  (3)
// Departure: (3) is repeated with the same n, which takes support functions only, until s is down
// to c = target + slack or the step is over (proof that nothing is met). Only then the shapes are
// asked for their distance, and give the next n. Since n maximises s at that time, s(n, .) has
// the value and, for smooth features, the slope of d there: the outer iteration is Newton's from
// the safe side.
//
// Where a face turns, a fixed n leaves it at once and s falls as fast as its rim rises. So n is
// also tried fixed in A, and in B; the one that gets farthest counts. With n fixed in A, A's points
// stand still along n, and those of B move, seen from A, no faster than
//   m = max(-n . v) + |n x w_A| D + max|n x w_B| r_B                                     (4)
// D bounds the distance of B's points from A's centre; the maxima are over the turning n, which
// moves by |n x w_A| (1 - f) at most. A plane's normal is always fixed in the plane.
//
// With n fixed in the world, s(n, .) is the least of functions, one for each pair of points, whose
// second derivative is K at most:
//   K = |w_A|^2 r_A + |w_B|^2 r_B                                                        (5)
// So between f and the end, t = (f' - f) / (1 - f), it is not below its chord by more than that
// bends it:
//   s(n, f') >= s(n, f) + t (s(n, 1) - s(n, f)) - K (1 - f)^2 t (1 - t) / 2              (6)
// where that stays above c nothing is met, and otherwise its first root is as safe as (3), and
// nearly exact for what turns little: bodies that pass each other need one look at the end.
#include "tenon/engine/collision/narrow/impact_time.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/collision/narrow/impact_time_mesh.h"
#include "tenon/engine/collision/narrow/separation.h"
#include "tenon/engine/geometry/support.h"

namespace tenon {
namespace {

constexpr int kMaxQueries = 32;
constexpr int kMaxSteps = 60;        // of (3) with one n
constexpr double kTolerance = 1e-4;  // of the smaller shape
constexpr double kThinnest = 1e-3;   // of its radius: no shape counts as thinner
constexpr double kToTheEnd = 2;      // of a step: more than all of it

// What a separation query needs to know of a size.
double judged_size(const Shape& shape) {
  return std::max(size(shape), kThinnest * bounding_radius(shape));
}

// Largest distance of a point of the core from the origin of the shape frame.
double core_radius(const Shape& shape) {
  if (std::holds_alternative<Sphere>(shape)) return 0;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->half_length;
  return bounding_radius(shape);
}

struct Side {
  const Shape* shape;
  const ShapeMotion* motion;
  bool turns, plane;
  double reach;  // r of (2)
};

Side make_side(const Shape& shape, const ShapeMotion& motion) {
  const bool plane = kind(shape) == ShapeKind::kPlane;
  return {&shape, &motion, norm2(motion.rotation_W) > 0, plane,
          plane ? 0 : norm(motion.X_WS.p - motion.p_WC) + core_radius(shape)};
}

// h of (1). The radius of round shapes is exact: no support point whose round-off turns with them.
double support_value(const Side& side, const Mat3& R_WS, const Vec3& n_W) {
  if (side.plane) return 0;
  const Vec3 n = transpose_mul(R_WS, n_W);
  if (const auto* sphere = std::get_if<Sphere>(side.shape)) return sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(side.shape))
    return capsule->half_length * std::fabs(n.y) + capsule->radius;
  if (const auto* box = std::get_if<Box>(side.shape)) return dot(box->half, cwise_abs(n));
  return dot(n, support(*side.shape, n));
}

struct Sweep {
  Side a, b;
  Vec3 v;

  Separation find_separation_at(double f, double max_distance, const Vec3& guess_W) const {
    return find_separation(*a.shape, calc_pose_at(*a.motion, f), *b.shape,
                           calc_pose_at(*b.motion, f), {max_distance, guess_W});
  }
  // (1)
  double separation(const Vec3& n, double f) const {
    const Transform X_WA = calc_pose_at(*a.motion, f), X_WB = calc_pose_at(*b.motion, f);
    const double reach_a = support_value(a, X_WA.R, n), reach_b = support_value(b, X_WB.R, -n);
    return dot(n, X_WB.p - X_WA.p) - (reach_a + reach_b);
  }
  // Distance of a point of one side's core from the centre of the other from f on.
  double calc_span(const Side& other, double f) const {
    const Vec3 between = b.motion->p_WC - a.motion->p_WC;
    return norm(between + f * v) + (1 - f) * norm(v) + other.reach;
  }
  // (2)
  double fastest(const Vec3& n) const {
    const double turning_a = norm(cross(n, a.motion->rotation_W)) * a.reach;
    const double turning_b = norm(cross(n, b.motion->rotation_W)) * b.reach;
    return -dot(n, v) + (turning_a + turning_b);
  }
  // (4) with n fixed in `on`
  double fastest_on(const Side& on, const Side& other, const Vec3& n, double f) const {
    const Vec3 &w_on = on.motion->rotation_W, &w_other = other.motion->rotation_W;
    const double turn = norm(cross(n, w_on)), drift = turn * (1 - f), speed = norm(v);
    const double closing = std::min(speed, -dot(n, v) + drift * speed);
    const double turning = std::min(norm(w_other), norm(cross(n, w_other)) + drift * norm(w_other));
    return closing + (turn * calc_span(other, f) + turning * other.reach);
  }
  // (5)
  double bend() const {
    return norm2(a.motion->rotation_W) * a.reach + norm2(b.motion->rotation_W) * b.reach;
  }
  // The most that the distance can fall from f on.
  double calc_largest_fall(double f) const {
    const double turning_a = norm(a.motion->rotation_W) * (a.plane ? calc_span(b, f) : a.reach);
    const double turning_b = norm(b.motion->rotation_W) * (b.plane ? calc_span(a, f) : b.reach);
    return (1 - f) * (norm(v) + (turning_a + turning_b));
  }
};

struct Advance {
  double floor, slack;  // m: s is lowered to the floor, or at least to within the slack of it
  double f, s;          // where to start, and the separation there
};

// How far from f on, where the separation is s and at the end s_end, (6) stays above the floor;
// kToTheEnd where it never falls to it.
double calc_safe_chord(double f, double s, double s_end, double bend, double floor) {
  const double rest = 1 - f, half = 0.5 * bend * rest * rest;
  const double c = s - floor, b = s_end - s - half, discriminant = b * b - 4 * half * c;
  if (b >= 0 || discriminant < 0) return kToTheEnd;
  const double t = 2 * c / (-b + std::sqrt(discriminant));
  return t < 1 ? t * rest : kToTheEnd;
}

// Repeats (3) and (6) with n fixed in the world; returns the fraction at which s is down to the
// floor, as far as the budget goes, or more than 1.
double advance_straight(const Sweep& sweep, const Vec3& n, const Advance& from) {
  const double m = sweep.fastest(n);
  if (!(m > 0)) return 2;
  double f = from.f, s = from.s;
  if (f + (s - from.floor) / m >= 1) return 2;
  const double s_end = sweep.separation(n, 1), bend = sweep.bend();
  for (int i = 0; i < kMaxSteps; ++i) {
    f += std::max((s - from.floor) / m, calc_safe_chord(f, s, s_end, bend, from.floor));
    if (f >= 1) return 2;
    s = sweep.separation(n, f);
    if (s <= from.floor + from.slack) break;
  }
  return f;
}

// Repeats (3) with n turning along with `on`; otherwise the same.
double advance_turning(const Sweep& sweep, const Side& on, const Vec3& n, const Advance& from) {
  const Side& other = &on == &sweep.a ? sweep.b : sweep.a;
  const double m = sweep.fastest_on(on, other, n, from.f);
  if (!(m > 0)) return 2;
  double f = from.f, s = from.s;
  for (int i = 0; i < kMaxSteps; ++i) {
    f += (s - from.floor) / m;
    if (f >= 1) return 2;
    const Vec3 n_f = rotate(exp_map((f - from.f) * on.motion->rotation_W), n);
    s = sweep.separation(n_f, f);
    if (s <= from.floor + from.slack) break;
  }
  return f;
}

// The farthest that one of the three ways of turning n gets.
double advance_best(const Sweep& sweep, const Vec3& n, const Advance& from) {
  // no other direction separates from a plane than its own normal
  for (const Side* side : {&sweep.a, &sweep.b}) {
    if (!side->plane) continue;
    return side->turns ? advance_turning(sweep, *side, n, from) : advance_straight(sweep, n, from);
  }
  double best = advance_straight(sweep, n, from);
  for (const Side* side : {&sweep.a, &sweep.b}) {
    // a sphere has no face to follow
    const bool follow = side->turns && kind(*side->shape) != ShapeKind::kSphere;
    if (best <= 1 && follow) best = std::max(best, advance_turning(sweep, *side, n, from));
  }
  return best;
}

}  // namespace

Transform calc_pose_at(const ShapeMotion& motion, double fraction) {
  const Vec3 p_WC = motion.p_WC + fraction * motion.displacement_W;
  const Vec3 offset = motion.X_WS.p - motion.p_WC;
  if (norm2(motion.rotation_W) == 0) return {motion.X_WS.R, p_WC + offset};
  const Mat3 turn = to_matrix(exp_map(fraction * motion.rotation_W));
  return {turn * motion.X_WS.R, p_WC + turn * offset};
}

ImpactTime calc_time_of_impact(const Shape& a, const ShapeMotion& motion_a, const Shape& b,
                               const ShapeMotion& motion_b, double target) {
  ImpactTime result;
  if (kind(a) == ShapeKind::kPlane && kind(b) == ShapeKind::kPlane) return result;
  if (kind(a) == ShapeKind::kMesh || kind(b) == ShapeKind::kMesh) {
    if (has_patches(a, b)) return narrow::calc_mesh_impact(a, motion_a, b, motion_b, target);
    return calc_time_of_impact(counts_as(a), motion_a, counts_as(b), motion_b, target);
  }
  const Sweep sweep{make_side(a, motion_a), make_side(b, motion_b),
                    motion_b.displacement_W - motion_a.displacement_W};
  const double tolerance = kTolerance * std::min(judged_size(a), judged_size(b));
  double f = 0;
  Vec3 guess_W;
  while (result.queries < kMaxQueries) {
    // what can not be met in the rest of the step need not be measured
    const double beyond = target + 2 * tolerance + sweep.calc_largest_fall(f);
    const Separation s = sweep.find_separation_at(f, beyond, guess_W);
    ++result.queries;
    if (s.distance > beyond) return {ImpactTime::Status::kNone, 1, guess_W, 0, result.queries};
    result.fraction = f;
    result.normal_W = guess_W = s.normal_W;
    result.distance = s.distance;
    if (s.distance <= target + tolerance) {
      result.status = ImpactTime::Status::kImpact;
      return result;
    }
    f = advance_best(sweep, s.normal_W,
                     {target + 0.25 * tolerance, 0.25 * tolerance, f, s.distance});
    if (f > 1) return {ImpactTime::Status::kNone, 1, s.normal_W, 0, result.queries};
  }
  result.status = ImpactTime::Status::kBudget;
  return result;
}

}  // namespace tenon
