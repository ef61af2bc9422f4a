// Options of the method 'force'. Meanings and reasons: docs/theory/force.md; the engine's own
// words: engine/solve_force/settings.h. Defaults are the engine's; a test compares them.
#pragma once

namespace tenon::scene {

// order of the engine's
enum class ForceJoints { kConstraint, kBaumgarte, kSoft };
enum class ForceContacts { kAnalytic, kSpring, kPenalty, kLcp };

struct ForceMethod {
  double accuracy = 1e-6;
  double h_min = 1e-6, h_max = 0.05;  // s
  ForceJoints joints = ForceJoints::kConstraint;
  double baumgarte_alpha = 20, baumgarte_beta = 20;  // 1/s
  double soft_frequency = 100;                       // Hz
  double soft_damping_ratio = 1;
  ForceContacts contacts = ForceContacts::kLcp;
  double dt_col = 1.0 / 240;    // s
  double v_normal_max = 0.1;    // m/s
  double v_tangent_max = 1e-3;  // m/s
  friend bool operator==(const ForceMethod&, const ForceMethod&) = default;
};

}  // namespace tenon::scene
