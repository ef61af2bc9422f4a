// Forces of bodies that rest or slide on each other, all at once: a linear complementarity problem
// of accelerations (or, for bodies that come to rest, of velocities and impulses).
// Source: [Baraff1991], [Baraff1994]; the polygon of friction directions: [Stewart2000, sec. 3].
// Notation: f_N, f_T forces on b; a_N, a_T acceleration of b against a at a point.
//   a_N >= least,  f_N >= 0,  f_N (a_N - least) = 0                                             (1)
//   sliding:  f_T = -mu_0 f_N v_T / |v_T|                                                       (2)
//   sticking: |f_T| <= mu f_N, and a_T = hold where < holds; otherwise f_T opposes a_T - hold   (3)
// `least` and `hold` are zero but for what brings drift back (docs/theory/force-contact.md).
//
// Two ways. A guess of what each point does (open, sticking, slipping along a direction; first what
// it did last time) makes (1) to (3) a linear system. What its solution contradicts is changed, and
// again, until it obeys all the inequalities, with the round cone: an answer, mostly the first
// time. Otherwise Lemke's algorithm, where (3) has 8 friction directions d_k (the first along
// the acceleration without friction; weakest in between, by 8 %):
//   f_T = sum_k b_k d_k,  d_k . (a_T - hold) + s >= 0 _|_ b_k >= 0,  mu f_N - sum b_k >= 0 _|_ s >=
//   0
// Bodies that stand on more points than they have freedoms leave forces open: of all answers the
// one with the least sum of squares is taken (a diagonal of 1e-8 of the matrix' own, for Lemke's
// algorithm 1e-6, taken out again by iteration).
// Where round-off leads Lemke's algorithm astray in five tries, sweeps over the points take over;
// beyond 160 unknowns they take its place.
// (2) may leave no answer at all (Painleve): Lemke's algorithm ends in a ray, which is reported.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/solve_force/contact_response.h"
#include "tenon/engine/solve_force/lemke.h"

namespace tenon {

struct RestingPoint {
  TouchingPoint at;
  // Acceleration (velocity) of b against a at the point without contact forces, less what is
  // wanted: along the normal `least`, in the plane `hold`.
  Vec3 bias_W;
  double static_friction = 0, sliding_friction = 0;
  Vec3 slip_W = {};            // unit, of b against a, in the plane of contact; zero: sticks
  Vec3 torque_per_force = {};  // m, world axes: resistance to rolling on b per f_N
  // results, on b
  Vec3 force_W = {};
  double normal = 0;  // f_N
};

// What a point did: the beginning of the next solve.
enum class RestingMode : uint8_t { kOpen, kClosed, kSlips };

enum class RestingWay : uint8_t { kNone, kGuess, kLemke, kSweeps };

struct RestingResult {
  RestingWay way = RestingWay::kNone;
  LcpStatus status = LcpStatus::kSolved;
  int pivots = 0;
  double residual = 0;  // of (1) to (3), relative
};

struct RestingSettings {
  bool lemke_only = false;  // for comparison
};

// `modes`: of the last solve, one for each point; other sizes: nothing is known. Overwritten.
// Where there is no answer, forces are zero. Cost: responses of 3 loads per point; (3 k)^3 / 3 for
// the linear system; Lemke's algorithm takes about a hundred times that.
RestingResult calc_resting_forces(std::span<RestingPoint> points, const ContactResponse& response,
                                  std::vector<RestingMode>& modes,
                                  const RestingSettings& settings = {});

}  // namespace tenon
