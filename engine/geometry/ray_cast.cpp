#include "tenon/engine/geometry/ray_cast.h"

#include <algorithm>
#include <limits>

namespace tenon {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Hit = std::optional<RayHit>;

// The part of the line o + t u inside a convex set of half-spaces and cylinders, cut down step by
// step, and the normal where it enters [Cyrus1978].
struct Interval {
  double enter = -kInfinity, leave = kInfinity;
  Vec3 normal;

  // Half-space n . x <= offset, given by distance = n . o - offset and slope = n . u.
  void clip(const Vec3& n, double distance, double slope) {
    if (slope == 0) {
      if (distance > 0) leave = -kInfinity;
      return;
    }
    const double t = -distance / slope;
    if (slope < 0 && t > enter) {
      enter = t;
      normal = n;
    } else if (slope > 0 && t < leave) {
      leave = t;
    }
  }
  bool empty() const { return !(enter <= leave); }
  Hit first_hit() const {
    if (empty() || leave < 0 || enter == -kInfinity) return {};
    return RayHit{enter, normal};
  }
};

// Where the line enters the ball or cylinder |o + t u| <= r, with the components along a
// cylinder's axis left out of o and u. The discriminant is r^2 - |q|^2 with q the point of the
// line nearest to the centre: stable for small and far balls [Haines2019].
struct RoundEntry {
  bool hit;
  double enter, leave;
};
RoundEntry enter_round(const Vec3& o, const Vec3& u, double r) {
  const double uu = norm2(u);
  if (uu == 0) return {norm2(o) <= r * r, -kInfinity, kInfinity};
  const double middle = -dot(o, u) / uu;
  const Vec3 q = o + middle * u;
  const double left = r * r - norm2(q);
  if (left < 0) return {false, 0, 0};
  const double half = std::sqrt(left / uu);
  return {true, middle - half, middle + half};
}

// The ray has a unit direction u and starts at o.
struct Caster {
  Vec3 o, u;

  Hit from_inside() const { return RayHit{0, -u}; }

  Hit ball(const Vec3& center, double r) const {
    const Vec3 c = o - center;
    const RoundEntry e = enter_round(c, u, r);
    if (!e.hit || e.enter < 0) return {};
    return RayHit{e.enter, normalized(c + e.enter * u)};
  }

  Hit operator()(const Sphere& s) const {
    if (norm2(o) <= s.radius * s.radius) return from_inside();
    return ball({}, s.radius);
  }
  Hit operator()(const Box& s) const {
    const Vec3 beyond = cwise_abs(o) - s.half;
    if (max_component(beyond) <= 0) return from_inside();
    Interval interval;
    for (int k = 0; k < 3; ++k) {
      Vec3 n;
      n[k] = 1;
      interval.clip(n, o[k] - s.half[k], u[k]);
      interval.clip(-n, -o[k] - s.half[k], -u[k]);
    }
    return interval.first_hit();
  }
  Hit operator()(const Cylinder& s) const {
    const Vec3 flat_o{o.x, 0, o.z}, flat_u{u.x, 0, u.z};
    const bool within_side = norm2(flat_o) <= s.radius * s.radius;
    if (within_side && std::fabs(o.y) <= s.half_height) return from_inside();
    const RoundEntry side = enter_round(flat_o, flat_u, s.radius);
    if (!side.hit) return {};
    Interval interval{side.enter, side.leave, normalized(flat_o + side.enter * flat_u)};
    interval.clip({0, 1, 0}, o.y - s.half_height, u.y);
    interval.clip({0, -1, 0}, -o.y - s.half_height, -u.y);
    return interval.first_hit();
  }
  // Both balls and the tube between them; outside of the union, its first entry is theirs.
  Hit operator()(const Capsule& s) const {
    const Vec3 top{0, s.half_length, 0};
    const Vec3 nearest{0, std::clamp(o.y, -s.half_length, s.half_length), 0};
    if (norm2(o - nearest) <= s.radius * s.radius) return from_inside();
    Hit best = ball(top, s.radius);
    const Hit bottom = ball(-top, s.radius);
    if (bottom && (!best || bottom->t < best->t)) best = bottom;
    const Vec3 flat_o{o.x, 0, o.z}, flat_u{u.x, 0, u.z};
    const RoundEntry tube = enter_round(flat_o, flat_u, s.radius);
    if (tube.hit && tube.enter >= 0 && (!best || tube.enter < best->t) &&
        std::fabs(o.y + tube.enter * u.y) <= s.half_length) {
      best = RayHit{tube.enter, normalized(flat_o + tube.enter * flat_u)};
    }
    return best;
  }
  Hit operator()(const Plane&) const {
    if (o.y <= 0) return from_inside();
    if (!(u.y < 0)) return {};
    return RayHit{-o.y / u.y, {0, 1, 0}};
  }
  Hit operator()(const Hull& s) const {
    Interval interval;
    bool inside = true;
    for (const HullGeometry::Face& face : s.geometry->faces) {
      const double distance = dot(face.normal, o) - face.offset;
      inside = inside && distance <= 0;
      interval.clip(face.normal, distance, dot(face.normal, u));
      if (interval.empty()) return {};
    }
    return inside ? from_inside() : interval.first_hit();
  }
  Hit operator()(const Mesh& s) const {
    const MeshGeometry& g = *s.geometry;
    if (g.closed && find_nearest(g, o, kInfinity).distance <= 0) return from_inside();
    const MeshHit hit = find_first_hit(g, o, u, kInfinity);
    if (hit.triangle < 0) return {};
    return RayHit{hit.t, g.face_normals[static_cast<size_t>(hit.triangle)]};
  }
};

}  // namespace

std::optional<RayHit> ray_cast(const Shape& shape, const Vec3& origin, const Vec3& direction,
                               double max_t) {
  const double scale = max_component(cwise_abs(direction));
  if (!is_finite(origin) || !is_finite(direction) || !(scale > 0) || !(max_t >= 0)) return {};
  const double length = norm(direction / scale);
  Hit hit = std::visit(Caster{origin, direction / scale / length}, shape);
  if (!hit) return {};
  // a surface point reached by round-off just behind the origin is at the origin
  hit->t = std::max(hit->t, 0.0) / length / scale;
  if (!(hit->t <= max_t)) return {};
  return hit;
}

}  // namespace tenon
