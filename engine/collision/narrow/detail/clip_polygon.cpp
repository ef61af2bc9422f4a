// Patches of two polygons, and of a polygon and a segment.
#include <utility>

#include "tenon/engine/collision/narrow/detail/clip.h"

namespace tenon::detail {
namespace {

// The part [t0, t1] of the stretch from a to b that lies inside a polygon, and the edges that cut
// it (-1: none), by the parametric clipping of [CyrusBeck1978]. Ends up to `slop` outside count as
// inside, so that faces that are flush (equal boxes in a stack) do not lose corners to round-off,
// and edges that run along each other are not crossed at a random place.
struct Cut {
  double t0 = 0, t1 = 1;
  int edge0 = -1, edge1 = -1;
  bool empty = false;
};

Cut cut_by_polygon(const Vec2& a, const Vec2& b, const Feature& polygon, double slop) {
  Cut cut;
  for (int k = 0; k < polygon.count; ++k) {
    const double da = depth_in_edge(polygon, k, a), db = depth_in_edge(polygon, k, b);
    if (da >= -slop && db >= -slop) continue;
    if (da < -slop && db < -slop) {
      cut.empty = true;
      return cut;
    }
    // exact crossing, or the end that is inside only by the slop
    if (da < -slop) {
      const double t = db > 0 ? da / (da - db) : 1;
      if (t > cut.t0) cut.t0 = t, cut.edge0 = k;
    } else {
      const double t = da > 0 ? da / (da - db) : 0;
      if (t < cut.t1) cut.t1 = t, cut.edge1 = k;
    }
  }
  cut.empty = cut.t0 > cut.t1;
  return cut;
}

int find_vertex_at(const Feature& polygon, const Vec2& x, double slop) {
  for (int k = 0; k < polygon.count; ++k) {
    if (norm2(polygon.x[k] - x) < slop * slop) return k;
  }
  return -1;
}

}  // namespace

double depth_in_edge(const Feature& polygon, int k, const Vec2& x) {
  return cross(polygon.edge_unit[k], x - polygon.x[k]);
}

void clip_polygon_polygon(const Feature& p, const Feature& q, PatchPoints& points) {
  const double slop = points.slop();
  // vertices of P inside Q; a vertex of both is named by both
  uint64_t inside = 0;
  static_assert(Feature::kMaxVertices <= 64);
  for (int i = 0; i < p.count; ++i) {
    if (!is_inside(q, p.x[i], slop)) continue;
    inside |= uint64_t{1} << i;
    const int k = find_vertex_at(q, p.x[i], slop);
    const Vec2 x = k < 0 ? p.x[i] : 0.5 * (p.x[i] + q.x[k]);
    points.add(x, p.height(x), q.height(x), p.vertex_id[i], k < 0 ? q.id : q.vertex_id[k]);
  }
  for (int k = 0; k < q.count; ++k) {
    const Vec2 x = q.x[k];
    if (!is_inside(p, x, slop)) continue;
    points.add(x, p.height(x), q.height(x), p.id, q.vertex_id[k]);
  }
  // crossings of edges; those at a vertex are already there and fall to the slop
  for (int i = 0; i < p.count; ++i) {
    const int next = i + 1 == p.count ? 0 : i + 1;
    if ((inside >> i & 1) && (inside >> next & 1)) continue;
    const Vec2 a = p.x[i], b = p.x[next];
    const Cut cut = cut_by_polygon(a, b, q, slop);
    if (cut.empty) continue;
    for (const auto& [t, edge] : {std::pair{cut.t0, cut.edge0}, std::pair{cut.t1, cut.edge1}}) {
      if (edge < 0) continue;
      if ((p.inner_edges >> i & 1) && (q.inner_edges >> edge & 1)) continue;
      const Vec2 x = a + t * (b - a);
      points.add(x, p.height(x), q.height(x), p.edge_id[i], q.edge_id[edge]);
    }
  }
}

void clip_segment_polygon(const Feature& segment, const Feature& polygon, PatchPoints& points) {
  const Vec2 a = segment.x[0], b = segment.x[1];
  // a line that touches the polygon at a vertex: which of its edges cut would be chance
  const double slop = points.slop(), length2 = norm2(b - a);
  for (int k = 0; k < polygon.count && length2 > slop * slop; ++k) {
    const Vec2 x = polygon.x[k];
    const double off = cross(b - a, x - a), along = dot(b - a, x - a);
    if (off * off > slop * slop * length2 || along < 0 || along > length2) continue;
    points.add(x, segment_height(segment, along / length2, std::fabs(off) / std::sqrt(length2)),
               polygon.height(x), segment.id, polygon.vertex_id[k]);
  }
  const Cut cut = cut_by_polygon(a, b, polygon, slop);
  if (cut.empty) return;
  const double t[2] = {cut.t0, cut.t1};
  const int edge[2] = {cut.edge0, cut.edge1};
  for (int k = 0; k < 2; ++k) {
    const Vec2 x = a + t[k] * (b - a);
    const uint16_t id_s = edge[k] < 0 ? segment.vertex_id[k] : segment.id;
    const uint16_t id_p = edge[k] < 0 ? polygon.id : polygon.edge_id[edge[k]];
    points.add(x, segment_height(segment, t[k], 0), polygon.height(x), id_s, id_p);
  }
}

}  // namespace tenon::detail
