// Sleeping: islands that have stood still for a while are left as they are;
// docs/theory/contacts.md, section 7.
#include <algorithm>

#include "tenon/engine/world/contact_work.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

constexpr double kStillTime = 0.5;    // s: an island that stood still for so long sleeps
constexpr double kStillSpeed = 1e-5;  // of what gravity does in a step, m/s: slower is still
// And, with joints and in heaps that sweeps do not solve, what is slower than this part of what is
// taken for an error of the sweeps, (9); where meshes touch in several patches, of the most that it
// can be, 4e-4 g h.
constexpr double kStillOfErrors = 0.5, kStillOnFacets = 2e-4;

uint16_t steps_to_sleep(const WorldData& data) {
  return static_cast<uint16_t>(std::clamp(kStillTime / data.settings.step, 10.0, 60000.0));
}

// What is moved from outside and does not go anywhere in this step.
bool is_held_still(const StepContext& context, const WorldData& data, uint32_t slot) {
  if (data.info[slot].motion != MotionKind::kKinematic) return true;
  const BodyState &begin = context.kinematic_begin[slot], &end = data.state[slot];
  return begin.x_WC == end.x_WC && begin.q_WB == end.q_WB && end.v_WC == Vec3{} &&
         end.w_WB == Vec3{};
}

// Joints that drive what they hold, or pull it slowly to where it belongs.
bool drives(const JointDef& joint) {
  return std::any_of(joint.axes.begin(), joint.axes.end(), [](const JointAxisDef& axis) {
    return axis.stiffness > 0 || axis.motor.kind != Motor::Kind::kNone;
  });
}

// Whether nothing but weight acts on an island: what it stands on and hangs on does not move,
// nobody pushes it, no joint drives it.
bool is_left_alone(const StepContext& context, const WorldData& data, const IslandWork& w) {
  for (const IslandBody& b : w.island.bodies) {
    if (!moves_by_itself(data, b.slot)) {
      if (!is_held_still(context, data, b.slot)) return false;
      continue;
    }
    const Wrench& applied = data.applied[b.slot];
    if (!data.info[b.slot].gravity) return false;
    if (!(applied.force == Vec3{} && applied.torque == Vec3{})) return false;
  }
  for (const uint32_t index : w.mechanisms) {
    const Mechanism& m = context.mechanisms->list[index];
    for (size_t b = m.moving; b < m.body_slots.size(); ++b) {
      if (m.body_slots[b] == kWorldBody) continue;
      if (!is_held_still(context, data, m.body_slots[b])) return false;
    }
    for (const MechanismJoint& j : m.joints) {
      if (drives(data.joint_defs[j.slot])) return false;
    }
  }
  // running surfaces go on rubbing
  for (const uint32_t i : w.contacts) {
    for (const uint32_t id : {data.contacts[i].collider_a, data.contacts[i].collider_b}) {
      if (!(data.colliders[id].surface_velocity == Vec3{})) return false;
    }
  }
  return true;
}

bool sleeps(const WorldData& data, const IslandWork& w) {
  if (!w.left_alone) return false;
  const uint16_t enough = steps_to_sleep(data);
  for (const IslandBody& b : w.island.bodies) {
    if (!moves_by_itself(data, b.slot)) continue;
    if (data.still[b.slot] < enough) return false;
    if (!(data.state[b.slot].v_WC == Vec3{} && data.state[b.slot].w_WB == Vec3{})) return false;
  }
  return true;
}

// The same from places: what was pushed out of overlaps has gone without a velocity.
double speed_between(const BodyState& before, const BodyState& now, const BodyMass& mass,
                     double h) {
  const Quat turn = now.q_WB * conjugate(before.q_WB);
  const double angle = 2 * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  return (std::sqrt(norm2(now.x_WC - before.x_WC)) + mass.size * angle) / h;
}

bool stands_still(const WorldData& data, const IslandWork& w, double fall, double h) {
  // what is slow although its contacts are solved to the end begins to fall
  double slow = kStillSpeed * fall;
  if (w.drowsy || is_unsolved(w, fall)) slow = std::max(slow, kStillOfErrors * w.calm);
  if (touches_in_patches(data, w)) slow = kStillOnFacets * fall;
  for (size_t b = 0; b < w.island.bodies.size(); ++b) {
    const uint32_t slot = w.island.bodies[b].slot;
    if (!moves_by_itself(data, slot)) continue;
    if (speed_of(w.begin[b], data.mass[slot]) > slow) return false;
    if (speed_of(data.state[slot], data.mass[slot]) > slow) return false;
    if (speed_between(w.begin[b], data.state[slot], data.mass[slot], h) > slow) return false;
  }
  return true;
}

void fall_asleep(WorldData& data, const IslandWork& w) {
  for (const IslandBody& b : w.island.bodies) {
    if (!moves_by_itself(data, b.slot)) continue;
    const Mechanics before = calc_body_mechanics(data, b.slot);
    BodyState& s = data.state[b.slot];
    s.v_WC = s.w_WB = s.L_W = {};
    data.acceleration[b.slot] = {};
    book_contact(data, b.slot, before);
  }
}

}  // namespace

double speed_of(const BodyState& s, const BodyMass& mass) {
  return norm(s.v_WC) + mass.size * norm(s.w_WB);
}

bool is_at_rest(const WorldData& data, uint32_t slot) {
  if (data.settings.joint_solver != JointSolver::kDirect) return false;
  return data.settings.sleeping && data.still[slot] >= steps_to_sleep(data);
}

bool is_drowsy(const WorldData& data, const IslandWork& w, double fall) {
  if (!data.settings.sleeping || !w.left_alone || w.mechanisms.empty()) return false;
  for (size_t b = 0; b < w.island.bodies.size(); ++b) {
    const uint32_t slot = w.island.bodies[b].slot;
    if (!moves_by_itself(data, slot)) continue;
    if (speed_of(w.begin[b], data.mass[slot]) > kStillOnFacets * fall) return false;
  }
  return true;
}

void find_sleepers(StepContext& context, WorldData& data) {
  for (uint32_t slot = 0; slot < context.asleep.size(); ++slot) {
    if (!is_left_out(context, slot)) context.asleep[slot] = 0;
  }
  data.diagnostics.sleeping_bodies = 0;
  if (!data.settings.sleeping) return;
  ContactWork& work = *context.contacts;
  for (size_t i = 0; i < work.count; ++i) {
    IslandWork& w = work.islands[i];
    w.left_alone = is_left_alone(context, data, w);
    w.asleep = sleeps(data, w);
    if (!w.asleep) continue;
    context.asleep.resize(data.info.size(), 0);
    for (const IslandBody& b : w.island.bodies) {
      if (!moves_by_itself(data, b.slot)) continue;
      context.asleep[b.slot] = 1;
    }
  }
  for (const uint8_t asleep : context.asleep) data.diagnostics.sleeping_bodies += asleep;
}

void count_still_steps(StepContext& context, WorldData& data) {
  if (!data.settings.sleeping || !context.ends_step) return;
  const double fall = norm(data.settings.gravity) * context.h;
  const uint16_t enough = steps_to_sleep(data);
  const std::vector<uint16_t> before = data.still;
  for (uint32_t slot = 0; slot < before.size(); ++slot) {
    if (!is_left_out(context, slot)) data.still[slot] = 0;
  }
  const ContactWork& work = *context.contacts;
  for (size_t i = 0; i < work.count; ++i) {
    const IslandWork& w = work.islands[i];
    const bool still = w.asleep || (w.left_alone && stands_still(data, w, fall, context.h));
    bool all = !w.asleep;
    for (const IslandBody& b : w.island.bodies) {
      if (!still || !moves_by_itself(data, b.slot)) continue;
      const uint16_t count = std::min<uint16_t>(enough, static_cast<uint16_t>(before[b.slot] + 1));
      data.still[b.slot] = count;
      all = all && count == enough;
    }
    if (still && all) fall_asleep(data, w);
  }
}

}  // namespace tenon
