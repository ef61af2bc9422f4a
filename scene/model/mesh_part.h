// Meshes that a model names.
#pragma once

#include <optional>
#include <string>

#include "tenon/scene/mesh/mesh_file.h"
#include "tenon/scene/model/report.h"
#include "tenon/scene/model/tree.h"

namespace tenon::scene::model {

struct MeshUseOf {
  std::string path;  // of the file, which is there; empty: the points below
  Vec3 scale{1, 1, 1};
  bool touches = false;  // else it is only seen
  std::vector<Vec3> vertices{};
  std::vector<std::array<int, 3>> triangles{};  // none: the hull of the points is meant
};

// The mesh as a shape. What touches must be closed here; the convex hull of one that is not (as
// many programs use for all meshes) takes its place, and that is told. Nothing, and a warning at
// the element, where the file is no mesh.
std::optional<PartShape> make_mesh_shape(const MeshUseOf& use, const Files& files,
                                         const xml::Element& element, Report& report);

// The convex hull of the vertices that are furthest out in 200 directions.
HullShape make_hull_of(const std::vector<Vec3>& vertices);

// Reads the files that such shapes name: they are relative to the folder of the model.
FileReader mesh_reader(const Files& files, const std::string& model);

}  // namespace tenon::scene::model
