// Forces of contacts at a state, and what of them a step has given.
#include <algorithm>
#include <cmath>

#include "tenon/engine/base/disjoint_sets.h"
#include "tenon/engine/integrate/dormand_prince.h"
#include "tenon/engine/world/force_touch.h"

namespace tenon {
namespace {

// Turning against each other; rad/s below which rolling resistance grows in proportion: there the
// surfaces creep by v_Tmax.
double creeping_turn(const ForcePoint& p, double v_tangent_max) {
  const double a = norm(p.at.rA_W), b = norm(p.at.rB_W);
  const double lever = a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
  return lever > 0 ? v_tangent_max / lever : v_tangent_max;
}

Vec3 turning_of(const ForcePoint& p, std::span<const BodyState> state) {
  return state[p.at.body_b].w_WB - state[p.at.body_a].w_WB;
}

}  // namespace

double ForceTouch::touching_gap(const WorldData& data) const {
  // farther apart than what the integrator may err by
  return 1e-6 + 10 * data.settings.force.accuracy;
}

void ForceTouch::push_by_laws(const WorldData& data, Evaluation& e) const {
  const ForceSettings& s = data.settings.force;
  for (const ForcePoint& p : points_) {
    const ForcePair& pair = pairs_[p.pair];
    const ContactLaw& law = pair.law;
    double f = 0;
    if (s.contacts == ForceContacts::kSpring) {
      f = spring_force(law, -p.gap, p.approach, s.v_tangent_max);
    } else if (s.contacts == ForceContacts::kPenalty || pair.stubborn || p.approach <= pair.slow) {
      f = penalty_force(law, -p.gap, p.approach);
    }
    if (!(f > 0)) continue;
    const Vec3 force = f * p.at.normal_W + friction_force(law, p.slip, f, s.v_tangent_max);
    e.forces.push_back({p.pair, p.place, force, {}});
  }
}

// Velocities along the normal and in the plane change with the directions and points of contact
// though no force acts: by the difference between two places a little ahead and behind, with the
// same velocities.                                                                             (5)
void ForceTouch::find_drift(const WorldData& data, std::span<const BodyState> state,
                            std::span<const uint32_t> resting, std::vector<Vec3>& drift) {
  drift.assign(resting.size(), {});
  constexpr double kStill = 1e-5;  // m/s, rad/s: what is slower does not notice
  constexpr double kAhead =
      1e-5;  // s: round-off of the difference 1e-11 of the velocity per second
  std::vector<uint8_t> moves(pairs_.size(), 0);
  for (const uint32_t i : resting) {
    const ForcePoint& p = points_[i];
    const BodyState &a = state[p.at.body_a], &b = state[p.at.body_b];
    const double speed = norm(a.w_WB) + norm(b.w_WB) + norm(b.v_WC - a.v_WC);
    if (speed > kStill) moves[p.pair] = 1;
  }
  if (std::find(moves.begin(), moves.end(), uint8_t{1}) == moves.end()) return;
  const std::vector<ForcePoint> now = points_;
  const std::vector<std::pair<uint32_t, Manifold>> manifolds = manifolds_;
  const auto feature = [](const std::vector<std::pair<uint32_t, Manifold>>& list,
                          const ForcePoint& p) {
    const Manifold* m = find_patch(list, p.pair, p.place);
    return m != nullptr ? m->points[point_of(p.place)].feature : 0u;
  };
  std::vector<BodyState> shifted(state.begin(), state.end());
  std::vector<uint8_t> found(resting.size(), 0);
  for (const double sign : {1.0, -1.0}) {
    for (size_t i = 0; i < shifted.size(); ++i) {
      if (data.info[i].motion == MotionKind::kStatic) continue;
      shifted[i].x_WC = state[i].x_WC + sign * kAhead * state[i].v_WC;
      shifted[i].q_WB = normalized(exp_map(sign * kAhead * state[i].w_WB) * state[i].q_WB);
    }
    points_.clear();
    manifolds_.clear();
    for (uint32_t i = 0; i < pairs_.size(); ++i) {
      if (moves[i] != 0) find_pair_points(data, shifted, i, 10 * touching_gap(data));
    }
    for (size_t k = 0; k < resting.size(); ++k) {
      const ForcePoint& p = now[resting[k]];
      if (moves[p.pair] == 0) continue;
      const uint32_t name = feature(manifolds, p);
      for (const ForcePoint& q : points_) {
        if (q.pair != p.pair || feature(manifolds_, q) != name) continue;
        // along the normal of then, in the plane of now
        const Vec3& n = p.at.normal_W;
        const Vec3 across = q.slip - dot(q.slip, n) * n;
        drift[k] += (sign / (2 * kAhead)) * (across - q.approach * n);
        ++found[k];
        break;
      }
    }
  }
  points_ = now;
  manifolds_ = manifolds;
  // normals jump where features change: nothing turns or bends faster than this
  for (size_t k = 0; k < resting.size(); ++k) {
    const ForcePoint& p = points_[resting[k]];
    const double turn = norm(state[p.at.body_a].w_WB) + norm(state[p.at.body_b].w_WB);
    const double ra = norm(p.at.rA_W), rb = norm(p.at.rB_W);
    const double bend = std::min(ra > 0 ? ra : rb, rb > 0 ? rb : ra);
    const double most =
        4 * (turn * turn * (std::min(ra, rb) + bend) + norm2(p.slip) / std::max(bend, 1e-9));
    if (found[k] != 2 || !(norm(drift[k]) <= most)) drift[k] = {};
  }
}

const ForceTouch::SlideLatch* ForceTouch::find_latch(const ForcePoint& p) const {
  const uint64_t key = static_cast<uint64_t>(p.pair) << 32 | p.feature;
  const auto at = std::lower_bound(latches_.begin(), latches_.end(), key,
                                   [](const SlideLatch& l, uint64_t k) { return l.key < k; });
  return at != latches_.end() && at->key == key ? &*at : nullptr;
}

bool ForceTouch::latch(const WorldData& data, std::span<const BodyState> state) {
  // m/s: slower is what errors of the integration and of impulses leave of nothing
  const ForceSettings& s = data.settings.force;
  const double still = std::min(s.v_tangent_max, 1e-7 + 10 * s.accuracy);
  // heaps that jitter come to stops without end: what slides slower than v_Tmax sticks there
  constexpr uint32_t kMostStops = 100;
  std::vector<SlideLatch> now;
  if (s.contacts == ForceContacts::kLcp && !pairs_.empty() && stops_ <= kMostStops) {
    find_points(data, state, touching_gap(data));
    for (const ForcePoint& p : points_) {
      const double speed = norm(p.slip);
      const bool slides = speed > still;
      now.push_back({static_cast<uint64_t>(p.pair) << 32 | p.feature, slides,
                     slides ? p.slip / speed : Vec3{}});
    }
    std::sort(now.begin(), now.end(),
              [](const SlideLatch& a, const SlideLatch& b) { return a.key < b.key; });
  }
  bool changed = false;
  for (const SlideLatch& l : now) {
    const auto at = std::lower_bound(latches_.begin(), latches_.end(), l.key,
                                     [](const SlideLatch& x, uint64_t k) { return x.key < k; });
    const bool before = at != latches_.end() && at->key == l.key && at->slides;
    changed = changed || before != l.slides;
  }
  latches_ = std::move(now);
  return changed;
}

// Points that rest: they touch, and do not come nearer faster than what is called still.
void ForceTouch::push_by_lcp(const WorldData& data, std::span<const BodyState> state,
                             std::span<const Motion> free, const ContactResponse& response,
                             Evaluation& e) {
  const ForceSettings& s = data.settings.force;
  std::vector<uint32_t> resting;
  for (uint32_t i = 0; i < points_.size(); ++i) {
    const ForcePoint& p = points_[i];
    if (p.approach <= s.v_tangent_max || pairs_[p.pair].stubborn) resting.push_back(i);
  }
  if (resting.empty()) return;
  std::vector<Vec3> drift;
  find_drift(data, state, resting, drift);
  const double pull = 0.5 / s.dt_col;  // 1/s: errors decay within a few looks
  std::vector<RestingPoint> rows(resting.size());
  for (size_t k = 0; k < resting.size(); ++k) {
    const ForcePoint& p = points_[resting[k]];
    const ContactLaw& law = pairs_[p.pair].law;
    RestingPoint& r = rows[k];
    r.at = p.at;
    const Vec3& n = p.at.normal_W;
    r.bias_W = relative_velocity(p.at, free[p.at.body_a], free[p.at.body_b]) + drift[k];
    // (4): errors of gap and velocity go to zero, critically damped
    r.bias_W += (-2 * pull * p.approach + pull * pull * p.gap) * n;
    r.static_friction = law.static_friction;
    r.sliding_friction = law.sliding_friction;
    // what slides at the step's begin does so beyond a standstill, up to the event that finds it
    const double speed = norm(p.slip);
    const SlideLatch* latch = find_latch(p);
    if (latch != nullptr && latch->slides) {
      r.slip_W = speed > 0 ? p.slip / speed : latch->direction;
      if (dot(r.slip_W, latch->direction) < 0) r.slip_W = -r.slip_W;
    } else if (speed > s.v_tangent_max) {
      r.slip_W = p.slip / speed;
    } else {
      r.bias_W += pull * p.slip;
    }
    r.torque_per_force =
        rolling_torque(law, turning_of(p, state), n, 1, creeping_turn(p, s.v_tangent_max));
  }
  const std::vector<uint8_t> failed = solve_resting(resting, rows, response);
  for (size_t k = 0; k < resting.size(); ++k) {
    const ForcePoint& p = points_[resting[k]];
    RestingPoint& r = rows[k];
    if (failed[k] != 0) {
      // no solution: what the penalty method does
      const ContactLaw& law = pairs_[p.pair].law;
      r.normal = penalty_force(law, -p.gap, p.approach);
      r.force_W = r.normal * p.at.normal_W + friction_force(law, p.slip, r.normal, s.v_tangent_max);
    }
    if (!(r.normal > 0)) continue;
    e.forces.push_back({p.pair, p.place, r.force_W, r.normal * r.torque_per_force});
  }
}

// Bodies that touch neither directly nor through others or joints do not know of each other: their
// problems are solved one by one.
std::vector<uint8_t> ForceTouch::solve_resting(std::span<const uint32_t> resting,
                                               std::span<RestingPoint> rows,
                                               const ContactResponse& response) {
  DisjointSets together(owner_.size());
  const auto moves = [&](uint32_t slot) { return moving_[slot] != 0; };
  for (const RestingPoint& r : rows) {
    if (!moves(r.at.body_a) || !moves(r.at.body_b)) continue;
    together.join(owner_[r.at.body_a], owner_[r.at.body_b]);
  }
  std::vector<std::pair<uint32_t, uint32_t>> order;  // island, row
  for (uint32_t k = 0; k < rows.size(); ++k) {
    const TouchingPoint& at = rows[k].at;
    order.emplace_back(together.find(owner_[moves(at.body_a) ? at.body_a : at.body_b]), k);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::pair<uint64_t, RestingMode>> after;
  std::vector<uint8_t> failed(rows.size(), 0);
  for (size_t first = 0; first < order.size();) {
    size_t end = first;
    while (end < order.size() && order[end].first == order[first].first) ++end;
    std::vector<RestingPoint> part;
    std::vector<RestingMode> modes;
    std::vector<uint64_t> keys;
    for (size_t i = first; i < end; ++i) {
      const uint32_t k = order[i].second;
      const ForcePoint& p = points_[resting[k]];
      part.push_back(rows[k]);
      keys.push_back(static_cast<uint64_t>(p.pair) << 32 | p.place);
      const auto at = std::lower_bound(modes_.begin(), modes_.end(),
                                       std::pair(keys.back(), RestingMode::kOpen));
      const bool known = at != modes_.end() && at->first == keys.back();
      modes.push_back(known ? at->second : RestingMode::kClosed);
    }
    const RestingResult result = calc_resting_forces(part, response, modes);
    ++counters_.lcp_solves;
    counters_.lcp_pivots += static_cast<uint32_t>(result.pivots);
    const bool fails = result.status != LcpStatus::kSolved;
    counters_.lcp_failures += fails ? 1 : 0;
    for (size_t i = first; i < end; ++i) {
      rows[order[i].second] = part[i - first];
      failed[order[i].second] = fails ? 1 : 0;
      after.emplace_back(keys[i - first], modes[i - first]);
    }
    first = end;
  }
  std::sort(after.begin(), after.end());
  modes_ = std::move(after);
  return failed;
}

void ForceTouch::sum_loads(const WorldData& data, std::span<const BodyState> state, Evaluation& e) {
  loads_.clear();
  const auto add = [&](uint32_t slot, const Vec3& force, const Vec3& torque) {
    if (!moves_by_itself(data, slot)) return;
    const auto at = std::lower_bound(loads_.begin(), loads_.end(), slot,
                                     [](const LoadedBody& l, uint32_t s) { return l.body < s; });
    const auto here =
        at != loads_.end() && at->body == slot ? at : loads_.insert(at, LoadedBody{slot, {}});
    here->load.force += force;
    here->load.torque += torque;
  };
  auto m = e.manifolds.begin();
  for (const PointForce& f : e.forces) {
    while (m->first != f.pair) ++m;
    const ForcePair& p = pairs_[f.pair];
    const Vec3 x = m[patch_of(f.place)].second.points[point_of(f.place)].p_W;
    add(p.body_a, -f.force, cross(x - state[p.body_a].x_WC, -f.force) - f.torque);
    add(p.body_b, f.force, cross(x - state[p.body_b].x_WC, f.force) + f.torque);
  }
  for (const LoadedBody& l : loads_) {
    e.power += dot(l.load.force, state[l.body].v_WC) + dot(l.load.torque, state[l.body].w_WB);
  }
}

std::span<const LoadedBody> ForceTouch::calc_forces(const WorldData& data, double t,
                                                    std::span<const BodyState> state,
                                                    std::span<const Motion> free,
                                                    const ContactResponse& response) {
  loads_.clear();
  power_ = 0;
  running_ = {};
  running_.t = t;
  if (pairs_.empty()) return loads_;
  const ForceSettings& s = data.settings.force;
  const bool lcp = s.contacts == ForceContacts::kLcp;
  find_points(data, state, lcp ? touching_gap(data) : 0);
  Evaluation& e = running_;
  if (lcp) {
    push_by_lcp(data, state, free, response, e);
  } else {
    push_by_laws(data, e);
    for (PointForce& f : e.forces) {
      const auto same = [&](const ForcePoint& p) { return p.pair == f.pair && p.place == f.place; };
      const ForcePoint& p = *std::find_if(points_.begin(), points_.end(), same);
      f.torque = rolling_torque(pairs_[p.pair].law, turning_of(p, state), p.at.normal_W,
                                dot(f.force, p.at.normal_W), creeping_turn(p, s.v_tangent_max));
    }
  }
  e.manifolds = manifolds_;
  sum_loads(data, state, e);
  power_ = e.power;
  return loads_;
}

const Manifold* ForceTouch::find_patch(const std::vector<std::pair<uint32_t, Manifold>>& list,
                                       uint32_t pair, uint32_t place) {
  const auto first =
      std::find_if(list.begin(), list.end(), [&](const auto& x) { return x.first == pair; });
  return first == list.end() ? nullptr : &first[patch_of(place)].second;
}

Contact& ForceTouch::part_of(std::vector<Contact>& parts, uint32_t pair, uint32_t patch,
                             const Manifold& manifold) const {
  const ForcePair& p = pairs_[pair];
  for (Contact& c : parts) {
    if (c.collider_a == p.collider_a && c.collider_b == p.collider_b && c.patch == patch) return c;
  }
  Contact c;
  c.collider_a = p.collider_a;
  c.collider_b = p.collider_b;
  c.body_a = p.body_a;
  c.body_b = p.body_b;
  c.patch = patch;
  c.manifold = manifold;
  return parts.emplace_back(c);
}

// Adds a part of the frame to what has been pushed in it; pairs that do not push now stay.
void ForceTouch::add_pushed(std::vector<Contact> part) {
  std::sort(part.begin(), part.end(), is_before);
  add_impulses(pushed_, part);
  for (const Contact& c : pushed_) {
    const auto at = std::lower_bound(part.begin(), part.end(), c, is_before);
    const bool there = at != part.end() && !is_before(c, *at);
    if (!there) part.insert(at, c);
  }
  pushed_ = std::move(part);
}

double ForceTouch::accept_step(double t, double h, std::span<const double> weight) {
  // the last six are stages 2 to 7; the first stage is the last evaluation at the step's begin
  if (evaluations_.size() < 7) return 0;
  const size_t last = evaluations_.size() - 6;
  size_t first = last;
  for (size_t i = 0; i < last; ++i) {
    if (evaluations_[i].t == t) first = i;
  }
  std::vector<Contact> part;
  double work = 0;
  for (size_t stage = 0; stage < 7; ++stage) {
    const Evaluation& e = evaluations_[stage == 0 ? first : last + stage - 1];
    if ((stage == 0 && first == last) || weight[stage] == 0) continue;
    work += h * weight[stage] * e.power;
    auto m = e.manifolds.begin();
    for (const PointForce& f : e.forces) {
      while (m->first != f.pair) ++m;
      const Manifold& now = m[patch_of(f.place)].second;
      Contact& c = part_of(part, f.pair, patch_of(f.place), now);
      // to the point of the same name, or the first
      size_t place = 0;
      for (size_t k = 0; k < static_cast<size_t>(c.manifold.count); ++k) {
        if (c.manifold.points[k].feature == now.points[point_of(f.place)].feature) place = k;
      }
      const Vec3 impulse = h * weight[stage] * f.force;
      c.impulse_W[place] += impulse;
      c.holding[place] += dot(impulse, now.normal_W);
    }
  }
  if (!part.empty()) add_pushed(std::move(part));
  evaluations_.erase(evaluations_.begin(), evaluations_.end() - 1);
  return work;
}

void ForceTouch::begin_frame() {
  evaluations_.clear();
  pushed_.clear();
  counters_ = {};
}

}  // namespace tenon
