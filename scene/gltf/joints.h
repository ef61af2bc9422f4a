// Joints of KHR_physics_rigid_bodies: limits and drives along six axes <-> joints by their kind.
#pragma once

#include "tenon/scene/document/document.h"
#include "tenon/scene/gltf/nodes.h"

namespace tenon::scene::gltf {

// What a description of "physicsJoints" says, along the axes of the joint's frame.
struct JointText {
  Joint joint;  // its type, laws, swing and locked; the frames are to be turned by `turn`
  Quat turn;    // from the frame of the kind to that of the file
};

// Limits of 0 ... 0 lock axes, others limit them; two angles together are a cone. Kinds are found
// by the axes that are left free, turned if need be; what has no kind is a six_axis joint.
JointText read_joint(const Json& description, const std::string& file, Unused& unused,
                     model::Report& report);

// The other way. Losses (friction, bounce, black boxes ...) become warnings.
Json write_joint(const Joint& joint, const std::string& file, std::vector<Error>& warnings);
// Whether glTF has such joints at all.
bool can_write(const Joint& joint);

}  // namespace tenon::scene::gltf
