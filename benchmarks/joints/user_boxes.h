// Built-in joints written once more as a user would: one function each.
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

}  // namespace tenon
