#include "tenon/engine/world/contact_rules.h"

#include <algorithm>

#include "tenon/engine/world/phases.h"

namespace tenon {

void set_may_touch_bodies(WorldData& data, uint32_t a, uint32_t b, bool may_touch) {
  const uint64_t pair = pair_key(a, b);
  const auto at = std::lower_bound(data.separated.begin(), data.separated.end(), pair);
  const bool listed = at != data.separated.end() && *at == pair;
  if (may_touch && listed) data.separated.erase(at);
  if (may_touch || listed) return;
  data.separated.insert(at, pair);
  std::erase_if(data.contacts,
                [&](const Contact& c) { return pair_key(c.body_a, c.body_b) == pair; });
}

Vec3 calc_contact_impulse(const WorldData& data, uint32_t slot) {
  Vec3 sum;
  for (const Push& p : data.pushes) {
    if (p.body_b == slot) sum += p.impulse_W;
    if (p.body_a == slot) sum -= p.impulse_W;
  }
  return sum;
}

bool is_contact(const WorldData& data, ProxyId a, ProxyId b) {
  const std::pair<ProxyId, ProxyId> wanted = std::minmax(a, b);
  const auto colliders = [](const Contact& c) { return std::pair(c.collider_a, c.collider_b); };
  const auto at = std::ranges::lower_bound(data.contacts, wanted, {}, colliders);
  return at != data.contacts.end() && colliders(*at) == wanted;
}

namespace {

// One-way bodies. Two bodies of which one is one-way begin to overlap; then it is decided whether
// they push each other, and that holds until they no longer overlap. It holds for all colliders of
// the two, so that a body that is half through does not get stuck. They push each other if each of
// the contacts that overlap
//   (1) is at the front: normal . front > kFrontCosine, and
//   (2) was entered from the front: now or one step before, at the present velocities, the overlap
//       is at most a twentieth of the smaller shape. A body that jumps up through a platform within
//       one step has its normal at the front already, but fails this; one that a scene puts down a
//       little too deep does not.
// Contacts that are not at the front do not act in any case; contacts with a gap are decided by (1)
// alone, since nothing has been entered yet. A body that begins deep within goes through.

Vec3 front_of(const WorldData& data, uint32_t slot) {
  return rotate(data.state[slot].q_WB, data.info[slot].one_way);
}

bool is_one_way(const WorldData& data, const Contact& c) {
  return !(data.info[c.body_a].one_way == Vec3{}) || !(data.info[c.body_b].one_way == Vec3{});
}

bool is_at_front(const WorldData& data, const Contact& c) {
  const auto front = [&](uint32_t slot, const Vec3& outward_W) {
    return data.info[slot].one_way == Vec3{} || dot(front_of(data, slot), outward_W) > kFrontCosine;
  };
  return front(c.body_a, c.manifold.normal_W) && front(c.body_b, -c.manifold.normal_W);
}

Vec3 velocity_at(const BodyState& s, const Vec3& p_W) {
  return s.v_WC + cross(s.w_WB, p_W - s.x_WC);
}

bool was_entered_from_front(const WorldData& data, const Contact& c, double h) {
  const Manifold& m = c.manifold;
  const auto deeper = [](const ContactPoint& p, const ContactPoint& q) {
    return p.distance < q.distance;
  };
  const Vec3 p_W = std::min_element(m.points.begin(), m.points.begin() + m.count, deeper)->p_W;
  const Vec3 v_W = velocity_at(data.state[c.body_b], p_W) - velocity_at(data.state[c.body_a], p_W);
  // margins are half a hundredth of the size
  const double slack =
      10 * std::min(data.colliders[c.collider_a].margin, data.colliders[c.collider_b].margin);
  return came_from_front(m.distance, dot(v_W, m.normal_W), h, slack);
}

// Whether the pair of this contact, which overlaps, is let through.
bool goes_through(const WorldData& data, const Contact& c, double h) {
  const auto was = [&](TouchKind kind) {
    return find_touch(data.touches, c.body_a, c.body_b, kind) != nullptr;
  };
  if (was(TouchKind::kPassing)) return true;
  if (was(TouchKind::kContact)) return false;
  return !is_at_front(data, c) || !was_entered_from_front(data, c, h);
}

}  // namespace

void decide_one_way_contacts(const StepContext& context, WorldData& data) {
  std::vector<uint64_t> passing;
  std::vector<Contact*> one_way;
  for (Contact& c : data.contacts) {
    if (!c.acts || !is_one_way(data, c)) continue;
    if (is_left_out(context, c.body_a) || is_left_out(context, c.body_b)) continue;
    one_way.push_back(&c);
    if (c.manifold.distance > 0) continue;
    if (goes_through(data, c, context.h)) passing.push_back(pair_key(c.body_a, c.body_b));
  }
  std::sort(passing.begin(), passing.end());
  for (Contact* c : one_way) {
    const uint64_t pair = pair_key(c->body_a, c->body_b);
    const bool passes = std::binary_search(passing.begin(), passing.end(), pair);
    if (passes) c->kind = TouchKind::kPassing;
    c->acts = !passes && is_at_front(data, *c);
  }
}

}  // namespace tenon
