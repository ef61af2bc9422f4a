// Simultaneous collisions one after another, analytically: AERO's collision method.
// Source: [Keller1993, sec. 3.6]. Each step takes one point that approaches and gives it the
// impulse R n after which it separates with restitution times the speed of approach:
//   K = n . (response of n at the point),  R = -(1 + e) v_N / K                                 (1)
// points in turn, as they are given, until none approaches, but at most 2 k steps for k points.
// Departures, both of which leave (1) as it is where they do not matter: bodies answer with their
// joints; and a point may rub. The impulse along the sliding direction is
//   R_T = min(mu R, v_T / K_T)                                                                  (2)
// on the velocity after (1). It takes energy always (it never turns the sliding round), so that
// the whole does not gain any for e <= 1.
// What is wrong with it (and why contacts by LCP are there): a box that falls flat on the ground
// turns; for e = 0, 2 k steps leave a part of the approach. Both are reported.
#pragma once

#include <span>

#include "tenon/engine/solve_force/contact_response.h"

namespace tenon {

struct CollidingPoint {
  TouchingPoint at;
  double restitution = 0;      // 0..1
  double friction = 0;         // >= 0
  Vec3 surface_velocity = {};  // m/s, of b's surface against a's, as on belts
  Vec3 impulse_W = {};         // N s, on b: the sum of all steps, added to
};

struct SerialSettings {
  double slow = 0;       // m/s: approaches up to this are left alone
  double still = 1e-12;  // of the fastest approach at the begin: round-off, no collision
  int max_steps = 0;     // 0: 2 k, the paper's; otherwise this many
};

struct SerialResult {
  int steps = 0;
  bool capped = false;  // ended by the number of steps
  double approach = 0;  // m/s: fastest approach that is left
  double before = 0;    // m/s: the same at the begin
};

// Changes `velocity` (by body) and the impulses of the points.
SerialResult collide_in_turn(std::span<CollidingPoint> points, const ContactResponse& response,
                             std::span<Motion> velocity, const SerialSettings& settings = {});

}  // namespace tenon
