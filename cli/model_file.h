// Models of robots, of MuJoCo, and glTF files with rigid bodies, from files.
#pragma once

#include <string>

#include "tenon/scene/model/import.h"

namespace tenon::cli {

// Whether a file is a model: .urdf, .gltf, .glb, or .xml and .mjcf of which the text begins a
// <robot> or a <mujoco>.
bool is_model_file(const std::string& path, const std::string& text);

// The whole file; those that hold triangles may be as large as mesh files.
Result<std::string> read_model_file(const std::string& path);

// Reads the model and the files it names beside it.
Result<scene::model::Imported> import_model(const std::string& path, const std::string& text,
                                            const scene::model::ImportOptions& options = {});

// Names of mesh files are relative to their scene: from beside one file to beside another.
void relocate_meshes(const std::string& from, const std::string& to, scene::Document& document);

}  // namespace tenon::cli
