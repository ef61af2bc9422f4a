// What a run was like: collected step by step, printed in plain words and as JSON.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tenon/recording/health.h"
#include "tenon/scene/build/build.h"
#include "tenon/scene/document/json.h"

namespace tenon::cli {

// Largest, root mean square and last value of something measured after every step.
struct Track {
  double max = 0, sum_of_squares = 0, end = 0;
  uint64_t count = 0;
  void add(double value);
  double rms() const;
};

class RunReport {
 public:
  // Call once before the first step.
  void begin(const scene::BuiltScene& built, const std::string& scene, const std::string& method);
  // Call after every step with the CPU and wall time it took, in seconds.
  void add_step(const World& world, double cpu_s, double wall_s);
  void set_interrupted() { interrupted_ = true; }
  // The hash of the state at the end, for the JSON: equal ones are equal runs.
  void set_state_hash(uint64_t hash) { state_hash_ = hash; }
  // What assembling at the start did, for the JSON.
  void set_assembly(scene::Json assembly) { assembly_ = std::move(assembly); }
  // Hints about the scene itself, known before the run.
  void add_hints(const std::vector<std::string>& hints) {
    scene_hints_.insert(scene_hints_.end(), hints.begin(), hints.end());
  }

  // Keys are stable; new ones may be added.
  scene::Json to_json() const;
  // Several lines for a person, ending in a newline.
  std::string to_text() const;
  // Hints in plain words, most important first; empty = nothing to say.
  std::vector<std::string> health() const;

 private:
  struct Times {
    double mean = 0, min = 0, p99 = 0, max = 0;
  };
  Times cpu_ms() const;
  // A largest joint error: which joint had it, and when.
  struct Worst {
    double value = 0, time = 0;
    uint32_t joint = 0xffffffffu;  // slot
  };
  void add_joints(const StepDiagnostics& d);
  std::string phases_to_text() const;
  std::string joint_name(uint32_t slot) const;
  std::string body_name(BodyHandle body) const;
  scene::Json joints_to_json() const;
  std::string joints_to_text() const;
  void add_joint_hints(std::vector<std::string>& hints) const;
  void begin_springs(const scene::BuiltScene& built);
  scene::Json springs_to_json() const;
  std::string springs_to_text() const;
  void add_spring_hints(std::vector<std::string>& hints) const;
  void add_contacts(const StepDiagnostics& d);
  scene::Json contacts_to_json() const;
  std::string contacts_to_text() const;
  void add_contact_hints(std::vector<std::string>& hints) const;

  std::string scene_, method_;
  std::vector<std::string> scene_hints_;
  double step_s_ = 0, start_time_ = 0, end_time_ = 0, wall_s_ = 0;
  uint64_t steps_ = 0;
  size_t bodies_ = 0, dynamic_ = 0, static_ = 0, kinematic_ = 0;
  size_t let_go_ = 0;  // kinematic ones that became dynamic
  uint32_t contacts_max_ = 0, contact_pairs_max_ = 0, contact_sweeps_max_ = 0;
  uint64_t contact_steps_ = 0, contact_sweeps_ = 0, rough_contact_steps_ = 0;
  double contact_work_start_ = 0, contact_work_J_ = 0, smallest_body_m_ = 0;
  bool contacts_booked_ = true;  // work_J has what contacts did
  std::vector<float> cpu_ms_;    // one per step
  std::array<double, kPhaseCount> phase_ms_{};
  Track gap_m_, gap_rel_, angle_rad_, penetration_m_, contact_residual_;
  struct SpringEntry {
    std::string name;  // of the joint
    Vibration vibration;
  };
  std::vector<SpringEntry> springs_;
  std::vector<std::string> body_names_, joint_names_;  // by slot
  HealthSummary findings_;
  size_t joints_ = 0;
  Worst worst_gap_, worst_angle_;
  uint64_t substeps_ = 0, fallbacks_ = 0;
  uint32_t substeps_max_ = 0;
  uint64_t iterations_ = 0, bisections_ = 0, softened_ = 0, unconverged_steps_ = 0, broken_ = 0;
  uint64_t made_ = 0, released_ = 0;  // by rules
  // of the method 'force'
  uint64_t integrator_steps_ = 0, rejected_steps_ = 0, minimum_steps_ = 0, joint_events_ = 0;
  uint32_t iterations_max_ = 0, unconverged_max_ = 0;
  Mechanics start_, end_;
  double energy_min_ = 0, energy_max_ = 0, balance_start_ = 0, balance_error_ = 0;
  double energy_scale_ = 0;            // J, largest kinetic energy seen
  Vec3 linear_start_, angular_start_;  // momentum less impulses, constant when all is well
  double linear_error_ = 0, angular_error_ = 0, fastest_turn_rad_ = 0;
  uint32_t frozen_ = 0;
  bool interrupted_ = false;
  uint64_t state_hash_ = 0;
  scene::Json assembly_;  // null: nothing was assembled
};

}  // namespace tenon::cli
