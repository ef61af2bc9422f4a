// Joints that a user invents [Weinstein2006, sec. IV-A]: one function, "predicted relative frame ->
// nearest allowed frame", and nothing else. What the joint holds is found from it: the residual is
// the difference between a frame and its projection, and the held directions are those in which
// the projection does not follow (engine/joints/black_box.cpp). How to write one:
// docs/black-box-joints.md.
#pragma once

#include <array>
#include <functional>
#include <utility>

#include "tenon/engine/base/result.h"
#include "tenon/engine/joints/joint_model.h"
#include "tenon/engine/math/transform.h"

namespace tenon {

// How the nearest frame Y follows the predicted one X. Translations of the origins and small
// rotations (q becomes exp(w) q), in P's axes, m and rad:
//   d(translation of Y) = pp d(translation of X) + pr d(rotation of X)
//   d(rotation of Y)    = rp d(translation of X) + rr d(rotation of X)
// What is left out is zero.
struct FrameDerivative {
  Mat3 pp, pr, rp, rr;
};

class BlackBox {
 public:
  // X_PC, pose of the child's joint frame in the parent's -> nearest allowed X_PC. Must be
  // idempotent, and smooth near allowed frames; it may be one-sided (inside a region nothing is
  // changed). Called from several threads. Numbers that are not finite hold nothing.
  using Project = std::function<Pose(const Pose& X_PC)>;
  // Optional: the derivative of the above at X_PC, whose nearest frame Y_PC is already known. At an
  // edge either side will do. Without it, and where its numbers are not finite, differences are
  // taken: six more calls of the function for each derivative.
  using Derivative = std::function<FrameDerivative(const Pose& X_PC, const Pose& Y_PC)>;
  // `held`: number of freedoms that the joint takes away, 1 ... 6; 0 = found by trying, at every
  // frame anew (one-sided boxes need this).
  explicit BlackBox(Project project, int held = 0, Derivative derivative = nullptr)
      : project_(std::move(project)), derivative_(std::move(derivative)), held_(held) {}

  Pose project(const Pose& X_PC) const { return project_(X_PC); }
  int held() const { return held_; }
  bool callable() const { return static_cast<bool>(project_); }
  bool has_derivative() const { return static_cast<bool>(derivative_); }
  // Precondition: has_derivative().
  FrameDerivative derivative(const Pose& X_PC, const Pose& Y_PC) const {
    return derivative_(X_PC, Y_PC);
  }

 private:
  Project project_;
  Derivative derivative_;
  int held_;
};

// Error if the derivative is not that of the function at X_PC within a thousandth (either side of
// an edge counts), naming the entry. Fine where there is none, or where either is not finite:
// differences are taken there. `size` as below. Costs 13 calls.
Status check_derivative(const BlackBox& box, const Pose& X_PC, double size);

// A frame, its projection, and r, their difference in six coordinates: translation in P's axes /
// size, rotation in P's axes. `size`, in m, > 0, weighs lengths against angles: about that of the
// bodies.
struct BlackBoxFrame {
  Pose X, Y;
  std::array<double, 6> r{};
  bool finite = false;  // false: no numbers; Y and r mean nothing
};
// Costs one call.
BlackBoxFrame look_at(const BlackBox& box, const Pose& X_PC, double size);

// The directions that a black box holds near a frame, as orthonormal vectors of the six
// coordinates. They change with the frame: find them once, at the frame predicted for the end of a
// step, and keep them for that step.
//
// A row is one-sided where the predicted frame lies outside a region whose edge gives way inwards
// (a cone of reach, the end of a slot). Its vector points outwards. Such a row is to be held while
// the force along it pushes inwards; a predicted frame inside the region has no such row.
struct BlackBoxBasis {
  int count = 0;
  double b[6][6] = {};
  double gradient[6][6] = {};  // of b . r, by the six coordinates, at the nearest allowed frame
  bool one_sided[6] = {};
  bool finite = true;  // false: the user's function gave numbers that are not; nothing is held
};

// Costs 7 calls (an edge in sight: 15 more), or with a derivative and `held` one call of that.
// Same result for the same frame.
BlackBoxBasis find_basis_at(const BlackBox& box, const BlackBoxFrame& at, double size);
BlackBoxBasis find_basis(const BlackBox& box, const Pose& X_PC, double size);

// Adds the one-sided row of the edge that a frame is outside of, unless the basis has it. For
// frames that turn out to end elsewhere than predicted. Returns whether a row was added. Costs one
// call at most.
bool add_edge_row(const BlackBox& box, const BlackBoxFrame& at, double size, BlackBoxBasis& basis);

// c[k] of each row, all zero where the frame is allowed. It has no unit (radians; lengths divided
// by size). Two-sided rows are components of r; one-sided rows are distances from the edge of the
// region along their vector, negative inside it. False, with c = 0, where the function gives
// numbers that are not finite. Costs 2 to 4 calls for a one-sided row, else none.
bool calc_values(const BlackBox& box, const BlackBoxBasis& basis, const BlackBoxFrame& at,
                 double size, double* c);

// The full derivative w_P[k] of c[k] in P's axes:
//   dc = f . d(translation of C in P) + t . d(rotation of C against P)
// False, with w_P = the basis, where numbers are not finite. Costs six calls, 14 to 16 more for a
// one-sided row; with a derivative one call of that, three for a one-sided row.
bool calc_gradients(const BlackBox& box, const BlackBoxBasis& basis, const BlackBoxFrame& at,
                    double size, RowWrench* w_P);

// All of it at X_PC.
bool eval_black_box(const BlackBox& box, const BlackBoxBasis& basis, const Pose& X_PC, double size,
                    double* c, RowWrench* w_P);

// How far a frame is from its projection: m and rad. Zeros where the function fails.
struct FrameDistance {
  double gap_m = 0, angle_rad = 0;
};
FrameDistance calc_distance(const BlackBox& box, const Pose& X_PC);

}  // namespace tenon
