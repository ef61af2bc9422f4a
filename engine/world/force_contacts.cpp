#include "tenon/engine/world/force_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tenon/engine/world/force_response.h"

namespace tenon {
namespace {

// Impacts between two looks, from which on bodies hit each other without end: forces take over.
constexpr uint32_t kMostImpacts = 500;
constexpr int kMostContactRounds = 8;  // of impulses at one moment

bool has_colliders(const WorldData& data) {
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    if (data.collider_slots.live(id)) return true;
  }
  return false;
}

void place_run(ForceStep s) {
  place_all(s.data, s.run.ode.t, s.run.ode.y, s.model);
  for (MechanismForces& m : s.model.mechanisms) m.place(s.model.state, s.run.joints, 0);
}

}  // namespace

std::array<double, kForceSums> calc_motion_sums(const ForceStep& s) {
  double energy = 0;
  Vec3 P, L;
  for (const uint32_t slot : s.model.moving) {
    const BodyState& b = s.model.state[slot];
    const Vec3 p = s.data.mass[slot].mass * b.v_WC;
    energy += 0.5 * dot(p, b.v_WC) + 0.5 * dot(b.w_WB, b.L_W);
    P += p;
    L += cross(b.x_WC, p) + b.L_W;
  }
  return {energy, P.x, P.y, P.z, L.x, L.y, L.z};
}

void begin_contact_frame(ForceStep s) {
  s.model.touch.begin_frame();
  s.model.impacts_since_look = 0;
}

double look_for_contacts(ForceStep s) {
  ForceRun& run = s.run;
  ForceTouch& touch = s.model.touch;
  if (run.ode.t >= run.look_time) {
    const ForceSettings& f = s.data.settings.force;
    place_run(s);
    const auto look = [&](double span) {
      touch.look(s.data, *s.context.mechanisms, s.model.state, span);
    };
    const bool had = touch.any();
    const double far = std::max(f.h_max, f.dt_col);
    const bool none = !has_colliders(s.data);
    if (!none) look(far);
    if (none || !touch.any()) {
      // nothing within reach for long
      run.look_time = none ? kInfinity : run.ode.t + far;
    } else {
      // equal parts of the frame, not longer than dt_col: frames are never run over
      const double count = std::max(1.0, std::ceil(s.context.h / f.dt_col - 1e-9));
      const double part = s.context.h / count;
      const double next = std::floor((run.ode.t - s.context.t_begin) / part + 1e-9) + 1;
      run.look_time = next >= count ? s.context.t_end : s.context.t_begin + next * part;
      look(run.look_time - run.ode.t);
    }
    s.model.impacts_since_look = 0;
    // forces of the first stage belong to the pairs of then
    if (had || touch.any()) run.ode.k.clear();
    if (touch.any() && touch.collides(s.data, s.model.state)) collide_contacts(s);
  }
  return touch.any() ? std::min(run.look_time, s.context.t_end) : run.look_time;
}

double find_contact_event(ForceStep s) {
  if (!s.model.touch.any()) return kInfinity;
  const DenseStep& last = s.run.ode.last;
  std::vector<double> y(last.y.size());
  const auto at = [&](double part) -> std::span<const BodyState> {
    if (part >= 1) {
      y = s.run.ode.y;
    } else {
      last.eval(part, y);
    }
    place_all(s.data, last.t + part * last.h, y, s.model);
    return s.model.state;
  };
  const std::optional<double> part = s.model.touch.find_impact(s.data, last.h, at);
  return part ? *part : kInfinity;
}

void latch_contacts(ForceStep s) {
  if (!s.model.touch.any()) return;
  place_all(s.data, s.run.ode.t, s.run.ode.y, s.model);
  // the first stage is that of another law
  if (s.model.touch.latch(s.data, s.model.state)) s.run.ode.k.clear();
}

void accept_contacts(ForceStep s, double part) {
  if (!s.model.touch.any()) return;
  std::array<double, dp54::kStages> weight{};
  dp54::calc_dense_weights(part, weight);
  const DenseStep& last = s.run.ode.last;
  s.data.diagnostics.contact_work_J += s.model.touch.accept_step(last.t, last.h, weight);
}

void collide_contacts(ForceStep s) {
  place_run(s);
  ForceModel& model = s.model;
  const ForceResponse response(s.data, *s.context.mechanisms, model);
  const std::array<double, kForceSums> before = calc_motion_sums(s);
  ForceTouch& touch = model.touch;
  bool more = touch.collides(s.data, model.state) && ++model.impacts_since_look <= kMostImpacts;
  for (int round = 0; more && round < kMostContactRounds; ++round) {
    more = touch.collides(s.data, model.state);
    if (more) touch.collide(s.data, model.state, response);
  }
  // what is still not over
  touch.give_up(s.data, model.state);
  for (MechanismForces& m : model.mechanisms) {
    m.place(model.state, s.run.joints, 0);
    m.project_velocities(model.state);
  }
  const std::array<double, kForceSums> after = calc_motion_sums(s);
  std::vector<double> y = s.run.ode.y;
  pack_bodies(model, y);
  for (size_t i = 0; i < kForceSums; ++i) {
    y[kForceBodySize * model.moving.size() + i] += after[i] - before[i];
  }
  s.data.diagnostics.contact_work_J += after[0] - before[0];
  s.run.ode.begin(s.run.ode.t, y, s.run.ode.h_next);
  touch.restart();
}

void end_contact_frame(ForceStep s) {
  const ForceContactCounters& c = s.model.touch.counters();
  StepDiagnostics& d = s.data.diagnostics;
  d.impacts = c.impacts;
  d.impact_steps = c.impact_steps;
  d.capped_impacts = c.capped_impacts;
  d.approach_left = c.approach_left;
  d.lcp_solves = c.lcp_solves;
  d.lcp_failures = c.lcp_failures;
  s.data.contacts = s.model.touch.take_pushed();
}

double add_contact_loads(const WorldData& data, double t, ForPurpose purpose, ForceModel& model) {
  ForceTouch& touch = model.touch;
  if (!touch.any()) return 0;
  std::vector<Motion> free;
  if (data.settings.force.contacts == ForceContacts::kLcp) {
    std::vector<Wrench> load = model.load;
    for (MechanismForces& m : model.mechanisms) m.add_joint_forces(model.known, load);
    free.resize(model.state.size());
    for (uint32_t slot = 0; slot < free.size(); ++slot) {
      free[slot] = {model.known[slot].linear, model.known[slot].angular};
    }
    for (const uint32_t slot : model.moving) {
      const BodyState& b = model.state[slot];
      free[slot] = {data.mass[slot].inv_mass * load[slot].force,
                    angular_velocity(b.q_WB, data.mass[slot].inv_I_B,
                                     load[slot].torque - cross(b.w_WB, b.L_W))};
    }
  }
  const ForceResponse response(data, *model.joints, model);
  for (const LoadedBody& l : touch.calc_forces(data, t, model.state, free, response)) {
    model.load[l.body].force += l.load.force;
    model.load[l.body].torque += l.load.torque;
  }
  if (purpose == ForPurpose::kStage) touch.remember();
  return touch.power();
}

}  // namespace tenon
