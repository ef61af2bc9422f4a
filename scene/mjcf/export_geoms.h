// Shapes of a scene as geoms, and the meshes that they need as assets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tenon/scene/mjcf/export_contact.h"

namespace tenon::scene::mjcf {

class Geoms {
 public:
  Geoms(Export& e, const Filters& filters) : e_(e), filters_(filters) {}

  // All parts of a body.
  std::vector<Tag> make(const Body& body);
  Tag make_plane(const Body& body);
  // The meshes of what was made so far.
  const std::vector<Tag>& assets() const { return assets_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::optional<Tag> make_part(const Body& body, const Part& part);
  std::string add_mesh(const MeshShape& mesh);
  std::string add_hull(const HullShape& hull);
  std::string add_file(const MeshShape& mesh);
  void add_touch(const Body& body, const std::string& material, Tag& geom) const;
  void add_color(const Body& body, const Part& part, Tag& geom) const;
  bool touches(const Body& body, const Part& part) const {
    return part.role != PartRole::kVisual && filters_.masks.count(&body) > 0;
  }

  Export& e_;
  const Filters& filters_;
  std::vector<Tag> assets_;
  std::vector<std::pair<MeshShape, std::string>> meshes_;  // and their names
  std::set<std::string> names_;
  bool told_hulls_ = false;
  std::optional<Error> error_;
};

}  // namespace tenon::scene::mjcf
