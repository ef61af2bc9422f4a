#include "tenon/recording/detail/reader_state.h"

#include <algorithm>
#include <cmath>

#include "tenon/recording/diagnostics_table.h"

namespace tenon {

using namespace recording_detail;

Status RecordingReader::State::open() {
  std::array<std::byte, kFileHeaderBytes> head;
  const size_t count = static_cast<size_t>(std::min<uint64_t>(source.size(), head.size()));
  if (auto status = source.read_at(0, std::span(head).first(count)); !status) return status;
  const auto version = decode_file_header(std::span(head).first(count));
  if (!version) {
    Error error = version.error();
    error.file = source.name();
    return error;
  }
  minor = *version;
  if (auto indexed = load_index(source, options)) {
    list = std::move(*indexed);
  } else if (auto status = scan_chunks(source, options, list); !status) {
    return status;
  }
  if (auto status = read_run(); !status) return status;
  if (auto status = digest_chunks(); !status) return status;
  return read_end();
}

Status RecordingReader::State::refresh() {
  if (list.from_index || end.end != RunEnd::kCutOff) return Ok{};
  if (auto status = scan_chunks(source, options, list); !status) return status;
  if (auto status = digest_chunks(); !status) return status;
  return read_end();
}

Status RecordingReader::State::read_run() {
  if (list.entries.empty())
    return Error{.message = "the recording was cut off before its first chunk was complete" +
                            (list.stopped.empty() ? "" : " (" + list.stopped + ")"),
                 .file = source.name()};
  const auto found = std::find_if(list.entries.begin(), list.entries.end(),
                                  [](const auto& e) { return e.header.kind == kChunkRun; });
  if (found == list.entries.end())
    return Error{.message = "the recording has no description of its run", .file = source.name()};
  const ChunkEntry& entry = *found;
  const auto bytes = read_payload(source, entry, options);
  if (!bytes) return bytes.error();
  auto decoded = decode_run(*bytes);
  if (!decoded)
    return error_at(source, entry.offset, {.message = "the run's description cannot be decoded"});
  run = std::move(*decoded);
  return Ok{};
}

Status RecordingReader::State::read_end() {
  end = {RunEnd::kCutOff, list.stopped, 0, 0};
  if (end.reason.empty()) end.reason = "no end chunk: the run was killed or is still going on";
  for (auto entry = list.entries.rbegin(); entry != list.entries.rend(); ++entry) {
    if (entry->header.kind != kChunkEnd) continue;
    const auto bytes = read_payload(source, *entry, options);
    if (!bytes) {
      end.reason = format(bytes.error());
      break;
    }
    const auto decoded = decode_end(*bytes);
    if (decoded)
      end = *decoded;
    else
      end.reason = "the end chunk cannot be decoded";
    return Ok{};
  }
  if (frame_total > 0) {
    end.step = pose_header(poses.size() - 1).last_step;
    end.time = pose_header(poses.size() - 1).last_time;
  }
  return Ok{};
}

// Sorts new chunks into the lists; kinds this version does not know are left alone.
Status RecordingReader::State::digest_chunks() {
  for (; digested < list.entries.size(); ++digested) {
    const uint32_t kind = list.entries[digested].header.kind;
    Status status = Ok{};
    if (kind == kChunkJoints) last_joints = digested;
    if (kind == kChunkPoses) status = add_poses(digested);
    if (kind == kChunkKeyframe) status = add_keyframe(digested);
    if (!status) return status;
  }
  return Ok{};
}

Status RecordingReader::State::add_poses(size_t place) {
  const ChunkEntry& entry = list.entries[place];
  const ChunkHeader& h = entry.header;
  bool sound = h.count > 0 && h.count <= h.raw_size && h.first_step <= h.last_step &&
               h.last_step - h.first_step >= h.count - 1 && std::isfinite(h.first_time) &&
               std::isfinite(h.last_time) && h.first_time <= h.last_time;
  if (!poses.empty()) {
    const ChunkHeader& before = pose_header(poses.size() - 1);
    sound &= before.last_step < h.first_step && before.last_time <= h.first_time;
  }
  if (!sound)
    return error_at(source, entry.offset,
                    {.message = "a chunk of frames does not follow the last"});
  poses.push_back({place, frame_total, kNothing});
  // its joints stand before it
  if (last_joints != kNothing) {
    const ChunkHeader& j = list.entries[last_joints].header;
    if (j.first_step == h.first_step && j.last_step == h.last_step && j.count == h.count)
      poses.back().joints = last_joints;
  }
  frame_total += h.count;
  return Ok{};
}

Status RecordingReader::State::add_keyframe(size_t place) {
  const ChunkEntry& entry = list.entries[place];
  bool sound = std::isfinite(entry.header.first_time);
  if (!keyframes.empty()) {
    const ChunkHeader& before = list.entries[keyframes.back()].header;
    sound &= before.first_step <= entry.header.first_step &&
             before.first_time <= entry.header.first_time;
  }
  if (!sound)
    return error_at(source, entry.offset, {.message = "a keyframe does not follow the last"});
  keyframes.push_back(place);
  return Ok{};
}

Result<const FrameWords*> RecordingReader::State::load_frames(size_t chunk) {
  if (loaded_chunk == chunk) return &loaded;
  const ChunkEntry& entry = list.entries[poses[chunk].entry];
  const auto bytes = read_payload(source, entry, options);
  if (!bytes) return bytes.error();
  auto frames = decode_frames(*bytes, check());
  const ChunkHeader& h = entry.header;
  // steps and times inside must be what the header promised, for searching relies on it
  bool sound = frames && frames->frames == h.count && frames->bodies == run.run.body_names.size() &&
               frames->step(0) == h.first_step && frames->step(h.count - 1) == h.last_step &&
               frames->time(0) == h.first_time && frames->time(h.count - 1) == h.last_time;
  for (uint32_t f = 1; sound && f < h.count; ++f)
    sound = frames->step(f - 1) < frames->step(f) && frames->time(f - 1) <= frames->time(f);
  if (!sound) return error_at(source, entry.offset, {.message = "frames cannot be decoded"});
  loaded = std::move(*frames);
  loaded_chunk = chunk;
  return &loaded;
}

Result<const JointWords*> RecordingReader::State::load_joints(size_t chunk) {
  if (loaded_joint_chunk == chunk) return &loaded_joints;
  const PoseChunk& pose = poses[chunk];
  if (pose.joints == kNothing)
    return error_at(source, list.entries[pose.entry].offset,
                    {.message = "the joints of these frames are missing"});
  const ChunkEntry& entry = list.entries[pose.joints];
  const auto bytes = read_payload(source, entry, options);
  if (!bytes) return bytes.error();
  auto joints = decode_joints(*bytes, check());
  if (!joints || joints->frames != entry.header.count ||
      joints->joints != run.run.joint_names.size())
    return error_at(source, entry.offset, {.message = "joints cannot be decoded"});
  loaded_joints = std::move(*joints);
  loaded_joint_chunk = chunk;
  return &loaded_joints;
}

template <class Use>
Status RecordingReader::State::for_chunks(uint32_t kind, uint64_t first, uint64_t last, Use use) {
  for (const ChunkEntry& entry : list.entries) {
    const ChunkHeader& h = entry.header;
    if (h.kind != kind || h.last_step < first || h.first_step > last) continue;
    const auto bytes = read_payload(source, entry, options);
    if (!bytes) return bytes.error();
    if (!use(*bytes))
      return error_at(source, entry.offset, {.message = "a table cannot be decoded"});
  }
  return Ok{};
}

Result<std::vector<StepDiagnostics>> RecordingReader::State::read_diagnostics(uint64_t first,
                                                                              uint64_t last) {
  // columns that this version knows
  const size_t width = run.diagnostic_labels.size();
  std::vector<const DiagnosticColumn*> known(width, nullptr);
  for (size_t c = 0; c < width; ++c)
    for (const auto& column : diagnostic_columns())
      if (run.diagnostic_labels[c] == column_label(column.name, column.type)) known[c] = &column;
  const auto types = column_types(run.diagnostic_labels);
  std::vector<StepDiagnostics> rows;
  const auto use = [&](std::span<const std::byte> bytes) {
    const auto table = decode_table(bytes, types, check());
    if (!table) return false;
    for (size_t r = 0; r < table->rows; ++r) {
      StepDiagnostics row;
      for (size_t c = 0; c < width; ++c)
        if (known[c]) known[c]->set(row, table->words[r * width + c]);
      if (row.step >= first && row.step <= last) rows.push_back(row);
    }
    return true;
  };
  if (auto status = for_chunks(kChunkDiagnostics, first, last, use); !status) return status.error();
  if (auto status = read_timings(first, last, rows); !status) return status.error();
  return rows;
}

// Adds measured times to the rows of the same step; both are in order of steps.
Status RecordingReader::State::read_timings(uint64_t first, uint64_t last,
                                            std::vector<StepDiagnostics>& rows) {
  const size_t width = run.timing_labels.size();
  std::vector<int> phase_of(width, -1);
  const auto names = timing_column_names();
  for (size_t c = 1; c < width; ++c)
    for (size_t i = 1; i < names.size(); ++i)
      if (run.timing_labels[c] == names[i]) phase_of[c] = static_cast<int>(i) - 1;
  const auto types = column_types(run.timing_labels);
  size_t at = 0;
  const auto use = [&](std::span<const std::byte> bytes) {
    const auto table = decode_table(bytes, types, check());
    if (!table) return false;
    for (size_t r = 0; r < table->rows; ++r) {
      const uint64_t* words = &table->words[r * width];
      while (at < rows.size() && rows[at].step < words[0]) ++at;
      if (at == rows.size() || rows[at].step != words[0]) continue;
      for (size_t c = 1; c < width; ++c)
        if (phase_of[c] >= 0)
          rows[at].phase_ms[static_cast<size_t>(phase_of[c])] =
              static_cast<double>(words[c]) * 1e-6;
    }
    return true;
  };
  return for_chunks(kChunkTimings, first, last, use);
}

Result<std::vector<RecordedEvent>> RecordingReader::State::read_events(uint64_t first,
                                                                       uint64_t last) {
  std::vector<RecordedEvent> all;
  std::vector<RecordedEvent> chunk;  // the last one; its joints and impulses may follow
  const auto take = [&] {
    for (auto& event : chunk)
      if (event.step >= first && event.step <= last) all.push_back(std::move(event));
    chunk.clear();
  };
  for (const ChunkEntry& entry : list.entries) {
    const ChunkHeader& h = entry.header;
    const bool events = h.kind == kChunkEvents, joints = h.kind == kChunkEventJoints;
    if (!events && !joints && h.kind != kChunkEventImpulses) continue;
    if (h.last_step < first || h.first_step > last) continue;
    const auto bytes = read_payload(source, entry, options);
    if (!bytes) return bytes.error();
    bool sound = true;
    if (events) {
      take();
      auto decoded = decode_events(*bytes, check());
      sound = decoded.has_value();
      if (sound) chunk = std::move(*decoded);
    } else {
      sound = joints ? decode_event_joints(*bytes, check(), chunk)
                     : decode_event_impulses(*bytes, check(), chunk);
    }
    if (!sound) return error_at(source, entry.offset, {.message = "a table cannot be decoded"});
  }
  take();
  return all;
}

Result<std::vector<RecordedContact>> RecordingReader::State::read_contacts(uint64_t first,
                                                                           uint64_t last) {
  if (!run.run.contact_track)
    return Error{.message = "the recording does not say where bodies touch",
                 .file = source.name(),
                 .accepted = "a run recorded with --contacts"};
  std::vector<RecordedContact> all;
  const auto use = [&](std::span<const std::byte> bytes) {
    const auto contacts = decode_contacts(bytes, run.contact_labels, check());
    if (!contacts) return false;
    for (const RecordedContact& contact : *contacts)
      if (contact.step >= first && contact.step <= last) all.push_back(contact);
    return true;
  };
  if (auto status = for_chunks(kChunkContacts, first, last, use); !status) return status.error();
  return all;
}

}  // namespace tenon
