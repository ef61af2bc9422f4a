#include "tenon/engine/world/reach.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/engine/world/applied_forces.h"

namespace tenon {
namespace {

// A point that turns by an angle t at a distance r leaves the box of its two ends by no more than
// its arc rises above its chord, r (1 - cos(t/2)).
Aabb calc_path_box(const Collider& c, const BodyState& from, const BodyState& to) {
  const Aabb a = calc_bounds(c.shape, collider_transform(from, c)),
             b = calc_bounds(c.shape, collider_transform(to, c));
  const Quat turn = to.q_WB * conjugate(from.q_WB);
  const double lever = norm(c.X_CS.p) + bounding_radius(c.shape);
  return inflate({cwise_min(a.lo, b.lo), cwise_max(a.hi, b.hi)},
                 lever * std::max(0.0, 1 - std::fabs(turn.w)));
}

}  // namespace

Aabb sweep(const Aabb& box, const Vec3& d) {
  return {cwise_min(box.lo, box.lo + d), cwise_max(box.hi, box.hi + d)};
}

Vec3 visible_turn(const Collider& c, const Transform& X_WS, const Vec3& w) {
  const bool ball = std::holds_alternative<Sphere>(c.shape);
  if (ball && c.X_CS.p == Vec3{}) return {};
  const bool wheel =
      std::holds_alternative<Cylinder>(c.shape) || std::holds_alternative<Capsule>(c.shape);
  const Vec3 axis_C = c.X_CS.R.column(1);
  if (!wheel || !(cross(c.X_CS.p, axis_C) == Vec3{})) return w;
  const Vec3 axis_W = X_WS.R.column(1);
  return w - dot(w, axis_W) * axis_W;
}

// Round shapes turn in themselves.
void find_reach(const WorldData& data, const Aabb& box, double h, Collider& c) {
  c.shift = {};
  c.turn = 0;
  const BodyInfo& info = data.info[c.body];
  if (info.motion == MotionKind::kStatic || data.frozen[c.body] != 0) return;
  const BodyState& s = data.state[c.body];
  c.shift = h * s.v_WC;
  if (info.motion == MotionKind::kDynamic && info.gravity) {
    c.shift += (h * h) * data.settings.gravity;
  }
  if (!data.coming.empty()) c.shift += (h * h) * data.coming[c.body];
  const Vec3 w = h * s.w_WB;
  constexpr double kLargestTurn = 2;  // rad: farther apart than a diameter nothing gets by turning
  if (w == Vec3{}) return;
  const Vec3 middle = c.X_WS.p - s.x_WC;
  double half = -1;
  if (std::holds_alternative<Sphere>(c.shape)) half = 0;
  if (const auto* capsule = std::get_if<Capsule>(&c.shape)) half = capsule->half_length;
  if (half >= 0) {
    const Vec3 along = half * c.X_WS.R.column(1);
    const double far = std::max(norm(cross(w, middle + along)), norm(cross(w, middle - along)));
    c.turn = std::min(far, kLargestTurn * (norm(middle) + half));
    return;
  }
  const Vec3 lever = cwise_max(cwise_abs(box.lo - s.x_WC), cwise_abs(box.hi - s.x_WC));
  c.turn = std::min(norm(w), kLargestTurn) * norm(lever);
}

// Every box as if the last step had just ended, in addition to what it is: whether a state was
// reached or loaded, pairs that come of hits are found.
void refresh_boxes(WorldData& data) {
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    if (!data.collider_slots.live(id)) continue;
    Collider c = data.colliders[id];
    if (data.info[c.body].motion == MotionKind::kStatic) continue;
    const Aabb box = calc_bounds(c.shape, collider_transform(data.state[c.body], c));
    find_reach(data, box, data.coming_step(c.body), c);
    const Aabb now = inflate(sweep(box, c.shift), c.margin + c.turn);
    const Aabb& old = data.broad_phase.box(id);
    data.broad_phase.move(id, {cwise_min(now.lo, old.lo), cwise_max(now.hi, old.hi)});
  }
}

Crowds::Crowds(const StepContext& context, const WorldData& data) : together_(data.info.size()) {
  for (const Mechanism& m : context.mechanisms->list) {
    for (uint32_t b = 1; b < m.moving; ++b) join(m.body_slots[0], m.body_slots[b]);
  }
}

void Crowds::join(const StepContext& context, const WorldData& data,
                  std::span<const ProxyPair> pairs) {
  for (const ProxyPair& pair : pairs) {
    const Collider &a = data.colliders[pair.a], &b = data.colliders[pair.b];
    if (!moves_by_itself(data, a.body) || !moves_by_itself(data, b.body)) continue;
    if (is_left_out(context, a.body) || is_left_out(context, b.body)) continue;
    if (a.sensor || b.sensor || !may_touch(data, a, b)) continue;
    join(a.body, b.body);
  }
}

void Crowds::spread(std::vector<uint8_t>& bodies) {
  std::vector<uint8_t> is_meant(together_.size(), 0);
  for (uint32_t slot = 0; slot < bodies.size(); ++slot) {
    if (bodies[slot] != 0) is_meant[find(slot)] = 1;
  }
  for (uint32_t slot = 0; slot < bodies.size(); ++slot) bodies[slot] = is_meant[find(slot)];
}

Crowds find_crowds(const StepContext& context, WorldData& data) {
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    if (!data.collider_slots.live(id)) continue;
    Collider c = data.colliders[id];
    if (data.info[c.body].motion == MotionKind::kStatic) continue;
    c.X_WS = collider_transform(data.state[c.body], c);
    const Aabb box = calc_bounds(c.shape, c.X_WS);
    find_reach(data, box, context.h, c);
    data.broad_phase.move(id, inflate(sweep(box, c.shift), c.margin + c.turn));
  }
  Crowds crowds(context, data);
  crowds.join(context, data, data.broad_phase.update_pairs());
  return crowds;
}

bool halves_concern_all(const WorldData& data) {
  if (has_forces(data)) return true;
  for (uint32_t slot = 0; slot < data.info.size(); ++slot) {
    if (data.body_slots.live(slot) && data.info[slot].motion == MotionKind::kKinematic) return true;
  }
  return false;
}

void share_halvings(const StepContext& context, WorldData& data) {
  const std::vector<uint8_t> own = data.halvings;
  if (std::all_of(own.begin(), own.end(), [](uint8_t n) { return n == 0; })) return;
  const bool all = halves_concern_all(data);
  Crowds crowds(context, data);
  crowds.join(context, data, context.pairs);
  std::vector<uint8_t> most(own.size(), 0);
  for (uint32_t slot = 0; slot < own.size(); ++slot) {
    uint8_t& m = most[crowds.find(slot)];
    m = std::max(m, own[slot]);
  }
  const uint8_t most_of_all = *std::max_element(own.begin(), own.end());
  for (uint32_t slot = 0; slot < own.size(); ++slot) {
    data.halvings[slot] = all ? most_of_all : most[crowds.find(slot)];
    if (data.halvings[slot] == own[slot]) continue;
    for (const uint32_t id : data.info[slot].colliders) {
      Collider& c = data.colliders[id];
      find_reach(data, calc_bounds(c.shape, c.X_WS), data.coming_step(slot), c);
    }
  }
}

std::vector<uint32_t> find_met(const StepContext& context, WorldData& data,
                               std::span<const BodyState> begin) {
  const auto is_done = [&](uint32_t slot) {
    return is_left_out(context, slot) && context.left_out[slot] == LeftOut::kDone &&
           slot < context.done.size() && context.done[slot].t_end > context.done[slot].t_begin;
  };
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    if (!data.collider_slots.live(id)) continue;
    const Collider& c = data.colliders[id];
    if (!moves_by_itself(data, c.body)) continue;
    const BodyState& from = is_done(c.body) ? context.done[c.body].begin : begin[c.body];
    data.broad_phase.move(id, calc_path_box(c, from, data.state[c.body]));
  }
  std::vector<uint32_t> met;
  for (const ProxyPair& pair : data.broad_phase.update_pairs()) {
    const Collider &a = data.colliders[pair.a], &b = data.colliders[pair.b];
    if (!moves_by_itself(data, a.body) || !moves_by_itself(data, b.body)) continue;
    if (is_done(a.body) == is_done(b.body)) continue;
    const Collider &done = is_done(a.body) ? a : b, &other = is_done(a.body) ? b : a;
    if (is_left_out(context, other.body) || a.sensor || b.sensor) continue;
    if (may_touch(data, a, b)) met.push_back(done.body);
  }
  return met;
}

}  // namespace tenon
