// Shapes, each in its own shape frame S, convex but for the last. A body carries any number of
// them, each with its own place in the body; compounds, point masses and fixed points are bodies,
// not shapes.
//
//   sphere    centre at the origin
//   box       centred, edges along the axes
//   cylinder  centred, axis along y
//   capsule   centred, segment along y from -half_length to +half_length, swept by a sphere
//   plane     the half-space y <= 0; its surface is y = 0 with outward normal +y; no mass
//   hull      convex polyhedron, shared between all shapes that use it
//   mesh      triangles, see mesh.h; shared as well
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/geometry/mesh.h"
#include "tenon/engine/math/aabb.h"
#include "tenon/engine/math/transform.h"

namespace tenon {

struct Sphere {
  double radius = 1;
  friend bool operator==(const Sphere&, const Sphere&) = default;
};
struct Box {
  Vec3 half{0.5, 0.5, 0.5};
  friend bool operator==(const Box&, const Box&) = default;
};
struct Cylinder {
  double radius = 1;
  double half_height = 0.5;
  friend bool operator==(const Cylinder&, const Cylinder&) = default;
};
struct Capsule {
  double radius = 1;
  double half_length = 0.5;  // of the segment between the cap centres; 0 is a sphere
  friend bool operator==(const Capsule&, const Capsule&) = default;
};
struct Plane {
  friend bool operator==(const Plane&, const Plane&) = default;
};

// A convex polyhedron with its topology. Immutable once made (make_hull in hull.h).
struct HullGeometry {
  struct Face {
    Vec3 normal;    // outward unit normal
    double offset;  // the face plane is dot(normal, p) = offset
    int first;      // its vertex loop, counter-clockwise seen from outside, is
    int count;      //   face_vertices[first .. first + count)
  };
  struct Edge {
    int v0, v1;        // vertices, v0 < v1
    int face0, face1;  // the two faces that meet here
  };
  std::vector<Vec3> vertices;  // only those on the hull, in the order of the input points
  std::vector<Face> faces;     // coplanar triangles are merged into one polygon
  std::vector<int> face_vertices;
  std::vector<Edge> edges;
  // Vertex neighbours for hill climbing: neighbours[first_neighbour[v] .. first_neighbour[v+1])
  std::vector<int> first_neighbour;
  std::vector<int> neighbours;
  Vec3 centroid;             // centre of volume
  double radius = 0;         // largest distance of a vertex from the centroid
  double origin_radius = 0;  // largest distance of a vertex from the origin of S
  double width = 0;          // smallest extent along a face normal
  double tolerance = 0;      // no input point lies further outside than this, and no vertex of
                             //   a merged face further from its plane
};

struct Hull {
  std::shared_ptr<const HullGeometry> geometry;
  friend bool operator==(const Hull& a, const Hull& b) {
    return a.geometry == b.geometry ||
           (a.geometry && b.geometry && a.geometry->vertices == b.geometry->vertices);
  }
};

using Shape = std::variant<Sphere, Box, Cylinder, Capsule, Plane, Hull, Mesh>;

// The hull of a convex mesh (MeshGeometry::convex).
struct ConvexMesh {
  Shape hull;
};

enum class ShapeKind { kSphere, kBox, kCylinder, kCapsule, kPlane, kHull, kMesh };
inline constexpr int kShapeKinds = 7;
inline ShapeKind kind(const Shape& shape) { return static_cast<ShapeKind>(shape.index()); }
// "sphere", "box", "cylinder", "capsule", "plane", "hull", "mesh": also the spelling of the scene
// file.
const char* name(ShapeKind kind);

// Lengths outside this range are refused: products of six of them must neither over- nor underflow.
inline constexpr double kSmallestLength = 1e-30;
inline constexpr double kLargestLength = 1e30;

// Refuses lengths that are not finite, not positive (a capsule's half_length may be 0) or out of
// range, and a hull or mesh without geometry; the error names the field.
Status check(const Shape& shape);

}  // namespace tenon
