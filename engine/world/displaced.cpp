#include "tenon/engine/world/displaced.h"

#include <algorithm>

#include "tenon/engine/world/create_body.h"
#include "tenon/engine/world/joints.h"

namespace tenon {
namespace {

displacement::Body make_body(const WorldData& data, uint32_t slot, bool moves) {
  displacement::Body body;
  if (slot == kWorldBody) return body;
  const BodyMass& mass = data.mass[slot];
  if (mass.size > 0) body.size = mass.size;
  if (!moves) return body;
  body.inv_mass = mass.inv_mass;
  body.inv_I_B = mass.inv_I_B;
  return body;
}

void add_body(const WorldData& data, uint32_t slot, bool moves, DisplacedMechanism& m) {
  m.body_slots.push_back(slot);
  m.bodies.push_back(make_body(data, slot, moves));
  m.at.push_back(slot == kWorldBody ? Pose{} : Pose{data.state[slot].x_WC, data.state[slot].q_WB});
}

DisplacedMechanism make_displaced(const WorldData& data, const Mechanism& mechanism) {
  DisplacedMechanism m;
  for (uint32_t b = 0; b < mechanism.body_slots.size(); ++b) {
    add_body(data, mechanism.body_slots[b], b < mechanism.moving, m);
  }
  for (const MechanismJoint& j : mechanism.joints) {
    const JointModel& model = data.joint_models[j.slot];
    displacement::Joint joint;
    joint.model = &model;
    joint.state = &data.joint_states[j.slot];
    joint.body = j.body;
    joint.size = joint_size(data, model);
    m.joints.push_back(joint);
    m.joint_slots.push_back(j.slot);
  }
  return m;
}

}  // namespace

uint32_t DisplacedMechanism::find(uint32_t slot) const {
  const auto it = std::find(body_slots.begin(), body_slots.end(), slot);
  return it == body_slots.end() ? kNoBody : static_cast<uint32_t>(it - body_slots.begin());
}

std::vector<uint8_t> find_displaceable(const WorldData& data, std::span<const uint32_t> locked) {
  std::vector<uint8_t> out(data.info.size(), 0);
  for (uint32_t slot = 0; slot < out.size(); ++slot) {
    out[slot] = data.body_slots.live(slot) && data.frozen[slot] == 0 &&
                data.info[slot].motion == MotionKind::kDynamic &&
                !std::binary_search(locked.begin(), locked.end(), slot);
  }
  return out;
}

std::vector<DisplacedMechanism> find_displaced(const WorldData& data,
                                               std::span<const uint8_t> displaceable,
                                               std::span<const uint32_t> loners,
                                               displacement::Metric metric) {
  std::vector<JointRef> refs;
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!acts(data, slot) || data.joint_models[slot].row_count == 0) continue;
    refs.push_back({slot, &data.joint_models[slot]});
  }
  std::vector<DisplacedMechanism> all;
  std::vector<uint8_t> held(displaceable.size(), 0);
  for (const Mechanism& mechanism : find_mechanisms(refs, displaceable)) {
    for (uint32_t b = 0; b < mechanism.moving; ++b) held[mechanism.body_slots[b]] = 1;
    all.push_back(make_displaced(data, mechanism));
  }
  for (const uint32_t slot : loners) {
    if (displaceable[slot] == 0 || held[slot] != 0) continue;
    held[slot] = 1;
    all.emplace_back();
    add_body(data, slot, true, all.back());
  }
  for (DisplacedMechanism& m : all) apply_metric(metric, m.bodies);
  return all;
}

void place_body(WorldData& data, uint32_t slot, const Pose& at) {
  BodyState& s = data.state[slot];
  s.x_WC = at.p;
  s.q_WB = at.q;
  s.L_W = angular_momentum(s.q_WB, data.mass[slot].I_B, s.w_WB);
  update_proxies(data, slot);
}

void store_turns(WorldData& data, const DisplacedMechanism& mechanism,
                 const displacement::RowMaker::Turns& turns) {
  for (size_t j = 0; j < turns.size(); ++j) {
    data.joint_states[mechanism.joint_slots[j]].coordinate = turns[j];
  }
}

}  // namespace tenon
