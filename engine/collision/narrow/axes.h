// Largest separation of two polyhedral cores over their finite set of separating axes.
#pragma once

#include "tenon/engine/collision/narrow/core.h"

namespace tenon::narrow {

// Two boxes (also flat ones: plates, segments, points): 15 axes.
void try_axes_box_box(const CorePair& pair, Best& best);

// Cost of try_axes_hull: number of edge pairs.
double count_edge_pairs(const CorePair& pair);

// At least one of the two is a hull, none a cylinder: all face normals, and the edge pairs that
// make a face of E.
void try_axes_hull(const CorePair& pair, Best& best);

}  // namespace tenon::narrow
