// The joints of a recording, for `tenon info --joints`.
#pragma once

#include "tenon/engine/joints/joint_def.h"
#include "tenon/engine/joints/vibration.h"
#include "tenon/recording/reader.h"
#include "tenon/recording/resume.h"

namespace tenon {

struct JointDescription {
  std::string name;
  std::string type;           // "hinge", "shock absorber": as the scene calls it
  std::string parent, child;  // names of bodies; "world"; of gears: names of joints
  std::string freedoms;       // "x rx"; empty for none
  Vibration vibration;        // of its springs, as the scene starts
};

// Kinds are not recorded: the recorded scene is built again to find them. In the order of
// RunRecord::joint_names. Fails where the scene is missing or gives other joints.
Result<std::vector<JointDescription>> read_joint_table(
    RecordingReader& reader,
    const SceneBuilder& build = scene_builder(1, nullptr, nullptr, MeshUse::kPicture));

// A table for a person, with a heading; ends in a newline. Natural frequencies and damping ratios
// where anything has springs or dampers.
std::string format(const std::vector<JointDescription>& joints);

}  // namespace tenon
