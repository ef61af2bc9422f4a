// Hulls of sets that break naive code, and the errors of sets without a hull.
#include <array>
#include <limits>
#include <string>

#include "hull_checks.h"
#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/tests/effort.h"

namespace tenon {
namespace {

Vec3 random_point(Rng& rng) { return {rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; }

std::string error_of(std::span<const Vec3> points) {
  const auto hull = make_hull(points);
  return hull.ok() ? "no error" : format(hull.error());
}

TEST(HullInput, IsRefusedWithTheReason) {
  const Vec3 o;
  const std::vector<Vec3> three{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_NE(error_of({}).find("at least 4 points"), std::string::npos);
  EXPECT_NE(error_of(three).find("at least 4 points"), std::string::npos);
  EXPECT_NE(error_of(std::vector<Vec3>(100001, o)).find("too many"), std::string::npos);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (double bad : {nan, inf, -inf, 1e31}) {
    for (int k = 0; k < 3; ++k) {
      std::vector<Vec3> points{o, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      points[2][k] = bad;
      EXPECT_NE(error_of(points).find("point 2"), std::string::npos) << bad;
    }
  }
}

TEST(HullInput, NamesTheKindOfDegeneracyAtEveryScaleAndPlace) {
  Rng rng(10);
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (int round = 0; round < 100; ++round) {
      const Mat3 R = random_rotation(rng);
      const Vec3 at = 10 * scale * random_point(rng);
      std::vector<Vec3> same, line, plane;
      for (int i = 0; i < 30; ++i) {
        same.push_back(at);
        line.push_back(at + scale * (R * Vec3{rng.uniform(-1, 1), 0, 0}));
        plane.push_back(at + scale * (R * Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), 0}));
      }
      EXPECT_NE(error_of(same).find("coincident"), std::string::npos) << error_of(same);
      EXPECT_NE(error_of(line).find("collinear"), std::string::npos) << error_of(line);
      EXPECT_NE(error_of(plane).find("flat"), std::string::npos) << error_of(plane);
    }
  }
}

TEST(HullOfDegenerateSets, SurvivesDuplicates) {
  Rng rng(11);
  for (int round = 0; round < 50; ++round) {
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i) points.push_back(random_point(rng));
    for (int i = 0; i < 200; ++i) points.push_back(points[rng.below(20)]);
    check_hull(points, "duplicates");
  }
}

TEST(HullOfDegenerateSets, SurvivesNearDuplicates) {
  Rng rng(12);
  for (double noise : {1e-16, 1e-13, 1e-10, 1e-8, 1e-7, 1e-6, 1e-4}) {
    for (int round = 0; round < 20; ++round) {
      std::vector<Vec3> points;
      for (int i = 0; i < 20; ++i) points.push_back(random_point(rng));
      for (int i = 0; i < 200; ++i) {
        points.push_back(points[rng.below(20)] + noise * random_point(rng));
      }
      check_hull(points, "near duplicates");
    }
  }
}

TEST(HullOfDegenerateSets, SurvivesCoplanarGridsAndFindsTheBox) {
  Rng rng(13);
  for (double scale : {1e-3, 1.0, 1e3}) {
    for (int round = 0; round < 10; ++round) {
      const Mat3 R = round == 0 ? Mat3::identity() : random_rotation(rng);
      std::vector<Vec3> points;
      for (int i = 0; i <= 8; ++i) {
        for (int j = 0; j <= 8; ++j) {
          for (int k = 0; k <= 8; ++k)
            points.push_back(scale * (R * Vec3{0.1 * i, 0.1 * j, 0.1 * k}));
        }
      }
      check_hull(points, "grid");
      const auto hull = make_hull(points);
      ASSERT_TRUE(hull.ok());
      EXPECT_EQ(hull->geometry->faces.size(), 6u);
      EXPECT_EQ(hull->geometry->vertices.size(), 8u);
    }
  }
}

TEST(HullOfDegenerateSets, SurvivesSinglePrecisionGrids) {
  Rng rng(14);
  for (int round = 0; round < 20; ++round) {
    const Mat3 R = random_rotation(rng);
    std::vector<Vec3> points;
    for (int i = 0; i <= 6; ++i) {
      for (int j = 0; j <= 6; ++j) {
        for (int k = 0; k <= 6; ++k) {
          const Vec3 p = R * Vec3{0.1 * i, 0.1 * j, 0.1 * k};
          points.push_back(
              {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
        }
      }
    }
    check_hull(points, "float grid");
    const auto hull = make_hull(points);
    ASSERT_TRUE(hull.ok());
    // the point of the tolerance: single-precision noise does not shatter a face
    EXPECT_EQ(hull->geometry->faces.size(), 6u);
  }
}

TEST(HullOfDegenerateSets, SurvivesNoiseAroundTheTolerance) {
  Rng rng(15);
  for (double noise : {1e-15, 1e-12, 1e-9, 1e-8, 3e-8, 1e-7, 3e-7, 1e-6, 1e-5}) {
    for (int round = 0; round < 10; ++round) {
      const Mat3 R = random_rotation(rng);
      std::vector<Vec3> points;
      for (int i = 0; i <= 6; ++i) {
        for (int j = 0; j <= 6; ++j) {
          for (int k = 0; k <= 6; ++k) {
            points.push_back(R * Vec3{0.1 * i, 0.1 * j, 0.1 * k} + noise * random_point(rng));
          }
        }
      }
      check_hull(points, "noisy grid");
    }
  }
}

TEST(HullOfDegenerateSets, SurvivesPointsOnASphere) {
  Rng rng(16);
  for (int count : {50, 1000, 3000}) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(random_unit(rng));
    check_hull(points, "sphere");
  }
  // rings of latitude: many exactly coplanar and cospherical points
  std::vector<Vec3> globe;
  for (int i = 0; i <= 24; ++i) {
    for (int j = 0; j < 48; ++j) {
      const double a = kPi * i / 24, b = 2 * kPi * j / 48;
      globe.push_back({std::sin(a) * std::cos(b), std::cos(a), std::sin(a) * std::sin(b)});
    }
  }
  check_hull(globe, "globe");
  const auto hull = make_hull(globe);
  ASSERT_TRUE(hull.ok());
  EXPECT_EQ(hull->geometry->faces.size(), 24u * 48u);  // quads, and triangles at the poles
}

TEST(HullOfDegenerateSets, SurvivesIntegerCoordinates) {
  Rng rng(17);
  for (int round = 0; round < 200; ++round) {
    std::vector<Vec3> points;
    for (int i = 0; i < 100; ++i) {
      points.push_back({static_cast<double>(rng.below(5)), static_cast<double>(rng.below(5)),
                        static_cast<double>(rng.below(5))});
    }
    check_hull(points, "small integers");
  }
}

TEST(HullOfDegenerateSets, SurvivesNeedlesAndSlivers) {
  Rng rng(18);
  for (double thin : {1e-1, 1e-3, 1e-4, 1e-5}) {
    for (double other : {thin, 1.0}) {
      for (int round = 0; round < 30; ++round) {
        const Mat3 R = random_rotation(rng);
        std::vector<Vec3> points, corners;
        for (int i = 0; i < 100; ++i) {
          const Vec3 p = random_point(rng);
          points.push_back(R * Vec3{p.x, other * p.y, thin * p.z});
        }
        for (int i = 0; i < 8; ++i) {
          corners.push_back(R *
                            Vec3{i & 1 ? 1. : -1., i & 2 ? other : -other, i & 4 ? thin : -thin});
        }
        check_hull(points, "thin cloud");
        check_hull(corners, "thin box");
        const auto box = make_hull(corners);
        ASSERT_TRUE(box.ok());
        EXPECT_EQ(box->geometry->faces.size(), 6u);
        // coordinates of size 1 carry 1e-16, so a thickness of 1e-5 is known to 1e-11
        EXPECT_NEAR(calc_volume(*box), 8 * other * thin, 1e-10 * 8 * other * thin);
      }
    }
  }
}

TEST(HullOfDegenerateSets, SurvivesScalesAndPlaces) {
  Rng rng(19);
  for (double scale : {1e-20, 1e-6, 1e-3, 1.0, 1e3, 1e20}) {
    for (double away : {0.0, 1e3, 1e6}) {
      std::vector<Vec3> points;
      const Vec3 at = away * scale * random_unit(rng);
      for (int i = 0; i < 200; ++i) points.push_back(at + scale * random_point(rng));
      check_hull(points, "scaled");
    }
  }
}

TEST(HullOfDegenerateSets, SurvivesConesCylindersAndLenses) {
  Rng rng(20);
  for (int sides : {3, 7, 64, 500}) {
    const Mat3 R = random_rotation(rng);
    std::vector<Vec3> cone{R * Vec3{0, 1, 0}}, lens{R * Vec3{0, 1e-3, 0}, R * Vec3{0, -1e-3, 0}};
    for (int i = 0; i < sides; ++i) {
      const double a = 2 * kPi * i / sides;
      cone.push_back(R * Vec3{std::cos(a), 0, std::sin(a)});
      lens.push_back(cone.back());
    }
    check_hull(cone, "cone");
    check_hull(lens, "lens");
    const auto hull = make_hull(cone);
    ASSERT_TRUE(hull.ok());
    EXPECT_EQ(hull->geometry->faces.size(), static_cast<size_t>(sides + 1));
  }
}

// Families that put many points in few planes, on few lines or on a curve.
Vec3 awkward_point(int family, Rng& rng) {
  Vec3 q = random_point(rng);
  const double a = rng.uniform(0, 2 * kPi), h = rng.uniform(0, 1);
  const double step = 2 * kPi * rng.below(60) / 60;
  switch (family) {
    case 0:  // sphere
      return random_unit(rng);
    case 1:  // 3 x 3 x 3 lattice
      return {static_cast<double>(rng.below(3)), static_cast<double>(rng.below(3)),
              static_cast<double>(rng.below(3))};
    case 2:  // faces of a cube
      q[static_cast<int>(rng.below(3))] = rng.below(2) ? 1 : -1;
      return q;
    case 3:  // edges of a cube
      q[static_cast<int>(rng.below(3))] = 1;
      q[static_cast<int>(rng.below(3))] = -1;
      return q;
    case 4:  // two circles
      return {std::cos(a), q.y > 0 ? 1. : -1., std::sin(a)};
    case 5:  // rulings of a cone
      return {h * std::cos(step), h, h * std::sin(step)};
    default:  // the twisted cubic
      return {q.x, q.x * q.x, q.x * q.x * q.x};
  }
}

TEST(HullOfDegenerateSets, SurvivesAwkwardFamiliesWithNoiseAndStretching) {
  Rng rng(777);
  int made = 0;
  for (int round = 0; round < test::effort(3000, 500); ++round) {
    const int family = static_cast<int>(rng.below(7));
    const uint32_t count = 4 + rng.below(120);
    const double noise = std::pow(10.0, rng.uniform(-17, -4));
    const Mat3 R = random_rotation(rng);
    Vec3 stretch{1, 1, 1};
    if (rng.below(2)) {
      stretch = {std::pow(10, rng.uniform(-5, 0)), std::pow(10, rng.uniform(-5, 0)), 1};
    }
    std::vector<Vec3> points;
    for (uint32_t i = 0; i < count; ++i) {
      points.push_back(R *
                       cwise_mul(stretch, awkward_point(family, rng) + noise * random_point(rng)));
    }
    const auto hull = make_hull(points);
    if (!hull.ok()) continue;  // stretched beyond the limit of flatness
    ++made;
    SCOPED_TRACE("round " + std::to_string(round) + ", family " + std::to_string(family));
    check_topology(*hull->geometry);
    check_geometry(*hull->geometry, points);
    EXPECT_GT(calc_volume(*hull), 0);
  }
  EXPECT_GT(made, test::effort(2900, 480));
}

}  // namespace
}  // namespace tenon
