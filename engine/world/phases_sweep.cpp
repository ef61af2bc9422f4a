// kMechanisms with JointSolver::kSweep: the method of [Weinstein2006], see sweep.h for its limits.
//
// Forces change velocities at the begin of the step, then joints do, then bodies move by them (the
// order of [Weinstein2006, sec. VI] without contacts): first order in h.
#include <algorithm>
#include <string>

#include "tenon/engine/forces/air_drag.h"
#include "tenon/engine/forces/gravity.h"
#include "tenon/engine/solve_articulated/sweep.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// Work and impulses from outside, angular ones about the world origin.
struct SweepAccount {
  double work_J = 0;
  Vec3 impulse, angular_impulse;
};

// By body slot: what the sweeps of all mechanisms read and write; each writes its own bodies.
struct SweepArrays {
  std::vector<BodyState> states;
  std::vector<uint8_t> infinite;
  std::vector<Pose> ends;
};

SweepArrays begin_sweep(const StepContext& context, const WorldData& data) {
  SweepArrays a;
  a.states = data.state;
  a.infinite.assign(data.info.size(), 0);
  a.ends.resize(data.info.size());
  for (uint32_t slot = 0; slot < a.states.size(); ++slot) {
    const MotionKind motion = data.info[slot].motion;
    a.infinite[slot] = motion != MotionKind::kDynamic || data.frozen[slot] != 0;
    a.ends[slot] = {data.state[slot].x_WC, data.state[slot].q_WB};
    if (motion != MotionKind::kKinematic) continue;
    // where it was; its velocity is the mean over the step
    a.states[slot].x_WC = context.kinematic_begin[slot].x_WC;
    a.states[slot].q_WB = context.kinematic_begin[slot].q_WB;
    if (data.frozen[slot] != 0) continue;
    const ScriptVelocity mean =
        mean_velocity(data.info[slot].script, context.t_begin, context.t_end);
    a.states[slot].v_WC = mean.v_WB;
    a.states[slot].w_WB = mean.w_WB;
  }
  return a;
}

// Air resistance, gravity, applied forces: impulses at time n. Gravity is in the potential energy,
// so it does no work here; the others do what they add to the kinetic energy.
void apply_forces(const StepContext& context, const WorldData& data, uint32_t slot, BodyState& s,
                  SweepAccount& account) {
  const BodyMass& mass = data.mass[slot];
  const double h = context.h;
  const Vec3 v_start = s.v_WC;
  s.v_WC = slow_by_drag(s.v_WC, data.info[slot].drag, mass.inv_mass, h);
  account.work_J += 0.5 * mass.mass * (norm2(s.v_WC) - norm2(v_start));
  Wrench applied = data.applied[slot];
  if (mass.moments == Vec3{}) applied.torque = {};  // a point mass has nothing to turn
  Wrench total = applied;
  if (data.info[slot].gravity) add_gravity(total, mass, data.settings.gravity);

  const Vec3 v_before = s.v_WC, w_before = s.w_WB;
  s.v_WC += (h * mass.inv_mass) * total.force;
  s.L_W += h * total.torque;
  s.w_WB = angular_velocity(s.q_WB, mass.inv_I_B, s.L_W);
  account.work_J +=
      0.5 * h * (dot(applied.force, v_before + s.v_WC) + dot(applied.torque, w_before + s.w_WB));
  const Vec3 impulse = mass.mass * (s.v_WC - v_start);
  account.impulse += impulse;
  account.angular_impulse += cross(s.x_WC, impulse) + h * total.torque;
}

struct SweepRun {
  SweepAccount account;
  SweepResult result;
};

void sweep_mechanism(const StepContext& context, WorldData& data, const Mechanism& m,
                     SweepArrays& arrays, SweepRun& run) {
  const std::span<const uint32_t> moving(m.body_slots.data(), m.moving);
  for (const uint32_t slot : moving) {
    apply_forces(context, data, slot, arrays.states[slot], run.account);
  }
  std::vector<uint32_t> joint_slots;
  for (const MechanismJoint& j : m.joints) joint_slots.push_back(j.slot);
  SweepMechanism mechanism{arrays.states,     data.mass, arrays.infinite, arrays.ends,
                           data.joint_models, moving,    joint_slots,     data.joint_states};
  SweepSettings settings;
  settings.sweeps = settings.velocity_sweeps = data.settings.sweeps;
  SweepWork work;
  run.result = sweep_step(mechanism, context.h, settings, work, {});
  run.account.work_J += run.result.outside_work;
  run.account.impulse += run.result.outside_impulse;
  run.account.angular_impulse += run.result.outside_angular_impulse;
  for (const uint32_t slot : joint_slots) {
    data.joint_states[slot].force = data.joint_states[slot].lambda;
  }
  for (const uint32_t slot : moving) {
    if (data.mass[slot].moments == Vec3{}) arrays.states[slot].L_W = {};
  }
  // black boxes have no coordinates but their deviation, relative to the size of the bodies
  for (size_t i = 0; i < joint_slots.size(); ++i) {
    const JointModel& model = data.joint_models[joint_slots[i]];
    if (model.kind != JointKind::kBlackBox) continue;
    const SweepError error = calc_joint_error(work, i);
    JointState& state = data.joint_states[joint_slots[i]];
    state.coordinate = {};
    state.coordinate[0] = error.gap / joint_size(data, model);
    state.coordinate[1] = error.angle;
  }
}

Error refusal(const JointDef& def, const std::string& what) {
  return {.message = std::string("the joint solver 'sweep' cannot honour ") + what + " (" +
                     name(def.kind) + " joint)",
          .accepted =
              "held directions, limits without restitution, cones and breaking; or the "
              "joint solver 'direct'"};
}

}  // namespace

Status check_sweep_joint(const JointDef& def) {
  if (def.kind == JointKind::kGear) return refusal(def, "gears");
  for (int k = 0; k < kJointAxisCount; ++k) {
    const JointAxisDef& a = def.axes[static_cast<size_t>(k)];
    const std::string place = std::string(" on ") + name(static_cast<JointAxis>(k));
    if (a.motor.kind != Motor::Kind::kNone) return refusal(def, "a motor" + place);
    if (a.stiffness > 0) return refusal(def, "a spring" + place);
    if (a.damping > 0) return refusal(def, "a damper" + place);
    if (a.friction > 0) return refusal(def, "friction" + place);
    const bool limited = a.min > -kInfinity || a.max < kInfinity;
    if (limited && a.restitution > 0) return refusal(def, "restitution at a limit" + place);
  }
  return Ok{};
}

void sweep_mechanisms(StepContext& context, WorldData& data) {
  const std::vector<Mechanism>& list = context.mechanisms->list;
  if (list.empty()) return;
  SweepArrays arrays = begin_sweep(context, data);
  std::vector<SweepRun> runs(list.size());
  parallel_for(context.pool, list.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) sweep_mechanism(context, data, list[i], arrays, runs[i]);
  });
  StepDiagnostics& d = data.diagnostics;
  for (size_t i = 0; i < list.size(); ++i) {
    d.joint_iterations =
        std::max(d.joint_iterations, static_cast<uint32_t>(runs[i].result.counts.sweeps));
    d.work_J += runs[i].account.work_J;
    d.linear_impulse += runs[i].account.impulse;
    d.angular_impulse += runs[i].account.angular_impulse;
    for (uint32_t b = 0; b < list[i].moving; ++b) {
      const uint32_t slot = list[i].body_slots[b];
      data.applied[slot] = {};
      if (within_limits(arrays.states[slot])) {
        data.state[slot] = arrays.states[slot];
      } else {
        freeze_jointed_body(context, data, slot);
      }
    }
  }
}

}  // namespace tenon
