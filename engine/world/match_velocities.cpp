// min dv . M dv with J (v + dv) = c', c' zero but for prescribed rates                         (1)
// [Faure1998, eq. 9], by conjugate gradients: least squares where rates contradict joints.
#include "tenon/engine/world/match_velocities.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tenon/engine/world/displaced.h"
#include "tenon/engine/world/joints.h"

namespace tenon {
namespace {

using displacement::Entry;
using displacement::Row;
using displacement::Six;

Status check_rates(const WorldData& data, std::span<const RateTarget> rates) {
  for (size_t i = 0; i < rates.size(); ++i) {
    if (!data.joint_slots.contains(rates[i].joint)) {
      return Error{.message = "rate " + std::to_string(i) + ": no such joint",
                   .accepted = "the handle of a joint of this world"};
    }
    if (!std::isfinite(rates[i].rate)) {
      return Error{.message = "rate " + std::to_string(i) + " is not finite",
                   .accepted = "m/s or rad/s"};
    }
  }
  return Ok{};
}

Vec3 axis_of(const PairFrames& x, JointAxis axis) { return x.P[static_cast<size_t>(axis) % 3]; }

// A freedom that is told to go at a rate.
void add_driven_row(const WorldData& data, const DisplacedMechanism& m, uint32_t joint,
                    const RateTarget& rate, displacement::RowSet& rows) {
  const JointModel& model = data.joint_models[m.joint_slots[joint]];
  const PairFrames x = current_frames(data, model.pairs[0]);
  const bool linear = rate.axis < JointAxis::kRx;
  const double unit = linear ? 1 : m.joints[joint].size;
  const Vec3 a = unit * axis_of(x, rate.axis);
  const Vec3 f = linear ? a : Vec3{}, t = linear ? Vec3{} : a;
  Row row;
  row.first = static_cast<uint32_t>(rows.entries.size());
  row.count = 2;
  row.owner = joint;
  row.angular = !linear;
  row.unit = unit;
  row.c = rate.rate;  // what it should be
  rows.entries.push_back({m.joints[joint].body[0], -f, -(cross(x.rP + x.d, f) + t)});
  rows.entries.push_back({m.joints[joint].body[1], f, cross(x.rC, f) + t});
  rows.rows.push_back(row);
}

// Rates that rows of a joint should have: prescribed ones along what it holds.
void set_targets(const WorldData& data, const DisplacedMechanism& m,
                 std::span<const RateTarget> rates, displacement::RowSet& rows) {
  for (Row& row : rows.rows) row.c = 0;
  const size_t held = rows.rows.size();
  for (const RateTarget& rate : rates) {
    for (uint32_t j = 0; j < m.joint_slots.size(); ++j) {
      if (m.joint_slots[j] != rate.joint.index) continue;
      const JointModel& model = data.joint_models[m.joint_slots[j]];
      if (model.is_free(rate.axis)) {
        add_driven_row(data, m, j, rate, rows);
        continue;
      }
      const Vec3 wanted = rate.rate * axis_of(current_frames(data, model.pairs[0]), rate.axis);
      for (size_t r = 0; r < held; ++r) {
        Row& row = rows.rows[r];
        const bool linear = rate.axis < JointAxis::kRx;
        if (row.owner != j || row.angular == linear) continue;
        const Entry& child = rows.entries[row.first + 1];
        row.c += dot(linear ? child.f : child.t, wanted) / row.unit;
      }
    }
  }
}

// b = c' - J v of each row, in m/s; returns the largest, in m/s (angles times size).
double measure_rates(std::span<const Six> motion, displacement::RowSet& rows) {
  double worst = 0;
  for (Row& row : rows.rows) {
    double rate = 0;
    for (const Entry& e : rows.of(row)) rate += dot(Six{e.f, e.t}, motion[e.body]);
    row.b = row.unit * row.c - rate;
    worst = std::max(worst, std::fabs(row.b));
  }
  return worst;
}

}  // namespace

Result<VelocityReport> match_velocities(WorldData& data, std::span<const RateTarget> rates,
                                        const MoveBody& move) {
  if (Status s = check_rates(data, rates); !s) return s.error();
  VelocityReport report;
  const std::vector<uint8_t> displaceable = find_displaceable(data, {});
  for (DisplacedMechanism& m :
       find_displaced(data, displaceable, {}, displacement::Metric::kMass)) {
    displacement::RowMaker maker;
    maker.reset(m.bodies, m.joints, {}, false);
    displacement::RowSet rows;
    maker.make(m.at, 1, rows);
    set_targets(data, m, rates, rows);
    std::vector<Six> motion(m.bodies.size()), change(m.bodies.size());
    for (size_t b = 0; b < motion.size(); ++b) {
      if (m.body_slots[b] == kWorldBody) continue;
      const BodyState& s = data.state[m.body_slots[b]];
      motion[b] = {s.v_WC, s.w_WB};
    }
    report.start = std::max(report.start, measure_rates(motion, rows));
    displacement::Operator op;
    displacement::LeastSquares solver;
    op.reset(m.bodies, m.at, rows);
    displacement::KrylovLimits limits;
    limits.iterations = 10 * static_cast<int>(rows.rows.size()) + 100;
    limits.precision = 1e-14;
    const displacement::KrylovResult result = solver.solve(op, nullptr, limits, change);
    report.iterations = std::max(report.iterations, static_cast<uint32_t>(result.iterations));
    for (size_t b = 0; b < motion.size(); ++b) {
      if (m.bodies[b].inv_mass == 0) continue;
      motion[b] = {motion[b].x + change[b].x, motion[b].r + change[b].r};
      move(m.body_slots[b], {motion[b].x, motion[b].r});
    }
    report.error = std::max(report.error, measure_rates(motion, rows));
  }
  return report;
}

}  // namespace tenon
