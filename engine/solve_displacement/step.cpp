#include "tenon/engine/solve_displacement/step.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/bodies/free_rotation.h"

namespace tenon::displacement {
namespace {

constexpr int kLeastIterations = 3;  // where forces have bounds or springs act
// Of sizes and rad: joints of a step that found its answer are better than that.
constexpr double kLargestMiss = 1e-3;

}  // namespace

void Stepper::begin_step(std::span<StepBody> bodies, std::span<const Joint> joints) {
  const size_t n = bodies.size();
  bodies_.assign(n, {});
  begin_.resize(n);
  substeps_.assign(n, 0);
  motion_.assign(n, {});
  speed_.assign(n, {});
  step_.assign(n, {});
  wrench_.assign(n, {});
  for (size_t b = 0; b < n; ++b) {
    const StepBody& from = bodies[b];
    begin_[b] = {from.begin.x_WC, from.begin.q_WB};
    speed_[b] = {from.begin.v_WC, from.begin.w_WB};
    if (from.mass == nullptr) continue;
    bodies_[b] = {from.mass->inv_mass, from.mass->inv_I_B,
                  from.mass->size > 0 ? from.mass->size : 1};
    motion_[b] = {from.begin.v_WC + h_ * from.mass->inv_mass * from.force,
                  from.begin.L_W + h_ * from.torque};
    if (!turns_exactly(*from.mass)) {
      substeps_[b] = count_turn_substeps(begin_[b].q, *from.mass, motion_[b].r, h_);
    }
  }
  maker_.reset(bodies_, joints, {}, true, true);
}

// Where bodies are at the end of the step as they move now.
void Stepper::place(std::span<const StepBody> bodies) {
  at_.resize(bodies.size());
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].mass == nullptr) {
      at_[b] = {bodies[b].end.x_WC, bodies[b].end.q_WB};
      continue;
    }
    at_[b].p = begin_[b].p + h_ * motion_[b].x;
    at_[b].q = turn_freely(begin_[b].q, *bodies[b].mass, motion_[b].r, h_, substeps_[b]);
  }
}

// By how much b's surface has moved against a's since the begin of the step.
Vec3 Stepper::slip_way(const StepContact& c) const {
  const auto way = [&](size_t k) {
    const uint32_t b = c.body[k];
    return at_[b].p - begin_[b].p + rotate(at_[b].q * conjugate(begin_[b].q), c.r[k]) - c.r[k];
  };
  return way(1) - way(0);
}

// How far a body has turned since the begin of the step.
Vec3 Stepper::turn_way(uint32_t body) const {
  return log_map(at_[body].q * conjugate(begin_[body].q));
}

// What a row of a contact moved, for its work: between two velocities of the middle of steps.
double Stepper::contact_way(const StepContact& c, uint8_t part, const Vec3& t1) const {
  const Vec3 axis = part == 0 || part == 5 ? c.n : part % 2 == 1 ? t1 : cross(c.n, t1);
  const uint32_t a = c.body[0], b = c.body[1];
  if (part <= 2) {
    const Vec3 before =
        speed_[b].x + cross(speed_[b].r, c.r[1]) - speed_[a].x - cross(speed_[a].r, c.r[0]);
    return 0.5 * tenon::dot(axis, slip_way(c) + h_ * before);
  }
  const Vec3 turn = turn_way(b) - turn_way(a);
  return 0.5 * tenon::dot(axis, turn + h_ * (speed_[b].r - speed_[a].r));
}

bool Stepper::is_bounded() const {
  return std::any_of(extra_.begin(), extra_.end(),
                     [](const Extra& x) { return x.low > -kInfinity || x.high < kInfinity; });
}

// Anything but joints that hold: what it does has to be found even where all joints fit.
bool Stepper::has_laws() const {
  return std::any_of(extra_.begin(), extra_.end(), [](const Extra& x) {
    return x.low > -kInfinity || x.high < kInfinity || x.soft > 0;
  });
}

void Stepper::factor_rows(const RowSet& rows) {
  if (!factor_.fits(bodies_, rows)) factor_.reset(bodies_, rows);
  soft_.resize(extra_.size());
  for (size_t r = 0; r < soft_.size(); ++r) soft_[r] = extra_[r].soft;
  factor_.factor(op_, soft_);
}

// Changes of the forces, in change_; and the displacement that they make, in step_.
int Stepper::solve_linear(const Settings& settings, const Effort& time, bool bounded,
                          StepResult& result) {
  const size_t n = extra_.size();
  for (std::vector<double>* v : {&change_, &b_, &low_, &high_, &soft_}) v->assign(n, 0);
  for (size_t r = 0; r < n; ++r) {
    b_[r] = extra_[r].b - extra_[r].soft * force_[r];
    low_[r] = extra_[r].low - force_[r];
    high_[r] = extra_[r].high - force_[r];
    soft_[r] = extra_[r].soft;
  }
  const bool direct =
      !bounded && (settings.solver == Solver::kAuto || settings.solver == Solver::kDirect);
  int iterations = 0;
  if (direct) {
    change_ = b_;
    factor_.solve(change_);
    result.solver = Solver::kDirect;
  } else {
    const KrylovLimits limits{.iterations = settings.inner,
                              .precision = 1e-10,
                              .clock = time.clock,
                              .deadline = time.deadline};
    const bool soft = std::any_of(soft_.begin(), soft_.end(), [](double x) { return x > 0; });
    if (settings.solver == Solver::kBiconjugate && !bounded && !soft) {
      // J where the bodies are now on one side, on the other that along which forces act
      for (size_t r = 0; r < n; ++r) now_.rows[r].b = b_[r];
      now_op_.reset(bodies_, at_, now_);
      iterations = biconjugate_.solve(now_op_, op_, limits, change_, step_).iterations;
      result.solver = Solver::kBiconjugate;
    } else {
      iterations = bounded_.solve(op_, {b_, low_, high_, soft_}, limits, change_).iterations;
      result.solver = Solver::kConjugateGradients;
    }
  }
  for (double& x : change_) {
    if (!std::isfinite(x)) x = 0;
  }
  for (size_t r = 0; r < n; ++r) force_[r] += change_[r];
  op_.apply_transposed(change_, wrench_);
  op_.apply_inverse_mass(wrench_, step_);
  return iterations;
}

void Stepper::apply_guesses(std::span<const Joint> joints) {
  size_t part = 0;
  for (size_t r = 0; r < joint_rows_; ++r) {
    const Row& row = rows_.rows[r];
    part = r > 0 && rows_.rows[r - 1].owner == row.owner ? part + 1 : 0;
    if (row.kind != RowKind::kHeld || part >= kMaxRows) continue;
    if (joints[row.owner].state != nullptr) {
      force_[r] = h_ * h_ * joints[row.owner].state->lambda[part];
    }
  }
}

StepResult Stepper::step(std::span<StepBody> bodies, std::span<const Joint> joints,
                         std::span<StepContact> contacts, double h, const Settings& settings,
                         double tolerance, const Effort& time) {
  StepResult result;
  h_ = h;
  begin_step(bodies, joints);
  place(bodies);
  // tangents along the way that contacts would slide: friction then needs one number to be limited
  tangents_.clear();
  for (const StepContact& c : contacts) {
    Vec3 slip = slip_way(c) - h * c.drift;
    slip -= tenon::dot(c.n, slip) * c.n;
    tangents_.push_back(norm(slip) > 1e-12 ? normalized(slip) : any_orthogonal(c.n));
  }
  conserved_ = settings.projection == Projection::kConserving;
  if (conserved_) {
    step_conserving(bodies, contacts, settings, tolerance, time, result);
    // forces along directions of the past have no answer for tension beyond what the step resolves:
    // the other projection always has one, and pays with energy
    if (!(result.error <= std::max(kLargestMiss, tolerance)) && !is_late(time)) {
      result.fell_back = true;
      conserved_ = false;
      result.geometric = 0;
      begin_step(bodies, joints);
      place(bodies);
      step_predicted(bodies, contacts, settings, tolerance, time, result);
    }
  } else {
    step_predicted(bodies, contacts, settings, tolerance, time, result);
  }
  store(joints, contacts, result);
  book_driven(bodies, result);
  bounce(bodies, contacts, settings, result);
  for (StepBody& b : bodies) result.finite = result.finite && is_finite(b.end);
  return result;
}

void Stepper::step_conserving(std::span<StepBody> bodies, std::span<const StepContact> contacts,
                              const Settings& settings, double tolerance, const Effort& time,
                              StepResult& result) {
  begin_rows(bodies, contacts);
  apply_guesses(maker_.joints());
  op_.apply_transposed(force_, wrench_);
  for (size_t b = 0; b < bodies_.size(); ++b) {
    motion_[b].x += bodies_[b].inv_mass / h_ * wrench_[b].x;
    if (!(bodies_[b].inv_I_B == Mat3{})) motion_[b].r += (1 / h_) * wrench_[b].r;
  }
  bool assembled = false;
  while (true) {
    place(bodies);
    if (!look(bodies, contacts, result)) break;
    const bool bounded = is_bounded();
    const bool fits = result.error <= tolerance;
    if (fits && (!has_laws() || result.geometric >= kLeastIterations)) break;
    if (result.geometric >= settings.geometric || is_late(time)) break;
    if (!bounded && !assembled) {
      factor_rows(rows_);
      assembled = true;
    }
    result.inner += solve_linear(settings, time, bounded, result);
    for (size_t b = 0; b < bodies_.size(); ++b) {
      if (bodies_[b].inv_mass == 0) continue;
      motion_[b].x += bodies_[b].inv_mass / h_ * wrench_[b].x;
      if (!(bodies_[b].inv_I_B == Mat3{})) motion_[b].r += (1 / h_) * wrench_[b].r;
    }
    ++result.geometric;
  }
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].mass == nullptr) continue;
    BodyState& end = bodies[b].end;
    end.x_WC = at_[b].p;
    end.q_WB = at_[b].q;
    end.v_WC = motion_[b].x;
    end.L_W = motion_[b].r;
    end.w_WB = angular_velocity(end.q_WB, bodies[b].mass->inv_I_B, end.L_W);
  }
}

// As printed: no gyroscopic term, displacements of rotation are axis times angle.
void Stepper::step_predicted(std::span<StepBody> bodies, std::span<const StepContact> contacts,
                             const Settings& settings, double tolerance, const Effort& time,
                             StepResult& result) {
  begin_rows(bodies, contacts);
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].mass == nullptr) continue;
    const Vec3 w = angular_velocity(begin_[b].q, bodies[b].mass->inv_I_B, motion_[b].r);
    at_[b] = {begin_[b].p + h_ * motion_[b].x, normalized(exp_map(h_ * w) * begin_[b].q)};
  }
  while (true) {
    if (!look(bodies, contacts, result)) break;
    const bool bounded = is_bounded();
    if (result.error <= tolerance && (!has_laws() || result.geometric >= kLeastIterations)) break;
    if (result.geometric >= settings.geometric || is_late(time)) break;
    op_.reset(bodies_, at_, now_);
    if (!bounded) factor_rows(now_);
    result.inner += solve_linear(settings, time, bounded, result);
    truncate_turns(step_);
    displace(step_, bodies_, at_);
    ++result.geometric;
  }
  rows_ = now_;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].mass == nullptr) continue;
    BodyState& end = bodies[b].end;
    end.x_WC = at_[b].p;
    end.q_WB = at_[b].q;
    end.v_WC = (1 / h_) * (at_[b].p - begin_[b].p);
    end.w_WB = (1 / h_) * turn_way(static_cast<uint32_t>(b));
    end.L_W = angular_momentum(end.q_WB, bodies[b].mass->I_B, end.w_WB);
    end.w_WB = angular_velocity(end.q_WB, bodies[b].mass->inv_I_B, end.L_W);
  }
}

// Impulses of contacts, wrenches of joints.
void Stepper::store(std::span<const Joint> joints, std::span<StepContact> contacts,
                    StepResult& result) {
  reactions_.assign(joints.size(), {});
  guesses_.assign(joints.size(), {});
  const double h2 = h_ * h_;
  size_t part = 0;
  for (size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    const double force = force_[r];
    if (row.kind == RowKind::kContact) {
      StepContact& c = contacts[row.owner];
      const Vec3 t1 = tangents_[row.owner], t2 = cross(c.n, t1);
      if (row.part == 0) c.normal = force / h_;
      if (row.part == 1) c.rub += force / h_ * t1;
      if (row.part == 2) c.rub += force / h_ * t2;
      if (row.part == 3) c.couple += force / h_ * t1;
      if (row.part == 4) c.couple += force / h_ * t2;
      if (row.part == 5) c.couple += force / h_ * c.n;
      // what the row moved: its part of the ways of the two surfaces, or of their turns
      result.contact_work_J += force / h2 * contact_way(c, row.part, tangents_[row.owner]);
      continue;
    }
    if (row.kind != RowKind::kHeld) {
      // velocities are those of the middle of steps: a force acts between two of them
      const double way = 0.5 * (now_.rows[r].c - extra_[r].begin + h_ * extra_[r].rate);
      result.work_J += force / h2 * row.unit * way;
    }
    part = r > 0 && rows_.rows[r - 1].owner == row.owner ? part + 1 : 0;
    if (row.kind == RowKind::kHeld && part < kMaxRows) guesses_[row.owner][part] = force / h2;
    // the second entry is the child's; its moment is about the mass centre
    const Entry& child = rows_.entries[row.first + 1];
    const Joint& joint = joints[row.owner];
    const Configuration& where = conserved_ ? begin_ : at_;  // of the rows
    const Vec3 rC = rotate(where[child.body].q, joint.model->pairs[0].rC_B);
    reactions_[row.owner].force += force / h2 * child.f;
    reactions_[row.owner].torque += force / h2 * (child.t - cross(rC, child.f));
  }
}

// Bodies that a script moves do work through joints and contacts: the forces on them times their
// ways, with the other sign. What rows do between their bodies is booked already.
void Stepper::book_driven(std::span<const StepBody> bodies, StepResult& result) {
  op_.apply_transposed(force_, wrench_);
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].mass != nullptr) continue;
    const Vec3 way = at_[b].p - begin_[b].p;
    const Vec3 turn = turn_way(static_cast<uint32_t>(b));
    result.work_J -= (tenon::dot(wrench_[b].x, way) + tenon::dot(wrench_[b].r, turn)) / (h_ * h_);
  }
}

}  // namespace tenon::displacement
