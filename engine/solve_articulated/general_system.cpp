// The linear system of a Newton step.
#include "tenon/engine/mechanism/small_blocks.h"
#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {
namespace {

// A row of block += G Y; about half of G is zero.
template <size_t C>
inline void add_row_product(double* block, const double* g, const double* Y) {
  double sum[C];
  for (size_t k = 0; k < C; ++k) sum[k] = block[k];
  for (size_t l = 0; l < 6; ++l) {
    if (g[l] == 0) continue;
    for (size_t k = 0; k < C; ++k) sum[k] += g[l] * Y[6 * l + k];
  }
  for (size_t k = 0; k < C; ++k) block[k] = sum[k];
}
// The same with three numbers that are not zero.
template <size_t C>
inline void add_sparse_product(double* block, const double* g, const double* Y, size_t a, size_t b,
                               size_t c) {
  for (size_t k = 0; k < C; ++k) {
    block[k] = ((block[k] + g[a] * Y[6 * a + k]) + g[b] * Y[6 * b + k]) + g[c] * Y[6 * c + k];
  }
}

// block += G Y, G (rows x 6), Y (6 x C, six to a row). `point`: the first three rows are those of
// set_point_rows.
template <size_t C>
inline void add_gradient_product(double* block, const double* G, const double* Y, size_t rows,
                                 bool point) {
  size_t i = 0;
  if (point) {
    add_sparse_product<C>(block, G, Y, 0, 4, 5);
    add_sparse_product<C>(block + C, G + 6, Y, 1, 3, 5);
    add_sparse_product<C>(block + 2 * C, G + 12, Y, 2, 3, 4);
    i = 3;
  }
  for (; i < rows; ++i) add_row_product<C>(block + i * C, G + 6 * i, Y);
}

}  // namespace

void GeneralRows::add_product(double* block, const double* G, size_t rows, const double* Y,
                              size_t columns, bool point) const {
  blocks::with_size(columns, [&](auto size) TENON_INLINE_LAMBDA {
    add_gradient_product<size()>(block, G, Y, rows, point);
  });
}

// Rows whose force is given take no part: their place goes to the others.
void GeneralRows::choose_rows(BlockLu& lu) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    j.used = 0;
    for (size_t k = 0; k < j.rows; ++k) j.place[k] = j.row[k].a == 0 ? kNotUsed : j.used++;
    lu.set_rows(static_cast<uint32_t>(i), j.used);
  }
}

// Rows 0 to 2 of the entries' G and F.
void GeneralRows::set_point_gradients(GeneralJoint& j) {
  for (size_t e = 0; e < 2; ++e) {
    EntryRows& rows = entry(j, e);
    set_point_rows(rows.G.data(), side_of(e), e == 0 ? j.f1[0].rP : j.f1[0].rC);
    set_point_rows(rows.F.data(), side_of(e), j.lever[e]);
  }
  j.factored_lever = j.lever;
}

// Rows and columns of hubs: their own momentum equations stand beside the joints.     (7)
void GeneralRows::add_hub_blocks(std::span<const BodyWork> bodies, BlockLu& lu) const {
  for (const uint32_t b : m_.hubs) {
    const BodyWork& w = bodies[b];
    double* D = lu.diagonal(m_.hub_node[b]);
    for (size_t i = 0; i < 3; ++i) {
      D[7 * i] = 1 / w.inv_ml;
      for (size_t k = 0; k < 3; ++k) {
        D[6 * (i + 3) + k + 3] =
            w.turns ? w.N(static_cast<int>(i), static_cast<int>(k)) : (i == k ? 1.0 : 0.0);
      }
    }
  }
  for (size_t i = 0; i < joints_.size() && !m_.hubs.empty(); ++i) {
    const GeneralJoint& j = joints_[i];
    for (size_t e = 0; e < j.entries; ++e) {
      if (!bodies[j.body[e]].moves || m_.hub_node[j.body[e]] == kNoNode) continue;
      const BlockPattern::Place place =
          m_.pattern.find(static_cast<uint32_t>(i), m_.hub_node[j.body[e]]);
      double* joint_row = place.a_is_row ? lu.lower(place.block) : lu.upper(place.block);
      double* hub_row = place.a_is_row ? lu.upper(place.block) : lu.lower(place.block);
      const EntryRows& rows = entry(j, e);
      for (size_t k = 0; k < j.rows; ++k) {
        if (j.place[k] == kNotUsed) continue;
        for (size_t l = 0; l < 6; ++l) {
          joint_row[6u * j.place[k] + l] += rows.G[6 * k + l];
          hub_row[l * j.used + j.place[k]] -= rows.F[6 * k + l];
        }
      }
    }
  }
}

void GeneralRows::assemble(std::span<const BodyWork> bodies, BlockLu& lu, double compliance) {
  choose_rows(lu);
  lu.clear();
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    const size_t first = j.model->has_point ? 3 : 0;
    if (first != 0) set_point_gradients(j);
    for (size_t e = 0; e < j.entries; ++e) {
      const BodyWork& w = bodies[j.body[e]];
      if (!w.moves) continue;
      EntryRows& rows = entry(j, e);
      std::copy_n(&rows.F[6 * first], 6u * (j.rows - first), &rows.factored[6 * first]);
      size_t k = 0;
      if (first != 0) {
        std::copy_n(rows.G.begin(), 18, rows.used.begin());
        set_point_columns(rows.Y.data(), rows.F.data(), w.inv_ml, w.inv_N);
        k = 3;
      }
      for (; k < j.rows; ++k) {
        if (j.place[k] == kNotUsed) continue;
        std::copy_n(&rows.G[6 * k], 6, &rows.used[6u * j.place[k]]);
        set_column(rows.Y.data(), j.place[k], w.inv_ml * linear_of(&rows.F[6 * k]),
                   w.inv_N * angular_of(&rows.F[6 * k]));
      }
    }
    double* D = lu.diagonal(static_cast<uint32_t>(i));
    std::array<double, 6> scale{};  // the diagonal with hubs counted, for the compliance
    for (size_t e = 0; e < j.entries; ++e) {
      if (!bodies[j.body[e]].moves) continue;
      const EntryRows& rows = entry(j, e);
      for (size_t k = 0; k < j.rows; ++k) {
        if (j.eps[k] >= 0 || j.place[k] == kNotUsed) continue;
        const size_t at = j.place[k];
        scale[k] +=
            std::fabs(dot(linear_of(&rows.G[6 * k]), linear_of_column(rows.Y.data(), at)) +
                      dot(angular_of(&rows.G[6 * k]), angular_of_column(rows.Y.data(), at)));
      }
      if (m_.hub_node[j.body[e]] != kNoNode) continue;
      for (size_t e2 = 0; e2 < j.entries; ++e2) {
        if (j.body[e2] == j.body[e]) add_used(D, j, e, j, e2);
      }
    }
    for (size_t k = 0; k < j.rows; ++k) {
      if (j.place[k] == kNotUsed) continue;
      if (j.eps[k] < 0) j.eps[k] = compliance * scale[k];
      D[(j.used + 1u) * j.place[k]] += j.eps[k] + j.row[k].b / h_;
    }
  }
  for (const Coupling& c : m_.couplings) {
    const GeneralJoint &row = joints_[c.row_joint], &column = joints_[c.column_joint];
    add_used(lu.lower(c.block), row, c.row_entry, column, c.column_entry);
    add_used(lu.upper(c.block), column, c.column_entry, row, c.row_entry);
  }
  add_hub_blocks(bodies, lu);
}

void GeneralRows::make_rhs(std::span<const BodyWork> bodies, const BlockLu& lu,
                           std::span<double> x) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    double* rhs = &x[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t k = 0; k < j.rows; ++k) {
      if (j.place[k] == kNotUsed) continue;
      const LawRow& row = j.row[k];
      const double compliance = row.b == 0 ? j.eps[k] : row.b / h_ + j.eps[k];
      rhs[j.place[k]] = row.g - j.c1[k] - compliance * j.p[k];
    }
    for (size_t e = 0; e < j.entries; ++e) {
      const BodyWork& w = bodies[j.body[e]];
      if (!w.moves || m_.hub_node[j.body[e]] != kNoNode) continue;
      const EntryRows& rows = entry(j, e);
      size_t k = 0;
      if (j.model->has_point) {
        const Vec3 rates = point_rates(side_of(e), e == 0 ? j.f1[0].rP : j.f1[0].rC, w.ul, w.ua);
        for (; k < 3; ++k) rhs[k] += rates[static_cast<int>(k)];
      }
      for (; k < j.rows; ++k) {
        if (j.place[k] == kNotUsed) continue;
        rhs[j.place[k]] +=
            dot(linear_of(&rows.G[6 * k]), w.ul) + dot(angular_of(&rows.G[6 * k]), w.ua);
      }
    }
  }
  for (const uint32_t b : m_.hubs) {
    set_row(&x[lu.offset_of(m_.hub_node[b])], -bodies[b].gl,
            bodies[b].turns ? -bodies[b].ga : Vec3{});
  }
}

void GeneralRows::add_step(std::span<BodyWork> bodies, const BlockLu& lu,
                           std::span<const double> x) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    const double* dp = &x[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t e = 0; e < j.entries; ++e) {
      BodyWork& w = bodies[j.body[e]];
      if (!w.moves) continue;
      const EntryRows& rows = entry(j, e);
      size_t k = 0;
      if (j.model->has_point) {
        add_point_wrench(side_of(e), j.factored_lever[e], dp, w.jl, w.ja);
        k = 3;
      }
      for (; k < j.rows; ++k) {
        if (j.place[k] == kNotUsed) continue;
        w.jl += dp[j.place[k]] * linear_of(&rows.factored[6 * k]);
        w.ja += dp[j.place[k]] * angular_of(&rows.factored[6 * k]);
      }
    }
  }
}

void GeneralRows::move(double part, const BlockLu& lu, std::span<const double> x) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    const double* dp = &x[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t k = 0; k < j.rows; ++k) {
      if (j.place[k] != kNotUsed) j.p[k] += part * dp[j.place[k]];
    }
  }
}

}  // namespace tenon::direct
