// Recordings: bytes per body and frame, and the speed of writing and reading.
//   recording_bench                        speed (MB/s count 104 bytes per body and frame)
//   recording_bench --benchmark_filter=none   the table of sizes alone
#include <benchmark/benchmark.h>

#include <cstdio>

#include "tenon/recording/info.h"
#include "tenon/tests/unit/recording/sample_run.h"

namespace tenon {
namespace {

using test::make_sample;
using test::SampleMotion;

constexpr uint32_t kBodies = 1000, kFrames = 120;

const test::SampleRun& tumbling() {
  static const test::SampleRun sample = make_sample(SampleMotion::kTumbling, kBodies, kFrames);
  return sample;
}

WriteOptions with(Codec codec, int level, uint32_t frames_per_chunk) {
  WriteOptions options;
  options.codec = codec;
  options.level = level;
  options.frames_per_chunk = frames_per_chunk;
  options.chunk_bytes = size_t{64} << 20;
  return options;
}

void set_rates(benchmark::State& state) {
  const auto count = static_cast<int64_t>(state.iterations()) * kBodies * kFrames;
  state.SetBytesProcessed(count * 104);
  state.SetItemsProcessed(count);
}

void write_recording(benchmark::State& state) {
  const auto options = with(state.range(0) ? Codec::kZstd : Codec::kRaw, 3, 60);
  tumbling();
  for (auto _ : state) benchmark::DoNotOptimize(test::sample_bytes(tumbling(), options).size());
  set_rates(state);
}
BENCHMARK(write_recording)->Arg(0)->Arg(1)->ArgName("zstd")->Unit(benchmark::kMillisecond);

void read_frames(benchmark::State& state) {
  const auto bytes =
      test::sample_bytes(tumbling(), with(state.range(0) ? Codec::kZstd : Codec::kRaw, 3, 60));
  for (auto _ : state) {
    MemorySource source(bytes);
    auto reader = RecordingReader::open(source);
    RecordedFrame frame;
    for (uint64_t i = 0; i < reader->frame_count(); ++i)
      benchmark::DoNotOptimize(reader->read_frame(i, frame).ok());
  }
  set_rates(state);
}
BENCHMARK(read_frames)->Arg(0)->Arg(1)->ArgName("zstd")->Unit(benchmark::kMillisecond);

// One frame at a random time: the cost of a jump on the timeline.
void seek(benchmark::State& state) {
  const auto bodies = static_cast<uint32_t>(state.range(0));
  const auto bytes = test::sample_bytes(make_sample(SampleMotion::kTumbling, bodies, 600));
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  Rng rng(1);
  RecordedFrame frame;
  for (auto _ : state) {
    const auto index = reader->find_frame(rng.uniform(0, 10));
    benchmark::DoNotOptimize(reader->read_frame(*index, frame).ok());
  }
}
BENCHMARK(seek)->Arg(10)->Arg(300)->ArgName("bodies")->Unit(benchmark::kMicrosecond);

double size_of(SampleMotion motion, uint32_t bodies, const WriteOptions& options) {
  const auto bytes = test::sample_bytes(make_sample(motion, bodies, 600), options);
  MemorySource source(bytes);
  auto reader = RecordingReader::open(source);
  return read_info(*reader)->bytes_per_body_frame;
}

void print_sizes() {
  std::printf("pose track, bytes per body and frame (unpacked: 104), 600 frames of 100 bodies\n");
  std::printf("%-10s %8s", "motion", "raw");
  for (int frames : {1, 15, 30, 60, 120}) std::printf("  zstd/%-3d", frames);
  std::printf("  level 1  level 9\n");
  const struct {
    const char* name;
    SampleMotion motion;
  } motions[] = {{"rest", SampleMotion::kRest},
                 {"flight", SampleMotion::kFlight},
                 {"tumbling", SampleMotion::kTumbling},
                 {"jitter", SampleMotion::kJitter},
                 {"noise", SampleMotion::kNoise}};
  for (const auto& [name, motion] : motions) {
    std::printf("%-10s %8.2f", name, size_of(motion, 100, with(Codec::kRaw, 0, 60)));
    for (uint32_t frames : {1u, 15u, 30u, 60u, 120u})
      std::printf("  %8.2f", size_of(motion, 100, with(Codec::kZstd, 3, frames)));
    for (int level : {1, 9})
      std::printf(" %8.2f", size_of(motion, 100, with(Codec::kZstd, level, 60)));
    std::printf("\n");
  }
}

}  // namespace
}  // namespace tenon

int main(int argc, char** argv) {
  tenon::print_sizes();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
