#include "tenon/scene/model/mesh_part.h"

namespace tenon::scene::model {

std::optional<PartShape> make_mesh_shape(const std::string& path, const Vec3&,
                                         const xml::Element& element, Report& report) {
  report.warnings.push_back(xml::error_at(element, "meshes are not read yet; left out", path));
  return std::nullopt;
}

}  // namespace tenon::scene::model
