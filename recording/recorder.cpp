#include "tenon/recording/recorder.h"

namespace tenon {

void gather_bodies(const World& world, std::span<const BodyHandle> handles,
                   std::vector<RecordedBody>& out) {
  out.resize(handles.size());
  for (size_t i = 0; i < handles.size(); ++i)
    out[i] = {world.pose(handles[i]), world.velocity(handles[i]),
              world.angular_velocity(handles[i])};
}

Recorder::Recorder(ByteSink& sink, WriteOptions options) : writer_(sink, options) {}

Status Recorder::begin(const World& world, std::span<const BodyHandle> handles, RunRecord run,
                       const SceneRecord& scene) {
  if (handles.size() != run.body_names.size())
    return Error{.message = "a recording needs a name for every body",
                 .value = std::to_string(run.body_names.size()) + " names",
                 .accepted = std::to_string(handles.size())};
  for (BodyHandle handle : handles)
    if (!world.contains(handle)) return Error{.message = "a body to record is not in the world"};
  handles_.assign(handles.begin(), handles.end());
  place_of_slot_.clear();
  for (size_t i = 0; i < handles_.size(); ++i) {
    const uint32_t slot = handles_[i].index;
    if (place_of_slot_.size() <= slot) place_of_slot_.resize(size_t{slot} + 1, kNoBody);
    place_of_slot_[slot] = static_cast<uint32_t>(i);
  }
  run.first_step = world.step_count();
  run.first_time = world.time();
  if (run.step_s == 0) run.step_s = world.settings().step;
  if (run.steps_per_frame == 0) run.steps_per_frame = 1;
  first_step_ = run.first_step;
  steps_per_frame_ = run.steps_per_frame;
  keyframe_interval_s_ = run.keyframe_interval_s;
  if (auto status = writer_.begin(run, scene); !status) return status;
  if (auto status = add_keyframe(world); !status) return status;
  return add_frame(world);
}

Status Recorder::after_step(const World& world) {
  if (auto status = writer_.add_diagnostics(world.diagnostics()); !status) return status;
  if (auto status = add_events(world); !status) return status;
  // half a step of slack: rounding of times must not delay a keyframe by a step
  const double due = keyframe_time_ + keyframe_interval_s_ - 0.5 * world.settings().step;
  if (world.time() >= due)
    if (auto status = add_keyframe(world); !status) return status;
  if (world.step_count() % steps_per_frame_ != 0) return Ok{};
  return add_frame(world);
}

Status Recorder::flush() { return writer_.flush(); }

Status Recorder::finish(const World& world, RunEnd end, const std::string& reason) {
  if (world.step_count() != keyframe_step_)
    if (auto status = add_keyframe(world); !status) return status;
  if (world.step_count() != frame_step_)
    if (auto status = add_frame(world); !status) return status;
  return writer_.finish({end, reason, world.step_count(), world.time()});
}

Status Recorder::add_frame(const World& world) {
  for (BodyHandle handle : handles_)
    if (!world.contains(handle))
      return Error{.message = "a recorded body was removed from the world",
                   .value = "place " + std::to_string(place_of(handle)),
                   .accepted = "the same bodies from begin to finish"};
  gather_bodies(world, handles_, bodies_);
  frame_step_ = world.step_count();
  return writer_.add_frame(frame_step_, world.time(), world.state_hash(), bodies_);
}

Status Recorder::add_keyframe(const World& world) {
  keyframe_step_ = world.step_count();
  keyframe_time_ = world.time();
  return writer_.add_keyframe(keyframe_step_, world.time(), world.state_hash(), world.save_state());
}

Status Recorder::add_events(const World& world) {
  for (const Event& event : world.events()) {
    const RecordedEvent record{name(event.kind),  event.step,        event.time,
                               place_of(event.a), place_of(event.b), event.value};
    if (auto status = writer_.add_event(record); !status) return status;
  }
  return Ok{};
}

uint32_t Recorder::place_of(BodyHandle handle) const {
  if (!handle.valid() || handle.index >= place_of_slot_.size()) return kNoBody;
  const uint32_t place = place_of_slot_[handle.index];
  return place != kNoBody && handles_[place] == handle ? place : kNoBody;
}

}  // namespace tenon
