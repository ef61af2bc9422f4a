// Broad phase: which boxes overlap. Incremental, near-linear, and deterministic.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tenon/engine/math/aabb.h"

namespace tenon {

// A proxy is one box with a user id. Ids are small dense integers chosen by the caller.
using ProxyId = uint32_t;

// a < b. Pairs are always reported sorted by (a, b).
struct ProxyPair {
  ProxyId a, b;
  friend auto operator<=>(const ProxyPair&, const ProxyPair&) = default;
};

}  // namespace tenon
