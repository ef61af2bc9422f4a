#include "tenon/engine/solve_articulated/direct.h"

#include <algorithm>

#include "tenon/engine/bodies/pose_curve.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/solve_articulated/detail/close_loops.h"
#include "tenon/engine/solve_articulated/detail/free_whole.h"
#include "tenon/engine/solve_articulated/detail/newton.h"

namespace tenon {
namespace {

using namespace direct;

// Newton is stopped this far below the tolerance: what is left of the joint errors does work, and
// four-bars lose a joule in ten seconds at the tolerance itself.
constexpr double kSafety = 1e-2;
// The same where positions are put right afterwards: errors are by component, gaps are lengths.
constexpr double kClosed = 0.5;
// Compliance of the joints relative to their diagonal: makes redundant rows share their load, and
// leaves gaps of that part of h^2 force / mass. Less makes the loads of redundant rows noise.
double compliance_for(double tolerance) { return std::clamp(1e-4 * tolerance, 2.5e-12, 1e-9); }
constexpr double kSettlingCompliance = 1e-2;
constexpr double kOpen = 1e-3;  // of size, rad: joints open by more are closed before the step
constexpr double kJump = 1e-5;  // of size, rad per step: velocities that open joints so fast
// rad per substep, of bodies whose motion the step resolves (alpha below kResolved) and of others
constexpr double kResolvedTurn = 0.5, kLargestTurn = 2.0, kResolved = 0.6;
// the same about axes, or of balls, whose turning changes nothing: a rod of a net that something
// has set spinning goes on for ever
constexpr double kLargestSpin = 8.0;
// a stalled iteration is taken from here on; what it leaves is reported
constexpr double kAcceptable = 1e-6;
// what the compliance may leave open, of size, and how many times more than at the begin of a step
constexpr double kLargestGap = 1e-4, kSuddenGap = 10;
constexpr double kGain = 1e-6;   // of kinetic energy and work: a step that gains more is halved
constexpr int kMaxHalvings = 5;  // after failed attempts; turns may cut the step further
constexpr int kShiftIterations = 8;
constexpr int kMaxDepth = 6;  // halvings of a step

}  // namespace

struct DirectSolver::Impl {
  const Mechanism* mechanism = nullptr;
  Newton newton;
  std::vector<double> stiffness;
  // Of bodies that do not move by themselves, from `moving` on: where the whole step and the
  // running substep end.
  std::vector<BodyState> given_end, fixed_to;
  std::vector<BodyState> state;  // where the running substep begins
  std::vector<JointState> saved_joints;
  std::vector<Vec3> rolls;  // of moving bodies: axis about which turning changes nothing, or zero
  std::vector<uint8_t> balls;  // of moving bodies: no turning changes anything

  // of the running step
  std::span<StepBody> bodies;
  std::span<const StepJoint> joints;
  DirectSettings settings;
  Newton::Limits limits;
  DirectResult result;
  Account account;
  double h = 0, whole_h = 0;                    // of the running substep, of the whole step
  bool watch_open = false, found_open = false;  // joints that are open at the begin of the step

  size_t moving() const { return mechanism->moving; }
  void begin_step(std::span<StepBody> step_bodies, std::span<const StepJoint> step_joints,
                  double step_h, const DirectSettings& step_settings);
  void begin_substep(double t1);
  void begin_rows();
  bool turns_too_far() const;
  void find_rolls();
  void choose_alpha();
  void predict();
  void store();
  void turn_spin(size_t b);
  bool advance(double t0, double t1, int depth);
  bool attempt();
  void book_change(std::span<const BodyState> from);
  void close();
  double kinetic() const;
  void project();
  bool gains_energy(double work_J) const;
  bool settle(double t1);
  bool last_resort(double t1);
  void project_begin();
  bool foresee_bends();
  bool bends_known = false;
  void rest_at_begin();
  double shift_ends(std::span<const Motion> displacement, double excess);
  void project_ends(std::span<const BodyState> before, ShiftAlong along);
  double kinetic_of(std::span<const Motion> motion) const;
  void calc_step_answer(std::span<const uint32_t> which, std::vector<double>& answer);
  bool accept();
  BodyState fixed_at(size_t b, double t) const;
};

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

void DirectSolver::Impl::begin_substep(double t1) {
  for (size_t b = moving(); b < bodies.size(); ++b) fixed_to[b - moving()] = fixed_at(b, t1);
  begin_rows();
  choose_alpha();
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

// Nothing gains energy but by the gradients of curved joints (black boxes, angles) in steps that
// are far too long for them.
bool DirectSolver::Impl::gains_energy(double work_J) const {
  double kinetic0 = 0, kinetic1 = 0, potential = 0;
  for (size_t b = 0; b < moving(); ++b) {
    const BodyState &s0 = state[b], &s1 = bodies[b].end;
    const double mass = newton.work[b].mass;
    kinetic0 += 0.5 * (mass * norm2(s0.v_WC) + dot(s0.w_WB, s0.L_W));
    kinetic1 += 0.5 * (mass * norm2(s1.v_WC) + dot(s1.w_WB, s1.L_W));
    potential -= dot(bodies[b].gravity, s1.x_WC - s0.x_WC);
  }
  const double gain = kinetic1 - kinetic0 + potential - work_J;
  // rows that stand open at the begin do work as they close
  const double open = std::max({settings.tolerance, kAcceptable, newton.rows->begin_error()});
  const double load = open * newton.rows->load_J();
  return gain > kGain * (kinetic0 + kinetic1 + std::fabs(work_J)) + load;
}

// One substep from `state` to the bodies' ends. Joints keep their state if it fails.
bool DirectSolver::Impl::attempt() {
  const Account account_before = account;
  const bool made_open = newton.rows->begin_error() > kMadeOpen;
  const bool open = watch_open && newton.rows->begin_error() > kOpen;
  predict();
  if (!newton.solve(h, compliance_for(settings.tolerance), limits)) {
    found_open = open;
    return false;
  }
  newton.rows->settle(newton.work);
  // the other root of rows that hold axes parallel
  if (newton.rows->is_turned_over()) {
    found_open = open;
    return false;
  }
  // limits between which no assumption was right; the last resort has nothing better
  if (newton.levers == Levers::kMean && newton.rows->limit_growth() > kOpen) return false;
  store();
  project();
  if (!accept()) return false;
  if (!mechanism->pins_only) {
    saved_joints.clear();
    for (const StepJoint& j : joints) saved_joints.push_back(*j.state);
  }
  newton.rows->finish(newton.work, account);
  newton.rows->add_impulses(true);
  const bool sure = mechanism->pins_only || newton.levers == Levers::kEnd;
  if (!sure && gains_energy(account.work_J - account_before.work_J)) {
    for (size_t j = 0; j < joints.size(); ++j) *joints[j].state = saved_joints[j];
    return false;
  }
  // Joints that close do work, and the speed at which they do is taken away again by project():
  // what both come to is no error of the step.
  if (made_open) {
    account = account_before;
    book_change(state);
  }
  return true;
}

// Whatever has changed since bodies were there is booked.
void DirectSolver::Impl::book_change(std::span<const BodyState> from) {
  for (size_t b = 0; b < moving(); ++b) {
    account.add_change(*bodies[b].mass, bodies[b].gravity, from[b], bodies[b].end);
  }
}

double DirectSolver::Impl::kinetic() const {
  double sum = 0;
  for (size_t b = 0; b < moving(); ++b) {
    const BodyState& s = bodies[b].end;
    sum += 0.5 * newton.work[b].mass * norm2(s.v_WC) + 0.5 * dot(s.w_WB, s.L_W);
  }
  return sum;
}

// The velocity stage. Bodies that are moved from outside can ask for rates that contradict each
// other (a taut chain pulled at both ends); those must not add up to large velocities.
void DirectSolver::Impl::project() {
  const double compliance = compliance_for(settings.tolerance);
  double fastest = 0;
  for (size_t b = moving(); b < bodies.size(); ++b) {
    const BodyState& s = bodies[b].end;
    fastest = std::max(fastest, norm(s.v_WC) + norm(s.w_WB) * limits.size);
  }
  if (!(fastest > 0)) {
    newton.rows->project(bodies, newton.work, newton.lu, compliance, Projection::kAll, account);
    return;
  }
  double mass = 0;
  std::vector<BodyState> start;
  for (size_t b = 0; b < moving(); ++b) {
    mass += newton.work[b].mass;
    start.push_back(bodies[b].end);
  }
  const double before = kinetic();
  const Account account_before = account;
  newton.rows->project(bodies, newton.work, newton.lu, compliance, Projection::kAll, account);
  if (kinetic() < 2 * before + 10 * mass * fastest * fastest) return;
  for (size_t b = 0; b < moving(); ++b) bodies[b].end = start[b];
  account = account_before;
  newton.rows->project(bodies, newton.work, newton.lu, kSettlingCompliance, Projection::kAll,
                       account);
}

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

// One attempt; halves where it fails.
bool DirectSolver::Impl::advance(double t0, double t1, int depth) {
  const double whole = h;
  const Account account_before = account;
  begin_substep(t1);
  if (t0 == 0 && depth == 0 && newton.rows->begin_rate_error(newton.work) > kJump) {
    project_begin();
    begin_substep(t1);
  }
  // huge impulses that nearly cancel solve the equations as well, but for what the compliance
  // leaves open; half a step finds others, and where it does not they are true
  limits.largest_gap = kLargestGap;
  if (depth == 0) {
    const double sudden = std::max(limits.acceptable, kSuddenGap * newton.rows->begin_error());
    limits.largest_gap = std::min(kLargestGap, sudden);
  }
  const bool cut = turns_too_far() && depth < kMaxDepth;
  if (!cut && attempt()) return true;
  watch_open = false;  // what opens later in the step is settled there
  account = account_before;
  if (found_open) return false;
  if (!cut && (depth >= kMaxHalvings || limits.out_of_time())) return last_resort(t1);
  ++result.bisections;
  const double middle = 0.5 * (t0 + t1);
  h = 0.5 * whole;
  bool done = advance(t0, middle, depth + 1);
  if (done) {
    for (size_t b = 0; b < bodies.size(); ++b) state[b] = bodies[b].end;
    done = advance(middle, t1, depth + 1);
  }
  h = whole;
  return done;
}

void DirectSolver::Impl::begin_step(std::span<StepBody> step_bodies,
                                    std::span<const StepJoint> step_joints, double step_h,
                                    const DirectSettings& step_settings) {
  bodies = step_bodies;
  joints = step_joints;
  settings = step_settings;
  h = whole_h = step_h;
  result = {};
  account = {};
  watch_open = true;
  found_open = false;
  newton.iterations = newton.factorisations = 0;
  limits.tolerance = kSafety * settings.tolerance;
  limits.acceptable = std::max(settings.tolerance, kAcceptable);
  limits.size = kInfinity;
  for (const StepJoint& j : joints) {
    limits.size = std::min(limits.size, j.size);
  }
  limits.clock = settings.clock;
  limits.deadline = settings.deadline;
  find_rolls();
  state.clear();
  for (const StepBody& b : bodies) state.push_back(b.begin);
  given_end.clear();
  for (size_t b = moving(); b < bodies.size(); ++b) given_end.push_back(bodies[b].end);
  fixed_to = given_end;
}

DirectSolver::DirectSolver() : impl_(std::make_unique<Impl>()) {}
DirectSolver::~DirectSolver() = default;
DirectSolver::DirectSolver(DirectSolver&&) noexcept = default;
DirectSolver& DirectSolver::operator=(DirectSolver&&) noexcept = default;

void DirectSolver::reset(const Mechanism& mechanism) {
  impl_->mechanism = &mechanism;
  impl_->newton.reset(mechanism);
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

void DirectSolver::calc_answer(std::span<const uint32_t> bodies, std::vector<double>& answer) {
  Impl& s = *impl_;
  s.newton.rows->calc_answer(s.bodies, s.newton.work, s.newton.lu, *s.mechanism, bodies, answer);
}

double DirectSolver::tightness() {
  Impl& s = *impl_;
  s.stiffness.assign(s.newton.work.size(), 0);
  s.newton.rows->add_tension(s.newton.work, s.stiffness);
  double largest = 0;
  for (size_t b = 0; b < s.moving(); ++b) largest = std::max(largest, s.stiffness[b]);
  return s.h * s.h / 8 * largest;
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

DirectResult DirectSolver::step(std::span<StepBody> bodies, std::span<const StepJoint> joints,
                                double h, const DirectSettings& settings) {
  Impl& s = *impl_;
  s.begin_step(bodies, joints, h, settings);
  for (const StepJoint& j : joints) j.state->force = {};  // impulses until the step is over
  bool done = s.advance(0, 1, 0);
  if (s.found_open) {
    // closed first; what cannot be closed is not stepped over
    s.watch_open = s.found_open = false;
    for (size_t b = 0; b < bodies.size(); ++b) s.state[b] = bodies[b].begin;
    s.close();
    for (const StepJoint& j : joints) j.state->lambda = j.state->force = {};
    for (size_t b = s.moving(); b < bodies.size(); ++b) s.fixed_to[b - s.moving()] = s.state[b];
    s.begin_rows();
    const bool closed = s.newton.rows->begin_error() < 10 * settings.tolerance;
    done = closed ? s.advance(0, 1, 0) : s.last_resort(1);
  }
  for (const StepJoint& j : joints) {
    for (double& force : j.state->force) force /= h;
  }
  s.result.iterations = s.newton.iterations;
  s.result.factorisations = s.newton.factorisations;
  s.result.work_J = s.account.work_J;
  s.result.impulse = s.account.impulse;
  s.result.angular_impulse = s.account.angular_impulse;
  if (!done) {
    s.result.status = StepStatus::kFailed;
  } else if (s.result.softened > 0) {
    s.result.status = StepStatus::kSoftened;
  } else if (s.result.bisections > 0) {
    s.result.status = StepStatus::kRefined;
  }
  return s.result;
}

}  // namespace tenon
