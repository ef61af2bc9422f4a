#include "tenon/engine/world/faithful_joints.h"

#include <algorithm>
#include <string>

#include "tenon/engine/world/joints.h"

namespace tenon {
namespace {

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

FaithfulJoints::FaithfulJoints(const StepContext& context, WorldData& data,
                               std::span<const faithful::Body> bodies)
    : h_(context.h) {
  settings_.sweeps = settings_.velocity_sweeps = data.settings.sweeps;
  std::vector<BodyState> states = data.state;
  std::vector<uint8_t> infinite(states.size(), 1);
  std::vector<Pose> ends(states.size());
  std::vector<uint32_t> finite_slots;
  for (const faithful::Body& b : bodies) {
    states[b.slot] = {b.x, b.q, b.v, b.w, b.L};
    infinite[b.slot] = b.infinite;
    ends[b.slot] = b.end;
    if (!b.infinite) finite_slots.push_back(b.slot);
  }
  finite_ = finite_slots.size();
  const std::vector<Mechanism>& list = context.mechanisms->list;
  for (uint32_t i = 0; i < list.size(); ++i) {
    for (const MechanismJoint& j : list[i].joints) {
      joint_slots_.push_back(j.slot);
      mechanism_.push_back(i);
    }
  }
  prepare_sweep({states, data.mass, infinite, ends, data.joint_models, finite_slots, joint_slots_,
                 data.joint_states},
                work_);
  for (const SweepJoint& j : work_.joints) {
    const auto known = [&](uint32_t index) { return index < finite_ ? index : faithful::kNoBody; };
    ends_.push_back({known(j.parent), known(j.child)});
  }
}

void FaithfulJoints::read(std::span<const faithful::Body> bodies, uint32_t index) {
  if (index >= finite_) return;
  const faithful::Body& from = bodies[index];
  SweepBody& to = work_.bodies[index];
  to.v = from.v;
  to.w = from.w;
  to.L = from.L;
  to.gyro = from.gyro;
}

void FaithfulJoints::write(std::span<faithful::Body> bodies, uint32_t index) const {
  if (index >= finite_) return;
  const SweepBody& from = work_.bodies[index];
  faithful::Body& to = bodies[index];
  to.v = from.v;
  to.w = from.w;
  to.L = from.L;
}

void FaithfulJoints::prestabilize(std::span<faithful::Body> bodies, size_t joint, double epsilon) {
  const SweepJoint& j = work_.joints[joint];
  for (const uint32_t index : {j.parent, j.child}) read(bodies, index);
  const SweepSolve solve = solve_joint_position(work_, joint, h_, epsilon, settings_);
  counts_.newton_iterations += solve.iterations;
  counts_.skipped += solve.status == SweepSolve::Status::kNotFinite;
  for (const uint32_t index : {j.parent, j.child}) write(bodies, index);
}

std::vector<uint8_t> FaithfulJoints::choose(std::span<const faithful::Body> bodies,
                                            Which which) const {
  std::vector<uint8_t> chosen(ends_.size(), which == Which::kAll);
  if (which == Which::kAll || chosen.empty()) return chosen;
  std::vector<uint8_t> mechanisms(mechanism_.back() + 1, 0);
  for (size_t j = 0; j < ends_.size(); ++j) {
    for (const uint32_t index : {ends_[j].parent, ends_[j].child}) {
      if (index == faithful::kNoBody) continue;
      const faithful::Body& b = bodies[index];
      if (which == Which::kHit ? b.hit : b.pushed) mechanisms[mechanism_[j]] = 1;
    }
  }
  for (size_t j = 0; j < ends_.size(); ++j) chosen[j] = mechanisms[mechanism_[j]];
  return chosen;
}

void FaithfulJoints::post_stabilize(std::span<faithful::Body> bodies, Which which) {
  if (work_.joints.empty()) return;
  for (uint32_t i = 0; i < finite_; ++i) read(bodies, i);
  sweep_velocities(work_, h_, settings_.velocity_sweeps, counts_, choose(bodies, which));
  for (uint32_t i = 0; i < finite_; ++i) write(bodies, i);
}

void FaithfulJoints::moved(std::span<const faithful::Body> bodies) {
  for (uint32_t i = 0; i < work_.bodies.size(); ++i) {
    SweepBody& b = work_.bodies[i];
    b.x = i < finite_ ? bodies[i].x : b.x_end;
    b.q = i < finite_ ? bodies[i].q : b.q_end;
    read(bodies, i);
  }
  update_frames(work_);
}

// Pre-stabilization of bodies that do not move, over a step of any length: what it finds as
// velocities are the displacements wanted.
void FaithfulJoints::repair(std::span<faithful::Body> bodies, Which which) {
  const std::vector<uint8_t> chosen = choose(bodies, which);
  if (std::find(chosen.begin(), chosen.end(), 1) == chosen.end()) return;
  moved(bodies);  // by push-out
  save();
  for (uint32_t i = 0; i < finite_; ++i) {
    SweepBody& b = work_.bodies[i];
    b.v = b.w = b.L = b.gyro = {};
  }
  for (int sweep = 1; sweep <= settings_.sweeps; ++sweep) {
    const double epsilon = static_cast<double>(sweep) / settings_.sweeps;
    for (size_t joint = 0; joint < chosen.size(); ++joint) {
      if (chosen[joint] != 0) solve_joint_position(work_, joint, h_, epsilon, settings_);
    }
  }
  integrate(work_, h_);
  restore();
  for (size_t joint = 0; joint < chosen.size(); ++joint) {
    if (chosen[joint] == 0) continue;
    for (const uint32_t index : {ends_[joint].parent, ends_[joint].child}) {
      if (index == faithful::kNoBody) continue;
      faithful::place(bodies[index], work_.bodies[index].x, work_.bodies[index].q);
    }
  }
  moved(bodies);
}

void FaithfulJoints::save() { saved_ = work_; }

void FaithfulJoints::restore() {
  for (size_t i = 0; i < work_.bodies.size(); ++i) {
    work_.bodies[i].taken_impulse = saved_.bodies[i].taken_impulse;
    work_.bodies[i].taken_angular_impulse = saved_.bodies[i].taken_angular_impulse;
    work_.bodies[i].taken_work = saved_.bodies[i].taken_work;
  }
  for (size_t i = 0; i < work_.joints.size(); ++i) {
    work_.joints[i].impulse = saved_.joints[i].impulse;
    work_.joints[i].angular_impulse = saved_.joints[i].angular_impulse;
  }
}

void FaithfulJoints::store(WorldData& data) {
  for (size_t i = 0; i < joint_slots_.size(); ++i) {
    const JointModel& model = data.joint_models[joint_slots_[i]];
    JointState& state = data.joint_states[joint_slots_[i]];
    store_coordinates(work_, i, state);
    store_reaction(work_, i, h_, state);
    state.force = state.lambda;
    if (model.kind != JointKind::kBlackBox) continue;
    // black boxes have no coordinates but their deviation, relative to the size of the bodies
    const SweepError error = calc_joint_error(work_, i);
    state.coordinate = {};
    state.coordinate[0] = error.gap / joint_size(data, model);
    state.coordinate[1] = error.angle;
  }
}

FaithfulJoints::Given FaithfulJoints::given() const {
  Given given;
  for (const SweepBody& b : work_.bodies) {
    if (!b.infinite) continue;
    given.impulse -= b.taken_impulse;
    given.angular_impulse -= b.taken_angular_impulse;
    given.work_J -= b.taken_work;
  }
  return given;
}

}  // namespace tenon
