// The bytes of a .glb: meshes of shapes, each once, and the two chunks.
#pragma once

#include <map>
#include <string>

#include "tenon/scene/document/json.h"
#include "tenon/scene/document/shape.h"
#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene::gltf {

class GlbWriter {
 public:
  explicit GlbWriter(const FileReader& read) : read_(read) {}

  // The number of a mesh that shows the shape in this colour; -1: nothing is to be seen of it.
  // Round shapes are cut into flat faces. Error: a mesh that cannot be read, a hull that is none.
  Result<int> add_mesh(const PartShape& shape, const Color& color);

  // Puts meshes, accessors and materials into the root, and both into bytes.
  std::string finish(Json root);

 private:
  int add_color(const Color& color);
  Json add_positions(const std::vector<Vec3>& points);
  int add_view(size_t begin, int target);

  const FileReader& read_;
  std::string binary_;
  Json meshes_ = Json::array(), accessors_ = Json::array(), views_ = Json::array(),
       materials_ = Json::array();
  std::map<std::string, int> known_, colors_;
};

}  // namespace tenon::scene::gltf
