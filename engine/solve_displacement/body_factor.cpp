#include "tenon/engine/solve_displacement/body_factor.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/mechanism/mechanism.h"

namespace tenon::displacement {
namespace {

uint64_t key_of(uint32_t a, uint32_t b) {
  return static_cast<uint64_t>(std::min(a, b)) << 32 | std::max(a, b);
}

// Pairs of nodes that share a row, sorted.
std::vector<uint64_t> find_keys(const RowSet& rows, std::span<const uint32_t> node) {
  std::vector<uint64_t> keys;
  for (const Row& row : rows.rows) {
    for (const Entry& e : rows.of(row)) {
      for (const Entry& g : rows.of(row)) {
        const uint32_t a = node[e.body], b = node[g.body];
        if (a != kNoNode && b != kNoNode && a < b) keys.push_back(key_of(a, b));
      }
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

void add_outer(double* block, const Six& a, const Six& b) {
  const double u[6] = {a.x.x, a.x.y, a.x.z, a.r.x, a.r.y, a.r.z};
  const double v[6] = {b.x.x, b.x.y, b.x.z, b.r.x, b.r.y, b.r.z};
  for (size_t i = 0; i < 6; ++i)
    for (size_t j = 0; j < 6; ++j) block[6 * i + j] += u[i] * v[j];
}

}  // namespace

void BodyFactor::reset(std::span<const Body> bodies, const RowSet& rows) {
  node_.assign(bodies.size(), kNoNode);
  body_.clear();
  for (uint32_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].inv_mass == 0) continue;
    node_[b] = static_cast<uint32_t>(body_.size());
    body_.push_back(b);
  }
  BlockGraph graph;
  graph.size.assign(body_.size(), 6);
  const std::vector<uint64_t> keys = find_keys(rows, node_);
  for (const uint64_t key : keys) {
    graph.edges.emplace_back(static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key));
  }
  pattern_ = make_block_pattern(graph);
  lu_.reset(pattern_);
  places_.clear();
  for (const auto& [a, b] : graph.edges) places_.emplace_back(key_of(a, b), pattern_.find(a, b));
}

const BlockPattern::Place* BodyFactor::find(uint32_t a, uint32_t b, size_t& index) const {
  const uint64_t key = key_of(a, b);
  const auto it = std::lower_bound(places_.begin(), places_.end(), key,
                                   [](const auto& p, uint64_t k) { return p.first < k; });
  if (it == places_.end() || it->first != key) return nullptr;
  index = static_cast<size_t>(it - places_.begin());
  return &it->second;
}

bool BodyFactor::fits(const RowSet& rows, std::span<const Body> bodies) const {
  if (node_.size() != bodies.size()) return false;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if ((bodies[b].inv_mass == 0) != (node_[b] == kNoNode)) return false;
  }
  const std::vector<uint64_t> keys = find_keys(rows, node_);
  return std::equal(keys.begin(), keys.end(), places_.begin(), places_.end(),
                    [](uint64_t key, const auto& place) { return key == place.first; });
}

void BodyFactor::assemble(std::span<const Body> bodies, const Configuration& at, const RowSet& rows,
                          std::span<const uint8_t> use) {
  rows_ = &rows;
  use_ = use;
  diagonal_.assign(36 * body_.size(), 0);
  below_.assign(36 * places_.size(), 0);
  metric_.assign(10 * body_.size(), 0);
  double mean = 0;
  for (const uint32_t b : body_) mean += 1 / bodies[b].inv_mass;
  mean /= static_cast<double>(std::max<size_t>(1, body_.size()));
  for (size_t n = 0; n < body_.size(); ++n) {
    const Body& body = bodies[body_[n]];
    metric_[10 * n] = 1 / (mean * body.inv_mass);
    if (body.inv_I_B == Mat3{}) {  // a point mass: it does not turn, whatever rows ask
      for (size_t k = 0; k < 3; ++k) metric_[10 * n + 1 + 4 * k] = kInfinity;
      continue;
    }
    const Mat3 R = to_matrix(at[body_[n]].q);
    const Mat3 I = (1 / mean) * (R * inverse(body.inv_I_B) * transpose(R));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) metric_[10 * n + 1 + static_cast<size_t>(3 * i + j)] = I(i, j);
  }
  for (size_t r = 0; r < rows.rows.size(); ++r) {
    if (!use.empty() && use[r] == 0) continue;
    const auto entries = rows.of(rows.rows[r]);
    for (const Entry& e : entries) {
      const uint32_t a = node_[e.body];
      if (a == kNoNode) continue;
      for (const Entry& g : entries) {
        const uint32_t b = node_[g.body];
        if (b == kNoNode) continue;
        if (a == b) {
          add_outer(&diagonal_[36 * a], {e.f, e.t}, {g.f, g.t});
          continue;
        }
        size_t index = 0;
        const BlockPattern::Place* place = find(a, b, index);
        if (place == nullptr || place->a_is_row != (a < b)) continue;  // once, the later one first
        add_outer(&below_[36 * index], {e.f, e.t}, {g.f, g.t});
      }
    }
  }
}

bool BodyFactor::solve(double mu, std::span<const double> wanted, std::span<Six> step) {
  lu_.clear_symmetric();
  for (uint32_t n = 0; n < body_.size(); ++n) {
    double* D = lu_.diagonal(n);
    std::copy_n(&diagonal_[36 * n], 36, D);
    const double* metric = &metric_[10 * n];
    for (size_t i = 0; i < 3; ++i) D[7 * i] += mu * metric[0];
    if (metric[1] == kInfinity) {
      for (size_t i = 0; i < 6; ++i)
        for (size_t j = 0; j < 6; ++j)
          if (i >= 3 || j >= 3) D[6 * i + j] = i == j ? 1 : 0;
      continue;
    }
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 3; ++j) D[6 * (i + 3) + j + 3] += mu * metric[1 + 3 * i + j];
  }
  for (size_t p = 0; p < places_.size(); ++p) {
    std::copy_n(&below_[36 * p], 36, lu_.lower(places_[p].second.block));
  }
  // bodies that do not turn are coupled by their translation alone
  for (size_t p = 0; p < places_.size(); ++p) {
    const auto low = static_cast<uint32_t>(places_[p].first >> 32);
    const auto high = static_cast<uint32_t>(places_[p].first);
    const bool low_is_row = places_[p].second.a_is_row;
    const uint32_t row = low_is_row ? low : high, column = low_is_row ? high : low;
    double* B = lu_.lower(places_[p].second.block);
    const bool still_row = metric_[10 * row + 1] == kInfinity;
    const bool still_column = metric_[10 * column + 1] == kInfinity;
    for (size_t i = 0; i < 6 && (still_row || still_column); ++i)
      for (size_t j = 0; j < 6; ++j)
        if ((still_row && i >= 3) || (still_column && j >= 3)) B[6 * i + j] = 0;
  }
  lu_.factor_symmetric();
  x_.assign(lu_.rows(), 0);
  const auto add = [&](uint32_t n, const Six& v, double factor) {
    double* x = &x_[lu_.offset_of(n)];
    for (int k = 0; k < 3; ++k) {
      x[k] += factor * v.x[k];
      if (metric_[10 * n + 1] != kInfinity) x[k + 3] += factor * v.r[k];
    }
  };
  for (size_t r = 0; r < rows_->rows.size(); ++r) {
    if (!use_.empty() && use_[r] == 0) continue;
    for (const Entry& e : rows_->of(rows_->rows[r])) {
      if (node_[e.body] != kNoNode) add(node_[e.body], {e.f, e.t}, wanted[r]);
    }
  }
  lu_.solve_symmetric(x_);
  std::fill(step.begin(), step.end(), Six{});
  bool finite = true;
  for (uint32_t n = 0; n < body_.size(); ++n) {
    const double* x = &x_[lu_.offset_of(n)];
    step[body_[n]] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    finite = finite && is_finite(step[body_[n]].x) && is_finite(step[body_[n]].r);
  }
  return finite;
}

}  // namespace tenon::displacement
