// Shapes and mass of a scene body in the engine's terms.
#pragma once

#include "tenon/engine/world/body_def.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/mesh/mesh_library.h"

namespace tenon::scene {

// One piece of a body: a collider, or a point mass without extent.
struct BodyPart {
  std::optional<tenon::Shape> shape;
  Pose X_BP;
  std::string material;        // name
  MassProperties mass;         // in the body frame; zero for planes and fixed points
  double surface = 0;          // m^2
  Vec3 surface_velocity = {};  // m/s, body axes
  bool sensor = false;
  PartRole role = PartRole::kAll;  // what is only seen has no mass and no surface here
};

// Error: a hull that is no solid, a mesh that cannot be read or made.
Result<std::vector<BodyPart>> make_parts(const Document& flat, const Body& body,
                                         MeshLibrary& meshes);

// Whether the mesh files of a body can be read and made, and are closed if it moves freely.
Status check_mesh_files(const Body& body, MeshLibrary& meshes);

// Total mass properties with the body's overrides applied.
Result<MassProperties> calc_body_mass(const Body& body, const std::vector<BodyPart>& parts);

}  // namespace tenon::scene
