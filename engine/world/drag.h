// Dragging a point of a body by a tracker of zero inverse mass [Faure1998, sec. 4.1].
#pragma once

#include "tenon/engine/base/handle.h"
#include "tenon/engine/world/assembly.h"

namespace tenon {

struct DragTag {};
using DragHandle = Handle<DragTag>;

struct DragDef {
  enum class Mode : uint8_t {
    kKinematic,  // bodies follow at once, as joints allow; nothing else moves, contacts do not
                 // count
    kDynamic,    // the tracker pulls while the world steps: masses, contacts and limits count
  };
  Mode mode = Mode::kKinematic;
  BodyHandle body = {};                       // dynamic
  Vec3 point_B = {};                          // of the body frame: where it is held
  bool position = true, orientation = false;  // what the tracker leads; at least one
  double weight = 1;                          // kKinematic, > 0: against other trackers
  double max_force = 0;     // N, kDynamic; 0: fifty times the weight of all that hangs together
  double frequency_hz = 5;  // kDynamic, > 0: how briskly it follows
};

struct DragTarget {
  Vec3 position_W = {};
  Quat orientation_W = {};
};

// What one call may cost. Where both end, the drag stays behind its target and goes on with the
// next call.
struct DragEffort {
  displacement::Effort effort;
  double budget_ms = 0;  // > 0: needs WorldSettings::clock
};
// The ladder of [Faure1998, sec. 4.3]: few iterations while moving, precision when motion stops.
// Direct solves; for the paper's own numbers say 2 x 5 and 3 x 50 of conjugate gradients.
inline constexpr DragEffort kDragMoving{
    {.geometric = 6, .precision = 1e-6, .damping = 1e-7, .escape = false}, 0};
inline constexpr DragEffort kDragResting{
    {.geometric = 30, .precision = 1e-9, .damping = 1e-7, .escape = false}, 0};
inline constexpr DragEffort kDragReleased{
    {.geometric = 60, .precision = 1e-10, .damping = 1e-7, .escape = false}, 0};

struct DragReport {
  displacement::Outcome outcome = displacement::Outcome::kAssembled;
  displacement::Solver solver = displacement::Solver::kDirect;
  uint32_t geometric = 0, inner = 0;
  double error = 0;     // of joints: gap by size, or angle
  double miss_m = 0;    // of the held point from its target
  double miss_rad = 0;  // of the orientation
  bool behind = false;  // effort or budget ended before the target was reached
  // A body turned so far at once that the mechanism may stand on another branch than before;
  // smaller parts of the way did not help.
  bool jumped = false;
};

}  // namespace tenon
