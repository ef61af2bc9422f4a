#include "tenon/engine/mechanism/block_pattern.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "tenon/engine/base/assert.h"

namespace tenon {
namespace {

// Greedy elimination. Next is the node whose elimination makes the fewest new neighbours, of those
// the one with the fewest neighbours, of those the first. What is new between neighbours of others
// is not looked at again: counts of nodes two edges away may be too high, which costs no fill worth
// the time. Nor are those of nodes with very many neighbours counted: there, fewest neighbours win.
class MinimumFill {
 public:
  explicit MinimumFill(const BlockGraph& graph) : neighbours_(graph.size.size()) {
    for (const auto& [a, b] : graph.edges) {
      neighbours_[a].push_back(b);
      neighbours_[b].push_back(a);
    }
    for (std::vector<uint32_t>& list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    keys_.resize(neighbours_.size());
    for (uint32_t i = 0; i < neighbours_.size(); ++i) {
      keys_[i] = calc_key(i);
      queue_.insert({keys_[i], i});
    }
  }

  std::vector<uint32_t> find_order() {
    std::vector<uint32_t> order;
    while (!queue_.empty()) {
      const uint32_t node = queue_.begin()->second;
      queue_.erase(queue_.begin());
      order.push_back(node);
      eliminate(node);
    }
    return order;
  }

 private:
  static constexpr size_t kMostCounted = 64;
  using Key = std::pair<uint64_t, size_t>;         // new edges, neighbours
  std::vector<std::vector<uint32_t>> neighbours_;  // ascending
  std::vector<Key> keys_;
  std::set<std::pair<Key, uint32_t>> queue_;
  std::vector<uint32_t> merged_;

  Key calc_key(uint32_t node) const {
    const std::vector<uint32_t>& own = neighbours_[node];
    if (own.size() > kMostCounted) return {own.size() * own.size(), own.size()};
    uint64_t missing = 0;
    for (size_t i = 0; i < own.size(); ++i) {
      // those of `own` behind own[i] that it does not know
      const std::vector<uint32_t>& other = neighbours_[own[i]];
      auto at = std::upper_bound(other.begin(), other.end(), own[i]);
      for (size_t k = i + 1; k < own.size(); ++k) {
        while (at != other.end() && *at < own[k]) ++at;
        missing += at == other.end() || *at != own[k] ? 1 : 0;
      }
    }
    return {missing, own.size()};
  }

  // Its neighbours become neighbours of each other.
  void eliminate(uint32_t node) {
    const std::vector<uint32_t> own = std::move(neighbours_[node]);
    for (const uint32_t u : own) {
      merged_.clear();
      std::set_union(neighbours_[u].begin(), neighbours_[u].end(), own.begin(), own.end(),
                     std::back_inserter(merged_));
      std::erase_if(merged_, [&](uint32_t v) { return v == u || v == node; });
      neighbours_[u].swap(merged_);
    }
    for (const uint32_t u : own) {
      queue_.erase({keys_[u], u});
      keys_[u] = calc_key(u);
      queue_.insert({keys_[u], u});
    }
  }
};

// Nodes that would be eliminated before any node that gives them a pivot wait for the first such.
std::vector<uint32_t> respect_pivots(const BlockGraph& graph, const std::vector<uint32_t>& order) {
  if (graph.after.empty()) return order;
  std::vector<uint32_t> rank(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::vector<uint32_t> giver(order.size(), UINT32_MAX);  // the earliest node it may follow
  for (const auto& [node, before] : graph.after) {
    if (giver[node] == UINT32_MAX || rank[before] < rank[giver[node]]) giver[node] = before;
  }
  std::vector<uint32_t> result;
  std::vector<uint8_t> placed(order.size(), 0);
  for (const uint32_t node : order) {
    if (placed[node]) continue;
    if (giver[node] != UINT32_MAX && !placed[giver[node]]) {
      result.push_back(giver[node]);
      placed[giver[node]] = 1;
    }
    result.push_back(node);
    placed[node] = 1;
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
  p.node = respect_pivots(graph, MinimumFill(graph).find_order());
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
