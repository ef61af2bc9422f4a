// Patches of two segments: edges, side lines of cylinders and capsules.
#include <utility>

#include "tenon/engine/collision/narrow/detail/clip.h"

namespace tenon::detail {
namespace {

// Nearly parallel segments. With axes at a small angle the lines run apart; beside the end of the
// shorter one, P, the closest approach of two sides of radii rP, rQ lies between the lines at
// rP : rQ, and both surfaces have dropped a little there (segment_height). The gap, not the angle,
// then decides whether that place belongs to the patch. A sharp edge has radius 0 and no surface
// beside it: two such edges share a stretch only where they are within ten slops.
struct StretchEnd {
  Vec2 x;
  double tP, tQ, offP, offQ;
};
struct Stretch {
  bool valid[2] = {false, false};
  StretchEnd ends[2];
  bool p_ends[2], q_ends[2];  // whose end limits the stretch; both where they are flush
};

StretchEnd swapped(const StretchEnd& e) { return {e.x, e.tQ, e.tP, e.offQ, e.offP}; }

// The place beside end `end` of P: on the line through that end at right angles to P, so that it
// lies on the very rim of a cylinder P. False where Q is too far aside or does not reach so far.
bool find_stretch_end(const Feature& p, int end, const Feature& q, double slop, StretchEnd& out) {
  const Vec2 dP = p.x[1] - p.x[0], dQ = q.x[1] - q.x[0], xP = p.x[end];
  const Vec2 xQ = q.x[0] + (dot(xP - q.x[0], dP) / dot(dQ, dP)) * dQ;
  const double sum = p.radius + q.radius;
  const double share = sum > 0 ? p.radius / sum : 0.5;
  out.x = xP + share * (xQ - xP);
  out.tP = end;
  out.offP = norm(out.x - xP);
  const double t = dot(out.x - q.x[0], dQ) / norm2(dQ);
  out.tQ = t < 0 ? 0 : (t > 1 ? 1 : t);
  out.offQ = norm(out.x - q.x[0] - t * dQ);
  const double wideP = p.radius > 0 ? 0.5 * p.radius : 10 * slop;
  const double wideQ = q.radius > 0 ? 0.5 * q.radius : 10 * slop;
  const double beyond = (t - out.tQ) * (t - out.tQ) * norm2(dQ);
  return out.offP <= wideP && out.offQ <= wideQ && beyond <= slop * slop;
}

Stretch find_common_stretch(const Feature& p, const Feature& q, double slop) {
  Stretch s;
  const Vec2 dP = p.x[1] - p.x[0], dQ = q.x[1] - q.x[0];
  const double lP = norm(dP), lQ = norm(dQ);
  if (!(lP > slop && lQ > slop)) return s;
  const double along = dot(dP, dQ) / (lP * lQ);
  if (std::fabs(along) < 0.9) return s;
  const Vec2 e = unit((1 / lP) * dP + ((along > 0 ? 1 : -1) / lQ) * dQ, {1, 0});
  const double p0 = dot(p.x[0], e), p1 = dot(p.x[1], e);
  double q0 = dot(q.x[0], e), q1 = dot(q.x[1], e);
  const bool flip = q0 > q1;
  if (flip) std::swap(q0, q1);
  const double place[2] = {p0 >= q0 ? p0 : q0, p1 <= q1 ? p1 : q1};
  const double endP[2] = {p0, p1}, endQ[2] = {q0, q1};
  if (place[1] - place[0] < -slop) return s;
  for (int k = 0; k < 2; ++k) {
    s.p_ends[k] = std::fabs(place[k] - endP[k]) <= slop;
    s.q_ends[k] = std::fabs(place[k] - endQ[k]) <= slop;
    // the segment that ends first; at an angle the other one may in fact end a little earlier
    const bool by_p = place[k] == endP[k];
    for (int i = 0; i < 2 && !s.valid[k]; ++i) {
      const bool limit_p = by_p == (i == 0);
      const Feature &limit = limit_p ? p : q, &other = limit_p ? q : p;
      const int end = limit_p || !flip ? k : 1 - k;
      s.valid[k] = find_stretch_end(limit, end, other, slop, s.ends[k]);
      if (!s.valid[k]) continue;
      if (!limit_p) s.ends[k] = swapped(s.ends[k]);
      s.p_ends[k] = s.p_ends[k] || limit_p;
      s.q_ends[k] = s.q_ends[k] || !limit_p;
    }
  }
  return s;
}

// Crossing of the two lines, where it lies on both segments.
struct Crossing {
  bool valid = false;
  double tP = 0, tQ = 0;
};

Crossing find_crossing(const Feature& p, const Feature& q, double slop) {
  Crossing c;
  const Vec2 dP = p.x[1] - p.x[0], dQ = q.x[1] - q.x[0], r = q.x[0] - p.x[0];
  const double lP = norm(dP), lQ = norm(dQ), area = cross(dP, dQ);
  if (!(std::fabs(area) > 1e-9 * lP * lQ)) return c;
  c.tP = cross(r, dQ) / area;
  c.tQ = cross(r, dP) / area;
  const double sP = slop / lP, sQ = slop / lQ;
  c.valid = c.tP >= -sP && c.tP <= 1 + sP && c.tQ >= -sQ && c.tQ <= 1 + sQ;
  return c;
}

}  // namespace

// A capsule's heights are those of its core: above a place s metres along from the end of the core
// that is closer to the other shape, the surface belongs to the cap up to s = r sin(tilt), and to
// the side from there on.
double segment_height(const Feature& segment, double t, double off) {
  const double core = segment.z[0] + t * (segment.z[1] - segment.z[0]);
  const double r = segment.radius;
  if (!(r > 0)) return core;
  const double round2 = r * r - off * off;
  const double round = std::sqrt(round2 > 0 ? round2 : 0);
  if (!segment.is_capsule) return core - segment.outward * (r - round) / segment.cos_tilt;
  const int low = segment.outward * (segment.z[1] - segment.z[0]) > 0 ? 1 : 0;
  const double s = (low == 0 ? t : 1 - t) * norm(segment.x[1] - segment.x[0]);
  if (s >= segment.sin_tilt * round) return core + segment.outward * round / segment.cos_tilt;
  const double cap2 = round2 - s * s;
  return segment.z[low] + segment.outward * std::sqrt(cap2 > 0 ? cap2 : 0);
}

void clip_segment_segment(const Feature& p, const Feature& q, PatchPoints& points) {
  const double slop = points.slop();
  const int before = points.count();
  const Stretch s = find_common_stretch(p, q, slop);
  for (int k = 0; k < 2; ++k) {
    if (!s.valid[k]) continue;
    const uint16_t idP = s.p_ends[k] ? p.vertex_id[k] : p.id;
    const StretchEnd& e = s.ends[k];
    const uint16_t idQ = s.q_ends[k] ? q.vertex_id[e.tQ < 0.5 ? 0 : 1] : q.id;
    points.add(e.x, segment_height(p, e.tP, e.offP), segment_height(q, e.tQ, e.offQ), idP, idQ);
  }
  const Crossing c = find_crossing(p, q, slop);
  if (!c.valid) return;
  // between two ends that are as deep, the crossing of nearly parallel lines is noise
  const double zP = segment_height(p, c.tP, 0), zQ = segment_height(q, c.tQ, 0);
  const double gap = points.swapped() ? zP - zQ : zQ - zP;
  if (points.count() - before == 2 && gap > points.least_gap() - 0.1 * slop) return;
  const Vec2 x = p.x[0] + c.tP * (p.x[1] - p.x[0]);
  points.add(x, zP, zQ, p.id, q.id);
}

}  // namespace tenon::detail
