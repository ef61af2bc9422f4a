#include "tenon/benchmarks/contacts/scenes.h"

namespace tenon {
namespace {

// One figure. Places are in its frame, heights above the soles.
class Figure {
 public:
  Figure(SceneMaker& make, const Pose& X_WF) : make_(make), X_WF_(X_WF) {
    const int pelvis = box({0, 0, 1.00}, {0.09, 0.15, 0.07}, 10);
    const int belly = box({0, 0, 1.14}, {0.08, 0.13, 0.06}, 8);
    const int chest = box({0, 0, 1.34}, {0.10, 0.15, 0.12}, 16);
    const int neck = upright({0, 0, 1.51}, 0.04, 0.01, 1);
    const int head = upright({0, 0, 1.67}, 0.09, 0.03, 4.5);
    ball(pelvis, belly, {0, 0, 1.075}, kUp, 0.4, 0.4);
    ball(belly, chest, {0, 0, 1.21}, kUp, 0.4, 0.4);
    ball(chest, neck, {0, 0, 1.465}, kUp, 0.5, 0.6);
    ball(neck, head, {0, 0, 1.555}, kUp, 0.5, 0.6);
    for (double side : {-1.0, 1.0}) {
      add_arm(chest, side);
      add_leg(pelvis, side);
    }
  }

 private:
  static constexpr Vec3 kUp{0, 0, 1}, kDown{0, 0, -1}, kLeft{0, 1, 0};

  void add_arm(int chest, double side) {
    const double y = side * 0.22;
    const Quat lying = from_axis_angle({1, 0, 0}, 0.5 * kPi);
    const int collar = capsule({0, side * 0.14, 1.43}, lying, 0.03, 0.05, 1.5);
    const int upper = upright({0, y, 1.27}, 0.045, 0.11, 2.2);
    const int lower = upright({0, y, 0.985}, 0.035, 0.10, 1.2);
    const int hand = box({0, y, 0.77}, {0.04, 0.015, 0.07}, 0.4);
    ball(chest, collar, {0, side * 0.06, 1.43}, side * kLeft, 0.3, 0.2);
    ball(collar, upper, {0, y, 1.43}, kDown, 1.4, 0.8);
    hinge(upper, lower, {0, y, 1.115}, -2.4, 0.05);
    ball(lower, hand, {0, y, 0.845}, kDown, 0.7, 0.5);
  }
  void add_leg(int pelvis, double side) {
    const double y = side * 0.09;
    const int thigh = upright({0, y, 0.72}, 0.065, 0.14, 8);
    const int shin = upright({0, y, 0.30}, 0.045, 0.15, 3.5);
    const int foot = box({0.04, y, 0.05}, {0.09, 0.04, 0.035}, 0.9);
    const int toes = box({0.165, y, 0.035}, {0.03, 0.04, 0.02}, 0.2);
    ball(pelvis, thigh, {0, y, 0.93}, kDown, 1.0, 0.5);
    hinge(thigh, shin, {0, y, 0.505}, -0.05, 2.4);
    ball(shin, foot, {0, y, 0.10}, kDown, 0.5, 0.3);
    hinge(foot, toes, {0.133, y, 0.035}, -0.6, 0.6);
  }

  Vec3 place(const Vec3& p) const { return X_WF_.p + rotate(X_WF_.q, p - Vec3{0, 0, 0.95}); }
  int box(const Vec3& p, const Vec3& half, double mass) {
    return make_.box({place(p), X_WF_.q}, half, mass);
  }
  int capsule(const Vec3& p, const Quat& q, double radius, double half_length, double mass) {
    return make_.capsule({place(p), X_WF_.q * q}, radius, half_length, mass);
  }
  int upright(const Vec3& p, double radius, double half_length, double mass) {
    return capsule(p, {}, radius, half_length, mass);
  }
  void ball(int a, int b, const Vec3& p, const Vec3& axis, double swing, double twist) {
    SceneJoint& joint = make_.ball(a, b, place(p), rotate(X_WF_.q, axis));
    joint.limited = true;
    joint.swing = swing;
    joint.twist = twist;
  }
  void hinge(int a, int b, const Vec3& p, double min, double max) {
    SceneJoint& joint = make_.hinge(a, b, place(p), rotate(X_WF_.q, kLeft));
    joint.limited = true;
    joint.min = min;
    joint.max = max;
  }

  SceneMaker& make_;
  Pose X_WF_;
};

}  // namespace

void add_ragdoll(SceneMaker& make, const Pose& X_WF) { Figure(make, X_WF); }

}  // namespace tenon
