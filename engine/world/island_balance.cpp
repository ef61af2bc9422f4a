// Notation: r_i = x_i - x, u_i = v_i - v about the mass centre; I_i, L_i = I_i w_i of each body.
//   L = sum r_i x m_i u_i + L_i,   I = sum I_i + m_i (r_i.r_i - r_i r_i^T)
// Turning the whole by d = I^-1 (L_wanted - L): v_i += d x r_i, w_i += d.                     (10)
// With the rigid whole's W = I^-1 L the kinetic energy splits without a mixed term:
//   T = W.L / 2 + T',   T' that of u_i - W x r_i and w_i - W,
// since sum m_i r_i x (u_i - W x r_i) + I_i (w_i - W) = L - I W = 0. So scaling the latter by s
// keeps L and makes T = W.L / 2 + s^2 T'.                                                    (11)
#include "tenon/engine/world/island_balance.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/world/hit_energy.h"

namespace tenon {
namespace {

bool is_part(const WorldData& data, const IslandBody& b) {
  return b.inv_mass > 0 && data.frozen[b.slot] == 0;
}

Vec3 own_spin(const WorldData& data, uint32_t slot) {
  const bool turns = !(data.mass[slot].moments == Vec3{});
  return turns ? angular_momentum(data.state[slot].q_WB, data.mass[slot].I_B, data.state[slot].w_WB)
               : Vec3{};
}

// Velocities of each body -> W x r + s (those less W x r), W and w likewise, plus those of `add`.
void change_motion(WorldData& data, const Island& island, const IslandBalance& b, const Vec3& W,
                   double s, const Vec3& add) {
  for (const IslandBody& body : island.bodies) {
    if (!is_part(data, body)) continue;
    const Mechanics before = calc_body_mechanics(data, body.slot);
    BodyState& state = data.state[body.slot];
    const Vec3 r = state.x_WC - b.x, rigid = cross(W, r);
    state.v_WC = b.v + rigid + s * (state.v_WC - b.v - rigid) + cross(add, r);
    if (!(data.mass[body.slot].moments == Vec3{})) {
      state.w_WB = W + s * (state.w_WB - W) + add;
      state.L_W = own_spin(data, body.slot);
    }
    book_contact(data, body.slot, before);
  }
}

void move_all(WorldData& data, const Island& island, const Vec3& d) {
  for (const IslandBody& body : island.bodies) {
    if (!is_part(data, body)) continue;
    const Mechanics before = calc_body_mechanics(data, body.slot);
    data.state[body.slot].x_WC += d;
    book_contact(data, body.slot, before);
  }
}

bool has_motors(const StepContext& context, const WorldData& data, const IslandWork& w) {
  const auto drives = [](const JointAxisDef& a) { return a.motor.kind != Motor::Kind::kNone; };
  return std::any_of(w.mechanisms.begin(), w.mechanisms.end(), [&](uint32_t i) {
    const Mechanism& m = context.mechanisms->list[i];
    return !m.pins_only &&
           std::any_of(m.joints.begin(), m.joints.end(), [&](const MechanismJoint& j) {
             const JointModel& model = data.joint_models[j.slot];
             return std::any_of(model.axes.begin(), model.axes.end(), drives);
           });
  });
}

}  // namespace

IslandBalance calc_balance(const WorldData& data, const Island& island) {
  IslandBalance b;
  double mass = 0;
  for (const IslandBody& body : island.bodies) {
    if (!is_part(data, body)) continue;
    const double m = data.mass[body.slot].mass;
    mass += m;
    b.x += m * data.state[body.slot].x_WC;
    b.v += m * data.state[body.slot].v_WC;
  }
  if (!(mass > 0)) return b;
  b.x = b.x / mass;
  b.v = b.v / mass;
  for (const IslandBody& body : island.bodies) {
    if (!is_part(data, body)) continue;
    const BodyMass& mass_i = data.mass[body.slot];
    const BodyState& s = data.state[body.slot];
    const Vec3 r = s.x_WC - b.x, u = s.v_WC - b.v, spin = own_spin(data, body.slot);
    b.L += cross(r, mass_i.mass * u) + spin;
    b.kinetic_J += 0.5 * (mass_i.mass * norm2(u) + dot(spin, s.w_WB));
    const Mat3 R = to_matrix(s.q_WB);
    b.I = b.I + R * mass_i.I_B * transpose(R);
    b.I = b.I + mass_i.mass * (norm2(r) * Mat3::identity() - outer(r, r));
  }
  return b;
}

bool is_isolated(const StepContext& context, const WorldData& data, const IslandWork& w) {
  bool first = true, gravity = false;
  for (const IslandBody& body : w.island.bodies) {
    if (!is_part(data, body)) return false;
    const BodyInfo& info = data.info[body.slot];
    const Wrench& applied = data.applied[body.slot];
    if (info.drag > 0 || !(applied.force == Vec3{} && applied.torque == Vec3{})) return false;
    if (!first && info.gravity != gravity) return false;
    first = false;
    gravity = info.gravity;
  }
  for (const IslandPatch& c : w.island.patches) {
    if (!(c.drift == Vec3{})) return false;
  }
  return std::all_of(w.mechanisms.begin(), w.mechanisms.end(), [&](uint32_t i) {
    const Mechanism& m = context.mechanisms->list[i];
    return m.body_slots.size() == m.moving;
  });
}

bool is_left_to_contacts(const StepContext& context, const WorldData& data, const IslandWork& w) {
  if (w.mechanisms.empty() && !has_mesh_contacts(data, w)) return false;
  if (is_driven(context, data, w) || has_motors(context, data, w)) return false;
  return std::all_of(w.island.bodies.begin(), w.island.bodies.end(), [&](const IslandBody& b) {
    const Wrench& applied = data.applied[b.slot];
    return !is_part(data, b) ||
           (!(data.info[b.slot].drag > 0) && applied.force == Vec3{} && applied.torque == Vec3{});
  });
}

double calc_energy(const StepContext& context, const WorldData& data, const IslandWork& w) {
  double sum = calc_elastic_energy(context, data, w);
  for (const IslandBody& b : w.island.bodies) {
    if (!is_part(data, b)) continue;
    const Mechanics m = calc_body_mechanics(data, b.slot);
    sum += m.kinetic_J + m.potential_J;
  }
  return sum;
}

void remember_balance(const StepContext& context, const WorldData& data, IslandWork& w) {
  const IslandBalance b = calc_balance(data, w.island);
  w.centre = b.x;
  w.drift = b.v;
  w.spin = b.L;
  w.most_J = b.kinetic_J;
  const bool motors = has_motors(context, data, w);
  w.most_J = motors ? kInfinity : w.most_J + calc_elastic_energy(context, data, w);
}

void restore_balance(const StepContext& context, WorldData& data, const IslandWork& w, double h) {
  const Island& island = w.island;
  // what has been stopped meanwhile has taken its part away
  for (const IslandBody& body : island.bodies) {
    if (!is_part(data, body)) return;
  }
  IslandBalance b = calc_balance(data, island);
  const Vec3 way = (0.5 * h) * (w.drift + b.v);  // uniform gravity, or none
  move_all(data, island, w.centre + way - b.x);
  b.x = w.centre + way;
  // points on a line do not turn about it
  const double size = b.I.r0.x + b.I.r1.y + b.I.r2.z;
  if (!(dot(b.I.r0, cross(b.I.r1, b.I.r2)) > 1e-12 * size * size * size)) return;
  const Mat3 inv_I = inverse(b.I);
  change_motion(data, island, b, {}, 1, inv_I * (w.spin - b.L));
  b = calc_balance(data, island);
  const Vec3 W = inv_I * b.L;
  const double rigid = 0.5 * dot(W, b.L), rest = b.kinetic_J - rigid;
  const double most = w.most_J - calc_elastic_energy(context, data, w);
  if (!(b.kinetic_J > most) || !(rest > 0)) return;
  change_motion(data, island, b, W, std::sqrt(std::max(most - rigid, 0.0) / rest), {});
}

}  // namespace tenon
