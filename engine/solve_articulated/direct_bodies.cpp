// Bodies of a mechanism over one (sub)step of the direct solver: where they begin, how long a step
// they bear, and where the impulses of the joints take them.
#include <algorithm>
#include <cmath>

#include "tenon/engine/bodies/pose_curve.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/solve_articulated/detail/direct_impl.h"

namespace tenon {
namespace {

using namespace direct;

// rad per substep, of bodies whose motion the step resolves (alpha below kResolved) and of others
constexpr double kResolvedTurn = 0.5, kLargestTurn = 2.0, kResolved = 0.6;
// the same about axes, or of balls, whose turning changes nothing: a rod of a net that something
// has set spinning goes on for ever
constexpr double kLargestSpin = 8.0;

}  // namespace

// Bodies that do not move by themselves: between their given states at part t (0 ... 1) of the
// step, with the velocity that belongs to that motion.
BodyState DirectSolver::Impl::fixed_at(size_t b, double t) const {
  const BodyState &begin = bodies[b].begin, &end = given_end[b - moving()];
  if (t <= 0) return begin;
  if (t >= 1) return end;
  const MovingPose m = interpolate_step({{begin.x_WC, begin.q_WB}, begin.v_WC, begin.w_WB},
                                        {{end.x_WC, end.q_WB}, end.v_WC, end.w_WB}, whole_h, t);
  return {m.X_WB.p, m.X_WB.q, m.v_WB, m.w_WB, {}};
}

void DirectSolver::Impl::begin_rows() {
  for (size_t b = 0; b < newton.work.size(); ++b) {
    BodyWork& w = newton.work[b];
    const BodyState& s = state[b];
    w.x0 = s.x_WC;
    w.v0 = s.v_WC;
    w.w0 = s.w_WB;
    w.v1 = s.v_WC;
    w.w1 = s.w_WB;
    w.R0 = to_matrix(s.q_WB);
    w.moves = b < moving();
    if (!w.moves) {
      const BodyState& to = fixed_to[b - moving()];
      w.turns = false;
      w.dx = to.x_WC - s.x_WC;
      w.x1 = w.x0 + w.dx;
      w.th = cayley_of(log_map(to.q_WB * conjugate(s.q_WB)));
      w.S = cayley_matrix(w.th);
      w.inv_ml = 0;
      w.inv_N = {};
      w.ul = w.ua = {};
      continue;
    }
    const BodyMass& m = *bodies[b].mass;
    w.mass = m.mass;
    w.drag = bodies[b].drag;
    w.force = bodies[b].force;
    w.turns = m.moments.x > 0;
    w.v1 += h * bodies[b].acceleration.linear;
    if (w.turns) w.w1 += h * bodies[b].acceleration.angular;
    w.torque = w.turns ? bodies[b].torque : Vec3{};
    w.L0 = s.L_W;
    w.I0 = w.R0 * m.I_B * transpose(w.R0);
    w.inv_I0 = w.R0 * m.inv_I_B * transpose(w.R0);
  }
  newton.rows->set_adaptive(settings.adaptive_damping);
  newton.rows->begin(newton.work, joints, h, newton.levers);
}

// alpha of (5): one half where the step resolves the body's transverse oscillation under the
// tension it carries, towards one where it does not.
void DirectSolver::Impl::choose_alpha() {
  const bool implicit = newton.levers == Levers::kEnd;
  for (BodyWork& w : newton.work) w.alpha = implicit ? 1 : 0.5;
  if (implicit || !settings.adaptive_damping) return;
  stiffness.assign(newton.work.size(), 0);
  newton.rows->add_tension(newton.work, stiffness);
  for (size_t b = 0; b < moving(); ++b) {
    const double s2 = h * h / 8 * std::max(0.0, stiffness[b]), s4 = s2 * s2;
    newton.work[b].alpha = 0.5 + 0.5 * (std::isfinite(s4) ? s4 / (1 + s4) : 1.0);
  }
}

// As if the accelerations of the last step went on: third-order errors where motion is smooth. By
// (2) the Cayley vector, and not the angle, is the step times a mean of the angular velocities.
void DirectSolver::Impl::predict() {
  for (size_t b = 0; b < moving(); ++b) {
    BodyWork& w = newton.work[b];
    w.dx = h * (w.v0 + (0.5 * h) * bodies[b].acceleration.linear);
    w.th = w.turns ? h * (w.w0 + (0.5 * h) * bodies[b].acceleration.angular) : Vec3{};
  }
}

// End states from impulses: momentum to the last bit, whatever Newton has left over.
void DirectSolver::Impl::store() {
  for (size_t b = 0; b < moving(); ++b) {
    BodyWork& w = newton.work[b];
    BodyState& s = bodies[b].end;
    const double drag = w.drag > 0 ? w.drag * norm(w.dx) / h : 0;
    const Vec3 impulse = h * w.force - drag * w.dx;
    account.impulse += impulse;
    account.angular_impulse += cross(w.x0 + 0.5 * w.dx, impulse) + h * w.torque;
    account.work_J += dot(w.force - bodies[b].gravity - (drag / h) * w.dx, w.dx) +
                      (w.turns ? dot(w.torque, w.th) : 0.0);
    const bool implicit = newton.levers == Levers::kEnd;
    w.dx -= ((implicit ? 1 : 0.5) * h / w.mass) * w.gl;
    s.v_WC = implicit ? (1 / h) * w.dx : (2 / h) * w.dx - w.v0;
    s.x_WC = w.x0 + w.dx;
    if (!w.turns) {
      s.q_WB = state[b].q_WB;
      s.w_WB = state[b].w_WB;
      s.L_W = state[b].L_W;
      continue;
    }
    s.q_WB = normalized(Quat{1, 0.5 * w.th.x, 0.5 * w.th.y, 0.5 * w.th.z} * state[b].q_WB);
    turn_spin(b);
    s.L_W = w.L1 - w.ga;
    s.w_WB = angular_velocity(s.q_WB, bodies[b].mass->inv_I_B, s.L_W);
  }
  for (size_t b = moving(); b < bodies.size(); ++b) bodies[b].end = fixed_to[b - moving()];
}

// By (2) a body has turned about its axis of revolution by the component s of the Cayley vector, of
// which the Cayley rotation makes 2 atan(s/2). Where that turning changes nothing else, the body is
// put where it is; a ball turns by the whole vector.
void DirectSolver::Impl::turn_spin(size_t b) {
  const Vec3& th = newton.work[b].th;
  BodyState& s = bodies[b].end;
  if (balls[b] != 0) {
    s.q_WB = normalized(exp_map(th) * state[b].q_WB);
  } else if (!(rolls[b] == Vec3{})) {
    const double spin = dot(newton.work[b].R0 * rolls[b], th);
    const double missing = spin - 2 * tenon::atan2(0.5 * spin, 1);
    s.q_WB = normalized(s.q_WB * exp_map(missing * rolls[b]));
  }
}

// The end states of a substep are good: accelerations for the next one.
bool DirectSolver::Impl::accept() {
  for (size_t b = 0; b < moving(); ++b) {
    if (!is_finite(bodies[b].end)) return false;
  }
  for (size_t b = 0; b < moving(); ++b) {
    bodies[b].acceleration.linear = (1 / h) * (bodies[b].end.v_WC - newton.work[b].v0);
    bodies[b].acceleration.angular = (1 / h) * (bodies[b].end.w_WB - newton.work[b].w0);
  }
  return true;
}

// A Cayley rotation by phi belongs to the velocity 2 tan(phi/2) / h: substeps keep that near phi /
// h. Bodies that whip about under tension turn fast for a moment and are not resolved anyway.
bool DirectSolver::Impl::turns_too_far() const {
  const double resolved = kResolvedTurn / h, largest = kLargestTurn / h, spin = kLargestSpin / h;
  for (size_t b = 0; b < moving(); ++b) {
    const BodyWork& w = newton.work[b];
    if (norm2(w.w0) > spin * spin) return true;
    if (balls[b] != 0) continue;
    const Vec3 across = rolls[b] == Vec3{} ? w.w0 : cross(w.w0, w.R0 * rolls[b]);
    const double most = w.alpha >= kResolved ? largest : resolved;
    if (norm2(across) > most * most) return true;
  }
  for (const BodyState& s : given_end) {
    if (norm2(s.w_WB) > resolved * resolved) return true;
  }
  return false;
}

// Bodies of revolution that hang on points of their axes only, and balls that hang on their middle.
void DirectSolver::Impl::find_rolls() {
  constexpr double kSame = 1e-9;
  rolls.assign(moving(), {});
  balls.assign(moving(), 0);
  for (size_t b = 0; b < moving(); ++b) {
    const BodyMass& m = *bodies[b].mass;
    const bool low = m.moments.y - m.moments.x < kSame * m.moments.y;
    const bool high = m.moments.z - m.moments.y < kSame * m.moments.z;
    balls[b] = low && high ? 1 : 0;
    if (low == high || !(m.moments.x > 0)) continue;
    rolls[b] = rotate(m.q_BP, low ? Vec3{0, 0, 1} : Vec3{1, 0, 0});
  }
  for (size_t k = 0; k < joints.size(); ++k) {
    const MechanismJoint& j = mechanism->joints[k];
    const JointModel& model = *joints[k].model;
    for (size_t e = 0; e < j.entry_count; ++e) {
      if (j.body[e] >= moving()) continue;
      Vec3& axis = rolls[j.body[e]];
      const Vec3& r = e == 0 ? model.pairs[0].rP_B : model.pairs[0].rC_B;
      const bool point = model.kind == JointKind::kPoint && model.row_count == 3 && e < 2;
      if (!point || !(norm(r) < 1e-6 * joints[k].size)) balls[j.body[e]] = 0;
      if (!point || norm2(cross(axis, r)) > 1e-12 * norm2(r)) axis = {};
    }
  }
}

}  // namespace tenon
