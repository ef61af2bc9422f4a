// Contact patches of a mesh with any other shape, another mesh included.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/collision/narrow/manifold.h"
#include "tenon/engine/collision/narrow/probe_memory.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon {

// Whether a pair may have more than one patch: one of the two is a mesh that is not convex.
bool has_patches(const Shape& a, const Shape& b);

// How far points of B go beside those of A in the coming step: at p by shift + turn x (p - about).
// Only what comes as near as `near` (m) on that way matters then; without one, all within the
// margin.
struct PairMotion {
  Vec3 shift_W, turn_W, about_W;
  double near = -1;  // < 0: the margin
  // Features of the points in which the two touched last; they stay where others are as good.
  std::span<const uint32_t> known = {};
  // Of these two shapes, from earlier searches and for later ones; nullptr: none is kept.
  PairMemory* memory = nullptr;
};

// Appends the contact patches of A and B to `out`, where their distance is at most `margin` (>= 0,
// m). At least one of the two is a mesh; a mesh that is convex counts as its hull. Points of a
// patch share its normal but for a few degrees; each has the exact gap, along the normal, of the
// two surfaces there. Feature ids are unique within a patch and hold while a contact lasts. Patches
// come in order of their first ids. What faces away, as the far side of a sheet, makes no contact.
// Of many points those are chosen that are deepest or will be, as `motion` says, and span the
// patch.
//
// Against a closed mesh depth is that of the nearest face that looks at the other shape, however
// thin the mesh is there. An open one has a front and a back: it pushes towards its front, what is
// behind it no farther than the other shape is thick.
//
// Returns false where no point of either comes near the other on the way that `motion` says, and
// there is no contact; true says less: on long ways they may meet where none is seen now.
//
// Promise: the same input gives the same bits everywhere; never NaN for finite input.
bool collide_mesh(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                  double margin, std::vector<Manifold>& out, const PairMotion& motion = {});

// The deepest of them; count 0 and a distance above the margin where there is none.
Manifold collide_deepest(const Shape& a, const Transform& X_WA, const Shape& b,
                         const Transform& X_WB, double margin);

// What contacts take a shape for: a convex mesh for its hull, all others for themselves.
const Shape& counts_as(const Shape& shape);

// Any two shapes: collide() (collide.h) where both are convex.
void collide_all(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                 double margin, std::vector<Manifold>& out, const PairMotion& motion = {});

// How far two shapes are apart, one of them a mesh: exact for samples of either and the distance of
// the other, so too large by no more than `error`.
struct MeshDistance {
  double distance = 0;     // m; greater than max_distance: only that is known
  double error = 0;        // m
  Vec3 normal_W{0, 1, 0};  // from A to B
  Vec3 p_W;                // midway between the nearest points
};
MeshDistance find_mesh_distance(const Shape& a, const Transform& X_WA, const Shape& b,
                                const Transform& X_WB, double max_distance);

}  // namespace tenon
