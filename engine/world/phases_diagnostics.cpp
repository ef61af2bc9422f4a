#include <algorithm>

#include "tenon/engine/forces/gravity.h"
#include "tenon/engine/world/joints.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

Mechanics calc_body_mechanics(const WorldData& data, uint32_t slot) {
  Mechanics m;
  const BodyMass& body = data.mass[slot];
  if (data.info[slot].motion != MotionKind::kDynamic || data.frozen[slot] != 0) return m;
  const BodyState& s = data.state[slot];
  m.kinetic_J = 0.5 * body.mass * norm2(s.v_WC) + 0.5 * dot(s.w_WB, s.L_W);
  if (data.info[slot].gravity) {
    // velocities of the method 'displacement' are those of the middle of the last step: so is this
    const bool middle = data.settings.method == Method::kDisplacement;
    const Vec3 x = middle ? s.x_WC - 0.5 * data.settings.step * s.v_WC : s.x_WC;
    m.potential_J = gravity_potential(body, data.settings.gravity, x);
  }
  m.linear_momentum = body.mass * s.v_WC;
  m.angular_momentum = cross(s.x_WC, m.linear_momentum) + s.L_W;
  return m;
}

Mechanics calc_all_mechanics(const WorldData& data) {
  Mechanics sum;
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (!data.body_slots.live(slot)) continue;
    const Mechanics m = calc_body_mechanics(data, slot);
    sum.kinetic_J += m.kinetic_J;
    sum.potential_J += m.potential_J;
    sum.linear_momentum += m.linear_momentum;
    sum.angular_momentum += m.angular_momentum;
  }
  for (uint32_t slot = 0; slot < data.joint_models.size(); ++slot) {
    if (data.joint_slots.live(slot)) sum.elastic_J += calc_elastic_energy(data, slot);
  }
  return sum;
}

void measure_contacts(WorldData& data) {
  StepDiagnostics& d = data.diagnostics;
  d.contacts = d.contact_pairs = 0;
  d.penetration_m = 0;
  const auto count = [&](const Contact& c) {
    uint32_t points = 0;
    for (size_t i = 0; i < static_cast<size_t>(c.manifold.count); ++i) {
      points += c.manifold.points[i].distance <= 0 || !(c.impulse_W[i] == Vec3{});
    }
    d.contacts += points;
    d.contact_pairs += points > 0;
  };
  for (const Contact& c : data.contacts) {
    if (!c.acts) continue;
    d.penetration_m = std::max(d.penetration_m, -c.manifold.distance);
    count(c);
  }
  for (const Contact& c : data.ended) count(c);
}

void measure_step(StepContext& context, WorldData& data) {
  StepDiagnostics& d = data.diagnostics;
  d.step = data.step_count;
  d.time = context.t_end;
  d.mechanics = calc_all_mechanics(data);
  measure_joints(data, context.h);
  measure_contacts(data);
}

}  // namespace tenon
