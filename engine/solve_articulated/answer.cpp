// How a mechanism answers to impulses, as a matrix.
#include "tenon/engine/solve_articulated/detail/newton.h"

namespace tenon::direct {

// Phi = M^-1 - M^-1 G^T A^-1 G M^-1, rows and columns of some bodies; A^-1 by one solve with a
// right-hand side for each column.
void Rows::calc_answer(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                       BlockLu& lu, const Mechanism& m, std::span<const uint32_t> which,
                       std::vector<double>& answer) {
  const size_t n = 6 * which.size();
  constexpr uint32_t kNone = 0xffffffffu;
  std::vector<uint32_t> place(bodies.size(), kNone);
  for (uint32_t i = 0; i < which.size(); ++i) place[which[i]] = i;
  // X = G M^-1, then A^-1 G M^-1
  std::vector<double> X(lu.rows() * n, 0.0);
  const auto each_row = [&](const auto& visit) {
    for (uint32_t j = 0; j < m.joints.size(); ++j) {
      for (size_t e = 0; e < m.joints[j].entry_count; ++e) {
        const uint32_t b = m.joints[j].body[e];
        if (!work[b].moves || place[b] == kNone) continue;
        for (size_t k = 0; k < m.joints[j].rows; ++k) {
          visit(row_answer(j, e, k), place[b], &X[(lu.offset_of(j) + k) * n]);
        }
      }
    }
  };
  each_row([&](const Motion& u, uint32_t b, double* row) {
    const double values[6] = {u.v.x, u.v.y, u.v.z, u.w.x, u.w.y, u.w.z};
    for (size_t i = 0; i < 6; ++i) row[6 * b + i] += values[i];
  });
  lu.solve_symmetric(X.data(), n);
  answer.assign(n * n, 0);
  for (size_t i = 0; i < which.size(); ++i) {
    const uint32_t b = which[i];
    const Mat3 R = to_matrix(bodies[b].end.q_WB);
    const Mat3 inv_I = work[b].turns ? R * bodies[b].mass->inv_I_B * transpose(R) : Mat3{};
    for (size_t k = 0; k < 3; ++k) {
      answer[(6 * i + k) * n + 6 * i + k] = bodies[b].mass->inv_mass;
      for (size_t l = 0; l < 3; ++l) {
        answer[(6 * i + 3 + k) * n + 6 * i + 3 + l] =
            inv_I(static_cast<int>(l), static_cast<int>(k));
      }
    }
  }
  // the matrix is symmetric: its rows are the columns asked for
  each_row([&](const Motion& u, uint32_t b, const double* row) {
    const double values[6] = {u.v.x, u.v.y, u.v.z, u.w.x, u.w.y, u.w.z};
    for (size_t i = 0; i < 6; ++i) {
      double* to = &answer[(6 * b + i) * n];
      for (size_t c = 0; c < n; ++c) to[c] -= values[i] * row[c];
    }
  });
}

}  // namespace tenon::direct
