#include "tenon/engine/world/strike.h"

#include <algorithm>

#include "tenon/engine/collision/narrow/collide.h"

namespace tenon {
namespace {

void fill_struck_body(const StepContext& context, const WorldData& data, uint32_t slot,
                      const BodyState& s, IslandBody& b) {
  b.slot = slot;
  if (!is_free(context, data, slot)) return;
  const BodyMass& mass = data.mass[slot];
  const Mat3 R = to_matrix(s.q_WB);
  b.mass = mass.mass;
  b.inv_mass = mass.inv_mass;
  b.inv_I = R * mass.inv_I_B * transpose(R);
}

struct StruckBody {
  const Collider& collider;
  const BodyState& state;
};

void fill_struck_patch(const WorldData& data, const StruckBody& a, const StruckBody& b,
                       const Vec3& n, IslandPatch& p) {
  p.n = n;
  p.t1 = any_orthogonal(p.n);
  p.t2 = cross(p.n, p.t1);
  const SurfaceMaterial s = data.materials.mix(a.collider.material, b.collider.material);
  p.restitution = s.restitution;
  p.static_friction = s.static_friction;
  p.sliding_friction = s.sliding_friction;
  p.rolling = s.rolling_friction;
  p.spinning = s.spinning_friction;
  const Vec3 drift = rotate(a.state.q_WB, a.collider.surface_velocity) -
                     rotate(b.state.q_WB, b.collider.surface_velocity);
  p.drift = {0, dot(p.t1, drift), dot(p.t2, drift)};
}

// Gaps up to here are none.
double still_of(const WorldData& data, const Collider& a, const Collider& b) {
  return kSlack * data.settings.tolerance * std::min(a.size, b.size);
}

// Both are pushed at the same points: what one gets of angular momentum the other loses. Gaps are
// those to what is `nearest`.
void fill_struck_points(const Manifold& m, double nearest, const BodyState& A, const BodyState& B,
                        double still, IslandPatch& p, Island& pair) {
  p.first = static_cast<uint32_t>(pair.points.size());
  Vec3 middle;
  std::array<Vec3, Manifold::kMaxPoints> at;
  for (int k = 0; k < m.count; ++k) {
    const ContactPoint& from = m.points[static_cast<size_t>(k)];
    const double gap = from.distance - nearest;
    // without restitution others may come as near as they are; with it they are hit by themselves
    if (gap > still && p.restitution > 0) continue;
    IslandPoint& x = pair.points.emplace_back();
    x.aA = cross(from.p_W - A.x_WC, p.n);
    x.aB = cross(from.p_W - B.x_WC, p.n);
    x.gap = gap > still ? gap : 0;
    at[p.count++] = from.p_W;
    middle += from.p_W;
  }
  middle = middle / p.count;
  p.rA = middle - A.x_WC;
  p.rB = middle - B.x_WC;
  for (uint32_t k = 0; k < p.count; ++k) pair.points[p.first + k].arm = norm(at[k] - middle);
}

// Impulses by point of the manifold, of which fill_struck_points() may have left some out.
StrikeResult read_strike(const Manifold& m, double nearest, double still, const IslandPatch& p,
                         const Island& pair) {
  StrikeResult result;
  uint32_t next = p.first;
  for (int k = 0; k < m.count; ++k) {
    const auto i = static_cast<size_t>(k);
    const bool taken = !(m.points[i].distance - nearest > still && p.restitution > 0);
    if (taken) result.normal[i] = pair.points[next++].hit;
  }
  result.rub_W = p.rub_hit.x * p.t1 + p.rub_hit.y * p.t2;
  return result;
}

}  // namespace

bool is_free(const StepContext& context, const WorldData& data, uint32_t slot) {
  return moves_by_itself(data, slot) && context.mechanisms->jointed[slot] == 0;
}

void Strike::kick(uint32_t slot, BodyState s, const Motion& motion, double time) {
  s.v_WC = motion.v;
  if (!(data.mass[slot].moments == Vec3{})) {
    s.w_WB = motion.w;
    s.L_W = angular_momentum(s.q_WB, data.mass[slot].I_B, s.w_WB);
  }
  if (!within_limits(s)) return;
  impacts.at[slot] = s;
  impacts.clock[slot] = time;
  impacts.hit[slot] = ImpactStates::kNews;
}

StrikeResult Strike::apply(uint32_t collider_a, uint32_t collider_b, const Meeting& meeting,
                           bool plastic) {
  const Course course(context, data, impacts);
  const Collider &a = data.colliders[collider_a], &b = data.colliders[collider_b];
  const BodyState A = course.state_at(a.body, meeting.time);
  const BodyState B = course.state_at(b.body, meeting.time);
  const Manifold& m = meeting.manifold;
  pair.clear();
  pair.bodies.resize(2);
  fill_struck_body(context, data, a.body, A, pair.bodies[0]);
  fill_struck_body(context, data, b.body, B, pair.bodies[1]);
  pair.motion = {{A.v_WC, A.w_WB}, {B.v_WC, B.w_WB}};
  IslandPatch& p = pair.patches.emplace_back();
  p.a = 0;
  p.b = 1;
  fill_struck_patch(data, {a, A}, {b, B}, m.normal_W, p);
  if (plastic) p.restitution = 0;
  const double still = still_of(data, a, b);
  // what overlaps touches, as Course::find_meeting() has it, however deep others are
  const double nearest = std::max(m.distance, 0.0);
  fill_struck_points(m, nearest, A, B, still, p, pair);
  pair.prepare();
  pair.begin_collisions();
  IslandSettings settings;
  settings.h = std::max(context.h - meeting.time, 1e-6 * context.h);
  pair.strike(p, settings);
  const StrikeResult result = read_strike(m, nearest, still, p, pair);
  for (const uint32_t side : {0u, 1u}) {
    const uint32_t slot = pair.bodies[side].slot;
    if (pair.bodies[side].inv_mass > 0) {
      kick(slot, side == 0 ? A : B, pair.motion[side], meeting.time);
    }
  }
  return result;
}

std::vector<BodyState> Strike::begin_hit(std::span<const uint32_t> slots, double time) {
  const Course course(context, data, impacts);
  std::vector<BodyState> states;
  pair.clear();
  pair.bodies.resize(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    states.push_back(course.state_at(slots[i], time));
    fill_struck_body(context, data, slots[i], states[i], pair.bodies[i]);
    pair.motion.push_back({states[i].v_WC, states[i].w_WB});
  }
  return states;
}

void Strike::apply_at_once(std::span<const uint32_t> slots, std::span<StruckPair> pairs,
                           double time) {
  const std::vector<BodyState> states = begin_hit(slots, time);
  for (const StruckPair& from : pairs) {
    const Collider &a = data.colliders[from.collider_a], &b = data.colliders[from.collider_b];
    const BodyState &A = states[from.a], &B = states[from.b];
    const Manifold& m = from.manifold;
    IslandPatch& p = pair.patches.emplace_back();
    p.a = from.a;
    p.b = from.b;
    fill_struck_patch(data, {a, A}, {b, B}, m.normal_W, p);
    if (from.plastic) p.restitution = 0;
    fill_struck_points(m, std::max(m.distance, 0.0), A, B, still_of(data, a, b), p, pair);
  }
  pair.prepare();
  pair.begin_collisions();
  IslandSettings settings;
  settings.h = std::max(context.h - time, 1e-6 * context.h);
  pair.strike_together(settings);
  for (size_t i = 0; i < pairs.size(); ++i) {
    StruckPair& to = pairs[i];
    const double still =
        still_of(data, data.colliders[to.collider_a], data.colliders[to.collider_b]);
    const double nearest = std::max(to.manifold.distance, 0.0);
    to.result = read_strike(to.manifold, nearest, still, pair.patches[i], pair);
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    if (pair.bodies[i].inv_mass > 0) kick(slots[i], states[i], pair.motion[i], time);
  }
}

void Strike::apply_together(std::span<const uint32_t> slots, std::span<StruckPair> pairs,
                            double time) {
  // what heavy bodies do to light ones between them takes sweeps
  constexpr int kTogetherSweeps = 200;
  const double rest = std::max(context.h - time, 1e-6 * context.h);
  const std::vector<BodyState> states = begin_hit(slots, time);
  std::vector<StruckPair*> touching;
  for (StruckPair& from : pairs) {
    const Collider &a = data.colliders[from.collider_a], &b = data.colliders[from.collider_b];
    const BodyState &A = states[from.a], &B = states[from.b];
    // what is farther away is met later, or not
    const double near = 0.25 * std::min(a.size, b.size);
    Manifold& m = from.manifold;
    m = collide(a.shape, collider_transform(A, a), b.shape, collider_transform(B, b), near);
    if (m.count == 0) continue;
    IslandPatch& p = pair.patches.emplace_back();
    p.a = from.a;
    p.b = from.b;
    fill_struck_patch(data, {a, A}, {b, B}, m.normal_W, p);
    p.restitution = p.rolling = 0;
    fill_struck_points(m, 0, A, B, still_of(data, a, b), p, pair);
    touching.push_back(&from);
  }
  pair.prepare();
  IslandSettings settings;
  settings.h = rest;
  settings.gravity = pair.mean_speed() / rest;  // for scale
  settings.max_sweeps = kTogetherSweeps;
  pair.stop_together(settings);
  std::vector<uint8_t> is_hit(slots.size(), 0);
  for (size_t i = 0; i < touching.size(); ++i) {
    const IslandPatch& p = pair.patches[i];
    StrikeResult& result = touching[i]->result;
    for (uint32_t k = 0; k < p.count; ++k) {
      const double normal = pair.points[p.first + k].p;
      result.normal[k] = normal;
      if (normal > 0) is_hit[p.a] = is_hit[p.b] = 1;
    }
    result.rub_W = p.rub.x * p.t1 + p.rub.y * p.t2;
  }
  // those that nothing touches go on from where they were: others may meet them before
  for (size_t i = 0; i < slots.size(); ++i) {
    if (pair.bodies[i].inv_mass > 0 && is_hit[i] != 0)
      kick(slots[i], states[i], pair.motion[i], time);
  }
}

}  // namespace tenon
