// The direct alternative to conjugate gradients: the normal equations of a regularised least
// squares problem, body by body,
//   (mu M + J^T J) step = J^T (b + nu)                                                       (1)
// in blocks of six on the graph of bodies that share a row, factorised as L D L^T. Redundant and
// contradicting rows need no care. mu > 0 makes the matrix definite; of steps that do equally well
// the one with the least step . M step is taken. M is relative to the mean mass, so that mu has no
// unit.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/mechanism/block_lu.h"
#include "tenon/engine/solve_displacement/rows.h"

namespace tenon::displacement {

class BodyFactor {
 public:
  // Which bodies rows can couple: the graph is made once, from all rows that there are.
  void reset(std::span<const Body> bodies, const RowSet& rows);
  // Is the graph that of these rows? The order of elimination, and so the last bits, must depend on
  // nothing else.
  bool fits(const RowSet& rows, std::span<const Body> bodies) const;
  // J^T J of the rows in use, at the configuration.
  void assemble(std::span<const Body> bodies, const Configuration& at, const RowSet& rows,
                std::span<const uint8_t> use);
  // Solves (1), with b + nu given by row. False where no finite answer was found.
  bool solve(double mu, std::span<const double> wanted, std::span<Six> step);

 private:
  BlockPattern pattern_;
  BlockLu lu_;
  std::vector<uint32_t> node_;                                    // by body; kNoNode: does not move
  std::vector<uint32_t> body_;                                    // by node
  std::vector<std::pair<uint64_t, BlockPattern::Place>> places_;  // by pair of nodes, sorted
  const RowSet* rows_ = nullptr;
  std::span<const uint8_t> use_;
  std::vector<double> diagonal_;  // 36 per node
  std::vector<double> below_;     // 36 per place, row-major by the later node
  std::vector<double> metric_;    // M by node: mass, then 9 of inertia
  std::vector<double> x_;

  const BlockPattern::Place* find(uint32_t a, uint32_t b, size_t& index) const;
};

}  // namespace tenon::displacement
