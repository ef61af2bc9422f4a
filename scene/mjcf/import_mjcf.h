// Models of MuJoCo: MJCF files as scenes [Todorov2012]. What becomes of which tag: docs/models.md.
#pragma once

#include <string_view>

#include "tenon/scene/model/import.h"

namespace tenon::scene::mjcf {

// A name that ends in .xml or .mjcf; whether it is one, its root tells (<mujoco>).
bool is_mjcf_file(std::string_view path);

// The scene, and what was made of the file. Errors have file and line.
Result<model::Imported> import_mjcf(std::string_view text, const std::string& file,
                                    const model::Files& files,
                                    const model::ImportOptions& options = {});

}  // namespace tenon::scene::mjcf
