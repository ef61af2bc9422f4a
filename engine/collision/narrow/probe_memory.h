// Which points of a mesh may be near another shape: found once, and true as long as the two have
// moved little beside each other. A memory saves searches and changes no contact: whoever has none,
// or an old one, gets the same bits. docs/theory/meshes.md, section 2.
#pragma once

#include <array>
#include <vector>

#include "tenon/engine/math/transform.h"

namespace tenon {

// Samples of one shape of a pair, held against the other, the target.
struct ProbeMemory {
  struct Near {
    int sample = 0;       // of MeshSamples, in the order of its tree
    double distance = 0;  // m, no larger than it was
  };
  Transform X_TS;      // the prober in the target's frame, when it was made
  double within = -1;  // m: all samples that were as near as this are listed; < 0: nothing is known
  std::vector<Near> list;
};

struct PairMemory {
  std::array<ProbeMemory, 2> of;  // A's samples, B's
};

}  // namespace tenon
