// Random pairs of shapes in all regimes: apart, touching, shallow, deep, aligned, of very
// different size, flat and needle-like, far from the origin.
#pragma once

#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon::reference {

struct Case {
  Shape a, b;
  Transform X_WA, X_WB;
  // Where known by construction (support points put `gap` apart along a common normal): the exact
  // distance; otherwise NaN.
  double exact;
};

class CaseMaker {
 public:
  explicit CaseMaker(uint64_t seed);
  Case make(ShapeKind a, ShapeKind b);

 private:
  Shape make_shape(ShapeKind kind);
  Mat3 make_rotation();
  Vec3 make_unit();
  double log_uniform(double low, double high);

  Rng rng_;
  std::vector<Shape> hulls_, small_hulls_;
};

}  // namespace tenon::reference
