// Velocities that joints do not allow: a scene or an edit has given them to single bodies of a
// mechanism. They are a blow at one instant, and joints answer to it before anything else does,
//
//   v' = v - M^-1 G^T (G M^-1 G^T)^-1 (G v - rates of what is moved from outside), (1)
//
// the nearest velocities in kinetic energy that they allow: momentum is kept, and energy falls by
// what a jerk loses. Contacts and hits of the step that follows then see a mechanism; without this
// they would work on velocities that nobody ever has, and give or take any energy.
#include <algorithm>
#include <cmath>

#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// Steps end with rates of joints that are far below this part of the mechanism's speeds, so that
// only what has been edited is changed.
constexpr double kAllowed = 1e-4;

struct Speeds {
  double rate = 0;     // m/s, the largest that a joint forbids; of angles, at their joint's size
  double fastest = 0;  // m/s
};

Motion motion_of(const WorldData& data, uint32_t slot) {
  if (slot == kWorldBody) return {};
  return {data.state[slot].v_WC, data.state[slot].w_WB};
}

// How fast a pair moves along w, which acts where its frames meet.
double rate_along(const WorldData& data, const JointPair& pair, const PairFrames& x,
                  const RowWrench& w) {
  const Motion p = motion_of(data, pair.parent), c = motion_of(data, pair.child);
  return dot(w.f, c.v + cross(c.w, x.rC) - p.v - cross(p.w, x.rP + x.d)) + dot(w.t, c.w - p.w);
}

// Black boxes do not say which way they hold without being asked: any motion may be forbidden.
double forbidden_rate(const WorldData& data, const JointModel& model, double size) {
  const PairFrames x = current_frames(data, model.pairs[0]);
  const PairFrames x2 = model.pair_count == 2 ? current_frames(data, model.pairs[1]) : x;
  if (model.kind == JointKind::kBlackBox) return kInfinity;
  double largest = 0;
  for (int k = 0; k < static_cast<int>(model.row_count); ++k) {
    if (!model.scalar_row(k)) {
      const RowWrench along{x.P[static_cast<size_t>(k)], {}};
      largest = std::max(largest, std::fabs(rate_along(data, model.pairs[0], x, along)));
      continue;
    }
    const RowSpec& row = model.rows[static_cast<size_t>(k)];
    if (row.axis != kHeldRow) continue;  // a law along a freedom, which forbids nothing
    RowWrench w, w2;
    eval_row(row, x, x2, w, w2);
    const JointPair& second = model.pairs[model.pair_count == 2 ? 1 : 0];
    const double rate = rate_along(data, model.pairs[0], x, w) + rate_along(data, second, x2, w2);
    const bool turns = norm2(w.f) + norm2(w2.f) == 0;
    largest = std::max(largest, std::fabs(rate) * (turns ? size : 1));
  }
  return largest;
}

Speeds measure_speeds(const WorldData& data, const Mechanism& m) {
  Speeds s;
  for (const MechanismJoint& j : m.joints) {
    const JointModel& model = data.joint_models[j.slot];
    const double size = joint_size(data, model);
    s.rate = std::max(s.rate, forbidden_rate(data, model, size));
    for (size_t k = 0; k < model.pair_count; ++k) {
      for (const uint32_t slot : {model.pairs[k].parent, model.pairs[k].child}) {
        const Motion u = motion_of(data, slot);
        s.fastest = std::max(s.fastest, norm(u.v) + size * norm(u.w));
      }
    }
  }
  return s;
}

// Whether a kick may tear a joint: the force that it takes over a step is the load that decides, so
// the step itself has to answer.
bool may_break(const WorldData& data, const Mechanism& m) {
  return std::any_of(m.joints.begin(), m.joints.end(), [&](const MechanismJoint& j) {
    const JointDef& def = data.joint_defs[j.slot];
    return def.break_force < kInfinity || def.break_torque < kInfinity;
  });
}

void project_mechanism(const StepContext& context, WorldData& data, size_t index) {
  const Mechanism& m = context.mechanisms->list[index];
  fill_mechanism_step(context, data, index, StepEnd::kEnd);
  MechanismStep& step = context.mechanisms->steps[index];
  DirectSolver& solver = context.mechanisms->solvers[index];
  solver.begin_answer(step.bodies, step.joints, context.h, mechanism_settings(data));
  std::vector<Motion> motion;
  for (const uint32_t slot : m.body_slots) motion.push_back(motion_of(data, slot));
  solver.project(motion);
  const auto finite = [](const Motion& u) { return is_finite(u.v) && is_finite(u.w); };
  if (!std::all_of(motion.begin(), motion.end(), finite)) return;
  for (uint32_t b = 0; b < m.moving; ++b) {
    const uint32_t slot = m.body_slots[b];
    const Mechanics before = calc_body_mechanics(data, slot);
    BodyState& s = data.state[slot];
    const BodyMass& mass = data.mass[slot];
    s.v_WC = motion[b].v;
    s.L_W = angular_momentum(s.q_WB, mass.I_B, motion[b].w);
    s.w_WB = angular_velocity(s.q_WB, mass.inv_I_B, s.L_W);
    const Mechanics after = calc_body_mechanics(data, slot);
    book(data, slot,
         {after.kinetic_J - before.kinetic_J, 0, after.linear_momentum - before.linear_momentum,
          after.angular_momentum - before.angular_momentum});
  }
}

}  // namespace

void answer_kicks(StepContext& context, WorldData& data) {
  if (!data.contacts_stale) return;
  update_mechanisms(data, *context.mechanisms);
  const std::vector<Mechanism>& list = context.mechanisms->list;
  for (size_t i = 0; i < list.size(); ++i) {
    if (may_break(data, list[i])) continue;
    const Speeds s = measure_speeds(data, list[i]);
    if (s.rate > kAllowed * s.fastest) project_mechanism(context, data, i);
  }
}

}  // namespace tenon
