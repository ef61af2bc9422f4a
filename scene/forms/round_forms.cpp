// Spheres, boxes, grounds and bowls.
#include <algorithm>
#include <cmath>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/scene/forms/detail/makers.h"
#include "tenon/scene/forms/rows.h"

namespace tenon::scene {
namespace {

// Corners of an icosahedron: the cyclic permutations of (0, +-1, +-golden ratio).
Surface make_icosahedron() {
  const double g = (1 + std::sqrt(5.0)) / 2;
  return {{{-1, g, 0},
           {1, g, 0},
           {-1, -g, 0},
           {1, -g, 0},
           {0, -1, g},
           {0, 1, g},
           {0, -1, -g},
           {0, 1, -g},
           {g, 0, -1},
           {g, 0, 1},
           {-g, 0, -1},
           {-g, 0, 1}},
          {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
           {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
           {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
}

double longest_edge(const Surface& surface) {
  double longest = 0;
  for (const auto& t : surface.triangles) {
    for (size_t k = 0; k < 3; ++k) {
      longest = std::max(longest, norm2(surface.vertices[static_cast<size_t>(t[k])] -
                                        surface.vertices[static_cast<size_t>(t[(k + 1) % 3])]));
    }
  }
  return std::sqrt(longest);
}

}  // namespace

Surface make(const SphereForm& form) {
  const double edge = form.edge.value_or(form.radius / 6);
  Surface surface = make_icosahedron();
  const auto to_sphere = [&] {
    for (Vec3& v : surface.vertices) v = form.radius * normalized(v);
  };
  to_sphere();
  for (double longest = longest_edge(surface); longest > edge; longest = longest_edge(surface)) {
    if (surface.triangles.size() > kMostTriangles) break;
    // every edge is longer than 0.8 of the longest (a geodesic sphere's are within 0.85)
    surface = split_long_edges(std::move(surface), 0.51 * longest);
    to_sphere();
  }
  return surface;
}

Surface make(const BoxForm& form) {
  const Vec3 h = 0.5 * form.size;
  Surface box;
  for (int i = 0; i < 8; ++i) {
    box.vertices.push_back({i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z});
  }
  box.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                   {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return form.edge ? split_long_edges(std::move(box), *form.edge) : box;
}

// Waves of random directions and phases; octave o has 2^-o of the length and of the height:
//   y = height / sum_o 2^-o  sum_o 2^-o sin(k_o . p + a_o) sin(l_o . p + b_o)
Surface make(const GridForm& form) {
  struct Wave {
    double kx, kz, a, lx, lz, b, height;
  };
  std::vector<Wave> waves;
  Rng rng(static_cast<uint64_t>(form.seed));
  double number = 2 * kPi / form.wavelength, share = 1, total = 0;
  for (int o = 0; o < form.octaves; ++o, number *= 2, share /= 2) {
    const double angle = rng.uniform(0, 2 * kPi);
    Wave w{number * cos(angle), number * sin(angle), rng.uniform(0, 2 * kPi), 0, 0, 0, share};
    w.lx = -w.kz, w.lz = w.kx, w.b = rng.uniform(0, 2 * kPi);
    waves.push_back(w);
    total += share;
  }
  const double edge = form.edge.value_or(std::max(form.length, form.width) / 100) / std::sqrt(2.0);
  const int nx = count_pieces(form.length, edge, 1), nz = count_pieces(form.width, edge, 1);
  Surface ground;
  ground.vertices.reserve(static_cast<size_t>(nx + 1) * static_cast<size_t>(nz + 1));
  for (int i = 0; i <= nx; ++i) {
    for (int j = 0; j <= nz; ++j) {
      const double x = form.length * (static_cast<double>(i) / nx - 0.5);
      const double z = form.width * (static_cast<double>(j) / nz - 0.5);
      double y = 0;
      for (const Wave& w : waves) {
        y += w.height * sin(w.kx * x + w.kz * z + w.a) * sin(w.lx * x + w.lz * z + w.b);
      }
      ground.vertices.push_back({x, form.height / total * y, z});
    }
  }
  ground.triangles.reserve(2 * static_cast<size_t>(nx) * static_cast<size_t>(nz));
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < nz; ++j) {
      const int a = i * (nz + 1) + j, b = a + nz + 1;
      ground.triangles.push_back({a, a + 1, b + 1});
      ground.triangles.push_back({a, b + 1, b});
    }
  }
  return ground;
}

// The section, from the axis along the outside, over the rim and back along the inside; heights
// above the centre of the sphere. The rim is half a circle between the two walls.
Surface make(const BowlForm& form) {
  const double edge = form.edge.value_or(form.radius / 20);
  const double R = form.radius, r = R - form.wall, top = form.height - R;
  // from the bottom up to the rim, whose middle lies half a wall below the top
  const double middle = (R + r) / 2, end = kPi / 2 + asin((top - form.wall / 2) / middle);
  const int along = count_pieces(R * end, edge, 8),
            rim = count_pieces(kPi / 2 * form.wall, edge, 4);
  std::vector<std::array<double, 2>> section;
  const auto add = [&](double radius, double angle) {
    section.push_back({radius * sin(angle), R - radius * cos(angle)});
  };
  for (int i = 0; i <= along; ++i) add(R, end * i / along);
  const double cx = middle * sin(end), cy = R - middle * cos(end);
  for (int i = 1; i < rim; ++i) {
    const double a = end - kPi / 2 + kPi * i / rim;
    section.push_back({cx + form.wall / 2 * cos(a), cy + form.wall / 2 * sin(a)});
  }
  for (int i = along; i >= 0; --i) add(r, end * i / along);
  // about y: a ring runs counter-clockwise about it where rows go up along the outside
  const int around = count_pieces(2 * kPi * R * (end > kPi / 2 ? 1 : sin(end)), edge, 12);
  std::vector<Row> rows;
  for (size_t i = 0; i < section.size(); ++i) {
    const bool on_axis = i == 0 || i + 1 == section.size();
    Row row;
    for (int k = 0; k < (on_axis ? 1 : around); ++k) {
      const double angle = 2 * kPi * k / around, rho = on_axis ? 0 : section[i][0];
      row.push_back({rho * sin(angle), section[i][1], rho * cos(angle)});
    }
    rows.push_back(std::move(row));
  }
  return stitch_rows(rows, Ends::kClosed);
}

}  // namespace tenon::scene
