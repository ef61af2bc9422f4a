// A hit of several patches at the same moment.                                               (3i)
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tenon/engine/solve_contact/island.h"

namespace tenon {
namespace {

// Points of several patches of one body hold it more than once over; sweeps agree in a few hundred
// at worst. Where nothing bounces well, what some dozens leave is a matter of contacts.
constexpr int kMostRoughSweeps = 60, kMostHitSweeps = 1000, kHitRounds = 20;
constexpr double kRoughRounds = 1e-3;    // of the first one: what the last may change
constexpr double kMostMomenta = 30;      // of all bodies at the fastest: more no hit gives
constexpr double kSlipOfFastest = 1e-9;  // slower is what the sweeps may have left

}  // namespace

// Rates after the hit are at least -e times those before; without restitution others may come as
// near as they are.
void Island::aim_hits(std::span<const Rows> before, double part, double h) {
  for (size_t i = 0; i < patches.size(); ++i) {
    IslandPatch& c = patches[i];
    c.rub = {};
    for (uint32_t k = 0; k < c.count; ++k) {
      IslandPoint& x = points[c.first + k];
      const bool closes = before[i][k] < 0 && !(x.gap > 0);
      x.p = 0;
      x.least = closes ? -part * c.restitution * before[i][k] : -std::max(x.gap, 0.0) / h;
    }
  }
}

// Returns whether the last sweep changed no rate by more than `still` of the fastest.
bool Island::sweep_hits(std::span<const uint32_t> which, double still, double fastest, int most) {
  const double enough = still > kExactHit ? kRoughRounds : kExactHit;
  for (int sweep = 0; sweep < most; ++sweep) {
    double change = 0;
    for (size_t i = 0; i < which.size(); ++i) {
      IslandPatch& c = patches[which[sweep % 2 == 0 ? i : which.size() - 1 - i]];
      change = std::max(change, resist_patch(c, kHitRounds, enough));
    }
    if (change <= still * fastest) return true;
  }
  return false;
}

// What sweeps do not solve, where heavy bodies lie on light ones: these patches at once, unless
// that takes impulses that no momentum explains. (8a)
void Island::solve_hits_at_once(std::span<const uint32_t> which, double still, double fastest) {
  std::vector<uint8_t> moved(patches.size(), 0);
  for (size_t i = 0; i < patches.size(); ++i) {
    moved[i] = patches[i].moves ? 1 : 0;
    patches[i].moves = false;
  }
  for (const uint32_t i : which) patches[i].moves = moved[i] != 0;
  std::vector<double> z;
  for (const IslandPatch& c : patches) {
    for (uint32_t k = 0; k < c.rows; ++k) {
      z.push_back(k < c.count ? points[c.first + k].p : c.rub[static_cast<int>(k - c.count)]);
    }
  }
  const std::vector<double> before = z;
  double size = 0;
  const bool solved = solve_at_once(z, still * fastest);
  for (const double p : z) size += std::fabs(p);
  if (solved && size <= kMostMomenta * fastest * mass()) {
    size_t i = 0;
    for (IslandPatch& c : patches) {
      Rows change{};
      for (uint32_t k = 0; k < c.rows; ++k, ++i) {
        change[k] = z[i] - before[i];
        if (k < c.count) {
          points[c.first + k].p = z[i];
        } else {
          c.rub[static_cast<int>(k - c.count)] = z[i];
        }
      }
      if (c.moves) push_patch(c, change);
    }
  }
  for (size_t i = 0; i < patches.size(); ++i) patches[i].moves = moved[i] != 0;
}

// Sweeps pass the momentum of what is far heavier by light / heavy of it at a time: there they are
// helped.
void Island::finish_hits(std::span<const uint32_t> which, double still, double fastest) {
  const int most = still > kExactHit ? kMostRoughSweeps : kMostHitSweeps;
  if (groups.empty() || !is_overwhelmed(which)) {
    sweep_hits(which, still, fastest, most);
    return;
  }
  if (sweep_hits(which, still, fastest, kMostRoughSweeps)) return;
  solve_hits_at_once(which, still, fastest);
  sweep_hits(which, still, fastest, most);
}

// First without friction: what lands flat then does not slide while the sweeps go from one support
// to the next, and nothing rubs that need not.
void Island::solve_hits(std::span<const uint32_t> which, double still, double fastest) {
  std::vector<std::array<double, 3>> friction;
  for (const uint32_t i : which) {
    IslandPatch& c = patches[i];
    friction.push_back({c.static_friction, c.sliding_friction, c.spinning});
    c.static_friction = c.sliding_friction = c.spinning = 0;
  }
  finish_hits(which, still, fastest);
  for (size_t i = 0; i < which.size(); ++i) {
    patches[which[i]].static_friction = friction[i][0];
    patches[which[i]].sliding_friction = friction[i][1];
    patches[which[i]].spinning = friction[i][2];
  }
  finish_hits(which, still, fastest);
}

// What does not stick slips in the next try.
bool Island::let_hits_slip(double fastest) {
  bool any = false;
  for (IslandPatch& c : patches) {
    if (c.slips || !(c.static_friction > c.sliding_friction)) continue;
    if (!(slip_speed(c) > kSlipOfFastest * fastest)) continue;
    c.slips = any = true;
  }
  return any;
}

// Work of the impulses, J; running surfaces do work of their own.                             (3)
double Island::work_of_hits(std::span<const Rows> before) const {
  double work = 0;
  for (size_t i = 0; i < patches.size(); ++i) {
    const IslandPatch& c = patches[i];
    Rows after{};
    rates_of(c, after);
    for (uint32_t k = 0; k < c.rows; ++k) {
      const double z = k < c.count ? points[c.first + k].p : c.rub[static_cast<int>(k - c.count)];
      const double runs = k == c.count ? c.drift.y : (k == c.count + 1 ? c.drift.z : 0);
      work += 0.5 * z * (before[i][k] + after[k] - 2 * runs);
    }
  }
  return work;
}

void Island::strike_together(const IslandSettings& settings) {
  const std::vector<Motion> begun = motion;
  std::vector<Rows> before(patches.size());
  double fastest = 0;
  for (size_t i = 0; i < patches.size(); ++i) {
    rates_of(patches[i], before[i]);
    patches[i].slips = false;
    for (uint32_t k = 0; k < patches[i].count; ++k) fastest = std::max(fastest, -before[i][k]);
  }
  std::vector<uint32_t> all(patches.size());
  std::iota(all.begin(), all.end(), 0u);
  double part = 1;
  for (int attempt = 0;;) {
    motion = begun;
    aim_hits(before, part, settings.h);
    solve_hits(all, kExactHit, fastest);
    if (let_hits_slip(fastest)) continue;
    double size = 0, elastic = 0;
    for (size_t i = 0; i < patches.size(); ++i) {
      for (uint32_t k = 0; k < patches[i].count; ++k) {
        const double p = points[patches[i].first + k].p;
        size += p * fastest;
        elastic -= 0.5 * p * patches[i].restitution * before[i][k];
      }
    }
    const double gain = work_of_hits(before);
    if (!(part > 0) || gain <= 1e-9 * size) break;
    part = restitution_without_gain(part, gain, elastic, attempt++);
  }
  hit_work += work_of_hits(before);
  for (IslandPatch& c : patches) {
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      points[i].hit = points[i].p;
      points[i].p = 0;
    }
    c.rub_hit = c.rub;
    c.rub = {};
  }
}

}  // namespace tenon
