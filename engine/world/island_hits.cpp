// What the collisions of an island do: one by one, some at the same time, or all of a knot at once.
#include <algorithm>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/world/island_impacts.h"

namespace tenon {
namespace {

// Hits at the same time; crowds are hit one after the other, which costs less.
constexpr size_t kMostAtOnce = 16;    // patches
constexpr int kMostStops = 32;        // of knots, in a step
constexpr size_t kLargestKnot = 256;  // patches

}  // namespace

bool IslandImpacts::is_plastic(uint32_t k) const {
  const IslandPatch& c = island_.patches[k];
  if (meetings_[k].gentle) return true;
  if (!is_patchy(c)) return c.strikes >= kPlasticStrikes;
  if (c.strikes < kPlasticMeshStrikes) return false;
  // what bounces well hits three walls in a corner, each once; others come to rest
  constexpr double kBouncesWell = 0.5;
  if (c.restitution < kBouncesWell) return true;
  const IslandPatch& wall = island_.patches[patch_along(k, meetings_[k].manifold)];
  const auto first = island_.points.begin() + wall.first;
  return c.strikes >= kMostMeshStrikes ||
         std::any_of(first, first + wall.count, [](const IslandPoint& x) { return x.hit > 0; });
}

void IslandImpacts::hit_free(uint32_t k) {
  IslandPatch& c = island_.patches[k];
  const Contact& contact = data_.contacts[c.contact];
  const Meeting& meeting = meetings_[k];
  const bool plastic = is_plastic(k);
  const StrikeResult r = strike_.apply(contact.collider_a, contact.collider_b, meeting, plastic);
  book(k, meeting.manifold, r, meeting.time);
  if (plastic || !(c.restitution > 0)) {
    hold(island_.patches[patch_along(k, meeting.manifold)], meeting.time);
  }
}

void IslandImpacts::book(uint32_t k, const Manifold& manifold, const StrikeResult& r, double time) {
  IslandPatch& c = island_.patches[patch_along(k, manifold)];
  const Contact& contact = data_.contacts[c.contact];
  for (int i = 0; i < manifold.count; ++i) {
    const double p = r.normal[static_cast<size_t>(i)];
    if (!(p > 0)) continue;
    // booked at the nearest of the points that are known
    uint32_t nearest = 0;
    double best = kInfinity;
    for (uint32_t j = 0; j < c.count; ++j) {
      const double d =
          norm2(contact.manifold.points[j].p_W - manifold.points[static_cast<size_t>(i)].p_W);
      if (d < best) {
        best = d;
        nearest = j;
      }
    }
    IslandPoint& x = island_.points[c.first + nearest];
    x.late = (x.hit * x.late + p * time) / (x.hit + p);
    x.hit += p;
  }
  c.rub_hit += Vec3{dot(c.t1, r.rub_W), dot(c.t2, r.rub_W), 0};
}

void IslandImpacts::hit_one(uint32_t k) {
  IslandPatch& c = island_.patches[k];
  ++c.strikes;
  w_.hit = true;
  hit_free(k);
  for (const uint32_t b : {c.a, c.b}) follow(b);
}

void IslandImpacts::hit(uint32_t k) {
  list_neighbours();
  hit_one(k);
  const IslandPatch& c = island_.patches[k];
  if (c.strikes >= kMostStrikes && is_stuck(k)) {
    stop_together();
    return;
  }
  expect_neighbours(c.a, c.a);
  expect_neighbours(c.b, c.a);
}

// Meshes meet in several patches, of which one answers for all.
bool IslandImpacts::may_hit_at_once(std::span<const Arrival> arrivals) const {
  return arrivals.size() <= kMostAtOnce &&
         std::none_of(arrivals.begin(), arrivals.end(),
                      [&](const Arrival& x) { return is_patchy(island_.patches[x.patch]); });
}

// Hits at the same time that share bodies.                                                   (3i)
void IslandImpacts::hit_at_once(std::span<const Arrival> arrivals) {
  std::vector<uint32_t> bodies, slots;
  for (const Arrival& x : arrivals) {
    bodies.push_back(island_.patches[x.patch].a);
    bodies.push_back(island_.patches[x.patch].b);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  for (const uint32_t b : bodies) slots.push_back(island_.bodies[b].slot);
  const auto place = [&](uint32_t b) {
    return static_cast<uint32_t>(std::lower_bound(bodies.begin(), bodies.end(), b) -
                                 bodies.begin());
  };
  std::vector<StruckPair> pairs;
  for (const Arrival& x : arrivals) {
    IslandPatch& c = island_.patches[x.patch];
    const Contact& contact = data_.contacts[c.contact];
    ++c.strikes;
    pairs.push_back({contact.collider_a,
                     contact.collider_b,
                     place(c.a),
                     place(c.b),
                     meetings_[x.patch].manifold,
                     {},
                     is_plastic(x.patch)});
  }
  w_.hit = true;
  const double time = arrivals.back().time;
  strike_.apply_at_once(slots, pairs, time);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const IslandPatch& c = island_.patches[arrivals[i].patch];
    book(arrivals[i].patch, pairs[i].manifold, pairs[i].result, time);
    if (pairs[i].plastic || !(c.restitution > 0)) hold(c, time);
  }
  for (const uint32_t b : bodies) follow(b);
}

// Parts a list into groups that moving bodies connect, in the order of their first hits.
std::vector<std::vector<Arrival>> IslandImpacts::part_linked(
    std::span<const Arrival> arrivals) const {
  DisjointSets linked(island_.bodies.size());
  const auto moves = [&](uint32_t b) { return island_.bodies[b].inv_mass > 0; };
  for (const Arrival& x : arrivals) {
    const IslandPatch& c = island_.patches[x.patch];
    if (moves(c.a) && moves(c.b)) linked.join(c.a, c.b);
  }
  std::vector<std::vector<Arrival>> groups;
  std::vector<uint32_t> group_of(island_.bodies.size(), kNoGroup);
  for (const Arrival& x : arrivals) {
    const IslandPatch& c = island_.patches[x.patch];
    uint32_t& group = group_of[linked.find(moves(c.a) ? c.a : c.b)];
    if (group == kNoGroup) {
      group = static_cast<uint32_t>(groups.size());
      groups.emplace_back();
    }
    groups[group].push_back(x);
  }
  return groups;
}

// Hits at the same time: those that share bodies at once, and what follows from any of them after
// all. Otherwise the first in the list would be felt by the others.
void IslandImpacts::hit_all(std::span<const Arrival> arrivals) {
  list_neighbours();
  std::vector<uint32_t> struck, again;
  for (const std::vector<Arrival>& group : part_linked(arrivals)) {
    const bool at_once = group.size() > 1 && may_hit_at_once(group);
    at_once ? hit_at_once(group) : hit_one(group[0].patch);
    // crowds are hit one after the other: the rest of them is asked again
    for (const Arrival& x : group) again.push_back(x.patch);
    struck.push_back(group[0].patch);
    for (size_t i = 1; at_once && i < group.size(); ++i) struck.push_back(group[i].patch);
  }
  std::sort(struck.begin(), struck.end());
  for (const uint32_t k : struck) {
    if (island_.patches[k].strikes < kMostStrikes || !is_stuck(k)) continue;
    stop_together();
    break;
  }
  for (const uint32_t k : struck) {
    for (const uint32_t b : {island_.patches[k].a, island_.patches[k].b}) {
      if (!(island_.bodies[b].inv_mass > 0)) continue;
      again.insert(again.end(), of_body_.begin() + first_[b], of_body_.begin() + first_[b + 1]);
    }
  }
  std::sort(again.begin(), again.end());
  again.erase(std::unique(again.begin(), again.end()), again.end());
  for (const uint32_t k : again) expect(k);
}

// Whether something at a body would still go through something thin in this step.
bool IslandImpacts::passes_at(uint32_t body) const {
  if (!(island_.bodies[body].inv_mass > 0)) return false;
  return std::any_of(of_body_.begin() + first_[body], of_body_.begin() + first_[body + 1],
                     [&](uint32_t k) {
                       const IslandPatch& c = island_.patches[k];
                       return c.strikes > 0 && island_.overrun(c, context_.h) > kThrough * c.thin;
                     });
}

// Hits of heavy on light, and of many on one another, follow each other ever faster. Collects what
// takes part, from a patch that has had its share on, into the knot; returns whether it is to be
// stopped. Crowds are left to the contacts, as they are where nothing is thin.
bool IslandImpacts::is_stuck(uint32_t k) {
  const IslandPatch& from = island_.patches[k];
  if (stops_ >= kMostStops || !(passes_at(from.a) || passes_at(from.b))) return false;
  in_knot_.assign(island_.bodies.size(), 0);
  knot_.clear();
  std::vector<uint32_t> queue;
  const auto add = [&](uint32_t b) {
    if (in_knot_[b] == 0) queue.push_back(b);
    in_knot_[b] = 1;
  };
  add(from.a);
  add(from.b);
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t b = queue[i];
    if (!(island_.bodies[b].inv_mass > 0)) continue;
    for (uint32_t j = first_[b]; j < first_[b + 1]; ++j) {
      const IslandPatch& c = island_.patches[of_body_[j]];
      if (c.strikes == 0) continue;
      add(c.a);
      add(c.b);
      // once, with the first of its bodies that moves
      if (b == (island_.bodies[c.a].inv_mass > 0 ? c.a : c.b)) knot_.push_back(of_body_[j]);
    }
    if (knot_.size() > kLargestKnot) return false;
  }
  std::sort(knot_.begin(), knot_.end());
  return true;
}

// All of the knot at once; from then on it is hit by others, and what it keeps apart, again. (3d)
void IslandImpacts::stop_together() {
  ++stops_;
  std::vector<uint32_t> place(island_.bodies.size(), 0), slots;
  double time = 0;
  for (uint32_t b = 0; b < island_.bodies.size(); ++b) {
    if (in_knot_[b] == 0) continue;
    place[b] = static_cast<uint32_t>(slots.size());
    slots.push_back(island_.bodies[b].slot);
    time = std::max(time, course_.clock(slots.back()));
  }
  std::vector<StruckPair> pairs;
  for (const uint32_t k : knot_) {
    const IslandPatch& c = island_.patches[k];
    const Contact& contact = data_.contacts[c.contact];
    pairs.push_back({contact.collider_a, contact.collider_b, place[c.a], place[c.b], {}, {}});
  }
  strike_.apply_together(slots, pairs, time);
  for (size_t i = 0; i < knot_.size(); ++i) {
    book(knot_[i], pairs[i].manifold, pairs[i].result, time);
    if (pairs[i].manifold.count > 0) hold(island_.patches[knot_[i]], time);
    uint8_t& strikes = island_.patches[knot_[i]].strikes;
    strikes = std::min(strikes, kPlasticStrikes);
  }
  for (uint32_t b = 0; b < island_.bodies.size(); ++b) {
    if (in_knot_[b] != 0) follow(b);
  }
  for (uint32_t k = 0; k < island_.patches.size(); ++k) {
    const IslandPatch& c = island_.patches[k];
    const auto moved = [&](uint32_t b) {
      return in_knot_[b] != 0 && island_.bodies[b].inv_mass > 0;
    };
    if (moved(c.a) || moved(c.b)) expect(k);
  }
}

}  // namespace tenon
