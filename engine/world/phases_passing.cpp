// Bodies with joints that would pass through something thin; docs/theory/contacts.md, section 2.
//
// Hits of free bodies are found along their true paths. Where joints are, contacts are foreseen
// from velocities at the begin of the step, and motors, springs and whips may turn these into
// others, as hits do. So what the step has led to is looked at, and where something has passed it
// is taken back: and made again with the pairs that nobody had foreseen, or in two halves.
#include <algorithm>
#include <cmath>

#include "tenon/engine/base/parallel.h"
#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/collision/narrow/impact_time.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/engine/world/contact_rules.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/drives.h"
#include "tenon/engine/world/foresight.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// Of the thinner one: what goes or overlaps less has not passed; and, of pairs that were not
// foreseen, what need not be. Those that bounce well must be hit at their time.
constexpr double kFarOfThin = 0.5, kUnforeseen = 0.1, kUnforeseenBounce = 0.01;
constexpr double kBounces = 0.5;       // restitution
constexpr double kTurnedRound = -0.2;  // cosine: the other side shows

bool is_moving(const StepContext& context, const WorldData& data, uint32_t slot) {
  return data.body_slots.live(slot) && data.info[slot].motion != MotionKind::kStatic &&
         data.frozen[slot] == 0 && data.info[slot].collision && !is_idle(context, slot);
}

bool of_mesh(const Collider& c) { return kind(c.shape) == ShapeKind::kMesh; }

// Those that this search is for. Meshes have a bound of their own (phases_fast.cpp), and are looked
// at where motors or springs drive them.
bool is_solid(const Collider& c) { return !c.sensor && !of_mesh(c); }

// By body slot: bodies of mechanisms with motors or springs. Empty: there are none.
std::vector<uint8_t> find_driven(const StepContext& context, const WorldData& data) {
  std::vector<uint8_t> driven;
  for (const Mechanism& m : context.mechanisms->list) {
    const bool any = std::any_of(m.joints.begin(), m.joints.end(), [&](const MechanismJoint& j) {
      return is_driven(data.joint_models[j.slot]);
    });
    if (!any) continue;
    driven.resize(data.info.size(), 0);
    for (uint32_t b = 0; b < m.moving; ++b) driven[m.body_slots[b]] = 1;
  }
  return driven;
}

// `meshes`: of these as well.
double find_thinnest(const WorldData& data, bool meshes) {
  double thinnest = kInfinity;
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    const Collider& c = data.colliders[id];
    if (!data.collider_slots.live(id) || c.sensor || (!meshes && of_mesh(c))) continue;
    thinnest = std::min(thinnest, c.size);
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
        driven_(find_driven(context, data)),
        thinnest_(find_thinnest(data, !driven_.empty())),
        foreseen_(find_foreseen(context)) {}
  Passing find() const;

 private:
  const BodyState& begin_of(uint32_t slot) const {
    const bool scripted =
        data_.info[slot].motion == MotionKind::kKinematic && slot < context_.kinematic_begin.size();
    if (scripted) return context_.kinematic_begin[slot];
    return is_done_before(slot) ? context_.done[slot].begin : begin_[slot];
  }
  bool is_done_before(uint32_t slot) const {
    return slot < context_.done.size() && context_.done[slot].t_end > context_.done[slot].t_begin;
  }
  bool is_driven_body(uint32_t slot) const { return !driven_.empty() && driven_[slot] != 0; }
  bool is_looked_at(const Collider& c) const {
    return !c.sensor && (!of_mesh(c) || is_driven_body(c.body));
  }
  // The search for contacts leaves those out that others move.
  bool is_unseen(const Collider& a, const Collider& b) const {
    return is_left_out(context_, a.body) || is_left_out(context_, b.body);
  }
  bool waits(uint32_t slot) const {
    return is_left_out(context_, slot) && context_.left_out[slot] == LeftOut::kWaits;
  }
  struct Path {
    ShapeMotion motion;
    Aabb box;
    double turn = 0;   // m, that its farthest point goes by turning
    double stray = 0;  // m, how far it went astray, if more than the margin
    bool fast = false;
  };
  Aabb path_box(const Collider& c, const ShapeMotion& motion) const;
  Path make_path(uint32_t id) const;
  struct FastOnes {
    std::vector<Path> paths;     // by collider
    std::vector<ProxyId> fast;   // those that go far or astray
    std::vector<uint32_t> rank;  // by collider: which of these; their number for all others
  };
  FastOnes find_fast() const;
  ShapeMotion motion_of(const Collider& c) const;
  bool may_pass(const Collider& a, const Collider& b) const;
  double calc_stray(const Collider& c, const ShapeMotion& motion) const;
  bool passes(ProxyId id_a, const ShapeMotion& ma, ProxyId id_b, const ShapeMotion& mb, bool known,
              Contact& met) const;
  void find_of(const FastOnes& fast, size_t which, Passing& passing) const;
  bool may_matter(const Path& a, const Path& b, double thin, bool unseen) const;
  void look(const FastOnes& fast, ProxyId a, ProxyId b, Passing& passing) const;
  void look_at_meshes(const ShapeMotion& ma, const ShapeMotion& mb, const Contact& pair,
                      Passing& passing) const;

  const StepContext& context_;
  WorldData& data_;
  std::span<const BodyState> begin_;
  std::vector<uint8_t> driven_;  // by body slot; may be empty
  double thinnest_;
  std::vector<uint8_t> foreseen_;  // by body slot
};

ShapeMotion Paths::motion_of(const Collider& c) const {
  const BodyState &from = begin_of(c.body), &to = data_.state[c.body];
  const ShapeMotion whole{collider_transform(from, c), from.x_WC, to.x_WC - from.x_WC,
                          log_map(normalized(to.q_WB * conjugate(from.q_WB)))};
  if (!is_done_before(c.body)) return whole;
  // the part of a longer way that it goes meanwhile
  const DonePath& path = context_.done[c.body];
  const double length = path.t_end - path.t_begin;
  const double first = (context_.t_begin - path.t_begin) / length, part = context_.h / length;
  return {calc_pose_at(whole, first), from.x_WC + first * whole.displacement_W,
          part * whole.displacement_W, part * whole.rotation_W};
}

bool Paths::may_pass(const Collider& a, const Collider& b) const {
  if (!is_unseen(a, b) && foreseen_[a.body] == 0 && foreseen_[b.body] == 0) return false;
  if (a.sensor || b.sensor || waits(a.body) || waits(b.body)) return false;
  const bool meshes = of_mesh(a) || of_mesh(b);
  if (meshes && !is_driven_body(a.body) && !is_driven_body(b.body)) return false;
  if (!may_touch(data_, a, b)) return false;
  if (!(data_.info[a.body].one_way == Vec3{}) || !(data_.info[b.body].one_way == Vec3{})) {
    return false;
  }
  const uint64_t pair = pair_key(a.body, b.body);
  const auto among = [&](const std::vector<uint64_t>& sorted) {
    return std::binary_search(sorted.begin(), sorted.end(), pair);
  };
  return !among(context_.mechanisms->apart) && !among(data_.separated);
}

// How far it ends from where its velocity at the begin says, m; 0 where that is nothing. What is
// known of a body from the search for contacts is not in snapshots, and not used.
double Paths::calc_stray(const Collider& c, const ShapeMotion& motion) const {
  const BodyState& from = begin_of(c.body);
  const double h = context_.h;
  // with what gravity does, or without it: what lies on something does not fall
  Vec3 off = motion.displacement_W - h * from.v_WC;
  if (data_.info[c.body].gravity) {
    const Vec3 falling = off - (h * h) * data_.settings.gravity;
    if (norm2(falling) < norm2(off)) off = falling;
  }
  const double turn = norm(motion.rotation_W - h * from.w_WB) * lever_of(c);
  const double stray = norm(off) + turn;
  return stray > 0.5 * c.margin ? stray : 0;
}

// How far a shape reaches along n, from the origin of its frame; of planes along their own normal.
double reach_of(const Collider& c, const Transform& X_WS, const Vec3& n_W) {
  if (kind(c.shape) == ShapeKind::kPlane) return 0;
  const Vec3 n = transpose_mul(X_WS.R, n_W);
  return dot(n, support(c.shape, n));
}

// Whether the plane between them at the end has been between them all the way but for `play`: then
// they have not come out on another side of each other. The separation along a fixed normal is not
// below the lesser of those at both ends by more than turning bends it, (|w_a|^2 r_a + |w_b|^2 r_b)
// / 8 ((6) of impact_time.cpp). That spares the time of impact of nearly all pairs.
bool stays_apart(const Collider& a, const ShapeMotion& ma, const Collider& b, const ShapeMotion& mb,
                 const Manifold& end, double play) {
  const auto turns_plane = [](const Collider& c, const ShapeMotion& m) {
    return kind(c.shape) == ShapeKind::kPlane && norm2(m.rotation_W) > 0;
  };
  if (turns_plane(a, ma) || turns_plane(b, mb)) return false;
  const Vec3& n = end.normal_W;
  const double begin =
      dot(n, mb.X_WS.p - ma.X_WS.p) - reach_of(a, ma.X_WS, n) - reach_of(b, mb.X_WS, -n);
  const double bend = norm2(ma.rotation_W) * lever_of(a) + norm2(mb.rotation_W) * lever_of(b);
  return std::min(begin, end.distance) - 0.125 * bend > -play;
}

// Apart at the begin, met on the way, and gone on from there: at the end inside each other, or on
// the other side. `met`: the contact that it would have been.
bool Paths::passes(ProxyId id_a, const ShapeMotion& ma, ProxyId id_b, const ShapeMotion& mb,
                   bool known, Contact& met) const {
  const Collider &a = data_.colliders[id_a], &b = data_.colliders[id_b];
  const bool bounces = data_.materials.mix(a.material, b.material).restitution >= kBounces;
  const double far = (known     ? kFarOfThin
                      : bounces ? kUnforeseenBounce
                                : kUnforeseen) *
                     std::min(a.size, b.size);
  const double way = norm(ma.displacement_W - mb.displacement_W) +
                     norm(ma.rotation_W) * lever_of(a) + norm(mb.rotation_W) * lever_of(b);
  if (!(way > far)) return false;
  // whoever goes less far than the thinner one is thick does not come out on the other side
  const Transform end_a = calc_pose_at(ma, 1), end_b = calc_pose_at(mb, 1);
  const Manifold end = collide(a.shape, end_a, b.shape, end_b, way);
  if (end.count == 0) return false;
  if (!(end.distance < -far)) {
    const double thin = std::min(a.size, b.size);
    if (way < thin || stays_apart(a, ma, b, mb, end, kFarOfThin * thin)) return false;
  }
  const ImpactTime meeting = calc_time_of_impact(a.shape, ma, b.shape, mb, 0);
  // what presses may have begun a little inside
  const double inside = (known ? 0.5 : 0.1) * far;
  if (meeting.status == ImpactTime::Status::kNone || meeting.distance < -inside) return false;
  const Approach A{ma.X_WS, calc_pose_at(ma, meeting.fraction)},
      B{mb.X_WS, calc_pose_at(mb, meeting.fraction)};
  Manifold there = collide(a.shape, A.then, b.shape, B.then, std::fabs(meeting.distance) + far);
  const Vec3 n = there.normal_W;
  double beyond = 0;
  for (int k = 0; k < there.count; ++k) {
    const Vec3& p = there.points[static_cast<size_t>(k)].p_W;
    beyond =
        std::max(beyond, -dot(n, end_b * (inverse(B.then) * p) - end_a * (inverse(A.then) * p)));
  }
  if (!(beyond > far)) return false;
  if (!(end.distance < -far || dot(end.normal_W, n) < kTurnedRound)) return false;
  met = {};
  met.collider_a = id_a;
  met.collider_b = id_b;
  met.body_a = a.body;
  met.body_b = b.body;
  met.slip_W = see_from_now(A, B, there);
  there.distance = collide(a.shape, A.now, b.shape, B.now, way).distance;
  met.manifold = there;
  return true;
}

// The same for pairs with meshes that were not among the contacts: those that have gone on by more
// than a tenth of the thinner one become contacts in all patches in which they met.
void Paths::look_at_meshes(const ShapeMotion& ma, const ShapeMotion& mb, const Contact& pair,
                           Passing& passing) const {
  const Collider &a = data_.colliders[pair.collider_a], &b = data_.colliders[pair.collider_b];
  const double far = kUnforeseen * std::min(a.size, b.size);
  const double way = norm(ma.displacement_W - mb.displacement_W) +
                     norm(ma.rotation_W) * lever_of(a) + norm(mb.rotation_W) * lever_of(b);
  if (!(way > far)) return;
  const ImpactTime meeting = calc_time_of_impact(a.shape, ma, b.shape, mb, 0);
  if (meeting.status == ImpactTime::Status::kNone || meeting.distance < -0.1 * far) return;
  const Approach A{ma.X_WS, calc_pose_at(ma, meeting.fraction)},
      B{mb.X_WS, calc_pose_at(mb, meeting.fraction)};
  std::vector<Manifold> patches;
  collide_all(a.shape, A.then, b.shape, B.then, std::fabs(meeting.distance) + far, patches);
  const Transform to_a = calc_pose_at(ma, 1) * inverse(A.then),
                  to_b = calc_pose_at(mb, 1) * inverse(B.then);
  double beyond = 0;
  for (const Manifold& m : patches) {
    for (int k = 0; k < m.count; ++k) {
      const Vec3& p = m.points[static_cast<size_t>(k)].p_W;
      beyond = std::max(beyond, -dot(m.normal_W, to_b * p - to_a * p));
    }
  }
  if (!(beyond > far)) return;
  std::vector<Manifold> now;
  collide_all(a.shape, A.now, b.shape, B.now, way, now);
  double least = way;
  for (const Manifold& m : now) least = std::min(least, m.distance);
  for (uint32_t k = 0; k < patches.size(); ++k) {
    Contact& met = passing.unforeseen.emplace_back(pair);
    met.patch = k;
    met.slip_W = see_from_now(A, B, patches[k]);
    patches[k].distance = least;
    met.manifold = patches[k];
  }
}

Aabb Paths::path_box(const Collider& c, const ShapeMotion& motion) const {
  // a point that turns leaves the box of its two ends by less than half of its arc
  const double bulge = 0.5 * norm(motion.rotation_W) * lever_of(c);
  const Aabb from = calc_bounds(c.shape, motion.X_WS),
             to = calc_bounds(c.shape, calc_pose_at(motion, 1));
  return inflate({cwise_min(from.lo, to.lo), cwise_max(from.hi, to.hi)},
                 std::min(bulge, lever_of(c)));
}

Paths::Path Paths::make_path(uint32_t id) const {
  const Collider& c = data_.colliders[id];
  Path p;
  p.motion = motion_of(c);
  if (data_.info[c.body].motion == MotionKind::kStatic) return p;
  p.box = path_box(c, p.motion);
  p.turn = norm(p.motion.rotation_W) * lever_of(c);
  if (!is_looked_at(c) || !is_moving(context_, data_, c.body)) return p;
  const double way = norm(p.motion.displacement_W) + p.turn;
  p.stray = calc_stray(c, p.motion);
  // where others have gone their way before, any may be in it; one of a pair of meshes must have
  // gone astray by half of what counts there
  const bool partly = !context_.left_out.empty();
  p.fast = partly || (of_mesh(c) ? p.stray > 0.5 * kUnforeseen * thinnest_
                                 : p.stray > 0 || way > kFarOfThin * thinnest_);
  return p;
}

// What goes far or astray. Boxes of the broad phase then cover the paths of all, and nothing else:
// a run that is resumed finds the same.
Paths::FastOnes Paths::find_fast() const {
  constexpr size_t kGrain = 64;
  FastOnes all;
  const size_t count = data_.colliders.size();
  all.paths.resize(count);
  parallel_for(context_.pool, count, kGrain, [&](size_t begin, size_t end) {
    for (size_t id = begin; id < end; ++id) {
      const auto slot = static_cast<uint32_t>(id);
      if (data_.collider_slots.live(slot)) all.paths[id] = make_path(slot);
    }
  });
  for (uint32_t id = 0; id < count; ++id) {
    if (!data_.collider_slots.live(id)) continue;
    if (data_.info[data_.colliders[id].body].motion == MotionKind::kStatic) continue;
    data_.broad_phase.move(id, all.paths[id].box);
    if (all.paths[id].fast) all.fast.push_back(id);
  }
  all.rank.assign(count, static_cast<uint32_t>(all.fast.size()));
  for (uint32_t i = 0; i < all.fast.size(); ++i) all.rank[all.fast[i]] = i;
  return all;
}

// What passes() and look() would say without looking at shapes: nothing passes that goes less far
// past the other than counts, and where both went as expected only contacts are looked at.
bool Paths::may_matter(const Path& a, const Path& b, double thin, bool unseen) const {
  const double way = norm(a.motion.displacement_W - b.motion.displacement_W) + a.turn + b.turn;
  const bool as_expected = !unseen && !(a.stray + b.stray > 0);
  return way > (as_expected ? kFarOfThin : kUnforeseenBounce) * thin;
}

void Paths::look(const FastOnes& all, ProxyId a, ProxyId b, Passing& passing) const {
  const Collider &ca = data_.colliders[a], &cb = data_.colliders[b];
  const bool known = is_contact(data_, a, b);
  // where both went as expected, the search for contacts has seen whether they meet
  const bool unseen = is_unseen(ca, cb);
  const double stray = all.paths[a].stray + all.paths[b].stray;
  if (!known && !unseen && !(stray > 0)) return;
  const ShapeMotion &ma = all.paths[a].motion, &mb = all.paths[b].motion;
  Contact met;
  if (of_mesh(ca) || of_mesh(cb)) {
    met.collider_a = a;
    met.collider_b = b;
    met.body_a = ca.body;
    met.body_b = cb.body;
    // nor do they meet by more than they went astray
    const bool far = stray > kUnforeseen * std::min(ca.size, cb.size);
    if (!known && (unseen || far)) look_at_meshes(ma, mb, met, passing);
    return;
  }
  if (!passes(a, ma, b, mb, known, met)) return;
  if (known) {
    passing.foreseen.push_back({met.body_a, met.body_b});
  } else {
    passing.unforeseen.push_back(met);
  }
}

// Of one that is fast against all others; against those that are fast and come before it, they
// have looked already.
void Paths::find_of(const FastOnes& all, size_t which, Passing& passing) const {
  const ProxyId id = all.fast[which];
  const Path& path = all.paths[id];
  const Collider& c = data_.colliders[id];
  std::vector<ProxyId> near;
  data_.broad_phase.find_overlaps(path.box, near);
  for (const ProxyId other : near) {
    const Collider& o = data_.colliders[other];
    if (other == id || all.rank[other] < which) continue;
    if (!may_matter(path, all.paths[other], std::min(c.size, o.size), is_unseen(c, o))) continue;
    if (may_pass(c, o)) look(all, std::min(id, other), std::max(id, other), passing);
  }
}

Passing Paths::find() const {
  constexpr size_t kGrain = 8;
  const FastOnes all_paths = find_fast();
  const size_t count = all_paths.fast.size();
  std::vector<Passing> parts(chunk_count(count, kGrain));
  parallel_for(context_.pool, count, kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) find_of(all_paths, i, parts[begin / kGrain]);
  });
  Passing all;
  for (const Passing& part : parts) {
    all.foreseen.insert(all.foreseen.end(), part.foreseen.begin(), part.foreseen.end());
    all.unforeseen.insert(all.unforeseen.end(), part.unforeseen.begin(), part.unforeseen.end());
  }
  std::sort(all.unforeseen.begin(), all.unforeseen.end(), is_before);
  return all;
}

}  // namespace

bool jointed_bodies_may_pass(const StepContext& context, const WorldData& data) {
  const Mechanisms& m = *context.mechanisms;
  if (m.list.empty()) return false;
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (data.joint_slots.live(slot) && is_driven(data.joint_models[slot])) return true;
  }
  const double far = kUnforeseenBounce * find_thinnest(data, false), h = context.h;
  const auto goes_far = [&](const Collider& c) {
    if (!is_moving(context, data, c.body)) return false;
    const Acceleration& a = data.acceleration[c.body];
    const double turn = norm(h * data.state[c.body].w_WB) + h * h * norm(a.angular);
    const double way = h * norm(data.state[c.body].v_WC) + h * h * norm(data.settings.gravity);
    return way + h * h * norm(a.linear) + turn * lever_of(c) > far;
  };
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    const Collider& c = data.colliders[id];
    if (data.collider_slots.live(id) && is_solid(c) && goes_far(c)) return true;
  }
  return false;
}

Passing find_passing_bodies(const StepContext& context, WorldData& data,
                            std::span<const BodyState> begin) {
  return Paths(context, data, begin).find();
}

}  // namespace tenon
