// Records a world while it runs: frames, keyframes, events, diagnostics.
//
//   Recorder recorder(sink);
//   recorder.begin(world, handles, run, scene);
//   while (...) { world.step(); recorder.after_step(world); }
//   recorder.finish(world, RunEnd::kCompleted);
#pragma once

#include "tenon/engine/world/world.h"
#include "tenon/recording/writer.h"

namespace tenon {

// Every call returns the first failure of the sink, and the same again after it.
class Recorder {
 public:
  // The sink outlives the recorder.
  explicit Recorder(ByteSink& sink, WriteOptions options = {});

  // Writes the description, then the world as it is now as first frame and first keyframe.
  // `handles` are the bodies of run.body_names, in that order; run.keyframe_interval_s and
  // run.steps_per_frame say what to keep. first_step, first_time and (where it is 0) step_s are
  // taken from the world. `joints` are those of run.joint_names; run.joint_track says whether
  // frames keep what they do. A joint that is removed later counts as not enabled. With
  // run.contact_track every step keeps the points at which bodies touch or push each other, bounces
  // that are over at its end last.
  Status begin(const World& world, std::span<const BodyHandle> handles, RunRecord run,
               const SceneRecord& scene, std::span<const JointHandle> joints = {});
  // Once after every World::step().
  Status after_step(const World& world);
  // Writes what is buffered, so that a viewer or a kill finds everything up to now.
  Status flush();
  // Adds the last frame and keyframe where they are not there yet, and ends the recording.
  Status finish(const World& world, RunEnd end, const std::string& reason = {});

  const RecordingWriter& writer() const { return writer_; }

 private:
  Status add_frame(const World& world);
  Status add_keyframe(const World& world);
  Status add_events(const World& world);
  Status add_contacts(const World& world, std::span<const Contact> contacts);
  uint32_t place_of(BodyHandle handle) const;
  uint32_t place_of(JointHandle handle) const;

  RecordingWriter writer_;
  std::vector<BodyHandle> handles_;
  std::vector<uint32_t> place_of_slot_;  // handle index -> place in handles_, kNoBody if none
  std::vector<JointHandle> joint_handles_;
  std::vector<uint32_t> place_of_joint_slot_;  // the same for joints
  bool joint_track_ = false, contact_track_ = false;
  std::vector<RecordedBody> bodies_;   // reused
  std::vector<RecordedJoint> joints_;  // reused
  double keyframe_interval_s_ = 0.5;
  uint32_t steps_per_frame_ = 1;
  uint64_t first_step_ = 0, frame_step_ = 0, keyframe_step_ = 0;  // of the last ones written
  double keyframe_time_ = 0;
};

// Fills `out` with every body's pose and velocities, in the order of `handles`.
void gather_bodies(const World& world, std::span<const BodyHandle> handles,
                   std::vector<RecordedBody>& out);

// The same for joints.
void gather_joints(const World& world, std::span<const JointHandle> handles,
                   std::vector<RecordedJoint>& out);

}  // namespace tenon
