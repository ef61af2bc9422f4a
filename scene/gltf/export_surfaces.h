// Materials of a scene as physicsMaterials.
#pragma once

#include <string>
#include <vector>

#include "tenon/scene/gltf/export_nodes.h"

namespace tenon::scene::gltf {

class SurfaceList {
 public:
  // Lists those that something touches with, in the order of the scene, however bodies stand: what
  // comes back has the same.
  explicit SurfaceList(Exporting& e);

  // The number of a material, added where it is not there yet.
  int add(const std::string& name);
  // How two of them meet, as far as glTF can say it. After the last was added.
  void choose_combines();
  const Json& json() const { return surfaces_; }

 private:
  Exporting& e_;
  Json surfaces_ = Json::array();
  std::vector<std::string> names_;
};

}  // namespace tenon::scene::gltf
