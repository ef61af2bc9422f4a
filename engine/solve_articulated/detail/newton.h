// Newton's method for one (sub)step of a mechanism: joint errors and momentum balance at once.
#pragma once

#include "tenon/engine/solve_articulated/detail/direct_data.h"

namespace tenon::direct {

class Newton {
 public:
  struct Limits {
    double tolerance = 1e-8;    // where to stop: joint errors relative to size, and momentum
    double acceptable = 1e-6;   // a stalled iteration is taken from here on
    double largest_gap = 1e-4;  // what the compliance may leave open
    double size = 1;            // m: momentum residuals are displacements relative to it
    double (*clock)() = nullptr;
    double deadline = 0;
    bool out_of_time() const { return deadline > 0 && clock != nullptr && clock() > deadline; }
  };

  void reset(const Mechanism& mechanism);
  // From the iterate in dx, th of the bodies; false if nothing acceptable was found.
  bool solve(double h, double compliance, const Limits& limits);
  // Where impulses act; kEnd is the implicit Euler step. The rows' begin() is told as well.
  Levers levers = Levers::kMean;
  // Momentum residuals and joint errors at the iterate.
  void evaluate(double h);
  // After solve(): how far bodies move (`du`) and turn (`dth`, a small rotation at the end) for an
  // impulse on one of them that is spread over the step, with joints held, tension and all, to
  // first order. factor() comes first.
  void factor(double compliance);
  void respond(uint32_t body, const Vec3& force, const Vec3& torque);

  std::vector<BodyWork> work;
  std::unique_ptr<Rows> rows;
  BlockLu lu;
  uint32_t iterations = 0, factorisations = 0;  // counted on

 private:
  const Mechanism* mechanism_ = nullptr;
  std::vector<double> x_, trial_;
  double h_ = 0, size_ = 1, good_contraction_ = 0.1;
  double joint_error_ = 0, momentum_error_ = 0;

  bool iterate(double compliance, const Limits& limits);
  void evaluate_body(BodyWork& w) const;
  void measure_momentum();
  double merit() const { return std::max(joint_error_, momentum_error_); }
  double take_step();
  bool leads_on(double part);
  void move(double part);
};

}  // namespace tenon::direct
