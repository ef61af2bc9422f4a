// Numbers of URDF files that read back as what they were.
//
// URDF has roll, pitch and yaw where scenes have quaternions, and directions where scenes have
// frames. Angles of a quaternion differ from those that it was read from in their last digits, or
// by other angles of the same rotation; a file written with them would import as a slightly
// different scene, and drift with each round. So the writer looks for text that reads back to the
// same bits: it tries the angles rounded to fewer digits (what people write), the other angles of
// the same rotation, and neighbours in the last digits.
#pragma once

#include <functional>
#include <string>

#include "tenon/engine/math/quat.h"

namespace tenon::scene::urdf {

struct FoundText {
  std::string text;    // three numbers
  bool exact = false;  // it reads back to the same bits; else to round-off
};

// Roll, pitch and yaw for which `read` gives `target`; R is the rotation they should be.
FoundText find_rpy(const Quat& R, const std::function<Quat(const Vec3&)>& read, const Quat& target);

// A direction for which `read` gives `target`.
FoundText find_direction(const Vec3& direction, const std::function<Quat(const Vec3&)>& read,
                         const Quat& target);

// "x y z"
std::string triple(const Vec3& v);

}  // namespace tenon::scene::urdf
