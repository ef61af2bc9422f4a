// Things that happen during a step, in a stable order.
#pragma once

#include <cstdint>

#include "tenon/engine/base/handle.h"

namespace tenon {

enum class EventKind : uint8_t {
  kContactBegin,  // two bodies start to touch; value = signed distance (m, <= 0)
  kContactEnd,  // two bodies stop touching; value = their overlap when they last touched (m, <= 0)
  kBodyFrozen,  // a body's new state was not finite or beyond all bounds: it stays where it was
  kJointBroke,  // the load on a joint exceeded what it bears; value = that load over the limit
  kJointMade,   // a rule made a joint between a and b; value = its slot
  kJointReleased,  // a rule took a joint away; value = its slot
  kSensorEnter,    // b begins to touch a sensor of a; value = signed distance (m, <= 0)
  kSensorLeave,    // b stops touching it; value = their overlap when they last touched (m, <= 0)
};

struct Event {
  EventKind kind{};
  uint64_t step = 0;  // the step that ended with this event; the first step is 1
  double time = 0;    // s, at the end of that step
  BodyHandle a, b;    // b is invalid where only one body is concerned
  double value = 0;
  JointHandle joint = {};  // of joint events; it may be gone already
  double impulse = 0;      // N s, kContactBegin: sum along the normals of the contacts in this step
};

const char* name(EventKind kind);

}  // namespace tenon
