// Shapes of every kind with random sizes, for properties that all of them must have.
#pragma once

#include "hull_checks.h"
#include "tenon/engine/geometry/support.h"

namespace tenon {

inline Hull random_hull(Rng& rng, int points) {
  std::vector<Vec3> cloud;
  const Vec3 stretch{rng.uniform(0.3, 2), rng.uniform(0.3, 2), rng.uniform(0.3, 2)};
  for (int i = 0; i < points; ++i) {
    cloud.push_back(cwise_mul(stretch, random_unit(rng)) + Vec3{0.2, -0.1, 0.3});
  }
  return make_hull(cloud).value();
}

inline Shape random_shape(ShapeKind kind, Rng& rng) {
  switch (kind) {
    case ShapeKind::kSphere:
      return Sphere{rng.uniform(0.2, 2)};
    case ShapeKind::kBox:
      return Box{{rng.uniform(0.1, 2), rng.uniform(0.1, 2), rng.uniform(0.1, 2)}};
    case ShapeKind::kCylinder:
      return Cylinder{rng.uniform(0.1, 2), rng.uniform(0.1, 2)};
    case ShapeKind::kCapsule:
      return Capsule{rng.uniform(0.1, 2), rng.below(5) == 0 ? 0 : rng.uniform(0, 2)};
    case ShapeKind::kPlane:
      return Plane{};
    case ShapeKind::kHull:
      return random_hull(rng, rng.below(2) == 0 ? 12 : 100);
    case ShapeKind::kMesh:
      break;  // have tests of their own
  }
  return Plane{};
}

inline const ShapeKind kAllKinds[] = {ShapeKind::kSphere,  ShapeKind::kBox,   ShapeKind::kCylinder,
                                      ShapeKind::kCapsule, ShapeKind::kPlane, ShapeKind::kHull};

// Signed "is it outside" measure from the definitions in shape.h: <= 0 inside. Its zero set is the
// surface; it is not a distance. Independent of the code under test.
inline double implicit(const Shape& shape, const Vec3& p) {
  struct Implicit {
    Vec3 p;
    double operator()(const Sphere& s) const { return norm(p) - s.radius; }
    double operator()(const Box& s) const { return max_component(cwise_abs(p) - s.half); }
    double operator()(const Cylinder& s) const {
      return std::max(std::sqrt(p.x * p.x + p.z * p.z) - s.radius, std::fabs(p.y) - s.half_height);
    }
    double operator()(const Capsule& s) const {
      const double y = std::max(std::fabs(p.y) - s.half_length, 0.0);
      return std::sqrt(p.x * p.x + y * y + p.z * p.z) - s.radius;
    }
    double operator()(const Plane&) const { return p.y; }
    double operator()(const Hull& s) const {
      double worst = -1e300;
      for (const auto& face : s.geometry->faces) {
        worst = std::max(worst, dot(face.normal, p) - face.offset);
      }
      return worst;
    }
    double operator()(const Mesh&) const { return 0; }  // never asked: see random_shape
  };
  return std::visit(Implicit{p}, shape);
}

}  // namespace tenon
