#include "tenon/engine/world/step_part.h"

#include <algorithm>

#include "tenon/engine/world/contact_work.h"

namespace tenon {
namespace {

bool takes_part(const WorldData& data, uint32_t slot) {
  return data.body_slots.live(slot) && data.info[slot].motion == MotionKind::kDynamic;
}

bool has(const BodyMask& who, uint32_t slot) { return slot < who.size() && who[slot] != 0; }

bool concerns(const BodyMask& who, const Contact& c) {
  return who[c.body_a] != 0 || who[c.body_b] != 0;
}

bool concerns(const BodyMask& who, const JointModel& model) {
  return has(who, model.pairs[0].parent) || has(who, model.pairs[0].child) ||
         (model.pair_count == 2 && has(who, model.pairs[1].child));
}

}  // namespace

BodyMask find_active(const StepContext& context, const WorldData& data) {
  BodyMask who(data.info.size(), 0);
  for (uint32_t slot = 0; slot < who.size(); ++slot) {
    who[slot] = takes_part(data, slot) && !is_left_out(context, slot) ? 1 : 0;
  }
  return who;
}

Beginning::Beginning(const StepContext& context, const WorldData& d)
    : state_(d.state),
      applied_(d.applied),
      given_(context.given.empty() ? d.applied : context.given),
      acceleration_(d.acceleration),
      joints_(d.joint_states),
      contacts_(d.contacts),
      accounts_(d.accounts),
      diagnostics_(d.diagnostics),
      frozen_(d.frozen),
      still_(d.still),
      halvings_(d.halvings),
      topology_(d.topology),
      events_(d.events.size()) {}

bool Beginning::has_events(const WorldData& data) const {
  return data.topology != topology_ || data.events.size() != events_;
}

void Beginning::add_contacts(std::span<const Contact> more) {
  contacts_.insert(contacts_.end(), more.begin(), more.end());
  std::sort(contacts_.begin(), contacts_.end(), is_before);
}

void Beginning::apply_given(WorldData& data, const BodyMask& who) const {
  for (uint32_t slot = 0; slot < who.size(); ++slot) {
    if (who[slot] != 0) data.applied[slot] = given_[slot];
  }
}

void Beginning::restore_all(WorldData& d) const {
  d.state = state_;
  d.applied = applied_;
  d.acceleration = acceleration_;
  d.joint_states = joints_;
  d.frozen = frozen_;
  d.still = still_;
  d.contacts = contacts_;
  d.accounts = accounts_;
  const auto phase_ms = d.diagnostics.phase_ms;
  d.diagnostics = diagnostics_;
  d.diagnostics.phase_ms = phase_ms;
}

void Beginning::restore_contacts(WorldData& data, const BodyMask& who) const {
  std::vector<Contact> others, all;
  std::copy_if(data.contacts.begin(), data.contacts.end(), std::back_inserter(others),
               [&](const Contact& c) { return !concerns(who, c); });
  std::vector<Contact> again;
  std::copy_if(contacts_.begin(), contacts_.end(), std::back_inserter(again),
               [&](const Contact& c) { return concerns(who, c); });
  std::merge(others.begin(), others.end(), again.begin(), again.end(), std::back_inserter(all),
             is_before);
  data.contacts.swap(all);
}

void Beginning::restore_joints(WorldData& data, const BodyMask& who) const {
  for (uint32_t slot = 0; slot < joints_.size(); ++slot) {
    if (!data.joint_slots.live(slot) || !concerns(who, data.joint_models[slot])) continue;
    data.joint_states[slot] = joints_[slot];
  }
}

void Beginning::restore(const StepContext& context, WorldData& d, const BodyMask& who,
                        bool all) const {
  d.halvings = halvings_;  // contacts that are known again reach as far as they did
  if (all) {
    restore_all(d);
  } else {
    StepDiagnostics& sum = d.diagnostics;
    for (uint32_t slot = 0; slot < who.size(); ++slot) {
      if (who[slot] == 0) continue;
      d.state[slot] = state_[slot];
      d.applied[slot] = applied_[slot];
      d.acceleration[slot] = acceleration_[slot];
      d.frozen[slot] = frozen_[slot];
      d.still[slot] = still_[slot];
      const Account &now = d.accounts[slot], &then = accounts_[slot];
      sum.work_J -= now.work_J - then.work_J;
      sum.contact_work_J -= now.contact_work_J - then.contact_work_J;
      sum.linear_impulse -= now.linear_impulse - then.linear_impulse;
      sum.angular_impulse -= now.angular_impulse - then.angular_impulse;
      d.accounts[slot] = then;
    }
    sum.frozen_bodies = diagnostics_.frozen_bodies;
    if (d.topology != topology_) d.still = still_;  // what broke woke all, and has not
    restore_contacts(d, who);
    restore_joints(d, who);
  }
  for (uint32_t slot = 0; slot < context.kinematic_begin.size(); ++slot) {
    if (d.info[slot].motion != MotionKind::kKinematic) continue;
    d.state[slot] = context.kinematic_begin[slot];
  }
  d.events.resize(events_);
  if (d.topology != topology_) ++d.topology;  // what broke or froze has not: found again
}

void Companies::join(uint32_t body_a, uint32_t body_b) {
  if (of_[body_a] == kNone || of_[body_b] == kNone) return;
  together_.join(of_[body_a], of_[body_b]);
}

void Companies::note(const StepContext& context, const WorldData& data) {
  const ContactWork& work = *context.contacts;
  const Mechanisms& m = *context.mechanisms;
  const auto first = static_cast<uint32_t>(together_.size());
  const auto islands = static_cast<uint32_t>(work.count),
             mechanisms = static_cast<uint32_t>(m.list.size());
  const auto bodies = static_cast<uint32_t>(of_.size());
  together_.add(islands + mechanisms + bodies);
  for (uint32_t slot = 0; slot < bodies; ++slot) {
    if (!takes_part(data, slot) || is_left_out(context, slot)) continue;
    uint32_t company = islands + mechanisms + slot;
    if (work.stamp[slot] < islands) {
      company = work.stamp[slot];
    } else if (m.jointed[slot] != 0) {
      company = islands + m.mechanism_of[slot];
    }
    of_[slot] = first + company;
  }
  for (const Contact& c : work.followers) join(c.body_a, c.body_b);
}

BodyMask Companies::find_members(std::span<const uint32_t> bodies) {
  BodyMask is_meant(together_.size(), 0), members(of_.size(), 0);
  for (const uint32_t slot : bodies) {
    if (of_[slot] != kNone) is_meant[together_.find(of_[slot])] = 1;
  }
  for (uint32_t slot = 0; slot < of_.size(); ++slot) {
    if (of_[slot] != kNone) members[slot] = is_meant[together_.find(of_[slot])];
  }
  return members;
}

Companies::Division Companies::divide(const WorldData& data, const Passing& passing,
                                      bool contacts) {
  for (const Contact& c : passing.unforeseen) join(c.body_a, c.body_b);
  for (const auto& [a, b] : passing.foreseen) join(a, b);
  constexpr uint8_t kOnceMore = 1, kInHalves = 2;
  std::vector<uint8_t> what(together_.size(), 0);
  const auto mark = [&](uint32_t body, uint8_t how) {
    if (of_[body] != kNone) what[together_.find(of_[body])] = how;
  };
  for (const Contact& c : passing.unforeseen) {
    mark(c.body_a, contacts ? kOnceMore : kInHalves);
    mark(c.body_b, contacts ? kOnceMore : kInHalves);
  }
  for (const auto& [a, b] : passing.foreseen) {
    mark(a, kInHalves);
    mark(b, kInHalves);
  }
  Division d;
  d.again.assign(of_.size(), 0);
  d.halves.assign(of_.size(), 0);
  for (uint32_t slot = 0; slot < of_.size(); ++slot) {
    if (!takes_part(data, slot) || of_[slot] == kNone) continue;
    const uint8_t how = what[together_.find(of_[slot])];
    d.again[slot] = how == kOnceMore;
    d.halves[slot] = how == kInHalves;
    d.any_again = d.any_again || how == kOnceMore;
    d.any_halves = d.any_halves || how == kInHalves;
  }
  return d;
}

}  // namespace tenon
