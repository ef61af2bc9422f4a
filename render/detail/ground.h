// Planes as checkered ground that fades away, with shadows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tenon/render/detail/solid.h"

namespace tenon::render {

struct GroundPatch {
  Transform X_WP;  // the plane is y = 0 of P
  Surface surface;
  Vec3 center_W;      // of what is drawn
  double radius = 1;  // m, of what is drawn
};

// Fades to nothing at three times the radius.
std::string draw_ground(const Canvas& canvas, const GroundPatch& patch);

// Path data of the shadow that light travelling along `sun_W` throws on the plane; empty where
// there is none. The part is convex, so its shadow is the convex hull of its vertices' shadows.
std::string shadow_data(const Canvas& canvas, const HalfSpace& ground, const ModelPart& part,
                        const Pose& X_WB);

// Convex hull in the plane, counter-clockwise; fewer than three points when it is flat.
std::vector<Point2> hull_2d(std::vector<Point2> points);

}  // namespace tenon::render
