// Closed forms of the separation query: plane against anything, sphere against anything, and two
// capsules.
#pragma once

#include "tenon/engine/collision/narrow/core.h"
#include "tenon/engine/collision/narrow/separation.h"

namespace tenon::narrow {

// A is the plane; `core` is B's in the frame with the plane's origin and the world's axes.
Separation find_separation_plane(const Transform& X_WA, const Core& core);

// A is the sphere; B is anything but a plane.
Separation find_separation_sphere(const Sphere& a, const Vec3& p_WA, const Shape& b,
                                  const Transform& X_WB);

// Both cores are segments.
CoreSeparation find_core_separation_capsules(const CorePair& pair);

}  // namespace tenon::narrow
