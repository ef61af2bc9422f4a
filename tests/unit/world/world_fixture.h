// Small worlds for tests.
#pragma once

#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/hull.h"
#include "tenon/engine/world/world.h"

namespace tenon::test {

inline World make_world(WorldSettings settings = {}) {
  Result<World> world = World::make(settings);
  EXPECT_TRUE(world.ok());
  return std::move(*world);
}

inline BodyDef make_box(const Vec3& position, const Vec3& half = {0.5, 0.3, 0.2}) {
  BodyDef def;
  def.colliders = {{Box{half}, {}, 0, 1000}};
  def.X_WB.p = position;
  return def;
}

inline Shape random_shape(Rng& rng) {
  const double a = rng.uniform(0.1, 0.4), b = rng.uniform(0.1, 0.4), c = rng.uniform(0.1, 0.4);
  switch (rng.below(5)) {
    case 0:
      return Sphere{a};
    case 1:
      return Box{{a, b, c}};
    case 2:
      return Cylinder{a, b};
    case 3:
      return Capsule{a, b};
    default: {
      const std::vector<Vec3> corners{{a, 0, 0},  {-a, 0, 0}, {0, b, 0},
                                      {0, -b, 0}, {0, 0, c},  {0, 0, -c}};
      return *make_hull(corners);
    }
  }
}

// A cloud of moving bodies of all shapes inside a cube, dense enough that many touch.
inline void fill_with_bodies(World& world, int count, uint64_t seed, double half_cube) {
  Rng rng(seed);
  const auto within = [&](double r) {
    return Vec3{rng.uniform(-r, r), rng.uniform(-r, r), rng.uniform(-r, r)};
  };
  for (int i = 0; i < count; ++i) {
    BodyDef def;
    def.colliders = {{random_shape(rng), {}, 0, 1000}};
    if (i % 7 == 0) def.colliders.push_back({random_shape(rng), {{0.2, 0.1, 0}, {}}, 0, 500});
    def.X_WB = {within(half_cube), exp_map(within(3))};
    def.velocity = within(2);
    def.angular_velocity = within(5);
    EXPECT_TRUE(world.create_body(def).ok());
  }
}

}  // namespace tenon::test
