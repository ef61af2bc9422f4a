// SimBenchmark 666 (D9): 216 balls fall into a heap; what they overlap.
#include <gtest/gtest.h>

#include "tenon/tests/effort.h"
#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

constexpr double kRadius = 0.1;

struct Cube {
  World world;
  std::vector<BodyHandle> balls;

  Cube(double step, double e, double bottom) : world(make_world(step)) {
    const MaterialId m = add_surface(world, {.restitution = e});
    add_floor(world, m);
    Rng rng(666);
    for (int i = 0; i < 216; ++i) {
      const Vec3 jitter{rng.uniform(0, 1e-3), rng.uniform(0, 1e-3), rng.uniform(0, 1e-3)};
      const Vec3 p{0.21 * (i % 6), bottom + 0.21 * (i / 36), 0.21 * (i / 6 % 6)};
      balls.push_back(add_solid(world, Sphere{kRadius}, 10, p + jitter, m));
    }
  }
  // Sum of squared overlaps, of pairs and with the floor.
  double overlap() const {
    double sum = 0;
    std::vector<Vec3> p;
    for (const BodyHandle b : balls) p.push_back(world.center_of_mass(b));
    for (size_t i = 0; i < p.size(); ++i) {
      const double deep = kRadius - p[i].y;
      if (deep > 0) sum += deep * deep;
      for (size_t j = 0; j < i; ++j) {
        const double d2 = norm2(p[i] - p[j]);
        if (d2 >= 4 * kRadius * kRadius) continue;
        const double d = 2 * kRadius - std::sqrt(d2);
        sum += d * d;
      }
    }
    return sum;
  }
};

TEST(SimBenchmark666, OverlapsNoMoreThanTheBestEngine) {
  Cube cube(kFine, 0, 0.101);
  double sum = 0;
  int count = 0;
  while (cube.world.time() < effort(10.0, 0.2) - 0.5 * kFine) {
    cube.world.step();
    if (cube.world.step_count() % 5 != 0) continue;
    sum += cube.overlap();
    ++count;
  }
  report("D9 mean sum of squared overlaps, step 0.001, m^2", sum / count, "1.5e-4");
  EXPECT_LT(sum / count, 1.5e-4);
  EXPECT_TRUE(all_finite(cube.world));
}

TEST(SimBenchmark666, OverlapsLittleAtCoarseSteps) {
  for (const double step : {0.01, kFrame}) {
    Cube cube(step, 0, 0.101);
    double sum = 0;
    int count = 0;
    while (cube.world.time() < effort(10.0, 1.0) - 0.5 * step) {
      cube.world.step();
      sum += cube.overlap();
      ++count;
    }
    report("D9 mean sum of squared overlaps, step " + std::to_string(step), sum / count,
           "0.0153 of RaiSim at 0.01");
    EXPECT_LT(sum / count, 0.0153) << step;
  }
}

}  // namespace
}  // namespace tenon::test
