// Meshes at rest, sliding and rolling: the same as primitives of the same shape, and closed forms.
#include <gtest/gtest.h>

#include <algorithm>

#include "tenon/tests/physics/meshes/mesh_kit.h"

namespace tenon::test {
namespace {

const Vec3 kHalf{0.3, 0.2, 0.25};

// Centre and velocity after a fall from the same height.
struct Fallen {
  Vec3 p, v;
};
Fallen fall(const Shape& shape, const Shape& floor, double seconds) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_static(world, floor, m);
  const Quat q = from_axis_angle({0.6, 0, 0.8}, 0.3);
  const BodyHandle b = add_solid(world, shape, 2, {0.01, 0.6, 0.02}, m, q);
  step_to(world, seconds);
  return {world.center_of_mass(b), world.velocity(b)};
}

TEST(MeshBox, FallsAndComesToRestAsTheBoxDoes) {
  const Shape mesh = to_mesh(box_triangles(kHalf)),
              hull = *make_hull(box_triangles(kHalf).vertices);
  const Fallen a = fall(mesh, Plane{}, 3), b = fall(hull, Plane{}, 3);
  // a convex mesh counts as its hull: nothing differs but the last digits of the mass properties,
  // and what tumbling makes of them
  EXPECT_LT(norm(a.p - b.p), 1e-5);
  EXPECT_LT(norm(a.v), 1e-6);
}

TEST(MeshBox, StandsOnTwoTrianglesAsOnAPlaneAndAsOnManyTriangles) {
  const Fallen plane = fall(Box{kHalf}, Plane{}, 3);
  for (const int cuts : {1, 64}) {
    const Fallen mesh = fall(Box{kHalf}, to_mesh(flat_ground(4, cuts)), 3);
    // where it tumbles to depends on round-off of gaps; how high it stands does not
    EXPECT_NEAR(mesh.p.y, plane.p.y, 1e-5) << cuts;
    EXPECT_LT(norm(mesh.v), 1e-6) << cuts;
  }
}

// What is smaller than its fall in a step (2.7 mm) turns over from one step to the next.
TEST(SmallMeshes, TumbleWithoutSinkingIntoTheFloor) {
  for (const double size : {0.001, 0.003, 0.01}) {
    const Shape shapes[] = {to_mesh(torus(0.35 * size, 0.15 * size, 24, 12)),
                            to_mesh(grooved_box({0.5 * size, 0.2 * size, 0.3 * size}))};
    for (const Shape& shape : shapes) {
      for (const double angle : {0.5, 1.0, 2.0, 2.6}) {
        World world = make_world(kFrame);
        const MaterialId m = add_surface(world, {.friction = 0.5});
        add_floor(world, m);
        const Quat q = from_axis_angle(normalized(Vec3{1, 2, 3}), angle);
        const BodyHandle b = add_solid(world, shape, 1e6 * size * size * size, {0, size, 0}, m, q);
        double deepest = 0;
        while (world.time() < 2) {
          world.step();
          deepest = std::max(deepest, world.diagnostics().penetration_m);
        }
        // a tenth of its size at the most, for a step: it went in by more than all of it
        EXPECT_LT(deepest, 0.1 * size) << size << ' ' << angle;
        EXPECT_LT(norm(world.velocity(b)), 1e-3) << size << ' ' << angle;  // a ring may roll
      }
    }
  }
}

// Equal parts in line: all that sticks out of one passes along edges of the other and is below it
// at the end of the step, so that nothing is near at either end.
TEST(EqualMeshes, DoNotFallThroughEachOtherInLine) {
  const double size = 0.2, thick = 0.08;
  for (const Shape& shape : {Shape{to_mesh(torus(0.3 * size, 0.5 * thick, 24, 12))},
                             Shape{to_mesh(grooved_box({0.5 * size, 0.5 * thick, 0.5 * size}))}}) {
    const bool ring = std::get<Mesh>(shape).geometry->vertices.size() > 100;
    const Quat q = ring ? from_axis_angle({1, 0, 0}, 0.5 * kPi) : Quat{};
    for (const double speed : {4.0, 8.0}) {
      for (const double aside : {0.0, 1e-3, 0.02}) {
        World world = make_world(kFrame);
        const MaterialId m = add_surface(world, {.friction = 0.5});
        add_static(world, shape, m, {}, q);
        const BodyHandle b = add_solid(world, shape, 1, {aside, thick + 0.041, 0}, m, q);
        ASSERT_TRUE(world.set_velocity(b, {0, -speed, 0}).ok());
        step_to(world, 0.25);
        // above the middle of the lower one
        EXPECT_GT(world.center_of_mass(b).y, 0.5 * thick) << ring << ' ' << speed << ' ' << aside;
      }
    }
  }
}

TEST(HollowMesh, HoldsAndSlidesAsCoulombsLawSays) {
  const double mu = 0.5, angle = std::atan(mu), degree = kPi / 180;
  for (const double off : {-0.5, 0.5}) {
    World world = make_world(kFrame);
    const MaterialId m = add_surface(world, {.friction = mu});
    const double a = angle + off * degree;
    const Quat q = from_axis_angle({0, 0, 1}, -a);
    add_floor(world, m, q);
    const Vec3 down = rotate(q, {1, 0, 0});
    const BodyHandle b =
        add_solid(world, to_mesh(grooved_box(kHalf)), 3, rotate(q, {0, kHalf.y, 0}), m, q);
    const Vec3 start = world.center_of_mass(b);
    step_to(world, off < 0 ? 5 : 1);
    const double way = dot(world.center_of_mass(b) - start, down);
    const double closed = 0.5 * kG * (std::sin(a) - mu * std::cos(a));
    if (off < 0) {
      EXPECT_LT(std::fabs(way), 1e-5);
    } else {
      // half a degree above the threshold: forces cancel to 1.5 %, and so does what is exact of
      // them
      EXPECT_NEAR(way, closed, 0.02 * closed);
    }
  }
}

// A block with a slot along z of half width w and depth d in its top.
Triangles slotted_block(const Vec3& h, double w, double d) {
  return prism({{-h.x, -h.y, 0},
                {h.x, -h.y, 0},
                {h.x, h.y, 0},
                {w, h.y, 0},
                {w, h.y - d, 0},
                {-w, h.y - d, 0},
                {-w, h.y, 0},
                {-h.x, h.y, 0}},
               h.z, {0, h.y - d - 0.5 * (2 * h.y - d), 0});
}

// What stands between two walls that are nearer than it is thick was thrown from the one to the
// other in every step, without a velocity: each time only the deeper wall was seen.
TEST(HollowMesh, WedgedInASlotThatIsTooNarrowDoesNotGoToAndFro) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.4});
  add_static(world, to_mesh(slotted_block({0.3, 0.2, 0.3}, 0.047, 0.3)), m);
  // half width 50 mm in a slot of 47: 3 mm too thick on either side
  const BodyHandle bar =
      add_solid(world, to_mesh(grooved_box({0.05, 0.1, 0.1})), 2, {0.001, 0.1, 0}, m);
  step_to(world, 1);
  double longest = 0;
  for (int i = 0; i < 60; ++i) {
    const Vec3 before = world.center_of_mass(bar);
    world.step();
    longest = std::max(longest, norm(world.center_of_mass(bar) - before));
  }
  // 6 mm from wall to wall before; gravity alone would move it by 1.4 mm in a step
  EXPECT_LT(longest, 2e-4);
}

TEST(HollowMesh, TorusLiesStillAndFallsAsleep) {
  const Shape torus_mesh = to_mesh(torus(0.5, 0.15, 48, 24));
  for (const Shape& floor : {Shape{Plane{}}, Shape{to_mesh(flat_ground(4, 40))}}) {
    World world = make_world(kFrame, {.sleeping = true});
    const MaterialId m = add_surface(world, {.friction = 0.5});
    add_static(world, floor, m);
    const BodyHandle b =
        add_solid(world, torus_mesh, 1, {0.01, 0.7, 0}, m, from_axis_angle({0, 0, 1}, 1.2));
    step_to(world, 4);
    const Vec3 p = world.center_of_mass(b);
    step_to(world, 8);
    EXPECT_LT(norm(world.center_of_mass(b) - p), 1e-7);
    EXPECT_NEAR(p.y, 0.15, 2e-4 * 0.3);  // slacks of contacts: 1e-5 of its size, and its tilt
    EXPECT_EQ(world.diagnostics().sleeping_bodies, 1u);
  }
}

TEST(Ground, SphereRollsOverManyTrianglesWithoutBumps) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_static(world, to_mesh(flat_ground(8, 150)), m);
  BodyDef def = make_solid(Sphere{0.3}, 1, {-5, 0.3, 0.017}, m);
  def.velocity = {3, 0, 0.4};
  def.angular_velocity = {0.4 / 0.3, 0, -3 / 0.3};
  const BodyHandle b = add_body(world, def);
  step_to(world, 3);
  // inner edges of a flat ground are none: but for round-off it goes straight on at its speed
  EXPECT_NEAR(world.center_of_mass(b).y, 0.3, 1e-9);
  EXPECT_LT(norm(world.velocity(b) - Vec3{3, 0, 0.4}), 1e-9);
  EXPECT_LT(norm(world.center_of_mass(b) - Vec3{4, 0.3, 1.217}), 1e-8);
}

TEST(Bowl, BallSwingsAsInASphere) {
  // rolling in a sphere of radius R: T = 2 pi sqrt(7 (R - r) / 5 g) for small swings
  const double R = 2, r = 0.2, x0 = 0.15;
  World world = make_world(1.0 / 240);
  const MaterialId m = add_surface(world, {.friction = 0.8});
  add_static(world,
             to_mesh(ground(
                 1, 120, [&](double x, double z) { return R - std::sqrt(R * R - x * x - z * z); })),
             m);
  const double s = x0 / (R - r);
  const BodyHandle b =
      add_solid(world, Sphere{r}, 1, {x0, R - (R - r) * std::sqrt(1 - s * s), 0.003}, m);
  const double T = 2 * kPi * std::sqrt(7 * (R - r) / (5 * kG));
  step_to(world, 2.5 * T);
  // half a swing on: the other side. Facets of 1/60 m: heights off by 1.7e-5 of 6e-3 m, slopes by
  // 4e-3 of 8e-2 in the mean of none
  EXPECT_NEAR(world.center_of_mass(b).x, -x0, 0.05 * x0);
  EXPECT_LT(std::fabs(world.center_of_mass(b).z), 0.05 * x0);
}

}  // namespace
}  // namespace tenon::test
