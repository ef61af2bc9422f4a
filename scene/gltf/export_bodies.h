// Bodies of a scene as nodes: their motion, colliders and pictures.
#pragma once

#include "tenon/scene/gltf/export_surfaces.h"
#include "tenon/scene/gltf/glb_writer.h"
#include "tenon/scene/mesh/mesh_library.h"

namespace tenon::scene::gltf {

class BodyWriter {
 public:
  BodyWriter(Exporting& e, GlbWriter& glb, SurfaceList& surfaces, const FileReader& read)
      : e_(e), glb_(glb), surfaces_(surfaces), meshes_({.read = read, .use = MeshUse::kPicture}) {}

  // Error: a mesh that cannot be read, or a body without mass.
  Status add(const Body& body);
  const Json& shapes() const { return shapes_; }
  const Json& filters() const { return filters_; }

 private:
  Status add_motion(const Body& body, int node);
  Status add_mass(const Body& body, Json& motion);
  Status add_plane(const Body& body, const PlaneShape& plane, int node);
  Status add_part(const Body& body, const Part& part, int node);
  void add_collider(const Body& body, const Part& part, int node);
  // The number of a shape that glTF has; -1: it has none, and its mesh stands for it.
  int add_shape(const PartShape& shape);
  int add_filter(const Body& body);

  Exporting& e_;
  GlbWriter& glb_;
  SurfaceList& surfaces_;
  MeshLibrary meshes_;
  Json shapes_ = Json::array(), filters_ = Json::array();
};

}  // namespace tenon::scene::gltf
