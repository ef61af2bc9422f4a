#include "tenon/engine/solve_force/mechanism_forces.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/base/assert.h"

namespace tenon {
namespace {

// Added to the diagonal, which is one: rows that follow from others get a share of the force
// instead of a division by nothing. What it takes from the others, the refinement of meet() gives
// back.
constexpr double kRegularisation = 1e-9;
constexpr int kMostRefinements = 6;
constexpr double kLeastFriction = 1e-12;  // N m

const RowBody kTheWorld{};

// What a velocity motor does to a coordinate that a limit has stopped; friction rests.
double push_at_rest(const JointAxisDef& axis) {
  if (axis.motor.kind != Motor::Kind::kVelocity || axis.motor.target == 0) return 0;
  return axis.motor.target > 0 ? axis.motor.max_force : -axis.motor.max_force;
}

}  // namespace

void MechanismForces::reset(const Mechanism& m, const ForceJointSource& source,
                            const ForceSettings& settings) {
  settings_ = settings;
  moving_ = m.moving;
  bodies_.assign(m.body_slots.size(), {});
  for (uint32_t b = 0; b < bodies_.size(); ++b) {
    bodies_[b].slot = m.body_slots[b];
    if (b >= m.moving) continue;
    bodies_[b].mass = &source.masses[m.body_slots[b]];
    bodies_[b].turns = !(bodies_[b].mass->inv_I_B == Mat3{});
  }
  joints_.assign(m.joints.size(), {});
  has_laws_ = false;
  BlockGraph graph;
  std::vector<std::vector<std::pair<uint32_t, uint8_t>>> at_body(m.moving);
  for (uint32_t i = 0; i < joints_.size(); ++i) {
    Joint& j = joints_[i];
    j.slot = m.joints[i].slot;
    j.model = &source.models[j.slot];
    j.size = source.sizes[j.slot];
    j.entries = m.joints[i].entry_count;
    for (size_t e = 0; e < j.entries; ++e) {
      j.body[e] = m.joints[i].body[e];
      if (j.body[e] < moving_) at_body[j.body[e]].emplace_back(i, static_cast<uint8_t>(e));
    }
    for (size_t k = 0; k < j.model->row_count; ++k) {
      if (!has_law(j, k)) continue;
      j.law[k] = make_rate_law(j.model->axes[j.model->rows[k].axis]);
      has_laws_ = true;
    }
    graph.size.push_back(std::max<uint8_t>(j.model->row_count, 1));
  }
  links_.clear();
  for (const auto& list : at_body) {
    for (size_t p = 0; p < list.size(); ++p) {
      for (size_t q = p; q < list.size(); ++q) {
        links_.push_back({list[p].first, list[q].first, list[p].second, list[q].second, 0, false});
        if (list[p].first != list[q].first) {
          graph.edges.emplace_back(list[p].first, list[q].first);
        }
      }
    }
  }
  pattern_ = make_block_pattern(graph);
  lu_.reset(pattern_);
  for (Link& link : links_) {
    if (link.joint_a == link.joint_b) continue;
    const BlockPattern::Place place = pattern_.find(link.joint_a, link.joint_b);
    link.block = place.block;
    link.a_is_row = place.a_is_row;
  }
  rhs_.assign(lu_.rows(), 0);
  lambda_.assign(lu_.rows(), 0);
  motion_.assign(bodies_.size(), {});
}

void MechanismForces::place_bodies(std::span<const BodyState> state) {
  for (uint32_t b = 0; b < bodies_.size(); ++b) {
    Body& body = bodies_[b];
    if (body.slot == kWorldBody) {
      body.at = kTheWorld;
      continue;
    }
    const BodyState& s = state[body.slot];
    body.at = {s.x_WC, to_matrix(s.q_WB), s.v_WC, s.w_WB};
    body.L = s.L_W;
    if (b < moving_) body.inv_I_W = body.at.R * body.mass->inv_I_B * transpose(body.at.R);
  }
}

void MechanismForces::place(std::span<const BodyState> state, std::span<const JointState> joints,
                            double since) {
  place_bodies(state);
  for (Joint& j : joints_) {
    const RowBody* at[4] = {};
    for (size_t e = 0; e < j.entries; ++e) at[e] = &bodies_[j.body[e]].at;
    j.rows = eval_force_rows(*j.model, at, joints[j.slot], since, j.size, j.row);
    for (size_t k = 0; k < j.rows; ++k) {
      const uint8_t segment = joints[j.slot].segment[k];
      j.part[k] = has_law(j, k) ? valid_part(j, k, segment & kPartMask) : 0;
      j.slack[k] = has_law(j, k) && (segment & kSlackPart) != 0;
    }
    choose_rows(j);
  }
  factored_ = false;
}

bool MechanismForces::has_law(const Joint& j, size_t k) const {
  return j.model->scalar_row(static_cast<int>(k)) && j.model->rows[k].axis != kHeldRow;
}

// States may come from a file, or from a method that counts parts otherwise.
uint8_t MechanismForces::valid_part(const Joint& j, size_t k, uint8_t part) const {
  const JointAxisDef& axis = j.model->axes[j.model->rows[k].axis];
  if (part == kAtLowerLimit && axis.min > -kInfinity) return part;
  if (part == kAtUpperLimit && axis.max < kInfinity) return part;
  const RateLaw& law = j.law[k];
  if (part > law.last() || (!is_hold(part) && !std::isfinite(law.force(part)))) {
    return law.find(j.row[k].rate, 0);
  }
  return part;
}

// 1 / (J M^-1 J^T) of one row.
double MechanismForces::shown_mass(const Joint& j, const ForceRow& row) const {
  double inverse = 0;
  for (size_t e = 0; e < j.entries; ++e) {
    for (size_t g = 0; g < j.entries; ++g) {
      if (j.body[e] != j.body[g] || j.body[e] >= moving_) continue;
      const Body& b = bodies_[j.body[e]];
      inverse += b.mass->inv_mass * dot(row.entry[e].f, row.entry[g].f) +
                 dot(row.entry[e].t, b.inv_I_W * row.entry[g].t);
    }
  }
  return inverse > 1e-300 ? 1 / inverse : 0;
}

bool MechanismForces::is_length(const Joint& j, size_t k) const {
  if (!j.model->scalar_row(static_cast<int>(k))) return true;
  const RowForm form = j.model->rows[k].form;
  return form == RowForm::kSlide || form == RowForm::kDistance;
}

void MechanismForces::activate(Joint& j, size_t k, double acceleration, double rate, double gap) {
  const size_t i = j.active++;
  j.index[i] = static_cast<uint8_t>(k);
  j.acceleration[i] = acceleration;
  j.rate[i] = rate;
  j.gap[i] = gap;
}

// Which rows are constraints, and what the others push with.
void MechanismForces::choose_rows(Joint& j) {
  j.active = 0;
  const ForceSettings& s = settings_;
  for (size_t k = 0; k < j.rows; ++k) {
    const ForceRow& row = j.row[k];
    j.plain[k] = 0;
    if (!has_law(j, k)) {
      if (s.joints == ForceJoints::kSoft) {
        const double w = 2 * kPi * s.soft_frequency_hz;
        j.plain[k] =
            -shown_mass(j, row) * (w * w * row.c + 2 * s.soft_damping_ratio * w * row.rate);
      } else if (s.joints == ForceJoints::kBaumgarte) {
        activate(j, k,
                 -2 * s.baumgarte_alpha * row.rate - s.baumgarte_beta * s.baumgarte_beta * row.c, 0,
                 row.c);
      } else {
        activate(j, k, 0, 0, row.c);
      }
      continue;
    }
    // a freedom: plain forces always, the rest by its part
    const JointAxisDef& given = j.model->axes[j.model->rows[k].axis];
    JointAxisDef axis = resist_turning(given, row.count2);
    if (given.friction > 0 && is_unwrapped(j.model->rows[k].form)) {
      // its hold stays one of the parts, however little it holds
      axis.friction = std::max(axis.friction, kLeastFriction);
      j.law[k] = make_rate_law(axis);
    }
    const RateLaw& law = j.law[k];
    const uint8_t part = j.part[k];
    j.plain[k] = calc_plain_force(axis, row.c, row.rate, j.slack[k]);
    if (law.locked) {
      activate(j, k, 0, 0, row.c - axis.min);
    } else if (is_limit(part)) {
      activate(j, k, 0, 0, row.c - (part == kAtLowerLimit ? axis.min : axis.max));
      // what drives against the limit goes on driving, as far as it has an end
      const double push = law.holds > 0 && !law.servo ? push_at_rest(axis) : 0;
      if (std::isfinite(push)) j.plain[k] += push;
    } else if (is_hold(part)) {
      activate(j, k, law.servo ? calc_servo_acceleration(axis.motor, row.c, row.rate) : 0,
               law.servo ? row.rate : law.rate_of(part), 0);
    } else {
      j.plain[k] += law.force(part);
    }
  }
}

// J M^-1 J^T of the active rows, scaled to a diagonal of one.
void MechanismForces::factor() {
  if (factored_) return;
  factored_ = true;
  for (uint32_t n = 0; n < joints_.size(); ++n) {
    Joint& j = joints_[n];
    lu_.set_rows(n, std::max<size_t>(j.active, 1));
    for (size_t i = 0; i < j.active; ++i) {
      const ForceRow& row = j.row[j.index[i]];
      for (size_t e = 0; e < j.entries; ++e) {
        const Body& body = bodies_[j.body[e]];
        j.answer[i][e] = j.body[e] < moving_ ? RowEntry{body.mass->inv_mass * row.entry[e].f,
                                                        body.inv_I_W * row.entry[e].t}
                                             : RowEntry{};
      }
      j.scale[i] = std::sqrt(shown_mass(j, row));
    }
  }
  lu_.clear_symmetric();
  const auto product = [&](const Joint& a, size_t i, size_t ea, const Joint& b, size_t k,
                           size_t eb) {
    const RowEntry &r = a.row[a.index[i]].entry[ea], &m = b.answer[k][eb];
    return a.scale[i] * b.scale[k] * (dot(r.f, m.f) + dot(r.t, m.t));
  };
  for (const Link& link : links_) {
    const Joint &a = joints_[link.joint_a], &b = joints_[link.joint_b];
    if (a.active == 0 || b.active == 0) continue;
    const bool same = link.joint_a == link.joint_b;
    double* block = same ? lu_.diagonal(link.joint_a) : lu_.lower(link.block);
    for (size_t i = 0; i < a.active; ++i) {
      for (size_t k = 0; k < b.active; ++k) {
        const double value = product(a, i, link.entry_a, b, k, link.entry_b);
        const size_t at =
            same || link.a_is_row ? i * b.active + k : k * static_cast<size_t>(a.active) + i;
        block[at] += value;
        if (same && link.entry_a != link.entry_b) block[k * a.active + i] += value;
      }
    }
  }
  for (uint32_t n = 0; n < joints_.size(); ++n) {
    const Joint& j = joints_[n];
    double* D = lu_.diagonal(n);
    if (j.active == 0) D[0] = 1;
    for (size_t i = 0; i < j.active; ++i) {
      D[i * j.active + i] += j.scale[i] > 0 ? kRegularisation : 1;
    }
  }
  lu_.factor_symmetric();
}

// J motion of the bodies that move.
double MechanismForces::moving_part(const Joint& j, const ForceRow& row) const {
  double sum = 0;
  for (size_t e = 0; e < j.entries; ++e) {
    if (j.body[e] >= moving_) continue;
    const Motion& m = motion_[j.body[e]];
    sum += dot(row.entry[e].f, m.v) + dot(row.entry[e].t, m.w);
  }
  return sum;
}

// What J motion of the moving bodies has to be.
double MechanismForces::target(const Joint& j, size_t i, Ask ask,
                               std::span<const Acceleration> known) const {
  if (ask == Ask::kNothing) return 0;
  if (ask == Ask::kGap) return -j.gap[i];
  const ForceRow& row = j.row[j.index[i]];
  double value = ask == Ask::kAcceleration ? j.acceleration[i] - row.bias : j.rate[i];
  for (size_t e = 0; e < j.entries; ++e) {
    if (j.body[e] < moving_) continue;
    const Body& b = bodies_[j.body[e]];
    if (b.slot == kWorldBody) continue;
    const Vec3 v = ask == Ask::kAcceleration ? known[b.slot].linear : b.at.v;
    const Vec3 w = ask == Ask::kAcceleration ? known[b.slot].angular : b.at.w;
    value -= dot(row.entry[e].f, v) + dot(row.entry[e].t, w);
  }
  return value;
}

double MechanismForces::meet(Ask ask, std::span<const Acceleration> known) {
  factor();
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  double last = kInfinity, worst = 0;
  for (int round = 0; round <= kMostRefinements; ++round) {
    worst = 0;
    for (uint32_t n = 0; n < joints_.size(); ++n) {
      const Joint& j = joints_[n];
      double* r = &rhs_[lu_.offset_of(n)];
      if (j.active == 0) r[0] = 0;
      for (size_t i = 0; i < j.active; ++i) {
        r[i] = j.scale[i] * (target(j, i, ask, known) - moving_part(j, j.row[j.index[i]]));
        worst = std::max(worst, std::fabs(r[i]));
      }
    }
    // what is not halved is round-off, or rows that contradict each other
    if (!(worst > 0) || !(worst < 0.5 * last) || round == kMostRefinements) break;
    last = worst;
    lu_.solve_symmetric(rhs_);
    for (uint32_t n = 0; n < joints_.size(); ++n) {
      const Joint& j = joints_[n];
      const uint32_t at = lu_.offset_of(n);
      for (size_t i = 0; i < j.active; ++i) {
        const double l = j.scale[i] * rhs_[at + i];
        lambda_[at + i] += l;
        for (size_t e = 0; e < j.entries; ++e) {
          if (j.body[e] >= moving_) continue;
          motion_[j.body[e]].v += l * j.answer[i][e].f;
          motion_[j.body[e]].w += l * j.answer[i][e].t;
        }
      }
    }
  }
  return worst;
}

// (3) of the page: free accelerations with plain forces, then the constraint forces.
void MechanismForces::find_accelerations(std::span<const Acceleration> known,
                                         std::span<Wrench> load) {
  const auto push = [&](const Joint& j, size_t k, double force) {
    for (size_t e = 0; e < j.entries; ++e) {
      if (j.body[e] >= moving_) continue;
      Wrench& w = load[bodies_[j.body[e]].slot];
      w.force += force * j.row[k].entry[e].f;
      if (bodies_[j.body[e]].turns) w.torque += force * j.row[k].entry[e].t;
    }
  };
  for (Joint& j : joints_) {
    for (size_t k = 0; k < j.rows; ++k) {
      j.force[k] = j.plain[k];
      if (j.plain[k] != 0) push(j, k, j.plain[k]);
    }
  }
  for (uint32_t b = 0; b < moving_; ++b) {
    const Body& body = bodies_[b];
    const Wrench& w = load[body.slot];
    motion_[b] = {body.mass->inv_mass * w.force,
                  body.inv_I_W * (w.torque - cross(body.at.w, body.L))};
  }
  meet(Ask::kAcceleration, known);
  power_ = 0;
  for (uint32_t n = 0; n < joints_.size(); ++n) {
    Joint& j = joints_[n];
    const uint32_t at = lu_.offset_of(n);
    for (size_t i = 0; i < j.active; ++i) {
      const size_t k = j.index[i];
      j.force[k] += lambda_[at + i];
      push(j, k, lambda_[at + i]);
    }
    // a held row moves with what scripts move, a freedom with its rate
    for (size_t k = 0; k < j.rows; ++k) {
      const bool exact = !has_law(j, k) && settings_.joints == ForceJoints::kConstraint;
      double rate = exact ? 0 : j.row[k].rate;
      for (size_t e = 0; e < j.entries; ++e) {
        if (j.body[e] < moving_) continue;
        const RowBody& at_e = bodies_[j.body[e]].at;
        rate -= dot(j.row[k].entry[e].f, at_e.v) + dot(j.row[k].entry[e].t, at_e.w);
      }
      power_ += j.force[k] * rate;
    }
  }
}

void MechanismForces::add_joint_forces(std::span<const Acceleration> known,
                                       std::span<Wrench> load) {
  find_accelerations(known, load);
}

void MechanismForces::store_forces(std::span<JointState> joints) const {
  for (const Joint& j : joints_) {
    JointState& s = joints[j.slot];
    if (j.model->kind == JointKind::kBlackBox) {
      const RowBody* const at[4] = {&bodies_[j.body[0]].at, &bodies_[j.body[1]].at};
      store_black_box_force(*j.model, at, {j.row, j.rows}, {j.force, j.rows}, s);
      continue;
    }
    for (size_t k = 0; k < j.rows; ++k) s.force[k] = s.lambda[k] = j.force[k];
  }
}

void MechanismForces::respond(std::span<const Wrench> load, std::span<Motion> change) {
  for (uint32_t b = 0; b < moving_; ++b) {
    const Body& body = bodies_[b];
    motion_[b] = {body.mass->inv_mass * load[body.slot].force,
                  body.inv_I_W * load[body.slot].torque};
  }
  meet(Ask::kNothing, {});
  for (uint32_t b = 0; b < moving_; ++b) change[bodies_[b].slot] = motion_[b];
}

void MechanismForces::project_velocities(std::span<BodyState> state) {
  if (settings_.joints != ForceJoints::kConstraint) return;
  for (uint32_t b = 0; b < moving_; ++b) motion_[b] = {bodies_[b].at.v, bodies_[b].at.w};
  meet(Ask::kRate, {});
  for (uint32_t b = 0; b < moving_; ++b) {
    BodyState& s = state[bodies_[b].slot];
    s.v_WC = motion_[b].v;
    if (!bodies_[b].turns) continue;
    s.L_W = angular_momentum(s.q_WB, bodies_[b].mass->I_B, motion_[b].w);
    s.w_WB = angular_velocity(s.q_WB, bodies_[b].mass->inv_I_B, s.L_W);
  }
}

double MechanismForces::project_positions(std::span<BodyState> state,
                                          std::span<const JointState> joints, double since) {
  constexpr int kMostRounds = 12;
  constexpr double kRoundOff = 1e-14;
  const auto measure = [&] {
    double worst = 0;
    for (const Joint& j : joints_) {
      for (size_t i = 0; i < j.active; ++i) {
        const double size = is_length(j, j.index[i]) ? j.size : 1;
        worst = std::max(worst, std::fabs(j.gap[i]) / size);
      }
    }
    return worst;
  };
  double worst = measure();
  if (settings_.joints != ForceJoints::kConstraint) return worst;
  std::vector<BodyState> before(moving_);
  for (int round = 0; round < kMostRounds && worst > kRoundOff; ++round) {
    std::fill(motion_.begin(), motion_.end(), Motion{});
    meet(Ask::kGap, {});
    for (uint32_t b = 0; b < moving_; ++b) {
      BodyState& s = state[bodies_[b].slot];
      before[b] = s;
      // no more than a radian at once: the rows are linear for less only
      const double turn = norm(motion_[b].w);
      const double part = turn > 1 ? 1 / turn : 1;
      s.x_WC += motion_[b].v;
      if (!bodies_[b].turns) continue;
      s.q_WB = normalized(exp_map(part * motion_[b].w) * s.q_WB);
      s.w_WB = angular_velocity(s.q_WB, bodies_[b].mass->inv_I_B, s.L_W);
    }
    place(state, joints, since);
    const double now = measure();
    if (!(now < worst)) {
      // round-off, or joints that contradict each other: the better one stays
      for (uint32_t b = 0; b < moving_; ++b) state[bodies_[b].slot] = before[b];
      place(state, joints, since);
      return worst;
    }
    worst = now;
  }
  return worst;
}

void MechanismForces::count_turns(double since, std::span<JointState> joints) const {
  for (const Joint& j : joints_) {
    const RowBody* at[4] = {};
    for (size_t e = 0; e < j.entries; ++e) at[e] = &bodies_[j.body[e]].at;
    store_turns(*j.model, at, j.row, since, joints[j.slot]);
  }
}

}  // namespace tenon
