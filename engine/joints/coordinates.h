// What a joint shows of itself: coordinates along its axes, their rates, and its errors.
#pragma once

#include "tenon/engine/joints/joint_model.h"

namespace tenon {

using AxisValues = std::array<double, kJointAxisCount>;

// Coordinates as in joint_def.h. Along axes that are not free they are the deviations that the
// joint keeps at zero, by the same forms as for a ball joint.
struct JointCoordinates {
  AxisValues value{};  // m, rad
  std::array<RowWrench, kJointAxisCount> gradient{};
};

// `reference`: where the angles were before, for counting turns (nearest turn to it); zeros give
// angles between -pi and pi. Not for gears, whose coordinates are those of their two joints.
JointCoordinates calc_coordinates(const JointModel& model, const PairFrames& x,
                                  const AxisValues& reference);

// The rate of a coordinate or row with gradient w, for velocities of the mass centres and angular
// velocities, world axes.
double calc_rate(const RowWrench& w, const PairFrames& x, const Vec3& vP, const Vec3& wP,
                 const Vec3& vC, const Vec3& wC);

// The pose of C in P.
Pose calc_relative_pose(const PairFrames& x);

// How far a joint is from what it promises. `gap_m`, `angle_rad`: what it holds; `limit_m`,
// `limit_rad`: how far beyond its limits and cone it is. All zero for a perfect joint. The angle is
// the true one: a hinge whose axes are opposite is wrong by pi, although its rows are zero.
// Gears: the mismatch, in units of the first coordinate, from the turns that `state` has counted.
struct JointDeviation {
  double gap_m = 0, angle_rad = 0;
  double limit_m = 0, limit_rad = 0;
};
JointDeviation calc_deviation(const JointModel& model, const JointState& state, const PairFrames& x,
                              const PairFrames& x2);

}  // namespace tenon
