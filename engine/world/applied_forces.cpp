#include "tenon/engine/world/applied_forces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenon/engine/forces/air_drag.h"
#include "tenon/engine/forces/random_gravity.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

bool feels_forces(const WorldData& data, uint32_t slot) {
  return data.body_slots.live(slot) && data.info[slot].motion == MotionKind::kDynamic &&
         data.frozen[slot] == 0;
}

void add_wrench(Wrench& sum, const Wrench& w) {
  sum.force += w.force;
  sum.torque += w.torque;
}

Error no_such_body(const char* which) {
  return {.message = std::string("no such body ") + which +
                     ": it was removed or belongs to another world"};
}

// Forces over [t0, t1] as constant ones, for bodies that are at t0 now.
class ForcesOfStep {
 public:
  ForcesOfStep(const WorldData& data, const Mechanisms& mechanisms, double t0, double t1, double h)
      : data_(data), mechanisms_(mechanisms), t0_(t0), t1_(t1), h_(h) {}

  // Adds to `applied`, by body slot, in which other forces may stand already.
  void add_to(std::span<Wrench> applied) const {
    for (uint32_t i = 0; i < data_.forces.size(); ++i) {
      if (data_.force_slots.live(i)) add_timed_force(data_.forces[i], applied);
    }
    if (data_.settings.gravity_noise.share > 0) add_random_gravity(applied);
    if (!(data_.settings.wind == Vec3{})) add_wind(applied);
  }

 private:
  const WorldData& data_;
  const Mechanisms& mechanisms_;
  double t0_, t1_, h_;

  // Where a body will be, as far as it is known before the step: as if it went on as now. Second
  // order in the step, like the rest of it.
  BodyState predict(uint32_t slot, double t) const {
    BodyState s = data_.state[slot];
    const BodyInfo& info = data_.info[slot];
    if (info.motion == MotionKind::kStatic || data_.frozen[slot] != 0) return s;
    if (info.motion == MotionKind::kKinematic) {
      const Pose X_WB = pose_at(info.script, t);
      s.x_WC = X_WB.p;
      s.q_WB = X_WB.q;
      return s;
    }
    s.x_WC += (t - t0_) * s.v_WC;
    s.q_WB = normalized(exp_map((t - t0_) * s.w_WB) * s.q_WB);
    return s;
  }

  void add_timed_force(const TimedForce& f, std::span<Wrench> applied) const {
    if (!feels_forces(data_, f.body)) return;
    const ScaleIntegral part = integrate_scale(f, t0_, t1_);
    if (part.value == 0) return;
    const double middle = 0.5 * (part.begin + part.end);
    const BodyState body = predict(f.body, middle);
    BodyState target;
    const bool to_body = f.target != TimedForce::kWorldTarget;
    if (to_body) target = predict(f.target, middle);
    const Wrench w = calc_unit_wrench(f, body, to_body ? &target : nullptr);
    const double mean = part.value / h_;
    add_wrench(applied[f.body], {mean * w.force, mean * w.torque});
  }

  void add_random_gravity(std::span<Wrench> applied) const {
    const Vec3 deviation =
        mean_gravity_deviation(data_.settings.gravity_noise, data_.settings.gravity, t0_, t1_);
    for (uint32_t slot = 0; slot < data_.info.size(); ++slot) {
      if (!feels_forces(data_, slot) || !data_.info[slot].gravity) continue;
      applied[slot].force += data_.mass[slot].mass * deviation;
    }
  }

  // What else accelerates a body, for (2) of air_drag.h: what is known of forces where nothing
  // holds it, and where joints do, what the last step says. Where air resistance rules, its own
  // part of that is too rough to be taken out again, and first order has to do.
  Vec3 other_acceleration(uint32_t slot, const Vec3& applied) const {
    const BodyMass& mass = data_.mass[slot];
    if (mechanisms_.jointed[slot] == 0) {
      const Vec3 gravity = data_.info[slot].gravity ? data_.settings.gravity : Vec3{};
      return gravity + mass.inv_mass * applied;
    }
    constexpr double kMostSlowed = 0.1;  // of the velocity against the air, in a step
    const Vec3 drag = mass.inv_mass * drag_force(data_.info[slot].drag, data_.state[slot].v_WC,
                                                 data_.settings.wind);
    const Vec3 u = data_.state[slot].v_WC - data_.settings.wind;
    if (h_ * norm(drag) > kMostSlowed * norm(u)) return {};
    return data_.acceleration[slot].linear - drag;
  }

  // After the other forces, which it asks for.
  void add_wind(std::span<Wrench> applied) const {
    for (uint32_t slot = 0; slot < data_.info.size(); ++slot) {
      const double k = data_.info[slot].drag;
      if (!feels_forces(data_, slot) || !(k > 0)) continue;
      const Vec3 a = other_acceleration(slot, applied[slot].force);
      applied[slot].force += mean_drag_force(k, data_.mass[slot].mass, data_.state[slot].v_WC, a,
                                             data_.settings.wind, h_);
    }
  }
};

// From the mass centres, as they are now.
TimedForce attach_force(const WorldData& data, const TimedForceDef& def) {
  const bool to_body = def.frame == ForceFrame::kToward && def.target.valid();
  const Vec3 target_com = to_body ? data.mass[def.target.index].com_B : Vec3{};
  return make_timed_force(def, data.mass[def.body.index].com_B, target_com);
}

}  // namespace

bool has_forces(const WorldData& data) {
  return data.force_slots.count() > 0 || data.settings.gravity_noise.share > 0 ||
         !(data.settings.wind == Vec3{});
}

void attach_forces(WorldData& data, uint32_t body_slot) {
  for (uint32_t i = 0; i < data.forces.size(); ++i) {
    if (!data.force_slots.live(i)) continue;
    if (data.forces[i].body != body_slot && data.forces[i].target != body_slot) continue;
    data.forces[i] = attach_force(data, data.force_defs[i]);
  }
}

Result<ForceHandle> add_force(WorldData& data, const TimedForceDef& def) {
  if (!data.body_slots.contains(def.body)) return no_such_body("to act on");
  if (Status s = check(def); !s) return s.error();
  const bool to_body = def.frame == ForceFrame::kToward && def.target.valid();
  if (to_body && !data.body_slots.contains(def.target)) return no_such_body("to point to");
  const MotionKind motion = data.info[def.body.index].motion;
  if (!is_ever_dynamic(data, def.body.index)) {
    return Error{.message = "forces act on dynamic bodies only",
                 .value = motion == MotionKind::kStatic ? "a static body" : "a kinematic body",
                 .accepted = "a dynamic body"};
  }
  TimedForce made = attach_force(data, def);
  if (ever_mass(data, def.body.index).moments == Vec3{} &&
      !(made.r_B == Vec3{} && made.torque == Vec3{})) {
    return Error{.message = "a point mass has nothing to turn",
                 .accepted = "a force at its centre of mass, without a torque"};
  }
  const ForceHandle handle = data.force_slots.create();
  if (handle.index >= data.forces.size()) {
    data.forces.resize(handle.index + 1);
    data.force_defs.resize(handle.index + 1);
  }
  data.forces[handle.index] = std::move(made);
  data.force_defs[handle.index] = def;
  return handle;
}

void remove_force(WorldData& data, ForceHandle force) {
  data.forces[force.index] = {};
  data.force_defs[force.index] = {};
  data.force_slots.remove(force);
}

void remove_forces_of(WorldData& data, uint32_t body_slot) {
  for (uint32_t i = 0; i < data.forces.size(); ++i) {
    if (!data.force_slots.live(i)) continue;
    if (data.forces[i].body != body_slot && data.forces[i].target != body_slot) continue;
    remove_force(data, data.force_slots.at(i));
  }
}

void add_forces_at(const WorldData& data, double inside, double t,
                   std::span<const BodyState> states, std::span<Wrench> wrenches) {
  for (uint32_t i = 0; i < data.forces.size(); ++i) {
    if (!data.force_slots.live(i) || !feels_forces(data, data.forces[i].body)) continue;
    const TimedForce& f = data.forces[i];
    add_wrench(wrenches[f.body], calc_wrench(f, scale_in_piece(f, inside, t), states));
  }
  if (data.settings.gravity_noise.share == 0) return;
  const Vec3 deviation =
      gravity_deviation_at(data.settings.gravity_noise, data.settings.gravity, t);
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (!feels_forces(data, slot) || !data.info[slot].gravity) continue;
    wrenches[slot].force += data.mass[slot].mass * deviation;
  }
}

double next_force_break(const WorldData& data, double t, double gap) {
  double next = std::numeric_limits<double>::infinity();
  for (uint32_t i = 0; i < data.forces.size(); ++i) {
    if (data.force_slots.live(i)) next = std::min(next, next_break(data.forces[i], t + gap));
  }
  // cubics between fresh numbers
  if (data.settings.gravity_noise.share > 0) {
    next = std::min(next, (std::floor(kGravityNoiseRate * (t + gap)) + 1) / kGravityNoiseRate);
  }
  return next;
}

void apply_forces_of_step(StepContext& context, WorldData& data) {
  data.coming.clear();
  if (!has_forces(data)) return;
  update_mechanisms(data, *context.mechanisms);
  context.given = data.applied;
  ForcesOfStep(data, *context.mechanisms, context.t_begin, context.t_end, context.h)
      .add_to(data.applied);
  data.coming.resize(data.info.size());
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    data.coming[slot] =
        data.mass[slot].inv_mass * (data.applied[slot].force - context.given[slot].force);
  }
}

void expect_forces(const StepContext& context, WorldData& data, double t) {
  data.coming.clear();
  if (!has_forces(data)) return;
  const double h = data.settings.step;
  std::vector<Wrench> wrenches(data.info.size());
  ForcesOfStep(data, *context.mechanisms, t, t + h, h).add_to(wrenches);
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    data.coming.push_back(data.mass[slot].inv_mass * wrenches[slot].force);
  }
}

}  // namespace tenon
