// Contacts of a moment to come, as they are seen from now.
#pragma once

#include "tenon/engine/collision/narrow/manifold.h"
#include "tenon/engine/math/transform.h"

namespace tenon {

// Where a shape is now, and where it will be when it meets another.
struct Approach {
  Transform now, then;
};

// A patch at the moment when two shapes meet -> as it is seen from now: normal and points of that
// moment, gaps as far as the points have to go. Returns how far the points lie beside each other.
Vec3 see_from_now(const Approach& a, const Approach& b, Manifold& there);

}  // namespace tenon
