// Connections between points of two bodies: springs, dampers, rods, ropes and the like, after the
// connections of AERO [Keller1993, sec. 2.1, 3.4]. A connection is a joint: make_connection says
// which.
//
//   spring, damper, shock absorber   distance joint, a law along the distance
//   rod                              distance joint; held, or with a stiffness a law
//   rope                             distance joint, an upper limit; with a stiffness a law that
//                                    pulls from the length on
//   spring, damper ... of length 0   six-axis joint, nothing locked, the law along x, y and z: a
//                                    distance has no direction there
//   rigid                            rigid joint, as the bodies stand
//   ball                             point joint
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "tenon/engine/base/result.h"
#include "tenon/engine/joints/joint_def.h"

namespace tenon {

enum class ConnectionKind : uint8_t {
  kSpring,         // stiffness; damping, if any
  kDamper,         // damping
  kRod,            // keeps its length; with a stiffness nearly (AERO's rods)
  kShockAbsorber,  // stiffness and damping
  kRope,           // no longer than its length; with a stiffness it gives way beyond
  kRigid,          // the bodies stay as they are to each other
  kBall,           // the points stay together
};
inline constexpr int kConnectionKindCount = 7;
const char* name(ConnectionKind kind);

struct ConnectionDef {
  ConnectionKind kind = ConnectionKind::kSpring;
  BodyHandle a, b;        // an invalid handle: the world itself; not both
  Vec3 point_a, point_b;  // m, in the body frames (in the world for the world)
  double stiffness = 0;   // N/m
  double damping = 0;     // N s/m
  // m, at which a spring does not pull, of a rod or rope its own; none: as it starts.
  std::optional<double> length;
  // m: spring and damper act only where the points are at least this far apart. At the length, a
  // spring pulls and never pushes.
  double min_separation = 0;
  // As of a joint.
  double break_force = std::numeric_limits<double>::infinity();  // N
  double break_time = 0.02;                                      // s
  bool enabled = true;
  // May the two bodies touch each other? None: yes, unless rigid or ball.
  std::optional<bool> bodies_collide;
};

// One end: where its body stands, and whether that is a point mass. The world: as it is here.
struct ConnectionEnd {
  Pose X_WB;
  bool point_mass = false;
};

// Fails, with the reason, for numbers that are negative or not finite, a connection of a body with
// itself or of the world with the world, and values that the kind does not have. Bodies that do not
// exist are found by compile_joint.
Result<JointDef> make_connection(const ConnectionDef& def, const ConnectionEnd& a,
                                 const ConnectionEnd& b);

}  // namespace tenon
