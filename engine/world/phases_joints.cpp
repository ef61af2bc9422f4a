#include <algorithm>

#include "tenon/engine/forces/gravity.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/world/applied_forces.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// Gears that are out of action let their wheels turn as they like; when they come back they mesh
// where the wheels are.
void mesh_gears(WorldData& data) {
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    JointModel& model = data.joint_models[slot];
    if (!data.joint_slots.live(slot) || model.kind != JointKind::kGear) continue;
    JointState& state = data.joint_states[slot];
    if (!acts(data, slot)) {
      state.apart = true;
    } else if (state.apart) {
      const PairFrames x = current_frames(data, model.pairs[0]);
      const PairFrames x2 = current_frames(data, model.pairs[1]);
      RowWrench w, w2;
      model.rows[0].value += eval_row(model.rows[0], x, x2, w, w2);
      const JointState fresh = make_joint_state(model, x, x2);
      state.coordinate = fresh.coordinate;
      state.apart = false;
    }
  }
}

// Bodies of one joint, and the wheels of a gear, do not touch each other unless they may.
void find_pairs_apart(const WorldData& data, Mechanisms& m) {
  m.apart.clear();
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!acts(data, slot) || data.joint_defs[slot].bodies_collide) continue;
    const JointModel& model = data.joint_models[slot];
    m.apart.push_back(pair_key(model.pairs[0].parent, model.pairs[0].child));
    if (model.pair_count == 2) {
      m.apart.push_back(pair_key(model.pairs[0].child, model.pairs[1].child));
    }
  }
  std::sort(m.apart.begin(), m.apart.end());
}

void find_world_mechanisms(WorldData& data, Mechanisms& m) {
  mesh_gears(data);
  std::vector<uint8_t> dynamic(data.info.size(), 0);
  for (uint32_t slot = 0; slot < dynamic.size(); ++slot) {
    dynamic[slot] = data.body_slots.live(slot) && data.frozen[slot] == 0 &&
                    data.info[slot].motion == MotionKind::kDynamic;
  }
  std::vector<JointRef> joints;
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!acts(data, slot)) {
      data.joint_states[slot].lambda = {};
      continue;
    }
    if (data.joint_models[slot].row_count > 0) joints.push_back({slot, &data.joint_models[slot]});
  }
  m.list = find_mechanisms(joints, dynamic);
  // Forces stay where the solver will go on from them: nothing may depend on when mechanisms were
  // found, or a run that is resumed would go another way.
  std::vector<uint8_t> solved(data.joint_models.size(), 0);
  for (const Mechanism& mechanism : m.list) {
    for (const MechanismJoint& j : mechanism.joints) solved[j.slot] = 1;
  }
  for (uint32_t slot = 0; slot < solved.size(); ++slot) {
    if (solved[slot] == 0) data.joint_states[slot].force = {};
  }
  m.solvers = std::vector<DirectSolver>(m.list.size());
  m.rattle.clear();
  m.steps.resize(m.list.size());
  m.jointed.assign(data.info.size(), 0);
  m.mechanism_of.assign(data.info.size(), 0);
  m.loose_mass.assign(m.list.size(), 0);
  for (uint32_t i = 0; i < m.list.size(); ++i) {
    m.solvers[i].reset(m.list[i]);
    const bool loose = m.list[i].body_slots.size() == m.list[i].moving;
    for (uint32_t b = 0; b < m.list[i].moving; ++b) {
      m.jointed[m.list[i].body_slots[b]] = 1;
      m.mechanism_of[m.list[i].body_slots[b]] = i;
      if (loose) m.loose_mass[i] += data.mass[m.list[i].body_slots[b]].mass;
    }
  }
  find_pairs_apart(data, m);
  m.topology = data.topology;
}

StepBody begin_body(const StepContext& context, const WorldData& data, uint32_t slot, bool moves,
                    StepEnd when) {
  StepBody b;
  if (slot == kWorldBody) return b;
  if (!moves) {
    const bool kinematic =
        data.info[slot].motion == MotionKind::kKinematic && when == StepEnd::kBegin;
    b.end = data.state[slot];
    b.begin = kinematic ? context.kinematic_begin[slot] : b.end;  // velocities: at their times
    return b;
  }
  b.mass = &data.mass[slot];
  b.begin = data.state[slot];
  Wrench total = data.applied[slot];
  const Vec3 applied = total.force;
  if (data.info[slot].gravity) add_gravity(total, data.mass[slot], data.settings.gravity);
  b.force = total.force;
  b.torque = total.torque;
  b.gravity = total.force - applied;
  b.drag = drag_in_step(data, slot);
  b.acceleration = data.acceleration[slot];
  return b;
}

}  // namespace

void update_mechanisms(WorldData& data, Mechanisms& m) {
  if (m.topology != data.topology || m.jointed.size() != data.info.size()) {
    find_world_mechanisms(data, m);
  }
}

void fill_mechanism_step(const StepContext& context, WorldData& data, size_t index, StepEnd when) {
  const Mechanism& m = context.mechanisms->list[index];
  MechanismStep& step = context.mechanisms->steps[index];
  step.bodies.clear();
  for (uint32_t b = 0; b < m.body_slots.size(); ++b) {
    step.bodies.push_back(begin_body(context, data, m.body_slots[b], b < m.moving, when));
  }
  step.joints.clear();
  for (const MechanismJoint& j : m.joints) {
    const JointModel& model = data.joint_models[j.slot];
    step.joints.push_back({&model, &data.joint_states[j.slot], joint_size(data, model)});
    if (!step.agreed.empty())
      step.joints.back().agreed = step.agreed[step.joints.size() - 1].data();
  }
}

DirectSettings mechanism_settings(const WorldData& data) {
  DirectSettings settings;
  settings.tolerance = data.settings.tolerance;
  settings.adaptive_damping = data.settings.integration != Integration::kConservative;
  return settings;
}

namespace {

void step_mechanism(const StepContext& context, WorldData& data, size_t index,
                    MechanismStep& step) {
  if (step.taken) {
    for (size_t j = 0; j < step.joints.size(); ++j) *step.joints[j].state = step.after[j];
    step.taken = false;
    return;
  }
  fill_mechanism_step(context, data, index, StepEnd::kBegin);
  const auto agreed = std::exchange(step.agreed, {});  // until the step is taken
  DirectSettings settings = mechanism_settings(data);
  if (data.settings.budget_ms > 0 && data.settings.clock != nullptr) {
    settings.clock = data.settings.clock;
    settings.deadline = data.settings.clock() + 1e-3 * data.settings.budget_ms;
  }
  step.substeps = 0;
  step.fell_back = false;
  DirectSolver& direct = context.mechanisms->solvers[index];
  if (data.settings.integration == Integration::kRattle) {
    const RattleResult r = context.mechanisms->rattle[index].step(step.bodies, step.joints,
                                                                  context.h, settings, direct);
    step.result = r.direct;
    step.substeps = r.substeps;
    step.fell_back = r.fell_back;
    return;
  }
  step.result = direct.step(step.bodies, step.joints, context.h, settings);
}

// What joints held against in the collisions before the step is part of their load.
void add_jolts(double h, MechanismStep& step) {
  for (size_t j = 0; j < step.jolts.size(); ++j) {
    auto& force = step.joints[j].state->force;
    for (size_t k = 0; k < force.size(); ++k) force[k] += step.jolts[j][k] / h;
  }
  step.jolts.clear();
}

// A step that found no finite answer: the bodies wait where they are.
void stop_mechanism(WorldData& data, const Mechanism& m) {
  for (uint32_t b = 0; b < m.moving; ++b) {
    const uint32_t slot = m.body_slots[b];
    const Mechanics before = calc_body_mechanics(data, slot);
    BodyState& s = data.state[slot];
    s.v_WC = s.w_WB = s.L_W = {};
    data.acceleration[slot] = {};
    book(data, slot, {-before.kinetic_J, 0, -before.linear_momentum, -before.angular_momentum});
  }
  for (const MechanismJoint& j : m.joints) {
    data.joint_states[j.slot].lambda = data.joint_states[j.slot].force = {};
  }
}

void store_mechanism(const StepContext& context, WorldData& data, const Mechanism& m,
                     MechanismStep& step) {
  StepDiagnostics& d = data.diagnostics;
  d.joint_iterations = std::max(d.joint_iterations, step.result.iterations);
  d.bisections += step.result.bisections;
  d.substeps = std::max(d.substeps, step.substeps);
  d.fallbacks += step.fell_back ? 1 : 0;
  d.softened_steps += step.result.softened;
  for (uint32_t b = 0; b < m.moving; ++b) data.applied[m.body_slots[b]] = {};
  if (step.result.status == StepStatus::kFailed) {
    stop_mechanism(data, m);
    step.jolts.clear();
    return;
  }
  add_jolts(context.h, step);
  book(data, m.body_slots[0],
       {step.result.work_J, 0, step.result.impulse, step.result.angular_impulse});
  for (uint32_t b = 0; b < m.moving; ++b) {
    const uint32_t slot = m.body_slots[b];
    if (within_limits(step.bodies[b].end)) {
      data.state[slot] = step.bodies[b].end;
      data.acceleration[slot] = step.bodies[b].acceleration;
    } else {
      freeze_jointed_body(context, data, slot);
    }
  }
}

}  // namespace

// Loads are averaged over break_time, an exponential mean: the same verdict at any step.
void break_joints(const StepContext& context, WorldData& data) {
  for (uint32_t slot = 0; slot < data.joint_defs.size(); ++slot) {
    if (!acts(data, slot)) continue;
    const JointPair& pair = data.joint_models[slot].pairs[0];
    if (is_left_out(context, pair.parent) || is_left_out(context, pair.child)) continue;
    const JointDef& def = data.joint_defs[slot];
    if (!(def.break_force < kInfinity) && !(def.break_torque < kInfinity)) continue;
    JointState& state = data.joint_states[slot];
    const JointReading r = read_joint(data, slot);
    const double part = 1 - tenon::exp(-context.h / def.break_time);
    state.load_force += part * (norm(r.force) - state.load_force);
    state.load_torque += part * (norm(r.torque) - state.load_torque);
    const double load =
        std::max(state.load_force / def.break_force, state.load_torque / def.break_torque);
    // joints of rules are released by their rule, at the beginning of the next step
    if (!(load > 1) || data.joint_rules[slot].rule != kNoRule) continue;
    state.broken = true;
    state.lambda = {};  // and the force that broke it is shown until the next step
    ++data.topology;
    wake_all(data);
    data.events.push_back({EventKind::kJointBroke, data.step_count, context.t_end, def.parent,
                           def.child, load, data.joint_slots.at(slot)});
  }
}

void freeze_jointed_body(const StepContext& context, WorldData& data, uint32_t slot) {
  const Mechanics lost = calc_body_mechanics(data, slot);
  book(data, slot,
       {-lost.kinetic_J - lost.potential_J, 0, -lost.linear_momentum, -lost.angular_momentum});
  data.frozen[slot] = 1;
  BodyState& s = data.state[slot];
  s.v_WC = s.w_WB = s.L_W = {};
  ++data.diagnostics.frozen_bodies;
  data.events.push_back(
      {EventKind::kBodyFrozen, data.step_count, context.t_end, data.body_slots.at(slot), {}, 0});
  ++data.topology;
  wake_all(data);
}

void measure_joints(WorldData& data, double h) {
  StepDiagnostics& d = data.diagnostics;
  d.joint_gap_m = d.joint_gap_rel = d.joint_angle_rad = 0;
  d.worst_joint = 0xffffffffu;
  d.unconverged_joints = 0;
  double worst = -1;
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!data.joint_slots.live(slot)) continue;
    const JointModel& model = data.joint_models[slot];
    const PairFrames x = current_frames(data, model.pairs[0]);
    if (h > 0) count_turns(x, data, model, h, data.joint_states[slot]);
    if (!acts(data, slot)) continue;
    const PairFrames x2 = model.pair_count == 2 ? current_frames(data, model.pairs[1]) : x;
    const JointError e = measure_joint(model, x, x2, data.joint_states[slot]);
    const double relative = e.gap_m / joint_size(data, model);
    d.joint_gap_m = std::max(d.joint_gap_m, e.gap_m);
    d.joint_gap_rel = std::max(d.joint_gap_rel, relative);
    d.joint_angle_rad = std::max(d.joint_angle_rad, e.angle_rad);
    const double largest = std::max(relative, e.angle_rad);
    if (largest > data.settings.tolerance) ++d.unconverged_joints;
    if (largest > worst) {
      worst = largest;
      d.worst_joint = slot;
    }
  }
}

namespace {

void solve_mechanisms(StepContext& context, WorldData& data) {
  Mechanisms& m = *context.mechanisms;
  if (data.settings.integration == Integration::kRattle && m.rattle.size() != m.list.size()) {
    m.rattle = std::vector<RattleSolver>(m.list.size());
    for (size_t i = 0; i < m.list.size(); ++i) m.rattle[i].reset(m.list[i]);
  }
  std::vector<MechanismStep>& steps = m.steps;
  parallel_for(context.pool, m.list.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (!is_idle(context, m.list[i].body_slots[0])) step_mechanism(context, data, i, steps[i]);
    }
  });
  for (size_t i = 0; i < steps.size(); ++i) {
    if (is_idle(context, m.list[i].body_slots[0])) continue;
    store_mechanism(context, data, m.list[i], steps[i]);
  }
}

}  // namespace

void clear_joint_counters(WorldData& data) {
  data.diagnostics.joint_iterations = data.diagnostics.bisections = 0;
  data.diagnostics.substeps = data.diagnostics.fallbacks = 0;
  data.diagnostics.softened_steps = 0;
}

void move_mechanisms(StepContext& context, WorldData& data) {
  clear_joint_counters(data);
  solve_mechanisms(context, data);
  break_joints(context, data);
}

}  // namespace tenon
