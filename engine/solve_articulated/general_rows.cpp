// Errors, gradients and geometric stiffness of rows at an iterate.
#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {
namespace {

// Frames at the iterate and their means with those at the begin; only the axes that rows need.
void move_frames(const PairFrames& from, const BodyWork& P, const BodyWork& C, uint8_t axes_P,
                 uint8_t axes_C, bool at_end, PairFrames& to, PairFrames& mean) {
  to.rP = P.S * from.rP;
  to.rC = C.S * from.rC;
  to.d = (C.x1 + to.rC) - (P.x1 + to.rP);
  mean.rP = 0.5 * (from.rP + to.rP);
  mean.rC = 0.5 * (from.rC + to.rC);
  mean.d = 0.5 * (from.d + to.d);
  for (size_t i = 0; i < 3; ++i) {
    if (axes_P >> i & 1) {
      to.P[i] = P.S * from.P[i];
      mean.P[i] = 0.5 * (from.P[i] + to.P[i]);
    }
    if (axes_C >> i & 1) {
      to.C[i] = C.S * from.C[i];
      mean.C[i] = 0.5 * (from.C[i] + to.C[i]);
    }
  }
  if (at_end) mean = to;
}

// A turn by phi has the Cayley vector 2 tan(phi/2), and the velocities of the step belong to that.
// Rows on angles prescribe rates in the same measure: phi / (2 tan(phi/2)) per unit of velocity.
// Taken with true rates, a gear or a driven wheel would lose energy to the projection at every step
// of a fast turn.
double angle_rate(double increment, double cayley_increment) {
  if (!(std::fabs(cayley_increment) > 1e-3)) return 1;
  return std::clamp(increment / cayley_increment, 0.3, 1.1);
}

// Makes the gradient of a step exact for forms that are not bilinear: f . delta + t . phi becomes
// the increment of c [Gonzalez1996, sec. 2], so that rows that hold do no work. Angles are scaled:
// adding a multiple of phi, as Gonzalez does, changes direction without end where a fast turning
// pair hardly turns against each other.
void scale_gradient(RowWrench& w, double increment, const Vec3& delta, const Vec3& phi) {
  // smoothly one where hardly anything turns, and exact to 1e-12 rad there
  constexpr double kSmall2 = 1e-8;  // rad^2
  const double predicted = dot(w.f, delta) + dot(w.t, phi);
  const double ratio = (increment * predicted + kSmall2) / (predicted * predicted + kSmall2);
  const double scale = std::clamp(ratio, 0.25, 4.0);
  w.f *= scale;
  w.t *= scale;
}

}  // namespace

// Rows with a given force have it from the start: nothing is left for Newton's method to find.
void GeneralRows::set_law_row(GeneralJoint& j, size_t k) const {
  j.row[k] = law_row(j.law[k], j.part[k]);
  if (j.row[k].a == 0) j.p[k] = h_ * j.row[k].g / j.row[k].b;
  j.idle[k] = may_idle_ && j.row[k].a == 0 && j.p[k] == 0 && j.law[k].only_limits();
}

// c of rows that do nothing, which evaluate() leaves out.
void GeneralRows::look_at_idle() {
  if (idle_known_) return;
  idle_known_ = true;
  for (GeneralJoint& j : joints_) {
    bool complete = false;
    for (size_t k = 0; k < j.rows; ++k) {
      if (!j.idle[k]) continue;
      if (!complete) complete_frames(j);
      complete = true;
      eval_idle(j, k);
    }
  }
}

void GeneralRows::eval_idle(GeneralJoint& j, size_t k) const {
  const RowSpec& spec = j.model->rows[k];
  const auto value = [&](RowForm form, int i, int jj, const PairFrames& x, double before) {
    RowWrench w;
    const double c = eval_form(form, i, jj, x, w);
    return is_unwrapped(form) ? unwrap(c, before) : c;
  };
  j.first1[k] = value(spec.form, spec.i, spec.j, j.f1[0], j.first0[k]);
  j.c1[k] = spec.scale * j.first1[k] - spec.value;
  if (spec.ratio == 0) return;
  const PairFrames& x = j.f1[j.entries == 4 ? 1 : 0];
  j.second1[k] = value(spec.second_form, spec.second_i, 0, x, j.second0[k]);
  j.c1[k] += spec.ratio * j.second1[k];
}

// Whether a limit that was not met at the begin cannot be at the iterate either: what the bodies
// have turned, by the slope of the angle at the begin, twice over, leaves it far away. Good enough
// on the way; where Newton's method ends all limits are looked at.
bool GeneralRows::stays_idle(const GeneralJoint& j, size_t k, double turn) const {
  return j.slope[k] * turn < std::min(0.25, 0.25 * j.room[k]);
}

// Looks at idle limits that may have been met.
void GeneralRows::look_at_near_idle() {
  for (GeneralJoint& j : joints_) {
    const auto first = std::find(j.idle.begin(), j.idle.begin() + j.rows, true);
    if (first == j.idle.begin() + j.rows) continue;
    const double turn = norm(bodies_[j.body[0]].th) + norm(bodies_[j.body[1]].th);
    bool complete = false;
    for (size_t k = static_cast<size_t>(first - j.idle.begin()); k < j.rows; ++k) {
      j.far[k] = j.idle[k] && stays_idle(j, k, turn);
      if (!j.idle[k] || j.far[k]) continue;
      if (!complete) complete_frames(j);
      complete = true;
      eval_idle(j, k);
    }
  }
}

// A product of two axes: no forces, and its mean gradient is exact.
void GeneralRows::eval_dot_row(GeneralJoint& j, size_t k) {
  const RowSpec& spec = j.model->rows[k];
  const PairFrames &x1 = j.f1[0], &xm = j.fm[0];
  const Vec3 G = spec.scale * cross(x1.C[spec.j], x1.P[spec.i]);
  const Vec3 F = spec.scale * cross(xm.C[spec.j], xm.P[spec.i]);
  EntryRows &P = entry(j, 0), &C = entry(j, 1);
  set_row(&P.G[6 * k], {}, -G);
  set_row(&C.G[6 * k], {}, G);
  set_row(&P.F[6 * k], {}, -F);
  set_row(&C.F[6 * k], {}, F);
  j.first1[k] = dot(x1.P[spec.i], x1.C[spec.j]);
  j.c1[k] = spec.scale * j.first1[k] - spec.value;
}

void GeneralRows::eval_scalar_row(GeneralJoint& j, size_t k, std::span<const BodyWork> bodies) {
  const RowSpec& spec = j.model->rows[k];
  const bool alone = spec.ratio == 0 && j.entries == 2;  // one form, all bodies in it
  if (alone && spec.form == RowForm::kDot) {
    eval_dot_row(j, k);
    return;
  }
  const auto add_form = [&](RowForm form, int i, int jj, size_t pair, double factor, double before,
                            double& after, double& rate) {
    RowWrench w1, wm;
    double c = eval_form(form, i, jj, j.f1[pair], w1);
    if (is_unwrapped(form)) c = unwrap(c, before);
    after = c;
    rate = 1;
    eval_gradient(form, i, jj, j.fm[pair], wm);
    if (!is_bilinear(form) && !at_end_) {
      const BodyWork &P = bodies[j.body[2 * pair]], &C = bodies[j.body[2 * pair + 1]];
      const PairFrames& x = j.fm[pair];
      if (is_unwrapped(form)) rate = angle_rate(c - before, dot(w1.t, C.th - P.th));
      if (form == RowForm::kDistance) {
        // |d1| - |d0| = (d1 - d0) . (d1 + d0) / (|d1| + |d0|)
        const double sum = norm(j.f0[pair].d) + norm(j.f1[pair].d);
        wm.f = sum > 0 ? (2 / sum) * x.d : Vec3{};
      } else {
        scale_gradient(wm, c - before, C.dx + cross(C.th, x.rC) - P.dx - cross(P.th, x.rP + x.d),
                       C.th - P.th);
      }
    }
    EntryRows &P = entry(j, 2 * pair), &C = entry(j, 2 * pair + 1);
    const auto put = alone ? set_wrench : add_wrench;
    put(&P.G[6 * k], &C.G[6 * k], j.f1[pair], {factor * w1.f, factor * w1.t});
    put(&P.F[6 * k], &C.F[6 * k], j.fm[pair], {factor * wm.f, factor * wm.t});
    return factor * c;
  };
  for (size_t e = 0; e < j.entries && !alone; ++e) {
    std::fill_n(&entry(j, e).G[6 * k], 6, 0.0);
    std::fill_n(&entry(j, e).F[6 * k], 6, 0.0);
  }
  double c = add_form(spec.form, spec.i, spec.j, 0, spec.scale, j.first0[k], j.first1[k],
                      j.first_rate[k]) -
             spec.value;
  if (spec.ratio != 0) {
    c += add_form(spec.second_form, spec.second_i, 0, j.entries == 4 ? 1 : 0, spec.ratio,
                  j.second0[k], j.second1[k], j.second_rate[k]);
  }
  j.c1[k] = c;
}

void GeneralRows::find_gradients(GeneralJoint& j, std::span<const BodyWork> bodies) {
  size_t k = 0;
  if (j.model->has_point) {
    const PairFrames &x1 = j.f1[0], &xm = j.fm[0];
    // levers to the middle of the gap, the one that there will be: see settle()
    Vec3 end;
    for (int i = 0; i < 3; ++i) end[i] = -std::max(j.eps[size_t(i)], 0.0) * j.p[size_t(i)];
    const Vec3 half_gap = at_end_ ? 0.5 * end : 0.25 * (j.f0[0].d + end);
    j.lever = {xm.rP + half_gap, xm.rC - half_gap};
    for (; k < 3; ++k) j.c1[k] = x1.d[static_cast<int>(k)];
  }
  if (j.model->kind == JointKind::kBlackBox) {
    for (size_t e = 0; e < j.entries; ++e) {
      std::fill_n(entry(j, e).G.begin(), 6u * j.rows, 0.0);
      std::fill_n(entry(j, e).F.begin(), 6u * j.rows, 0.0);
    }
    eval_black_box_rows(j, bodies);
    k = j.rows;
  }
  // rows that do nothing keep what they have: nobody looks at it
  for (; k < j.rows; ++k) {
    j.first_rate[k] = j.second_rate[k] = 1;
    if (!j.idle[k]) eval_scalar_row(j, k, bodies);
  }
  // rows whose force is given take no part in the geometry
  for (k = 0; k < j.rows; ++k) {
    if (j.row[k].a != 0 || j.idle[k]) continue;
    for (size_t e = 0; e < j.entries; ++e) std::fill_n(&entry(j, e).G[6 * k], 6, 0.0);
  }
}

double GeneralRows::error2_of(const GeneralJoint& j) const {
  double linear = 0, angular = 0;
  for (size_t k = 0; k < j.rows; ++k) {
    if (j.row[k].a == 0) continue;
    double e = j.c1[k] - j.row[k].g;
    if (j.row[k].b != 0) e += j.row[k].b * j.p[k] / h_;
    if (j.eps[k] >= 0) e += j.eps[k] * j.p[k];
    (j.angular[k] ? angular : linear) += e * e;
  }
  return std::max(linear / (j.size * j.size), angular);
}

void GeneralRows::add_momentum(const GeneralJoint& j, std::span<BodyWork> bodies) const {
  const size_t first = j.model->has_point ? 3 : 0;
  for (size_t e = 0; e < j.entries; ++e) {
    BodyWork& w = bodies[j.body[e]];
    if (!w.moves) continue;
    const EntryRows& rows = entry(j, e);
    Vec3 l = -w.gl, a = -w.ga;
    if (first != 0) add_point_wrench(side_of(e), j.lever[e], j.p.data(), l, a);
    for (size_t k = first; k < j.rows; ++k) {
      if (j.idle[k]) continue;
      l += j.p[k] * linear_of(&rows.F[6 * k]);
      a += j.p[k] * angular_of(&rows.F[6 * k]);
    }
    w.gl = -l;
    if (w.turns) w.ga = -a;
  }
}

namespace {

// Couples of angle rows, by differences: limits that stop slender bodies within a step need it.
void add_curved_stiffness(const RowSpec& spec, double part, double p, const PairFrames& x1,
                          const PairFrames& xm, BodyWork& P, BodyWork& C) {
  constexpr double kTurn = 1e-6;  // rad
  const auto couple = [&](const PairFrames& x) {
    RowWrench w;
    eval_gradient(spec.form, spec.i, spec.j, x, w);
    return spec.scale * w.t;
  };
  const Vec3 t = couple(xm);
  for (int a = 0; a < 3; ++a) {
    Vec3 turn;
    turn[a] = part * kTurn;
    PairFrames of_C = xm, of_P = xm;
    for (size_t i = 0; i < 3; ++i) {
      of_C.C[i] += cross(turn, x1.C[i]);
      of_P.P[i] += cross(turn, x1.P[i]);
    }
    const Vec3 change_C = (p / kTurn) * (couple(of_C) - t);
    const Vec3 change_P = (p / kTurn) * (couple(of_P) - t);
    for (int i = 0; i < 3; ++i) {
      C.N(i, a) -= change_C[i];
      P.N(i, a) += change_P[i];
    }
  }
}

}  // namespace

// How the impulses' torques change with the end rotation of their own body. Terms between bodies
// are left out: Newton's method then needs an iteration more at times.
void GeneralRows::add_joint_stiffness(const GeneralJoint& j, std::span<BodyWork> bodies) const {
  BodyWork &P = bodies[j.body[0]], &C = bodies[j.body[1]];
  const PairFrames &x1 = j.f1[0], &xm = j.fm[0];
  const double part = at_end_ ? 1 : 0.5;  // of levers that turn with their body
  Vec3 force;
  for (size_t k = 0; k < j.rows; ++k) {
    if (!j.model->scalar_row(static_cast<int>(k))) {
      force[static_cast<int>(k)] += j.p[k];
      continue;
    }
    if (j.p[k] == 0) continue;
    const RowSpec& spec = j.model->rows[k];
    if (spec.form == RowForm::kBlackBox) {
      force += j.p[k] * linear_of(&entry(j, 1).F[6 * k]);
    } else if (spec.form == RowForm::kSlide) {
      force += (spec.scale * j.p[k]) * xm.P[spec.i];
    } else if (spec.form == RowForm::kDot) {
      const double p = -part * spec.scale * j.p[k];
      add_skew_product(C.N, p, xm.P[spec.i], x1.C[spec.j]);
      add_skew_product(P.N, p, xm.C[spec.j], x1.P[spec.i]);
    } else if (spec.form == RowForm::kDistance) {
      force += j.p[k] * normalized(xm.d, {});
    } else {
      add_curved_stiffness(spec, part, j.p[k], x1, xm, P, C);
    }
  }
  add_skew_product(P.N, part, force, x1.rP);
  add_skew_product(C.N, -part, force, x1.rC);
}

void GeneralRows::add_stiffness(std::span<BodyWork> bodies) const {
  for (const GeneralJoint& j : joints_) add_joint_stiffness(j, bodies);
}

double GeneralRows::evaluate(std::span<BodyWork> bodies) {
  double worst = 0;
  idle_known_ = false;
  for (GeneralJoint& j : joints_) {
    for (size_t q = 0; 2 * q < j.entries; ++q) {
      move_frames(j.f0[q], bodies[j.body[2 * q]], bodies[j.body[2 * q + 1]], j.axes_P[q],
                  j.axes_C[q], at_end_, j.f1[q], j.fm[q]);
    }
    find_gradients(j, bodies);
    const double error2 = error2_of(j);
    worst = error2 < kInfinity ? std::max(worst, error2) : kInfinity;
    add_momentum(j, bodies);
  }
  fresh_ = false;
  return std::sqrt(worst);
}

void GeneralRows::settle(std::span<BodyWork> bodies) {
  for (GeneralJoint& j : joints_) {
    if (!j.model->has_point) continue;
    const PairFrames& xm = j.fm[0];
    const Vec3 half_gap = 0.5 * xm.d, p{j.p[0], j.p[1], j.p[2]};
    const std::array<Vec3, 2> lever{xm.rP + half_gap, xm.rC - half_gap};
    for (size_t e = 0; e < 2; ++e) {
      BodyWork& w = bodies[j.body[e]];
      if (w.turns) w.ga -= side_of(e) * cross(lever[e] - j.lever[e], p);
    }
    j.lever = lever;
  }
}

void GeneralRows::rest(std::span<BodyWork> bodies) {
  // black boxes find their rows at an iterate
  if (!boxes_.empty()) {
    evaluate(bodies);
    return;
  }
  for (GeneralJoint& j : joints_) {
    for (size_t q = 0; 2 * q < j.entries; ++q) j.f1[q] = j.f0[q];
    j.c1 = j.c0;
    j.first1 = j.first0;
    j.second1 = j.second0;
    j.first_rate.fill(1);
    j.second_rate.fill(1);
  }
  idle_known_ = true;
  fresh_ = false;
}

double GeneralRows::gap_of(bool held_only) const {
  double worst = 0;
  for (const GeneralJoint& j : joints_) {
    for (size_t k = 0; k < j.rows; ++k) {
      if (j.row[k].a == 0 || (held_only && j.model->rows[k].axis != kHeldRow)) continue;
      const double e = j.c1[k] - j.row[k].g + j.row[k].b * j.p[k] / h_;
      worst = std::max(worst, std::fabs(e) / (j.angular[k] ? 1 : j.size));
    }
  }
  return worst;
}

double GeneralRows::load_J() const {
  double sum = 0;
  for (const GeneralJoint& j : joints_) {
    for (size_t k = 0; k < j.rows; ++k) sum += std::fabs(j.p[k]) * (j.angular[k] ? 1 : j.size);
  }
  return sum / h_;
}

int GeneralRows::update_laws(bool early) {
  int changes = 0;
  early ? look_at_near_idle() : look_at_idle();
  for (GeneralJoint& j : joints_) {
    if (j.model->kind == JointKind::kBlackBox) {
      if (!early) changes += update_edges(j);
      continue;
    }
    for (size_t k = 0; k < j.rows; ++k) {
      if (!j.model->scalar_row(static_cast<int>(k)) || j.model->rows[k].axis == kHeldRow) continue;
      if (early && j.idle[k] && j.far[k]) continue;
      const double slack = 1e-9 * (j.angular[k] ? 1 : j.size);
      const double lambda = j.p[k] / h_;
      const int part =
          j.law[k].next(j.part[k], j.c1[k], lambda, slack, 1e-9 * (1 + std::fabs(lambda)));
      // A part that comes and goes is held: that can only take energy. Not friction near the fold,
      // where it would hold with any force; it slides.
      const bool slides =
          is_steep(j, k) && j.law[k].limit_side(j.part[k]) == 0 && j.law[k].limit_side(part) == 0;
      if (part == j.part[k] || (j.flips[k] >= 3 && j.law[k].holds(j.part[k]) != slides)) continue;
      if (!early) ++j.flips[k];
      j.part[k] = static_cast<uint8_t>(part);
      set_law_row(j, k);
      find_axes(j);
      ++changes;
    }
  }
  return changes;
}

}  // namespace tenon::direct
