// Bodies with joints that would pass through something thin; docs/theory/contacts.md, section 2.
//
// Hits of free bodies are found along their true paths. Where joints are, contacts are foreseen
// from velocities at the begin of the step, and motors, springs and whips may turn these into
// others. So what the step has led to is looked at, and where something has passed the step is
// taken back and made in two halves.
#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/collision/narrow/impact_time.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/drives.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

constexpr double kFarOfThin = 0.25;    // of the thinner one: what goes or overlaps less cannot pass
constexpr double kTurnedRound = -0.2;  // cosine: the other side shows

bool is_moving(const StepContext& context, const WorldData& data, uint32_t slot) {
  return data.body_slots.live(slot) && data.info[slot].motion == MotionKind::kDynamic &&
         data.frozen[slot] == 0 && data.info[slot].collision && !is_asleep(context, slot);
}

// Those that this search is for. Meshes have a bound of their own (phases_fast.cpp).
bool is_solid(const Collider& c) { return !c.sensor && kind(c.shape) != ShapeKind::kMesh; }

double find_thinnest(const WorldData& data) {
  double thinnest = kInfinity;
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    const Collider& c = data.colliders[id];
    if (data.collider_slots.live(id) && is_solid(c)) thinnest = std::min(thinnest, c.size);
  }
  return thinnest;
}

double lever_of(const Collider& c) {
  return kind(c.shape) == ShapeKind::kPlane ? 0 : norm(c.X_CS.p) + bounding_radius(c.shape);
}

// Bodies with joints, and what they touch: their hits are only foreseen.
std::vector<uint8_t> find_foreseen(const StepContext& context) {
  std::vector<uint8_t> foreseen = context.mechanisms->jointed;
  const ContactWork& work = *context.contacts;
  for (size_t i = 0; i < work.count; ++i) {
    const IslandWork& w = work.islands[i];
    if (w.asleep || w.mechanisms.empty()) continue;
    for (const IslandBody& b : w.island.bodies) {
      if (b.inv_mass > 0) foreseen[b.slot] = 1;
    }
  }
  return foreseen;
}

// The paths of a step, from how the bodies were to how they are.
class Paths {
 public:
  Paths(const StepContext& context, WorldData& data, std::span<const BodyState> begin)
      : context_(context),
        data_(data),
        begin_(begin),
        thinnest_(find_thinnest(data)),
        foreseen_(find_foreseen(context)) {}
  bool find_pass() const;

 private:
  const BodyState& begin_of(uint32_t slot) const {
    const bool scripted =
        data_.info[slot].motion == MotionKind::kKinematic && slot < context_.kinematic_begin.size();
    return scripted ? context_.kinematic_begin[slot] : begin_[slot];
  }
  struct Path {
    ProxyId collider;
    ShapeMotion motion;
    Aabb box;
  };
  std::vector<Path> find_fast() const;
  ShapeMotion motion_of(const Collider& c) const;
  bool may_pass(const Collider& a, const Collider& b) const;
  bool passes(const Collider& a, const ShapeMotion& ma, const Collider& b) const;

  const StepContext& context_;
  WorldData& data_;
  std::span<const BodyState> begin_;
  double thinnest_;
  std::vector<uint8_t> foreseen_;  // by body slot
};

ShapeMotion Paths::motion_of(const Collider& c) const {
  const BodyState &from = begin_of(c.body), &to = data_.state[c.body];
  return {collider_transform(from, c), from.x_WC, to.x_WC - from.x_WC,
          log_map(normalized(to.q_WB * conjugate(from.q_WB)))};
}

bool Paths::may_pass(const Collider& a, const Collider& b) const {
  if (foreseen_[a.body] == 0 && foreseen_[b.body] == 0) return false;
  if (!is_solid(b) || !may_touch(data_, a, b)) return false;
  if (!(data_.info[a.body].one_way == Vec3{}) || !(data_.info[b.body].one_way == Vec3{})) {
    return false;
  }
  const uint64_t pair = pair_key(a.body, b.body);
  const auto among = [&](const std::vector<uint64_t>& sorted) {
    return std::binary_search(sorted.begin(), sorted.end(), pair);
  };
  return !among(context_.mechanisms->apart) && !among(data_.separated);
}

// Apart at the begin, met on the way, and gone on from there: at the end inside each other, or on
// the other side.
bool Paths::passes(const Collider& a, const ShapeMotion& ma, const Collider& b) const {
  const ShapeMotion mb = motion_of(b);
  const double far = kFarOfThin * std::min(a.size, b.size);
  const double way = norm(ma.displacement_W - mb.displacement_W) +
                     norm(ma.rotation_W) * lever_of(a) + norm(mb.rotation_W) * lever_of(b);
  if (!(way > far)) return false;
  const ImpactTime meeting = calc_time_of_impact(a.shape, ma, b.shape, mb, 0);
  if (meeting.status == ImpactTime::Status::kNone || meeting.distance < -0.1 * far) return false;
  const Transform Xa = calc_pose_at(ma, meeting.fraction), Xb = calc_pose_at(mb, meeting.fraction);
  const Transform Ya = calc_pose_at(ma, 1), Yb = calc_pose_at(mb, 1);
  const Manifold there = collide(a.shape, Xa, b.shape, Xb, std::fabs(meeting.distance) + far);
  const Vec3& n = there.normal_W;
  double beyond = 0;
  for (int k = 0; k < there.count; ++k) {
    const Vec3& p = there.points[static_cast<size_t>(k)].p_W;
    beyond = std::max(beyond, -dot(n, Yb * (inverse(Xb) * p) - Ya * (inverse(Xa) * p)));
  }
  if (!(beyond > far)) return false;
  const Manifold end = collide(a.shape, Ya, b.shape, Yb, way);
  return end.count > 0 && (end.distance < -far || dot(end.normal_W, n) < kTurnedRound);
}

// What goes far, with the boxes of the broad phase over its whole path.
std::vector<Paths::Path> Paths::find_fast() const {
  std::vector<Path> fast;
  for (uint32_t id = 0; id < data_.colliders.size(); ++id) {
    const Collider& c = data_.colliders[id];
    if (!data_.collider_slots.live(id) || !is_solid(c)) continue;
    if (!is_moving(context_, data_, c.body)) continue;
    const ShapeMotion motion = motion_of(c);
    const double way = norm(motion.displacement_W) + norm(motion.rotation_W) * lever_of(c);
    if (!(way > kFarOfThin * thinnest_)) continue;
    // a point that turns leaves the box of its two ends by less than half of its arc
    const double bulge = 0.5 * norm(motion.rotation_W) * lever_of(c);
    const Aabb from = calc_bounds(c.shape, motion.X_WS),
               to = calc_bounds(c.shape, calc_pose_at(motion, 1));
    fast.push_back({id, motion,
                    inflate({cwise_min(from.lo, to.lo), cwise_max(from.hi, to.hi)},
                            std::min(bulge, lever_of(c)))});
  }
  return fast;
}

bool Paths::find_pass() const {
  const std::vector<Path> fast = find_fast();
  for (const Path& path : fast) data_.broad_phase.move(path.collider, path.box);
  std::vector<ProxyId> near;
  for (const Path& path : fast) {
    const Collider& a = data_.colliders[path.collider];
    data_.broad_phase.find_overlaps(path.box, near);
    for (const ProxyId other : near) {
      if (other == path.collider || !may_pass(a, data_.colliders[other])) continue;
      if (passes(a, path.motion, data_.colliders[other])) return true;
    }
  }
  return false;
}

}  // namespace

bool jointed_bodies_may_pass(const StepContext& context, const WorldData& data) {
  const Mechanisms& m = *context.mechanisms;
  if (m.list.empty()) return false;
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (data.joint_slots.live(slot) && is_driven(data.joint_models[slot])) return true;
  }
  const double far = kFarOfThin * find_thinnest(data), h = context.h;
  const auto goes_far = [&](const Collider& c) {
    if (!is_moving(context, data, c.body)) return false;
    const Acceleration& a = data.acceleration[c.body];
    const double turn = norm(h * data.state[c.body].w_WB) + h * h * norm(a.angular);
    return norm(c.shift) + h * h * norm(a.linear) + turn * lever_of(c) > far;
  };
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    const Collider& c = data.colliders[id];
    if (data.collider_slots.live(id) && is_solid(c) && goes_far(c)) return true;
  }
  return false;
}

bool jointed_bodies_passed(const StepContext& context, WorldData& data,
                           std::span<const BodyState> begin) {
  return Paths(context, data, begin).find_pass();
}

}  // namespace tenon
