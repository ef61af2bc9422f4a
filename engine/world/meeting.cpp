#include "tenon/engine/world/meeting.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/collision/narrow/impact_time.h"
#include "tenon/engine/forces/gravity.h"
#include "tenon/engine/geometry/support.h"
#include "tenon/engine/integrate/free_motion.h"
#include "tenon/engine/world/reach.h"

namespace tenon {
namespace {

// Points of a body that turns by no more than this, rad, go straight on but for a small part of
// the way: half its square of the lever.
constexpr double kStraightTurn = 0.1;
// Bodies that turn by more than this in a step are followed in any case, rad.
constexpr double kFastTurn = 0.25;
// Cosine of the angle between normal and axle: more, and a wheel may touch with an end. As for
// faces of convex pairs, 20 degrees.
constexpr double kOnTread = 0.94;
constexpr int kMostIntervals = 1000;
constexpr int kMostRefinements = 8, kMostMeshRefinements = 3;
constexpr double kRoundOff = 1e-13;  // of the bodies' speeds: closing slower than this is none
// Pairs that are farther apart than this part of the smaller shape: first to where they come near.
constexpr double kNear = 0.25;

bool is_round(const Collider& c) {
  return std::holds_alternative<Sphere>(c.shape) && c.X_CS.p == Vec3{};
}

// How far its points are from the axis about which they turn, m; planes end nowhere.
double reach_of(const Collider& c) {
  constexpr double kFarPlane = 1e3;
  if (is_round(c)) return 0;
  if (kind(c.shape) == ShapeKind::kPlane) return kFarPlane;
  return norm(c.X_CS.p) + bounding_radius(c.shape);
}

Vec3 point_velocity(const BodyState& s, const Vec3& p_W) {
  return s.v_WC + cross(s.w_WB, p_W - s.x_WC);
}

Meeting no_meeting(bool apart) {
  Meeting meeting;
  meeting.apart = apart;
  return meeting;
}

}  // namespace

double closing_time(double gap, double s, double a, double h) {
  if (!(s < 0)) return kInfinity;
  if (!(gap > 0)) return 0;
  const double root = s * s - 2 * a * gap;
  if (root < 0) return kInfinity;
  const double t = 2 * gap / (-s + std::sqrt(root));
  return t <= h ? t : kInfinity;
}

struct Course::Pair {
  const Collider &a, &b;
  double still = 0;  // m: gaps up to here are none
  double slow = 0;   // m/s: approaches up to here are left to the contacts
};

Vec3 Course::own_acceleration(uint32_t slot) const {
  if (data_.info[slot].motion != MotionKind::kDynamic || data_.frozen[slot] != 0) return {};
  if (context_.mechanisms->jointed[slot] != 0) return {};
  Wrench total = data_.applied[slot];
  if (data_.info[slot].gravity) add_gravity(total, data_.mass[slot], data_.settings.gravity);
  return data_.mass[slot].inv_mass * total.force;
}

double Course::clock(uint32_t slot) const {
  return impacts_.struck(slot) ? impacts_.clock[slot] : 0;
}

BodyState Course::state_at(uint32_t slot, double t) const {
  const BodyInfo& info = data_.info[slot];
  if (info.motion == MotionKind::kStatic || data_.frozen[slot] != 0) {
    BodyState s = data_.state[slot];
    s.v_WC = s.w_WB = {};
    return s;
  }
  if (info.motion == MotionKind::kKinematic) {
    BodyState s = context_.kinematic_begin[slot];
    const ScriptVelocity mean = mean_velocity(info.script, context_.t_begin, context_.t_end);
    s.v_WC = mean.v_WB;
    s.w_WB = mean.w_WB;
    s.x_WC += t * s.v_WC;
    s.q_WB = normalized(exp_map(t * s.w_WB) * s.q_WB);
    return s;
  }
  if (context_.mechanisms->jointed[slot] != 0) return data_.state[slot];
  const bool struck = impacts_.struck(slot);
  const BodyState& s = struck ? impacts_.at[slot] : data_.state[slot];
  const double ahead = struck ? t - impacts_.clock[slot] : t;
  if (ahead == 0) return s;
  Wrench total = data_.applied[slot];
  if (info.gravity) add_gravity(total, data_.mass[slot], data_.settings.gravity);
  if (data_.mass[slot].moments == Vec3{}) total.torque = {};
  const double held = impacts_.held_since(slot), from = t - ahead;
  if (!(held < std::max(from, t))) return advance_free_body(s, data_.mass[slot], total, ahead);
  // free until it is held, straight from then on, there and back                             (3e)
  const double turn = std::clamp(held, std::min(from, t), std::max(from, t));
  const auto go = [&](const BodyState& at, bool forces, double time) {
    return time == 0 ? at
                     : advance_free_body(at, data_.mass[slot], forces ? total : Wrench{}, time);
  };
  return go(go(s, ahead > 0, turn - from), ahead < 0, t - turn);
}

BodyState Course::line_begin(uint32_t slot) const {
  if (!(impacts_.held_since(slot) < kInfinity) || !impacts_.struck(slot)) return state_at(slot, 0);
  return advance_free_body(impacts_.at[slot], data_.mass[slot], {}, -impacts_.clock[slot]);
}

double Course::turn_of(const Collider& c, std::span<const IslandPatch> patches) const {
  if (data_.info[c.body].motion == MotionKind::kStatic || is_round(c)) return 0;
  const BodyState& s = impacts_.struck(c.body) ? impacts_.at[c.body] : data_.state[c.body];
  const Transform X_WS = collider_transform(s, c);
  // at its ends, points of a rim that is not the lowest come and go as it turns about its axle
  const bool rolls = std::all_of(patches.begin(), patches.end(), [&](const IslandPatch& patch) {
    return std::fabs(dot(patch.n, X_WS.R.column(1))) < kOnTread;
  });
  return context_.h * norm(rolls ? visible_turn(c, X_WS, s.w_WB) : s.w_WB);
}

bool Course::is_fast_turn(double turn) { return turn > kFastTurn; }

double Course::turn_way(const Collider& c, double turn) {
  return turn > 0 ? turn * reach_of(c) : 0;
}

double Course::bend_of(const Collider& c, double turn) {
  return turn > 0 ? 0.5 * turn * turn * reach_of(c) : 0;
}

std::span<const Manifold> Course::find_patches(const Pair& pair, const BodyState& A,
                                               const BodyState& B, double margin,
                                               double time) const {
  const Transform XA = collider_transform(A, pair.a), XB = collider_transform(B, pair.b);
  patches_.clear();
  // what forces bend the way by is little beside this
  const Vec3 pull = acceleration(pair.b.body) - acceleration(pair.a.body);
  const double near =
      2 * std::min(pair.a.margin, pair.b.margin) + pair.still + time * time * norm(pull);
  const PairMotion motion{
      time * (B.v_WC - A.v_WC + cross(B.w_WB, XA.p - B.x_WC) - cross(A.w_WB, XA.p - A.x_WC)),
      time * (B.w_WB - A.w_WB), XA.p, near};
  collide_all(pair.a.shape, XA, pair.b.shape, XB, margin, patches_, motion);
  return patches_;
}

namespace {

// The nearest patch of those on the side that n points to, or of all.
const Manifold& nearest_along(std::span<const Manifold> patches, const Vec3& n) {
  const Manifold* best = nullptr;
  for (const Manifold& m : patches) {
    if (!(dot(m.normal_W, n) > 0)) continue;
    if (best == nullptr || m.distance < best->distance) best = &m;
  }
  if (best != nullptr) return *best;
  return *std::min_element(
      patches.begin(), patches.end(),
      [](const Manifold& x, const Manifold& y) { return x.distance < y.distance; });
}

}  // namespace

// Newton's way from a first guess to the time at which the true distance is none. Points turn as
// they go, so straight lines are a little wrong.
Meeting Course::refine(const Pair& pair, double t, double time, const Vec3& n) const {
  Meeting meeting;
  const double margin = 1e-3 * std::min(pair.a.size, pair.b.size);
  double low = t, high = context_.h;
  const bool patchy = has_patches(pair.a.shape, pair.b.shape);
  for (int i = 0; i < (patchy ? kMostMeshRefinements : kMostRefinements); ++i) {
    const BodyState A = state_at(pair.a.body, time), B = state_at(pair.b.body, time);
    const double reach =
        norm(B.v_WC - A.v_WC) + norm(A.w_WB) * reach_of(pair.a) + norm(B.w_WB) * reach_of(pair.b);
    const std::span<const Manifold> patches =
        find_patches(pair, A, B, margin + (high - time) * reach + pair.still, high - time);
    if (patches.empty()) return {};
    meeting.manifold = nearest_along(patches, n);
    const Manifold& m = meeting.manifold;
    // the deepest point and how it closes
    int deepest = 0;
    for (int k = 1; k < m.count; ++k) {
      if (m.points[static_cast<size_t>(k)].distance <
          m.points[static_cast<size_t>(deepest)].distance) {
        deepest = k;
      }
    }
    const ContactPoint& x = m.points[static_cast<size_t>(deepest)];
    const double rate = dot(m.normal_W, point_velocity(B, x.p_W) - point_velocity(A, x.p_W));
    if (std::fabs(x.distance) <= pair.still) {
      if (rate < 0) meeting.time = time;
      return meeting;
    }
    // on the far side of a thin body the normal has turned round
    const bool before = x.distance > 0 && dot(m.normal_W, n) > 0;
    (before ? low : high) = time;
    const double next = rate < 0 ? time - x.distance / rate : high;
    if (before && !(next < high) && high >= context_.h) return {};
    time = next > low && next < high ? next : 0.5 * (low + high);
  }
  meeting.time = time;
  return meeting;
}

// How long bodies that are far apart need to come near each other, or infinite: not within
// `interval`, in which they turn so little that their angular velocities are constant.
double Course::arrival(const Pair& pair, const BodyState& A, const BodyState& B,
                       double interval) const {
  const Vec3 aa = acceleration(pair.a.body), ab = acceleration(pair.b.body);
  const auto motion = [&](const Collider& c, const BodyState& s, const Vec3& a) {
    return ShapeMotion{collider_transform(s, c), s.x_WC, interval * (s.v_WC + (0.5 * interval) * a),
                       interval * s.w_WB};
  };
  const ImpactTime impact = calc_time_of_impact(pair.a.shape, motion(pair.a, A, aa), pair.b.shape,
                                                motion(pair.b, B, ab), 0);
  // forces bend the way by so much, m: a little earlier, and a little farther
  const double bend = interval * interval * norm(ab - aa);
  const double back = bend > 0 ? bend / std::max(norm(B.v_WC - A.v_WC), 1e-9) : 0;
  if (impact.status == ImpactTime::Status::kNone) return kInfinity;
  return std::max(impact.fraction * interval - back, 0.0);
}

bool Course::misses(uint32_t collider_a, uint32_t collider_b, double from) const {
  const Collider &a = data_.colliders[collider_a], &b = data_.colliders[collider_b];
  const double rest = context_.h - from;
  const BodyState A = state_at(a.body, from), B = state_at(b.body, from);
  const auto is_jointed = [&](const Collider& c) {
    return context_.mechanisms->jointed[c.body] != 0;
  };
  // joints go on to bend its way as they did
  const auto pull_of = [&](const Collider& c, bool falls) {
    if (is_jointed(c)) return data_.acceleration[c.body];
    return Acceleration{falls ? acceleration(c.body) : Vec3{}, {}};
  };
  const auto motion = [&](const Collider& c, const BodyState& s, const Acceleration& pull) {
    const Vec3 turn = is_round(c) ? Vec3{} : rest * (s.w_WB + (0.5 * rest) * pull.angular);
    return ShapeMotion{collider_transform(s, c), s.x_WC,
                       rest * (s.v_WC + (0.5 * rest) * pull.linear), turn};
  };
  const auto apart = [&](bool falls) {
    const Acceleration pull_a = pull_of(a, falls), pull_b = pull_of(b, falls);
    // how far ways leave their chords
    const double bend = 0.125 * rest * rest *
                        (norm(pull_b.linear - pull_a.linear) + norm(pull_a.angular) * reach_of(a) +
                         norm(pull_b.angular) * reach_of(b));
    return calc_time_of_impact(a.shape, motion(a, A, pull_a), b.shape, motion(b, B, pull_b), bend)
               .status == ImpactTime::Status::kNone;
  };
  return apart(true) && apart(false);
}

Meeting Course::find_meeting(uint32_t collider_a, uint32_t collider_b, double from) const {
  const Collider &a = data_.colliders[collider_a], &b = data_.colliders[collider_b];
  Pair pair{a, b};
  const double h = context_.h;
  const double reach_a = reach_of(a), reach_b = reach_of(b);
  const Vec3 aa = acceleration(a.body), ab = acceleration(b.body);
  const double strength =
      std::sqrt(std::max(norm2(own_acceleration(a.body)), norm2(own_acceleration(b.body))));
  pair.slow = slow_approach(strength, h, std::min(a.size, b.size));
  pair.still = 0.1 * kSlack * data_.settings.tolerance * std::min(a.size, b.size);
  bool near = false, apart = true;
  double t = from;
  for (int i = 0; i < kMostIntervals && t < h; ++i) {
    const BodyState A = state_at(a.body, t), B = state_at(b.body, t);
    const double wa = is_round(a) ? 0 : norm(A.w_WB), wb = is_round(b) ? 0 : norm(B.w_WB);
    const double rest = h - t, most = 2;  // rad: no farther than a diameter
    const Vec3 dv = B.v_WC - A.v_WC;
    const double turn = std::min(wa * rest, most) * reach_a + std::min(wb * rest, most) * reach_b;
    const double margin = rest * (norm(dv) + rest * norm(ab - aa)) + turn + pair.still;
    const std::span<const Manifold> patches = find_patches(pair, A, B, margin, rest);
    if (patches.empty()) return no_meeting(apart);
    double least_distance = kInfinity;
    for (const Manifold& m : patches) least_distance = std::min(least_distance, m.distance);
    const double turning = std::max(wa, wb);
    const double interval =
        std::min(rest, std::max(turning > 0 ? kStraightTurn / turning : rest, h / kMostIntervals));
    if (!near && least_distance > kNear * std::min(a.size, b.size)) {
      const double there = arrival(pair, A, B, interval);
      near = there < kInfinity;
      t += near ? there : interval;
      if (!near || there > 0) continue;
    }
    near = false;
    const double least = kRoundOff * (norm(A.v_WC) + norm(B.v_WC) + wa * reach_a + wb * reach_b);
    // the first patch that closes
    double time = kInfinity;
    bool gentle = true;
    const Manifold* first = &patches[0];
    for (const Manifold& m : patches) {
      double patch_time = kInfinity;
      bool patch_gentle = true;
      for (int k = 0; k < m.count; ++k) {
        const ContactPoint& x = m.points[static_cast<size_t>(k)];
        const double rate = dot(m.normal_W, point_velocity(B, x.p_W) - point_velocity(A, x.p_W));
        if (x.distance <= pair.still) apart = false;
        if (!(rate < -pair.slow - least)) continue;
        patch_gentle = patch_gentle && !(rate < -h * strength - least);
        const double gap = x.distance <= pair.still ? 0 : x.distance;
        patch_time =
            std::min(patch_time, closing_time(gap, rate, dot(m.normal_W, ab - aa), interval));
      }
      if (!(patch_time < time)) continue;
      time = patch_time;
      gentle = patch_gentle;
      first = &m;
    }
    if (time == 0) return {t, *first, gentle, false};
    if (time < kInfinity) {
      const Vec3 n = first->normal_W;
      Meeting meeting = refine(pair, t, t + time, n);
      meeting.gentle = gentle;
      if (meeting.time < kInfinity) return meeting;
    }
    t += interval;
  }
  return no_meeting(apart);
}

}  // namespace tenon
