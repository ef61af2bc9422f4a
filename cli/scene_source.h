// Where scenes come from: files, the gallery, recordings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/scene/mesh/mesh_library.h"

namespace tenon::cli {

struct SceneText {
  std::string name;  // for messages: the path as given, or "gallery:NAME"
  std::string text;
  std::vector<scene::SceneFile> files{};  // that a recording brought with it; else they are read
};

// Reads the files that a scene names: beside it, or by their whole path.
scene::FileReader file_reader(const SceneText& source);

// "gallery:NAME" or a path. A motion (.bvh) is imported with a floor and the usual options, a model
// (.urdf, .xml of MuJoCo) with the usual options, and what was made of it is told on stderr. Errors
// name what was looked for and what there is.
Result<SceneText> read_scene_text(const std::string& source);

// A whole file; refuses directories and files larger than `max_bytes`.
Result<std::string> read_text_file(const std::string& path, size_t max_bytes = size_t{64} << 20);
// Replaces the file only when all has been written.
Status write_text_file(const std::string& path, const std::string& text);
// The end of a command that makes one text: writes it and says how long it is, or says what went
// wrong. Returns the command's exit code.
int write_made(const Result<std::string>& text, const std::string& path);

// Whether a file could be made there, without making it; an empty path is fine.
Status check_writable(const std::string& path);

// What a command is about to write.
enum class Output {
  kRecording,  // replaces recordings only
  kScene,      // replaces nothing
  kOther       // tables, pictures, reports: replaces anything but scenes and recordings
};
// Whether nothing is lost that the user can hardly mean to lose: an error where the file exists and
// is of another kind than the one to write. An empty path, an empty file and devices are fine.
Status check_replaceable(const std::string& path, Output output);

// What a recording keeps of a scene: JSON, whatever format it came in.
std::string recorded_text(const SceneText& source);

// Loads and builds, printing every error and warning to stderr. Nothing on failure. `files`: what
// was read besides the scene, for its recording; or nullptr.
std::optional<scene::BuiltScene> load_and_build(const SceneText& source,
                                                const std::vector<std::string>& overrides,
                                                scene::Document& flat_out, int threads,
                                                std::vector<scene::SceneFile>* files = nullptr);

void print_errors(const std::vector<Error>& errors);
void print_error(const Error& error);

// Whether two paths name the same existing file.
bool same_file(const std::string& a, const std::string& b);
// The same also for files that do not exist yet.
bool same_output(const std::string& a, const std::string& b);

// "3 bodies, 2 joints, 1 force": what there is of a flat document.
std::string describe_content(const scene::Document& flat);

// "1 body", "2 bodies"
std::string counted(uint64_t count, const char* one, const char* many);

const char* method_name(scene::Method method);

}  // namespace tenon::cli
