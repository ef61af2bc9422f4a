// How a mechanism answers to impulses, as a matrix.
#include "tenon/engine/solve_articulated/detail/newton.h"

namespace tenon::direct {

// W^T (M^-1 - M^-1 G^T A^-1 G M^-1) W with wrenches W on the bodies: six units for each that is
// asked for, then what bounded rows do. A^-1 by one solve with a right-hand side for each column.
void Rows::calc_answer(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                       BlockLu& lu, const Mechanism& m, std::span<const uint32_t> which,
                       std::vector<double>& answer) {
  const std::span<const BoundedRow> bounded = bounded_rows();
  const size_t units = 6 * which.size(), n = units + bounded.size();
  AnswerWork& a = answer_work_;
  a.column.assign(bodies.size(), AnswerWork::kNone);
  for (uint32_t i = 0; i < which.size(); ++i) a.column[which[i]] = 6 * i;
  a.first.assign(bodies.size() + 1, 0);
  for (const BoundedRow& r : bounded) {
    for (const uint32_t b : r.body) {
      if (b < m.moving) ++a.first[b + 1];
    }
  }
  for (size_t b = 0; b < bodies.size(); ++b) a.first[b + 1] += a.first[b];
  a.of_body.resize(a.first.back());
  std::vector<uint32_t>& next = a.next;
  next.assign(a.first.begin(), a.first.end() - 1);
  for (uint32_t r = 0; r < bounded.size(); ++r) {
    for (uint32_t e = 0; e < 2; ++e) {
      const uint32_t b = bounded[r].body[e];
      if (b < m.moving) a.of_body[next[b]++] = {r, e};
    }
  }
  // visit(column, value) of a body's velocity, seen by all wrenches on it
  const auto see = [&](uint32_t b, const Motion& u, const auto& visit) {
    if (const uint32_t c = a.column[b]; c != AnswerWork::kNone) {
      const double values[6] = {u.v.x, u.v.y, u.v.z, u.w.x, u.w.y, u.w.z};
      for (uint32_t i = 0; i < 6; ++i) {
        if (values[i] != 0) visit(c + i, values[i]);
      }
    }
    for (uint32_t i = a.first[b]; i < a.first[b + 1]; ++i) {
      const auto [r, e] = a.of_body[i];
      visit(units + r, dot(bounded[r].f[e], u.v) + dot(bounded[r].t[e], u.w));
    }
  };
  const auto each_row = [&](const auto& visit) {
    for (uint32_t j = 0; j < m.joints.size(); ++j) {
      for (size_t e = 0; e < m.joints[j].entry_count; ++e) {
        const uint32_t b = m.joints[j].body[e];
        if (!work[b].moves) continue;
        if (a.column[b] == AnswerWork::kNone && a.first[b] == a.first[b + 1]) continue;
        for (size_t k = 0; k < lu.rows_of(j); ++k) {
          double* row = &a.X[(lu.offset_of(j) + k) * n];
          see(b, row_answer(j, e, k), [&](size_t column, double x) { visit(column, x, row); });
        }
      }
    }
  };
  // X = G M^-1 W, then A^-1 of it
  a.X.assign(lu.rows() * n, 0.0);
  each_row([](size_t column, double x, double* row) { row[column] += x; });
  lu.solve_symmetric(a.X.data(), n);
  // M^-1
  answer.assign(n * n, 0);
  for (uint32_t b = 0; b < m.moving; ++b) {
    const auto add = [&](size_t column, const Motion& u) {
      see(b, u, [&](size_t row, double x) { answer[column * n + row] += x; });
    };
    if (a.column[b] == AnswerWork::kNone && a.first[b] == a.first[b + 1]) continue;
    if (!work[b].moves) continue;
    const Mat3 R = to_matrix(bodies[b].end.q_WB);
    const Mat3 inv_I = work[b].turns ? R * bodies[b].mass->inv_I_B * transpose(R) : Mat3{};
    const double inv_mass = bodies[b].mass->inv_mass;
    if (const uint32_t c = a.column[b]; c != AnswerWork::kNone) {
      for (int k = 0; k < 3; ++k) {
        Vec3 unit;
        unit[k] = 1;
        add(c + static_cast<size_t>(k), {inv_mass * unit, {}});
        add(c + 3 + static_cast<size_t>(k), {{}, inv_I * unit});
      }
    }
    for (uint32_t i = a.first[b]; i < a.first[b + 1]; ++i) {
      const auto [r, e] = a.of_body[i];
      add(units + r, {inv_mass * bounded[r].f[e], inv_I * bounded[r].t[e]});
    }
  }
  // the matrix is symmetric: its rows are the columns asked for
  each_row([&](size_t column, double x, const double* row) {
    double* to = &answer[column * n];
    for (size_t c = 0; c < n; ++c) to[c] -= x * row[c];
  });
}

}  // namespace tenon::direct
