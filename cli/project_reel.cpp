#include "tenon/cli/project_reel.h"

#include <algorithm>

#include "tenon/cli/progress.h"
#include "tenon/cli/scene_source.h"
#include "tenon/cli/signals.h"
#include "tenon/recording/recorder.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/session.h"

namespace tenon::cli {
namespace {

using studio::Take;
using studio::Timeline;

constexpr const char* kKey = "tenon_project";
constexpr size_t kTrackedJoints = 1000;  // as of plain runs: more are not tracked

// Steps of the take on the stage that one scene reaches from.
struct Piece {
  int take = 0;
  uint64_t from = 0, to = 0;
};

std::vector<Piece> cut_into_pieces(const Timeline& timeline, int active) {
  std::vector<Piece> pieces;
  uint64_t end = std::max(timeline.take(active).end, timeline.take(active).wanted);
  for (int id = active; id >= 0; id = timeline.take(id).parent) {
    const Take& take = timeline.take(id);
    // edits at the start leave nothing of what was there before
    if (end > take.at || pieces.empty()) pieces.push_back({id, take.at, end});
    end = take.at;
    if (end == 0) break;
  }
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

RunRecord describe_run(const Take& take, const World& world, bool contacts) {
  RunRecord run;
  run.method = method_name(take.flat->world.method);
  run.seconds = take.flat->world.duration;
  run.threads = static_cast<uint32_t>(world.settings().threads);
  run.version = TENON_VERSION;
  run.body_names = take.cast.names;
  run.joint_names = take.cast.joint_names;
  run.joint_track = !run.joint_names.empty() && run.joint_names.size() <= kTrackedJoints;
  run.contact_track = contacts;
  return run;
}

Result<std::vector<std::byte>> record_piece(Timeline& timeline, const Piece& piece, bool contacts,
                                            Progress& progress) {
  Result<const World*> world = timeline.look_at(piece.take, piece.from);
  if (!world) return world.error();
  const Take& take = timeline.take(piece.take);
  MemorySink sink;
  Recorder recorder(sink);
  const SceneRecord scene{timeline.scene_name(),
                          take.flat->title,
                          scene::format_json(*take.tree),
                          {},
                          timeline.mesh_files()};
  Status status = recorder.begin(**world, take.cast.handles, describe_run(take, **world, contacts),
                                 scene, take.cast.joint_handles);
  for (uint64_t step = piece.from + 1; step <= piece.to && status && !interrupted(); ++step) {
    world = timeline.look_at(piece.take, step);
    if (!world) return world.error();
    status = recorder.after_step(**world);
    progress.update((*world)->time());
  }
  if (status)
    status =
        recorder.finish(**world, interrupted() ? RunEnd::kInterrupted : RunEnd::kCompleted, "");
  if (!status) return status.error();
  return sink.bytes();
}

std::vector<FilmSubject> refuse_reel(const Error& error) {
  print_error(error);
  return {};
}

}  // namespace

bool is_project_file(const std::string& path) {
  if (!path.ends_with(".json")) return false;
  const Result<std::string> text = read_text_file(path);
  return text && text->find(std::string("\"") + kKey + "\"") != std::string::npos &&
         scene::parse_json(*text, path).root.find(kKey) != nullptr;
}

std::vector<FilmSubject> record_project(const std::string& path, bool contacts) {
  const Result<std::string> text = read_text_file(path);
  if (!text) return refuse_reel(text.error());
  const scene::ParsedJson parsed = scene::parse_json(*text, path);
  if (!parsed.errors.empty()) return refuse_reel(parsed.errors.front());
  studio::SessionOptions options;
  options.timeline.threads = 0;
  options.timeline.clock = wall_clock;
  options.read = file_reader({path, ""});
  options.read_for_all = true;
  studio::Session session(options);
  if (Status s = session.open_project(parsed.root); !s) return refuse_reel(s.error());
  Timeline& timeline = session.timeline();
  if (!timeline.take(session.active_take()).errors.empty())
    return refuse_reel(timeline.take(session.active_take()).errors.front());
  const std::vector<Piece> pieces = cut_into_pieces(timeline, session.active_take());
  if (Status s = timeline.ensure_scene(session.active_take()); !s) return refuse_reel(s.error());
  const double h = timeline.take(session.active_take()).flat->world.step;
  Progress progress("running " + path, 0, static_cast<double>(pieces.back().to) * h);
  std::vector<FilmSubject> reel;
  for (const Piece& piece : pieces) {
    Result<std::vector<std::byte>> bytes = record_piece(timeline, piece, contacts, progress);
    if (!bytes) return refuse_reel(bytes.error());
    FilmSubject& subject = reel.emplace_back();
    subject.name = path;
    subject.interrupted = interrupted();
    if (Status s = subject.open(std::move(*bytes)); !s) return refuse_reel(s.error());
    if (subject.interrupted) break;
  }
  return reel;
}

}  // namespace tenon::cli
