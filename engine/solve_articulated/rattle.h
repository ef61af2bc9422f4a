// One step of a mechanism by RATTLE: symplectic, for the best trajectories.
//
// Joint impulses act along the gradients at the begin of the step such that the joints fit at its
// end [Andersen1983], [HairerLubichWanner2006, sec. VII.1.4]; in between, every body moves exactly
// as a free one. Energy errors oscillate and do not add up where the step resolves the motion. It
// has no solution beyond a tension limit, so the step is cut into as many parts as that needs.
// Equations: docs/theory/joints.md, section 10; numbers in brackets refer to that page.
#pragma once

#include <memory>
#include <span>

#include "tenon/engine/solve_articulated/direct.h"

namespace tenon {

struct RattleResult {
  DirectResult direct;     // bisections: how often the parts had to be halved after all
  uint32_t substeps = 0;   // parts of the step; 0 where it fell back
  bool fell_back = false;  // the step was left to the direct solver
};

class RattleSolver {
 public:
  RattleSolver();
  ~RattleSolver();
  RattleSolver(RattleSolver&&) noexcept;
  RattleSolver& operator=(RattleSolver&&) noexcept;

  // Keeps a pointer to the mechanism.
  void reset(const Mechanism& mechanism);
  // As DirectSolver::step. `fallback` (of the same mechanism) takes over where no number of parts
  // helps: joints that stand open or cannot be met, a deadline that has passed. Depends on nothing
  // but its arguments.
  RattleResult step(std::span<StepBody> bodies, std::span<const StepJoint> joints, double h,
                    const DirectSettings& settings, DirectSolver& fallback);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
