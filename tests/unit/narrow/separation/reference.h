// An independent reference for signed distances: support functions, containment and a brute-force
// search over directions, sharing no code with the engine beyond its types.
#pragma once

#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon::reference {

// max over the shape of dot(n, p), p measured from `origin_W`. Infinite for a plane unless n is
// its normal.
double support_value(const Shape& shape, const Transform& X, const Vec3& origin_W, const Vec3& n);

// Separation of the two shapes along the unit vector n from A to B: the gap between the planes
// perpendicular to n that touch them. Every n gives a lower bound of the signed distance.
double separation(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                  const Vec3& n);

// How far the point is outside of the shape, up to a factor of sqrt(3); <= 0 inside.
double outside(const Shape& shape, const Transform& X, const Vec3& p_W);

// Smallest extent of a shape (a plane's is huge), and the largest.
double width(const Shape& shape);
double length(const Shape& shape);

struct BestDirection {
  Vec3 n;
  double separation;
};
// Directions worth trying for their own sake: face normals, edge crosses, axes, and the vectors
// between features; the exact candidate set where both are polyhedra.
std::vector<Vec3> candidate_directions(const Shape& a, const Transform& X_WA, const Shape& b,
                                       const Transform& X_WB);

// Largest separation found by sampling the sphere, trying the candidates and climbing from the
// best of them with a pattern search (no derivatives).
BestDirection search_separation(const Shape& a, const Transform& X_WA, const Shape& b,
                                const Transform& X_WB, int samples);

}  // namespace tenon::reference
