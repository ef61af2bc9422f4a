// What of one world goes on in another.
#pragma once

#include <utility>
#include <vector>

#include "tenon/engine/base/handle.h"

namespace tenon {

// Pairs {there, here}: the same thing in the world that ran so far and in the one that takes over.
// What stands in no pair is new here and starts as it was made.
struct CarryOver {
  std::vector<std::pair<BodyHandle, BodyHandle>> bodies;
  std::vector<std::pair<JointHandle, JointHandle>> joints;
};

}  // namespace tenon
