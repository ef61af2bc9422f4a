// Begin and end of a step: laws along freedoms, tension, what joints carry on.
#include <cstdlib>

#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {
namespace {

constexpr uint8_t kAllAxes = 7;

bool turns(const RowSpec& row) {
  return is_unwrapped(row.form) || (row.ratio != 0 && is_unwrapped(row.second_form));
}

// How C moves against P at C's origin.
struct PairRate {
  Vec3 v, w;
  double along(const RowWrench& row) const { return dot(row.f, v) + dot(row.t, w); }
};
PairRate begin_rate(const PairFrames& x, const BodyWork& P, const BodyWork& C) {
  return {C.v0 + cross(C.w0, x.rC) - P.v0 - cross(P.w0, x.rP + x.d), C.w0 - P.w0};
}
// As expected at the end of the step, with the frames of its begin.
PairRate end_rate(const PairFrames& x, const BodyWork& P, const BodyWork& C) {
  return {C.v1 + cross(C.w1, x.rC) - P.v1 - cross(P.w1, x.rP + x.d), C.w1 - P.w1};
}

// Whether a limit is about to be hit in this step, or has thrown the coordinate back in the last.
bool meets_limit(const JointAxisDef& axis, double c0, double rate, double h, double slack) {
  return (axis.max < kInfinity && c0 + h * rate > axis.max + slack) ||
         (axis.min > -kInfinity && c0 + h * rate < axis.min - slack) ||
         (std::fabs(c0 - axis.max) < slack && h * rate < -slack) ||
         (std::fabs(c0 - axis.min) < slack && h * rate > slack);
}

// The part to begin with. Limits are held that the expected rates at the end of the step reach
// within another step: so those that contacts have found, as gap / h bounds these rates there
// (add_bounded). Motors and friction go on as in the last step.
uint8_t first_part(const AxisLaw& law, int last, double c0, double travel, double end_travel) {
  constexpr double kNear = 1e-4;  // m, rad
  for (const double c1 : {c0 + end_travel, c0 + 0.5 * (travel + end_travel)}) {
    const int low = law.find(c1 - kNear), high = law.find(c1 + kNear);
    if (law.limit_side(low) < 0) return static_cast<uint8_t>(low);
    if (law.limit_side(high) > 0) return static_cast<uint8_t>(high);
  }
  const int found = law.find(c0 + travel);
  const bool held = last < law.part_count() && law.holds(last) && law.limit_side(last) == 0;
  return static_cast<uint8_t>(held && std::abs(found - last) <= 1 ? last : found);
}

// Axes that rows hold parallel: an axis of C that is at right angles to two of P's, and all of them
// where another row keeps the rest from turning about it.
uint8_t find_parallel_axes(const JointModel& model) {
  std::array<int, 3> held{};
  int rows = 0;
  for (size_t k = model.has_point ? 3 : 0; k < model.row_count; ++k) {
    const RowSpec& row = model.rows[k];
    const bool across = row.form == RowForm::kDot && row.i != row.j;
    if (!across || row.axis != kHeldRow || row.value != 0 || row.ratio != 0) continue;
    ++held[row.j];
    ++rows;
  }
  uint8_t parallel = 0;
  for (size_t i = 0; i < 3; ++i) {
    if (held[i] == 2) parallel |= static_cast<uint8_t>(1 << i);
  }
  return parallel != 0 && rows == 3 ? kAllAxes : parallel;
}

}  // namespace

// Which axes the rows of a joint look at, those left out that do nothing.
void GeneralRows::find_axes(GeneralJoint& j) {
  const JointModel& model = *j.model;
  std::array<uint8_t, 2>&P = j.axes_P, &C = j.axes_C;
  P = C = {};
  j.parallel = find_parallel_axes(model);
  if (model.kind == JointKind::kBlackBox) P[0] = C[0] = kAllAxes;
  const auto add = [&](RowForm form, int i, int jj, size_t pair) {
    if (form == RowForm::kSlide) {
      P[pair] |= static_cast<uint8_t>(1 << i);
    } else if (form == RowForm::kDot) {
      P[pair] |= static_cast<uint8_t>(1 << i);
      C[pair] |= static_cast<uint8_t>(1 << jj);
    } else if (form != RowForm::kDistance) {
      P[pair] = C[pair] = kAllAxes;
    }
  };
  for (size_t k = model.has_point ? 3 : 0; k < model.row_count; ++k) {
    if (j.idle[k]) continue;
    const RowSpec& row = model.rows[k];
    add(row.form, row.i, row.j, 0);
    if (row.ratio != 0) add(row.second_form, row.second_i, 0, model.pair_count == 2 ? 1 : 0);
  }
}

bool GeneralRows::is_turned_over() const {
  return std::any_of(joints_.begin(), joints_.end(), [&](const GeneralJoint& j) {
    const Mat3 &SP = bodies_[j.body[0]].S, &SC = bodies_[j.body[1]].S;
    for (size_t i = 0; i < 3; ++i) {
      if ((j.parallel >> i & 1) == 0) continue;
      const Vec3 &p = j.f0[0].P[i], &c = j.f0[0].C[i];
      if (dot(p, c) > 0 && dot(SP * p, SC * c) < 0) return true;
    }
    return false;
  });
}

// The axes at the end of the step that evaluate() has left out.
void GeneralRows::complete_frames(GeneralJoint& j) const {
  for (size_t q = 0; 2 * q < j.entries; ++q) {
    const Mat3 &SP = bodies_[j.body[2 * q]].S, &SC = bodies_[j.body[2 * q + 1]].S;
    for (size_t i = 0; i < 3; ++i) {
      if ((j.axes_P[q] >> i & 1) == 0) j.f1[q].P[i] = SP * j.f0[q].P[i];
      if ((j.axes_C[q] >> i & 1) == 0) j.f1[q].C[i] = SC * j.f0[q].C[i];
    }
  }
}

// Rate along a row per impulse of it, of its two bodies by themselves.
double GeneralRows::free_answer(const GeneralJoint& j, const RowWrench& w) const {
  double answer = 0;
  for (size_t e = 0; e < 2; ++e) {
    const BodyWork& b = bodies_[j.body[e]];
    if (!b.moves) continue;
    const Vec3 lever = e == 0 ? j.f0[0].rP + j.f0[0].d : j.f0[0].rC;
    const Vec3 t = cross(lever, w.f) + w.t;
    answer += norm2(w.f) / b.mass + (b.turns ? dot(t, b.inv_I0 * t) : 0);
  }
  return answer;
}

// sigma of (6a), with the inverse mass that the two bodies have along the row by themselves.
// Exactly zero where a swing takes 25 steps or more: what is resolved keeps its energy.
double GeneralRows::calc_stiffening(const GeneralJoint& j, const JointAxisDef& law,
                                    const RowWrench& w) const {
  if (!may_stiffen_ || !(law.stiffness > 0 || law.damping > 0) || j.entries != 2) return 0;
  constexpr double kResolved = 1.0 / 65536;  // s = 1/4
  const double s2 = 0.5 * h_ * (0.5 * h_ * law.stiffness + law.damping) * free_answer(j, w);
  const double s4 = s2 * s2, s8 = s4 * s4;
  if (!(s8 > kResolved)) return 0;
  return s8 < 1e300 ? (s8 - kResolved) / (1 + s8) : 1;
}

void GeneralRows::begin_laws(GeneralJoint& j, const JointState& state,
                             std::span<const BodyWork> bodies, const double* agreed) {
  const JointModel& model = *j.model;
  std::array<PairRate, 2> at_begin, at_end;
  for (size_t q = 0; 2 * q < j.entries; ++q) {
    const BodyWork &P = bodies[j.body[2 * q]], &C = bodies[j.body[2 * q + 1]];
    at_begin[q] = begin_rate(j.f0[q], P, C);
    at_end[q] = end_rate(j.f0[q], P, C);
  }
  for (size_t k = 0; k < j.rows; ++k) {
    j.row[k] = {1, 0, 0};
    j.idle[k] = false;
    if (!model.scalar_row(static_cast<int>(k))) {
      j.c0[k] = j.f0[0].d[static_cast<int>(k)];
      j.rate0[k] = at_begin[0].v[static_cast<int>(k)];
      j.angular[k] = false;
      continue;
    }
    const RowSpec& spec = model.rows[k];
    if (spec.form == RowForm::kBlackBox) continue;
    j.angular[k] = spec.form != RowForm::kSlide && spec.form != RowForm::kDistance;
    RowWrench w;
    double first = eval_form(spec.form, spec.i, spec.j, j.f0[0], w), second = 0;
    double rate = spec.scale * at_begin[0].along(w), later = spec.scale * at_end[0].along(w);
    const bool coupled = spec.ratio != 0;
    j.stiffening[k] = j.damping[k] = j.friction[k] = 0;
    JointAxisDef eased;
    const JointAxisDef* law = nullptr;
    if (spec.axis != kHeldRow) {
      law = &model.axes[spec.axis];
      if (law->damping > 0 || law->friction > 0) {
        double count2 = count_per_turning2(spec, j.f0[0]);
        // by gradients of the end a strength of the begin could give energy: last resorts leave it
        if (at_end_ && count2 > kSteep * kSteep) count2 = kInfinity;
        eased = resist_turning(*law, count2);
        law = &eased;
      }
      j.damping[k] = law->damping;
      j.friction[k] = law->friction;
      const RowWrench scaled{spec.scale * w.f, spec.scale * w.t};
      if (!coupled) j.stiffening[k] = calc_stiffening(j, *law, scaled);
    }
    if (coupled) {
      const size_t pair = j.entries == 4 ? 1 : 0;
      second = eval_form(spec.second_form, spec.second_i, 0, j.f0[pair], w);
      rate += spec.ratio * at_begin[pair].along(w);
      later += spec.ratio * at_end[pair].along(w);
    }
    // the turns that have been counted: of a coupled row those of its first form or, if that has
    // none, of its second
    if (model.kind == JointKind::kGear) {
      if (is_unwrapped(spec.form)) first = unwrap(first, state.coordinate[kGearFirst]);
      if (is_unwrapped(spec.second_form)) second = unwrap(second, state.coordinate[kGearSecond]);
    } else if (is_unwrapped(spec.form)) {
      first = unwrap(first, (state.coordinate[k] + spec.value - spec.ratio * second) / spec.scale);
    } else if (coupled && is_unwrapped(spec.second_form)) {
      second = unwrap(second, (state.coordinate[k] + spec.value - spec.scale * first) / spec.ratio);
    }
    j.first0[k] = first;
    j.second0[k] = second;
    j.c0[k] = spec.scale * first + spec.ratio * second - spec.value;
    j.rate0[k] = rate;
    if (spec.axis == kHeldRow) continue;
    const JointAxisDef& axis = model.axes[spec.axis];
    const bool simple = j.angular[k] && !coupled && j.entries == 2;
    j.slope[k] = simple ? std::fabs(spec.scale) * std::max(norm(w.t), 1.0) : kInfinity;
    j.room[k] = std::min(j.c0[k] - axis.min, axis.max - j.c0[k]);
    const double slack = kSlowTravel * (j.angular[k] ? 1 : j.size);
    impact_ = impact_ || meets_limit(axis, j.c0[k], rate, h_, slack);
    j.law[k] = AxisLaw(*law, j.c0[k], rate, h_, j.stiffening[k],
                       agreed != nullptr ? agreed[k] : AxisLaw::kNotAgreed);
    j.part[k] = first_part(j.law[k], state.segment[k], j.c0[k], h_ * rate, h_ * later);
    if (!coupled && j.entries == 2)
      begin_at_strong_jump(j, k, {spec.scale * w.f, spec.scale * w.t});
    j.flips[k] = 0;
    set_law_row(j, k);
  }
}

// A motor or friction of a force that would carry its bodies by more than a radian or their size
// holds them: Newton's method could not follow where that force leads, and asks for it all the same
// where the hold is not enough.
void GeneralRows::begin_at_strong_jump(GeneralJoint& j, size_t k, const RowWrench& w) {
  const AxisLaw& law = j.law[k];
  const int hold = law.driven_to(j.part[k], j.c0[k]);
  if (hold == j.part[k]) return;
  const double force = std::fabs(law.segment_force(j.part[k], j.c0[k]));
  const double travel = 0.5 * h_ * h_ * force * free_answer(j, w);
  if (travel > (j.angular[k] ? 1 : j.size)) j.part[k] = static_cast<uint8_t>(hold);
}

void GeneralRows::begin(std::span<const BodyWork> bodies, std::span<const StepJoint> joints,
                        double h, Levers levers) {
  h_ = h;
  at_end_ = levers == Levers::kEnd;
  step_joints_ = joints;
  bodies_ = bodies;
  fresh_ = true;
  uint32_t boxes = 0;
  impact_ = false;
  for (size_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    const JointState& state = *joints[i].state;
    j.model = joints[i].model;
    j.size = joints[i].size;
    for (size_t q = 0; 2 * q < j.entries; ++q) {
      const BodyWork &P = bodies[j.body[2 * q]], &C = bodies[j.body[2 * q + 1]];
      j.f0[q] = make_frames(j.model->pairs[q], P.x0, P.R0, C.x0, C.R0);
    }
    for (size_t k = 0; k < j.rows; ++k) {
      j.eps[k] = -1;
      j.p[k] = h * state.lambda[k];
    }
    begin_laws(j, state, bodies, joints[i].agreed);
    find_axes(j);
    if (j.model->kind != JointKind::kBlackBox) continue;
    j.box = boxes++;
    if (boxes_.size() < boxes) boxes_.emplace_back();
    look_at_begin(j, state);
  }
}

double GeneralRows::begin_error() const {
  double worst = 0;
  for (const GeneralJoint& j : joints_) {
    if (j.model->kind == JointKind::kBlackBox) {
      worst = std::max(worst, begin_error_of(boxes_[j.box]));
      continue;
    }
    for (size_t k = 0; k < j.rows; ++k) {
      const bool held =
          !j.model->scalar_row(static_cast<int>(k)) || j.model->rows[k].axis == kHeldRow;
      if (held) worst = std::max(worst, std::fabs(j.c0[k]) / (j.angular[k] ? 1 : j.size));
    }
  }
  return worst;
}

double GeneralRows::begin_rate_error(std::span<const BodyWork>) const {
  double worst = 0;
  for (const GeneralJoint& j : joints_) {
    if (j.model->kind == JointKind::kBlackBox) continue;
    for (size_t k = 0; k < j.rows; ++k) {
      const bool held =
          !j.model->scalar_row(static_cast<int>(k)) || j.model->rows[k].axis == kHeldRow;
      // angles turn by other rates than bodies do over a step: see angle_rate in general_rows.cpp
      if (!held || (j.model->scalar_row(static_cast<int>(k)) && turns(j.model->rows[k]))) continue;
      worst = std::max(worst, std::fabs(j.rate0[k]) / (j.angular[k] ? 1 : j.size));
    }
  }
  return h_ * worst;
}

void GeneralRows::add_tension(std::span<const BodyWork> bodies, std::span<double> stiffness) const {
  // the impulses of an impact are no tension that lasts, and its jump of velocities not to be
  // damped
  if (impact_) return;
  for (const GeneralJoint& j : joints_) {
    Vec3 force;
    if (j.model->kind == JointKind::kBlackBox) {
      const std::array<double, 6>& w = boxes_[j.box].wrench;
      force = (1 / h_) * to_world(j.f0[0], {w[0], w[1], w[2]});
    }
    for (size_t k = 0; k < j.rows; ++k) {
      const double lambda = j.p[k] / h_;
      if (!j.model->scalar_row(static_cast<int>(k))) {
        force[static_cast<int>(k)] += lambda;
      } else if (j.model->rows[k].form == RowForm::kSlide) {
        force += lambda * j.f0[0].P[j.model->rows[k].i];
      } else if (j.model->rows[k].form == RowForm::kDistance) {
        force += lambda * normalized(j.f0[0].d, {});
      }
    }
    const BodyWork &P = bodies[j.body[0]], &C = bodies[j.body[1]];
    const Vec3 rP = j.f0[0].rP + j.f0[0].d, &rC = j.f0[0].rC;
    if (P.turns)
      stiffness[j.body[0]] -= dot(force, rP) * trace(P.inv_I0) - dot(force, P.inv_I0 * rP);
    if (C.turns)
      stiffness[j.body[1]] += dot(force, rC) * trace(C.inv_I0) - dot(force, C.inv_I0 * rC);
  }
}

// Of a row's impulse in the smooth step, on all its bodies.
double GeneralRows::work_of(const GeneralJoint& j, size_t k,
                            std::span<const BodyWork> bodies) const {
  double travel = 0;
  for (size_t e = 0; e < j.entries; ++e) {
    const BodyWork& w = bodies[j.body[e]];
    const double* F = &entry(j, e).F[6 * k];
    travel += dot(linear_of(F), w.dx) + dot(angular_of(F), w.th);
  }
  return j.p[k] / h_ * travel;
}

void GeneralRows::finish(std::span<const BodyWork> bodies, Account& account) {
  look_at_idle();
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    JointState& state = *step_joints_[i].state;
    if (j.model->kind == JointKind::kBlackBox) {
      state.lambda = wrench_of(j, j.p);
      for (double& lambda : state.lambda) lambda /= h_;
    }
    for (size_t k = 0; k < j.rows; ++k) {
      store_coordinate(j, k, state);
      if (j.model->kind == JointKind::kBlackBox) {
        if (boxes_[j.box].basis.one_sided[k]) account.work_J += work_of(j, k, bodies);
        continue;
      }
      state.lambda[k] = j.p[k] / h_;
      const bool law =
          j.model->scalar_row(static_cast<int>(k)) && j.model->rows[k].axis != kHeldRow;
      if (law || std::fabs(j.c0[k]) > kMadeOpen * (j.angular[k] ? 1 : j.size)) {
        account.work_J += state.lambda[k] * (j.c1[k] - j.c0[k]);
      }
    }
    for (size_t e = 0; e < j.entries; ++e) {
      const BodyWork& w = bodies[j.body[e]];
      if (w.moves) continue;
      if (j.model->has_point) set_point_rows(entry(j, e).F.data(), side_of(e), j.lever[e]);
      for (size_t k = 0; k < j.rows; ++k) {
        const Vec3 f = j.p[k] * linear_of(&entry(j, e).F[6 * k]);
        const Vec3 t = j.p[k] * angular_of(&entry(j, e).F[6 * k]);
        account.impulse -= f;
        account.angular_impulse -= cross(w.x0 + 0.5 * w.dx, f) + t;
        account.work_J -= (dot(f, w.dx) + dot(t, w.th)) / h_;
      }
    }
  }
}

void GeneralRows::add_impulses(bool smooth) {
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    JointState& state = *step_joints_[i].state;
    const bool black_box = j.model->kind == JointKind::kBlackBox;
    std::array<double, 6> impulse{};
    for (size_t k = 0; k < j.rows; ++k) {
      // rows on angles act along first_rate times their gradient in the velocity stage
      const bool scaled = !black_box && j.model->scalar_row(static_cast<int>(k));
      impulse[k] = (smooth ? j.p[k] : 0) + (scaled ? j.first_rate[k] * j.mu[k] : j.mu[k]);
    }
    if (black_box) impulse = wrench_of(j, impulse);
    for (size_t k = 0; k < 6; ++k) state.force[k] += impulse[k];
  }
}

std::unique_ptr<Rows> make_general_rows(const Mechanism& mechanism) {
  return std::make_unique<GeneralRows>(mechanism);
}

}  // namespace tenon::direct
