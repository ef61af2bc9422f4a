// Round lines of contact: what lies in a ring, a hole or a funnel touches all around, in more
// facets than a pair has patches.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tenon/tests/physics/meshes/mesh_kit.h"

namespace tenon::test {
namespace {

// A surface of revolution about y: a closed polygon of radii and heights, clockwise.
Triangles revolve(const std::vector<Vec3>& outline, int n) {
  Triangles t;
  const int m = static_cast<int>(outline.size());
  for (int i = 0; i < n; ++i) {
    const double u = 2 * kPi * i / n;
    for (const Vec3& p : outline) {
      t.vertices.push_back({p.x * std::cos(u), p.y, p.x * std::sin(u)});
    }
  }
  for (int i = 0; i < n; ++i) {
    const int a = i * m, b = (i + 1) % n * m;
    for (int j = 0; j < m; ++j) {
      const int k = (j + 1) % m;
      t.quad(a + j, b + j, b + k, a + k);
    }
  }
  return t;
}

struct Rest {
  Vec3 p;
  double speed, gained;
};

// What becomes of a body in two seconds, and the most that its energy has ever risen.
Rest settle(World& world, BodyHandle body) {
  Rest r{};
  double least = kInfinity;
  while (world.time() < 2) {
    world.step();
    const Mechanics m = world.calc_mechanics();
    const double energy = m.kinetic_J + m.potential_J;
    least = std::min(least, energy);
    r.gained = std::max(r.gained, energy - least);
  }
  r.p = world.center_of_mass(body);
  r.speed = norm(world.velocity(body));
  return r;
}

// A slick ball of mass 1 kg over the middle of a fixed mesh: it has to come to rest at a height.
void expect_rest(const Mesh& seat, double radius, double height, double play, const char* what) {
  for (const double step : {kFrame, 1.0 / 240}) {
    for (const double friction : {0.0, 0.5}) {
      World world = make_world(step);
      const MaterialId m = add_surface(world, {.friction = friction});
      add_static(world, seat, m);
      const BodyHandle ball = add_solid(world, Sphere{radius}, 1, {0, height + 0.002, 0}, m);
      const Rest r = settle(world, ball);
      // overlaps of up to a tenth of what falls in a step (0.3 mm at 1/60 s) may stay
      EXPECT_NEAR(r.p.y, height, play + 3e-4) << what << ' ' << step << ' ' << friction;
      EXPECT_LT(std::hypot(r.p.x, r.p.z), 3e-4) << what << ' ' << step << ' ' << friction;
      EXPECT_LT(r.speed, 1e-6) << what << ' ' << step << ' ' << friction;
      EXPECT_LT(r.gained, 1e-3 * kG * radius) << what << ' ' << step << ' ' << friction;
    }
  }
}

TEST(RoundSeats, OfAHoleHoldABall) {
  for (const int n : {8, 32, 128}) {
    const double hole = 0.1, R = 0.15, inner = hole * std::cos(kPi / n);
    const Mesh plate =
        to_mesh(revolve({{hole, 0, 0}, {0.3, 0, 0}, {0.3, -0.1, 0}, {hole, -0.1, 0}}, n));
    // on the middles of the edges
    expect_rest(plate, R, std::sqrt(R * R - inner * inner), 0, "hole");
  }
}

TEST(RoundSeats, OfAFunnelHoldABall) {
  // 40 degrees from the axis: the ball touches the cone where its distance from the tip is R / sin
  const double half = 40 * kPi / 180, R = 0.1, top = 0.4, tip = 0.02;
  for (const int n : {32, 100}) {
    const Mesh funnel = to_mesh(revolve({{tip, tip / std::tan(half), 0},
                                         {top, top / std::tan(half), 0},
                                         {top + 0.1, top / std::tan(half), 0},
                                         {top + 0.1, -0.1, 0},
                                         {tip, -0.1, 0}},
                                        n));
    // facets are nearer to the axis than the cone
    const double steep = std::atan(std::tan(half) * std::cos(kPi / n));
    expect_rest(funnel, R, R / std::sin(steep), 0, "funnel");
  }
}

TEST(RoundSeats, OfARingHoldABall) {
  const double ring = 0.5, bar = 0.1, R = 0.6;
  const int n = 76, m = 24;
  const Mesh mesh = to_mesh(torus(ring, bar, n, m));
  const double r = ring * std::cos(kPi / n);
  const double height = std::sqrt((R + bar) * (R + bar) - r * r);
  // faceted: the bar is thinner by up to bar (1 - cos(pi / m)), along a normal at 45 degrees
  expect_rest(mesh, R, height, 2 * bar * (1 - std::cos(kPi / m)), "ring");
}

TEST(RoundSeats, OfABallHoldARing) {
  const double ring = 0.1, bar = 0.02, R = 0.2;
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_static(world, Sphere{R}, m);
  const double height = std::sqrt((R + bar) * (R + bar) - ring * ring);
  const BodyHandle body =
      add_solid(world, to_mesh(torus(ring, bar, 64, 24)), 1, {0, height + 0.001, 0}, m);
  const Rest r = settle(world, body);
  // facets: the middles of the edges of 64, and of the bar's 24
  EXPECT_NEAR(r.p.y, height, 5e-4);
  EXPECT_LT(std::hypot(r.p.x, r.p.z), 1e-4);
  EXPECT_LT(r.speed, 1e-5);
  EXPECT_LT(r.gained, 1e-3 * kG * R);
}

// Rings on rings, edge on edge; every other one is `aside`. After five seconds they are where they
// were.
void expect_stack_stays(double aside) {
  const double ring = 0.3, bar = 0.08;
  const Mesh mesh = to_mesh(torus(ring, bar, 48, 24));
  World world = make_world(kFrame);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  std::vector<BodyHandle> rings;
  std::vector<Vec3> begin;
  for (int i = 0; i < 10; ++i) {
    begin.push_back({i % 2 == 0 ? aside : -aside, bar * (2 * i + 1), 0});
    rings.push_back(add_solid(world, mesh, 38, begin.back(), m));
  }
  while (world.time() < 5) world.step();
  for (size_t i = 0; i < rings.size(); ++i) {
    // overlaps of up to a tenth of what falls in a step (0.3 mm at 1/60 s) may stay
    EXPECT_LT(norm(world.center_of_mass(rings[i]) - begin[i]), 3e-4) << i << ' ' << aside;
    EXPECT_LT(norm(world.velocity(rings[i])), 1e-6) << i << ' ' << aside;
  }
}

TEST(RoundSeats, OfTenRingsHoldOneAnother) {
  expect_stack_stays(0);
  expect_stack_stays(2e-5);
}

}  // namespace
}  // namespace tenon::test
