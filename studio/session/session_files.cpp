// Files of a session: those of the host's folder, and those that the page has handed over.
#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {

// Mesh files stand beside their scene: in the host's folder, or, of the one scene that the host was
// asked to open, where that lies.
scene::FileReader Session::make_reader(const std::string& scene_name) const {
  Files* files = options_.files;
  const bool its = options_.read_for_all || scene_name == first_name_;
  const scene::FileReader first = its ? options_.read : scene::FileReader();
  return [files, first, scene_name,
          uploads = uploads_](const std::string& name) -> Result<scene::FileBytes> {
    if (scene::FileBytes own = uploads->find(name)) return own;
    Result<scene::FileBytes> found =
        Error{.message = "there is no such file of a mesh",
              .file = name,
              .accepted = "a file that was dropped on the page, or a form"};
    if (files != nullptr) found = files->read_mesh(scene_name, name);
    if (!found && first) found = first(name);
    return found;
  };
}

Result<Json> Session::do_files(const Json&) {
  if (options_.files == nullptr) return Error{.message = "this host has no files"};
  Result<std::vector<std::string>> all = options_.files->list();
  if (!all) return all.error();
  Json list = Json::array();
  for (std::string& one : *all) list.push(std::move(one));
  return Json::object().set("files", std::move(list));
}

Result<Json> Session::do_save(const Json& message) {
  if (options_.files == nullptr) return Error{.message = "this host has no files"};
  const Result<std::string> path = read_text(message, "file");
  if (!path) return path.error();
  const Json* replace = message.find("replace");
  const bool sure = replace != nullptr && replace->is_bool() && replace->boolean;
  if (!sure && *path != file_ && options_.files->read(*path).ok())
    return Error{.message = "another scene has that name",
                 .file = "replace",
                 .value = *path,
                 .accepted = "another name, or true: it is replaced"};
  Result<Json> text = do_text(message);
  if (!text) return text.error();
  // what the page has handed over lies beside the scene from then on
  for (const scene::SceneFile& mesh : timeline_.mesh_files()) {
    if (uploads_->find(mesh.name) == nullptr) continue;
    if (Status s = options_.files->write_mesh(*path, mesh.name, *mesh.bytes); !s) return s.error();
  }
  if (Status s = options_.files->write(*path, text->find("text")->string); !s) return s.error();
  file_ = *path;
  changed();
  return Json::object().set("file", *path).set("cuts", *text->find("cuts"));
}

Result<Json> Session::do_upload(const Json& message) {
  const Result<std::string> name = read_text(message, "name"), data = read_text(message, "data");
  if (!name) return name.error();
  if (!data) return data.error();
  const Json* more = message.find("more");
  const bool begins = more == nullptr || !more->is_bool() || !more->boolean;
  Result<size_t> size = uploads_->add(*name, *data, begins);
  if (!size) {
    // perhaps only because of what scenes before this one had
    std::vector<std::string> used;
    for (const scene::SceneFile& mesh : timeline_.mesh_files()) used.push_back(mesh.name);
    uploads_->forget_old(used);
    size = uploads_->add(*name, *data, begins);
  }
  if (!size) return size.error();
  return Json::object().set("bytes", static_cast<double>(*size));
}

// A file of another program, handed over before with all that it names, becomes the scene.
Result<Json> Session::do_import(const Json& message) {
  const Result<std::string> name = read_text(message, "name");
  if (!name) return name.error();
  if (!options_.import)
    return Error{.message = "this host imports nothing",
                 .file = *name,
                 .accepted = "`tenon import " + *name +
                             " -o scene.json` on a computer, and the "
                             "scene that it writes"};
  const Result<ImportedScene> made = options_.import(*name, *uploads_);
  if (!made) return made.error();
  const size_t dot = name->rfind('.');
  open_scene(made->text, name->substr(0, dot) + ".json");
  return Json::object()
      .set("name", timeline_.scene_name())
      .set("report", made->report)
      .set("errors", to_json(timeline_.take(active_).errors));
}

namespace {

// Whether a text is a scene at all, with however many mistakes: what is not must not take the place
// of somebody's work.
Status could_be_scene(std::string_view text, const std::string& name) {
  if (name.ends_with(".world")) return Ok{};  // AERO's
  const scene::ParsedJson parsed = scene::parse_json(text, name);
  if (!parsed.errors.empty()) return parsed.errors.front();
  if (parsed.root.is_object() &&
      (parsed.root.find("tenon") != nullptr || parsed.root.find("bodies") != nullptr))
    return Ok{};
  return Error{.message = "this is not a scene of Tenon",
               .file = name,
               .value = scene::format_short(parsed.root),
               .accepted = "{\"tenon\": 1, \"bodies\": [...]}"};
}

}  // namespace

Result<Json> Session::do_load(const Json& message) {
  const Json* gallery = message.find("gallery");
  const Json* file = message.find("file");
  const Json* project = message.find("project");
  if (project != nullptr) {
    if (Status s = open_project(*project); !s) return s.error();
  } else if (gallery != nullptr) {
    const SceneOffer* found = nullptr;
    for (size_t i = 0; options_.gallery != nullptr && i < options_.gallery->size(); ++i)
      if ((*options_.gallery)[i].name == gallery->string) found = &(*options_.gallery)[i];
    if (found == nullptr)
      return Error{.message = "no such scene in the gallery",
                   .file = "gallery",
                   .value = scene::format_short(*gallery),
                   .accepted = "a name of the hello"};
    open_scene(found->text, found->name + ".json");
  } else if (file != nullptr) {
    if (options_.files == nullptr) return Error{.message = "this host has no files"};
    Result<std::string> text = options_.files->read(file->string);
    if (!text) return text.error();
    if (Status s = could_be_scene(*text, file->string); !s) return s.error();
    open_scene(*text, file->string);
    file_ = file->string;
  } else if (message.find("text") != nullptr) {
    const Result<std::string> text = read_text(message, "text");
    if (!text) return text.error();
    const Json* given = message.find("name");
    const std::string name = given != nullptr && given->is_string() ? given->string : "scene.json";
    if (Status s = could_be_scene(*text, name); !s) return s.error();
    open_scene(*text, name);
  } else {
    open_scene(kEmptyScene, "untitled.json");
  }
  Json answer = Json::object();
  answer.set("name", timeline_.scene_name());
  answer.set("errors", to_json(timeline_.take(active_).errors));
  return answer;
}

}  // namespace tenon::studio
