// Contacts of a step; see docs/theory/contacts.md.
#include <algorithm>

#include "tenon/engine/joints/axis_law.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/phases.h"
#include "tenon/engine/world/turning.h"
#include "tenon/engine/world/warm_start.h"

namespace tenon {
namespace {

constexpr int kColdSweeps = 200, kSweepsAtRest = 16, kSweepsInMotion = 8, kSlowSweeps = 24;
constexpr int kSweepsWithJoints = 12;  // what more would gain, recovery gains at less cost
constexpr int kSweepsOfMeshes = 40;    // finding contacts of these costs more than all sweeps
// Of its weight: what first guesses carry of an island that is not cold.
constexpr double kWarm = 0.5;
constexpr double kAtRest = 0.1;  // of gravity times step: slower islands are at rest
constexpr double kSlow = 2;
constexpr size_t kFewVisits = 4000;  // of patches: so many are cheap
// Errors are slower than kCalm of gravity times step, and than kOfChange times what the last sweep
// changed above kConverged.
constexpr double kCalm = 4e-4, kOfChange = 1000, kConverged = 1e-7;
// Islands at rest whose sweeps end by their own, at the first one or later, change less than this.
constexpr double kSolved = 2e-6;

bool is_mesh(const WorldData& data, uint32_t collider) {
  return kind(data.colliders[collider].shape) == ShapeKind::kMesh;
}

// Velocities that what rests still has after the sweeps are errors of these, and the impulses that
// the next step begins with have them as well: together they would count twice, and grow wherever
// sweeps take away less than half of them. So what is slower than forces of kCalm / 4 of gravity
// would make it is slowed down.                                                                (9)
void calm_island(const WorldData& data, IslandWork& w, double still) {
  const Island& island = w.island;
  const auto part_of = [&](size_t b) {
    const IslandBody& body = island.bodies[b];
    const double trace = body.inv_I(0, 0) + body.inv_I(1, 1) + body.inv_I(2, 2);
    const double r2 = trace > 0 ? 3 * body.inv_mass / trace : 0;
    const Motion& u = island.motion[b];
    return std::max(0.0, 1 - std::sqrt(norm2(u.v) + r2 * norm2(u.w)) / still);
  };
  const auto calm = [&](size_t b, double part) {
    const BodyMass& mass = data.mass[island.bodies[b].slot];
    const Mat3 R = to_matrix(w.begin[b].q_WB);
    const Motion& u = island.motion[b];
    w.wrenches[b].force -= (part * mass.mass) * u.v;
    w.wrenches[b].torque -= part * (R * (mass.I_B * (transpose(R) * u.w)));
  };
  for (const IslandGroup& g : island.groups) {
    double part = 1;
    for (size_t b = g.first; b < g.first + g.count; ++b) part = std::min(part, part_of(b));
    for (size_t b = g.first; b < g.first + g.count && part > 0; ++b) calm(b, part);
  }
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    if (island.bodies[b].group != kNoGroup || !moves(island.bodies[b])) continue;
    const double part = part_of(b);
    if (part > 0) calm(b, part);
  }
}

// Whether loose bodies of very unequal weight touch: sweeps take their time with those.
bool has_heavy_pair(const Island& island) {
  return std::any_of(island.patches.begin(), island.patches.end(), [&](const IslandPatch& c) {
    const IslandBody &a = island.bodies[c.a], &b = island.bodies[c.b];
    if (a.group != kNoGroup || b.group != kNoGroup || !moves(a) || !moves(b)) return false;
    return std::max(a.mass, b.mass) > kHeavyPair * std::min(a.mass, b.mass);
  });
}

// How many sweeps are cheap. A visit moves all touched bodies of a mechanism; where joints take
// turns with contacts, a sweep moves all bodies that they hold.
int cheap_sweeps(const Island& island) {
  size_t moved = 0;
  for (const IslandGroup& g : island.groups) {
    if (g.columns == 0) moved += g.count;
  }
  for (const IslandPatch& c : island.patches) {
    moved += 1;
    for (const uint32_t b : {c.a, c.b}) {
      const uint32_t g = island.bodies[b].group;
      if (g != kNoGroup) moved += island.groups[g].columns;
    }
  }
  return static_cast<int>(kFewVisits / moved);
}

// What rests is solved well, at once or in the course of some steps, as each begins with what the
// last one found; where nothing is known yet, and where it costs little, at once.
int most_sweeps(const Island& island, const IslandSettings& settings, bool meshes) {
  const double fall = settings.gravity * settings.h;
  const int visits = cheap_sweeps(island);
  if (has_heavy_pair(island)) return std::clamp(visits, kSlowSweeps, kColdSweeps);
  const int moving = meshes ? kSlowSweeps : kSweepsInMotion;
  if (!(settings.speed < kSlow * fall)) return std::clamp(visits, moving, kSlowSweeps);
  const int jointed = meshes ? kSweepsOfMeshes : kSweepsWithJoints;
  if (!island.groups.empty()) return std::clamp(visits, jointed, kColdSweeps);
  if (!(settings.speed < kAtRest * fall)) return kSlowSweeps;
  double held = 0, mass = 0;
  for (const IslandPoint& x : island.points) held += x.p;
  for (const IslandBody& b : island.bodies) mass += b.mass;
  if (held < kWarm * mass * fall) return kColdSweeps;
  return std::clamp(visits, kSweepsAtRest, kColdSweeps);
}

void resist_island(const StepContext& context, WorldData& data, IslandWork& w) {
  Island& island = w.island;
  IslandSettings settings = island_settings(context, data);
  settings.speed = island.mean_speed();
  warm_start(context, data, w);
  settings.max_sweeps = most_sweeps(island, settings, has_mesh_contacts(data, w));
  island.faceted = touches_in_patches(data, w);
  settings.wedged = !w.mechanisms.empty() && island.faceted;
  settings.thorough = w.drowsy = is_drowsy(data, w, settings.gravity * context.h);
  const bool tight = is_tight(w);
  // hits make other ways of those that were foreseen, if they do more than what leads bodies round;
  // the step of what is tight knows its own
  const bool hit = w.hit_joints && w.hit_change > context.h * island.most_led();
  const bool bends = !tight && !hit;
  if (bends) island.find_bends();
  turn_levers(context, data, w);
  island.guess_by_weight(context.h);
  island.begin_springs();
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    const IslandBody& body = island.bodies[b];
    if (!moves(body)) {
      // what it carries moves as it does at the end of the step
      const BodyState& end = data.state[body.slot];
      if (data.info[body.slot].motion == MotionKind::kKinematic) {
        island.motion[b] = {end.v_WC, end.w_WB};
      }
      continue;
    }
    island.motion[b].v += context.h * body.a;
    island.motion[b].w += context.h * body.alpha;
  }
  if (bends) island.bend_ways();
  w.settled = true;
  w.calm = 0;
  if (!tight || !resist_tight_island(context, data, w, settings)) {
    w.settled = !tight;
    w.contact = island.resist(settings);
  }
  w.wrenches.assign(island.bodies.size(), {});
  island.add_wrenches(w.wrenches, Island::Kind::kSolve, false);
  if (tight) return;
  const double fall = settings.gravity * settings.h;
  w.calm = std::min(kCalm * fall, kOfChange * (w.contact.residual - kConverged * fall));
  if (w.calm > 0) calm_island(data, w, w.calm);
}

// What motors have agreed upon with contacts is what they aim at in this step.               (5h)
void store_agreed_rates(const StepContext& context, const IslandWork& w) {
  const Island& island = w.island;
  for (size_t g = 0; g < island.groups.size() && !is_tight(w); ++g) {
    const IslandGroup& group = island.groups[g];
    for (size_t i = group.first_bound; i < group.first_bound + group.bounds; ++i) {
      const IslandRow& r = island.bounds[i];
      if (!r.motor || !r.held) continue;  // those at their bounds do what they can
      MechanismStep& step = context.mechanisms->steps[w.mechanisms[g]];
      std::array<double, kMaxRows> none;
      none.fill(AxisLaw::kNotAgreed);
      if (step.agreed.empty()) step.agreed.assign(step.joints.size(), none);
      step.agreed[r.joint][r.joint_row] = island.agreed_rate(i);
    }
  }
}

void store_contacts(const StepContext& context, WorldData& data, IslandWork& w) {
  const Island& island = w.island;
  store_agreed_rates(context, w);
  const ImpactStates& impacts = context.contacts->impacts;
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    if (!moves(island.bodies[b])) continue;
    const uint32_t slot = island.bodies[b].slot;
    Wrench& applied = data.applied[slot];
    applied.force += (1 / context.h) * w.wrenches[b].force;
    applied.torque += (1 / context.h) * w.wrenches[b].torque;
    if (!impacts.struck(slot)) continue;
    // contacts stop it from its hit on, and carry it since it is held, not from the begin of the
    // step on                                                                           (3b) (3f)
    const Mechanics before = calc_body_mechanics(data, slot);
    BodyState& s = data.state[slot];
    const double clock = impacts.clock[slot], held = std::min(impacts.held_since(slot), clock);
    s.x_WC -= (0.5 * clock * island.bodies[b].inv_mass) * w.wrenches[b].force;
    if (held < clock) s.x_WC -= (0.5 * (clock - held) * (context.h - held)) * island.bodies[b].a;
    book_contact(data, slot, before);
    w.begin[b] = s;
  }
  // where mechanisms will find themselves at the end of the step: their solver begins there
  for (const IslandGroup& g : island.groups) {
    if (g.columns == 0 || is_tight(w)) continue;
    for (const uint32_t b : g.order) {
      data.acceleration[island.bodies[b].slot] = {
          (1 / context.h) * (island.motion[b].v - w.begin[b].v_WC),
          (1 / context.h) * (island.motion[b].w - w.begin[b].w_WB)};
    }
  }
  const double fall = norm(data.settings.gravity) * context.h;
  const bool held_over =
      !w.mechanisms.empty() || touches_in_patches(data, w) || is_unsolved(w, fall);
  const bool rests = held_over && !is_tight(w) && island.mean_speed() < kAtRest * fall;
  for (const IslandPatch& c : island.patches) {
    Contact& contact = data.contacts[c.contact];
    for (uint32_t k = 0; k < c.count; ++k) {
      const IslandPoint& x = island.points[c.first + k];
      contact.holding[k] = x.p;
      contact.impulse_W[k] = island.point_impulse(c, x, Island::Kind::kAll);
    }
    if (!rests) contact.vain = 0;
    if (rests && context.ends_step) contact.vain = count_vain(island, c, contact.vain);
    contact.rub_W = c.rub.x * c.t1 + c.rub.y * c.t2;
    contact.spin = c.rub.z;
    contact.roll_W = c.roll.y * c.t1 + c.roll.z * c.t2;
  }
}

}  // namespace

bool has_mesh_contacts(const WorldData& data, const IslandWork& w) {
  return std::any_of(w.contacts.begin(), w.contacts.end(), [&](uint32_t i) {
    const Contact& c = data.contacts[i];
    return is_mesh(data, c.collider_a) || is_mesh(data, c.collider_b);
  });
}

bool is_solved_in_motion(const Island& island) { return cheap_sweeps(island) >= kSlowSweeps; }

bool is_jammed(const WorldData& data, uint32_t contact) {
  constexpr double kOpposite = -0.2;  // cosine
  const Contact& c = data.contacts[contact];
  if (!(c.manifold.distance < 0)) return false;
  const auto opposes = [&](uint32_t i) {
    const Contact& other = data.contacts[i];
    return other.manifold.distance < 0 &&
           dot(other.manifold.normal_W, c.manifold.normal_W) < kOpposite;
  };
  for (uint32_t i = contact; i-- > 0 && is_same_pair(c, data.contacts[i]);) {
    if (opposes(i)) return true;
  }
  const auto count = static_cast<uint32_t>(data.contacts.size());
  for (uint32_t i = contact + 1; i < count && is_same_pair(c, data.contacts[i]); ++i) {
    if (opposes(i)) return true;
  }
  return false;
}

bool is_unsolved(const IslandWork& w, double fall) { return w.contact.residual > kSolved * fall; }

bool touches_in_patches(const WorldData& data, const IslandWork& w) {
  return std::any_of(w.contacts.begin(), w.contacts.end(),
                     [&](uint32_t i) { return data.contacts[i].patch > 0; });
}

IslandSettings island_settings(const StepContext& context, const WorldData& data) {
  IslandSettings s;
  s.h = context.h;
  s.gravity = norm(data.settings.gravity);
  s.tolerance = data.settings.tolerance;
  return s;
}

void spread_wrenches(const Island& island, std::span<const Wrench> wrenches,
                     std::vector<Motion>& motion) {
  motion.assign(island.bodies.size(), {});
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    const IslandBody& body = island.bodies[b];
    motion[b] = {body.inv_mass * wrenches[b].force, body.inv_I * wrenches[b].torque};
  }
  std::vector<Motion> local;
  for (const IslandGroup& g : island.groups) {
    if (g.joints == nullptr) continue;
    local.clear();
    for (const uint32_t b : g.order) local.push_back(motion[b]);
    g.joints->project(local, false);
    // as the solve took it to answer
    for (size_t i = 0; i < g.order.size(); ++i) {
      motion[g.order[i]] = {g.yielding * local[i].v, g.yielding * local[i].w};
    }
  }
}

void book_contact(WorldData& data, uint32_t slot, const Mechanics& before) {
  const Mechanics after = calc_body_mechanics(data, slot);
  const double work = after.kinetic_J + after.potential_J - before.kinetic_J - before.potential_J;
  book(data, slot,
       {work, work, after.linear_momentum - before.linear_momentum,
        after.angular_momentum - before.angular_momentum});
}

void resist_contacts(StepContext& context, WorldData& data) {
  ContactWork& work = *context.contacts;
  parallel_for(context.pool, work.count, 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (!work.islands[i].asleep) resist_island(context, data, work.islands[i]);
    }
  });
  StepDiagnostics& d = data.diagnostics;
  d.contact_sweeps = 0;
  d.contact_residual = 0;
  // those of no island push nothing, those that sleep or are left out as they did
  for (Contact& c : data.contacts) {
    if (is_idle(context, c.body_a) || is_idle(context, c.body_b)) continue;
    c.impulse_W = {};
    c.holding = {};
    c.rub_W = c.roll_W = {};
    c.spin = 0;
  }
  for (size_t i = 0; i < work.count; ++i) {
    if (work.islands[i].asleep) continue;
    store_contacts(context, data, work.islands[i]);
    d.contact_sweeps =
        std::max(d.contact_sweeps, static_cast<uint32_t>(work.islands[i].contact.sweeps));
    d.contact_residual = std::max(d.contact_residual, work.islands[i].contact.residual);
  }
}

bool contacts_settled(const StepContext& context) {
  const ContactWork& work = *context.contacts;
  return std::all_of(work.islands.data(), work.islands.data() + work.count,
                     [](const IslandWork& w) { return w.settled; });
}

bool contacts_may_not_settle(const StepContext& context) {
  const ContactWork& work = *context.contacts;
  return std::any_of(work.islands.data(), work.islands.data() + work.count,
                     [](const IslandWork& w) { return is_tight(w); });
}

}  // namespace tenon
