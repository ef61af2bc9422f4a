#include "tenon/engine/solve_articulated/direct.h"

#include <algorithm>

#include "tenon/engine/math/elementary.h"
#include "tenon/engine/solve_articulated/detail/close_loops.h"
#include "tenon/engine/solve_articulated/detail/direct_data.h"

namespace tenon {
namespace direct {

Vec3 cayley_of(const Vec3& rotation) {
  const double angle = norm(rotation);
  if (!(angle > 1e-6)) return (1 + angle * angle / 12) * rotation;
  const double half = std::min(0.5 * angle, 1.45);
  return (2 * tenon::sin(half) / (tenon::cos(half) * angle)) * rotation;
}

void calc_end_inertia(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                      std::vector<Mat3>& inv_I) {
  inv_I.assign(bodies.size(), Mat3{});
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!work[b].turns) continue;
    const Mat3 R = to_matrix(bodies[b].end.q_WB);
    inv_I[b] = R * bodies[b].mass->inv_I_B * transpose(R);
  }
}

}  // namespace direct

namespace {

using namespace direct;

// Newton is stopped this far below the tolerance: what is left of the joint errors does work, and
// four-bars lose a joule in ten seconds at the tolerance itself.
constexpr double kSafety = 1e-2;
// Compliance of the joints relative to their diagonal: makes redundant rows share their load, and
// leaves gaps of that part of h^2 force / mass. Less makes the loads of redundant rows noise.
double compliance_for(double tolerance) { return std::clamp(1e-4 * tolerance, 3.5e-12, 1e-9); }
constexpr double kSettlingCompliance = 1e-2;
constexpr double kOpen = 1e-3;  // of size, rad: joints open by more are closed before the step
constexpr double kRotationCap = 0.8;  // rad per Newton step [Faure1999, sec. 3.3]
constexpr double kLargestTurn = 2.0;  // rad per substep: beyond, the step is cut beforehand
constexpr double kAcceptable =
    1e-6;  // a stalled iteration is taken from here on; what it leaves is reported
constexpr int kMaxIterations = 30;
constexpr int kMaxStalled = 5;
constexpr int kMaxHalvings = 5;  // after failed attempts; turns may cut the step further
constexpr int kMaxDepth = 6;     // halvings of a step
constexpr int kMaxLawChanges = 12;
constexpr double kGoodContraction = 0.1;  // a chord step that does better keeps the factors

}  // namespace

struct DirectSolver::Impl {
  const Mechanism* mechanism = nullptr;
  std::unique_ptr<Rows> rows;
  BlockLu lu;
  std::vector<BodyWork> work;
  std::vector<double> x, stiffness;
  std::vector<BodyState> given_end;  // by local body

  // of the running step
  std::span<StepBody> bodies;
  std::span<const StepJoint> joints;
  DirectSettings settings;
  double size = 1;  // m, smallest of the joints': momentum residuals are displacements
  DirectResult result;
  Account account;
  double h = 0;
  bool softened = false;
  bool watch_open = false, found_open = false;  // joints that are open at the begin of the step

  double joint_error = 0, momentum_error = 0;

  void begin_substep(const std::vector<BodyState>& from, const std::vector<BodyState>& fixed_to);
  void choose_alpha();
  void predict();
  void evaluate_bodies();
  void evaluate(bool with_stiffness);
  void factor(double compliance);
  void newton_direction();
  double move_along(double factor);
  bool newton(double compliance);
  bool solve_with_laws(double compliance);
  void store(std::vector<BodyState>& to);
  bool advance(std::vector<BodyState>& state, double t0, double t1, int depth);
  bool attempt(std::vector<BodyState>& state, double t1);
  void close(std::vector<BodyState>& state);
  double kinetic() const;
  void project();
  bool settle(std::vector<BodyState>& state, double t1);
  BodyState fixed_at(size_t b, double t) const;
  bool out_of_time() const {
    return settings.deadline > 0 && settings.clock != nullptr &&
           settings.clock() > settings.deadline;
  }
};

// Bodies that do not move by themselves: between their given states at part t (0 ... 1) of the
// step.
BodyState DirectSolver::Impl::fixed_at(size_t b, double t) const {
  const StepBody& body = bodies[b];
  const BodyState& end = given_end[b];  // StepBody::end passes through the substeps
  if (t <= 0) return body.begin;
  if (t >= 1) return end;
  BodyState s = end;
  s.x_WC = body.begin.x_WC + t * (end.x_WC - body.begin.x_WC);
  const Vec3 turn = log_map(end.q_WB * conjugate(body.begin.q_WB));
  s.q_WB = normalized(exp_map(t * turn) * body.begin.q_WB);
  return s;
}

void DirectSolver::Impl::begin_substep(const std::vector<BodyState>& from,
                                       const std::vector<BodyState>& fixed_to) {
  for (size_t b = 0; b < work.size(); ++b) {
    BodyWork& w = work[b];
    const BodyState& s = from[b];
    w.x0 = s.x_WC;
    w.v0 = s.v_WC;
    w.w0 = s.w_WB;
    w.R0 = to_matrix(s.q_WB);
    w.moves = b < mechanism->moving;
    if (!w.moves) {
      w.turns = false;
      w.dx = fixed_to[b].x_WC - s.x_WC;
      w.th = cayley_of(log_map(fixed_to[b].q_WB * conjugate(s.q_WB)));
      w.S = cayley_matrix(w.th);
      w.inv_ml = 0;
      w.inv_N = {};
      w.ul = w.ua = w.du = w.dphi = {};
      continue;
    }
    const BodyMass& m = *bodies[b].mass;
    w.mass = m.mass;
    w.drag = bodies[b].drag;
    w.force = bodies[b].force;
    w.turns = m.moments.x > 0;
    w.torque = w.turns ? bodies[b].torque : Vec3{};
    w.L0 = s.L_W;
    w.I0 = w.R0 * m.I_B * transpose(w.R0);
    w.inv_I0 = w.R0 * m.inv_I_B * transpose(w.R0);
  }
  rows->begin(work, joints, h);
}

// alpha of (5): one half where the step resolves the body's transverse oscillation under the
// tension it carries, towards one where it does not.
void DirectSolver::Impl::choose_alpha() {
  for (BodyWork& w : work) w.alpha = 0.5;
  if (!settings.adaptive_damping) return;
  stiffness.assign(work.size(), 0);
  rows->add_tension(work, stiffness);
  for (size_t b = 0; b < mechanism->moving; ++b) {
    const double s2 = h * h / 8 * std::max(0.0, stiffness[b]), s4 = s2 * s2;
    work[b].alpha = 0.5 + 0.5 * (std::isfinite(s4) ? s4 / (1 + s4) : 1.0);
  }
}

// Free flight without the joints' impulses: consistent velocities leave only second-order errors.
void DirectSolver::Impl::predict() {
  for (size_t b = 0; b < mechanism->moving; ++b) {
    BodyWork& w = work[b];
    w.dx = h * w.v0 + (0.5 * h * h / w.mass) * w.force;
    w.th = w.turns ? cayley_of(h * w.w0) : Vec3{};
  }
}

// Momentum equations (3) and (4) without the joints.
void DirectSolver::Impl::evaluate_bodies() {
  const double inv_h = 1 / h;
  for (size_t b = 0; b < mechanism->moving; ++b) {
    BodyWork& w = work[b];
    double ml = 2 * w.mass * inv_h;
    w.gl = ml * (w.dx - h * w.v0) - h * w.force;
    if (w.drag > 0) {  // -drag |v_m| v_m with the mean velocity
      const double speed = norm(w.dx) * inv_h;
      w.gl += (w.drag * speed) * w.dx;
      ml += w.drag * speed;
    }
    w.inv_ml = 1 / ml;
    if (!w.turns) {
      w.ga = {};
      continue;
    }
    const double s = 1 / (w.alpha * h);
    w.S = cayley_matrix(w.th);
    w.L1 = w.S * (s * (w.I0 * w.th) - ((1 - w.alpha) / w.alpha) * w.L0);
    w.ga = w.L1 - w.L0 - h * w.torque;
  }
}

void DirectSolver::Impl::evaluate(bool with_stiffness) {
  evaluate_bodies();
  if (with_stiffness) {
    for (size_t b = 0; b < mechanism->moving; ++b) {
      BodyWork& w = work[b];
      if (!w.turns) continue;
      // R I0 D^-1 / (alpha h) - [L1], D^-1 = E - [th]/2 + th th^T/4; joints add theirs   (8)
      Mat3 D = 0.25 * outer(w.th, w.th) - 0.5 * skew(w.th);
      D.r0.x += 1;
      D.r1.y += 1;
      D.r2.z += 1;
      w.N = (1 / (w.alpha * h)) * (w.S * (w.I0 * D)) - skew(w.L1);
    }
  }
  joint_error = rows->evaluate(work, with_stiffness);
}

void DirectSolver::Impl::factor(double compliance) {
  for (size_t b = 0; b < mechanism->moving; ++b) {
    BodyWork& w = work[b];
    w.inv_N = w.turns ? inverse(w.N) : Mat3{};
  }
  rows->assemble(work, lu, compliance);
  lu.factor_general();
  ++result.factorisations;
}

void DirectSolver::Impl::newton_direction() {
  for (size_t b = 0; b < mechanism->moving; ++b) {
    BodyWork& w = work[b];
    w.ul = w.inv_ml * w.gl;
    w.ua = w.inv_N * w.ga;
    w.du = -w.ul;
    w.dphi = -w.ua;
  }
  rows->make_rhs(work, lu, x);
  lu.solve_general(x);
  rows->add_step(work, lu, x);
}

// Moves the iterate to `factor` of the Newton step from where it was; returns the new merit.
double DirectSolver::Impl::move_along(double factor) {
  for (size_t b = 0; b < mechanism->moving; ++b) {
    BodyWork& w = work[b];
    w.dx = w.dx_last + factor * w.du;
    if (w.turns) w.th = w.th_last + factor * cayley_change(w.th_last, w.dphi);
  }
  rows->move(factor);
  evaluate(true);
  momentum_error = 0;
  for (size_t b = 0; b < mechanism->moving; ++b) {
    const BodyWork& w = work[b];
    momentum_error = std::max(momentum_error, w.inv_ml * norm(w.gl) / size);
    momentum_error = std::max(momentum_error, norm(w.inv_N * w.ga));
  }
  return std::max(joint_error, momentum_error);
}

// Newton's method on joint errors and momentum balance, globalised by Faure's rotation cap and by
// backtracking. Factors are kept while they contract well (chord).
bool DirectSolver::Impl::newton(double compliance) {
  const double tolerance = kSafety * settings.tolerance;
  bool stale = true;
  double best = kInfinity;
  int stalled = 0;
  double merit = kInfinity;
  evaluate(true);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    if (!(joint_error < 1e100)) return false;
    if (stale) factor(compliance);
    if (iteration == 0) {
      momentum_error = 0;
      for (size_t b = 0; b < mechanism->moving; ++b) {
        momentum_error = std::max({momentum_error, work[b].inv_ml * norm(work[b].gl) / size,
                                   norm(work[b].inv_N * work[b].ga)});
      }
      merit = std::max(joint_error, momentum_error);
    }
    newton_direction();
    ++result.iterations;
    double turn = 0;
    for (size_t b = 0; b < mechanism->moving; ++b) {
      work[b].dx_last = work[b].dx;
      work[b].th_last = work[b].th;
      turn = std::max(turn, norm(work[b].dphi));
    }
    double factor_of_step = turn > kRotationCap ? kRotationCap / turn : 1.0;
    double next = move_along(factor_of_step);
    while (!(next < merit) && !(next < tolerance) && factor_of_step > 0.06) {
      factor_of_step *= 0.5;
      next = move_along(factor_of_step);
    }
    if (next < tolerance) return true;
    if (!(next < 1e100)) return false;
    stale = !(next < kGoodContraction * merit);
    merit = next;
    if (merit < 0.5 * best) {
      best = merit;
      stalled = 0;
    } else if (++stalled >= kMaxStalled) {
      break;
    }
    if (out_of_time()) return true;
  }
  return merit < std::max(settings.tolerance, kAcceptable);
}

// Newton, and again for as long as limits, motors and friction turn out to act differently.
bool DirectSolver::Impl::solve_with_laws(double compliance) {
  for (int change = 0; change < kMaxLawChanges; ++change) {
    if (!newton(compliance)) return false;
    if (rows->update_laws() == 0) return true;
  }
  return true;  // cycling between parts of equal merit: any of them will do
}

// End states from impulses: momentum to the last bit, whatever Newton has left over.
void DirectSolver::Impl::store(std::vector<BodyState>& to) {
  for (size_t b = 0; b < mechanism->moving; ++b) {
    BodyWork& w = work[b];
    BodyState& s = to[b];
    const double drag = w.drag > 0 ? w.drag * norm(w.dx) / h : 0;
    const Vec3 impulse = h * w.force - drag * w.dx;
    account.impulse += impulse;
    account.angular_impulse += cross(w.x0 + 0.5 * w.dx, impulse) + h * w.torque;
    account.work_J += dot(w.force - bodies[b].gravity - (drag / h) * w.dx, w.dx) +
                      (w.turns ? dot(w.torque, w.th) : 0.0);
    const Vec3 correction = (1 / w.mass) * w.gl;
    w.dx -= (0.5 * h) * correction;
    s.v_WC = (2 / h) * w.dx - w.v0;
    s.x_WC = w.x0 + w.dx;
    if (!w.turns) continue;
    s.q_WB = normalized(Quat{1, 0.5 * w.th.x, 0.5 * w.th.y, 0.5 * w.th.z} * s.q_WB);
    s.L_W = w.L1 - w.ga;
    s.w_WB = angular_velocity(s.q_WB, bodies[b].mass->inv_I_B, s.L_W);
  }
}

bool DirectSolver::Impl::attempt(std::vector<BodyState>& state, double t1) {
  std::vector<BodyState> fixed_to = state;
  for (size_t b = mechanism->moving; b < work.size(); ++b) fixed_to[b] = fixed_at(b, t1);
  begin_substep(state, fixed_to);
  const bool open = watch_open && rows->begin_error() > kOpen;
  choose_alpha();
  predict();
  if (!solve_with_laws(compliance_for(settings.tolerance))) {
    found_open = open;
    return false;
  }
  store(state);
  for (size_t b = mechanism->moving; b < work.size(); ++b) state[b] = fixed_to[b];
  rows->finish(work, account);
  for (size_t b = 0; b < work.size(); ++b) bodies[b].end = state[b];
  project();
  for (size_t b = 0; b < mechanism->moving; ++b) {
    state[b] = bodies[b].end;
    if (!is_finite(state[b])) return false;
  }
  return true;
}

double DirectSolver::Impl::kinetic() const {
  double sum = 0;
  for (size_t b = 0; b < mechanism->moving; ++b) {
    const BodyState& s = bodies[b].end;
    sum += 0.5 * work[b].mass * norm2(s.v_WC) + 0.5 * dot(s.w_WB, s.L_W);
  }
  return sum;
}

// The velocity stage. Bodies that are moved from outside can ask for rates that contradict each
// other (a taut chain pulled at both ends); those must not add up to large velocities.
void DirectSolver::Impl::project() {
  double fastest = 0, mass = 0;
  for (size_t b = 0; b < work.size(); ++b) {
    const BodyState& s = bodies[b].end;
    if (b < mechanism->moving)
      mass += work[b].mass;
    else
      fastest = std::max(fastest, norm(s.v_WC) + norm(s.w_WB) * size);
  }
  const double before = kinetic();
  std::vector<BodyState> start;
  for (size_t b = 0; b < mechanism->moving && fastest > 0; ++b) start.push_back(bodies[b].end);
  const Account account_before = account;
  rows->project(bodies, work, lu, compliance_for(settings.tolerance), account);
  if (!(fastest > 0) || kinetic() < 2 * before + 10 * mass * fastest * fastest) return;
  for (size_t b = 0; b < mechanism->moving; ++b) bodies[b].end = start[b];
  account = account_before;
  rows->project(bodies, work, lu, kSettlingCompliance, account);
}

// Moves bodies, and no velocities, to where the joints meet as well as they can.
void DirectSolver::Impl::close(std::vector<BodyState>& state) {
  std::vector<MobilityBody> place;
  for (size_t b = 0; b < state.size(); ++b) {
    place.push_back({work[b].turns, state[b].x_WC, state[b].q_WB});
  }
  std::vector<MobilityJoint> held;
  for (const StepJoint& j : joints) held.push_back({j.model, j.state, j.size});
  mobility::HeldRows rows_held(*mechanism, place, held);
  const mobility::Closed closed = mobility::close_loops(rows_held, rows_held.start());
  for (size_t b = 0; b < mechanism->moving; ++b) {
    account.work_J -= dot(bodies[b].gravity, closed.at.x_WC[b] - state[b].x_WC);
    state[b].x_WC = closed.at.x_WC[b];
    state[b].q_WB = closed.at.q_WB[b];
    if (bodies[b].mass->moments.x > 0) {
      state[b].L_W = angular_momentum(state[b].q_WB, bodies[b].mass->I_B, state[b].w_WB);
    }
  }
}

// A step for joints that cannot all be met: bodies go where the errors are least, velocities feel
// the forces and what the joints allow. No energy comes of it, and no accuracy is claimed.
bool DirectSolver::Impl::settle(std::vector<BodyState>& state, double t1) {
  softened = true;
  for (size_t b = mechanism->moving; b < work.size(); ++b) state[b] = fixed_at(b, t1);
  close(state);
  begin_substep(state, state);
  for (size_t b = 0; b < mechanism->moving; ++b) work[b].dx = work[b].th = {};
  evaluate(false);
  for (const StepJoint& j : joints) j.state->lambda = {};
  for (size_t b = 0; b < work.size(); ++b) {
    BodyState& s = bodies[b].end = state[b];
    if (!work[b].moves) continue;
    s.v_WC += (h / work[b].mass) * work[b].force;
    if (work[b].turns) s.L_W += h * work[b].torque;
    s.w_WB = angular_velocity(s.q_WB, bodies[b].mass->inv_I_B, s.L_W);
  }
  // rates that contradict each other must not add up to large velocities
  rows->project(bodies, work, lu, kSettlingCompliance, account);
  for (size_t b = 0; b < mechanism->moving; ++b) {
    state[b] = bodies[b].end;
    // half of the speed goes at every such step: what cannot be met comes to rest
    for (Vec3* v : {&state[b].v_WC, &state[b].w_WB, &state[b].L_W}) *v *= 0.5;
    bodies[b].end = state[b];
    if (!is_finite(state[b])) return false;
  }
  return true;
}

// One attempt; halves where it fails, and settles where halving does not help either.
bool DirectSolver::Impl::advance(std::vector<BodyState>& state, double t0, double t1, int depth) {
  const double whole = h;
  // turns that one Cayley rotation cannot hold are cut beforehand
  double spin = 0;
  for (size_t b = 0; b < work.size(); ++b) {
    spin = std::max(spin, norm(b < mechanism->moving ? state[b].w_WB : given_end[b].w_WB));
  }
  const bool cut = spin * h > kLargestTurn && depth < kMaxDepth;
  const std::vector<BodyState> before = state;
  std::vector<JointState> joints_before;
  for (const StepJoint& j : joints) joints_before.push_back(*j.state);
  const Account account_before = account;
  if (!cut && attempt(state, t1)) return true;
  watch_open = false;  // what opens later in the step is settled there
  state = before;
  for (size_t j = 0; j < joints.size(); ++j) *joints[j].state = joints_before[j];
  account = account_before;
  h = whole;
  if (found_open) return false;
  if (!cut && (depth >= kMaxHalvings || softened || out_of_time())) return settle(state, t1);
  ++result.bisections;
  const double middle = 0.5 * (t0 + t1);
  h = 0.5 * whole;
  const bool first = advance(state, t0, middle, depth + 1);
  h = 0.5 * whole;
  const bool done = first && advance(state, middle, t1, depth + 1);
  h = whole;
  return done;
}

DirectSolver::DirectSolver() : impl_(std::make_unique<Impl>()) {}
DirectSolver::~DirectSolver() = default;
DirectSolver::DirectSolver(DirectSolver&&) noexcept = default;
DirectSolver& DirectSolver::operator=(DirectSolver&&) noexcept = default;

void DirectSolver::reset(const Mechanism& mechanism) {
  Impl& s = *impl_;
  s.mechanism = &mechanism;
  s.rows = mechanism.points_only ? make_point_rows(mechanism) : make_general_rows(mechanism);
  s.lu.reset(mechanism.pattern);
  s.work.assign(mechanism.body_slots.size(), {});
  s.x.assign(mechanism.pattern.rows, 0);
}

DirectResult DirectSolver::step(std::span<StepBody> bodies, std::span<const StepJoint> joints,
                                double h, const DirectSettings& settings) {
  Impl& s = *impl_;
  s.bodies = bodies;
  s.joints = joints;
  s.settings = settings;
  s.h = h;
  s.result = {};
  s.account = {};
  s.softened = false;
  s.size = kInfinity;
  for (const StepJoint& j : joints) s.size = std::min(s.size, j.size);
  std::vector<BodyState> state;
  s.given_end.clear();
  for (const StepBody& b : bodies) {
    state.push_back(b.begin);
    s.given_end.push_back(b.end);
  }
  s.watch_open = true;
  s.found_open = false;
  const std::vector<BodyState> begin = state;
  bool done = s.advance(state, 0, 1, 0);
  if (s.found_open) {
    // closed first; what cannot be closed is not stepped over
    s.watch_open = s.found_open = false;
    state = begin;
    s.close(state);
    for (const StepJoint& j : joints) j.state->lambda = {};
    s.begin_substep(state, state);
    done = s.rows->begin_error() < 10 * settings.tolerance ? s.advance(state, 0, 1, 0)
                                                           : s.settle(state, 1);
  }
  s.result.work_J = s.account.work_J;
  s.result.impulse = s.account.impulse;
  s.result.angular_impulse = s.account.angular_impulse;
  if (!done) {
    s.result.status = StepStatus::kFailed;
  } else if (s.softened) {
    s.result.status = StepStatus::kSoftened;
  } else if (s.result.bisections > 0) {
    s.result.status = StepStatus::kRefined;
  }
  return s.result;
}

}  // namespace tenon
