// What a user says about a joint when creating it.
//
// A joint has a frame P on its parent body and a frame C on its child body [Weinstein2006, sec.
// IV]. At rest the two coincide; what the joint allows is said in P's axes, with x as the main
// axis: the axis of a hinge, the direction of a slider, the normal of a plane, the twist axis of a
// ball. Coordinates of a joint, where it has them:
//   x y z     position of C's origin in P (m)
//   rx        twist about x (rad), unwrapped: it counts full turns
//   ry rz     tilt of C's x axis (rad, -pi/2 ... pi/2): asin of its component along -z_P and y_P
// Universal joints: rx is the angle about x_P, ry the one about y_C, both unwrapped.
// Six-axis joints that lock ry or rz, or two rotations: ry, rz are angles of C's x axis about y_P,
// z_P, unwrapped.
// Distance joints: x is the distance of the two origins.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>

#include "tenon/engine/base/handle.h"
#include "tenon/engine/math/transform.h"

namespace tenon {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class JointKind : uint8_t {
  kPoint,         // ball and socket: free rx ry rz
  kHinge,         // free rx
  kTwist,         // a hinge whose axis runs along the child: free rx
  kRigid,         // nothing is free
  kSlider,        // prismatic: free x
  kSlider2,       // prismatic in two directions: free x y
  kSlider3,       // prismatic in three directions: free x y z
  kPlanarTwist,   // a magnet on a wall, x its normal: free y z rx
  kCylindrical,   // free x rx
  kUniversal,     // Cardan: two crossing axes, x of P and y of C: free rx ry
  kBallInTube,    // a ball in a tube along x: free x rx ry rz
  kPointOnPlane,  // x the normal: free y z rx ry rz
  kDistance,      // rod, or rope with limits: the distance of the two origins
  kScrew,         // cylindrical with x = pitch * rx / (2 pi)
  kGear,          // couples a coordinate of one joint with one of another
  kSixAxis,       // each of the six axes locked or free
  kBlackBox,      // whatever a user's function allows
};
inline constexpr int kJointKindCount = 17;
const char* name(JointKind kind);

enum class JointAxis : uint8_t { kX, kY, kZ, kRx, kRy, kRz };
inline constexpr int kJointAxisCount = 6;
const char* name(JointAxis axis);  // "x" ... "rz"

// Forces on a coordinate are in N, torques in N m, by the kind of the coordinate.
struct Motor {
  enum class Kind : uint8_t {
    kNone,
    kForce,     // a constant force or torque: target
    kVelocity,  // holds the rate `target` with at most max_force
    kPosition,  // goes to `target` like a critically damped spring, with at most max_force
  };
  Kind kind = Kind::kNone;
  double target = 0;             // N, m/s or m (N m, rad/s, rad)
  double max_force = kInfinity;  // > 0
  double frequency_hz = 2;       // > 0, of kPosition: how briskly it goes there
  double damping_ratio = 1;      // >= 0, of kPosition: 1 = critical, no overshoot
};

// One freedom of a joint.
struct JointAxisDef {
  double min = -kInfinity, max = kInfinity;  // m or rad; min <= max, finite ones may be equal
  double restitution = 0;                    // 0 ... 1, of the speed with which a limit is hit
  double friction = 0;                       // >= 0: dry friction of at most this force
  double stiffness = 0;                      // >= 0: spring towards `rest`, N/m or N m/rad
  double damping = 0;                        // >= 0: N s/m or N m s/rad
  double rest = 0;                           // m or rad
  // Spring and damper act only where the coordinate is at least this, m or rad; -infinity:
  // everywhere. At `rest` or above, they pull and never push (an elastic rope).
  double min_separation = -kInfinity;
  Motor motor;
  // Does anything act along this freedom?
  bool has_law() const {
    return min > -kInfinity || max < kInfinity || friction > 0 || stiffness > 0 || damping > 0 ||
           motor.kind != Motor::Kind::kNone;
  }
};

// W's black box: the nearest frame that the joint allows to a predicted one. J is the pose of C in
// P; the function is called at any time from any thread and must depend on J alone.
// See engine/joints/black_box.h.
class BlackBox;

struct JointDef {
  JointKind kind = JointKind::kPoint;
  BodyHandle parent;  // an invalid handle: the world itself, which never moves
  BodyHandle child;
  Pose X_BP;  // frame P in the parent's body frame (in the world for an invalid parent)
  Pose X_BC;  // frame C in the child's body frame
  std::array<JointAxisDef, kJointAxisCount> axes;
  double swing_max = kInfinity;  // rad, 0.001 ... pi - 0.001: cone of C's x axis about P's; kPoint,
                                 // kBallInTube, kPointOnPlane
  double length = 0;             // m, > 0, of kDistance without limits on x: a rod. 0: as it starts
  double pitch = 0;              // m per turn, of kScrew
  // kGear: first.coordinate + ratio * second.coordinate stays as it is at creation. parent and
  // child are not used. Rack and pinion: one of the axes is a slider's x. While the gear or one of
  // its joints is disabled or broken it does nothing; afterwards it meshes where the two are.
  JointHandle first, second;
  JointAxis first_axis = JointAxis::kRx, second_axis = JointAxis::kRx;
  double ratio = 1;
  std::array<bool, kJointAxisCount> locked{};  // of kSixAxis
  std::shared_ptr<const BlackBox> black_box;   // of kBlackBox
  // The joint breaks when the mean force or torque it carries exceeds these, N and N m. The load is
  // averaged over break_time, so that the verdict does not depend on the step.
  double break_force = kInfinity, break_torque = kInfinity;
  double break_time = 0.02;  // s, > 0
  bool enabled = true;
  bool bodies_collide = false;  // may the two bodies touch each other?
};

}  // namespace tenon
