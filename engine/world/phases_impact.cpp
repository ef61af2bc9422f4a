// Collisions of a step, one after the other as they come; see docs/theory/contacts.md, section 2.
#include <algorithm>

#include "tenon/engine/world/followers.h"
#include "tenon/engine/world/island_balance.h"
#include "tenon/engine/world/island_impacts.h"
#include "tenon/engine/world/misses.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

constexpr int kMostRounds = 16;

IslandSettings strike_settings(const StepContext& context) {
  IslandSettings s;
  s.h = context.h;
  return s;
}

// What the joints of an island held against in its hits, once their answer is known.
void keep_jolts(const StepContext& context, const IslandWork& w) {
  Mechanisms& m = *context.mechanisms;
  for (const uint32_t index : w.mechanisms) {
    auto& jolts = m.steps[index].jolts;
    jolts.resize(m.list[index].joints.size());
    m.solvers[index].read_impulses(jolts);
  }
}

// Islands with joints: velocities after the collisions; what they change is booked.
void store_jointed_hits(const StepContext& context, WorldData& data, IslandWork& w,
                        std::vector<Motion>& motion) {
  Island& island = w.island;
  w.wrenches.assign(island.bodies.size(), {});
  island.add_wrenches(w.wrenches, Island::Kind::kHit, false);
  spread_wrenches(island, w.wrenches, motion);
  keep_jolts(context, w);
  double fastest_before = 0, fastest_after = 0;
  w.hit_change = 0;
  const double booked = data.diagnostics.contact_work_J;
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    if (!(island.bodies[b].inv_mass > 0)) continue;
    const uint32_t slot = island.bodies[b].slot;
    const Mechanics before = calc_body_mechanics(data, slot);
    BodyState& s = data.state[slot];
    fastest_before = std::max(fastest_before, speed_of(s, data.mass[slot]));
    s.v_WC += motion[b].v;
    w.hit_change =
        std::max(w.hit_change, norm(motion[b].v) + norm(motion[b].w) * data.mass[slot].size);
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
    if (w.hit_joints) store_jointed_hits(context, data, w, motion);
    if (!w.isolated) continue;
    // hits are exact where no joints are; others may have come from outside
    if (w.mechanisms.empty() || followed[i] != 0) remember_balance(context, data, w);
  }
}

}  // namespace tenon
