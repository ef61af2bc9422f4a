#include "tenon/scene/document/joint.h"

namespace tenon::scene {

std::array<bool, kJointAxes> free_axes(const Joint& joint) {
  constexpr bool o = false, f = true;
  switch (joint.type) {
    case JointType::kPoint:
      return {o, o, o, f, f, f};
    case JointType::kHinge:
    case JointType::kTwist:
      return {o, o, o, f, o, o};
    case JointType::kSlider:
    case JointType::kDistance:
      return {f, o, o, o, o, o};
    case JointType::kSlider2:
      return {f, f, o, o, o, o};
    case JointType::kSlider3:
      return {f, f, f, o, o, o};
    case JointType::kPlanarTwist:
      return {o, f, f, f, o, o};
    case JointType::kCylindrical:
    case JointType::kScrew:
      return {f, o, o, f, o, o};
    case JointType::kUniversal:
      return {o, o, o, f, f, o};
    case JointType::kBallInTube:
      return {f, o, o, f, f, f};
    case JointType::kPointOnPlane:
      return {o, f, f, f, f, f};
    case JointType::kSixAxis: {
      std::array<bool, kJointAxes> free{f, f, f, f, f, f};
      for (const JointAxis axis : joint.locked) free[static_cast<size_t>(axis)] = false;
      return free;
    }
    case JointType::kRigid:
    case JointType::kGear:
    case JointType::kBlackBox:
      break;
  }
  return {};
}

std::optional<JointAxis> only_axis(const Joint& joint) {
  if (joint.type == JointType::kScrew) return JointAxis::kRx;
  std::optional<JointAxis> only;
  const std::array<bool, kJointAxes> free = free_axes(joint);
  for (size_t i = 0; i < free.size(); ++i) {
    if (!free[i]) continue;
    if (only) return std::nullopt;
    only = static_cast<JointAxis>(i);
  }
  return only;
}

}  // namespace tenon::scene
