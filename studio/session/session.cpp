#include "tenon/studio/session/session.h"

#include <algorithm>
#include <cmath>

#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/json_text.h"

namespace tenon::studio {
namespace {

std::vector<std::string> capabilities(const SessionOptions& options) {
  std::vector<std::string> all{"edit",   "undo",  "takes", "sync", "events",   "grab",  "project",
                               "series", "ghost", "drag",  "drop", "contacts", "upload"};
  if (options.import) all.push_back("import");
  if (options.gallery != nullptr) all.push_back("gallery");
  if (options.files != nullptr) all.push_back("files");
  if (options.jobs != nullptr) all.push_back("render");
  if (options.timeline.clock != nullptr) all.push_back("timings");
  return all;
}

Json list_gallery(const std::vector<SceneOffer>& offers) {
  Json list = Json::array();
  for (const SceneOffer& offer : offers) {
    const scene::ParsedJson parsed = scene::parse_json(offer.text, offer.name);
    Json entry = Json::object();
    entry.set("name", offer.name);
    for (const char* key : {"title", "description", "tags"}) {
      if (const Json* value = parsed.root.find(key); value != nullptr) entry.set(key, *value);
    }
    list.push(std::move(entry));
  }
  return list;
}

}  // namespace

Session::Session(const SessionOptions& options) : options_(options), timeline_(options.timeline) {
  open_scene(kEmptyScene, "untitled.json");
}

Session::Handler Session::find_handler(std::string_view name) {
  static const std::map<std::string, Handler, std::less<>> handlers{
      {"hello", &Session::do_hello},         {"load", &Session::do_load},
      {"text", &Session::do_text},           {"files", &Session::do_files},
      {"save", &Session::do_save},           {"edit", &Session::do_edit},
      {"expand", &Session::do_expand},       {"undo", &Session::do_undo},
      {"redo", &Session::do_redo},           {"play", &Session::do_play},
      {"pause", &Session::do_pause},         {"seek", &Session::do_seek},
      {"step", &Session::do_step},           {"until", &Session::do_until},
      {"hash", &Session::do_hash},           {"grab", &Session::do_grab},
      {"grab_move", &Session::do_grab_move}, {"grab_end", &Session::do_grab_end},
      {"take", &Session::do_take},           {"discard", &Session::do_discard},
      {"sync", &Session::do_sync},           {"project", &Session::do_project},
      {"series", &Session::do_series},       {"ghost", &Session::do_ghost},
      {"contacts", &Session::do_contacts},   {"timings", &Session::do_timings},
      {"drag", &Session::do_drag},           {"drag_move", &Session::do_drag_move},
      {"drag_end", &Session::do_drag_end},   {"drop", &Session::do_drop},
      {"render", &Session::do_render},       {"jobs", &Session::do_jobs},
      {"pairs", &Session::do_pairs},         {"cut", &Session::do_cut},
      {"pull", &Session::do_pull},           {"upload", &Session::do_upload},
      {"import", &Session::do_import},       {"place", &Session::do_place},
      {"drop_test", &Session::do_drop_test}};
  const auto found = handlers.find(name);
  return found == handlers.end() ? nullptr : found->second;
}

void Session::receive(std::string_view text) {
  scene::JsonLimits limits;
  limits.max_bytes = options_.max_message_bytes;
  const scene::ParsedJson parsed = scene::parse_json(text, "message", limits);
  if (!parsed.errors.empty()) return refuse(nullptr, parsed.errors.front());
  const Json* id = parsed.root.find("id");
  const Json* name = parsed.root.find("do");
  const Handler handler =
      name != nullptr && name->is_string() ? find_handler(name->string) : nullptr;
  if (handler == nullptr) {
    return refuse(id, {.message = "unknown request",
                       .file = "do",
                       .value = name != nullptr ? scene::format_short(*name) : "nothing",
                       .accepted = "a request of the protocol, such as \"load\" or \"play\""});
  }
  edit_errors_.clear();
  if (name->string != "hello") fresh_ = false;
  Result<Json> answer = (this->*handler)(parsed.root);
  if (answer) {
    reply(id, std::move(*answer));
  } else {
    refuse(id, answer.error(), edit_errors_);
  }
  if (stale_state_ || stale_takes_) push_frame();
}

std::vector<Outgoing> Session::take_outgoing() { return std::exchange(outgoing_, {}); }

void Session::announce() {
  told_meshes_.clear();
  told_ghost_ = -1;
  told_scene_ = told_events_take_ = -1;
  changed();
  push_frame();
}

void Session::reset(int take) {
  mode_ = Mode::kPaused;
  active_ = take;
  head_ = 0;
  speed_ = 1;
  limit_ = 0;
  stopped_by_.clear();
  grabbing_ = false;
  goal_.reset();
  file_.clear();
  uploads_->age();
  told_meshes_.clear();  // pages forget those of other scenes
  history_.clear();
  history_at_ = 0;
  syncs_.clear();
  ghost_ = -1;
  told_scene_ = told_events_take_ = -1;
  changed();
}

void Session::open_scene(std::string_view text, const std::string& name) {
  scene::LoadResult loaded = scene::load_scene_file(text, name);
  Json tree;
  std::vector<Error> errors;
  if (scene::is_world_file(name) && loaded.ok()) {
    tree = scene::encode(loaded.document);
  } else {
    scene::ParsedJson parsed = scene::parse_json(text, name);
    tree = parsed.root.is_object() ? std::move(parsed.root) : Json::object().set("tenon", 1);
    errors = loaded.errors;
  }
  timeline_.open(std::move(tree), name, std::move(errors), make_reader(name));
  reset(0);
}

void Session::open_first(std::string_view text, const std::string& name, const std::string& file) {
  first_name_ = name;
  open_scene(text, name);
  file_ = file;
}

Result<Json> Session::do_render(const Json& message) {
  if (options_.jobs == nullptr) return Error{.message = "this host makes no films"};
  if (const Json* id = message.find("cancel"); id != nullptr) {
    if (Status s = options_.jobs->cancel(static_cast<int>(id->number)); !s) return s.error();
    return Json::object();
  }
  const Result<Json> project = do_project(message);
  if (!project) return project.error();
  return options_.jobs->start(message, scene::format_compact(*project->find("project")),
                              timeline_.mesh_files());
}

Result<Json> Session::do_jobs(const Json&) {
  if (options_.jobs == nullptr) return Error{.message = "this host makes no films"};
  return Json::object().set("jobs", options_.jobs->list());
}

Result<Json> Session::do_hello(const Json& message) {
  const Result<double> protocol = read_number(message, "protocol", 1, 1e6);
  if (!protocol) return protocol.error();
  if (*protocol != kProtocolVersion) {
    return Error{.message = "another version of the protocol",
                 .file = "protocol",
                 .value = scene::format_short(Json(*protocol)),
                 .accepted = std::to_string(kProtocolVersion)};
  }
  Json answer = Json::object();
  answer.set("protocol", kProtocolVersion).set("version", options_.version);
  answer.set("transport", options_.transport).set("source", options_.source);
  answer.set("fresh", fresh_);
  Json all = Json::array();
  for (const std::string& one : capabilities(options_)) all.push(one);
  answer.set("capabilities", std::move(all));
  Json endings = Json::array();
  for (const std::string& one : options_.import_endings) endings.push(one);
  answer.set("imports", std::move(endings));
  answer.set("max_message_bytes", static_cast<double>(options_.max_message_bytes));
  if (options_.gallery != nullptr) answer.set("gallery", list_gallery(*options_.gallery));
  // a page that begins holds nothing: whoever held something has gone
  if (grabbing_) let_go();
  timeline_.stop_leading();
  announce();
  return answer;
}

// The scene as it begins, with all edits made at the start: what `tenon run` takes.
Result<Json> Session::do_text(const Json&) {
  const int root = timeline_.owner(active_, 0);
  if (Status s = timeline_.ensure_scene(root); !s && !timeline_.take(root).tree) return s.error();
  Json answer = Json::object();
  answer.set("name", timeline_.scene_name());
  answer.set("text", scene::format_json(*timeline_.take(root).tree));
  int cuts = 0;
  for (int id = active_; id != root; id = timeline_.take(id).parent) ++cuts;
  answer.set("cuts", cuts);
  return answer;
}

}  // namespace tenon::studio
