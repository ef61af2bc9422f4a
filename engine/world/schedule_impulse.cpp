#include <algorithm>
#include <optional>
#include <span>

#include "tenon/engine/world/phases.h"

namespace tenon {

const char* name(Phase phase) {
  switch (phase) {
    case Phase::kJointRules:
      return "joint_rules";
    case Phase::kKinematics:
      return "kinematics";
    case Phase::kAppliedForces:
      return "applied_forces";
    case Phase::kIslands:
      return "islands";
    case Phase::kCollisions:
      return "collisions";
    case Phase::kContacts:
      return "contacts";
    case Phase::kMechanisms:
      return "mechanisms";
    case Phase::kFreeMotion:
      return "free_motion";
    case Phase::kRebounds:
      return "rebounds";
    case Phase::kOverlaps:
      return "overlaps";
    case Phase::kBroadPhase:
      return "broad_phase";
    case Phase::kNarrowPhase:
      return "narrow_phase";
    case Phase::kContactEvents:
      return "contact_events";
    case Phase::kDiagnostics:
      return "diagnostics";
  }
  return "?";
}

namespace {

using PhaseFunction = void (*)(StepContext&, WorldData&);

struct ScheduledPhase {
  Phase phase;
  PhaseFunction run;
};

// The step, as a list of lists. Contacts are found where the bodies are at the end of the step;
// after edits also at its begin, before kinematic bodies go on.
constexpr ScheduledPhase kBegin[] = {
    {Phase::kKinematics, release_bodies},
    {Phase::kNarrowPhase, find_stale_contacts},  // after edits and releases
    {Phase::kJointRules, apply_joint_rules},
};
constexpr ScheduledPhase kPrepare[] = {
    {Phase::kKinematics, move_kinematic_bodies},
    {Phase::kAppliedForces, apply_forces_of_step},
    {Phase::kIslands, find_islands},
};
// Taken back, and the step in two halves, where contacts and joints do not agree about where it
// leads, or a body with joints has passed through another.
constexpr ScheduledPhase kForces[] = {
    {Phase::kCollisions, collide_bodies},
    {Phase::kContacts, resist_contacts},
};
constexpr ScheduledPhase kMotion[] = {
    {Phase::kMechanisms, move_mechanisms},
    {Phase::kFreeMotion, move_free_bodies},
    {Phase::kRebounds, delay_collisions},
};
constexpr ScheduledPhase kArrival[] = {
    {Phase::kRebounds, count_still_steps},
    {Phase::kBroadPhase, find_candidate_pairs},
    {Phase::kNarrowPhase, find_contacts},
    {Phase::kOverlaps, separate_bodies},
};
constexpr ScheduledPhase kEnd[] = {
    {Phase::kContactEvents, report_contact_events},
    {Phase::kDiagnostics, measure_step},
    {Phase::kDiagnostics, watch_health},
};

// The same for JointSolver::kSweep, whose step moves all bodies at once.
constexpr ScheduledPhase kFaithfulSchedule[] = {
    {Phase::kKinematics, release_bodies},        {Phase::kJointRules, apply_joint_rules},
    {Phase::kKinematics, move_kinematic_bodies}, {Phase::kAppliedForces, apply_forces_of_step},
    {Phase::kMechanisms, step_faithful},         {Phase::kBroadPhase, find_candidate_pairs},
    {Phase::kNarrowPhase, find_contacts},        {Phase::kContactEvents, report_contact_events},
    {Phase::kDiagnostics, measure_step},         {Phase::kDiagnostics, watch_health},
};

void run_schedule(std::span<const ScheduledPhase> schedule, StepContext& context, WorldData& data) {
  const auto clock = data.settings.clock;
  double last = clock != nullptr ? clock() : 0;
  for (const ScheduledPhase& scheduled : schedule) {
    scheduled.run(context, data);
    if (clock == nullptr) continue;
    const double now = clock();
    data.diagnostics.phase_ms[static_cast<size_t>(scheduled.phase)] += 1e3 * (now - last);
    last = now;
  }
}

// What kPrepare, kForces and kMotion change; kept after the first. What acts in the halves of a
// step is found for each half, so only what the user applies is kept of forces.
struct Beginning {
  std::vector<BodyState> state;
  std::vector<Wrench> applied;
  std::vector<Acceleration> acceleration;
  std::vector<JointState> joints;
  std::vector<Contact> contacts;
  StepDiagnostics diagnostics;
  std::vector<uint8_t> frozen;
  std::vector<uint16_t> still;
  uint64_t topology;
  size_t events;

  Beginning(const StepContext& context, const WorldData& d)
      : state(d.state),
        applied(context.given.empty() ? d.applied : context.given),
        acceleration(d.acceleration),
        joints(d.joint_states),
        contacts(d.contacts),
        diagnostics(d.diagnostics),
        frozen(d.frozen),
        still(d.still),
        topology(d.topology),
        events(d.events.size()) {}
  void restore(const StepContext& context, WorldData& d) const {
    d.state = state;
    for (uint32_t slot = 0; slot < context.kinematic_begin.size(); ++slot) {
      if (d.info[slot].motion == MotionKind::kKinematic) {
        d.state[slot] = context.kinematic_begin[slot];
      }
    }
    d.applied = applied;
    d.acceleration = acceleration;
    d.joint_states = joints;
    d.frozen = frozen;
    d.still = still;
    d.events.resize(events);
    if (d.topology != topology) ++d.topology;  // what broke or froze has not: found again
    d.contacts = contacts;
    const auto phase_ms = d.diagnostics.phase_ms;
    d.diagnostics = diagnostics;
    d.diagnostics.phase_ms = phase_ms;
  }
};

// Impulses over a part of a step -> over a part of another length, with the same forces.
void scale_impulses(WorldData& data, double factor) {
  for (Contact& c : data.contacts) {
    for (double& p : c.holding) p *= factor;
    c.rub_W *= factor;
    c.roll_W *= factor;
    c.spin *= factor;
  }
}

constexpr int kMostRepeats = 8;  // of a part of a step with more contacts
void advance(StepContext& context, WorldData& data, int halvings, int repeats = 0);

void advance_by_halves(const StepContext& whole, WorldData& data, const Beginning& beginning,
                       int halvings) {
  beginning.restore(whole, data);
  scale_impulses(data, 0.5);
  std::vector<Push> pushes;
  std::vector<Contact> ended, contacts;
  StepDiagnostics first;
  const double middle = 0.5 * (whole.t_begin + whole.t_end);
  for (const bool second : {false, true}) {
    StepContext half = whole;
    half.h = 0.5 * whole.h;
    half.halvings = static_cast<uint8_t>(whole.halvings + 1);
    half.kinematic_begin.clear();
    half.given.clear();
    half.ends_step = whole.ends_step && second;
    half.t_begin = second ? middle : whole.t_begin;
    half.t_end = second ? whole.t_end : middle;
    data.applied = beginning.applied;
    advance(half, data, halvings);
    if (!second) {
      pushes = data.pushes;
      ended = data.ended;
      contacts = data.contacts;
      // those of sleepers are for the whole step already
      const auto sleeps = [&](const auto& x) {
        return is_asleep(half, x.body_a) || is_asleep(half, x.body_b);
      };
      std::erase_if(contacts, sleeps);
      std::erase_if(pushes, sleeps);
      first = data.diagnostics;
    }
  }
  StepDiagnostics& d = data.diagnostics;
  d.joint_iterations = std::max(first.joint_iterations, d.joint_iterations);
  d.contact_sweeps = std::max(first.contact_sweeps, d.contact_sweeps);
  d.contact_residual = std::max(first.contact_residual, d.contact_residual);
  d.bisections += first.bisections + 1;
  d.softened_steps += first.softened_steps;
  data.pushes = add_pushes(pushes, data.pushes);
  add_impulses(contacts, data.contacts);
  add_impulses(contacts, data.ended);
  data.ended = merge_ended(ended, data.ended);
  scale_impulses(data, 2);
}

// How far the next contacts are looked for: as far as parts have to be short now, or twice as far
// where nothing in this one was near its bound.
void choose_next_part(StepContext& context, double overrun) {
  constexpr double kCalm = 0.35;
  context.next_halvings = 0;
  if (overrun > 0 && context.halvings > 0) {
    context.next_halvings = static_cast<uint8_t>(context.halvings - (overrun < kCalm ? 1 : 0));
  }
}

// The same again, with contacts that were not foreseen.
void advance_again(StepContext& context, WorldData& data, const Beginning& beginning,
                   std::span<const Contact> more, int halvings, int repeats) {
  beginning.restore(context, data);
  data.contacts.insert(data.contacts.end(), more.begin(), more.end());
  std::sort(data.contacts.begin(), data.contacts.end(), is_before);
  context.kinematic_begin.clear();
  context.given.clear();
  advance(context, data, halvings, repeats);
}

void advance(StepContext& context, WorldData& data, int halvings, int repeats) {
  // contacts are not known for so long a time
  if (halvings > 0 && context.halvings < data.halvings) {
    advance_by_halves(context, data, Beginning(context, data), halvings - 1);
    return;
  }
  run_schedule(kPrepare, context, data);
  const double overrun = calc_mesh_overrun(context, data);
  if (halvings > 0 && overrun > 1) {
    advance_by_halves(context, data, Beginning(context, data), halvings - 1);
    return;
  }
  choose_next_part(context, overrun);
  std::optional<Beginning> beginning;
  const bool unsettled = halvings > 0 && contacts_may_not_settle(context);
  const bool fast = halvings > 0 && jointed_bodies_may_pass(context, data);
  if (unsettled || fast) beginning.emplace(context, data);
  run_schedule(kForces, context, data);
  if (unsettled && !contacts_settled(context)) {
    advance_by_halves(context, data, *beginning, halvings - 1);
    return;
  }
  run_schedule(kMotion, context, data);
  if (fast) {
    const Passing passing = find_passing_bodies(context, data, beginning->state);
    if (!passing.unforeseen.empty() && repeats < kMostRepeats) {
      advance_again(context, data, *beginning, passing.unforeseen, halvings, repeats + 1);
      return;
    }
    if (passing.any) {
      advance_by_halves(context, data, *beginning, halvings - 1);
      return;
    }
  }
  run_schedule(kArrival, context, data);
}

}  // namespace

void step_impulse(StepContext& context, WorldData& data) {
  data.diagnostics.phase_ms = {};
  if (data.settings.joint_solver == JointSolver::kSweep) {
    run_schedule(kFaithfulSchedule, context, data);
    return;
  }
  run_schedule(kBegin, context, data);
  advance(context, data, kMostHalvings);
  run_schedule(kEnd, context, data);
}

}  // namespace tenon
