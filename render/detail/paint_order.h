// Which convex solid to paint before which, seen from the eye.
#pragma once

#include <vector>

#include "tenon/engine/geometry/shape.h"
#include "tenon/render/detail/view.h"

namespace tenon::render {

struct Painted {
  Shape shape;  // any but a plane
  Transform X_WS;
  Box2 bounds;       // in the picture
  double depth = 0;  // m, of its centre
  size_t body = 0;
  int pose = 0;       // earlier poses of a body lie below later ones where they overlap
  bool line = false;  // a piece of a path: lies below the solids it runs into
};

// Indices from the first to the last to paint.
std::vector<size_t> find_paint_order(const std::vector<Painted>& items, const View& view);

}  // namespace tenon::render
