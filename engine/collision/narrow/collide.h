// The door of the narrow phase: contact patch of any two shapes.
#pragma once

#include "tenon/engine/collision/narrow/manifold.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon {

// Finds the contact patch of A and B when their distance is at most `margin` (>= 0, metres), so
// that contacts can be anticipated; otherwise the manifold has count 0 and its distance is only a
// lower bound that is > margin.
//
// Promises: distance within 1e-6 of the size of the smaller shape; normal within 1e-3 rad where it
// is unique; collide(B, A) is the mirror image of collide(A, B); the same input gives the same bits
// everywhere; never NaN for finite input. Plane against plane has no contact (count 0).
Manifold collide(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin);

// The same with a guess of the normal from A to B (last step's; zero: none), which makes it faster
// and changes the result by round-off only.
Manifold collide(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin, const Vec3& guess_W);

}  // namespace tenon
