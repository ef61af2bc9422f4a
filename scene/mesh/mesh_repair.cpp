#include "tenon/scene/mesh/mesh_repair.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "tenon/engine/base/hash.h"
#include "tenon/engine/geometry/mesh.h"

namespace tenon::scene {
namespace {

// Vertices by the cell of a grid that they lie in.
struct Cell {
  int64_t x, y, z;
  friend bool operator==(const Cell&, const Cell&) = default;
};
struct CellHash {
  size_t operator()(const Cell& c) const {
    return static_cast<size_t>(Hasher::mix(
        static_cast<uint64_t>(c.x) * 0x9e3779b97f4a7c15ull ^
        Hasher::mix(static_cast<uint64_t>(c.y) ^ Hasher::mix(static_cast<uint64_t>(c.z)))));
  }
};

// Renames vertices by `to` (each to itself or to an earlier one) and closes the gaps.
size_t rename(MeshData& mesh, std::vector<int> to) {
  std::vector<Vec3> kept;
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] == static_cast<int>(i)) {
      to[i] = static_cast<int>(kept.size());
      kept.push_back(mesh.vertices[i]);
    } else {
      to[i] = to[static_cast<size_t>(to[i])];
    }
  }
  const size_t gone = mesh.vertices.size() - kept.size();
  mesh.vertices = std::move(kept);
  for (auto& t : mesh.triangles)
    for (int& v : t) v = to[static_cast<size_t>(v)];
  return gone;
}

bool repeats(const std::array<int, 3>& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

}  // namespace

size_t join_equal_vertices(MeshData& mesh) {
  std::vector<int> order(mesh.vertices.size()), to(mesh.vertices.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = to[i] = static_cast<int>(i);
  const auto& v = mesh.vertices;
  const auto before = [&](int a, int b) {
    const Vec3 &p = v[static_cast<size_t>(a)], &q = v[static_cast<size_t>(b)];
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    return p.z != q.z ? p.z < q.z : a < b;
  };
  std::sort(order.begin(), order.end(), before);
  for (size_t i = 1; i < order.size(); ++i) {
    const auto here = static_cast<size_t>(order[i]), last = static_cast<size_t>(order[i - 1]);
    if (v[here] == v[last]) to[here] = to[last];
  }
  return rename(mesh, std::move(to));
}

size_t weld_vertices(MeshData& mesh, double distance) {
  std::unordered_map<Cell, std::vector<int>, CellHash> grid;
  std::vector<int> to(mesh.vertices.size());
  for (size_t i = 0; i < to.size(); ++i) {
    const Vec3& p = mesh.vertices[i];
    const auto part = [&](double x) {
      return static_cast<int64_t>(std::clamp(std::floor(x / distance), -4e18, 4e18));
    };
    const Cell here{part(p.x), part(p.y), part(p.z)};
    int found = static_cast<int>(i);
    for (int c = 0; c < 27; ++c) {
      const auto cell = grid.find({here.x + c % 3 - 1, here.y + c / 3 % 3 - 1, here.z + c / 9 - 1});
      if (cell == grid.end()) continue;
      for (const int other : cell->second)
        if (other < found && norm(mesh.vertices[static_cast<size_t>(other)] - p) <= distance)
          found = other;
    }
    to[i] = found;
    if (found == static_cast<int>(i)) grid[here].push_back(found);
  }
  const size_t gone = rename(mesh, std::move(to));
  std::erase_if(mesh.triangles, repeats);
  return gone;
}

size_t drop_triangles(MeshData& mesh) {
  const size_t before = mesh.triangles.size();
  std::vector<std::pair<std::array<int, 3>, size_t>> sorted;
  for (size_t t = 0; t < before; ++t) {
    std::array<int, 3> v = mesh.triangles[t];
    std::sort(v.begin(), v.end());
    sorted.push_back({v, t});
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> gone(before, 0);
  for (size_t i = 1; i < before; ++i)
    if (sorted[i].first == sorted[i - 1].first) gone[sorted[i].second] = 1;
  size_t kept = 0;
  for (size_t t = 0; t < before; ++t) {
    const std::array<int, 3> v = mesh.triangles[t];
    const auto at = [&](int k) {
      return mesh.vertices[static_cast<size_t>(v[static_cast<size_t>(k)])];
    };
    const Vec3 n = cross(at(1) - at(0), at(2) - at(0));
    const double longest2 =
        std::max({norm2(at(1) - at(0)), norm2(at(2) - at(1)), norm2(at(0) - at(2))});
    if (gone[t] || repeats(v) || !(norm(n) > 1e-12 * longest2)) continue;
    mesh.triangles[kept++] = v;
  }
  mesh.triangles.resize(kept);
  return before - kept;
}

namespace {

// Pieces connected over edges of exactly two triangles, and whether a triangle is turned in them.
struct Turning {
  std::vector<int> piece;
  std::vector<char> turned;
  int count = 0;
};

Turning find_turning(const MeshData& mesh) {
  struct Use {
    int low, high, triangle;
    bool up;
  };
  std::vector<Use> uses;
  for (size_t t = 0; t < mesh.triangles.size(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      uses.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), a < b});
    }
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
    return a.low != b.low     ? a.low < b.low
           : a.high != b.high ? a.high < b.high
                              : a.triangle < b.triangle;
  });
  std::vector<std::vector<std::pair<int, bool>>> links(mesh.triangles.size());
  for (size_t i = 0; i < uses.size();) {
    size_t end = i;
    while (end < uses.size() && uses[end].low == uses[i].low && uses[end].high == uses[i].high)
      ++end;
    if (end - i == 2) {
      const bool same = uses[i].up == uses[i + 1].up;
      links[static_cast<size_t>(uses[i].triangle)].push_back({uses[i + 1].triangle, same});
      links[static_cast<size_t>(uses[i + 1].triangle)].push_back({uses[i].triangle, same});
    }
    i = end;
  }
  Turning out{std::vector<int>(links.size(), -1), std::vector<char>(links.size(), 0), 0};
  std::vector<int> open;
  for (size_t t = 0; t < links.size(); ++t) {
    if (out.piece[t] >= 0) continue;
    out.piece[t] = out.count;
    open.push_back(static_cast<int>(t));
    while (!open.empty()) {
      const auto here = static_cast<size_t>(open.back());
      open.pop_back();
      for (const auto& [next, same] : links[here]) {
        if (out.piece[static_cast<size_t>(next)] >= 0) continue;
        out.piece[static_cast<size_t>(next)] = out.count;
        out.turned[static_cast<size_t>(next)] =
            static_cast<char>(out.turned[here] != (same ? 1 : 0));
        open.push_back(next);
      }
    }
    ++out.count;
  }
  return out;
}

}  // namespace

size_t flip_triangles(MeshData& mesh) {
  std::erase_if(mesh.triangles, repeats);
  Turning turning = find_turning(mesh);
  std::vector<MeshData> pieces(static_cast<size_t>(turning.count));
  std::vector<std::array<int, 3>> agreed = mesh.triangles;
  for (size_t t = 0; t < agreed.size(); ++t) {
    if (turning.turned[t]) std::swap(agreed[t][1], agreed[t][2]);
    pieces[static_cast<size_t>(turning.piece[t])].triangles.push_back(agreed[t]);
  }
  // each closed piece with its outside outside, to ask what lies within what
  std::vector<char> inward(pieces.size(), 0);
  std::vector<Mesh> solids(pieces.size());
  for (size_t p = 0; p < pieces.size(); ++p) {
    Result<Mesh> made = make_mesh(mesh.vertices, pieces[p].triangles, {.use = MeshUse::kPicture});
    if (!made) {
      for (auto& t : pieces[p].triangles) std::swap(t[1], t[2]);
      made = make_mesh(mesh.vertices, pieces[p].triangles, {.use = MeshUse::kPicture});
      inward[p] = made && made->geometry->closed;
    }
    if (made && made->geometry->closed) solids[p] = *made;
  }
  std::vector<char> turn(pieces.size(), 0);
  for (size_t p = 0; p < pieces.size(); ++p) {
    const Vec3 inside = mesh.vertices[static_cast<size_t>(pieces[p].triangles[0][0])];
    int around = 0;
    for (size_t q = 0; q < pieces.size() && inward[p]; ++q)
      if (q != p && solids[q].geometry && contains(solids[q].geometry->bounds, {inside, inside}))
        around += find_nearest(*solids[q].geometry, inside, 1e300).distance < 0 ? 1 : 0;
    turn[p] = inward[p] && around % 2 == 0;
  }
  size_t changed = 0;
  for (size_t t = 0; t < agreed.size(); ++t) {
    if (turn[static_cast<size_t>(turning.piece[t])]) std::swap(agreed[t][1], agreed[t][2]);
    if (agreed[t] != mesh.triangles[t]) ++changed;
  }
  mesh.triangles = std::move(agreed);
  return changed;
}

}  // namespace tenon::scene
