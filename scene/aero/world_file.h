// AERO's own scene files, `.world` [Keller1993]: plain text, one record per thing. AERO's source
// and its sample files are lost; the grammar is what its documentation tells (docs/aero-files.md),
// and reading is tolerant: what is not understood is skipped with a warning that names the line.
//
// What the format cannot say (kinematic bodies, most joints, curves ...) is left out when a scene
// is written, each with a warning.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {

// Whether a file is one of AERO's, by its name: it ends in .world.
bool is_world_file(std::string_view name);

// Text of a world file -> document. A sequence gives its first state. Bodies are called K1, K2, ...
// as in the file, links V1, forces F1; all places are lines of the file.
LoadResult load_world(std::string_view text, std::string_view file,
                      const LoadOptions& options = {});

// A scene in whatever format its name says, load_world or load_scene; what begins with a brace is
// JSON.
LoadResult load_scene_file(std::string_view text, std::string_view file,
                           const LoadOptions& options = {});

struct WorldText {
  std::string text;
  std::vector<Error> warnings;  // what could not be said
};
// A flat document as a world file. One that was read from a world file gives an equal document
// again; others lose what AERO does not know.
WorldText save_world(const Document& flat);

}  // namespace tenon::scene
