// Any bytes as a recording: errors are fine, crashes and runaway memory are not.
//
// The first byte chooses between checksums verified and ignored; with them ignored, mutations reach
// the decoders behind them. Compiled with TENON_WRITE_SEEDS, this file is a program that writes the
// seed corpus into the folder it is given.
#include <cstdint>
#include <span>

#include "tenon/recording/compare.h"
#include "tenon/recording/export_csv.h"
#include "tenon/recording/info.h"
#include "tenon/tests/unit/recording/sample_run.h"

#ifdef TENON_WRITE_SEEDS
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  using namespace tenon;
  if (argc != 2) return 1;
  int number = 0;
  for (test::SampleMotion motion :
       {test::SampleMotion::kRest, test::SampleMotion::kTumbling, test::SampleMotion::kNoise})
    for (Codec codec : {Codec::kRaw, Codec::kZstd})
      for (char mode : {'\0', '\1'}) {
        WriteOptions options;
        options.codec = codec;
        options.frames_per_chunk = 3;
        test::SampleRun sample = test::make_sample(motion, 2, 7);
        test::add_contacts(sample, 3);
        const auto bytes = test::sample_bytes(sample, options);
        const std::string path = std::string(argv[1]) + "/seed" + std::to_string(number++);
        std::FILE* file = std::fopen(path.c_str(), "wb");
        if (!file) return 1;
        std::fputc(mode, file);
        std::fwrite(bytes.data(), 1, bytes.size(), file);
        if (std::fclose(file) != 0) return 1;
      }
  return 0;
}

#else

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tenon;
  if (size == 0) return 0;
  ReadOptions options;
  options.max_chunk_bytes = 1 << 20;
  if (data[0] & 1) options.checksums = ReadOptions::Checksums::kIgnore;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
  MemorySource source(bytes, "fuzz");
  auto reader = RecordingReader::open(source, options);
  if (!reader) {
    TENON_DEMAND(!format(reader.error()).empty());
    return 0;
  }
  // a header may claim billions of frames; a few at both ends are enough
  const uint64_t frames = reader->frame_count();
  for (uint64_t i = 0; i < frames && i < 16; ++i) {
    (void)reader->read_frame(i).ok();
    (void)reader->read_frame(frames - 1 - i).ok();
    std::vector<RecordedJoint> joints;
    (void)reader->read_joints(i, joints).ok();
    (void)reader->read_joints(frames - 1 - i, joints).ok();
  }
  for (uint64_t i = 0; i < reader->keyframe_count() && i < 16; ++i)
    (void)reader->read_keyframe(i).ok();
  for (double t : {-1.0, 0.0, 0.05, 1e300}) {
    (void)reader->find_frame(t).ok();
    (void)reader->state_at(t).ok();
  }
  (void)reader->find_step(3).ok();
  if (const auto info = read_info(*reader)) TENON_DEMAND(!format(*info).empty());
  (void)reader->read_events(0, ~uint64_t{0}).ok();
  (void)reader->read_contacts(0, ~uint64_t{0}).ok();
  (void)reader->read_diagnostics(0, ~uint64_t{0}).ok();
  if (frames > 64) return 0;
  MemorySink csv;
  (void)export_poses_csv(*reader, csv).ok();
  (void)export_joints_csv(*reader, csv).ok();
  (void)export_events_csv(*reader, csv).ok();
  (void)export_contacts_csv(*reader, csv).ok();
  if (const auto same = compare(*reader, *reader)) TENON_DEMAND(same->same_bits());
  return 0;
}

#endif
