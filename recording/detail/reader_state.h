// What a RecordingReader knows about its file.
#pragma once

#include "tenon/recording/detail/chunk_list.h"
#include "tenon/recording/detail/payload.h"
#include "tenon/recording/reader.h"

namespace tenon {

struct RecordingReader::State {
  State(ByteSource& from, const ReadOptions& how) : source(from), options(how) {}

  ByteSource& source;
  ReadOptions options;
  uint32_t minor = 0;
  recording_detail::ChunkList list;
  recording_detail::RunChunk run;
  EndRecord end;

  static constexpr size_t kNothing = ~size_t{0};
  struct PoseChunk {
    size_t entry = 0;          // in list.entries
    uint64_t first_frame = 0;  // number of frames in earlier chunks
    size_t joints = kNothing;  // the chunk of its joints, in list.entries
  };
  std::vector<PoseChunk> poses;
  std::vector<size_t> keyframes;  // in list.entries
  uint64_t frame_total = 0;
  size_t last_joints = kNothing;  // the last chunk of joints so far
  size_t digested = 0;            // entries already sorted into the lists above

  // the last unpacked frames
  size_t loaded_chunk = kNothing, loaded_joint_chunk = kNothing;
  recording_detail::FrameWords loaded;
  recording_detail::JointWords loaded_joints;

  const ChunkHeader& pose_header(size_t chunk) const {
    return list.entries[poses[chunk].entry].header;
  }
  bool check() const { return options.checksums == ReadOptions::Checksums::kVerify; }
  double guess_chunk(uint64_t frame) const {
    return static_cast<double>(frame) / static_cast<double>(frame_total) *
           static_cast<double>(poses.size());
  }

  Status open();
  Status refresh();
  Status digest_chunks();
  Status add_poses(size_t entry);
  Status add_keyframe(size_t entry);
  Status read_run();
  Status read_end();
  Result<const recording_detail::FrameWords*> load_frames(size_t chunk);
  Result<const recording_detail::JointWords*> load_joints(size_t chunk);
  // The payloads of chunks of this kind that touch steps first..last go to `use` in file order.
  template <class Use>
  Status for_chunks(uint32_t kind, uint64_t first, uint64_t last, Use use);
  Result<std::vector<StepDiagnostics>> read_diagnostics(uint64_t first, uint64_t last);
  Status read_timings(uint64_t first, uint64_t last, std::vector<StepDiagnostics>& rows);
  Result<std::vector<RecordedEvent>> read_events(uint64_t first, uint64_t last);
  Result<std::vector<RecordedContact>> read_contacts(uint64_t first, uint64_t last);
};

}  // namespace tenon
