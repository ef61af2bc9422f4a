// Built-in joints written once more as a user would: one function each, and its derivative.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/joint_def.h"

namespace tenon {

struct UserBox {
  std::string name;
  JointKind kind;  // the joint that it is
  std::shared_ptr<const BlackBox> box;
};
std::vector<UserBox> user_boxes();

// The same function and nothing else.
std::shared_ptr<const BlackBox> without_derivative(std::shared_ptr<const BlackBox> box);

}  // namespace tenon
