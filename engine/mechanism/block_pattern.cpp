#include "tenon/engine/mechanism/block_pattern.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

#include "tenon/engine/base/assert.h"

namespace tenon {
namespace {

std::vector<uint32_t> order_by_minimum_degree(const BlockGraph& graph) {
  const auto n = static_cast<int>(graph.size.size());
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(2 * graph.edges.size() + graph.size.size());
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [a, b] : graph.edges) {
    entries.emplace_back(static_cast<int>(a), static_cast<int>(b), 1.0);
    entries.emplace_back(static_cast<int>(b), static_cast<int>(a), 1.0);
  }
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(matrix, permutation);
  std::vector<uint32_t> order(graph.size.size());
  for (int i = 0; i < n; ++i) {
    order[static_cast<size_t>(i)] = static_cast<uint32_t>(permutation.indices()[i]);
  }
  return order;
}

// Nodes that would be eliminated before any node that gives them a pivot wait for the first such.
// What waits is a joint between hubs, which makes no fill by waiting; a hub that came forward to it
// would make one clique of all its joints.
std::vector<uint32_t> respect_pivots(const BlockGraph& graph, const std::vector<uint32_t>& order) {
  if (graph.after.empty()) return order;
  std::vector<uint32_t> rank(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::vector<uint32_t> giver(order.size(), UINT32_MAX);  // the earliest node it may follow
  for (const auto& [node, before] : graph.after) {
    if (giver[node] == UINT32_MAX || rank[before] < rank[giver[node]]) giver[node] = before;
  }
  std::vector<std::vector<uint32_t>> waiting(order.size());
  std::vector<uint32_t> result, next;
  std::vector<uint8_t> placed(order.size(), 0);
  for (const uint32_t node : order) {
    if (giver[node] != UINT32_MAX && placed[giver[node]] == 0) {
      waiting[giver[node]].push_back(node);
      continue;
    }
    next.assign(1, node);
    while (!next.empty()) {
      const uint32_t now = next.back();
      next.pop_back();
      result.push_back(now);
      placed[now] = 1;
      next.insert(next.end(), waiting[now].rbegin(), waiting[now].rend());
    }
  }
  return result;
}

// Rows below the diagonal of every column: own edges and what eliminated children hand on.
std::vector<std::vector<uint32_t>> find_fill(const BlockGraph& graph,
                                             const std::vector<uint32_t>& column) {
  const size_t n = column.size();
  std::vector<std::vector<uint32_t>> rows(n), children(n);
  for (const auto& [a, b] : graph.edges) {
    const uint32_t i = column[a], j = column[b];
    rows[std::min(i, j)].push_back(std::max(i, j));
  }
  for (uint32_t c = 0; c < n; ++c) {
    for (const uint32_t child : children[c]) {
      for (const uint32_t r : rows[child]) {
        if (r > c) rows[c].push_back(r);
      }
    }
    std::sort(rows[c].begin(), rows[c].end());
    rows[c].erase(std::unique(rows[c].begin(), rows[c].end()), rows[c].end());
    if (!rows[c].empty()) children[rows[c].front()].push_back(c);
  }
  return rows;
}

void place_blocks(const std::vector<std::vector<uint32_t>>& rows, BlockPattern& p) {
  const size_t n = rows.size();
  p.first.assign(n + 1, 0);
  for (size_t c = 0; c < n; ++c) {
    p.first[c + 1] = p.first[c] + static_cast<uint32_t>(rows[c].size());
  }
  p.row.reserve(p.first[n]);
  p.offset.reserve(p.first[n]);
  for (size_t c = 0; c < n; ++c) {
    p.diagonal.push_back(p.diagonal_store);
    p.diagonal_store += static_cast<uint32_t>(p.size[c]) * p.size[c];
    p.vector.push_back(p.rows);
    p.rows += p.size[c];
    for (const uint32_t r : rows[c]) {
      p.row.push_back(r);
      p.offset.push_back(p.store);
      p.store += static_cast<uint32_t>(p.size[c]) * p.size[r];
    }
  }
}

uint32_t find_block(const BlockPattern& p, uint32_t row, uint32_t column) {
  const auto begin = p.row.begin() + p.first[column], end = p.row.begin() + p.first[column + 1];
  const auto at = std::lower_bound(begin, end, row);
  TENON_DEMAND(at != end && *at == row);
  return static_cast<uint32_t>(at - p.row.begin());
}

void find_targets(BlockPattern& p) {
  const size_t n = p.size.size();
  for (size_t c = 0; c < n; ++c) {
    p.target_first.push_back(static_cast<uint32_t>(p.target.size()));
    for (uint32_t a = p.first[c] + 1; a < p.first[c + 1]; ++a) {
      for (uint32_t b = p.first[c]; b < a; ++b) {
        p.target.push_back(p.offset[find_block(p, p.row[a], p.row[b])]);
      }
    }
  }
}

}  // namespace

BlockPattern::Place BlockPattern::find(uint32_t node_a, uint32_t node_b) const {
  const uint32_t a = column[node_a], b = column[node_b];
  const bool a_is_row = a > b;
  return {a_is_row ? find_block(*this, a, b) : find_block(*this, b, a), a_is_row};
}

BlockPattern make_block_pattern(const BlockGraph& graph) {
  BlockPattern p;
  p.node = respect_pivots(graph, order_by_minimum_degree(graph));
  p.column.resize(p.node.size());
  for (uint32_t c = 0; c < p.node.size(); ++c) p.column[p.node[c]] = c;
  for (const uint32_t node : p.node) p.size.push_back(graph.size[node]);
  p.uniform = p.size.empty() ? uint8_t{0} : p.size.front();
  for (const uint8_t s : p.size) {
    if (s != p.uniform) p.uniform = 0;
  }
  place_blocks(find_fill(graph, p.column), p);
  find_targets(p);
  return p;
}

}  // namespace tenon
