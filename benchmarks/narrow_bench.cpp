// Time per separation query for every pair of shape kinds, a little apart and a little overlapping.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/narrow/separation.h"
#include "tenon/engine/geometry/hull.h"

namespace tenon {
namespace {

struct Query {
  Transform X_WA, X_WB;
};

Shape make_shape(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return Sphere{0.5};
    case ShapeKind::kBox:
      return Box{{0.5, 0.4, 0.3}};
    case ShapeKind::kCylinder:
      return Cylinder{0.4, 0.5};
    case ShapeKind::kCapsule:
      return Capsule{0.3, 0.4};
    case ShapeKind::kPlane:
      return Plane{};
    case ShapeKind::kHull:
    case ShapeKind::kMesh:  // not convex: `mesh_table` measures contacts of meshes
      break;
  }
  Rng rng(7);
  std::vector<Vec3> points;
  for (int i = 0; i < 20; ++i)
    points.push_back(0.5 *
                     normalized(Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}));
  return make_hull(points).value();
}

Transform random_pose(Rng& rng) {
  const Quat q{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
  return {to_matrix(normalized(q)), {}};
}

// Random orientations, B moved along a random direction until the distance is `gap`.
std::vector<Query> make_queries(const Shape& a, const Shape& b, double gap) {
  Rng rng(11);
  std::vector<Query> queries(256);
  for (Query& query : queries) {
    query.X_WA = random_pose(rng);
    query.X_WB = random_pose(rng);
    const Vec3 u = kind(a) == ShapeKind::kPlane
                       ? query.X_WA.R.column(1)
                       : normalized(Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), 0.3});
    double low = 0, high = 4;
    for (int i = 0; i < 40; ++i) {
      query.X_WB.p = 0.5 * (low + high) * u;
      const double distance = find_separation(a, query.X_WA, b, query.X_WB).distance;
      (distance < gap ? low : high) = 0.5 * (low + high);
    }
  }
  return queries;
}

void run(benchmark::State& state, ShapeKind kind_a, ShapeKind kind_b, double gap) {
  const Shape a = make_shape(kind_a), b = make_shape(kind_b);
  const std::vector<Query> queries = make_queries(a, b, gap);
  size_t i = 0;
  for (auto _ : state) {
    const Query& query = queries[i++ % queries.size()];
    benchmark::DoNotOptimize(find_separation(a, query.X_WA, b, query.X_WB));
  }
}

}  // namespace
}  // namespace tenon

int main(int argc, char** argv) {
  using namespace tenon;
  using enum ShapeKind;
  const ShapeKind order[] = {kPlane, kSphere, kCapsule, kBox, kCylinder, kHull};
  for (int i = 0; i < 6; ++i) {
    for (int j = i == 0 ? 1 : i; j < 6; ++j) {
      for (const bool apart : {true, false}) {
        const std::string title = std::string("separation/") + name(order[i]) + "/" +
                                  name(order[j]) + (apart ? "/apart" : "/overlap");
        benchmark::RegisterBenchmark(title.c_str(), [=](benchmark::State& state) {
          run(state, order[i], order[j], apart ? 0.05 : -0.02);
        });
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
