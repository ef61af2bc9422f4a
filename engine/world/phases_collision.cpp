#include <algorithm>
#include <tuple>
#include <utility>

#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

const char* name(EventKind kind) {
  switch (kind) {
    case EventKind::kContactBegin:
      return "contact_begin";
    case EventKind::kContactEnd:
      return "contact_end";
    case EventKind::kBodyFrozen:
      return "body_frozen";
    case EventKind::kJointBroke:
      return "joint_broke";
    case EventKind::kJointMade:
      return "joint_made";
    case EventKind::kJointReleased:
      return "joint_released";
    case EventKind::kSensorEnter:
      return "sensor_enter";
    case EventKind::kSensorLeave:
      return "sensor_leave";
  }
  return "?";
}

namespace {

constexpr size_t kPairGrain = 64;  // pairs per task: about 30 us of work

// Whether one of the two may be where the other is by itself: nothing pushes immovable bodies, but
// sensors feel those that move.
bool may_meet(MotionKind a, MotionKind b, bool sensor) {
  if (a == MotionKind::kDynamic || b == MotionKind::kDynamic) return true;
  return sensor && (a == MotionKind::kKinematic || b == MotionKind::kKinematic);
}

bool may_touch(const WorldData& data, const Collider& ca, const Collider& cb) {
  if (ca.body == cb.body) return false;
  const BodyInfo &a = data.info[ca.body], &b = data.info[cb.body];
  if (!a.collision || !b.collision) return false;
  if (!may_meet(a.motion, b.motion, ca.sensor || cb.sensor)) return false;
  return data.classes.may_touch(a.collision_class, b.collision_class);
}

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

}  // namespace

void find_candidate_pairs(StepContext& context, WorldData& data) {
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    if (!data.collider_slots.live(id)) continue;
    const Collider& c = data.colliders[id];
    if (data.info[c.body].motion == MotionKind::kStatic) continue;
    const Transform X_WS = collider_transform(data.state[c.body], c);
    data.broad_phase.move(id, inflate(calc_bounds(c.shape, X_WS), c.margin));
  }
  context.pairs = data.broad_phase.update_pairs();
}

void find_contacts(StepContext& context, WorldData& data) {
  const std::span<const ProxyPair> pairs = context.pairs;
  data.diagnostics.candidate_pairs = static_cast<uint32_t>(pairs.size());
  const std::vector<Contact> before = std::move(data.contacts);
  data.pushes = calc_pushes(before);
  data.contacts.assign(pairs.size(), {});
  const std::vector<uint64_t>& joined = context.mechanisms->apart;
  parallel_for(context.pool, pairs.size(), kPairGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Collider &a = data.colliders[pairs[i].a], &b = data.colliders[pairs[i].b];
      if (!may_touch(data, a, b)) continue;
      const uint64_t pair = pair_key(a.body, b.body);
      if (contains(joined, pair) || contains(data.separated, pair)) continue;
      Contact& contact = data.contacts[i];
      contact = {pairs[i].a, pairs[i].b, a.body, b.body, {}, touch_kind(a, b)};
      contact.acts = contact.kind == TouchKind::kContact;
      contact.manifold =
          collide(a.shape, collider_transform(data.state[a.body], a), b.shape,
                  collider_transform(data.state[b.body], b), 2 * std::min(a.margin, b.margin));
    }
  });
  const auto apart = [](const Contact& c) { return c.manifold.count == 0; };
  data.contacts.erase(std::remove_if(data.contacts.begin(), data.contacts.end(), apart),
                      data.contacts.end());
  carry_impulses(before, data.contacts);
  decide_one_way_contacts(context, data);
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
  report(EventKind::kContactBegin, EventKind::kSensorEnter, find_new(data.touches, touches));
  report(EventKind::kContactEnd, EventKind::kSensorLeave, find_new(touches, data.touches));
  data.touches = std::move(touches);
}

}  // namespace tenon
