// JointSolver::kSweep: all bodies of the world step together, joints and contacts in one sweep
// (engine/solve_contact/faithful/step.h). First order in h.
#include <algorithm>

#include "tenon/engine/forces/air_drag.h"
#include "tenon/engine/forces/gravity.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/engine/world/applied_forces.h"
#include "tenon/engine/world/faithful_joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// Work and impulses from outside, angular ones about the world origin.
struct ForceAccount {
  double work_J = 0;
  Vec3 impulse, angular_impulse;
};

// Air resistance, gravity, applied forces: impulses at time n. Gravity is in the potential energy,
// so it does no work here; the others do what they add to the kinetic energy.
void apply_forces(const WorldData& data, double h, faithful::Body& s, ForceAccount& account) {
  const BodyMass& mass = data.mass[s.slot];
  const BodyInfo& info = data.info[s.slot];
  const Vec3 v_start = s.v;
  s.v = slow_by_drag(s.v, drag_in_step(data, s.slot), mass.inv_mass, h);
  account.work_J += 0.5 * mass.mass * (norm2(s.v) - norm2(v_start));
  Wrench applied = data.applied[s.slot];
  if (mass.moments == Vec3{}) applied.torque = {};  // a point mass has nothing to turn
  Wrench total = applied;
  if (info.gravity) add_gravity(total, mass, data.settings.gravity);

  const Vec3 v_before = s.v, w_before = s.w;
  s.v += (h * mass.inv_mass) * total.force;
  s.L += h * total.torque;
  s.w = s.inv_I * s.L;
  account.work_J +=
      0.5 * h * (dot(applied.force, v_before + s.v) + dot(applied.torque, w_before + s.w));
  const Vec3 impulse = mass.mass * (s.v - v_start);
  account.impulse += impulse;
  account.angular_impulse += cross(s.x, impulse) + h * total.torque;
}

void set_gyro(const WorldData& data, double h, faithful::Body& b) {
  if (data.settings.faithful.free_rotation) b.gyro = calc_gyro(b, data.mass[b.slot], h);
}

faithful::Body make_finite(const WorldData& data, uint32_t slot, double h) {
  const BodyState& s = data.state[slot];
  const BodyMass& mass = data.mass[slot];
  faithful::Body b;
  b.slot = slot;
  b.infinite = false;
  b.v = s.v_WC;
  b.L = s.L_W;
  b.inv_mass = mass.inv_mass;
  b.inv_I_B = mass.inv_I_B;
  b.size2 = max_component(mass.moments) * mass.inv_mass;
  faithful::place(b, s.x_WC, s.q_WB);
  faithful::Body after = b;
  ForceAccount unused;
  apply_forces(data, h, after, unused);
  b.dv = after.v - b.v;
  b.dL = after.L - b.L;
  set_gyro(data, h, b);
  return b;
}

faithful::Body make_infinite(const StepContext& context, const WorldData& data, uint32_t slot) {
  const BodyState& s = data.state[slot];
  faithful::Body b;
  b.slot = slot;
  b.end = {s.x_WC, s.q_WB};
  const bool scripted = data.info[slot].motion == MotionKind::kKinematic;
  const BodyState& begin = scripted ? context.kinematic_begin[slot] : s;
  faithful::place(b, begin.x_WC, begin.q_WB);
  if (!scripted || data.frozen[slot] != 0) return b;
  const ScriptVelocity mean = mean_velocity(data.info[slot].script, context.t_begin, context.t_end);
  b.v = mean.v_WB;
  b.w = mean.w_WB;
  return b;
}

// The world's broad phase with boxes that cover the way of the step, and its forces.
class WorldSurroundings final : public faithful::Surroundings {
 public:
  WorldSurroundings(const StepContext& context, WorldData& data)
      : context_(context), data_(data), collider_index_(data.colliders.size(), 0) {}

  void add_colliders(faithful::Step& step) {
    std::vector<uint32_t> index_of(data_.info.size(), faithful::kNoBody);
    for (uint32_t i = 0; i < step.bodies.size(); ++i) index_of[step.bodies[i].slot] = i;
    for (uint32_t id = 0; id < data_.colliders.size(); ++id) {
      if (!data_.collider_slots.live(id)) continue;
      const Collider& c = data_.colliders[id];
      collider_index_[id] = static_cast<uint32_t>(step.colliders.size());
      ids_.push_back(id);
      step.colliders.push_back(
          {&c.shape, c.X_CS, index_of[c.body], c.margin, bounding_radius(c.shape), size(c.shape)});
    }
    colliders_ = step.colliders;
  }

  void find_pairs(std::span<const faithful::Body> bodies,
                  std::vector<faithful::ColliderPair>& pairs) override {
    for (size_t i = 0; i < ids_.size(); ++i) {
      const faithful::Collider& c = colliders_[i];
      const faithful::Body& b = bodies[c.body];
      if (data_.info[b.slot].motion == MotionKind::kStatic) continue;
      const Transform now = Transform{to_matrix(b.q), b.x} * c.X_CS, next = b.next * c.X_CS;
      const Aabb box = merge(calc_bounds(*c.shape, now), calc_bounds(*c.shape, next));
      const Aabb inflated = inflate(box, c.margin);
      // what has left all bounds is stopped at the end of the step
      if (BroadPhase::accepts(inflated)) data_.broad_phase.move(ids_[i], inflated);
    }
    const std::vector<uint64_t>& joined = context_.mechanisms->apart;
    for (const ProxyPair& p : data_.broad_phase.update_pairs()) {
      const Collider &a = data_.colliders[p.a], &b = data_.colliders[p.b];
      if (a.sensor || b.sensor || !may_touch(data_, a, b)) continue;
      const uint64_t pair = pair_key(a.body, b.body);
      const std::vector<uint64_t>& separated = data_.separated;
      if (std::binary_search(joined.begin(), joined.end(), pair)) continue;
      if (std::binary_search(separated.begin(), separated.end(), pair)) continue;
      pairs.push_back({collider_index_[p.a], collider_index_[p.b],
                       data_.materials.mix(a.material, b.material)});
    }
  }

  void apply_forces(std::span<faithful::Body> bodies) override {
    for (faithful::Body& b : bodies) {
      if (b.infinite) continue;
      tenon::apply_forces(data_, context_.h, b, account);
      b.dv = b.dL = {};
      set_gyro(data_, context_.h, b);
    }
  }

  ForceAccount account;

 private:
  const StepContext& context_;
  WorldData& data_;
  std::vector<uint32_t> collider_index_;  // by collider slot
  std::vector<uint32_t> ids_;             // the other way round
  std::span<const faithful::Collider> colliders_;
};

// Finite bodies first, as FaithfulJoints wants them.
void add_bodies(const StepContext& context, const WorldData& data, faithful::Step& step) {
  const auto finite = [&](uint32_t slot) { return moves_by_itself(data, slot); };
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (data.body_slots.live(slot) && finite(slot)) {
      step.bodies.push_back(make_finite(data, slot, context.h));
    }
  }
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (data.body_slots.live(slot) && !finite(slot)) {
      step.bodies.push_back(make_infinite(context, data, slot));
    }
  }
}

void store_bodies(StepContext& context, WorldData& data, const faithful::Step& step) {
  for (const faithful::Body& b : step.bodies) {
    if (b.infinite) continue;
    data.applied[b.slot] = {};
    BodyState after{b.x, b.q, b.v, b.w, b.L};
    if (data.mass[b.slot].moments == Vec3{}) after.L_W = after.w_WB = {};
    if (within_limits(after)) {
      data.state[b.slot] = after;
    } else {
      freeze_jointed_body(context, data, b.slot);
    }
  }
}

}  // namespace

void step_faithful(StepContext& context, WorldData& data) {
  clear_joint_counters(data);
  update_mechanisms(data, *context.mechanisms);
  data.contacts.clear();  // their impulses are for the next step of the direct solver only
  faithful::Step step;
  step.h = context.h;
  step.settings = data.settings.faithful;
  step.settings.contact.sweeps = data.settings.sweeps;
  add_bodies(context, data, step);
  WorldSurroundings surroundings(context, data);
  surroundings.add_colliders(step);
  step.surroundings = &surroundings;
  FaithfulJoints joints(context, data, step.bodies);
  if (joints.count() > 0) step.joints = &joints;
  faithful::run(step);

  joints.store(data);
  StepDiagnostics& d = data.diagnostics;
  d.joint_iterations = static_cast<uint32_t>(step.counts.joint_sweeps);
  const FaithfulJoints::Given given = joints.given();
  d.work_J += surroundings.account.work_J + step.account.work_J + given.work_J;
  d.linear_impulse += surroundings.account.impulse + step.account.impulse + given.impulse;
  d.angular_impulse +=
      surroundings.account.angular_impulse + step.account.angular_impulse + given.angular_impulse;
  store_bodies(context, data, step);
  break_joints(context, data);
}

}  // namespace tenon
