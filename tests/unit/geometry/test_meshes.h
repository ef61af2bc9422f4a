// Twenty closed surfaces of many kinds: round and sharp, thick and thin, with holes, hollows and
// spikes, small, long, and far from their origin.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tenon/engine/geometry/mesh.h"

namespace tenon::test {

struct Triangles {
  std::vector<Vec3> v;
  std::vector<MeshTriangle> t;
};
struct NamedTriangles {
  std::string name;
  Triangles mesh;
};

inline constexpr double kTau = 6.283185307179586;

template <class F>
Triangles moved(Triangles m, F&& to) {
  for (Vec3& p : m.v) p = to(p);
  return m;
}

inline Triangles joined(Triangles a, const Triangles& b) {
  const int first = static_cast<int>(a.v.size());
  a.v.insert(a.v.end(), b.v.begin(), b.v.end());
  for (const MeshTriangle& t : b.t) a.t.push_back({t[0] + first, t[1] + first, t[2] + first});
  return a;
}
inline Triangles turned(Triangles m) {
  for (MeshTriangle& t : m.t) std::swap(t[1], t[2]);
  return m;
}

// A cube from -1 to 1 whose sides have n by n squares.
inline Triangles cube(int n = 1) {
  Triangles m;
  std::map<std::array<int, 3>, int> places;
  const auto at = [&](std::array<int, 3> c) {
    const auto [found, made] = places.try_emplace(c, static_cast<int>(m.v.size()));
    if (made) m.v.push_back({2.0 * c[0] / n - 1, 2.0 * c[1] / n - 1, 2.0 * c[2] / n - 1});
    return found->second;
  };
  for (size_t axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const auto corner = [&](int a, int b) {
            std::array<int, 3> c{};
            c[axis] = side * n;
            c[(axis + 1) % 3] = a;
            c[(axis + 2) % 3] = b;
            return at(c);
          };
          const int a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1),
                    d = corner(i, j + 1);
          m.t.push_back(side ? MeshTriangle{a, b, c} : MeshTriangle{a, c, b});
          m.t.push_back(side ? MeshTriangle{a, c, d} : MeshTriangle{a, d, c});
        }
  return m;
}
inline Triangles box(const Vec3& half) {
  return moved(cube(), [&](const Vec3& p) { return cwise_mul(half, p); });
}
inline Triangles sphere(int n) {
  return moved(cube(n), [](const Vec3& p) { return normalized(p); });
}

// A closed loop of (radius, height), counter-clockwise seen with the radius to the right and the
// height upwards, turned about y; radii above zero.
inline Triangles revolved(const std::vector<std::array<double, 2>>& loop, int sides) {
  Triangles m;
  const int rows = static_cast<int>(loop.size());
  for (int s = 0; s < sides; ++s) {
    const double a = kTau * s / sides;
    for (const auto& [r, y] : loop) m.v.push_back({r * std::cos(a), y, -r * std::sin(a)});
  }
  for (int s = 0; s < sides; ++s)
    for (int k = 0; k < rows; ++k) {
      const int n = (s + 1) % sides, l = (k + 1) % rows;
      const int a = s * rows + k, b = s * rows + l, c = n * rows + l, d = n * rows + k;
      m.t.push_back({a, d, c});
      m.t.push_back({a, c, b});
    }
  return m;
}
inline Triangles torus(double radius, double bar, int sides, int around) {
  std::vector<std::array<double, 2>> loop;
  for (int i = 0; i < around; ++i)
    loop.push_back({radius + bar * std::cos(kTau * i / around), bar * std::sin(kTau * i / around)});
  return revolved(loop, sides);
}

// An outline in x, y along z: first a point within that sees all of it, then its corners
// counter-clockwise.
inline Triangles prism(const std::vector<std::array<double, 2>>& outline, double half) {
  Triangles m;
  const int n = static_cast<int>(outline.size());
  for (const double z : {-half, half})
    for (const auto& [x, y] : outline) m.v.push_back({x, y, z});
  for (int i = 1; i < n; ++i) {
    const int j = i + 1 < n ? i + 1 : 1;
    m.t.push_back({n, n + i, n + j});
    m.t.push_back({0, j, i});
    m.t.push_back({i, j, n + j});
    m.t.push_back({i, n + j, n + i});
  }
  return m;
}
// Points at these radii about the origin, which comes first.
inline std::vector<std::array<double, 2>> wheel(const std::vector<double>& radii) {
  std::vector<std::array<double, 2>> outline{{0, 0}};
  for (size_t i = 0; i < radii.size(); ++i) {
    const double a = kTau * static_cast<double>(i) / static_cast<double>(radii.size());
    outline.push_back({radii[i] * std::cos(a), radii[i] * std::sin(a)});
  }
  return outline;
}

// A round bar along a trefoil knot.
inline Triangles knot(int along, int around, double bar) {
  Triangles m;
  const auto centre = [](double a) {
    return Vec3{std::sin(a) + 2 * std::sin(2 * a), std::cos(a) - 2 * std::cos(2 * a),
                -std::sin(3 * a)};
  };
  for (int s = 0; s < along; ++s) {
    const double a = kTau * s / along;
    const Vec3 p = centre(a), t = normalized(centre(a + 1e-4) - centre(a - 1e-4));
    const Vec3 u = normalized(cross(t, {0, 0, 1})), w = cross(t, u);
    for (int k = 0; k < around; ++k) {
      const double b = kTau * k / around;
      m.v.push_back(p + bar * (std::cos(b) * u + std::sin(b) * w));
    }
  }
  for (int s = 0; s < along; ++s)
    for (int k = 0; k < around; ++k) {
      const int n = (s + 1) % along, l = (k + 1) % around;
      const int a = s * around + k, b = s * around + l, c = n * around + l, d = n * around + k;
      m.t.push_back({a, b, c});
      m.t.push_back({a, c, d});
    }
  return m;
}

inline std::vector<NamedTriangles> twenty_meshes() {
  std::vector<double> star, gear;
  for (int i = 0; i < 10; ++i) star.push_back(i % 2 ? 0.4 : 1);
  for (int i = 0; i < 80; ++i) gear.push_back(i % 4 < 2 ? 1 : 0.85);
  const auto scaled = [](double x, double y, double z) {
    return [=](const Vec3& p) { return Vec3{x * p.x, y * p.y, z * p.z}; };
  };
  const Triangles ball = sphere(8);
  return {
      {"a tetrahedron",
       {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}},
      {"a cube", cube()},
      {"a coarse ball", sphere(4)},
      {"a fine ball", sphere(24)},
      {"a torus", torus(1, 0.4, 48, 24)},
      {"a thin ring", torus(1, 0.02, 96, 12)},
      {"a thin plate", box({1, 0.004, 0.7})},
      {"a needle", box({0.006, 1, 0.006})},
      {"an angle",
       prism({{0.15, 0.15}, {0, 0}, {1, 0}, {1, 0.3}, {0.3, 0.3}, {0.3, 1}, {0, 1}}, 0.2)},
      {"a star", prism(wheel(star), 0.15)},
      {"a gear", prism(wheel(gear), 0.1)},
      {"a hollow ball", joined(ball, turned(moved(ball, scaled(0.8, 0.8, 0.8))))},
      {"two boxes",
       joined(box({0.4, 0.4, 0.4}),
              moved(box({0.3, 0.5, 0.2}), [](const Vec3& p) { return p + Vec3{0.75, 0.1, 0}; }))},
      {"a bumpy ball",
       moved(sphere(32),
             [](const Vec3& p) {
               return (1 + 0.15 * std::sin(8 * p.x) * std::sin(7 * p.y) * std::sin(9 * p.z)) * p;
             })},
      {"a knot", knot(160, 12, 0.35)},
      {"a cup", revolved({{0.05, 0}, {1, 0}, {1.1, 1}, {1.05, 1}, {0.9, 0.1}, {0.05, 0.1}}, 48)},
      {"a wedge", prism({{0.7, 0}, {0, 0}, {1, -0.03}, {1, 0.03}}, 0.5)},
      {"a spike", moved(sphere(12),
                        [](const Vec3& p) {
                          const double s = p.y > 0 ? 1 + 2 * p.y * p.y * p.y * p.y : 1;
                          return Vec3{0.3 * p.x / s, s * p.y, 0.3 * p.z / s};
                        })},
      {"a long ellipsoid", moved(sphere(16), scaled(0.05, 0.2, 1))},
      {"a small cube far away",
       moved(cube(2), [](const Vec3& p) { return 1e-3 * p + Vec3{100, -50, 20}; })},
  };
}

// Closed surfaces that pass through themselves: overlapping parts, and folds that look inwards.
inline std::vector<NamedTriangles> crossed_meshes() {
  // one half of the eight runs clockwise: its faces look inwards
  std::vector<std::array<double, 2>> eight;
  for (int i = 0; i < 24; ++i) {
    const double a = kTau * (i + 0.5) / 24, x = std::sin(a);
    eight.push_back({1 + (x > 0 ? 0.5 : 0.2) * x, -0.4 * std::sin(2 * a)});
  }
  // a corner pulled through the other side
  Triangles pulled = cube(3);
  for (Vec3& p : pulled.v)
    if (p.x > 0.9 && p.y > 0.9 && p.z > 0.9) p = {-1.6, -1.4, -1.5};
  return {{"an eight, turned", revolved(eight, 24)},
          {"a corner pulled through", pulled},
          {"two boxes through one another", joined(cube(2), moved(cube(3), [](const Vec3& p) {
                                                     return Vec3{0.5 * p.x, 0.4 * p.y, 2 * p.z} +
                                                            Vec3{0.031, 0.017, 0.1};
                                                   }))}};
}

inline Mesh must_make(const Triangles& m, const MeshOptions& options = {}) {
  Result<Mesh> made = make_mesh(m.v, m.t, options);
  TENON_DEMAND(made.ok());
  return *made;
}

}  // namespace tenon::test
