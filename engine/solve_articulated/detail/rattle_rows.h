// The joints of a mechanism over one part of a RATTLE step. Impulses p are those of the whole part
// as everywhere: half of them acts at its begin along F, the gradients there; G are the gradients
// at its end.
#pragma once

#include "tenon/engine/solve_articulated/detail/direct_data.h"

namespace tenon::direct {

class RattleRows {
 public:
  virtual ~RattleRows() = default;
  // Forgets what earlier steps have summed up for store_means().
  virtual void begin_step() = 0;
  // Frames and gradients at the begin of the part, first guess of the impulses from JointState.
  virtual void begin(std::span<const BodyWork> bodies, std::span<const StepJoint> joints,
                     double h) = 0;
  virtual double begin_error() const = 0;
  virtual void add_tension(std::span<const BodyWork> bodies, std::span<double> stiffness) const = 0;
  // Adds the impulses that act at the begin of the part to gl and ga.
  virtual void add_kicks(std::span<BodyWork> bodies) const = 0;
  // Joint errors and gradients where the bodies are at the end of the part (dx, S).
  virtual double evaluate(std::span<BodyWork> bodies) = 0;
  // The same without what the compliance allows.
  virtual double end_gap() const = 0;
  // Forces of all rows times the sizes of their joints, J.
  virtual double load() const = 0;
  // One Newton step, as in Rows.
  virtual void assemble(std::span<const BodyWork> bodies, BlockLu& lu, double compliance) = 0;
  virtual void make_rhs(std::span<const BodyWork> bodies, const BlockLu& lu,
                        std::span<double> x) = 0;
  virtual void add_step(std::span<BodyWork> bodies, const BlockLu& lu,
                        std::span<const double> x) = 0;
  virtual void move(double factor) = 0;
  virtual int update_laws() = 0;
  // The impulses that act at the end of the part: those of laws are known, the others make the
  // velocities of `end` fit. Adds work and impulses of both ends. Middle: velocities of
  // moving bodies on their free way, w at its begin and at its end.
  struct Middle {
    Vec3 vh, wh, we;
  };
  virtual void finish(std::span<StepBody> bodies, std::span<const BodyWork> work,
                      std::span<const Middle> middle, BlockLu& lu, double compliance,
                      Account& account) = 0;
  // The part is taken: writes coordinates, segments and a guess of the forces to come.
  virtual void store() = 0;
  // The step, h long, is done: writes the mean forces over it.
  virtual void store_means(double h) = 0;
};

std::unique_ptr<RattleRows> make_rattle_rows(const Mechanism& mechanism);

}  // namespace tenon::direct
