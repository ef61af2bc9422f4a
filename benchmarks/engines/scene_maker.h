// Builds scenes for benchmarks body by body.
#pragma once

#include "tenon/benchmarks/engines/scene.h"

namespace tenon {

// The turn that takes z along a unit vector.
Quat z_along(const Vec3& unit);

class SceneMaker {
 public:
  // Bodies of even density; mass 0 makes them static. They return the number of the body.
  int box(const Pose& X_WB, const Vec3& half, double mass);
  // Along z of its frame, a ball if the half length of its cylinder is 0.
  int capsule(const Pose& X_WB, double radius, double half_length, double mass);
  // A static slab of 120 m, its surface at y = 0.
  void ground();
  // Joints where the bodies are now, anchor and unit axis in the world; -1 is the world, which
  // becomes the joint's first body. References are good until the next joint.
  SceneJoint& ball(int a, int b, const Vec3& anchor_W, const Vec3& axis_W = {1, 0, 0});
  SceneJoint& hinge(int a, int b, const Vec3& anchor_W, const Vec3& axis_W);

  void let_collide();  // all bodies so far
  SceneBody& body(int index) { return scene.bodies[static_cast<size_t>(index)]; }

  BenchScene scene;

 private:
  int add(const Pose& X_WB, double mass, const Vec3& moments, const SceneShape& shape);
};

}  // namespace tenon
