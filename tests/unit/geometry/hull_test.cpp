// Hulls of sets whose answer is known.
#include <array>
#include <chrono>

#include "hull_checks.h"
#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/tests/effort.h"

namespace tenon {
namespace {

std::vector<Vec3> box_corners(const Vec3& half) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(
        {(i & 1 ? 1 : -1) * half.x, (i & 2 ? 1 : -1) * half.y, (i & 4 ? 1 : -1) * half.z});
  }
  return points;
}

std::vector<Vec3> dodecahedron() {
  const double phi = (1 + std::sqrt(5.0)) / 2;
  std::vector<Vec3> points = box_corners({1, 1, 1});
  for (double a : {-1 / phi, 1 / phi}) {
    for (double b : {-phi, phi}) {
      points.push_back({0, a, b});
      points.push_back({a, b, 0});
      points.push_back({b, 0, a});
    }
  }
  return points;
}

std::vector<Vec3> prism(int sides, double radius, double half_height) {
  std::vector<Vec3> points;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * kPi * i / sides;
    for (double y : {-half_height, half_height}) {
      points.push_back({radius * std::cos(angle), y, radius * std::sin(angle)});
    }
  }
  return points;
}

TEST(HullOfABox, HasSixQuads) {
  const auto points = box_corners({1, 2, 3});
  check_hull(points, "box");
  const auto hull = make_hull(points);
  ASSERT_TRUE(hull.ok());
  const HullGeometry& g = *hull->geometry;
  EXPECT_EQ(g.vertices.size(), 8u);
  EXPECT_EQ(g.edges.size(), 12u);
  ASSERT_EQ(g.faces.size(), 6u);
  for (const auto& face : g.faces) EXPECT_EQ(face.count, 4);
  EXPECT_DOUBLE_EQ(g.width, 2);
  EXPECT_DOUBLE_EQ(g.radius, std::sqrt(14.0));
  EXPECT_NEAR(norm(g.centroid), 0, 1e-15);
}

TEST(HullOfADodecahedron, HasTwelvePentagonsAlsoWhenRotated) {
  Rng rng(1);
  for (int turn = 0; turn < 20; ++turn) {
    auto points = dodecahedron();
    const Mat3 R = random_rotation(rng);
    for (Vec3& p : points) p = R * p;
    check_hull(points, "dodecahedron");
    const auto hull = make_hull(points);
    ASSERT_TRUE(hull.ok());
    ASSERT_EQ(hull->geometry->faces.size(), 12u);
    for (const auto& face : hull->geometry->faces) EXPECT_EQ(face.count, 5);
  }
}

TEST(HullOfAPrism, HasTwoHundredQuadsAndTwoCaps) {
  Rng rng(2);
  auto points = prism(200, 1, 0.3);
  const Mat3 R = random_rotation(rng);
  for (Vec3& p : points) p = R * p + Vec3{3, 4, 5};
  check_hull(points, "prism");
  const auto hull = make_hull(points);
  ASSERT_TRUE(hull.ok());
  ASSERT_EQ(hull->geometry->faces.size(), 202u);
  int caps = 0;
  for (const auto& face : hull->geometry->faces) {
    EXPECT_TRUE(face.count == 4 || face.count == 200);
    caps += face.count == 200;
  }
  EXPECT_EQ(caps, 2);
}

TEST(HullOfPoints, DoesNotDependOnTheRunAndKeepsItsBits) {
  Rng rng(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 500; ++i) points.push_back(random_unit(rng));
  const auto a = make_hull(points), b = make_hull(points);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->geometry->vertices, b->geometry->vertices);
  EXPECT_EQ(a->geometry->face_vertices, b->geometry->face_vertices);
  EXPECT_EQ(a->geometry->neighbours, b->geometry->neighbours);
}

TEST(HullOfPoints, HasTheSameVolumeInAnyOrderOfThePoints) {
  Rng rng(4);
  for (int round = 0; round < 50; ++round) {
    std::vector<Vec3> points;
    for (int i = 0; i < 60; ++i) {
      points.push_back({rng.uniform(-1, 1), rng.uniform(-2, 2), rng.uniform(-3, 3)});
    }
    const auto first = make_hull(points);
    for (size_t i = points.size() - 1; i > 0; --i) {
      std::swap(points[i], points[rng.below(static_cast<uint32_t>(i + 1))]);
    }
    const auto second = make_hull(points);
    ASSERT_TRUE(first.ok() && second.ok());
    const double volume = calc_volume(*first);
    EXPECT_EQ(first->geometry->vertices.size(), second->geometry->vertices.size());
    EXPECT_NEAR(calc_volume(*second), volume, 1e-13 * volume);  // only the order of sums differs
  }
}

// An independent oracle: a plane through three points is a face plane iff all points are on one
// side. O(n^4), without any of the code under test.
TEST(HullOfRandomPoints, HasTheFacePlanesOfBruteForce) {
  Rng rng(5);
  for (int round = 0; round < 30; ++round) {
    std::vector<Vec3> points;
    for (int i = 0; i < 25; ++i) {
      points.push_back({rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
    }
    const size_t n = points.size();
    size_t planes = 0;
    std::set<size_t> on_hull;
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = i + 1; j < n; ++j) {
        for (size_t k = j + 1; k < n; ++k) {
          const Vec3 normal = cross(points[j] - points[i], points[k] - points[i]);
          int above = 0, below = 0;
          for (size_t l = 0; l < n; ++l) {
            if (l == i || l == j || l == k) continue;
            (dot(normal, points[l] - points[i]) > 0 ? above : below)++;
          }
          if (above != 0 && below != 0) continue;
          ++planes;
          on_hull.insert({i, j, k});
        }
      }
    }
    const auto hull = make_hull(points);
    ASSERT_TRUE(hull.ok());
    EXPECT_EQ(hull->geometry->faces.size(), planes);
    EXPECT_EQ(hull->geometry->vertices.size(), on_hull.size());
  }
}

TEST(HullOfTheLargestSet, IsFoundInSeconds) {
  Rng rng(6);
  std::vector<Vec3> points;
  for (int i = 0; i < test::effort(kMaxHullPoints, 10000); ++i) points.push_back(random_unit(rng));
  const auto start = std::chrono::steady_clock::now();
  const auto hull = make_hull(points);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(hull.ok());
  check_topology(*hull->geometry);
  EXPECT_GT(hull->geometry->vertices.size(),
            test::effort(99000u, 9900u));  // a few lie within the tolerance
  RecordProperty("milliseconds", static_cast<int>(1000 * elapsed.count()));
  EXPECT_LT(elapsed.count(), 20);  // a quadratic algorithm would take minutes
}

}  // namespace
}  // namespace tenon
