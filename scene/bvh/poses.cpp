// Where the nodes of a BVH tree are.
#include <algorithm>
#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/bvh/detail/parts.h"
#include "tenon/scene/bvh/motion_file.h"

namespace tenon::scene::bvh {
namespace {

Quat turn(Channel channel, double degrees) {
  constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int axis = static_cast<int>(channel) - static_cast<int>(Channel::kXrotation);
  return from_axis_angle(kAxes[axis], kDegree * std::remainder(degrees, 360.0));
}

std::vector<Pose> chain(const MotionFile& motion, const std::vector<Pose>& local) {
  std::vector<Pose> poses(local.size());
  for (size_t i = 0; i < local.size(); ++i) {
    const int parent = motion.nodes[i].parent;
    poses[i] = parent == kNoParent ? local[i] : poses[static_cast<size_t>(parent)] * local[i];
    poses[i].q = normalized(poses[i].q);
  }
  return poses;
}

}  // namespace

Pose local_pose(const MotionFile& motion, size_t node, size_t frame) {
  const Node& n = motion.nodes[node];
  const double* values = motion.values.data() + frame * motion.channels + n.first_channel;
  Pose pose{n.offset, {}};
  for (size_t i = 0; i < n.channels.size(); ++i) {
    if (is_rotation(n.channels[i])) {
      pose.q = pose.q * turn(n.channels[i], values[i]);
    } else {
      pose.p[static_cast<int>(n.channels[i])] = values[i];
    }
  }
  pose.q = normalized(pose.q);
  return pose;
}

Pose local_pose_at(const MotionFile& motion, size_t node, double time) {
  const double last = static_cast<double>(motion.frames - 1);
  const double place = std::clamp(time / motion.frame_time, 0.0, last);
  const auto frame = static_cast<size_t>(std::floor(place));
  const double part = place - std::floor(place);
  const Pose a = local_pose(motion, node, frame);
  // times are rounded multiples: what misses a frame by round-off is at it
  if (part < 1e-6 || frame + 1 >= motion.frames) return a;
  const Pose b = local_pose(motion, node, frame + 1);
  if (part > 1 - 1e-6) return b;
  const Vec3 way = log_map(b.q * conjugate(a.q));
  return {a.p + part * (b.p - a.p), normalized(exp_map(part * way) * a.q)};
}

std::vector<Pose> poses_at(const MotionFile& motion, double time) {
  std::vector<Pose> local(motion.nodes.size());
  for (size_t i = 0; i < local.size(); ++i) local[i] = local_pose_at(motion, i, time);
  return chain(motion, local);
}

std::vector<Pose> rest_poses(const MotionFile& motion) {
  std::vector<Pose> local;
  for (const Node& node : motion.nodes) local.push_back({node.offset, {}});
  return chain(motion, local);
}

}  // namespace tenon::scene::bvh
