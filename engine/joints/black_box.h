// Joints that a user invents [Weinstein2006, sec. IV-A]: one function, "predicted relative frame ->
// nearest allowed frame", and nothing else. What the joint holds is found from it: the residual is
// the difference between a frame and its projection, and the held directions are those in which
// the projection does not follow (engine/joints/black_box.cpp).
#pragma once

#include <functional>
#include <utility>

#include "tenon/engine/math/transform.h"

namespace tenon {

class BlackBox {
 public:
  // X_PC, pose of the child's joint frame in the parent's -> nearest allowed X_PC. Must be
  // idempotent, and smooth near allowed frames. Called from several threads.
  using Project = std::function<Pose(const Pose& X_PC)>;
  // `held`: number of freedoms that the joint takes away, 1 ... 6; 0 = found by trying.
  explicit BlackBox(Project project, int held = 0) : project_(std::move(project)), held_(held) {}

  Pose project(const Pose& X_PC) const { return project_(X_PC); }
  int held() const { return held_; }
  bool callable() const { return static_cast<bool>(project_); }

 private:
  Project project_;
  int held_;
};

}  // namespace tenon
