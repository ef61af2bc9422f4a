// Compares find_separation with the reference over many random cases of one pair of kinds.
#pragma once

#include "tenon/engine/geometry/shape.h"

namespace tenon::reference {

struct PairOfKinds {
  ShapeKind a, b;
};

// Runs `cases` random cases, reports each failed promise to GoogleTest (the first few in detail)
// and prints the worst errors.
void check_pair(const PairOfKinds& pair, int cases);

}  // namespace tenon::reference
