#include "tenon/render/detail/mesh_surface.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "tenon/engine/math/elementary.h"

namespace tenon::render {
namespace {

// A corner k of triangle t, and the way around its vertex.
struct Corner {
  int t = -1;
  int k = 0;
};

class Fan {
 public:
  explicit Fan(const MeshGeometry& mesh) : mesh_(mesh), least_(cos(kCrease)) {}

  // Across the edge before (k - 1) or after (k) the corner; t = -1 at a crease or border.
  Corner next(const Corner& c) const { return cross_edge(c, c.k); }
  Corner previous(const Corner& c) const { return cross_edge(c, (c.k + 2) % 3); }

  Vec3 weighted(const Corner& c) const {
    const MeshTriangle& t = mesh_.triangles[c.t];
    const Vec3& p = mesh_.vertices[t[c.k]];
    const Vec3 u = mesh_.vertices[t[(c.k + 1) % 3]] - p, v = mesh_.vertices[t[(c.k + 2) % 3]] - p;
    return atan2(norm(cross(u, v)), dot(u, v)) * mesh_.face_normals[c.t];
  }

 private:
  Corner cross_edge(const Corner& c, int edge) const {
    const int across = mesh_.neighbours[c.t][edge];
    if (across < 0 || dot(mesh_.face_normals[c.t], mesh_.face_normals[across]) < least_) return {};
    const int vertex = mesh_.triangles[c.t][c.k];
    for (int k = 0; k < 3; ++k)
      if (mesh_.triangles[across][k] == vertex) return {across, k};
    return {};
  }

  const MeshGeometry& mesh_;
  double least_;
};

}  // namespace

std::vector<std::array<Vec3, 3>> calc_corner_normals(const MeshGeometry& mesh) {
  const Fan fan(mesh);
  std::vector<std::array<Vec3, 3>> normals(mesh.triangles.size());
  std::vector<char> done(3 * mesh.triangles.size(), 0);
  std::vector<Corner> group;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      if (done[3 * t + k]) continue;
      // back to the first of those that belong together, or once around
      Corner first{t, k};
      for (Corner c = fan.previous(first); c.t >= 0 && !(c.t == t && c.k == k); c = fan.previous(c))
        first = c;
      group.clear();
      Vec3 sum;
      for (Corner c = first; c.t >= 0 && !done[3 * c.t + c.k]; c = fan.next(c)) {
        done[3 * c.t + c.k] = 1;
        group.push_back(c);
        sum += fan.weighted(c);
      }
      for (const Corner& c : group) normals[c.t][c.k] = normalized(sum, mesh.face_normals[c.t]);
    }
  }
  return normals;
}

DrawnMesh make_drawn(const MeshGeometry& mesh) {
  const std::vector<std::array<Vec3, 3>> normals = calc_corner_normals(mesh);
  DrawnMesh drawn;
  drawn.triangles.resize(mesh.triangles.size());
  // those of a vertex, as a list through `next`
  std::vector<int> first(mesh.vertices.size(), -1), next;
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (size_t k = 0; k < 3; ++k) {
      const int v = mesh.triangles[t][k];
      int at = first[v];
      while (at >= 0 && drawn.normals[at] != normals[t][k]) at = next[at];
      if (at < 0) {
        at = static_cast<int>(drawn.points.size());
        drawn.points.push_back(mesh.vertices[v]);
        drawn.normals.push_back(normals[t][k]);
        next.push_back(first[v]);
        first[v] = at;
      }
      drawn.triangles[t][k] = static_cast<uint32_t>(at);
    }
  }
  return drawn;
}

namespace {

CoarseMesh cluster(const MeshGeometry& mesh, double cell) {
  CoarseMesh coarse;
  std::unordered_map<uint64_t, int> places;
  std::vector<int> to(mesh.vertices.size());
  std::vector<double> weights;
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3 at = (mesh.vertices[i] - mesh.bounds.lo) / cell;
    const auto part = [](double x) { return static_cast<uint64_t>(std::clamp(x, 0.0, 1e6)); };
    const uint64_t key = part(at.x) | part(at.y) << 21 | part(at.z) << 42;
    const auto [found, made] = places.emplace(key, static_cast<int>(coarse.points.size()));
    if (made) {
      coarse.points.push_back({});
      weights.push_back(0);
    }
    to[i] = found->second;
    coarse.points[found->second] += mesh.vertices[i];
    weights[found->second] += 1;
  }
  for (size_t i = 0; i < weights.size(); ++i) coarse.points[i] = coarse.points[i] / weights[i];
  for (const MeshTriangle& t : mesh.triangles) {
    const MeshTriangle c{to[t[0]], to[t[1]], to[t[2]]};
    if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) coarse.triangles.push_back(c);
  }
  std::sort(coarse.triangles.begin(), coarse.triangles.end());
  coarse.triangles.erase(std::unique(coarse.triangles.begin(), coarse.triangles.end()),
                         coarse.triangles.end());
  return coarse;
}

}  // namespace

CoarseMesh make_coarse(const MeshGeometry& mesh, size_t triangles) {
  if (mesh.triangles.size() <= triangles) return {mesh.vertices, mesh.triangles};
  // about two triangles to a cell of the surface
  double cell = std::sqrt(2 * mesh.area / static_cast<double>(triangles));
  CoarseMesh coarse = cluster(mesh, cell);
  for (int i = 0; i < 8 && coarse.triangles.size() > triangles; ++i)
    coarse = cluster(mesh, cell *= 1.25);
  return coarse;
}

}  // namespace tenon::render
