// Which bodies go through a part of a step in halves.
#pragma once

#include <optional>
#include <vector>

#include "tenon/engine/world/reach.h"
#include "tenon/engine/world/step_part.h"

namespace tenon {

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

}  // namespace tenon
