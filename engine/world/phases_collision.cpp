#include <algorithm>
#include <tuple>

#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/world/phases.h"

namespace tenon {

const char* name(EventKind kind) {
  switch (kind) {
    case EventKind::kContactBegin:
      return "contact_begin";
    case EventKind::kContactEnd:
      return "contact_end";
    case EventKind::kBodyFrozen:
      return "body_frozen";
    case EventKind::kJointBroke:
      return "joint_broke";
    case EventKind::kJointMade:
      return "joint_made";
    case EventKind::kJointReleased:
      return "joint_released";
  }
  return "?";
}

namespace {

constexpr size_t kPairGrain = 64;  // pairs per task: about 30 us of work

}  // namespace

bool may_touch(const WorldData& data, uint32_t body_a, uint32_t body_b) {
  if (body_a == body_b) return false;
  const BodyInfo &a = data.info[body_a], &b = data.info[body_b];
  if (!a.collision || !b.collision) return false;
  if (a.motion != MotionKind::kDynamic && b.motion != MotionKind::kDynamic) return false;
  return data.classes.may_touch(a.collision_class, b.collision_class);
}

namespace {

// How far a collider goes in the coming step if its body moves on as now and gravity pulls:
// straight on, and by turning. Round shapes turn in themselves.
void find_reach(const WorldData& data, const Aabb& box, Collider& c) {
  c.shift = {};
  c.turn = 0;
  const double h = data.settings.step;
  const BodyInfo& info = data.info[c.body];
  if (info.motion == MotionKind::kStatic || data.frozen[c.body] != 0) return;
  const BodyState& s = data.state[c.body];
  c.shift = h * s.v_WC;
  if (info.motion == MotionKind::kDynamic && info.gravity) {
    c.shift += (h * h) * data.settings.gravity;
  }
  const Vec3 w = h * s.w_WB;
  constexpr double kLargestTurn = 2;  // rad: farther apart than a diameter nothing gets by turning
  if (w == Vec3{}) return;
  const Transform X_WS = collider_transform(s, c);
  const Vec3 middle = X_WS.p - s.x_WC;
  double half = -1;
  if (std::holds_alternative<Sphere>(c.shape)) half = 0;
  if (const auto* capsule = std::get_if<Capsule>(&c.shape)) half = capsule->half_length;
  if (half >= 0) {
    const Vec3 along = half * X_WS.R.column(1);
    const double far = std::max(norm(cross(w, middle + along)), norm(cross(w, middle - along)));
    c.turn = std::min(far, kLargestTurn * (norm(middle) + half));
    return;
  }
  const Vec3 lever = cwise_max(cwise_abs(box.lo - s.x_WC), cwise_abs(box.hi - s.x_WC));
  c.turn = std::min(norm(w), kLargestTurn) * norm(lever);
}

Aabb sweep(const Aabb& box, const Vec3& d) {
  return {cwise_min(box.lo, box.lo + d), cwise_max(box.hi, box.hi + d)};
}

// Impulses of the last step go on with the points that bear the same name. Corners of equal faces
// change places at random: what has no heir of its name goes to the nearest point without one, and
// after that to the nearest.
void carry_points(const Contact& old, const Vec3& shift, Contact& c) {
  const auto count = static_cast<size_t>(c.manifold.count);
  const auto old_count = static_cast<size_t>(old.manifold.count);
  std::array<bool, Manifold::kMaxPoints> taken{}, done{};
  for (size_t k = 0; k < old_count; ++k) {
    for (size_t i = 0; i < count; ++i) {
      if (old.manifold.points[k].feature != c.manifold.points[i].feature) continue;
      taken[i] = done[k] = true;
      c.impulse_W[i] = old.impulse_W[k];
      c.holding[i] = old.holding[k];
    }
  }
  for (size_t k = 0; k < old_count; ++k) {
    if (done[k]) continue;
    const Vec3 p = old.manifold.points[k].p_W + shift;
    size_t nearest = count, any = 0;
    double best = kInfinity, best_any = kInfinity;
    for (size_t i = 0; i < count; ++i) {
      const double d = norm2(c.manifold.points[i].p_W - p);
      if (d < best_any) {
        best_any = d;
        any = i;
      }
      if (!taken[i] && d < best) {
        best = d;
        nearest = i;
      }
    }
    const size_t heir = nearest < count ? nearest : any;
    taken[heir] = true;
    c.impulse_W[heir] += old.impulse_W[k];
    c.holding[heir] += old.holding[k];
  }
  c.rub_W = old.rub_W;
  c.roll_W = old.roll_W;
  c.spin = old.spin;
}

void carry_impulses(const WorldData& data, const std::vector<Contact>& from,
                    std::vector<Contact>& to) {
  auto old = from.begin();
  const auto before = [](const Contact& a, const Contact& b) {
    return std::tie(a.collider_a, a.collider_b) < std::tie(b.collider_a, b.collider_b);
  };
  for (Contact& c : to) {
    while (old != from.end() && before(*old, c)) ++old;
    if (old == from.end()) return;
    if (before(c, *old)) continue;
    carry_points(*old,
                 0.5 * data.settings.step * (data.state[c.body_a].v_WC + data.state[c.body_b].v_WC),
                 c);
  }
}

}  // namespace

void find_candidate_pairs(StepContext& context, WorldData& data) {
  for (uint32_t id = 0; id < data.colliders.size(); ++id) {
    if (!data.collider_slots.live(id)) continue;
    Collider& c = data.colliders[id];
    if (data.info[c.body].motion == MotionKind::kStatic) continue;
    const Transform X_WS = collider_transform(data.state[c.body], c);
    const Aabb box = calc_bounds(c.shape, X_WS);
    find_reach(data, box, c);
    data.broad_phase.move(id, inflate(sweep(box, c.shift), c.margin + c.turn));
  }
  context.pairs = data.broad_phase.update_pairs();
}

void find_contacts(StepContext& context, WorldData& data) {
  const std::span<const ProxyPair> pairs = context.pairs;
  data.diagnostics.candidate_pairs = static_cast<uint32_t>(pairs.size());
  std::vector<Contact> last = std::move(data.contacts);
  const std::vector<uint64_t>& joined = context.mechanisms->apart;
  std::vector<std::vector<Contact>> found(chunk_count(pairs.size(), kPairGrain));
  parallel_for(context.pool, pairs.size(), kPairGrain, [&](size_t begin, size_t end) {
    std::vector<Contact>& list = found[begin / kPairGrain];
    for (size_t i = begin; i < end; ++i) {
      const Collider &a = data.colliders[pairs[i].a], &b = data.colliders[pairs[i].b];
      if (!may_touch(data, a.body, b.body)) continue;
      if (std::binary_search(joined.begin(), joined.end(), pair_key(a.body, b.body))) continue;
      const double margin =
          2 * std::min(a.margin, b.margin) + norm(a.shift - b.shift) + a.turn + b.turn;
      const Manifold manifold = collide(a.shape, collider_transform(data.state[a.body], a), b.shape,
                                        collider_transform(data.state[b.body], b), margin);
      if (manifold.count == 0) continue;
      list.push_back({});
      Contact& contact = list.back();
      contact.collider_a = pairs[i].a;
      contact.collider_b = pairs[i].b;
      contact.body_a = a.body;
      contact.body_b = b.body;
      contact.manifold = manifold;
    }
  });
  data.contacts.clear();
  for (const std::vector<Contact>& list : found) {
    data.contacts.insert(data.contacts.end(), list.begin(), list.end());
  }
  carry_impulses(data, last, data.contacts);
  data.contacts_stale = false;
}

void report_contact_events(StepContext& context, WorldData& data) {
  std::vector<Touch> touches = find_touches(data.contacts);
  const auto report = [&](EventKind kind, const std::vector<Touch>& changed) {
    for (const Touch& t : changed) {
      data.events.push_back({kind, data.step_count, context.t_end, data.body_slots.at(t.body_a),
                             data.body_slots.at(t.body_b), t.distance});
    }
  };
  report(EventKind::kContactBegin, find_new(data.touches, touches));
  report(EventKind::kContactEnd, find_new(touches, data.touches));
  data.touches = std::move(touches);
}

}  // namespace tenon
