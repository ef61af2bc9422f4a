#include "tenon/engine/solve_displacement/krylov.h"

#include <algorithm>
#include <cmath>

namespace tenon::displacement {
namespace {

double dot_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double dot_of(std::span<const Six> a, std::span<const Six> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

bool is_late(const KrylovLimits& limits) {
  return limits.clock != nullptr && limits.clock() > limits.deadline;
}

void fill_wanted(const Operator& op, std::span<double> b) {
  for (size_t r = 0; r < b.size(); ++r) b[r] = op.uses(r) ? op.set().rows[r].b : 0;
}

// Cholesky of a block, in place; directions without a pivot are left out.
void factor_block(double* A, size_t n) {
  for (size_t j = 0; j < n; ++j) {
    const double whole = A[j * n + j];
    double pivot = whole;
    for (size_t k = 0; k < j; ++k) pivot -= A[j * n + k] * A[j * n + k];
    // a row that the ones before it say already: as large as it was, so that it counts for little
    if (!(pivot > 1e-9 * whole)) pivot = whole > 0 ? whole : 1;
    A[j * n + j] = std::sqrt(pivot);
    for (size_t i = j + 1; i < n; ++i) {
      double sum = A[i * n + j];
      for (size_t k = 0; k < j; ++k) sum -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = sum / A[j * n + j];
    }
  }
}

// Element of J M^-1 J^T.
double couple(const Operator& op, const Row& a, const Row& b) {
  double sum = 0;
  for (const Entry& e : op.set().of(a)) {
    for (const Entry& g : op.set().of(b)) {
      if (e.body == g.body) sum += dot(Six{e.f, e.t}, op.inverse_mass(e.body, {g.f, g.t}));
    }
  }
  return sum;
}

}  // namespace

void JointScaling::reset(const Operator& op) {
  blocks_.clear();
  factor_.clear();
  const std::vector<Row>& rows = op.set().rows;
  for (size_t r = 0; r < rows.size();) {
    size_t end = r + 1;
    while (end < rows.size() && rows[end].owner == rows[r].owner &&
           rows[end].kind == rows[r].kind) {
      ++end;
    }
    const size_t n = end - r;
    blocks_.push_back({static_cast<uint32_t>(r), static_cast<uint32_t>(n),
                       static_cast<uint32_t>(factor_.size())});
    factor_.resize(factor_.size() + n * n, 0);
    double* A = &factor_[blocks_.back().first];
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j <= i; ++j) {
        const bool in = op.uses(r + i) && op.uses(r + j);
        A[i * n + j] = in ? couple(op, rows[r + i], rows[r + j]) : 0;
      }
    }
    if (rows[r].kind == RowKind::kWant) {
      // wants keep their weight against joints
      for (size_t i = 0; i < n; ++i) {
        for (size_t j = 0; j < i; ++j) A[i * n + j] = 0;
        A[i * n + i] /= rows[r + i].unit * rows[r + i].unit;
      }
    }
    factor_block(A, n);
    r = end;
  }
}

void JointScaling::apply(std::span<double> v) const {
  for (const Block& block : blocks_) {
    const size_t n = block.size;
    const double* L = &factor_[block.first];
    double* x = &v[block.row];
    for (size_t i = 0; i < n; ++i) {
      double sum = x[i];
      for (size_t k = 0; k < i; ++k) sum -= L[i * n + k] * x[k];
      x[i] = sum / L[i * n + i];
    }
  }
}

void JointScaling::apply_transposed(std::span<double> v) const {
  for (const Block& block : blocks_) {
    const size_t n = block.size;
    const double* L = &factor_[block.first];
    double* x = &v[block.row];
    for (size_t i = n; i-- > 0;) {
      double sum = x[i];
      for (size_t k = i + 1; k < n; ++k) sum -= L[k * n + i] * x[k];
      x[i] = sum / L[i * n + i];
    }
  }
}

// With B = L^-1 J M^-1/2 and y = M^1/2 step this is CGLS on |L^-1 b - B y|:
//   s = B^T r,  alpha = |s|^2 / |B p|^2,  y += alpha p,  r -= alpha B p,  p = s + beta p
// in which M^1/2 cancels out of everything that is kept. [Bjorck1996, sec. 7.4]
KrylovResult LeastSquares::solve(const Operator& op, const JointScaling* scaling,
                                 const KrylovLimits& limits, std::span<Six> step) {
  const size_t m = op.rows(), n = op.bodies();
  r_.resize(m);
  q_.resize(m);
  scaled_.resize(m);
  s_.resize(n);
  z_.resize(n);
  history_.clear();
  std::fill(step.begin(), step.end(), Six{});
  fill_wanted(op, r_);
  if (scaling != nullptr) scaling->apply(r_);
  const auto turn_back = [&] {  // z = M^-1 J^T L^-T r, and r . A r
    scaled_ = r_;
    if (scaling != nullptr) scaling->apply_transposed(scaled_);
    op.apply_transposed(scaled_, s_);
    op.apply_inverse_mass(s_, z_);
    return dot_of(s_, z_);
  };
  KrylovResult result;
  const double whole = std::sqrt(dot_of(r_, r_));
  result.residual = whole;
  history_.push_back(whole);
  double gamma = turn_back();
  const double first = gamma;
  p_ = z_;
  while (result.iterations < limits.iterations && !is_late(limits)) {
    if (!(result.residual > limits.precision * whole)) break;
    // nothing left that a displacement could change: contradicting rows
    if (!(gamma > 1e-28 * first)) break;
    op.apply(p_, q_);
    if (scaling != nullptr) scaling->apply(q_);
    const double qq = dot_of(q_, q_);
    if (!(qq > 0)) break;
    const double alpha = gamma / qq;
    for (size_t b = 0; b < n; ++b) {
      step[b].x += alpha * p_[b].x;
      step[b].r += alpha * p_[b].r;
    }
    for (size_t r = 0; r < m; ++r) r_[r] -= alpha * q_[r];
    const double next = turn_back();
    const double beta = next / gamma;
    gamma = next;
    for (size_t b = 0; b < n; ++b) p_[b] = {z_[b].x + beta * p_[b].x, z_[b].r + beta * p_[b].r};
    ++result.iterations;
    result.residual = std::sqrt(dot_of(r_, r_));
    history_.push_back(result.residual);
  }
  result.reached = result.residual <= limits.precision * whole;
  return result;
}

// [Press1992, sec. 2.7]: r and r2 are the residuals of A and of A^T.
KrylovResult Biconjugate::solve(const Operator& op, const Operator& across,
                                const KrylovLimits& limits, std::span<double> force,
                                std::span<Six> step) {
  const size_t m = op.rows(), n = op.bodies();
  wrench_.resize(n);
  motion_.resize(n);
  const auto multiply = [&](const Operator& left, const Operator& right, std::span<const double> v,
                            std::vector<double>& out) {
    right.apply_transposed(v, wrench_);
    across.apply_inverse_mass(wrench_, motion_);  // one M for A and A^T
    out.resize(m);
    left.apply(motion_, out);
  };
  std::fill(force.begin(), force.end(), 0.0);
  r_.resize(m);
  fill_wanted(op, r_);
  r2_ = p_ = p2_ = r_;
  KrylovResult result;
  const double whole = std::sqrt(dot_of(r_, r_));
  result.residual = whole;
  double rho = dot_of(r_, r2_), best = whole;
  std::vector<double> kept(force.begin(), force.end());
  while (result.iterations < limits.iterations && !is_late(limits) &&
         result.residual > limits.precision * whole) {
    multiply(op, across, p_, a_);
    multiply(across, op, p2_, a2_);
    const double pap = dot_of(p2_, a_);
    if (!std::isfinite(pap) || std::fabs(pap) <= 1e-300 || rho == 0) break;
    const double alpha = rho / pap;
    for (size_t r = 0; r < m; ++r) {
      force[r] += alpha * p_[r];
      r_[r] -= alpha * a_[r];
      r2_[r] -= alpha * a2_[r];
    }
    const double next = dot_of(r_, r2_), beta = next / rho;
    rho = next;
    for (size_t r = 0; r < m; ++r) {
      p_[r] = r_[r] + beta * p_[r];
      p2_[r] = r2_[r] + beta * p2_[r];
    }
    ++result.iterations;
    result.residual = std::sqrt(dot_of(r_, r_));
    if (result.residual < best) {
      best = result.residual;
      kept.assign(force.begin(), force.end());
    }
  }
  // contradicting rows: the residual comes to a least value and grows again
  std::copy(kept.begin(), kept.end(), force.begin());
  result.residual = best;
  result.reached = best <= limits.precision * whole;
  across.apply_transposed(force, wrench_);
  across.apply_inverse_mass(wrench_, step);
  return result;
}

}  // namespace tenon::displacement
