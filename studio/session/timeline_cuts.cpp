// Changes that move along time, and pulls as what they were: forces.
#include <algorithm>

#include "tenon/studio/session/timeline.h"

namespace tenon::studio {

Result<int> Timeline::replant(int old_id, int parent_id, uint64_t at) {
  const Take& old = *takes_.at(old_id);
  const Take& parent = *takes_.at(parent_id);
  auto take = std::make_unique<Take>();
  take->id = next_id_;
  take->number = number_of(take->id);
  take->parent = parent_id;
  take->at = take->end = at;
  take->label = old.label;
  take->operations = old.operations;
  take->wanted = std::max({old.end, old.wanted, at});
  take->inputs = old.inputs;
  for (GrabInput& input : take->inputs) input.step = input.step - old.at + at;
  // whether it can be done is known before anything is computed
  const Json ops = split_operations(old.operations, takes_.at(old.parent)->cast).scene;
  Result<Json> tree = apply_operations(*parent.tree, ops);
  if (!tree) return tree.error();
  take->tree = std::make_shared<const Json>(std::move(*tree));
  if (!load(*take)) return take->errors.front();
  ++next_id_;
  const int id = take->id;
  takes_[id] = std::move(take);
  return id;
}

Result<Pull> Timeline::pull_of(int id) {
  if (Status s = ensure_scene(id); !s) return s.error();
  const Take& take = *takes_.at(id);
  Pull pull;
  uint64_t until = take.end;
  for (const GrabInput& input : take.inputs) {
    if (input.kind == GrabInput::Kind::kBegin) {
      pull.body = input.body;
      pull.point_B = input.point_B;
    }
    if (input.kind == GrabInput::Kind::kEnd) until = std::min(until, input.step);
  }
  if (pull.body.empty())
    return Error{.message = "nobody pulled in this take",
                 .file = "take",
                 .value = std::to_string(id),
                 .accepted = "a take that began with a pull"};
  // from its begin on: only steps that are made tell what the hand did in them
  live_ = {};
  if (Status s = go_to(id, take.at); !s) return s.error();
  while (live_.step < until) {
    const double from = world_->time();
    if (Status s = step_live(); !s) return s.error();
    if (!grab_joint_ || !world_->contains(*grab_joint_)) continue;
    pull.forces.push_back({from, world_->time(), world_->read_joint(*grab_joint_).force});
  }
  return pull;
}

}  // namespace tenon::studio
