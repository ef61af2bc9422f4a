// A session of the studio: one scene, its takes and a playhead, spoken to by messages. Pure: text
// and time in, text and frames out. The local server and the WebAssembly module carry the messages;
// docs/studio-protocol.md describes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/studio/session/quantity.h"
#include "tenon/studio/session/timeline.h"
#include "tenon/studio/session/uploads.h"

namespace tenon::studio {

inline constexpr int kProtocolVersion = 1;
inline constexpr double kMostSteps = 1e7;  // of a take; a project with more is a damaged one

// Scenes that a host offers; text is a scene file.
struct SceneOffer {
  std::string name, text;
};

// The folder that a native host lets scenes be opened from and saved to. Paths are relative to it;
// whatever leads out of it is the host's to refuse.
class Files {
 public:
  virtual ~Files() = default;
  virtual Result<std::vector<std::string>> list() = 0;
  virtual Result<std::string> read(const std::string& path) = 0;
  virtual Status write(const std::string& path, const std::string& text) = 0;
  // A file of triangles that a scene of the folder names, relative to that scene.
  virtual Result<scene::FileBytes> read_mesh(const std::string& scene, const std::string& name) = 0;
  // The same, written; error where another one has that name.
  virtual Status write_mesh(const std::string& scene, const std::string& name,
                            const std::string& bytes) = 0;
};

// Work that a native host does in the background, by the `tenon` command itself: films and files
// for other programs.
class Jobs {
 public:
  virtual ~Jobs() = default;
  // `project`: what the request "project" gives; `files`: meshes of its scene. The answer has the
  // number of the job.
  virtual Result<Json> start(const Json& request, const std::string& project,
                             const std::vector<scene::SceneFile>& files) = 0;
  virtual Json list() = 0;
  virtual Status cancel(int job) = 0;
};

struct SessionOptions {
  TimelineOptions timeline;
  std::string source;  // what the host was asked to open; pages restore what they kept of the same
  std::string version, transport;  // for the hello
  const std::vector<SceneOffer>* gallery = nullptr;
  Files* files = nullptr;  // none: the page keeps files itself
  Jobs* jobs = nullptr;    // none: the page makes videos of what it shows
  // Mesh files of the scene that the host was asked to open; which of them is the host's to say.
  scene::FileReader read;
  bool read_for_all = false;  // not only of that one: for commands that open what they are given
  // Makes a scene of a file of another program; none: this host has no importers.
  std::function<Result<ImportedScene>(const std::string& name, const Uploads&)> import;
  std::vector<std::string> import_endings;  // ".urdf", for the hello
  size_t max_message_bytes = size_t{32} << 20;
  double work_s =
      0.012;  // wall time that one call of advance() may compute, where there is a clock
};

struct Outgoing {
  bool binary = false;
  std::string bytes;
};

class Session {
 public:
  explicit Session(const SessionOptions& options);

  // One message of the page. Never fails: whatever is wrong is told in a reply.
  void receive(std::string_view message);
  // Wall time has passed, s: moves the playhead, computes.
  void advance(double seconds);
  // Whether advance() would do anything.
  bool busy() const;
  // What is to be sent, in order; empty afterwards.
  std::vector<Outgoing> take_outgoing();
  // All that a page which connects again has to know.
  void announce();
  // As a page would open it; errors become messages.
  void open_scene(std::string_view text, const std::string& name);
  // The scene that the host was asked to open. `file`: its path in the folder, where it lies there.
  void open_first(std::string_view text, const std::string& name, const std::string& file = "");
  // The same with a project, as the request "project" gives it.
  Status open_project(const Json& project);
  // The take on the stage, for hosts that make something of it.
  Timeline& timeline() { return timeline_; }
  int active_take() const { return goal_ ? goal_->take : active_; }

 private:
  enum class Mode { kPaused, kPlaying, kUntilEvent };
  struct HistoryEntry {
    int from_take = 0, to_take = 0;
    uint64_t from_step = 0, to_step = 0;
    std::string label, merge;
    // of how it is seen: nothing else changes, and no take begins
    struct Seen {
      int take = 0;
      Timeline::Said before, after;
    };
    std::optional<Seen> seen = {};
    // of sync points, likewise
    struct Syncs {
      std::vector<SyncPoint> before, after;
    };
    std::optional<Syncs> syncs = {};
  };
  using Handler = Result<Json> (Session::*)(const Json&);
  static Handler find_handler(std::string_view name);

  // session.cpp: documents
  Result<Json> do_hello(const Json&);
  Result<Json> do_load(const Json&);
  Result<Json> do_text(const Json&);
  // session_files.cpp
  Result<Json> do_files(const Json&);
  Result<Json> do_save(const Json&);
  Result<Json> do_upload(const Json&);
  Result<Json> do_import(const Json&);
  // session_edit.cpp
  Result<Json> do_edit(const Json&);
  Result<Json> edit_view(const Json& operations, const std::string& label, const std::string& key);
  Result<Json> do_undo(const Json&);
  Result<Json> do_redo(const Json&);
  // session_library.cpp
  Result<Json> do_expand(const Json&);
  Result<Json> do_pairs(const Json&);
  Result<Json> do_place(const Json&);
  // session_time.cpp
  Result<Json> do_play(const Json&);
  Result<Json> do_pause(const Json&);
  Result<Json> do_seek(const Json&);
  Result<Json> do_step(const Json&);
  Result<Json> do_until(const Json&);
  Result<Json> do_hash(const Json&);
  Result<Json> do_grab(const Json&);
  Result<Json> do_grab_move(const Json&);
  Result<Json> do_grab_end(const Json&);
  // session_takes.cpp
  Result<Json> do_take(const Json&);
  Result<Json> do_discard(const Json&);
  Result<Json> do_project(const Json&);
  // session_cuts.cpp
  Result<Json> do_cut(const Json&);
  Result<Json> do_pull(const Json&);
  Result<Json> do_sync(const Json&);
  Result<int> regrow(const std::vector<int>& takes, int without, uint64_t from, uint64_t to);
  // session_view.cpp
  Result<Json> do_series(const Json&);
  Result<Json> do_ghost(const Json&);
  Result<Json> do_contacts(const Json&);
  Result<Json> do_timings(const Json&);
  Result<Json> do_drag(const Json&);
  Result<Json> do_drag_move(const Json&);
  Result<Json> do_drag_end(const Json&);
  Result<Json> do_drop(const Json&);
  // session_trial.cpp
  Result<Json> do_drop_test(const Json&);
  // session_history.cpp: of projects
  uint64_t reachable(int take, double step) const;  // no step beyond what it had once
  static Json encode_syncs(const std::vector<SyncPoint>& syncs);
  std::vector<SyncPoint> decode_syncs(const Json* list) const;
  static Json encode_entry(const HistoryEntry& entry);
  std::optional<HistoryEntry> decode_entry(const Json& in);
  // session_goal.cpp
  struct Goal {
    int take = 0;
    double step = 0;
  };
  void head_for(Goal goal);
  bool pursue_goal(double seconds, int steps);
  // session.cpp: work in the background
  Result<Json> do_render(const Json&);
  Result<Json> do_jobs(const Json&);
  scene::FileReader make_reader(const std::string& scene_name) const;

  void reset(int take);
  // A take that takes the place of another one, of which nothing is left.
  void replace_take(int old, int fresh);
  void go(int take, double step);  // the playhead
  void pause();
  uint64_t shown_step() const;
  uint64_t end_of(int take) const { return timeline_.take(take).end; }
  double step_length() const;
  bool compute(uint64_t to);
  void play_on(double seconds);
  void look_for_event();
  bool stop_at_event();
  void let_go();
  bool stops(const TakeEvent& event) const;
  bool stops_at(uint64_t step);
  void remember(HistoryEntry entry);
  void changed();  // something in takes or state: told before the next frame

  void reply(const Json* id, Json body);
  void refuse(const Json* id, const Error& error, const std::vector<Error>& all = {});
  void push(Json message);
  void push_scene();
  void push_state();
  void push_takes();
  void push_events();
  void push_frame();
  void push_ghost();
  void push_led();
  void put_numbers(std::string& frame) const;

  SessionOptions options_;
  Timeline timeline_;
  std::shared_ptr<Uploads> uploads_ = std::make_shared<Uploads>();
  std::vector<Outgoing> outgoing_;
  std::vector<Error> edit_errors_;  // of the edit that is being refused

  Mode mode_ = Mode::kPaused;
  int active_ = 0;
  double head_ = 0;     // in steps
  double speed_ = 1;    // negative: backwards
  uint64_t limit_ = 0;  // playing pauses here
  uint64_t until_from_ = 0;
  std::string until_kind_, until_body_;
  std::optional<Quantity> until_quantity_;
  double until_value_ = 0;
  std::string stopped_by_;  // why it paused: "", "end", "start", "event", "limit", "error"
  double rate_ = 0;         // simulated seconds per second, lately
  bool grabbing_ = false;
  bool fresh_ = true;         // no page has changed anything yet
  std::optional<Goal> goal_;  // where the playhead goes once that is computed
  std::string file_;          // of the folder, that the scene was opened from or saved to
  std::string first_name_;    // of the scene that the host was asked to open

  std::vector<HistoryEntry> history_;
  size_t history_at_ = 0;  // entries before it are done, those from it on are undone
  std::vector<SyncPoint> syncs_;
  int next_sync_ = 1;

  int ghost_ = -1, told_ghost_ = -1;
  bool ghost_scene_ = false;  // the page draws it with its own shapes and looks
  std::string led_name_;      // the body that a hand leads
  std::set<std::string> told_meshes_;
  int told_scene_ = -1, told_events_take_ = -1;
  size_t told_events_ = 0;
  bool told_full_ = false;
  bool stale_state_ = true, stale_takes_ = true;
};

// Values of a message, or an error that names the key and what would be accepted.
Result<double> read_number(const Json& message, const char* key, double least, double most);
Result<std::string> read_text(const Json& message, const char* key);

// What there is to begin with.
inline constexpr const char* kEmptyScene =
    R"({"tenon": 1, "title": "Untitled", "bodies": [{"name": "floor", "shape": {"type": "plane"}}]})";
Result<Vec3> read_point(const Json& message, const char* key);

// Sections of a scene that no step depends on.
const std::set<std::string>& view_sections();

Json to_json(const Error& error);
Json to_json(const std::vector<Error>& errors);
// What a page draws of a take: bodies with shapes and looks, joints with their places. `world`: of
// the take at its begin, nullptr where the scene has mistakes.
// `told`: ids of meshes that the page has; those are not sent again.
Json describe_scene(const Take& take, const World* world, const scene::FileReader& read,
                    std::set<std::string>& told);
// Forces, cameras, shots, lights and pairs of materials of a scene.
void describe_view(const Take& take, Json& out);
// Instances of prefabs with their places.
void describe_instances(const Take& take, Json& out);
// A frame as bytes; docs/studio-protocol.md. `next` and `share`: for instants between two steps.
std::string encode_frame(const Take& take, double step, const Frame& frame, const Frame* next,
                         double share, uint32_t flags);

}  // namespace tenon::studio
