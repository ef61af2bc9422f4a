// Recording a world, and going on from the middle.
#include <gtest/gtest.h>

#include "tenon/recording/compare.h"
#include "tenon/recording/recorder.h"
#include "tenon/recording/resume.h"

namespace tenon {
namespace {

const char* const kScene = R"({
  "tenon": 1,
  "bodies": [
    { "name": "floor", "motion": "static", "shape": { "type": "box", "size": [20, 1, 20] } },
    { "name": "box", "shape": { "type": "box", "size": [1, 2, 3] }, "position": [0, 4, 0],
      "velocity": [1, 2, 0], "angular_velocity": [1, 5, 2] },
    { "name": "ball", "shape": { "type": "sphere", "radius": 0.5 }, "position": [3, 4, 0],
      "angular_velocity": [0, 0, -7] }
  ]
})";

SceneRecord scene_record() { return {"thrown.json", "", kScene, {"world.step=1/100"}}; }

RunRecord run_record(const scene::BuiltScene& built, double seconds) {
  RunRecord run;
  run.method = "impulse";
  run.seconds = seconds;
  run.version = "0.1.0";
  run.body_names = built.names;
  return run;
}

std::vector<std::byte> record(double seconds, uint32_t steps_per_frame = 1) {
  auto built = scene_builder()(scene_record(), {});
  if (!built) {
    ADD_FAILURE() << format(built.error());
    return {};
  }
  MemorySink sink;
  Recorder recorder(sink);
  RunRecord run = run_record(*built, seconds);
  run.steps_per_frame = steps_per_frame;
  EXPECT_TRUE(recorder.begin(built->world, built->handles, run, scene_record()).ok());
  while (built->world.time() + 0.005 < seconds) {
    built->world.step();
    EXPECT_TRUE(recorder.after_step(built->world).ok());
  }
  EXPECT_TRUE(recorder.finish(built->world, RunEnd::kCompleted).ok());
  return sink.bytes();
}

TEST(Recorder, KeepsFramesKeyframesEventsAndDiagnostics) {
  const auto bytes = record(2.25);
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok()) << format(reader.error());
  EXPECT_EQ(reader->frame_count(), 226u);
  // at 0, 0.5, 1, 1.5, 2 and at the end
  ASSERT_EQ(reader->keyframe_count(), 6u);
  for (uint64_t i = 0; i < 5; ++i) EXPECT_EQ(reader->read_keyframe(i)->step, 50 * i);
  EXPECT_EQ(reader->read_keyframe(5)->step, 225u);
  EXPECT_EQ(reader->read_diagnostics(0, 1000)->size(), 225u);
  EXPECT_EQ(reader->run().step_s, 0.01);

  // the same world again, frame by frame
  auto built = scene_builder()(scene_record(), {});
  ASSERT_TRUE(built.ok());
  std::vector<RecordedBody> bodies;
  uint64_t events = 0;
  for (uint64_t i = 0; i < reader->frame_count(); ++i) {
    const auto frame = reader->read_frame(i);
    ASSERT_TRUE(frame.ok());
    gather_bodies(built->world, built->handles, bodies);
    EXPECT_EQ(frame->bodies, bodies);
    EXPECT_EQ(frame->state_hash, built->world.state_hash());
    built->world.step();
    if (i + 1 < reader->frame_count()) events += built->world.events().size();
  }
  const auto recorded = reader->read_events(0, 1000);
  ASSERT_TRUE(recorded.ok());
  EXPECT_EQ(recorded->size(), events);
  EXPECT_GT(events, 0u);  // both bodies reach the floor
  for (const auto& event : *recorded) EXPECT_LT(event.a, 3u);
}

TEST(Recorder, KeepsEveryNthStepAndTheLast) {
  const auto bytes = record(0.55, 10);
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  ASSERT_EQ(reader->frame_count(), 7u);
  EXPECT_EQ(reader->read_frame(5)->step, 50u);
  EXPECT_EQ(reader->read_frame(6)->step, 55u);
  EXPECT_EQ(reader->read_diagnostics(0, 1000)->size(), 55u);
}

class Resume : public testing::TestWithParam<double> {};

TEST_P(Resume, GoesOnWithTheBitsOfAnUninterruptedRun) {
  const auto whole = record(3), half = record(1.5);
  MemorySource whole_source(whole, "whole.tenon"), half_source(half, "half.tenon");
  auto whole_reader = RecordingReader::open(whole_source);
  auto half_reader = RecordingReader::open(half_source);
  ASSERT_TRUE(whole_reader.ok() && half_reader.ok());
  ResumeOptions options;
  options.at_s = GetParam();
  options.seconds = 3 - GetParam();
  MemorySink sink;
  const auto report = resume(*half_reader, scene_builder(), sink, options);
  ASSERT_TRUE(report.ok()) << format(report.error());
  EXPECT_LE(report->keyframe_step, report->start_step);
  EXPECT_EQ(report->start_step, static_cast<uint64_t>(GetParam() * 100 + 1e-6));
  EXPECT_EQ(report->last_step, 300u);
  EXPECT_FALSE(report->first_divergent_step.has_value());
  EXPECT_GE(report->verified_frames, 1u);
  MemorySource resumed_source(sink.bytes());
  auto resumed = RecordingReader::open(resumed_source);
  ASSERT_TRUE(resumed.ok());
  EXPECT_EQ(resumed->run().resumed_from, "half.tenon");
  const auto c = compare(*whole_reader, *resumed);
  ASSERT_TRUE(c.ok());
  EXPECT_TRUE(c->same_bits()) << format(*c);
  EXPECT_EQ(c->common_frames, 301 - report->start_step);
  EXPECT_EQ(c->only_in_a, report->start_step);
  EXPECT_EQ(c->only_in_b, 0u);
  EXPECT_TRUE(c->same_scene);
}

// at the start, on a keyframe, between two, between two steps, at the end
INSTANTIATE_TEST_SUITE_P(Times, Resume, testing::Values(0.0, 0.5, 0.77, 1.234, 1.5));

TEST(ResumeErrors, AreNamed) {
  const auto bytes = record(1);
  MemorySource source(bytes, "run.tenon");
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  MemorySink sink;
  ResumeOptions options;
  options.at_s = -1;
  EXPECT_FALSE(resume(*reader, scene_builder(), sink, options).ok());
  options.at_s = std::nan("");
  EXPECT_FALSE(resume(*reader, scene_builder(), sink, options).ok());
  options.at_s = 0.5;
  options.seconds = -2;
  EXPECT_FALSE(resume(*reader, scene_builder(), sink, options).ok());
  // another scene: refused by its bodies or by its state
  options.seconds = 1;
  const auto other = [](const SceneRecord& record_in, const RunRecord& run) {
    SceneRecord changed = record_in;
    const auto place = changed.text.find("[1, 2, 3]");
    changed.text.replace(place, 9, "[1, 2, 4]");
    return scene_builder()(changed, run);
  };
  const auto refused = resume(*reader, other, sink, options);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(format(refused.error()).find("run.tenon"), std::string::npos);
  EXPECT_TRUE(sink.bytes().empty());
}

// The same recording with the last bit of one number changed in one frame.
std::vector<std::byte> with_changed_frame(RecordingReader& reader, uint64_t step, size_t body) {
  MemorySink sink;
  RecordingWriter writer(sink);
  EXPECT_TRUE(writer.begin(reader.run(), *reader.scene()).ok());
  for (uint64_t i = 0; i < reader.keyframe_count(); ++i) {
    const auto key = reader.read_keyframe(i);
    EXPECT_TRUE(writer.add_keyframe(key->step, key->time, key->state_hash, key->state).ok());
  }
  for (uint64_t i = 0; i < reader.frame_count(); ++i) {
    auto frame = reader.read_frame(i);
    double& x = frame->bodies[body].X_WB.p.x;
    if (frame->step == step) x = std::nextafter(x, 1e9);
    EXPECT_TRUE(writer.add_frame(frame->step, frame->time, frame->state_hash, frame->bodies).ok());
  }
  EXPECT_TRUE(writer.finish(reader.end()).ok());
  return sink.bytes();
}

TEST(ResumeErrors, DivergenceStopsOrIsReported) {
  const auto bytes = record(1);
  MemorySource source(bytes);
  auto original = RecordingReader::open(source);
  ASSERT_TRUE(original.ok());
  const auto changed = with_changed_frame(*original, 60, 1);
  MemorySource changed_source(changed, "changed.tenon");
  auto reader = RecordingReader::open(changed_source);
  ASSERT_TRUE(reader.ok());
  ResumeOptions options;
  options.at_s = 0.77;
  options.seconds = 0.1;
  MemorySink sink;
  const auto stopped = resume(*reader, scene_builder(), sink, options);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(format(stopped.error()),
            "changed.tenon: step 60 comes out differently than recorded (first at body box); "
            "the recording was made by Tenon 0.1.0");
  EXPECT_TRUE(sink.bytes().empty());
  options.on_divergence = ResumeOptions::OnDivergence::kGoOn;
  const auto report = resume(*reader, scene_builder(), sink, options);
  ASSERT_TRUE(report.ok()) << format(report.error());
  EXPECT_EQ(report->first_divergent_step, 60u);
  EXPECT_EQ(report->first_divergent_body, "box");
  EXPECT_EQ(report->verified_frames, 28u);  // steps 50 to 77
}

TEST(ResumeErrors, AStoppedRunIsMarkedAsInterrupted) {
  const auto bytes = record(1);
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  ResumeOptions options;
  options.at_s = 0.5;
  options.seconds = 10;
  options.keep_going = [](const World& world) { return world.time() < 0.8; };
  MemorySink sink;
  const auto report = resume(*reader, scene_builder(), sink, options);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->end, RunEnd::kInterrupted);
  MemorySource resumed_source(sink.bytes());
  auto resumed = RecordingReader::open(resumed_source);
  ASSERT_TRUE(resumed.ok());
  EXPECT_EQ(resumed->end().end, RunEnd::kInterrupted);
  EXPECT_EQ(resumed->end().reason, "stopped by the user");
  EXPECT_EQ(resumed->end().step, report->last_step);
}

const char* const kJointScene = R"({
  "tenon": 1, "world": { "step": "1/100" },
  "bodies": [
    { "name": "arm", "shape": { "type": "box", "size": [1, 0.1, 0.1] }, "mass": 1,
      "position": [0.5, 0, 0], "collision": false },
    { "name": "hand", "shape": { "type": "box", "size": [1, 0.1, 0.1] }, "mass": 1,
      "position": [1.5, 0, 0], "collision": false } ],
  "joints": [
    { "name": "shoulder", "type": "hinge", "child": "arm", "at": [0, 0, 0], "axis": [0, 0, 1] },
    { "name": "wrist", "type": "hinge", "parent": "arm", "child": "hand", "at": [1, 0, 0],
      "axis": [0, 0, 1], "break_force": 15 } ]
})";

TEST(Resume, GoesOnWithJointsTheirTrackAndTheirBreaking) {
  const SceneRecord scene{"arm.json", "", kJointScene, {}};
  auto built = scene_builder()(scene, {});
  ASSERT_TRUE(built.ok()) << format(built.error());
  RunRecord run = run_record(*built, 2);
  run.joint_names = built->joint_names;
  run.joint_track = true;
  MemorySink sink;
  Recorder recorder(sink);
  ASSERT_TRUE(recorder.begin(built->world, built->handles, run, scene, built->joint_handles).ok());
  std::vector<std::vector<RecordedJoint>> truth(1);
  gather_joints(built->world, built->joint_handles, truth[0]);
  while (built->world.time() + 0.005 < 2) {
    built->world.step();
    ASSERT_TRUE(recorder.after_step(built->world).ok());
    gather_joints(built->world, built->joint_handles, truth.emplace_back());
  }
  ASSERT_TRUE(recorder.finish(built->world, RunEnd::kCompleted).ok());
  MemorySource source(sink.bytes(), "arm.tenon");
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  const auto events = reader->read_events(0, 1000);
  ASSERT_TRUE(events.ok());
  ASSERT_EQ(events->size(), 1u);
  EXPECT_EQ((*events)[0].kind, "joint_broke");
  EXPECT_EQ(reader->run().joint_names[(*events)[0].joint], "wrist");
  const uint64_t broke = (*events)[0].step;
  const auto rows = reader->read_diagnostics(1, 1);
  ASSERT_TRUE(rows.ok());
  EXPECT_LT((*rows)[0].worst_joint, 2u);

  // from before it breaks
  MemorySink again_sink;
  ResumeOptions options;
  options.at_s = 0.01 * static_cast<double>(broke - 2);
  options.seconds = 0.5;
  const auto report = resume(*reader, scene_builder(), again_sink, options);
  ASSERT_TRUE(report.ok()) << format(report.error());
  MemorySource again_source(again_sink.bytes());
  auto again = RecordingReader::open(again_source);
  ASSERT_TRUE(again.ok());
  const auto compared = compare(*reader, *again);
  ASSERT_TRUE(compared.ok());
  EXPECT_TRUE(compared->same_bits()) << format(*compared);
  EXPECT_EQ(again->read_events(0, 1000)->size(), 1u);
  std::vector<RecordedJoint> joints;
  for (uint64_t i = 0; i < again->frame_count(); ++i) {
    ASSERT_TRUE(again->read_joints(i, joints).ok());
    const uint64_t step = again->read_frame(i)->step;
    EXPECT_EQ(joints, truth[step]) << step;
    EXPECT_EQ(joints[1].broken, step >= broke);
    EXPECT_NE(joints[0].coordinate[3], 0);  // the hinge's angle
    EXPECT_EQ(joints[0].coordinate[4], 0);  // held
  }
}

}  // namespace
}  // namespace tenon
