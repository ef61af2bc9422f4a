// A take: what happened from an edit on. Takes form a tree: each begins at a step of its parent
// with a change of the scene (or a hand that grabs a body), and shares the past before it. What can
// be computed again from these changes is a cache: frames, states, even the world it starts with.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tenon/engine/world/world.h"
#include "tenon/scene/document/document.h"
#include "tenon/studio/session/tree_edit.h"

namespace tenon::studio {

// What the page shows besides poses, of a step.
struct FrameStats {
  float kinetic_J = 0, potential_J = 0;  // the second with that of springs
  float drift_J = 0;                     // energy that nothing explains since the take's beginning
  float contacts = 0, penetration_m = 0;
  float joint_gap_rel = 0;
  float step_ms = 0;  // wall time; zero without a clock
  float sleeping = 0;
  float largest_J = 0;  // energy in motion, changed or put in by work, the most so far
};
inline constexpr size_t kStatCount = sizeof(FrameStats) / sizeof(float);

// What is kept of a joint, of a step, for plots.
struct JointStats {
  float position = 0, rate = 0;  // along its first freedom: m or rad, and per second
  float force_N = 0, torque_Nm = 0;
  float gap_m = 0;
  float length_m = 0;  // between its two points
};
inline constexpr size_t kMostJoints = 2000;  // of a scene; with more, none are kept

struct Frame {
  double time = 0;  // s
  FrameStats stats;
  // empty where it was let go
  std::vector<float> poses;        // seven per body: x y z, w x y z
  std::vector<float> rates;        // six per body: velocity, angular velocity; world axes
  std::vector<JointStats> joints;  // in the order of the cast
};

struct TakeEvent {
  uint64_t step = 0;
  double time = 0;
  EventKind kind{};
  std::string a, b;
  double value = 0, impulse = 0;
};

// A hand on a body: done before the step that follows `step`.
struct GrabInput {
  enum class Kind : uint8_t { kBegin, kMove, kEnd };
  uint64_t step = 0;
  Kind kind = Kind::kBegin;
  std::string body;  // kBegin
  Vec3 point_B;      // kBegin
  Vec3 target_W;     // kBegin, kMove
};

// Names and handles of a world, by which its frames are gathered.
struct Cast {
  std::vector<std::string> names;
  std::vector<BodyHandle> handles;
  std::vector<std::string> joint_names, joint_types;
  std::vector<JointHandle> joint_handles;
};

struct Take {
  int id = 0, parent = -1;
  uint32_t number = 0;  // of its scene for pages: another one after every opening
  uint64_t at = 0;      // the step of the parent at which it begins
  std::string label;
  Json operations = Json::array();  // what was changed there
  std::vector<GrabInput> inputs;
  double step_s = 0;    // length of its steps, once its scene has been read
  uint64_t wanted = 0;  // how far it had been computed once; a project that is opened again
  uint64_t end = 0;     // the last step computed, >= at

  // the cache
  std::shared_ptr<const Json> tree;             // the scene
  std::shared_ptr<const scene::Document> flat;  // the same, expanded
  std::vector<Error> errors, warnings;          // of the scene; errors: it cannot run
  Cast cast;
  Snapshot start;                     // after the change
  std::map<uint64_t, Snapshot> keys;  // states to go on from
  std::vector<Frame> frames;          // of steps at, at + 1, ... end
  std::vector<TakeEvent> events;
  bool events_full = false;                                // contacts are not recorded any more
  std::set<std::pair<std::string, std::string>> touching;  // at its beginning
  size_t key_bytes = 0;                                    // a guess of what one state takes
  size_t scene_bytes = 0;                                  // the same of tree and flat
  double balance_J = 0;                // energy less outside work, at its beginning
  double potential_J = 0, work_J = 0;  // the same moment
};

// A state that the user wants to keep.
struct SyncPoint {
  int id = 0, take = 0;
  uint64_t step = 0;
  std::string name;
};

}  // namespace tenon::studio
