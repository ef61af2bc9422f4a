// The contents of each kind of chunk as bytes, and back. Decoders take any bytes: they return
// nothing when those make no sense, and allocate in proportion to the bytes that are there.
#pragma once

#include <optional>

#include "tenon/recording/detail/track.h"
#include "tenon/recording/records.h"

namespace tenon::recording_detail {

// What a reader needs of the run's description besides the record itself.
struct RunChunk {
  RunRecord run;
  std::vector<std::string> diagnostic_labels, timing_labels, contact_labels;  // "name:type"
};
std::vector<std::byte> encode_run(const RunRecord& run);
std::optional<RunChunk> decode_run(std::span<const std::byte> bytes);

std::vector<std::byte> encode_scene(const SceneRecord& scene);
std::optional<SceneRecord> decode_scene(std::span<const std::byte> bytes);

// A piece of a file that the scene names; large ones take several chunks.
struct FilePiece {
  std::string name;
  uint64_t size = 0, offset = 0;  // of the whole file; where the piece begins in it
  std::string bytes;
};
std::vector<std::byte> encode_file(const FilePiece& piece);
std::optional<FilePiece> decode_file(std::span<const std::byte> bytes);

std::vector<std::byte> encode_end(const EndRecord& end);
std::optional<EndRecord> decode_end(std::span<const std::byte> bytes);

// Several frames as words: heads are [frame](step, time, hash), poses [frame][body][channel].
struct FrameWords {
  uint32_t frames = 0, bodies = 0;
  double h = 0;
  std::vector<uint64_t> heads, poses;

  uint64_t step(uint32_t frame) const { return heads[3 * size_t{frame}]; }
  double time(uint32_t frame) const { return std::bit_cast<double>(heads[3 * size_t{frame} + 1]); }
  uint64_t hash(uint32_t frame) const { return heads[3 * size_t{frame} + 2]; }
  void body(uint32_t frame, uint32_t index, RecordedBody& out) const;
  void add_body(const RecordedBody& body);
  void clear();
};
std::vector<std::byte> encode_frames(const FrameWords& frames);
std::optional<FrameWords> decode_frames(std::span<const std::byte> bytes, bool check_crc);

// What joints do in several frames; steps as in the chunk of frames with the same header.
// [frame][joint][channel]: gap, angle, six coordinates, force, torque, flags (1 enabled, 2 broken)
inline constexpr int kJointChannels = 15;
struct JointWords {
  uint32_t frames = 0, joints = 0;
  std::vector<uint64_t> words;

  void joint(uint32_t frame, uint32_t index, RecordedJoint& out) const;
  void add_joint(const RecordedJoint& joint);
  void clear();
};
std::vector<std::byte> encode_joints(const JointWords& joints);
std::optional<JointWords> decode_joints(std::span<const std::byte> bytes, bool check_crc);

// The type at the end of a label "name:u64" or "name:f64".
std::vector<ColumnType> column_types(std::span<const std::string> labels);

// A table: rows of one word per column. The columns' labels are stored with the run.
struct Table {
  uint32_t rows = 0;
  std::vector<uint64_t> words;  // [row][column]
};
std::vector<std::byte> encode_table(const Table& table, const std::vector<ColumnType>& types);
std::optional<Table> decode_table(std::span<const std::byte> bytes,
                                  const std::vector<ColumnType>& types, bool check_crc);

std::vector<std::byte> encode_events(std::span<const RecordedEvent> events);
std::optional<std::vector<RecordedEvent>> decode_events(std::span<const std::byte> bytes,
                                                        bool check_crc);

// Which joints the events of a chunk are about: nothing where none is about a joint.
std::vector<std::byte> encode_event_joints(std::span<const RecordedEvent> events);
// Adds them to the events of the chunk before; false when that makes no sense.
bool decode_event_joints(std::span<const std::byte> bytes, bool check_crc,
                         std::span<RecordedEvent> events);

// The same for impulses: nothing where all are zero.
std::vector<std::byte> encode_event_impulses(std::span<const RecordedEvent> events);
bool decode_event_impulses(std::span<const std::byte> bytes, bool check_crc,
                           std::span<RecordedEvent> events);

// A table of contact points. `labels` are those of the run, which may be of a later version.
std::vector<std::string> contact_labels();
std::vector<std::byte> encode_contacts(std::span<const RecordedContact> contacts);
std::optional<std::vector<RecordedContact>> decode_contacts(std::span<const std::byte> bytes,
                                                            std::span<const std::string> labels,
                                                            bool check_crc);

std::vector<std::byte> encode_keyframe(uint64_t hash, std::span<const std::byte> state);
// step and time come from the chunk header
std::optional<RecordedKeyframe> decode_keyframe(std::span<const std::byte> bytes);

}  // namespace tenon::recording_detail
