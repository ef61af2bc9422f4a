// What a mechanism can do where it stands: its freedoms, joints that say a thing twice, joints that
// contradict each other, loops that do not close.
//
// Held rows are what always holds; limits, motors, friction and springs act along freedoms and take
// none away. A freedom whose limits are equal is held.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/bodies/body.h"
#include "tenon/engine/joints/joint_model.h"

namespace tenon {

struct Mechanism;

enum class Closure : uint8_t {
  kClosed,         // all joints hold where the bodies are
  kClosable,       // not where they are, but near
  kContradiction,  // no position of the bodies satisfies all joints: they ask for different things
  kOutOfReach,     // the same, because something is too short or too far away
};
const char* name(Closure closure);

// By how much a joint is open.
struct JointGap {
  uint32_t joint = 0;  // slot
  double gap_m = 0, angle_rad = 0;
};

// A joint some or all of whose rows follow from those of joints before it.
struct RedundantJoint {
  uint32_t joint = 0;           // slot
  uint32_t rows = 0, held = 0;  // redundant rows, of so many held ones
  // Slots, ascending, itself included: these say the thing together, and any one of them could say
  // less instead.
  std::vector<uint32_t> circuit;
};

struct MechanismReport {
  std::vector<uint32_t> bodies;  // slots of those that move, ascending
  std::vector<uint32_t> joints;  // slots, ascending
  // false: more than kMaxMobilityRows held rows, or a body is not finite; nothing below is set
  bool analysed = false;
  uint32_t coordinates = 0;  // 6 per body, 3 per point mass
  uint32_t rows = 0;         // held ones
  // Where the bodies are once all joints are closed as well as they can be:
  uint32_t freedoms = 0;
  // The same beside a singular position; equal elsewhere. Fewer: only the first instant of some
  // motions is free (a straight four-bar linkage), or nothing moves at all (a taut string).
  uint32_t freedoms_nearby = 0;
  // Beside a singular position, walking through the joints by slot.
  std::vector<RedundantJoint> redundant;
  // Slots of bodies between two or more joints that can turn with all others at rest, as a rod
  // between two balls does.
  std::vector<uint32_t> idle;
  Closure closure = Closure::kClosed;
  std::vector<JointGap> open;       // joints that miss the tolerance where the bodies are
  std::vector<JointGap> conflicts;  // ... and after closing as well as can be
  double moved_m = 0;               // farthest way of a mass centre to get there
};

// About 600 hinges. A net of 736 bodies and 964 ball joints takes 0.05 s; with redundant rows,
// which have to be named, some seconds.
inline constexpr uint32_t kMaxMobilityRows = 3000;

struct MobilityBody {
  bool turns = true;  // false for point masses, and not read for bodies that do not move
  Vec3 x_WC;
  Quat q_WB;
};
struct MobilityJoint {
  const JointModel* model = nullptr;
  const JointState* state = nullptr;  // counts the turns of coupled angles
  double size = 1;                    // m, what a gap is large or small against
};

// Bodies and joints by local index of the mechanism. `tolerance` is that of the joints: relative to
// their sizes, and in rad. Deterministic; whether a position is singular is a matter of tolerance.
MechanismReport calc_mobility(const Mechanism& mechanism, std::span<const MobilityBody> bodies,
                              std::span<const MobilityJoint> joints, double tolerance);

}  // namespace tenon
