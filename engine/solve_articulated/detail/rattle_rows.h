// The joints of a mechanism over one part of a RATTLE step: GeneralRows with its gradients taken at
// the two ends. Impulses p are those of the whole part as everywhere: half of them acts at its
// begin along F, the gradients there; G are the gradients at its end. Used as they are: assemble,
// make_rhs, add_step, move, update_laws, begin_error, gap, add_tension.
#pragma once

#include "tenon/engine/solve_articulated/detail/general_rows.h"

namespace tenon::direct {

class RattleRows final : public GeneralRows {
 public:
  explicit RattleRows(const Mechanism& mechanism) : GeneralRows(mechanism) {
    smooth_part_ = 0.5;
    may_idle_ = may_stiffen_ = false;
  }

  void set_adaptive(bool) override {}  // substeps resolve what there is
  // Forgets what earlier steps have summed up for store_means().
  void begin_step() { sums_.assign(joints_.size(), {}); }
  // Frames and gradients at the begin of the part, first guess of the impulses from JointState.
  void begin_part(std::span<const BodyWork> bodies, std::span<const StepJoint> joints, double h);
  // Adds the impulses that act at the begin of the part to gl and ga.
  void add_kicks(std::span<BodyWork> bodies) const;
  // Joint errors and gradients where the bodies are at the end of the part (dx, S). Returns the
  // largest error relative to the joints' sizes.
  double evaluate_end(std::span<const BodyWork> bodies);
  // The impulses that act at the end of the part: those of laws are known, the others make the
  // velocities of `end` fit. Adds work and impulses of both ends. Middle: velocities of moving
  // bodies on their free way, w at its begin and at its end.
  struct Middle {
    Vec3 vh, wh, we;
  };
  void finish_part(std::span<StepBody> bodies, std::span<const BodyWork> work,
                   std::span<const Middle> middle, BlockLu& lu, double compliance,
                   Account& account);
  // The part is taken: writes coordinates, segments and a guess of the forces to come.
  void store();
  // The step, h long, is done: writes the mean forces over it.
  void store_means(double h);

 private:
  std::vector<int> held_;                    // of black boxes: rows that F is found for
  std::vector<std::array<double, 6>> sums_;  // impulses, in the terms of JointState::lambda

  bool has_law(const GeneralJoint& j, size_t k) const {
    return j.model->kind != JointKind::kBlackBox && j.model->scalar_row(static_cast<int>(k)) &&
           j.model->rows[k].axis != kHeldRow;
  }
  const double* end_impulses(size_t joint) const {  // of the velocity stage
    return joints_[joint].mu.data();
  }
  void add_scalar_row(GeneralJoint& j, size_t k, bool at_end);
  void find_rows(GeneralJoint& j, bool at_end);
  void account_kick(const GeneralJoint& j, std::span<const BodyWork> work,
                    std::span<const Middle> middle, Account& account) const;
  void end_kicks(GeneralJoint& j, std::span<StepBody> bodies, std::span<const BodyWork> work,
                 Account& account);
  void correct_law_work(std::span<const StepBody> bodies, std::span<const BodyWork> work,
                        std::span<const Middle> middle, Account& account) const;
};

}  // namespace tenon::direct
