#include <algorithm>

#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::detail {
namespace {

// A use of an edge by a triangle, listed with the edge's smaller vertex.
struct Use {
  int other;   // the edge's larger vertex
  int corner;  // 3 t + k: it is edge k of triangle t
};

bool runs_up(const MeshGeometry& mesh, int corner) {
  const MeshTriangle& t = mesh.triangles[static_cast<size_t>(corner / 3)];
  const auto k = static_cast<size_t>(corner % 3);
  return t[k] < t[(k + 1) % 3];
}

// All uses, those of one smaller vertex together: uses[first[v] .. first[v + 1]).
struct UseList {
  std::vector<int> first;
  std::vector<Use> uses;
};

UseList list_uses(const MeshGeometry& mesh) {
  UseList list;
  list.first.assign(mesh.vertices.size() + 1, 0);
  const auto each = [&](auto&& add) {
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
      for (size_t k = 0; k < 3; ++k) {
        const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
        add(std::min(a, b), Use{std::max(a, b), static_cast<int>(3 * t + k)});
      }
    }
  };
  each([&](int low, const Use&) { ++list.first[static_cast<size_t>(low) + 1]; });
  for (size_t v = 0; v + 1 < list.first.size(); ++v) list.first[v + 1] += list.first[v];
  std::vector<int> next(list.first.begin(), list.first.end() - 1);
  list.uses.resize(3 * mesh.triangles.size());
  each([&](int low, const Use& use) {
    list.uses[static_cast<size_t>(next[static_cast<size_t>(low)]++)] = use;
  });
  return list;
}

void set_edge(MeshGeometry& mesh, int low, std::span<const Use> uses) {
  const bool paired =
      uses.size() == 2 && runs_up(mesh, uses[0].corner) != runs_up(mesh, uses[1].corner);
  if (!paired) {
    if (mesh.closed) mesh.open_edge = {low, uses[0].other, static_cast<int>(uses.size())};
    mesh.closed = false;
    return;
  }
  for (size_t i = 0; i < 2; ++i) {
    const int corner = uses[i].corner;
    mesh.neighbours[static_cast<size_t>(corner / 3)][static_cast<size_t>(corner % 3)] =
        uses[1 - i].corner / 3;
  }
}

}  // namespace

void find_neighbours(MeshGeometry& mesh) {
  mesh.neighbours.assign(mesh.triangles.size(), {-1, -1, -1});
  mesh.closed = true;
  UseList list = list_uses(mesh);
  for (size_t v = 0; v + 1 < list.first.size(); ++v) {
    const std::span<Use> uses(list.uses.begin() + list.first[v],
                              list.uses.begin() + list.first[v + 1]);
    std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
      return a.other != b.other ? a.other < b.other : a.corner < b.corner;
    });
    for (size_t i = 0; i < uses.size();) {
      size_t end = i + 1;
      while (end < uses.size() && uses[end].other == uses[i].other) ++end;
      set_edge(mesh, static_cast<int>(v), uses.subspan(i, end - i));
      i = end;
    }
  }
}

namespace {

// Share of the square of the longest edge that is no area any more.
constexpr double kSliver = 1e-12;

// Twice the area as a vector, from the two shorter edges (the least cancellation).
Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double ab = norm2(b - a), bc = norm2(c - b), ca = norm2(a - c);
  if (ab >= bc && ab >= ca) return cross(a - c, b - c);
  if (bc >= ca) return cross(b - a, c - a);
  return cross(c - b, a - b);
}

bool is_sliver(const Vec3& area, const Vec3& a, const Vec3& b, const Vec3& c) {
  const double longest2 = std::max({norm2(b - a), norm2(c - b), norm2(a - c)});
  return !(norm(area) > kSliver * longest2);
}

}  // namespace

bool is_sliver(const Vec3& a, const Vec3& b, const Vec3& c) {
  return is_sliver(area_vector(a, b, c), a, b, c);
}

void calc_face_normals(MeshGeometry& mesh, ThreadPool* pool) {
  constexpr size_t kGrain = 4096;
  mesh.face_normals.resize(mesh.triangles.size());
  std::vector<std::vector<size_t>> found(chunk_count(mesh.triangles.size(), kGrain));
  parallel_for(pool, mesh.triangles.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t t = begin; t < end; ++t) {
      const auto [i, j, k] = mesh.triangles[t];
      const Vec3 &a = mesh.vertices[static_cast<size_t>(i)],
                 &b = mesh.vertices[static_cast<size_t>(j)],
                 &c = mesh.vertices[static_cast<size_t>(k)];
      const Vec3 area = area_vector(a, b, c);
      mesh.face_normals[t] = normalized(area, {});
      if (is_sliver(area, a, b, c)) found[begin / kGrain].push_back(t);
    }
  });
  std::vector<size_t> slivers;
  for (const auto& part : found) slivers.insert(slivers.end(), part.begin(), part.end());
  // a sliver has no side of its own and continues the surface around it
  for (const size_t t : slivers) mesh.face_normals[t] = {};
  for (const size_t t : slivers) {
    Vec3 sum;
    for (const int n : mesh.neighbours[t])
      if (n >= 0) sum += mesh.face_normals[static_cast<size_t>(n)];
    mesh.face_normals[t] = normalized(sum, {0, 1, 0});
  }
}

void calc_vertex_normals(MeshGeometry& mesh) {
  mesh.vertex_normals.assign(mesh.vertices.size(), {});
  for (size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (size_t k = 0; k < 3; ++k) {
      const auto at = static_cast<size_t>(mesh.triangles[t][k]);
      const Vec3 u =
          mesh.vertices[static_cast<size_t>(mesh.triangles[t][(k + 1) % 3])] - mesh.vertices[at];
      const Vec3 v =
          mesh.vertices[static_cast<size_t>(mesh.triangles[t][(k + 2) % 3])] - mesh.vertices[at];
      mesh.vertex_normals[at] += atan2(norm(cross(u, v)), dot(u, v)) * mesh.face_normals[t];
    }
  }
  for (Vec3& n : mesh.vertex_normals) n = normalized(n, {0, 1, 0});
}

}  // namespace tenon::detail
