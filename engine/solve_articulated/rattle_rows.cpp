// Rows of any kind for RATTLE: what differs from the rows of the energy-momentum step.
#include "tenon/engine/solve_articulated/detail/rattle_rows.h"

namespace tenon::direct {

// c and gradient of a scalar row at one end of the step, into c1 and G or into F.
void RattleRows::add_scalar_row(GeneralJoint& j, size_t k, bool at_end) {
  const RowSpec& spec = j.model->rows[k];
  const auto add_form = [&](RowForm form, int i, int jj, size_t pair, double factor, double before,
                            double& after) {
    const PairFrames& x = at_end ? j.f1[pair] : j.f0[pair];
    RowWrench w;
    double c = eval_form(form, i, jj, x, w);
    EntryRows &P = entry(j, 2 * pair), &C = entry(j, 2 * pair + 1);
    w = {factor * w.f, factor * w.t};
    if (!at_end) {
      add_wrench(&P.F[6 * k], &C.F[6 * k], x, w);
      return;
    }
    add_wrench(&P.G[6 * k], &C.G[6 * k], x, w);
    if (is_unwrapped(form)) c = unwrap(c, before);
    after = c;
  };
  add_form(spec.form, spec.i, spec.j, 0, spec.scale, j.first0[k], j.first1[k]);
  if (spec.ratio != 0) {
    add_form(spec.second_form, spec.second_i, 0, j.entries == 4 ? 1 : 0, spec.ratio, j.second0[k],
             j.second1[k]);
  }
  if (!at_end) return;
  j.c1[k] = spec.scale * j.first1[k] - spec.value;
  if (spec.ratio != 0) j.c1[k] += spec.ratio * j.second1[k];
}

void RattleRows::find_rows(GeneralJoint& j, bool at_end) {
  const auto rows_of = [&](size_t e) -> std::array<double, 36>& {
    return at_end ? entry(j, e).G : entry(j, e).F;
  };
  for (size_t e = 0; e < j.entries; ++e) std::fill_n(rows_of(e).begin(), 6u * j.rows, 0.0);
  const PairFrames& x = at_end ? j.f1[0] : j.f0[0];
  if (j.model->kind == JointKind::kBlackBox) {
    BlackBoxWork& box = boxes_[j.box];
    const BlackBoxFrame& at = at_end ? box.at_end : box.at_begin;
    std::array<RowWrench, 6> w{};
    if (box.basis.count > 0) {
      calc_gradients(*j.model->black_box, box.basis, at, j.size, w.data());
      if (at_end) calc_values(*j.model->black_box, box.basis, at, j.size, j.c1.data());
    }
    for (size_t k = 0; k < static_cast<size_t>(box.basis.count); ++k) {
      add_wrench(&rows_of(0)[6 * k], &rows_of(1)[6 * k], x,
                 {to_world(x, w[k].f), to_world(x, w[k].t)});
    }
    if (!at_end) {
      held_[j.box] = box.basis.count;
      return;
    }
    box.G = w;
    box.G_at = at.X;
    return;
  }
  size_t k = 0;
  if (j.model->has_point) {
    // impulses act in the middle of the gap: one point for both bodies
    const Vec3 half_gap = at_end ? Vec3{} : 0.5 * x.d;
    set_point_rows(rows_of(0).data(), -1, x.rP + half_gap);
    set_point_rows(rows_of(1).data(), 1, x.rC - half_gap);
    if (!at_end) j.lever = {x.rP + half_gap, x.rC - half_gap};
    for (; k < 3; ++k) {
      if (at_end) j.c1[k] = x.d[static_cast<int>(k)];
    }
  }
  for (; k < j.rows; ++k) add_scalar_row(j, k, at_end);
}

void RattleRows::begin_part(std::span<const BodyWork> bodies, std::span<const StepJoint> joints,
                            double h) {
  begin(bodies, joints, h, Levers::kMean);
  held_.resize(boxes_.size());
  for (GeneralJoint& j : joints_) {
    j.first_rate.fill(1);
    j.second_rate.fill(1);
    if (j.model->kind == JointKind::kBlackBox) {
      // held directions are found where the bodies would come to without it
      boxes_[j.box].basis = {};
      j.p.fill(0);
    }
    find_rows(j, false);
  }
}

void RattleRows::add_kicks(std::span<BodyWork> bodies) const {
  for (const GeneralJoint& j : joints_) {
    for (size_t e = 0; e < j.entries; ++e) {
      BodyWork& w = bodies[j.body[e]];
      if (!w.moves) continue;
      const EntryRows& rows = entry(j, e);
      for (size_t k = 0; k < j.rows; ++k) {
        w.gl += (0.5 * j.p[k]) * linear_of(&rows.F[6 * k]);
        if (w.turns) w.ga += (0.5 * j.p[k]) * angular_of(&rows.F[6 * k]);
      }
    }
  }
}

double RattleRows::evaluate_end(std::span<const BodyWork> bodies) {
  double worst = 0;
  for (GeneralJoint& j : joints_) {
    for (size_t q = 0; 2 * q < j.entries; ++q) {
      const BodyWork &P = bodies[j.body[2 * q]], &C = bodies[j.body[2 * q + 1]];
      const PairFrames& from = j.f0[q];
      PairFrames& to = j.f1[q];
      to.rP = P.S * from.rP;
      to.rC = C.S * from.rC;
      to.d = (C.x0 + C.dx + to.rC) - (P.x0 + P.dx + to.rP);
      for (size_t i = 0; i < 3; ++i) {
        if (j.axes_P[q] >> i & 1) to.P[i] = P.S * from.P[i];
        if (j.axes_C[q] >> i & 1) to.C[i] = C.S * from.C[i];
      }
    }
    if (j.model->kind == JointKind::kBlackBox) {
      BlackBoxWork& box = boxes_[j.box];
      box.at_end = look_at(*j.model->black_box, relative_pose(j.f1[0]), j.size);
      if (fresh_) {
        begin_black_box(j);
        j.p.fill(0);  // the frame it looked at had none
      }
      box.world_point = false;
      // an edge that the last solution passed has become a row
      if (fresh_ || held_[j.box] != box.basis.count) find_rows(j, false);
    }
    find_rows(j, true);
    for (size_t k = 0; k < j.rows; ++k) {
      if (j.row[k].a != 0) continue;
      for (size_t e = 0; e < j.entries; ++e) std::fill_n(&entry(j, e).G[6 * k], 6, 0.0);
    }
    const double error2 = error2_of(j);
    worst = error2 < kInfinity ? std::max(worst, error2) : kInfinity;
  }
  fresh_ = false;
  return std::sqrt(worst);
}

// Work and impulses of what acts at the begin of the part. A law that holds does the work of its
// impulse at the mean of the rates before and after; the others do lambda times the way, over the
// whole part.
void RattleRows::account_kick(const GeneralJoint& j, std::span<const BodyWork> work,
                              std::span<const Middle> middle, Account& account) const {
  for (size_t k = 0; k < j.rows; ++k) {
    double rate = 0;
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      const BodyWork& w = work[b];
      const Vec3 f = linear_of(&entry(j, e).F[6 * k]), t = angular_of(&entry(j, e).F[6 * k]);
      const double before = dot(f, w.v0) + dot(t, w.w0);
      const double after = w.moves ? dot(f, middle[b].vh) + dot(t, middle[b].wh) : before;
      rate += 0.5 * (before + after);
      if (w.moves) continue;
      const double p = 0.5 * j.p[k];
      account.impulse -= p * f;
      account.angular_impulse -= p * (cross(w.x0, f) + t);
      account.work_J -= p * before;
    }
    if (!has_law(j, k)) continue;
    account.work_J +=
        j.law[k].holds(j.part[k]) ? 0.5 * j.p[k] * rate : j.p[k] / h_ * (j.c1[k] - j.c0[k]);
  }
}

// The second half of forces that laws prescribe.
void RattleRows::end_kicks(GeneralJoint& j, std::span<StepBody> bodies,
                           std::span<const BodyWork> work, Account& account) {
  for (size_t k = 0; k < j.rows; ++k) {
    if (!has_law(j, k) || j.law[k].holds(j.part[k]) || j.p[k] == 0) continue;
    for (size_t e = 0; e < j.entries; ++e) std::fill_n(&entry(j, e).G[6 * k], 6, 0.0);
    add_scalar_row(j, k, true);
    const double p = 0.5 * j.p[k];
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      const double* G = &entry(j, e).G[6 * k];
      push_end(bodies[b], work[b], p * linear_of(G), p * angular_of(G), account);
    }
  }
}

void RattleRows::finish_part(std::span<StepBody> bodies, std::span<const BodyWork> work,
                             std::span<const Middle> middle, BlockLu& lu, double compliance,
                             Account& account) {
  for (GeneralJoint& j : joints_) {
    account_kick(j, work, middle, account);
    end_kicks(j, bodies, work, account);
  }
  for (uint32_t b = 0; b < m_.moving; ++b) {
    BodyState& s = bodies[b].end;
    if (work[b].turns) s.w_WB = angular_velocity(s.q_WB, bodies[b].mass->inv_I_B, s.L_W);
  }
  project(bodies, work, lu, compliance, Projection::kAll, account);
  correct_law_work(bodies, work, middle, account);
}

// project() takes the rates before its impulses as those that forces and held rows have left; here
// all act at the same moment.
void RattleRows::correct_law_work(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                                  std::span<const Middle> middle, Account& account) const {
  for (const RateRow& r : rate_rows_) {
    const GeneralJoint& j = joints_[r.joint];
    double before = 0;
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      const Vec3 f = linear_of(&r.G[6 * e]), t = angular_of(&r.G[6 * e]);
      before += work[b].moves ? dot(f, middle[b].vh) + dot(t, middle[b].we)
                              : dot(f, bodies[b].end.v_WC) + dot(t, bodies[b].end.w_WB);
    }
    account.work_J += 0.5 * r.mu * (before - r.before);
  }
}

void RattleRows::store() {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    JointState& state = *step_joints_[i].state;
    const double* mu = end_impulses(i);
    if (j.model->kind == JointKind::kBlackBox) {
      std::array<double, 6> impulse{};
      for (size_t k = 0; k < j.rows; ++k) impulse[k] = 0.5 * j.p[k] + mu[k];
      const std::array<double, 6> wrench = wrench_of(j, impulse);
      for (size_t l = 0; l < 6; ++l) sums_[i][l] += wrench[l];
    }
    for (size_t k = 0; k < j.rows; ++k) {
      store_coordinate(j, k, state);
      if (j.model->kind == JointKind::kBlackBox) continue;
      const bool given = has_law(j, k) && !j.law[k].holds(j.part[k]);
      const double p = j.p[k], end = given ? 0.5 * p : mu[k];
      sums_[i][k] += 0.5 * p + end;
      // the force at the end is the one to begin with, unless a jerk is in it
      const bool smooth = std::fabs(2 * end - p) < 0.5 * std::fabs(p);
      state.lambda[k] = (smooth ? 2 * end : p) / h_;
    }
  }
}

void RattleRows::store_means(double h) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    JointState& state = *step_joints_[i].state;
    for (size_t k = 0; k < kMaxRows; ++k) state.lambda[k] = state.force[k] = sums_[i][k] / h;
  }
}

}  // namespace tenon::direct
