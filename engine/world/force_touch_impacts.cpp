// When bodies meet, and what impulses that brings.
#include <algorithm>
#include <cmath>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/world/force_touch.h"

namespace tenon {
namespace {

constexpr int kMostSamples = 256;  // of a step in which something thin is fast
constexpr int kBisections = 50;    // to the last bit of a time

}  // namespace

bool ForceTouch::collides_now(const ForcePoint& p) const {
  return p.gap <= 0 && p.approach > pairs_[p.pair].slow && !pairs_[p.pair].stubborn;
}

bool ForceTouch::stops_now(const ForcePoint& p) const {
  const SlideLatch* latch = find_latch(p);
  return latch != nullptr && latch->slides && dot(latch->direction, p.slip) <= 0;
}

bool ForceTouch::happens(const WorldData& data, std::span<const BodyState> state) {
  const bool lcp = data.settings.force.contacts == ForceContacts::kLcp;
  find_points(data, state, lcp ? touching_gap(data) : 0);
  return std::any_of(points_.begin(), points_.end(),
                     [&](const ForcePoint& p) { return collides_now(p) || stops_now(p); });
}

bool ForceTouch::collides(const WorldData& data, std::span<const BodyState> state) {
  const ForceContacts method = data.settings.force.contacts;
  if (method == ForceContacts::kSpring || method == ForceContacts::kPenalty) return false;
  find_points(data, state, 0);
  return std::any_of(points_.begin(), points_.end(),
                     [&](const ForcePoint& p) { return collides_now(p); });
}

std::optional<double> ForceTouch::find_impact(const WorldData& data, double h, const StateAt& at) {
  const ForceContacts method = data.settings.force.contacts;
  if (method == ForceContacts::kSpring || method == ForceContacts::kPenalty || pairs_.empty()) {
    return std::nullopt;
  }
  // so many looks that nothing passes half of something thin in between
  const std::span<const BodyState> begin = at(0);
  double looks = 1;
  for (const ForcePair& p : pairs_) {
    const BodyState &a = begin[p.body_a], &b = begin[p.body_b];
    const double way =
        h * (norm(b.v_WC - a.v_WC) + norm(a.w_WB) * p.far_a + norm(b.w_WB) * p.far_b);
    if (p.thin > 0) looks = std::max(looks, 2 * way / p.thin);
  }
  const int samples = static_cast<int>(std::min<double>(kMostSamples, std::ceil(looks)));
  double low = 0;
  for (int i = 1; i <= samples; ++i) {
    double high = i == samples ? 1 : static_cast<double>(i) / samples;
    if (!happens(data, at(high))) {
      low = high;
      continue;
    }
    for (int k = 0; k < kBisections; ++k) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) break;
      (happens(data, at(middle)) ? high : low) = middle;
    }
    happens(data, at(high));
    if (std::any_of(points_.begin(), points_.end(),
                    [&](const ForcePoint& p) { return stops_now(p); })) {
      ++stops_;
    }
    return high;
  }
  return std::nullopt;
}

// Bodies that do not bounce do not come nearer: impulses without restitution for all points at
// once.                                                                                       (6)
void ForceTouch::settle(std::span<const BodyState> state, std::vector<Motion>& velocity,
                        const ContactResponse& response, std::span<const uint32_t> group) {
  std::vector<RestingPoint> rows;
  for (const uint32_t i : group) {
    const ForcePoint& p = points_[i];
    const ContactLaw& law = pairs_[p.pair].law;
    RestingPoint r;
    r.at = p.at;
    // belts move though bodies do not
    const Vec3 own = relative_velocity(p.at, {state[p.at.body_a].v_WC, state[p.at.body_a].w_WB},
                                       {state[p.at.body_b].v_WC, state[p.at.body_b].w_WB});
    const Vec3 belt = p.slip - (own - dot(own, p.at.normal_W) * p.at.normal_W);
    r.bias_W = relative_velocity(p.at, velocity[p.at.body_a], velocity[p.at.body_b]) + belt;
    r.static_friction = r.sliding_friction = law.static_friction;
    rows.push_back(r);
  }
  std::vector<RestingMode> modes;
  const RestingResult result = calc_resting_forces(rows, response, modes);
  ++counters_.lcp_solves;
  counters_.lcp_pivots += static_cast<uint32_t>(result.pivots);
  if (result.status != LcpStatus::kSolved) {
    ++counters_.lcp_failures;
    return;
  }
  std::vector<LoadedBody> loads;
  std::vector<AnsweringBody> answer;
  std::vector<Contact> part;
  for (size_t k = 0; k < rows.size(); ++k) {
    if (!(rows[k].normal > 0)) continue;
    LoadedBody two[2];
    loads_at(rows[k].at, rows[k].force_W, two);
    loads.insert(loads.end(), two, two + 2);
    const ForcePoint& p = points_[group[k]];
    const Manifold* m = find_patch(manifolds_, p.pair, p.place);
    part_of(part, p.pair, patch_of(p.place), *m).impulse_W[point_of(p.place)] += rows[k].force_W;
  }
  response.respond(loads, answer);
  for (const AnsweringBody& x : answer) {
    velocity[x.body].v += x.change.v;
    velocity[x.body].w += x.change.w;
  }
  if (!part.empty()) add_pushed(std::move(part));
}

bool ForceTouch::collide(const WorldData& data, std::span<BodyState> state,
                         const ContactResponse& response) {
  const bool lcp = data.settings.force.contacts == ForceContacts::kLcp;
  constexpr double kTouches = 1e-7;  // m: corners that meet at once do so to round-off
  find_points(data, state, lcp ? touching_gap(data) : kTouches);
  // what hangs together by points that touch
  DisjointSets sets(data.info.size());
  const auto moves = [&](uint32_t slot) { return moves_by_itself(data, slot); };
  const auto owner = [&](const ForcePoint& p) {
    return sets.find(moves(p.at.body_a) ? p.at.body_a : p.at.body_b);
  };
  for (const ForcePoint& p : points_) {
    if (moves(p.at.body_a) && moves(p.at.body_b)) sets.join(p.at.body_a, p.at.body_b);
  }
  std::vector<uint32_t> hit;
  for (const ForcePoint& p : points_) {
    if (collides_now(p)) hit.push_back(owner(p));
  }
  std::sort(hit.begin(), hit.end());
  hit.erase(std::unique(hit.begin(), hit.end()), hit.end());
  if (hit.empty()) return false;

  std::vector<Motion> velocity(state.size());
  for (size_t i = 0; i < state.size(); ++i) velocity[i] = {state[i].v_WC, state[i].w_WB};
  const SerialSettings serial{.slow = data.settings.force.v_normal_max};
  ++counters_.impacts;
  for (const uint32_t set : hit) {
    std::vector<uint32_t> group;
    std::vector<CollidingPoint> points;
    for (uint32_t i = 0; i < points_.size(); ++i) {
      const ForcePoint& p = points_[i];
      if (owner(p) != set) continue;
      group.push_back(i);
      const ContactLaw& law = pairs_[p.pair].law;
      // of the state that slips were measured in: joints pass on the impulses of earlier sets
      const Vec3 own = relative_velocity(p.at, {state[p.at.body_a].v_WC, state[p.at.body_a].w_WB},
                                         {state[p.at.body_b].v_WC, state[p.at.body_b].w_WB});
      const Vec3 belt = p.slip - (own - dot(own, p.at.normal_W) * p.at.normal_W);
      points.push_back({p.at, law.restitution, law.sliding_friction, belt, {}});
    }
    const SerialResult result = collide_in_turn(points, response, velocity, serial);
    counters_.impact_steps += static_cast<uint32_t>(result.steps);
    counters_.capped_impacts += result.capped ? 1 : 0;
    counters_.approach_left = std::max(counters_.approach_left, result.approach);
    std::vector<Contact> part;
    for (size_t k = 0; k < group.size(); ++k) {
      if (points[k].impulse_W == Vec3{}) continue;
      const ForcePoint& p = points_[group[k]];
      const Manifold* m = find_patch(manifolds_, p.pair, p.place);
      part_of(part, p.pair, patch_of(p.place), *m).impulse_W[point_of(p.place)] +=
          points[k].impulse_W;
    }
    if (!part.empty()) add_pushed(std::move(part));
    if (lcp) settle(state, velocity, response, group);
  }
  bool changed = false;
  for (uint32_t i = 0; i < state.size(); ++i) {
    BodyState& s = state[i];
    if (!moves(i) || (velocity[i].v == s.v_WC && velocity[i].w == s.w_WB)) continue;
    changed = true;
    s.v_WC = velocity[i].v;
    s.w_WB = velocity[i].w;
    s.L_W = angular_momentum(s.q_WB, data.mass[i].I_B, s.w_WB);
  }
  if (!changed) give_up(data, state);
  return changed;
}

void ForceTouch::give_up(const WorldData& data, std::span<const BodyState> state) {
  if (!collides(data, state)) return;
  for (const ForcePoint& p : points_) {
    if (collides_now(p)) pairs_[p.pair].stubborn = true;
  }
}

}  // namespace tenon
