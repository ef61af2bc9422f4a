// Finding frames and states by time and by step.
#include <gtest/gtest.h>

#include "sample_run.h"

namespace tenon {
namespace {

using namespace test;

// Counts how often and how much is read.
class CountingSource final : public ByteSource {
 public:
  explicit CountingSource(std::span<const std::byte> all) : inner_(all) {}
  Status read_at(uint64_t offset, std::span<std::byte> out) override {
    ++calls;
    bytes += out.size();
    return inner_.read_at(offset, out);
  }
  uint64_t size() const override { return inner_.size(); }
  const std::string& name() const override { return inner_.name(); }
  uint64_t calls = 0, bytes = 0;

 private:
  MemorySource inner_;
};

// Frames at irregular times and steps: the guess of the chunk is often wrong.
SampleRun irregular_sample() {
  SampleRun sample = make_sample(SampleMotion::kFlight, 2, 300);
  Rng rng(2);
  uint64_t step = 10;
  double time = -1;
  sample.keyframes.clear();
  for (auto& frame : sample.frames) {
    step += 1 + rng.below(rng.below(20) == 0 ? 1000 : 3);
    time += rng.below(10) == 0 ? 5.0 : 0.01;
    frame.step = step;
    frame.time = time;
    if (rng.below(7) == 0) sample.keyframes.push_back({step, time, 1, {std::byte{1}}});
  }
  sample.run.first_step = sample.frames[0].step;
  return sample;
}

void expect_finds_what_a_linear_search_finds(const SampleRun& sample, RecordingReader& reader) {
  Rng rng(9);
  const double begin = sample.frames.front().time - 1, end = sample.frames.back().time + 1;
  for (int round = 0; round < 500; ++round) {
    double t = rng.uniform(begin, end);
    if (round % 2) t = sample.frames[rng.below(static_cast<uint32_t>(sample.frames.size()))].time;
    uint64_t expected = 0;
    while (expected + 1 < sample.frames.size() && sample.frames[expected + 1].time <= t) ++expected;
    const auto found = reader.find_frame(t);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(*found, expected) << t;
    if (sample.keyframes.empty()) continue;
    uint64_t key = 0;
    while (key + 1 < sample.keyframes.size() && sample.keyframes[key + 1].time <= t) ++key;
    const auto state = reader.state_at(t);
    ASSERT_TRUE(state.ok());
    EXPECT_EQ(state->step, sample.keyframes[key].step) << t;
  }
  for (size_t i = 0; i < sample.frames.size(); ++i) {
    const auto found = reader.find_step(sample.frames[i].step);
    ASSERT_TRUE(found.ok() && found->has_value());
    EXPECT_EQ(**found, i);
    if (i == 0 || sample.frames[i].step - 1 != sample.frames[i - 1].step) {
      EXPECT_FALSE(reader.find_step(sample.frames[i].step - 1)->has_value());
    }
  }
  EXPECT_FALSE(reader.find_step(sample.frames.back().step + 1)->has_value());
}

TEST(Seek, AgreesWithALinearSearch) {
  for (const SampleRun& sample : {make_sample(SampleMotion::kFlight, 2, 301), irregular_sample()}) {
    WriteOptions options;
    options.frames_per_chunk = 7;
    const auto bytes = sample_bytes(sample, options);
    MemorySource source(bytes);
    auto reader = RecordingReader::open(source);
    ASSERT_TRUE(reader.ok());
    expect_finds_what_a_linear_search_finds(sample, *reader);
    // the same without the index
    MemorySource cut{std::span(bytes).first(bytes.size() - 1)};
    auto scanned = RecordingReader::open(cut);
    ASSERT_TRUE(scanned.ok());
    EXPECT_FALSE(scanned->has_index());
    EXPECT_EQ(scanned->end().end, RunEnd::kCompleted);
    expect_finds_what_a_linear_search_finds(sample, *scanned);
  }
}

TEST(Seek, FindsATimeThatWasPrintedWithNineDecimals) {
  const SampleRun sample = make_sample(SampleMotion::kFlight, 1, 100);
  const auto bytes = sample_bytes(sample);
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  for (uint64_t i = 0; i < 100; ++i) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9f", sample.frames[i].time);
    EXPECT_EQ(*reader->find_frame(std::atof(text)), i) << text;
  }
  EXPECT_FALSE(reader->find_frame(std::nan("")).ok());
  EXPECT_FALSE(reader->state_at(std::nan("")).ok());
  EXPECT_FALSE(reader->read_frame(100).ok());
  EXPECT_FALSE(reader->read_keyframe(1000).ok());
}

TEST(Seek, CostsTheSameInALongRecordingAsInAShortOne) {
  for (uint32_t frames : {120u, 6000u}) {
    const SampleRun sample = make_sample(SampleMotion::kFlight, 2, frames);
    const auto bytes = sample_bytes(sample);
    CountingSource source(bytes);
    auto reader = RecordingReader::open(source);
    ASSERT_TRUE(reader.ok());
    // opening reads head, tail, index, run and end; not the frames
    EXPECT_LE(source.calls, 8u);
    EXPECT_LT(source.bytes, bytes.size() / 2);
    source.calls = 0;
    ASSERT_TRUE(reader->find_frame(frames / 60.0 * 0.7).ok());
    EXPECT_EQ(source.calls, 1u);  // one chunk
  }
}

TEST(Seek, ScanReadsHeadersOnly) {
  const SampleRun sample = make_sample(SampleMotion::kNoise, 20, 600);
  const auto bytes = sample_bytes(sample);
  CountingSource source{std::span(bytes).first(bytes.size() - 100)};
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  ASSERT_FALSE(reader->has_index());
  EXPECT_EQ(reader->frame_count(), 600u);
  EXPECT_LT(source.bytes, bytes.size() / 20);
}

TEST(Refresh, FollowsAFileThatGrows) {
  const SampleRun sample = make_sample(SampleMotion::kFlight, 1, 40);
  WriteOptions options;
  options.frames_per_chunk = 4;
  const auto whole = sample_bytes(sample, options);
  // a source whose size can be moved
  class Growing final : public ByteSource {
   public:
    explicit Growing(std::span<const std::byte> bytes) : inner(bytes) {}
    Status read_at(uint64_t offset, std::span<std::byte> out) override {
      return inner.read_at(offset, out);
    }
    uint64_t size() const override { return visible; }
    const std::string& name() const override { return inner.name(); }
    MemorySource inner;
    uint64_t visible = 0;
  } source(whole);
  source.visible = whole.size() / 4;
  auto reader = RecordingReader::open(source);
  ASSERT_TRUE(reader.ok());
  uint64_t before = reader->frame_count();
  for (; source.visible < whole.size(); source.visible += 37) {
    ASSERT_TRUE(reader->refresh().ok());
    EXPECT_GE(reader->frame_count(), before);
    before = reader->frame_count();
  }
  source.visible = whole.size();
  ASSERT_TRUE(reader->refresh().ok());
  EXPECT_EQ(reader->frame_count(), 40u);
  EXPECT_EQ(reader->end().end, RunEnd::kCompleted);
  EXPECT_TRUE(same_bits(*reader->read_frame(39), sample.frames[39]));
}

}  // namespace
}  // namespace tenon
