// Triangle meshes as shapes: any surface, convex or not, shared between all shapes that use it.
//
// A closed mesh is a solid: it has mass, an inside, and a signed distance. An open one is a surface
// with a front (the side from which its triangles run counter-clockwise) and a back; it serves as
// ground and walls, on static and scripted bodies only.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tenon/engine/base/parallel.h"
#include "tenon/engine/base/result.h"
#include "tenon/engine/geometry/distance_field.h"
#include "tenon/engine/geometry/mesh_samples.h"
#include "tenon/engine/math/aabb.h"
#include "tenon/engine/math/mat3.h"

namespace tenon {

using MeshTriangle = std::array<int, 3>;  // vertices, counter-clockwise seen from outside

struct ConvexMesh;  // shape.h

// Boxes over triangles: a binary tree in one array, the left child right behind its parent.
struct MeshTree {
  struct Node {
    Aabb box;
    int first = 0;  // leaf: its triangles are order[first .. first + count)
    int count = 0;  // 0: an inner node, and `first` is its right child
  };
  // A round slab, tighter than the box where triangles lie askew: with x from its centre,
  //   |x . n| <= half and |x - (x . n) n| <= radius  for all points of the node.
  struct Slab {
    std::array<float, 3> centre{}, normal{};
    float half = 0, radius = -1;  // m; radius < 0: none, above small nodes
  };
  // About all normals of a node's surface, those between neighbouring faces included; a cosine
  // below -1: all directions.
  struct Cone {
    std::array<float, 3> axis{};
    float cosine = -2, sine = 0;
  };
  // What a node is from far off: see mesh_winding.cpp.
  struct Dipole {
    Vec3 area, centre;  // m^2, sum of its triangles' normals by their areas; m, their middle
    double radius = 0;  // m: no point of the node is farther from it
  };
  std::vector<Node> nodes;
  std::vector<int> order;
  std::vector<Slab> slabs;      // one for each node
  std::vector<Cone> cones;      // the same
  std::vector<Dipole> dipoles;  // the same, of meshes with triangles that are unsure
};

// Immutable once made (make_mesh).
struct MeshGeometry {
  std::vector<Vec3> vertices;           // m, in the shape frame
  std::vector<MeshTriangle> triangles;  // three different vertices each
  std::vector<Vec3> face_normals;       // unit, outward; of a sliver without area: its neighbours'
  // Pseudo-normals [Baerentzen2005]: the sign of dot(q - closest, normal) tells inside from outside
  // wherever the closest point lies. Edge k of triangle t runs from its vertex k to vertex k + 1.
  std::vector<Vec3> vertex_normals;            // unit, weighted by angles
  std::vector<std::array<int, 3>> neighbours;  // triangle across edge k; -1: none
  MeshTree tree;
  // By triangle: 1 where pseudo-normals may be wrong, since a closed mesh passes through itself;
  // the winding number decides there. Empty: nowhere. Not looked for in meshes for pictures.
  std::vector<uint8_t> unsure;
  bool closed = false;                      // each edge is used once in each direction
  std::array<int, 3> open_edge{-1, -1, 0};  // where not: its vertices and number of triangles
  Aabb bounds;
  double origin_radius = 0;   // largest distance of a vertex from the origin of S
  double area = 0;            // m^2
  double volume = 0;          // m^3; 0 for an open mesh, as the next two
  Vec3 centroid;              // of the volume
  Mat3 inertia{};             // about the centroid, for density 1 kg/m^3
  std::vector<double> reach;  // its support function in some directions, for quick bounds
  double size = 0;            // m, see size(Shape) in support.h
  uint64_t content = 0;       // hash of vertices and triangles: equal meshes have equal contents
  std::shared_ptr<const DistanceField> field;  // of closed meshes, unless refused
  MeshSamples samples;                         // where contacts are looked for
  // Of a convex mesh of few vertices: its hull, which contacts see in its place; or none.
  std::shared_ptr<const ConvexMesh> convex;

  // The pseudo-normal of an edge: unit, between those of its two faces. Computed where it is asked
  // for, since kept it would take more memory and time to load than all the rest.
  Vec3 edge_normal(size_t t, size_t k) const {
    const Vec3& n = face_normals[t];
    const int across = neighbours[t][k];
    // a fold back onto itself has no outside to tell: its own normal then
    return normalized(n + (across >= 0 ? face_normals[static_cast<size_t>(across)] : n), n);
  }
};

struct Mesh {
  std::shared_ptr<const MeshGeometry> geometry;
  // The same triangles in the same order.
  friend bool operator==(const Mesh& a, const Mesh& b) {
    return a.geometry == b.geometry ||
           (a.geometry && b.geometry && a.geometry->content == b.geometry->content &&
            a.geometry->triangles.size() == b.geometry->triangles.size());
  }
};

// About 160 bytes are kept per triangle.
inline constexpr size_t kMaxMeshTriangles = 16'000'000;

// What contacts need takes time to make, and pictures do without it.
enum class MeshUse { kContact, kPicture };

struct MeshOptions {
  MeshUse use = MeshUse::kContact;  // kPicture: neither field nor samples
  double cell = 0;                  // m, of the distance field; 0: chosen (find_field_cell)
  ThreadPool* pool = nullptr;       // the result does not depend on it
};

// Errors: no triangle, more than kMaxMeshTriangles; a vertex that is not finite or beyond
// kLargestLength; an index out of range; a triangle with the same vertex twice; no extent at all;
// closed triangles that enclose no positive volume (they face inwards).
// Vertices that no triangle uses stay and count for nothing.
Result<Mesh> make_mesh(std::vector<Vec3> vertices, std::vector<MeshTriangle> triangles,
                       const MeshOptions& options = {});

// MeshGeometry::content, before there is one.
uint64_t calc_mesh_content(std::span<const Vec3> vertices, std::span<const MeshTriangle> triangles);

// The nearest point of the surface.
struct MeshPoint {
  Vec3 point;
  Vec3 normal;          // unit pseudo-normal there
  double distance = 0;  // signed for closed meshes: negative inside; for open ones: behind
  int triangle = -1;    // -1: none within the wanted distance
};

// Exact, by the tree: the nearest point within max_distance of q (shape frame), which may be
// infinite; of several triangles as near the first. `hint`, a triangle that may be near, saves time
// and changes nothing.
MeshPoint find_nearest(const MeshGeometry& mesh, const Vec3& q, double max_distance, int hint = -1);

// The vertex furthest along `direction` (finite, not zero); of several the first.
int find_support_vertex(const MeshGeometry& mesh, const Vec3& direction);

// Where the ray origin + t direction first meets a triangle from either side, 0 <= t <= max_t.
struct MeshHit {
  double t = 0;
  int triangle = -1;  // -1: nowhere
};
MeshHit find_first_hit(const MeshGeometry& mesh, const Vec3& origin, const Vec3& direction,
                       double max_t);

}  // namespace tenon
