// Assembly, velocities that fit, and dragging.
#include <cmath>
#include <string>

#include "tenon/engine/world/assemble_world.h"
#include "tenon/engine/world/displaced.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/match_velocities.h"
#include "tenon/engine/world/world_impl.h"

namespace tenon {
namespace {

constexpr double kDragWeights = 50;  // of what hangs together: brisk, and no match for a wall

Status check_drag(const WorldData& data, const DragDef& def) {
  if (!data.body_slots.contains(def.body)) {
    return Error{.message = "no such body to drag",
                 .accepted = "the handle of a body of this world"};
  }
  if (data.info[def.body.index].motion != MotionKind::kDynamic) {
    return Error{.message = "a body that does not move by itself cannot be dragged",
                 .accepted = "a dynamic body"};
  }
  if (!def.position && !def.orientation) {
    return Error{.message = "a drag leads nothing", .accepted = "position, orientation, or both"};
  }
  if (def.orientation && data.mass[def.body.index].inv_I_B == Mat3{}) {
    return Error{.message = "a point mass cannot be turned", .accepted = "position"};
  }
  if (!is_finite(def.point_B)) return Error{.message = "the point of a drag is not finite"};
  const bool fine = def.weight > 0 && def.weight <= 1e6 && def.max_force >= 0 &&
                    std::isfinite(def.max_force) && def.frequency_hz > 0 && def.frequency_hz <= 1e6;
  if (!fine) {
    return Error{.message = "a number of a drag is out of range",
                 .accepted = "weight and frequency above 0 up to 1e6, a force of 0 or more"};
  }
  return Ok{};
}

// All that moves with a body through joints.
double hanging_mass(const WorldData& data, uint32_t body) {
  const std::vector<uint8_t> displaceable = find_displaceable(data, {});
  const uint32_t loners[] = {body};
  for (const DisplacedMechanism& m :
       find_displaced(data, displaceable, loners, displacement::Metric::kMass)) {
    const uint32_t at = m.find(body);
    if (at == DisplacedMechanism::kNoBody || m.bodies[at].inv_mass == 0) continue;
    double sum = 0;
    for (const displacement::Body& b : m.bodies) sum += b.inv_mass > 0 ? 1 / b.inv_mass : 0;
    return sum;
  }
  return data.mass[body].mass;
}

// A tracker that pulls: position motors along and about all axes that it leads.
JointDef make_tracker(const WorldData& data, const DragDef& def, const DragTarget& target,
                      double force) {
  JointDef joint;
  joint.kind = JointKind::kSixAxis;
  joint.child = def.body;
  joint.X_BC.p = def.point_B;
  if (def.orientation) joint.X_BP.q = target.orientation_W;
  const Vec3 to = rotate(conjugate(joint.X_BP.q), target.position_W);
  const double arm = std::max(data.mass[def.body.index].size, 1e-3);
  for (size_t k = 0; k < 6; ++k) {
    const bool linear = k < 3;
    if (linear ? !def.position : !def.orientation) continue;
    Motor& motor = joint.axes[k].motor;
    motor.kind = Motor::Kind::kPosition;
    motor.target = linear ? to[static_cast<int>(k)] : 0;
    motor.max_force = linear ? force : force * arm;
    motor.frequency_hz = def.frequency_hz;
  }
  return joint;
}

Error no_such_drag() { return {.message = "no such drag: it has ended"}; }

}  // namespace

Result<AssemblyReport> World::assemble(const AssemblyDef& def) {
  return assemble_world(impl_->data, def, [&](uint32_t slot, const Pose& at) {
    impl_->edit([&] { place_body(impl_->data, slot, at); }, slot, &slot);
  });
}

Result<VelocityReport> World::match_velocities(std::span<const RateTarget> rates) {
  return tenon::match_velocities(impl_->data, rates, [&](uint32_t slot, const Motion& motion) {
    const auto change = [&] {
      BodyState& s = impl_->data.state[slot];
      const BodyMass& m = impl_->data.mass[slot];
      s.v_WC = motion.v;
      s.L_W = tenon::angular_momentum(s.q_WB, m.I_B, motion.w);
      s.w_WB = tenon::angular_velocity(s.q_WB, m.inv_I_B, s.L_W);
    };
    impl_->edit(change, slot, &slot);
  });
}

bool World::contains(DragHandle drag) const { return impl_->drags.slots.contains(drag); }

Result<DragHandle> World::begin_drag(const DragDef& def) {
  WorldData& data = impl_->data;
  if (Status s = check_drag(data, def); !s) return s.error();
  Drag drag;
  drag.def = def;
  const BodyState& s = data.state[def.body.index];
  const Pose X = body_pose(s, data.mass[def.body.index].com_B);
  drag.target = {X.p + rotate(X.q, def.point_B), X.q};
  if (def.mode == DragDef::Mode::kDynamic) {
    if (!(def.max_force > 0)) {
      const double g = std::max(1.0, norm(data.settings.gravity));
      drag.def.max_force = kDragWeights * g * hanging_mass(data, def.body.index);
    }
    Result<JointHandle> joint =
        create_joint(make_tracker(data, drag.def, drag.target, drag.def.max_force));
    if (!joint) return joint.error();
    drag.joint = *joint;
  }
  const DragHandle handle = impl_->drags.slots.create();
  if (impl_->drags.drags.size() <= handle.index) impl_->drags.drags.resize(handle.index + 1);
  impl_->drags.drags[handle.index] = drag;
  return handle;
}

Result<DragReport> World::move_drag(DragHandle handle, const DragTarget& target,
                                    const DragEffort& effort) {
  if (!contains(handle)) return no_such_drag();
  if (!is_finite(target.position_W) || !is_finite(target.orientation_W) ||
      !(norm(target.orientation_W) > 0)) {
    return Error{.message = "the target of a drag is not finite",
                 .accepted = "a finite point, and a quaternion that is not zero"};
  }
  if (max_component(cwise_abs(target.position_W)) > kWorldRadius) return beyond_limits();
  if (Status s = check_effort(effort.effort, effort.budget_ms); !s) return s.error();
  if (effort.budget_ms > 0 && impl_->data.settings.clock == nullptr) {
    return Error{.message = "a time budget needs a clock",
                 .accepted = "WorldSettings::clock, or no budget"};
  }
  Drag& drag = impl_->drags.drags[handle.index];
  const DragTarget to{target.position_W, normalized(target.orientation_W)};
  if (!contains(drag.def.body)) {
    impl_->drags.slots.remove(handle);
    return no_such_drag();
  }
  if (drag.def.mode == DragDef::Mode::kKinematic) {
    return move_kinematic(impl_->data, impl_->drags, handle, to, effort,
                          [&](uint32_t slot, const Pose& at) {
                            impl_->edit([&] { place_body(impl_->data, slot, at); }, slot, &slot);
                          });
  }
  drag.target = to;
  DragReport report;
  if (!contains(drag.joint)) return report;
  if (drag.def.orientation) {
    // the frame that its angles are measured against turns with the tracker
    (void)remove_joint(drag.joint);
    Result<JointHandle> joint =
        create_joint(make_tracker(impl_->data, drag.def, to, drag.def.max_force));
    if (!joint) return joint.error();
    drag.joint = *joint;
  } else {
    const JointDef tracker = make_tracker(impl_->data, drag.def, to, drag.def.max_force);
    for (size_t k = 0; k < 3; ++k) {
      (void)set_motor(drag.joint, static_cast<JointAxis>(k), tracker.axes[k].motor);
    }
  }
  const Pose X = pose(drag.def.body);
  report.miss_m = norm(to.position_W - X.p - rotate(X.q, drag.def.point_B));
  report.miss_rad = drag.def.orientation ? norm(log_map(to.orientation_W * conjugate(X.q))) : 0;
  report.behind = report.miss_m > 0 || report.miss_rad > 0;
  return report;
}

Result<DragReport> World::settle_drag(DragHandle handle, const DragEffort& effort) {
  if (!contains(handle)) return no_such_drag();
  return move_drag(handle, impl_->drags.drags[handle.index].target, effort);
}

Result<DragReport> World::end_drag(DragHandle handle, const DragEffort& effort) {
  if (!contains(handle)) return no_such_drag();
  const Drag drag = impl_->drags.drags[handle.index];
  if (drag.def.mode == DragDef::Mode::kDynamic) {
    if (contains(drag.joint)) (void)remove_joint(drag.joint);
    impl_->drags.slots.remove(handle);
    return DragReport{};
  }
  if (!contains(drag.def.body)) {
    impl_->drags.slots.remove(handle);
    return DragReport{};
  }
  // what cannot be reached is given up: the tracker goes where the body is, joints close
  const Pose X = pose(drag.def.body);
  const DragTarget here{X.p + rotate(X.q, drag.def.point_B), X.q};
  Result<DragReport> report = move_drag(handle, here, effort);
  impl_->drags.slots.remove(handle);
  return report;
}

}  // namespace tenon
