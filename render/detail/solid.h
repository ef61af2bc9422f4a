// One convex part of a body in the picture.
#pragma once

#include <optional>
#include <string>

#include "tenon/render/detail/model.h"
#include "tenon/render/detail/paint_order.h"
#include "tenon/render/detail/svg_text.h"

namespace tenon::render {

// Solid ground dot(n, p) <= offset whose surface the eye sees.
struct HalfSpace {
  Vec3 normal_W;  // unit
  double offset = 0;
};

// What all parts of a picture share.
struct Canvas {
  View view;
  Lighting lighting;
  Gradients gradients;
  std::vector<HalfSpace> grounds;
};

struct Item {
  Painted painted;
  std::string markup;
};

// Facets about the axis of a round shape of this radius so that they are hardly seen.
int choose_sides(double radius_px);

// Nothing when the part is not in the picture or under a ground. `attributes` go to its <g>.
std::optional<Item> draw_part(Canvas& canvas, const ModelPart& part, const Pose& X_WB,
                              const std::string& attributes);

}  // namespace tenon::render
