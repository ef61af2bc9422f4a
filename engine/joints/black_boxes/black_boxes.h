// Ready-made black boxes: examples of joints that are one function, and useful as they are.
#pragma once

#include <memory>

#include "tenon/engine/base/result.h"
#include "tenon/engine/joints/black_box.h"

namespace tenon {

// A pin, C's origin, in the slot of a cam, a disc about x_P. The slot is an Archimedean spiral in
// the plane of y_P and z_P with two ends: at the angle a from y_P towards z_P its radius is
//   start_radius + pitch * a / (2 pi),   0 <= a <= 2 pi turns
struct SpiralCam {
  double start_radius = 0.05;  // m, > 0
  double pitch = 0.02;         // m per turn, not 0; the radius must stay positive
  double turns = 1;            // > 0, up to 100
  // kPin: C's x axis stays along the disc's, and C's origin in its plane. kInPlane: the slot guides
  // the pin within the plane and nothing else, for followers that are guided by their own joints.
  enum class Guide : uint8_t { kPin, kInPlane } guide = Guide::kPin;
};
Result<std::shared_ptr<const BlackBox>> make_spiral_cam(const SpiralCam& cam);

// A shoulder: a ball joint whose x axis, the arm, stays inside an elliptic cone about x_P. The
// swing of the arm as a rotation vector (0, sy, sz) satisfies (sy / about_y)^2 + (sz / about_z)^2
// <= 1. The twist of the arm stays free. Reach cones: [Wilhelms2001].
struct ReachCone {
  double about_y = 1.0, about_z = 0.6;  // rad, 0.001 ... pi - 0.001
};
Result<std::shared_ptr<const BlackBox>> make_reach_cone(const ReachCone& cone);

// A magnet on a curved surface of the parent: C's origin stays on the surface, C's x axis along its
// outward normal, and the magnet may slide and twist.
struct EllipsoidMagnet {
  Vec3 half{0.5, 0.3, 0.4};  // m, > 0: half axes along P's axes
};
Result<std::shared_ptr<const BlackBox>> make_ellipsoid_magnet(const EllipsoidMagnet& magnet);
struct TorusMagnet {
  double ring_radius = 0.5, tube_radius = 0.15;  // m, ring > tube > 0; its axis is x_P
};
Result<std::shared_ptr<const BlackBox>> make_torus_magnet(const TorusMagnet& magnet);

}  // namespace tenon
