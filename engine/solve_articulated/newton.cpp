#include <algorithm>

#include "tenon/engine/solve_articulated/detail/newton.h"

namespace tenon::direct {
namespace {

constexpr double kRotationCap = 0.8;  // rad per Newton step [Faure1999, sec. 3.3]
constexpr int kMaxIterations = 30;
constexpr int kMaxStalled = 5;
constexpr int kMaxLawChanges = 12;
constexpr double kSmallestPart = 0.06;  // of a Newton step, by backtracking
// A chord step that contracts at least so well keeps the factors; nets, where a factorisation costs
// as much as several iterations, wait longer.
constexpr double kGoodContraction = 0.1, kGoodContractionOfNets = 0.3;

// R I0 D^-1 / (alpha h) - [L1], D^-1 = E - [th]/2 + th th^T/4; joints add theirs   (8)
Mat3 calc_stiffness(const BodyWork& w, double h) {
  Mat3 D = 0.25 * outer(w.th, w.th) - 0.5 * skew(w.th);
  D.r0.x += 1;
  D.r1.y += 1;
  D.r2.z += 1;
  return (1 / (w.alpha * h)) * (w.S * (w.I0 * D)) - skew(w.L1);
}

}  // namespace

void Newton::reset(const Mechanism& mechanism) {
  mechanism_ = &mechanism;
  rows = mechanism.pins_only ? make_pin_rows(mechanism) : make_general_rows(mechanism);
  lu.reset(mechanism.pattern);
  work.assign(mechanism.body_slots.size(), {});
  x_.assign(mechanism.pattern.rows, 0);
  const bool filled = mechanism.pattern.target.size() > 4 * mechanism.pattern.row.size();
  good_contraction_ = filled ? kGoodContractionOfNets : kGoodContraction;
}

// Momentum equations (3) and (4) without the joints.
void Newton::evaluate_body(BodyWork& w) const {
  double ml = (levers == Levers::kMean ? 2 : 1) * w.mass / h_;
  w.x1 = w.x0 + w.dx;
  w.gl = ml * (w.dx - h_ * w.v0) - h_ * w.force;
  if (w.drag > 0) {  // -drag |v_m| v_m with the mean velocity
    const double speed = norm(w.dx) / h_;
    w.gl += (w.drag * speed) * w.dx;
    ml += w.drag * speed;
  }
  w.inv_ml = 1 / ml;
  if (!w.turns) {
    w.ga = {};
    return;
  }
  w.S = cayley_matrix(w.th);
  w.L1 = w.S * ((1 / (w.alpha * h_)) * (w.I0 * w.th) - ((1 - w.alpha) / w.alpha) * w.L0);
  w.ga = w.L1 - w.L0 - h_ * w.torque;
}

void Newton::evaluate(double h) {
  h_ = h;
  for (uint32_t b = 0; b < mechanism_->moving; ++b) evaluate_body(work[b]);
  joint_error_ = rows->evaluate(work);
}

void Newton::factor(double compliance) {
  for (uint32_t b = 0; b < mechanism_->moving; ++b) {
    if (work[b].turns) work[b].N = calc_stiffness(work[b], h_);
  }
  rows->add_stiffness(work);
  for (uint32_t b = 0; b < mechanism_->moving; ++b) {
    work[b].inv_N = work[b].turns ? inverse(work[b].N) : Mat3{};
  }
  rows->assemble(work, lu, compliance);
  lu.factor_general();
  ++factorisations;
}

// A Newton step is an affine map of the residuals; the answer to a push is the difference of two.
void Newton::respond(uint32_t body, const Vec3& force, const Vec3& torque) {
  trial_.resize(x_.size());
  rows->make_rhs(work, lu, x_);
  BodyWork& pushed = work[body];
  const BodyWork before = pushed;
  pushed.gl -= force;
  pushed.ul = pushed.inv_ml * pushed.gl;
  if (pushed.turns) pushed.ga -= torque;
  pushed.ua = pushed.inv_N * pushed.ga;
  rows->make_rhs(work, lu, trial_);
  pushed.gl = before.gl;
  pushed.ga = before.ga;
  pushed.ul = before.ul;
  pushed.ua = before.ua;
  for (size_t i = 0; i < x_.size(); ++i) trial_[i] -= x_[i];
  lu.solve_general(trial_);
  rows->add_step(work, lu, trial_);
  for (uint32_t b = 0; b < mechanism_->moving; ++b) {
    BodyWork& w = work[b];
    w.du = w.inv_ml * (b == body ? w.jl + force : w.jl);
    w.dth = w.turns ? w.inv_N * (b == body ? w.ja + torque : w.ja) : Vec3{};
    w.jl = w.ja = {};
  }
}

void Newton::measure_momentum() {
  double linear2 = 0, angular2 = 0;
  bool finite = true;
  for (uint32_t b = 0; b < mechanism_->moving; ++b) {
    BodyWork& w = work[b];
    w.ul = w.inv_ml * w.gl;
    w.ua = w.inv_N * w.ga;
    const double l = norm2(w.ul), a = norm2(w.ua);
    finite = finite && l + a < kInfinity;
    linear2 = std::max(linear2, l);
    angular2 = std::max(angular2, a);
  }
  momentum_error_ = finite ? std::max(std::sqrt(linear2) / size_, std::sqrt(angular2)) : kInfinity;
}

// Moves the iterate by `part` of the Newton step.
void Newton::move(double part) {
  for (uint32_t b = 0; b < mechanism_->moving; ++b) {
    BodyWork& w = work[b];
    w.dx += part * w.du;
    w.th += part * w.dth;
    evaluate_body(w);
  }
  rows->move(part, lu, x_);
  joint_error_ = rows->evaluate(work);
  measure_momentum();
}

// Deuflhard's natural test, for iterates whose residuals have grown: is the correction that the
// same matrix would take next smaller than the last one? Residuals of bodies with very unequal
// inertia say little about distances [Deuflhard2004, ch. 3].
bool Newton::leads_on(double part) {
  if (!(merit() < 1e100)) return false;
  trial_.resize(x_.size());
  rows->make_rhs(work, lu, trial_);
  lu.solve_general(trial_);
  rows->add_step(work, lu, trial_);
  double next2 = 0, last2 = 0;
  for (uint32_t b = 0; b < mechanism_->moving; ++b) {
    BodyWork& w = work[b];
    const double inv_size2 = 1 / (size_ * size_);
    next2 = std::max(next2, norm2(w.inv_ml * (w.jl - w.gl)) * inv_size2);
    last2 = std::max(last2, norm2(w.du) * inv_size2);
    if (w.turns) {
      next2 = std::max(next2, norm2(w.inv_N * (w.ja - w.ga)));
      last2 = std::max(last2, norm2(w.dth));
    }
    w.jl = w.ja = {};
  }
  return std::sqrt(next2) < (1 - 0.5 * part) * std::sqrt(last2);
}

// The whole Newton step, or as much of it as the rotation cap allows. Returns that part.
double Newton::take_step() {
  rows->make_rhs(work, lu, x_);
  lu.solve_general(x_);
  rows->add_step(work, lu, x_);
  double turn2 = 0;
  for (uint32_t b = 0; b < mechanism_->moving; ++b) {
    BodyWork& w = work[b];
    w.du = w.inv_ml * (w.jl - w.gl);
    w.jl = {};
    if (w.turns) {
      const Vec3 dphi = w.inv_N * (w.ja - w.ga);
      turn2 = std::max(turn2, norm2(dphi));
      w.dth = cayley_change(w.th, dphi);
    }
    w.ja = {};
  }
  const double turn = std::sqrt(turn2), part = turn > kRotationCap ? kRotationCap / turn : 1.0;
  move(part);
  return part;
}

// Globalised by Faure's rotation cap and by backtracking. Factors are kept while they contract well
// (chord).
bool Newton::iterate(double compliance, const Limits& limits) {
  bool stale = true;
  double best = kInfinity, lowest = kInfinity;
  int stalled = 0;
  evaluate(h_);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    if (!(joint_error_ < 1e100)) return false;
    if (stale) {
      factor(compliance);
      measure_momentum();
    }
    const double before = merit();
    ++iterations;
    double part = take_step();
    while (!(merit() < before) && part > kSmallestPart && !leads_on(part)) {
      part *= 0.5;
      move(-part);
    }
    if (merit() < limits.tolerance) return true;
    if (!(merit() < 1e100)) return false;
    stale = !(merit() < good_contraction_ * before);
    lowest = std::min(lowest, merit());
    if (merit() < 0.5 * best) {
      best = merit();
      stalled = 0;
    } else if (++stalled >= kMaxStalled && (merit() <= lowest || stalled >= 2 * kMaxStalled)) {
      break;
    }
    if (limits.out_of_time()) return true;
  }
  return merit() < limits.acceptable;
}

// Again for as long as limits, motors and friction turn out to act differently.
bool Newton::solve(double h, double compliance, const Limits& limits) {
  h_ = h;
  size_ = limits.size;
  for (int change = 0; change < kMaxLawChanges; ++change) {
    if (!iterate(compliance, limits)) return false;
    if (rows->update_laws() == 0) return rows->gap() < limits.largest_gap;
  }
  return true;  // cycling between parts of equal merit: any of them will do
}

}  // namespace tenon::direct
