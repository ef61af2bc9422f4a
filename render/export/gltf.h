// Recordings as glTF 2.0 binary files (.glb) for Blender, three.js and other programs.
// Source: Khronos glTF 2.0 specification (ISO/IEC 12113); extensions KHR_lights_punctual,
// KHR_materials_transmission, KHR_materials_ior.
//
// The file is written by ourselves: tinygltf, the library at hand, is made for reading, keeps a
// second copy of everything and brings nlohmann-json and stb; what is needed here is a table of
// numbers and a JSON text of a dozen kinds of objects.
#pragma once

#include "tenon/render/export/bake.h"

namespace tenon::exports {

// One node per body, named after it, at the pose of its frame, with a child per part; meshes and
// materials are shared. Translation and rotation are animated with one key per frame, LINEAR, and
// scale for springs and for what comes and goes. The floor is a large square with a checkered
// texture; wood and stone have their colour only, for glTF knows no procedural textures.
// Errors: more than 4 GiB, the largest the format can hold.
Result<std::string> to_glb(const Baked& baked);

}  // namespace tenon::exports
