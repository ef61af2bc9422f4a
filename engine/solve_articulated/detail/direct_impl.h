// The direct solver at work: what its files share.
#pragma once

#include <algorithm>

#include "tenon/engine/solve_articulated/detail/newton.h"

namespace tenon {
namespace direct {

// Newton is stopped this far below the tolerance: what is left of the joint errors does work, and
// four-bars lose a joule in ten seconds at the tolerance itself.
inline constexpr double kSafety = 1e-2;
// Compliance of the joints relative to their diagonal: makes redundant rows share their load, and
// leaves gaps of that part of h^2 force / mass. Less makes the loads of redundant rows noise.
inline double compliance_for(double tolerance) {
  return std::clamp(1e-4 * tolerance, 2.5e-12, 1e-9);
}
inline constexpr double kSettlingCompliance = 1e-2;

}  // namespace direct

// A step cut into substeps, each an attempt of Newton's method; direct.cpp says in which order.
struct DirectSolver::Impl {
  const Mechanism* mechanism = nullptr;
  direct::Newton newton;
  std::vector<double> stiffness;
  // Of bodies that do not move by themselves, from `moving` on: where the whole step and the
  // running substep end.
  std::vector<BodyState> given_end, fixed_to;
  std::vector<BodyState> state;  // where the running substep begins
  std::vector<JointState> saved_joints;
  std::vector<Vec3> rolls;  // of moving bodies: axis about which turning changes nothing, or zero
  std::vector<uint8_t> balls;  // of moving bodies: no turning changes anything

  // of the running step
  std::span<StepBody> bodies;
  std::span<const StepJoint> joints;
  DirectSettings settings;
  direct::Newton::Limits limits;
  DirectResult result;
  direct::Account account;
  double h = 0, whole_h = 0;                    // of the running substep, of the whole step
  bool watch_open = false, found_open = false;  // joints that are open at the begin of the step

  size_t moving() const { return mechanism->moving; }
  void begin_step(std::span<StepBody> step_bodies, std::span<const StepJoint> step_joints,
                  double step_h, const DirectSettings& step_settings);
  void begin_substep(double t1);
  void begin_rows();
  bool turns_too_far() const;
  void find_rolls();
  void choose_alpha();
  void predict();
  void store();
  void turn_spin(size_t b);
  bool advance(double t0, double t1, int depth);
  bool attempt();
  void book_change(std::span<const BodyState> from);
  void close();
  double kinetic() const;
  void project();
  bool gains_energy(double work_J) const;
  bool settle(double t1);
  bool last_resort(double t1);
  void project_begin();
  bool foresee_bends();
  bool bends_known = false;
  void rest_at_begin();
  double shift_ends(std::span<const Motion> displacement, double excess);
  void project_ends(std::span<const BodyState> before, ShiftAlong along);
  double kinetic_of(std::span<const Motion> motion) const;
  void calc_step_answer(std::span<const uint32_t> which, std::vector<double>& answer);
  bool accept();
  BodyState fixed_at(size_t b, double t) const;
};

}  // namespace tenon
