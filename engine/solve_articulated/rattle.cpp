#include "tenon/engine/solve_articulated/rattle.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/bodies/free_rotation.h"
#include "tenon/engine/forces/air_drag.h"
#include "tenon/engine/solve_articulated/detail/given_path.h"
#include "tenon/engine/solve_articulated/detail/rattle_rows.h"

namespace tenon {
namespace {

using namespace direct;

// Newton's method stops this far below the tolerance, but not below round-off: what is left makes
// noise in the energy, and a loop leaves its branch by it where it passes a singular position.
double target_for(double tolerance) { return std::max(1e-4 * tolerance, 1e-14); }
// Taken where it gets no better.
double acceptable_for(double tolerance) {
  return std::max(1e-2 * tolerance, std::min(tolerance, 1e-10));
}
// Of the joints, relative to their diagonal, see detail/direct_impl.h. The least of its range,
// since what gives way changes with the length of the parts.
constexpr double kCompliance = 3.5e-12;
constexpr double kRattleOpen = 1e-3;        // of size, rad: joints open by more are not for RATTLE
constexpr double kRattleTurn = 0.25;        // rad per part
constexpr double kLargestTension = 0.5;     // s of (5) per part; it has no solution beyond one
constexpr double kLargestError = 0.01;      // in energy, of what is in motion, per step
constexpr double kRattleRotationCap = 0.8;  // rad per Newton step [Faure1999, sec. 3.3]
constexpr double kWrongTurn = 0.87;         // cos of half of what no part may turn a body by
constexpr double kLargestRattleGap = 0.5;   // of the tolerance
constexpr double kFrozen = 0.5;             // rad, see turn_derivative()
constexpr uint32_t kMaxParts = 384;         // of a step; beyond, the direct solver goes on
constexpr int kRattleHalvings = 4;          // after failed attempts
constexpr int kRattleIterations = 12;
constexpr int kRattleLawChanges = 12;
constexpr double kRattleContraction = 0.1;  // a chord step that does better keeps the factors

// At least `wanted` parts: 1, 2, 3, 4, 6, 8, 12 ... at the begin of the step, later multiples of
// what there is. Coarse on purpose: a count that changes at every step would cost the good
// behaviour of the energy.
uint32_t parts_for(double wanted, uint32_t parts, bool at_begin) {
  uint32_t more = parts;
  while (more < wanted && more <= kMaxParts) more *= 2;
  return at_begin && more >= 4 * parts && 0.75 * more >= wanted ? 3 * (more / 4) : more;
}

}  // namespace

struct RattleSolver::Impl {
  const Mechanism* mechanism = nullptr;
  std::unique_ptr<RattleRows> rows;
  BlockLu lu;
  std::vector<BodyWork> work;
  std::vector<RattleRows::Middle> middle;
  std::vector<Vec3> base_v, base_L, L_half;  // after the forces' half kick; after the joints'
  std::vector<Quat> q0, q1;
  std::vector<int> turns;  // substeps of each free rotation
  std::vector<GivenPath> paths;
  std::vector<double> x, stiffness;

  // of the running step
  std::span<StepBody> bodies;
  std::span<const StepJoint> joints;
  DirectSettings settings;
  DirectResult result;
  uint32_t substeps = 0;
  Account account;
  double h = 0;     // of a part
  double size = 1;  // m, smallest of the joints'

  void begin_part(const std::vector<BodyState>& from, double t1);
  double wanted_parts(double whole);
  void drift();
  Mat3 turn_derivative(size_t b) const;
  void linearise();
  bool newton();
  bool solve_with_laws();
  void end_states(const std::vector<BodyState>& from);
  double energy_scale() const;
  void account_forces();
  double kinetic(bool at_end) const;
  bool attempt(std::vector<BodyState>& state, double t1, double part);
  bool run(std::vector<BodyState>& state, double whole);
  bool out_of_time() const {
    return settings.deadline > 0 && settings.clock != nullptr &&
           settings.clock() > settings.deadline;
  }
};

void RattleSolver::Impl::begin_part(const std::vector<BodyState>& from, double t1) {
  for (size_t b = 0; b < work.size(); ++b) {
    BodyWork& w = work[b];
    const BodyState& s = from[b];
    w.x0 = s.x_WC;
    w.v0 = s.v_WC;
    w.w0 = s.w_WB;
    w.R0 = to_matrix(s.q_WB);
    w.moves = b < mechanism->moving;
    w.turns = w.moves && bodies[b].mass->moments.x > 0;
    w.ul = w.ua = w.gl = w.ga = w.jl = w.ja = {};
    w.inv_N = {};
    q0[b] = q1[b] = s.q_WB;
    if (!w.moves) {
      const BodyState end = paths[b - mechanism->moving].at(t1);
      w.dx = end.x_WC - s.x_WC;
      w.S = to_matrix(normalized(end.q_WB * conjugate(s.q_WB)));
      w.inv_ml = 0;
      continue;
    }
    const BodyMass& m = *bodies[b].mass;
    w.mass = m.mass;
    w.drag = bodies[b].drag;
    w.force = bodies[b].force;
    w.torque = w.turns ? bodies[b].torque : Vec3{};
    w.L0 = s.L_W;
    w.I0 = w.R0 * m.I_B * transpose(w.R0);
    w.inv_I0 = w.R0 * m.inv_I_B * transpose(w.R0);
    w.S = Mat3::identity();
    w.inv_ml = 0.5 * h / m.mass;
    base_v[b] = slow_by_drag(s.v_WC, w.drag, m.inv_mass, 0.5 * h) + (0.5 * h / m.mass) * w.force;
    base_L[b] = s.L_W + (0.5 * h) * w.torque;
    turns[b] =
        !w.turns || turns_exactly(m) ? kExactTurn : count_turn_substeps(s.q_WB, m, base_L[b], h);
  }
  rows->begin_part(work, joints, h);
}

// How many parts of the whole step resolve the turns and, by s of (5), the oscillations under the
// tension that the bodies carry; also those that grow, under pressure.
double RattleSolver::Impl::wanted_parts(double whole) {
  stiffness.assign(work.size(), 0);
  rows->add_tension(work, stiffness);
  double parts = 1;
  for (size_t b = 0; b < work.size(); ++b) {
    const double spin =
        b < mechanism->moving ? norm(work[b].w0) : paths[b - mechanism->moving].fastest_spin();
    parts = std::max(parts, spin * whole / kRattleTurn);
    if (b >= mechanism->moving) continue;
    parts = std::max(parts, whole * std::sqrt(std::fabs(stiffness[b]) / 8) / kLargestTension);
  }
  return std::isfinite(parts) ? parts : kInfinity;
}

// Every body on its free way with the impulses of the iterate.                        (11, 12)
void RattleSolver::Impl::drift() {
  rows->add_kicks(work);
  for (size_t b = 0; b < mechanism->moving; ++b) {
    BodyWork& w = work[b];
    middle[b].vh = base_v[b] + (1 / w.mass) * w.gl;
    L_half[b] = base_L[b] + w.ga;
    w.gl = w.ga = {};
    w.dx = h * middle[b].vh;
    if (!w.turns) continue;
    middle[b].wh = w.inv_I0 * L_half[b];
    q1[b] = turn_freely(q0[b], *bodies[b].mass, L_half[b], h, turns[b]);
    w.S = to_matrix(normalized(q1[b] * conjugate(q0[b])));
  }
}

// The derivative of the end rotation by the angular momentum of a free way, d phi = X dL: from
//   d phi' = I^-1 (dL + L x d phi)                                                        (15)
// by one midpoint step, good while (15) turns by less than kFrozen = h |I^1/2 L| / det(I)^1/2. The
// spin of needles about their axes changes faster; differences of the way itself serve there.
Mat3 RattleSolver::Impl::turn_derivative(size_t b) const {
  const BodyMass& m = *bodies[b].mass;
  const Vec3 &I = m.moments, &L = L_half[b];
  const double l2 = std::max(0.0, dot(L, work[b].I0 * L)) / (I.x * I.y * I.z);
  if (h * h * l2 < kFrozen * kFrozen) {
    const Quat &a = q0[b], &e = q1[b];
    const double s = dot(a, e) < 0 ? -1 : 1;
    const Mat3 R =
        to_matrix(normalized(Quat{a.w + s * e.w, a.x + s * e.x, a.y + s * e.y, a.z + s * e.z}));
    return inverse((1 / h) * (R * m.I_B * transpose(R)) - 0.5 * skew(L));
  }
  const double step = 1e-6 * (norm(L) + 0.1 * I.x / h);
  std::array<Vec3, 3> column;
  for (int k = 0; k < 3; ++k) {
    Vec3 L_moved = L;
    L_moved[k] += step;
    const Quat q = turn_freely(q0[b], m, L_moved, h, turns[b]) * conjugate(q1[b]);
    column[static_cast<size_t>(k)] = (q.w < 0 ? -2 / step : 2 / step) * Vec3{q.x, q.y, q.z};
  }
  return Mat3::from_columns(column[0], column[1], column[2]);
}

void RattleSolver::Impl::linearise() {
  for (size_t b = 0; b < mechanism->moving; ++b) {
    BodyWork& w = work[b];
    if (!w.turns) continue;
    w.inv_N = 0.5 * turn_derivative(b);  // impulses act by half
    if (mechanism->hub_node[b] != kNoNode) w.N = inverse(w.inv_N);
  }
  rows->assemble(work, lu, kCompliance);
  lu.factor_general();
  ++result.factorisations;
}

bool RattleSolver::Impl::newton() {
  const double target = target_for(settings.tolerance);
  const double acceptable = acceptable_for(settings.tolerance);
  bool stale = true;
  drift();
  double error = rows->evaluate_end(work);
  for (int iteration = 0; iteration < kRattleIterations; ++iteration) {
    if (!(error < 1e3)) return false;
    if (stale) linearise();
    rows->make_rhs(work, lu, x);
    lu.solve_general(x);
    rows->add_step(work, lu, x);
    ++result.iterations;
    double turn = 0;
    for (size_t b = 0; b < mechanism->moving; ++b) {
      BodyWork& w = work[b];
      const double angle = norm(w.inv_N * w.ja);
      w.jl = w.ja = {};
      if (!(angle < kInfinity)) return false;
      turn = std::max(turn, angle);
    }
    double factor = turn > kRattleRotationCap ? kRattleRotationCap / turn : 1.0;
    rows->move(factor, lu, x);
    drift();
    double next = rows->evaluate_end(work);
    for (int halvings = 0; halvings < 3 && !(next < error) && !(next < target); ++halvings) {
      factor *= 0.5;
      rows->move(-factor, lu, x);
      drift();
      next = rows->evaluate_end(work);
    }
    if (next < target) return true;
    if (!(next < 0.5 * error) && next < acceptable) return true;
    stale = !(next < kRattleContraction * error);
    error = next;
  }
  return error < acceptable;
}

// Newton, and again for as long as limits, motors and friction turn out to act differently.
bool RattleSolver::Impl::solve_with_laws() {
  for (int change = 0; change < kRattleLawChanges; ++change) {
    if (!newton()) return false;
    if (rows->update_laws(false) == 0) return true;
  }
  return true;  // cycling between parts of equal merit: any of them will do
}

double RattleSolver::Impl::kinetic(bool at_end) const {
  double sum = 0;
  for (size_t b = 0; b < mechanism->moving; ++b) {
    const BodyWork& w = work[b];
    const BodyState& s = bodies[b].end;
    sum += 0.5 * w.mass * norm2(at_end ? s.v_WC : w.v0);
    if (w.turns) sum += 0.5 * (at_end ? dot(s.w_WB, s.L_W) : dot(w.w0, w.L0));
  }
  return sum;
}

// The forces' second half kick.
void RattleSolver::Impl::end_states(const std::vector<BodyState>& from) {
  for (size_t b = 0; b < mechanism->moving; ++b) {
    const BodyWork& w = work[b];
    const BodyMass& m = *bodies[b].mass;
    BodyState& s = bodies[b].end = from[b];
    s.x_WC = w.x0 + w.dx;
    s.q_WB = q1[b];
    const Vec3 kick = (0.5 * h) * w.force;
    s.v_WC = middle[b].vh + m.inv_mass * kick;
    s.v_WC = slow_by_drag(s.v_WC, w.drag, m.inv_mass, 0.5 * h);
    if (!w.turns) continue;
    middle[b].we = angular_velocity(s.q_WB, m.inv_I_B, L_half[b]);
    s.L_W = L_half[b] + (0.5 * h) * w.torque;
    s.w_WB = angular_velocity(s.q_WB, m.inv_I_B, s.L_W);
  }
}

// What forces have done altogether. Impulses of one moment do their work at the mean of the
// velocities before and after all of them.
void RattleSolver::Impl::account_forces() {
  for (size_t b = 0; b < mechanism->moving; ++b) {
    const BodyWork& w = work[b];
    const BodyMass& m = *bodies[b].mass;
    const BodyState& s = bodies[b].end;
    const Vec3& vh = middle[b].vh;
    account.impulse += h * w.force;
    account.angular_impulse += (0.5 * h) * cross(w.x0 + s.x_WC, w.force) + h * w.torque;
    account.work_J += dot(w.force - bodies[b].gravity, w.dx);
    if (w.drag > 0) {
      const Vec3 free = vh + (0.5 * h * m.inv_mass) * w.force;
      const Vec3 first = w.mass * (slow_by_drag(w.v0, w.drag, m.inv_mass, 0.5 * h) - w.v0);
      const Vec3 second = w.mass * (slow_by_drag(free, w.drag, m.inv_mass, 0.5 * h) - free);
      account.work_J += 0.5 * (dot(first, w.v0 + vh) + dot(second, vh + s.v_WC));
      account.impulse += first + second;
      account.angular_impulse += cross(w.x0, first) + cross(s.x_WC, second);
    }
    if (!w.turns || w.torque == Vec3{}) continue;
    const Vec3 rates = w.w0 + middle[b].wh + middle[b].we + s.w_WB;
    account.work_J += 0.25 * h * dot(w.torque, rates);
  }
}

// What energies of motion are compared with where there is hardly any: what the forces of this part
// do to bodies that fall freely, and motion below the tolerance.
double RattleSolver::Impl::energy_scale() const {
  const double slow = settings.tolerance * size / h;
  double sum = 0;
  for (size_t b = 0; b < mechanism->moving; ++b) {
    const BodyWork& w = work[b];
    sum += std::fabs(dot(bodies[b].gravity, w.dx)) + w.mass * slow * slow;
    sum += h * h * norm2(w.force) / w.mass;
  }
  return sum;
}

// One part of the step. Nothing has changed where it fails.
bool RattleSolver::Impl::attempt(std::vector<BodyState>& state, double t1, double part) {
  const Account before = account;
  const auto fail = [&] {
    account = before;
    return false;
  };
  if (!solve_with_laws()) return false;
  // the compliance is for sharing loads; a part that leans on it has no solution
  if (!(rows->gap() < kLargestRattleGap * settings.tolerance)) return false;
  // a wrong root: hinges also fit with their axes opposite
  for (size_t b = 0; b < mechanism->moving; ++b) {
    if (std::fabs(dot(q0[b], q1[b])) < kWrongTurn) return false;
  }
  end_states(state);
  double gravity_work = 0;
  for (size_t b = 0; b < work.size(); ++b) {
    if (!work[b].moves) {
      bodies[b].end = paths[b - mechanism->moving].at(t1);
    } else {
      gravity_work += dot(bodies[b].gravity, work[b].dx);
    }
  }
  rows->finish_part(bodies, work, middle, lu, kCompliance, account);
  account_forces();
  for (size_t b = 0; b < mechanism->moving; ++b) {
    if (!is_finite(bodies[b].end)) return fail();
  }
  // energy from nowhere or to nowhere: tension, turns or a jerk that the part does not resolve
  const double K0 = kinetic(false), K1 = kinetic(true);
  const double error = K1 - K0 - gravity_work - (account.work_J - before.work_J);
  // joint forces do work over what is left of the gaps
  const double allowed = kLargestError * part * (K0 + K1 + energy_scale()) +
                         1e-3 * settings.tolerance * rows->load_J();
  if (!(std::fabs(error) <= allowed)) return fail();
  for (size_t b = 0; b < work.size(); ++b) state[b] = bodies[b].end;
  rows->store();
  return true;
}

RattleSolver::RattleSolver() : impl_(std::make_unique<Impl>()) {}
RattleSolver::~RattleSolver() = default;
RattleSolver::RattleSolver(RattleSolver&&) noexcept = default;
RattleSolver& RattleSolver::operator=(RattleSolver&&) noexcept = default;

void RattleSolver::reset(const Mechanism& mechanism) {
  Impl& s = *impl_;
  s.mechanism = &mechanism;
  s.rows = std::make_unique<RattleRows>(mechanism);
  s.lu.reset(mechanism.pattern);
  const size_t count = mechanism.body_slots.size();
  s.work.assign(count, {});
  s.middle.assign(count, {});
  s.base_v.assign(count, {});
  s.base_L.assign(count, {});
  s.L_half.assign(count, {});
  s.q0.assign(count, {});
  s.q1.assign(count, {});
  s.turns.assign(count, 1);
  s.x.assign(mechanism.pattern.rows, 0);
}

// The step in parts, counted as done / parts of it; halving doubles both. Returns whether it came
// to its end.
bool RattleSolver::Impl::run(std::vector<BodyState>& state, double whole) {
  uint32_t parts = 1, done = 0;
  int halvings = 0;
  const auto begin = [&] {
    h = whole / parts;
    begin_part(state, static_cast<double>(done + 1) / parts);
  };
  begin();
  if (!(rows->begin_error() <= kRattleOpen)) return false;
  while (true) {
    const uint32_t more = parts_for(wanted_parts(whole), parts, done == 0);
    if (more > kMaxParts) return false;
    if (more > parts) {
      done *= more / parts;
      parts = more;
      begin();
    }
    if (attempt(state, static_cast<double>(done + 1) / parts, 1.0 / parts)) {
      if (++done == parts) return true;
      ++substeps;
    } else {
      ++result.bisections;
      if (++halvings > kRattleHalvings || 2 * parts > kMaxParts) return false;
      done *= 2;
      parts *= 2;
    }
    if (out_of_time()) return false;
    begin();
  }
}

RattleResult RattleSolver::step(std::span<StepBody> bodies, std::span<const StepJoint> joints,
                                double h, const DirectSettings& settings, DirectSolver& fallback) {
  Impl& s = *impl_;
  s.bodies = bodies;
  s.joints = joints;
  s.settings = settings;
  s.result = {};
  s.account = {};
  s.size = kInfinity;
  for (const StepJoint& j : joints) s.size = std::min(s.size, j.size);
  s.paths.clear();
  std::vector<BodyState> state, given;
  for (size_t b = 0; b < bodies.size(); ++b) {
    state.push_back(bodies[b].begin);
    given.push_back(bodies[b].end);
    if (b < s.mechanism->moving) continue;
    s.paths.emplace_back(bodies[b].begin, bodies[b].end, h);
    state.back() = s.paths.back().at(0);
  }
  std::vector<JointState> joints_before;
  for (const StepJoint& j : joints) joints_before.push_back(*j.state);
  s.rows->begin_step();

  RattleResult result;
  s.substeps = 1;
  if (s.run(state, h)) {
    s.rows->store_means(h);
    result.direct = s.result;
    result.direct.work_J = s.account.work_J;
    result.direct.impulse = s.account.impulse;
    result.direct.angular_impulse = s.account.angular_impulse;
    if (s.result.bisections > 0) result.direct.status = StepStatus::kRefined;
    result.substeps = s.substeps;
    for (size_t b = 0; b < s.mechanism->moving; ++b) {
      bodies[b].acceleration = {(1 / h) * (bodies[b].end.v_WC - bodies[b].begin.v_WC),
                                (1 / h) * (bodies[b].end.w_WB - bodies[b].begin.w_WB)};
    }
    return result;
  }

  // all of it once more by the direct solver: half a step of each would mix their errors
  for (size_t b = 0; b < bodies.size(); ++b) bodies[b].end = given[b];
  for (size_t j = 0; j < joints.size(); ++j) *joints[j].state = joints_before[j];
  result.fell_back = true;
  result.direct = fallback.step(bodies, joints, h, settings);
  result.direct.iterations += s.result.iterations;
  result.direct.factorisations += s.result.factorisations;
  result.direct.bisections += s.result.bisections;
  return result;
}

}  // namespace tenon
