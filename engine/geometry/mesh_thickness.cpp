#include "tenon/engine/geometry/mesh_thickness.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon {
namespace {

double area_of(const MeshGeometry& mesh, const MeshTriangle& t) {
  const auto vertex = [&](int i) { return mesh.vertices[static_cast<size_t>(i)]; };
  return 0.5 * norm(cross(vertex(t[1]) - vertex(t[0]), vertex(t[2]) - vertex(t[0])));
}

// From the middle of a triangle inwards; `far` where nothing is met.
double thickness_at(const MeshGeometry& mesh, size_t triangle, double far) {
  constexpr double kOffSurface = 1e-6;  // of the size: the ray does not meet where it begins
  const MeshTriangle& t = mesh.triangles[triangle];
  Vec3 middle;
  for (const int i : t) middle += (1.0 / 3) * mesh.vertices[static_cast<size_t>(i)];
  const Vec3 inward = -mesh.face_normals[triangle];
  const double off = kOffSurface * mesh.size;
  const MeshHit hit = find_first_hit(mesh, middle + off * inward, inward, far);
  return hit.triangle < 0 ? far : hit.t + off;
}

}  // namespace

double calc_thickness(const MeshGeometry& mesh) {
  constexpr int kPlaces = 256, kSixth = kPlaces / 6;
  constexpr double kLeast = 0.125;  // of the size
  if (!mesh.closed || !(mesh.area > 0)) return mesh.size;
  const double far = 2 * norm(mesh.bounds.hi - mesh.bounds.lo);
  std::vector<double> found;
  double passed = 0;
  for (size_t t = 0; t < mesh.triangles.size() && found.size() < kPlaces; ++t) {
    passed += area_of(mesh, mesh.triangles[t]);
    const double share = static_cast<double>(found.size()) + 0.5;
    if (passed * kPlaces < share * mesh.area) continue;
    const double here = thickness_at(mesh, t, far);
    // large triangles stand for several places
    while (found.size() < kPlaces &&
           passed * kPlaces >= (static_cast<double>(found.size()) + 0.5) * mesh.area) {
      found.push_back(here);
    }
  }
  if (found.empty()) return mesh.size;
  const size_t at = std::min<size_t>(kSixth, found.size() - 1);
  std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(at), found.end());
  return std::clamp(found[at], kLeast * mesh.size, mesh.size);
}

}  // namespace tenon
