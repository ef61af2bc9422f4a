#include "tenon/scene/mjcf/ellipsoid.h"

#include <array>
#include <cmath>
#include <set>

namespace tenon::scene::mjcf {
namespace {

using Triangle = std::array<Vec3, 3>;

std::vector<Triangle> make_icosahedron() {
  const double t = 0.5 * (1 + std::sqrt(5.0));
  const Vec3 p[12] = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                      {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
  const int faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                            {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                            {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                            {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  std::vector<Triangle> out;
  for (const auto& f : faces) {
    out.push_back({normalized(p[f[0]]), normalized(p[f[1]]), normalized(p[f[2]])});
  }
  return out;
}

std::vector<Triangle> divide(const std::vector<Triangle>& triangles) {
  std::vector<Triangle> out;
  for (const auto& [a, b, c] : triangles) {
    // the same middle from both sides of an edge: sums are symmetric
    const Vec3 ab = normalized(a + b), bc = normalized(b + c), ca = normalized(c + a);
    out.push_back({a, ab, ca});
    out.push_back({ab, b, bc});
    out.push_back({ca, bc, c});
    out.push_back({ab, bc, ca});
  }
  return out;
}

}  // namespace

HullShape make_ellipsoid_hull(const Vec3& h) {
  std::set<std::array<double, 3>> seen;
  HullShape hull;
  for (const Triangle& triangle : divide(divide(make_icosahedron()))) {
    for (const Vec3& p : triangle) {
      if (!seen.insert({p.x, p.y, p.z}).second) continue;
      hull.points.push_back({h.x * p.x, h.y * p.y, h.z * p.z});
    }
  }
  return hull;
}

model::Inertial calc_ellipsoid(const Vec3& h) {
  const double m = 4.0 / 3 * kPi * h.x * h.y * h.z;
  const Vec3 moments{h.y * h.y + h.z * h.z, h.x * h.x + h.z * h.z, h.x * h.x + h.y * h.y};
  return {m, {}, Mat3::diagonal(0.2 * m * moments)};
}

}  // namespace tenon::scene::mjcf
