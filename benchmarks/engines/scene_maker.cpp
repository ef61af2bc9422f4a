#include "tenon/benchmarks/engines/scene_maker.h"

#include <algorithm>
#include <utility>

namespace tenon {
namespace {

Vec3 box_moments(double mass, const Vec3& half) {
  const Vec3 s = cwise_mul(half, half);
  return mass / 3 * Vec3{s.y + s.z, s.x + s.z, s.x + s.y};
}
// A capsule along z: two half balls on a cylinder.
Vec3 capsule_moments(double mass, double radius, double length) {
  const double r2 = radius * radius;
  // volumes over pi
  const double cylinder = r2 * length, ends = 4.0 / 3 * r2 * radius;
  const double mc = mass * cylinder / (cylinder + ends), me = mass - mc;
  const double across = mc * (length * length / 12 + r2 / 4) +
                        me * (0.4 * r2 + length * length / 4 + 0.375 * length * radius);
  return {across, across, mc * r2 / 2 + me * 0.4 * r2};
}

}  // namespace

bool BenchScene::collides() const {
  return std::any_of(bodies.begin(), bodies.end(), [](const SceneBody& b) { return b.collides; });
}

Quat z_along(const Vec3& unit) {
  const Vec3 x = any_orthogonal(unit);
  return to_quat(Mat3::from_columns(x, cross(unit, x), unit));
}

int SceneMaker::add(const Pose& X_WB, double mass, const Vec3& moments, const SceneShape& shape) {
  scene.bodies.push_back({X_WB, mass, moments, {}, {}, shape});
  return static_cast<int>(scene.bodies.size()) - 1;
}
int SceneMaker::box(const Pose& X_WB, const Vec3& half, double mass) {
  return add(X_WB, mass, box_moments(mass, half), {SceneShape::Kind::kBox, half});
}
int SceneMaker::capsule(const Pose& X_WB, double radius, double half_length, double mass) {
  return add(X_WB, mass, capsule_moments(mass, radius, 2 * half_length),
             {SceneShape::Kind::kCapsule, {radius, radius, half_length}});
}
void SceneMaker::ground() { box({{0, -1, 0}, {}}, {60, 1, 60}, 0); }

SceneJoint& SceneMaker::ball(int a, int b, const Vec3& anchor_W, const Vec3& axis_W) {
  if (b < 0) std::swap(a, b);
  SceneJoint joint;
  joint.a = a;
  joint.b = b;
  const Vec3 side_W = any_orthogonal(axis_W);
  const auto localise = [&](int index, Vec3& p, Vec3& axis, Vec3& side) {
    const Pose X = index < 0 ? Pose{} : body(index).X_WB;
    p = rotate(conjugate(X.q), anchor_W - X.p);
    axis = rotate(conjugate(X.q), axis_W);
    side = rotate(conjugate(X.q), side_W);
  };
  localise(a, joint.p_A, joint.axis_A, joint.side_A);
  localise(b, joint.p_B, joint.axis_B, joint.side_B);
  scene.joints.push_back(joint);
  return scene.joints.back();
}
SceneJoint& SceneMaker::hinge(int a, int b, const Vec3& anchor_W, const Vec3& axis_W) {
  SceneJoint& joint = ball(a, b, anchor_W, axis_W);
  joint.hinge = true;
  return joint;
}

void SceneMaker::let_collide() {
  for (SceneBody& each : scene.bodies) each.collides = true;
}

}  // namespace tenon
