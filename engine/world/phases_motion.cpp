#include "tenon/engine/forces/air_drag.h"
#include "tenon/engine/forces/gravity.h"
#include "tenon/engine/integrate/free_motion.h"
#include "tenon/engine/world/applied_forces.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

constexpr size_t kBodyGrain = 256;  // bodies per task: about 50 us of work

// Sums that must not depend on the order of threads: one slot per body, added up in body order.
struct StepAccount {
  double work_J = 0;
  Vec3 impulse, angular_impulse;
  bool froze = false;
};

// Work and impulses of the wrench over the step. Gravity is in the potential energy, so only the
// applied part does work.
StepAccount account_for(const BodyState& before, const BodyState& after, const BodyMass& body,
                        const Wrench& total, const Wrench& applied, double h) {
  StepAccount a;
  a.work_J = dot(applied.force, after.x_WC - before.x_WC) +
             work_of_torque(before, after, body, applied.torque, h);
  a.impulse = h * total.force;
  a.angular_impulse = angular_impulse_of_force(before, total.force, h) + h * total.torque;
  return a;
}

// The two half kicks of the drag: from start to before, and from v_free to after.
void add_drag(StepAccount& a, double mass, const BodyState& start, const BodyState& before,
              const BodyState& after, const Vec3& v_free) {
  const Vec3 first = mass * (before.v_WC - start.v_WC), second = mass * (after.v_WC - v_free);
  a.work_J += 0.5 * mass * (norm2(before.v_WC) - norm2(start.v_WC));
  a.work_J += 0.5 * mass * (norm2(after.v_WC) - norm2(v_free));
  a.impulse += first + second;
  a.angular_impulse += cross(start.x_WC, first) + cross(after.x_WC, second);
}

StepAccount move_body(WorldData& data, uint32_t slot, double h) {
  Wrench applied = data.applied[slot];
  data.applied[slot] = {};
  // a point mass has nothing to turn
  if (data.mass[slot].moments == Vec3{}) applied.torque = {};
  Wrench total = applied;
  if (data.info[slot].gravity) add_gravity(total, data.mass[slot], data.settings.gravity);
  // half of the drag before and half after the free step: symmetric, so the step stays second order
  const BodyState start = data.state[slot];
  BodyState before = start;
  const double drag = drag_in_step(data, slot), inv_mass = data.mass[slot].inv_mass;
  before.v_WC = slow_by_drag(start.v_WC, drag, inv_mass, 0.5 * h);
  BodyState after = advance_free_body(before, data.mass[slot], total, h);
  const Vec3 v_free = after.v_WC;
  after.v_WC = slow_by_drag(v_free, drag, inv_mass, 0.5 * h);
  if (!within_limits(after)) {
    // gate: the body stays where it was last seen, its energy and momentum leave the account, and
    // the rest of the world goes on
    const Mechanics lost = calc_body_mechanics(data, slot);
    data.frozen[slot] = 1;
    BodyState& s = data.state[slot];
    s.v_WC = s.w_WB = s.L_W = {};
    return {-lost.kinetic_J - lost.potential_J, -lost.linear_momentum, -lost.angular_momentum,
            true};
  }
  data.state[slot] = after;
  StepAccount account = account_for(before, after, data.mass[slot], total, applied, h);
  if (drag > 0) add_drag(account, data.mass[slot].mass, start, before, after, v_free);
  return account;
}

void report_frozen(const StepContext& context, WorldData& data, uint32_t slot) {
  data.frozen[slot] = 1;
  ++data.diagnostics.frozen_bodies;
  data.events.push_back(
      {EventKind::kBodyFrozen, data.step_count, context.t_end, data.body_slots.at(slot), {}, 0});
}

}  // namespace

void move_kinematic_bodies(StepContext& context, WorldData& data) {
  if (data.settings.joint_solver == JointSolver::kSweep) context.kinematic_begin = data.state;
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (!data.body_slots.live(slot) || data.info[slot].motion != MotionKind::kKinematic) continue;
    if (context.kinematic_begin.empty()) context.kinematic_begin = data.state;
    BodyState& s = data.state[slot];
    const Pose X_WB = pose_at(data.info[slot].script, context.t_end);
    const ScriptVelocity velocity = velocity_at(data.info[slot].script, context.t_end);
    if (!is_finite(X_WB) || max_component(cwise_abs(X_WB.p)) > kWorldRadius) {
      // gate, as for dynamic bodies: it stays where it was last seen
      if (data.frozen[slot] == 0) report_frozen(context, data, slot);
      s.v_WC = s.w_WB = {};
      continue;
    }
    s.x_WC = X_WB.p;
    s.q_WB = X_WB.q;
    s.v_WC = velocity.v_WB;
    s.w_WB = velocity.w_WB;
  }
}

void move_free_bodies(StepContext& context, WorldData& data) {
  const size_t count = data.info.size();
  const std::vector<uint8_t>& jointed = context.mechanisms->jointed;
  std::vector<StepAccount> accounts(count);
  parallel_for(context.pool, count, kBodyGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto slot = static_cast<uint32_t>(i);
      if (!data.body_slots.live(slot) || data.info[slot].motion != MotionKind::kDynamic) continue;
      if (data.frozen[slot] != 0 || jointed[slot] != 0 || is_idle(context, slot)) continue;
      accounts[slot] = move_body(data, slot, context.h);
    }
  });
  for (uint32_t slot = 0; slot < count; ++slot) {
    const StepAccount& a = accounts[slot];
    book(data, slot, {a.work_J, 0, a.impulse, a.angular_impulse});
    if (accounts[slot].froze) report_frozen(context, data, slot);
  }
}

}  // namespace tenon
