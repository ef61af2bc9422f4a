// Meshes from which tests of contact build scenes, each with a closed form to compare with.
#pragma once

#include <functional>

#include "tenon/engine/geometry/mesh.h"
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {

struct Triangles {
  std::vector<Vec3> vertices;
  std::vector<MeshTriangle> triangles;
  void quad(int a, int b, int c, int d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
  }
};

inline Mesh to_mesh(Triangles t) {
  Result<Mesh> mesh = make_mesh(std::move(t.vertices), std::move(t.triangles));
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.error().message);
  return *mesh;
}

// n x m vertices on a torus about the y axis.
inline Triangles torus(double ring, double wire, int n, int m) {
  Triangles t;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const double u = 2 * kPi * i / n, v = 2 * kPi * j / m;
      const double r = ring + wire * std::cos(v);
      t.vertices.push_back({r * std::cos(u), wire * std::sin(v), r * std::sin(u)});
    }
  }
  const auto at = [&](int i, int j) { return (i % n) * m + j % m; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) t.quad(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
  }
  return t;
}

// A surface y(x, z) over a square of half width w, its front up; n x n squares.
inline Triangles ground(double w, int n, const std::function<double(double, double)>& y) {
  Triangles t;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      const double x = w * (2.0 * i / n - 1), z = w * (2.0 * j / n - 1);
      t.vertices.push_back({x, y(x, z), z});
    }
  }
  const auto at = [&](int i, int j) { return i * (n + 1) + j; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) t.quad(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
  }
  return t;
}
inline Triangles flat_ground(double w, int n) {
  return ground(w, n, [](double, double) { return 0.0; });
}

// A prism along z: the polygon (counter-clockwise in x, y) from -half to half. Caps are fans about
// `middle`, which sees all corners.
inline Triangles prism(const std::vector<Vec3>& polygon, double half, const Vec3& middle) {
  Triangles t;
  const int n = static_cast<int>(polygon.size());
  for (const double z : {-half, half}) {
    for (const Vec3& p : polygon) t.vertices.push_back({p.x, p.y, z});
  }
  for (const double z : {-half, half}) t.vertices.push_back({middle.x, middle.y, z});
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    t.quad(i, j, n + j, n + i);
    t.triangles.push_back({2 * n, j, i});
    t.triangles.push_back({2 * n + 1, n + i, n + j});
  }
  return t;
}

// A box of two triangles a side. Its hull is a box: contacts take the exact way.
inline Triangles box_triangles(const Vec3& half) {
  Triangles t = prism(
      {{-half.x, -half.y, 0}, {half.x, -half.y, 0}, {half.x, half.y, 0}, {-half.x, half.y, 0}},
      half.z, {});
  return t;
}

// A box with a groove along z in its top, so that it is not convex; its outline is the box.
inline Triangles grooved_box(const Vec3& h) {
  const double w = 0.25 * h.x, d = 0.5 * h.y;
  return prism({{-h.x, -h.y, 0},
                {h.x, -h.y, 0},
                {h.x, h.y, 0},
                {w, h.y, 0},
                {0, h.y - d, 0},
                {-w, h.y, 0},
                {-h.x, h.y, 0}},
               h.z, {0, -0.5 * h.y, 0});
}

inline BodyHandle add_static(World& world, const Shape& shape, MaterialId material,
                             const Vec3& p = {}, const Quat& q = {}) {
  BodyDef def;
  def.motion = MotionKind::kStatic;
  def.X_WB = {p, q};
  def.colliders = {{shape, {}, material, 1000}};
  return add_body(world, def);
}

}  // namespace tenon::test
