// Scenes as MJCF files, the models of MuJoCo [Todorov2012]. What becomes of what: docs/models.md.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene::mjcf {

struct MjcfExportOptions {
  FileReader read{};                    // files of meshes, as the scene names them
  std::string mesh_folder = "meshes/";  // of those that are written, beside the model
};

// A file of triangles that the model needs besides those that the scene named already.
struct MeshFileText {
  std::string name;  // relative to the model
  std::string text;  // OBJ
};

struct MjcfText {
  std::string text;
  std::vector<MeshFileText> meshes;
  std::vector<Error> warnings;  // what the format cannot say, or says in another way
  size_t inexact = 0;           // numbers that read back to round-off only
  std::string key;  // of the key frame with velocities and controls; empty: none is needed
};

// The name of that key frame.
inline constexpr const char* kStartKey = "start";

// A flat document. The model stands as the scene starts. One that was imported from MJCF gives an
// equal document again. Error: nothing that a model could be made of, or a mesh that cannot be
// read.
Result<MjcfText> export_mjcf(const Document& flat, const MjcfExportOptions& options = {});

}  // namespace tenon::scene::mjcf
