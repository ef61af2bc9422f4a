// Robots of ROS: URDF files as scenes. What becomes of which tag: docs/models.md.
#pragma once

#include <string_view>

#include "tenon/scene/model/import.h"
#include "tenon/scene/model/tree.h"

namespace tenon::scene::urdf {

// "robot.urdf", or text that begins a <robot>.
bool is_urdf_file(std::string_view path);

// A mimic joint: q_joint = multiplier q_of + offset.
struct Mimic {
  std::string joint, of;
  double multiplier = 1, offset = 0;
  Place place;
};

// What a file says, before it is a scene.
struct Robot {
  std::string name;
  model::Tree tree;
  std::vector<Mimic> mimics;
};

// `root` is marked where it was understood. Errors have the line of the file: what is no URDF,
// links and joints that make no tree, numbers that are none or out of range.
Result<Robot> read_robot(xml::Element& root, const model::Files& files, model::Report& report);

// The scene, and what was made of the file.
Result<model::Imported> import_urdf(std::string_view text, const std::string& file,
                                    const model::Files& files,
                                    const model::ImportOptions& options = {});

// A direction as the reader makes it of unit length.
Vec3 unit_axis(const Vec3& axis);

}  // namespace tenon::scene::urdf
