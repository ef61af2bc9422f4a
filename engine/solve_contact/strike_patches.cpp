// Hits of one patch, its points at once, or of several patches of mechanisms at the same moment;
// engine/world/phases_impact.cpp says in which order.
#include "tenon/engine/solve_contact/hit.h"

namespace tenon {
namespace {

constexpr int kPatchRounds = 200;
// of what the last round may change: what is slower may be its error
constexpr double kSticks = 10;

}  // namespace

struct Island::StruckPatch {
  IslandPatch* patch = nullptr;
  double from = 0;  // s: no earlier
  std::array<Hit, kMostRows> hits{};
  Rows before{}, gaps{};
};

double restitution_without_gain(double e, double gain, double slope, int attempt) {
  constexpr int kAttempts = 6;
  constexpr double kMore = 1.5;  // than straight lines say: impulses fall with e as well
  if (attempt >= kAttempts) return 0;
  return std::max(0.5 * e, slope > 0 ? e - kMore * gain / slope : 0.0);
}

// Mechanisms of the patches' bodies that answer by a matrix.
std::vector<uint32_t> Island::groups_of(std::span<const StruckPatch> struck) const {
  std::vector<uint32_t> of;
  for (const StruckPatch& s : struck) {
    for (const uint32_t b : {s.patch->a, s.patch->b}) {
      const uint32_t g = bodies[b].group;
      if (answers(bodies[b]) && std::find(of.begin(), of.end(), g) == of.end()) of.push_back(g);
    }
  }
  return of;
}

// After the impulses of a hit on this patch are known: free bodies move as if they had begun the
// step elsewhere. Returns impulse and impulse times time of its points.
std::array<double, 2> Island::delay_free(const IslandPatch& c, std::span<const double> times) {
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
  if (!(delayed > 0)) return {normal, 0};
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
  return {normal, delayed};
}

// The same for bodies with joints, all that the hit has changed; `before`: how they moved.
void Island::delay_groups(std::span<const StruckPatch> struck, std::span<const uint32_t> of,
                          std::span<const Motion> before, double time) {
  size_t i = 0;
  for (const uint32_t g : of) {
    for (uint32_t b = groups[g].first; b < groups[g].first + groups[g].columns; ++b, ++i) {
      late_[b].v -= time * (motion[b].v - before[i].v);
      late_[b].w -= time * (motion[b].w - before[i].w);
    }
  }
  for (const StruckPatch& s : struck) {
    for (const uint32_t b : {s.patch->a, s.patch->b}) {
      if (answers(bodies[b])) clock_[b] = std::max(clock_[b], time);
    }
  }
}

// Undoes the impulses of the running solve.
void Island::take_back(const IslandPatch& c) {
  Rows back{};
  for (uint32_t k = 0; k < c.rows; ++k) {
    back[k] = -(k < c.count ? points[c.first + k].p : c.rub[static_cast<int>(k - c.count)]);
  }
  push_patch(c, back);
}

// The least rates after the hit, with this part of the restitution.
void Island::aim_struck(const StruckPatch& s, double part, double h) {
  IslandPatch& c = *s.patch;
  const double e = part * c.restitution;
  c.rub = {};
  for (uint32_t k = 0; k < c.count; ++k) {
    IslandPoint& x = points[c.first + k];
    const Hit& hit = s.hits[k];
    x.p = 0;
    const bool bounces = hit.hits && (e > 0 || s.from > 0);
    x.least = bounces ? -e * (hit.speed + hit.time * hit.acceleration) - hit.time * hit.acceleration
                      : -std::max(s.gaps[k], 0.0) / h;
  }
}

// Sums over one patch of a hit: its work, J, how that grows with restitution, and a scale for both.
struct Island::HitWork {
  double gain = 0, slope = 0, size = 0;
};
void Island::add_work(const StruckPatch& s, double fastest, HitWork& work) const {
  const IslandPatch& c = *s.patch;
  Rows after{};
  rates_of(c, after);
  for (uint32_t k = 0; k < c.rows; ++k) {
    const double z = k < c.count ? points[c.first + k].p : c.rub[static_cast<int>(k - c.count)];
    // rates are those at the begin of the step, the bounce is later
    const bool hits = k < c.count && s.hits[k].hits;
    const double later = hits ? s.hits[k].time * s.hits[k].acceleration : 0;
    // running surfaces do work of their own
    const double runs = k == c.count ? c.drift.y : (k == c.count + 1 ? c.drift.z : 0);
    work.gain += 0.5 * z * (s.before[k] + after[k] + 2 * (later - runs));
    if (k >= c.count) continue;
    work.size += z * fastest;
    work.slope -= 0.5 * z * c.restitution * (s.before[k] + later);
  }
}

// What does not stick slips in the next try. Returns whether there is any.
bool Island::let_struck_slip(std::span<const StruckPatch> struck, double slow) {
  bool any = false;
  for (const StruckPatch& s : struck) {
    IslandPatch& c = *s.patch;
    if (c.slips || !(c.static_friction > c.sliding_friction) || c.rows == c.count) continue;
    if (!(slip_speed(c) > slow)) continue;
    c.slips = any = true;
  }
  return any;
}

void Island::finish_struck(const StruckPatch& s, std::span<const double> times) {
  IslandPatch& c = *s.patch;
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

void Island::strike(IslandPatch& c, const IslandSettings& settings, double still) {
  const auto one = static_cast<uint32_t>(&c - patches.data());
  strike_all({&one, 1}, settings, still);
}

void Island::strike_all(std::span<const uint32_t> which, const IslandSettings& settings,
                        double still, double part) {
  std::vector<StruckPatch> struck(which.size());
  double fastest = 0;
  for (size_t i = 0; i < which.size(); ++i) {
    StruckPatch& s = struck[i];
    IslandPatch& c = patches[which[i]];
    s.patch = &c;
    s.from = clock_of(c);
    rates_of(c, s.before);
    c.slips = false;
    for (uint32_t k = 0; k < c.count; ++k) {
      s.gaps[k] = gap_of(c, points[c.first + k]);
      s.hits[k] = hit_of(bodies[c.a], bodies[c.b], c, points[c.first + k], s.gaps[k], s.before[k],
                         s.from, settings.h);
      if (s.hits[k].hits) fastest = std::max(fastest, -s.before[k]);
    }
  }
  const std::vector<uint32_t> of = groups_of(struck);
  std::vector<Motion> begun;
  for (const uint32_t g : of) {
    const auto first = motion.begin() + groups[g].first;
    begun.insert(begun.end(), first, first + groups[g].columns);
  }
  HitWork work;
  for (int attempt = 0;;) {
    bool bounces = false;
    for (const StruckPatch& s : struck) {
      aim_struck(s, part, settings.h);
      bounces = bounces || part * s.patch->restitution > 0;
    }
    if (struck.size() == 1) {
      resist_patch(*struck[0].patch, kPatchRounds, still);
    } else {
      solve_hits(which, still, fastest);
    }
    bool again = let_struck_slip(struck, std::max(kSticks * still, kExactHit) * fastest);
    if (!again) {
      work = {};
      for (const StruckPatch& s : struck) add_work(s, fastest, work);
      // friction and restitution together can make energy of nothing: then less restitution   (3)
      if (!bounces || work.gain <= 1e-9 * work.size) break;
      part = restitution_without_gain(part, work.gain, work.slope, attempt++);
    }
    for (const StruckPatch& s : struck) take_back(*s.patch);
  }
  hit_work += work.gain;
  double normal = 0, delayed = 0;
  for (const StruckPatch& s : struck) {
    Rows times{};
    const bool in_time = part * s.patch->restitution > 0 || s.from > 0;
    for (uint32_t k = 0; k < s.patch->count; ++k) {
      times[k] = !s.hits[k].hits ? s.from : in_time ? s.hits[k].time : 0;
    }
    const auto [impulse, moment] = delay_free(*s.patch, times);
    normal += impulse;
    delayed += moment;
    finish_struck(s, times);
  }
  if (delayed > 0) delay_groups(struck, of, begun, delayed / normal);
}

}  // namespace tenon
