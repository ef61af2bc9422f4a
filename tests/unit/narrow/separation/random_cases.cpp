#include "tenon/tests/unit/narrow/separation/random_cases.h"

#include <cmath>
#include <limits>

#include "tenon/engine/geometry/hull.h"
#include "tenon/tests/unit/narrow/separation/reference.h"

namespace tenon::reference {
namespace {

// A point of the shape that is extreme along n, measured from the shape's origin in world axes.
// Written apart from the engine's support functions.
Vec3 extreme(const Shape& shape, const Mat3& R, const Vec3& n) {
  const Vec3 u{dot(R.column(0), n), dot(R.column(1), n), dot(R.column(2), n)};
  const auto sign = [](double x) { return x < 0 ? -1.0 : 1.0; };
  const double rho = std::hypot(u.x, u.z);
  Vec3 q;
  if (const auto* s = std::get_if<Sphere>(&shape)) q = s->radius * u;
  if (const auto* s = std::get_if<Box>(&shape))
    q = {sign(u.x) * s->half.x, sign(u.y) * s->half.y, sign(u.z) * s->half.z};
  if (const auto* s = std::get_if<Cylinder>(&shape)) {
    q = {0, sign(u.y) * s->half_height, 0};
    if (rho > 1e-12) q += (s->radius / rho) * Vec3{u.x, 0, u.z};
  }
  if (const auto* s = std::get_if<Capsule>(&shape))
    q = s->radius * u + Vec3{0, sign(u.y) * s->half_length, 0};
  if (const auto* s = std::get_if<Hull>(&shape)) {
    q = s->geometry->vertices[0];
    for (const Vec3& v : s->geometry->vertices)
      if (dot(u, v) > dot(u, q)) q = v;
  }
  return R * q;
}

Shape hull_of(const std::vector<Vec3>& points) {
  auto hull = make_hull(points);
  if (!hull.ok()) return Box{};
  return hull.value();
}

}  // namespace

CaseMaker::CaseMaker(uint64_t seed) : rng_(seed) {
  for (int i = 0; i < 48; ++i) {
    std::vector<Vec3> points;
    Vec3 scale{rng_.uniform(0.2, 1), rng_.uniform(0.2, 1), rng_.uniform(0.2, 1)};
    if (i % 6 == 1) scale[i % 3] = 0.01;
    if (i % 6 == 2) scale[i % 3] = scale[(i + 1) % 3] = 0.01;
    const Vec3 shift = i % 5 == 0 ? Vec3{0.3, -0.2, 0.4} : Vec3{};
    if (i % 4 == 0) {
      // a box's corners: coplanar and parallel features
      for (int k = 0; k < 8; ++k)
        points.push_back({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
    } else if (i % 4 == 1) {
      // a prism
      const int sides = 3 + static_cast<int>(rng_.below(6));
      for (int k = 0; k < 2 * sides; ++k) {
        const double phi = 2 * 3.14159265358979 * (k / 2) / sides;
        points.push_back({std::cos(phi), k % 2 ? 1.0 : -1.0, std::sin(phi)});
      }
    } else {
      const int count = i % 12 == 3 ? 60 : 4 + static_cast<int>(rng_.below(20));
      for (int k = 0; k < count; ++k) points.push_back(make_unit());
    }
    for (Vec3& p : points) p = cwise_mul(scale, p) + shift;
    hulls_.push_back(hull_of(points));
    for (Vec3& p : points) p = 1e-3 * p;
    small_hulls_.push_back(hull_of(points));
  }
}

double CaseMaker::log_uniform(double low, double high) {
  return std::exp(rng_.uniform(std::log(low), std::log(high)));
}

Vec3 CaseMaker::make_unit() {
  for (;;) {
    const Vec3 v{rng_.uniform(-1, 1), rng_.uniform(-1, 1), rng_.uniform(-1, 1)};
    const double r = norm(v);
    if (r > 0.1 && r < 1) return v / r;
  }
}

Mat3 CaseMaker::make_rotation() {
  if (rng_.below(3) == 0) {
    // one of the axis-aligned rotations, at times off by a little
    const int i = static_cast<int>(rng_.below(3)),
              j = (i + 1 + static_cast<int>(rng_.below(2))) % 3;
    Vec3 x, y;
    x[i] = rng_.below(2) ? 1 : -1;
    y[j] = rng_.below(2) ? 1 : -1;
    Mat3 R = Mat3::from_columns(x, y, cross(x, y));
    if (rng_.below(2))
      R = to_matrix(normalized(Quat{1, log_uniform(1e-12, 1e-2), log_uniform(1e-12, 1e-2), 0})) * R;
    return R;
  }
  const Vec3 u = make_unit();
  const Vec3 axis = rng_.below(4) == 0 ? Vec3{0, 1, 0} : u;
  const double half = rng_.uniform(0, 3.14159265358979);
  return to_matrix(Quat{std::cos(half), std::sin(half) * axis.x, std::sin(half) * axis.y,
                        std::sin(half) * axis.z});
}

Shape CaseMaker::make_shape(ShapeKind kind) {
  const double size = rng_.below(8) == 0 ? 1e-3 : 1;
  // one in four is flat or needle-like
  const auto extent = [&] { return size * (rng_.below(6) == 0 ? 0.01 : log_uniform(0.1, 1)); };
  switch (kind) {
    case ShapeKind::kSphere:
      return Sphere{size * log_uniform(0.1, 1)};
    case ShapeKind::kBox:
      return Box{{extent(), extent(), extent()}};
    case ShapeKind::kCylinder:
      return Cylinder{extent(), extent()};
    case ShapeKind::kCapsule:
      return Capsule{extent(), rng_.below(10) == 0 ? 0 : extent()};
    case ShapeKind::kPlane:
      return Plane{};
    case ShapeKind::kHull:
    case ShapeKind::kMesh:  // has tests of its own
      return (size < 1 ? small_hulls_ : hulls_)[rng_.below(static_cast<uint32_t>(hulls_.size()))];
  }
  return Sphere{};
}

Case CaseMaker::make(ShapeKind a, ShapeKind b) {
  Case c{make_shape(a), make_shape(b), {}, {}, std::numeric_limits<double>::quiet_NaN()};
  c.X_WA.R = make_rotation();
  c.X_WB.R = rng_.below(4) == 0 ? c.X_WA.R : make_rotation();
  c.X_WA.p = rng_.below(6) == 0 ? 1000 * make_unit() : Vec3{rng_.uniform(-1, 1), 0.5, 0};
  const double small = std::min(length(c.a), length(c.b));
  // direction of the gap: any, or an axis of one of the shapes
  Vec3 u = make_unit();
  if (rng_.below(3) == 0)
    u = (rng_.below(2) ? c.X_WA : c.X_WB).R.column(static_cast<int>(rng_.below(3)));
  if (a == ShapeKind::kPlane) u = c.X_WA.R.column(1);
  double gap = 0;
  switch (rng_.below(6)) {
    case 0:
      gap = small * rng_.uniform(0, 1);
      break;
    case 1:
      gap = 0;
      break;
    case 2:
      gap = small * (rng_.below(2) ? 1 : -1) * log_uniform(1e-12, 1e-3);
      break;
    case 3:
      gap = -small * rng_.uniform(0, 0.1);
      break;
    case 4:
      gap = -small * rng_.uniform(0, 1);
      break;
    default:
      gap = -small * rng_.uniform(0, 2);
      break;
  }
  const bool concentric = rng_.below(20) == 0;
  if (concentric) {
    c.X_WB.p = c.X_WA.p;
    if (rng_.below(2)) c.X_WB.p += (0.1 * small * rng_.uniform()) * u;
    return c;
  }
  Vec3 from_A = a == ShapeKind::kPlane ? Vec3{} : extreme(c.a, c.X_WA.R, u);
  const Vec3 from_B = extreme(c.b, c.X_WB.R, -u);
  const bool coincident = rng_.below(2) == 0;
  if (!coincident && a != ShapeKind::kPlane) {
    // only as far as the gap goes, with a random shift to the side
    const Vec3 side = cross(u, make_unit());
    from_A = dot(from_A, u) * u + (0.5 * small * rng_.uniform(-1, 1)) * side;
    c.X_WB.p = c.X_WA.p + from_A + gap * u - dot(from_B, u) * u;
    return c;
  }
  c.X_WB.p = c.X_WA.p + from_A + gap * u - from_B;
  if (gap >= 0 || a == ShapeKind::kPlane) c.exact = gap;
  return c;
}

}  // namespace tenon::reference
