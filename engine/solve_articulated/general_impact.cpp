// The velocity stage: laws along freedoms. Limits push and never pull, motors and friction keep to
// their forces, and what limits give back never exceeds what they have taken.
//
// u is the velocity after the projection to the held rows, G has the rows of laws, mu their
// impulses in this stage. Each row has bounds on mu such that the impulse of the whole step, p +
// mu, is one that its law allows:
//   low < mu < high:  G u' = wanted;   mu = low:  G u' >= wanted;   mu = high:  G u' <= wanted (11)
// The sets are found by block pivoting, later by single changes of the first row that is wrong
// [Judice1994]: exact and finite for the small sets of mechanisms.
//
// Restitution is by energy, not by rates alone. With u0 the solution for e = 0, and d, d1 the
// velocities that give the limits that were hit the rates -e r and -r, r being those at which they
// were approached:
//   u' = u0 + s d,   s^2 = available energy / max(T(d), T(d1)),  T(d) = 1/2 d^T M d (12)
// where the available energy is all that limits have taken in this step, the smooth part included,
// and what held rows have lost to the projection: a limit that stops bodies within the step leaves
// them with velocities that do not fit, so that is part of the impact (as far as it is no more than
// the limits' own part), and booked like it.
// u0 is orthogonal to d, so they give back s^2 T(d). For a single limit, or one e for all, that is
// e^2 of what they have taken: exactly Newton's law with the approach at the limit itself instead
// of that at the begin of the step; all of it for e = 1. For several e it is never more than they
// have taken: Newton's law alone can gain energy there.
#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {
namespace {

constexpr int kMaxRounds = 16, kBlockRounds = 5;
// An approach that a force has sped up within the step is this many times that at its begin at
// most; slower ones stay at the limit.
constexpr double kMostSpeedUp = 4;
constexpr double kSlack = 1e-9;  // of impulses and energies, relative

}  // namespace

// Moves row k of the joint's gradients here.
RateRow& GeneralRows::take_rate_row(uint32_t joint, size_t k) {
  GeneralJoint& j = joints_[joint];
  RateRow& r = rate_rows_.emplace_back();
  r.joint = joint;
  r.row = static_cast<uint8_t>(k);
  r.impulse = smooth_part_ * j.p[k];
  r.slow = kSlowTravel * (j.angular[k] ? 1 : j.size) / h_;
  for (size_t e = 0; e < j.entries; ++e) {
    std::copy_n(&entry(j, e).G[6 * k], 6, &r.G[6 * e]);
    std::fill_n(&entry(j, e).G[6 * k], 6, 0.0);
  }
  return r;
}

double GeneralRows::rate_of(const RateRow& r) const {
  const GeneralJoint& j = joints_[r.joint];
  double rate = 0;
  for (size_t e = 0; e < j.entries; ++e) {
    const Motion& u = motion_[j.body[e]];
    rate += dot(linear_of(&r.G[6 * e]), u.v) + dot(angular_of(&r.G[6 * e]), u.w);
  }
  return rate;
}

void GeneralRows::add_law_row(uint32_t joint, size_t k) {
  GeneralJoint& j = joints_[joint];
  const AxisLaw& law = j.law[k];
  const double stiffening = law.row(j.part[k]).a > 0 ? j.stiffening[k] : 0;
  if ((law.part_count() == 1 && !(stiffening > 0)) || j.idle[k]) return;
  add_end_row(j, k);
  RateRow& r = take_rate_row(joint, k);
  const double rate0 = (j.model->rows[k].ratio == 0 ? j.first_rate[k] : 1) * j.rate0[k];
  const int part = j.part[k], hold = law.passed_jump(part, rate0, rate_of(r));
  if (!law.holds(hold)) {
    if (!(stiffening > 0)) {
      rate_rows_.pop_back();
      return;
    }
    // (10a)
    const JointAxisDef& axis = j.model->axes[j.model->rows[k].axis];
    r.soft = 1 / (stiffening * h_ * (0.5 * h_ * axis.stiffness + j.damping[k]));
    r.low = -kInfinity;
    r.high = kInfinity;
    return;
  }
  r.rate = law.end_rate(hold);
  if (hold != part) {
    // it comes from one side of the jump
    const double jump = h_ * (law.greatest_force(hold) - law.least_force(hold));
    r.low = hold > part ? -jump : 0;
    r.high = hold > part ? 0 : jump;
    return;
  }
  r.low = std::min(0.0, h_ * law.least_force(part) - r.impulse);
  r.high = std::max(0.0, h_ * law.greatest_force(part) - r.impulse);
  const int side = law.limit_side(part);
  if (side == 0) return;
  r.limit = true;
  r.restitution = j.model->axes[j.model->rows[k].axis].restitution;
  const double inner = side > 0 ? law.greatest_force(part) : law.least_force(part);
  const double travel = j.c1[k] - j.c0[k];
  // an impulse at the begin meets the rates before and after it
  const double mean_rate = smooth_part_ == 1 ? travel / h_ : 0.5 * (rate0 + travel / h_);
  r.work_J = smooth_part_ * (j.p[k] - h_ * inner) * mean_rate;
  // whatever leaves, or was put back from beyond, has no approach
  const double approach = std::max(side * rate0, side * travel / h_);
  if (approach > r.slow) r.approach = side * approach;
  // what rests there was truly pushed in the smooth step, and keeps that
  const bool rests = std::max(std::fabs(travel) / h_, std::fabs(rate0)) <= r.slow;
  if (rests) (side > 0 ? r.high : r.low) = 0;
}

// The edge of a black box's region: it is held while the impulse points inwards.
void GeneralRows::add_edge_row(uint32_t joint, size_t k) {
  RateRow& r = take_rate_row(joint, k);
  const GeneralJoint& j = joints_[joint];
  const bool rests = std::fabs(j.c1[k] - j.c0[k]) / h_ <= r.slow;
  r.low = -kInfinity;
  r.high = rests ? 0 : std::max(0.0, -r.impulse);
}

// Impulses `part` x on motion_.
void GeneralRows::add_motion(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                             const BlockLu& lu, double part) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    const double* mu = &x_[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      if (!work[b].moves) continue;
      Vec3 f, t;
      for (size_t k = 0; k < j.rows; ++k) {
        f += mu[k] * linear_of(&entry(j, e).G[6 * k]);
        t += mu[k] * angular_of(&entry(j, e).G[6 * k]);
      }
      motion_[b].v += (part * bodies[b].mass->inv_mass) * f;
      motion_[b].w += part * (inv_I1_[b] * t);
    }
  }
  for (size_t i = 0; i < x_.size(); ++i) total_[i] += part * x_[i];
}

// Puts the gradients of rate rows back to their joints: of all, or of those that hold.
void GeneralRows::show_rate_rows(bool all) {
  for (const RateRow& r : rate_rows_) {
    const GeneralJoint& j = joints_[r.joint];
    for (size_t e = 0; e < j.entries; ++e) {
      joints_[r.joint].soft[r.row] = r.set == RateRow::Set::kHolds ? r.soft : 0;
      double* G = &entry(j, e).G[6u * r.row];
      if (all || r.set == RateRow::Set::kHolds) {
        std::copy_n(&r.G[6 * e], 6, G);
      } else {
        std::fill_n(G, 6, 0.0);
      }
    }
  }
}

double& GeneralRows::place_of(const RateRow& r, const BlockLu& lu, std::vector<double>& x) const {
  return x[lu.offset_of(r.joint) + r.row];
}

// u0 of (12) for the sets as they are, in motion_. Returns the energy that limits have taken.
double GeneralRows::solve_laws(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                               BlockLu& lu, double compliance) {
  if (few_laws_) {
    set_few_laws();
  } else {
    refactor_laws(bodies, work, lu, compliance);
  }
  double taken = 0, size = 0;
  for (const RateRow& r : rate_rows_) {
    if (!r.limit) continue;
    const double work_J = r.mu * 0.5 * (r.before + r.now);
    taken -= r.work_J + work_J;
    size += std::fabs(r.work_J) + std::fabs(work_J);
  }
  return std::fabs(taken) < kSlack * size ? 0 : taken;
}

// By a matrix that has the rows that hold.
void GeneralRows::refactor_laws(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                                BlockLu& lu, double compliance) {
  using Set = RateRow::Set;
  total_.assign(lu.rows(), 0);
  begin_motion(bodies);
  // given impulses
  show_rate_rows(true);
  x_.assign(lu.rows(), 0);
  bool given = false;
  for (RateRow& r : rate_rows_) {
    r.mu = r.set == Set::kLow ? r.low : r.set == Set::kHigh ? r.high : 0;
    place_of(r, lu, x_) = r.mu;
    given = given || r.mu != 0;
  }
  if (given) add_motion(bodies, work, lu, 1);
  // those to be found
  show_rate_rows(false);
  factor_velocity(bodies, work, lu, compliance);
  held_matrix_ = false;
  make_velocity_rhs(lu, motion_);
  for (const RateRow& r : rate_rows_) {
    if (!joints_[r.joint].empty[r.row]) place_of(r, lu, x_) += r.rate;
  }
  lu.solve_symmetric(x_);
  add_motion(bodies, work, lu, 1);
  for (RateRow& r : rate_rows_) {
    if (r.set == Set::kHolds) r.mu = place_of(r, lu, x_);
    r.now = rate_of(r);
  }
}

// The impulses of d, or of d1 for `whole`, to x_. Returns their energy.
double GeneralRows::solve_bounce(BlockLu& lu, bool whole) {
  const auto wanted = [&](const RateRow& r) {
    const bool empty = few_laws_ ? !(r.scale > 0) : joints_[r.joint].empty[r.row];
    const bool takes_part = r.set == RateRow::Set::kHolds && !empty;
    return takes_part ? -(whole ? 1 : r.restitution) * r.approach : 0;
  };
  if (few_laws_) {
    x_.clear();
    for (const RateRow& r : rate_rows_) x_.push_back(wanted(r));
    solve_few_laws(x_);
    double sum = 0;
    for (size_t i = 0; i < x_.size(); ++i) sum += 0.5 * wanted(rate_rows_[i]) * x_[i];
    return sum;
  }
  x_.assign(lu.rows(), 0);
  for (const RateRow& r : rate_rows_) place_of(r, lu, x_) = wanted(r);
  lu.solve_symmetric(x_);
  double energy = 0;
  for (const RateRow& r : rate_rows_) energy += 0.5 * wanted(r) * place_of(r, lu, x_);
  return energy;
}

// Adds s d of (12). Returns s.
double GeneralRows::add_bounce(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                               BlockLu& lu, double available_J) {
  double most = 0, least = 1;
  for (const RateRow& r : rate_rows_) {
    if (r.approach == 0 || r.set != RateRow::Set::kHolds) continue;
    most = std::max(most, r.restitution);
    least = std::min(least, r.restitution);
  }
  if (!(available_J > 0) || !(most > 0)) return 0;
  double whole = most == least ? 0 : solve_bounce(lu, true);
  const double energy = solve_bounce(lu, false);
  if (most == least) whole = energy / (most * most);
  const double larger = std::max(energy, whole);
  if (!(larger > 0)) return 0;
  const double s = std::min(kMostSpeedUp, std::sqrt(available_J / larger));
  if (!std::isfinite(s)) return 0;
  if (few_laws_) {
    for (size_t i = 0; i < x_.size(); ++i) rate_rows_[i].mu += s * x_[i];
    find_few_rates();
    return s;
  }
  add_motion(bodies, work, lu, s);
  for (RateRow& r : rate_rows_) {
    if (r.set == RateRow::Set::kHolds) r.mu += s * place_of(r, lu, x_);
    r.now = rate_of(r);
  }
  return s;
}

// (11): moves rows to where they belong and returns how many, or at most one.
int GeneralRows::update_sets(double bounce, bool one_only) {
  using Set = RateRow::Set;
  int changes = 0;
  for (RateRow& r : rate_rows_) {
    const double slack = kSlack * (std::fabs(r.impulse) + std::fabs(r.mu));
    Set next = r.set;
    if (r.set == Set::kHolds) {
      if (r.mu > r.high + slack) next = Set::kHigh;
      if (r.mu < r.low - slack) next = Set::kLow;
    } else {
      const double excess = r.now - (r.rate - bounce * r.restitution * r.approach);
      if (r.set == Set::kHigh ? excess > r.slow : excess < -r.slow) next = Set::kHolds;
    }
    if (next == r.set) continue;
    r.set = next;
    ++changes;
    if (one_only) break;
  }
  return changes;
}

void GeneralRows::project_laws(std::span<StepBody> bodies, std::span<const BodyWork> work,
                               BlockLu& lu, double compliance, double lost_J, Account& account) {
  begin_motion(bodies);
  bool released = false, hit = false;
  for (RateRow& r : rate_rows_) {
    r.before = rate_of(r);
    hit = hit || r.approach != 0;
  }
  prepare_few_laws(bodies, work, lu, compliance);
  double shared = 0;
  for (int round = 0; round < kMaxRounds; ++round) {
    const double taken = solve_laws(bodies, work, lu, compliance);
    if (taken < 0 && released) {
      // limits that let go would have given energy: all of them hold, which never does
      released = false;
      for (RateRow& r : rate_rows_) {
        if (r.limit) r.set = RateRow::Set::kHolds;
      }
      solve_laws(bodies, work, lu, compliance);
      shared = 0;
      break;
    }
    shared = hit && taken > 0 ? std::min(lost_J, taken) : 0;
    const double bounce = add_bounce(bodies, work, lu, taken + shared);
    if (round + 1 == kMaxRounds || update_sets(bounce, round >= kBlockRounds) == 0) break;
    for (const RateRow& r : rate_rows_) {
      released = released || (r.limit && r.set != RateRow::Set::kHolds);
    }
  }
  if (few_laws_) gather_few_laws(lu);
  show_rate_rows(true);
  apply_impulses(bodies, work, lu, total_, account);
  begin_motion(bodies);
  // impulse times mean rate; held rows have none
  for (const RateRow& r : rate_rows_) account.work_J += r.mu * 0.5 * (r.before + rate_of(r));
  account.work_J -= shared;
}

}  // namespace tenon::direct
