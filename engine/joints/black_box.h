// Joints that a user invents [Weinstein2006, sec. IV-A]: one function, "predicted relative frame ->
// nearest allowed frame", and nothing else. What the joint holds is found from it: the residual is
// the difference between a frame and its projection, and the held directions are those in which
// the projection does not follow (engine/joints/black_box.cpp).
#pragma once

#include <functional>
#include <utility>

#include "tenon/engine/joints/joint_model.h"
#include "tenon/engine/math/transform.h"

namespace tenon {

class BlackBox {
 public:
  // X_PC, pose of the child's joint frame in the parent's -> nearest allowed X_PC. Must be
  // idempotent, and smooth near allowed frames; it may be one-sided (inside a region nothing is
  // changed). Called from several threads. Numbers that are not finite hold nothing.
  using Project = std::function<Pose(const Pose& X_PC)>;
  // `held`: number of freedoms that the joint takes away, 1 ... 6; 0 = found by trying, at every
  // frame anew (one-sided boxes need this).
  explicit BlackBox(Project project, int held = 0) : project_(std::move(project)), held_(held) {}

  Pose project(const Pose& X_PC) const { return project_(X_PC); }
  int held() const { return held_; }
  bool callable() const { return static_cast<bool>(project_); }

 private:
  Project project_;
  int held_;
};

// The directions that a black box holds near a frame, as orthonormal vectors of the six coordinates
// (translation of C in P's axes / size, rotation of C in P's axes). They change with the frame:
// find them once, at the frame predicted for the end of a step, and keep them for that step.
//
// A row is one-sided where the predicted frame lies outside a region whose edge gives way inwards
// (a cone of reach, the end of a slot). Its vector points outwards. Such a row is to be held while
// the force along it pushes inwards; a predicted frame inside the region has no such row.
struct BlackBoxBasis {
  int count = 0;
  double b[6][6] = {};
  bool one_sided[6] = {};
  bool finite = true;  // false: the user's function gave numbers that are not; nothing is held
};

// `size`, in m, > 0, weighs lengths against angles: about that of the bodies. Costs 14 calls of the
// function. Same result for the same X_PC.
BlackBoxBasis find_basis(const BlackBox& box, const Pose& X_PC, double size);

// c[k] of each row, all zero where the frame is allowed, and its full derivative w_P[k] in P's
// axes:
//   dc = f . d(translation of C in P) + t . d(rotation of C against P)
// c has no unit (radians; lengths divided by size). Two-sided rows are components of the difference
// between the frame and its projection; one-sided rows are distances from the edge of the region
// along their vector, negative inside it. Returns false, with c = 0 and w_P = the basis, where the
// function gives numbers that are not finite. Costs 13 calls, and 26 to 52 more for each one-sided
// row.
bool eval_black_box(const BlackBox& box, const BlackBoxBasis& basis, const Pose& X_PC, double size,
                    double* c, RowWrench* w_P);

// How far a frame is from its projection: m and rad. Zeros where the function fails.
struct FrameDistance {
  double gap_m = 0, angle_rad = 0;
};
FrameDistance calc_distance(const BlackBox& box, const Pose& X_PC);

}  // namespace tenon
