// Cost of one contact patch, distance included.
#include <benchmark/benchmark.h>

#include <vector>

#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/geometry/hull.h"

namespace tenon {
namespace {

Transform at(const Vec3& p, const Vec3& rotation = {}) { return {to_matrix(exp_map(rotation)), p}; }

Shape make_prism(int sides) {
  std::vector<Vec3> v;
  for (int k = 0; k < sides; ++k) {
    const double a = 2 * kPi * k / sides;
    v.push_back({0.5 * tenon::cos(a), -0.5, 0.5 * tenon::sin(a)});
    v.push_back({0.5 * tenon::cos(a), 0.5, 0.5 * tenon::sin(a)});
  }
  return make_hull(v).value();
}

// The pose changes a little from call to call, as it does from step to step; with `guess`, the last
// normal is handed on.
void run(benchmark::State& state, const Shape& a, const Transform& X_WA, const Shape& b,
         Transform X_WB, bool guess) {
  Vec3 normal;
  double jitter = 1e-7;
  int points = 0;
  for (auto _ : state) {
    X_WB.p.x += jitter;
    jitter = -jitter;
    const Manifold m =
        guess ? collide(a, X_WA, b, X_WB, 0.01, normal) : collide(a, X_WA, b, X_WB, 0.01);
    normal = m.normal_W;
    points = m.count;
    benchmark::DoNotOptimize(m);
  }
  state.counters["points"] = points;
}

const Shape kFloor = Plane{};
const Shape kBox = Box{{0.5, 0.5, 0.5}};
const Shape kCan = Cylinder{0.5, 0.5};

void box_on_plane(benchmark::State& s) {
  run(s, kBox, at({0, 0.5, 0}, {1e-4, 0.3, 0}), kFloor, {}, true);
}
void box_on_box(benchmark::State& s) {
  run(s, kBox, {}, kBox, at({0.1, 0.999, 0.2}, {1e-5, 0.3, 0}), true);
}
void box_on_box_flush(benchmark::State& s) { run(s, kBox, {}, kBox, at({0, 0.999, 0}), true); }
void box_on_box_cold(benchmark::State& s) {
  run(s, kBox, {}, kBox, at({0.1, 0.999, 0.2}, {1e-5, 0.3, 0}), false);
}
void cylinder_on_plane(benchmark::State& s) {
  run(s, kCan, at({0, 0.5, 0}, {1e-4, 0, 0}), kFloor, {}, true);
}
void cylinder_lying_on_plane(benchmark::State& s) {
  run(s, kCan, at({0, 0.5, 0}, {kPi / 2, 0, 0}), kFloor, {}, true);
}
void cylinder_on_box(benchmark::State& s) {
  run(s, kBox, {}, kCan, at({0.1, 0.999, 0.2}, {1e-4, 0, 0}), true);
}
void cylinder_on_cylinder(benchmark::State& s) {
  run(s, kCan, {}, kCan, at({0.3, 0.999, 0.2}, {1e-4, 0, 0}), true);
}
void sphere_on_box(benchmark::State& s) {
  run(s, kBox, {}, Sphere{0.5}, at({0.1, 0.999, 0.2}), true);
}
void capsule_on_box(benchmark::State& s) {
  run(s, kBox, {}, Capsule{0.2, 0.5}, at({0.1, 0.699, 0.2}, {kPi / 2, 0, 0}), true);
}
void hull8_on_hull8(benchmark::State& s) {
  const Shape hull = make_prism(8);
  run(s, hull, {}, hull, at({0.1, 0.999, 0.2}, {1e-4, 0.3, 0}), true);
}
void hull8_on_hull8_cold(benchmark::State& s) {
  const Shape hull = make_prism(8);
  run(s, hull, {}, hull, at({0.1, 0.999, 0.2}, {1e-4, 0.3, 0}), false);
}
void hull32_on_hull32(benchmark::State& s) {
  const Shape hull = make_prism(32);
  run(s, hull, {}, hull, at({0.1, 0.999, 0.2}, {1e-4, 0.3, 0}), true);
}
void far_boxes(benchmark::State& s) {
  run(s, kBox, {}, kBox, at({0.4, 1.2, 0.2}, {0.1, 0.3, 0}), true);
}

BENCHMARK(box_on_plane);
BENCHMARK(box_on_box);
BENCHMARK(box_on_box_flush);
BENCHMARK(box_on_box_cold);
BENCHMARK(cylinder_on_plane);
BENCHMARK(cylinder_lying_on_plane);
BENCHMARK(cylinder_on_box);
BENCHMARK(cylinder_on_cylinder);
BENCHMARK(sphere_on_box);
BENCHMARK(capsule_on_box);
BENCHMARK(hull8_on_hull8);
BENCHMARK(hull8_on_hull8_cold);
BENCHMARK(hull32_on_hull32);
BENCHMARK(far_boxes);

}  // namespace
}  // namespace tenon

BENCHMARK_MAIN();
