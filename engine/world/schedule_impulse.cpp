#include <algorithm>
#include <optional>
#include <span>

#include "tenon/engine/world/applied_forces.h"
#include "tenon/engine/world/phases.h"
#include "tenon/engine/world/reach.h"
#include "tenon/engine/world/step_part.h"

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
    {Phase::kMechanisms, answer_kicks},          // after edits and releases
    {Phase::kNarrowPhase, find_stale_contacts},  // the same
    {Phase::kJointRules, apply_joint_rules},
};
constexpr ScheduledPhase kPrepare[] = {
    {Phase::kKinematics, move_kinematic_bodies},
    {Phase::kAppliedForces, apply_forces_of_step},
    {Phase::kIslands, find_islands},
};
// Taken back for the bodies concerned, and made again with more contacts or in two halves, where
// contacts and joints do not agree about where it leads, or one with joints has passed another.
constexpr ScheduledPhase kForces[] = {
    {Phase::kCollisions, collide_bodies},
    {Phase::kContacts, resist_contacts},
};
constexpr ScheduledPhase kMotion[] = {
    {Phase::kMechanisms, move_mechanisms},
    {Phase::kFreeMotion, move_free_bodies},
    {Phase::kRebounds, delay_collisions},
};
constexpr ScheduledPhase kAgain[] = {
    // with the same forces, and more contacts
    {Phase::kKinematics, move_kinematic_bodies},
    {Phase::kIslands, find_islands},
};
constexpr ScheduledPhase kFewer[] = {
    // without those that go on in halves
    {Phase::kIslands, find_islands},
};
constexpr ScheduledPhase kRest[] = {
    {Phase::kRebounds, count_still_steps},
};
constexpr ScheduledPhase kArrival[] = {
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

// Impulses of these bodies over a part of a step -> over a part of another length, with the same
// forces.
void scale_impulses(WorldData& data, const BodyMask& who, double factor) {
  for (Contact& c : data.contacts) {
    if (who[c.body_a] == 0 && who[c.body_b] == 0) continue;
    for (double& p : c.holding) p *= factor;
    c.rub_W *= factor;
    c.roll_W *= factor;
    c.spin *= factor;
  }
}

constexpr int kMostRepeats = 8;  // of a part of a step with more contacts
// Of halves that met somebody who had gone on: after so many, nobody goes on before them.
constexpr int kMostFailures = 3;

// Contacts of the bodies where they are now; those of the first halves are added to them.
void arrive(StepContext& context, WorldData& data) {
  const double h = context.h;
  context.h = context.last_h;
  run_schedule(kArrival, context, data);
  context.h = h;
  for (const EarlierHalf& half : context.earlier) {
    data.pushes = add_pushes(half.pushes, data.pushes);
    add_impulses(half.contacts, data.contacts);
    add_impulses(half.contacts, data.ended);
    data.ended = merge_ended(half.ended, data.ended);
    scale_impulses(data, half.bodies, 2);
  }
  context.earlier.clear();
}

EarlierHalf keep_half(const StepContext& half, const WorldData& data, const BodyMask& who) {
  EarlierHalf kept{who, data.pushes, data.contacts, data.ended};
  // those of others are for the whole step already
  const auto is_of_others = [&](const auto& x) {
    return is_idle(half, x.body_a) || is_idle(half, x.body_b);
  };
  std::erase_if(kept.contacts, is_of_others);
  std::erase_if(kept.pushes, is_of_others);
  return kept;
}

void add_counters(const StepDiagnostics& from, StepDiagnostics& to) {
  to.joint_iterations = std::max(from.joint_iterations, to.joint_iterations);
  to.contact_sweeps = std::max(from.contact_sweeps, to.contact_sweeps);
  to.contact_residual = std::max(from.contact_residual, to.contact_residual);
  to.substeps = std::max(from.substeps, to.substeps);
  to.bisections += from.bisections;
  to.fallbacks += from.fallbacks;
  to.softened_steps += from.softened_steps;
}

// Moves the bodies that are not left out to where a part of a step leads; they have not arrived
// then. False: they met others on the way, and nothing of it is any good.
bool move_part(StepContext& context, WorldData& data, int halvings);

// The same in two halves, from the beginning on, for the bodies that are not left out.
bool move_by_halves(StepContext& whole, WorldData& data, const Beginning& beginning, int halvings) {
  const BodyMask who = find_active(whole, data);
  beginning.restore(whole, data, who, whole.left_out.empty());
  scale_impulses(data, who, 0.5);
  EarlierHalf earlier;
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
    beginning.apply_given(data, who);
    if (!move_part(half, data, halvings)) {
      whole.met = std::move(half.met);
      return false;
    }
    if (!second) {
      arrive(half, data);
      earlier = keep_half(half, data, who);
      first = data.diagnostics;
      continue;
    }
    whole.earlier = std::move(half.earlier);
    whole.asleep = std::move(half.asleep);
    whole.next_halvings = half.next_halvings;
    whole.last_h = half.last_h;
  }
  add_counters(first, data.diagnostics);
  ++data.diagnostics.bisections;
  whole.earlier.push_back(std::move(earlier));
  return true;
}

// How far the next contacts of those that are not left out are looked for: as far as parts have to
// be short now, or twice as far where nothing in this one was near its bound.
void choose_next_part(StepContext& context, std::span<const double> overruns) {
  constexpr double kCalm = 0.35;
  const bool near = std::any_of(overruns.begin(), overruns.end(), [](double x) { return x > 0; });
  if ((context.halvings == 0 || !near) && context.next_halvings.empty()) return;
  context.next_halvings.resize(overruns.size(), 0);
  for (uint32_t slot = 0; slot < overruns.size(); ++slot) {
    if (is_left_out(context, slot)) continue;
    const bool longer = overruns[slot] < kCalm;
    const bool whole = !(overruns[slot] > 0) || context.halvings == 0;
    context.next_halvings[slot] =
        whole ? uint8_t{0} : static_cast<uint8_t>(context.halvings - (longer ? 1 : 0));
  }
}

// Who goes on in halves while all others take a part as a whole: those whose contacts are not known
// for so long a time, those that would go far beyond what stops them, and all that they may meet.
class Halved {
 public:
  Halved(const StepContext& context, const WorldData& data)
      : outer_(context.left_out), active_(find_active(context, data)), who_(active_.size(), 0) {}
  // Adds bodies; leaves them out. Returns whether there were any.
  template <class IsTooFast>
  bool add(StepContext& context, WorldData& data, const IsTooFast& is_too_fast);
  bool is_everyone() const { return who_ == active_; }
  bool any() const { return any_; }
  const BodyMask& who() const { return who_; }
  const std::vector<LeftOut>& outer() const { return outer_; }
  Crowds* crowds() { return crowds_ ? &*crowds_ : nullptr; }

 private:
  std::vector<LeftOut> outer_;  // left out anyway
  BodyMask active_, who_;
  std::optional<Crowds> crowds_;
  bool any_ = false;
};

template <class IsTooFast>
bool Halved::add(StepContext& context, WorldData& data, const IsTooFast& is_too_fast) {
  BodyMask more(active_.size(), 0);
  bool any = false;
  for (uint32_t slot = 0; slot < active_.size(); ++slot) {
    if (active_[slot] == 0 || who_[slot] != 0 || !is_too_fast(slot)) continue;
    more[slot] = 1;
    any = any_ = true;
  }
  if (!any) return false;
  if (halves_concern_all(data)) {
    who_ = active_;
  } else {
    if (!crowds_) crowds_ = find_crowds(context, data);
    crowds_->spread(more);
    for (uint32_t slot = 0; slot < active_.size(); ++slot) {
      if (more[slot] != 0 && active_[slot] != 0) who_[slot] = 1;
    }
  }
  context.left_out.resize(active_.size(), LeftOut::kNo);
  context.next_halvings.resize(active_.size(), 0);
  for (uint32_t slot = 0; slot < active_.size(); ++slot) {
    if (who_[slot] != 0) context.left_out[slot] = LeftOut::kWaits;
  }
  return true;
}

// A part of a step that may have to be taken back, for some of its bodies or for all.
class Trial {
 public:
  // After kPrepare.
  Trial(StepContext& context, WorldData& data, int halvings, bool fast, Halved& halved)
      : context_(context),
        data_(data),
        halvings_(halvings),
        fast_(fast),
        outer_(halved.outer()),
        beginning_(context, with_accounts(data)),
        companies_(data.info.size()),
        halved_(halved),
        waiting_(halved.who()),
        any_waits_(halved.any()) {}
  bool run();

 private:
  static WorldData& with_accounts(WorldData& data) {
    data.accounts.resize(data.info.size());
    return data;
  }
  bool attempt();
  BodyMask find_everyone() const;
  Companies::Division divide(const Passing& passing, bool contacts);
  bool take_back(const Passing& passing, bool contacts);
  bool move_waiting();
  bool is_outside(uint32_t slot) const {
    return slot < outer_.size() && outer_[slot] != LeftOut::kNo;
  }
  // What is stopped for good is like a wall, and belongs to nobody.
  bool moves_by_itself(uint32_t slot) const {
    return data_.info[slot].motion == MotionKind::kDynamic && data_.frozen[slot] == 0;
  }
  bool meets_others(const Passing& passing);
  bool take_along(bool all);
  void count();

  StepContext& context_;
  WorldData& data_;
  const int halvings_;
  const bool fast_;
  const std::vector<LeftOut> outer_;
  Beginning beginning_;
  Companies companies_;
  Halved& halved_;
  BodyMask waiting_;  // for halves
  bool any_waits_;
  StepDiagnostics counters_;
};

// Returns whether contacts and joints agree about where it leads.
bool Trial::attempt() {
  run_schedule(kForces, context_, data_);
  if (halvings_ > 0 && !contacts_settled(context_)) return false;
  run_schedule(kMotion, context_, data_);
  return true;
}

// Whether bodies that were moved before this part began have been met.
bool Trial::meets_others(const Passing& passing) {
  context_.met.clear();
  // meshes go their ways one crowd after the other, by boxes that hits lead out of
  if (!outer_.empty() && !context_.next_halvings.empty()) {
    context_.met = find_met(context_, data_, beginning_.state());
  }
  const auto look = [&](uint32_t slot) {
    if (is_outside(slot)) context_.met.push_back(slot);
  };
  for (const Contact& c : passing.unforeseen) {
    look(c.body_a);
    look(c.body_b);
  }
  for (const auto& [a, b] : passing.foreseen) {
    look(a);
    look(b);
  }
  return !context_.met.empty();
}

BodyMask Trial::find_everyone() const {
  StepContext all = context_;
  all.left_out = outer_;
  return find_active(all, data_);
}

Companies::Division Trial::divide(const Passing& passing, bool contacts) {
  Companies::Division d = companies_.divide(data_, passing, contacts);
  // what broke, and forces between bodies in halves of a step, concern all
  const bool forces = d.any_halves && has_forces(data_);
  if (!forces && !beginning_.has_events(data_)) return d;
  const BodyMask everyone = find_everyone(), nobody(everyone.size(), 0);
  d = {d.any_again ? everyone : nobody, d.any_again ? nobody : everyone, d.any_again, !d.any_again};
  for (uint32_t slot = 0; slot < everyone.size(); ++slot) {
    if (halved_.who()[slot] == 0) continue;
    d.again[slot] = 0;
    d.halves[slot] = 1;
    d.any_halves = true;
  }
  return d;
}

// Takes back what has passed. Returns whether any of it is to be moved again as a whole.
bool Trial::take_back(const Passing& passing, bool contacts) {
  const Companies::Division d = divide(passing, contacts);
  run_schedule(kRest, context_, data_);
  add_followers(context_, data_);
  if (contacts) beginning_.add_contacts(passing.unforeseen);
  counters_.bisections = counters_.fallbacks = counters_.softened_steps = 0;  // of what is kept
  BodyMask who = d.again;
  any_waits_ = false;
  for (uint32_t slot = 0; slot < who.size(); ++slot) {
    waiting_[slot] = (waiting_[slot] != 0 && d.again[slot] == 0) || d.halves[slot] != 0;
    any_waits_ = any_waits_ || waiting_[slot] != 0;
    who[slot] |= d.halves[slot];
  }
  context_.left_out = outer_;
  const bool all = outer_.empty() && who == find_active(context_, data_);
  beginning_.restore(context_, data_, who, all);
  context_.left_out.resize(data_.info.size(), LeftOut::kNo);
  for (uint32_t slot = 0; slot < who.size(); ++slot) {
    LeftOut& left = context_.left_out[slot];
    if (left != LeftOut::kNo || !moves_by_itself(slot)) continue;
    if (d.again[slot] == 0) left = waiting_[slot] != 0 ? LeftOut::kWaits : LeftOut::kDone;
  }
  return d.any_again;
}

// In halves, while all others have gone on.
bool Trial::move_waiting() {
  context_.left_out.assign(data_.info.size(), LeftOut::kNo);
  const std::vector<DonePath> done = context_.done;
  context_.done.resize(data_.info.size());
  bool partly = false;
  for (uint32_t slot = 0; slot < waiting_.size(); ++slot) {
    if (!moves_by_itself(slot) || waiting_[slot] != 0) continue;
    context_.left_out[slot] = LeftOut::kDone;
    partly = true;
    if (!is_outside(slot)) {
      context_.done[slot] = {beginning_.state()[slot], context_.t_begin, context_.t_end};
    }
  }
  if (!partly) context_.left_out.clear();
  const bool good = move_by_halves(context_, data_, beginning_, halvings_ - 1);
  if (partly) context_.last_h = context_.h;
  context_.done = done;
  return good;
}

// What has been met while others moved in halves goes the same way, or all that may. Returns
// whether it can.
bool Trial::take_along(bool all) {
  if (std::any_of(context_.met.begin(), context_.met.end(),
                  [&](uint32_t slot) { return is_outside(slot); })) {
    return false;
  }
  BodyMask more = all ? find_everyone() : companies_.find_members(context_.met);
  if (!all && halved_.crowds() != nullptr) halved_.crowds()->spread(more);
  for (uint32_t slot = 0; slot < more.size(); ++slot) {
    if (more[slot] != 0 && moves_by_itself(slot) && !is_outside(slot)) waiting_[slot] = 1;
  }
  return true;
}

void Trial::count() {
  StepDiagnostics& d = data_.diagnostics;
  d.joint_iterations = d.bisections = d.substeps = d.fallbacks = d.softened_steps = 0;
  d.contact_sweeps = 0;
  d.contact_residual = 0;
  add_counters(counters_, d);
}

bool Trial::run() {
  for (int repeats = 0;; ++repeats) {
    if (!attempt()) {
      // forces between bodies concern all
      const BodyMask who = has_forces(data_) ? find_everyone() : find_active(context_, data_);
      for (uint32_t slot = 0; slot < who.size(); ++slot) waiting_[slot] |= who[slot];
      any_waits_ = true;
      break;
    }
    add_counters(data_.diagnostics, counters_);
    companies_.note(context_, data_);
    const Passing passing =
        fast_ ? find_passing_bodies(context_, data_, beginning_.state()) : Passing{};
    if (meets_others(passing)) {
      context_.left_out = outer_;
      return false;
    }
    if (passing.unforeseen.empty() && passing.foreseen.empty()) {
      // what broke in one of several attempts concerns all
      if (any_waits_ && beginning_.has_events(data_)) waiting_ = find_everyone();
      run_schedule(kRest, context_, data_);
      if (any_waits_) add_followers(context_, data_);
      break;
    }
    if (!take_back(passing, repeats < kMostRepeats)) break;
    context_.kinematic_begin.clear();
    run_schedule(kAgain, context_, data_);
  }
  if (any_waits_) {
    for (int failures = 0; !move_waiting(); ++failures) {
      context_.earlier.clear();
      context_.left_out = outer_;
      if (!take_along(failures >= kMostFailures)) return false;
    }
    add_counters(data_.diagnostics, counters_);
  }
  context_.left_out = outer_;
  count();
  return true;
}

bool move_part(StepContext& context, WorldData& data, int halvings) {
  context.last_h = context.h;
  Halved halved(context, data);
  const auto all_by_halves = [&] {
    context.left_out = halved.outer();
    return move_by_halves(context, data, Beginning(context, data), halvings - 1);
  };
  if (halvings > 0 && !data.halvings.empty()) {
    update_mechanisms(data, *context.mechanisms);  // crowds are joined by joints
    halved.add(context, data, [&](uint32_t slot) {
      return slot < data.halvings.size() && data.halvings[slot] > context.halvings;
    });
    if (halved.any() && halved.is_everyone()) return all_by_halves();
  }
  run_schedule(kPrepare, context, data);
  for (uint32_t slot = 0; slot < halved.outer().size(); ++slot) {
    if (halved.outer()[slot] != LeftOut::kNo) data.applied[slot] = {};
  }
  const std::vector<double> overruns = calc_mesh_overruns(context, data);
  if (halvings > 0 &&
      halved.add(context, data, [&](uint32_t slot) { return overruns[slot] > 1; })) {
    if (halved.is_everyone()) return all_by_halves();
    run_schedule(kFewer, context, data);
  }
  choose_next_part(context, overruns);
  const bool fast = halvings > 0 && jointed_bodies_may_pass(context, data);
  const bool partly = !context.left_out.empty() && !context.next_halvings.empty();
  if (fast || partly || (halvings > 0 && contacts_may_not_settle(context))) {
    return Trial(context, data, halvings, fast, halved).run();
  }
  run_schedule(kForces, context, data);
  run_schedule(kMotion, context, data);
  run_schedule(kRest, context, data);
  return true;
}

}  // namespace

void step_impulse(StepContext& context, WorldData& data) {
  data.diagnostics.phase_ms = {};
  if (data.settings.joint_solver == JointSolver::kSweep) {
    run_schedule(kFaithfulSchedule, context, data);
    return;
  }
  run_schedule(kBegin, context, data);
  move_part(context, data, kMostHalvings);
  arrive(context, data);
  run_schedule(kEnd, context, data);
  data.accounts.clear();
}

}  // namespace tenon
