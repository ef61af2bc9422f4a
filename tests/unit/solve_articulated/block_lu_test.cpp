// Block-sparse factorisation against a dense one.
#include "tenon/engine/mechanism/block_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "tenon/engine/base/rng.h"

namespace tenon {
namespace {

BlockGraph random_graph(Rng& rng, size_t nodes, std::vector<uint8_t> sizes) {
  BlockGraph graph;
  for (size_t i = 0; i < nodes; ++i) graph.size.push_back(sizes[i % sizes.size()]);
  for (uint32_t i = 1; i < nodes; ++i) graph.edges.push_back({i, rng.below(i)});
  for (size_t i = 0; i < nodes / 2; ++i) {
    const uint32_t a = rng.below(static_cast<uint32_t>(nodes)),
                   b = rng.below(static_cast<uint32_t>(nodes));
    if (a != b) graph.edges.push_back({a, b});
  }
  return graph;
}

// Fills the stores and the dense matrix alike. Diagonal blocks outweigh the rest, so that no
// pivoting across blocks is needed.
Eigen::MatrixXd fill(Rng& rng, const BlockGraph& graph, const BlockPattern& p, bool symmetric,
                     double weight, BlockLu& lu) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(p.rows, p.rows);
  lu.clear();
  const auto at = [&](uint32_t node) { return static_cast<Eigen::Index>(lu.offset_of(node)); };
  for (uint32_t n = 0; n < graph.size.size(); ++n) {
    const size_t m = graph.size[n];
    for (size_t i = 0; i < m; ++i) {
      for (size_t j = 0; j < m; ++j) {
        double v = rng.uniform(-1, 1) + (i == j ? weight : 0.0);
        if (symmetric && j < i) v = lu.diagonal(n)[j * m + i];
        lu.diagonal(n)[i * m + j] = v;
        M(at(n) + static_cast<Eigen::Index>(i), at(n) + static_cast<Eigen::Index>(j)) = v;
      }
    }
  }
  for (const auto& [a, b] : graph.edges) {
    const BlockPattern::Place place = p.find(a, b);
    const uint32_t row = place.a_is_row ? a : b, column = place.a_is_row ? b : a;
    const size_t mr = graph.size[row], mc = graph.size[column];
    for (size_t i = 0; i < mr; ++i) {
      for (size_t j = 0; j < mc; ++j) {
        const double low = rng.uniform(-1, 1), high = symmetric ? low : rng.uniform(-1, 1);
        lu.lower(place.block)[i * mc + j] = low;
        if (!symmetric) lu.upper(place.block)[j * mr + i] = high;
        const Eigen::Index r = at(row) + static_cast<Eigen::Index>(i),
                           c = at(column) + static_cast<Eigen::Index>(j);
        M(r, c) = low;
        M(c, r) = high;
      }
    }
  }
  return M;
}

double solve_error(Rng& rng, const std::vector<uint8_t>& sizes, bool symmetric, double weight) {
  const BlockGraph graph = random_graph(rng, 3 + rng.below(30), sizes);
  const BlockPattern pattern = make_block_pattern(graph);
  BlockLu lu;
  lu.reset(pattern);
  const Eigen::MatrixXd M = fill(rng, graph, pattern, symmetric, weight, lu);
  std::vector<double> x(pattern.rows);
  for (double& v : x) v = rng.uniform(-1, 1);
  const Eigen::VectorXd b = Eigen::Map<Eigen::VectorXd>(x.data(), M.rows());
  if (symmetric) {
    lu.factor_symmetric();
    lu.solve_symmetric(x);
  } else {
    lu.factor_general();
    lu.solve_general(x);
  }
  const Eigen::VectorXd expected = M.partialPivLu().solve(b);
  const Eigen::VectorXd found = Eigen::Map<Eigen::VectorXd>(x.data(), M.rows());
  return (found - expected).norm() / (1 + expected.norm());
}

TEST(BlockLu, SolvesLikeADenseFactorisation) {
  Rng rng(7);
  for (const std::vector<uint8_t>& sizes :
       {std::vector<uint8_t>{3}, {5}, {6}, {1}, {1, 2, 3, 4, 5, 6}, {3, 5}}) {
    for (int n = 0; n < 60; ++n) {
      // condition numbers stay below some hundreds with these weights
      EXPECT_LT(solve_error(rng, sizes, false, 30), 1e-12) << int{sizes[0]};
      EXPECT_LT(solve_error(rng, sizes, true, 30), 1e-12) << int{sizes[0]};
    }
  }
}

// Blocks of five whose leading three rows, or what is left of the last two, have hardly a pivot of
// their own: the fast inverse must hand over.
TEST(BlockLu, InvertsBlocksWithoutLeadingPivots) {
  for (const size_t weak : {size_t{0}, size_t{1}}) {
    BlockGraph graph;
    graph.size = {5};
    const BlockPattern pattern = make_block_pattern(graph);
    BlockLu lu;
    lu.reset(pattern);
    lu.clear();
    Eigen::Matrix<double, 5, 5> M = Eigen::Matrix<double, 5, 5>::Identity();
    if (weak == 0) {  // rows 0 and 3 exchanged
      M.row(0).swap(M.row(3));
    } else {  // the last two rows depend on the first ones but for 1e-9
      M.row(3) = M.row(0);
      M.row(4) = M.row(1);
      M(3, 3) = 1e-9;
      M(4, 4) = -2e-9;
    }
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 5; ++j) lu.diagonal(0)[5 * i + j] = M(i, j);
    }
    std::vector<double> x{1, 2, 3, 4, 5};
    const Eigen::VectorXd b = Eigen::Map<Eigen::VectorXd>(x.data(), 5);
    EXPECT_EQ(lu.factor_general(), 0);
    lu.solve_general(x);
    const Eigen::VectorXd residual = M * Eigen::Map<Eigen::VectorXd>(x.data(), 5) - b;
    EXPECT_LT(residual.norm(), 1e-5) << weak;
  }
}

}  // namespace
}  // namespace tenon
