// What a recording holds, as plain data. docs/recording-format.md says how it becomes bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tenon/engine/math/transform.h"
#include "tenon/engine/world/diagnostics.h"
#include "tenon/scene/mesh/mesh_library.h"

namespace tenon {

// The scene a run was made from, complete: building it again gives the same world.
struct SceneRecord {
  std::string name;                       // as shown to the user: a path or "gallery:bridge"
  std::string title;                      // the scene's own title; may be empty
  std::string text;                       // the original text, unchanged
  std::vector<std::string> overrides;     // effective overrides in order, each "path=value"
  std::vector<scene::SceneFile> files{};  // that the text names: meshes
  friend bool operator==(const SceneRecord&, const SceneRecord&) = default;
};

// How the run was made.
struct RunRecord {
  std::string method;                    // "impulse", "displacement", "force"
  double step_s = 0;                     // s, the fixed step; 0 where the step varies
  double seconds = 0;                    // s of simulated time asked for, from time 0
  uint32_t threads = 1;                  // does not change results; kept for the record
  std::string version;                   // of Tenon, e.g. "0.1.0"
  std::vector<std::string> body_names;   // the order of bodies in every frame
  std::vector<std::string> joint_names;  // those the scene begins with; places of events and tracks
  bool joint_track = false;              // whether frames hold what the joints do
  bool contact_track = false;            // whether there is a table of contact points
  double keyframe_interval_s = 0.5;
  uint32_t steps_per_frame = 1;
  uint64_t first_step = 0;   // > 0 for a run resumed in the middle
  double first_time = 0;     // s
  std::string resumed_from;  // name of the recording this one continues; empty otherwise
  // Anything else worth keeping, in order: solver, tolerance, compiler, host ...
  std::vector<std::pair<std::string, std::string>> notes;
  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

// One body in one frame: the body frame B seen from the world W.
struct RecordedBody {
  Pose X_WB;
  Vec3 v_WC;  // m/s, as World::velocity(): of the mass centre C; kinematic: of B's origin
  Vec3 w_WB;  // rad/s, in W
  friend constexpr bool operator==(const RecordedBody&, const RecordedBody&) = default;
};

// One joint in one frame, as World::read_joint() has it.
struct RecordedJoint {
  double gap_m = 0, angle_rad = 0;
  std::array<double, 6> coordinate{};  // x y z rx ry rz: freedoms only, zero for the others
  Vec3 force, torque;                  // on the child at its joint frame's origin, world axes
  bool enabled = true, broken = false;
  friend bool operator==(const RecordedJoint&, const RecordedJoint&) = default;
};

struct RecordedFrame {
  uint64_t step = 0;                 // number of steps done; 0 = the initial state
  double time = 0;                   // s
  uint64_t state_hash = 0;           // of the complete state; equal hashes = equal runs so far
  std::vector<RecordedBody> bodies;  // in the order of RunRecord::body_names
};

// A complete state to resume from.
struct RecordedKeyframe {
  uint64_t step = 0;
  double time = 0;  // s
  uint64_t state_hash = 0;
  std::vector<std::byte> state;  // World::save_state()
};

inline constexpr uint32_t kNoBody = 0xffffffffu;
inline constexpr uint32_t kNoJoint = 0xffffffffu;

// An Event with bodies by their place in RunRecord::body_names.
struct RecordedEvent {
  std::string kind;  // name(EventKind), so that a reader copes with kinds it does not know
  uint64_t step = 0;
  double time = 0;  // s
  uint32_t a = kNoBody, b = kNoBody;
  double value = 0;
  uint32_t joint = kNoJoint;  // place in RunRecord::joint_names; only for joint events
  double impulse = 0;         // N s, see engine/world/event.h
  friend bool operator==(const RecordedEvent&, const RecordedEvent&) = default;
};

// A point at which two bodies touched or pushed each other in a step, where it is at its end; at
// its begin where they are out of each other's reach at its end. Bodies by their place in
// RunRecord::body_names.
struct RecordedContact {
  uint64_t step = 0;
  double time = 0;  // s
  uint32_t a = kNoBody, b = kNoBody;
  Vec3 point_W;         // m, midway between the two surfaces
  Vec3 normal_W;        // unit, from a to b
  double distance = 0;  // m, < 0 = overlap
  Vec3 impulse_W;       // N s, on b, over the step
  bool acts = true;     // false: nothing is pushed (sensors, the free sides of one-way bodies)
  friend bool operator==(const RecordedContact&, const RecordedContact&) = default;
};

enum class RunEnd : uint8_t {
  kCompleted,    // ran as long as it was asked to
  kInterrupted,  // stopped early in an orderly way: by the user or by an error; see reason
  kCutOff,       // never stored: the file has no end chunk (killed, disk full, still running)
};
const char* name(RunEnd end);

struct EndRecord {
  RunEnd end = RunEnd::kCompleted;
  std::string reason;  // one sentence; empty when completed
  uint64_t step = 0;   // the last step done
  double time = 0;     // s
};

}  // namespace tenon
