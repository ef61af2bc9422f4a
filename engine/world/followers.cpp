#include "tenon/engine/world/followers.h"

#include <algorithm>
#include <tuple>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/engine/world/contact_rules.h"

namespace tenon {

// Whether a body leaves what the search for contacts has foreseen.
bool Followers::strays(const Collider& c) const {
  const BodyState &now = work_.impacts.at[c.body], &then = data_.state[c.body];
  const double rest = context_.h - work_.impacts.clock[c.body];
  const double turn = norm(now.w_WB - then.w_WB) * bounding_radius(c.shape);
  return rest * (norm(now.v_WC - then.v_WC) + turn) > 0.5 * c.margin;
}

void Followers::widen(uint32_t id) {
  const Collider& c = data_.colliders[id];
  const BodyState& s = work_.impacts.at[c.body];
  const double rest = context_.h - work_.impacts.clock[c.body];
  const Aabb now = calc_bounds(c.shape, collider_transform(s, c));
  const Vec3 lever = cwise_max(cwise_abs(now.lo - s.x_WC), cwise_abs(now.hi - s.x_WC));
  const double turn = std::min(rest * norm(s.w_WB), 2.0) * norm(lever);
  const Vec3 d = rest * (s.v_WC + (0.5 * rest) * course_.acceleration(c.body));
  Aabb box{cwise_min(now.lo, now.lo + d), cwise_max(now.hi, now.hi + d)};
  box = inflate(box, c.margin + turn);
  const Aabb& old = data_.broad_phase.box(id);
  data_.broad_phase.move(id, {cwise_min(box.lo, old.lo), cwise_max(box.hi, old.hi)});
}

bool Followers::may_follow(const Collider& a, const Collider& b) const {
  if (!may_touch(data_, a, b) || a.sensor || b.sensor) return false;
  for (const uint32_t slot : {a.body, b.body}) {
    if (is_left_out(context_, slot)) return false;
    if (!(data_.info[slot].one_way == Vec3{})) return false;
    // what hits do to joints, and to what touches jointed bodies, is left to the next step
    if (data_.info[slot].motion != MotionKind::kDynamic) continue;
    if (context_.mechanisms->jointed[slot] != 0) return false;
    const uint32_t island = work_.stamp[slot];
    if (!(island < work_.count)) continue;
    // and sleepers wake in the next step
    if (work_.islands[island].asleep || !work_.islands[island].mechanisms.empty()) return false;
  }
  const uint64_t pair = pair_key(a.body, b.body);
  return !std::binary_search(data_.separated.begin(), data_.separated.end(), pair);
}

void Followers::look(uint32_t id) {
  found_.clear();
  data_.broad_phase.find_overlaps(data_.broad_phase.box(id), found_);
  for (const ProxyId other : found_) {
    const uint32_t a = std::min(id, other), b = std::max(id, other);
    if (other == id || !may_follow(data_.colliders[a], data_.colliders[b])) continue;
    if (is_contact(data_, a, b)) continue;
    candidates_.push_back({a, b, {}});
  }
}

void Followers::book(const Candidate& c, const StrikeResult& r) {
  const auto same = [&](const Contact& x) { return x.collider_a == c.a && x.collider_b == c.b; };
  auto at = std::find_if(work_.followers.begin(), work_.followers.end(), same);
  if (at == work_.followers.end()) {
    Contact& made = work_.followers.emplace_back();
    made.collider_a = c.a;
    made.collider_b = c.b;
    made.body_a = data_.colliders[c.a].body;
    made.body_b = data_.colliders[c.b].body;
    made.manifold = c.meeting.manifold;
    at = work_.followers.end() - 1;
  }
  double all = 0;
  for (const double p : r.normal) all += p;
  const auto points = static_cast<size_t>(at->manifold.count);
  for (size_t i = 0; i < Manifold::kMaxPoints && all > 0; ++i) {
    at->impulse_W[std::min(i, points - 1)] +=
        r.normal[i] * (c.meeting.manifold.normal_W + (1 / all) * r.rub_W);
  }
}

void Followers::meet(Candidate& c) {
  const double from =
      std::max(course_.clock(data_.colliders[c.a].body), course_.clock(data_.colliders[c.b].body));
  c.meeting = course_.find_meeting(c.a, c.b, from);
  const bool patchy = has_patches(data_.colliders[c.a].shape, data_.colliders[c.b].shape);
  if (c.strikes >= (patchy ? kMostMeshStrikes : kMostStrikes)) c.meeting.time = kInfinity;
}

bool Followers::run() {
  std::vector<uint32_t> moved;
  for (uint32_t slot = 0; slot < work_.impacts.hit.size(); ++slot) {
    if (work_.impacts.hit[slot] != ImpactStates::kNews) continue;
    work_.impacts.hit[slot] = ImpactStates::kSeen;
    for (const uint32_t id : data_.info[slot].colliders) {
      if (strays(data_.colliders[id])) moved.push_back(id);
    }
  }
  if (moved.empty()) return false;
  if (work_.boxes_fresh == 0) refresh_boxes(data_);
  work_.boxes_fresh = 1;
  for (const uint32_t id : moved) widen(id);
  candidates_.clear();
  for (const uint32_t id : moved) look(id);
  const auto before = [](const Candidate& x, const Candidate& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
  };
  const auto same = [](const Candidate& x, const Candidate& y) { return x.a == y.a && x.b == y.b; };
  std::sort(candidates_.begin(), candidates_.end(), before);
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), same), candidates_.end());
  for (Candidate& c : candidates_) meet(c);
  bool any = false;
  for (;;) {
    const auto next = std::min_element(
        candidates_.begin(), candidates_.end(),
        [](const Candidate& x, const Candidate& y) { return x.meeting.time < y.meeting.time; });
    if (next == candidates_.end() || !(next->meeting.time < kInfinity)) return any;
    const bool plastic = next->meeting.gentle || next->strikes >= kPlasticStrikes;
    book(*next, strike_.apply(next->a, next->b, next->meeting, plastic));
    ++next->strikes;
    any = true;
    const uint32_t a = data_.colliders[next->a].body, b = data_.colliders[next->b].body;
    for (Candidate& c : candidates_) {
      const uint32_t ca = data_.colliders[c.a].body, cb = data_.colliders[c.b].body;
      const auto is_hit = [&](uint32_t slot) {
        return (slot == a || slot == b) && work_.impacts.struck(slot);
      };
      if (is_hit(ca) || is_hit(cb)) meet(c);
    }
  }
}

}  // namespace tenon
