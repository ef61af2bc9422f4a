#include "tenon/scene/aero/to_document.h"
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/aero/world_words.h"

namespace tenon::scene {

bool is_world_file(std::string_view name) {
  constexpr std::string_view kEnding = ".world";
  return name.size() >= kEnding.size() &&
         aero::lower(name.substr(name.size() - kEnding.size())) == kEnding;
}

LoadResult load_world(std::string_view text, std::string_view file, const LoadOptions& options) {
  aero::Notes notes;
  notes.file = std::string(file);
  notes.max_errors = options.max_errors;
  aero::WorldState state = aero::parse_world(text, options.max_bodies, notes);
  aero::apply_remarks(text, state, notes);
  Document document = aero::make_document(state, notes);
  document.source.name = std::string(file);
  LoadResult result;
  if (notes.errors.empty()) {
    result = check_scene(document, options);
    result.warnings.insert(result.warnings.begin(), notes.warnings.begin(), notes.warnings.end());
  } else {
    result.document = std::move(document);
    result.errors = std::move(notes.errors);
    result.warnings = std::move(notes.warnings);
  }
  return result;
}

LoadResult load_scene_file(std::string_view text, std::string_view file,
                           const LoadOptions& options) {
  // recordings keep the name of a world file, and its scene as JSON
  const size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && text[first] == '{';
  const bool world = is_world_file(file) && !json;
  return world ? load_world(text, file, options) : load_scene(text, file, options);
}

}  // namespace tenon::scene
