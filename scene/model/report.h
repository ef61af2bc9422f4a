// What was made of a model file, for people: what was changed, what was not found, what was not
// used. Nothing of a file is dropped without a line here.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/json.h"
#include "tenon/scene/xml/element.h"

namespace tenon::scene::model {

// Elements or attributes of one name that were not used.
struct Ignored {
  std::string what;    // "<gazebo>", or "<geom> solimp"
  std::string reason;  // empty: Tenon does not know it
  std::string file;    // of the first
  int line = 0;
  size_t count = 0;
};

struct Report {
  std::string format;  // "URDF", "MJCF"
  std::string name;    // of the model
  size_t links = 0, joints = 0, freedoms = 0, loops = 0, motors = 0;
  double mass_kg = 0;
  std::vector<Error> warnings;     // with place, value and what would be accepted
  std::vector<std::string> notes;  // what was made of something that Tenon says otherwise
  std::vector<Ignored> ignored;
};
std::string format(const Report& report);

// What is wrong at a place of a text.
inline Error error_at(const std::string& file, const Place& place, std::string message,
                      std::string value = {}, std::string accepted = {}) {
  return {.message = std::move(message),
          .file = file,
          .line = place.line,
          .column = place.column,
          .value = std::move(value),
          .accepted = std::move(accepted)};
}

// Why something that is known is not used: by "<tag>" or "<tag> attribute"; "* attribute" is that
// of any tag, "<tag> <child>" that of an element in another.
using Reasons = std::map<std::string, std::string, std::less<>>;
// Adds everything below the element that nobody has marked as understood.
void list_ignored(const xml::Element& root, const Reasons& reasons, Report& report);

// Files beside the model. The importers open nothing themselves.
struct Files {
  std::function<bool(const std::string& path)> exists;
  std::function<Result<std::string>(const std::string& path)> read;
};

// The path of a file that a model names: "package://NAME/rest", "model://NAME/rest", "file://..."
// or a path, beside the model (in `folder`, a setting of the model's, if that is not empty) or
// beside any folder above it. Nothing if there is no such file.
std::optional<std::string> find_file(const Files& files, const std::string& model,
                                     const std::string& named, const std::string& folder = "");

// The folder of a path, with its slash; empty if it has none.
std::string folder_of(const std::string& path);

}  // namespace tenon::scene::model
