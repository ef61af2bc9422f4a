// Editing a world in mid-run: a changed scene is built anew, and what moves in the old world goes
// on moving in the new one. Bodies keep the pose of their frame, the velocity of their material
// points and their angular velocity; where mass or inertia changed, momenta follow from these.
// Joints keep their turns, their last forces (where searches begin) and whether they broke. What
// contacts remember is found again in the next step.
#include "tenon/engine/joints/compile.h"
#include "tenon/engine/world/create_body.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/release.h"
#include "tenon/engine/world/world_impl.h"

namespace tenon {
namespace {

bool same_mass(const BodyMass& a, const BodyMass& b) {
  return a.mass == b.mass && a.com_B == b.com_B && a.I_B == b.I_B;
}

// The state of a body that was `there`, with the mass and the kind of motion that it has here.
BodyState carried_state(const WorldData& there, uint32_t from, const WorldData& here, uint32_t to,
                        double time) {
  const BodyInfo& info = here.info[to];
  if (info.motion == MotionKind::kKinematic) {
    const Pose X = pose_at(info.script, time);
    const ScriptVelocity v = velocity_at(info.script, time);
    BodyState s = here.state[to];
    s.x_WC = X.p;
    s.q_WB = X.q;
    s.v_WC = v.v_WB;
    s.w_WB = v.w_WB;
    return within_limits(s) ? s : here.state[to];
  }
  const BodyState& old = there.state[from];
  BodyState s = old;
  if (same_mass(there.mass[from], here.mass[to]) && there.info[from].motion == info.motion)
    return s;
  // the frame stays where it is; the centre of mass may be another point of the body
  const Vec3 shift = rotate(old.q_WB, here.mass[to].com_B - there.mass[from].com_B);
  s.x_WC = old.x_WC + shift;
  const bool moves = info.motion == MotionKind::kDynamic;
  s.v_WC = moves ? old.v_WC + cross(old.w_WB, shift) : Vec3{};
  if (!moves) s.w_WB = {};
  s.L_W = moves ? angular_momentum(s.q_WB, here.mass[to].I_B, s.w_WB) : Vec3{};
  return s;
}

void carry_joint(const WorldData& there, uint32_t from, WorldData& here, uint32_t to) {
  if (there.joint_defs[from].kind != here.joint_defs[to].kind) return;
  const bool enabled_here = here.joint_states[to].enabled;
  const bool switched = there.joint_defs[from].enabled != here.joint_defs[to].enabled;
  here.joint_states[to] = there.joint_states[from];
  if (switched) {
    here.joint_states[to].enabled = enabled_here;
    here.joint_states[to].broken = false;
  }
  set_gear_value(here.joint_models[to], here.joint_states[to]);
}

}  // namespace

Status World::carry_over(const World& from, const CarryOver& what) {
  const WorldData& there = from.impl_->data;
  WorldData& here = impl_->data;
  for (const auto& [a, b] : what.bodies) {
    if (!from.contains(a) || !contains(b))
      return Error{.message = "a body to carry over is not in both worlds"};
  }
  for (const auto& [a, b] : what.joints) {
    if (!from.contains(a) || !contains(b))
      return Error{.message = "a joint to carry over is not in both worlds"};
  }
  const bool same_step = there.settings.step == here.settings.step;
  here.time_base = same_step ? there.time_base : current_time(there);
  here.steps_since_base = same_step ? there.steps_since_base : 0;
  here.step_count = there.step_count;
  const double time = current_time(here);

  for (const auto& [a, b] : what.bodies) {
    if (there.info[a.index].released && here.info[b.index].release && !here.info[b.index].released)
      set_released(here, b.index, true);
    here.state[b.index] = carried_state(there, a.index, here, b.index, time);
    here.frozen[b.index] = there.frozen[a.index];
    here.acceleration[b.index] = there.acceleration[a.index];
  }
  for (const auto& [a, b] : what.joints) carry_joint(there, a.index, here, b.index);
  for (uint32_t slot = 0; slot < here.info.size(); ++slot) {
    if (here.body_slots.live(slot)) update_proxies(here, slot);
  }

  // what the change itself did to energy and momentum was done by the user
  const Mechanics before = calc_all_mechanics(there), after = calc_all_mechanics(here);
  here.diagnostics = there.diagnostics;
  here.diagnostics.phase_ms = {};
  impl_->book(before, -1);
  impl_->book(after, +1);
  ++here.topology;
  here.contacts_stale = true;
  wake_all(here);
  impl_->drop_run();
  impl_->mechanisms = {};
  impl_->structure.reset();
  impl_->diagnostics_stale = true;
  return Ok{};
}

}  // namespace tenon
