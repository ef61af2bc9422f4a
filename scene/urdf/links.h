// Links of a URDF file.
#pragma once

#include <map>

#include "tenon/scene/urdf/import_urdf.h"

namespace tenon::scene::urdf {

struct Coloring {
  std::map<std::string, std::optional<Color>> materials;  // by name
};

// <origin xyz rpy> below the element; the identity if there is none.
Result<Pose> read_origin(xml::Element& parent);

// <material> of the robot, or of a visual, which may define it on the way.
Result<std::optional<Color>> read_material(xml::Element& material, const model::Files& files,
                                           Coloring& coloring, model::Report& report);

Result<model::Link> read_link(xml::Element& link, const model::Files& files, Coloring& coloring,
                              model::Report& report);

}  // namespace tenon::scene::urdf
