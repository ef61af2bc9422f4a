// A mechanism: bodies that joints connect, directly or through others, and the graph of its joints.
// Bodies that do not move by themselves (static, kinematic, the world) connect nothing.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "tenon/engine/joints/joint_model.h"
#include "tenon/engine/mechanism/block_pattern.h"

namespace tenon {

inline constexpr uint32_t kNoNode = 0xffffffffu;

// A joint of the mechanism; bodies by local index.
struct MechanismJoint {
  uint32_t slot = 0;  // of the joint in its world
  uint8_t rows = 0;
  uint8_t entry_count = 2;         // 2 per pair
  std::array<uint32_t, 4> body{};  // parent and child of each pair
};

// Two joints (entries of theirs) at one body: where their coupling block stands.
struct Coupling {
  uint32_t row_joint, column_joint;  // row_joint is eliminated later
  uint8_t row_entry, column_entry;   // which of the joint's bodies
  uint32_t block;                    // of the pattern
};

struct Mechanism {
  std::vector<uint32_t> body_slots;  // dynamic bodies first
  uint32_t moving = 0;               // how many of them are dynamic
  std::vector<MechanismJoint> joints;
  // Nothing but joints that hold a point and perhaps directions (ball, universal, hinge, rigid)
  // between two bodies, without anything along their freedoms: the fast path.
  bool pins_only = false;

  BlockPattern pattern;  // nodes: joints, then hubs
  // Bodies with many joints are nodes of their own: eliminating them first would couple each of
  // their joints with each other one. kNoNode for the rest.
  std::vector<uint32_t> hub_node;  // by local body
  std::vector<uint32_t> hubs;      // local bodies
  // by local body: its couplings stand at [coupling_first[b], coupling_first[b+1]); hubs have none
  std::vector<Coupling> couplings;
  std::vector<uint32_t> coupling_first;
};

// Which of the given joints (slot and model, enabled ones only) form mechanisms with which bodies.
// `is_dynamic` by body slot. Mechanisms come ordered by their lowest body slot, bodies and joints
// within one by slot: the same scene gives the same order everywhere.
struct JointRef {
  uint32_t slot;
  const JointModel* model;
};
std::vector<Mechanism> find_mechanisms(std::span<const JointRef> joints,
                                       std::span<const uint8_t> is_dynamic);

}  // namespace tenon
