// Jointed mechanisms for measuring engines against one another: bodies with explicit masses, ball
// joints and hinges, no collisions. SI units, y up, gravity 9.81 m/s^2 downwards; body frames sit
// at centres of mass with their axes along the principal axes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/engine/math/transform.h"

namespace tenon {

inline constexpr double kSceneGravity = 9.81;  // m/s^2, along -y

struct SceneBody {
  Pose X_WB;
  double mass = 1;  // kg
  Vec3 moments;     // principal moments of inertia, kg m^2
  Vec3 v_WB, w_WB;  // at the start, m/s and rad/s, world axes
};

struct SceneJoint {
  bool hinge = false;  // a ball joint otherwise
  int a = -1, b = -1;  // bodies; a = -1 is the world, b is always a body
  Vec3 p_A, p_B;       // the anchor in either body's frame (in the world's for -1)
  Vec3 axis_A, axis_B;
};

struct JointScene {
  std::string name;
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  double link_length = 1;  // m, what gaps are compared with
  bool planar = false;     // all motion is in one plane: a loop needs closing only within it
};

enum class SceneFamily {
  kChain,  // n links of 1 kg, 0.2 m apart, hung at one end, released when level
  kHeavy,  // the same with a last link of 1000 kg
  kNet,    // n x n knots and rods between them, hung at four corners, sagging
  kBars,   // n square four-bar linkages in a row, standing up, pushed at 1 m/s
  kGrid,   // n x n balls of 268 kg in an upright square, hung along its top: a scene of Box3D
};

struct SceneChoice {
  SceneFamily family;
  int n;
};
const char* name(SceneFamily family);
// "chain-1000", or "chain" for the usual size; empty if it is none of these or n is out of range
// (at least 1, nets and grids at least 2; at most 1,000,000 bodies).
std::optional<SceneChoice> parse_scene(const std::string& text);

JointScene make_scene(const SceneChoice& choice);

}  // namespace tenon
