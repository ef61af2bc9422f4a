#include "tenon/recording/reader.h"

#include <algorithm>
#include <cmath>

#include "tenon/recording/detail/reader_state.h"

namespace tenon {

using namespace recording_detail;

namespace {

// A time that was printed with nine decimals and typed again still finds its frame.
constexpr double kTimeSlack_s = 0.5e-9;

// The last place in chunks whose first value is <= target. Chunks hold equally many frames but for
// interruptions, so the guess from a straight line is nearly always right and costs no search.
template <class Value, class FirstOf>
size_t find_chunk(size_t count, Value target, double guess, FirstOf first_of) {
  const auto fits = [&](size_t i) {
    return first_of(i) <= target && (i + 1 == count || target < first_of(i + 1));
  };
  if (guess >= 0 && guess < static_cast<double>(count))
    if (const auto i = static_cast<size_t>(guess); fits(i)) return i;
  size_t low = 0, high = count;  // first_of(low) <= target < first_of(high), or low = 0
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    (first_of(middle) <= target ? low : high) = middle;
  }
  return low;
}

// The files that the scene names, put together from their pieces.
template <class State>
Status read_files(State& s, std::vector<scene::SceneFile>& files) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const ChunkEntry& entry : s.list.entries) {
    if (entry.header.kind != kChunkFile) continue;
    const auto bytes = read_payload(s.source, entry, s.options);
    if (!bytes) return bytes.error();
    auto piece = decode_file(*bytes);
    const bool more = piece && !found.empty() && found.back().first == piece->name;
    if (!piece || piece->offset != (more ? found.back().second.size() : 0))
      return error_at(s.source, entry.offset, {.message = "a file of the scene cannot be decoded"});
    if (!more) found.emplace_back(piece->name, "");
    found.back().second += piece->bytes;
  }
  for (auto& [name, bytes] : found)
    files.push_back({name, std::make_shared<const std::string>(std::move(bytes))});
  return Ok{};
}

}  // namespace

Result<RecordingReader> RecordingReader::open(ByteSource& source, ReadOptions options) {
  auto state = std::make_unique<State>(source, options);
  if (auto status = state->open(); !status) return status.error();
  return RecordingReader(std::move(state));
}
RecordingReader::RecordingReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;
RecordingReader::~RecordingReader() = default;

const RunRecord& RecordingReader::run() const { return state_->run.run; }
const EndRecord& RecordingReader::end() const { return state_->end; }
bool RecordingReader::has_index() const { return state_->list.from_index; }
std::span<const ChunkEntry> RecordingReader::chunks() const { return state_->list.entries; }
const ByteSource& RecordingReader::source() const { return state_->source; }
uint32_t RecordingReader::format_minor() const { return state_->minor; }
uint64_t RecordingReader::frame_count() const { return state_->frame_total; }
uint64_t RecordingReader::keyframe_count() const { return state_->keyframes.size(); }

Result<SceneRecord> RecordingReader::scene() {
  for (const ChunkEntry& entry : state_->list.entries) {
    if (entry.header.kind != kChunkScene) continue;
    const auto bytes = read_payload(state_->source, entry, state_->options);
    if (!bytes) return bytes.error();
    if (auto scene = decode_scene(*bytes)) {
      if (Status read = read_files(*state_, scene->files); !read) return read.error();
      return std::move(*scene);
    }
    return error_at(state_->source, entry.offset, {.message = "the scene cannot be decoded"});
  }
  return Error{.message = "the recording was cut off before its scene",
               .file = state_->source.name()};
}

Result<uint64_t> RecordingReader::find_frame(double t) {
  State& s = *state_;
  if (std::isnan(t)) return Error{.message = "a time is needed", .value = "nan"};
  if (s.poses.empty())
    return Error{.message = "the recording has no frames", .file = s.source.name()};
  const double target = t + kTimeSlack_s;
  const double begin = s.pose_header(0).first_time,
               end = s.pose_header(s.poses.size() - 1).first_time;
  const double guess =
      end > begin ? (target - begin) / (end - begin) * static_cast<double>(s.poses.size() - 1) : 0;
  const size_t chunk = find_chunk(s.poses.size(), target, guess,
                                  [&](size_t i) { return s.pose_header(i).first_time; });
  const auto frames = s.load_frames(chunk);
  if (!frames) return frames.error();
  uint32_t low = 0, high = (*frames)->frames;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    ((*frames)->time(middle) <= target ? low : high) = middle;
  }
  return s.poses[chunk].first_frame + low;
}

Result<std::optional<uint64_t>> RecordingReader::find_step(uint64_t step) {
  State& s = *state_;
  if (s.poses.empty() || step < s.pose_header(0).first_step) return std::optional<uint64_t>();
  const double begin = static_cast<double>(s.pose_header(0).first_step);
  const double end = static_cast<double>(s.pose_header(s.poses.size() - 1).first_step);
  const double guess = end > begin ? (static_cast<double>(step) - begin) / (end - begin) *
                                         static_cast<double>(s.poses.size() - 1)
                                   : 0;
  const size_t chunk = find_chunk(s.poses.size(), step, guess,
                                  [&](size_t i) { return s.pose_header(i).first_step; });
  if (step > s.pose_header(chunk).last_step) return std::optional<uint64_t>();
  const auto frames = s.load_frames(chunk);
  if (!frames) return frames.error();
  uint32_t low = 0, high = (*frames)->frames;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    ((*frames)->step(middle) <= step ? low : high) = middle;
  }
  if ((*frames)->step(low) != step) return std::optional<uint64_t>();
  return std::optional<uint64_t>(s.poses[chunk].first_frame + low);
}

Result<RecordedFrame> RecordingReader::read_frame(uint64_t index) {
  RecordedFrame frame;
  if (auto status = read_frame(index, frame); !status) return status.error();
  return frame;
}

Status RecordingReader::read_frame(uint64_t index, RecordedFrame& frame) {
  State& s = *state_;
  if (index >= s.frame_total)
    return Error{.message = "the recording has no such frame",
                 .file = s.source.name(),
                 .value = std::to_string(index),
                 .accepted = "0 to " + std::to_string(s.frame_total) + ", the last excluded"};
  const size_t chunk = find_chunk(s.poses.size(), index, s.guess_chunk(index),
                                  [&](size_t i) { return s.poses[i].first_frame; });
  const auto loaded = s.load_frames(chunk);
  if (!loaded) return loaded.error();
  const FrameWords& words = **loaded;
  const auto place = static_cast<uint32_t>(index - s.poses[chunk].first_frame);
  frame.step = words.step(place);
  frame.time = words.time(place);
  frame.state_hash = words.hash(place);
  frame.bodies.resize(words.bodies);
  for (uint32_t b = 0; b < words.bodies; ++b) words.body(place, b, frame.bodies[b]);
  return Ok{};
}

Status RecordingReader::read_joints(uint64_t index, std::vector<RecordedJoint>& joints) {
  State& s = *state_;
  if (!s.run.run.joint_track)
    return Error{.message = "the recording does not say what its joints do",
                 .file = s.source.name(),
                 .accepted = "a run with joints, recorded with --joints"};
  if (index >= s.frame_total)
    return Error{.message = "the recording has no such frame",
                 .file = s.source.name(),
                 .value = std::to_string(index)};
  const size_t chunk = find_chunk(s.poses.size(), index, s.guess_chunk(index),
                                  [&](size_t i) { return s.poses[i].first_frame; });
  const auto words = s.load_joints(chunk);
  if (!words) return words.error();
  const auto place = static_cast<uint32_t>(index - s.poses[chunk].first_frame);
  joints.resize((*words)->joints);
  for (uint32_t j = 0; j < (*words)->joints; ++j) (*words)->joint(place, j, joints[j]);
  return Ok{};
}

Result<RecordedKeyframe> RecordingReader::read_keyframe(uint64_t index) {
  State& s = *state_;
  if (index >= s.keyframes.size())
    return Error{.message = "the recording has no such keyframe",
                 .file = s.source.name(),
                 .value = std::to_string(index),
                 .accepted = "below " + std::to_string(s.keyframes.size())};
  const ChunkEntry& entry = s.list.entries[s.keyframes[static_cast<size_t>(index)]];
  const auto bytes = read_payload(s.source, entry, s.options);
  if (!bytes) return bytes.error();
  auto key = decode_keyframe(*bytes);
  if (!key) return error_at(s.source, entry.offset, {.message = "the keyframe cannot be decoded"});
  key->step = entry.header.first_step;
  key->time = entry.header.first_time;
  return std::move(*key);
}

Result<RecordedKeyframe> RecordingReader::state_at(double t) {
  State& s = *state_;
  if (std::isnan(t)) return Error{.message = "a time is needed", .value = "nan"};
  if (s.keyframes.empty())
    return Error{.message = "the recording has no keyframes", .file = s.source.name()};
  const auto time_of = [&](size_t i) { return s.list.entries[s.keyframes[i]].header.first_time; };
  const double begin = time_of(0), end = time_of(s.keyframes.size() - 1);
  const double target = t + kTimeSlack_s;
  const double guess =
      end > begin ? (target - begin) / (end - begin) * static_cast<double>(s.keyframes.size() - 1)
                  : 0;
  return read_keyframe(find_chunk(s.keyframes.size(), target, guess, time_of));
}

Result<std::vector<StepDiagnostics>> RecordingReader::read_diagnostics(uint64_t first,
                                                                       uint64_t last) {
  return state_->read_diagnostics(first, last);
}

Result<std::vector<RecordedEvent>> RecordingReader::read_events(uint64_t first, uint64_t last) {
  return state_->read_events(first, last);
}

Result<std::vector<RecordedContact>> RecordingReader::read_contacts(uint64_t first, uint64_t last) {
  return state_->read_contacts(first, last);
}

Status RecordingReader::refresh() { return state_->refresh(); }

}  // namespace tenon
