// Small pieces from which contact tests build scenes: surfaces, floors, solids, and measurements.
#pragma once

#include <array>

#include "tenon/engine/base/rng.h"
#include "tenon/tests/any_shape.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {

inline constexpr double kG = 9.81;
inline constexpr double kFrame = 1.0 / 60, kFine = 1e-3;  // s, the steps of the targets

inline const Vec3 kNoGravity{0, 0, 0};

struct Surface {
  double friction = 0, restitution = 0, sliding = -1;  // sliding < 0: as static
  double rolling = 0, spinning = 0;                    // m
};
inline MaterialId add_surface(World& world, const Surface& s) {
  SurfaceMaterial m;
  m.restitution = s.restitution;
  m.static_friction = s.friction;
  m.sliding_friction = s.sliding < 0 ? s.friction : s.sliding;
  m.rolling_friction = s.rolling;
  m.spinning_friction = s.spinning;
  Result<MaterialId> id = world.add_material(m);
  EXPECT_TRUE(id.ok());
  return *id;
}

inline BodyHandle add_floor(World& world, MaterialId material, const Quat& q = {},
                            const Vec3& p = {}) {
  BodyDef def;
  def.motion = MotionKind::kStatic;
  def.X_WB = {p, q};
  def.colliders = {{Plane{}, {}, material, 1000}};
  return add_body(world, def);
}

// A homogeneous body of one shape, its frame at the mass centre.
inline BodyDef make_solid(const Shape& shape, double mass, const Vec3& p, MaterialId material,
                          const Quat& q = {}) {
  BodyDef def;
  def.mass = scaled_to_mass(calc_mass_properties(shape, 1000), mass);
  def.X_WB = {p, q};
  def.colliders = {{shape, {}, material, 1000}};
  return def;
}

inline BodyHandle add_solid(World& world, const Shape& shape, double mass, const Vec3& p,
                            MaterialId material, const Quat& q = {}) {
  return add_body(world, make_solid(shape, mass, p, material, q));
}

// Floor, and boxes of half size 0.25 m (or `half`) on top of each other, touching exactly.
inline std::vector<BodyHandle> add_stack(World& world, const std::vector<double>& masses,
                                         MaterialId material, double half = 0.25) {
  add_floor(world, material);
  std::vector<BodyHandle> boxes;
  for (const double m : masses) {
    const double y = half * (2.0 * static_cast<double>(boxes.size()) + 1);
    boxes.push_back(add_solid(world, Box{{half, half, half}}, m, {0, y, 0}, material));
  }
  return boxes;
}

inline double kinetic(const World& world) { return world.calc_mechanics().kinetic_J; }

inline double mass_of(const World& world) {
  double sum = 0;
  for (const BodyHandle b : world.bodies()) sum += world.mass(b).mass;
  return sum;
}

// The fastest mass centre.
inline double top_speed(const World& world) {
  double v = 0;
  for (const BodyHandle b : world.bodies()) {
    if (world.motion(b) == MotionKind::kDynamic) v = std::max(v, norm(world.velocity(b)));
  }
  return v;
}

// Sum of |L_i| about the origin and of m |v|: what errors of momentum are measured against.
struct MomentumScale {
  double linear = 0, angular = 0;
};
inline MomentumScale momentum_scale(const World& world) {
  MomentumScale s;
  for (const BodyHandle b : world.bodies()) {
    if (world.motion(b) != MotionKind::kDynamic) continue;
    const double m = world.mass(b).mass;
    const Vec3 p = m * world.velocity(b);
    s.linear += norm(p);
    s.angular += norm(world.angular_momentum(b) + cross(world.center_of_mass(b), p));
  }
  return s;
}

inline Vec3 random_vec(Rng& rng, double r) {
  const double x = rng.uniform(-r, r), y = rng.uniform(-r, r);
  return {x, y, rng.uniform(-r, r)};
}

}  // namespace tenon::test
