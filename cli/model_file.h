// Models of robots, of MuJoCo, glTF files with rigid bodies, and meshes, from files.
#pragma once

#include <string>

#include "tenon/scene/model/import.h"

namespace tenon::cli {

// Whether a file is a model: .urdf, .gltf, .glb, .obj, .stl, .ply, or .xml and .mjcf of which the
// text begins a <robot> or a <mujoco>.
bool is_model_file(const std::string& path, const std::string& text);

// The whole file; those that hold triangles may be as large as mesh files.
Result<std::string> read_model_file(const std::string& path);

// Reads the model and the files it names beside it.
Result<scene::model::Imported> import_model(const std::string& path, const std::string& text,
                                            const scene::model::ImportOptions& options = {});

// The same with files that lie elsewhere than on the disk.
Result<scene::model::Imported> import_model(const std::string& path, const std::string& text,
                                            const scene::model::Files& files,
                                            const scene::model::ImportOptions& options);

// Names of mesh files are relative to their scene: from beside one file to beside another.
void relocate_meshes(const std::string& from, const std::string& to, scene::Document& document);

}  // namespace tenon::cli
