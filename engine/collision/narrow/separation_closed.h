// Closed forms of the separation query: plane against anything, sphere against anything, and two
// capsules.
#pragma once

#include "tenon/engine/collision/narrow/core.h"
#include "tenon/engine/collision/narrow/separation.h"

namespace tenon::narrow {

// Shapes are ordered so that A is the simpler one: plane, sphere, capsule, box, cylinder, hull.
int order_of(ShapeKind kind);

// A is the plane; `core` is B's in the frame with the plane's origin and the world's axes.
Separation find_separation_plane(const Transform& X_WA, const Core& core);

// True when the pair has a closed form (A's kind before B's in the order above).
bool find_core_separation_closed(ShapeKind a, ShapeKind b, const CorePair& pair,
                                 CoreSeparation& result);

}  // namespace tenon::narrow
