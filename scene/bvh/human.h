// What the names of joints say about a human figure: how thick a limb is and how far it bends.
// Thicknesses and ranges are rounded from everyday bodies. They keep a figure from folding like
// cloth and are no medical data; the motion of a file is always allowed, whatever stands here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::scene::bvh {

enum class Limb {
  kPelvis,
  kSpine,
  kNeck,
  kHead,
  kCollar,
  kUpperArm,
  kForearm,
  kHand,
  kFinger,
  kThigh,
  kShin,
  kFoot,
  kToes,
  kOther
};
enum class Side { kNone, kLeft, kRight };

struct LimbShape {
  double radius = 0;      // of the figure's height; zero: from the length of the bone
  double swing_deg = 60;  // cone of the bone about where it is without rotation
  double twist_deg = 45;  // to both sides
  bool hinge = false;     // knees and elbows
};

// The limb whose joint to its parent has that name; `children` are the names of those that hang on
// it (a shoulder that carries an elbow is an upper arm, one that carries an arm a collar bone).
Limb find_limb(std::string_view name, const std::vector<std::string>& children, bool is_root);
Side find_side(std::string_view name);
LimbShape limb_shape(Limb limb);

}  // namespace tenon::scene::bvh
