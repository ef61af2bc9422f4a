// Patch of two cylinder ends: the lens in which two disks (ellipses, once projected) overlap.
#include "tenon/engine/collision/narrow/detail/clip.h"
#include "tenon/engine/collision/narrow/detail/rim.h"

namespace tenon::detail {
namespace {

bool is_in_disk(const Feature& disk, const Vec2& x, double slop) {
  return norm2(disk.to_unit(x)) <= 1 + 2 * slop / disk.radius;
}

// Crossing of the rims left (side = +1) or right (-1) of the line of centres: that of two circles,
// then Newton on both ellipses, |W (x - c)|^2 = 1. False where the rims do not cross.
bool find_rim_crossing(const Feature& p, const Feature& q, double side, Vec2& x) {
  const Vec2 d = q.centre - p.centre;
  const double dist2 = norm2(d), dist = std::sqrt(dist2);
  if (!(dist > 0)) return false;
  const double along = (dist2 + p.radius * p.radius - q.radius * q.radius) / (2 * dist);
  const double across2 = p.radius * p.radius - along * along;
  if (!(across2 > 0)) return false;
  const Vec2 e = (1 / dist) * d;
  x = p.centre + along * e + side * std::sqrt(across2) * Vec2{-e.y, e.x};
  for (int i = 0; i < 6; ++i) {
    const Vec2 wp = p.to_unit(x), wq = q.to_unit(x);
    const double fp = norm2(wp) - 1, fq = norm2(wq) - 1;
    const Vec2 gp = 2 * (wp.x * p.w0 + wp.y * p.w1), gq = 2 * (wq.x * q.w0 + wq.y * q.w1);
    const double area = cross(gp, gq);
    if (!(std::fabs(area) > 1e-6 * norm(gp) * norm(gq))) return false;
    if (std::fabs(fp) + std::fabs(fq) < 1e-14) break;
    x = x + (1 / area) * Vec2{fq * gp.y - fp * gq.y, fp * gq.x - fq * gp.x};
  }
  const double rest = std::fabs(norm2(p.to_unit(x)) - 1) + std::fabs(norm2(q.to_unit(x)) - 1);
  return rest < 1e-9;
}

// Directions and names of the rim points of concentric disks. Of two different disks the larger
// one's frame counts. Equal ones share: each axis of P is averaged with the axis of Q closest to
// it, so that exchanging P and Q changes nothing.
struct RimDirections {
  Vec2 direction[4];
  uint16_t idP[4], idQ[4];
};

RimDirections find_rim_directions(const Feature& p, const Feature& q) {
  RimDirections out;
  const bool equal = std::fabs(p.radius - q.radius) <= 1e-6 * (p.radius + q.radius);
  for (int k = 0; k < 4; ++k) {
    const Feature& large = p.radius > q.radius ? p : q;
    const double sign = k < 2 ? 1.0 : -1.0;
    out.direction[k] = sign * large.axis[k & 1];
    out.idP[k] = out.idQ[k] = make_feature(FeatureType::kRim, k);
    if (!equal) continue;
    const Vec2 mine = sign * unit(p.axis[k & 1], {1, 0});
    int nearest = 0;
    double best = -1e300;
    for (int j = 0; j < 4; ++j) {
      const double cosine = dot(mine, (j < 2 ? 1.0 : -1.0) * q.axis[j & 1]);
      if (cosine > best) best = cosine, nearest = j;
    }
    const Vec2 theirs = (nearest < 2 ? 1.0 : -1.0) * unit(q.axis[nearest & 1], {1, 0});
    out.direction[k] = unit(mine + theirs, mine);
    out.idQ[k] = make_feature(FeatureType::kRim, nearest);
  }
  return out;
}

struct Lens {
  bool empty = true;
  Vec2 e{1, 0};                 // along the line of centres, from P to Q
  Vec2 on_p{0, 0}, on_q{0, 0};  // its ends: on the rim of P towards Q, on the rim of Q towards P
  Vec2 centre{0, 0};
};

Lens find_lens(const Feature& p, const Feature& q, double dist) {
  Lens lens;
  if (dist > 1e-9 * (p.radius + q.radius)) lens.e = (1 / dist) * (q.centre - p.centre);
  // distances from the centre of P along e to the four points where the line meets the rims
  const auto place = [&](const Vec2& x) { return dot(x - p.centre, lens.e); };
  const double p_far = place(find_rim_point(p, p.centre, lens.e));
  const double p_near = place(find_rim_point(p, p.centre, -lens.e));
  const double q_far = place(find_rim_point(q, q.centre, lens.e));
  const double q_near = place(find_rim_point(q, q.centre, -lens.e));
  const double hi = p_far < q_far ? p_far : q_far, lo = p_near > q_near ? p_near : q_near;
  lens.empty = !(hi > lo);
  lens.on_p = p.centre + hi * lens.e;
  lens.on_q = p.centre + lo * lens.e;
  lens.centre = 0.5 * (lens.on_p + lens.on_q);
  return lens;
}

// Boundary of the lens seen from its centre.
Vec2 find_lens_point(const Feature& p, const Feature& q, const Vec2& from, const Vec2& direction) {
  const Vec2 xp = find_rim_point(p, from, direction), xq = find_rim_point(q, from, direction);
  return norm2(xp - from) < norm2(xq - from) ? xp : xq;
}

}  // namespace

void clip_disk_disk(const Feature& p, const Feature& q, PatchPoints& points) {
  const double slop = points.slop();
  const double dist = norm(q.centre - p.centre);
  const Lens lens = find_lens(p, q, dist);
  if (lens.empty) return;
  const double small = p.radius < q.radius ? p.radius : q.radius;
  const auto add = [&](const Vec2& x, uint16_t idP, uint16_t idQ, double spacing) {
    points.add_spaced(x, p.height(x), q.height(x), idP, idQ, spacing);
  };
  // corners of the lens, and the lowest point of either rim
  const uint16_t low = make_feature(FeatureType::kRimLow, 0);
  const Vec2 slope = q.height.slope - p.height.slope;
  const RimLow low_p = find_rim_low(p, slope), low_q = find_rim_low(q, -slope);
  if (low_p.valid && is_in_disk(q, low_p.x, slop)) add(low_p.x, low, q.id, slop);
  if (low_q.valid && is_in_disk(p, low_q.x, slop)) add(low_q.x, p.id, low, slop);
  const bool nearly_inside = dist < std::fabs(p.radius - q.radius) + kRimSpacing * small;
  for (int k = 0; k < 2 && (!nearly_inside || low_p.valid || low_q.valid); ++k) {
    Vec2 x;
    if (!find_rim_crossing(p, q, k == 0 ? 1 : -1, x)) continue;
    const uint16_t corner = make_feature(FeatureType::kCorner, k);
    add(x, corner, corner, 0.01 * small);
  }
  if (!nearly_inside) {
    const uint16_t end = make_feature(FeatureType::kCorner, 2);
    add(lens.on_p, end, q.id, 0.01 * small);
    add(lens.on_q, p.id, end, 0.01 * small);
    return;
  }
  // (nearly) one inside the other: steady rim points, on the boundary of the lens
  const RimDirections rim = find_rim_directions(p, q);
  for (int k = 0; k < 4; ++k) {
    add(find_lens_point(p, q, lens.centre, rim.direction[k]), rim.idP[k], rim.idQ[k],
        kRimSpacing * small);
  }
}

}  // namespace tenon::detail
