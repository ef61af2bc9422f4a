// info, compare and the CSV table.
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "sample_run.h"
#include "tenon/recording/compare.h"
#include "tenon/recording/export_csv.h"
#include "tenon/recording/info.h"

namespace tenon {
namespace {

using namespace test;

// A recording in memory with its reader.
struct Opened {
  explicit Opened(const SampleRun& sample, const WriteOptions& options = {})
      : bytes(sample_bytes(sample, options)), source(bytes, "run.tenon") {}
  Result<RecordingReader> open() { return RecordingReader::open(source); }
  std::vector<std::byte> bytes;
  MemorySource source;
};

RecordingComparison compared(const SampleRun& a, const SampleRun& b) {
  Opened oa(a), ob(b);
  auto ra = oa.open(), rb = ob.open();
  TENON_DEMAND(ra.ok() && rb.ok());
  auto result = compare(*ra, *rb);
  TENON_DEMAND(result.ok());
  return *result;
}

TEST(Compare, EqualRunsAreIdenticalWhateverTheirTimings) {
  const SampleRun a = make_sample(SampleMotion::kTumbling, 3, 50);
  SampleRun b = a;
  for (auto& row : b.diagnostics) row.phase_ms.fill(77);
  b.run.threads = 16;
  const auto c = compared(a, b);
  EXPECT_TRUE(c.identical());
  EXPECT_EQ(c.common_frames, 50u);
  EXPECT_EQ(format(c), "equal in every bit over 50 common frames\n");
}

TEST(Compare, FindsTheFirstDivergentStepAndTheLargestDifferences) {
  const SampleRun a = make_sample(SampleMotion::kTumbling, 3, 50);
  SampleRun b = a;
  // the last bit of one velocity at step 20, more at step 30
  double& v = b.frames[20].bodies[1].v_WC.y;
  v = std::nextafter(v, 1e9);
  b.frames[30].bodies[1].X_WB.p.x += 0.25;
  b.frames[31].bodies[2].X_WB.q = exp_map({0, 0.125, 0}) * b.frames[31].bodies[2].X_WB.q;
  b.frames[40].bodies[2].w_WB.z -= 2;
  const auto c = compared(a, b);
  EXPECT_FALSE(c.same_bits());
  EXPECT_EQ(c.first_divergent_step, 20u);
  EXPECT_EQ(c.first_divergent_body, "body1");
  EXPECT_EQ(c.first_divergent_time, a.frames[20].time);
  EXPECT_FALSE(c.first_hash_divergence.has_value());
  ASSERT_EQ(c.bodies.size(), 3u);
  EXPECT_FALSE(c.bodies[0].first_step.has_value());
  // exact up to the rounding of a coordinate near 10
  EXPECT_NEAR(c.bodies[1].position_m, 0.25, 1e-14);
  EXPECT_EQ(c.bodies[1].position_step, 30u);
  EXPECT_NEAR(c.bodies[2].angle_rad, 0.125, 1e-14);
  EXPECT_EQ(c.bodies[2].angle_step, 31u);
  EXPECT_NEAR(c.bodies[2].angular_velocity_rad_s, 2, 1e-14);
  EXPECT_EQ(c.bodies[2].first_step, 31u);
  const std::string text = format(c);
  EXPECT_NE(text.find("first difference at step 20"), std::string::npos) << text;
  EXPECT_NE(text.find("body1: position 0.25 m @30"), std::string::npos) << text;
}

TEST(Compare, TellsMinusZeroFromZero) {
  const SampleRun a = make_sample(SampleMotion::kRest, 1, 3);
  SampleRun b = a;
  b.frames[1].bodies[0].v_WC.x = 0.0;
  SampleRun c = a;
  c.frames[1].bodies[0].v_WC.x = -0.0;
  EXPECT_EQ(compared(b, c).first_divergent_step, 1u);
}

TEST(Compare, AlignsByStepNumber) {
  const SampleRun a = make_sample(SampleMotion::kTumbling, 2, 100);
  SampleRun b = a;
  b.frames.erase(b.frames.begin(), b.frames.begin() + 40);
  b.run.first_step = 40;
  b.run.first_time = b.frames[0].time;
  std::erase_if(b.diagnostics, [](const auto& row) { return row.step <= 40; });
  std::erase_if(b.events, [](const auto& event) { return event.step <= 40; });
  const auto c = compared(a, b);
  EXPECT_TRUE(c.same_bits()) << format(c);
  EXPECT_FALSE(c.identical());
  EXPECT_EQ(c.common_frames, 60u);
  EXPECT_EQ(c.only_in_a, 40u);
  EXPECT_EQ(c.first_only_in_a, 0u);
  EXPECT_EQ(c.only_in_b, 0u);
  EXPECT_NE(format(c).find("40 frames only in the first recording"), std::string::npos);
}

TEST(Compare, ReportsHashesDiagnosticsAndEvents) {
  const SampleRun a = make_sample(SampleMotion::kTumbling, 2, 60);
  SampleRun b = a;
  b.frames[7].state_hash ^= 1;
  b.diagnostics[10].contacts += 1;
  b.events[5].value = 3;
  const auto c = compared(a, b);
  EXPECT_FALSE(c.same_bits());
  EXPECT_FALSE(c.first_divergent_step.has_value());
  EXPECT_EQ(c.first_hash_divergence, 7u);
  EXPECT_EQ(c.first_diagnostics_divergence, a.diagnostics[10].step);
  EXPECT_EQ(c.first_events_divergence, a.events[5].step);
  b = a;
  b.events.pop_back();
  EXPECT_EQ(compared(a, b).first_events_divergence, a.events.back().step);
}

TEST(Compare, ReportsOtherScenesAndPairsBodiesByName) {
  const SampleRun a = make_sample(SampleMotion::kTumbling, 3, 10);
  SampleRun b = a;
  b.scene.text += " ";
  b.scene.overrides.clear();
  b.run.method = "force";
  b.run.body_names = {"body2", "new", "body0"};
  for (auto& frame : b.frames) std::swap(frame.bodies[0], frame.bodies[2]);
  const auto c = compared(a, b);
  EXPECT_FALSE(c.same_scene);
  EXPECT_FALSE(c.same_bodies);
  ASSERT_EQ(c.bodies.size(), 2u);
  EXPECT_FALSE(c.bodies[0].first_step || c.bodies[1].first_step);
  EXPECT_EQ(c.descriptions.size(), 4u) << format(c);
}

TEST(Compare, SaysWhenThereIsNoBodyInCommon) {
  const SampleRun a = make_sample(SampleMotion::kTumbling, 2, 10);
  SampleRun b = a;
  b.run.body_names = {"left", "right"};
  auto c = compared(a, b);
  EXPECT_FALSE(c.same_bodies);
  EXPECT_EQ(format(c),
            "bodies: 2 against 2, 0 of the same name\n"
            "no body in common: there are no poses and velocities to compare in 10 common "
            "frames\n");
  b.diagnostics[3].contacts += 1;
  b.frames[6].time += 1e-3;
  const std::string text = format(compared(a, b));
  EXPECT_EQ(text.find("equal"), std::string::npos) << text;
  EXPECT_NE(text.find("times differ from step 6 on\n"), std::string::npos) << text;
  EXPECT_NE(text.find("diagnostics differ from step 4 on\n"), std::string::npos) << text;
  // two worlds without any body agree about nothing, and differ in nothing
  const SampleRun empty = make_sample(SampleMotion::kRest, 0, 10);
  EXPECT_EQ(format(compared(empty, empty)), "equal in every bit over 10 common frames\n");
}

TEST(Compare, CountsTheBodiesItDoesNotList) {
  const SampleRun a = make_sample(SampleMotion::kTumbling, 3, 10);
  SampleRun b = a;
  for (auto& body : b.frames[5].bodies) body.X_WB.p.x += 1;
  EXPECT_NE(format(compared(a, b), 2).find("  and 1 other body\n"), std::string::npos);
  EXPECT_NE(format(compared(a, b), 1).find("  and 2 other bodies\n"), std::string::npos);
}

std::string csv(const SampleRun& sample, const CsvOptions& options = {}) {
  Opened opened(sample);
  auto reader = opened.open();
  MemorySink sink;
  const auto lines = export_poses_csv(*reader, sink, options);
  if (!lines) return "error: " + format(lines.error());
  return {reinterpret_cast<const char*>(sink.bytes().data()), sink.bytes().size()};
}

TEST(Csv, NumbersReadBackToTheSameBits) {
  for (SampleMotion motion : {SampleMotion::kTumbling, SampleMotion::kNoise}) {
    const SampleRun sample = make_sample(motion, 3, 70);
    std::istringstream lines(csv(sample));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
    for (const auto& frame : sample.frames)
      for (size_t b = 0; b < frame.bodies.size(); ++b) {
        ASSERT_TRUE(std::getline(lines, line));
        std::istringstream cells(line);
        std::string cell;
        std::vector<double> values;
        while (std::getline(cells, cell, ','))
          if (values.size() == 1 && cell == sample.run.body_names[b])
            values.push_back(0);
          else
            values.push_back(std::strtod(cell.c_str(), nullptr));
        ASSERT_EQ(values.size(), 15u);
        EXPECT_TRUE(same_bits(values[0], frame.time));
        RecordedBody read;
        read.X_WB = {{values[2], values[3], values[4]},
                     {values[5], values[6], values[7], values[8]}};
        read.v_WC = {values[9], values[10], values[11]};
        read.w_WB = {values[12], values[13], values[14]};
        EXPECT_TRUE(same_bits(read, frame.bodies[b])) << line;
      }
    EXPECT_FALSE(std::getline(lines, line));
  }
}

TEST(Csv, ChoosesBodiesTimesAndFrames) {
  SampleRun sample = make_sample(SampleMotion::kRest, 3, 61);
  sample.run.body_names = {"a,b", "say \"hi\"", "plain"};
  for (auto& frame : sample.frames)
    for (auto& body : frame.bodies) body = {{{1, 2, 3}, {}}, {-0.5, 0, 0}, {0, 1e-9, 0}};
  CsvOptions options;
  options.bodies = {"say \"hi\"", "a,b"};
  options.from_s = 0.5;
  options.to_s = 0.55;
  options.every = 2;
  const std::string tail = ",1,2,3,1,0,0,0,-0.5,0,0,0,1e-09,0\n";
  EXPECT_EQ(csv(sample, options),
            "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"
            "0.5,\"a,b\"" +
                tail + "0.5,\"say \"\"hi\"\"\"" + tail + "0.5333333333333333,\"a,b\"" + tail +
                "0.5333333333333333,\"say \"\"hi\"\"\"" + tail);
  options.bodies = {"ball"};
  EXPECT_EQ(csv(sample, options),
            "error: run.tenon: the recording has no body of this name "
            "(got ball; accepted: one of its 3 bodies, such as a,b)");
  options = {};
  options.every = 0;
  EXPECT_EQ(csv(sample, options).substr(0, 6), "error:");
  options = {};
  options.from_s = 2;
  options.to_s = 1;
  EXPECT_EQ(csv(sample, options).substr(0, 6), "error:");
}

TEST(Info, SaysWhatIsInTheRecording) {
  const SampleRun sample = make_sample(SampleMotion::kTumbling, 4, 121);
  Opened opened(sample);
  auto reader = opened.open();
  ASSERT_TRUE(reader.ok());
  const auto info = read_info(*reader);
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->frames, 121u);
  EXPECT_EQ(info->bodies, 4u);
  EXPECT_EQ(info->keyframes, 5u);
  EXPECT_EQ(info->last_step, 120u);
  EXPECT_EQ(info->last_time, sample.frames.back().time);
  EXPECT_EQ(info->events, sample.events.size());
  EXPECT_EQ(info->diagnostics, 120u);
  EXPECT_EQ(info->bytes, opened.bytes.size());
  uint64_t parts = kFileHeaderBytes;
  for (const auto& part : info->parts) parts += part.stored_bytes;
  // the back-pointer is the only chunk that the index does not list
  EXPECT_EQ(parts + kChunkHeaderBytes + 8, info->bytes);
  const std::string text = format(*info);
  for (const char* expected : {"thrown.json \"Thrown \"boxes\"\"", "completed", "0 s to 2 s",
                               "zstd", "Tenon 0.1.0, format 1.3", "world.step=1/60"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
  // one scene, five keyframes
  EXPECT_NE(text.find(" in 1 chunk, "), std::string::npos) << text;
  EXPECT_NE(text.find(" in 5 chunks, "), std::string::npos) << text;
  EXPECT_EQ(text.find(" 1 chunks"), std::string::npos) << text;
}

// Sizes are promised in docs/recording-format.md; recording_bench prints them.
TEST(Size, OfSmoothMotionIsAFractionOfTheRawNumbers) {
  const auto bytes_per_body_frame = [](SampleMotion motion, Codec codec) {
    WriteOptions options;
    options.codec = codec;
    Opened opened(make_sample(motion, 100, 240), options);
    auto reader = opened.open();
    TENON_DEMAND(reader.ok());
    return read_info(*reader)->bytes_per_body_frame;
  };
  // raw: 13 * 8 = 104 bytes
  EXPECT_LT(bytes_per_body_frame(SampleMotion::kRest, Codec::kZstd), 3);
  EXPECT_LT(bytes_per_body_frame(SampleMotion::kFlight, Codec::kZstd), 20);
  EXPECT_LT(bytes_per_body_frame(SampleMotion::kTumbling, Codec::kZstd), 52);
  EXPECT_LT(bytes_per_body_frame(SampleMotion::kTumbling, Codec::kRaw), 60);
  // random bits cannot be packed, and must not grow by more than the lengths
  EXPECT_LT(bytes_per_body_frame(SampleMotion::kNoise, Codec::kRaw), 104 + 13);
}

}  // namespace
}  // namespace tenon
