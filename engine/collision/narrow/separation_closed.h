// Closed forms of the separation query: plane against anything, sphere against anything, capsules
// against each other, boxes and cylinders.
#pragma once

#include "tenon/engine/collision/narrow/core.h"
#include "tenon/engine/collision/narrow/separation.h"

namespace tenon::narrow {

// A is the plane; `core` is B's in the frame with the plane's origin and the world's axes.
Separation find_separation_plane(const Transform& X_WA, const Core& core);

// A is the sphere; B is anything but a plane.
Separation find_separation_sphere(const Sphere& a, const Vec3& p_WA, const Shape& b,
                                  const Transform& X_WB);

struct CapsuleSeparation {
  bool valid = false;    // false: the core (nearly) meets the other one's; the general way decides
  bool crossed = false;  // one point of the side of each is closest, and the axes are not parallel
  Separation separation;
};
// Two capsules; beyond max_distance any lower bound that is larger.
CapsuleSeparation find_separation_capsules(const Capsule& a, const Transform& X_WA,
                                           const Capsule& b, const Transform& X_WB,
                                           double max_distance);

// A capsule and a box or cylinder; never `crossed`, not `valid` where the core comes (nearly)
// inside.
CapsuleSeparation find_separation_capsule_box(const Capsule& a, const Transform& X_WA, const Box& b,
                                              const Transform& X_WB, double max_distance);
CapsuleSeparation find_separation_capsule_cylinder(const Capsule& a, const Transform& X_WA,
                                                   const Cylinder& b, const Transform& X_WB,
                                                   double max_distance);

// Both cores are segments.
CoreSeparation find_core_separation_capsules(const CorePair& pair);

}  // namespace tenon::narrow
