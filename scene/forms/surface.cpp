#include "tenon/scene/forms/surface.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tenon::scene {
namespace {

using Triangle = std::array<int, 3>;

uint64_t edge_key(int a, int b) {
  const auto low = static_cast<uint64_t>(std::min(a, b)),
             high = static_cast<uint64_t>(std::max(a, b));
  return low << 32 | high;
}

// The long edges of a surface, sorted, each with a vertex in its middle.
class Middles {
 public:
  Middles(Surface& surface, double edge) : first_(static_cast<int>(surface.vertices.size())) {
    const std::vector<Vec3>& v = surface.vertices;
    for (const Triangle& t : surface.triangles) {
      for (size_t k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3];
        const Vec3 d = v[static_cast<size_t>(a)] - v[static_cast<size_t>(b)];
        if (norm2(d) > edge * edge) keys_.push_back(edge_key(a, b));
      }
    }
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
    surface.vertices.reserve(surface.vertices.size() + keys_.size());
    for (const uint64_t key : keys_) {
      const auto a = static_cast<size_t>(key >> 32), b = static_cast<size_t>(key & 0xffffffffu);
      surface.vertices.push_back(0.5 * (surface.vertices[a] + surface.vertices[b]));
    }
  }

  size_t count() const { return keys_.size(); }
  // -1: not a long edge
  int find(int a, int b) const {
    const auto found = std::lower_bound(keys_.begin(), keys_.end(), edge_key(a, b));
    if (found == keys_.end() || *found != edge_key(a, b)) return -1;
    return first_ + static_cast<int>(found - keys_.begin());
  }

 private:
  int first_;
  std::vector<uint64_t> keys_;
};

// One, two or three of the edges of a triangle are split. With two, a quadrilateral remains; it is
// cut along its shorter diagonal.
void split(const Triangle& t, const Middles& middles, const std::vector<Vec3>& v,
           std::vector<Triangle>& out) {
  std::array<int, 3> m;
  int splits = 0;
  for (size_t k = 0; k < 3; ++k) {
    m[k] = middles.find(t[k], t[(k + 1) % 3]);
    splits += m[k] >= 0;
  }
  if (splits == 0) {
    out.push_back(t);
    return;
  }
  if (splits == 3) {
    for (size_t k = 0; k < 3; ++k) out.push_back({t[k], m[k], m[(k + 2) % 3]});
    out.push_back(m);
    return;
  }
  // turned so that edge 0 is the split one, or edge 2 the whole one
  size_t k = 0;
  while (splits == 1 ? m[k] < 0 : m[(k + 2) % 3] >= 0) ++k;
  const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3], ab = m[k];
  if (splits == 1) {
    out.push_back({a, ab, c});
    out.push_back({ab, b, c});
    return;
  }
  const int bc = m[(k + 1) % 3];
  out.push_back({ab, b, bc});
  const auto length2 = [&](int p, int q) {
    return norm2(v[static_cast<size_t>(p)] - v[static_cast<size_t>(q)]);
  };
  if (length2(a, bc) < length2(ab, c)) {
    out.push_back({a, ab, bc});
    out.push_back({a, bc, c});
  } else {
    out.push_back({a, ab, c});
    out.push_back({ab, bc, c});
  }
}

}  // namespace

Surface split_long_edges(Surface surface, double edge) {
  while (surface.triangles.size() < kMostTriangles) {
    const Middles middles(surface, edge);
    if (middles.count() == 0) break;
    std::vector<Triangle> triangles;
    triangles.reserve(surface.triangles.size() + 2 * middles.count());
    for (const Triangle& t : surface.triangles) split(t, middles, surface.vertices, triangles);
    surface.triangles = std::move(triangles);
  }
  return surface;
}

Surface mirrored(Surface surface) {
  for (Vec3& v : surface.vertices) v.z = -v.z;
  for (Triangle& t : surface.triangles) std::swap(t[1], t[2]);
  return surface;
}

}  // namespace tenon::scene
