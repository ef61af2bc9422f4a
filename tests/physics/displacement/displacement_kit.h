// Small worlds of the method 'displacement'.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "tenon/engine/world/world.h"

namespace tenon::displacement_kit {

using displacement::Projection;

struct Setting {
  double step = 0.01;
  Projection projection = Projection::kConserving;
  Vec3 gravity{};
  double tolerance = 1e-14;  // to round-off: what is left is the method's own
  Method method = Method::kDisplacement;
};

inline World make_world(const Setting& setting) {
  WorldSettings s;
  s.gravity = setting.gravity;
  s.step = setting.step;
  s.method = setting.method;
  s.tolerance = setting.tolerance;
  if (setting.method == Method::kDisplacement) {
    s.displacement.projection = setting.projection;
    s.displacement.geometric = 60;
    s.displacement.inner = 300;
  }
  Result<World> world = World::make(s);
  EXPECT_TRUE(world.ok());
  return std::move(*world);
}

inline std::vector<ColliderDef> make_collider(const Shape& shape) {
  ColliderDef collider;
  collider.shape = shape;
  return {collider};
}

// A thin rod along x of 1 m; as heavy as its density makes it.
inline BodyDef make_rod(const Vec3& middle) {
  BodyDef rod;
  rod.colliders = make_collider(Box{.half = {0.5, 0.02, 0.02}});
  rod.X_WB.p = middle;
  rod.collision = false;
  return rod;
}

// Hinges turn about the x axis of their frames.
inline Quat along_z() { return from_axis_angle({0, 1, 0}, -kPi / 2); }

inline JointHandle add_hinge_z(World& world, BodyHandle parent, const Vec3& at_P, BodyHandle child,
                               const Vec3& at_C) {
  JointDef hinge;
  hinge.kind = JointKind::kHinge;
  hinge.parent = parent;
  hinge.child = child;
  hinge.X_BP = {at_P, along_z()};
  hinge.X_BC = {at_C, along_z()};
  Result<JointHandle> joint = world.create_joint(hinge);
  EXPECT_TRUE(joint.ok());
  return *joint;
}

inline BodyHandle add(World& world, const BodyDef& def) {
  Result<BodyHandle> body = world.create_body(def);
  EXPECT_TRUE(body.ok());
  return *body;
}

}  // namespace tenon::displacement_kit
