// Contacts and overlaps: Gauss-Seidel sweeps over points.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"

namespace tenon {
namespace {

// A sweep that changes no velocity by more than this part of what gravity does in a step is the
// last one: the impulses go on improving in the next step, which begins with them.
constexpr double kStill = 1e-3;
// The same for overlaps, of their largest.
constexpr double kSeparated = 1e-2;

struct Pair2 {
  double x = 0, y = 0;
};

double length(const Pair2& a) { return std::sqrt(a.x * a.x + a.y * a.y); }

// Friction impulse that Coulomb's law asks for at normal impulse p_n: sticking where the static
// cone allows it, otherwise sliding against the motion. At the fixed point of the second rule the
// impulse is exactly opposed to the sliding velocity, whatever the inertias: the cone is round. (6)
Pair2 rub(const IslandPatch& c, const IslandPoint& x, const Vec3& u) {
  const double a = x.K[3], b = x.K[4], d = x.K[5], det = a * d - b * b;
  const Pair2 now{x.p.y, x.p.z};
  if (det > 1e-12 * a * d) {
    const Pair2 stick{now.x - (d * u.y - b * u.z) / det, now.y - (a * u.z - b * u.y) / det};
    if (length(stick) <= c.static_friction * x.p.x) return stick;
  }
  const double largest = 0.5 * (a + d + std::sqrt((a - d) * (a - d) + 4 * b * b));
  if (!(largest > 0)) return now;
  Pair2 slide{now.x - u.y / largest, now.y - u.z / largest};
  const double most = c.sliding_friction * x.p.x, size = length(slide);
  if (size > most) {
    const double part = size > 0 ? most / size : 0;
    slide = {part * slide.x, part * slide.y};
  }
  return slide;
}

}  // namespace

// One point: friction for the normal impulse as it stands, then the normal impulse. Returns the
// largest change of velocity.
double Island::resist_point(const IslandPatch& c, IslandPoint& x) {
  if (!(x.K[0] > 0)) return 0;
  const Vec3 u = rate_of(c, x);
  Vec3 dp;
  if (c.static_friction > 0) {
    const Pair2 t = rub(c, x, u - c.drift);
    dp.y = t.x - x.p.y;
    dp.z = t.y - x.p.z;
  }
  const double un = u.x + x.K[1] * dp.y + x.K[2] * dp.z;
  dp.x = std::max(0.0, x.p.x - (un - x.least) / x.K[0]) - x.p.x;
  if (dp == Vec3{}) return 0;
  push_pair(c, x, dp);
  x.p += dp;
  return std::max({std::fabs(dp.x) * x.K[0], std::fabs(dp.y) * x.K[3], std::fabs(dp.z) * x.K[5]});
}

// Resistance against rolling and spinning: couples of at most lever times normal impulse.     (7)
double Island::resist_couple(IslandPatch& c) {
  double normal = 0;
  for (uint32_t i = c.first; i < c.first + c.count; ++i) normal += points[i].p.x;
  const Vec3 w = motion[c.b].w - motion[c.a].w;
  Vec3 next{c.couple.x - c.inv_couple[0] * dot(c.n, w), c.couple.y - c.inv_couple[1] * dot(c.t1, w),
            c.couple.z - c.inv_couple[2] * dot(c.t2, w)};
  const double spin = c.spinning * normal, roll = c.rolling * normal;
  next.x = std::clamp(next.x, -spin, spin);
  const double size = std::sqrt(next.y * next.y + next.z * next.z);
  if (size > roll) {
    next.y *= roll / size;
    next.z *= roll / size;
  }
  const Vec3 change = next - c.couple;
  if (change == Vec3{}) return 0;
  const Vec3 t = change.x * c.n + change.y * c.t1 + change.z * c.t2;
  push(c.a, {}, -t);
  push(c.b, {}, t);
  c.couple = next;
  return 0;
}

IslandResult Island::resist(const IslandSettings& settings) {
  for (const IslandGroup& g : groups) {
    if (!g.answer.empty()) project_group(g, true);
  }
  for (const IslandPatch& c : patches) {
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      if (points[i].p == Vec3{}) continue;
      push_pair(c, points[i], points[i].p);
    }
    if (!(c.couple == Vec3{})) {
      const Vec3 t = c.couple.x * c.n + c.couple.y * c.t1 + c.couple.z * c.t2;
      push(c.a, {}, -t);
      push(c.b, {}, t);
    }
  }
  project_groups(true);
  const double still = kStill * settings.gravity * settings.h;
  IslandResult result;
  for (; result.sweeps < settings.max_sweeps; ++result.sweeps) {
    double change = 0;
    const auto visit = [&](IslandPatch& c) {
      for (uint32_t i = c.first; i < c.first + c.count; ++i) {
        change = std::max(change, resist_point(c, points[i]));
      }
      if (c.rolling > 0 || c.spinning > 0) resist_couple(c);
    };
    if (result.sweeps % 2 == 0) {
      for (IslandPatch& c : patches) visit(c);
    } else {
      for (auto c = patches.rbegin(); c != patches.rend(); ++c) visit(*c);
    }
    project_groups(true);
    result.residual = change;
    if (change <= still && result.sweeps > 0) break;
  }
  return result;
}

double Island::push_normal(const IslandPatch& c, IslandPoint& x) {
  if (!(x.K[0] > 0)) return 0;
  const double un = rate_of(c, x).x;
  const double dp = std::max(0.0, x.p.x - (un - x.least) / x.K[0]) - x.p.x;
  if (dp == 0) return 0;
  push_pair(c, x, {dp, 0, 0});
  x.p.x += dp;
  return std::fabs(dp) * x.K[0];
}

IslandResult Island::separate(const IslandSettings& settings) {
  double deepest = 0;
  for (IslandPoint& x : points) {
    x.p = {};
    x.least = -x.gap;
    deepest = std::max(deepest, x.least);
  }
  IslandResult result;
  if (!(deepest > 0)) return result;
  for (; result.sweeps < settings.max_sweeps; ++result.sweeps) {
    double change = 0;
    const auto visit = [&](IslandPatch& c) {
      for (uint32_t i = c.first; i < c.first + c.count; ++i) {
        change = std::max(change, push_normal(c, points[i]));
      }
    };
    if (result.sweeps % 2 == 0) {
      for (IslandPatch& c : patches) visit(c);
    } else {
      for (auto c = patches.rbegin(); c != patches.rend(); ++c) visit(*c);
    }
    project_groups(false);
    result.residual = change;
    if (change <= kSeparated * deepest) break;
  }
  return result;
}

}  // namespace tenon
