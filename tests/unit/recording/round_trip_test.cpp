// What goes in comes out, bit for bit.
#include <gtest/gtest.h>

#include "sample_run.h"
#include "tenon/recording/detail/crc32c.h"
#include "tenon/recording/detail/payload.h"
#include "tenon/recording/detail/track.h"
#include "tenon/recording/diagnostics_table.h"
#include "tenon/recording/recorder.h"

namespace tenon {
namespace {

using namespace test;

// A field added to StepDiagnostics must be added to diagnostics_table.cpp as well. Now there are 25
// numbers of eight bytes, three counts, one, thirteen and five counts (each group padded to eight),
// and the phases.
static_assert(sizeof(StepDiagnostics) == 8 * 25 + 16 + 8 + 56 + 24 + 8 * kPhaseCount,
              "StepDiagnostics changed: list its fields in recording/diagnostics_table.cpp");

std::string text_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Crc32c, GivesTheStandardsCheckValue) {
  // the check value of CRC-32C for "123456789" and the 32 zero bytes of RFC 3720, B.4
  const std::string digits = "123456789";
  EXPECT_EQ(recording_detail::crc32c(std::as_bytes(std::span(digits))), 0xe3069283u);
  const std::string zeros(32, '\0');
  EXPECT_EQ(recording_detail::crc32c(std::as_bytes(std::span(zeros))), 0x8a9136aau);
  // in two pieces
  const auto all = std::as_bytes(std::span(digits));
  EXPECT_EQ(recording_detail::crc32c(all.subspan(4), recording_detail::crc32c(all.first(4))),
            0xe3069283u);
}

TEST(Prediction, MapsAreInverse) {
  Rng rng(3);
  for (int i = 0; i < 1000; ++i) {
    const uint64_t word = rng.next() >> rng.below(64);
    EXPECT_EQ(recording_detail::from_ordered(recording_detail::to_ordered(word)), word);
    EXPECT_EQ(recording_detail::from_zigzag(recording_detail::to_zigzag(word)), word);
  }
  // neighbours in value are neighbours in order, across zero too
  EXPECT_EQ(recording_detail::to_ordered(std::bit_cast<uint64_t>(0.0)) -
                recording_detail::to_ordered(std::bit_cast<uint64_t>(-0.0)),
            1u);
}

class RoundTrip
    : public testing::TestWithParam<std::tuple<SampleMotion, uint32_t, uint32_t, Codec>> {};

TEST_P(RoundTrip, KeepsEveryBit) {
  const auto [motion, bodies, frames, codec] = GetParam();
  const SampleRun sample = make_sample(motion, bodies, frames, 7 + frames);
  WriteOptions options;
  options.codec = codec;
  options.frames_per_chunk = 16;
  const auto bytes = sample_bytes(sample, options);
  MemorySource source(bytes, "memory.tenon");
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok()) << format(reader.error());

  EXPECT_EQ(reader->run(), sample.run);
  const auto scene = reader->scene();
  ASSERT_TRUE(scene.ok());
  EXPECT_EQ(*scene, sample.scene);
  EXPECT_EQ(reader->end().end, RunEnd::kCompleted);
  EXPECT_TRUE(reader->has_index());

  ASSERT_EQ(reader->frame_count(), sample.frames.size());
  for (uint64_t i = 0; i < reader->frame_count(); ++i) {
    const auto frame = reader->read_frame(i);
    ASSERT_TRUE(frame.ok()) << format(frame.error());
    EXPECT_TRUE(same_bits(*frame, sample.frames[i])) << "frame " << i;
  }
  ASSERT_EQ(reader->keyframe_count(), sample.keyframes.size());
  for (uint64_t i = 0; i < reader->keyframe_count(); ++i) {
    const auto key = reader->read_keyframe(i);
    ASSERT_TRUE(key.ok());
    EXPECT_EQ(key->step, sample.keyframes[i].step);
    EXPECT_EQ(key->time, sample.keyframes[i].time);
    EXPECT_EQ(key->state_hash, sample.keyframes[i].state_hash);
    EXPECT_EQ(key->state, sample.keyframes[i].state);
  }
  const auto events = reader->read_events(0, ~uint64_t{0});
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(*events, sample.events);
}

INSTANTIATE_TEST_SUITE_P(
    Motions, RoundTrip,
    testing::Combine(testing::Values(SampleMotion::kFlight, SampleMotion::kTumbling,
                                     SampleMotion::kRest, SampleMotion::kJitter,
                                     SampleMotion::kNoise),
                     testing::Values(0u, 1u, 9u), testing::Values(1u, 2u, 5u, 16u, 67u),
                     testing::Values(Codec::kRaw, Codec::kZstd)));

TEST(Diagnostics, AreKeptBitForBitAndTimingsToTheNanosecond) {
  const SampleRun sample = make_sample(SampleMotion::kTumbling, 2, 100);
  const auto bytes = sample_bytes(sample);
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  const auto rows = reader->read_diagnostics(10, 20);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 11u);
  for (size_t i = 0; i < rows->size(); ++i) {
    const auto& expected = sample.diagnostics[i + 9];
    EXPECT_EQ((*rows)[i].step, i + 10);
    for (const auto& column : diagnostic_columns())
      EXPECT_EQ(column.get((*rows)[i]), column.get(expected)) << column.name;
    // stored as whole nanoseconds
    for (size_t p = 0; p < expected.phase_ms.size(); ++p)
      EXPECT_NEAR((*rows)[i].phase_ms[p], expected.phase_ms[p], 0.51e-6);
  }
}

TEST(Diagnostics, EveryColumnReadsBackWhatItWrote) {
  for (const auto& column : diagnostic_columns()) {
    StepDiagnostics d;
    column.set(d, 12345);
    EXPECT_EQ(column.get(d), 12345u) << column.name;
    int touched = 0;
    for (const auto& other : diagnostic_columns()) touched += other.get(d) != other.get({});
    EXPECT_EQ(touched, 1) << column.name;
  }
}

TEST(Joints, OfEveryFrameAreKeptBitForBit) {
  for (const uint32_t frames : {1u, 5u, 67u}) {
    SampleRun sample = make_sample(SampleMotion::kTumbling, 2, frames);
    add_joints(sample, 3);
    WriteOptions options;
    options.frames_per_chunk = 16;
    const auto bytes = sample_bytes(sample, options);
    MemorySource source(bytes, "run.tenon");
    auto reader = RecordingReader::open(source);
    ASSERT_TRUE(reader.ok()) << format(reader.error());
    EXPECT_EQ(reader->run(), sample.run);
    std::vector<RecordedJoint> joints;
    // backwards: every chunk is loaded by its own number
    for (uint64_t i = reader->frame_count(); i-- > 0;) {
      ASSERT_TRUE(reader->read_joints(i, joints).ok());
      ASSERT_EQ(joints.size(), 3u);
      for (size_t j = 0; j < 3; ++j) {
        const RecordedJoint &a = joints[j], &b = sample.joints[i][j];
        EXPECT_EQ(a, b);
        EXPECT_TRUE(same_bits(a.angle_rad, b.angle_rad) && same_bits(a.torque.x, b.torque.x));
      }
    }
    EXPECT_FALSE(reader->read_joints(frames, joints).ok());
  }
}

TEST(Joints, AreNeitherWrittenNorReadWhereTheRunHasNoTrackOfThem) {
  SampleRun sample = make_sample(SampleMotion::kRest, 1, 3);
  sample.run.joint_names = {"hinge"};
  const auto bytes = sample_bytes(sample);
  MemorySource source(bytes, "run.tenon");
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->run().joint_names, sample.run.joint_names);
  std::vector<RecordedJoint> joints;
  const Status read = reader->read_joints(0, joints);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(format(read.error()).find("run.tenon"), std::string::npos);
  // a writer is told the truth about their number
  MemorySink sink;
  RecordingWriter writer(sink);
  ASSERT_TRUE(writer.begin(sample.run, sample.scene).ok());
  EXPECT_FALSE(writer.add_frame(0, 0, 0, sample.frames[0].bodies, std::vector<RecordedJoint>(1)));
}

TEST(Joints, OfACutOffRecordingAreThereForEveryFrame) {
  SampleRun sample = make_sample(SampleMotion::kTumbling, 2, 67);
  add_joints(sample, 2);
  WriteOptions options;
  options.frames_per_chunk = 16;
  const auto bytes = sample_bytes(sample, options);
  for (size_t cut = bytes.size() / 2; cut < bytes.size(); cut += 97) {
    MemorySource source{std::span<const std::byte>(bytes).first(cut)};
    auto reader = RecordingReader::open(source);
    ASSERT_TRUE(reader.ok());
    std::vector<RecordedJoint> joints;
    if (const uint64_t count = reader->frame_count(); count > 0) {
      ASSERT_TRUE(reader->read_joints(count - 1, joints).ok()) << cut;
      EXPECT_EQ(joints, sample.joints[count - 1]);
    }
  }
}

TEST(Events, KeepTheJointTheyAreAbout) {
  SampleRun sample = make_sample(SampleMotion::kRest, 2, 40);
  sample.run.joint_names = {"left", "right"};
  sample.events.clear();
  // more than one chunk of events; some chunks without joints
  for (uint64_t step = 1; step < 40; ++step)
    for (uint32_t i = 0; i < 300; ++i)
      sample.events.push_back({"joint_broke", step, sample.frames[step].time, 0, 1, 1.5,
                               step % 20 < 10 ? kNoJoint : i % 2});
  const auto bytes = sample_bytes(sample);
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  const auto all = reader->read_events(0, 1000);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(*all, sample.events);
  const auto some = reader->read_events(15, 15);
  ASSERT_TRUE(some.ok());
  ASSERT_EQ(some->size(), 300u);
  EXPECT_EQ((*some)[7].joint, 1u);
}

TEST(Events, KeepTheirImpulses) {
  SampleRun sample = make_sample(SampleMotion::kRest, 2, 40);
  sample.run.joint_names = {"left"};
  sample.events.clear();
  for (uint64_t step = 1; step < 40; ++step)
    for (uint32_t i = 0; i < 300; ++i)
      sample.events.push_back({"contact_begin", step, sample.frames[step].time, 0, 1, -0.5,
                               i % 7 == 0 ? 0 : kNoJoint,
                               step % 20 < 10 || i % 2 ? 0.0 : 0.25 * i});
  const auto bytes = sample_bytes(sample);
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  const auto all = reader->read_events(0, 1000);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(*all, sample.events);
  EXPECT_EQ((*reader->read_events(15, 15))[4].impulse, 1);
}

TEST(Contacts, OfEveryStepAreKeptBitForBit) {
  for (const uint32_t count : {0u, 1u, 40u, 700u}) {
    SampleRun sample = make_sample(SampleMotion::kTumbling, 2, 23);
    add_contacts(sample, count);
    WriteOptions options;
    options.frames_per_chunk = 8;
    const auto bytes = sample_bytes(sample, options);
    MemorySource source(bytes, "run.tenon");
    auto reader = RecordingReader::open(source);
    ASSERT_TRUE(reader.ok()) << format(reader.error());
    EXPECT_EQ(reader->run(), sample.run);
    const auto all = reader->read_contacts(0, 1000);
    ASSERT_TRUE(all.ok()) << format(all.error());
    ASSERT_EQ(all->size(), sample.contacts.size());
    for (size_t i = 0; i < all->size(); ++i)
      ASSERT_TRUE(same_bits((*all)[i], sample.contacts[i])) << i;
    const auto some = reader->read_contacts(5, 9);
    ASSERT_TRUE(some.ok());
    EXPECT_EQ(some->size(), 4 * count);  // none in step 8
  }
}

TEST(Contacts, AreNeitherWrittenNorReadWhereTheRunHasNoTrackOfThem) {
  const SampleRun sample = make_sample(SampleMotion::kRest, 1, 3);
  const auto bytes = sample_bytes(sample);
  MemorySource source(bytes, "run.tenon");
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  const auto read = reader->read_contacts(0, 9);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(format(read.error()),
            "run.tenon: the recording does not say where bodies touch "
            "(accepted: a run recorded with --contacts)");
  MemorySink sink;
  RecordingWriter writer(sink);
  ASSERT_TRUE(writer.begin(sample.run, sample.scene).ok());
  EXPECT_FALSE(writer.add_contact({}).ok());
}

TEST(Contacts, OfLaterVersionsMayHaveMoreColumnsButNotFewer) {
  using namespace recording_detail;
  std::vector<std::string> labels = contact_labels();
  labels.insert(labels.begin() + 4, "heat_J:f64");
  Table table{2, {}};
  for (uint64_t row = 1; row <= 2; ++row)
    for (size_t c = 0; c < labels.size(); ++c) table.words.push_back(row * c);
  const auto bytes = encode_table(table, column_types(labels));
  const auto contacts = decode_contacts(bytes, labels, true);
  ASSERT_TRUE(contacts.has_value());
  ASSERT_EQ(contacts->size(), 2u);
  EXPECT_EQ((*contacts)[1].b, 6u);
  EXPECT_EQ(std::bit_cast<uint64_t>((*contacts)[1].point_W.x), 10u);
  labels.pop_back();
  table = {0, {}};
  EXPECT_FALSE(decode_contacts(encode_table(table, column_types(labels)), labels, true));
  EXPECT_FALSE(decode_contacts(encode_table(table, {}), {}, true));
}

TEST(Contacts, OfAWorldAreThoseThatTouchOrPush) {
  auto world = World::make();
  ASSERT_TRUE(world.ok());
  BodyDef plane;
  plane.motion = MotionKind::kStatic;
  plane.colliders = {{Plane{}, {}, 0, 1000}};
  BodyDef box;
  box.colliders = {{Box{{0.5, 0.5, 0.5}}, {}, 0, 1000}};
  box.X_WB.p = {0, 0.5, 0};
  BodyDef ball;
  ball.colliders = {{Sphere{0.1}, {}, 0, 1000}};
  ball.X_WB.p = {5, 0.11, 0};
  ball.velocity = {0, -10, 0};
  const std::vector<BodyHandle> handles{*world->create_body(box), *world->create_body(plane),
                                        *world->create_body(ball)};
  RunRecord run;
  run.body_names = {"box", "floor", "ball"};
  run.contact_track = true;
  MemorySink sink;
  Recorder recorder(sink);
  ASSERT_TRUE(recorder.begin(*world, handles, run, {}).ok());
  for (int i = 0; i < 5; ++i) {
    world->step();
    ASSERT_TRUE(recorder.after_step(*world).ok());
  }
  ASSERT_TRUE(recorder.finish(*world, RunEnd::kCompleted).ok());
  MemorySource source(sink.bytes());
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  const auto contacts = reader->read_contacts(5, 5);
  ASSERT_TRUE(contacts.ok());
  ASSERT_EQ(contacts->size(), 4u);
  double upward = 0;
  for (const RecordedContact& c : *contacts) {
    EXPECT_EQ(c.a + c.b, 1u);
    EXPECT_NEAR(std::fabs(c.point_W.x), 0.5, 1e-6);
    EXPECT_NEAR(c.point_W.y, 0, 1e-6);
    // the normal and the impulse point from the floor to the box or both the other way
    EXPECT_NEAR(c.normal_W.y, c.b == 0 ? 1 : -1, 1e-12);
    upward += c.impulse_W.y * c.normal_W.y;
    EXPECT_TRUE(c.acts);
  }
  EXPECT_NEAR(upward, 1000 * 9.81 / 60, 1e-3);  // its weight over a step
  // the ball bounced in the first step and was gone at its end
  const auto first = reader->read_contacts(1, 1);
  ASSERT_TRUE(first.ok());
  const RecordedContact& bounce = first->back();
  EXPECT_EQ(bounce.a + bounce.b, 3u);
  EXPECT_NEAR(norm(bounce.impulse_W), 15 * world->mass(handles[2]).mass, 0.02 * 60);
  EXPECT_NEAR(bounce.distance, 0.01, 1e-9);
}

TEST(Codec, RefusesStreamsOfAnotherSizeThanPromised) {
  const std::string text(10000, 'x');
  const auto packed = compress(Codec::kZstd, std::as_bytes(std::span(text)), 3);
  ASSERT_TRUE(packed.ok());
  const auto unpacked = decompress(Codec::kZstd, *packed, text.size());
  ASSERT_TRUE(unpacked.ok());
  EXPECT_EQ(text_bytes(*unpacked), text);
  EXPECT_FALSE(decompress(Codec::kZstd, *packed, text.size() - 1).ok());
  EXPECT_FALSE(decompress(Codec::kZstd, *packed, size_t{1} << 40).ok());
  EXPECT_FALSE(decompress(Codec::kRaw, *packed, text.size()).ok());
  EXPECT_FALSE(decompress(static_cast<Codec>(9), *packed, text.size()).ok());
}

TEST(Writer, RefusesFramesOutOfOrderAndOfTheWrongSize) {
  const SampleRun sample = make_sample(SampleMotion::kRest, 2, 2);
  MemorySink sink;
  RecordingWriter writer(sink);
  const auto& bodies = sample.frames[0].bodies;
  EXPECT_FALSE(writer.add_frame(0, 0, 0, bodies).ok());  // not begun
  ASSERT_TRUE(writer.begin(sample.run, sample.scene).ok());
  EXPECT_FALSE(writer.begin(sample.run, sample.scene).ok());
  EXPECT_TRUE(writer.add_frame(5, 1, 0, bodies).ok());
  EXPECT_FALSE(writer.add_frame(5, 2, 0, bodies).ok());
  EXPECT_FALSE(writer.add_frame(6, 0.5, 0, bodies).ok());
  EXPECT_FALSE(writer.add_frame(6, std::nan(""), 0, bodies).ok());
  EXPECT_FALSE(writer.add_frame(6, 2, 0, std::span(bodies).first(1)).ok());
  EXPECT_TRUE(writer.add_frame(6, 2, 0, bodies).ok());
  EXPECT_TRUE(writer.finish({}).ok());
  EXPECT_FALSE(writer.add_frame(7, 3, 0, bodies).ok());
  EXPECT_EQ(writer.bytes_written(), sink.bytes().size());
}

}  // namespace
}  // namespace tenon
