// What the source files of BroadPhase share.
#pragma once

#include <limits>

#include "tenon/engine/collision/broad/broad_phase.h"

namespace tenon {

// visit(id) for every proxy that passes the test (see BoxTree::visit_where) in its tree.
template <class Test, class Visit>
void BroadPhase::visit_trees(Test&& test, Visit&& visit) const {
  moving_tree_.visit_where(test, visit);
  static_tree_.visit_where(test, visit);
  young_tree_.visit_where(test, visit);
}

namespace broad {

// The box as doubles; sides at the limit of the trees' range stand for anything beyond it.
inline Aabb unclamped(const FloatBox& box) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Aabb wide;
  for (int k = 0; k < 3; ++k) {
    wide.lo[k] = box.lo[k] < -0.99 * kFar ? -kInf : static_cast<double>(box.lo[k]);
    wide.hi[k] = box.hi[k] > 0.99 * kFar ? kInf : static_cast<double>(box.hi[k]);
  }
  return wide;
}

}  // namespace broad
}  // namespace tenon
