// In which order an island's collisions come.
#include "tenon/engine/world/island_impacts.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tenon/engine/world/misses.h"

namespace tenon {
namespace {

// Hits that are no farther apart than this part of the step come at the same time.
constexpr double kOneMoment = 1e-9;
constexpr double kAgainst = 0.5;  // cosine of the angle between what moves a body and what holds it

}  // namespace

// Patches of one pair of meshes stand side by side, whatever they are sorted by; the first answers
// for all.
uint32_t IslandImpacts::leader_of(uint32_t k) const {
  const auto contact = [&](uint32_t i) -> const Contact& {
    return data_.contacts[island_.patches[i].contact];
  };
  while (k > 0 && contact(k).patch > 0 && is_same_pair(contact(k - 1), contact(k))) --k;
  return k;
}

uint32_t IslandImpacts::end_of_pair(uint32_t leader) const {
  const Contact& first = data_.contacts[island_.patches[leader].contact];
  uint32_t end = leader + 1;
  for (; end < island_.patches.size(); ++end) {
    const Contact& c = data_.contacts[island_.patches[end].contact];
    if (c.patch == 0 || !is_same_pair(c, first)) break;
  }
  return end;
}

// The one of a pair's patches that a meeting belongs to.
uint32_t IslandImpacts::patch_along(uint32_t leader, const Manifold& manifold) const {
  uint32_t best = leader;
  for (uint32_t k = leader + 1; k < end_of_pair(leader); ++k) {
    const double d = dot(island_.patches[k].n, manifold.normal_W);
    if (d > dot(island_.patches[best].n, manifold.normal_W) + 1e-6) best = k;
  }
  return best;
}

// Each look at meshes is dear, so contacts hold what is left after a few hits; but what would go
// through something thin then may be out of their reach, and is hit as often as all others.
uint8_t IslandImpacts::most_strikes(uint32_t k) const {
  if (!is_patchy(island_.patches[k])) return kMostStrikes;
  const auto pair = std::span(island_.patches).subspan(k, end_of_pair(k) - k);
  const bool goes_through = std::any_of(pair.begin(), pair.end(), [&](const IslandPatch& c) {
    return island_.overrun(c, context_.h) > kThrough * c.thin;
  });
  return goes_through ? kMostStrikes : kMostMeshStrikes;
}

// When a patch is hit next.
double IslandImpacts::time_of(uint32_t k) {
  IslandPatch& c = island_.patches[k];
  double time = kInfinity;
  c.passes = false;
  if (!c.moves || (c.strikes >= kMostMeshStrikes && c.strikes >= most_strikes(k))) return kInfinity;
  const Contact& contact = data_.contacts[c.contact];
  if (contact.patch > 0 && leader_of(k) != k) return kInfinity;
  const uint32_t end = end_of_pair(k);
  const Collider &a = data_.colliders[contact.collider_a], &b = data_.colliders[contact.collider_b];
  const std::span<const IslandPatch> patches = std::span(island_.patches).subspan(k, end - k);
  const double turn_a = course_.turn_of(a, patches), turn_b = course_.turn_of(b, patches);
  const bool fast = Course::is_fast_turn(turn_a) || Course::is_fast_turn(turn_b);
  // the common case: straight lines, and how far turning bends them, tell that nothing happens
  const double bend = fast ? 0 : Course::bend_of(a, turn_a) + Course::bend_of(b, turn_b);
  // ends of thin bodies that the patch does not know may come through
  const bool asked =
      fast || Course::turn_way(a, turn_a) + Course::turn_way(b, turn_b) > kOfThin * c.thin;
  bool closes = false;
  for (uint32_t i = k; i < end && !asked && !closes; ++i) {
    closes = island_.closes(island_.patches[i], context_.h, bend, time);
  }
  const double from = std::max(course_.clock(contact.body_a), course_.clock(contact.body_b));
  if (!asked && !closes) {
    c.passes = goes_past(course_, data_, island_, c, 0);
    return kInfinity;
  }
  if (meetings_.empty()) meetings_.resize(island_.patches.size());
  meetings_[k] = course_.find_meeting(contact.collider_a, contact.collider_b, from);
  // what was struck has no distance now, and goes
  const bool passes =
      !(meetings_[k].time < kInfinity) &&
      (fast ? meetings_[k].apart || c.strikes > 0 : goes_past(course_, data_, island_, c, 0));
  for (uint32_t i = k; i < end; ++i) island_.patches[i].passes = passes;
  return meetings_[k].time;
}

void IslandImpacts::expect(uint32_t k) {
  const double time = time_of(k);
  if (!version_.empty()) ++version_[k];
  if (!(time < kInfinity)) return;
  heap_.push_back({time, k, version_.empty() ? 0 : version_[k]});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

void IslandImpacts::list_neighbours() {
  if (!version_.empty()) return;
  version_.assign(island_.patches.size(), 0);
  first_.assign(island_.bodies.size() + 1, 0);
  for (const IslandPatch& c : island_.patches) {
    ++first_[c.a + 1];
    ++first_[c.b + 1];
  }
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  of_body_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (uint32_t k = 0; k < island_.patches.size(); ++k) {
    of_body_[next[island_.patches[k].a]++] = k;
    of_body_[next[island_.patches[k].b]++] = k;
  }
}

// A free body that was hit: how it would have had to begin the step to be where it is.        (3a)
void IslandImpacts::follow(uint32_t body) {
  const uint32_t slot = island_.bodies[body].slot;
  if (!impacts_.struck(slot)) return;
  const BodyState s = course_.line_begin(slot);
  const BodyState& begin = data_.state[slot];
  island_.set_course(body, {s.v_WC, s.w_WB},
                     {s.x_WC - begin.x_WC, log_map(normalized(s.q_WB * conjugate(begin.q_WB)))},
                     impacts_.clock[slot]);
}

// All that come next at the same time; none where what came next is no longer so.
std::vector<Arrival> IslandImpacts::take_next() {
  std::vector<Arrival> arrivals;
  const double last = heap_.front().time + kOneMoment * context_.h;
  while (!heap_.empty() && heap_.front().time <= last) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const Arrival next = heap_.back();
    heap_.pop_back();
    if (version_.empty() || next.version == version_[next.patch]) arrivals.push_back(next);
  }
  return arrivals;
}

// Patches of a body that was hit, but for those of `seen`.
void IslandImpacts::expect_neighbours(uint32_t body, uint32_t seen) {
  if (!(island_.bodies[body].inv_mass > 0)) return;
  const bool skips = seen != body && island_.bodies[seen].inv_mass > 0;
  for (uint32_t i = first_[body]; i < first_[body + 1]; ++i) {
    const uint32_t j = of_body_[i];
    const IslandPatch& c = island_.patches[j];
    if (!skips || (c.a != seen && c.b != seen)) expect(j);
  }
}

bool IslandImpacts::supports(uint32_t body) const {
  return !(island_.bodies[body].inv_mass > 0) || island_.bodies[body].held;
}

// One side of a patch stands, and its normal is against what moves the other: that one is held from
// now on.                                                                                    (3e)
void IslandImpacts::hold(const IslandPatch& c, double time) {
  if (impacts_.held.empty() || supports(c.a) == supports(c.b)) return;
  const uint32_t body = supports(c.a) ? c.b : c.a;
  IslandBody& b = island_.bodies[body];
  const double along = dot(supports(c.a) ? c.n : -c.n, b.a);
  if (!(along < -kAgainst * norm(b.a))) return;
  b.held = true;
  impacts_.held[b.slot] = time;
}

// What rests on something that stands. Patches are in the order of levels.
void IslandImpacts::hold_resting() {
  for (const IslandPatch& c : island_.patches) {
    const double a =
        std::sqrt(std::max(norm2(island_.bodies[c.a].a), norm2(island_.bodies[c.b].a)));
    const double slow = slow_approach(a, context_.h, c.thin);
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      const IslandPoint& x = island_.points[i];
      if (!(x.gap <= 2 * c.slack) || !(std::fabs(island_.rate_of(c, x)) <= slow)) continue;
      hold(c, 0);
      break;
    }
  }
}

bool IslandImpacts::run() {
  bool any = false;
  for (uint32_t b = 0; b < island_.bodies.size(); ++b) follow(b);
  for (uint32_t k = 0; k < island_.patches.size(); ++k) expect(k);
  while (!heap_.empty()) {
    const std::vector<Arrival> next = take_next();
    if (next.empty()) continue;
    any = true;
    if (next.size() == 1) {
      hit(next[0].patch);
    } else {
      hit_all(next);
    }
  }
  return any;
}

}  // namespace tenon
