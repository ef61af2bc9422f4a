// The joints of a world as the faithful step sees them: engine/solve_articulated/sweep.h behind the
// interface of engine/solve_contact/faithful/step.h.
#pragma once

#include "tenon/engine/solve_articulated/sweep.h"
#include "tenon/engine/solve_contact/faithful/step.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

class FaithfulJoints final : public faithful::Joints {
 public:
  // `bodies` begin with the finite ones, ascending by slot; `states` and `ends` by body slot: those
  // of infinite bodies are read. The joints are those of all mechanisms.
  FaithfulJoints(const StepContext& context, WorldData& data,
                 std::span<const faithful::Body> bodies);

  size_t count() const override { return work_.joints.size(); }
  Ends ends(size_t joint) const override { return ends_[joint]; }
  void prestabilize(std::span<faithful::Body> bodies, size_t joint, double epsilon) override;
  void post_stabilize(std::span<faithful::Body> bodies, Which which) override;
  void moved(std::span<const faithful::Body> bodies) override;
  void repair(std::span<faithful::Body> bodies, Which which) override;
  void save() override;
  void restore() override;

  // At the end of the step: coordinates and reactions of joints.
  void store(WorldData& data);
  // What infinite bodies gave through joints.
  struct Given {
    Vec3 impulse, angular_impulse;
    double work_J = 0;
  };
  Given given() const;

 private:
  void read(std::span<const faithful::Body> bodies, uint32_t index);
  void write(std::span<faithful::Body> bodies, uint32_t index) const;
  // By joint: 1 if meant.
  std::vector<uint8_t> choose(std::span<const faithful::Body> bodies, Which which) const;

  double h_ = 0;
  SweepSettings settings_;
  SweepCounts counts_;
  std::vector<uint32_t> joint_slots_;
  std::vector<uint32_t> mechanism_;  // by joint: which mechanism it belongs to
  std::vector<Ends> ends_;
  size_t finite_ = 0;  // bodies; they have the same index here and there
  SweepWork work_;
  SweepWork saved_;
};

}  // namespace tenon
