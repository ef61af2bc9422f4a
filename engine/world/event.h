// Things that happen during a step, in a stable order.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

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
  kBodyReleased,   // a was moved by its script and is dynamic from now on; value = its speed (m/s)
  // Health: what makes a run doubtful (phases_health.cpp). Said when it begins, and again only
  // after it has been over for a second.
  kHealthMinimumStep,    // the accuracy asked for needs steps below the smallest; value = that (s)
  kHealthPassedThrough,  // a went through b within a step; value = how far inside (m)
  kHealthDeepOverlap,    // a and b overlap deeply; value = how deep (m)
  kHealthRepeatedImpacts,  // what should rest keeps colliding; value = impacts in the step
  kHealthMassRatio,        // a touches or holds b, which is far heavier; value = ratio of masses
  kHealthEnergy,           // energy came or went unexplained; value = how much (J); a moves most
};
inline bool is_health(EventKind kind) { return kind >= EventKind::kHealthMinimumStep; }

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
// The kind of that name; nullopt for none.
std::optional<EventKind> event_kind(std::string_view name);

}  // namespace tenon
