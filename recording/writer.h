// Writes a recording as a stream of chunks, append-only: whatever ends the process, the bytes
// written so far are a recording that can be read up to its last complete chunk.
#pragma once

#include <memory>
#include <span>

#include "tenon/recording/bytes.h"
#include "tenon/recording/codec.h"
#include "tenon/recording/records.h"

namespace tenon {

struct WriteOptions {
  Codec codec = default_codec();
  int level = 3;  // zstd's own default: higher levels gain under 2 % on pose tracks, see the docs
  // Frames are buffered and packed together: more frames pack better, fewer lose less when the
  // process is killed. 1 .. 4096.
  uint32_t frames_per_chunk = 60;
  // ... and never more than about this much unpacked, which bounds memory and the cost of a seek.
  size_t chunk_bytes = size_t{4} << 20;
};

// Every call returns the first failure of the sink; after one, nothing more is written and all
// calls return that failure again. Frames, diagnostics, events and contacts are buffered; keyframes
// are written at once.
class RecordingWriter {
 public:
  // The sink outlives the writer.
  explicit RecordingWriter(ByteSink& sink, WriteOptions options = {});
  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;
  ~RecordingWriter();  // does not finish: an unfinished recording reads as cut off

  // First call, once. Fails on an unusable description: negative or non-finite times.
  Status begin(const RunRecord& run, const SceneRecord& scene);
  // Steps must increase from call to call and bodies must match body_names; joints must match
  // joint_names where the run has a joint track, and be none elsewhere.
  Status add_frame(uint64_t step, double time, uint64_t state_hash,
                   std::span<const RecordedBody> bodies,
                   std::span<const RecordedJoint> joints = {});
  Status add_diagnostics(const StepDiagnostics& diagnostics);
  Status add_event(const RecordedEvent& event);
  // In order of steps. Fails where the run has no contact track.
  Status add_contact(const RecordedContact& contact);
  Status add_keyframe(uint64_t step, double time, uint64_t state_hash,
                      std::span<const std::byte> state);
  // Writes what is buffered, for viewers of a run that is still going on.
  Status flush();
  // Flushes, writes the end, the index and the back-pointer. Last call.
  Status finish(const EndRecord& end);

  uint64_t bytes_written() const;
  uint64_t frames_written() const;  // including buffered ones

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tenon
