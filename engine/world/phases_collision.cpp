// Who may meet and who touches where a step ends: contacts for the next one, and their events.
#include <algorithm>
#include <tuple>
#include <utility>

#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/world/carry_contacts.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/drives.h"
#include "tenon/engine/world/mesh_memory.h"
#include "tenon/engine/world/pair_contacts.h"
#include "tenon/engine/world/phases.h"
#include "tenon/engine/world/pileup.h"
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

bool is_jointed(const StepContext& context, uint32_t body) {
  const std::vector<uint8_t>& jointed = context.mechanisms->jointed;
  return body < jointed.size() && jointed[body] != 0;
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
