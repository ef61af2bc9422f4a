// Flat regions with holes, and solids made of them in layers.
#pragma once

#include <array>
#include <vector>

#include "tenon/scene/forms/surface.h"

namespace tenon::scene {

struct Point2 {
  double x = 0, y = 0;
  friend bool operator==(const Point2&, const Point2&) = default;
};

// Twice the signed area of a triangle: positive where a, b, c run counter-clockwise.
inline double turn(const Point2& a, const Point2& b, const Point2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

using Loop = std::vector<int>;  // indices of points

// The first loop is the outline, counter-clockwise; the others are holes, clockwise.
using Region = std::vector<Loop>;

// The constrained Delaunay triangles of a region whose loops are simple, do not touch, and nest as
// they should; n^2 at worst.
std::vector<std::array<int, 3>> triangulate(const std::vector<Point2>& points,
                                            const Region& region);

// Regions stacked along z: layer k lies between levels k and k + 1. Two regions may share edges,
// which are then the same points in opposite order; where both are there, no wall is between them.
struct Layers {
  struct Piece {
    Region region;
    std::vector<bool> in_layer;
  };
  std::vector<Point2> points;
  std::vector<double> levels;  // increasing, one more than there are layers
  std::vector<Piece> pieces;
};

Surface make_solid(const Layers& layers);

// One region between z = -depth/2 and depth/2.
Surface extrude(const std::vector<Point2>& points, const Region& region, double depth);

// So many points on a circle about the origin, counter-clockwise from x; the polygon has the area
// of the circle with radius r, so bores and rods of the same radius fit.
std::vector<Point2> circle_points(double r, int count);

// The points of one loop appended to others: their indices, in order or reversed (for holes).
Loop append_loop(std::vector<Point2>& points, const std::vector<Point2>& more);
Loop append_hole(std::vector<Point2>& points, const std::vector<Point2>& more);

}  // namespace tenon::scene
