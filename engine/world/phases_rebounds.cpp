// Collisions that came late in a step have moved bodies for too long; and what the contacts of a
// step have done to the energy of islands. docs/theory/contacts.md
#include <algorithm>

#include "tenon/engine/integrate/free_motion.h"
#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/hit_energy.h"
#include "tenon/engine/world/island_balance.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

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

void delay_collisions(StepContext& context, WorldData& data) {
  ContactWork& work = *context.contacts;
  std::vector<Motion> motion;
  for (size_t i = 0; i < work.count; ++i) {
    IslandWork& w = work.islands[i];
    if (w.asleep) continue;
    const double done = work_of_contacts(data, w, context.h);
    book(data, first_mover(w), {0, done, {}, {}});
    // contacts take energy away, whatever impulses they and taut joints agree about
    const bool agreed = w.loaded || is_tight(w);
    if (agreed && !w.isolated && !is_driven(context, data, w)) take_energy(data, w, done);
    if (w.hit_joints) delay_hits(context, data, w, done, motion);
    keep_energy(context, data, w);
    bound_energy(context, data, w, done);
    if (w.isolated) restore_balance(context, data, w, context.h);
  }
}

}  // namespace tenon
