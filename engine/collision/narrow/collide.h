// The door of the narrow phase: contact patch of any two shapes.
#pragma once

#include "tenon/engine/collision/narrow/manifold.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon {

// Finds the contact patch of A and B when their distance is at most `margin` (>= 0, metres), so
// that contacts can be anticipated; otherwise the manifold has count 0 and its distance is only a
// lower bound that is > margin.
//
// The patch holds every corner of the overlap (seen along the normal) of the two facing features
// whose gap is at most the margin, so a box that rests tilted by less than margin / size keeps four
// points. A hull faces the other shape with all its faces that are nearly coplanar. One point at
// least has the distance of the manifold and none is deeper, but for round-off.
// detail/clip.h lists the corners by pair of features. Points come in order of feature ids; they
// are unique within the manifold (feature_id.h) and hold under small motions.
//
// Promises: distance within 1e-6 of the size of the smaller shape; normal within 1e-3 rad where it
// is unique; collide(B, A) is the mirror image of collide(A, B); the same input gives the same bits
// everywhere; never NaN for finite input. Plane against plane has no contact (count 0). Of a mesh
// that is not convex this is the deepest patch only: collide_mesh.h finds them all.
Manifold collide(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin);

// The same with a guess of the normal from A to B (last step's; zero: none) to start the search
// from; it changes the result by round-off only.
Manifold collide(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin, const Vec3& guess_W);

}  // namespace tenon
