#include "tenon/engine/world/release.h"

#include "tenon/engine/world/applied_forces.h"
#include "tenon/engine/world/create_body.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// Times are rounded multiples of a step: one that misses the release by round-off is at it.
constexpr double kSameTime = 1e-9;  // of 1 s, and of the time itself

// (1)
BodyState make_released_state(const BodyState& scripted, const ScriptVelocity& velocity,
                              const BodyMass& mass) {
  const Vec3 r = rotate(scripted.q_WB, mass.com_B);
  BodyState s = scripted;
  s.x_WC = scripted.x_WC + r;
  s.v_WC = velocity.v_WB + cross(velocity.w_WB, r);
  s.L_W = angular_momentum(s.q_WB, mass.I_B, velocity.w_WB);
  s.w_WB = angular_velocity(s.q_WB, mass.inv_I_B, s.L_W);
  return s;
}

double sum_elastic_energy(const WorldData& data) {
  double sum = 0;
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (data.joint_slots.live(slot)) sum += calc_elastic_energy(data, slot);
  }
  return sum;
}

// Joints that begin to hold go on from the turns that were counted while they rested.
void wake_joints(WorldData& data, const std::vector<uint8_t>& rested) {
  for (uint32_t slot = 0; slot < rested.size(); ++slot) {
    if (rested[slot] == 0 || rests(data, data.joint_models[slot])) continue;
    JointState& state = data.joint_states[slot];
    state.lambda = state.force = {};
    set_turns(data.joint_models[slot], state.angle, state);
  }
}

std::vector<uint8_t> find_resting_joints(const WorldData& data) {
  std::vector<uint8_t> resting(data.joint_models.size(), 0);
  for (uint32_t slot = 0; slot < resting.size(); ++slot) {
    resting[slot] = data.joint_slots.live(slot) && rests(data, data.joint_models[slot]);
  }
  return resting;
}

}  // namespace

void set_released(WorldData& data, uint32_t slot, bool released) {
  BodyInfo& info = data.info[slot];
  info.released = released;
  info.motion = released ? MotionKind::kDynamic : MotionKind::kKinematic;
  data.mass[slot] = released ? info.own_mass : BodyMass{};
  for (const uint32_t id : info.colliders) {
    data.colliders[id].X_CS.p = data.colliders[id].p_BS - data.mass[slot].com_B;
  }
  attach_joints(data, slot);
  attach_forces(data, slot);
  ++data.topology;
}

void release_body(WorldData& data, uint32_t slot, double t) {
  const double elastic_J = sum_elastic_energy(data);
  const std::vector<uint8_t> rested = find_resting_joints(data);
  set_released(data, slot, true);
  const bool frozen = data.frozen[slot] != 0;
  const ScriptVelocity velocity =
      frozen ? ScriptVelocity{} : velocity_before(data.info[slot].script, t);
  data.state[slot] = make_released_state(data.state[slot], velocity, data.mass[slot]);
  data.acceleration[slot] = {};
  data.applied[slot] = {};
  wake_joints(data, rested);
  wake_all(data);
  update_proxies(data, slot);
  data.contacts_stale = true;
  data.force.active = false;

  const Mechanics m = calc_body_mechanics(data, slot);
  StepDiagnostics& d = data.diagnostics;
  d.work_J += m.kinetic_J + m.potential_J + sum_elastic_energy(data) - elastic_J;
  d.linear_impulse += m.linear_momentum;
  d.angular_impulse += m.angular_momentum;
}

void release_bodies(StepContext& context, WorldData& data) {
  const double now = context.t_begin + kSameTime * (1 + std::fabs(context.t_begin));
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    const BodyInfo& info = data.info[slot];
    if (!data.body_slots.live(slot) || !info.release || info.released) continue;
    if (*info.release > now) continue;
    release_body(data, slot, context.t_begin);
    context.begin[slot] = data.state[slot];
    data.events.push_back({EventKind::kBodyReleased,
                           data.step_count,
                           context.t_end,
                           data.body_slots.at(slot),
                           {},
                           norm(data.state[slot].v_WC)});
  }
}

}  // namespace tenon
