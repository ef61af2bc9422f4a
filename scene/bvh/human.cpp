#include "tenon/scene/bvh/human.h"
#include "tenon/scene/bvh/detail/parts.h"

#include <algorithm>
#include <initializer_list>

namespace tenon::scene::bvh {
namespace {

bool has(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

bool any_has(const std::vector<std::string>& names, std::initializer_list<const char*> words) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return has(lower(name), words); });
}

}  // namespace

Limb find_limb(std::string_view name, const std::vector<std::string>& children, bool is_root) {
  const std::string n = lower(name);
  if (is_root) return Limb::kPelvis;
  if (has(n, {"thumb", "index", "middle", "ring", "pinky", "finger"})) return Limb::kFinger;
  if (has(n, {"toe", "ball"})) return Limb::kToes;
  if (has(n, {"foot", "ankle"})) return Limb::kFoot;
  if (has(n, {"upleg", "upperleg", "thigh", "femur"})) return Limb::kThigh;
  if (has(n, {"knee", "shin", "calf", "tibia", "lowerleg", "leg"})) return Limb::kShin;
  if (has(n, {"hand", "wrist"})) return Limb::kHand;
  if (has(n, {"forearm", "elbow", "lowerarm", "radius"})) return Limb::kForearm;
  if (has(n, {"collar", "clavicle"})) return Limb::kCollar;
  if (has(n, {"shoulder"})) {
    return any_has(children, {"elbow", "forearm", "lowerarm"}) ? Limb::kUpperArm : Limb::kCollar;
  }
  if (has(n, {"arm", "humerus"})) return Limb::kUpperArm;
  if (has(n, {"hip"})) return any_has(children, {"knee", "shin"}) ? Limb::kThigh : Limb::kPelvis;
  if (has(n, {"neck"})) return Limb::kNeck;
  if (has(n, {"head"})) return Limb::kHead;
  if (has(n, {"spine", "chest", "back", "thorax", "torso", "abdomen"})) return Limb::kSpine;
  return Limb::kOther;
}

Side find_side(std::string_view name) {
  const std::string n = lower(name);
  if (has(n, {"left"})) return Side::kLeft;
  if (has(n, {"right"})) return Side::kRight;
  // LHipJoint, lShin, l_elbow
  const bool marked = name.size() > 1 && ((name[1] >= 'A' && name[1] <= 'Z') || name[1] == '_');
  if (marked && n[0] == 'l') return Side::kLeft;
  if (marked && n[0] == 'r') return Side::kRight;
  return Side::kNone;
}

LimbShape limb_shape(Limb limb) {
  switch (limb) {
    case Limb::kPelvis:
      return {0.062, 30, 30};
    case Limb::kSpine:
      return {0.070, 35, 35};
    case Limb::kNeck:
      return {0.033, 45, 60};
    case Limb::kHead:
      return {0.052, 45, 45};
    case Limb::kCollar:
      return {0.035, 35, 25};
    case Limb::kUpperArm:
      return {0.028, 110, 90};
    case Limb::kForearm:
      return {0.022, 140, 90, true};
    case Limb::kHand:
      return {0.020, 75, 45};
    case Limb::kFinger:
      return {0.008, 90, 20};
    case Limb::kThigh:
      return {0.046, 100, 50};
    case Limb::kShin:
      return {0.033, 145, 20, true};
    case Limb::kFoot:
      return {0.023, 50, 35};
    case Limb::kToes:
      return {0.018, 60, 15};
    case Limb::kOther:
      break;
  }
  return {};
}

}  // namespace tenon::scene::bvh
