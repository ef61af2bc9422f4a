#include <gtest/gtest.h>

#include "tenon/tests/physics/meshes/mesh_kit.h"

namespace tenon::test {
namespace {

void drop(const char* name, const Shape& shape, const Shape* floor, double y, const Quat& q = {}) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  if (floor) add_static(world, *floor, m); else add_floor(world, m);
  const BodyHandle b = add_solid(world, shape, 1, {0.013, y, 0.007}, m, q);
  for (double t : {0.25, 0.5, 1.0, 2.0, 3.0, 5.0}) {
    step_to(world, t);
    const Vec3 p = world.center_of_mass(b), v = world.velocity(b), w = world.angular_velocity(b);
    printf("%s t %.2f p %.6f %.6f %.6f v %.2e %.2e %.2e w %.2e contacts", name, t, p.x, p.y, p.z, v.x, v.y, v.z, norm(w));
    for (const Contact& c : world.contacts()) {
      printf(" [%d n %.4f %.4f %.4f d %.2e]", c.manifold.count, c.manifold.normal_W.x, c.manifold.normal_W.y, c.manifold.normal_W.z, c.manifold.distance);
    }
    printf("\n");
  }
}

TEST(Rest, Wobble) {
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  const Shape torus_mesh = to_mesh(torus(0.5, 0.15, 48, 24));
  const BodyHandle b = add_solid(world, torus_mesh, 1, {0.013, 0.7, 0.007}, m, from_axis_angle({0, 0, 1}, 1.2));
  for (int i = 0; i < 300; ++i) {
    world.step();
    if (i % 10 != 0) continue;
    const Vec3 p = world.center_of_mass(b), v = world.velocity(b), w = world.angular_velocity(b);
    const Mechanics e = world.calc_mechanics();
    printf("%3d y %.5f v %.3f %.3f %.3f w %.3f E %.4f", i, p.y, v.x, v.y, v.z, norm(w), e.kinetic_J + e.potential_J);
    for (const Contact& c : world.contacts()) {
      printf(" [%d", c.manifold.count);
      for (int k = 0; k < c.manifold.count; ++k) printf(" %.1e", c.manifold.points[k].distance);
      printf("]");
    }
    printf("\n");
  }
}

TEST(Rest, Scratch) {
  const Shape torus_mesh = to_mesh(torus(0.5, 0.15, 48, 24));
  const Shape grooved = to_mesh(grooved_box({0.3, 0.2, 0.25}));
  const Shape box = to_mesh(box_triangles({0.3, 0.2, 0.25}));
  const Shape fl = to_mesh(flat_ground(5, 1)), fine = to_mesh(flat_ground(5, 200));
  drop("torus/plane", torus_mesh, nullptr, 0.4);
  drop("torus tilted/plane", torus_mesh, nullptr, 0.7, from_axis_angle({0, 0, 1}, 1.2));
  drop("grooved/plane", grooved, nullptr, 0.4);
  drop("grooved tilted/plane", grooved, nullptr, 0.6, from_axis_angle({0.6, 0, 0.8}, 0.5));
  drop("box/plane", box, nullptr, 0.4);
  drop("Box/ground", Box{{0.3, 0.2, 0.25}}, &fl, 0.4);
  drop("Box/fine", Box{{0.3, 0.2, 0.25}}, &fine, 0.4);
  drop("Sphere/fine", Sphere{0.3}, &fine, 0.4);
  drop("Capsule/fine", Capsule{0.1, 0.3}, &fine, 0.4, from_axis_angle({0, 0, 1}, 1.3));
  drop("Cylinder/fine", Cylinder{0.1, 0.3}, &fine, 0.4, from_axis_angle({0, 0, 1}, 1.3));
  drop("Cylinder up/fine", Cylinder{0.3, 0.1}, &fine, 0.4, from_axis_angle({0, 0, 1}, 0.3));
  drop("grooved/fine", grooved, &fine, 0.4);
  drop("torus/fine", torus_mesh, &fine, 0.4);
  drop("grooved tilted/fine", grooved, &fine, 0.6, from_axis_angle({0.6, 0, 0.8}, 0.5));
  drop("grooved/grooved", grooved, &grooved, 0.7);
  drop("torus/torus", torus_mesh, &torus_mesh, 0.5);
}

}  // namespace
}  // namespace tenon::test
