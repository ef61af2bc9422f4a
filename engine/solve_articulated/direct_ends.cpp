// What contacts ask of a mechanism where its step begins or has ended: how it answers to impulses,
// how its joints bend ways, and to be shifted as a whole.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_articulated/detail/direct_impl.h"
#include "tenon/engine/solve_articulated/detail/free_whole.h"

namespace tenon {
namespace {

using namespace direct;

// Of the tolerance, where positions are put right afterwards: errors are by component, gaps are
// lengths.
constexpr double kClosed = 0.5;
constexpr int kShiftIterations = 8;

}  // namespace

// At the end of a step joints G have turned with the bodies: there G v' + h (dG/dt) v = 0. Straight
// ways open them by C(q + h v) - C(q) = h^2/2 (dG/dt) v, so v' - v is the answer to minus 2/h times
// that; (6c) of contacts.md. After begin_rows(). False: bodies turn too far for one derivative.
bool DirectSolver::Impl::foresee_bends() {
  constexpr double kFarTurn = 0.5;  // rad
  double turn2 = 0;
  for (BodyWork& w : newton.work) {
    turn2 = std::max(turn2, norm2(h * w.w0));
    w.dx = h * w.v0;
    w.th = cayley_of(h * w.w0);
    w.x1 = w.x0 + w.dx;
    w.S = cayley_matrix(w.th);
  }
  if (!(turn2 < kFarTurn * kFarTurn)) return false;
  newton.rows->evaluate(newton.work);
  newton.rows->keep_openings(newton.lu);
  return true;
}

// All ends where the step begins, after begin_rows().
void DirectSolver::Impl::rest_at_begin() {
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (b >= moving()) fixed_to[b - moving()] = state[b];
    bodies[b].end = state[b];
    BodyWork& w = newton.work[b];
    w.dx = w.th = {};
    w.x1 = w.x0;
    w.S = Mat3::identity();
  }
  newton.rows->rest(newton.work);
}

// Newton steps. Not chord steps with the matrix of the velocity stage: rows that are redundant (a
// bridge of hinges between two banks) make it nearly singular, what they contradict each other by
// becomes large impulses that cancel, and levers that have turned since let these act.
// `excess`: what may be left beyond limits.
double DirectSolver::Impl::shift_ends(std::span<const Motion> displacement, double excess) {
  std::vector<Motion> d(displacement.begin(), displacement.end());
  d.resize(bodies.size());
  double error = 0;
  for (int iteration = 0;; ++iteration) {
    for (size_t b = 0; b < bodies.size(); ++b) {
      BodyWork& w = newton.work[b];
      BodyState& s = bodies[b].end;
      if (w.moves) {
        s.x_WC += d[b].v;
        if (w.turns) s.q_WB = normalized(exp_map(d[b].w) * s.q_WB);
      }
      w.x1 = s.x_WC;
      w.S = to_matrix(s.q_WB) * transpose(w.R0);
    }
    newton.rows->evaluate(newton.work);
    const double beyond = newton.rows->limit_excess();
    error = newton.rows->held_gap();
    const bool closed = !(error > kSafety * settings.tolerance) && !(beyond > excess);
    if (beyond > excess) error = std::max(error, beyond);
    if (closed || iteration == kShiftIterations) break;
    const double compliance = compliance_for(settings.tolerance);
    newton.rows->factor_end(bodies, newton.work, newton.lu, compliance);
    newton.rows->close_errors(bodies, newton.work, newton.lu, compliance, d);
  }
  return error;
}

// Velocities that fit the joints where bodies were do not fit them where shift_ends() has put them:
// the nearest ones do. Hits and contacts of the next step rely on it, as the impulses that joints
// answer with do no work at such velocities only. On its path a body's velocity turns with it, by
// the angle of its turn: what the projection takes by that, sin^2 of the energy, is given back. Of
// mechanisms that hang on nothing, whose momentum stays, velocities turn with the whole, and what
// is taken then is given back to the motion within it.
void DirectSolver::Impl::project_ends(std::span<const BodyState> before, ShiftAlong along) {
  std::vector<Motion> u;
  double turn = 0, driven = 0;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const BodyState& s = bodies[b].end;
    u.push_back({s.v_WC, s.w_WB});
    if (b < moving()) {
      turn = std::max(turn, norm(log_map(s.q_WB * conjugate(before[b].q_WB))));
    } else {
      driven += norm2(s.v_WC) + norm2(s.w_WB);
    }
  }
  const double kinetic0 = kinetic_of(u);
  const bool whole = along == ShiftAlong::kPath && bodies.size() == moving();
  if (whole) turn_motion_of_whole(bodies, calc_turn_of_whole(bodies, before), u);
  newton.rows->factor_end(bodies, newton.work, newton.lu, compliance_for(settings.tolerance));
  newton.rows->project_motion(bodies, newton.work, newton.lu, u);
  if (whole) raise_inner_energy(bodies, kinetic0, 1 + turn * turn, u);
  const double left = kinetic_of(u);
  const bool led = along == ShiftAlong::kPath && bodies.size() > moving() && driven == 0;
  const double part = led && left > 0 ? std::sqrt(std::min(kinetic0 / left, 1 + turn * turn)) : 1.0;
  for (size_t b = 0; b < moving(); ++b) {
    BodyState& s = bodies[b].end;
    s.v_WC = part * u[b].v;
    if (!newton.work[b].turns) continue;
    s.w_WB = part * u[b].w;
    s.L_W = angular_momentum(s.q_WB, bodies[b].mass->I_B, s.w_WB);
  }
}

// Where the bodies end.
double DirectSolver::Impl::kinetic_of(std::span<const Motion> motion) const {
  double sum = 0;
  for (size_t b = 0; b < moving(); ++b) {
    const BodyMass& m = *bodies[b].mass;
    const Motion& u = motion[b];
    sum += 0.5 * m.mass * norm2(u.v);
    if (newton.work[b].turns) {
      sum += 0.5 * dot(u.w, angular_momentum(bodies[b].end.q_WB, m.I_B, u.w));
    }
  }
  return sum;
}

// Twice the displacement by h: v1 = 2 dx / h - v0. Bodies that the step damps end slower by up to a
// factor of two; that one is the same for all makes the matrix symmetric.
void DirectSolver::Impl::calc_step_answer(std::span<const uint32_t> which,
                                          std::vector<double>& answer) {
  const size_t n = 6 * which.size();
  newton.factor(compliance_for(settings.tolerance));
  answer.assign(n * n, 0);
  for (size_t column = 0; column < n; ++column) {
    Vec3 push[2];
    push[column % 6 / 3][static_cast<int>(column % 3)] = 1;
    newton.respond(which[column / 6], push[0], push[1]);
    for (size_t i = 0; i < n; ++i) {
      const BodyWork& w = newton.work[which[i / 6]];
      const double half = (i % 6 < 3 ? w.du : w.dth)[static_cast<int>(i % 3)] / h;
      answer[column * n + i] += half;
      answer[i * n + column] += half;
    }
  }
}

void DirectSolver::begin_answer(std::span<StepBody> bodies, std::span<const StepJoint> joints,
                                double h, const DirectSettings& settings, Bends bends) {
  Impl& s = *impl_;
  s.begin_step(bodies, joints, h, settings);
  s.begin_rows();
  s.bends_known = bends == Bends::kForeseen && s.foresee_bends();
  s.rest_at_begin();
  s.newton.rows->factor_end(bodies, s.newton.work, s.newton.lu, compliance_for(settings.tolerance));
  // the ends of bodies that are moved from outside are given to step()
  for (size_t b = s.moving(); b < bodies.size(); ++b) bodies[b].end = s.given_end[b - s.moving()];
}

bool DirectSolver::calc_bend(std::span<Motion> bend) {
  Impl& s = *impl_;
  if (!s.bends_known) return false;
  s.newton.rows->answer_openings(s.newton.work, s.newton.lu, 2 / s.h, bend);
  return true;
}

void DirectSolver::project(std::span<Motion> motion) {
  Impl& s = *impl_;
  s.newton.rows->project_motion(s.bodies, s.newton.work, s.newton.lu, motion);
}

void DirectSolver::read_impulses(std::span<std::array<double, kMaxRows>> impulses) const {
  impl_->newton.rows->read_impulses(impl_->newton.lu, impulses);
}

void DirectSolver::calc_answer(std::span<const uint32_t> bodies, std::vector<double>& answer) {
  Impl& s = *impl_;
  s.newton.rows->calc_answer(s.bodies, s.newton.work, s.newton.lu, *s.mechanism, bodies, answer);
}

std::vector<double> DirectSolver::calc_tightness() {
  Impl& s = *impl_;
  s.stiffness.assign(s.newton.work.size(), 0);
  s.newton.rows->add_tension(s.newton.work, s.stiffness);
  std::vector<double> of(s.stiffness.begin(),
                         s.stiffness.begin() + static_cast<ptrdiff_t>(s.moving()));
  for (double& x : of) x = s.h * s.h / 8 * std::max(0.0, x);
  return of;
}

bool DirectSolver::calc_step_answer(std::span<const uint32_t> which, std::vector<double>& answer) {
  Impl& s = *impl_;
  if (s.result.status != StepStatus::kConverged) return false;
  s.calc_step_answer(which, answer);
  return true;
}

std::span<const BoundedRow> DirectSolver::bounded_rows() const {
  return impl_->newton.rows->bounded_rows();
}

double DirectSolver::shift_ends(std::span<StepBody> bodies, std::span<const Motion> displacement,
                                ShiftAlong along) {
  Impl& s = *impl_;
  s.bodies = bodies;
  std::vector<BodyState> before;
  for (const StepBody& b : bodies) before.push_back(b.end);
  std::vector<Motion> d(displacement.begin(), displacement.end());
  double error = 0;
  // limits end where they were in the step, or better
  const double excess = std::max(s.newton.rows->limit_excess(), s.settings.tolerance);
  // large displacements may be more than joints can follow: then a part of them
  for (int attempt = 0; attempt < 4; ++attempt) {
    error = s.shift_ends(d, excess);
    if (error <= kClosed * s.settings.tolerance && !s.newton.rows->is_turned_over()) {
      s.project_ends(before, along);
      return error;
    }
    for (size_t b = 0; b < bodies.size(); ++b) bodies[b].end = before[b];
    for (Motion& u : d) {
      u.v *= 0.25;
      u.w *= 0.25;
    }
  }
  return 0;
}

}  // namespace tenon
