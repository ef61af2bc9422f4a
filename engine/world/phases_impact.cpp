// Collisions of a step, one after the other as they come; see docs/theory/contacts.md, section 2.
#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/world/followers.h"
#include "tenon/engine/world/island_balance.h"
#include "tenon/engine/world/misses.h"
#include "tenon/engine/world/phases.h"
#include "tenon/engine/world/strike.h"

namespace tenon {
namespace {

constexpr int kMostRounds = 16;
// Pairs that have had kMostStrikes and would go through each other by this part of the thinner one
// are stopped with all that they hit, at once, so many times in a step.
constexpr double kThrough = 0.25;
constexpr int kMostStops = 32;
constexpr size_t kLargestKnot = 256;  // patches
// Hits that are no farther apart than this part of the step come at the same time. Crowds are hit
// one after the other, which costs less.
constexpr double kOneMoment = 1e-9;
constexpr size_t kMostAtOnce = 16;  // patches
constexpr double kAgainst = 0.5;  // cosine of the angle between what moves a body and what holds it

struct Arrival {
  double time;
  uint32_t patch, version;
  friend auto operator<=>(const Arrival&, const Arrival&) = default;
};

IslandSettings strike_settings(const StepContext& context) {
  IslandSettings s;
  s.h = context.h;
  return s;
}

// Hits between the bodies of one island without joints.
class IslandImpacts {
 public:
  IslandImpacts(const StepContext& context, const WorldData& data, ImpactStates& impacts,
                IslandWork& w)
      : context_(context),
        data_(data),
        impacts_(impacts),
        w_(w),
        island_(w.island),
        course_(context, data, impacts),
        strike_{context, data, impacts, w.pair} {}

  // The collisions of the step. Again where hits between islands have changed bodies of this one.
  // Returns whether anything was hit.
  bool run();
  // Before the first run, where bodies are thin.
  void hold_resting();

 private:
  double time_of(uint32_t k);
  bool is_patchy(const IslandPatch& c) const {
    const Contact& contact = data_.contacts[c.contact];
    return has_patches(data_.colliders[contact.collider_a].shape,
                       data_.colliders[contact.collider_b].shape);
  }
  uint8_t most_strikes(uint32_t k) const;
  uint32_t leader_of(uint32_t k) const;
  uint32_t end_of_pair(uint32_t leader) const;
  uint32_t patch_along(uint32_t leader, const Manifold& manifold) const;
  void expect(uint32_t k);
  void list_neighbours();
  std::vector<Arrival> take_next();
  std::vector<std::vector<Arrival>> part_linked(std::span<const Arrival> arrivals) const;
  void hit_all(std::span<const Arrival> arrivals);
  bool may_hit_at_once(std::span<const Arrival> arrivals) const;
  void hit_at_once(std::span<const Arrival> arrivals);
  bool is_plastic(uint32_t k) const;
  void hit_one(uint32_t k);
  void hit(uint32_t k);
  void hit_free(uint32_t k);
  void book(uint32_t k, const Manifold& manifold, const StrikeResult& r, double time);
  bool passes_at(uint32_t body) const;
  bool is_stuck(uint32_t k);
  void stop_together();
  void expect_neighbours(uint32_t body, uint32_t seen);
  bool supports(uint32_t body) const;
  void hold(const IslandPatch& c, double time);
  void follow(uint32_t body);

  const StepContext& context_;
  const WorldData& data_;
  ImpactStates& impacts_;
  IslandWork& w_;
  Island& island_;
  Course course_;
  Strike strike_;
  std::vector<Arrival> heap_;
  std::vector<uint32_t> version_;
  std::vector<Meeting> meetings_;
  std::vector<uint32_t> first_, of_body_;
  std::vector<uint8_t> in_knot_;  // by body
  std::vector<uint32_t> knot_;    // patches between bodies that hit each other again and again
  int stops_ = 0;
};

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
  std::vector<uint32_t> root(island_.bodies.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](uint32_t b) {
    while (root[b] != b) b = root[b] = root[root[b]];
    return b;
  };
  const auto moves = [&](uint32_t b) { return island_.bodies[b].inv_mass > 0; };
  for (const Arrival& x : arrivals) {
    const IslandPatch& c = island_.patches[x.patch];
    if (moves(c.a) && moves(c.b)) root[find(c.a)] = find(c.b);
  }
  std::vector<std::vector<Arrival>> groups;
  std::vector<uint32_t> group_of(island_.bodies.size(), kNoGroup);
  for (const Arrival& x : arrivals) {
    const IslandPatch& c = island_.patches[x.patch];
    uint32_t& group = group_of[find(moves(c.a) ? c.a : c.b)];
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

// Islands with joints: velocities after the collisions; what they change is booked.
void store_jointed_hits(WorldData& data, IslandWork& w, std::vector<Motion>& motion) {
  Island& island = w.island;
  w.wrenches.assign(island.bodies.size(), {});
  island.add_wrenches(w.wrenches, Island::Kind::kHit, false);
  spread_wrenches(island, w.wrenches, motion);
  double fastest_before = 0, fastest_after = 0;
  const double booked = data.diagnostics.contact_work_J;
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    if (!(island.bodies[b].inv_mass > 0)) continue;
    const uint32_t slot = island.bodies[b].slot;
    const Mechanics before = calc_body_mechanics(data, slot);
    BodyState& s = data.state[slot];
    fastest_before = std::max(fastest_before, speed_of(s, data.mass[slot]));
    s.v_WC += motion[b].v;
    if (!(data.mass[slot].moments == Vec3{})) {
      s.w_WB += motion[b].w;
      s.L_W = angular_momentum(s.q_WB, data.mass[slot].I_B, s.w_WB);
    }
    fastest_after = std::max(fastest_after, speed_of(s, data.mass[slot]));
    book_contact(data, slot, before);
    island.motion[b] = {s.v_WC, s.w_WB};
    w.begin[b] = s;
  }
  w.hit_speed = fastest_before + fastest_after;
  w.hit_J = data.diagnostics.contact_work_J - booked;
}

// Islands see their bodies begin where the hits say they did.                                (3a)
void follow_hits(const StepContext& context, const WorldData& data, const ImpactStates& impacts,
                 IslandWork& w) {
  const Course course(context, data, impacts);
  bool any = false;
  for (uint32_t b = 0; b < w.island.bodies.size(); ++b) {
    const uint32_t slot = w.island.bodies[b].slot;
    if (!impacts.struck(slot)) continue;
    any = true;
    const BodyState s = course.state_at(slot, 0);
    const BodyState& begin = data.state[slot];
    const Vec3 turn = log_map(normalized(s.q_WB * conjugate(begin.q_WB)));
    w.island.set_course(b, {s.v_WC, s.w_WB}, {s.x_WC - begin.x_WC, turn}, impacts.clock[slot]);
    w.begin[b] = s;
  }
  if (any) w.island.move_gaps();
}

// Whether what forces do within a step is not small against the thickness of something.
bool has_thin_bodies(const StepContext& context) {
  const ContactWork& work = *context.contacts;
  return std::any_of(work.islands.data(), work.islands.data() + work.count,
                     [](const IslandWork& w) { return !w.asleep && w.thin; });
}

void store_free_hits(const StepContext& context, WorldData& data, const ImpactStates& impacts) {
  const Course course(context, data, impacts);
  for (uint32_t slot = 0; slot < impacts.hit.size(); ++slot) {
    if (!impacts.struck(slot)) continue;
    const BodyState s = course.state_at(slot, 0);
    if (!within_limits(s)) continue;
    const Mechanics before = calc_body_mechanics(data, slot);
    data.state[slot] = s;
    book_contact(data, slot, before);
  }
}

}  // namespace

void collide_bodies(StepContext& context, WorldData& data) {
  ContactWork& work = *context.contacts;
  work.followers.clear();
  work.boxes_fresh = 0;
  ImpactStates& impacts = work.impacts;
  impacts.hit.clear();
  if (work.count == 0) return;
  impacts.hit.assign(data.info.size(), ImpactStates::kNone);
  impacts.at.resize(data.info.size());
  impacts.clock.resize(data.info.size());
  impacts.held.clear();
  if (has_thin_bodies(context)) impacts.held.assign(data.info.size(), kInfinity);
  std::vector<uint8_t> again(work.count, 1), followed(work.count, 0);
  for (int round = 0; round < kMostRounds; ++round) {
    parallel_for(context.pool, work.count, 1, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        IslandWork& w = work.islands[i];
        if (w.asleep) continue;
        if (round == 0) {
          w.island.begin_collisions();
          w.isolated = is_isolated(context, data, w);
          if (w.isolated) remember_balance(context, data, w);
          const bool closed = !w.isolated && is_left_to_contacts(context, data, w);
          w.most_energy = closed ? calc_energy(context, data, w) : kInfinity;
        }
        if (again[i] == 0) continue;
        if (w.mechanisms.empty()) {
          IslandImpacts collisions(context, data, impacts, w);
          if (round == 0 && !impacts.held.empty()) collisions.hold_resting();
          collisions.run();
        } else {
          find_misses(context, data, impacts, w);
          w.hit = w.hit_joints = w.island.collide(strike_settings(context));
        }
      }
    });
    if (!Followers(context, data, work).run()) break;
    std::fill(again.begin(), again.end(), uint8_t{0});
    for (uint32_t slot = 0; slot < impacts.hit.size(); ++slot) {
      if (impacts.hit[slot] == ImpactStates::kNews && work.stamp[slot] < work.count) {
        again[work.stamp[slot]] = 1;
        followed[work.stamp[slot]] = 1;
      }
    }
  }
  parallel_for(context.pool, work.count, 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (!work.islands[i].asleep) follow_hits(context, data, impacts, work.islands[i]);
    }
  });
  store_free_hits(context, data, impacts);
  std::vector<Motion> motion;
  for (size_t i = 0; i < work.count; ++i) {
    IslandWork& w = work.islands[i];
    if (w.asleep) continue;
    if (w.hit_joints) store_jointed_hits(data, w, motion);
    if (!w.isolated) continue;
    // hits are exact where no joints are; others may have come from outside
    if (w.mechanisms.empty() || followed[i] != 0) remember_balance(context, data, w);
  }
}

}  // namespace tenon
