// Contacts of bodies that have been shifted since they were found.
#include <algorithm>

#include "tenon/engine/world/carry_contacts.h"
#include "tenon/engine/world/pair_contacts.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

constexpr size_t kContactGrain = 64;  // contacts per task: about 30 us of work

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
  parallel_for(context.pool, data.contacts.size(), kContactGrain, [&](size_t begin, size_t end) {
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

}  // namespace tenon
