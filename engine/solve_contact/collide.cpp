// Collisions of one patch, its points at once; engine/world/phases_impact.cpp says in which order.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"

namespace tenon {
namespace {

constexpr int kMaxPasses = 40;
constexpr int kPatchRounds = 200;
// Hits along straight lines are as exact as these: what bounces well must keep its energy.
constexpr double kRoughHit = 1e-4, kBouncesWell = 0.5;
constexpr double kSticks =
    10;  // of what the last round may change: what is slower may be its error

struct Hit {
  double speed = 0, time = 0, acceleration = 0;  // closing rate < 0
  bool hits = false;
};

// When a point closes within the step, and how fast: gap + s t + a t^2 / 2 = 0, t >= from.   (2)
// Approaches that the forces of one step explain are left to the contacts.
Hit find_hit(double gap, double s, double a, double slow, double from, double h) {
  Hit hit{s, from, a, false};
  if (!(s < -slow)) return hit;
  const double now = gap + from * (s + 0.5 * from * a), speed = s + from * a;
  if (now > 0) {
    const double root = speed * speed - 2 * a * now;
    if (root < 0 || !(speed < 0)) return hit;
    hit.time = from + 2 * now / (-speed + std::sqrt(root));
    if (hit.time > h) return hit;
  }
  hit.hits = true;
  return hit;
}

// Normal acceleration that a body brings to a point, n and lever t. Free ones fall; that of jointed
// ones matters to those that bounce.
double acceleration_of(const IslandBody& b, const IslandPatch& c, const Vec3& t) {
  if (b.group == kNoGroup) return b.held ? 0 : dot(c.n, b.a);
  if (!(c.restitution > 0)) return 0;
  return dot(c.n, b.expected.v) + dot(t, b.expected.w);
}

Hit hit_of(const IslandBody& A, const IslandBody& B, const IslandPatch& c, const IslandPoint& x,
           double gap, double rate, double from, double h) {
  double slow = slow_approach(x.ease * std::sqrt(std::max(norm2(A.a), norm2(B.a))), h, c.thin);
  // without restitution it may come as near as it is, and no nearer
  if (!(c.restitution > 0) && gap > 0) slow += gap / h;
  const double a = acceleration_of(B, c, x.aB) - acceleration_of(A, c, x.aA);
  return find_hit(gap, rate, a, slow, from, h);
}

}  // namespace

double restitution_without_gain(double e, double gain, double slope, int attempt) {
  constexpr int kAttempts = 6;
  constexpr double kMore = 1.5;  // than straight lines say: impulses fall with e as well
  if (attempt >= kAttempts) return 0;
  return std::max(0.5 * e, slope > 0 ? e - kMore * gain / slope : 0.0);
}

// A body that was hit at time t moves as if it had started the step elsewhere, at -t times what the
// hit changed: gaps are seen from there, and its next hit is no earlier.                     (2)
double Island::gap_of(const IslandPatch& c, const IslandPoint& x) const {
  const Motion &A = late_[c.a], &B = late_[c.b];
  return x.gap + dot(c.n, B.v - A.v) + dot(x.aB, B.w) - dot(x.aA, A.w);
}

double Island::clock_of(const IslandPatch& c) const { return std::max(clock_[c.a], clock_[c.b]); }

// The same for bodies with joints, all that the hit has changed; `before`: how they moved.
void Island::delay_groups(const IslandPatch& c, std::span<const Motion> before, double time) {
  size_t i = 0;
  for (const uint32_t g : groups_of(c)) {
    for (uint32_t b = groups[g].first; b < groups[g].first + groups[g].columns; ++b, ++i) {
      late_[b].v -= time * (motion[b].v - before[i].v);
      late_[b].w -= time * (motion[b].w - before[i].w);
    }
  }
  for (const uint32_t b : {c.a, c.b}) {
    if (answers(bodies[b])) clock_[b] = std::max(clock_[b], time);
  }
}

// Mechanisms of a patch's bodies that answer by a matrix.
std::vector<uint32_t> Island::groups_of(const IslandPatch& c) const {
  std::vector<uint32_t> of;
  for (const uint32_t b : {c.a, c.b}) {
    const uint32_t g = bodies[b].group;
    if (answers(bodies[b]) && (of.empty() || of[0] != g)) of.push_back(g);
  }
  return of;
}

// After the impulses of a hit on this patch are known.
void Island::delay(const IslandPatch& c, std::span<const double> times,
                   std::span<const Motion> before) {
  double normal = 0, delayed = 0, dn = 0;
  Vec3 tA, tB;
  for (uint32_t k = 0; k < c.count; ++k) {
    const IslandPoint& x = points[c.first + k];
    const double moment = x.p * times[k];
    normal += x.p;
    delayed += moment;
    dn -= moment;
    tA -= moment * x.aA;
    tB -= moment * x.aB;
  }
  if (!(delayed > 0)) return;
  const double mean = delayed / normal;
  const Vec3 slide = -mean * (c.rub.x * c.t1 + c.rub.y * c.t2), spin = -mean * c.rub.z * c.n;
  const Vec3 f = dn * c.n + slide;
  tA += cross(c.rA, slide) + spin;
  tB += cross(c.rB, slide) + spin;
  for (const uint32_t b : {c.a, c.b}) {
    const IslandBody& body = bodies[b];
    if (body.group != kNoGroup) continue;
    const double sign = b == c.a ? -1 : 1;
    late_[b].v += (sign * body.inv_mass) * f;
    late_[b].w += sign * (body.inv_I * (b == c.a ? tA : tB));
    if (body.inv_mass > 0) clock_[b] = std::max(clock_[b], mean);
  }
  delay_groups(c, before, mean);
}

void Island::begin_collisions() {
  late_.assign(bodies.size(), {});
  clock_.assign(bodies.size(), 0);
  hit_work = 0;
  swings_known = true;
}

void Island::set_course(uint32_t body, const Motion& velocity, const Motion& late, double time) {
  motion[body] = velocity;
  late_[body] = late;
  clock_[body] = time;
}

void Island::move_gaps() {
  for (const IslandPatch& c : patches) {
    for (uint32_t i = c.first; i < c.first + c.count; ++i) points[i].gap = gap_of(c, points[i]);
  }
}

bool Island::closes(const IslandPatch& c, double h, double slop, double& time) const {
  bool hits = false;
  time = h;
  for (uint32_t i = c.first; i < c.first + c.count && c.moves; ++i) {
    const Hit hit = hit_of(bodies[c.a], bodies[c.b], c, points[i], gap_of(c, points[i]) - slop,
                           rate_of(c, points[i]), clock_of(c), h);
    if (!hit.hits) continue;
    hits = true;
    time = std::min(time, hit.time);
  }
  return hits;
}

double Island::overrun(const IslandPatch& c, double h) const {
  const double from = clock_of(c);
  double most = -kThick;
  for (uint32_t i = c.first; i < c.first + c.count && c.moves; ++i) {
    const double a = acceleration_of(bodies[c.b], c, points[i].aB) -
                     acceleration_of(bodies[c.a], c, points[i].aA);
    const double gap = gap_of(c, points[i]), rate = rate_of(c, points[i]);
    const double now = gap + from * (rate + 0.5 * from * a), speed = rate + from * a;
    if (speed < 0) most = std::max(most, -(std::max(now, 0.0) + (h - from) * speed));
  }
  return most;
}

bool Island::nears(const IslandPatch& c, double h, double speed) const {
  const double from = clock_of(c);
  for (uint32_t i = c.first; i < c.first + c.count; ++i) {
    if (!(gap_of(c, points[i]) + from * rate_of(c, points[i]) > c.slack)) return false;
  }
  const Motion &A = motion[c.a], &B = motion[c.b];
  const Vec3 past = B.v + cross(B.w, c.rB) - A.v - cross(A.w, c.rA);
  return norm2(past) > speed * speed && overrun(c, h) > 0;
}

bool Island::is_driven(uint32_t body) const {
  const uint32_t g = bodies[body].group;
  if (g == kNoGroup) return false;
  const auto first = bounds.begin() + groups[g].first_bound;
  return std::any_of(first, first + groups[g].bounds,
                     [](const IslandRow& r) { return !(r.gap < kThick); });  // limits have gaps
}

// Undoes the impulses of the running solve.
void Island::take_back(const IslandPatch& c) {
  Rows back{};
  for (uint32_t k = 0; k < c.rows; ++k) {
    back[k] = -(k < c.count ? points[c.first + k].p : c.rub[static_cast<int>(k - c.count)]);
  }
  push_patch(c, back);
}

void Island::strike(IslandPatch& c, const IslandSettings& settings, double still) {
  const double h = settings.h;
  std::array<Hit, kMostRows> hits;
  Rows before{}, after{}, gaps{}, times{};
  const double from = clock_of(c);
  rates_of(c, before);
  double fastest = 0;
  for (uint32_t k = 0; k < c.count; ++k) {
    gaps[k] = gap_of(c, points[c.first + k]);
    hits[k] = hit_of(bodies[c.a], bodies[c.b], c, points[c.first + k], gaps[k], before[k], from, h);
    if (hits[k].hits) fastest = std::max(fastest, -before[k]);
  }
  std::vector<Motion> begun;
  for (const uint32_t g : groups_of(c)) {
    const auto first = motion.begin() + groups[g].first;
    begun.insert(begun.end(), first, first + groups[g].columns);
  }
  double e = c.restitution, gain = 0;
  c.slips = false;
  for (int attempt = 0;; ++attempt) {
    c.rub = {};
    for (uint32_t k = 0; k < c.count; ++k) {
      IslandPoint& x = points[c.first + k];
      const Hit& hit = hits[k];
      x.p = 0;
      const bool bounces = hit.hits && (e > 0 || from > 0);
      x.least = bounces
                    ? -e * (hit.speed + hit.time * hit.acceleration) - hit.time * hit.acceleration
                    : -std::max(gaps[k], 0.0) / h;
    }
    resist_patch(c, kPatchRounds, still);
    if (!c.slips && c.static_friction > c.sliding_friction && c.rows > c.count &&
        slip_speed(c) > std::max(kSticks * still, kExactHit) * fastest) {
      // it does not stick
      take_back(c);
      c.slips = true;
      --attempt;
      continue;
    }
    rates_of(c, after);
    double size = 0, closing = 0;
    gain = 0;
    for (uint32_t k = 0; k < c.rows; ++k) {
      const double z = k < c.count ? points[c.first + k].p : c.rub[static_cast<int>(k - c.count)];
      // rates are those at the begin of the step, the bounce is later
      const double later = k < c.count && hits[k].hits ? hits[k].time * hits[k].acceleration : 0;
      // running surfaces do work of their own
      const double runs = k == c.count ? c.drift.y : (k == c.count + 1 ? c.drift.z : 0);
      gain += 0.5 * z * (before[k] + after[k] + 2 * (later - runs));
      if (k >= c.count) continue;
      size += z * fastest;
      closing -= 0.5 * z * (before[k] + later);
    }
    // friction and restitution together can make energy of nothing: then less restitution     (3)
    if (!(e > 0) || gain <= 1e-9 * size) break;
    take_back(c);
    e = restitution_without_gain(e, gain, closing, attempt);
  }
  hit_work += gain;
  for (uint32_t k = 0; k < c.count; ++k) {
    times[k] = e > 0 || from > 0 ? hits[k].time : 0;
    if (!hits[k].hits) times[k] = from;
  }
  delay(c, times, begun);
  for (uint32_t k = 0; k < c.count; ++k) {
    IslandPoint& x = points[c.first + k];
    const double normal = x.hit + x.p;
    if (normal > 0) x.late = (x.hit * x.late + x.p * times[k]) / normal;
    x.hit = normal;
    x.p = 0;
  }
  c.rub_hit += c.rub;
  c.rub = {};
}

// Whether something may bounce in this step: what springs do until then is not in the rates.
bool Island::may_bounce(double h) const {
  double time = 0;
  return std::any_of(patches.begin(), patches.end(), [&](const IslandPatch& c) {
    const IslandBody &A = bodies[c.a], &B = bodies[c.b];
    if (!(c.restitution > 0) || (A.group == kNoGroup && B.group == kNoGroup)) return false;
    const auto springs = [&](const IslandBody& b) {
      if (b.group == kNoGroup) return false;
      const IslandGroup& g = groups[b.group];
      return std::any_of(bounds.begin() + g.first_bound, bounds.begin() + g.first_bound + g.bounds,
                         [](const IslandRow& r) { return r.soft > 0; });
    };
    const double a = std::sqrt(std::max(norm2(A.a), norm2(B.a)));
    return springs(A) || springs(B) || closes(c, h, a * h * h, time);
  });
}

// (omega h)^2 / 2 of the springs at each body: h^2 S / 2 times the answers of a free body, summed
// up.
std::vector<double> Island::calc_swings() const {
  std::vector<double> swings(bodies.size(), 0);
  for (const IslandRow& r : bounds) {
    for (int e = 0; e < 2 && r.soft > 0; ++e) {
      if (r.body[e] == kNoBody) continue;
      const IslandBody& b = bodies[r.body[e]];
      swings[r.body[e]] += (b.inv_mass * norm2(r.f[e]) + dot(r.t[e], b.inv_I * r.t[e])) / r.soft;
    }
  }
  return swings;
}

// What forces and springs do to jointed bodies, with all joints held, about the middle of the step:
// an impulse p = (2 (c* - c0)/h - 2 r0) / soft of the latter, (5c) with r1 = r0. Of springs that
// swing by more than a radian in a step that is not known.
void Island::expect_accelerations(double h) {
  constexpr double kResolved = 0.5;  // of (omega h)^2 / 2
  std::vector<Motion> begin = motion;
  const std::vector<double> swings = calc_swings();
  for (const IslandGroup& g : groups) {
    // turning about free axes would need what joints do about it, too
    for (const uint32_t b : g.order) motion[b] = {bodies[b].a, {}};
    bool known = true;
    for (uint32_t i = g.first_bound; i < g.first_bound + g.bounds; ++i) {
      const IslandRow& r = bounds[i];
      const bool spring = r.soft > 0;
      if (!spring && r.low != r.high) continue;
      const double p = spring ? (r.rate - 2 * rate_in(r, begin)) / r.soft : r.low;
      double fast = 0;
      for (int e = 0; e < 2; ++e) {
        if (r.body[e] == kNoBody) continue;
        const IslandBody& b = bodies[r.body[e]];
        fast += swings[r.body[e]];
        motion[r.body[e]].v += (p / h * b.inv_mass) * r.f[e];
        motion[r.body[e]].w += (p / h) * (b.inv_I * r.t[e]);
      }
      if (spring && fast > kResolved) known = false;
    }
    project_group(g, false);
    for (const uint32_t b : g.order) {
      bodies[b].expected = known ? motion[b] : Motion{};
    }
    swings_known = swings_known && known;
  }
  motion = std::move(begin);
}

bool Island::collide(const IslandSettings& settings) {
  bool any = false;
  std::vector<std::pair<double, uint32_t>> order;
  double time = 0;
  begin_collisions();
  if (may_bounce(settings.h)) expect_accelerations(settings.h);
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    order.clear();
    for (uint32_t k = 0; k < patches.size(); ++k) {
      // what goes past the other does so unless something is hit
      if (patches[k].passes && !any) continue;
      if (closes(patches[k], settings.h, 0, time)) order.push_back({time, k});
    }
    if (order.empty()) break;
    std::sort(order.begin(), order.end());
    for (const auto& [when, k] : order) {
      if (!closes(patches[k], settings.h, 0, time)) continue;
      const bool bounces = patches[k].restitution >= kBouncesWell;
      strike(patches[k], settings, bounces ? kExactHit : kRoughHit);
    }
    project_groups(true);
    any = true;
  }
  if (!any) return false;
  for (IslandPatch& c : patches) c.passes = false;
  move_gaps();
  return true;
}

}  // namespace tenon
