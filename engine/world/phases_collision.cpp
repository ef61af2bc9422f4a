#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/collision/narrow/impact_time.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/world/carry_contacts.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/drives.h"
#include "tenon/engine/world/foresight.h"
#include "tenon/engine/world/phases.h"
#include "tenon/engine/world/reach.h"
#include "tenon/engine/world/seams.h"
#include "tenon/engine/world/sensor_passes.h"

namespace tenon {

namespace {

constexpr size_t kPairGrain = 64;  // pairs per task: about 30 us of work

// Whether one of the two may be where the other is by itself: nothing pushes immovable bodies, but
// sensors feel those that move.
bool may_meet(MotionKind a, MotionKind b, bool sensor) {
  if (a == MotionKind::kDynamic || b == MotionKind::kDynamic) return true;
  return sensor && (a == MotionKind::kKinematic || b == MotionKind::kKinematic);
}

}  // namespace

bool may_touch(const WorldData& data, const Collider& ca, const Collider& cb) {
  if (ca.body == cb.body) return false;
  const BodyInfo &a = data.info[ca.body], &b = data.info[cb.body];
  if (!a.collision || !b.collision) return false;
  if (!may_meet(a.motion, b.motion, ca.sensor || cb.sensor)) return false;
  return data.classes.may_touch(a.collision_class, b.collision_class);
}

namespace {

bool contains(const std::vector<uint64_t>& sorted, uint64_t pair) {
  return std::binary_search(sorted.begin(), sorted.end(), pair);
}

TouchKind touch_kind(const Collider& a, const Collider& b) {
  return a.sensor ? TouchKind::kSensorA : b.sensor ? TouchKind::kSensorB : TouchKind::kContact;
}

// N s, of the pair in this step.
double normal_impulse(const WorldData& data, const Touch& t) {
  const auto found = std::lower_bound(
      data.pushes.begin(), data.pushes.end(), t, [](const Push& p, const Touch& wanted) {
        return std::tie(p.body_a, p.body_b) < std::tie(wanted.body_a, wanted.body_b);
      });
  const bool same =
      found != data.pushes.end() && found->body_a == t.body_a && found->body_b == t.body_b;
  return same ? found->normal : 0;
}

// Looks keys up in a sorted list; cheap where they come nearly in order, as those of pairs do.
class KeyFinder {
 public:
  explicit KeyFinder(const std::vector<uint64_t>& sorted) : list_(sorted) {}
  bool contains(uint64_t key) {
    constexpr size_t kWalk = 8;
    size_t steps = 0;
    const size_t count = list_.size();
    if (at_ > 0 && list_[at_ - 1] >= key) steps = kWalk;  // behind
    while (steps < kWalk && at_ < count && list_[at_] < key) ++at_, ++steps;
    if (steps == kWalk) {
      at_ = static_cast<size_t>(std::lower_bound(list_.begin(), list_.end(), key) - list_.begin());
    }
    return at_ < count && list_[at_] == key;
  }

 private:
  const std::vector<uint64_t>& list_;
  size_t at_ = 0;  // no key before it is above the last one looked up
};

// The contacts of a pair in a sorted list.
std::span<const Contact> find_pair(const std::vector<Contact>& sorted, const ProxyPair& pair) {
  const auto found = std::lower_bound(
      sorted.begin(), sorted.end(), pair, [](const Contact& c, const ProxyPair& wanted) {
        return std::tie(c.collider_a, c.collider_b) < std::tie(wanted.a, wanted.b);
      });
  if (found == sorted.end() || found->collider_a != pair.a || found->collider_b != pair.b) {
    return {};
  }
  return pair_at(sorted, static_cast<size_t>(found - sorted.begin()));
}

// Contacts of what sleeps are as they were. Its pairs without a contact are looked at like others.
std::span<const Contact> find_sleeping(const StepContext& context, const WorldData& data,
                                       const std::vector<Contact>& last, const ProxyPair& pair) {
  const auto stays = [&](uint32_t body) {
    return is_asleep(context, body) || data.info[body].motion == MotionKind::kStatic;
  };
  if (context.asleep.empty() || !stays(data.colliders[pair.a].body) ||
      !stays(data.colliders[pair.b].body)) {
    return {};
  }
  return find_pair(last, pair);
}

void carry_impulses(const StepContext& context, const WorldData& data,
                    const std::vector<Contact>& from, std::vector<Contact>& to) {
  const auto before = [](const Contact& a, const Contact& b) {
    return std::tie(a.collider_a, a.collider_b) < std::tie(b.collider_a, b.collider_b);
  };
  size_t old = 0;
  for (size_t i = 0; i < to.size();) {
    const std::span<Contact> now = std::span(to).subspan(i, pair_at(to, i).size());
    i += now.size();
    while (old < from.size() && before(from[old], now[0])) ++old;
    if (old == from.size()) return;
    const Contact& c = now[0];
    if (before(c, from[old])) continue;
    if (is_idle(context, c.body_a) || is_idle(context, c.body_b)) continue;  // has them
    carry_patches(pair_at(from, old),
                  0.5 * context.h * (data.state[c.body_a].v_WC + data.state[c.body_b].v_WC), now);
  }
}

// Pairs that are farther apart than this part of the smaller shape, and come near only by moving:
// where they are nearest now says little about where they will meet.
constexpr double kFarApart = 0.25;

ShapeMotion motion_of(const WorldData& data, const Collider& c, bool stops) {
  const BodyState& s = data.state[c.body];
  if (stops) return {c.X_WS, s.x_WC, {}, {}};
  const bool moves = data.info[c.body].motion != MotionKind::kStatic && data.frozen[c.body] == 0;
  const Vec3 turn = moves ? visible_turn(c, c.X_WS, data.coming_step(c.body) * s.w_WB) : Vec3{};
  return {c.X_WS, s.x_WC, c.shift, turn};
}

// Which of a pair something else stops in the coming step, and how far ends may leave the way of a
// steady turn in it, m.
struct Stops {
  bool a = false, b = false;
  double wander = 0;
};

// The contact of two shapes as it will be when they meet in the coming step, seen from now. None if
// they do not meet.
void look_ahead(const WorldData& data, Stops stops, Contact& contact) {
  const Collider &a = data.colliders[contact.collider_a], &b = data.colliders[contact.collider_b];
  const ShapeMotion ma = motion_of(data, a, stops.a), mb = motion_of(data, b, stops.b);
  const ImpactTime impact = calc_time_of_impact(a.shape, ma, b.shape, mb, 0);
  if (impact.status == ImpactTime::Status::kNone) {
    contact.manifold.count = 0;
    return;
  }
  const Transform Xa = calc_pose_at(ma, impact.fraction), Xb = calc_pose_at(mb, impact.fraction);
  Manifold there = collide(a.shape, Xa, b.shape, Xb, impact.distance + a.margin + b.margin);
  if (there.count == 0) return;
  contact.slip_W = see_from_now({a.X_WS, Xa}, {b.X_WS, Xb}, there);
  there.distance = contact.manifold.distance;
  contact.manifold = there;
}

// Whether a pair may touch in several patches.
bool is_patchy(const Collider& a, const Collider& b) {
  return (kind(a.shape) == ShapeKind::kMesh || kind(b.shape) == ShapeKind::kMesh) &&
         has_patches(a.shape, b.shape);
}

Contact make_contact(const WorldData& data, const ProxyPair& pair, uint32_t patch) {
  const Collider &a = data.colliders[pair.a], &b = data.colliders[pair.b];
  Contact contact;
  contact.collider_a = pair.a;
  contact.collider_b = pair.b;
  contact.body_a = a.body;
  contact.body_b = b.body;
  contact.kind = touch_kind(a, b);
  contact.acts = contact.kind == TouchKind::kContact;
  contact.patch = patch;
  return contact;
}

double least_distance(std::span<const Manifold> patches) {
  double least = kInfinity;
  for (const Manifold& m : patches) least = std::min(least, m.distance);
  return least;
}

// Collisions of the paper have no order in time.
bool finds_times(const WorldData& data) {
  return data.settings.joint_solver != JointSolver::kSweep;
}

// How far, m, thin bodies may come nearer though they do not now: where one falls and the other
// does not, or turns about the edge on which it lies.
double lone_fall(const WorldData& data, const Collider& a, const Collider& b) {
  const double h = std::max(data.coming_step(a.body), data.coming_step(b.body));
  const double fall = h * h * norm(data.settings.gravity);
  return finds_times(data) && fall > kOfThin * std::min(a.size, b.size) ? fall : 0;
}

// How far the ends of a free body leave the way of a steady turn in the coming step, m, no farther
// than they go. The axis of what spins wanders: I w' = L x w, so that ends are off by h^2 |w'| r /
// 2, which is h |w'| / (2 |w|) of their way h |w| r.
double calc_wander(const WorldData& data, const Collider& c) {
  constexpr double kSlowTurn = 0.25;  // rad in the step: less is as good as steady
  const BodyState& s = data.state[c.body];
  const double h = data.coming_step(c.body), w = norm(s.w_WB);
  if (data.info[c.body].motion != MotionKind::kDynamic || !(h * w > kSlowTurn)) return 0;
  if (!finds_times(data)) return 0;
  const Mat3 R = to_matrix(s.q_WB);
  const Vec3 wander = R * (data.mass[c.body].inv_I_B * (transpose(R) * cross(s.L_W, s.w_WB)));
  return std::min(0.5 * h * norm(wander) / w, 1.0) * c.turn;
}

bool is_jointed(const StepContext& context, uint32_t body) {
  const std::vector<uint8_t>& jointed = context.mechanisms->jointed;
  return body < jointed.size() && jointed[body] != 0;
}

// How far points of two colliders go beside each other in the coming step, m.
double calc_way(const Collider& a, const Collider& b, Stops stops) {
  const Vec3 way = (stops.a ? Vec3{} : a.shift) - (stops.b ? Vec3{} : b.shift);
  return norm(way) + (stops.a ? 0 : a.turn) + (stops.b ? 0 : b.turn);
}

// How near two colliders are looked at for the coming step, m.
double margin_of(const WorldData& data, const Collider& a, const Collider& b, Stops stops) {
  return 2 * std::min(a.margin, b.margin) + calc_way(a, b, stops) + lone_fall(data, a, b) +
         a.drive + b.drive;
}

Manifold collide_pair(const WorldData& data, uint32_t id_a, uint32_t id_b, Stops stops) {
  const Collider &a = data.colliders[id_a], &b = data.colliders[id_b];
  return collide(a.shape, a.X_WS, b.shape, b.X_WS, margin_of(data, a, b, stops));
}

// A way as long as the thinner of the two is thick: something can pass where the other is stopped.
bool goes_far(const Collider& c, double thin) {
  return norm2(c.shift) > (kFarApart * thin) * (kFarApart * thin);
}

// Two colliders that will touch only where something else stops one of them.
Manifold collide_stopped(const WorldData& data, uint32_t id_a, uint32_t id_b) {
  const Collider &a = data.colliders[id_a], &b = data.colliders[id_b];
  const double thin = std::min(a.size, b.size);
  Manifold m;
  if (goes_far(a, thin)) m = collide_pair(data, id_a, id_b, {true, false});
  if (m.count == 0 && goes_far(b, thin)) m = collide_pair(data, id_a, id_b, {false, true});
  return m;
}

// Features of the points of a pair's contacts.
std::vector<uint32_t> features_of(std::span<const Contact> contacts) {
  std::vector<uint32_t> features;
  for (const Contact& c : contacts) {
    for (int k = 0; k < c.manifold.count; ++k) features.push_back(c.manifold.points[k].feature);
  }
  return features;
}

// How b's points move beside a's in the coming step.
PairMotion pair_motion(const WorldData& data, const Collider& a, const Collider& b, Stops stops,
                       std::span<const uint32_t> known, PairMemory* memory) {
  const ShapeMotion ma = motion_of(data, a, stops.a), mb = motion_of(data, b, stops.b);
  const Vec3& o = a.X_WS.p;
  return {mb.displacement_W - ma.displacement_W + cross(mb.rotation_W, o - mb.p_WC) -
              cross(ma.rotation_W, o - ma.p_WC),
          mb.rotation_W - ma.rotation_W,
          o,
          2 * std::min(a.margin, b.margin) + lone_fall(data, a, b) + a.drive + b.drive,
          known,
          memory};
}

// The patches of a pair with meshes that are near enough. Where they overlap, what pushes them
// apart takes them as far the other way: whatever stands there is looked for as well. Returns
// whether any of their points may come near, be it in one of these or not.
bool look_at_meshes(const WorldData& data, const Collider& a, const Collider& b, Stops stops,
                    std::span<const uint32_t> known, std::vector<Manifold>& patches,
                    PairMemory* memory = nullptr) {
  constexpr double kShallow = 0.02;  // of the thinner of the two
  const double margin = margin_of(data, a, b, stops);
  const size_t first = patches.size();
  PairMotion motion = pair_motion(data, a, b, stops, known, memory);
  const bool near = collide_mesh(a.shape, a.X_WS, b.shape, b.X_WS, margin, patches, motion);
  double deepest = 0;
  for (size_t i = first; i < patches.size(); ++i) deepest = std::max(deepest, -patches[i].distance);
  if (!(deepest > margin) || !(deepest > kShallow * std::min(a.size, b.size))) return near;
  patches.resize(first);
  motion.near = std::max(motion.near, deepest);
  motion.memory = nullptr;
  return collide_mesh(a.shape, a.X_WS, b.shape, b.X_WS, deepest, patches, motion);
}

// The patches of a pair with meshes: those near enough now or, where all are far, those at the
// moment when the two meet, seen from now, with how far their points lie beside each other.
void find_patches(const WorldData& data, const ProxyPair& pair, Stops stops,
                  std::span<const Contact> before, std::vector<Manifold>& patches,
                  std::vector<Vec3>& slips, PairMemory* memory) {
  const Collider &a = data.colliders[pair.a], &b = data.colliders[pair.b];
  patches.clear();
  const std::vector<uint32_t> known = features_of(before);
  const bool near = look_at_meshes(data, a, b, stops, known, patches, memory);
  slips.assign(patches.size(), {});
  // where they are nearest now says nothing of where ways that are long will lead
  const double far = kFarApart * std::min(a.size, b.size);
  const double least = least_distance(patches);
  const bool may_meet_later = near && calc_way(a, b, stops) > far;
  if (!(least > far) || (patches.empty() && !may_meet_later)) return;
  const ShapeMotion ma = motion_of(data, a, stops.a), mb = motion_of(data, b, stops.b);
  const ImpactTime impact = calc_time_of_impact(a.shape, ma, b.shape, mb, 0);
  if (impact.status == ImpactTime::Status::kNone) {
    // a hit may turn them round, and their own axes wander
    if (!(least < lone_fall(data, a, b) + stops.wander)) patches.clear();
    return;
  }
  const Transform Xa = calc_pose_at(ma, impact.fraction), Xb = calc_pose_at(mb, impact.fraction);
  std::vector<Manifold> there;
  collide_mesh(a.shape, Xa, b.shape, Xb, impact.distance + a.margin + b.margin, there);
  if (there.empty()) return;
  slips.clear();
  const Vec3 way = impact.fraction * (mb.displacement_W - ma.displacement_W);
  for (Manifold& m : there) {
    // of those that nothing is seen of now, as far as they go until they meet
    const double apart = patches.empty() ? std::max(m.distance - dot(m.normal_W, way), 0.0) : least;
    slips.push_back(see_from_now({a.X_WS, Xa}, {b.X_WS, Xb}, m));
    m.distance = std::min(apart, margin_of(data, a, b, stops));
  }
  patches.swap(there);
}

// Whether two colliders touch, or may in the coming step; appends their contacts.
bool find_mesh_contacts(const WorldData& data, const ProxyPair& pair, Stops stops,
                        std::span<const Contact> before, std::vector<Contact>& list,
                        PairMemory* memory) {
  std::vector<Manifold> patches;
  std::vector<Vec3> slips;
  find_patches(data, pair, stops, before, patches, slips, memory);
  for (uint32_t k = 0; k < patches.size(); ++k) {
    Contact& contact = list.emplace_back(make_contact(data, pair, k));
    contact.manifold = patches[k];
    contact.slip_W = slips[k];
  }
  return !patches.empty();
}

// Balls about one point may leave each other any way, and each pair has its own: with one for all,
// a thousand of them in one spot would become a tower.
void choose_way_out(const Collider& a, const Collider& b, const ProxyPair& pair, Manifold& m) {
  constexpr double kSame = 1e-9;  // of the smaller one
  const auto *A = std::get_if<Sphere>(&a.shape), *B = std::get_if<Sphere>(&b.shape);
  if (A == nullptr || B == nullptr || m.count == 0) return;
  if (norm(b.X_WS.p - a.X_WS.p) > kSame * std::min(A->radius, B->radius)) return;
  Rng rng(uint64_t{pair.a} << 32 | pair.b);
  const double y = rng.uniform(-1, 1), turn = rng.uniform(0, 2 * kPi), r = std::sqrt(1 - y * y);
  m.normal_W = {r * tenon::cos(turn), y, r * tenon::sin(turn)};
  m.points[0].p_W = a.X_WS.p + (0.5 * (A->radius - B->radius)) * m.normal_W;
}

// The same for convex ones, which have one contact.
bool find_contact(const WorldData& data, const ProxyPair& pair, Stops stops, Contact& contact) {
  const Collider &a = data.colliders[pair.a], &b = data.colliders[pair.b];
  contact = {};
  contact.manifold = collide_pair(data, pair.a, pair.b, stops);
  if (contact.manifold.count == 0) return false;
  choose_way_out(a, b, pair, contact.manifold);
  contact.collider_a = pair.a;
  contact.collider_b = pair.b;
  contact.body_a = a.body;
  contact.body_b = b.body;
  contact.kind = touch_kind(a, b);
  contact.acts = contact.kind == TouchKind::kContact;
  if (contact.manifold.distance > kFarApart * std::min(a.size, b.size)) {
    const Manifold now = contact.manifold;
    look_ahead(data, stops, contact);
    // a hit may turn them round, and their own axes wander
    const double stray = lone_fall(data, a, b) + stops.wander;
    if (contact.manifold.count == 0 && now.distance < stray) contact.manifold = now;
  }
  return contact.manifold.count > 0;
}

// `last`: contacts of the last step.
bool find_contacts_of(const WorldData& data, const ProxyPair& pair, Stops stops,
                      const std::vector<Contact>& last, std::vector<Contact>& list,
                      PairMemory* memory = nullptr) {
  if (is_patchy(data.colliders[pair.a], data.colliders[pair.b])) {
    return find_mesh_contacts(data, pair, stops, find_pair(last, pair), list, memory);
  }
  Contact contact;
  const bool any = find_contact(data, pair, stops, contact);
  if (any) list.push_back(contact);
  return any;
}

// Whether a pair that does not touch would, if something else stopped one of the two. What joints
// hold is hit along straight lines only, and needs no more than it sees.
bool may_pile_up(const StepContext& context, const WorldData& data, const Collider& a,
                 const Collider& b) {
  if (!finds_times(data)) return false;
  const Mechanisms& m = *context.mechanisms;
  const double thin = std::min(a.size, b.size);
  return (goes_far(a, thin) || goes_far(b, thin)) && !a.sensor && !b.sensor &&
         m.jointed[a.body] == 0 && m.jointed[b.body] == 0;
}

// Bodies that move side by side do not come nearer, and need not see each other: until the first is
// stopped by something else, and the next runs into it in the same step. So what touches something
// that stands is taken to stop, and pairs that have been found apart are looked at again as if one
// of them stood already; and so on with what that stops.
class Pileup {
 public:
  // `apart`: pairs of find_contacts() that may_pile_up().
  Pileup(WorldData& data, std::vector<ProxyPair> apart)
      : data_(data), apart_(std::move(apart)), stops_(data.info.size(), 0) {}
  void find() {
    while (!apart_.empty() && spread() && look_again()) {
    }
  }

 private:
  bool stands(uint32_t slot) const {
    return data_.info[slot].motion == MotionKind::kStatic || data_.frozen[slot] != 0 ||
           stops_[slot] != 0;
  }
  bool is_cut_short(const Collider& c, double thin) const {
    return stops_[c.body] != 0 && goes_far(c, thin);
  }
  bool spread();
  bool look_again();

  WorldData& data_;
  std::vector<ProxyPair> apart_;
  std::vector<uint8_t> stops_;
};

// What touches something that stands, stops.
bool Pileup::spread() {
  bool any = false;
  for (bool more = true; more;) {
    more = false;
    for (const Contact& c : data_.contacts) {
      if (!c.acts || stands(c.body_a) == stands(c.body_b)) continue;
      stops_[stands(c.body_a) ? c.body_b : c.body_a] = 1;
      any = more = true;
    }
  }
  return any;
}

bool Pileup::look_again() {
  std::vector<Contact> found;
  const auto meets = [&](const ProxyPair& pair) {
    const Collider &a = data_.colliders[pair.a], &b = data_.colliders[pair.b];
    const double thin = std::min(a.size, b.size);
    return (is_cut_short(a, thin) && find_contacts_of(data_, pair, {true, false}, {}, found)) ||
           (is_cut_short(b, thin) && find_contacts_of(data_, pair, {false, true}, {}, found));
  };
  apart_.erase(std::remove_if(apart_.begin(), apart_.end(), meets), apart_.end());
  if (found.empty()) return false;
  data_.contacts.insert(data_.contacts.end(), found.begin(), found.end());
  std::sort(data_.contacts.begin(), data_.contacts.end(), is_before);
  return true;
}

// Contacts of bodies that are left out are as they were.
void keep_left_out(const StepContext& context, const std::vector<Contact>& last,
                   std::vector<Contact>& now) {
  if (context.left_out.empty()) return;
  std::vector<Contact> kept, all;
  std::copy_if(last.begin(), last.end(), std::back_inserter(kept), [&](const Contact& c) {
    return is_left_out(context, c.body_a) || is_left_out(context, c.body_b);
  });
  std::merge(now.begin(), now.end(), kept.begin(), kept.end(), std::back_inserter(all), is_before);
  now.swap(all);
}

}  // namespace

void add_followers(StepContext& context, WorldData& data) {
  std::vector<Contact>& followers = context.contacts->followers;
  if (followers.empty()) return;
  data.contacts.insert(data.contacts.end(), followers.begin(), followers.end());
  followers.clear();
  std::sort(data.contacts.begin(), data.contacts.end(), is_before);
}

void find_candidate_pairs(StepContext& context, WorldData& data) {
  // contacts are found where a step ends, for the next one; stale ones, for this
  data.halvings = context.next_halvings;
  expect_forces(context, data, data.contacts_stale ? context.t_begin : context.t_end);
  const std::vector<Drive> drives = find_drives(data);
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    if (!data.collider_slots.live(id)) continue;
    Collider& c = data.colliders[id];
    c.X_WS = collider_transform(data.state[c.body], c);
    if (data.info[c.body].motion == MotionKind::kStatic) continue;
    const Aabb box = calc_bounds(c.shape, c.X_WS);
    find_reach(data, box, data.coming_step(c.body), c);
    c.drive = calc_drive_reach(data, drives, c);
    data.broad_phase.move(id, inflate(sweep(box, c.shift), c.margin + c.turn + c.drive));
  }
  context.pairs = data.broad_phase.update_pairs();
  share_halvings(context, data);
}

void find_contacts(StepContext& context, WorldData& data) {
  const std::span<const ProxyPair> pairs = context.pairs;
  data.diagnostics.candidate_pairs = static_cast<uint32_t>(pairs.size());
  if (context.contacts != nullptr) add_followers(context, data);
  const std::vector<Contact> last = std::move(data.contacts);
  data.pushes = calc_pushes(last);
  remember_pairs(data, pairs);
  std::vector<std::vector<Contact>> found(chunk_count(pairs.size(), kPairGrain));
  std::vector<std::vector<ProxyPair>> apart(found.size());
  parallel_for(context.pool, pairs.size(), kPairGrain, [&](size_t begin, size_t end) {
    std::vector<Contact>& list = found[begin / kPairGrain];
    KeyFinder joined(context.mechanisms->apart);
    for (size_t i = begin; i < end; ++i) {
      const Collider &a = data.colliders[pairs[i].a], &b = data.colliders[pairs[i].b];
      if (!may_touch(data, a, b)) continue;
      if (is_left_out(context, a.body) || is_left_out(context, b.body)) continue;
      if (const auto kept = find_sleeping(context, data, last, pairs[i]); !kept.empty()) {
        list.insert(list.end(), kept.begin(), kept.end());
        continue;
      }
      const uint64_t pair = pair_key(a.body, b.body);
      if (joined.contains(pair) || contains(data.separated, pair)) continue;
      PairMemory* memory = find_memory(data, i);
      // islands with joints are hit along straight lines: what does not meet must not be there
      const bool free = !is_jointed(context, a.body) && !is_jointed(context, b.body);
      const double wander = free ? calc_wander(data, a) + calc_wander(data, b) : 0.0;
      if (!find_contacts_of(data, pairs[i], {false, false, wander}, last, list, memory) &&
          may_pile_up(context, data, a, b)) {
        apart[begin / kPairGrain].push_back(pairs[i]);
      }
    }
  });
  data.contacts.clear();
  for (const std::vector<Contact>& list : found) {
    data.contacts.insert(data.contacts.end(), list.begin(), list.end());
  }
  keep_left_out(context, last, data.contacts);
  std::vector<ProxyPair> all_apart;
  for (const auto& list : apart) all_apart.insert(all_apart.end(), list.begin(), list.end());
  if (!all_apart.empty()) Pileup(data, std::move(all_apart)).find();
  carry_impulses(context, data, last, data.contacts);
  data.ended = find_ended(last, data.contacts);
  decide_one_way_contacts(context, data);
  leave_out_seams(data);
  data.contacts_stale = false;
  data.shifted.assign(data.info.size(), 0);
}

void find_stale_contacts(StepContext& context, WorldData& data) {
  if (!data.contacts_stale) return;
  update_mechanisms(data, *context.mechanisms);
  wake_all(data);
  find_candidate_pairs(context, data);
  find_contacts(context, data);
}

namespace {

bool has_moved(const WorldData& data, const Contact& c) {
  return data.shifted[c.body_a] != 0 || data.shifted[c.body_b] != 0;
}

// The contacts of a pair with meshes where its bodies are now.
std::vector<Contact> find_again(const WorldData& data, std::span<const Contact> before) {
  const Contact& first = before[0];
  const ProxyPair pair{first.collider_a, first.collider_b};
  const Collider &a = data.colliders[pair.a], &b = data.colliders[pair.b];
  const double thin = std::min(a.size, b.size);
  std::vector<Manifold> patches;
  const std::vector<uint32_t> known = features_of(before);
  const auto look = [&](Stops stops) { look_at_meshes(data, a, b, stops, known, patches); };
  look({});
  if (patches.empty() && goes_far(a, thin)) look({true, false});
  if (patches.empty() && goes_far(b, thin)) look({false, true});
  std::vector<Contact> now;
  for (uint32_t k = 0; k < patches.size(); ++k) {
    Contact& c = now.emplace_back(make_contact(data, pair, k));
    c.kind = first.kind;
    c.acts = first.acts;
    c.manifold = patches[k];
  }
  if (!now.empty()) carry_patches(before, {}, now);
  return now;
}

// A contact whose points have been moved with their bodies, from where the colliders were: `from_a`
// and `from_b`. False, with nothing changed, where they went so far beside each other that others
// may be the nearest ones: what curved surfaces then are off by is second order in the way.
bool move_points(const WorldData& data, const Transform& from_a, const Transform& from_b,
                 Contact& contact) {
  constexpr double kLittle = 0.01;  // of the thinner of the two
  const Collider &a = data.colliders[contact.collider_a], &b = data.colliders[contact.collider_b];
  const double most = kLittle * std::min(a.size, b.size);
  const Transform to_a = a.X_WS * inverse(from_a), to_b = b.X_WS * inverse(from_b);
  Manifold m = contact.manifold;
  const Vec3 n = to_a.R * m.normal_W;
  m.distance = kInfinity;
  for (int k = 0; k < m.count; ++k) {
    ContactPoint& x = m.points[static_cast<size_t>(k)];
    const Vec3 half = (0.5 * x.distance) * m.normal_W;
    const Vec3 pa = to_a * (x.p_W - half), pb = to_b * (x.p_W + half);
    const Vec3 way = pb - pa - to_a.R * (2 * half);
    if (norm2(way) > most * most) return false;
    x.p_W = 0.5 * (pa + pb);
    x.distance = dot(n, pb - pa);
    m.distance = std::min(m.distance, x.distance);
  }
  m.normal_W = n;
  contact.manifold = m;
  return true;
}

// All contacts of a pair, or none.
bool move_all_points(const WorldData& data, std::span<const Transform> from,
                     std::span<const Contact> before, std::vector<Contact>& now) {
  now.assign(before.begin(), before.end());
  return std::all_of(now.begin(), now.end(), [&](Contact& c) {
    return move_points(data, from[c.collider_a], from[c.collider_b], c);
  });
}

// Pairs with meshes: each once, by the place of its first contact. `from`: where colliders were.
void update_patches(StepContext& context, WorldData& data, std::span<const Transform> from) {
  std::vector<uint32_t> firsts;
  for (size_t i = 0; i < data.contacts.size();) {
    const std::span<const Contact> pair = pair_at(data.contacts, i);
    const Contact& c = pair[0];
    if (has_moved(data, c) &&
        is_patchy(data.colliders[c.collider_a], data.colliders[c.collider_b])) {
      firsts.push_back(static_cast<uint32_t>(i));
    }
    i += pair.size();
  }
  if (firsts.empty()) return;
  std::vector<std::vector<Contact>> found(firsts.size());
  parallel_for(context.pool, firsts.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const std::span<const Contact> before = pair_at(data.contacts, firsts[i]);
      if (!move_all_points(data, from, before, found[i])) found[i] = find_again(data, before);
    }
  });
  std::vector<Contact> all;
  size_t next = 0;
  for (size_t i = 0; i < data.contacts.size();) {
    const std::span<const Contact> pair = pair_at(data.contacts, i);
    const bool changed = next < firsts.size() && firsts[next] == i;
    const std::span<const Contact> now = changed ? found[next++] : pair;
    all.insert(all.end(), now.begin(), now.end());
    i += pair.size();
  }
  data.contacts.swap(all);
}

}  // namespace

void update_contacts(StepContext& context, WorldData& data) {
  std::vector<Transform> from(data.colliders.size());
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    Collider& c = data.colliders[id];
    from[id] = c.X_WS;
    if (data.collider_slots.live(id) && data.shifted[c.body] != 0) {
      c.X_WS = collider_transform(data.state[c.body], c);
    }
  }
  parallel_for(context.pool, data.contacts.size(), kPairGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      Contact& c = data.contacts[i];
      if (!has_moved(data, c)) continue;
      if (is_patchy(data.colliders[c.collider_a], data.colliders[c.collider_b])) continue;
      const Contact before = c;
      c.manifold = collide_pair(data, c.collider_a, c.collider_b, {});
      if (c.manifold.count == 0) c.manifold = collide_stopped(data, c.collider_a, c.collider_b);
      c.impulse_W = {};
      c.holding = {};
      carry_points(before, {}, c);
    }
  });
  update_patches(context, data, from);
  std::fill(data.shifted.begin(), data.shifted.end(), uint8_t{0});
  const auto apart = [](const Contact& c) { return c.manifold.count == 0; };
  data.contacts.erase(std::remove_if(data.contacts.begin(), data.contacts.end(), apart),
                      data.contacts.end());
}

void report_contact_events(StepContext& context, WorldData& data) {
  std::vector<Touch> touches = find_touches(data.contacts, data.pushes);
  const auto report = [&](EventKind contact, EventKind sensor, const std::vector<Touch>& changed) {
    for (const Touch& t : changed) {
      if (t.kind == TouchKind::kPassing) continue;
      BodyHandle a = data.body_slots.at(t.body_a), b = data.body_slots.at(t.body_b);
      if (t.kind == TouchKind::kSensorB) std::swap(a, b);
      const bool touch = t.kind == TouchKind::kContact;
      data.events.push_back(
          {touch ? contact : sensor, data.step_count, context.t_end, a, b, t.distance});
      if (touch && contact == EventKind::kContactBegin) {
        data.events.back().impulse = normal_impulse(data, t);
      }
    }
  };
  const std::vector<Touch> passes = find_sensor_passes(context, data, touches);
  report(EventKind::kContactBegin, EventKind::kSensorEnter, find_new(data.touches, touches));
  report(EventKind::kContactBegin, EventKind::kSensorEnter, passes);
  report(EventKind::kContactEnd, EventKind::kSensorLeave, find_new(touches, data.touches));
  report(EventKind::kContactEnd, EventKind::kSensorLeave, passes);
  data.touches = std::move(touches);
}

}  // namespace tenon
