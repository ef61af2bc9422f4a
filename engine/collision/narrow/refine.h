// Local maximisation of the separation s(n) over the unit sphere.
#pragma once

#include "tenon/engine/collision/narrow/core.h"

namespace tenon::narrow {

// Improves `best` by every kind of contact that is near the direction n0: faces, edge pairs, one
// edge against a curved or pointed feature, two curved or pointed features. Never makes it worse.
void refine_direction(const CorePair& pair, const Vec3& n0, Best& best);

// Refines from the best direction itself, again and again while that helps (a bounded number of
// times): one round moves from ridge to ridge.
void polish(const CorePair& pair, Best& best);

}  // namespace tenon::narrow
