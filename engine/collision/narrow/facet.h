// Facets of the Minkowski difference, as a short way to the exact separation of common contacts.
#pragma once

#include "tenon/engine/collision/narrow/core.h"

namespace tenon::narrow {

// Tries the directions along which E (core.h) has a flat facet that is cheap to know: faces of
// hulls, boxes and cylinders, and two lines (side of a cylinder, edge of a box) that cross. True
// where the best of them is proved to give the distance, or to be a lower bound of it above `far`
// (then the points mean nothing). False: something else may be better; `out` is worthless.
bool find_facet(const CorePair& pair, double far, CoreSeparation& out);

}  // namespace tenon::narrow
