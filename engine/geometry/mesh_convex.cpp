// Which meshes are convex.
#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/hull.h"
#include "tenon/engine/geometry/mesh.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon {
namespace {

// Finer ones are as well off with their samples.
constexpr size_t kMostConvexVertices = 2000;
constexpr size_t kMostHullVertices = 256;
constexpr double kSameVolume = 1e-6;

}  // namespace

// A hull holds all points: the mesh is convex where it has the same volume.
std::shared_ptr<const ConvexMesh> detail::find_convex(const MeshGeometry& mesh) {
  if (!mesh.closed || mesh.vertices.size() > kMostConvexVertices) return nullptr;
  const Result<Hull> hull = make_hull(mesh.vertices);
  if (!hull || hull->geometry->vertices.size() > kMostHullVertices) return nullptr;
  double volume = 0;
  const HullGeometry& g = *hull->geometry;
  for (const HullGeometry::Face& f : g.faces) {
    for (int i = 1; i + 1 < f.count; ++i) {
      const Vec3 a = g.vertices[g.face_vertices[f.first]] - g.centroid;
      const Vec3 b = g.vertices[g.face_vertices[f.first + i]] - g.centroid;
      const Vec3 c = g.vertices[g.face_vertices[f.first + i + 1]] - g.centroid;
      volume += dot(a, cross(b, c)) / 6;
    }
  }
  if (volume > (1 + kSameVolume) * mesh.volume) return nullptr;
  return std::make_shared<ConvexMesh>(ConvexMesh{*hull});
}

}  // namespace tenon
