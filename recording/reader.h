// Reads a recording piece by piece. Opening costs the index only; a frame costs one chunk.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "tenon/recording/bytes.h"
#include "tenon/recording/chunk.h"
#include "tenon/recording/records.h"

namespace tenon {

struct ReadOptions {
  // Refuse chunks that claim to unpack to more than this; guards memory against hostile files.
  // 256 MiB holds a frame of 2.5 million bodies.
  uint64_t max_chunk_bytes = uint64_t{256} << 20;
  // kIgnore reads damaged chunks as far as they make sense: for salvage and fuzzing only.
  enum class Checksums { kVerify, kIgnore } checksums = Checksums::kVerify;
};

// Errors name the source and the byte where the trouble is. A reader is used by one thread at a
// time: it keeps the last unpacked chunk.
class RecordingReader {
 public:
  // The source outlives the reader. Uses the index at the end of the file; when that is missing
  // or damaged, walks over the chunk headers instead (no unpacking).
  static Result<RecordingReader> open(ByteSource& source, ReadOptions options = {});
  RecordingReader(RecordingReader&&) noexcept;
  RecordingReader& operator=(RecordingReader&&) noexcept;
  ~RecordingReader();

  const RunRecord& run() const;
  Result<SceneRecord> scene();
  // How the run ended; kCutOff with a reason where the file has no end chunk.
  const EndRecord& end() const;
  // Whether the index came from the file (false: rebuilt by a scan).
  bool has_index() const;
  std::span<const ChunkEntry> chunks() const;
  const ByteSource& source() const;
  uint32_t format_minor() const;

  // frames, in order of steps
  uint64_t frame_count() const;
  // The last frame at or before t (within half a nanosecond, so that a time that was printed and
  // typed again finds its frame); the first frame when t lies before it. Fails without frames or
  // for a t that is no number.
  Result<uint64_t> find_frame(double t);
  // The frame of exactly this step, if there is one.
  Result<std::optional<uint64_t>> find_step(uint64_t step);
  Result<RecordedFrame> read_frame(uint64_t index);
  // Same, into storage that is reused.
  Status read_frame(uint64_t index, RecordedFrame& frame);

  // What the joints do in a frame, in the order of RunRecord::joint_names. Fails where the
  // recording has no joint track.
  Status read_joints(uint64_t index, std::vector<RecordedJoint>& joints);

  // keyframes
  uint64_t keyframe_count() const;
  Result<RecordedKeyframe> read_keyframe(uint64_t index);
  // The latest keyframe at or before t (same tolerance); the first when t lies before it.
  Result<RecordedKeyframe> state_at(double t);

  // What happened in steps first..last, both included.
  Result<std::vector<StepDiagnostics>> read_diagnostics(uint64_t first, uint64_t last);
  Result<std::vector<RecordedEvent>> read_events(uint64_t first, uint64_t last);
  // Points at which bodies touched, in order of steps. Fails where the recording has no contact
  // track.
  Result<std::vector<RecordedContact>> read_contacts(uint64_t first, uint64_t last);

  // Takes in chunks that were appended since, for a file still being written. Cheap.
  Status refresh();

 private:
  struct State;
  explicit RecordingReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tenon
