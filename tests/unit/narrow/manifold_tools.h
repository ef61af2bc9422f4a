// Shapes, poses and comparisons shared by the tests of contact patches.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/collision/narrow/feature_id.h"
#include "tenon/engine/geometry/hull.h"

namespace tenon::patch_test {

inline Transform at(const Vec3& p, const Vec3& rotation = {}) {
  return {to_matrix(exp_map(rotation)), p};
}

inline Shape hull_of(const std::vector<Vec3>& points) {
  Result<Hull> hull = make_hull(points);
  EXPECT_TRUE(hull.ok());
  return hull.value();
}

// Regular dodecahedron with vertices at distance sqrt(3) from the centre.
inline Shape make_dodecahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2, h = 1 / g;
  std::vector<Vec3> v;
  for (int k = 0; k < 8; ++k) v.push_back({k & 1 ? 1. : -1., k & 2 ? 1. : -1., k & 4 ? 1. : -1.});
  for (int k = 0; k < 4; ++k) {
    const double a = k & 1 ? h : -h, b = k & 2 ? g : -g;
    v.push_back({0, a, b});
    v.push_back({a, b, 0});
    v.push_back({b, 0, a});
  }
  return hull_of(v);
}

// Upright prism over a regular polygon.
inline Shape make_prism(int sides, double radius, double half_height) {
  std::vector<Vec3> v;
  for (int k = 0; k < sides; ++k) {
    const double a = 2 * kPi * k / sides;
    v.push_back({radius * tenon::cos(a), -half_height, radius * tenon::sin(a)});
    v.push_back({radius * tenon::cos(a), half_height, radius * tenon::sin(a)});
  }
  return hull_of(v);
}

struct ExpectedPoint {
  Vec3 p;
  double distance;
};

// The patch holds these points and no others, in any order.
inline void expect_points(const Manifold& m, const std::vector<ExpectedPoint>& expected,
                          double tolerance = 1e-12) {
  EXPECT_EQ(m.count, static_cast<int>(expected.size()));
  for (const ExpectedPoint& e : expected) {
    double nearest = 1e9;
    for (int i = 0; i < m.count; ++i) {
      const double off =
          std::max(norm(m.points[i].p_W - e.p), std::fabs(m.points[i].distance - e.distance));
      nearest = std::min(nearest, off);
    }
    EXPECT_LE(nearest, tolerance) << "no point at " << e.p.x << " " << e.p.y << " " << e.p.z
                                  << " with gap " << e.distance;
  }
}

inline std::set<uint32_t> ids(const Manifold& m) {
  std::set<uint32_t> out;
  for (int i = 0; i < m.count; ++i) out.insert(m.points[i].feature);
  return out;
}

inline double least_gap(const Manifold& m) {
  double least = 1e9;
  for (int i = 0; i < m.count; ++i) least = std::min(least, m.points[i].distance);
  return least;
}

}  // namespace tenon::patch_test
