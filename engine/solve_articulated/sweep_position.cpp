#include <algorithm>

#include "tenon/engine/solve_articulated/detail/sweep_residual.h"
#include "tenon/engine/solve_articulated/sweep.h"

namespace tenon {
namespace {

using sweep::Impulse6;
using sweep::JointEquations;
using sweep::JointPart;
using sweep::JointResidual;

// Newton for one joint, started at z = 0 [Weinstein2006, sec. IV].
//
// Epsilon of the paper, "correct each joint a small amount at a time", is a trust radius: a solve
// may spend epsilon of the impulse of its first Newton step, measured by the kinetic energy it
// makes. Scaling the target instead would ask a limit or a contact nearby for the same fraction.
//   |z + alpha d|_G <= epsilon |d_0|_G                                                          (1)
struct Newton {
  JointEquations& equations;
  const SweepSettings& settings;
  Impulse6 z{};
  JointResidual now{};
  double bound = 0;  // right side of (1)
};

// Nor may a step turn a body by more than this: beyond, the Jacobian says nothing about where the
// joint goes [Faure1999, sec. 3.3].
constexpr double kMaxTurn = 0.8;  // rad

// The largest alpha <= 1 within these bounds.
double bounded_step(const Newton& n, const Impulse6& d) {
  const double a = n.equations.energy_product(d, d), b = n.equations.energy_product(n.z, d);
  const double c = n.equations.energy_product(n.z, n.z) - n.bound * n.bound;
  const double root = b * b - a * c;
  if (!(a > 0) || !(root >= 0)) return 0;
  return std::clamp((std::sqrt(root) - b) / a, 0.0, std::min(1.0, kMaxTurn / n.equations.turn(d)));
}

// Golden section for the least error on [z, z + alpha d]; returns the best alpha seen.
double golden_section(const Newton& n, const Impulse6& d, double alpha) {
  constexpr double kRatio = 0.61803398874989484820;
  constexpr int kSections = 30;  // the interval shrinks to 5e-7 of itself
  const auto error = [&](double x) { return n.equations.evaluate(n.z + x * d).norm; };
  double lo = 0, hi = alpha;
  double x1 = hi - kRatio * (hi - lo), x2 = lo + kRatio * (hi - lo);
  double f1 = error(x1), f2 = error(x2);
  double best = alpha, f_best = error(alpha);
  for (int i = 0; i < kSections; ++i) {
    // what is not finite lies too far out
    if (f1 < f2 || !(f2 < kInfinity)) {
      hi = x2, x2 = x1, f2 = f1;
      x1 = hi - kRatio * (hi - lo), f1 = error(x1);
    } else {
      lo = x1, x1 = x2, f1 = f2;
      x2 = lo + kRatio * (hi - lo), f2 = error(x2);
    }
    if (f1 < f_best || !(f_best < kInfinity)) best = x1, f_best = f1;
    if (f2 < f_best) best = x2, f_best = f2;
  }
  return best;
}

// One step along d. False if the error does not get smaller.
bool advance(Newton& n, const Impulse6& d) {
  double alpha = bounded_step(n, d);
  if (!(alpha > 1e-6)) return false;
  if (n.settings.line_search == LineSearch::kAlways) alpha = golden_section(n, d, alpha);
  JointResidual next = n.equations.evaluate(n.z + alpha * d);
  if (n.settings.line_search == LineSearch::kFallback && !(next.norm < n.now.norm)) {
    alpha = golden_section(n, d, alpha);
    next = n.equations.evaluate(n.z + alpha * d);
  }
  const bool accepted =
      n.settings.line_search == LineSearch::kNone ? next.norm < kInfinity : next.norm < n.now.norm;
  if (!accepted) return false;
  n.z = n.z + alpha * d;
  n.now = next;
  return true;
}

SweepSolve::Status run(Newton& n, double epsilon, int& iterations) {
  using Status = SweepSolve::Status;
  const double tolerance =
      std::max(n.settings.tolerance * n.equations.length(), n.equations.round_off());
  for (int i = 0; i < n.settings.newton_iterations; ++i) {
    if (n.now.norm <= tolerance) return Status::kSolved;
    Impulse6 d;
    if (!n.equations.newton_direction(n.now, d)) return Status::kUnfinished;
    if (i == 0) {
      const double first = std::sqrt(n.equations.energy_product(d, d));
      n.bound = (epsilon < 1 ? epsilon : n.settings.trust) * first;
    }
    if (!advance(n, d)) return Status::kUnfinished;
    ++iterations;
    // the first step has used up epsilon
    if (epsilon < 1) return Status::kSolved;
  }
  return n.now.norm <= tolerance ? Status::kSolved : Status::kUnfinished;
}

// Impulse z/h on the parent at s, the opposite on the child.
void apply(SweepWork& work, SweepJoint& joint, const Impulse6& z, const Vec3& s, double h) {
  const Vec3 j = z.l / h, j_tau = z.a / h;
  SweepBody& p = work.bodies[joint.parent];
  SweepBody& c = work.bodies[joint.child];
  p.apply(j, s, j_tau);
  c.apply(-j, s, -j_tau);
  const Vec3 origin = c.x + rotate(c.q, joint.model->pairs[0].rC_B);
  joint.impulse -= j;
  joint.angular_impulse -= j_tau + cross(s - origin, j);
}

SweepSolve solve_part(SweepWork& work, SweepJoint& joint, JointPart part, double h, double epsilon,
                      const SweepSettings& settings) {
  JointEquations equations(work, joint, h);
  Newton newton{equations, settings};
  newton.now = equations.begin(part);
  SweepSolve solve;
  solve.before = solve.after = newton.now.norm;
  if (!(newton.now.norm < kInfinity)) {
    solve.status = SweepSolve::Status::kNotFinite;
    return solve;
  }
  if (equations.row_count() == 0) return solve;
  solve.status = run(newton, epsilon, solve.iterations);
  if (!(newton.now.norm < kInfinity) || !is_finite(newton.z.l) || !is_finite(newton.z.a)) {
    solve.status = SweepSolve::Status::kNotFinite;
    return solve;
  }
  solve.after = newton.now.norm;
  if (solve.iterations > 0) apply(work, joint, newton.z, equations.application_point(), h);
  return solve;
}

}  // namespace

SweepSolve solve_joint_position(SweepWork& work, size_t index, double h, double epsilon,
                                const SweepSettings& settings) {
  SweepJoint& joint = work.joints[index];
  if (work.bodies[joint.parent].infinite && work.bodies[joint.child].infinite) return {};
  if (settings.unknowns == JointUnknowns::kTogether) {
    return solve_part(work, joint, JointPart::kBoth, h, epsilon, settings);
  }
  SweepSolve a = solve_part(work, joint, JointPart::kLinear, h, epsilon, settings);
  if (a.status == SweepSolve::Status::kNotFinite) return a;
  const SweepSolve b = solve_part(work, joint, JointPart::kAngular, h, epsilon, settings);
  a.status = std::max(a.status, b.status);
  if (b.status == SweepSolve::Status::kIdle) a.status = SweepSolve::Status::kSolved;
  a.iterations += b.iterations;
  a.before = std::sqrt(a.before * a.before + b.before * b.before);
  a.after = std::sqrt(a.after * a.after + b.after * b.after);
  return a;
}

void sweep_positions(SweepWork& work, double h, double epsilon, const SweepSettings& settings,
                     SweepCounts& counts) {
  counts.unfinished = 0;
  for (size_t i = 0; i < work.joints.size(); ++i) {
    const SweepSolve solve = solve_joint_position(work, i, h, epsilon, settings);
    counts.newton_iterations += solve.iterations;
    counts.most_newton_iterations = std::max(counts.most_newton_iterations, solve.iterations);
    counts.skipped += solve.status == SweepSolve::Status::kNotFinite;
    counts.unfinished += solve.status == SweepSolve::Status::kUnfinished;
  }
  ++counts.sweeps;
}

}  // namespace tenon
