#include "tenon/engine/solve_articulated/direct.h"

#include <algorithm>

#include "tenon/engine/solve_articulated/detail/direct_impl.h"

namespace tenon {
namespace {

using namespace direct;

constexpr double kOpen = 1e-3;  // of size, rad: joints open by more are closed before the step
constexpr double kJump = 1e-5;  // of size, rad per step: velocities that open joints so fast
// a stalled iteration is taken from here on; what it leaves is reported
constexpr double kAcceptable = 1e-6;
// what the compliance may leave open, of size, and how many times more than at the begin of a step
constexpr double kLargestGap = 1e-4, kSuddenGap = 10;
constexpr double kGain = 1e-6;   // of kinetic energy and work: a step that gains more is halved
constexpr int kMaxHalvings = 5;  // after failed attempts; turns may cut the step further
constexpr int kMaxDepth = 6;     // halvings of a step

}  // namespace

void DirectSolver::Impl::begin_substep(double t1) {
  for (size_t b = moving(); b < bodies.size(); ++b) fixed_to[b - moving()] = fixed_at(b, t1);
  begin_rows();
  choose_alpha();
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
