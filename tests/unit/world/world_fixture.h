// Small worlds for tests.
#pragma once

#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/world/world.h"
#include "tenon/tests/any_shape.h"

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

// Events of so many steps.
inline std::vector<Event> run_and_collect(World& world, int steps) {
  std::vector<Event> all;
  for (int i = 0; i < steps; ++i) {
    world.step();
    all.insert(all.end(), world.events().begin(), world.events().end());
  }
  return all;
}

// A cloud of moving bodies of all shapes inside a cube, dense enough that many touch.
inline void fill_with_bodies(World& world, int count, uint64_t seed, double half_cube) {
  Rng rng(seed);
  const auto within = [&](double r) {
    return Vec3{rng.uniform(-r, r), rng.uniform(-r, r), rng.uniform(-r, r)};
  };
  for (int i = 0; i < count; ++i) {
    BodyDef def;
    def.colliders = {{any_shape(rng), {}, 0, 1000}};
    if (i % 7 == 0) def.colliders.push_back({any_shape(rng), {{0.2, 0.1, 0}, {}}, 0, 500});
    def.X_WB = {within(half_cube), exp_map(within(3))};
    def.velocity = within(2);
    def.angular_velocity = within(5);
    EXPECT_TRUE(world.create_body(def).ok());
  }
}

}  // namespace tenon::test
