#include "tenon/engine/world/force_response.h"

#include <algorithm>

namespace tenon {

void ForceResponse::respond(std::span<const LoadedBody> loads,
                            std::vector<AnsweringBody>& answer) const {
  answer.clear();
  loads_.resize(data_.info.size());
  changes_.resize(data_.info.size());
  std::vector<uint32_t> touched, free;
  for (const LoadedBody& l : loads) {
    if (data_.info[l.body].motion != MotionKind::kDynamic || data_.frozen[l.body] != 0) continue;
    loads_[l.body].force += l.load.force;
    loads_[l.body].torque += l.load.torque;
    const bool jointed = mechanisms_.jointed[l.body] != 0;
    (jointed ? touched : free).push_back(jointed ? mechanisms_.mechanism_of[l.body] : l.body);
  }
  const auto unique = [](std::vector<uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  unique(touched);
  unique(free);
  for (const uint32_t slot : free) {
    const BodyMass& mass = data_.mass[slot];
    const Wrench& w = loads_[slot];
    answer.push_back({slot,
                      {mass.inv_mass * w.force,
                       angular_velocity(model_.state[slot].q_WB, mass.inv_I_B, w.torque)}});
  }
  for (const uint32_t i : touched) {
    model_.mechanisms[i].respond(loads_, changes_);
    const Mechanism& m = mechanisms_.list[i];
    for (uint32_t b = 0; b < m.moving; ++b) {
      answer.push_back({m.body_slots[b], changes_[m.body_slots[b]]});
    }
  }
  for (const LoadedBody& l : loads) loads_[l.body] = {};
}

}  // namespace tenon
