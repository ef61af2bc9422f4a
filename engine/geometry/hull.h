// Convex hulls of point sets.
#pragma once

#include <span>

#include "tenon/engine/geometry/shape.h"

namespace tenon {

inline constexpr int kMaxHullPoints = 100000;

// A set thinner than this share of its extent is refused as flat (or collinear): points of single
// precision, or printed with six digits, that were meant to lie in a plane are that far off it.
inline constexpr double kFlatHull = 1e-6;

// Share of the extent by which a point may lie outside of the finished hull, and off the plane of
// a face it was merged into: absorbs the round-off of single-precision input. For a thin set it is
// at most a thousandth of the thickness. HullGeometry::tolerance holds the resulting length.
inline constexpr double kHullTolerance = 1e-7;

// The convex hull of a point set, with coplanar triangles merged into polygons, in the frame of
// the points. Duplicates and points inside are dropped. The order of the input decides ties, so
// the same input gives the same hull, bit by bit, on every machine.
// Promised: vertices are input points; every face loop is counter-clockwise from outside with at
// least three vertices; each edge joins two different faces; V - E + F = 2; no vertex lies outside
// a face plane by more than twice the tolerance.
// Errors: fewer than 4 points, more than kMaxHullPoints, a coordinate that is not finite or beyond
// kLargestLength, and sets that are coincident, collinear or flat.
// Cost: O(n log n) typically.
Result<Hull> make_hull(std::span<const Vec3> points);

}  // namespace tenon
