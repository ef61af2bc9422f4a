// The bodies of a recording and what they weigh, for `tenon info --bodies`.
#pragma once

#include <optional>

#include "tenon/engine/world/body_def.h"
#include "tenon/recording/reader.h"
#include "tenon/recording/resume.h"

namespace tenon {

struct BodyDescription {
  std::string name;
  MotionKind motion{};
  BodyMass mass;                       // in the body frame; zeros for bodies that are not dynamic
  std::optional<double> release = {};  // s, of a kinematic body that becomes dynamic
};

// Masses are not recorded: the recorded scene is built again to find them. In the order of
// RunRecord::body_names. Fails where the scene is missing or gives other bodies.
Result<std::vector<BodyDescription>> read_bodies(
    RecordingReader& reader,
    const SceneBuilder& build = scene_builder(1, nullptr, nullptr, MeshUse::kPicture));

// A table for a person, with a heading, six digits and a dash where a body has no mass; ends in a
// newline.
std::string format(const std::vector<BodyDescription>& bodies);

}  // namespace tenon
