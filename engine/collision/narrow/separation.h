// Signed distance of two convex shapes, with the normal and the witness points. Of meshes that are
// not convex: about, as find_mesh_distance (collide_mesh.h) says.
//
// Promise, for every pair of kinds, wherever the shapes are and however they overlap:
//   - distance is Euclidean where the shapes are apart, and minus the penetration depth (length of
//     the shortest translation that separates them) where they overlap; its error is below 1e-6 of
//     the smaller shape's smallest extent, in most cases a few round-offs;
//   - normal_W is a unit vector from A to B: moving B by t * normal_W changes the distance by t for
//     small t (and for all t >= 0); where several directions serve equally well, one of them;
//   - p_WA lies on A, p_WB on B, and p_WB - p_WA = distance * normal_W, each within 2e-6 of the
//     smaller shape's length plus 1e-9 of the distance (mostly round-off);
//   - swapping the arguments gives the same bits mirrored (normal negated, points exchanged);
//   - no iteration is unbounded, no result is NaN for finite input.
// Two planes are never in contact: distance +infinity, points at the planes' origins.
// Poses are rotations and finite positions; shape sizes are finite and positive (zero extents of a
// box, cylinder or capsule are allowed: a plate, a disk, a segment).
#pragma once

#include "tenon/engine/geometry/shape.h"

namespace tenon {

struct Separation {
  Vec3 normal_W{0, 1, 0};  // from A to B
  double distance = 0;     // m; negative: penetration depth
  Vec3 p_WA, p_WB;         // witness points on the surfaces
};

Separation find_separation(const Shape& a, const Transform& X_WA, const Shape& b,
                           const Transform& X_WB);

// What a caller that asks again and again may tell.
struct SeparationQuery {
  // Beyond this distance the exact value does not matter: the result may then be any lower bound of
  // the distance that is itself greater than max_distance, with the direction that proves it (the
  // points are then not witnesses of the shortest distance).
  double max_distance = 1e300;
  // Guess of the normal from A to B, such as last step's; zero: none. It changes the cost, and the
  // result by round-off only.
  Vec3 guess_W;
};

Separation find_separation(const Shape& a, const Transform& X_WA, const Shape& b,
                           const Transform& X_WB, const SeparationQuery& query);

}  // namespace tenon
