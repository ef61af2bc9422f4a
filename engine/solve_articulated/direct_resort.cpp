// Steps of the direct solver that do not begin or end as they should: joints that are open at the
// begin or torn open, and what cannot be met.
#include <vector>

#include "tenon/engine/solve_articulated/detail/close_loops.h"
#include "tenon/engine/solve_articulated/detail/direct_impl.h"

namespace tenon {
namespace {

using namespace direct;

}  // namespace

// Moves bodies, and no velocities, to where the joints meet as well as they can.
void DirectSolver::Impl::close() {
  std::vector<MobilityBody> place;
  for (size_t b = 0; b < state.size(); ++b) {
    const bool turns = b < moving() && bodies[b].mass->moments.x > 0;
    place.push_back({turns, state[b].x_WC, state[b].q_WB});
  }
  std::vector<MobilityJoint> held;
  for (const StepJoint& j : joints) held.push_back({j.model, j.state, j.size});
  mobility::HeldRows rows_held(*mechanism, place, held);
  const mobility::Closed closed = mobility::close_loops(rows_held, rows_held.start());
  for (size_t b = 0; b < moving(); ++b) {
    account.work_J -= dot(bodies[b].gravity, closed.at.x_WC[b] - state[b].x_WC);
    state[b].x_WC = closed.at.x_WC[b];
    state[b].q_WB = closed.at.q_WB[b];
    if (bodies[b].mass->moments.x > 0) {
      state[b].L_W = angular_momentum(state[b].q_WB, bodies[b].mass->I_B, state[b].w_WB);
    }
  }
}

// Velocities that would tear joints open come from outside: bodies set in motion, joints made or
// switched on between moving bodies. They meet as in a collision that takes up all relative speed.
void DirectSolver::Impl::project_begin() {
  rest_at_begin();
  Account unused;
  newton.rows->project(bodies, newton.work, newton.lu, compliance_for(settings.tolerance),
                       Projection::kHeld, unused);
  for (size_t b = 0; b < moving(); ++b) {
    if (!is_finite(bodies[b].end)) return;
  }
  newton.rows->add_impulses(false);
  for (size_t b = 0; b < moving(); ++b) {
    account.add_change(*bodies[b].mass, bodies[b].gravity, state[b], bodies[b].end);
    state[b] = bodies[b].end;
  }
}

// A step for joints that cannot all be met: bodies go where the errors are least, velocities feel
// the forces and what the joints allow. No energy comes of it, and no accuracy is claimed.
bool DirectSolver::Impl::settle(double t1) {
  for (size_t b = moving(); b < bodies.size(); ++b) {
    state[b] = fixed_to[b - moving()] = fixed_at(b, t1);
  }
  close();
  begin_rows();
  for (size_t b = 0; b < moving(); ++b) newton.work[b].dx = newton.work[b].th = {};
  newton.evaluate(h);
  for (const StepJoint& j : joints) j.state->lambda = {};
  for (size_t b = 0; b < bodies.size(); ++b) {
    const BodyWork& w = newton.work[b];
    BodyState& s = bodies[b].end = state[b];
    if (!w.moves) continue;
    s.v_WC += (h / w.mass) * w.force;
    if (w.turns) s.L_W += h * w.torque;
    s.w_WB = angular_velocity(s.q_WB, bodies[b].mass->inv_I_B, s.L_W);
  }
  // rates that contradict each other must not add up to large velocities
  newton.rows->project(bodies, newton.work, newton.lu, kSettlingCompliance, Projection::kAll,
                       account);
  for (size_t b = 0; b < moving(); ++b) {
    // half of the speed goes at every such step: what cannot be met comes to rest
    BodyState& s = bodies[b].end;
    for (Vec3* v : {&s.v_WC, &s.w_WB, &s.L_W}) *v *= 0.5;
  }
  newton.rows->add_impulses(false);
  return accept();
}

// Where halving does not help: implicit Euler, which damps and needs no consistent begin, or the
// nearest place that the joints allow.
bool DirectSolver::Impl::last_resort(double t1) {
  ++result.softened;
  const std::vector<BodyState> before = state;
  const Account account_before = account;
  newton.levers = Levers::kEnd;
  begin_substep(t1);
  bool done = attempt();
  newton.levers = Levers::kMean;
  if (!done) done = settle(t1);
  account = account_before;
  if (done) book_change(before);
  return done;
}

}  // namespace tenon
