// Surfaces of rows of points: tubes along flat curves, and solids of revolution.
#pragma once

#include <vector>

#include "tenon/scene/forms/surface.h"

namespace tenon::scene {

// A row is a ring of points, counter-clockwise about the direction in which rows follow one
// another; all rings have the same number. A row of one point closes an end.
using Row = std::vector<Vec3>;

enum class Ends { kClosed, kJoined };  // by rows of one point; the last row meets the first
Surface stitch_rows(const std::vector<Row>& rows, Ends ends);

// A round bar along a curve in the plane z = 0.
struct Station {
  double x = 0, y = 0;    // of the centre line
  double tx = 1, ty = 0;  // its unit tangent
  double radius = 0;      // of the bar; 0 closes an end
};
Surface make_bar(const std::vector<Station>& stations, int around, Ends ends);

// Stations of an arc about (cx, cy): from angle `from` over `span` radians, `steps` + 1 of them.
struct ArcPath {
  double cx = 0, cy = 0, r = 1, from = 0, span = 0;
};
void add_arc(std::vector<Station>& stations, const ArcPath& arc, int steps, double bar);

// How many pieces of at most `edge` make `length`; at least `least`.
int count_pieces(double length, double edge, int least);

}  // namespace tenon::scene
