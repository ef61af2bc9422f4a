// How deep bodies overlap, from their poses alone: the same measure for every engine, and none of
// the code with which Tenon finds contacts.
#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "tenon/benchmarks/engines/engine.h"

namespace tenon {

// Depth along the direction that separates the two soonest, m; negative when they are apart (then
// a lower bound of the gap for boxes, the gap itself for capsules).
double calc_penetration(const SceneShape& a, const Pose& X_WA, const SceneShape& b,
                        const Pose& X_WB);

class PenetrationProbe {
 public:
  explicit PenetrationProbe(const BenchScene& scene);
  // The deepest overlap of two bodies that may touch, m; 0 if there is none.
  double find_deepest(const std::vector<BodyReading>& now) const;

 private:
  bool may_touch(size_t a, size_t b) const;
  const BenchScene& scene_;
  std::set<std::pair<int, int>> joined_;
};

}  // namespace tenon
