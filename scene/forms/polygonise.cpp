// Marching tetrahedra: the surface of a field on a grid whose cubes are cut into six tetrahedra
// each. Unlike marching cubes it has no ambiguous case, so the surface is closed and manifold
// whatever the field. Source: [DoiKoide1991]. Departures: crossings keep away from corners of the
// grid, so that no triangle degenerates; then vertices slide on the surface until triangles are
// even.
#include <algorithm>
#include <cmath>

#include "tenon/scene/forms/blobs.h"

namespace tenon::scene {
namespace {

// Corners of a cube are bits x = 1, y = 2, z = 4. A tetrahedron goes from corner 0 to corner 7
// along the axes in one of six orders; those of odd order are turned inside out.
constexpr int kTets[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7},
                             {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 5, 1, 7}};

class Marcher {
 public:
  Marcher(const BlobField& field, double cell) : field_(field), cell_(cell) {
    const Vec3 size = field.high() - field.low();
    for (int k = 0; k < 3; ++k) n_[k] = static_cast<int>(std::ceil(size[k] / cell)) + 3;
    origin_ = 0.5 * (field.low() + field.high()) -
              0.5 * cell * Vec3{n_[0] - 1.0, n_[1] - 1.0, n_[2] - 1.0};
    const size_t area = static_cast<size_t>(n_[0]) * static_cast<size_t>(n_[1]);
    for (int s = 0; s < 2; ++s) {
      values_[s].resize(area);
      ids_[s].resize(8 * area);
    }
  }

  Surface run() {
    fill(0, 0);
    for (int z = 0; z + 1 < n_[2]; ++z) {
      fill(z + 1, (z + 1) % 2);
      for (int y = 0; y + 1 < n_[1]; ++y) {
        for (int x = 0; x + 1 < n_[0]; ++x) march_cube(x, y, z);
      }
      if (surface_.triangles.size() > kMostTriangles) break;
    }
    return std::move(surface_);
  }

 private:
  const BlobField& field_;
  double cell_;
  int n_[3];
  Vec3 origin_;
  std::vector<double> values_[2];  // of two neighbouring slices, by parity of z
  std::vector<int> ids_[2];        // of vertices on the edges from a grid point, by direction
  Surface surface_;

  Vec3 point(int x, int y, int z) const {
    return origin_ +
           cell_ * Vec3{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  }
  size_t place(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(n_[0]) + static_cast<size_t>(x);
  }
  void fill(int z, int slice) {
    std::fill(ids_[slice].begin(), ids_[slice].end(), -1);
    for (int y = 0; y < n_[1]; ++y) {
      for (int x = 0; x < n_[0]; ++x) {
        values_[slice][place(x, y)] = field_.sample(point(x, y, z)).value;
      }
    }
  }
  double value(int x, int y, int z) const { return values_[z % 2][place(x, y)]; }

  // On the edge between two corners of the cube at (x, y, z); a is a subset of b.
  int vertex(const int cube[3], int a, int b) {
    if (a > b) std::swap(a, b);
    const int x = cube[0] + (a & 1), y = cube[1] + (a >> 1 & 1), z = cube[2] + (a >> 2);
    int& id = ids_[z % 2][8 * place(x, y) + static_cast<size_t>(b ^ a)];
    if (id < 0) {
      const int dx = (b ^ a) & 1, dy = (b ^ a) >> 1 & 1, dz = (b ^ a) >> 2;
      const double va = value(x, y, z), vb = value(x + dx, y + dy, z + dz);
      const double s = std::clamp(va / (va - vb), 0.1, 0.9);
      id = static_cast<int>(surface_.vertices.size());
      const Vec3 p = point(x, y, z), q = point(x + dx, y + dy, z + dz);
      surface_.vertices.push_back(p + s * (q - p));
    }
    return id;
  }

  void march_cube(int x, int y, int z) {
    const int cube[3] = {x, y, z};
    int inside = 0;
    for (int c = 0; c < 8; ++c) {
      inside |= (value(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)) < 0) << c;
    }
    if (inside == 0 || inside == 255) return;
    for (const auto& tet : kTets) march_tet(cube, tet, inside);
  }

  // With i, j, k, l an even order of the corners: one of them, i, inside gives the triangle
  // ij ik il; two, i and j, the quadrilateral ik il jl jk; three are one outside, turned about.
  void march_tet(const int cube[3], const int (&tet)[4], int inside) {
    constexpr int kOne[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 0, 1, 3}, {3, 0, 2, 1}};
    constexpr int kTwo[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
    int mask = 0, count = 0;
    for (int i = 0; i < 4; ++i) {
      const int in = inside >> tet[i] & 1;
      mask |= in << i;
      count += in;
    }
    auto& out = surface_.triangles;
    if (count == 1 || count == 3) {
      const int odd = count == 1 ? mask : 15 - mask;
      for (const auto& o : kOne) {
        if (odd != 1 << o[0]) continue;
        const int a = vertex(cube, tet[o[0]], tet[o[1]]), b = vertex(cube, tet[o[0]], tet[o[2]]),
                  c = vertex(cube, tet[o[0]], tet[o[3]]);
        out.push_back(count == 1 ? std::array{a, b, c} : std::array{a, c, b});
      }
    } else if (count == 2) {
      for (const auto& o : kTwo) {
        if (mask != (1 << o[0] | 1 << o[1])) continue;
        const int a = vertex(cube, tet[o[0]], tet[o[2]]), b = vertex(cube, tet[o[0]], tet[o[3]]),
                  c = vertex(cube, tet[o[1]], tet[o[3]]), d = vertex(cube, tet[o[1]], tet[o[2]]);
        out.push_back({a, b, c});
        out.push_back({a, c, d});
      }
    }
  }
};

// Newton's step along the gradient, no longer than a third of a cell.
void move_onto(const BlobField& field, Vec3& p, double cell) {
  const FieldSample f = field.sample(p);
  const double slope2 = std::max(norm2(f.gradient), 0.25);
  const double length = std::fabs(f.value) * norm(f.gradient) / slope2;
  const double share = length > cell / 3 ? cell / 3 / length : 1;
  p -= share * f.value / slope2 * f.gradient;
}

// Moves every vertex half the way to the mean of its neighbours, along the surface.
void even_out(const BlobField& field, Surface& surface, double cell) {
  std::vector<Vec3> sum(surface.vertices.size());
  std::vector<int> count(surface.vertices.size(), 0);
  for (const auto& t : surface.triangles) {
    for (size_t k = 0; k < 3; ++k) {
      // each edge is seen from both of its triangles, once in either direction
      sum[static_cast<size_t>(t[k])] += surface.vertices[static_cast<size_t>(t[(k + 1) % 3])];
      ++count[static_cast<size_t>(t[k])];
    }
  }
  for (size_t i = 0; i < sum.size(); ++i) {
    Vec3& p = surface.vertices[i];
    const Vec3 n = normalized(field.sample(p).gradient), d = sum[i] / count[i] - p;
    p += 0.5 * (d - dot(d, n) * n);
    move_onto(field, p, cell);
  }
}

}  // namespace

Surface polygonise(const BlobField& field, double edge) {
  const double cell = edge / 0.8;  // edges are 0.5 to 1.2 cells long once they are even
  Surface surface = Marcher(field, cell).run();
  for (int pass = 0; pass < 5; ++pass) even_out(field, surface, cell);
  for (Vec3& v : surface.vertices) move_onto(field, v, cell);
  return surface;
}

}  // namespace tenon::scene
