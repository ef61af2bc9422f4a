#include "tenon/recording/recorder.h"

namespace tenon {

void gather_bodies(const World& world, std::span<const BodyHandle> handles,
                   std::vector<RecordedBody>& out) {
  out.resize(handles.size());
  for (size_t i = 0; i < handles.size(); ++i)
    out[i] = {world.pose(handles[i]), world.velocity(handles[i]),
              world.angular_velocity(handles[i])};
}

void gather_joints(const World& world, std::span<const JointHandle> handles,
                   std::vector<RecordedJoint>& out) {
  out.assign(handles.size(), {});
  for (size_t i = 0; i < handles.size(); ++i) {
    RecordedJoint& joint = out[i];
    joint.enabled = world.contains(handles[i]);
    if (!joint.enabled) continue;
    const JointReading r = world.read_joint(handles[i]);
    joint = {r.gap_m, r.angle_rad, {}, r.force, r.torque, r.enabled, r.broken};
    for (size_t k = 0; k < joint.coordinate.size(); ++k)
      if ((r.free_axes >> k & 1) != 0) joint.coordinate[k] = r.coordinate[k];
  }
}

namespace {

// handle index -> place in `handles`
template <class Handle>
std::vector<uint32_t> places_of_slots(std::span<const Handle> handles) {
  std::vector<uint32_t> places;
  for (size_t i = 0; i < handles.size(); ++i) {
    const uint32_t slot = handles[i].index;
    if (places.size() <= slot) places.resize(size_t{slot} + 1, kNoBody);
    places[slot] = static_cast<uint32_t>(i);
  }
  return places;
}

}  // namespace

Recorder::Recorder(ByteSink& sink, WriteOptions options) : writer_(sink, options) {}

Status Recorder::begin(const World& world, std::span<const BodyHandle> handles, RunRecord run,
                       const SceneRecord& scene, std::span<const JointHandle> joints) {
  if (handles.size() != run.body_names.size())
    return Error{.message = "a recording needs a name for every body",
                 .value = std::to_string(run.body_names.size()) + " names",
                 .accepted = std::to_string(handles.size())};
  for (BodyHandle handle : handles)
    if (!world.contains(handle)) return Error{.message = "a body to record is not in the world"};
  if (joints.size() != run.joint_names.size())
    return Error{.message = "a recording needs a name for every joint",
                 .value = std::to_string(run.joint_names.size()) + " names",
                 .accepted = std::to_string(joints.size())};
  handles_.assign(handles.begin(), handles.end());
  place_of_slot_ = places_of_slots(handles);
  joint_handles_.assign(joints.begin(), joints.end());
  place_of_joint_slot_ = places_of_slots(joints);
  joint_track_ = run.joint_track;
  contact_track_ = run.contact_track;
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
  StepDiagnostics diagnostics = world.diagnostics();
  // slots are the world's own business; names are by place
  const uint32_t worst = diagnostics.worst_joint;
  diagnostics.worst_joint =
      worst < place_of_joint_slot_.size() ? place_of_joint_slot_[worst] : kNoJoint;
  if (auto status = writer_.add_diagnostics(diagnostics); !status) return status;
  if (auto status = add_events(world); !status) return status;
  for (const auto contacts : {world.contacts(), world.ended_contacts()})
    if (auto status = add_contacts(world, contacts); !status) return status;
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
  if (joint_track_) gather_joints(world, joint_handles_, joints_);
  return writer_.add_frame(frame_step_, world.time(), world.state_hash(), bodies_, joints_);
}

Status Recorder::add_keyframe(const World& world) {
  keyframe_step_ = world.step_count();
  keyframe_time_ = world.time();
  return writer_.add_keyframe(keyframe_step_, world.time(), world.state_hash(), world.save_state());
}

Status Recorder::add_events(const World& world) {
  for (const Event& event : world.events()) {
    const RecordedEvent record{name(event.kind),      event.step,        event.time,
                               place_of(event.a),     place_of(event.b), event.value,
                               place_of(event.joint), event.impulse};
    if (auto status = writer_.add_event(record); !status) return status;
  }
  return Ok{};
}

Status Recorder::add_contacts(const World& world, std::span<const Contact> contacts) {
  if (!contact_track_) return Ok{};
  for (const Contact& c : contacts) {
    RecordedContact record;
    record.step = world.step_count();
    record.time = world.time();
    record.a = place_of(world.body_at(c.body_a));
    record.b = place_of(world.body_at(c.body_b));
    record.normal_W = c.manifold.normal_W;
    record.acts = c.acts;
    for (size_t i = 0; i < static_cast<size_t>(c.manifold.count); ++i) {
      const ContactPoint& point = c.manifold.points[i];
      if (point.distance > 0 && c.impulse_W[i] == Vec3{}) continue;
      record.point_W = point.p_W;
      record.distance = point.distance;
      record.impulse_W = c.impulse_W[i];
      if (auto status = writer_.add_contact(record); !status) return status;
    }
  }
  return Ok{};
}

uint32_t Recorder::place_of(BodyHandle handle) const {
  if (!handle.valid() || handle.index >= place_of_slot_.size()) return kNoBody;
  const uint32_t place = place_of_slot_[handle.index];
  return place != kNoBody && handles_[place] == handle ? place : kNoBody;
}

uint32_t Recorder::place_of(JointHandle handle) const {
  if (!handle.valid() || handle.index >= place_of_joint_slot_.size()) return kNoJoint;
  const uint32_t place = place_of_joint_slot_[handle.index];
  return place != kNoJoint && joint_handles_[place] == handle ? place : kNoJoint;
}

}  // namespace tenon
