// The bones of a skeleton as implicit surfaces.
#pragma once

#include <vector>

#include "tenon/scene/document/form.h"
#include "tenon/scene/forms/blobs.h"

namespace tenon::scene {

// The stature that the numbers of the bones are for.
inline constexpr double kBoneStature = 1.76;

// A bone of the right side, in the frame of the whole skeleton: x forward, y up, z to its right,
// the origin between its hips and 95 cm above its soles.
std::vector<Blob> make_bone(Bone bone);
// The origin of its own frame there.
Vec3 bone_origin(Bone bone);

}  // namespace tenon::scene
