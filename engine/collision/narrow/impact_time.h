// When two moving shapes meet: continuous collision detection over one step.
#pragma once

#include "tenon/engine/geometry/shape.h"

namespace tenon {

// How a shape moves over a step, as part of a rigid body: a point of the body, its centre (of
// mass), moves on a straight line, and the body turns about it at a constant angular velocity. At
// fraction f of the step
//   centre = p_WC + f displacement_W,   R = exp(f rotation_W) R_begin.
struct ShapeMotion {
  Transform X_WS;       // shape frame at the begin
  Vec3 p_WC;            // centre at the begin, m
  Vec3 displacement_W;  // of the centre over the whole step, m
  Vec3 rotation_W;      // over the whole step, rad; any length
};

Transform calc_pose_at(const ShapeMotion& motion, double fraction);

struct ImpactTime {
  enum class Status {
    kNone,    // proved: the distance stays above the target during the whole step
    kImpact,  // the distance falls to the target at `fraction`
    kBudget,  // proved safe up to `fraction` only; there the shapes are `distance` apart
  };
  Status status = Status::kNone;
  double fraction = 1;     // of the step, in [0, 1]; 1 for kNone
  Vec3 normal_W{0, 1, 0};  // from A to B at `fraction`; meaningless for kNone
  double distance = 0;     // at `fraction`, m; likewise
  int queries = 0;         // of distances that were spent
};

// The first fraction of the step at which the distance of A and B falls to `target` (>= 0, m).
//
// Promise: before `fraction` the distance is above the target, whatever the speeds, and at it the
// distance is between the target and the target + 1e-4 of the smaller shape's smallest extent (of a
// shape that is thinner than a thousandth of its radius: of a thousandth of that). A pair that
// begins within that is kImpact at fraction 0, also when it parts: the caller knows the velocities.
// Swapping the arguments negates the normal and changes no other bit. At most 32 separation
// queries; kBudget, for motions that graze the target over a long way, is rare and safe.
// Of meshes that are not convex the promise holds for their samples (mesh_samples.h), and the
// distance is within 2e-3 of the smaller shape and the error of the distance field.
// Planes are welcome, also moving ones; two planes never meet (kNone).
// Precondition: finite motions, check() of both shapes is ok.
ImpactTime calc_time_of_impact(const Shape& a, const ShapeMotion& motion_a, const Shape& b,
                               const ShapeMotion& motion_b, double target);

}  // namespace tenon
