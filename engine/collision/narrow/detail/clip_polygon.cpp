// Patches of two polygons, and of a polygon and a segment.
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

  // The half-plane of edge k, with the depths of both ends in it; false: nothing is left.
  bool cut_off(int k, double da, double db, double slop) {
    if (da >= -slop && db >= -slop) return true;
    if (da < -slop && db < -slop) {
      empty = true;
      return false;
    }
    // exact crossing, or the end that is inside only by the slop
    if (da < -slop) {
      const double t = db > 0 ? da / (da - db) : 1;
      if (t > t0) t0 = t, edge0 = k;
    } else {
      const double t = da > 0 ? da / (da - db) : 0;
      if (t < t1) t1 = t, edge1 = k;
    }
    return true;
  }
};

Cut cut_by_polygon(const Vec2& a, const Vec2& b, const Feature& polygon, double slop) {
  Cut cut;
  for (int k = 0; k < polygon.count; ++k) {
    const double da = depth_in_edge(polygon, k, a), db = depth_in_edge(polygon, k, b);
    if (!cut.cut_off(k, da, db, slop)) return cut;
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

void add_crossings(const Feature& p, int i, const Cut& cut, const Feature& q, PatchPoints& points) {
  if (cut.empty || cut.t0 > cut.t1) return;
  const Vec2 a = p.x[i], b = p.x[i + 1 == p.count ? 0 : i + 1];
  const double t[2] = {cut.t0, cut.t1};
  const int edge[2] = {cut.edge0, cut.edge1};
  for (int m = 0; m < 2; ++m) {
    if (edge[m] < 0) continue;
    if ((p.inner_edges >> i & 1) && (q.inner_edges >> edge[m] & 1)) continue;
    const Vec2 x = a + t[m] * (b - a);
    points.add(x, p.height(x), q.height(x), p.edge_id[i], q.edge_id[edge[m]]);
  }
}

// A vertex of P that is inside Q, `depth` deep; a vertex of both is named by both.
void add_vertex(const Feature& p, int i, double depth, const Feature& q, PatchPoints& points) {
  // a vertex is as near as its edges at most
  const double slop = points.slop();
  const int k = depth < slop ? find_vertex_at(q, p.x[i], slop) : -1;
  const Vec2 x = k < 0 ? p.x[i] : 0.5 * (p.x[i] + q.x[k]);
  points.add(x, p.height(x), q.height(x), p.vertex_id[i], k < 0 ? q.id : q.vertex_id[k]);
}

double least_depth(const Feature& polygon, const Vec2& x) {
  double least = depth_in_edge(polygon, 0, x);
  for (int k = 1; k < polygon.count; ++k) {
    const double depth = depth_in_edge(polygon, k, x);
    least = depth < least ? depth : least;
  }
  return least;
}

// Two quadrilaterals, which boxes have: each depth is calculated once.
struct QuadDepths {
  double in_edge[4][4];  // of vertex i in edge k of the other one
  double least[4];

  QuadDepths(const Feature& p, const Feature& q) {
    for (int i = 0; i < 4; ++i) {
      const Vec2 x = p.x[i];
      for (int k = 0; k < 4; ++k) in_edge[i][k] = depth_in_edge(q, k, x);
      const double low = in_edge[i][0] < in_edge[i][1] ? in_edge[i][0] : in_edge[i][1];
      const double other = in_edge[i][2] < in_edge[i][3] ? in_edge[i][2] : in_edge[i][3];
      least[i] = low < other ? low : other;
    }
  }
};

void clip_quads(const Feature& p, const Feature& q, PatchPoints& points) {
  const double slop = points.slop();
  const QuadDepths in_q(p, q);
  for (int i = 0; i < 4; ++i) {
    if (in_q.least[i] >= -slop) add_vertex(p, i, in_q.least[i], q, points);
  }
  const QuadDepths in_p(q, p);
  for (int k = 0; k < 4; ++k) {
    const Vec2 x = q.x[k];
    if (in_p.least[k] >= -slop) points.add(x, p.height(x), q.height(x), p.id, q.vertex_id[k]);
  }
  for (int i = 0; i < 4; ++i) {
    const int next = (i + 1) % 4;
    if (in_q.least[i] >= -slop && in_q.least[next] >= -slop) continue;
    Cut cut;
    const double *da = in_q.in_edge[i], *db = in_q.in_edge[next];
    for (int k = 0; k < 4 && cut.cut_off(k, da[k], db[k], slop);) ++k;
    add_crossings(p, i, cut, q, points);
  }
}

}  // namespace

void clip_polygon_polygon(const Feature& p, const Feature& q, PatchPoints& points) {
  if (p.count == 4 && q.count == 4) return clip_quads(p, q, points);
  const double slop = points.slop();
  uint64_t inside = 0;
  static_assert(Feature::kMaxVertices <= 64);
  for (int i = 0; i < p.count; ++i) {
    const double depth = least_depth(q, p.x[i]);
    if (depth < -slop) continue;
    inside |= uint64_t{1} << i;
    add_vertex(p, i, depth, q, points);
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
    add_crossings(p, i, cut_by_polygon(p.x[i], p.x[next], q, slop), q, points);
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
