#include "tenon/engine/geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace tenon {
namespace {

TEST(ShapeName, IsTheSpellingOfTheSceneFile) {
  EXPECT_STREQ(name(kind(Sphere{})), "sphere");
  EXPECT_STREQ(name(kind(Box{})), "box");
  EXPECT_STREQ(name(kind(Cylinder{})), "cylinder");
  EXPECT_STREQ(name(kind(Capsule{})), "capsule");
  EXPECT_STREQ(name(kind(Plane{})), "plane");
  EXPECT_STREQ(name(kind(Hull{})), "hull");
}

std::string error_of(const Shape& shape) {
  const Status status = check(shape);
  return status.ok() ? "ok" : format(status.error());
}

TEST(ShapeCheck, NamesTheBadField) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double bad : {0.0, -1.0, nan, double(INFINITY), 1e31, 1e-31}) {
    EXPECT_NE(error_of(Sphere{bad}).find("sphere radius"), std::string::npos);
    EXPECT_NE(error_of(Box{{1, 1, bad}}).find("half.z"), std::string::npos);
    EXPECT_NE(error_of(Cylinder{1, bad}).find("half_height"), std::string::npos);
    EXPECT_NE(error_of(Capsule{bad, 1}).find("capsule radius"), std::string::npos);
    if (bad != 0) {
      EXPECT_NE(error_of(Capsule{1, bad}).find("half_length"), std::string::npos);
    }
  }
  EXPECT_EQ(error_of(Capsule{1, 0}), "ok");
  EXPECT_EQ(error_of(Plane{}), "ok");
  EXPECT_NE(error_of(Hull{}).find("no geometry"), std::string::npos);
}

}  // namespace
}  // namespace tenon
