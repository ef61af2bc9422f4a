// The held rows of a mechanism at any configuration, without dimension: lengths are measured in
// units of `length`, and so are translations of bodies.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tenon/engine/mechanism/mechanism.h"
#include "tenon/engine/solve_articulated/mobility.h"

namespace tenon::mobility {

// Positions of mass centres and orientations, by local body.
struct Configuration {
  std::vector<Vec3> x_WC;
  std::vector<Quat> q_WB;
};

struct HeldRow {
  uint32_t joint = 0;  // local
  bool linear = false;
  double c = 0;
  uint8_t entries = 2;
  std::array<uint32_t, 4> body{};
  std::array<std::array<double, 6>, 4> gradient{};  // by (translation / length, rotation)
};

class HeldRows {
 public:
  HeldRows(const Mechanism& mechanism, std::span<const MobilityBody> bodies,
           std::span<const MobilityJoint> joints);

  double length() const { return length_; }  // m
  // Column of the first coordinate of a local body; bodies that do not move have none.
  uint32_t column(uint32_t body) const { return column_[body]; }
  uint32_t coordinates() const { return column_[mechanism_->moving]; }
  const Mechanism& mechanism() const { return *mechanism_; }

  Configuration start() const;
  // x (+) step, of coordinates() numbers.
  Configuration moved(const Configuration& from, std::span<const double> step) const;
  // All rows there. Coupled angles count turns from the last call on, so go in small steps.
  std::vector<HeldRow> eval(const Configuration& at);
  // m and rad by which each joint is open.
  std::vector<JointGap> gaps(std::span<const HeldRow> rows) const;

 private:
  void add_joint(uint32_t joint, const Configuration& at, std::vector<HeldRow>& out);
  void add_black_box(uint32_t joint, const PairFrames& x, std::vector<HeldRow>& out);
  PairFrames frames(uint32_t joint, size_t pair, const Configuration& at) const;

  struct Turns {
    double first = 0, second = 0, offset = 0;
    bool known = false;
  };
  const Mechanism* mechanism_;
  std::span<const MobilityBody> bodies_;
  std::span<const MobilityJoint> joints_;
  double length_ = 1;
  std::vector<uint32_t> column_;
  std::vector<std::array<Turns, kMaxRows>> turns_;
};

}  // namespace tenon::mobility
