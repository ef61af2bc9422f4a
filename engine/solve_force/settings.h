// What can be set about the method `force`. Theory: docs/theory/force.md.
#pragma once

#include <cstdint>

namespace tenon {

// How joints hold.
enum class ForceJoints : uint8_t {
  kConstraint,  // by constraint forces, positions and velocities projected after every step
  kBaumgarte,   // by constraint forces that also pull errors back, without projection
  kSoft,        // by stiff springs and dampers: the rods of [Keller1993, sec. 3.4]
};

// How bodies touch [Keller1993, sec. 3.6 - 3.8].
enum class ForceContacts : uint8_t {
  kAnalytic,  // impulses where they meet, penalty forces where they rest
  kSpring,    // springs, stiffer while bodies approach than while they part
  kPenalty,   // springs and dampers
  kLcp,       // impulses where they meet, forces by a complementarity problem where they rest
};

struct ForceSettings {
  // What a step of the integrator may err by: m, rad, m/s and rad/s, relative where a body is
  // farther than 1 m from the origin or faster than 1 m/s or 1 rad/s. 1e-6 is more than eyes see;
  // 1e-9 serves as a reference.
  double accuracy = 1e-6;
  // s. A step is never shorter, whatever it errs by, so that no frame takes forever; steps that
  // are as short and err more are counted (StepDiagnostics::minimum_steps).
  double h_min = 1e-6;
  double h_max = 0.05;  // s, >= h_min. What comes and goes faster than a quarter of it is missed

  ForceJoints joints = ForceJoints::kConstraint;
  // kBaumgarte: c'' + 2 alpha c' + beta^2 c = 0 of an error c [Baumgarte1972], 1/s. Critically
  // damped within a tenth of a second; faster ones need shorter steps.
  double baumgarte_alpha = 20, baumgarte_beta = 20;
  // kSoft: how fast a joint's error swings by itself, and how damped. The stiffness of a direction
  // is then m (2 pi f)^2, m the mass that the two bodies show in it: one number of N/m would be
  // soft for heavy bodies and beyond integration for light ones. 100 Hz stretch by 25 um under
  // their weight.
  double soft_frequency_hz = 100, soft_damping_ratio = 1;

  ForceContacts contacts = ForceContacts::kLcp;
  double dt_col = 1.0 / 240;    // s, > 0: contacts are looked for at least so often
  double v_normal_max = 0.1;    // m/s, >= 0: what approaches faster collides, the rest rests
  double v_tangent_max = 1e-3;  // m/s, > 0: what slides slower sticks (and creeps)
};

}  // namespace tenon
