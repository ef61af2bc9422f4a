// Islands: which bodies touch one another, directly or through others and joints.
#include <algorithm>

#include "tenon/engine/world/contact_work.h"

namespace tenon {
namespace {

struct IslandFinder {
  const StepContext& context;
  const WorldData& data;
  ContactWork& work;
  const Mechanisms& m;

  uint32_t node_of(uint32_t slot) const {
    return m.jointed[slot] != 0 ? static_cast<uint32_t>(data.info.size()) + m.mechanism_of[slot]
                                : slot;
  }
  bool counts(uint32_t i) const {
    const Contact& c = data.contacts[i];
    if (!work.only.empty() && work.only[i] == 0) return false;
    if (!c.acts || !(moves_by_itself(data, c.body_a) || moves_by_itself(data, c.body_b)))
      return false;
    if (is_left_out(context, c.body_a) || is_left_out(context, c.body_b)) return false;
    return !std::binary_search(m.apart.begin(), m.apart.end(), pair_key(c.body_a, c.body_b));
  }
  void find();
  void collect(IslandWork& w, uint32_t index);
  uint32_t add_body(IslandWork& w, uint32_t slot, uint32_t index);
  void add_mechanism(IslandWork& w, uint32_t mechanism, uint32_t index);
};

void IslandFinder::find() {
  const auto bodies = static_cast<uint32_t>(data.info.size());
  const auto nodes = bodies + static_cast<uint32_t>(m.list.size());
  work.together.reset(nodes);
  for (uint32_t i = 0; i < data.contacts.size(); ++i) {
    const Contact& c = data.contacts[i];
    if (!counts(i) || !moves_by_itself(data, c.body_a) || !moves_by_itself(data, c.body_b))
      continue;
    work.together.join(node_of(c.body_a), node_of(c.body_b));
  }
  constexpr uint32_t kNone = 0xffffffffu;
  work.island_of.assign(nodes, kNone);
  work.count = 0;
  for (uint32_t i = 0; i < data.contacts.size(); ++i) {
    const Contact& c = data.contacts[i];
    if (!counts(i)) continue;
    const uint32_t root =
        work.together.find(node_of(moves_by_itself(data, c.body_a) ? c.body_a : c.body_b));
    if (work.island_of[root] == kNone) {
      work.island_of[root] = static_cast<uint32_t>(work.count++);
      if (work.islands.size() < work.count) work.islands.emplace_back();
      work.islands[work.count - 1].contacts.clear();
    }
    work.islands[work.island_of[root]].contacts.push_back(i);
  }
  work.place.assign(bodies, 0);
  work.stamp.assign(bodies, kNone);
  for (uint32_t i = 0; i < work.count; ++i) collect(work.islands[i], i);
}

// Bodies of an island: first those of each mechanism, the ones in contact before the others, then
// free ones and those that do not move, in the order of contacts.
void IslandFinder::collect(IslandWork& w, uint32_t index) {
  w.island.clear();
  w.left_alone = w.asleep = w.hit = w.hit_joints = w.isolated = false;
  w.settled = true;
  w.tight.clear();
  w.heavy.clear();
  w.mechanisms.clear();
  w.begin.clear();
  for (const uint32_t i : w.contacts) {
    for (const uint32_t slot : {data.contacts[i].body_a, data.contacts[i].body_b}) {
      if (moves_by_itself(data, slot) && m.jointed[slot] != 0)
        w.mechanisms.push_back(m.mechanism_of[slot]);
    }
  }
  std::sort(w.mechanisms.begin(), w.mechanisms.end());
  w.mechanisms.erase(std::unique(w.mechanisms.begin(), w.mechanisms.end()), w.mechanisms.end());
  w.island.groups.resize(w.mechanisms.size());
  // bodies in contact, by mechanism
  std::vector<std::pair<uint32_t, uint32_t>> touching;
  for (const uint32_t i : w.contacts) {
    for (const uint32_t slot : {data.contacts[i].body_a, data.contacts[i].body_b}) {
      if (!moves_by_itself(data, slot) || m.jointed[slot] == 0 || work.stamp[slot] == index)
        continue;
      work.stamp[slot] = index;
      touching.push_back({m.mechanism_of[slot], slot});
    }
  }
  std::sort(touching.begin(), touching.end());
  auto next = touching.begin();
  for (uint32_t g = 0; g < w.mechanisms.size(); ++g) {
    IslandGroup& group = w.island.groups[g];
    const Mechanism& mechanism = m.list[w.mechanisms[g]];
    group.joints = nullptr;
    group.first = static_cast<uint32_t>(w.island.bodies.size());
    group.count = mechanism.moving;
    group.columns = 0;
    group.first_bound = group.bounds = 0;
    group.yielding = 1;
    group.order.assign(mechanism.moving, 0);
    group.predicted = false;
    for (; next != touching.end() && next->first == w.mechanisms[g]; ++next) {
      work.place[next->second] = add_body(w, next->second, g);
      ++group.columns;
    }
    for (uint32_t b = 0; b < mechanism.moving; ++b) {
      const uint32_t slot = mechanism.body_slots[b];
      if (work.stamp[slot] != index) {
        work.stamp[slot] = index;
        work.place[slot] = add_body(w, slot, g);
      }
      group.order[b] = work.place[slot];
    }
  }
  for (const uint32_t i : w.contacts) {
    for (const uint32_t slot : {data.contacts[i].body_a, data.contacts[i].body_b}) {
      if (work.stamp[slot] == index) continue;
      work.stamp[slot] = index;
      work.place[slot] = add_body(w, slot, kNoGroup);
    }
  }
  // patches by body; the rest is filled in by fill_island
  for (const uint32_t i : w.contacts) {
    IslandPatch& c = w.island.patches.emplace_back();
    c.contact = i;
    c.a = work.place[data.contacts[i].body_a];
    c.b = work.place[data.contacts[i].body_b];
  }
}

uint32_t IslandFinder::add_body(IslandWork& w, uint32_t slot, uint32_t group) {
  IslandBody& b = w.island.bodies.emplace_back();
  b.slot = slot;
  b.group = group;
  const auto place = static_cast<uint32_t>(w.island.bodies.size() - 1);
  if (group != kNoGroup) b.place = place - w.island.groups[group].first;
  return place;
}

}  // namespace

void collect_islands(const StepContext& context, const WorldData& data) {
  IslandFinder{context, data, *context.contacts, *context.mechanisms}.find();
}

}  // namespace tenon
