#include "tenon/engine/geometry/mass_properties.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tenon/engine/geometry/detail/text.h"
#include "tenon/engine/geometry/detail/triangle_integral.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

// m (|r|^2 1 - r r^T): what a mass m at r adds to the inertia about the origin.
Mat3 point_inertia(double m, const Vec3& r) {
  return m * (Mat3::diagonal({norm2(r), norm2(r), norm2(r)}) - outer(r, r));
}

using detail::integrate;
using detail::mean;
using detail::symmetrised;

MassProperties hull_properties(const HullGeometry& g, double density) {
  return integrate(mean(g.vertices), density, [&](auto add) {
    for (const HullGeometry::Face& face : g.faces) {
      const int* v = &g.face_vertices[static_cast<size_t>(face.first)];
      for (int i = 2; i < face.count; ++i) {
        add(g.vertices[v[0]], g.vertices[v[i - 1]], g.vertices[v[i]]);
      }
    }
  });
}

// Closed forms about the centre [Goldstein2002, ch. 5], with axis = y for cylinder and capsule.
struct ShapeProperties {
  double density;

  MassProperties operator()(const Sphere& s) const {
    const double r2 = s.radius * s.radius, m = density * (4.0 / 3.0) * kPi * r2 * s.radius;
    const double i = 0.4 * m * r2;
    return {m, {}, Mat3::diagonal({i, i, i})};
  }
  MassProperties operator()(const Box& s) const {
    const Vec3 h2 = cwise_mul(s.half, s.half);
    const double m = density * 8 * s.half.x * s.half.y * s.half.z;
    return {m, {}, Mat3::diagonal((m / 3) * Vec3{h2.y + h2.z, h2.z + h2.x, h2.x + h2.y})};
  }
  MassProperties operator()(const Cylinder& s) const {
    const double r2 = s.radius * s.radius, h2 = s.half_height * s.half_height;
    const double m = density * kPi * r2 * 2 * s.half_height;
    const double across = m * (r2 / 4 + h2 / 3);
    return {m, {}, Mat3::diagonal({across, m * r2 / 2, across})};
  }
  // A cylinder and two half balls; a half ball's centre of mass lies 3/8 r above its flat side,
  // so that moving it out by L adds m (L^2 + 3/4 L r) for the pair of total mass m.
  MassProperties operator()(const Capsule& s) const {
    const double r = s.radius, L = s.half_length, r2 = r * r;
    const double rod = density * kPi * r2 * 2 * L;
    const double ball = density * (4.0 / 3.0) * kPi * r2 * r;
    const double along = rod * r2 / 2 + 0.4 * ball * r2;
    const double across = rod * (r2 / 4 + L * L / 3) + ball * (0.4 * r2 + L * L + 0.75 * L * r);
    return {rod + ball, {}, Mat3::diagonal({across, along, across})};
  }
  MassProperties operator()(const Plane&) const { return {}; }
  MassProperties operator()(const Hull& s) const { return hull_properties(*s.geometry, density); }
  // calculated when it was made
  MassProperties operator()(const Mesh& s) const {
    const MeshGeometry& g = *s.geometry;
    return {density * g.volume, g.centroid, density * g.inertia};
  }
};

}  // namespace

MassProperties calc_mass_properties(const Shape& shape, double density) {
  return std::visit(ShapeProperties{density}, shape);
}

double calc_volume(const Shape& shape) { return calc_mass_properties(shape, 1).mass; }

MassProperties point_mass(double mass, const Vec3& position) { return {mass, position, {}}; }

MassProperties transformed(const Transform& X_AB, const MassProperties& m_B) {
  return {m_B.mass, X_AB * m_B.com, symmetrised(X_AB.R * m_B.inertia * transpose(X_AB.R))};
}

MassProperties combine(std::span<const MassProperties> parts) {
  MassProperties sum;
  for (const MassProperties& part : parts) sum.mass += part.mass;
  if (parts.empty() || sum.mass == 0) return {};

  // the common centre, from differences so that far from the origin nothing is lost
  const Vec3 o = parts[0].com;
  Vec3 first;
  for (const MassProperties& part : parts) first += part.mass * (part.com - o);
  sum.com = o + first / sum.mass;
  for (const MassProperties& part : parts) {
    sum.inertia = sum.inertia + part.inertia + point_inertia(part.mass, part.com - sum.com);
  }
  return sum;
}

MassProperties scaled_to_mass(const MassProperties& m, double mass) {
  TENON_DEMAND(m.mass > 0);
  return {mass, m.com, (mass / m.mass) * m.inertia};
}

Mat3 inertia_about(const MassProperties& m, const Vec3& point) {
  return m.inertia + point_inertia(m.mass, point - m.com);
}

namespace {

Status check_moments(const Vec3& moments) {
  using detail::to_short_text;
  const double i1 = moments.x, i2 = moments.y, i3 = moments.z;
  const std::string all =
      to_short_text(i1) + ", " + to_short_text(i2) + ", " + to_short_text(i3) + " kg m^2";
  // below this a moment is round-off of the largest one
  if (!(i1 > 1e-14 * i3)) {
    return Error{.message = "inertia is not positive definite: its smallest principal moment is " +
                            to_short_text(i1) + " kg m^2",
                 .value = "principal moments " + all,
                 .accepted = "three principal moments above zero"};
  }
  if (i3 > (i1 + i2) + kInertiaSlack * i3) {
    return Error{.message =
                     "no body has this inertia: its largest principal moment exceeds the "
                     "sum of the other two (triangle inequality)",
                 .value = "principal moments " + all,
                 .accepted = "a largest moment of at most " + to_short_text(i1 + i2) +
                             " kg m^2 for these other two"};
  }
  return Ok{};
}

}  // namespace

Status check(const MassProperties& m) {
  using detail::to_text;
  if (!std::isfinite(m.mass)) {
    return Error{.message = "mass is not finite", .value = to_text(m.mass), .accepted = "mass > 0"};
  }
  if (!(m.mass > 0)) {
    return Error{
        .message = "mass is not positive", .value = to_text(m.mass), .accepted = "mass > 0 (kg)"};
  }
  if (!is_finite(m.com)) {
    return Error{.message = "centre of mass is not finite",
                 .value = to_text(m.com),
                 .accepted = "three finite coordinates"};
  }
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double value = m.inertia(i, j);
      if (!std::isfinite(value)) {
        return Error{.message = "inertia is not finite in row " + std::to_string(i + 1) +
                                ", column " + std::to_string(j + 1),
                     .value = to_text(value),
                     .accepted = "nine finite numbers"};
      }
      largest = std::max(largest, std::fabs(value));
    }
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (std::fabs(m.inertia(i, j) - m.inertia(j, i)) > kInertiaSlack * largest) {
      return Error{.message = "inertia is not symmetric in rows and columns " +
                              std::to_string(i + 1) + ", " + std::to_string(j + 1),
                   .value = to_text(m.inertia(i, j)) + " against " + to_text(m.inertia(j, i)),
                   .accepted = "equal numbers on both sides of the diagonal"};
    }
  }
  return check_moments(calc_symmetric_eigen(symmetrised(m.inertia)).values);
}

namespace {

Status check_triangles(std::span<const Vec3> points,
                       std::span<const std::array<int, 3>> triangles) {
  const int n = static_cast<int>(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i])) {
      return Error{.message = "point " + std::to_string(i) + " is not finite",
                   .value = detail::to_text(points[i]),
                   .accepted = "three finite coordinates"};
    }
  }
  std::vector<std::array<int, 2>> edges;
  edges.reserve(3 * triangles.size());
  for (size_t t = 0; t < triangles.size(); ++t) {
    for (size_t k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      if (a < 0 || a >= n || a == b) {
        return Error{.message = "triangle " + std::to_string(t) + " has a bad point index",
                     .value = std::to_string(a),
                     .accepted = "three different indices below " + std::to_string(n)};
      }
      edges.push_back({a, b});
    }
  }
  // closed and oriented: the directed edges are a set, and equal to the set of their reversals
  std::vector<std::array<int, 2>> reversed = edges;
  for (auto& edge : reversed) std::swap(edge[0], edge[1]);
  std::sort(edges.begin(), edges.end());
  std::sort(reversed.begin(), reversed.end());
  const auto twice = std::adjacent_find(edges.begin(), edges.end());
  const auto open = std::mismatch(edges.begin(), edges.end(), reversed.begin()).first;
  if (twice != edges.end() || open != edges.end() || edges.empty()) {
    const auto bad = twice != edges.end() ? twice : open;
    return Error{.message = "the triangles do not close a volume",
                 .value = edges.empty() ? "no triangles"
                                        : "edge from point " + std::to_string((*bad)[0]) + " to " +
                                              std::to_string((*bad)[1]),
                 .accepted = "each edge used once in each direction"};
  }
  return Ok{};
}

}  // namespace

Result<MassProperties> calc_triangle_mass_properties(std::span<const Vec3> points,
                                                     std::span<const std::array<int, 3>> triangles,
                                                     double density) {
  if (Status closed = check_triangles(points, triangles); !closed) return closed.error();
  const MassProperties unit = integrate(mean(points), 1, [&](auto add) {
    for (const auto& t : triangles) add(points[t[0]], points[t[1]], points[t[2]]);
  });
  if (!(unit.mass > 0)) {
    return Error{.message = "the triangles enclose no positive volume",
                 .value = detail::to_short_text(unit.mass) + " m^3",
                 .accepted = "triangles counter-clockwise seen from outside"};
  }
  return MassProperties{density * unit.mass, unit.com, density * unit.inertia};
}

}  // namespace tenon
