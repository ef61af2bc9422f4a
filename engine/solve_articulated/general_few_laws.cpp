// The velocity stage: laws along freedoms where there are few of them. What the mechanism's held
// rows answer to each is found once, by one solve with many right-hand sides; sets are then tried
// on a small dense matrix instead of factoring the mechanism again for each.
//
// With the notation of general_impact.cpp, H the held rows and A = H M^-1 H^T their matrix:
//   R = H M^-1 G^T,   Z = -A^-1 R,   W = G M^-1 G^T + R^T Z                                   (11a)
// W mu is the change of the laws' rates, Z mu the impulses of held rows.
#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {
namespace {

constexpr size_t kFewLaws = 24;

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
  for (size_t c = 0; c < n; ++c) {
    const RateRow& r = rate_rows_[c];
    const GeneralJoint& j = joints_[r.joint];
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      law_answer_[c][e] = {};
      if (!work[b].moves) continue;
      law_answer_[c][e] = {bodies[b].mass->inv_mass * linear_of(&r.G[6 * e]),
                           inv_I1_[b] * angular_of(&r.G[6 * e])};
    }
  }
  const auto each_meeting = [&](const GeneralJoint& j, const auto& visit) {
    for (size_t c = 0; c < n; ++c) {
      const GeneralJoint& law = joints_[rate_rows_[c].joint];
      for (size_t e = 0; e < j.entries; ++e) {
        for (size_t l = 0; l < law.entries; ++l) {
          if (j.body[e] == law.body[l] && work[j.body[e]].moves) visit(c, e, l);
        }
      }
    }
  };
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    double* to = &R_[lu.offset_of(static_cast<uint32_t>(i)) * n];
    each_meeting(j, [&](size_t c, size_t e, size_t l) {
      const Motion& u = law_answer_[c][l];
      for (size_t k = 0; k < j.rows; ++k) {
        const double* G = &entry(j, e).G[6 * k];
        to[k * n + c] += dot(linear_of(G), u.v) + dot(angular_of(G), u.w);
      }
    });
  }
  Z_ = R_;
  for (double& z : Z_) z = -z;
  lu.solve_symmetric(Z_.data(), n);
  // W
  W_.assign(n * n, 0);
  for (size_t i = 0; i < lu.rows(); ++i) {
    for (size_t a = 0; a < n; ++a) {
      const double r = R_[i * n + a];
      if (r == 0) continue;
      for (size_t b = 0; b < n; ++b) W_[a * n + b] += r * Z_[i * n + b];
    }
  }
  for (size_t a = 0; a < n; ++a) {
    RateRow& r = rate_rows_[a];
    const GeneralJoint& j = joints_[r.joint];
    r.scale = 0;
    each_meeting(j, [&](size_t c, size_t e, size_t l) {
      const Motion& u = law_answer_[c][l];
      const double w = dot(linear_of(&r.G[6 * e]), u.v) + dot(angular_of(&r.G[6 * e]), u.w);
      W_[a * n + c] += w;
      if (a == c) r.scale += w;
    });
    W_[a * n + a] += compliance * r.scale;
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

// All impulses, those of held rows among them, to total_.
void GeneralRows::gather_few_laws(const BlockLu& lu) {
  const size_t n = rate_rows_.size();
  total_.assign(lu.rows(), 0);
  for (size_t i = 0; i < total_.size(); ++i) {
    for (size_t c = 0; c < n; ++c) total_[i] += Z_[i * n + c] * rate_rows_[c].mu;
  }
  for (const RateRow& r : rate_rows_) place_of(r, lu, total_) = r.mu;
}

}  // namespace tenon::direct
