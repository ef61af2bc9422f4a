#include "tenon/engine/world/step_trial.h"

#include <algorithm>

#include "tenon/engine/world/applied_forces.h"
#include "tenon/engine/world/schedule.h"
#include "tenon/engine/world/step_halves.h"

namespace tenon {
namespace {

constexpr int kMostRepeats = 8;  // of a part of a step with more contacts
// Of halves that met somebody who had gone on: after so many, nobody goes on before them.
constexpr int kMostFailures = 3;

}  // namespace

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

}  // namespace tenon
