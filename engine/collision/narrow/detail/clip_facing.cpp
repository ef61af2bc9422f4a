// What two shapes show each other, clipped: one feature of each, or all faces of a hull.
#include <algorithm>
#include <bitset>
#include <limits>

#include "tenon/engine/collision/narrow/detail/clip.h"
#include "tenon/engine/collision/narrow/detail/feature_hull.h"

namespace tenon::detail {
namespace {

// The pair of kinds as one number, larger kind first.
constexpr int pair_of(FeatureKind p, FeatureKind q) {
  return static_cast<int>(p) * 8 + static_cast<int>(q);
}

}  // namespace

void clip_features(const Feature& a, const Feature& b, PatchPoints& points) {
  const bool swapped = a.kind > b.kind;
  const Feature &p = swapped ? b : a, &q = swapped ? a : b;
  points.set_swapped(swapped);
  using enum FeatureKind;
  switch (pair_of(p.kind, q.kind)) {
    case pair_of(kSegment, kSegment):
      clip_segment_segment(p, q, points);
      break;
    case pair_of(kSegment, kPolygon):
      clip_segment_polygon(p, q, points);
      break;
    case pair_of(kSegment, kDisk):
      clip_segment_disk(p, q, points);
      break;
    case pair_of(kPolygon, kPolygon):
      clip_polygon_polygon(p, q, points);
      break;
    case pair_of(kPolygon, kDisk):
      points.set_swapped(!swapped);
      clip_disk_polygon(q, p, points);
      break;
    case pair_of(kDisk, kDisk):
      clip_disk_disk(p, q, points);
      break;
    case pair_of(kSegment, kHalfSpace):
    case pair_of(kPolygon, kHalfSpace):
    case pair_of(kDisk, kHalfSpace):
      clip_to_half_space(p, q, points);
      break;
    default:
      break;  // a point: the witness
  }
}

namespace {

// Edges instead of faces, where the overlap of faces missed the deepest point: faces that meet
// along parallel edges overlap in a line, which round-off may lose.
void clip_edges(const Feature& a, const Feature& b, PatchPoints& points) {
  Feature edge_a, edge_b;
  const bool has_a = a.kind == FeatureKind::kPolygon, has_b = b.kind == FeatureKind::kPolygon;
  if (!has_a && !has_b) return;
  if (has_a) find_nearest_edge(a, edge_a);
  if (has_b) find_nearest_edge(b, edge_b);
  clip_features(has_a ? edge_a : a, has_b ? edge_b : b, points);
}

// -- hulls with several faces -----------------------------------------------------------------

// Lateral bounds; of a feature that is neither polygon nor segment, everything.
struct Bounds {
  Vec2 low{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  Vec2 high{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
};

Bounds find_bounds(const Feature& f) {
  Bounds b;
  if (f.kind != FeatureKind::kPolygon && f.kind != FeatureKind::kSegment) return b;
  b.low = b.high = f.x[0];
  for (int i = 1; i < f.count; ++i) {
    b.low = {std::min(b.low.x, f.x[i].x), std::min(b.low.y, f.x[i].y)};
    b.high = {std::max(b.high.x, f.x[i].x), std::max(b.high.y, f.x[i].y)};
  }
  return b;
}

bool overlap(const Bounds& a, const Bounds& b, double slop) {
  return a.low.x <= b.high.x + slop && b.low.x <= a.high.x + slop &&  //
         a.low.y <= b.high.y + slop && b.low.y <= a.high.y + slop;
}

// The features of one shape one by one: its only one, or the faces of a hull. Rim points of the
// other shape take their directions from the first face, so that every face sees the same ones.
class Faces {
 public:
  Faces(const Facing& facing, const PatchFrame& frame) : facing_(facing), frame_(frame) {
    if (!is_many()) return;
    scratch_.outward = facing.feature.outward;
    scratch_.size = facing.feature.size;
    for (int i = 0; i < facing.faces.count; ++i) {
      load(i);
      if (i == 0) axis_[0] = scratch_.axis[0], axis_[1] = scratch_.axis[1];
      for (int k = 0; k < scratch_.count; ++k) {
        const int edge = scratch_.edge_id[k] & 0x1fff;
        if (seen_[edge]) inner_[edge] = true;
        seen_[edge] = true;
      }
    }
  }
  int count() const { return is_many() ? facing_.faces.count : 1; }
  const Feature& operator[](int i) {
    if (!is_many()) return facing_.feature;
    load(i);
    scratch_.axis[0] = axis_[0];
    scratch_.axis[1] = axis_[1];
    scratch_.inner_edges = 0;
    for (int k = 0; k < scratch_.count; ++k) {
      if (inner_[scratch_.edge_id[k] & 0x1fff]) scratch_.inner_edges |= uint64_t{1} << k;
    }
    prepare_edges(scratch_);
    return scratch_;
  }

 private:
  bool is_many() const { return facing_.faces.count > 1; }
  void load(int i) {
    const HullGeometry& hull = *std::get_if<Hull>(facing_.shape)->geometry;
    set_hull_face(hull, *facing_.X_WS, frame_, facing_.faces.face[i], scratch_);
  }

  const Facing& facing_;
  const PatchFrame& frame_;
  Feature scratch_;
  Vec2 axis_[2]{};
  std::bitset<0x2000> seen_, inner_;  // edges of one face, of two, by the index of their name
};

// Every face of A with every face of B. Corners on a common edge of two faces come twice, at the
// same place and with the same name, and fall to the slop. The surfaces are convex and the faces
// lie on them, so the gap is exact at each corner, and least at one of them. Of the corners inside
// the patch, crossings of two edges between faces are left out: there may be hundreds, and only the
// deepest counts, which clip_facing then finds by the closest edges.
void clip_all_faces(const Facing& a, const Facing& b, const PatchFrame& frame,
                    PatchPoints& points) {
  Faces faces_a(a, frame), faces_b(b, frame);
  Bounds bounds_b[FaceList::kMost];
  for (int k = 0; k < faces_b.count(); ++k) bounds_b[k] = find_bounds(faces_b[k]);
  for (int i = 0; i < faces_a.count(); ++i) {
    const Feature& fa = faces_a[i];
    const Bounds bounds_a = find_bounds(fa);
    for (int k = 0; k < faces_b.count(); ++k) {
      if (overlap(bounds_a, bounds_b[k], 2 * points.slop())) clip_features(fa, faces_b[k], points);
    }
  }
}

}  // namespace

void clip_facing(Facing& a, Facing& b, const PatchFrame& frame, double least, PatchPoints& points) {
  Feature &fa = a.feature, &fb = b.feature;
  const bool flat = fa.kind == FeatureKind::kHalfSpace || fb.kind == FeatureKind::kHalfSpace;
  if (fa.kind == FeatureKind::kPolygon && !flat) prepare_edges(fa);
  if (fb.kind == FeatureKind::kPolygon && !flat) prepare_edges(fb);
  if (a.faces.count > 1 || b.faces.count > 1) {
    clip_all_faces(a, b, frame, points);
  } else {
    clip_features(fa, fb, points);
  }
  if (points.least_gap() > least) clip_edges(fa, fb, points);
}

}  // namespace tenon::detail
