// Models of robots and of MuJoCo, from files.
#pragma once

#include <string>

#include "tenon/scene/model/import.h"

namespace tenon::cli {

// Whether a file is a model: .urdf, or .xml and .mjcf of which the text begins a <robot> or a
// <mujoco>.
bool is_model_file(const std::string& path, const std::string& text);

// Reads the model and the files it names beside it.
Result<scene::model::Imported> import_model(const std::string& path, const std::string& text,
                                            const scene::model::ImportOptions& options = {});

}  // namespace tenon::cli
