// Shapes, materials and filters of KHR_physics_rigid_bodies.
#pragma once

#include <map>
#include <optional>

#include "tenon/scene/document/document.h"
#include "tenon/scene/gltf/nodes.h"
#include "tenon/scene/mesh/gltf_file.h"

namespace tenon::scene::gltf {

// What the parts of the import share.
struct Source {
  const GltfFile& file;
  std::vector<Node> nodes;
  GltfMeshes& meshes;
  Unused unused;
  model::Report& report;

  void warn(const Json& at, std::string message, std::string value = {},
            std::string accepted = {}) {
    report.warnings.push_back(model::error_at(file.name, at.place, std::move(message),
                                              std::move(value), std::move(accepted)));
  }
};

// A collider or trigger as a shape in the frame of its node; nothing, and a warning, where it is
// none. A mesh that moves and is not closed is replaced by its hull, which is told.
std::optional<Shape> read_shape(Source& source, const Node& node, const Json& collider);
// The mesh of a node to be seen, if it has one that is not there for a collider only.
std::optional<Part> read_picture(Source& source, const Node& node);

// Adds the materials, and what happens between any two of them. Their names by index.
std::vector<std::string> read_materials(Source& source, Document& document);
// Adds the systems as groups; sets the rules of the bodies.
void read_filter(Source& source, const Json& collider, Document& document, Body& body);

}  // namespace tenon::scene::gltf
