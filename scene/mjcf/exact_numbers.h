// Numbers of MJCF files that read back as what they were.
//
// A scene has the frames of joints on two bodies, a file has the pose of one body in the other and
// axes; a scene has turned shapes along y, a file along z. What is computed from one for the other
// differs in the last digits, and would drift with each round. So the writer looks for numbers
// that read back to the same bits: those of few digits first (what people write), then neighbours
// in the last place.
#pragma once

#include <functional>

#include "tenon/engine/math/quat.h"

namespace tenon::scene::mjcf {

// The first candidate near `value` that `reads` accepts is left in `value`. False: there is none,
// and `value` stays.
bool find_vector(const std::function<bool(const Vec3&)>& reads, Vec3& value);
bool find_quat(const std::function<bool(const Quat&)>& reads, Quat& value);
bool find_number(const std::function<bool(double)>& reads, double& value);

}  // namespace tenon::scene::mjcf
