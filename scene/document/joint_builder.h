// Joints from C++: short words for what a scene file says; see builder.h.
//
//   scene::SceneBuilder("Arm")
//       .add(scene::box("upper", {1, 0.1, 0.1}).at({0.5, 0, 0}))
//       .add(scene::box("fore", {1, 0.1, 0.1}).at({1.5, 0, 0}))
//       .add(scene::point("shoulder", "world", "upper").at({0, 0, 0}).swinging(1.2))
//       .add(scene::hinge("elbow", "upper", "fore").at({1, 0, 0}).about({0, 0,
//       1}).limited(0, 2.5));
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tenon/scene/document/joint.h"

namespace tenon::scene {

// Words that concern a freedom speak of the joint's first one, or of that named by on().
class JointBuilder {
 public:
  JointBuilder(std::string name, JointType type, std::string parent, std::string child) {
    joint_.name = std::move(name);
    joint_.type = type;
    joint_.parent.name = std::move(parent);
    joint_.child.name = std::move(child);
  }
  // where, in the initial poses
  JointBuilder&& at(const Vec3& p_W) && { return with(&Joint::at, p_W); }
  JointBuilder&& to(const Vec3& p_W) && { return with(&Joint::to, p_W); }
  // x of the joint and, if it matters, y
  JointBuilder&& about(const Vec3& x_W) && { return with(&Joint::axis, x_W); }
  JointBuilder&& along(const Vec3& x_W) && { return with(&Joint::axis, x_W); }
  JointBuilder&& about(const Vec3& x_W, const Vec3& y_W) && {
    joint_.axis2 = y_W;
    return with(&Joint::axis, x_W);
  }
  // where, in the frames of the bodies
  JointBuilder&& parent_frame(const JointFrame& f) && { return with(&Joint::parent_frame, f); }
  JointBuilder&& child_frame(const JointFrame& f) && { return with(&Joint::child_frame, f); }

  // what acts along a freedom
  JointBuilder&& on(JointAxis axis) && {
    axis_ = axis;
    return std::move(*this);
  }
  JointBuilder&& limited(double min, double max) && {
    return law(&JointLaw::limits, JointLimits{min, max});
  }
  JointBuilder&& bouncing(double restitution) && {
    return law(&JointLaw::restitution, restitution);
  }
  JointBuilder&& rubbing(double friction) && { return law(&JointLaw::friction, friction); }
  JointBuilder&& sprung(double stiffness, double damping = 0, double rest = 0) && {
    return law(&JointLaw::spring, JointSpring{stiffness, damping, rest});
  }
  JointBuilder&& driven(const JointMotor& motor) && { return law(&JointLaw::motor, motor); }
  // keeps a speed, goes to a position, pushes: with at most `max` (none: any force)
  JointBuilder&& driven(double velocity, std::optional<double> max = {}) && {
    return law(&JointLaw::motor, motor_of(&JointMotor::velocity, velocity, max));
  }
  JointBuilder&& going_to(double position, std::optional<double> max = {}) && {
    return law(&JointLaw::motor, motor_of(&JointMotor::position, position, max));
  }
  JointBuilder&& pushed(double force) && {
    return law(&JointLaw::motor, motor_of(&JointMotor::force, force, {}));
  }
  JointBuilder&& swinging(double max_angle) && { return with(&Joint::swing, max_angle); }

  JointBuilder&& breaking(double force, std::optional<double> torque = {}) && {
    joint_.break_torque = torque;
    return with(&Joint::break_force, force);
  }
  JointBuilder&& disabled() && { return with(&Joint::enabled, false); }
  JointBuilder&& letting_bodies_collide() && { return with(&Joint::bodies_collide, true); }
  // Any other member.
  template <class M, class T>
  JointBuilder&& with(M Joint::* member, T&& value) {
    joint_.*member = std::forward<T>(value);
    return std::move(*this);
  }
  Joint joint() && { return std::move(joint_); }

 private:
  Joint joint_;
  std::optional<JointAxis> axis_;

  static JointMotor motor_of(std::optional<double> JointMotor::* aim, double value,
                             std::optional<double> max) {
    JointMotor motor;
    motor.*aim = value;
    motor.max = max;
    return motor;
  }
  template <class M, class T>
  JointBuilder&& law(M JointLaw::* member, T&& value) {
    size_t axis = 0;
    const std::array<bool, kJointAxes> free = free_axes(joint_);
    while (axis + 1 < free.size() && !free[axis]) ++axis;
    if (const auto only = only_axis(joint_)) axis = static_cast<size_t>(*only);
    if (axis_) axis = static_cast<size_t>(*axis_);
    joint_.laws[axis].*member = std::forward<T>(value);
    return std::move(*this);
  }
};

// The parent may be "world".
#define TENON_JOINT_WORD(word, type)                                                  \
  inline JointBuilder word(std::string name, std::string parent, std::string child) { \
    return {std::move(name), JointType::type, std::move(parent), std::move(child)};   \
  }
TENON_JOINT_WORD(point, kPoint)
TENON_JOINT_WORD(hinge, kHinge)
TENON_JOINT_WORD(twist, kTwist)
TENON_JOINT_WORD(rigid, kRigid)
TENON_JOINT_WORD(slider, kSlider)
TENON_JOINT_WORD(slider2, kSlider2)
TENON_JOINT_WORD(slider3, kSlider3)
TENON_JOINT_WORD(planar_twist, kPlanarTwist)
TENON_JOINT_WORD(cylindrical, kCylindrical)
TENON_JOINT_WORD(universal, kUniversal)
TENON_JOINT_WORD(ball_in_tube, kBallInTube)
TENON_JOINT_WORD(point_on_plane, kPointOnPlane)
TENON_JOINT_WORD(distance, kDistance)
#undef TENON_JOINT_WORD

inline JointBuilder screw(std::string name, std::string parent, std::string child, double pitch) {
  return JointBuilder(std::move(name), JointType::kScrew, std::move(parent), std::move(child))
      .with(&Joint::pitch, pitch);
}
inline JointBuilder rope(std::string name, std::string parent, std::string child,
                         double max_length) {
  return distance(std::move(name), std::move(parent), std::move(child)).limited(0, max_length);
}
inline JointBuilder six_axis(std::string name, std::string parent, std::string child,
                             std::vector<JointAxis> locked) {
  return JointBuilder(std::move(name), JointType::kSixAxis, std::move(parent), std::move(child))
      .with(&Joint::locked, std::move(locked));
}
// first's coordinate + ratio * second's stays as it starts; both are names of joints.
inline JointBuilder gear(std::string name, std::string first, std::string second, double ratio) {
  return JointBuilder(std::move(name), JointType::kGear, kWorldName, "")
      .with(&Joint::first, Reference{std::move(first), {}})
      .with(&Joint::second, Reference{std::move(second), {}})
      .with(&Joint::ratio, ratio);
}

}  // namespace tenon::scene
