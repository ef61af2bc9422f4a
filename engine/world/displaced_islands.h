// Working memory of the method 'displacement'; lives during one step, kept for its memory only.
#pragma once

#include <utility>
#include <vector>

#include "tenon/engine/solve_displacement/step.h"

namespace tenon {

struct DisplacedIsland {
  static constexpr uint32_t kNone = 0xffffffffu;
  std::vector<uint32_t> slots;  // by body; those that move first
  std::vector<displacement::StepBody> bodies;
  std::vector<displacement::Joint> joints;
  std::vector<uint32_t> joint_slots;
  std::vector<displacement::StepContact> contacts;
  std::vector<std::pair<uint32_t, uint32_t>> points;  // of WorldData::contacts: index, point
  uint32_t world = kNone;                             // where the world stands among the bodies
  displacement::Stepper stepper;
  displacement::StepResult result;

  void clear() {
    slots.clear();
    bodies.clear();
    joints.clear();
    joint_slots.clear();
    contacts.clear();
    points.clear();
    world = kNone;
  }
};

struct DisplacedIslands {
  std::vector<DisplacedIsland> islands;  // the first `count` are in use
  size_t count = 0;
};

}  // namespace tenon
