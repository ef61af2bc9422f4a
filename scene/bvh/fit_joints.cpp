// Which joints a figure has, and how far they bend: from the names and from the motion.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/bvh/detail/parts.h"
#include "tenon/scene/bvh/figure.h"

namespace tenon::scene::bvh {
namespace {

constexpr double kMargin = 5 * kDegree;        // beyond what the motion does
constexpr double kHingeMiss = 5 * kDegree;     // a motion is a hinge's if it strays no farther
constexpr double kHingeLeast = 3 * kDegree;    // less motion than this shows no axis
constexpr double kOverstretch = 5 * kDegree;   // of knees and elbows, beyond straight
constexpr double kWidestCone = 165 * kDegree;  // nearer to a half turn, twists have no meaning

// The rotation that takes x to a unit vector.
Quat x_to(const Vec3& u) {
  const double c = u.x;
  if (c < -1 + 1e-12) return {0, 0, 0, 1};
  const Vec3 v = cross(Vec3{1, 0, 0}, u);
  return normalized(Quat{1 + c, v.x, v.y, v.z});
}

// Angle of a rotation about x, in (-pi, pi]; the rest of it is the swing.
double twist_of(const Quat& q) {
  const double angle = 2 * tenon::atan2(q.x, q.w);
  return angle > kPi ? angle - 2 * kPi : angle <= -kPi ? angle + 2 * kPi : angle;
}
// Angle between the x axes before and after.
double swing_of(const Quat& q) {
  const double s = std::sqrt(q.y * q.y + q.z * q.z), c = std::sqrt(q.w * q.w + q.x * q.x);
  return 2 * tenon::atan2(s, c);
}

std::string degrees(double angle) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", angle / kDegree);
  return text;
}

struct Range {
  double min = 0, max = 0;
  void add(double value) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
};

// One joint; rotations of the child against its parent's body, over the motion.
class Fit {
 public:
  Fit(const MotionFile& motion, const Figure& figure, FigureJoint& joint)
      : joint_(joint), child_(figure.bodies[joint.child]) {
    const std::vector<size_t>& merged = figure.bodies[joint.parent].merged;
    // nodes between the two that are part of the parent's body turn it by a constant
    const auto parent = static_cast<size_t>(motion.nodes[child_.node].parent);
    Quat constant;
    for (size_t node = parent; std::find(merged.begin(), merged.end(), node) != merged.end();
         node = static_cast<size_t>(motion.nodes[node].parent)) {
      constant = local_pose(motion, node, 0).q * constant;
    }
    rest_ = constant;
    for (size_t frame = 0; frame < motion.frames; ++frame) {
      turns_.push_back(normalized(constant * local_pose(motion, child_.node, frame).q));
    }
  }

  void run() {
    const LimbShape shape = limb_shape(child_.limb);
    if (shape.hinge && fit_hinge(shape)) return;
    fit_ball(shape);
  }

 private:
  FigureJoint& joint_;
  const FigureBody& child_;
  Quat rest_;
  std::vector<Quat> turns_;

  // q_i = q_0 exp(a_i c): the axis c, in the child's frame, is the direction along which the
  // rotation vectors of q_0^-1 q_i spread most.
  bool fit_hinge(const LimbShape& shape) {
    const Quat first = conjugate(turns_[0]);
    Mat3 spread{};
    double largest = 0;
    for (const Quat& q : turns_) {
      const Vec3 v = log_map(normalized(first * q));
      spread = spread + outer(v, v);
      largest = std::max(largest, norm(v));
    }
    if (largest < kHingeLeast) {
      joint_.notes.push_back("hardly moves, so its axis is unknown: a ball instead of a hinge");
      return false;
    }
    const SymmetricEigen eigen = calc_symmetric_eigen(spread);
    const Vec3 axis = normalized(eigen.vectors.column(2));
    joint_.q_BC = x_to(axis);
    joint_.q_BP = normalized(turns_[0] * joint_.q_BC);
    double miss = 0;
    for (const Quat& q : turns_) miss = std::max(miss, swing_of(in_joint(q)));
    if (miss > kHingeMiss) {
      joint_.notes.push_back("leaves the plane of a hinge by " + degrees(miss) +
                             " degrees: a ball instead");
      return false;
    }
    joint_.hinge = true;
    limit_hinge(shape);
    return true;
  }

  // The child's joint frame in the parent's.
  Quat in_joint(const Quat& q) const {
    return normalized(conjugate(joint_.q_BP) * q * joint_.q_BC);
  }

  // From straight, which is the pose without rotations, to the side to which the motion bends.
  void limit_hinge(const LimbShape& shape) {
    const double straight = twist_of(in_joint(rest_));
    Range motion{straight, straight};
    double sum = 0;
    for (const Quat& q : turns_) {
      const double angle = twist_of(in_joint(q));
      motion.add(angle);
      sum += angle - straight;
    }
    const double bend = shape.swing_deg * kDegree;
    const Range human = sum >= 0 ? Range{straight - kOverstretch, straight + bend}
                                 : Range{straight - bend, straight + kOverstretch};
    joint_.twist_min = std::min(human.min, motion.min - kMargin);
    joint_.twist_max = std::max(human.max, motion.max + kMargin);
    if (motion.min < human.min || motion.max > human.max) {
      joint_.notes.push_back("bends from " + degrees(motion.min - straight) + " to " +
                             degrees(motion.max - straight) +
                             " degrees in the motion: limits widened");
    }
  }

  void fit_ball(const LimbShape& shape) {
    joint_.hinge = false;
    joint_.q_BC = x_to(child_.direction);
    joint_.q_BP = normalized(rest_ * joint_.q_BC);
    Range twist;
    double swing = 0;
    for (const Quat& q : turns_) {
      swing = std::max(swing, swing_of(in_joint(q)));
      twist.add(twist_of(in_joint(q)));
    }
    if (swing + kMargin > kWidestCone) {
      joint_.notes.push_back("swings by " + degrees(swing) + " degrees in the motion: no limits");
      return;
    }
    const double human_swing = shape.swing_deg * kDegree, human_twist = shape.twist_deg * kDegree;
    joint_.swing = std::min(std::max(human_swing, swing + kMargin), kWidestCone);
    if (swing > human_swing) {
      joint_.notes.push_back("swings by " + degrees(swing) +
                             " degrees in the motion: cone widened");
    }
    if (std::max(-twist.min, twist.max) > kPi - kMargin) {
      joint_.notes.push_back("twists by a half turn in the motion: no limits of the twist");
      return;
    }
    joint_.twist_min = std::min(-human_twist, twist.min - kMargin);
    joint_.twist_max = std::max(human_twist, twist.max + kMargin);
    if (twist.min < -human_twist || twist.max > human_twist) {
      joint_.notes.push_back("twists from " + degrees(twist.min) + " to " + degrees(twist.max) +
                             " degrees in the motion: limits widened");
    }
  }
};

}  // namespace

void fit_joints(const MotionFile& motion, Figure& figure) {
  for (FigureJoint& joint : figure.joints) Fit(motion, figure, joint).run();
}

}  // namespace tenon::scene::bvh
