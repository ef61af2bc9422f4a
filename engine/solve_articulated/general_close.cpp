// Displacements that close joints and take limits back to where they stop, after bodies have been
// moved by hand.
#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {
namespace {

// What closing may carry into another limit: so many times what there is to close; rad, of size.
constexpr double kNearLimit = 0.05, kCarried = 50;
constexpr double kNoExcess = 1e-9;  // rad, of size
constexpr int kClosingRounds = 10, kClosingBlocks = 4;

bool has_limits(const GeneralJoint& j, size_t k) {
  if (j.model->kind == JointKind::kBlackBox || !j.model->scalar_row(static_cast<int>(k))) {
    return false;
  }
  const RowSpec& spec = j.model->rows[k];
  if (spec.axis == kHeldRow || j.entries != 2 || spec.ratio != 0) return false;
  const JointAxisDef& axis = j.model->axes[spec.axis];
  return axis.min > -kInfinity || axis.max < kInfinity;
}

}  // namespace

double GeneralRows::limit_excess() { return find_excess(false); }
double GeneralRows::limit_growth() { return find_excess(true); }

// Beyond limits at the iterate; of that, what has come since the begin of the step.
double GeneralRows::find_excess(bool since_begin) {
  look_at_idle();
  double worst = 0;
  for (const GeneralJoint& j : joints_) {
    for (size_t k = 0; k < j.rows; ++k) {
      if (!has_limits(j, k)) continue;
      const JointAxisDef& axis = j.model->axes[j.model->rows[k].axis];
      const auto beyond = [&](double c) { return std::max(axis.min - c, c - axis.max); };
      const double before = since_begin ? std::max(beyond(j.c0[k]), 0.0) : 0;
      worst = std::max(worst, (beyond(j.c1[k]) - before) / (j.angular[k] ? 1 : j.size));
    }
  }
  return worst;
}

// Limits that are passed, or that what closes the others may reach, to rate_rows_: rates are
// displacements here. `motion`: what closes held rows.
void GeneralRows::find_limits_to_close(std::span<const Motion> motion) {
  rate_rows_.clear();
  double turn2 = 0, travel2 = 0, least_size = kInfinity;
  for (const GeneralJoint& j : joints_) least_size = std::min(least_size, j.size);
  for (const Motion& u : motion) {
    turn2 = std::max(turn2, norm2(u.w));
    travel2 = std::max(travel2, norm2(u.v));
  }
  const double to_close =
      limit_excess() + std::sqrt(turn2) + std::sqrt(travel2) / least_size + kNoExcess;
  const double reach = std::min(kNearLimit, kCarried * to_close);
  for (uint32_t i = 0; i < joints_.size(); ++i) {
    GeneralJoint& j = joints_[i];
    for (size_t k = j.model->has_point ? 3 : 0; k < j.rows; ++k) {
      if (j.model->kind == JointKind::kBlackBox || j.model->rows[k].axis == kHeldRow) continue;
      for (size_t e = 0; e < j.entries; ++e) std::fill_n(&entry(j, e).G[6 * k], 6, 0.0);
      if (!has_limits(j, k)) continue;
      const RowSpec& spec = j.model->rows[k];
      const JointAxisDef& axis = j.model->axes[spec.axis];
      const double size = j.angular[k] ? 1 : j.size;
      const bool upper = axis.max - j.c1[k] < j.c1[k] - axis.min;
      const double room = upper ? axis.max - j.c1[k] : j.c1[k] - axis.min;
      if (!(room < reach * size)) continue;
      RowWrench w;
      eval_form(spec.form, spec.i, spec.j, j.f1[0], w);
      add_wrench(&entry(j, 0).G[6 * k], &entry(j, 1).G[6 * k], j.f1[0],
                 {spec.scale * w.f, spec.scale * w.t});
      RateRow& r = take_rate_row(i, k);
      r.slow = kNoExcess * size;
      r.rate = upper ? room : -room;
      r.low = upper ? -kInfinity : 0;
      r.high = upper ? 0 : kInfinity;
      r.set = room < 0 ? RateRow::Set::kHolds : upper ? RateRow::Set::kHigh : RateRow::Set::kLow;
    }
  }
}

void GeneralRows::close_limits(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                               BlockLu& lu, double compliance, std::span<Motion> motion) {
  find_limits_to_close(motion);
  if (rate_rows_.empty() || !held_matrix_) return;
  motion_.assign(motion.begin(), motion.end());
  bool passed = false;
  for (RateRow& r : rate_rows_) {
    r.before = rate_of(r);
    const double excess = r.before - r.rate;
    passed = passed || r.set == RateRow::Set::kHolds ||
             (r.set == RateRow::Set::kHigh ? excess > r.slow : excess < -r.slow);
  }
  if (!passed) return;
  prepare_few_laws(bodies, work, lu, compliance);
  if (!few_laws_) return;
  for (int round = 0; round < kClosingRounds; ++round) {
    set_few_laws();
    if (update_sets(0, round >= kClosingBlocks) == 0) break;
  }
  gather_few_laws(lu);
  for (const RateRow& r : rate_rows_) place_of(r, lu, total_) = 0;
  add_held(work, lu, total_, motion);
  for (size_t c = 0; c < rate_rows_.size(); ++c) {
    const GeneralJoint& j = joints_[rate_rows_[c].joint];
    const double mu = rate_rows_[c].mu;
    for (size_t e = 0; e < j.entries; ++e) {
      motion[j.body[e]].v += mu * law_answer_[c][e].v;
      motion[j.body[e]].w += mu * law_answer_[c][e].w;
    }
  }
}

void GeneralRows::keep_openings(const BlockLu& lu) {
  openings_.assign(lu.rows(), 0);
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    double* to = &openings_[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t k = 0; k < j.rows; ++k) {
      if (j.model->rows[k].axis == kHeldRow && j.row[k].a != 0) to[k] = j.c1[k] - j.c0[k];
    }
  }
}

void GeneralRows::answer_openings(std::span<const BodyWork> work, BlockLu& lu, double part,
                                  std::span<Motion> motion) {
  x_.assign(lu.rows(), 0);
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    const size_t at = lu.offset_of(static_cast<uint32_t>(i));
    for (size_t k = 0; k < j.rows; ++k) {
      if (!j.empty[k]) x_[at + k] = -part * openings_[at + k];
    }
  }
  std::fill(motion.begin(), motion.end(), Motion{});
  add_answer(work, lu, motion);
}

void GeneralRows::close_errors(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                               BlockLu& lu, double compliance, std::span<Motion> motion) {
  x_.assign(lu.rows(), 0);
  for (size_t i = 0; i < joints_.size(); ++i) {
    const GeneralJoint& j = joints_[i];
    double* rhs = &x_[lu.offset_of(static_cast<uint32_t>(i))];
    for (size_t k = 0; k < j.rows; ++k) {
      const bool held = j.model->rows[k].axis == kHeldRow && j.row[k].a != 0;
      if (held && !j.empty[k]) rhs[k] = -j.c1[k];
    }
  }
  std::fill(motion.begin(), motion.end(), Motion{});
  add_answer(work, lu, motion);
  close_limits(bodies, work, lu, compliance, motion);
}

}  // namespace tenon::direct
