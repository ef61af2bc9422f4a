// The velocity stage: held rows. Laws along freedoms follow in general_impact.cpp.
#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {

// Gradients at the end of the step with common points of application. Rows of laws go to
// rate_rows_ where they prescribe a rate, and are empty here.
void GeneralRows::end_gradients(uint32_t joint, std::span<const StepBody> bodies) {
  GeneralJoint& j = joints_[joint];
  j.mu = {};
  j.soft = {};
  const size_t point = j.model->has_point ? 3 : 0;
  for (size_t e = 0; e < j.entries; ++e) {
    std::fill_n(&entry(j, e).G[6 * point], 6u * (j.rows - point), 0.0);
  }
  for (size_t q = 0; 2 * q < j.entries; ++q) {
    const BodyState &P = bodies[j.body[2 * q]].end, &C = bodies[j.body[2 * q + 1]].end;
    j.f1[q].d = C.x_WC + j.f1[q].rC - P.x_WC - j.f1[q].rP;
  }
  size_t k = 0;
  const PairFrames& x = j.f1[0];
  if (j.model->has_point) {
    set_point_rows(entry(j, 0).G.data(), -1, x.rP + 0.5 * x.d);
    set_point_rows(entry(j, 1).G.data(), 1, x.rC - 0.5 * x.d);
    k = 3;
  }
  if (j.model->kind == JointKind::kBlackBox) {
    end_black_box(joint);
    return;
  }
  for (; k < j.rows; ++k) {
    if (j.model->rows[k].axis == kHeldRow) {
      add_end_row(j, k);
    } else {
      add_law_row(joint, k);
    }
  }
}

void GeneralRows::add_end_row(GeneralJoint& j, size_t k) {
  const RowSpec& spec = j.model->rows[k];
  const PairFrames& x = j.f1[0];
  RowWrench w;
  eval_gradient(spec.form, spec.i, spec.j, x, w);
  const double first = spec.scale * j.first_rate[k], second = spec.ratio * j.second_rate[k];
  add_wrench(&entry(j, 0).G[6 * k], &entry(j, 1).G[6 * k], x, {first * w.f, first * w.t});
  if (spec.ratio == 0) return;
  const size_t pair = j.entries == 4 ? 1 : 0;
  eval_gradient(spec.second_form, spec.second_i, 0, j.f1[pair], w);
  add_wrench(&entry(j, 2 * pair).G[6 * k], &entry(j, 2 * pair + 1).G[6 * k], j.f1[pair],
             {second * w.f, second * w.t});
}

// The matrix of (10) for the gradients as they stand; empty rows stand for themselves, or, where
// none but such follow, are left out.
void GeneralRows::factor_velocity(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                                  BlockLu& lu, double compliance) {
  scale_.assign(joints_.size(), {});
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      if (!work[b].moves) continue;
      EntryRows& rows = entry(j, e);
      size_t k = 0;
      if (j.model->has_point) {
        const double *G = rows.G.data(), *Y = rows.Y.data();
        set_point_columns(rows.Y.data(), G, bodies[b].mass->inv_mass, inv_I1_[b]);
        scale_[i][0] += G[0] * Y[0] + (G[4] * Y[24] + G[5] * Y[30]);
        scale_[i][1] += G[7] * Y[7] + (G[9] * Y[19] + G[11] * Y[31]);
        scale_[i][2] += G[14] * Y[14] + (G[15] * Y[20] + G[16] * Y[26]);
        k = 3;
      }
      for (; k < j.rows; ++k) {
        const Vec3 f = linear_of(&rows.G[6 * k]), t = angular_of(&rows.G[6 * k]);
        if (f == Vec3{} && t == Vec3{}) {  // a law
          set_column(rows.Y.data(), k, {}, {});
          continue;
        }
        const Vec3 yl = bodies[b].mass->inv_mass * f, ya = inv_I1_[b] * t;
        set_column(rows.Y.data(), k, yl, ya);
        scale_[i][k] += dot(f, yl) + dot(t, ya);
      }
    }
    j.used = 0;
    for (size_t k = 0; k < j.rows; ++k) {
      j.empty[k] = !(scale_[i][k] > 0);
      if (!j.empty[k]) j.used = static_cast<uint8_t>(k + 1);
    }
    lu.set_rows(static_cast<uint32_t>(i), j.used);
  }
  lu.clear_symmetric();
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    double* D = lu.diagonal(static_cast<uint32_t>(i));
    for (size_t e = 0; e < j.entries; ++e) {
      if (!work[j.body[e]].moves || m_.hub_node[j.body[e]] != kNoNode) continue;
      for (size_t e2 = 0; e2 < j.entries; ++e2) {
        if (j.body[e2] == j.body[e]) add_end(D, j, e, j, e2);
      }
    }
    for (size_t k = 0; k < j.used; ++k) {
      D[k * (j.used + 1u)] += j.empty[k] ? 1 : compliance * scale_[i][k] + j.soft[k];
    }
  }
  for (const Coupling& c : m_.couplings) {
    add_end(lu.lower(c.block), joints_[c.row_joint], c.row_entry, joints_[c.column_joint],
            c.column_entry);
  }
  add_velocity_hubs(bodies, work, lu);
  lu.factor_symmetric();
  held_matrix_ = true;
}

// hubs: quasi-definite, [A G; G^T -M]
void GeneralRows::add_velocity_hubs(std::span<const StepBody> bodies,
                                    std::span<const BodyWork> work, BlockLu& lu) const {
  for (const uint32_t b : m_.hubs) {
    double* D = lu.diagonal(m_.hub_node[b]);
    const Mat3 R = to_matrix(bodies[b].end.q_WB);
    const Mat3 I = R * bodies[b].mass->I_B * transpose(R);
    for (size_t i = 0; i < 3; ++i) {
      D[7 * i] = -bodies[b].mass->mass;
      for (size_t k = 0; k < 3; ++k) {
        D[6 * (i + 3) + k + 3] =
            work[b].turns ? -I(static_cast<int>(i), static_cast<int>(k)) : (i == k ? -1.0 : 0.0);
      }
    }
  }
  for (size_t i = 0; i < joints_.size() && !m_.hubs.empty(); ++i) {
    const GeneralJoint& j = joints_[i];
    for (size_t e = 0; e < j.entries; ++e) {
      if (!work[j.body[e]].moves || m_.hub_node[j.body[e]] == kNoNode) continue;
      const BlockPattern::Place place =
          m_.pattern.find(static_cast<uint32_t>(i), m_.hub_node[j.body[e]]);
      double* block = lu.lower(place.block);
      for (size_t k = 0; k < j.used; ++k) {
        for (size_t l = 0; l < 6; ++l) {
          block[place.a_is_row ? 6 * k + l : l * j.used + k] += entry(j, e).G[6 * k + l];
        }
      }
    }
  }
}

void GeneralRows::begin_motion(std::span<const StepBody> bodies) {
  motion_.resize(bodies.size());
  for (size_t b = 0; b < bodies.size(); ++b) {
    motion_[b] = {bodies[b].end.v_WC, bodies[b].end.w_WB};
  }
}

// The right-hand side of (10) for wanted rates of zero: x = -G u.
void GeneralRows::make_velocity_rhs(const BlockLu& lu, std::span<const Motion> motion) {
  x_.assign(lu.rows(), 0);
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    double* rhs = &x_[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t e = 0; e < j.entries; ++e) {
      const Motion& u = motion[j.body[e]];
      const EntryRows& rows = entry(j, e);
      size_t k = 0;
      if (j.model->has_point) {
        const double* G = rows.G.data();
        const Vec3 rates{G[0] * u.v.x + (G[4] * u.w.y + G[5] * u.w.z),
                         G[7] * u.v.y + (G[9] * u.w.x + G[11] * u.w.z),
                         G[14] * u.v.z + (G[15] * u.w.x + G[16] * u.w.y)};
        for (; k < 3; ++k) rhs[k] -= rates[static_cast<int>(k)];
      }
      for (; k < j.rows; ++k) {
        if (j.empty[k]) continue;
        rhs[k] -= dot(linear_of(&rows.G[6 * k]), u.v) + dot(angular_of(&rows.G[6 * k]), u.w);
      }
    }
  }
}

// Impulses x on the end states. What they do to bodies that do not move by themselves is booked.
void GeneralRows::apply_impulses(std::span<StepBody> bodies, std::span<const BodyWork> work,
                                 const BlockLu& lu, std::span<const double> x, Account& account) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    const double* mu = &x[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t k = 0; k < j.rows; ++k) j.mu[k] += mu[k];
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      for (size_t k = 0; k < j.rows; ++k) {
        if (mu[k] == 0) continue;
        const double* G = &entry(j, e).G[6 * k];
        push_end(bodies[b], work[b], mu[k] * linear_of(G), mu[k] * angular_of(G), account);
      }
    }
  }
  for (uint32_t b = 0; b < m_.moving; ++b) {
    BodyState& s = bodies[b].end;
    if (work[b].turns) s.w_WB = inv_I1_[b] * s.L_W;
  }
}

void GeneralRows::factor_end(std::span<StepBody> bodies, std::span<const BodyWork> work,
                             BlockLu& lu, double compliance) {
  calc_end_inertia(bodies, work, inv_I1_);
  rate_rows_.clear();
  begin_motion(bodies);
  bounded_.clear();
  for (uint32_t i = 0; i < joints_.size(); ++i) {
    end_gradients(i, bodies);
    const JointModel& model = *joints_[i].model;
    for (size_t k = model.has_point ? 3 : 0; k < joints_[i].rows; ++k) {
      if (model.rows[k].axis != kHeldRow && joints_[i].entries == 2) add_bounded(i, k);
    }
  }
  factor_velocity(bodies, work, lu, compliance);
}

// Limits that are near, motors and friction; springs, dampers and constant forces. They add up, so
// each is a row of its own; docs/theory/contacts.md, section 3.
void GeneralRows::add_bounded(uint32_t joint, size_t k) {
  // of size, rad: what a step may reach beside its own motion
  constexpr double kReachOfLimits = 0.1, kReached = 1e-3;
  GeneralJoint& j = joints_[joint];
  const RowSpec& spec = j.model->rows[k];
  const JointAxisDef& axis = j.model->axes[spec.axis];
  const AxisLaw& law = j.law[k];
  const double reach =
      2 * h_ * std::fabs(j.rate0[k]) + kReachOfLimits * (j.angular[k] ? 1 : j.size);
  const bool near_min = j.c0[k] - axis.min < reach, near_max = axis.max - j.c0[k] < reach;
  const int segment = law.between_limits(j.part[k]);
  const bool springs = axis.stiffness > 0 || j.damping[k] > 0;
  const bool acts = springs || j.friction[k] > 0 || axis.motor.kind != Motor::Kind::kNone;
  if (!(near_min || near_max || acts)) return;
  if (j.idle[k]) complete_frames(j);
  add_end_row(j, k);
  BoundedRow row;
  double free = 0;  // rate per impulse without joints
  for (size_t e = 0; e < 2; ++e) {
    const double* G = &entry(j, e).G[6 * k];
    row.body[e] = j.body[e];
    row.f[e] = linear_of(G);
    row.t[e] = angular_of(G);
    const BodyWork& b = bodies_[j.body[e]];
    if (b.moves) free += norm2(row.f[e]) / b.mass + dot(row.t[e], inv_I1_[j.body[e]] * row.t[e]);
    std::fill_n(&entry(j, e).G[6 * k], 6, 0.0);
  }
  const bool drives = axis.motor.kind != Motor::Kind::kNone;
  // what all of the law gave in the last step, and what of it is known to be a limit's: that beyond
  // what stands beside it, or what the velocity stage added where nothing else does
  const JointState& state = *step_joints_[joint].state;
  const double force = state.force[k];
  const bool upper = (state.segment[k] & kUpperLimitPart) != 0;
  const int part = upper ? std::max(law.part_count() - 2, 0)
                         : std::min<int>(state.segment[k], law.part_count() - 1);
  const int side = law.limit_side(part);
  const double beside = side > 0   ? law.greatest_force(part)
                        : side < 0 ? law.least_force(part)
                                   : state.lambda[k];
  const bool alone = side != 0 || !(drives || j.friction[k] > 0 || j.stiffening[k] > 0);
  const double of_limit = !alone ? 0 : std::isfinite(beside) ? force - beside : force;
  const auto add_limit = [&](double sign, double gap) {
    BoundedRow limit = row;
    for (size_t e = 0; e < 2; ++e) {
      limit.f[e] *= sign;
      limit.t[e] *= sign;
    }
    limit.gap = gap;
    limit.rate = -std::max(gap, 0.0) / h_;
    limit.high = kInfinity;
    // one that has been left again, or that the last step only hit, begins with nothing
    const bool reached = gap <= kReached * (j.angular[k] ? 1 : j.size);
    limit.guess = reached ? std::max(0.0, sign * of_limit * h_) : 0;
    bounded_.push_back(limit);
  };
  if (near_min) add_limit(1, j.c0[k] - axis.min);
  if (near_max) add_limit(-1, axis.max - j.c0[k]);
  row.gap = kInfinity;
  const bool several = (j.friction[k] > 0 ? 1 : 0) + (drives ? 1 : 0) + (springs ? 1 : 0) > 1;
  const auto add_bounds = [&](double rate, double low, double high) {
    row.rate = rate;
    row.low = low;
    row.high = high;
    // of several it is not known which of them had how much
    row.guess = std::clamp(several || side != 0 ? 0 : force * h_, low, high);
    bounded_.push_back(row);
  };
  const auto add_motor = [&](double rate, double most) {
    add_bounds(rate, -most, most);
    // what it had in the last step is known
    bounded_.back().motor = !several && drives && axis.min < axis.max;
    bounded_.back().joint = joint;
    bounded_.back().row = static_cast<uint8_t>(k);
  };
  if (law.is_driven()) return add_motor(law.end_rate(1), kInfinity);
  if (axis.motor.kind == Motor::Kind::kForce) {
    add_bounds(0, h_ * axis.motor.target, h_ * axis.motor.target);
  } else if (drives) {
    add_motor(law.motor_rate(), h_ * axis.motor.max_force);
  }
  if (j.friction[k] > 0) add_bounds(0, -h_ * j.friction[k], h_ * j.friction[k]);
  if (springs && law.row(segment).a > 0) add_spring(joint, k, segment, free, row);
}

// A spring and damper: with slope s and rest c* of the law's segment, and mean rates,
//   p = h s (c* - c0 - h/2 (r0 + r1)),  that is  r1 + p/D = 2 (c* - c0)/h - r0,  D = s h^2/2 (5c)
// What the velocity stage will damp (sigma) does not go on: there r1 + (p - last p)/D = 0.
void GeneralRows::add_spring(uint32_t joint, size_t k, int segment, double free, BoundedRow row) {
  constexpr double kLeastSoft = 1e-7;  // of the rate per impulse without it: contacts must see some
  const GeneralJoint& j = joints_[joint];
  if (!(free > 0)) return;
  const JointAxisDef& axis = j.model->axes[j.model->rows[k].axis];
  const bool alone = j.friction[k] == 0 && axis.motor.kind == Motor::Kind::kNone &&
                     j.law[k].limit_side(j.part[k]) == 0;
  const double slope = j.law[k].row(segment).a;
  const double begin = j.law[k].spring_force(segment, j.c0[k]);
  const double last = alone ? step_joints_[joint].state->lambda[k] : begin;
  row.keep = 1 - j.stiffening[k];
  row.soft = std::max(2 / (slope * h_ * h_), kLeastSoft * free);
  row.rate = row.soft * h_ * (last + row.keep * (begin - last));
  row.low = -kInfinity;
  row.high = kInfinity;
  row.guess = h_ * last;
  bounded_.push_back(row);
}

void GeneralRows::project_motion(std::span<const StepBody>, std::span<const BodyWork> work,
                                 BlockLu& lu, std::span<Motion> motion) {
  make_velocity_rhs(lu, motion);
  add_answer(work, lu, motion);
}

void GeneralRows::read_impulses(const BlockLu& lu,
                                std::span<std::array<double, kMaxRows>> impulses) const {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    const double* x = &x_[lu.offset_of(static_cast<uint32_t>(i))];
    impulses[i] = {};
    for (size_t k = 0; k < j.used; ++k) impulses[i][k] = j.empty[k] ? 0 : x[k];
  }
}

// Solves for the impulses and adds what they do to the motion of moving bodies.
void GeneralRows::add_answer(std::span<const BodyWork> work, BlockLu& lu,
                             std::span<Motion> motion) {
  lu.solve_symmetric(x_);
  add_held(work, lu, x_, motion);
}

// What the impulses x do to the motion of moving bodies.
void GeneralRows::add_held(std::span<const BodyWork> work, const BlockLu& lu,
                           std::span<const double> x, std::span<Motion> motion) const {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    const double* mu = &x[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      if (!work[b].moves) continue;
      const double* Y = entry(j, e).Y.data();
      for (size_t k = 0; k < j.used; ++k) {
        if (j.empty[k]) continue;
        motion[b].v += mu[k] * linear_of_column(Y, k);
        motion[b].w += mu[k] * angular_of_column(Y, k);
      }
    }
  }
}

// M (u - u*) = G^T mu, G u = rates wanted.                                            (10)
// First for what is held: what that takes is the error of the step. Then for the laws, from
// velocities that fit, where held rows do no work: what that takes or gives is the laws' work. The
// second projection goes to a subspace of the first one's, so both together are the nearest point.
void GeneralRows::project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                          double compliance, Projection which, Account& account) {
  calc_end_inertia(bodies, work, inv_I1_);
  rate_rows_.clear();
  begin_motion(bodies);
  for (uint32_t i = 0; i < joints_.size(); ++i) end_gradients(i, bodies);
  factor_velocity(bodies, work, lu, compliance);
  make_velocity_rhs(lu, motion_);
  total_ = x_;
  lu.solve_symmetric(x_);
  apply_impulses(bodies, work, lu, x_, account);
  if (which == Projection::kHeld || rate_rows_.empty()) return;
  double lost_J = 0;  // 1/2 |u* - u|^2
  for (size_t i = 0; i < x_.size() && smooth_part_ == 1; ++i) lost_J += 0.5 * total_[i] * x_[i];
  project_laws(bodies, work, lu, compliance, lost_J, account);
}

}  // namespace tenon::direct
