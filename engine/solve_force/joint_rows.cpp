// Second derivatives of the forms of engine/joints/rows.cpp, whose equation numbers are used.
//
// With d' the velocity of C's origin against P's, in world axes, every form has the rate
//   c' = f . (d' - wP x d) + t . (wC - wP)                                                  (8)
// and, as the accelerations of the bodies enter (8) linearly, the rest of c'' is
//   b = f' . (d' - wP x d) + f . (d'' - wP x d') + t' . (wC - wP)                           (9)
//   d'' = wC x (wC x rC) - wP x (wP x rP)
// with the gradient's own rate (f', t'), where axes turn as P' = wP x P, C' = wC x C:
//   slide      f' = P_i'                                                                   (10)
//   dot        t' = C_j' x P_i + C_j x P_i'                                                (11)
//   twist      t' = (P_x' + C_x' - t D') / D,             D = 1 + P_x . C_x                (12)
//   tilt       t' = (C_x' x k + C_x x k' - t D') / D,     D = sqrt(1 - s^2), D' = -s s' / D (13)
//   turn       t' = (k' - a' u - a u' - t D') / D,        D = 1 - a^2, D' = -2 a a'        (14)
//   distance   f' = (d' - f (f . d')) / |d|                                                (15)
#include "tenon/engine/solve_force/joint_rows.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/coordinates.h"

namespace tenon {
namespace {

// A pair of frames and how it moves.
struct MovingFrames {
  PairFrames x;
  Vec3 wP, wC;
  Vec3 d_rate;  // d'
  Vec3 d_bias;  // d''
  std::array<Vec3, 3> P_rate, C_rate;
};

MovingFrames make_moving_frames(const JointPair& pair, const RowBody& p, const RowBody& c) {
  MovingFrames m;
  m.x = make_frames(pair, p.x_WC, p.R, c.x_WC, c.R);
  m.wP = p.w;
  m.wC = c.w;
  const Vec3 turnP = cross(p.w, m.x.rP), turnC = cross(c.w, m.x.rC);
  m.d_rate = c.v + turnC - p.v - turnP;
  m.d_bias = cross(c.w, turnC) - cross(p.w, turnP);
  for (size_t k = 0; k < 3; ++k) {
    m.P_rate[k] = cross(p.w, m.x.P[k]);
    m.C_rate[k] = cross(c.w, m.x.C[k]);
  }
  return m;
}

constexpr double kLeastDenominator =
    1e-8;  // beyond rows.cpp's own, where the gradient has no sense

// An axis k, a direction u that turns about it, and t of (5), (6).
Vec3 turn_rate(const Vec3& axis, const Vec3& axis_rate, const Vec3& u, const Vec3& u_rate,
               const Vec3& t) {
  const double a = dot(axis, u), a_rate = dot(axis_rate, u) + dot(axis, u_rate);
  const double D = std::max(1 - a * a, kLeastDenominator), D_rate = -2 * a * a_rate;
  return (axis_rate - a_rate * u - a * u_rate - D_rate * t) / D;
}

Vec3 tilt_rate(const Vec3& axis, const Vec3& axis_rate, const Vec3& u, const Vec3& u_rate,
               const Vec3& t) {
  const double s = dot(axis, u), s_rate = dot(axis_rate, u) + dot(axis, u_rate);
  const double D = std::max(std::sqrt(std::max(0.0, 1 - s * s)), kLeastDenominator);
  const double D_rate = -s * s_rate / D;
  return (cross(u_rate, axis) + cross(u, axis_rate) - D_rate * t) / D;
}

// (10) - (15)
RowWrench eval_gradient_rate(RowForm form, int i, int j, const MovingFrames& m,
                             const RowWrench& w) {
  const auto I = static_cast<size_t>(i), J = static_cast<size_t>(j);
  const std::array<Vec3, 3>&P = m.x.P, &C = m.x.C, &Pr = m.P_rate, &Cr = m.C_rate;
  switch (form) {
    case RowForm::kSlide:
      return {Pr[I], {}};
    case RowForm::kDot:
      return {{}, cross(Cr[J], P[I]) + cross(C[J], Pr[I])};
    case RowForm::kTwist: {
      const double D = std::max(1 + dot(P[0], C[0]), kLeastDenominator);
      const double D_rate = dot(Pr[0], C[0]) + dot(P[0], Cr[0]);
      return {{}, (Pr[0] + Cr[0] - D_rate * w.t) / D};
    }
    case RowForm::kTilt:
      return {{},
              i == 1 ? tilt_rate(-P[2], -Pr[2], C[0], Cr[0], w.t)
                     : tilt_rate(P[1], Pr[1], C[0], Cr[0], w.t)};
    case RowForm::kTurnParent: {
      const size_t u = i == 0 ? 1 : 0;
      return {{}, turn_rate(P[I], Pr[I], C[u], Cr[u], w.t)};
    }
    case RowForm::kTurnChild:
      return {{}, turn_rate(C[1], Cr[1], P[0], Pr[0], w.t)};
    case RowForm::kDistance: {
      const double length = std::max(norm(m.x.d), 1e-12);
      return {(m.d_rate - dot(w.f, m.d_rate) * w.f) / length, {}};
    }
    case RowForm::kBlackBox:
      break;
  }
  return {};
}

// (8), (9) and the entries of a gradient w with the rate wr, times `factor`, added to a row.
void add_gradient(const RowWrench& w, const RowWrench& wr, double factor, const MovingFrames& m,
                  size_t entry, ForceRow& row) {
  const Vec3 slip = m.d_rate - cross(m.wP, m.x.d), turn = m.wC - m.wP;
  row.rate += factor * (dot(w.f, slip) + dot(w.t, turn));
  row.bias +=
      factor * (dot(wr.f, slip) + dot(w.f, m.d_bias - cross(m.wP, m.d_rate)) + dot(wr.t, turn));
  const Vec3 f = factor * w.f, t = factor * w.t;
  row.entry[entry] = {row.entry[entry].f - f, row.entry[entry].t - cross(m.x.rP + m.x.d, f) - t};
  row.entry[entry + 1] = {row.entry[entry + 1].f + f,
                          row.entry[entry + 1].t + cross(m.x.rC, f) + t};
}

// The same for one form of a pair; returns its value.
double add_form(RowForm form, int i, int j, double factor, const MovingFrames& m, size_t entry,
                ForceRow& row) {
  RowWrench w;
  const double c = eval_form(form, i, j, m.x, w);
  add_gradient(w, eval_gradient_rate(form, i, j, m, w), factor, m, entry, row);
  return c;
}

// c of a row with its angles on the turn that has been counted, `since` ago.
struct RowTerm {
  double value = 0, rate = 0;
};
double unwrap_row(const JointModel& model, size_t k, const RowSpec& spec, const RowTerm& one,
                  const RowTerm& two, const JointState& turns, double since) {
  double first = one.value, second = two.value;
  if (model.kind == JointKind::kGear) {
    if (is_unwrapped(spec.form)) {
      first = unwrap(first, turns.coordinate[kGearFirst] + since * one.rate);
    }
    if (is_unwrapped(spec.second_form)) {
      second = unwrap(second, turns.coordinate[kGearSecond] + since * two.rate);
    }
  } else if (spec.ratio != 0) {
    // a screw's position tells its turn
    if (is_unwrapped(spec.second_form)) {
      second = unwrap(second, (spec.value - spec.scale * first) / spec.ratio);
    }
  } else if (is_unwrapped(spec.form)) {
    // held ones are near zero, those with a law where they have been counted to
    const double near =
        spec.axis == kHeldRow ? 0 : turns.coordinate[k] + since * spec.scale * one.rate;
    return unwrap(spec.scale * first - spec.value, near);
  }
  return spec.scale * first + spec.ratio * second - spec.value;
}

// A black box has gradients, by its derivative or by differences, and no more: their rate is the
// difference between two frames a little before and a little after. It errs by about 1e-6 of
// itself; what that does to accelerations is along the gradients, where the projection takes it
// away.
size_t eval_black_box_force_rows(const BlackBox& box, const MovingFrames& m, double size,
                                 std::span<ForceRow> rows) {
  constexpr double kReach = 1e-4;  // rad, and of the size
  const auto in_P = [&](const Vec3& v) {
    return Vec3{dot(m.x.P[0], v), dot(m.x.P[1], v), dot(m.x.P[2], v)};
  };
  const auto in_world = [&](const Vec3& v) {
    return v.x * m.x.P[0] + v.y * m.x.P[1] + v.z * m.x.P[2];
  };
  const Pose X = calc_relative_pose(m.x);
  const BlackBoxFrame at = look_at(box, X, size);
  if (!at.finite) return 0;
  const BlackBoxBasis basis = find_basis_at(box, at, size);
  double c[kMaxRows] = {};
  RowWrench w[kMaxRows], before[kMaxRows], after[kMaxRows];
  if (!basis.finite || !calc_values(box, basis, at, size, c) ||
      !calc_gradients(box, basis, at, size, w)) {
    return 0;
  }
  // the relative motion, and how long it takes to go as far as kReach
  const Vec3 slip = in_P(m.d_rate - cross(m.wP, m.x.d)), turn = in_P(m.wC - m.wP);
  const double speed = norm(slip) / size + norm(turn);
  const double dt = speed > 0 ? kReach / speed : 0;
  const auto look = [&](double t, RowWrench* to) {
    const Pose moved{X.p + t * slip, normalized(exp_map(t * turn) * X.q)};
    return calc_gradients(box, basis, look_at(box, moved, size), size, to);
  };
  const bool moves = dt > 0 && look(-dt, before) && look(dt, after);
  for (size_t k = 0; k < static_cast<size_t>(basis.count); ++k) {
    const RowWrench world{in_world(w[k].f), in_world(w[k].t)};
    RowWrench rate{cross(m.wP, world.f), cross(m.wP, world.t)};
    if (moves) {
      rate.f += in_world(after[k].f - before[k].f) / (2 * dt);
      rate.t += in_world(after[k].t - before[k].t) / (2 * dt);
    }
    rows[k] = {};
    rows[k].c = c[k];
    add_gradient(world, rate, 1, m, 0, rows[k]);
  }
  return static_cast<size_t>(basis.count);
}

}  // namespace

size_t eval_force_rows(const JointModel& model, const RowBody* const (&bodies)[4],
                       const JointState& turns, double since, double size,
                       std::span<ForceRow> rows) {
  const MovingFrames m = make_moving_frames(model.pairs[0], *bodies[0], *bodies[1]);
  if (model.kind == JointKind::kBlackBox) {
    return model.black_box ? eval_black_box_force_rows(*model.black_box, m, size, rows) : 0;
  }
  MovingFrames m2;
  if (model.pair_count == 2) m2 = make_moving_frames(model.pairs[1], *bodies[2], *bodies[3]);
  for (size_t k = 0; k < model.row_count; ++k) {
    ForceRow& row = rows[k] = {};
    if (!model.scalar_row(static_cast<int>(k))) {
      // C's origin minus P's along a world axis
      Vec3 e;
      e[static_cast<int>(k)] = 1;
      row.c = m.x.d[static_cast<int>(k)];
      row.rate = m.d_rate[static_cast<int>(k)];
      row.bias = m.d_bias[static_cast<int>(k)];
      row.entry[0] = {-e, -cross(m.x.rP, e)};
      row.entry[1] = {e, cross(m.x.rC, e)};
      continue;
    }
    const RowSpec& spec = model.rows[k];
    row.count2 = count_per_turning2(spec, m.x);
    RowTerm first, second;
    first.value = add_form(spec.form, spec.i, spec.j, spec.scale, m, 0, row);
    first.rate = row.rate / spec.scale;
    if (spec.ratio != 0) {
      const bool other = model.pair_count == 2;
      const double before = row.rate;
      second.value = add_form(spec.second_form, spec.second_i, 0, spec.ratio, other ? m2 : m,
                              other ? 2 : 0, row);
      second.rate = (row.rate - before) / spec.ratio;
    }
    row.c = unwrap_row(model, k, spec, first, second, turns, since);
  }
  return model.row_count;
}

void store_black_box_force(const JointModel& model, const RowBody* const (&bodies)[4],
                           std::span<const ForceRow> rows, std::span<const double> force,
                           JointState& state) {
  const PairFrames x =
      make_frames(model.pairs[0], bodies[0]->x_WC, bodies[0]->R, bodies[1]->x_WC, bodies[1]->R);
  Vec3 f, t;
  for (size_t k = 0; k < rows.size(); ++k) {
    const RowEntry& child = rows[k].entry[1];
    f += force[k] * child.f;
    t += force[k] * (child.t - cross(x.rC, child.f));
  }
  for (size_t i = 0; i < 3; ++i) {
    state.force[i] = dot(x.P[i], f);
    state.force[i + 3] = dot(x.P[i], t);
  }
}

void store_turns(const JointModel& model, const RowBody* const (&bodies)[4],
                 std::span<const ForceRow> rows, double since, JointState& state) {
  if (model.kind == JointKind::kBlackBox) return;
  for (size_t k = 0; k < model.row_count; ++k) state.coordinate[k] = rows[k].c;
  RowWrench w;
  const PairFrames x =
      make_frames(model.pairs[0], bodies[0]->x_WC, bodies[0]->R, bodies[1]->x_WC, bodies[1]->R);
  if (model.kind == JointKind::kGear) {
    const RowSpec& spec = model.rows[0];
    const PairFrames x2 =
        make_frames(model.pairs[1], bodies[2]->x_WC, bodies[2]->R, bodies[3]->x_WC, bodies[3]->R);
    const double first = eval_form(spec.form, spec.i, spec.j, x, w);
    const double rate = dot(w.t, bodies[1]->w - bodies[0]->w);
    const double second = eval_form(spec.second_form, spec.second_i, 0, x2, w);
    const double rate2 = dot(w.t, bodies[3]->w - bodies[2]->w);
    double& c1 = state.coordinate[kGearFirst];
    double& c2 = state.coordinate[kGearSecond];
    c1 = is_unwrapped(spec.form) ? unwrap(first, c1 + since * rate) : first;
    c2 = is_unwrapped(spec.second_form) ? unwrap(second, c2 + since * rate2) : second;
    state.coordinate[kGearValue] = spec.value;
  }
  for (size_t i = 0; i < state.angle.size(); ++i) {
    const auto axis = static_cast<JointAxis>(i + 3);
    if (!counts_turns(model, axis)) continue;
    const RowSpec form = coordinate_form(model, axis);
    const double c = eval_form(form.form, form.i, form.j, x, w);
    const double rate = dot(w.t, bodies[1]->w - bodies[0]->w);
    state.angle[i] = unwrap(c, state.angle[i] + since * rate);
  }
}

}  // namespace tenon
