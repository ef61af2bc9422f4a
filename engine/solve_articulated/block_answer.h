// Y^T A^-1 Y for a factored symmetric block matrix A and a sparse Y, whose columns come in sixes:
// those of one body each, with rows at the nodes of that body alone.
//
//   A = L D L^T (L unit lower):   Y^T A^-1 Y = Z^T D^-1 Z,   Z = L^-1 Y                         (1)
// Half of a solve, and symmetric. Columns of Z that belong to a body are zero but on the way from
// its first node up the elimination tree. Bodies are put in an order in which those that reach a
// node stand side by side (a node's own, then those of one branch after the other): what remains is
// dense products of just these.
#pragma once

#include <memory>

#include "tenon/engine/mechanism/block_lu.h"

namespace tenon {

// Subtracts X^T A^-1 X from the lower half of `answer` (n x n). X holds lu.rows() rows of n
// numbers, which it uses up; `touched`: of each column, whether its rows are not zero. n <=
// kMostAnswers.
inline constexpr size_t kMostAnswers = 24;
void subtract_answer(const BlockLu& lu, std::span<uint8_t> touched, double* X, size_t n,
                     double* answer);

// to (n numbers) += three rows of n numbers, each times its factor.
void add_three(double* to, const double* factor, const double* rows, size_t n);

class BlockAnswer {
 public:
  // Of each body: the node of its own that is eliminated first. All others of its nodes must be
  // reached from there, as they are where they share edges.
  void reset(const BlockLu& lu, std::span<const uint32_t> first_node);
  // Six numbers of Y, all zero at first: row k of a node, columns of a body.
  double* at(uint32_t node, size_t k, uint32_t body) {
    const Panel& Z = panels_[lu_->pattern().column[node]];
    return Z.data + k * Z.width + 6 * (place_[body] - Z.begin);
  }
  // Goes from Y to Z and D^-1 Z.
  void solve();
  // Place of a body, and the body at a place.
  uint32_t place(uint32_t body) const { return place_[body]; }
  uint32_t body_at(uint32_t place) const { return body_[place]; }
  // After solve(): subtracts six rows of (1), those of the body at a place, from `rows` (of
  // `stride` numbers each; columns in the order of places), up to that place's own columns. Up to
  // two numbers behind these lose their value.
  void subtract(uint32_t place, double* rows, size_t stride) const;

  // Rows of a column of the factors: of Z, those of the bodies that reach it.
  struct Panel {
    double* data = nullptr;
    double* scaled = nullptr;  // D^-1 Z
    size_t rows = 0, width = 0;
    uint32_t begin = 0;  // place of the first of these bodies
  };

 private:
  const BlockLu* lu_ = nullptr;
  std::vector<Panel> panels_;           // of columns
  std::vector<uint32_t> place_, body_;  // of bodies, of places
  std::vector<uint32_t> column_;        // of places: where they begin
  std::vector<uint32_t> next_, own_;    // of columns
  std::unique_ptr<double[]> store_;
};

}  // namespace tenon
