#include "tenon/engine/world/clock_stepper.h"

#include <algorithm>
#include <cmath>

namespace tenon {

ClockStepper::ClockStepper(const ClockLimits& limits) : limits_(limits) {
  // limits that make no sense become those next to them that do
  limits_.longest = std::max(limits_.longest, limits_.shortest);
  limits_.jitter = std::max(limits_.jitter, 1.0);
}

double ClockStepper::step(World& world, double now) {
  if (!std::isfinite(now)) return 0;
  if (!started_ || now < last_) {
    started_ = true;
    last_ = now;
    return 0;
  }
  pending_ += now - last_;
  last_ = now;
  if (pending_ < limits_.shortest) return 0;
  double h = std::min(pending_, limits_.longest);
  if (length_ > 0) h = std::clamp(h, length_ / limits_.jitter, length_ * limits_.jitter);
  h = std::clamp(h, limits_.shortest, limits_.longest);
  h = std::min(h, pending_);
  WorldSettings settings = world.settings();
  settings.step = h;
  if (!world.set_settings(settings)) return 0;
  world.step();
  length_ = h;
  pending_ -= h;
  // a backlog that a few steps cannot take up is given up: better slow than jerky
  if (pending_ > 2 * limits_.longest) {
    lost_ += pending_ - limits_.longest;
    pending_ = limits_.longest;
  }
  return h;
}

}  // namespace tenon
