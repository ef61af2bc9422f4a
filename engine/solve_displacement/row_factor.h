// Forces of rows directly: J M^-1 J^T + soft, in blocks of the rows of a joint on the graph of
// joints that share a body, factorised as L D L^T. For rows without bounds; a little softness is
// added to each, so that rows that say a thing twice share it.
//
// Why beside BodyFactor: that one finds displacements, also for rows that contradict each other,
// but forces only as small differences; bodies of very different inertia leave nothing of them.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/mechanism/block_lu.h"
#include "tenon/engine/solve_displacement/rows.h"

namespace tenon::displacement {

class RowFactor {
 public:
  void reset(std::span<const Body> bodies, const RowSet& rows);
  // Is the graph that of these rows?
  bool fits(std::span<const Body> bodies, const RowSet& rows) const;
  // Factorises at the operator's configuration; `soft` by row.
  void factor(const Operator& op, std::span<const double> soft);
  // force: b on entry, by row.
  void solve(std::span<double> force);

 private:
  struct Node {
    uint32_t first, count;  // rows
  };
  std::vector<Node> nodes_;
  std::vector<uint32_t> links_;  // what the graph was made from: owner and bodies of each row
  BlockPattern pattern_;
  BlockLu lu_;
  struct Pair {
    uint32_t a, b;  // nodes, a < b
    BlockPattern::Place place;
  };
  std::vector<Pair> pairs_;
  std::vector<double> x_;
};

}  // namespace tenon::displacement
