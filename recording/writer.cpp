#include "tenon/recording/writer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tenon/recording/chunk.h"
#include "tenon/recording/detail/crc32c.h"
#include "tenon/recording/detail/payload.h"
#include "tenon/recording/diagnostics_table.h"

namespace tenon {

using namespace recording_detail;

namespace {

// Tables and events are written at the latest with this many rows, however few frames there are.
constexpr uint32_t kMostRows = 4096;
constexpr size_t kMaxRawBytes = size_t{1} << 30;

}  // namespace

struct RecordingWriter::State {
  // Steps and times that a chunk covers.
  struct Span {
    uint64_t first_step = 0, last_step = 0;
    double first_time = 0, last_time = 0;
    uint32_t count = 0;

    void add(uint64_t step, double time) {
      if (count++ == 0) first_step = step, first_time = time;
      last_step = step;
      last_time = time;
    }
  };

  ByteSink& sink;
  WriteOptions options;
  std::optional<Error> failure;
  bool begun = false, finished = false, contact_track = false;
  uint64_t offset = 0, frame_total = 0;
  std::vector<ChunkEntry> entries;
  size_t body_count = 0, joint_count = 0;  // joints in the track
  std::vector<ColumnType> diagnostic_types, timing_types;

  // buffered
  FrameWords frames;
  JointWords joints;
  Table diagnostics, timings;
  std::vector<RecordedEvent> events;
  std::vector<RecordedContact> contacts;
  Span frame_span, diagnostic_span, event_span, contact_span;
  Span all_frames;  // of the whole recording, for checking the order

  State(ByteSink& to, const WriteOptions& how) : sink(to), options(how) {}

  Status fail(Error error) {
    failure = std::move(error);
    return *failure;
  }
  Status ready() const {
    if (failure) return *failure;
    if (!begun || finished) return Error{.message = "the recording is not open for writing"};
    return Ok{};
  }
  Status write_chunk(uint32_t kind, std::span<const std::byte> raw, const Span& span);
  Status write_packed(const ChunkHeader& header, std::span<const std::byte> stored);
  Status flush_frames();
  Status flush_tables();
  Status flush_events();
  Status flush_contacts();
  Status flush();
};

// Packs the payload; keeps it raw where packing gains nothing.
Status RecordingWriter::State::write_chunk(uint32_t kind, std::span<const std::byte> raw,
                                           const Span& span) {
  if (raw.size() > kMaxRawBytes)
    return fail({.message = "a recording's chunk would be larger than 1 GiB",
                 .value = std::to_string(raw.size()) + " bytes"});
  ChunkHeader header;
  header.kind = kind;
  header.raw_size = static_cast<uint32_t>(raw.size());
  header.first_step = span.first_step;
  header.last_step = span.last_step;
  header.first_time = span.first_time;
  header.last_time = span.last_time;
  header.count = span.count;
  if (options.codec == Codec::kRaw) return write_packed(header, raw);
  auto packed = compress(options.codec, raw, options.level);
  if (!packed) return fail(packed.error());
  if (packed->size() >= raw.size()) return write_packed(header, raw);
  header.codec = options.codec;
  return write_packed(header, *packed);
}

// One call of the sink per chunk; the file header travels with the first one.
Status RecordingWriter::State::write_packed(const ChunkHeader& incomplete,
                                            std::span<const std::byte> stored) {
  ChunkHeader header = incomplete;
  header.stored_size = static_cast<uint32_t>(stored.size());
  header.payload_crc = crc32c(stored);
  Encoder out;
  if (offset == 0) out.bytes(encode_file_header());
  const uint64_t start = offset + out.size();
  out.bytes(encode(header));
  out.bytes(stored);
  if (auto status = sink.write(out.view()); !status) return fail(status.error());
  entries.push_back({start, header});
  offset += out.size();
  return Ok{};
}

Status RecordingWriter::State::flush_frames() {
  if (frames.frames == 0) return Ok{};
  Status status = Ok{};
  if (joint_count > 0) {
    joints.frames = frames.frames;
    status = write_chunk(kChunkJoints, encode_joints(joints), frame_span);
  }
  if (status) status = write_chunk(kChunkPoses, encode_frames(frames), frame_span);
  frames.clear();
  joints.clear();
  frame_span = {};
  return status;
}

Status RecordingWriter::State::flush_tables() {
  if (diagnostics.rows == 0) return Ok{};
  auto status =
      write_chunk(kChunkDiagnostics, encode_table(diagnostics, diagnostic_types), diagnostic_span);
  if (status) {
    // all zero without a clock: not worth a chunk
    bool measured = false;
    for (size_t i = 0; i < timings.words.size(); ++i)
      measured |= i % timing_types.size() != 0 && timings.words[i] != 0;
    if (measured)
      status = write_chunk(kChunkTimings, encode_table(timings, timing_types), diagnostic_span);
  }
  diagnostics = timings = {};
  diagnostic_span = {};
  return status;
}

Status RecordingWriter::State::flush_events() {
  if (events.empty()) return Ok{};
  auto status = write_chunk(kChunkEvents, encode_events(events), event_span);
  if (const auto links = encode_event_joints(events); status && !links.empty())
    status = write_chunk(kChunkEventJoints, links, event_span);
  if (const auto impulses = encode_event_impulses(events); status && !impulses.empty())
    status = write_chunk(kChunkEventImpulses, impulses, event_span);
  events.clear();
  event_span = {};
  return status;
}

Status RecordingWriter::State::flush_contacts() {
  if (contacts.empty()) return Ok{};
  auto status = write_chunk(kChunkContacts, encode_contacts(contacts), contact_span);
  contacts.clear();
  contact_span = {};
  return status;
}

Status RecordingWriter::State::flush() {
  if (auto status = ready(); !status) return status;
  // frames last: a frame that can be read has its events, contacts, diagnostics and joints
  if (auto status = flush_events(); !status) return status;
  if (auto status = flush_contacts(); !status) return status;
  if (auto status = flush_tables(); !status) return status;
  return flush_frames();
}

RecordingWriter::RecordingWriter(ByteSink& sink, WriteOptions options)
    : state_(std::make_unique<State>(sink, options)) {
  state_->options.frames_per_chunk = std::clamp(options.frames_per_chunk, 1u, kMostRows);
}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;
RecordingWriter::~RecordingWriter() = default;

Status RecordingWriter::begin(const RunRecord& run, const SceneRecord& scene) {
  State& s = *state_;
  if (s.failure) return *s.failure;
  if (s.begun) return Error{.message = "the recording has already begun"};
  if (!std::isfinite(run.step_s) || run.step_s < 0 || !std::isfinite(run.seconds) ||
      !std::isfinite(run.first_time) || run.steps_per_frame == 0)
    return Error{.message = "the run's step, length or start is no usable number"};
  s.begun = true;
  s.contact_track = run.contact_track;
  s.body_count = s.frames.bodies = static_cast<uint32_t>(run.body_names.size());
  s.frames.h = run.step_s * run.steps_per_frame;
  s.joint_count = run.joint_track ? run.joint_names.size() : 0;
  s.joints.joints = static_cast<uint32_t>(s.joint_count);
  for (const auto& column : diagnostic_columns()) s.diagnostic_types.push_back(column.type);
  s.timing_types.assign(timing_column_names().size(), ColumnType::kInteger);
  const State::Span start{run.first_step, run.first_step, run.first_time, run.first_time, 1};
  if (auto status = s.write_chunk(kChunkRun, encode_run(run), start); !status) return status;
  if (auto status = s.write_chunk(kChunkScene, encode_scene(scene), start); !status) return status;
  // readers refuse chunks beyond a limit, so large files come in pieces
  constexpr size_t kPiece = size_t{32} << 20;
  for (const scene::SceneFile& file : scene.files) {
    for (size_t at = 0; at < file.bytes->size() || at == 0; at += kPiece) {
      const FilePiece piece{file.name, file.bytes->size(), at, file.bytes->substr(at, kPiece)};
      if (auto status = s.write_chunk(kChunkFile, encode_file(piece), start); !status)
        return status;
    }
  }
  return Ok{};
}

Status RecordingWriter::add_frame(uint64_t step, double time, uint64_t state_hash,
                                  std::span<const RecordedBody> bodies,
                                  std::span<const RecordedJoint> joints) {
  State& s = *state_;
  if (auto status = s.ready(); !status) return status;
  if (bodies.size() != s.body_count)
    return Error{.message = "a frame has another number of bodies than the run",
                 .value = std::to_string(bodies.size()),
                 .accepted = std::to_string(s.body_count)};
  if (joints.size() != s.joint_count)
    return Error{.message = "a frame has another number of joints than the run",
                 .value = std::to_string(joints.size()),
                 .accepted = std::to_string(s.joint_count)};
  const State::Span& before = s.all_frames;
  if (!std::isfinite(time) ||
      (before.count > 0 && (step <= before.last_step || time < before.last_time)))
    return Error{.message = "frames must follow each other in step and time",
                 .value = "step " + std::to_string(step)};
  s.frames.heads.insert(s.frames.heads.end(), {step, std::bit_cast<uint64_t>(time), state_hash});
  for (const auto& body : bodies) s.frames.add_body(body);
  for (const auto& joint : joints) s.joints.add_joint(joint);
  ++s.frames.frames;
  ++s.frame_total;
  s.frame_span.add(step, time);
  s.all_frames.add(step, time);
  if (s.frames.frames >= s.options.frames_per_chunk ||
      8 * (s.frames.poses.size() + s.joints.words.size()) >= s.options.chunk_bytes)
    return s.flush();
  return Ok{};
}

Status RecordingWriter::add_diagnostics(const StepDiagnostics& diagnostics) {
  State& s = *state_;
  if (auto status = s.ready(); !status) return status;
  for (const auto& column : diagnostic_columns())
    s.diagnostics.words.push_back(column.get(diagnostics));
  const auto row = timing_row(diagnostics);
  s.timings.words.insert(s.timings.words.end(), row.begin(), row.end());
  ++s.timings.rows;
  s.diagnostic_span.add(diagnostics.step, diagnostics.time);
  return ++s.diagnostics.rows >= kMostRows ? s.flush_tables() : Ok{};
}

Status RecordingWriter::add_event(const RecordedEvent& event) {
  State& s = *state_;
  if (auto status = s.ready(); !status) return status;
  s.events.push_back(event);
  s.event_span.add(event.step, event.time);
  return s.events.size() >= kMostRows ? s.flush_events() : Ok{};
}

Status RecordingWriter::add_contact(const RecordedContact& contact) {
  State& s = *state_;
  if (auto status = s.ready(); !status) return status;
  if (!s.contact_track) return Error{.message = "the run has no contact track"};
  s.contacts.push_back(contact);
  s.contact_span.add(contact.step, contact.time);
  return s.contacts.size() >= kMostRows ? s.flush_contacts() : Ok{};
}

Status RecordingWriter::add_keyframe(uint64_t step, double time, uint64_t state_hash,
                                     std::span<const std::byte> state) {
  State& s = *state_;
  if (auto status = s.ready(); !status) return status;
  return s.write_chunk(kChunkKeyframe, encode_keyframe(state_hash, state),
                       {step, step, time, time, 1});
}

Status RecordingWriter::flush() { return state_->flush(); }

Status RecordingWriter::finish(const EndRecord& end) {
  State& s = *state_;
  if (auto status = s.flush(); !status) return status;
  const State::Span last{end.step, end.step, end.time, end.time, 1};
  if (auto status = s.write_chunk(kChunkEnd, encode_end(end), last); !status) return status;
  Encoder index;
  for (const ChunkEntry& entry : s.entries) {
    index.u64(entry.offset);
    index.bytes(encode(entry.header));
  }
  const uint64_t index_offset = s.offset;
  State::Span all{0, end.step, 0, end.time, static_cast<uint32_t>(s.entries.size())};
  if (auto status = s.write_chunk(kChunkIndex, index.view(), all); !status) return status;
  // the back-pointer is never packed: a reader finds it at a fixed distance from the end
  Encoder tail;
  tail.u64(index_offset);
  ChunkHeader header;
  header.kind = kChunkTail;
  header.raw_size = static_cast<uint32_t>(tail.size());
  header.count = 1;
  auto status = s.write_packed(header, tail.view());
  s.finished = true;
  return status;
}

uint64_t RecordingWriter::bytes_written() const { return state_->offset; }
uint64_t RecordingWriter::frames_written() const { return state_->frame_total; }

}  // namespace tenon
