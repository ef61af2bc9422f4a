// How a mechanism answers to impulses, as a matrix.
#include <algorithm>
#include <memory>

#include "tenon/engine/solve_articulated/detail/newton.h"

namespace tenon::direct {
namespace {

// M^-1 of a body to rows of n numbers.
void set_inverse_mass(const StepBody& body, bool turns, double* to, size_t n) {
  for (size_t k = 0; k < 3; ++k) to[k * (n + 1)] = body.mass->inv_mass;
  if (!turns) return;
  const Mat3 R = to_matrix(body.end.q_WB);
  const Mat3 inv_I = R * body.mass->inv_I_B * transpose(R);
  for (size_t k = 0; k < 3; ++k) {
    for (size_t l = 0; l < 3; ++l) {
      to[(3 + k) * n + 3 + l] = inv_I(static_cast<int>(k), static_cast<int>(l));
    }
  }
}

// A block to its place and, transposed, to that of its mirror image; of one at the diagonal the
// lower half.
void store_block(const double* from, size_t stride, size_t n, double* to, double* mirror) {
  if (to == mirror) {
    for (size_t k = 0; k < 6; ++k) {
      for (size_t l = 0; l <= k; ++l) to[k * n + l] = to[l * n + k] = from[k * stride + l];
    }
    return;
  }
  for (size_t k = 0; k < 6; ++k) {
    for (size_t l = 0; l < 6; ++l) to[k * n + l] = mirror[l * n + k] = from[k * stride + l];
  }
}

constexpr uint32_t kAbsent = 0xffffffffu;

// visit(k, number) for the wrench of a bounded row: k counts six for each place.
template <typename Visit>
void each_number(const BoundedRow& r, std::span<const uint32_t> place, uint32_t moving,
                 const Visit& visit) {
  for (int e = 0; e < 2; ++e) {
    if (r.body[e] >= moving) continue;
    const size_t k = 6u * place[r.body[e]];
    const double wrench[6] = {r.f[e].x, r.f[e].y, r.f[e].z, r.t[e].x, r.t[e].y, r.t[e].z};
    for (size_t i = 0; i < 6; ++i) {
      if (wrench[i] != 0) visit(k + i, wrench[i]);
    }
  }
}

}  // namespace

// Phi = M^-1 - M^-1 G^T A^-1 G M^-1, rows and columns of some bodies. Hubs stand in the matrix with
// their own momentum, [A G; G^T -M]: for them Phi has no M^-1, and unit rows in place of G M^-1.
void Rows::calc_body_answer(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                            BlockLu& lu, const Mechanism& m, std::span<const uint32_t> which,
                            double* answer) {
  const size_t n = 6 * which.size();
  const BlockPattern& pattern = lu.pattern();
  answer_index_.assign(bodies.size(), kAbsent);
  for (uint32_t i = 0; i < which.size(); ++i) answer_index_[which[i]] = i;
  // of a body's joints, all of which are neighbours, the one that is eliminated first
  const auto each_entry = [&](const auto& visit) {
    for (uint32_t j = 0; j < m.joints.size(); ++j) {
      for (size_t e = 0; e < m.joints[j].entry_count; ++e) {
        const uint32_t b = m.joints[j].body[e];
        if (answer_index_[b] != kAbsent && work[b].moves) visit(j, e, b, answer_index_[b]);
      }
    }
  };
  first_node_.assign(which.size(), kAbsent);
  each_entry([&](uint32_t j, size_t, uint32_t b, uint32_t i) {
    if (m.hub_node[b] != kNoNode) {
      first_node_[i] = m.hub_node[b];
    } else if (first_node_[i] == kAbsent || pattern.column[j] < pattern.column[first_node_[i]]) {
      first_node_[i] = j;
    }
  });
  BlockAnswer block_answer;
  block_answer.reset(lu, first_node_);
  each_entry([&](uint32_t j, size_t e, uint32_t b, uint32_t i) {
    if (m.hub_node[b] != kNoNode) return;
    const size_t rows = lu.rows_of(j);
    for (size_t k = 0; k < rows; ++k) {
      const Motion u = row_answer(j, e, k);
      const double values[6] = {u.v.x, u.v.y, u.v.z, u.w.x, u.w.y, u.w.z};
      double* to = block_answer.at(j, k, i);
      for (size_t l = 0; l < 6; ++l) to[l] += values[l];
    }
  });
  for (uint32_t i = 0; i < which.size(); ++i) {
    const uint32_t b = which[i];
    if (m.hub_node[b] == kNoNode) continue;
    for (size_t k = 0; k < (work[b].turns ? 6 : 3); ++k) {
      block_answer.at(m.hub_node[b], k, i)[k] = 1;
    }
  }
  block_answer.solve();
  // six rows at a time, half of them; the other half is their mirror image
  const size_t stride = n + 2;
  answer_work_.resize(6 * stride);
  for (uint32_t place = 0; place < which.size(); ++place) {
    const uint32_t i = block_answer.body_at(place), b = which[i];
    double* rows = answer_work_.data();
    for (size_t k = 0; k < 6; ++k) std::fill_n(rows + k * stride, 6 * (place + 1), 0.0);
    if (m.hub_node[b] == kNoNode)
      set_inverse_mass(bodies[b], work[b].turns, rows + 6 * place, stride);
    block_answer.subtract(place, rows, stride);
    for (uint32_t other = 0; other <= place; ++other) {
      const uint32_t j = block_answer.body_at(other);
      store_block(rows + 6 * other, stride, n, &answer[6 * (i * n + j)], &answer[6 * (j * n + i)]);
    }
  }
}

// W^T Phi W with wrenches W on the bodies: six units for each that is asked for, then those of
// bounded rows.
void Rows::calc_answer(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                       BlockLu& lu, const Mechanism& m, std::span<const uint32_t> which,
                       std::vector<double>& answer) {
  const std::span<const BoundedRow> bounded = bounded_rows();
  if (bounded.empty()) {
    answer.resize(36 * which.size() * which.size());
    return calc_body_answer(bodies, work, lu, m, which, answer.data());
  }
  // bodies of bounded rows behind the others
  std::vector<uint32_t>& all = answer_bodies_;
  all.assign(which.begin(), which.end());
  std::vector<uint32_t> place(bodies.size(), kAbsent);
  for (uint32_t i = 0; i < which.size(); ++i) place[which[i]] = i;
  for (const BoundedRow& r : bounded) {
    for (const uint32_t b : r.body) {
      if (b >= m.moving || place[b] != kAbsent) continue;
      place[b] = static_cast<uint32_t>(all.size());
      all.push_back(b);
    }
  }
  const size_t units = 6 * which.size(), n = units + bounded.size(), from = 6 * all.size();
  // for this mechanism alone: what is given back at once is still in the cache for the next one
  const auto of_bodies = std::make_unique_for_overwrite<double[]>(from * from);
  calc_body_answer(bodies, work, lu, m, all, of_bodies.get());
  answer.resize(n * n);
  for (size_t j = 0; j < units; ++j) {
    std::copy_n(&of_bodies[j * from], units, &answer[j * n]);
  }
  // velocities of all bodies per impulse of a row
  std::vector<double>& u = answer_work_;
  u.resize(from);
  for (size_t r = 0; r < bounded.size(); ++r) {
    std::fill(u.begin(), u.end(), 0.0);
    for (int e = 0; e < 2; ++e) {
      if (bounded[r].body[e] >= m.moving) continue;
      const double* columns = &of_bodies[6u * place[bounded[r].body[e]] * from];
      const Vec3 &f = bounded[r].f[e], &t = bounded[r].t[e];
      if (!(f == Vec3{})) add_three(u.data(), &f.x, columns, from);
      if (!(t == Vec3{})) add_three(u.data(), &t.x, columns + 3 * from, from);
    }
    double* to = &answer[(units + r) * n];
    for (size_t i = 0; i < units; ++i) to[i] = answer[i * n + units + r] = u[i];
    for (size_t s = 0; s <= r; ++s) {
      double rate = 0;
      each_number(bounded[s], place, m.moving, [&](size_t k, double w) { rate += w * u[k]; });
      to[units + s] = answer[(units + s) * n + units + r] = rate;
    }
    to[units + r] += bounded[r].soft;
  }
}

}  // namespace tenon::direct
