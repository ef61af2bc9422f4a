// A part of a step that may have to be taken back.
#pragma once

#include <vector>

#include "tenon/engine/world/halved.h"
#include "tenon/engine/world/step_part.h"

namespace tenon {

// A part of a step that may have to be taken back, for some of its bodies or for all.
class Trial {
 public:
  // After kPrepare.
  Trial(StepContext& context, WorldData& data, int halvings, bool fast, Halved& halved)
      : context_(context),
        data_(data),
        halvings_(halvings),
        fast_(fast),
        outer_(halved.outer()),
        beginning_(context, with_accounts(data)),
        companies_(data.info.size()),
        halved_(halved),
        waiting_(halved.who()),
        any_waits_(halved.any()) {}
  bool run();

 private:
  static WorldData& with_accounts(WorldData& data) {
    data.accounts.resize(data.info.size());
    return data;
  }
  bool attempt();
  BodyMask find_everyone() const;
  Companies::Division divide(const Passing& passing, bool contacts);
  bool take_back(const Passing& passing, bool contacts);
  bool move_waiting();
  bool is_outside(uint32_t slot) const {
    return slot < outer_.size() && outer_[slot] != LeftOut::kNo;
  }
  // What is stopped for good is like a wall, and belongs to nobody.
  bool moves_by_itself(uint32_t slot) const {
    return data_.info[slot].motion == MotionKind::kDynamic && data_.frozen[slot] == 0;
  }
  bool meets_others(const Passing& passing);
  bool take_along(bool all);
  void count();

  StepContext& context_;
  WorldData& data_;
  const int halvings_;
  const bool fast_;
  const std::vector<LeftOut> outer_;
  Beginning beginning_;
  Companies companies_;
  Halved& halved_;
  BodyMask waiting_;  // for halves
  bool any_waits_;
  StepDiagnostics counters_;
};

}  // namespace tenon
