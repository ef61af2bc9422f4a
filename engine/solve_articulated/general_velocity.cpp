// The velocity stage.
#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {

// Gradients at the end of the step with common points of application; rows that prescribe no rate
// are empty.
void GeneralRows::end_gradients(GeneralJoint& j, std::span<const StepBody> bodies,
                                Projection which) {
  j.drives = {};
  for (size_t e = 0; e < j.entries; ++e) std::fill_n(entry(j, e).G.begin(), 6u * j.rows, 0.0);
  for (size_t q = 0; 2 * q < j.entries; ++q) {
    const BodyState &P = bodies[j.body[2 * q]].end, &C = bodies[j.body[2 * q + 1]].end;
    j.f1[q].d = C.x_WC + j.f1[q].rC - P.x_WC - j.f1[q].rP;
  }
  size_t k = 0;
  const PairFrames& x = j.f1[0];
  if (j.model->has_point) {
    for (; k < 3; ++k) {
      Vec3 axis;
      axis[static_cast<int>(k)] = 1;
      set_row(&entry(j, 0).G[6 * k], -axis, -cross(x.rP + 0.5 * x.d, axis));
      set_row(&entry(j, 1).G[6 * k], axis, cross(x.rC - 0.5 * x.d, axis));
    }
  }
  if (j.model->kind == JointKind::kBlackBox) {
    end_black_box(j);
    return;
  }
  for (; k < j.rows; ++k) {
    const RowSpec& spec = j.model->rows[k];
    if (spec.axis != kHeldRow) {
      j.drives[k] = which == Projection::kAll && j.law[k].holds(j.part[k]);
      if (!j.drives[k]) continue;
    }
    RowWrench w;
    eval_form(spec.form, spec.i, spec.j, x, w);
    const double first = spec.scale * j.first_rate[k], second = spec.ratio * j.second_rate[k];
    add_wrench(&entry(j, 0).G[6 * k], &entry(j, 1).G[6 * k], x, {first * w.f, first * w.t});
    if (spec.ratio == 0) continue;
    const size_t pair = j.entries == 4 ? 1 : 0;
    eval_form(spec.second_form, spec.second_i, 0, j.f1[pair], w);
    add_wrench(&entry(j, 2 * pair).G[6 * k], &entry(j, 2 * pair + 1).G[6 * k], j.f1[pair],
               {second * w.f, second * w.t});
  }
}

void GeneralRows::assemble_velocity(std::span<const StepBody> bodies,
                                    std::span<const BodyWork> work, BlockLu& lu,
                                    double compliance) {
  lu.clear();
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    double* D = lu.diagonal(static_cast<uint32_t>(i));
    double* rhs = &x_[lu.offset_of(static_cast<uint32_t>(i))];
    std::array<double, 6> scale{};
    for (size_t k = 0; k < j.rows; ++k) {
      rhs[k] = j.drives[k] ? j.law[k].end_rate(j.part[k]) : 0;
    }
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      const BodyState& s = bodies[b].end;
      EntryRows& rows = entry(j, e);
      const double im = work[b].moves ? bodies[b].mass->inv_mass : 0;
      for (size_t k = 0; k < j.rows; ++k) {
        const Vec3 f = linear_of(&rows.G[6 * k]), t = angular_of(&rows.G[6 * k]);
        rhs[k] -= dot(f, s.v_WC) + dot(t, s.w_WB);
        if (!work[b].moves) continue;
        const Vec3 yl = im * f, ya = inv_I1_[b] * t;
        set_column(rows.Y.data(), k, yl, ya);
        scale[k] += dot(f, yl) + dot(t, ya);
      }
    }
    for (size_t e = 0; e < j.entries; ++e) {
      if (!work[j.body[e]].moves || m_.hub_node[j.body[e]] != kNoNode) continue;
      for (size_t e2 = 0; e2 < j.entries; ++e2) {
        if (j.body[e2] == j.body[e]) add_product(D, j, e, j, e2);
      }
    }
    for (size_t k = 0; k < j.rows; ++k) {
      // an empty row stands for itself
      const bool empty = !(scale[k] > 0);
      D[k * j.rows + k] += empty ? 1 : compliance * scale[k];
      if (empty) rhs[k] = 0;
      j.rate_change[k] = rhs[k];
    }
  }
  for (const Coupling& c : m_.couplings) {
    add_product(lu.lower(c.block), joints_[c.row_joint], c.row_entry, joints_[c.column_joint],
                c.column_entry);
  }
}

// M (u - u*) = G^T mu, G u = rates wanted.                                            (10)
void GeneralRows::project(std::span<StepBody> bodies, std::span<const BodyWork> work, BlockLu& lu,
                          double compliance, Projection which, Account& account) {
  calc_end_inertia(bodies, work, inv_I1_);
  x_.assign(lu.rows(), 0);
  for (GeneralJoint& j : joints_) end_gradients(j, bodies, which);
  assemble_velocity(bodies, work, lu, compliance);
  // hubs: quasi-definite, [A G; G^T -M]
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
      for (size_t k = 0; k < j.rows; ++k) {
        for (size_t l = 0; l < 6; ++l) {
          block[place.a_is_row ? 6 * k + l : l * j.rows + k] += entry(j, e).G[6 * k + l];
        }
      }
    }
  }
  lu.factor_symmetric();
  lu.solve_symmetric(x_);
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    const double* mu = &x_[lu.offset_of(static_cast<uint32_t>(i))];
    std::copy_n(mu, j.rows, j.mu.begin());
    for (size_t e = 0; e < j.entries; ++e) {
      const uint32_t b = j.body[e];
      BodyState& s = bodies[b].end;
      for (size_t k = 0; k < j.rows; ++k) {
        const Vec3 f = mu[k] * linear_of(&entry(j, e).G[6 * k]);
        const Vec3 t = mu[k] * angular_of(&entry(j, e).G[6 * k]);
        if (work[b].moves) {
          s.v_WC += bodies[b].mass->inv_mass * f;
          if (work[b].turns) s.L_W += t;
        } else {
          account.impulse -= f;
          account.angular_impulse -= cross(s.x_WC, f) + t;
          account.work_J -= dot(f, s.v_WC) + dot(t, s.w_WB);
        }
      }
    }
    // motors that correct their speed and limits that stop do work: impulse times mean rate
    for (size_t k = 0; k < j.rows; ++k) {
      if (!j.drives[k]) continue;
      account.work_J += mu[k] * (j.law[k].end_rate(j.part[k]) - 0.5 * j.rate_change[k]);
    }
  }
  for (uint32_t b = 0; b < m_.moving; ++b) {
    BodyState& s = bodies[b].end;
    if (work[b].turns) s.w_WB = inv_I1_[b] * s.L_W;
  }
}

}  // namespace tenon::direct
