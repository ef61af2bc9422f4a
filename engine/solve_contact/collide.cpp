// Collisions: pair after pair, simultaneous within a patch.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"

namespace tenon {
namespace {

constexpr int kMaxPasses = 40;
constexpr int kPatchRounds = 200;
constexpr double kPatchStill = 1e-13;  // of the first change
constexpr int kLosses = 3;             // how often restitution is halved before it is given up

struct Hit {
  double speed = 0, time = 0, acceleration = 0;  // closing rate < 0
  bool hits = false;
};

// When a point closes within the step, and how fast: gap + s t + a t^2 / 2 = 0.             (2)
// Approaches that the forces of one step explain are left to the contacts.
Hit find_hit(double gap, double s, double a, double slow, double h) {
  Hit hit{s, 0, a, false};
  if (!(s < -slow)) return hit;
  if (gap > 0) {
    const double root = s * s - 2 * a * gap;
    if (root < 0) return hit;
    hit.time = 2 * gap / (-s + std::sqrt(root));
    if (hit.time > h) return hit;
  }
  hit.hits = true;
  return hit;
}

}  // namespace

namespace {

// Jointed bodies do not fall freely: their acceleration is not known here.
Vec3 free_acceleration(const IslandBody& b) { return b.group == kNoGroup ? b.a : Vec3{}; }

Hit hit_of(const IslandBody& A, const IslandBody& B, const IslandPatch& c, const IslandPoint& x,
           double rate, double h) {
  double slow = h * std::sqrt(std::max(norm2(A.a), norm2(B.a)));
  // without restitution it may come as near as it is, and no nearer
  if (!(c.restitution > 0) && x.gap > 0) slow += x.gap / h;
  const double a = dot(c.n, free_acceleration(B) - free_acceleration(A));
  return find_hit(x.gap, rate, a, slow, h);
}

}  // namespace

// Whether a patch is hit in this step, and when first.
bool Island::closes(const IslandPatch& c, double h, double& time) const {
  bool hits = false;
  time = h;
  for (uint32_t i = c.first; i < c.first + c.count && c.moves; ++i) {
    const Hit hit = hit_of(bodies[c.a], bodies[c.b], c, points[i], rate_of(c, points[i]), h);
    if (!hit.hits) continue;
    hits = true;
    time = std::min(time, hit.time);
  }
  return hits;
}

// Undoes the impulses of the running solve.
void Island::take_back(const IslandPatch& c) {
  Rows back{};
  for (uint32_t k = 0; k < c.rows; ++k) {
    back[k] = -(k < c.count ? points[c.first + k].p : c.rub[static_cast<int>(k - c.count)]);
  }
  push_patch(c, back);
}

void Island::collide_patch(IslandPatch& c, const IslandSettings& settings) {
  const double h = settings.h;
  std::array<Hit, kMostRows> hits;
  Rows before{}, after{};
  rates_of(c, before);
  double fastest = 0;
  for (uint32_t k = 0; k < c.count; ++k) {
    hits[k] = hit_of(bodies[c.a], bodies[c.b], c, points[c.first + k], before[k], h);
    if (hits[k].hits) fastest = std::max(fastest, -before[k]);
  }
  double e = c.restitution;
  c.slips = false;
  for (int attempt = 0;; ++attempt) {
    c.rub = {};
    for (uint32_t k = 0; k < c.count; ++k) {
      IslandPoint& x = points[c.first + k];
      const Hit& hit = hits[k];
      x.p = 0;
      const bool bounces = hit.hits && e > 0;
      x.least = bounces
                    ? -e * (hit.speed + hit.time * hit.acceleration) - hit.time * hit.acceleration
                    : -std::max(x.gap, 0.0) / h;
    }
    resist_patch(c, kPatchRounds, kPatchStill);
    if (!c.slips && c.static_friction > c.sliding_friction && c.rows > c.count &&
        slip_speed(c) > kPatchStill * fastest) {
      // it does not stick
      take_back(c);
      c.slips = true;
      --attempt;
      continue;
    }
    if (!(e > 0)) break;
    // friction and restitution together can make energy of nothing: then less restitution     (4)
    rates_of(c, after);
    double gain = 0, size = 0;
    for (uint32_t k = 0; k < c.rows; ++k) {
      const double z = k < c.count ? points[c.first + k].p : c.rub[static_cast<int>(k - c.count)];
      // rates are those at the begin of the step, the bounce is later
      const double later = k < c.count && hits[k].hits ? hits[k].time * hits[k].acceleration : 0;
      gain += 0.5 * z * (before[k] + after[k] + 2 * later);
      if (k < c.count) size += z * fastest;
    }
    if (gain <= 1e-9 * size) break;
    take_back(c);
    e = attempt < kLosses ? 0.5 * e : 0;
  }
  for (uint32_t k = 0; k < c.count; ++k) {
    IslandPoint& x = points[c.first + k];
    const double normal = x.hit + x.p;
    const double time = e > 0 ? hits[k].time : 0;
    if (normal > 0) x.late = (x.hit * x.late + x.p * time) / normal;
    x.hit = normal;
    x.p = 0;
  }
  c.rub_hit += c.rub;
  c.rub = {};
}

bool Island::collide(const IslandSettings& settings) {
  bool any = false;
  std::vector<std::pair<double, uint32_t>> order;
  double time = 0;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    order.clear();
    for (uint32_t k = 0; k < patches.size(); ++k) {
      if (closes(patches[k], settings.h, time)) order.push_back({time, k});
    }
    if (order.empty()) break;
    std::sort(order.begin(), order.end());
    for (const auto& [when, k] : order) {
      if (closes(patches[k], settings.h, time)) collide_patch(patches[k], settings);
    }
    project_groups(true);
    any = true;
  }
  return any;
}

}  // namespace tenon
