// Largest separation of two boxes over their 15 axes, fast.
#pragma once

#include "tenon/engine/geometry/shape.h"

namespace tenon::narrow {

struct BoxAxis {
  Vec3 n_W;  // unit, from A to B
  double s;  // separation along it, m
};

// The axis along which the boxes are farthest apart, of the face normals of both and the common
// perpendiculars of their edges. s <= 0: the boxes overlap and -s is the penetration depth. s > 0:
// they are apart by s at least. Ends with the first axis that separates by more than `far`. Faces
// win over edges that are better by round-off only. Boxes without volume (plates) are welcome, but
// for them an overlap's depth may be less.
BoxAxis find_axis_box_box(const Box& a, const Transform& X_WA, const Box& b, const Transform& X_WB,
                          double far);

}  // namespace tenon::narrow
