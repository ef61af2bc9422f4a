// Patches of a cylinder's end: with polygons, segments and half-spaces.
#include "tenon/engine/collision/narrow/detail/clip.h"
#include "tenon/engine/collision/narrow/detail/rim.h"

namespace tenon::detail {
namespace {

// Rim points of a disk over a flat feature; `accept(x)` tells whether x lies in that feature.
template <class Accept>
void add_rim_points(const Feature& disk, const Feature& flat, const Accept& accept,
                    PatchPoints& points) {
  const auto add = [&](const Vec2& x, uint16_t id, double spacing) {
    if (accept(x)) points.add_spaced(x, disk.height(x), flat.height(x), id, flat.id, spacing);
  };
  const double away = kRimSpacing * disk.radius;
  if (const RimLow low = find_rim_low(disk, flat.height.slope - disk.height.slope); low.valid) {
    add(low.x, make_feature(FeatureType::kRimLow, 0), points.slop());
  }
  for (int k = 0; k < 4; ++k) {
    const Vec2 direction = (k < 2 ? 1.0 : -1.0) * flat.axis[k & 1];
    add(find_rim_point(disk, disk.centre, direction), make_feature(FeatureType::kRim, k), away);
  }
}

}  // namespace

RimLow find_rim_low(const Feature& disk, const Vec2& gap_slope_PQ) {
  // gap = z_B - z_A: falls along the slope where P is the upper shape
  const Vec2 g = disk.outward * gap_slope_PQ;
  const Vec2 in_unit{dot(disk.m0, g), dot(disk.m1, g)};
  const double rise = norm(in_unit);
  if (!(rise > kLevelTilt * disk.radius)) return {};
  return {true, disk.from_unit((-1 / rise) * in_unit)};
}

// |W (from + t d - centre)|^2 = 1, the root t > 0 for a start inside of the rim.
Vec2 find_rim_point(const Feature& disk, const Vec2& from, const Vec2& direction) {
  const Vec2 w = disk.to_unit(from);
  const Vec2 d{dot(disk.w0, direction), dot(disk.w1, direction)};
  const double a = norm2(d), b = dot(w, d), c = norm2(w) - 1;
  const double root2 = b * b - a * c;
  const double t = a > 0 ? (-b + std::sqrt(root2 > 0 ? root2 : 0)) / a : 0;
  return from + t * direction;
}

RimCut cut_by_rim(const Feature& disk, const Vec2& a, const Vec2& b) {
  const Vec2 w = disk.to_unit(a);
  const Vec2 d{dot(disk.w0, b - a), dot(disk.w1, b - a)};
  const double aa = norm2(d), bb = dot(w, d), cc = norm2(w) - 1;
  const double root2 = bb * bb - aa * cc;
  if (!(aa > 0) || !(root2 > 0)) return {};
  const double root = std::sqrt(root2);
  return {true, (-bb - root) / aa, (-bb + root) / aa};
}

void clip_disk_polygon(const Feature& disk, const Feature& polygon, PatchPoints& points) {
  const double slop = points.slop();
  const double inside = 1 + 2 * slop / disk.radius;
  const auto add = [&](const Vec2& x, uint16_t id_d, uint16_t id_p, double spacing) {
    points.add_spaced(x, disk.height(x), polygon.height(x), id_d, id_p, spacing);
  };
  for (int k = 0; k < polygon.count; ++k) {
    if (norm2(disk.to_unit(polygon.x[k])) > inside) continue;
    add(polygon.x[k], disk.id, polygon.vertex_id[k], slop);
  }
  add_rim_points(disk, polygon, [&](const Vec2& x) { return is_inside(polygon, x, slop); }, points);
  for (int k = 0; k < polygon.count; ++k) {
    const Vec2 a = polygon.x[k], b = polygon.x[k + 1 == polygon.count ? 0 : k + 1];
    const RimCut cut = cut_by_rim(disk, a, b);
    if (!cut.valid) continue;
    const uint16_t first = make_feature(FeatureType::kCorner, 0);
    // an edge that only grazes the rim: one point, so that two do not merge and part again
    const bool within = cut.t0 >= 0 && cut.t1 <= 1;
    if (within && (cut.t1 - cut.t0) * norm(b - a) < kRimSpacing * disk.radius) {
      add(a + 0.5 * (cut.t0 + cut.t1) * (b - a), first, polygon.edge_id[k], 0.01 * disk.radius);
      continue;
    }
    for (int i = 0; i < 2; ++i) {
      const double t = i == 0 ? cut.t0 : cut.t1;
      if (t < 0 || t > 1) continue;
      add(a + t * (b - a), make_feature(FeatureType::kCorner, i), polygon.edge_id[k],
          0.01 * disk.radius);
    }
  }
}

void clip_segment_disk(const Feature& segment, const Feature& disk, PatchPoints& points) {
  const Vec2 a = segment.x[0], b = segment.x[1];
  const double length = norm(b - a);
  if (!(length > points.slop())) return;
  const double slop_t = points.slop() / length;
  // a line that only grazes the rim (by up to the slop) meets it in one point
  const Vec2 w = disk.to_unit(a), d = disk.to_unit(b) - w;
  const double t_mid = -dot(w, d) / norm2(d);
  const double depth = 1 - norm(w + t_mid * d);
  if (std::fabs(depth) * disk.radius <= 2 * points.slop() && t_mid >= 0 && t_mid <= 1) {
    const Vec2 x = a + t_mid * (b - a);
    points.add(x, segment_height(segment, t_mid, 0), disk.height(x), segment.id,
               make_feature(FeatureType::kRimLow, 0));
    return;
  }
  const RimCut cut = cut_by_rim(disk, a, b);
  if (!cut.valid || cut.t1 < -slop_t || cut.t0 > 1 + slop_t) return;
  for (int k = 0; k < 2; ++k) {
    const double rim = k == 0 ? cut.t0 : cut.t1;
    const bool is_end = k == 0 ? rim <= slop_t : rim >= 1 - slop_t;
    const double t = is_end ? k : rim;
    const Vec2 x = a + t * (b - a);
    points.add(x, segment_height(segment, t, 0), disk.height(x),
               is_end ? segment.vertex_id[k] : segment.id,
               is_end ? disk.id : make_feature(FeatureType::kCorner, k));
  }
}

void clip_to_half_space(const Feature& any, const Feature& plane, PatchPoints& points) {
  switch (any.kind) {
    case FeatureKind::kPolygon:
      for (int k = 0; k < any.count; ++k) {
        const Vec2 x = any.x[k];
        points.add_named(x, any.height(x), plane.height(x), any.vertex_id[k], plane.id);
      }
      break;
    case FeatureKind::kSegment:
      for (int k = 0; k < 2; ++k) {
        const Vec2 x = any.x[k];
        points.add(x, segment_height(any, k, 0), plane.height(x), any.vertex_id[k], plane.id);
      }
      break;
    case FeatureKind::kDisk:
      add_rim_points(any, plane, [](const Vec2&) { return true; }, points);
      break;
    case FeatureKind::kPoint:
    case FeatureKind::kHalfSpace:
      break;
  }
}

}  // namespace tenon::detail
