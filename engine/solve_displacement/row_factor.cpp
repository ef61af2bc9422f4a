#include "tenon/engine/solve_displacement/row_factor.h"

#include <algorithm>
#include <cmath>

namespace tenon::displacement {
namespace {

constexpr uint32_t kMostRows = 6;    // of a block
constexpr double kSoftness = 1e-10;  // of a row's own diagonal

std::vector<uint32_t> find_links(std::span<const Body> bodies, const RowSet& rows) {
  std::vector<uint32_t> links;
  for (const Row& row : rows.rows) {
    links.push_back(row.owner);
    links.push_back(static_cast<uint32_t>(row.kind));
    for (const Entry& e : rows.of(row)) {
      links.push_back(bodies[e.body].inv_mass > 0 ? e.body : 0xffffffffu);
    }
  }
  return links;
}

}  // namespace

bool RowFactor::fits(std::span<const Body> bodies, const RowSet& rows) const {
  return !links_.empty() && links_ == find_links(bodies, rows);
}

void RowFactor::reset(std::span<const Body> bodies, const RowSet& rows) {
  links_ = find_links(bodies, rows);
  nodes_.clear();
  for (uint32_t r = 0; r < rows.rows.size(); ++r) {
    const bool same =
        r > 0 && rows.rows[r].owner == rows.rows[r - 1].owner && nodes_.back().count < kMostRows;
    if (same) {
      ++nodes_.back().count;
    } else {
      nodes_.push_back({r, 1});
    }
  }
  // nodes at each body, then pairs of them
  std::vector<std::vector<uint32_t>> at_body(bodies.size());
  BlockGraph graph;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    graph.size.push_back(static_cast<uint8_t>(nodes_[n].count));
    for (uint32_t r = nodes_[n].first; r < nodes_[n].first + nodes_[n].count; ++r) {
      for (const Entry& e : rows.of(rows.rows[r])) {
        if (bodies[e.body].inv_mass == 0) continue;
        std::vector<uint32_t>& list = at_body[e.body];
        if (list.empty() || list.back() != n) list.push_back(n);
      }
    }
  }
  for (std::vector<uint32_t>& list : at_body) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (size_t i = 0; i < list.size(); ++i) {
      for (size_t k = i + 1; k < list.size(); ++k) graph.edges.emplace_back(list[i], list[k]);
    }
  }
  std::sort(graph.edges.begin(), graph.edges.end());
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
  pattern_ = make_block_pattern(graph);
  lu_.reset(pattern_);
  pairs_.clear();
  for (const auto& [a, b] : graph.edges) pairs_.push_back({a, b, pattern_.find(a, b)});
}

void RowFactor::factor(const Operator& op, std::span<const double> soft) {
  lu_.clear_symmetric();
  const RowSet& rows = op.set();
  const auto couple = [&](uint32_t r, uint32_t s) {
    double sum = 0;
    for (const Entry& e : rows.of(rows.rows[r])) {
      for (const Entry& g : rows.of(rows.rows[s])) {
        if (e.body == g.body) sum += dot(Six{e.f, e.t}, op.inverse_mass(e.body, {g.f, g.t}));
      }
    }
    return sum;
  };
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    double* D = lu_.diagonal(n);
    const uint32_t count = nodes_[n].count, first = nodes_[n].first;
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t j = 0; j <= i; ++j) {
        D[i * count + j] = D[j * count + i] = couple(first + i, first + j);
      }
      double& d = D[i * count + i];
      d = (1 + kSoftness) * d + soft[first + i];
      if (!(d > 0)) d = 1;  // nothing that it could move
    }
  }
  for (const Pair& pair : pairs_) {
    const Node row = nodes_[pair.place.a_is_row ? pair.a : pair.b];
    const Node column = nodes_[pair.place.a_is_row ? pair.b : pair.a];
    double* B = lu_.lower(pair.place.block);
    for (uint32_t i = 0; i < row.count; ++i) {
      for (uint32_t j = 0; j < column.count; ++j) {
        B[i * column.count + j] = couple(row.first + i, column.first + j);
      }
    }
  }
  lu_.factor_symmetric();
}

void RowFactor::solve(std::span<double> force) {
  x_.assign(lu_.rows(), 0);
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    for (uint32_t i = 0; i < nodes_[n].count; ++i) {
      x_[lu_.offset_of(n) + i] = force[nodes_[n].first + i];
    }
  }
  lu_.solve_symmetric(x_);
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    for (uint32_t i = 0; i < nodes_[n].count; ++i) {
      force[nodes_[n].first + i] = x_[lu_.offset_of(n) + i];
    }
  }
}

}  // namespace tenon::displacement
