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

void add_joint(const WorldData& data, uint32_t slot, const std::array<uint32_t, 4>& body,
               DisplacedMechanism& m) {
  const JointModel& model = data.joint_models[slot];
  displacement::Joint joint;
  joint.model = &model;
  joint.state = &data.joint_states[slot];
  joint.body = body;
  joint.size = joint_size(data, model);
  m.joints.push_back(joint);
  m.joint_slots.push_back(slot);
}

DisplacedMechanism make_displaced(const WorldData& data, const Mechanism& mechanism) {
  DisplacedMechanism m;
  for (uint32_t b = 0; b < mechanism.body_slots.size(); ++b) {
    add_body(data, mechanism.body_slots[b], b < mechanism.moving, m);
  }
  for (const MechanismJoint& j : mechanism.joints) add_joint(data, j.slot, j.body, m);
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

DisplacedMechanism find_immovable(const WorldData& data, std::span<const uint8_t> displaceable) {
  DisplacedMechanism m;
  const auto moves = [&](uint32_t slot) { return slot != kWorldBody && displaceable[slot] != 0; };
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    const JointModel& model = data.joint_models[slot];
    if (!acts(data, slot) || model.row_count == 0) continue;
    std::array<uint32_t, 4> ends{}, local{};
    for (size_t p = 0; p < 2; ++p) {
      const JointPair& pair = model.pairs[p < model.pair_count ? p : 0];
      ends[2 * p] = pair.parent;
      ends[2 * p + 1] = pair.child;
    }
    if (std::any_of(ends.begin(), ends.end(), moves)) continue;
    for (size_t e = 0; e < ends.size(); ++e) {
      local[e] = m.find(ends[e]);
      if (local[e] != DisplacedMechanism::kNoBody) continue;
      local[e] = static_cast<uint32_t>(m.bodies.size());
      add_body(data, ends[e], false, m);
    }
    add_joint(data, slot, local, m);
  }
  return m;
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
