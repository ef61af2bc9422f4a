// Joints of the scene document. A joint ties a child body to a parent body or to the world, by a
// frame on each; coordinates and freedoms are those of engine/joints/joint_def.h.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tenon/engine/math/quat.h"
#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/json.h"

namespace tenon::scene {

// The order is that of the engine's JointKind.
enum class JointType {
  kPoint,
  kHinge,
  kTwist,
  kRigid,
  kSlider,
  kSlider2,
  kSlider3,
  kPlanarTwist,
  kCylindrical,
  kUniversal,
  kBallInTube,
  kPointOnPlane,
  kDistance,
  kScrew,
  kGear,
  kSixAxis,
  kBlackBox
};

enum class JointAxis { kX, kY, kZ, kRx, kRy, kRz };
inline constexpr int kJointAxes = 6;
constexpr bool is_turning(JointAxis axis) { return axis >= JointAxis::kRx; }

inline constexpr const char* kWorldName = "world";  // no body is called so

// A body or joint by its name; the place is that of the name, for messages.
struct Reference {
  std::string name;
  Place place;
  friend bool operator==(const Reference&, const Reference&) = default;
};

// A joint frame in the frame of its body. The orientation is given as such, or by the directions of
// x (`axis`) and of y (`axis2`, made orthogonal; any where left out).
struct JointFrame {
  Vec3 position;                    // m
  std::optional<Quat> orientation;  // unit
  std::optional<Vec3> axis, axis2;  // any length but zero
  friend bool operator==(const JointFrame&, const JointFrame&) = default;
};

// m or rad; a side left out is free.
struct JointLimits {
  std::optional<double> min, max;
  friend bool operator==(const JointLimits&, const JointLimits&) = default;
};

// Exactly one of force, velocity and position.
struct JointMotor {
  std::optional<double> force;     // N or N m, constant
  std::optional<double> velocity;  // m/s or rad/s, held with at most `max`
  std::optional<double> position;  // m or rad, gone to with at most `max`
  std::optional<double> max;       // N or N m, > 0; else no bound
  double frequency = 2;            // Hz, of `position`: how briskly it goes there
  double damping_ratio = 1;        // of `position`: 1 = critical
  friend bool operator==(const JointMotor&, const JointMotor&) = default;
};

struct JointSpring {
  double stiffness = 0;  // N/m or N m/rad
  double damping = 0;    // N s/m or N m s/rad
  double rest = 0;       // m or rad
  friend bool operator==(const JointSpring&, const JointSpring&) = default;
};

// What happens along one freedom.
struct JointLaw {
  std::optional<JointLimits> limits;
  double restitution = 0;  // 0 ... 1, at the limits
  double friction = 0;     // N or N m
  std::optional<JointSpring> spring;
  std::optional<JointMotor> motor;
  friend bool operator==(const JointLaw&, const JointLaw&) = default;
};

// Ready-made joints that are a function of the relative frame; see
// engine/joints/black_boxes/black_boxes.h. All in the parent's joint frame.

// The child's origin is a pin in a spiral slot of a disc about x.
enum class CamGuide { kPin, kInPlane };  // in_plane: the slot guides within its plane, nothing else
struct SpiralCamBox {
  double start_radius = 0.05;  // m
  double pitch = 0.02;         // m per turn
  double turns = 1;
  CamGuide guide = CamGuide::kPin;
  friend bool operator==(const SpiralCamBox&, const SpiralCamBox&) = default;
};
// The child's x stays in an elliptic cone about the parent's.
struct ShoulderBox {
  double about_y = 1.0, about_z = 0.6;  // rad
  friend bool operator==(const ShoulderBox&, const ShoulderBox&) = default;
};
// The child's origin stays on a surface, its x along the outward normal.
struct EllipsoidMagnetBox {
  Vec3 size{1.0, 0.6, 0.8};  // m, full axes
  friend bool operator==(const EllipsoidMagnetBox&, const EllipsoidMagnetBox&) = default;
};
struct TorusMagnetBox {
  double ring_radius = 0.5, tube_radius = 0.15;  // m, about x
  friend bool operator==(const TorusMagnetBox&, const TorusMagnetBox&) = default;
};
using BlackBoxShape = std::variant<SpiralCamBox, ShoulderBox, EllipsoidMagnetBox, TorusMagnetBox>;

struct Joint {
  std::string name;  // unique among joints, not empty
  JointType type = JointType::kPoint;
  Reference parent{kWorldName, {}};
  Reference child;

  // Where it is, either in the coordinates of the scene, for the initial poses of the bodies: the
  // point `at`, the direction `axis` of x and `axis2` of y. `to` is the child's point where it is
  // not the same. Left out: `at` is the child's origin; a distance joint goes from the parent's
  // origin to the child's.
  std::optional<Vec3> at, to;       // m
  std::optional<Vec3> axis, axis2;  // any length but zero
  // ... or in the frames of the bodies. If only one is given, the other coincides with it at the
  // start.
  std::optional<JointFrame> parent_frame, child_frame;

  std::array<JointLaw, kJointAxes> laws;  // of the freedoms, by JointAxis
  std::optional<double> swing;            // rad: cone of the child's x about the parent's
  std::optional<double> length;           // m, of a rod; else as it starts
  std::optional<double> pitch;            // m per turn, of a screw, which needs it
  std::vector<JointAxis> locked;          // of a six_axis joint; the others are free

  // gear: first's coordinate + ratio * second's stays as it starts
  Reference first, second;
  std::optional<JointAxis> first_axis, second_axis;  // needless for joints with one freedom
  double ratio = 1;                                  // 1, m/rad or rad/m

  std::optional<BlackBoxShape> black_box;  // of a black_box joint, which needs it

  std::optional<double> break_force, break_torque;  // N, N m; else it never breaks
  double break_time = 0.02;                         // s, over which the load is averaged
  bool enabled = true;
  bool bodies_collide = false;

  Place place;
  friend bool operator==(const Joint&, const Joint&) = default;
};

// The freedoms of a joint, by JointAxis. Gears and black boxes have none of their own.
std::array<bool, kJointAxes> free_axes(const Joint& joint);
// The only freedom, or none if there are several or none. A screw's x and rx are one freedom; rx
// stands for it.
std::optional<JointAxis> only_axis(const Joint& joint);

}  // namespace tenon::scene
