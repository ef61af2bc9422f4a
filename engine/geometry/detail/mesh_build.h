// The parts of making a mesh.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tenon/engine/geometry/mesh.h"

namespace tenon::detail {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// What make_mesh says of its input, but for measures.
Status check_mesh_input(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles);

// Boxes by the surface area heuristic [MacDonald1990] over 16 bins; leaves of up to four triangles.
// The cuts do not depend on the pool.
MeshTree make_mesh_tree(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles,
                        ThreadPool* pool);
inline constexpr int kMostTreeDepth = 96;

// Sets the boxes of a tree of which all else is there.
void calc_boxes(MeshGeometry& mesh);

// Sets the slabs of the tree; needs the face normals.
void calc_slabs(MeshGeometry& mesh, ThreadPool* pool);

// The square of the distance of q from a slab, or less: by less than 1e-6 of it.
inline double calc_slab_distance2(const MeshTree::Slab& slab, const Vec3& q) {
  const Vec3 n{slab.normal[0], slab.normal[1], slab.normal[2]};
  const Vec3 x = q - Vec3{slab.centre[0], slab.centre[1], slab.centre[2]};
  const double along = dot(x, n);
  const double over = std::max(std::fabs(along) - static_cast<double>(slab.half), 0.0);
  const double beside =
      std::max(std::sqrt(norm2(x - along * n)) - static_cast<double>(slab.radius), 0.0);
  // n is a unit vector to 1e-7 only
  return (1 - 1e-6) * (over * over + beside * beside);
}

// Sets the cones of the tree; needs the normals of faces and vertices.
void calc_cones(MeshGeometry& mesh);

// Sets unsure and, where any is, the dipoles; needs the normals of faces and the tree.
void find_unsure(MeshGeometry& mesh, ThreadPool* pool);
// Sets the dipoles of the tree.
void calc_dipoles(MeshGeometry& mesh);
// Whether q is inside by its winding number; needs the dipoles.
bool is_inside(const MeshGeometry& mesh, const Vec3& q);

// Sets neighbours, closed and open_edge.
void find_neighbours(MeshGeometry& mesh);

// Whether a triangle has no area but for round-off.
bool is_sliver(const Vec3& a, const Vec3& b, const Vec3& c);

// Sets the normals of faces; needs the neighbours.
void calc_face_normals(MeshGeometry& mesh, ThreadPool* pool);
// Sets those of vertices; needs the faces'.
void calc_vertex_normals(MeshGeometry& mesh);

// Sets area, volume, centroid, inertia, bounds, radius and size.
void calc_mesh_measures(MeshGeometry& mesh);

// Distance from q without a sign: at most too large by this share of itself, which saves most of
// the search where much of the surface is about as far. `hint`: a triangle near q, or -1.
double find_about(const MeshGeometry& mesh, const Vec3& q, double share, int& hint);

// A vertex that no other exceeds along `direction` by more than `slack`.
int find_support_about(const MeshGeometry& mesh, const Vec3& direction, double slack);

inline constexpr int kReachCells = 16, kReachRow = kReachCells + 1;
inline constexpr size_t kReachSize = size_t{6} * kReachRow * kReachRow;

// Sets reach; needs the tree.
void calc_reach_table(MeshGeometry& mesh, ThreadPool* pool);

// The most that a vertex reaches along the unit vector n, m; too much by 7 % of the radius at most
// (needles), half a percent for round things.
double bound_reach(const MeshGeometry& mesh, const Vec3& n);

// The hull of a closed convex mesh, where it has few vertices; nullptr otherwise.
std::shared_ptr<const ConvexMesh> find_convex(const MeshGeometry& mesh);

}  // namespace tenon::detail
