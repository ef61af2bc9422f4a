// Laws that jump: in which part of its law each freedom is, and how it gets to the next.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_force/mechanism_forces.h"

namespace tenon {
namespace {

// What counts as the same rate, coordinate or force: above round-off of the projections, far below
// the accuracy that anyone asks for.
constexpr double kSameRate = 1e-10, kSamePlace = 1e-12, kSameForce = 1e-10;
// A limit that is hit slower than this, m/s or rad/s, does not throw back: bounces come to an end.
// More than what falls by kSamePlace gains, 1e-6 at 1 m/s^2.
constexpr double kSlowestBounce = 1e-4;

double rate_slack(double rate) { return kSameRate * (1 + std::fabs(rate)); }
double force_slack(double force) {
  return kSameForce * (1 + (std::isfinite(force) ? std::fabs(force) : 0));
}

}  // namespace

void MechanismForces::begin_parts(std::span<JointState> joints) const {
  for (const Joint& j : joints_) {
    for (size_t k = 0; k < j.rows; ++k) {
      if (!has_law(j, k)) {
        joints[j.slot].segment[k] = 0;
        continue;
      }
      const JointAxisDef& axis = j.model->axes[j.model->rows[k].axis];
      const ForceRow& row = j.row[k];
      uint8_t part = j.law[k].find(row.rate, rate_slack(row.rate));
      // at or beyond a limit and not on its way back
      if (row.c <= axis.min + kSamePlace && row.rate <= rate_slack(0)) part = kAtLowerLimit;
      if (row.c >= axis.max - kSamePlace && row.rate >= -rate_slack(0)) part = kAtUpperLimit;
      const bool slack = row.c < axis.min_separation;
      joints[j.slot].segment[k] = static_cast<uint8_t>(part + (slack ? kSlackPart : 0));
    }
  }
}

// c'' of a row after find_accelerations().
double MechanismForces::row_acceleration(const Joint& j, size_t k,
                                         std::span<const Acceleration> known) const {
  double a = j.row[k].bias + moving_part(j, j.row[k]);
  for (size_t e = 0; e < j.entries; ++e) {
    if (j.body[e] < moving_) continue;
    const uint32_t slot = bodies_[j.body[e]].slot;
    if (slot == kWorldBody) continue;
    a += dot(j.row[k].entry[e].f, known[slot].linear) +
         dot(j.row[k].entry[e].t, known[slot].angular);
  }
  return a;
}

// How far a row is from leaving its part: a rate, a coordinate or a force.
double MechanismForces::row_margin(const Joint& j, size_t k,
                                   std::span<const Acceleration> known) const {
  if (j.law[k].locked) return kInfinity;
  // infinite without a separation
  const double taut = j.row[k].c - j.model->axes[j.model->rows[k].axis].min_separation;
  const double edge = (j.slack[k] ? -taut : taut) + kSamePlace;
  return std::min(edge, part_margin(j, k, j.force[k] - j.plain[k], known));
}

// The same without its separation.
double MechanismForces::part_margin(const Joint& j, size_t k, double held,
                                    std::span<const Acceleration> known) const {
  const JointAxisDef& axis = j.model->axes[j.model->rows[k].axis];
  const RateLaw& law = j.law[k];
  const ForceRow& row = j.row[k];
  const uint8_t part = j.part[k];
  if (is_limit(part)) {
    // it pushes, and a motor that nothing else stops may turn away from it
    const bool unlimited = law.holds == 1 && law.base[0] == kInfinity;
    const double sign = part == kAtLowerLimit ? 1 : -1;
    if (unlimited && !law.servo) return -sign * law.at[0] + kSameRate;
    if (law.servo) {
      return -sign * calc_servo_acceleration(axis.motor, row.c, row.rate) + kSameRate;
    }
    return sign * held + force_slack(held);
  }
  double margin = std::min(row.c - axis.min, axis.max - row.c) + kSamePlace;
  if (is_hold(part)) {
    margin = std::min(margin, law.most(part) - held + force_slack(law.most(part)));
    return std::min(margin, held - law.least(part) + force_slack(law.least(part)));
  }
  if (law.servo) {
    const double missing =
        calc_servo_acceleration(axis.motor, row.c, row.rate) - row_acceleration(j, k, known);
    return std::min(margin, (part == 0 ? missing : -missing) + kSameForce);
  }
  if (part > 0) {
    const double at = law.at[part / 2 - 1];
    margin = std::min(margin, row.rate - at + rate_slack(at));
  }
  if (part < law.last()) {
    const double at = law.at[part / 2];
    margin = std::min(margin, at - row.rate + rate_slack(at));
  }
  return margin;
}

double MechanismForces::calc_margin(std::span<const Acceleration> known, std::span<Wrench> load) {
  find_accelerations(known, load);
  double least = kInfinity;
  for (Joint& j : joints_) {
    for (size_t k = 0; k < j.rows; ++k) {
      j.margin[k] = kInfinity;
      if (!has_law(j, k)) continue;
      j.margin[k] = row_margin(j, k, known);
      least = std::min(least, j.margin[k]);
    }
  }
  return least;
}

double MechanismForces::kinetic_energy(std::span<const BodyState> state) const {
  double twice = 0;
  for (uint32_t b = 0; b < moving_; ++b) {
    const BodyState& s = state[bodies_[b].slot];
    twice += bodies_[b].mass->mass * norm2(s.v_WC) + dot(s.w_WB, s.L_W);
  }
  return 0.5 * twice;
}

double MechanismForces::pass_events(std::span<BodyState> state, std::span<JointState> joints,
                                    double since, Bouncing bouncing) {
  const double before = kinetic_energy(state);
  bool thrown = false;
  struct Bounce {
    size_t joint, row;
    double rate;
  };
  std::vector<Bounce> bounces;
  for (size_t n = 0; n < joints_.size(); ++n) {
    Joint& j = joints_[n];
    for (size_t k = 0; k < j.rows; ++k) {
      if (!(j.margin[k] <= 0)) continue;
      const JointAxisDef& axis = j.model->axes[j.model->rows[k].axis];
      const RateLaw& law = j.law[k];
      const ForceRow& row = j.row[k];
      uint8_t& segment = joints[j.slot].segment[k];
      const double taut = row.c - axis.min_separation;
      if (j.slack[k] ? taut > 0 : taut < 0) {
        segment ^= kSlackPart;
        continue;
      }
      uint8_t part = j.part[k];
      const double held = j.force[k] - j.plain[k];
      const bool below = (row.c < axis.min), above = (row.c > axis.max);
      if (!is_limit(part) && (below || above)) {
        const double back = -axis.restitution * row.rate;
        const bool bounces_back =
            bouncing == Bouncing::kAllowed && std::fabs(row.rate) > kSlowestBounce;
        part = below ? kAtLowerLimit : kAtUpperLimit;
        bounces.push_back({n, k, bounces_back ? back : 0});
        thrown = true;
      } else if (is_limit(part)) {
        part = law.servo ? 1 : law.find(0, rate_slack(0));
      } else if (is_hold(part)) {
        part = static_cast<uint8_t>(held > law.most(part) ? part - 1 : part + 1);
      } else if (law.servo) {
        part = 1;
      } else {
        const bool down = part > 0 && row.rate - law.at[part / 2 - 1] < 0;
        part = static_cast<uint8_t>(down ? part - 1 : part + 1);
      }
      segment = static_cast<uint8_t>(part | (segment & kSlackPart));
    }
  }
  place(state, joints, since);
  project_positions(state, joints, since);
  if (thrown) {
    // friction and motors of limited force have no impulse; their rates may change
    for (Joint& j : joints_) {
      size_t kept = 0;
      for (size_t i = 0; i < j.active; ++i) {
        const size_t k = j.index[i];
        const bool law = has_law(j, k) && !j.law[k].locked;
        const bool limited = law && !is_limit(j.part[k]) && std::isfinite(j.law[k].base[0]);
        if (limited) continue;
        j.index[kept] = j.index[i];
        j.acceleration[kept] = j.acceleration[i];
        j.rate[kept] = j.rate[i];
        j.gap[kept++] = j.gap[i];
      }
      j.active = static_cast<uint8_t>(kept);
    }
    for (const Bounce& b : bounces) {
      Joint& j = joints_[b.joint];
      for (size_t i = 0; i < j.active; ++i) {
        if (j.index[i] == b.row) j.rate[i] = b.rate;
      }
    }
    factored_ = false;
    project_velocities(state);
    place(state, joints, since);
    // parts by the rates that are left
    for (Joint& j : joints_) {
      for (size_t k = 0; k < j.rows; ++k) {
        if (!has_law(j, k)) continue;
        if (j.law[k].locked) continue;
        uint8_t& segment = joints[j.slot].segment[k];
        const uint8_t part = j.part[k];
        const double rate = j.row[k].rate;
        const bool leaves = (part == kAtLowerLimit && rate > rate_slack(0)) ||
                            (part == kAtUpperLimit && rate < -rate_slack(0));
        if (is_limit(part) && !leaves) continue;
        segment =
            static_cast<uint8_t>(j.law[k].find(rate, rate_slack(rate)) | (segment & kSlackPart));
      }
    }
    place(state, joints, since);
  }
  project_velocities(state);
  place(state, joints, since);
  return kinetic_energy(state) - before;
}

// The part a row belongs to by the forces just found; its own where it may stay.
uint8_t MechanismForces::next_part(const Joint& j, size_t k,
                                   std::span<const Acceleration> known) const {
  const RateLaw& law = j.law[k];
  const uint8_t part = j.part[k];
  const double held = j.force[k] - j.plain[k];
  if (law.locked) return part;
  if (is_limit(part)) {
    if (part_margin(j, k, held, known) > 0) return part;
    return law.servo ? 1 : law.find(0, rate_slack(0));
  }
  const JointAxisDef& axis = j.model->axes[j.model->rows[k].axis];
  const double a = row_acceleration(j, k, known);
  const bool still = std::fabs(j.row[k].rate) <= rate_slack(0);
  // at a limit and about to go beyond it
  if (still && j.row[k].c <= axis.min + kSamePlace && a < -kSameForce) return kAtLowerLimit;
  if (still && j.row[k].c >= axis.max - kSamePlace && a > kSameForce) return kAtUpperLimit;
  if (is_hold(part)) {
    if (held > law.most(part) + force_slack(law.most(part))) return part - 1;
    if (held < law.least(part) - force_slack(law.least(part))) return part + 1;
    return part;
  }
  if (law.servo) {
    const double missing = calc_servo_acceleration(axis.motor, j.row[k].c, j.row[k].rate) - a;
    const bool saturated = part == 0 ? missing > -kSameForce : missing < kSameForce;
    return saturated ? part : 1;
  }
  // at the edge of its segment and about to leave it
  if (part > 0 && j.row[k].rate <= law.at[part / 2 - 1] + rate_slack(law.at[part / 2 - 1]) &&
      a < -kSameForce) {
    return part - 1;
  }
  if (part < law.last() && j.row[k].rate >= law.at[part / 2] - rate_slack(law.at[part / 2]) &&
      a > kSameForce) {
    return part + 1;
  }
  return part;
}

void MechanismForces::settle_parts(std::span<const BodyState> state, std::span<JointState> joints,
                                   double since, std::span<const Acceleration> known,
                                   std::span<const Wrench> load) {
  if (!has_laws_) return;
  // one row at a time, each at most a few times: friction of many rows is a complementarity
  // problem, of which this takes the first answer that it comes to
  const size_t most = 8 * joints_.size() + 16;
  std::vector<Wrench> loads(load.begin(), load.end());
  for (size_t round = 0; round < most; ++round) {
    std::copy(load.begin(), load.end(), loads.begin());
    place(state, joints, since);
    find_accelerations(known, loads);
    bool changed = false;
    for (const Joint& j : joints_) {
      for (size_t k = 0; k < j.rows && !changed; ++k) {
        if (!has_law(j, k)) continue;
        const uint8_t next = next_part(j, k, known);
        changed = next != j.part[k];
        joints[j.slot].segment[k] = static_cast<uint8_t>(next | (j.slack[k] ? kSlackPart : 0));
      }
      if (changed) break;
    }
    if (!changed) return;
  }
}

}  // namespace tenon
