// A convex shape of any kind, for tests of what must hold for all of them.
#pragma once

#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/hull.h"

namespace tenon::test {

// Half lengths and radii of 0.1 to 0.4 m, times `size`.
inline Shape any_shape(Rng& rng, double size = 1) {
  const double a = size * rng.uniform(0.1, 0.4), b = size * rng.uniform(0.1, 0.4);
  const double c = size * rng.uniform(0.1, 0.4);
  switch (rng.below(5)) {
    case 0:
      return Sphere{a};
    case 1:
      return Box{{a, b, c}};
    case 2:
      return Cylinder{a, b};
    case 3:
      return Capsule{a, b};
    default: {
      const std::vector<Vec3> corners{{a, 0, 0},  {-a, 0, 0}, {0, b, 0},
                                      {0, -b, 0}, {0, 0, c},  {0, 0, -c}};
      return *make_hull(corners);
    }
  }
}

}  // namespace tenon::test
