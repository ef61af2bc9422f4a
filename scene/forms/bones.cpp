#include "tenon/scene/forms/bones.h"

#include "tenon/scene/forms/detail/bone_parts.h"
#include "tenon/scene/forms/detail/makers.h"

namespace tenon::scene {

std::vector<Blob> make_bone(Bone bone) {
  switch (bone) {
    case Bone::kPelvis:
      return make_pelvis();
    case Bone::kLumbar:
      return make_lumbar();
    case Bone::kRibCage:
      return make_rib_cage();
    case Bone::kNeck:
      return make_neck();
    case Bone::kSkull:
      return make_skull();
    case Bone::kClavicle:
      return make_clavicle();
    case Bone::kUpperArm:
      return make_upper_arm();
    case Bone::kForearm:
      return make_forearm();
    case Bone::kHand:
      return make_hand();
    case Bone::kThigh:
      return make_thigh();
    case Bone::kShin:
      return make_shin();
    case Bone::kFoot:
      return make_foot();
    case Bone::kToes:
      return make_toes();
  }
  return {};
}

Vec3 bone_origin(Bone bone) {
  switch (bone) {
    case Bone::kPelvis:
      return {0, 0.05, 0};
    case Bone::kLumbar:
      return {0, 0.19, 0};
    case Bone::kRibCage:
      return {0, 0.39, 0};
    case Bone::kNeck:
      return {0, 0.56, 0};
    case Bone::kSkull:
      return {0, 0.72, 0};
    case Bone::kClavicle:
      return {0, 0.48, 0.14};
    case Bone::kUpperArm:
      return {0, 0.32, 0.22};
    case Bone::kForearm:
      return {0, 0.035, 0.22};
    case Bone::kHand:
      return {0, -0.18, 0.22};
    case Bone::kThigh:
      return {0, -0.23, 0.09};
    case Bone::kShin:
      return {0, -0.65, 0.09};
    case Bone::kFoot:
      return {0.04, -0.9, 0.09};
    case Bone::kToes:
      return {0.165, -0.915, 0.09};
  }
  return {};
}

Surface make(const BoneForm& form) {
  const double scale = form.stature / kBoneStature;
  const double edge = form.edge.value_or(0.003 * scale) / scale;
  const Vec3 origin = bone_origin(form.bone);
  Surface surface = polygonise(BlobField(make_bone(form.bone)), edge);
  for (Vec3& v : surface.vertices) v = scale * (v - origin);
  return form.side == Side::kLeft ? mirrored(std::move(surface)) : surface;
}

}  // namespace tenon::scene
