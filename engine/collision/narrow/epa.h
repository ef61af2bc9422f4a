// Global search for the direction of largest separation, for overlapping cores.
#pragma once

#include "tenon/engine/collision/narrow/core.h"

namespace tenon::narrow {

struct EpaResult {
  int iterations = 0;
  double gap = 0;  // what the true separation may exceed best.s by; <= tolerance unless the
                   // budget ran out
};

// Improves `best` until no direction can separate the cores by more than best.s + tolerance.
// At most 200 support points.
EpaResult expand_polytope(const CorePair& pair, double tolerance, Best& best);

}  // namespace tenon::narrow
