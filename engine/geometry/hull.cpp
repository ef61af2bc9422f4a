// Own quickhull instead of libqhull: qhull keeps its state in C globals or a qhT, leaves errors by
// setjmp/longjmp and formats text on stdio, none of which reaches the WebAssembly build; and its
// "joggle" and merging options depend on libm.
#include "tenon/engine/geometry/hull.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tenon/engine/geometry/detail/hull_faces.h"
#include "tenon/engine/geometry/detail/orient3d.h"
#include "tenon/engine/geometry/detail/quickhull.h"
#include "tenon/engine/geometry/detail/text.h"
#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/engine/geometry/support.h"

namespace tenon {
namespace {

Status check_points(std::span<const Vec3> points) {
  if (points.size() < 4) {
    return Error{.message = "a hull needs at least 4 points",
                 .value = std::to_string(points.size()),
                 .accepted = "4 to " + std::to_string(kMaxHullPoints) + " points"};
  }
  if (points.size() > static_cast<size_t>(kMaxHullPoints)) {
    return Error{.message = "too many points for a hull",
                 .value = std::to_string(points.size()),
                 .accepted = "4 to " + std::to_string(kMaxHullPoints) + " points"};
  }
  for (size_t i = 0; i < points.size(); ++i) {
    // the negated comparison also catches NaN
    if (!(max_component(cwise_abs(points[i])) <= kLargestLength) || !is_finite(points[i])) {
      return Error{.message = "hull point " + std::to_string(i) + " is not finite or too far away",
                   .value = detail::to_text(points[i]),
                   .accepted = "coordinates up to " + detail::to_text(kLargestLength) + " m"};
    }
  }
  return Ok{};
}

// The index with the largest measure(point); the first of equals.
template <class Measure>
int find_furthest(std::span<const Vec3> points, Measure measure) {
  int best = 0;
  double best_value = -1;
  for (size_t i = 0; i < points.size(); ++i) {
    const double value = measure(points[i]);
    if (value > best_value) {
      best = static_cast<int>(i);
      best_value = value;
    }
  }
  return best;
}

Error degenerate(const std::string& what, double measured, double needed) {
  return Error{.message = "hull points are " + what,
               .value = detail::to_short_text(measured) + " m",
               .accepted = "points in three dimensions, with more than " +
                           detail::to_short_text(needed) + " m"};
}

struct FirstTetrahedron {
  std::array<int, 4> points;
  double tolerance;
};

// The furthest apart of the extremes along the axes, the furthest from their line, the furthest
// from that plane: within a small factor the extent, width and thickness of the set.
Result<FirstTetrahedron> find_first(std::span<const Vec3> points) {
  std::array<int, 6> extremes{};
  double largest_coordinate = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      if (points[i][k] < points[extremes[2 * k]][k]) extremes[2 * k] = static_cast<int>(i);
      if (points[i][k] > points[extremes[2 * k + 1]][k]) extremes[2 * k + 1] = static_cast<int>(i);
    }
    largest_coordinate = std::max(largest_coordinate, max_component(cwise_abs(points[i])));
  }
  int a = 0, b = 0;
  double extent = 0;
  for (int i : extremes) {
    for (int j : extremes) {
      const double distance = norm(points[j] - points[i]);
      if (distance > extent) {
        a = i;
        b = j;
        extent = distance;
      }
    }
  }
  // coordinates far from the origin carry their own round-off
  const double round_off = 0x1p-50 * largest_coordinate;
  const double least_extent = std::max(kSmallestLength, 1e3 * round_off);
  if (!(extent > least_extent)) {
    return degenerate("coincident: the largest distance between them is", extent, least_extent);
  }

  const double least_width = std::max(kFlatHull * extent, 8 * round_off);
  const Vec3 line = (points[b] - points[a]) / extent;
  const auto width_of = [&](const Vec3& p) { return norm(cross(p - points[a], line)); };
  const int c = find_furthest(points, width_of);
  const double width = width_of(points[c]);
  if (!(width > least_width)) {
    return degenerate("collinear: their largest distance from one line is", width, least_width);
  }

  const Vec3 normal = normalized(cross(points[b] - points[a], points[c] - points[a]));
  const auto height_of = [&](const Vec3& p) { return std::fabs(dot(p - points[a], normal)); };
  const int d = find_furthest(points, height_of);
  const double height = height_of(points[d]);
  const int side = detail::orient3d_sign(points[a], points[b], points[c], points[d]);
  if (!(height > least_width) || side == 0) {
    return degenerate("flat: their largest distance from one plane is", height, least_width);
  }
  const double tolerance = std::min(kHullTolerance * extent, 1e-3 * height);
  return FirstTetrahedron{side > 0 ? std::array{a, b, c, d} : std::array{b, a, c, d},
                          std::max(tolerance, round_off)};
}

void set_measures(HullGeometry& g) {
  // a view of g that does not own it
  const Hull view{std::shared_ptr<const HullGeometry>(std::shared_ptr<const void>(), &g)};
  g.centroid = calc_mass_properties(view, 1).com;
  for (const Vec3& v : g.vertices) {
    g.radius = std::max(g.radius, norm(v - g.centroid));
    g.origin_radius = std::max(g.origin_radius, norm(v));
  }
  // the vertex opposite to a face is searched from that of a face beside it, which is near
  g.width = 2 * g.radius;
  std::vector<int> opposite_of(g.vertices.size(), 0);
  for (const HullGeometry::Face& face : g.faces) {
    const int* loop = &g.face_vertices[face.first];
    const int* known = std::find_if(loop, loop + face.count, [&](int v) { return opposite_of[v]; });
    const int start = known == loop + face.count ? 0 : opposite_of[*known];
    const int opposite = find_support_vertex(g, -face.normal, start);
    for (int i = 0; i < face.count; ++i) opposite_of[loop[i]] = opposite;
    g.width = std::min(g.width, face.offset - dot(face.normal, g.vertices[opposite]));
  }
}

}  // namespace

Result<Hull> make_hull(std::span<const Vec3> points) {
  if (Status status = check_points(points); !status) return status.error();
  const Result<FirstTetrahedron> first = find_first(points);
  if (!first) return first.error();
  const auto triangles = detail::calc_hull_triangles(points, first->points, first->tolerance);
  auto geometry =
      std::make_shared<HullGeometry>(detail::merge_triangles(points, triangles, first->tolerance));
  set_measures(*geometry);
  return Hull{std::move(geometry)};
}

}  // namespace tenon
