#include "tenon/recording/detail/payload.h"

#include <algorithm>

#include "tenon/recording/detail/properties.h"
#include "tenon/recording/diagnostics_table.h"

namespace tenon::recording_detail {
namespace {

using Strings = std::vector<std::string>;

TrackShape table_shape(uint32_t rows, std::vector<ColumnType> types) {
  return {rows, 1, std::move(types), false, 0};
}

constexpr auto kInt = ColumnType::kInteger, kDouble = ColumnType::kDouble;
std::vector<ColumnType> head_types() { return {kInt, kDouble, kInt}; }  // step, time, hash
// kind, step, time, a, b, value
std::vector<ColumnType> event_types() { return {kInt, kInt, kDouble, kInt, kInt, kDouble}; }
constexpr size_t kEventColumns = 6;

}  // namespace

std::vector<std::byte> encode_run(const RunRecord& run) {
  Properties p;
  p.set("method", run.method);
  p.set("step_s", run.step_s);
  p.set("seconds", run.seconds);
  p.set("threads", uint64_t{run.threads});
  p.set("version", run.version);
  p.set("body_names", run.body_names);
  p.set("joint_names", run.joint_names);
  p.set("joint_track", uint64_t{run.joint_track});
  p.set("contact_track", uint64_t{run.contact_track});
  p.set("keyframe_interval_s", run.keyframe_interval_s);
  p.set("steps_per_frame", uint64_t{run.steps_per_frame});
  p.set("first_step", run.first_step);
  p.set("first_time", run.first_time);
  p.set("resumed_from", run.resumed_from);
  Strings notes;
  for (const auto& [key, value] : run.notes) {
    notes.push_back(key);
    notes.push_back(value);
  }
  p.set("notes", notes);
  Strings labels;
  for (const auto& column : diagnostic_columns())
    labels.push_back(column_label(column.name, column.type));
  p.set("diagnostic_columns", labels);
  p.set("timing_columns", timing_column_names());
  p.set("contact_columns", contact_labels());
  return p.encode();
}

std::optional<RunChunk> decode_run(std::span<const std::byte> bytes) {
  const auto p = Properties::decode(bytes);
  if (!p) return std::nullopt;
  RunChunk out;
  RunRecord& run = out.run;
  run.method = p->get<std::string>("method");
  run.step_s = p->get<double>("step_s");
  run.seconds = p->get<double>("seconds");
  run.threads = static_cast<uint32_t>(p->get<uint64_t>("threads", 1));
  run.version = p->get<std::string>("version");
  run.body_names = p->get<Strings>("body_names");
  run.joint_names = p->get<Strings>("joint_names");
  run.joint_track = p->get<uint64_t>("joint_track") != 0;
  run.contact_track = p->get<uint64_t>("contact_track") != 0;
  run.keyframe_interval_s = p->get<double>("keyframe_interval_s", 0.5);
  run.steps_per_frame = static_cast<uint32_t>(p->get<uint64_t>("steps_per_frame", 1));
  run.first_step = p->get<uint64_t>("first_step");
  run.first_time = p->get<double>("first_time");
  run.resumed_from = p->get<std::string>("resumed_from");
  const auto notes = p->get<Strings>("notes");
  for (size_t i = 0; i + 1 < notes.size(); i += 2) run.notes.emplace_back(notes[i], notes[i + 1]);
  out.diagnostic_labels = p->get<Strings>("diagnostic_columns");
  out.timing_labels = p->get<Strings>("timing_columns");
  out.contact_labels = p->get<Strings>("contact_columns");
  return out;
}

std::vector<std::byte> encode_scene(const SceneRecord& scene) {
  Properties p;
  p.set("name", scene.name);
  p.set("title", scene.title);
  p.set("text", scene.text);
  p.set("overrides", scene.overrides);
  return p.encode();
}

std::optional<SceneRecord> decode_scene(std::span<const std::byte> bytes) {
  const auto p = Properties::decode(bytes);
  if (!p || !p->find<std::string>("text")) return std::nullopt;
  return SceneRecord{p->get<std::string>("name"), p->get<std::string>("title"),
                     p->get<std::string>("text"), p->get<Strings>("overrides")};
}

std::vector<std::byte> encode_file(const FilePiece& piece) {
  Properties p;
  p.set("name", piece.name);
  p.set("size", piece.size);
  p.set("offset", piece.offset);
  p.set("bytes", piece.bytes);
  return p.encode();
}

std::optional<FilePiece> decode_file(std::span<const std::byte> bytes) {
  const auto p = Properties::decode(bytes);
  if (!p || !p->find<std::string>("bytes")) return std::nullopt;
  return FilePiece{p->get<std::string>("name"), p->get<uint64_t>("size"),
                   p->get<uint64_t>("offset"), p->get<std::string>("bytes")};
}

std::vector<std::byte> encode_end(const EndRecord& end) {
  Properties p;
  p.set("end", std::string(name(end.end)));
  p.set("reason", end.reason);
  p.set("step", end.step);
  p.set("time", end.time);
  return p.encode();
}

std::optional<EndRecord> decode_end(std::span<const std::byte> bytes) {
  const auto p = Properties::decode(bytes);
  if (!p) return std::nullopt;
  EndRecord end;
  end.end = p->get<std::string>("end") == name(RunEnd::kCompleted) ? RunEnd::kCompleted
                                                                   : RunEnd::kInterrupted;
  end.reason = p->get<std::string>("reason");
  end.step = p->get<uint64_t>("step");
  end.time = p->get<double>("time");
  return end;
}

void FrameWords::body(uint32_t frame, uint32_t index, RecordedBody& out) const {
  const uint64_t* w = &poses[(size_t{frame} * bodies + index) * kBodyChannels];
  const auto d = [w](int i) { return std::bit_cast<double>(w[i]); };
  out.X_WB = {{d(0), d(1), d(2)}, {d(3), d(4), d(5), d(6)}};
  out.v_WC = {d(7), d(8), d(9)};
  out.w_WB = {d(10), d(11), d(12)};
}

void FrameWords::add_body(const RecordedBody& body) {
  const Pose& X = body.X_WB;
  for (double value : {X.p.x, X.p.y, X.p.z, X.q.w, X.q.x, X.q.y, X.q.z, body.v_WC.x, body.v_WC.y,
                       body.v_WC.z, body.w_WB.x, body.w_WB.y, body.w_WB.z})
    poses.push_back(std::bit_cast<uint64_t>(value));
}

void FrameWords::clear() {
  frames = 0;
  heads.clear();
  poses.clear();
}

std::vector<std::byte> encode_frames(const FrameWords& frames) {
  Encoder out;
  out.u32(frames.frames);
  out.u32(frames.bodies);
  out.f64(frames.h);
  encode_track(out, table_shape(frames.frames, head_types()), frames.heads);
  encode_track(out, body_track(frames.frames, frames.bodies, frames.h), frames.poses);
  return out.take();
}

std::optional<FrameWords> decode_frames(std::span<const std::byte> bytes, bool check_crc) {
  Decoder in(bytes);
  FrameWords frames;
  frames.frames = in.u32();
  frames.bodies = in.u32();
  frames.h = in.f64();
  auto heads = decode_track(in, table_shape(frames.frames, head_types()), check_crc);
  if (!heads) return std::nullopt;
  auto poses = decode_track(in, body_track(frames.frames, frames.bodies, frames.h), check_crc);
  if (!poses || !in.done()) return std::nullopt;
  frames.heads = std::move(*heads);
  frames.poses = std::move(*poses);
  return frames;
}

std::vector<ColumnType> column_types(std::span<const std::string> labels) {
  std::vector<ColumnType> types;
  for (const auto& label : labels) types.push_back(label.ends_with(":f64") ? kDouble : kInt);
  return types;
}

std::vector<std::byte> encode_table(const Table& table, const std::vector<ColumnType>& types) {
  Encoder out;
  out.u32(table.rows);
  encode_track(out, table_shape(table.rows, types), table.words);
  return out.take();
}

std::optional<Table> decode_table(std::span<const std::byte> bytes,
                                  const std::vector<ColumnType>& types, bool check_crc) {
  Decoder in(bytes);
  Table table;
  table.rows = in.u32();
  auto words = decode_track(in, table_shape(table.rows, types), check_crc);
  if (!words || !in.done()) return std::nullopt;
  table.words = std::move(*words);
  return table;
}

std::vector<std::byte> encode_events(std::span<const RecordedEvent> events) {
  Strings kinds;
  Table table{static_cast<uint32_t>(events.size()), {}};
  for (const auto& event : events) {
    const auto found = std::find(kinds.begin(), kinds.end(), event.kind);
    const auto kind = static_cast<uint64_t>(found - kinds.begin());
    if (found == kinds.end()) kinds.push_back(event.kind);
    for (uint64_t word : {kind, event.step, std::bit_cast<uint64_t>(event.time), uint64_t{event.a},
                          uint64_t{event.b}, std::bit_cast<uint64_t>(event.value)})
      table.words.push_back(word);
  }
  Encoder out;
  out.u32(static_cast<uint32_t>(kinds.size()));
  for (const auto& kind : kinds) out.string(kind);
  out.bytes(encode_table(table, event_types()));
  return out.take();
}

std::optional<std::vector<RecordedEvent>> decode_events(std::span<const std::byte> bytes,
                                                        bool check_crc) {
  Decoder in(bytes);
  Strings kinds;
  for (uint32_t count = in.u32(); count > 0 && in.ok(); --count) kinds.push_back(in.string());
  const auto table = decode_table(in.bytes(in.left()), event_types(), check_crc);
  if (!in.ok() || !table) return std::nullopt;
  std::vector<RecordedEvent> events(table->rows);
  for (size_t i = 0; i < events.size(); ++i) {
    const uint64_t* w = &table->words[i * kEventColumns];
    if (w[0] >= kinds.size()) return std::nullopt;
    events[i] = {kinds[static_cast<size_t>(w[0])],
                 w[1],
                 std::bit_cast<double>(w[2]),
                 static_cast<uint32_t>(w[3]),
                 static_cast<uint32_t>(w[4]),
                 std::bit_cast<double>(w[5]),
                 kNoJoint};
  }
  return events;
}

std::vector<std::byte> encode_keyframe(uint64_t hash, std::span<const std::byte> state) {
  Encoder out;
  out.u64(hash);
  out.bytes(state);
  return out.take();
}

std::optional<RecordedKeyframe> decode_keyframe(std::span<const std::byte> bytes) {
  Decoder in(bytes);
  RecordedKeyframe key;
  key.state_hash = in.u64();
  if (!in.ok()) return std::nullopt;
  const auto state = in.bytes(in.left());
  key.state.assign(state.begin(), state.end());
  return key;
}

}  // namespace tenon::recording_detail
