// What the narrow phase says of two shapes that are close.
#pragma once

#include <array>
#include <cstdint>

#include "tenon/engine/math/vec3.h"

namespace tenon {

// One point of a contact patch between shapes A and B.
struct ContactPoint {
  Vec3 p_W;             // midway between the two surfaces
  double distance = 0;  // signed gap along the normal at this point; < 0 = overlap
  // Names the features that meet (vertex, edge, face, rim ... of A and of B), so that the same
  // physical contact keeps its id from step to step. Swapping A and B gives another id.
  uint32_t feature = 0;
};

// A contact patch: points that share one normal. Never more than kMaxPoints; a larger patch is
// reduced to the deepest point and those that span the largest area.
struct Manifold {
  static constexpr int kMaxPoints = 8;
  Vec3 normal_W;  // unit, from A towards B: moving B along it separates the shapes
  // Signed distance of the two shapes (the smallest over all points of the shapes, not only of
  // the patch): the Euclidean distance where apart, minus the penetration depth (the shortest
  // translation that separates them) where they overlap.
  double distance = 0;
  int count = 0;
  std::array<ContactPoint, kMaxPoints> points;
};

}  // namespace tenon
