#include "tenon/engine/solve_articulated/mobility.h"

#include "tenon/engine/mechanism/mechanism.h"
#include "tenon/engine/world/joints.h"

namespace tenon {

std::vector<MechanismReport> calc_mechanism_reports(const WorldData& data) {
  std::vector<uint8_t> dynamic(data.info.size(), 0);
  for (uint32_t slot = 0; slot < dynamic.size(); ++slot) {
    dynamic[slot] = data.body_slots.live(slot) && data.frozen[slot] == 0 &&
                    data.info[slot].motion == MotionKind::kDynamic;
  }
  std::vector<JointRef> refs;
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!acts(data, slot) || data.joint_models[slot].row_count == 0) continue;
    refs.push_back({slot, &data.joint_models[slot]});
  }
  std::vector<MechanismReport> reports;
  for (const Mechanism& mechanism : find_mechanisms(refs, dynamic)) {
    std::vector<MobilityBody> bodies;
    for (const uint32_t slot : mechanism.body_slots) {
      if (slot == kWorldBody) {
        bodies.emplace_back();
        continue;
      }
      const bool turns = data.mass[slot].inv_I_B != Mat3{};
      bodies.push_back({turns, data.state[slot].x_WC, data.state[slot].q_WB});
    }
    std::vector<MobilityJoint> joints;
    for (const MechanismJoint& joint : mechanism.joints) {
      const JointModel& model = data.joint_models[joint.slot];
      joints.push_back({&model, &data.joint_states[joint.slot], joint_size(data, model)});
    }
    reports.push_back(calc_mobility(mechanism, bodies, joints, data.settings.tolerance));
  }
  return reports;
}

}  // namespace tenon
