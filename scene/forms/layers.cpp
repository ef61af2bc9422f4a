// Solids of layers: walls along the loops, caps where a piece begins or ends.
#include <algorithm>
#include <utility>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/forms/outline.h"

namespace tenon::scene {
namespace {

class LayerBuilder {
 public:
  explicit LayerBuilder(const Layers& layers)
      : layers_(layers), ids_(layers.points.size() * layers.levels.size(), -1) {}

  Surface run() {
    const size_t count = layers_.levels.size() - 1;
    for (size_t layer = 0; layer < count; ++layer) add_walls(layer);
    for (const Layers::Piece& piece : layers_.pieces) {
      const auto triangles = triangulate(layers_.points, piece.region);
      for (size_t level = 0; level <= count; ++level) {
        const bool below = level > 0 && piece.in_layer[level - 1];
        const bool above = level < count && piece.in_layer[level];
        if (below != above) add_cap(triangles, level, below);
      }
    }
    return std::move(surface_);
  }

 private:
  using DirectedEdge = std::pair<int, int>;
  const Layers& layers_;
  std::vector<int> ids_;
  Surface surface_;

  int vertex(int point, size_t level) {
    const auto p = static_cast<size_t>(point);
    int& id = ids_[level * layers_.points.size() + p];
    if (id < 0) {
      id = static_cast<int>(surface_.vertices.size());
      surface_.vertices.push_back(
          {layers_.points[p].x, layers_.points[p].y, layers_.levels[level]});
    }
    return id;
  }

  void add_walls(size_t layer) {
    std::vector<DirectedEdge> edges;
    for (const Layers::Piece& piece : layers_.pieces) {
      if (!piece.in_layer[layer]) continue;
      for (const Loop& loop : piece.region) {
        for (size_t i = 0; i < loop.size(); ++i) {
          edges.push_back({loop[i], loop[(i + 1) % loop.size()]});
        }
      }
    }
    std::vector<DirectedEdge> sorted = edges;
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [a, b] : edges) {
      if (std::binary_search(sorted.begin(), sorted.end(), DirectedEdge{b, a})) continue;
      const int a0 = vertex(a, layer), b0 = vertex(b, layer);
      const int a1 = vertex(a, layer + 1), b1 = vertex(b, layer + 1);
      surface_.triangles.push_back({a0, b0, b1});
      surface_.triangles.push_back({a0, b1, a1});
    }
  }

  // `up`: the solid is below
  void add_cap(const std::vector<std::array<int, 3>>& triangles, size_t level, bool up) {
    for (const auto& t : triangles) {
      const int a = vertex(t[0], level), b = vertex(t[1], level), c = vertex(t[2], level);
      surface_.triangles.push_back(up ? std::array{a, b, c} : std::array{a, c, b});
    }
  }
};

}  // namespace

Surface make_solid(const Layers& layers) { return LayerBuilder(layers).run(); }

Surface extrude(const std::vector<Point2>& points, const Region& region, double depth) {
  return make_solid({.points = points,
                     .levels = {-depth / 2, depth / 2},
                     .pieces = {{.region = region, .in_layer = {true}}}});
}

// Area of the polygon with corners at radius s: n/2 s^2 sin(2 pi/n) = pi r^2.
std::vector<Point2> circle_points(double r, int count) {
  const double step = 2 * kPi / count, s = r * std::sqrt(step / sin(step));
  std::vector<Point2> points;
  for (int i = 0; i < count; ++i) points.push_back({s * cos(step * i), s * sin(step * i)});
  return points;
}

Loop append_loop(std::vector<Point2>& points, const std::vector<Point2>& more) {
  Loop loop;
  for (const Point2& p : more) {
    loop.push_back(static_cast<int>(points.size()));
    points.push_back(p);
  }
  return loop;
}

Loop append_hole(std::vector<Point2>& points, const std::vector<Point2>& more) {
  Loop loop = append_loop(points, more);
  std::reverse(loop.begin(), loop.end());
  return loop;
}

}  // namespace tenon::scene
