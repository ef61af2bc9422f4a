#include "tenon/render/detail/between_frames.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/bodies/pose_curve.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/render/detail/cameras.h"

namespace tenon::render {
namespace {

// An acceleration is a kick where it is more than this many times that of the frames on both sides
// and than that of gravity.
constexpr double kKick = 3;
// What rattles is kicked in every frame: a curve that leaves the straight way by this part of it is
// none that the body went. A body on a circle does after two radians.
constexpr double kBulge = 0.25;
constexpr double kGravity = 9.81;  // m/s^2

bool readable(const RecordedBody& body) {
  return is_finite(body.X_WB) && is_finite(body.v_WC) && is_finite(body.w_WB);
}

// Size of the change of a velocity over the time between two frames; 0 where one is missing.
double rate(const RecordedFrame* from, const RecordedFrame* to, size_t body,
            Vec3 RecordedBody::* velocity) {
  if (from == nullptr || to == nullptr || body >= from->bodies.size() ||
      body >= to->bodies.size() || !(to->time > from->time))
    return 0;
  const Vec3 change = to->bodies[body].*velocity - from->bodies[body].*velocity;
  return is_finite(change) ? norm(change) / (to->time - from->time) : 0;
}

// Whether a body that went `way` in the time h can have had these velocities at the ends. Methods
// differ in which of the two they move with: half of the change to either side.
bool agree(const Vec3& way, const Vec3& from, const Vec3& to, double h) {
  const double apart = norm(way / h - 0.5 * (from + to));
  return apart <= 0.75 * norm(to - from) + 0.05 * (norm(from) + norm(to)) + 1e-12;
}

MovingPose moving_centre(const RecordedBody& body, const Vec3& p_BC) {
  return {{body.X_WB.p + rotate(body.X_WB.q, p_BC), normalized(body.X_WB.q)}, body.v_WC, body.w_WB};
}

Pose straight(const Pose& a, const Pose& b, double s) {
  return {a.p + s * (b.p - a.p), interpolate(a.q, b.q, s)};
}

}  // namespace

BetweenFrames::BetweenFrames(const Model& model, const Mechanism& mechanism) {
  const size_t count = model.bodies.size();
  DisjointSets groups(count);
  const auto join = [&](uint32_t a, uint32_t b) {
    // what is fixed to the world does not pass a kick on
    if (a >= count || b >= count || !model.bodies[a].moves || !model.bodies[b].moves) return;
    groups.join(a, b);
  };
  for (const JointEnds& joint : mechanism.joints) join(joint.parent, joint.child);
  for (const LinkEnds& link : mechanism.links)
    if (link.type == scene::ConnectionType::kRod) join(link.a, link.b);
  for (uint32_t i = 0; i < count; ++i) {
    Body body{model.bodies[i].p_BC, 0, groups.find(i)};
    for (const ModelPart& part : model.bodies[i].parts)
      body.radius = std::max(body.radius, norm(part.X_BP.p) + bounding_radius(part.shape));
    if (!(body.radius > 0)) body.radius = 1;
    bodies_.push_back(body);
  }
}

bool BetweenFrames::is_smooth(const FramesAbout& about, size_t body) const {
  const RecordedBody &a = about.before->bodies[body], &b = about.after->bodies[body];
  const double h = about.after->time - about.before->time;
  const Vec3& p_BC = bodies_[body].p_BC;
  const MovingPose from = moving_centre(a, p_BC), to = moving_centre(b, p_BC);
  const Vec3 way = to.X_WB.p - from.X_WB.p, turn = log_map(to.X_WB.q * conjugate(from.X_WB.q));
  const auto kicked = [&](Vec3 RecordedBody::* velocity, double common, double far) {
    const double here = rate(about.before, about.after, body, velocity);
    if (!(here > kKick * common)) return false;
    const double around = std::max(rate(about.far_before, about.before, body, velocity),
                                   rate(about.after, about.far_after, body, velocity));
    // the curve leaves the straight way by about an eighth of the change times the time
    return here > kKick * around || here * h * h / 8 > kBulge * far;
  };
  // turns of more than half a round are known by the velocity alone
  const bool long_turn = norm(from.w_WB + to.w_WB) * h > kPi;
  if (kicked(&RecordedBody::v_WC, kGravity, norm(way)) ||
      kicked(&RecordedBody::w_WB, kGravity / bodies_[body].radius, long_turn ? kPi : norm(turn)))
    return false;
  return agree(way, from.v_WB, to.v_WB, h) && (long_turn || agree(turn, from.w_WB, to.w_WB, h));
}

void BetweenFrames::find(const FramesAbout& about, double t,
                         std::vector<RecordedBody>& bodies) const {
  const RecordedFrame &before = *about.before, &after = *about.after;
  bodies = before.bodies;
  const double h = after.time - before.time;
  if (!(h > 0)) return;
  const double s = std::clamp((t - before.time) / h, 0.0, 1.0);
  const size_t count = std::min({bodies.size(), after.bodies.size(), bodies_.size()});
  const auto moves = [&](size_t i) {
    return before.bodies[i].X_WB != after.bodies[i].X_WB && readable(before.bodies[i]) &&
           readable(after.bodies[i]);
  };
  std::vector<char> smooth(bodies_.size(), 1);  // of groups
  for (size_t i = 0; i < count; ++i)
    if (smooth[bodies_[i].group] && moves(i) && !is_smooth(about, i)) smooth[bodies_[i].group] = 0;
  for (size_t i = 0; i < count; ++i) {
    const RecordedBody &a = before.bodies[i], &b = after.bodies[i];
    if (!is_finite(a.X_WB) || !is_finite(b.X_WB)) continue;
    bodies[i].v_WC = a.v_WC + s * (b.v_WC - a.v_WC);
    if (!moves(i) || !smooth[bodies_[i].group]) {
      bodies[i].X_WB = straight(a.X_WB, b.X_WB, s);
      continue;
    }
    const Vec3& p_BC = bodies_[i].p_BC;
    const Pose C = interpolate_step(moving_centre(a, p_BC), moving_centre(b, p_BC), h, s).X_WB;
    bodies[i].X_WB = {C.p - rotate(C.q, p_BC), C.q};
  }
}

}  // namespace tenon::render
