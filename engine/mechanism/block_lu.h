// Numeric factorisation of a block-sparse matrix without pivoting across blocks.
//
//   A = (L + 1) D (1 + D^-1 U),   L strictly lower, U strictly upper, D block diagonal        (1)
// general matrices (LU), or symmetric ones with U = (L D)^T, which cost half (LDL^T).
//
// Why not a library: the structure (blocks of 1 to 6 rows on the graph of a mechanism) is known,
// small and factorised hundreds of times per second, and results must be the same bits on every
// platform; Eigen's SimplicialLDLT works on scalars and is symmetric only, SparseLU pivots.
#pragma once

#include <span>
#include <vector>

#include "tenon/engine/mechanism/block_pattern.h"

namespace tenon {

class BlockLu {
 public:
  // Keeps a pointer to the pattern.
  void reset(const BlockPattern& pattern);
  // How many rows of a node are in use from now on: its first ones; all of them after reset().
  // Blocks are as large as the rows in use; what vectors hold for the others stays as it is.
  void set_rows(uint32_t node, size_t rows) {
    size_[pattern_->column[node]] = static_cast<uint8_t>(rows);
  }
  size_t rows_of(uint32_t node) const { return size_[pattern_->column[node]]; }
  // All blocks zero; for symmetric matrices those above the diagonal are not looked at.
  void clear();
  void clear_symmetric();
  // The square block of a node (row-major, size x size), to be written before factorisation.
  double* diagonal(uint32_t node) { return &diagonal_[pattern_->diagonal[pattern_->column[node]]]; }
  // Blocks below and above the diagonal, by index (BlockPattern::find): m_row x m_col and
  // m_col x m_row numbers, row-major.
  double* lower(uint32_t block) { return &lower_[pattern_->offset[block]]; }
  double* upper(uint32_t block) { return &upper_[pattern_->offset[block]]; }

  // Overwrites the blocks by their factors. Pivots that vanish against their original diagonal are
  // replaced, so that redundant rows are never fatal. Returns how many were.
  int factor_general() { return run_factor(false); }
  int factor_symmetric() { return run_factor(true); }  // uses diagonal() and lower() only
  // Solves A x = b in place; vectors are in the order of nodes' columns (offset_of).
  void solve_general(std::span<double> x) { run_solve(false, x); }
  void solve_symmetric(std::span<double> x) { run_solve(true, x); }
  uint32_t offset_of(uint32_t node) const { return pattern_->vector[pattern_->column[node]]; }
  uint32_t rows() const { return pattern_->rows; }
  const BlockPattern& pattern() const { return *pattern_; }
  // The factors of symmetric matrices: L below the diagonal, D^-1 of a column.
  const double* lower(uint32_t block) const { return &lower_[pattern_->offset[block]]; }
  const double* inverse(uint32_t column) const { return &diagonal_[pattern_->diagonal[column]]; }

 private:
  const BlockPattern* pattern_ = nullptr;
  std::vector<uint8_t> size_;  // rows in use, of each column
  std::vector<double> diagonal_, lower_, upper_, transposed_;

  int run_factor(bool symmetric);
  void run_solve(bool symmetric, std::span<double> x);
};

}  // namespace tenon
