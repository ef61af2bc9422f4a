#include "tenon/engine/solve_displacement/bounded.h"

#include <algorithm>
#include <cmath>

namespace tenon::displacement {
namespace {

constexpr int kNormIterations = 8;   // of the power method, for the step of gradient projections
constexpr double kNoMotion = 1e-13;  // of the row that moves most
constexpr double kProportion = 1;    // Gamma of [Dostal2009]: how soon bounds are looked at again

double dot_rows(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void Bounded::multiply(const Operator& op, std::span<const double> v, std::vector<double>& out) {
  const size_t m = v.size();
  force_.resize(m);
  for (size_t r = 0; r < m; ++r) force_[r] = scale_[r] * v[r];
  op.apply_transposed(force_, wrench_);
  op.apply_inverse_mass(wrench_, motion_);
  out.resize(m);
  op.apply(motion_, out);
  for (size_t r = 0; r < m; ++r) out[r] = scale_[r] * (out[r] + soft_[r] * force_[r]);
}

void Bounded::prepare(const Operator& op, const Problem& problem, std::span<const double> x) {
  const size_t m = op.rows();
  wrench_.resize(op.bodies());
  motion_.resize(op.bodies());
  for (std::vector<double>* v : {&scale_, &low_, &high_, &b_, &soft_, &y_}) v->assign(m, 0);
  double most = 0;
  for (size_t r = 0; r < m; ++r) {
    if (!op.uses(r)) continue;
    soft_[r] = problem.soft.empty() ? 0 : problem.soft[r];
    scale_[r] = soft_[r];
    for (const Entry& e : op.set().of(op.set().rows[r])) {
      scale_[r] += dot(Six{e.f, e.t}, op.inverse_mass(e.body, {e.f, e.t}));
    }
    most = std::max(most, scale_[r]);
  }
  for (size_t r = 0; r < m; ++r) {
    // nothing that it could move: fixed bodies, cones whose axes coincide
    if (!(scale_[r] > kNoMotion * most)) {
      scale_[r] = 0;
      continue;
    }
    scale_[r] = 1 / std::sqrt(scale_[r]);
    low_[r] = problem.low[r] / scale_[r];
    high_[r] = problem.high[r] / scale_[r];
    b_[r] = scale_[r] * problem.b[r];
    y_[r] = std::clamp(x[r] / scale_[r], low_[r], high_[r]);
  }
}

// The largest eigenvalue of the scaled matrix, from below by a few per cent.
double Bounded::estimate_norm(const Operator& op) {
  const size_t m = y_.size();
  p_.resize(m);
  for (size_t r = 0; r < m; ++r) p_[r] = scale_[r] > 0 ? 1 + 0.1 * static_cast<double>(r % 7) : 0;
  double norm = 1;
  for (int i = 0; i < kNormIterations; ++i) {
    const double length = std::sqrt(dot_rows(p_, p_));
    if (!(length > 0)) return 1;
    for (double& v : p_) v /= length;
    multiply(op, p_, ap_);
    norm = dot_rows(p_, ap_);
    std::swap(p_, ap_);
  }
  return std::max(1.0, 1.1 * norm);
}

// phi: the gradient of unknowns between their bounds; beta: of those at a bound that it would
// leave.
void Bounded::split_gradient() {
  for (size_t r = 0; r < y_.size(); ++r) {
    const bool at_low = y_[r] <= low_[r], at_high = y_[r] >= high_[r];
    phi_[r] = at_low || at_high ? 0 : g_[r];
    beta_[r] = at_low && at_high ? 0
               : at_low          ? std::min(g_[r], 0.0)
               : at_high         ? std::max(g_[r], 0.0)
                                 : 0;
    if (scale_[r] == 0) phi_[r] = beta_[r] = 0;
  }
}

KrylovResult Bounded::solve(const Operator& op, const Problem& problem, const KrylovLimits& limits,
                            std::span<double> x) {
  prepare(op, problem, x);
  const size_t m = y_.size();
  const double reach = 1.8 / estimate_norm(op);  // below 2 / |A| a projected gradient step descends
  phi_.resize(m);
  beta_.resize(m);
  const auto refresh = [&] {
    multiply(op, y_, g_);
    for (size_t r = 0; r < m; ++r) g_[r] -= b_[r];
  };
  refresh();
  split_gradient();
  p_ = phi_;
  KrylovResult result;
  const double whole = std::sqrt(dot_rows(phi_, phi_) + dot_rows(beta_, beta_));  // at the begin
  while (true) {
    const double free = dot_rows(phi_, phi_), bound = dot_rows(beta_, beta_);
    result.residual = std::sqrt(free + bound);
    result.reached = !(result.residual > limits.precision * whole);
    if (result.reached || result.iterations >= limits.iterations) break;
    if (limits.clock != nullptr && limits.clock() > limits.deadline) break;
    ++result.iterations;
    double reduced = 0;  // of the free gradient, that a projected step could use
    for (size_t r = 0; r < m; ++r) {
      const double room = phi_[r] > 0 ? (y_[r] - low_[r]) / reach : (y_[r] - high_[r]) / reach;
      reduced += phi_[r] * (phi_[r] > 0 ? std::min(room, phi_[r]) : std::max(room, phi_[r]));
    }
    const bool proportional = bound <= kProportion * reduced;
    const std::vector<double>& d = proportional ? p_ : beta_;
    multiply(op, d, ap_);
    const double curvature = dot_rows(d, ap_);
    if (!(curvature > 0) || !std::isfinite(curvature)) {
      if (!proportional || p_ == phi_) break;
      p_ = phi_;
      continue;
    }
    const double alpha = dot_rows(g_, d) / curvature;
    double most = kInfinity;  // as far as the bounds allow
    for (size_t r = 0; r < m; ++r) {
      if (d[r] > 0) most = std::min(most, (y_[r] - low_[r]) / d[r]);
      if (d[r] < 0) most = std::min(most, (y_[r] - high_[r]) / d[r]);
    }
    const double step = std::min(alpha, most);
    for (size_t r = 0; r < m; ++r) {
      y_[r] = std::clamp(y_[r] - step * d[r], low_[r], high_[r]);
      g_[r] -= step * ap_[r];
    }
    split_gradient();
    if (proportional && alpha <= most) {
      const double gamma = dot_rows(phi_, ap_) / curvature;
      for (size_t r = 0; r < m; ++r) p_[r] = phi_[r] - gamma * p_[r];
      continue;
    }
    if (proportional) {  // a bound was met: a gradient step may meet others
      for (size_t r = 0; r < m; ++r) {
        y_[r] = std::clamp(y_[r] - reach * phi_[r], low_[r], high_[r]);
      }
      refresh();
      split_gradient();
    }
    p_ = phi_;
  }
  for (size_t r = 0; r < m; ++r) {
    if (scale_[r] > 0 && std::isfinite(y_[r])) x[r] = scale_[r] * y_[r];
  }
  return result;
}

}  // namespace tenon::displacement
