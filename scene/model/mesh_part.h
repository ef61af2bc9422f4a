// Meshes that a model names.
#pragma once

#include <optional>

#include "tenon/scene/model/report.h"
#include "tenon/scene/model/tree.h"

namespace tenon::scene::model {

// The shape of a mesh file that is there, scaled; nothing, and a warning at the element, where it
// cannot be used.
std::optional<PartShape> make_mesh_shape(const std::string& path, const Vec3& scale,
                                         const xml::Element& element, Report& report);

}  // namespace tenon::scene::model
