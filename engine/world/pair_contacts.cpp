#include "tenon/engine/world/pair_contacts.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/collision/narrow/impact_time.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/foresight.h"
#include "tenon/engine/world/reach.h"

namespace tenon {
namespace {

// Pairs that are farther apart than this part of the smaller shape, and come near only by moving:
// where they are nearest now says little about where they will meet.
constexpr double kFarApart = 0.25;

TouchKind touch_kind(const Collider& a, const Collider& b) {
  return a.sensor ? TouchKind::kSensorA : b.sensor ? TouchKind::kSensorB : TouchKind::kContact;
}

ShapeMotion motion_of(const WorldData& data, const Collider& c, bool stops) {
  const BodyState& s = data.state[c.body];
  if (stops) return {c.X_WS, s.x_WC, {}, {}};
  const bool moves = data.info[c.body].motion != MotionKind::kStatic && data.frozen[c.body] == 0;
  const Vec3 turn = moves ? visible_turn(c, c.X_WS, data.coming_step(c.body) * s.w_WB) : Vec3{};
  return {c.X_WS, s.x_WC, c.shift, turn};
}

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

double least_distance(std::span<const Manifold> patches) {
  double least = kInfinity;
  for (const Manifold& m : patches) least = std::min(least, m.distance);
  return least;
}

// How far, m, thin bodies may come nearer though they do not now: where one falls and the other
// does not, or turns about the edge on which it lies.
double lone_fall(const WorldData& data, const Collider& a, const Collider& b) {
  const double h = std::max(data.coming_step(a.body), data.coming_step(b.body));
  const double fall = h * h * norm(data.settings.gravity);
  return finds_times(data) && fall > kOfThin * std::min(a.size, b.size) ? fall : 0;
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
  contact = make_contact(data, pair, 0);
  contact.manifold = collide_pair(data, pair.a, pair.b, stops);
  if (contact.manifold.count == 0) return false;
  choose_way_out(a, b, pair, contact.manifold);
  if (contact.manifold.distance > kFarApart * std::min(a.size, b.size)) {
    const Manifold now = contact.manifold;
    look_ahead(data, stops, contact);
    // a hit may turn them round, and their own axes wander
    const double stray = lone_fall(data, a, b) + stops.wander;
    if (contact.manifold.count == 0 && now.distance < stray) contact.manifold = now;
  }
  return contact.manifold.count > 0;
}

}  // namespace

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

std::vector<uint32_t> features_of(std::span<const Contact> contacts) {
  std::vector<uint32_t> features;
  for (const Contact& c : contacts) {
    for (int k = 0; k < c.manifold.count; ++k) features.push_back(c.manifold.points[k].feature);
  }
  return features;
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

bool is_patchy(const Collider& a, const Collider& b) {
  return (kind(a.shape) == ShapeKind::kMesh || kind(b.shape) == ShapeKind::kMesh) &&
         has_patches(a.shape, b.shape);
}

bool finds_times(const WorldData& data) {
  return data.settings.joint_solver != JointSolver::kSweep;
}

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

bool goes_far(const Collider& c, double thin) {
  return norm2(c.shift) > (kFarApart * thin) * (kFarApart * thin);
}

Manifold collide_pair(const WorldData& data, uint32_t id_a, uint32_t id_b, Stops stops) {
  const Collider &a = data.colliders[id_a], &b = data.colliders[id_b];
  return collide(a.shape, a.X_WS, b.shape, b.X_WS, margin_of(data, a, b, stops));
}

Manifold collide_stopped(const WorldData& data, uint32_t id_a, uint32_t id_b) {
  const Collider &a = data.colliders[id_a], &b = data.colliders[id_b];
  const double thin = std::min(a.size, b.size);
  Manifold m;
  if (goes_far(a, thin)) m = collide_pair(data, id_a, id_b, {true, false});
  if (m.count == 0 && goes_far(b, thin)) m = collide_pair(data, id_a, id_b, {false, true});
  return m;
}

bool look_at_meshes(const WorldData& data, const Collider& a, const Collider& b, Stops stops,
                    std::span<const uint32_t> known, std::vector<Manifold>& patches,
                    PairMemory* memory) {
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

bool find_contacts_of(const WorldData& data, const ProxyPair& pair, Stops stops,
                      const std::vector<Contact>& last, std::vector<Contact>& list,
                      PairMemory* memory) {
  if (is_patchy(data.colliders[pair.a], data.colliders[pair.b])) {
    return find_mesh_contacts(data, pair, stops, find_pair(last, pair), list, memory);
  }
  Contact contact;
  const bool any = find_contact(data, pair, stops, contact);
  if (any) list.push_back(contact);
  return any;
}

}  // namespace tenon
