// Wheels on meshes roll as they do on planes: their rims touch with the lowest point, whatever the
// points of them that come down ahead do.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/tests/physics/meshes/mesh_kit.h"

namespace tenon::test {
namespace {

const Quat kAxleAlongZ = from_axis_angle({1, 0, 0}, 0.5 * kPi);

TEST(MeshRim, TouchesWithItsLowestPointsAlone) {
  const Shape floor = to_mesh(flat_ground(2, 9));
  const double r = 0.1, half = 0.15;
  for (const double turned : {0.0, 0.1, 0.19634954, 0.3}) {
    const Quat q = from_axis_angle({0, 0, 1}, turned) * kAxleAlongZ;
    std::vector<Manifold> found;
    // as far as it goes in a step
    collide_mesh(floor, {}, Cylinder{r, half}, to_transform(Pose{{0.3, r, 0.1}, q}), 0.08, found);
    ASSERT_EQ(found.size(), 1u);
    for (int k = 0; k < found[0].count; ++k) {
      const ContactPoint& x = found[0].points[static_cast<size_t>(k)];
      EXPECT_NEAR(x.p_W.x, 0.3, 1e-9) << turned;
      EXPECT_NEAR(std::fabs(x.p_W.z - 0.1), half, 1e-9) << turned;
      EXPECT_NEAR(x.distance, 0, 1e-9) << turned;
    }
  }
}

TEST(MeshRim, LiesFlatOnPointsAllAround) {
  const Shape floor = to_mesh(flat_ground(2, 9));
  std::vector<Manifold> found;
  collide_mesh(floor, {}, Cylinder{0.1, 0.15}, to_transform(Pose{{0.3, 0.15, 0.1}, {}}), 1e-3,
               found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GE(found[0].count, 3);
}

// A can that stands upright in a funnel: its rim is as near all around, however many sides that
// has.
TEST(MeshRim, RestsInARoundSeat) {
  for (const int sides : {16, 20, 32}) {
    Triangles funnel;
    for (const auto& [r, y] : {std::pair{0.2, -0.3}, std::pair{0.8, 0.3}}) {
      for (int i = 0; i < sides; ++i) {
        const double a = 2 * kPi * i / sides;
        funnel.vertices.push_back({r * std::cos(a), y, r * std::sin(a)});
      }
    }
    for (int i = 0; i < sides; ++i) {
      const int j = (i + 1) % sides;
      funnel.quad(i, j, sides + j, sides + i);
    }
    World world = make_world(1.0 / 60);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    add_static(world, to_mesh(funnel), m);
    // a rim of 0.5 m fits at the height 0, a little lower between the corners
    const BodyHandle can = add_body(world, make_solid(Cylinder{0.5, 0.2}, 10, {0, 0.22, 0}, m));
    for (int i = 0; i < 120; ++i) {
      world.step();
      // it falls 2 cm, and may rock
      EXPECT_NEAR(world.center_of_mass(can).y, 0.2, 0.025) << sides;
    }
  }
}

// Speed, way, height and place aside of a can that rolls on a mesh in the plane y = 0.
void expect_rolling(const Shape& floor, double r, double speed, double heading, double step) {
  World world = make_world(step);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_static(world, floor, m);
  const Vec3 along{std::cos(heading), 0, -std::sin(heading)}, start{0.3, r, 0.12};
  BodyDef def =
      make_solid(Cylinder{r, 0.1}, 6, start, m, from_axis_angle({0, 1, 0}, heading) * kAxleAlongZ);
  def.velocity = speed * along;
  def.angular_velocity = (speed / r) * cross({0, 1, 0}, along);
  const BodyHandle can = add_body(world, def);
  double hop = 0;
  while (world.time() < 2) {
    world.step();
    hop = std::max(hop, std::fabs(world.center_of_mass(can).y - r));
  }
  const Vec3 gone = world.center_of_mass(can) - start;
  EXPECT_NEAR(norm(world.velocity(can)) / speed, 1, 1e-6) << speed << ' ' << step;
  EXPECT_NEAR(dot(gone, along) / (2 * speed), 1, 1e-6) << speed << ' ' << step;
  EXPECT_LT(norm(gone - dot(gone, along) * along), 1e-6) << speed << ' ' << step;
  EXPECT_LT(hop, 1e-6) << speed << ' ' << step;
}

TEST(RollingOnMeshes, KeepsSpeedAndHeading) {
  const Shape two = to_mesh(flat_ground(40, 1)), fine = to_mesh(flat_ground(20, 40));
  for (const double speed : {0.3, 1.0, 4.0}) {
    for (const double step : {1.0 / 30, kFrame, 1.0 / 240}) {
      expect_rolling(two, 0.1, speed, 0, step);
      expect_rolling(fine, 0.1, speed, 0.7, step);
    }
  }
  expect_rolling(fine, 0.03, 4, 2, kFrame);  // more than two radians in a step
}

TEST(RollingOnMeshes, AcceleratesDownASlopeAsTheClosedFormSays) {
  const double angle = 20 * kPi / 180, r = 0.1, t = 2;
  const Shape floor = to_mesh(flat_ground(20, 1));
  for (const double step : {kFrame, 1.0 / 120, 1.0 / 240}) {
    World world = make_world(step);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    const Quat slope = from_axis_angle({0, 0, 1}, -angle);
    add_static(world, floor, m, {}, slope);
    const Vec3 start = to_matrix(slope) * Vec3{0.3, r, 0.12};
    const BodyHandle can = add_solid(world, Cylinder{r, 0.1}, 6, start, m, kAxleAlongZ);
    step_to(world, t);
    const double way = 0.5 * (2.0 / 3) * kG * std::sin(angle) * t * t;
    EXPECT_NEAR(norm(world.center_of_mass(can) - start), way, 1e-3 * way) << step;
  }
}

TEST(RollingOnMeshes, GoesOnAfterItHasLanded) {
  // thin and fast: it turns by 0.3 rad in a step, and lands with what it falls in one
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_static(world, to_mesh(flat_ground(20, 40)), m);
  const double r = 0.03, v = 0.52;
  BodyDef def = make_solid(Cylinder{r, 0.2}, 1, {0.3, r - 8e-4, 0.12}, m,
                           from_axis_angle({0, 1, 0}, 0.003) * kAxleAlongZ);
  def.velocity = {v, -kG * kFrame, 0};
  def.angular_velocity = {0, 0, -v / r};
  const BodyHandle can = add_body(world, def);
  step_to(world, 1);
  EXPECT_NEAR(world.center_of_mass(can).y, r, 1e-5);
  EXPECT_LT(std::fabs(world.velocity(can).y), 1e-3);
}

// Along a hollow wall every step leads into it by (v h)^2 / 2R. What lifts the ball out again is
// paid for by its motion: it used to climb higher with each swing.
TEST(Bowl, BallClimbsNoHigherThanItStarted) {
  for (const auto& [R, r, x0] : {Vec3{0.15, 0.015, 0.05}, Vec3{1, 0.05, 0.3}, Vec3{1, 0.2, 0.3}}) {
    for (const double friction : {0.0, 0.5}) {
      for (const double step : {1.0 / 30, kFrame, 1.0 / 240}) {
        World world = make_world(step);
        const MaterialId m = add_surface(world, {.friction = friction});
        const double round = R;
        const auto height = [=](double x, double z) {
          return round - std::sqrt(round * round - x * x - z * z);
        };
        add_static(world, to_mesh(ground(0.65 * R, 26, height)), m);
        const double high = R - std::sqrt((R - r) * (R - r) - x0 * x0) - r;  // above the bottom
        // chords of the facets are nearer by up to their width squared over 8 R
        const double facet = 2 * 0.65 * R / 26, chord = facet * facet / (4 * R);
        const BodyHandle b = add_solid(world, Sphere{r}, 1, {x0, r + high + chord, 0}, m);
        const auto energy = [&] {
          const Mechanics e = world.calc_mechanics();
          return e.kinetic_J + e.potential_J - kG * r;
        };
        const double begin = energy();
        double most = 0;
        while (world.time() < 6) {
          world.step();
          most = std::max(most, energy());
        }
        // the most that (5b) and a tolerated overlap lift, in a step
        EXPECT_LT(most, begin + 2e-3 * kG * R) << R << ' ' << r << ' ' << friction << ' ' << step;
        // nor is it stopped
        EXPECT_GT(energy(), 0.05 * begin) << R << ' ' << r << ' ' << friction << ' ' << step;
        EXPECT_LT(world.center_of_mass(b).y, R);
      }
    }
  }
}

}  // namespace
}  // namespace tenon::test
