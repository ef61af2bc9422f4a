// From a BVH tree to an articulated figure: one body for every node, a joint at its origin.
//
// A body has the frame of its node: origin at the joint to its parent, axes of the file. Its bones
// run to the origins of the nodes that hang on it and to its end sites, as capsules. Nodes that
// cannot move against their parents are part of the parents' bodies: those without rotation
// channels, and those at the parents' origins whose rotation never changes.
//
// Joints are balls with a cone for the bone and limits for its twist; knees and elbows are hinges
// where the motion is one of a hinge. Limits are human and at least as wide as the motion.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/scene/bvh/human.h"
#include "tenon/scene/bvh/motion_file.h"

namespace tenon::scene::bvh {

// A capsule of a body, in its frame; m.
struct Segment {
  Vec3 from, to;
  double radius = 0;
};

struct FigureBody {
  size_t node = 0;
  std::vector<size_t> merged;  // nodes that are part of it
  Limb limb = Limb::kOther;
  std::vector<Segment> segments;
  Vec3 direction;   // unit: where its bones go, on the whole
  double mass = 0;  // kg
};

// The joint of a body to its parent; none for the root.
struct FigureJoint {
  size_t parent = 0, child = 0;  // bodies
  Vec3 anchor_P;                 // m, in the parent's frame; the child's is its origin
  bool hinge = false;
  Quat q_BP, q_BC;              // joint frames, x the axis of the hinge or along the bone
  std::optional<double> swing;  // rad, of a ball
  std::optional<double> twist_min, twist_max;  // rad, rx of both kinds
  std::vector<std::string> notes;  // limits that had to be widened, hinges that are none
  double stretch_m = 0;            // by how much the file moves the joint along its parent
};

struct Figure {
  std::vector<FigureBody> bodies;   // in the order of their nodes: parents first
  std::vector<FigureJoint> joints;  // of all bodies but the first
  std::vector<size_t> body_of;      // by node
  double scale = 1;                 // m per file unit
  double height_m = 0;              // of the skeleton without rotations
};

struct FigureOptions {
  std::optional<double>
      height;  // m, of the skeleton; not with `scale`. 1.75 where both are left out
  std::optional<double> scale;  // m per file unit
  double mass = 75;             // kg
};

// Error: a size or mass out of range, a tree without extent.
Result<Figure> make_figure(const MotionFile& motion, const FigureOptions& options);

// Poses of the bodies at a time of the motion, m.
std::vector<Pose> body_poses_at(const MotionFile& motion, const Figure& figure, double time);

// The limits of the joints, from the whole motion. Part of make_figure.
void fit_joints(const MotionFile& motion, Figure& figure);

}  // namespace tenon::scene::bvh
