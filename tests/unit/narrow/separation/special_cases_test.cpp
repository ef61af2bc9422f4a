// Cases that random ones do not reach.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/engine/collision/narrow/separation.h"

namespace tenon {
namespace {

TEST(Separation, OfTwoPlanesIsInfinite) {
  const Separation result = find_separation(Plane{}, {}, Plane{}, {Mat3::identity(), {0, -1, 0}});
  EXPECT_TRUE(std::isinf(result.distance));
  EXPECT_GT(result.distance, 0);
  EXPECT_TRUE(is_finite(result.p_WA) && is_finite(result.p_WB) && is_finite(result.normal_W));
}

TEST(Separation, OfAShapeWithItselfIsItsSmallestExtent) {
  // a box 2 x 4 x 6 leaves itself by 2; a cylinder of height 1 and diameter 4 by 1
  EXPECT_NEAR(find_separation(Box{{1, 2, 3}}, {}, Box{{1, 2, 3}}, {}).distance, -2, 1e-14);
  EXPECT_NEAR(find_separation(Cylinder{2, 0.5}, {}, Cylinder{2, 0.5}, {}).distance, -1, 1e-14);
  EXPECT_NEAR(find_separation(Sphere{1}, {}, Sphere{2}, {}).distance, -3, 1e-14);
  EXPECT_NEAR(find_separation(Capsule{1, 2}, {}, Capsule{1, 2}, {}).distance, -2, 1e-14);
}

TEST(Separation, OfShapesWithoutVolumeIsFinite) {
  const Shape shapes[] = {Box{{1, 0, 1}}, Box{{1, 0, 0}}, Box{{0, 0, 0}}, Cylinder{1, 0},
                          Cylinder{0, 1}, Capsule{0, 1},  Sphere{0}};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      for (const double height : {0.0, 0.25}) {
        const Separation r = find_separation(a, {}, b, {Mat3::identity(), {0.1, height, 0.05}});
        EXPECT_TRUE(std::isfinite(r.distance) && is_finite(r.p_WA) && is_finite(r.p_WB));
        EXPECT_NEAR(norm(r.normal_W), 1, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace tenon
