// glTF files with rigid bodies: the extensions KHR_physics_rigid_bodies and KHR_implicit_shapes
// [Khronos2025], as drafted by the Khronos group.
#pragma once

#include "tenon/scene/mesh/mesh_file.h"
#include "tenon/scene/model/import.h"

namespace tenon::scene::gltf {

inline constexpr const char* kPhysics = "KHR_physics_rigid_bodies";
inline constexpr const char* kShapes = "KHR_implicit_shapes";
// In the extras of a node: its mesh only shows a collider that is there as well.
inline constexpr const char* kPicture = "tenon_picture";

bool is_gltf_file(std::string_view path);  // .gltf or .glb

// Bodies, colliders, materials, filters and joints; meshes without a collider are only seen. `read`
// has the buffers that a .gltf names. What the file says and is not used stands in the report.
// Error: nothing that moves and nothing to touch.
Result<model::Imported> import_gltf(std::string_view bytes, const std::string& file,
                                    const FileReader& read,
                                    const model::ImportOptions& options = {});

}  // namespace tenon::scene::gltf
