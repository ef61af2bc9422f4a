// The method `force`: the integrator's steps until a frame is behind it, and the frame from the
// last of them.
#include <algorithm>
#include <cmath>

#include "tenon/engine/integrate/free_motion.h"
#include "tenon/engine/world/force_contacts.h"
#include "tenon/engine/world/force_model.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// Events in a row that are closer together than the least step: from so many on nothing bounces any
// more; and from so many on laws contradict each other, and the run goes on past them.
constexpr uint32_t kCalmEvents = 20, kMostShortEvents = 40;

// Steps of the least length in a frame that erred more than asked for: from so many on the least
// length grows, by this factor with each, so that a frame takes no more than some hundred such
// steps, whatever jumps: a mesh that rolls on its facets would take one per microsecond.
constexpr uint32_t kFewMinimumSteps = 100;
constexpr double kLeastGrowth = 1.05;

struct Runner {
  StepContext& context;
  WorldData& data;
  ForceModel& model;
  ForceRun& run;
  double least = 1;  // times h_min, in this frame

  ForceStep contacts() { return {context, data, model, run}; }
  StepControl control() const {
    const ForceSettings& s = data.settings.force;
    return {s.accuracy, std::min(least * s.h_min, s.h_max), s.h_max};
  }
  OdeFunction equations() {
    return [this](double t, std::span<const double> y, std::span<double> dy) {
      derive(data, run.joints, t - run.ode.t, t, y, context.pool, model, dy);
    };
  }
};

// Everything as placed in the model -> where the integrator goes on.
void store_bodies(Runner& r) {
  pack_bodies(r.model, r.run.ode.y);
  if (!r.model.mechanisms.empty()) r.run.ode.k.clear();
}

// What has gone in up to the state y: to the diagnostics.
void book_sums(Runner& r, std::span<const double> y) {
  StepDiagnostics& d = r.data.diagnostics;
  const double* sums = &y[kForceBodySize * r.model.moving.size()];
  const auto since_last = [&](size_t k) { return sums[k] - r.run.booked[k]; };
  d.work_J += since_last(kWorkSum);
  d.linear_impulse += {since_last(1), since_last(2), since_last(3)};
  d.angular_impulse += {since_last(4), since_last(5), since_last(6)};
  std::copy(sums, sums + kForceSums, r.run.booked.begin());
}

// The smooth piece of the scripts that begins at t.
void set_smooth_piece(Runner& r, double t) {
  r.model.smooth_begin = t;
  r.model.smooth_end = find_next_break(r.data, t);
}

void settle_laws(Runner& r) {
  bool any = false;
  for (const MechanismForces& m : r.model.mechanisms) any = any || m.has_laws();
  if (!any) return;
  add_outer_loads(r.data, r.run.ode.t, r.model);
  add_contact_loads(r.data, r.run.ode.t, ForPurpose::kLook, r.model);
  for (MechanismForces& m : r.model.mechanisms) {
    m.settle_parts(r.model.state, r.run.joints, 0, r.model.known, r.model.load);
  }
}

// Impulses that joints gave all at once, of a mechanism that hangs on something which does not
// move. Others can only pass them on: what changes there is an error, and is left to be seen.
void add_outer_impulses(Runner& r, const MechanismForces& m,
                        const std::array<double, kForceSums>& before, double* sums) {
  if (!m.is_anchored()) return;
  const std::array<double, kForceSums> after = calc_motion_sums(r.contacts());
  for (size_t k = kImpulseSum; k < kForceSums; ++k) sums[k] += after[k] - before[k];
}

// Starts at the frame where the bodies are.
void begin_run(Runner& r, double t) {
  ForceRun& run = r.run;
  run.active = true;
  run.short_events = 0;
  run.booked = {};
  run.look_time = t;
  run.ode = {};
  run.joints = r.data.joint_states;
  reset_force_model(r.data, r.context.mechanisms->list, r.model);
  set_smooth_piece(r, t);
  std::vector<double> y(r.model.size(), 0.0);
  pack_bodies(r.model, y);
  run.ode.begin(t, y);
  place_all(r.data, t, run.ode.y, r.model);
  for (MechanismForces& m : r.model.mechanisms) {
    m.place(r.model.state, run.joints, 0);
    m.begin_parts(run.joints);
    m.place(r.model.state, run.joints, 0);
    m.project_positions(r.model.state, run.joints, 0);
    // what joints take from velocities that they do not allow is a jolt, not an error
    const std::array<double, kForceSums> before = calc_motion_sums(r.contacts());
    m.project_velocities(r.model.state);
    double* sums = &run.ode.y[kForceBodySize * r.model.moving.size()];
    sums[kWorkSum] += calc_motion_sums(r.contacts())[kWorkSum] - before[kWorkSum];
    add_outer_impulses(r, m, before, sums);
  }
  settle_laws(r);
  run.joints_before = run.joints;
  store_bodies(r);
}

// Where in the last step the first event is; its whole length where there is none.
double find_joint_event(Runner& r) {
  bool any = false;
  for (const MechanismForces& m : r.model.mechanisms) any = any || m.has_laws();
  if (!any) return kInfinity;
  const DenseStep& last = r.run.ode.last;
  const EventFunction margin = [&](double t, std::span<const double> y) {
    place_all(r.data, t, y, r.model);
    add_outer_loads(r.data, t, r.model);
    double least = kInfinity;
    for (MechanismForces& m : r.model.mechanisms) {
      m.place(r.model.state, r.run.joints, t - last.t);
    }
    add_contact_loads(r.data, t, ForPurpose::kLook, r.model);
    for (MechanismForces& m : r.model.mechanisms) {
      if (!m.has_laws()) continue;
      least = std::min(least, m.calc_margin(r.model.known, r.model.load));
    }
    return std::min(least, 1e300);
  };
  // beyond an edge from the start
  if (!(margin(last.t, last.y) > 0)) return 0;
  const std::optional<EventBracket> event = find_event(last, margin);
  return event ? event->after : kInfinity;
}

// Bodies on which no torque acted in the step keep their energy of rotation, as they keep their
// angular momentum: what is left of the error then grows with time, not with its square.
void restore_free_rotation(Runner& r) {
  const DenseStep& last = r.run.ode.last;
  bool changed = false;
  for (size_t i = 0; i < r.model.moving.size(); ++i) {
    const uint32_t slot = r.model.moving[i];
    const Mat3& inv_I = r.data.mass[slot].inv_I_B;
    const size_t at = kForceBodySize * i;
    bool free = !(inv_I == Mat3{});
    for (const std::vector<double>& k : last.k) {
      free = free && k[at + 10] == 0 && k[at + 11] == 0 && k[at + 12] == 0;
    }
    if (!free) continue;
    double* y = &r.run.ode.y[at];
    const double* before = &last.y[at];
    const Vec3 L{y[10], y[11], y[12]};
    const Quat q0 = normalized(Quat{before[3], before[4], before[5], before[6]});
    const Quat q1 = normalized(Quat{y[3], y[4], y[5], y[6]});
    const Quat q = restore_spin_energy(q1, inv_I, L, dot(L, angular_velocity(q0, inv_I, L)));
    if (q == q1) continue;
    y[3] = q.w;
    y[4] = q.x;
    y[5] = q.y;
    y[6] = q.z;
    changed = true;
  }
  if (changed) r.run.ode.k.clear();
}

// After an accepted step: positions and velocities that joints allow, turns, events, impacts.
void finish_step(Runner& r) {
  ForceRun& run = r.run;
  restore_free_rotation(r);
  const double impact = find_contact_event(r.contacts());
  if (r.model.mechanisms.empty()) {
    accept_contacts(r.contacts(), std::min(impact, 1.0));
    if (impact == kInfinity) return;
    run.ode.cut(impact);
    collide_contacts(r.contacts());
    return;
  }
  const double h_min = r.data.settings.force.h_min;
  double s = run.short_events > kMostShortEvents ? kInfinity : find_joint_event(r);
  const bool event = s < kInfinity && s <= impact;
  accept_contacts(r.contacts(), std::min({event ? s : 1, impact, 1.0}));
  run.joints_before = run.joints;
  if (event) {
    run.short_events = s * run.ode.last.h < h_min ? run.short_events + 1 : 0;
    run.ode.cut(s);
  } else {
    if (run.short_events > kMostShortEvents) ++r.data.diagnostics.minimum_steps;
    run.short_events = 0;
    if (impact < kInfinity) run.ode.cut(impact);
  }
  const double since = run.ode.t - run.ode.last.t;
  place_all(r.data, run.ode.t, run.ode.y, r.model);
  for (MechanismForces& m : r.model.mechanisms) m.place(r.model.state, run.joints, since);
  if (event) {
    add_outer_loads(r.data, run.ode.t, r.model);
    add_contact_loads(r.data, run.ode.t, ForPurpose::kLook, r.model);
  }
  double* sums = &run.ode.y[kForceBodySize * r.model.moving.size()];
  for (MechanismForces& m : r.model.mechanisms) {
    if (event && m.has_laws() && m.calc_margin(r.model.known, r.model.load) <= 0) {
      const Bouncing bouncing =
          run.short_events > kCalmEvents ? Bouncing::kOver : Bouncing::kAllowed;
      const std::array<double, kForceSums> before = calc_motion_sums(r.contacts());
      sums[kWorkSum] += m.pass_events(r.model.state, run.joints, since, bouncing);
      add_outer_impulses(r, m, before, sums);
    } else {
      m.project_positions(r.model.state, run.joints, since);
      m.project_velocities(r.model.state);
      m.place(r.model.state, run.joints, since);
    }
    m.count_turns(since, run.joints);
  }
  if (event) settle_laws(r);
  r.data.diagnostics.joint_events += event ? 1 : 0;
  store_bodies(r);
  if (!event && impact < kInfinity) {
    collide_contacts(r.contacts());
    settle_laws(r);
  }
}

// Where scripts change their velocity all at once, joints pass the jerk on.
void pass_break(Runner& r) {
  set_smooth_piece(r, r.run.ode.t);
  r.run.ode.k.clear();
  if (r.model.mechanisms.empty()) return;
  place_all(r.data, r.run.ode.t, r.run.ode.y, r.model);
  for (MechanismForces& m : r.model.mechanisms) {
    m.place(r.model.state, r.run.joints, 0);
    m.project_velocities(r.model.state);
  }
  settle_laws(r);
  store_bodies(r);
}

// No step is finite, not even the least: what is to blame stops here.
void freeze_culprits(Runner& r) {
  place_all(r.data, r.run.ode.t, r.run.ode.y, r.model);
  std::vector<double> dy(r.run.ode.y.size());
  r.equations()(r.run.ode.t, r.run.ode.y, dy);
  std::vector<uint32_t> culprits;
  for (size_t i = 0; i < r.model.moving.size(); ++i) {
    bool finite = within_limits(r.model.state[r.model.moving[i]]);
    for (size_t k = 0; k < kForceBodySize; ++k) {
      finite = finite && std::isfinite(dy[kForceBodySize * i + k]);
    }
    if (!finite) culprits.push_back(r.model.moving[i]);
  }
  if (culprits.empty()) culprits = r.model.moving;
  for (const uint32_t slot : r.model.moving) {
    if (within_limits(r.model.state[slot])) r.data.state[slot] = r.model.state[slot];
  }
  book_sums(r, r.run.ode.y);
  for (const uint32_t slot : culprits) freeze_jointed_body(r.context, r.data, slot);
}

// Scripts are smooth up to there, and users' forces act up to the end of the frame.
double find_stop(Runner& r) {
  set_smooth_piece(r, r.run.ode.t);
  double stop = std::min(r.model.smooth_end, look_for_contacts(r.contacts()));
  for (const uint32_t slot : r.model.moving) {
    const Wrench& w = r.data.applied[slot];
    if (!(w.force == Vec3{}) || !(w.torque == Vec3{})) stop = std::min(stop, r.context.t_end);
  }
  return stop;
}

// The frame: from the last step, with joints closed.
void take_frame(Runner& r) {
  const double t = r.context.t_end;
  ForceRun& run = r.run;
  std::vector<double> y = run.ode.y;
  const bool inside = t < run.ode.t && !run.ode.last.empty();
  if (inside) run.ode.last.eval((t - run.ode.last.t) / run.ode.last.h, y);
  const double since = inside ? t - run.ode.last.t : 0;
  set_smooth_piece(r, inside ? run.ode.last.t : t);
  const std::vector<JointState>& turns = inside ? run.joints_before : run.joints;
  place_all(r.data, t, y, r.model);
  for (MechanismForces& m : r.model.mechanisms) {
    m.place(r.model.state, turns, since);
    m.project_positions(r.model.state, turns, since);
    m.project_velocities(r.model.state);
  }
  add_outer_loads(r.data, t, r.model);
  for (MechanismForces& m : r.model.mechanisms) m.place(r.model.state, turns, since);
  add_contact_loads(r.data, t, ForPurpose::kLook, r.model);
  for (MechanismForces& m : r.model.mechanisms) {
    m.add_joint_forces(r.model.known, r.model.load);
  }
  // turns and forces of joints
  for (uint32_t slot = 0; slot < turns.size(); ++slot) {
    if (!acts(r.data, slot)) continue;
    r.data.joint_states[slot].coordinate = turns[slot].coordinate;
    r.data.joint_states[slot].angle = turns[slot].angle;
    r.data.joint_states[slot].segment = turns[slot].segment;
  }
  for (const MechanismForces& m : r.model.mechanisms) {
    m.store_forces(r.data.joint_states);
    m.count_turns(since, r.data.joint_states);
  }
  // bodies, and what has gone in
  book_sums(r, y);
  for (const uint32_t slot : r.model.moving) {
    Wrench& applied = r.data.applied[slot];
    // what acts in the next frame is not what acted in this one
    if (!(applied.force == Vec3{}) || !(applied.torque == Vec3{})) run.ode.k.clear();
    applied = {};
    if (within_limits(r.model.state[slot])) {
      r.data.state[slot] = r.model.state[slot];
    } else {
      freeze_jointed_body(r.context, r.data, slot);
      run.active = false;
    }
  }
}

}  // namespace

void integrate_frame(StepContext& context, WorldData& data) {
  clear_joint_counters(data);
  StepDiagnostics& d = data.diagnostics;
  d.integrator_steps = d.rejected_steps = d.minimum_steps = d.joint_events = 0;
  update_mechanisms(data, *context.mechanisms);
  Runner r{context, data, *context.force, data.force, 1};
  const OdeNorm norm = [&](std::span<const double> y, std::span<const double> e) {
    return measure_force_error(data, r.model, y, e);
  };
  r.model.joints = context.mechanisms;
  begin_contact_frame(r.contacts());
  if (!r.run.active) begin_run(r, context.t_begin);
  if (!r.model.valid) reset_force_model(data, context.mechanisms->list, r.model);
  while (r.run.ode.t < context.t_end && !r.model.moving.empty()) {
    const double stop = find_stop(r);
    latch_contacts(r.contacts());
    const OdeReport report = advance(r.run.ode, r.equations(), stop, r.control(), norm);
    ++d.integrator_steps;
    d.rejected_steps += report.rejected;
    if (report.status == OdeStatus::kFailed) {
      freeze_culprits(r);
      update_mechanisms(data, *context.mechanisms);
      begin_run(r, r.run.ode.t);
      continue;
    }
    if (report.status == OdeStatus::kAtMinimum && ++d.minimum_steps > kFewMinimumSteps) {
      r.least *= kLeastGrowth;
    }
    finish_step(r);
    if (r.run.ode.t >= r.model.smooth_end) pass_break(r);
  }
  take_frame(r);
  end_contact_frame(r.contacts());
}

void measure_force_step(StepContext& context, WorldData& data) {
  StepDiagnostics& d = data.diagnostics;
  d.step = data.step_count;
  d.time = context.t_end;
  d.mechanics = calc_all_mechanics(data);
  // joints that hold nothing turn all the same
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!data.joint_slots.live(slot) || acts(data, slot)) continue;
    const JointModel& model = data.joint_models[slot];
    count_turns(current_frames(data, model.pairs[0]), data, model, context.h,
                data.joint_states[slot]);
  }
  measure_joints(data, 0);
  measure_contacts(data);
}

}  // namespace tenon
