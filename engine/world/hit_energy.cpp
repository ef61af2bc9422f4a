#include "tenon/engine/world/hit_energy.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// Of the impulses of the hits: what leaves of the most elastic one an inelastic one, and what hits
// at moments that a step resolves may lack.
constexpr double kMostTaken = 0.5, kMostGiven = 0.1;

bool was_hit(const Island& island, const IslandPatch& c) {
  return std::any_of(island.points.begin() + c.first, island.points.begin() + c.first + c.count,
                     [](const IslandPoint& x) { return x.hit > 0; });
}

bool is_driven(const WorldData& data, const Island& island) {
  const auto driven = [&](uint32_t b) {
    return data.info[island.bodies[b].slot].motion == MotionKind::kKinematic;
  };
  return std::any_of(island.patches.begin(), island.patches.end(), [&](const IslandPatch& c) {
    return was_hit(island, c) && (!(c.drift == Vec3{}) || driven(c.a) || driven(c.b));
  });
}

bool is_changed(const WorldData& data, const IslandBody& b) {
  return b.inv_mass > 0 && data.frozen[b.slot] == 0;
}

bool is_spring(const JointModel& model) {
  for (size_t k = 0; k < model.row_count; ++k) {
    if (model.rows[k].axis >= kJointAxisCount) return false;
  }
  return std::all_of(model.axes.begin(), model.axes.end(), [](const JointAxisDef& a) {
    return a.min == -kInfinity && a.max == kInfinity && a.friction == 0 &&
           a.motor.kind == Motor::Kind::kNone;
  });
}

}  // namespace

bool is_driven(const StepContext& context, const WorldData& data, const IslandWork& w) {
  const auto driven = [&](uint32_t slot) {
    return slot != kWorldBody && data.info[slot].motion == MotionKind::kKinematic;
  };
  const std::vector<IslandBody>& bodies = w.island.bodies;
  const auto works = [&](const IslandPatch& c) {
    return !(c.drift == Vec3{}) || driven(bodies[c.a].slot) || driven(bodies[c.b].slot);
  };
  return std::any_of(w.island.patches.begin(), w.island.patches.end(), works) ||
         std::any_of(w.mechanisms.begin(), w.mechanisms.end(), [&](uint32_t i) {
           const std::vector<uint32_t>& slots = context.mechanisms->list[i].body_slots;
           return std::any_of(slots.begin(), slots.end(), driven);
         });
}

void take_energy(WorldData& data, const IslandWork& w, double energy) {
  double kinetic = 0;
  for (const IslandBody& b : w.island.bodies) {
    if (is_changed(data, b)) kinetic += calc_body_mechanics(data, b.slot).kinetic_J;
  }
  if (!(energy > 0) || !(kinetic > 0)) return;
  const double left = std::sqrt(std::max(0.0, 1 - energy / kinetic));
  for (const IslandBody& b : w.island.bodies) {
    if (!is_changed(data, b)) continue;
    BodyState s = data.state[b.slot];
    s.v_WC = left * s.v_WC;
    s.w_WB = left * s.w_WB;
    s.L_W = left * s.L_W;
    put_body(data, b.slot, s);
  }
}

// What (5b) lifts goes 0.1 g h in a step at most, which is m g (0.1 g h) h: what is more is an
// error of second order in the step, and all of it is taken. Of lifts, no more than a part of the
// kinetic energy: where something is lifted in every step, a heap would be stopped in every step,
// and move on without velocities, by what its weight does in one step.
void take_gain(const StepContext& context, WorldData& data, const IslandWork& w, double gain) {
  constexpr double kLift = 0.1, kMostPaid = 0.2;
  const double fall = norm(data.settings.gravity) * context.h;
  double kinetic = 0, mass = 0;
  for (const IslandBody& b : w.island.bodies) {
    if (!is_changed(data, b)) continue;
    kinetic += calc_body_mechanics(data, b.slot).kinetic_J;
    mass += b.mass;
  }
  const double lift = kLift * mass * fall * fall;
  take_energy(data, w, std::max(std::min(gain, kMostPaid * kinetic), gain - lift));
}

bool has_springs_only(const StepContext& context, const WorldData& data, const IslandWork& w) {
  return std::all_of(w.mechanisms.begin(), w.mechanisms.end(), [&](uint32_t i) {
    const std::vector<MechanismJoint>& joints = context.mechanisms->list[i].joints;
    return std::all_of(joints.begin(), joints.end(), [&](const MechanismJoint& j) {
      return is_spring(data.joint_models[j.slot]);
    });
  });
}

double calc_elastic_energy(const StepContext& context, const WorldData& data, const IslandWork& w) {
  double sum = 0;
  for (const uint32_t i : w.mechanisms) {
    for (const MechanismJoint& joint : context.mechanisms->list[i].joints) {
      sum += calc_elastic_energy(data, joint.slot);
    }
  }
  return sum;
}

// With D the answer of the bodies to the impulses P of the hits, where they end, v - b D has the
// kinetic energy T - b v.MD + b^2 D.MD / 2.
void balance_hits(WorldData& data, IslandWork& w) {
  const Island& island = w.island;
  const double excess = w.hit_J - island.hit_work;
  if (excess == 0 || is_driven(data, island)) return;
  w.wrenches.assign(island.bodies.size(), {});
  island.add_wrenches(w.wrenches, Island::Kind::kHit, false);
  std::vector<Motion> motion;
  spread_wrenches(island, w.wrenches, motion);
  double linear = 0, square = 0;
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    const IslandBody& body = island.bodies[b];
    if (!is_changed(data, body)) continue;
    const BodyMass& mass = data.mass[body.slot];
    const BodyState& s = data.state[body.slot];
    const Motion& D = motion[b];
    linear += mass.mass * dot(s.v_WC, D.v) + dot(s.L_W, D.w);
    square += mass.mass * norm2(D.v) + dot(D.w, angular_momentum(s.q_WB, mass.I_B, D.w));
  }
  if (!(linear > 0) || !(square > 0)) return;
  const double root = linear * linear - 2 * square * excess;
  const double wanted = (linear - std::sqrt(std::max(root, 0.0))) / square;
  // what a step does not resolve is not known so well that anything could be given back
  const double part = std::clamp(wanted, island.swings_known ? -kMostGiven : 0, kMostTaken);
  for (size_t b = 0; b < island.bodies.size(); ++b) {
    const IslandBody& body = island.bodies[b];
    if (!is_changed(data, body)) continue;
    const Mechanics before = calc_body_mechanics(data, body.slot);
    BodyState& s = data.state[body.slot];
    s.v_WC -= part * motion[b].v;
    if (!(data.mass[body.slot].moments == Vec3{})) {
      s.w_WB -= part * motion[b].w;
      s.L_W = angular_momentum(s.q_WB, data.mass[body.slot].I_B, s.w_WB);
    }
    book_contact(data, body.slot, before);
  }
}

}  // namespace tenon
