#include "tenon/recording/info.h"

#include <algorithm>

#include "tenon/recording/detail/text.h"
#include "tenon/recording/health.h"

namespace tenon {
namespace {

using recording_detail::counted;
using recording_detail::number;
using recording_detail::size_text;

std::string kind_text(uint32_t kind) {
  std::string text;
  for (int i = 0; i < 4; ++i) {
    const auto c = static_cast<char>(kind >> (8 * i) & 0xff);
    text += c >= ' ' && c <= '~' ? c : '?';
  }
  return text;
}

void count_chunk(RecordingInfo& info, const ChunkHeader& header) {
  const std::string kind = kind_text(header.kind);
  auto part = std::find_if(info.parts.begin(), info.parts.end(),
                           [&](const auto& p) { return p.kind == kind; });
  if (part == info.parts.end()) part = info.parts.insert(part, {kind, 0, 0, 0});
  ++part->chunks;
  part->stored_bytes += kChunkHeaderBytes + header.stored_size;
  part->raw_bytes += kChunkHeaderBytes + header.raw_size;
  const std::string codec = name(header.codec);
  if (std::find(info.codecs.begin(), info.codecs.end(), codec) == info.codecs.end())
    info.codecs.push_back(codec);
  if (header.kind == kChunkEvents) info.events += header.count;
  if (header.kind == kChunkContacts) info.contacts += header.count;
  if (header.kind == kChunkDiagnostics) info.diagnostics += header.count;
}

// What the chunks hold, in words.
std::string part_text(const std::string& kind) {
  if (kind == "RUNS") return "run";
  if (kind == "SCEN") return "scene";
  if (kind == "KEYF") return "keyframes";
  if (kind == "POSE") return "frames";
  if (kind == "EVNT") return "events";
  if (kind == "EVJT") return "joint events";
  if (kind == "EVIM") return "event impulses";
  if (kind == "JNTS") return "joints";
  if (kind == "CONT") return "contacts";
  if (kind == "DIAG") return "diagnostics";
  if (kind == "TIME") return "timings";
  if (kind == "ENDR") return "end";
  if (kind == "INDX") return "index";
  if (kind == "TAIL") return "back-pointer";
  return "unknown " + kind;
}

std::string line(const std::string& label, const std::string& text) {
  return label + std::string(label.size() < 14 ? 14 - label.size() : 1, ' ') + text + "\n";
}

std::string state_text(const RecordingInfo& info) {
  const EndRecord& end = info.end;
  std::string text = name(end.end);
  if (end.end != RunEnd::kCompleted || !end.reason.empty())
    text += " at " + number(end.time) + " s (step " + std::to_string(end.step) + ")";
  if (!end.reason.empty()) text += ": " + end.reason;
  return text;
}

// Hints from the events; an error where they cannot be read.
Result<std::vector<std::string>> read_health(RecordingReader& reader, const RecordingInfo& info) {
  const auto events = reader.read_events(info.first_step, info.end.step);
  if (!events) return events.error();
  const auto name_of = [&](uint32_t place) {
    return place < info.run.body_names.size() ? info.run.body_names[place] : std::string();
  };
  HealthSummary summary;
  for (const RecordedEvent& e : *events) {
    const auto kind = event_kind(e.kind);
    if (kind) summary.add(*kind, e.time, name_of(e.a), name_of(e.b), e.value);
  }
  return summary.to_words(info.run.method);
}

}  // namespace

Result<RecordingInfo> read_info(RecordingReader& reader) {
  RecordingInfo info;
  info.source = reader.source().name();
  info.bytes = reader.source().size();
  info.format_major = kFormatMajor;
  info.format_minor = reader.format_minor();
  if (auto scene = reader.scene())
    info.scene = std::move(*scene);
  else
    info.scene_problem = format(scene.error());
  info.run = reader.run();
  info.end = reader.end();
  info.has_index = reader.has_index();
  info.frames = reader.frame_count();
  info.keyframes = reader.keyframe_count();
  info.bodies = info.run.body_names.size();
  uint64_t pose_bytes = 0;
  bool first = true;
  for (const ChunkEntry& entry : reader.chunks()) {
    const ChunkHeader& header = entry.header;
    count_chunk(info, header);
    if (header.kind != kChunkPoses) continue;
    pose_bytes += kChunkHeaderBytes + header.stored_size;
    if (std::exchange(first, false)) {
      info.first_step = header.first_step;
      info.first_time = header.first_time;
    }
    info.last_step = header.last_step;
    info.last_time = header.last_time;
  }
  if (info.frames > 0 && info.bodies > 0)
    info.bytes_per_body_frame =
        static_cast<double>(pose_bytes) /
        (static_cast<double>(info.frames) * static_cast<double>(info.bodies));
  if (auto words = read_health(reader, info)) info.health = std::move(*words);
  return info;
}

std::string format(const RecordingInfo& info) {
  std::string text;
  if (!info.source.empty()) text += line("recording", info.source);
  std::string scene = info.scene_problem;
  if (scene.empty()) {
    scene = info.scene.name;
    if (!info.scene.title.empty()) scene += " \"" + info.scene.title + "\"";
  }
  text += line("scene", scene);
  for (const auto& change : info.scene.overrides) text += line("  override", change);
  text += line("state", state_text(info));
  text += line("time", number(info.first_time) + " s to " + number(info.last_time) + " s of " +
                           number(info.run.seconds) + " s asked for");
  text += line("frames",
               std::to_string(info.frames) + " (steps " + std::to_string(info.first_step) + " to " +
                   std::to_string(info.last_step) + ", step " + number(info.run.step_s) + " s)");
  text += line("bodies", std::to_string(info.bodies));
  text += line("joints", std::to_string(info.run.joint_names.size()) +
                             (info.run.joint_track ? ", recorded in every frame" : ""));
  text += line("keyframes", std::to_string(info.keyframes) + ", every " +
                                number(info.run.keyframe_interval_s) + " s");
  text += line("events", std::to_string(info.events));
  if (info.run.contact_track)
    text += line("contacts", counted(info.contacts, "point") + ", recorded in every step");
  for (const std::string& hint : info.health) text += line("hint", hint);
  text += line("method", info.run.method);
  text += line("threads", std::to_string(info.run.threads));
  if (!info.run.resumed_from.empty()) text += line("resumed from", info.run.resumed_from);
  for (const auto& [key, value] : info.run.notes) text += line(key, value);
  text += line("version", "Tenon " + info.run.version + ", format " +
                              std::to_string(info.format_major) + "." +
                              std::to_string(info.format_minor));
  std::string codecs;
  for (const auto& codec : info.codecs) codecs += (codecs.empty() ? "" : ", ") + codec;
  text += line(
      "size",
      size_text(info.bytes) + " (" + codecs + "; " +
          number(static_cast<double>(static_cast<uint64_t>(info.bytes_per_body_frame * 10 + 0.5)) /
                 10) +
          " bytes per body and frame" + (info.has_index ? ")" : "; index rebuilt by a scan)"));
  for (const auto& part : info.parts)
    text += line("  " + part_text(part.kind), size_text(part.stored_bytes) + " in " +
                                                  counted(part.chunks, "chunk") + ", " +
                                                  size_text(part.raw_bytes) + " unpacked");
  return text;
}

}  // namespace tenon
