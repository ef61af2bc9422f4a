// The rows of a joint as accelerations see them: value, rate, and what the second derivative is
// without any acceleration.
#pragma once

#include <span>

#include "tenon/engine/bodies/body.h"
#include "tenon/engine/joints/joint_model.h"

namespace tenon {

// One body's part in a row: rate = sum over bodies of f . v + t . w.
struct RowEntry {
  Vec3 f, t;
};

// c, c' and the bias b of c'' = J a + b: b = (dJ/dt) v.
struct ForceRow {
  RowEntry entry[4];  // parent and child of each pair
  double c = 0, rate = 0, bias = 0;
  double count2 = 1;  // count_per_turning2()
};

// A body where a row looks at it; the world is the default.
struct RowBody {
  Vec3 x_WC;
  Mat3 R = Mat3::identity();
  Vec3 v, w;
};

// All rows of a joint; returns how many. `bodies`: parent and child of each pair. `turns`: the
// joint's state a time `since` ago, from which its angles are counted on. `size`, m: of the bodies,
// for black boxes, whose rows are those of the frame where they are (engine/joints/black_box.h).
size_t eval_force_rows(const JointModel& model, const RowBody* const (&bodies)[4],
                       const JointState& turns, double since, double size,
                       std::span<ForceRow> rows);

// Force and torque of a black box's rows on the child, in P's axes (JointState::force).
void store_black_box_force(const JointModel& model, const RowBody* const (&bodies)[4],
                           std::span<const ForceRow> rows, std::span<const double> force,
                           JointState& state);

// Counts the turns: angles of `state`, and of its rows, where the rows are now.
void store_turns(const JointModel& model, const RowBody* const (&bodies)[4],
                 std::span<const ForceRow> rows, double since, JointState& state);

}  // namespace tenon
