// The method 'displacement': bodies that joints or contacts connect step together
// (engine/solve_displacement/step.h), those that nothing touches all in one go.
#include <algorithm>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/base/parallel.h"
#include "tenon/engine/forces/air_drag.h"
#include "tenon/engine/forces/gravity.h"
#include "tenon/engine/math/dense_lu.h"
#include "tenon/engine/world/applied_forces.h"
#include "tenon/engine/world/displaced_islands.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

bool is_displaced(const WorldData& data, uint32_t slot) {
  return slot != kWorldBody && data.info[slot].motion == MotionKind::kDynamic &&
         data.frozen[slot] == 0;
}

// The first step is Stoermer's own: half of what forces do, so that velocities are those of the
// middle of steps from then on.
double force_share(const WorldData& data) { return data.step_count == 1 ? 0.5 : 1; }

displacement::StepBody make_body(const StepContext& context, WorldData& data, uint32_t slot) {
  displacement::StepBody b;
  if (slot == kWorldBody) return b;
  b.begin = b.end = data.state[slot];
  if (!is_displaced(data, slot)) {
    if (data.info[slot].motion == MotionKind::kKinematic) {
      b.begin = context.kinematic_begin[slot];
    }
    return b;
  }
  b.mass = &data.mass[slot];
  Wrench total = data.applied[slot];
  if (data.mass[slot].moments == Vec3{}) total.torque = {};
  if (data.info[slot].gravity) add_gravity(total, data.mass[slot], data.settings.gravity);
  b.force = force_share(data) * total.force;
  b.torque = force_share(data) * total.torque;
  b.begin.v_WC = slow_by_drag(b.begin.v_WC, drag_in_step(data, slot), b.mass->inv_mass, context.h);
  return b;
}

void add_contact(const StepContext& context, const WorldData& data, uint32_t index,
                 std::span<const uint32_t> place, DisplacedIsland& island) {
  const Contact& contact = data.contacts[index];
  const Manifold& f = contact.manifold;
  const Collider &A = data.colliders[contact.collider_a], &B = data.colliders[contact.collider_b];
  const SurfaceMaterial s = data.materials.mix(A.material, B.material);
  displacement::StepContact c;
  c.body[0] = place[contact.body_a];
  c.body[1] = place[contact.body_b];
  const BodyState &a = island.bodies[c.body[0]].begin, &b = island.bodies[c.body[1]].begin;
  c.n = f.normal_W;
  c.static_friction = s.static_friction;
  c.sliding_friction = s.sliding_friction;
  c.restitution = s.restitution;
  c.rolling = f.count < 3 ? s.rolling_friction : 0;
  c.spinning = s.spinning_friction;
  c.drift = rotate(a.q_WB, A.surface_velocity) - rotate(b.q_WB, B.surface_velocity);
  for (size_t k = 0; k < static_cast<size_t>(f.count); ++k) {
    const ContactPoint& p = f.points[k];
    const Vec3 half = 0.5 * std::max(p.distance, 0.0) * c.n + 0.5 * contact.slip_W;
    c.r[0] = p.p_W - half - a.x_WC;
    c.r[1] = p.p_W + half - b.x_WC;
    c.gap = p.distance;
    c.guess = contact.holding[k];
    island.contacts.push_back(c);
    island.points.emplace_back(index, static_cast<uint32_t>(k));
  }
  (void)context;
}

// Islands, the one of all free bodies first.
void find_displaced_islands(const StepContext& context, WorldData& data, DisplacedIslands& work) {
  const size_t count = data.info.size();
  DisjointSets together(count);
  std::vector<uint8_t> busy(count, 0);
  const auto touch = [&](std::span<const uint32_t> slots) {
    uint32_t first = kWorldBody;
    for (const uint32_t slot : slots) {
      if (!is_displaced(data, slot)) continue;
      busy[slot] = 1;
      if (first != kWorldBody) together.join(first, slot);
      first = slot;
    }
  };
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!acts(data, slot) || data.joint_models[slot].row_count == 0) continue;
    const JointModel& m = data.joint_models[slot];
    const uint32_t ends[4] = {m.pairs[0].parent, m.pairs[0].child, m.pairs[1].parent,
                              m.pairs[1].child};
    touch({ends, m.pair_count == 2 ? 4u : 2u});
  }
  for (const Contact& c : data.contacts) {
    const uint32_t ends[2] = {c.body_a, c.body_b};
    if (c.acts) touch(ends);
  }
  std::vector<uint32_t> island_of(count, 0);
  work.islands.resize(1);
  work.islands[0].clear();
  size_t used = 1;
  for (uint32_t slot = 0; slot < count; ++slot) {
    if (!data.body_slots.live(slot) || !is_displaced(data, slot)) continue;
    uint32_t island = 0;
    if (busy[slot] != 0) {
      const uint32_t root = together.find(slot);
      if (root == slot) {
        island_of[slot] = static_cast<uint32_t>(used++);
        if (work.islands.size() < used) work.islands.emplace_back();
        work.islands[used - 1].clear();
      }
      island = island_of[root];
    }
    work.islands[island].slots.push_back(slot);
    island_of[slot] = island;
  }
  work.count = used;
  std::vector<uint32_t> place(count, 0), stamp(count, 0);
  for (uint32_t i = 0; i < used; ++i) {
    for (const uint32_t slot : work.islands[i].slots) {
      place[slot] = static_cast<uint32_t>(work.islands[i].bodies.size());
      work.islands[i].bodies.push_back(make_body(context, data, slot));
    }
  }
  const auto place_in = [&](DisplacedIsland& island, uint32_t index, uint32_t slot) {
    if (slot == kWorldBody) {
      if (island.world == DisplacedIsland::kNone) {
        island.world = static_cast<uint32_t>(island.bodies.size());
        island.bodies.push_back({});
        island.slots.push_back(kWorldBody);
      }
      return island.world;
    }
    // bodies that do not move are part of every island that they touch
    if (!is_displaced(data, slot) && stamp[slot] != index) {
      stamp[slot] = index;
      place[slot] = static_cast<uint32_t>(island.bodies.size());
      island.bodies.push_back(make_body(context, data, slot));
      island.slots.push_back(slot);
    }
    return place[slot];
  };
  const auto island_with = [&](std::span<const uint32_t> slots) {
    for (const uint32_t slot : slots) {
      if (is_displaced(data, slot)) return island_of[slot];
    }
    return uint32_t{0};
  };
  // island by island, so that stamps tell where a body that does not move stands
  std::vector<std::vector<uint32_t>> joints(used), contacts(used);
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (!acts(data, slot) || data.joint_models[slot].row_count == 0) continue;
    const JointModel& m = data.joint_models[slot];
    const uint32_t ends[4] = {m.pairs[0].parent, m.pairs[0].child, m.pairs[1].parent,
                              m.pairs[1].child};
    joints[island_with({ends, m.pair_count == 2 ? 4u : 2u})].push_back(slot);
  }
  for (uint32_t i = 0; i < data.contacts.size(); ++i) {
    const uint32_t ends[2] = {data.contacts[i].body_a, data.contacts[i].body_b};
    if (data.contacts[i].acts) contacts[island_with(ends)].push_back(i);
  }
  for (uint32_t i = 1; i < used; ++i) {
    DisplacedIsland& island = work.islands[i];
    for (const uint32_t slot : joints[i]) {
      const JointModel& m = data.joint_models[slot];
      displacement::Joint joint;
      joint.model = &m;
      joint.state = &data.joint_states[slot];
      joint.size = joint_size(data, m);
      for (size_t p = 0; p < m.pair_count; ++p) {
        joint.body[2 * p] = place_in(island, i, m.pairs[p].parent);
        joint.body[2 * p + 1] = place_in(island, i, m.pairs[p].child);
      }
      island.joints.push_back(joint);
      island.joint_slots.push_back(slot);
    }
    for (const uint32_t c : contacts[i]) {
      place_in(island, i, data.contacts[c].body_a);
      place_in(island, i, data.contacts[c].body_b);
      add_contact(context, data, c, place, island);
    }
  }
}

// Forces of a joint's rows that come nearest to the wrench on its child.
void store_reaction(WorldData& data, uint32_t slot,
                    const displacement::Stepper::Reaction& reaction) {
  const JointModel& model = data.joint_models[slot];
  JointState& state = data.joint_states[slot];
  const PairFrames x = current_frames(data, model.pairs[0]);
  const auto n = static_cast<size_t>(model.row_count);
  std::vector<RowWrench> w(n);
  for (size_t k = 0; k < n; ++k) {
    if (!model.scalar_row(static_cast<int>(k))) {
      w[k].f[static_cast<int>(k)] = 1;
      continue;
    }
    RowWrench w2;
    eval_row(model.rows[k], x, x, w[k], w2);
    if (model.pair_count == 1) w[k] = {w[k].f + w2.f, w[k].t + w2.t};
  }
  std::vector<double> A(n * n), b(n);
  for (size_t i = 0; i < n; ++i) {
    b[i] = dot(w[i].f, reaction.force) + dot(w[i].t, reaction.torque);
    for (size_t j = 0; j < n; ++j) A[i * n + j] = dot(w[i].f, w[j].f) + dot(w[i].t, w[j].t);
    A[i * n + i] *= 1 + 1e-12;  // rows that say a thing twice share it
  }
  DenseLu lu;
  state.force = {};
  if (n == 0 || !lu.factor(A, n)) return;
  lu.solve(b);
  for (size_t k = 0; k < n; ++k) state.force[k] = b[k];
}

// Work and impulses of what acts from outside, and of contacts.
void book_island(WorldData& data, const DisplacedIsland& island, double h) {
  StepDiagnostics& d = data.diagnostics;
  const bool fastened =
      std::any_of(island.bodies.begin(), island.bodies.end(),
                  [](const displacement::StepBody& b) { return b.mass == nullptr; });
  for (size_t i = 0; i < island.bodies.size(); ++i) {
    const displacement::StepBody& b = island.bodies[i];
    if (b.mass == nullptr) continue;
    const uint32_t slot = island.slots[i];
    const BodyState& before = data.state[slot];  // drag has not slowed it yet
    d.work_J += 0.5 * b.mass->mass * (norm2(b.begin.v_WC) - norm2(before.v_WC));
    Wrench applied = data.applied[slot];
    if (data.mass[slot].moments == Vec3{}) applied.torque = {};
    const Vec3 turn = log_map(b.end.q_WB * conjugate(b.begin.q_WB));
    // between two velocities of the middle of steps; of the first step half of it acts
    const Vec3 way = 0.5 * (b.end.x_WC - b.begin.x_WC + h * b.begin.v_WC);
    const Vec3 turned = 0.5 * (turn + h * b.begin.w_WB);
    d.work_J += force_share(data) * (dot(applied.force, way) + dot(applied.torque, turned));
    if (fastened) {
      d.linear_impulse += b.mass->mass * (b.end.v_WC - before.v_WC);
      d.angular_impulse += cross(b.end.x_WC, b.mass->mass * b.end.v_WC) + b.end.L_W -
                           cross(before.x_WC, b.mass->mass * before.v_WC) - before.L_W;
      continue;
    }
    const Vec3 slowed = b.mass->mass * (b.begin.v_WC - before.v_WC);
    d.linear_impulse += h * b.force + slowed;
    d.angular_impulse += cross(b.begin.x_WC, h * b.force + slowed) + h * b.torque;
  }
  d.work_J += island.result.work_J + island.result.contact_work_J;
  d.contact_work_J += island.result.contact_work_J;
}

void store_island(const StepContext& context, WorldData& data, DisplacedIsland& island) {
  StepDiagnostics& d = data.diagnostics;
  d.joint_iterations = std::max(d.joint_iterations, static_cast<uint32_t>(island.result.geometric));
  d.contact_sweeps = std::max(d.contact_sweeps, static_cast<uint32_t>(island.result.inner));
  d.fallbacks += island.result.fell_back ? 1 : 0;
  book_island(data, island, context.h);
  for (size_t i = 0; i < island.bodies.size(); ++i) {
    if (island.bodies[i].mass == nullptr) continue;
    const uint32_t slot = island.slots[i];
    data.applied[slot] = {};
    if (within_limits(island.bodies[i].end)) {
      data.state[slot] = island.bodies[i].end;
    } else {
      freeze_jointed_body(context, data, slot);
    }
  }
  for (size_t j = 0; j < island.joints.size(); ++j) {
    const uint32_t slot = island.joint_slots[j];
    data.joint_states[slot].coordinate = island.stepper.turns()[j];
    data.joint_states[slot].lambda = island.stepper.guesses()[j];
    store_reaction(data, slot, island.stepper.reactions()[j]);
  }
  for (size_t i = 0; i < island.contacts.size(); ++i) {
    const displacement::StepContact& c = island.contacts[i];
    const auto [index, point] = island.points[i];
    Contact& contact = data.contacts[index];
    if (point == 0) {
      contact.impulse_W = {};
      contact.holding = {};
      contact.rub_W = contact.roll_W = {};
      contact.spin = 0;
    }
    contact.impulse_W[point] = c.normal * c.n + c.rub;
    contact.holding[point] = c.normal;
    contact.rub_W += c.rub;
    contact.spin += dot(c.n, c.couple);
    contact.roll_W += c.couple - dot(c.n, c.couple) * c.n;
  }
}

}  // namespace

void displace_bodies(StepContext& context, WorldData& data) {
  clear_joint_counters(data);
  data.diagnostics.contact_sweeps = 0;
  data.diagnostics.contact_residual = 0;
  update_mechanisms(data, *context.mechanisms);
  DisplacedIslands& work = *context.displaced;
  find_displaced_islands(context, data, work);
  displacement::Effort time;
  if (data.settings.budget_ms > 0 && data.settings.clock != nullptr) {
    time.clock = data.settings.clock;
    time.deadline = time.clock() + 1e-3 * data.settings.budget_ms;
  }
  parallel_for(context.pool, work.count, 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      DisplacedIsland& island = work.islands[i];
      island.stepper.set_force_share(force_share(data));
      island.result =
          island.stepper.step(island.bodies, island.joints, island.contacts, context.h,
                              data.settings.displacement, data.settings.tolerance, time);
    }
  });
  for (size_t i = 0; i < work.count; ++i) store_island(context, data, work.islands[i]);
  break_joints(context, data);
}

}  // namespace tenon
