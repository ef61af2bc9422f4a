// What a recording says about the run as a whole: accuracy, energy, effort.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "tenon/recording/info.h"

namespace tenon::report {

// Largest value with the time it was reached, root mean square, last value.
struct Course {
  double max = 0, max_time = 0, sum_of_squares = 0, end = 0;
  uint64_t count = 0;
  void add(double time, double value);
  double rms() const;
};

struct RunSummary {
  RecordingInfo info;
  uint64_t steps = 0;
  Course gap_m, gap_rel, angle_rad, penetration_m, contacts, iterations, sweeps;
  std::string worst_joint;  // the one with the largest relative gap; empty without joints
  uint64_t unconverged_steps = 0, softened_steps = 0;
  uint32_t frozen_bodies = 0, sleeping_bodies_end = 0;
  // of the first and the last step
  struct Energy {
    double kinetic = 0, potential = 0, elastic = 0, work = 0, contact_work = 0;
    double balance() const { return kinetic + potential - work; }
  } first, last;
  double balance_error_J = 0;  // largest change of the balance since the first step
  double largest_kinetic_J = 0;
  double linear_error = 0, angular_error = 0;  // momentum less impulses: largest change
  std::array<double, kPhaseCount> phase_ms{};  // mean per step
  double step_ms() const;
  uint64_t state_hash = 0;                 // of the last frame
  std::map<std::string, uint64_t> events;  // by kind
};

// One pass over diagnostics and events.
Result<RunSummary> summarize(RecordingReader& reader);

}  // namespace tenon::report
