// The velocity stage: laws along freedoms where there are few of them. What the mechanism's held
// rows answer to each is found once, by half a solve with many right-hand sides; sets are then
// tried on a small dense matrix instead of factoring the mechanism again for each.
//
// With the notation of general_impact.cpp, H the held rows and A = H M^-1 H^T their matrix:
//   R = H M^-1 G^T,   W = G M^-1 G^T - R^T A^-1 R                                             (11a)
// W mu is the change of the laws' rates, -A^-1 R mu the impulses of held rows: one more solve, once
// mu is known.
#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {
namespace {

constexpr size_t kFewLaws = kMostAnswers;

// Of a pivot, relative to the row's own diagonal without any joint: round-off below.
constexpr double kLeastLawPivot = 1e-14;

}  // namespace

void GeneralRows::prepare_few_laws(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                                   BlockLu& lu, double compliance) {
  const size_t n = rate_rows_.size();
  few_laws_ = n <= kFewLaws;
  if (!few_laws_) return;
  // M^-1 G^T of the laws, then R
  law_answer_.resize(n);
  R_.assign(lu.rows() * n, 0);
  law_columns_.assign(lu.pattern().size.size(), 0);
  for (size_t c = 0; c < n; ++c) {
    const RateRow& r = rate_rows_[c];
    const GeneralJoint& law = joints_[r.joint];
    for (size_t l = 0; l < law.entries; ++l) {
      const uint32_t b = law.body[l];
      Motion& u = law_answer_[c][l];
      u = {};
      if (!work[b].moves) continue;
      u = {bodies[b].mass->inv_mass * linear_of(&r.G[6 * l]), inv_I1_[b] * angular_of(&r.G[6 * l])};
      for (const BodyEntry& at : entries_of(b)) {
        const GeneralJoint& j = joints_[at.joint];
        double* to = &R_[lu.offset_of(at.joint) * n + c];
        law_columns_[lu.pattern().column[at.joint]] = 1;
        for (size_t k = 0; k < j.used; ++k) {
          const double* G = &entry(j, at.entry).G[6 * k];
          to[k * n] += dot(linear_of(G), u.v) + dot(angular_of(G), u.w);
        }
      }
    }
  }
  // W, its lower half first
  W_.assign(n * n, 0);
  for (size_t a = 0; a < n; ++a) {
    RateRow& r = rate_rows_[a];
    const GeneralJoint& j = joints_[r.joint];
    for (size_t c = 0; c <= a; ++c) {
      const GeneralJoint& law = joints_[rate_rows_[c].joint];
      double w = 0;
      for (size_t e = 0; e < j.entries; ++e) {
        for (size_t l = 0; l < law.entries; ++l) {
          if (j.body[e] != law.body[l]) continue;
          const Motion& u = law_answer_[c][l];
          w += dot(linear_of(&r.G[6 * e]), u.v) + dot(angular_of(&r.G[6 * e]), u.w);
        }
      }
      W_[a * n + c] = w;
    }
    r.scale = W_[a * n + a];
    W_[a * n + a] += compliance * r.scale + r.soft;
  }
  subtract_answer(lu, law_columns_, R_.data(), n, W_.data());
  for (size_t a = 0; a < n; ++a) {
    for (size_t c = 0; c < a; ++c) W_[c * n + a] = W_[a * n + c];
  }
}

// The impulses of rows that hold, for changes of their rates; the others have none. LDL^T of the
// rows' part of W.
void GeneralRows::solve_few_laws(std::span<double> x) {
  const size_t n = rate_rows_.size();
  W_factor_ = W_;
  const auto holds = [&](size_t i) {
    return rate_rows_[i].set == RateRow::Set::kHolds && rate_rows_[i].scale > 0;
  };
  for (size_t c = 0; c < n; ++c) {
    if (!holds(c)) {
      x[c] = 0;
      continue;
    }
    double& pivot = W_factor_[c * n + c];
    pivot = std::max(pivot, kLeastLawPivot * rate_rows_[c].scale);
    for (size_t i = c + 1; i < n; ++i) {
      if (!holds(i)) continue;
      const double factor = W_factor_[i * n + c] / pivot;
      for (size_t k = c + 1; k <= i; ++k) W_factor_[i * n + k] -= factor * W_factor_[k * n + c];
      x[i] -= factor * x[c];
    }
  }
  for (size_t c = n; c-- > 0;) {
    if (!holds(c)) continue;
    double sum = x[c];
    for (size_t i = c + 1; i < n; ++i) {
      if (holds(i)) sum -= W_factor_[i * n + c] * x[i];
    }
    x[c] = sum / W_factor_[c * n + c];
  }
}

// Impulses for the sets as they are.
void GeneralRows::set_few_laws() {
  using Set = RateRow::Set;
  const size_t n = rate_rows_.size();
  for (RateRow& r : rate_rows_)
    r.mu = r.set == Set::kLow ? r.low : r.set == Set::kHigh ? r.high : 0;
  find_few_rates();
  x_.resize(n);
  for (size_t i = 0; i < n; ++i) x_[i] = rate_rows_[i].rate - rate_rows_[i].now;
  solve_few_laws(x_);
  for (size_t i = 0; i < n; ++i) {
    if (rate_rows_[i].set == Set::kHolds) rate_rows_[i].mu = x_[i];
  }
  find_few_rates();
}

// Rates that belong to the impulses.
void GeneralRows::find_few_rates() {
  const size_t n = rate_rows_.size();
  for (size_t a = 0; a < n; ++a) {
    RateRow& r = rate_rows_[a];
    r.now = r.before;
    for (size_t b = 0; b < n; ++b) r.now += W_[a * n + b] * rate_rows_[b].mu;
  }
}

// All impulses, those of held rows among them, to total_: A x = -R mu.
void GeneralRows::gather_few_laws(BlockLu& lu) {
  law_motion_.assign(bodies_.size(), {});
  for (size_t c = 0; c < rate_rows_.size(); ++c) {
    const double mu = rate_rows_[c].mu;
    const GeneralJoint& law = joints_[rate_rows_[c].joint];
    for (size_t l = 0; l < law.entries; ++l) {
      law_motion_[law.body[l]].v += mu * law_answer_[c][l].v;
      law_motion_[law.body[l]].w += mu * law_answer_[c][l].w;
    }
  }
  make_velocity_rhs(lu, law_motion_);
  lu.solve_symmetric(x_);
  total_ = x_;
  for (const RateRow& r : rate_rows_) place_of(r, lu, total_) = r.mu;
}

}  // namespace tenon::direct
