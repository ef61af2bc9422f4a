// Ray casts against shapes.
#pragma once

#include <optional>

#include "tenon/engine/geometry/shape.h"

namespace tenon {

struct RayHit {
  double t;     // the hit is at origin + t direction
  Vec3 normal;  // outward unit normal of the shape there
};

// The first point of the ray origin + t direction, 0 <= t <= max_t, that belongs to the shape, in
// the shape frame. Shapes are solid and closed, and a plane is its half-space: a ray that starts
// inside or on the surface hits at t = 0 with the normal against the ray, -direction / |direction|
// (as PhysX and, but for the normal, Jolt and Parry do; an engine that reports nothing there lets
// a query tunnel). An open mesh is met from both sides, with the normal of its front. The direction
// need not be a unit vector; one that is zero or not finite, an origin that is not finite and a
// max_t below 0 or NaN hit nothing. max_t may be infinite.
std::optional<RayHit> ray_cast(const Shape& shape, const Vec3& origin, const Vec3& direction,
                               double max_t);

}  // namespace tenon
