// What the solver needs to know about bodies that touch one another.
#include <algorithm>
#include <cmath>

#include "tenon/engine/forces/gravity.h"
#include "tenon/engine/world/bends.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

void MechanismAnswer::reset(DirectSolver& solver, size_t moving, std::span<const Motion> fixed,
                            Bends bends) {
  solver_ = &solver;
  bends_ = bends;
  moving_ = moving;
  fixed_.assign(fixed.begin(), fixed.end());
  hastes_.clear();
}

void MechanismAnswer::project(std::span<Motion> motion, bool rates) {
  all_.assign(motion.begin(), motion.end());
  for (const Motion& u : fixed_) all_.push_back(rates ? u : Motion{});
  solver_->project(all_);
  std::copy_n(all_.begin(), moving_, motion.begin());
}

namespace {

// Mechanisms with more bodies in contact meet contacts in turn with their joints, which is cheaper
// where masses are alike; those where something heavy lies on something light do not. docs/theory/
// contacts.md shows the measurements.
constexpr uint32_t kManyBodies = 64;
// (omega h)^2 / 8 of bodies under tension from which on contacts see the step as a whole, where
// what touches them is so many times heavier. In larger mechanisms that costs too much; small ones
// that are fastened, as bridges are, need it under moderate loads already.
constexpr double kTight = 0.1, kHeavy = 100, kLoaded = 3;
constexpr uint32_t kSmallMechanism = 40;
// Of bodies that lie on something fixed or moved, in the whole step: from here on answers of its
// begin promise more motion than there will be. In islands of so many patches at most: what sweeps
// leave over in a heap is more than this puts right.
constexpr double kTightOnFixed = 0.5;
constexpr size_t kFewPatches = 64;

Motion kinematic_motion(const StepContext& context, const WorldData& data, uint32_t slot) {
  if (data.info[slot].motion != MotionKind::kKinematic || data.frozen[slot] != 0) return {};
  const ScriptVelocity mean = mean_velocity(data.info[slot].script, context.t_begin, context.t_end);
  return {mean.v_WB, mean.w_WB};
}

void fill_body(const StepContext& context, const WorldData& data, IslandBody& b, StepEnd when,
               BodyState& begin, Motion& motion) {
  begin = data.state[b.slot];
  if (!moves_by_itself(data, b.slot)) {
    if (data.info[b.slot].motion == MotionKind::kKinematic && when == StepEnd::kBegin) {
      begin = context.kinematic_begin[b.slot];
    }
    motion = kinematic_motion(context, data, b.slot);
    return;
  }
  const BodyMass& mass = data.mass[b.slot];
  const Mat3 R = to_matrix(begin.q_WB);
  b.mass = mass.mass;
  b.inv_mass = mass.inv_mass;
  b.inv_I = R * mass.inv_I_B * transpose(R);
  Wrench total = data.applied[b.slot];
  if (data.info[b.slot].gravity) add_gravity(total, mass, data.settings.gravity);
  b.a = mass.inv_mass * total.force;
  b.alpha = b.inv_I * (total.torque - cross(begin.w_WB, begin.L_W));
  motion = {begin.v_WC, begin.w_WB};
}

// Whether the points of a patch lie so far apart in every direction that they bear any couple which
// could resist rolling: then nothing rolls on it, and two laws for one thing would only compete.
bool stands_broadly(const Manifold& f, const IslandPatch& p) {
  constexpr double kBroad = 20;  // times the lever
  if (f.count < 3) return false;
  Vec3 mean;
  for (int k = 0; k < f.count; ++k) mean += f.points[static_cast<size_t>(k)].p_W;
  mean = mean / f.count;
  double a = 0, b = 0, c = 0;  // second moments along t1, t2
  for (int k = 0; k < f.count; ++k) {
    const Vec3 r = f.points[static_cast<size_t>(k)].p_W - mean;
    const double x = dot(p.t1, r), y = dot(p.t2, r);
    a += x * x;
    b += y * y;
    c += x * y;
  }
  const double least = 0.5 * (a + b - std::sqrt((a - b) * (a - b) + 4 * c * c)) / f.count;
  return least > kBroad * kBroad * p.rolling * p.rolling;
}

void fill_patch(const WorldData& data, IslandWork& w, IslandPatch& p, StepEnd when) {
  const Contact& contact = data.contacts[p.contact];
  const Manifold& f = contact.manifold;
  p.n = f.normal_W;
  p.t1 = any_orthogonal(p.n);
  p.t2 = cross(p.n, p.t1);
  p.first = static_cast<uint32_t>(w.island.points.size());
  p.count = static_cast<uint32_t>(f.count);
  const Collider &A = data.colliders[contact.collider_a], &B = data.colliders[contact.collider_b];
  const SurfaceMaterial s = data.materials.mix(A.material, B.material);
  p.restitution = s.restitution;
  p.static_friction = s.static_friction;
  p.sliding_friction = s.sliding_friction;
  p.rolling = stands_broadly(f, p) ? 0.0 : s.rolling_friction;
  p.spinning = s.spinning_friction;
  // displacements that take overlaps away do not rub
  if (when == StepEnd::kEnd) p.static_friction = p.sliding_friction = p.rolling = p.spinning = 0;
  // what hits do to mechanisms is less exact, and so is when there is one
  if (w.mechanisms.empty()) p.thin = std::min(A.size, B.size);
  p.slack = contact_slack(data, contact);
  const BodyState &a = w.begin[p.a], &b = w.begin[p.b];
  // the middle: of the pressure as it was, or of the points
  Vec3 middle;
  double weight = 0;
  for (uint32_t k = 0; k < p.count; ++k) {
    middle += contact.holding[k] * f.points[k].p_W;
    weight += contact.holding[k];
  }
  if (!(weight > 0)) {
    middle = {};
    weight = p.count;
    for (uint32_t k = 0; k < p.count; ++k) middle += f.points[k].p_W;
  }
  middle = middle / weight;
  // each body is pushed where its own surface is: far apart, that is where they will meet
  const auto half_way = [&](double gap) {
    return (0.5 * std::max(gap, 0.0)) * p.n + 0.5 * contact.slip_W;
  };
  p.rA = middle - half_way(f.distance) - a.x_WC;
  p.rB = middle + half_way(f.distance) - b.x_WC;
  const Vec3 drift = rotate(a.q_WB, A.surface_velocity) - rotate(b.q_WB, B.surface_velocity);
  p.drift = {0, dot(p.t1, drift), dot(p.t2, drift)};
  for (uint32_t k = 0; k < p.count; ++k) {
    const ContactPoint& from = f.points[k];
    IslandPoint& x = w.island.points.emplace_back();
    const Vec3 half = half_way(from.distance);
    const Vec3 rA = from.p_W - half - a.x_WC, rB = from.p_W + half - b.x_WC;
    x.aA = cross(rA, p.n);
    x.aB = cross(rB, p.n);
    x.gap = from.distance;
    x.arm = norm(from.p_W - middle);
    x.pressed = contact.holding[k];
  }
}

// Supports first: patches in the order of how far they are from what does not move.            (8)
void order_by_level(const WorldData& data, Island& island) {
  const size_t bodies = island.bodies.size();
  std::vector<uint32_t> first(bodies + 1, 0), of_body(2 * island.patches.size());
  for (const IslandPatch& p : island.patches) {
    ++first[p.a + 1];
    ++first[p.b + 1];
  }
  for (size_t b = 0; b < bodies; ++b) first[b + 1] += first[b];
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (uint32_t i = 0; i < island.patches.size(); ++i) {
    of_body[next[island.patches[i].a]++] = i;
    of_body[next[island.patches[i].b]++] = i;
  }
  constexpr uint32_t kFar = 0x3fffffffu;
  std::vector<uint32_t> level(bodies, kFar), queue;
  for (uint32_t b = 0; b < bodies; ++b) {
    if (moves_by_itself(data, island.bodies[b].slot)) continue;
    level[b] = 0;
    queue.push_back(b);
  }
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t b = queue[i];
    for (uint32_t k = first[b]; k < first[b + 1]; ++k) {
      const IslandPatch& p = island.patches[of_body[k]];
      const uint32_t other = p.a == b ? p.b : p.a;
      if (level[other] != kFar) continue;
      level[other] = level[b] + 1;
      queue.push_back(other);
    }
  }
  for (IslandPatch& p : island.patches) {
    p.above = level[p.a] == level[p.b] ? kNoBody : (level[p.a] > level[p.b] ? p.a : p.b);
  }
  // by level, then by contact, in which order they are already: keys are sorted, each patch moves
  // once
  std::vector<uint64_t> order(island.patches.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const IslandPatch& p = island.patches[i];
    order[i] = uint64_t{level[p.a] + level[p.b]} << 32 | i;
  }
  std::sort(order.begin(), order.end());
  std::vector<IslandPatch> sorted;
  sorted.reserve(order.size());
  for (const uint64_t key : order) sorted.push_back(island.patches[key & 0xffffffffu]);
  island.patches.swap(sorted);
}

void add_rows(IslandWork& w, uint32_t g, std::span<const BoundedRow> rows,
              std::span<const Motion> fixed) {
  IslandGroup& group = w.island.groups[g];
  group.first_bound = static_cast<uint32_t>(w.island.bounds.size());
  group.bounds = static_cast<uint32_t>(rows.size());
  for (const BoundedRow& from : rows) {
    IslandRow& r = w.island.bounds.emplace_back();
    r.group = g;
    for (int e = 0; e < 2; ++e) {
      r.f[e] = from.f[e];
      r.t[e] = from.t[e];
      if (from.body[e] < group.order.size()) {
        r.body[e] = group.order[from.body[e]];
      } else {
        const Motion& u = fixed[from.body[e] - group.order.size()];
        r.offset += dot(from.f[e], u.v) + dot(from.t[e], u.w);
      }
    }
    r.rate = from.rate;
    r.low = from.low;
    r.high = from.high;
    r.gap = from.gap;
    r.p = from.guess;
    r.soft = from.soft;
    r.keep = from.keep;
    r.motor = from.motor;
    r.joint = from.joint;
    r.joint_row = from.row;
  }
}

// Whether something that is much heavier touches a body of a group.
bool under_heavy(const Island& island, uint32_t g, double ratio) {
  for (const IslandPatch& c : island.patches) {
    const IslandBody &a = island.bodies[c.a], &b = island.bodies[c.b];
    if (a.group == b.group || !(a.inv_mass > 0) || !(b.inv_mass > 0)) continue;
    if ((a.group == g && b.mass >= ratio * a.mass) || (b.group == g && a.mass >= ratio * b.mass)) {
      return true;
    }
  }
  return false;
}

// The body of a group that a patch presses on what contacts do not move at all, if it does.
uint32_t body_on_fixed(const Island& island, const IslandPatch& c, uint32_t g) {
  const IslandBody &a = island.bodies[c.a], &b = island.bodies[c.b];
  if (a.group == g && moves(a) && !moves(b)) return c.a;
  if (b.group == g && moves(b) && !moves(a)) return c.b;
  return kNoBody;
}

// Whether a group touches what is fixed or moved, and nothing else, not even itself: what is
// squeezed between that and others is tight by what these weigh, if it is.
bool lies_on_fixed(const Island& island, uint32_t g) {
  bool lies = false;
  for (const IslandPatch& c : island.patches) {
    const IslandBody &a = island.bodies[c.a], &b = island.bodies[c.b];
    if (a.group != g && b.group != g) continue;
    if (moves(a) && moves(b)) return false;
    lies = lies || body_on_fixed(island, c, g) != kNoBody;
  }
  return lies;
}

// How tight a mechanism is; none where contacts need not know. Under something heavy it is so by
// its tightest body; on what is fixed or moved, if one that lies there is tight over the whole
// step: halves of it have the same contacts.
double find_tightness(const StepContext& context, const WorldData& data, const IslandWork& w,
                      uint32_t g, DirectSolver& solver) {
  const std::vector<double> tightness = solver.calc_tightness();
  const double most = *std::max_element(tightness.begin(), tightness.end());
  if (!(most > kTight) || w.heavy[g] != 0) return most;
  const IslandGroup& group = w.island.groups[g];
  std::vector<double> of(group.count, 0);
  for (size_t i = 0; i < group.order.size(); ++i) of[group.order[i] - group.first] = tightness[i];
  double tightest = 0;
  for (const IslandPatch& c : w.island.patches) {
    const uint32_t b = body_on_fixed(w.island, c, g);
    if (b != kNoBody) tightest = std::max(tightest, of[b - group.first]);
  }
  const double parts = data.settings.step / context.h;
  return parts * parts * tightest > kTightOnFixed ? most : 0;
}

// Overlaps with a mechanism that hangs on something, all of them of heavier bodies, where joints
// and contacts would take turns, or have: its joints would take nearly all back of what its light
// bodies give way. Those stay, and what lies on them moves.
bool stands_firm(const Island& island, uint32_t g) {
  return std::none_of(island.patches.begin(), island.patches.end(), [&](const IslandPatch& c) {
    const IslandBody &a = island.bodies[c.a], &b = island.bodies[c.b];
    if (a.group != g && b.group != g) return false;
    const auto overlaps = [&](const IslandPoint& x) { return x.gap < -c.slack; };
    const auto first = island.points.begin() + c.first;
    if (std::none_of(first, first + c.count, overlaps)) return false;
    return a.group == b.group || !(a.group == g ? b.mass >= a.mass : a.mass >= b.mass);
  });
}

// Which mechanisms stay where they are, answer by a matrix, or may be under tension.
void choose_groups(const StepContext& context, const WorldData& data, IslandWork& w, StepEnd when) {
  const Mechanisms& m = *context.mechanisms;
  const auto is_fastened = [&](uint32_t g) { return !(m.loose_mass[w.mechanisms[g]] > 0); };
  w.answers.resize(w.mechanisms.size());
  w.tight.assign(w.mechanisms.size(), 0);
  w.heavy.assign(w.mechanisms.size(), 0);
  w.firm.assign(w.mechanisms.size(), 0);
  w.loaded = false;
  for (uint32_t g = 0; g < w.mechanisms.size(); ++g) {
    IslandGroup& group = w.island.groups[g];
    const bool many = group.columns > kManyBodies;
    if (many) group.columns = 0;
    if (when == StepEnd::kBegin || !is_fastened(g) || !(many || w.stays)) continue;
    if (!stands_firm(w.island, g)) continue;
    w.firm[g] = 1;
    group.joints = nullptr;
    group.columns = 0;
    for (uint32_t b = group.first; b < group.first + group.count; ++b) {
      w.island.bodies[b].inv_mass = 0;
      w.island.bodies[b].inv_I = {};
    }
  }
  for (uint32_t g = 0; g < w.mechanisms.size(); ++g) {
    const IslandGroup& group = w.island.groups[g];
    const double ratio = is_fastened(g) && group.count <= kSmallMechanism ? kLoaded : kHeavy;
    const bool may = data.settings.integration != Integration::kRattle && group.columns > 0 &&
                     group.count <= kLargeMechanism;
    w.heavy[g] = may && under_heavy(w.island, g, ratio) ? 1 : 0;
    const bool small = when == StepEnd::kBegin && w.island.patches.size() <= kFewPatches;
    const bool fixed = may && small && lies_on_fixed(w.island, g);
    w.tight[g] = w.heavy[g] != 0 || fixed ? 1 : 0;
    w.loaded = w.loaded || w.heavy[g] != 0;
  }
}

// What loose bodies weigh on mechanisms: themselves, or as much as they pressed with in the last
// step where others lie on them.
void find_loads(const WorldData& data, IslandWork& w, double h) {
  Island& island = w.island;
  const double fall = norm(data.settings.gravity) * h;
  for (IslandGroup& g : island.groups) g.load = 0;
  for (const IslandPatch& c : island.patches) {
    const Contact& contact = data.contacts[c.contact];
    if (!(contact.manifold.distance <= c.slack)) continue;
    double holding = 0;
    for (uint32_t k = 0; k < c.count; ++k) holding += contact.holding[k];
    const IslandBody &A = island.bodies[c.a], &B = island.bodies[c.b];
    const double weight = fall > 0 ? holding / fall : 0;
    const auto add = [&](const IslandBody& on, const IslandBody& of) {
      if (on.group == kNoGroup || on.group == of.group || !(of.inv_mass > 0)) return;
      island.groups[on.group].load += std::max(of.mass, weight);
    };
    add(A, B);
    add(B, A);
  }
}

// Most of the work, and each mechanism for itself: its joints are factored, and answer.
void prepare_group(const StepContext& context, WorldData& data, IslandWork& w, uint32_t g,
                   StepEnd when) {
  if (w.firm[g] != 0) return;
  Mechanisms& m = *context.mechanisms;
  const uint32_t index = w.mechanisms[g];
  const Mechanism& mechanism = m.list[index];
  DirectSolver& solver = m.solvers[index];
  context.mechanisms->steps[index].agreed.clear();
  context.mechanisms->steps[index].jolts.clear();
  fill_mechanism_step(context, data, index, when);
  MechanismStep& step = m.steps[index];
  std::vector<Motion> fixed;
  for (size_t b = mechanism.moving; b < step.bodies.size(); ++b) {
    const uint32_t slot = mechanism.body_slots[b];
    fixed.push_back(slot == kWorldBody ? Motion{} : kinematic_motion(context, data, slot));
  }
  const bool bent = w.foreseen && bends_ways(data, step);
  const Bends bends = bent ? Bends::kForeseen : Bends::kNone;
  solver.begin_answer(step.bodies, step.joints, context.h, mechanism_settings(data), bends);
  const bool steady = bent && turns_steadily(context, step, solver.bounded_rows());
  w.answers[g].reset(solver, mechanism.moving, fixed, steady ? bends : Bends::kNone);
  if (steady) w.answers[g].set_hastes(calc_hastes(step, mechanism.moving, fixed));
  IslandGroup& group = w.island.groups[g];
  group.led = steady ? calc_lead(step) : 0;
  group.bend.clear();
  group.joints = &w.answers[g];
  const double tightness = w.tight[g] != 0 ? find_tightness(context, data, w, g, solver) : 0;
  w.tight[g] = tightness > kTight ? 1 : 0;
  // overlaps: bodies that tension holds do not go aside, others must
  const double yielding = 1 / (1 + tightness);
  group.yielding = when == StepEnd::kEnd && w.tight[g] != 0 ? yielding * yielding : 1;
  w.island.prepare_group(g);
}

void fill_island(const StepContext& context, WorldData& data, IslandWork& w, StepEnd when) {
  Island& island = w.island;
  w.hit = w.hit_joints = false;
  w.begin.resize(island.bodies.size());
  island.motion.resize(island.bodies.size());
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    fill_body(context, data, island.bodies[b], when, w.begin[b], island.motion[b]);
  }
  order_by_level(data, island);
  for (IslandPatch& p : island.patches) fill_patch(data, w, p, when);
  w.thin = std::any_of(island.patches.begin(), island.patches.end(), [&](const IslandPatch& p) {
    const double a = std::sqrt(std::max(norm2(island.bodies[p.a].a), norm2(island.bodies[p.b].a)));
    return slow_approach(a, context.h, p.thin) < a * context.h;
  });
  choose_groups(context, data, w, when);
  find_loads(data, w, context.h);
  w.foreseen = when == StepEnd::kBegin && is_solved_in_motion(island);
}

void finish_island(const StepContext& context, IslandWork& w) {
  for (uint32_t g = 0; g < w.mechanisms.size(); ++g) {
    if (w.firm[g] != 0) continue;
    const DirectSolver& solver = context.mechanisms->solvers[w.mechanisms[g]];
    add_rows(w, g, solver.bounded_rows(), w.answers[g].fixed());
  }
  w.island.prepare();
}

}  // namespace

double contact_slack(const WorldData& data, const Contact& c) {
  double size = kInfinity;
  for (const uint32_t slot : {c.body_a, c.body_b}) {
    if (data.mass[slot].size > 0) size = std::min(size, data.mass[slot].size);
  }
  return size < kInfinity ? kSlack * data.settings.tolerance * size : 0;
}

void prepare_islands(const StepContext& context, WorldData& data,
                     std::span<IslandWork* const> islands, StepEnd when) {
  const auto each = [&](size_t count, auto&& work) {
    parallel_for(context.pool, count, 1, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) work(i);
    });
  };
  each(islands.size(), [&](size_t i) { fill_island(context, data, *islands[i], when); });
  // one large island may hold nearly all mechanisms there are
  std::vector<std::pair<IslandWork*, uint32_t>> groups;
  for (IslandWork* w : islands) {
    for (uint32_t g = 0; g < w->mechanisms.size(); ++g) groups.push_back({w, g});
  }
  each(groups.size(),
       [&](size_t i) { prepare_group(context, data, *groups[i].first, groups[i].second, when); });
  each(islands.size(), [&](size_t i) { finish_island(context, *islands[i]); });
}

void find_islands(StepContext& context, WorldData& data) {
  update_mechanisms(data, *context.mechanisms);
  for (MechanismStep& step : context.mechanisms->steps) step.taken = false;
  context.contacts->count = 0;
  collect_islands(context, data);
  find_sleepers(context, data);
  ContactWork& work = *context.contacts;
  std::vector<IslandWork*> awake;
  for (size_t i = 0; i < work.count; ++i) {
    if (!work.islands[i].asleep) awake.push_back(&work.islands[i]);
  }
  prepare_islands(context, data, awake, StepEnd::kBegin);
}

}  // namespace tenon
