// What overlaps at the end of a step is taken apart; see docs/theory/contacts.md, section 6.
#include <algorithm>

#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/hit_energy.h"
#include "tenon/engine/world/island_balance.h"
#include "tenon/engine/world/overlap_sides.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// Overlaps go at this many sizes of the smaller body per second at most: bodies that start inside
// each other come apart without a shock.
constexpr double kLargestPush = 4;
constexpr int kMostSweeps = 20, kSweepsUnderLoad = 300;
// Where something heavy lies on what hangs on joints, how far these let it go aside changes on the
// way: so many rounds, each from where the last one led. What is left then lifts the heavy body.
constexpr int kYieldingRounds = 12, kSeparationRounds = 16;
// Where an overlap is d deep, mechanisms go no farther than so many d; the next step is at it
// again.
constexpr double kMostYield = 8;
// Overlaps of so many slacks, and of this part of the way in a step, are taken away, to half a
// slack: few steps have any, and then they are gone for long. Less where one of the two is so many
// times heavier: what it lies on carries much more than it weighs. Where something presses, (5b)
// is at work, and only what is deeper than a part of how far things fall in a step remains.
constexpr double kOverlapSlacks = 8, kOverlapUnderHeavy = 3;
constexpr double kOverlapOfWay = 0.01, kOverlapOfWayUnderLoad = 0.001, kOverlapOfShape = 0.01;
// Meshes may be wedged into one another, where no displacement opens all overlaps.
constexpr double kSoftness = 0.3;
constexpr double kRecoverableOfWay = 0.02, kRecoverableOfFall = 0.1,
                 kRecoverableWhenFastened = 0.02;

// Mass of a body; with all that hangs on it where nothing else carries that.
double carried_mass(const StepContext& context, const WorldData& data, uint32_t slot) {
  const Mechanisms& m = *context.mechanisms;
  const double hanging = m.jointed[slot] != 0 ? m.loose_mass[m.mechanism_of[slot]] : 0;
  return std::max(hanging, data.mass[slot].mass);
}

// Mechanisms that hang on something give way less than contacts think: they may be under tension.
bool is_fastened(const StepContext& context, uint32_t slot) {
  const Mechanisms& m = *context.mechanisms;
  return m.jointed[slot] != 0 && m.loose_mass[m.mechanism_of[slot]] == 0;
}

bool is_heavy_pair(const StepContext& context, const WorldData& data, const Contact& c) {
  const double m = carried_mass(context, data, c.body_a), n = carried_mass(context, data, c.body_b);
  return m > 0 && n > 0 && std::max(m, n) > kHeavyPair * std::min(m, n);
}

// Something heavy on what hangs on joints. Nets and other large mechanisms, in which each round
// would cost too much, come to rest in the course of some steps.
bool is_loaded(const StepContext& context, const WorldData& data, const Contact& c) {
  const Mechanisms& m = *context.mechanisms;
  const auto hangs = [&](uint32_t slot) {
    return is_fastened(context, slot) && m.list[m.mechanism_of[slot]].moving <= kLargeMechanism;
  };
  return (hangs(c.body_a) || hangs(c.body_b)) && is_heavy_pair(context, data, c);
}

bool is_loaded(const StepContext& context, const WorldData& data, const IslandWork& w) {
  return std::any_of(w.contacts.begin(), w.contacts.end(),
                     [&](uint32_t i) { return is_loaded(context, data, data.contacts[i]); });
}

// How far each point of the island overlaps, for the solve that takes it away: to half of the
// slack, so that nothing is pushed again and again.
bool find_overlaps(const WorldData& data, IslandWork& w, double h) {
  bool any = false;
  for (const IslandPatch& c : w.island.patches) {
    const double deepest = kLargestPush * h * c.slack / (kSlack * data.settings.tolerance);
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      double& gap = w.island.points[i].gap;
      any = any || gap < -c.slack;
      gap = std::max(gap < -c.slack ? gap + 0.5 * c.slack : std::max(gap, 0.0), -deepest);
    }
  }
  return any;
}

// How far the faster of two bodies goes in a step, m.
double way_of(const WorldData& data, const Contact& c) {
  const Vec3 &a = data.state[c.body_a].v_WC, &b = data.state[c.body_b].v_WC;
  return data.settings.step * std::sqrt(std::max(norm2(a), norm2(b)));
}

// Whether an overlap may stay until velocities take it away, (5b). Not within a mechanism in
// motion, whose joints and limits may not allow it; of one at rest, (5e) holds as of all others.
bool may_wait(const StepContext& context, const WorldData& data, const Contact& c) {
  constexpr double kAtRest = 0.1;  // of what gravity does in a step
  if (is_heavy_pair(context, data, c) || !recovers(c)) return false;
  const Mechanisms& m = *context.mechanisms;
  const bool own = m.jointed[c.body_a] != 0 && m.jointed[c.body_b] != 0 &&
                   m.mechanism_of[c.body_a] == m.mechanism_of[c.body_b];
  const double h = data.settings.step;
  return !own || way_of(data, c) < kAtRest * norm(data.settings.gravity) * h * h;
}

// What moves may overlap by a small part of how far it goes in a step: the next step is at it
// again.
bool overlaps(const StepContext& context, const WorldData& data, const Contact& c) {
  const bool slowly = may_wait(context, data, c);
  const bool fastened = is_fastened(context, c.body_a) || is_fastened(context, c.body_b);
  const double of_way = is_loaded(context, data, c) ? kOverlapOfWayUnderLoad
                        : slowly && !fastened       ? kRecoverableOfWay
                                                    : kOverlapOfWay;
  return c.acts &&
         c.manifold.distance < -tolerated_overlap(context, data, c) - of_way * way_of(data, c);
}

// What joints and limits hardly let aside answers with motions many times as large, along a line of
// which only the first piece is the way it would go. What is fastened has to make way for those
// that are not, or for what is moved, however far it must turn for that.
void bound_pushes(const StepContext& context, const WorldData& data, const IslandWork& w,
                  std::span<Motion> motion) {
  double deepest = 0;
  for (const IslandPoint& x : w.island.points) deepest = std::max(deepest, -x.gap);
  for (size_t g = 0; g < w.mechanisms.size(); ++g) {
    if (context.mechanisms->loose_mass[w.mechanisms[g]] == 0) continue;
    bound_reach(data, w.island, w.island.groups[g], kMostYield * deepest, motion);
  }
}

// The displacements that take the overlaps of a prepared island away; none: there are no overlaps.
void separate_island(const StepContext& context, WorldData& data, IslandWork& w,
                     std::vector<Motion>& motion) {
  if (!find_overlaps(data, w, context.h)) return;
  choose_sides(data, w);
  Island& island = w.island;
  island.motion.assign(island.bodies.size(), {});
  IslandSettings settings = island_settings(context, data);
  settings.max_sweeps = is_loaded(context, data, w) ? kSweepsUnderLoad : kMostSweeps;
  if (has_mesh_contacts(data, w)) settings.softness = kSoftness;
  w.overlap = island.separate(settings);
  w.wrenches.assign(island.bodies.size(), {});
  island.add_wrenches(w.wrenches, Island::Kind::kSolve, false);
  island.add_bounds(w.wrenches);
  spread_wrenches(island, w.wrenches, motion);
  bound_pushes(context, data, w, motion);
}

bool stays(const Motion& u) { return u.v == Vec3{} && u.w == Vec3{}; }

// Contacts that overlap too far, and the near ones of their bodies, or of the mechanisms these
// belong to: what pushing them apart concerns. The rest of a pile need not be looked at. Returns
// whether there are any.
bool find_crowd(const StepContext& context, const WorldData& data, bool under_load) {
  const Mechanisms& m = *context.mechanisms;
  ContactWork& work = *context.contacts;
  const size_t bodies = data.info.size();
  const auto node_of = [&](uint32_t slot) {
    return m.jointed[slot] != 0 ? bodies + m.mechanism_of[slot] : slot;
  };
  std::vector<double> push(bodies + m.list.size(), -1);
  bool any = false;
  for (const Contact& c : data.contacts) {
    if (is_left_out(context, c.body_a) || is_left_out(context, c.body_b)) continue;
    if (under_load && !is_loaded(context, data, c)) continue;
    if (!overlaps(context, data, c)) continue;
    any = true;
    for (const uint32_t slot : {c.body_a, c.body_b}) {
      if (data.info[slot].motion != MotionKind::kDynamic) continue;
      push[node_of(slot)] = std::max(push[node_of(slot)], -c.manifold.distance);
    }
  }
  if (!any) return false;
  work.only.assign(data.contacts.size(), 0);
  for (size_t i = 0; i < data.contacts.size(); ++i) {
    const Contact& c = data.contacts[i];
    const double most = std::max(push[node_of(c.body_a)], push[node_of(c.body_b)]);
    work.only[i] = c.manifold.distance <= most ? 1 : 0;
  }
  return true;
}

}  // namespace

void put_body(WorldData& data, uint32_t slot, const BodyState& state) {
  if (!within_limits(state)) return;
  const Mechanics before = calc_body_mechanics(data, slot);
  data.state[slot] = state;
  book_contact(data, slot, before);
}

bool recovers(const Contact& c) {
  return std::any_of(c.holding.begin(), c.holding.end(), [](double p) { return p > 0; });
}

double tolerated_overlap(const StepContext& context, const WorldData& data, const Contact& c) {
  const double h = data.settings.step;
  const bool heavy = is_heavy_pair(context, data, c), slowly = may_wait(context, data, c);
  const double thinnest =
      std::min(data.colliders[c.collider_a].size, data.colliders[c.collider_b].size);
  const double slack = contact_slack(data, c) * (heavy ? kOverlapUnderHeavy : kOverlapSlacks);
  const double fall = norm(data.settings.gravity) * h * h;
  const bool fastened = is_fastened(context, c.body_a) || is_fastened(context, c.body_b);
  const double part = fastened ? kRecoverableWhenFastened : kRecoverableOfFall;
  const double most = slowly ? std::max(slack, part * fall) : slack;
  return std::min(most, kOverlapOfShape * thinnest);
}

double calc_reach(const WorldData& data, const Island& island, const IslandGroup& g,
                  std::span<const Motion> motion) {
  double farthest = 0;
  for (const uint32_t b : g.order) {
    const double arm = data.mass[island.bodies[b].slot].size;
    farthest = std::max(farthest, norm(motion[b].v) + arm * norm(motion[b].w));
  }
  return farthest;
}

void bound_reach(const WorldData& data, const Island& island, const IslandGroup& g, double most,
                 std::span<Motion> motion) {
  const double reach = calc_reach(data, island, g, motion);
  if (!(reach > most)) return;
  for (const uint32_t b : g.order) {
    motion[b] = {(most / reach) * motion[b].v, (most / reach) * motion[b].w};
  }
}

namespace {

// Ends of a mechanism's bodies after small displacements, in its solver. Returns whether it moves.
// May run for several mechanisms at once.
bool shift_mechanism(const StepContext& context, const IslandWork& w, size_t g,
                     std::span<const Motion> motion, ShiftAlong along) {
  MechanismStep& step = context.mechanisms->steps[w.mechanisms[g]];
  if (step.result.status == StepStatus::kFailed) return false;
  std::vector<Motion> local;
  for (const uint32_t b : w.island.groups[g].order) local.push_back(motion[b]);
  if (std::all_of(local.begin(), local.end(), stays)) return false;
  context.mechanisms->solvers[w.mechanisms[g]].shift_ends(step.bodies, local, along);
  return true;
}

// Puts free bodies where they go, and mechanisms where they have been shifted to.
void put_island(const StepContext& context, WorldData& data, const IslandWork& w,
                std::span<const Motion> motion, std::span<const uint8_t> shifted) {
  const Island& island = w.island;
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    const IslandBody& body = island.bodies[b];
    if (!(body.inv_mass > 0) || body.group != kNoGroup || data.frozen[body.slot] != 0) continue;
    if (stays(motion[b])) continue;
    BodyState s = data.state[body.slot];
    s.x_WC += motion[b].v;
    // turned as a whole, with its velocity: at fixed L its energy would change
    const Quat turn = exp_map(motion[b].w);
    s.q_WB = normalized(turn * s.q_WB);
    s.L_W = rotate(turn, s.L_W);
    s.w_WB = angular_velocity(s.q_WB, data.mass[body.slot].inv_I_B, s.L_W);
    put_body(data, body.slot, s);
  }
  for (size_t g = 0; g < w.mechanisms.size(); ++g) {
    if (shifted[g] == 0) continue;
    const Mechanism& m = context.mechanisms->list[w.mechanisms[g]];
    const MechanismStep& step = context.mechanisms->steps[w.mechanisms[g]];
    for (uint32_t b = 0; b < m.moving; ++b) put_body(data, m.body_slots[b], step.bodies[b].end);
  }
}

}  // namespace

void shift_island(StepContext& context, WorldData& data, IslandWork& w,
                  std::span<const Motion> motion, ShiftAlong along) {
  if (motion.empty()) return;
  std::vector<uint8_t> shifted;
  for (size_t g = 0; g < w.mechanisms.size(); ++g) {
    shifted.push_back(shift_mechanism(context, w, g, motion, along) ? 1 : 0);
  }
  put_island(context, data, w, motion, shifted);
}

namespace {

// An island whose overlaps are taken away.
struct Separation {
  IslandWork* island;
  std::vector<Motion> motion;    // by body; empty: there is nothing to do
  std::vector<uint8_t> shifted;  // by mechanism
};

// Islands with anything too deep, the displacements that take it away, and mechanisms shifted by
// them.
std::vector<Separation> find_separations(StepContext& context, WorldData& data, int round) {
  ContactWork& work = *context.contacts;
  std::vector<Separation> all;
  std::vector<IslandWork*> islands;
  for (size_t i = 0; i < work.count; ++i) {
    IslandWork& w = work.islands[i];
    w.stays = round >= kYieldingRounds;
    const auto is_deep = [&](uint32_t c) { return overlaps(context, data, data.contacts[c]); };
    if (std::none_of(w.contacts.begin(), w.contacts.end(), is_deep)) continue;
    all.push_back({&w, {}, {}});
    islands.push_back(&w);
  }
  prepare_islands(context, data, islands, StepEnd::kEnd);
  parallel_for(context.pool, all.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      separate_island(context, data, *all[i].island, all[i].motion);
    }
  });
  std::vector<std::pair<Separation*, size_t>> groups;
  for (Separation& s : all) {
    s.shifted.assign(s.island->mechanisms.size(), 0);
    for (size_t g = 0; g < s.shifted.size() && !s.motion.empty(); ++g) groups.push_back({&s, g});
  }
  parallel_for(context.pool, groups.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto& [s, g] = groups[i];
      s->shifted[g] = shift_mechanism(context, *s->island, g, s->motion, ShiftAlong::kAside);
    }
  });
  return all;
}

// Whether what a push lifts is paid for by kinetic energy. Of loose bodies those on meshes: along a
// hollow wall every step leads into it. What rests between two walls would work its way out.
bool pays_for_lifts(const StepContext& context, const WorldData& data, const IslandWork& w) {
  constexpr double kAtRest = 0.1;  // of what gravity does in a step
  // alone by itself, (13) sees to it
  if (w.isolated || is_driven(context, data, w)) return false;
  if (!w.mechanisms.empty()) return true;
  if (!has_mesh_contacts(data, w)) return false;
  const double slow = kAtRest * norm(data.settings.gravity) * data.settings.step;
  double kinetic = 0, mass = 0;
  for (const IslandBody& b : w.island.bodies) {
    if (!(b.inv_mass > 0)) continue;
    kinetic += calc_body_mechanics(data, b.slot).kinetic_J;
    mass += b.mass;
  }
  return kinetic > 0.5 * mass * slow * slow ||
         std::none_of(w.contacts.begin(), w.contacts.end(),
                      [&](uint32_t i) { return is_jammed(data, i); });
}

// Returns whether anything was too deep.
bool separate_once(StepContext& context, WorldData& data, int round) {
  if (!find_crowd(context, data, round > 0)) return false;
  collect_islands(context, data);
  context.contacts->only.clear();
  for (const Separation& s : find_separations(context, data, round)) {
    if (s.motion.empty()) continue;
    IslandWork& w = *s.island;
    w.isolated = is_isolated(context, data, w);
    for (size_t b = 0; b < w.island.bodies.size(); ++b) {
      if (!w.isolated && stays(s.motion[b])) continue;
      data.shifted[w.island.bodies[b].slot] = 1;
      data.still[w.island.bodies[b].slot] = 0;
    }
    if (w.isolated) remember_balance(context, data, w);
    const bool pays = pays_for_lifts(context, data, w);
    const double energy = pays ? calc_energy(context, data, w) : 0;
    put_island(context, data, w, s.motion, s.shifted);
    // what comes apart is lifted, or loads springs: that energy comes from that of the motion
    if (pays) take_gain(context, data, w, calc_energy(context, data, w) - energy);
    if (w.isolated) restore_balance(context, data, w, 0);
  }
  update_contacts(context, data);
  return true;
}

}  // namespace

void separate_bodies(StepContext& context, WorldData& data) {
  for (int round = 0; round < kSeparationRounds; ++round) {
    if (!separate_once(context, data, round)) return;
  }
}

}  // namespace tenon
