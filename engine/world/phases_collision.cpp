#include <algorithm>

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
  }
  return "?";
}

namespace {

constexpr size_t kPairGrain = 64;  // pairs per task: about 30 us of work

}  // namespace

bool may_touch(const WorldData& data, uint32_t body_a, uint32_t body_b) {
  if (body_a == body_b) return false;
  const BodyInfo &a = data.info[body_a], &b = data.info[body_b];
  if (!a.collision || !b.collision) return false;
  if (a.motion != MotionKind::kDynamic && b.motion != MotionKind::kDynamic) return false;
  return data.classes.may_touch(a.collision_class, b.collision_class);
}

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
  data.contacts.assign(pairs.size(), {});
  const std::vector<uint64_t>& joined = context.mechanisms->apart;
  parallel_for(context.pool, pairs.size(), kPairGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Collider &a = data.colliders[pairs[i].a], &b = data.colliders[pairs[i].b];
      if (!may_touch(data, a.body, b.body)) continue;
      if (std::binary_search(joined.begin(), joined.end(), pair_key(a.body, b.body))) continue;
      Contact& contact = data.contacts[i];
      contact = {pairs[i].a, pairs[i].b, a.body, b.body, {}};
      contact.manifold =
          collide(a.shape, collider_transform(data.state[a.body], a), b.shape,
                  collider_transform(data.state[b.body], b), 2 * std::min(a.margin, b.margin));
    }
  });
  const auto apart = [](const Contact& c) { return c.manifold.count == 0; };
  data.contacts.erase(std::remove_if(data.contacts.begin(), data.contacts.end(), apart),
                      data.contacts.end());
}

void report_contact_events(StepContext& context, WorldData& data) {
  std::vector<Touch> touches = find_touches(data.contacts);
  const auto report = [&](EventKind kind, const std::vector<Touch>& changed) {
    for (const Touch& t : changed) {
      data.events.push_back({kind, data.step_count, context.t_end, data.body_slots.at(t.body_a),
                             data.body_slots.at(t.body_b), t.distance});
    }
  };
  report(EventKind::kContactBegin, find_new(data.touches, touches));
  report(EventKind::kContactEnd, find_new(touches, data.touches));
  data.touches = std::move(touches);
}

}  // namespace tenon
