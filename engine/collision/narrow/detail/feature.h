// The feature with which a shape faces another one along the contact normal.
#pragma once

#include <array>
#include <cstdint>

#include "tenon/engine/collision/narrow/detail/patch_frame.h"
#include "tenon/engine/collision/narrow/feature_id.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon::detail {

enum class FeatureKind { kPoint, kSegment, kPolygon, kDisk, kHalfSpace };

// A feature in a patch frame. Only the members of its kind are set; the arrays are left
// uninitialised otherwise (they are large and this is a hot path).
struct Feature {
  // At most 64, the bits of a mask. Hull faces with more vertices are thinned out to this many
  // (evenly along the loop).
  static constexpr int kMaxVertices = 64;

  FeatureKind kind = FeatureKind::kPoint;
  uint16_t id = 0;      // of the point, or of the interior of anything larger
  double outward = 1;   // +1: the shape lies below the feature (shape A); -1: above (shape B)
  double size = 0;      // largest half extent of the shape; infinite for a plane
  FlatHeight height{};  // polygon, disk, half-space
  Vec2 axis[2]{};  // two directions fixed in the shape (not unit), for rim points on this feature

  // polygon: counter-clockwise seen against the normal; edge k runs from vertex k to k + 1.
  // segment: its two ends.
  int count = 0;
  std::array<Vec2, kMaxVertices> x;
  std::array<Vec2, kMaxVertices> edge_unit;  // direction of edge k, by prepare_edges
  std::array<uint16_t, kMaxVertices> vertex_id, edge_id;
  uint64_t inner_edges = 0;  // bit k: beyond edge k lies another face that counts (FaceList)

  // segment: heights of the ends (of the core for a capsule), tilt against the lateral plane, and
  // the radius of the side it runs along (0: a sharp edge)
  double z[2]{};
  double radius = 0, sin_tilt = 0, cos_tilt = 1;
  bool is_capsule = false;

  // disk: x = centre + M w with |w| <= 1; the columns of M, the rows of its inverse, the radius
  Vec2 centre{}, m0{}, m1{}, w0{}, w1{};

  Vec2 to_unit(const Vec2& p) const { return {dot(w0, p - centre), dot(w1, p - centre)}; }
  Vec2 from_unit(const Vec2& w) const { return centre + w.x * m0 + w.y * m1; }
};

// Beyond this angle between the normal and a face (or between the lateral plane and an edge or
// side line) only the next lower feature counts. Below it the gap decides, point by point, what
// belongs to the patch: a tilt of 20 degrees lifts the far end of a feature of length L by 0.34 L,
// well above any sensible margin, so nothing flickers at the limit.
inline constexpr double kCosFace = 0.93969262078590838;  // cos 20 deg
inline constexpr double kSinLine = 0.34202014332566873;  // sin 20 deg

// The faces of a hull that look at the other shape, in order of their index. There is more than
// one where faces are nearly coplanar (a bottom with a little noise in its vertices): the hull then
// stands on all of them, and none may win by round-off.
struct FaceList {
  // Of more faces than this, those that come closest to the other shape are kept.
  static constexpr int kMost = 64;
  int count = 0;
  std::array<int, kMost> face;
  std::array<double, kMost> top;  // height of the highest vertex along the normal
};

// outward = +1 for shape A (which looks along +n), -1 for shape B. Writes every member of `out`
// that its kind uses. Where `out` is the face of a hull, `faces` lists all faces within the angle
// that come within `reach` metres of the top of the shape; otherwise it stays empty.
void find_feature(const Shape& shape, const Transform& X_WS, const PatchFrame& frame,
                  double outward, double reach, Feature& out, FaceList& faces);

// The same for a box; the edges of a face are prepared.
void find_feature_box(const Box& box, const Transform& X_WS, const PatchFrame& frame,
                      double outward, Feature& out);

inline uint16_t face_id() { return make_feature(FeatureType::kFace, 0); }

// Makes `out` the segment with these ends; the names of the ends are up to the caller.
void set_segment(const Vec3 (&ends_W)[2], const PatchFrame& frame, Feature& out);

// Sets the directions of the edges of a polygon. An edge without length keeps nothing out: its
// direction is zero.
void prepare_edges(Feature& polygon);

// Largest half extent; infinite for a plane.
double calc_size(const Shape& shape);

// The edge of a polygon that is closest to the origin of the patch frame, as a segment.
void find_nearest_edge(const Feature& polygon, Feature& segment);

}  // namespace tenon::detail
