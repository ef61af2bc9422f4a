// Scenes for measuring engines against one another: bodies with explicit masses, one shape each,
// ball joints and hinges with limits. SI units, y up, gravity 9.81 m/s^2 downwards; body frames sit
// at centres of mass with their axes along the principal axes.
#pragma once

#include <string>
#include <vector>

#include "tenon/engine/math/transform.h"

namespace tenon {

inline constexpr double kSceneGravity = 9.81;   // m/s^2, along -y
inline constexpr double kSceneFriction = 0.5;   // of any two bodies, static and sliding
inline constexpr double kSceneRestitution = 0;  // of any two bodies

struct SceneShape {
  enum class Kind { kBox, kCapsule } kind = Kind::kBox;
  // A box: half its edges. A capsule along z: x and y are its radius, z half the length of its
  // cylinder; a ball if that is zero.
  Vec3 half;
};

struct SceneBody {
  Pose X_WB;
  double mass = 1;  // kg; 0: it never moves
  Vec3 moments;     // principal moments of inertia, kg m^2
  Vec3 v_WB, w_WB;  // at the start, m/s and rad/s, world axes
  SceneShape shape;
  bool collides = false;
};

struct SceneJoint {
  bool hinge = false;  // a ball joint otherwise
  int a = -1, b = -1;  // bodies; a = -1 is the world, b is always a body that moves
  Vec3 p_A, p_B;       // the anchor in either body's frame (in the world's for -1)
  // Of a hinge, or what a ball joint twists about; the sides are across it. All angles are zero
  // at the start.
  Vec3 axis_A, axis_B, side_A, side_B;
  bool limited = false;
  double min = 0, max = 0;      // rad, of a hinge: how far b is turned about the axis against a
  double swing = 0, twist = 0;  // rad, of a ball joint: cone of the axis, turn about it
  int ring = -1;                // the closed ring that it belongs to
};

// Bodies that a joint joins never touch one another; all others that collide do.
struct BenchScene {
  std::string name;
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  double link_length = 1;  // m, what gaps are compared with
  bool planar = false;     // all motion is in one plane: a loop needs closing only within it
  int rings = 0;
  int top = -1;  // body whose drift tells how well a stack stands

  bool collides() const;
};

}  // namespace tenon
