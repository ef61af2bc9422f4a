#include "tenon/cli/scene_source.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>

#include "tenon/cli/gallery.h"
#include "tenon/cli/mesh_cache.h"
#include "tenon/cli/model_file.h"
#include "tenon/cli/progress.h"
#include "tenon/recording/chunk.h"
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/build/problems.h"
#include "tenon/scene/bvh/import_bvh.h"
#include "tenon/scene/formats/did_you_mean.h"

namespace tenon::cli {
namespace {

constexpr const char* kGalleryPrefix = "gallery:";

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Error file_error(const std::string& what, const std::string& path) {
  return {.message = what + ": " + std::strerror(errno), .file = path};
}

// The begin of a file, as much as says what it is; empty where there is none.
std::string read_begin(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  const File file(std::fopen(path.c_str(), "rb"));
  std::string text(size_t{1} << 16, '\0');
  text.resize(file ? std::fread(text.data(), 1, text.size(), file.get()) : 0);
  return text;
}

bool begins_a_recording(const std::string& begin) {
  return !begin.empty() && is_recording(std::as_bytes(std::span(begin)));
}

// JSON with the key that every scene has, or a file of AERO's by its name.
bool begins_a_scene(const std::string& path, const std::string& begin) {
  if (begin.empty()) return false;
  if (scene::is_world_file(path)) return true;
  const size_t first = begin.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == std::string::npos || (begin[first] != '{' && begin[first] != '/')) return false;
  constexpr std::string_view kKey = "\"tenon\"";
  for (size_t at = begin.find(kKey); at != std::string::npos; at = begin.find(kKey, at + 1)) {
    const size_t colon = begin.find_first_not_of(" \t\r\n", at + kKey.size());
    if (colon != std::string::npos && begin[colon] == ':') return true;
  }
  return false;
}

// A file that is not there may be a scene of the gallery whose prefix was forgotten.
std::string perhaps_in_gallery(const std::string& path) {
  for (const GalleryScene& scene : gallery()) {
    if (scene.name == path || scene.name + ".json" == path) {
      return std::string("; did you mean '") + kGalleryPrefix + scene.name + "'?";
    }
  }
  return {};
}

Result<SceneText> find_in_gallery(const std::string& name) {
  std::vector<std::string> names;
  for (const GalleryScene& scene : gallery()) {
    if (scene.name == name) return SceneText{kGalleryPrefix + name, scene.text};
    names.push_back(scene.name);
  }
  std::string hint = scene::did_you_mean(name, names);
  for (const std::string& n : names) {
    const size_t folder = n.rfind('/');
    if (hint.empty() && folder != std::string::npos && n.substr(folder + 1) == name)
      hint = "; did you mean '" + n + "'?";
  }
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  return Error{.message = "no such scene in the gallery" + hint, .value = name, .accepted = all};
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, size_t max_bytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Error{.message = "this is a folder, not a file", .file = path};
  }
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return file_error("cannot open", path);
  const auto refuse = [&] {
    return Error{.message = "the file is too large",
                 .file = path,
                 .accepted = "at most " + std::to_string(max_bytes >> 20) + " MiB"};
  };
  // by its size where it has one, before anything is read; pipes and devices have none
  const uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored && size > max_bytes) return refuse();
  std::string text;
  if (!ignored) text.reserve(static_cast<size_t>(size));
  char buffer[65536];
  while (const size_t got = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, got);
    if (text.size() > max_bytes) return refuse();
  }
  if (std::ferror(file.get()) != 0) return file_error("cannot read", path);
  return text;
}

Status check_replaceable(const std::string& path, Output output) {
  const std::string begin = path.empty() ? path : read_begin(path);
  if (begin.empty()) return Ok{};
  const bool recording = begins_a_recording(begin), scene = begins_a_scene(path, begin);
  const char* what = recording ? "a recording" : scene ? "a scene" : "no recording";
  const auto refuse = [&](const char* accepted) {
    return Error{.message = std::string("the file exists and is ") + what + "; it is kept",
                 .file = path,
                 .accepted = accepted};
  };
  switch (output) {
    case Output::kRecording:
      if (!recording) return refuse("a new name, or that of a recording to replace");
      break;
    case Output::kScene:
      if (!recording && !scene) what = "in the way";
      return refuse("a new name, or --overwrite to replace the file");
    case Output::kOther:
      if (recording || scene) return refuse("another name");
      break;
  }
  return Ok{};
}

Status check_writable(const std::string& path) {
  if (path.empty()) return Ok{};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Error{.message = "cannot write: this is a folder", .file = path};
  }
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  if (access(folder.c_str(), W_OK | X_OK) != 0) return file_error("cannot write", path);
  return Ok{};
}

Status write_text_file(const std::string& path, const std::string& text) {
  // a device or a pipe is written to, never replaced
  std::error_code ignored;
  const bool special =
      std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
  const std::string partial = special ? path : path + ".part";
  {
    const File file(std::fopen(partial.c_str(), "wb"));
    if (!file) return file_error("cannot write", path);
    const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                         std::fflush(file.get()) == 0;
    if (!written) {
      const Error error = file_error("cannot write", path);
      if (!special) std::remove(partial.c_str());
      return error;
    }
  }
  if (special) return Ok{};
  if (std::rename(partial.c_str(), path.c_str()) != 0) {
    const Error error = file_error("cannot write", path);
    std::remove(partial.c_str());
    return error;
  }
  return Ok{};
}

int write_made(const Result<std::string>& text, const std::string& path) {
  if (!text) {
    print_error(text.error());
    return 1;
  }
  if (const Status written = write_text_file(path, *text); !written) {
    print_error(written.error());
    return 1;
  }
  std::printf("%s: %zu bytes\n", path.c_str(), text->size());
  return 0;
}

Result<SceneText> read_scene_text(const std::string& source) {
  if (source.starts_with(kGalleryPrefix)) {
    return find_in_gallery(source.substr(std::strlen(kGalleryPrefix)));
  }
  if (begins_a_recording(read_begin(source))) {
    return Error{.message = "this is a recording of a run, not a scene",
                 .file = source,
                 .accepted =
                     "a scene; of a recording, 'tenon info' says what is in it, 'tenon "
                     "export' makes pictures and tables, 'tenon resume' goes on with it"};
  }
  Result<std::string> text = read_model_file(source);
  if (!text) {
    Error error = text.error();
    error.message += perhaps_in_gallery(source);
    return error;
  }
  if (is_model_file(source, *text)) {
    const Result<scene::model::Imported> model = import_model(source, *text);
    if (!model) return model.error();
    std::fputs((source + ":\n" + format(model->report)).c_str(), stderr);
    return SceneText{source, scene::save_scene(model->document)};
  }
  if (!scene::bvh::is_motion_file(source)) return SceneText{source, std::move(*text)};
  // a motion becomes a scene at once, so that all commands take it
  scene::bvh::ImportOptions options;
  options.floor = true;
  const Result<scene::bvh::Imported> figure = scene::bvh::import_motion(*text, source, options);
  if (!figure) return figure.error();
  std::fputs((source + ":\n" + format(figure->report)).c_str(), stderr);
  return SceneText{source, scene::save_scene(figure->document)};
}

void print_error(const Error& error) {
  std::fprintf(stderr, "%s\n", ("error: " + format(error)).c_str());
}
void print_errors(const std::vector<Error>& errors) {
  for (const Error& error : scene::without_repeats(errors))
    std::fprintf(stderr, "%s\n", format(error).c_str());
}

scene::FileReader file_reader(const SceneText& source) {
  if (!source.files.empty()) return scene::read_from(source.files);
  const std::filesystem::path folder = std::filesystem::path(source.name).parent_path();
  return [folder](const std::string& name) -> Result<scene::FileBytes> {
    const std::string path = (folder / name).string();
    Result<std::string> bytes = read_text_file(path, scene::kMaxMeshFileBytes);
    if (!bytes) {
      Error error = bytes.error();
      error.file = name;
      return error;
    }
    return std::make_shared<const std::string>(std::move(*bytes));
  };
}

std::optional<scene::BuiltScene> load_and_build(const SceneText& source,
                                                const std::vector<std::string>& overrides,
                                                scene::Document& flat_out, int threads,
                                                std::vector<scene::SceneFile>* files) {
  scene::LoadOptions options;
  options.overrides = overrides;
  scene::LoadResult loaded = scene::load_scene_file(source.text, source.name, options);
  for (const Error& warning : loaded.warnings) {
    std::fprintf(stderr, "warning: %s\n", format(warning).c_str());
  }
  if (!loaded.ok()) {
    print_errors(loaded.errors);
    // what is wrong with files is told as well, without what contacts need of them
    scene::MeshLibrary pictures({.read = file_reader(source), .use = MeshUse::kPicture});
    print_errors(scene::find_mesh_mistakes(loaded.flat, pictures));
    return std::nullopt;
  }
  flat_out = std::move(loaded.flat);
  const int build_threads = threads > 0 ? threads : hardware_threads();
  scene::MeshLibrary meshes(
      {.read = file_reader(source), .store = &mesh_cache(), .threads = build_threads});
  scene::BuildResult built = scene::build(
      flat_out, {.threads = threads, .clock = wall_clock, .assemble = true, .meshes = &meshes});
  if (files != nullptr) *files = meshes.files();
  if (!built.ok()) {
    print_errors(built.errors);
    return std::nullopt;
  }
  for (const Error& warning : built.warnings) {
    std::fprintf(stderr, "warning: %s\n", format(warning).c_str());
  }
  return std::move(built.scene.front());
}

std::string recorded_text(const SceneText& source) {
  if (!scene::is_world_file(source.name)) return source.text;
  return scene::save_scene(scene::load_world(source.text, source.name).document);
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

bool same_output(const std::string& a, const std::string& b) {
  std::error_code error_a, error_b;
  const auto whole = [](const std::string& path, std::error_code& error) {
    const auto absolute = std::filesystem::absolute(path, error);
    return error ? absolute : std::filesystem::weakly_canonical(absolute, error);
  };
  const auto path_a = whole(a, error_a), path_b = whole(b, error_b);
  return a == b || same_file(a, b) || (!error_a && !error_b && path_a == path_b);
}

std::string describe_content(const scene::Document& flat) {
  std::string content = counted(flat.bodies.size(), "body", "bodies");
  const auto add = [&](size_t count, const char* one, const char* many) {
    if (count > 0) content += ", " + counted(count, one, many);
  };
  add(flat.joints.size(), "joint", "joints");
  add(flat.connections.size(), "connection", "connections");
  add(flat.forces.size(), "force", "forces");
  return content;
}

std::string counted(uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

const char* method_name(scene::Method method) {
  switch (method) {
    case scene::Method::kImpulse:
      return "impulse";
    case scene::Method::kDisplacement:
      return "displacement";
    case scene::Method::kForce:
      return "force";
  }
  return "?";
}

}  // namespace tenon::cli
