// Stepping by a clock on the wall: each step is as long as the time since the last one
// [Faure1998, sec. 4.3]. For interactive programs; runs that must repeat take equal steps.
#pragma once

#include "tenon/engine/world/world.h"

namespace tenon {

struct ClockLimits {
  double shortest = 1.0 / 480;  // s: less has to wait for the next call
  double longest = 1.0 / 15;    // s: what is more is lost, and the world runs slower than the clock
  // How many times longer or shorter than the last one a step may be, > 1. One frame that comes
  // late is spread over the next few instead of throwing everything forward.
  double jitter = 1.5;
};

class ClockStepper {
 public:
  explicit ClockStepper(const ClockLimits& limits = {});
  // Steps the world once, at most, at time `now` (s, of any clock that does not go back). Returns
  // the length of the step; zero where there was none: the first call, a clock that stands or jumps
  // back, less than the shortest step. The world's settings keep the length of the last step.
  double step(World& world, double now);
  // By how much the world is behind the clock, s: what was lost by steps that were too long, and
  // what is still to be spread.
  double behind() const { return lost_ + pending_; }

 private:
  ClockLimits limits_;
  double last_ = 0, pending_ = 0, lost_ = 0, length_ = 0;
  bool started_ = false;
};

}  // namespace tenon
