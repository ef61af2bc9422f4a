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

#include "tenon/engine/base/result.h"
#include "tenon/engine/geometry/distance_field.h"
#include "tenon/engine/geometry/mesh_samples.h"
#include "tenon/engine/math/aabb.h"
#include "tenon/engine/math/vec3.h"

namespace tenon {

using MeshTriangle = std::array<int, 3>;  // vertices, counter-clockwise seen from outside

// Boxes over triangles: a binary tree in one array, the left child right behind its parent.
struct MeshTree {
  struct Node {
    Aabb box;
    int first = 0;  // leaf: its triangles are order[first .. first + count)
    int count = 0;  // 0: an inner node, and `first` is its right child
  };
  std::vector<Node> nodes;
  std::vector<int> order;
};

// Immutable once made (make_mesh).
struct MeshGeometry {
  std::vector<Vec3> vertices;           // m, in the shape frame
  std::vector<MeshTriangle> triangles;  // none degenerate
  std::vector<Vec3> face_normals;       // unit, outward
  // Pseudo-normals [Baerentzen2005]: the sign of dot(q - closest, normal) tells inside from outside
  // wherever the closest point lies. Edge k of triangle t runs from its vertex k to vertex k + 1.
  std::vector<Vec3> vertex_normals;               // unit, weighted by angles
  std::vector<std::array<Vec3, 3>> edge_normals;  // unit, by triangle
  std::vector<std::array<int, 3>> neighbours;     // triangle across edge k; -1: none
  MeshTree tree;
  bool closed = false;
  Aabb bounds;
  double origin_radius = 0;  // largest distance of a vertex from the origin of S
  double volume = 0;         // m^3; 0 for an open mesh
  uint64_t content = 0;      // hash of vertices and triangles: equal meshes have equal contents
  std::shared_ptr<const DistanceField> field;  // of closed meshes
  MeshSamples samples;                         // where contacts are looked for
};

struct Mesh {
  std::shared_ptr<const MeshGeometry> geometry;
  friend bool operator==(const Mesh& a, const Mesh& b);
};

// The nearest point of the surface.
struct MeshPoint {
  Vec3 point;
  Vec3 normal;          // unit pseudo-normal there
  double distance = 0;  // signed for closed meshes: negative inside; for open ones: behind
  int triangle = -1;    // -1: none within the wanted distance
};

// Exact, by the tree: the nearest point within max_distance of q (shape frame).
MeshPoint find_nearest(const MeshGeometry& mesh, const Vec3& q, double max_distance);

}  // namespace tenon
