// BVH files: a tree of joints (HIERARCHY) and their motion, frame by frame (MOTION). There is no
// standard; this is the grammar that Biovision's own files, the CMU library and the usual programs
// share (docs/figures.md). Reading is strict: what is not understood is an error with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/math/transform.h"
#include "tenon/scene/document/json.h"

namespace tenon::scene::bvh {

enum class Channel : uint8_t {
  kXposition,
  kYposition,
  kZposition,
  kXrotation,
  kYrotation,
  kZrotation
};
constexpr bool is_rotation(Channel c) { return c >= Channel::kXrotation; }

inline constexpr int kNoParent = -1;

struct Node {
  std::string name;
  int parent = kNoParent;         // index of another node, which comes before this one
  Vec3 offset;                    // from the parent's origin, in its axes, file units
  std::vector<Channel> channels;  // in the order in which they act
  size_t first_channel = 0;       // in a frame
  std::vector<Vec3> end_sites;    // tips, from this node's origin
  Place place;
};

struct MotionFile {
  std::vector<Node> nodes;     // the root first, parents before children
  size_t channels = 0;         // numbers in a frame
  size_t frames = 0;           // >= 1
  double frame_time = 0;       // s, > 0
  std::vector<double> values;  // frames * channels; file units and degrees

  double duration() const { return frame_time * static_cast<double>(frames - 1); }
};

// What a file may ask for; beyond, it is refused before memory is spent on it.
struct Limits {
  size_t nodes = 1000;
  size_t frames = 1'000'000;
  size_t values = 20'000'000;
};

Result<MotionFile> parse(std::string_view text, std::string_view file, const Limits& limits = {});

// By its name: it ends in .bvh.
bool is_motion_file(std::string_view name);

// Rotation and translation of a node against its parent in a frame, file units. Channels act in
// their order, R = R_1 R_2 R_3; position channels stand in for the offset, as programs write it.
Pose local_pose(const MotionFile& motion, size_t node, size_t frame);
// The same between frames: straight lines and the shortest turns. `time` is kept within the motion.
Pose local_pose_at(const MotionFile& motion, size_t node, double time);
// Poses of all nodes in the file's coordinates. No motion: all rotations zero, offsets as they are.
std::vector<Pose> poses_at(const MotionFile& motion, double time);
std::vector<Pose> rest_poses(const MotionFile& motion);

}  // namespace tenon::scene::bvh
