// Contacts of a step; see docs/theory/contacts.md.
#include <algorithm>

#include "tenon/engine/integrate/free_motion.h"
#include "tenon/engine/joints/axis_law.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/hit_energy.h"
#include "tenon/engine/world/island_balance.h"
#include "tenon/engine/world/phases.h"
#include "tenon/engine/world/shaded.h"
#include "tenon/engine/world/turning.h"

namespace tenon {
namespace {

// A small gap closes in about so many steps. Displacements are means of velocities at both ends of
// a step: fewer than 2.9 would overshoot and swing.                                         (5)
constexpr double kSettlingSteps = 3;
// What presses and overlaps comes apart in about so many steps, no faster than this part of what
// gravity does in one: it rises by less than a hundredth of what it would fall in a step. (5b)
constexpr double kRecoverySteps = 5, kRecovery = 0.1;
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
constexpr double kNeverReached = 1e9;  // m/s
bool moves(const IslandBody& b) { return b.inv_mass > 0; }

bool is_mesh(const WorldData& data, uint32_t collider) {
  return kind(data.colliders[collider].shape) == ShapeKind::kMesh;
}

bool is_tight(const IslandWork& w) {
  return std::any_of(w.tight.begin(), w.tight.end(), [](uint8_t t) { return t != 0; });
}

// Bodies whose joints take turns with contacts, limits and all.
bool waits_for_joints(const Island& island, const IslandPatch& c) {
  const auto waits = [&](uint32_t b) {
    const uint32_t g = island.bodies[b].group;
    return g != kNoGroup && island.groups[g].columns == 0 && island.groups[g].bounds > 0;
  };
  return waits(c.a) || waits(c.b);
}

// A mesh that lies in a hollow of facets touches it in many patches, and no place of a rigid body
// opens all their overlaps to the last digit: the rates that would open them contradict those that
// friction allows, and sweeps would go on for ever. What presses may overlap by this much, m; zero
// for pairs of one patch.                                                                   (5d)
double facet_play(const WorldData& data, uint32_t contact) {
  constexpr double kPlay = 2e-4;  // of the thinner of the two
  const Contact& c = data.contacts[contact];
  const bool first_of_many =
      contact + 1 < data.contacts.size() && is_same_pair(c, data.contacts[contact + 1]);
  if (c.patch == 0 && !first_of_many) return 0;
  return kPlay * std::min(data.colliders[c.collider_a].size, data.colliders[c.collider_b].size);
}

// Whether gaps of a patch are seen from where its bodies are taken to have begun.
bool follows_hits(const Island& island, const IslandPatch& c) {
  const auto follows = [&](uint32_t b) {
    const uint32_t g = island.bodies[b].group;
    return g == kNoGroup || !island.groups[g].answer.empty();
  };
  return follows(c.a) && follows(c.b);
}

// Where joints and many contacts hold bodies, meshes wedge into one another in several patches, or
// bodies of a heap do so among many, these are held more than once over. No place closes all gaps
// and opens all overlaps then, rates that would contradict each other, and sweeps pass impulses on
// for ever. What presses, is as near as it may be, and did not go where it was asked to for some
// steps, is not asked any more: what all are asked for at last, to stay, they can do. How near that
// is, m. (5e)
constexpr uint8_t kVainSteps = 6;
// Loose bodies can go aside in the end: of the thinner one, what they are not asked for any more.
constexpr double kGivenUpLoose = 1e-3;
double given_up(const StepContext& context, const WorldData& data, const Contact& c, bool loose) {
  if (c.vain < kVainSteps) return 0;
  const double most = tolerated_overlap(context, data, c);
  const double thin =
      std::min(data.colliders[c.collider_a].size, data.colliders[c.collider_b].size);
  return loose ? std::min(most, kGivenUpLoose * thin) : most;
}

// First guesses, what held in the last step; and the least rates (5).
void warm_start(const StepContext& context, const WorldData& data, IslandWork& w) {
  const double h = context.h;
  const double recovery = kRecovery * norm(data.settings.gravity) * h;
  const bool tight = is_tight(w);
  const bool loose = w.mechanisms.empty() && !touches_in_patches(data, w);
  Island& island = w.island;
  const std::vector<uint8_t> shaded = w.thin ? find_shaded(island) : std::vector<uint8_t>();
  for (IslandPatch& c : island.patches) {
    const Contact& contact = data.contacts[c.contact];
    const bool left_out = w.thin && shaded[static_cast<size_t>(&c - island.patches.data())] != 0;
    const double strength =
        std::sqrt(std::max(norm2(island.bodies[c.a].a), norm2(island.bodies[c.b].a)));
    // joints and limits of one mechanism may not allow it
    const bool own = island.bodies[c.a].group != kNoGroup &&
                     island.bodies[c.a].group == island.bodies[c.b].group;
    const bool slowly = !tight && !own && recovers(contact) && !waits_for_joints(island, c) &&
                        !is_jammed(data, c.contact);
    const double play = std::max(c.slack, facet_play(data, c.contact));
    const double near_enough = std::max(c.slack, given_up(context, data, contact, loose));
    for (uint32_t k = 0; k < c.count; ++k) {
      IslandPoint& x = island.points[c.first + k];
      x.p = contact.holding[k];
      x.vain = false;
      const double free = x.p > 0 ? near_enough : c.slack;
      const double overlap = -x.gap - (x.p > 0 ? std::max(play, free) : free);
      const double rate = island.rate_of(c, x), a = x.ease * strength;
      // what was hit has met; where others have sent it back since, the rest of its way is known
      const bool met = x.late > 0 && !(rate < 0 && follows_hits(island, c));
      const double gap = met ? 0 : std::max(x.gap, 0.0), mean = -gap / h;
      // and between two is not what keeps them apart
      const bool near = gap <= c.slack + std::min(a * h * h, kSmallGap * c.thin);
      const bool rests = near && rate >= -a * h;
      // the way is the mean of both ends: what began slower may end faster
      x.least = rests ? -std::max(gap - free, 0.0) / (kSettlingSteps * h)
                      : std::min(mean, 2 * mean - rate);
      if (overlap > 0 && x.late == 0 && slowly) {
        x.least = std::max(x.least, std::min(recovery, overlap / (kRecoverySteps * h)));
      }
      if (c.passes || left_out) {
        x.least = -kNeverReached;
        x.p = 0;
      }
    }
    c.slips = island.slip_speed(c) > strength * h;  // faster than forces of one step explain
    c.rub = {dot(c.t1, contact.rub_W), dot(c.t2, contact.rub_W), contact.spin};
    c.roll = {0, dot(c.t1, contact.roll_W), dot(c.t2, contact.roll_W)};
  }
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
  // hits make other ways of those that were foreseen; the step of what is tight knows its own
  const bool bends = !tight && !w.hit_joints;
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

// Whether a patch that presses is asked to close or to come apart and does not, or has been given
// up: the number of steps for which that has been so.                                        (5e)
uint8_t count_vain(const Island& island, const IslandPatch& c, uint8_t vain) {
  constexpr double kDone = 0.5;  // of what it was asked for
  const uint8_t more = std::min<uint8_t>(Contact::kMostVain, static_cast<uint8_t>(vain + 1));
  bool presses = false;
  for (uint32_t i = c.first; i < c.first + c.count; ++i) {
    const IslandPoint& x = island.points[i];
    presses = presses || x.p > 0;
    if (x.p > 0 && x.vain) return more;
    if (!(x.p > 0) || x.least == 0) continue;
    const double rate = island.rate_of(c, x);
    if (x.least > 0 ? rate < kDone * x.least : rate > kDone * x.least) return more;
  }
  return presses && vain >= kVainSteps ? vain : uint8_t{0};
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

// The part that contacts have in the work of the forces on the island's bodies, which the motion
// has booked: what rubbing took, mostly.
double work_of_contacts(const WorldData& data, const IslandWork& w, double h) {
  double work = 0;
  for (size_t b = 0; b < w.island.bodies.size(); ++b) {
    const IslandBody& body = w.island.bodies[b];
    if (!moves(body) || data.frozen[body.slot] != 0) continue;
    const BodyState &begin = w.begin[b], &end = data.state[body.slot];
    if (body.group != kNoGroup) {
      work += (1 / h) * work_over_step(w.wrenches[b], begin, end, h);
      continue;
    }
    work += dot((1 / h) * w.wrenches[b].force, end.x_WC - begin.x_WC);
    if (data.mass[body.slot].moments == Vec3{}) continue;
    work += work_of_torque(begin, end, data.mass[body.slot], (1 / h) * w.wrenches[b].torque, h);
  }
  return work;
}

// Islands with joints: impulses that came late in the step have moved bodies for too long. By how
// much; returns whether any did. Impulses of hits that hardly move what they push may be large, and
// their delays larger than anything can have gone.                                          (3c)
bool find_delays(const WorldData& data, IslandWork& w, double h, std::vector<Motion>& motion) {
  w.wrenches.assign(w.island.bodies.size(), {});
  w.island.add_wrenches(w.wrenches, Island::Kind::kHit, true);
  const bool late = std::any_of(w.wrenches.begin(), w.wrenches.end(), [](const Wrench& t) {
    return !(t.force == Vec3{} && t.torque == Vec3{});
  });
  if (late) w.island.add_springs(w.wrenches);
  if (!late) return false;
  spread_wrenches(w.island, w.wrenches, motion);
  for (size_t g = 0; g < w.island.groups.size(); ++g) {
    bound_reach(data, w.island, w.island.groups[g], h * w.hit_speed, motion);
  }
  return true;
}

// Who stands for an island in the accounts: one that is taken back with it, not what it lies on.
uint32_t first_mover(const IslandWork& w) {
  const std::vector<IslandBody>& bodies = w.island.bodies;
  const auto mover =
      std::find_if(bodies.begin(), bodies.end(), [](const IslandBody& b) { return moves(b); });
  return (mover != bodies.end() ? mover : bodies.begin())->slot;
}

// Bodies of springs that a step cannot resolve are not where (3c) takes them to be: where it makes
// the energy less right, they stay where they are.
void shift_on_springs(StepContext& context, WorldData& data, IslandWork& w,
                      std::span<const Motion> motion) {
  StepDiagnostics& d = data.diagnostics;
  const double booked = d.contact_work_J, elastic = calc_elastic_energy(context, data, w);
  std::vector<BodyState> ends;
  for (const IslandBody& b : w.island.bodies) ends.push_back(data.state[b.slot]);
  shift_island(context, data, w, motion, ShiftAlong::kPath);
  // what springs store is no work on bodies
  const double stored = calc_elastic_energy(context, data, w) - elastic;
  const double given = d.contact_work_J - booked + stored;
  const double excess = w.hit_J - w.island.hit_work;
  if (std::fabs(excess + given) > std::fabs(excess)) {
    for (size_t b = 0; b < ends.size(); ++b) put_body(data, w.island.bodies[b].slot, ends[b]);
  } else {
    w.hit_J += given;
    book(data, first_mover(w), {0, stored, {}, {}});
  }
}

// `work`: of the contacts' forces in this step.
void delay_hits(StepContext& context, WorldData& data, IslandWork& w, double work,
                std::vector<Motion>& motion) {
  const bool late = find_delays(data, w, context.h, motion);
  if (!has_springs_only(context, data, w)) {
    const double booked = data.diagnostics.contact_work_J;
    if (late) shift_island(context, data, w, motion, ShiftAlong::kPath);
    // hits, what follows from them and where they came late: together they give nothing
    const double given = w.hit_J + work + data.diagnostics.contact_work_J - booked;
    if (!w.isolated && !is_driven(context, data, w)) take_energy(data, w, given);
    return;
  }
  if (late) shift_on_springs(context, data, w, motion);
  balance_hits(data, w);
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

namespace {

// The most that moved bodies and running surfaces can have put in: their impulses times their
// speeds.
double calc_most_drive(const WorldData& data, const IslandWork& w) {
  const Island& island = w.island;
  double sum = 0;
  for (const IslandPatch& c : island.patches) {
    double force = 0, couple = std::fabs(c.rub.z) + std::fabs(c.rub_hit.z) + norm(c.roll), arm = 0;
    for (const Vec3& rub : {c.rub, c.rub_hit}) force += norm(Vec3{rub.x, rub.y, 0});
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      force += island.points[i].p + island.points[i].hit;
      arm = std::max(arm, island.points[i].arm);
    }
    sum += force * norm(c.drift);
    for (const auto& [b, r] : {std::pair{c.a, c.rA}, std::pair{c.b, c.rB}}) {
      if (moves(island.bodies[b])) continue;
      const BodyState &begin = w.begin[b], &end = data.state[island.bodies[b].slot];
      for (const BodyState* s : {&begin, &end}) {
        const double spin = norm(s->w_WB);
        sum += force * (norm(s->v_WC + cross(s->w_WB, r)) + spin * arm) + couple * spin;
      }
    }
  }
  return sum;
}

// Contacts that cannot hold (a mechanism between a moved body and what it hangs on) push with
// forces of any size, which do any work as their levers turn in the course of a step. What is far
// more than anybody can have put in is taken away again.
void bound_energy(const StepContext& context, WorldData& data, const IslandWork& w, double work) {
  constexpr double kAtRestStill = 10;  // of what weight does in a step
  // of those that nothing drives, more has been taken already
  if (w.mechanisms.empty() || !(work > 0) || !is_driven(context, data, w)) return;
  const double fall = norm(data.settings.gravity) * context.h;
  double known = calc_most_drive(data, w);
  for (size_t b = 0; b < w.island.bodies.size(); ++b) {
    if (!moves(w.island.bodies[b])) continue;
    const BodyState& s = w.begin[b];
    const double mass = w.island.bodies[b].mass;
    known += 0.5 * (mass * norm2(s.v_WC) + dot(s.w_WB, s.L_W)) + kAtRestStill * mass * fall * fall;
  }
  if (work > known) take_energy(data, w, work - known);
}

// Where nothing else works on an island, its energy does not grow. What rolls may be wrong to
// second order in the step, either way.
void keep_energy(const StepContext& context, WorldData& data, const IslandWork& w) {
  constexpr double kUnnoticed = 1e-3;  // of the kinetic energy
  if (!(w.most_energy < kInfinity)) return;
  const double gain = calc_energy(context, data, w) - w.most_energy;
  if (!(gain > 0)) return;
  double kinetic = 0;
  for (const IslandBody& b : w.island.bodies) {
    if (moves(b)) kinetic += calc_body_mechanics(data, b.slot).kinetic_J;
  }
  if (!w.hit_joints && !(gain > kUnnoticed * kinetic)) return;
  w.hit_joints ? take_energy(data, w, gain) : take_gain(context, data, w, gain);
}

}  // namespace

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

void delay_collisions(StepContext& context, WorldData& data) {
  ContactWork& work = *context.contacts;
  std::vector<Motion> motion;
  for (size_t i = 0; i < work.count; ++i) {
    IslandWork& w = work.islands[i];
    if (w.asleep) continue;
    const double done = work_of_contacts(data, w, context.h);
    book(data, first_mover(w), {0, done, {}, {}});
    // contacts take energy away, whatever impulses they and taut joints agree about
    if (w.loaded && !w.isolated && !is_driven(context, data, w)) take_energy(data, w, done);
    if (w.hit_joints) delay_hits(context, data, w, done, motion);
    keep_energy(context, data, w);
    bound_energy(context, data, w, done);
    if (w.isolated) restore_balance(context, data, w, context.h);
  }
}

}  // namespace tenon
