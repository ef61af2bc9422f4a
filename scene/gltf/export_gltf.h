// Scenes as binary glTF files with rigid bodies (import_gltf.h).
#pragma once

#include <string>
#include <vector>

#include "tenon/scene/document/document.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene::gltf {

struct GltfBytes {
  std::string bytes;            // of a .glb
  std::vector<Error> warnings;  // what the format cannot say
};

// A flat document. Every collider also has a mesh to be seen. `read` has the mesh files. A document
// that was imported gives an equal one again, but for the last digits of velocities and turned
// inertias. Error: a mesh that cannot be read, or no bodies.
Result<GltfBytes> export_gltf(const Document& flat, const FileReader& read);

}  // namespace tenon::scene::gltf
