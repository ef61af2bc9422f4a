#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/world/force_touch.h"
#include "tenon/engine/world/phases.h"

namespace tenon {
namespace {

// How much a point gets around in `span` seconds: speed and what gravity adds, twice, since an
// impact may send a body elsewhere.
Aabb reach_of(const WorldData& data, const BodyState& s, const Collider& c, double span) {
  const Aabb box = calc_bounds(c.shape, collider_transform(s, c));
  if (data.info[c.body].motion == MotionKind::kStatic || data.frozen[c.body] != 0) return box;
  const Vec3 lever = cwise_max(cwise_abs(box.lo - s.x_WC), cwise_abs(box.hi - s.x_WC));
  const double speed = norm(s.v_WC) + std::min(norm(s.w_WB) * norm(lever), 2 * norm(lever) / span);
  const double way = span * (speed + 2 * span * norm(data.settings.gravity));
  return inflate(box, c.margin + 2 * way);
}

ContactLaw law_of(const WorldData& data, const Collider& a, const Collider& b) {
  const SurfaceMaterial m = data.materials.mix(a.material, b.material);
  return {.stiffness = m.stiffness,
          .damping = m.damping,
          .restitution = m.restitution,
          .static_friction = m.static_friction,
          .sliding_friction = m.sliding_friction,
          .rolling_lever = m.rolling_friction,
          .spinning_lever = m.spinning_friction};
}

// Contacts by a complementarity problem stop whatever approaches. The penalty method takes what
// comes at v_Nmax, and what its weight m g, which the spring takes over only at the depth m g / c,
// adds to that: v^2 <= v_Nmax^2 + g^2 m / c; twice, for what stands on it.
double slow_of(const WorldData& data, const Collider& a, const Collider& b) {
  const ForceSettings& s = data.settings.force;
  if (s.contacts == ForceContacts::kLcp) return s.v_tangent_max;
  const double m = std::max(data.mass[a.body].mass, data.mass[b.body].mass);
  const double c = data.materials.mix(a.material, b.material).stiffness;
  const double g = norm(data.settings.gravity);
  if (!(c > 0)) return s.v_normal_max;
  return std::sqrt(s.v_normal_max * s.v_normal_max + 2 * g * g * m / c);
}

// Through a one-way body since the frame began.
bool passes(const WorldData& data, const ProxyPair& pair) {
  const auto found = std::lower_bound(
      data.contacts.begin(), data.contacts.end(), pair, [](const Contact& c, const ProxyPair& p) {
        return std::pair(c.collider_a, c.collider_b) < std::pair(p.a, p.b);
      });
  return found != data.contacts.end() && found->collider_a == pair.a &&
         found->collider_b == pair.b && found->kind == TouchKind::kPassing;
}

}  // namespace

void ForceTouch::look(WorldData& data, const Mechanisms& joints, std::span<const BodyState> state,
                      double span) {
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    if (!data.collider_slots.live(id)) continue;
    const Collider& c = data.colliders[id];
    if (data.info[c.body].motion == MotionKind::kStatic) continue;
    data.broad_phase.move(id, reach_of(data, state[c.body], c, span));
  }
  pairs_.clear();
  owner_.resize(data.info.size());
  moving_.resize(data.info.size());
  for (uint32_t slot = 0; slot < owner_.size(); ++slot) {
    moving_[slot] = moves_by_itself(data, slot) ? 1 : 0;
    owner_[slot] = joints.jointed[slot] == 0
                       ? slot
                       : joints.list[joints.mechanism_of[slot]].body_slots.front();
  }
  const std::vector<uint64_t>& apart = joints.apart;
  const auto far_of = [&](const Collider& c) {
    if (data.info[c.body].motion == MotionKind::kStatic) return 0.0;
    const BodyState& s = state[c.body];
    const Aabb box = calc_bounds(c.shape, collider_transform(s, c));
    return norm(cwise_max(cwise_abs(box.lo - s.x_WC), cwise_abs(box.hi - s.x_WC)));
  };
  for (const ProxyPair& pair : data.broad_phase.update_pairs()) {
    const Collider &a = data.colliders[pair.a], &b = data.colliders[pair.b];
    if (a.sensor || b.sensor || !may_touch(data, a, b)) continue;
    if (data.frozen[a.body] != 0 && data.frozen[b.body] != 0) continue;
    const uint64_t bodies = pair_key(a.body, b.body);
    if (std::binary_search(apart.begin(), apart.end(), bodies)) continue;
    if (std::binary_search(data.separated.begin(), data.separated.end(), bodies)) continue;
    if (passes(data, pair)) continue;
    const bool one_way =
        !(data.info[a.body].one_way == Vec3{}) || !(data.info[b.body].one_way == Vec3{});
    pairs_.push_back({pair.a, pair.b, a.body, b.body, law_of(data, a, b), std::min(a.size, b.size),
                      far_of(a), far_of(b), slow_of(data, a, b), one_way, false});
  }
  // what was remembered of points is by the pair's place
  modes_.clear();
  latches_.clear();
  stops_ = 0;
  evaluations_.clear();
}

bool ForceTouch::is_at_front(const WorldData& data, std::span<const BodyState> state,
                             const ForcePair& p, const Manifold& m) const {
  const auto front = [&](uint32_t slot, const Vec3& outward_W) {
    const Vec3& way = data.info[slot].one_way;
    return way == Vec3{} || dot(rotate(state[slot].q_WB, way), outward_W) > kFrontCosine;
  };
  return front(p.body_a, m.normal_W) && front(p.body_b, -m.normal_W);
}

void ForceTouch::find_pair_points(const WorldData& data, std::span<const BodyState> state,
                                  uint32_t pair, double margin) {
  const ForcePair& p = pairs_[pair];
  const Collider &a = data.colliders[p.collider_a], &b = data.colliders[p.collider_b];
  const BodyState &sa = state[p.body_a], &sb = state[p.body_b];
  std::vector<Manifold> patches;
  collide_all(a.shape, collider_transform(sa, a), b.shape, collider_transform(sb, b), margin,
              patches);
  if (p.one_way) {
    std::erase_if(patches, [&](const Manifold& m) { return !is_at_front(data, state, p, m); });
  }
  // of belts: what their surfaces do beyond the bodies' own motion
  const Vec3 belt = rotate(sb.q_WB, b.surface_velocity) - rotate(sa.q_WB, a.surface_velocity);
  const Motion va{sa.v_WC, sa.w_WB}, vb{sb.v_WC, sb.w_WB};
  for (uint32_t i = 0; i < patches.size(); ++i) {
    const Manifold& m = manifolds_.emplace_back(pair, patches[i]).second;
    for (uint32_t k = 0; k < static_cast<uint32_t>(m.count); ++k) {
      const ContactPoint& x = m.points[k];
      if (x.distance > margin) continue;
      ForcePoint f;
      f.pair = pair;
      f.place = i * Manifold::kMaxPoints + k;
      f.feature = x.feature;
      f.at = {p.body_a, p.body_b, x.p_W - sa.x_WC, x.p_W - sb.x_WC, m.normal_W};
      f.gap = x.distance;
      const Vec3 v = relative_velocity(f.at, va, vb);
      f.approach = -dot(m.normal_W, v);
      const Vec3 all = v + belt;
      f.slip = all - dot(all, m.normal_W) * m.normal_W;
      points_.push_back(f);
    }
  }
}

void ForceTouch::find_points(const WorldData& data, std::span<const BodyState> state,
                             double margin) {
  points_.clear();
  manifolds_.clear();
  for (uint32_t i = 0; i < pairs_.size(); ++i) find_pair_points(data, state, i, margin);
}

}  // namespace tenon
