// The key frames of a figure: the motion of the file, with all joints in place.
#pragma once

#include "tenon/scene/bvh/import_bvh.h"

namespace tenon::scene::bvh {

struct Follower {
  std::vector<double> times;             // s, of the key frames
  std::vector<std::vector<Pose>> poses;  // by key frame, by body
};

struct KeyTimes {
  double fps = 0;              // 0: the frames of the file
  std::optional<double> also;  // s: one more, where the figure is released with its joints in place
};

// Assembles the figure at every key frame. Writes what the report says about joints.
Result<Follower> follow(const MotionFile& motion, const Figure& figure, const Document& document,
                        const KeyTimes& keys, ImportReport& report);

// Pairs of bodies (indices, a < b) that must not touch: relatives up to the second degree, and what
// overlaps at one of these poses.
std::vector<std::pair<size_t, size_t>> find_apart(const Figure& figure,
                                                  const std::vector<std::vector<Pose>>& poses);

// y of the lowest point of the figure in any of these poses, m.
double find_lowest(const Figure& figure, const std::vector<std::vector<Pose>>& poses);

}  // namespace tenon::scene::bvh
