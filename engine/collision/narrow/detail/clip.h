// The contact patch of two features: their overlap seen along the normal.
//
// Both features are projected along the contact normal, where each is a convex region of the
// plane with a height over it. The patch is the overlap of the regions; the gap is the difference
// of the heights. For flat features it is linear over the patch, so its least value lies at a
// corner: the corners are all that matters, and none of the two shapes is "reference" or
// "incident" (which is what makes collide(B, A) the mirror image of collide(A, B)).
//
// Corners by pair of features, P and Q:
//   polygon, polygon   vertices of one inside the other, crossings of edges
//   polygon, disk      vertices inside the rim, crossings of edge and rim, rim points (below)
//   disk, disk         crossings of the rims and the ends of the lens along the line of centres;
//                      where one lies (nearly) inside the other: rim points
//   segment, polygon   ends of the segment cut at the edges; disk: cut at the rim
//   segment, segment   parallel: the ends of the common stretch; crossed: the crossing
//   half-space, any    all corners of the other feature; a disk: rim points
//   point, any         no corner: the witness points of the distance are the patch
//
// A hull may face the other shape with several faces that are nearly coplanar. Each of them is
// clipped; the patch is the union.
//
// Rim points. A full rim has no corners. Four points are taken in directions that are fixed in the
// other shape, so that they stay where they are under a spinning cylinder, and warm starting holds.
// Where the gap varies over the rim by more than kLevelTilt of the radius, the lowest rim point is
// added (and a fixed point closer to it than kRimSpacing radii is left out). A standing cylinder
// thus rests on four steady points, tips exactly about its rim (from the first microradian on, the
// lowest point is there to carry it), and a coin that rolls on its rim touches at a point that
// moves smoothly with it. Refused: four points turned so that one of them is the lowest; their
// directions would follow the round-off of a cylinder that stands upright.
#pragma once

#include "tenon/engine/collision/narrow/detail/feature.h"
#include "tenon/engine/collision/narrow/detail/patch_points.h"

namespace tenon::detail {

inline constexpr double kLevelTilt = 1e-6;  // rad; below it a rim counts as level
inline constexpr double kRimSpacing = 0.1;  // of the radius

// Adds the corners of the patch of P and Q; the roles are those told to points.set_swapped.
void clip_polygon_polygon(const Feature& p, const Feature& q, PatchPoints& points);
void clip_segment_polygon(const Feature& segment, const Feature& polygon, PatchPoints& points);
void clip_segment_segment(const Feature& p, const Feature& q, PatchPoints& points);
void clip_segment_disk(const Feature& segment, const Feature& disk, PatchPoints& points);
void clip_disk_polygon(const Feature& disk, const Feature& polygon, PatchPoints& points);
void clip_disk_disk(const Feature& p, const Feature& q, PatchPoints& points);
void clip_to_half_space(const Feature& any, const Feature& plane, PatchPoints& points);

// The same for any two features with prepared edges, neither of them a point; tells the roles.
void clip_features(const Feature& a, const Feature& b, PatchPoints& points);

// What a shape shows the other one: the feature, and all faces of a hull that count.
struct Facing {
  // Leaves the arrays uninitialised.
  Facing(const Shape& s, const Transform& X) : shape(&s), X_WS(&X) {}

  const Shape* shape;
  const Transform* X_WS;
  Feature feature;
  FaceList faces;
};

// Adds the corners of the patch of A and B, neither of them facing with a point. Faces that miss
// the deepest point (no gap is within `least`) are tried by their edges as well.
void clip_facing(Facing& a, Facing& b, const PatchFrame& frame, double least, PatchPoints& points);

// Height of the surface along a segment feature at parameter t in [0, 1], `off` metres beside it.
double segment_height(const Feature& segment, double t, double off);

// Signed distance of x from line k of a polygon, positive inside.
inline double depth_in_edge(const Feature& polygon, int k, const Vec2& x) {
  return cross(polygon.edge_unit[k], x - polygon.x[k]);
}
// Is x in the polygon, or within `slop` of it?
inline bool is_inside(const Feature& polygon, const Vec2& x, double slop) {
  for (int k = 0; k < polygon.count; ++k) {
    if (depth_in_edge(polygon, k, x) < -slop) return false;
  }
  return true;
}

}  // namespace tenon::detail
