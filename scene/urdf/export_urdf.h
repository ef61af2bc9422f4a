// Scenes as URDF files: what is a tree of bodies with hinges, sliders, planar and rigid joints.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene::urdf {

struct UrdfText {
  std::string text;
  std::vector<Error> warnings;  // what the format cannot say
  size_t inexact = 0;           // numbers that read back to round-off only
};

// A flat document. One that was imported from a URDF with the default options gives an equal
// document again. `read`: mesh files, for bodies whose mass or inertia is that of their mesh.
// Error: nothing that a robot could be made of; a body whose mass cannot be known.
Result<UrdfText> export_urdf(const Document& flat, const FileReader& read = {});

}  // namespace tenon::scene::urdf
