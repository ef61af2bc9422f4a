// Contacts and overlaps: Gauss-Seidel sweeps over patches, each solved as a whole.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"
#include "tenon/engine/solve_contact/rubbing.h"

namespace tenon {
namespace {

// A sweep that changes no velocity by more than this part of what gravity does in a step is the
// last one. Piles at rest are worth it: once the impulses are right, every step begins with them,
// while a stack that is not solved to the end sways, and costs sweeps for ever.
constexpr double kStill = 1e-7;
constexpr double kAtRest = 0.1;  // of that speed: slower islands are at rest
// Where bodies are in motion: the same, and this part of their speed; after kCareful sweeps, more.
constexpr double kMovingStill = 1e-5, kMoving = 1e-3;
constexpr int kCareful = 12;
constexpr double kFairStill = 1e-4, kFairMoving = 0.03;
constexpr double kAstray = 2;  // a residual so many times larger than the best was no progress
constexpr double kNever = 1e300;
constexpr double kAtBound = 1e-9;
// The same for overlaps, of their largest.
constexpr double kSeparated = 1e-2;
constexpr double kRough = 0.1;   // of the first change: a round that changes less is the last
constexpr int kInner = 4;        // rounds within a patch
constexpr int kPlainSweeps = 4;  // before what came before is used to go faster

}  // namespace

Rubbing Island::rubbing_of(const IslandPatch& c) const {
  Rubbing r{&answers_[c.answer + size_t{c.count} * (c.rows + 1)],
            c.rows,
            c.rows > c.count + 2,
            c.slips ? c.sliding_friction : c.static_friction,
            0,
            0,
            c.spinning};
  for (uint32_t k = 0; k < c.count; ++k) {
    const IslandPoint& x = points[c.first + k];
    r.normal += x.p;
    r.arm += x.p * x.arm;
  }
  return r;
}

// Normal impulses and friction of one patch, in turns, with everything else as it stands. Returns
// the largest change of a rate.
double Island::resist_patch(IslandPatch& c, int inner, double enough) {
  if (!c.moves) return 0;
  Rows u{}, dz{};
  rates_of(c, u);
  const double* K = &answers_[c.answer];
  const uint32_t m = c.count, rows = c.rows;
  const bool rubs = rows > m, spins = rows > m + 2;
  double largest = 0;
  for (int round = 0; round < inner; ++round) {
    double change = 0;
    for (uint32_t k = 0; k < m; ++k) {
      IslandPoint& x = points[c.first + k];
      const double* column = K + size_t{k} * rows;
      if (!(column[k] > 0)) continue;
      const double next = std::max(0.0, x.p - (u[k] - x.least) / column[k]);
      const double dp = next - x.p;
      if (dp == 0) continue;
      x.p = next;
      dz[k] += dp;
      for (uint32_t i = 0; i < rows; ++i) u[i] += dp * column[i];
      change = std::max(change, std::fabs(dp) * column[k]);
    }
    double normal = 0;
    for (uint32_t k = 0; k < m; ++k) normal += points[c.first + k].p;
    if (rubs && (normal > 0 || !(c.rub == Vec3{}))) {
      const Rubbing rubbing = rubbing_of(c);
      const Vec3 rate{u[m] - c.drift.y, u[m + 1] - c.drift.z, spins ? u[m + 2] : 0};
      const Vec3 next = rubbing.solve(c.rub, rate), dq = next - c.rub;
      c.rub = next;
      for (uint32_t j = 0; j < rows - m; ++j) {
        const double d = dq[static_cast<int>(j)];
        if (d == 0) continue;
        dz[m + j] += d;
        const double* column = K + size_t{m + j} * rows;
        for (uint32_t i = 0; i < rows; ++i) u[i] += d * column[i];
        if (j < 2) change = std::max(change, std::fabs(d) * column[m + j]);
      }
    }
    largest = std::max(largest, change);
    if (change <= enough * largest || rows == 1) break;
  }
  if (largest > 0) push_patch(c, dz);
  return largest;
}

// Resistance against rolling: couples of at most lever times normal impulse.                  (7)
double Island::resist_rolling(IslandPatch& c) {
  double normal = 0;
  for (uint32_t i = c.first; i < c.first + c.count; ++i) normal += points[i].p;
  const Vec3 w = motion[c.b].w - motion[c.a].w;
  Vec3 next{0, c.roll.y - c.inv_roll[0] * dot(c.t1, w), c.roll.z - c.inv_roll[1] * dot(c.t2, w)};
  const double most = c.rolling * normal, size = std::sqrt(next.y * next.y + next.z * next.z);
  if (size > most) next *= size > 0 ? most / size : 0;
  const Vec3 change = next - c.roll;
  if (change == Vec3{}) return 0;
  const Vec3 t = change.y * c.t1 + change.z * c.t2;
  push(c.a, {}, -t);
  push(c.b, {}, t);
  c.roll = next;
  return 0;
}

// Impulses of all patches, one after the other; and back, within what friction allows.
void Island::gather(std::vector<double>& z) const {
  z.clear();
  for (const IslandPatch& c : patches) {
    for (uint32_t k = 0; k < c.count; ++k) z.push_back(points[c.first + k].p);
    for (uint32_t k = c.count; k < c.rows; ++k) {
      z.push_back(c.rub[static_cast<int>(k - c.count)]);
    }
  }
  for (const IslandRow& r : bounds) z.push_back(r.p);
}

void Island::scatter(std::span<const double> z) {
  size_t i = 0;
  for (IslandPatch& c : patches) {
    for (uint32_t k = 0; k < c.count; ++k) points[c.first + k].p = std::max(0.0, z[i++]);
    for (uint32_t k = c.count; k < c.rows; ++k) c.rub[static_cast<int>(k - c.count)] = z[i++];
    if (c.rows == c.count) continue;
    const Rubbing bound = rubbing_of(c);
    const double beyond = bound.size(c.rub);
    if (beyond > 1) c.rub = beyond < 1e100 ? (1 / beyond) * c.rub : Vec3{};
  }
  for (IslandRow& r : bounds) r.p = std::clamp(z[i++], r.low, r.high);
}

// Motion from what it was without contacts and all impulses.
void Island::apply_all(std::span<const Motion> base) {
  std::copy(base.begin(), base.end(), motion.begin());
  for (const IslandPatch& c : patches) {
    Rows z{};
    for (uint32_t k = 0; k < c.count; ++k) z[k] = points[c.first + k].p;
    for (uint32_t k = c.count; k < c.rows; ++k) z[k] = c.rub[static_cast<int>(k - c.count)];
    push_patch(c, z);
    if (c.rolling > 0) {
      const Vec3 t = c.roll.y * c.t1 + c.roll.z * c.t2;
      push(c.a, {}, -t);
      push(c.b, {}, t);
    }
  }
  for (const IslandRow& r : bounds) push_row(r, r.p);
  project_groups(true);
}

double Island::sweep_contacts(bool backwards) {
  double change = 0;
  const auto visit = [&](IslandPatch& c) {
    change = std::max(change, resist_patch(c, kInner, kRough));
    if (c.rolling > 0) resist_rolling(c);
  };
  if (backwards) {
    for (auto c = patches.rbegin(); c != patches.rend(); ++c) visit(*c);
  } else {
    for (IslandPatch& c : patches) visit(c);
  }
  for (IslandRow& r : bounds) resist_row(r, r.rate);
  project_groups(true);
  return change;
}

double Island::mean_speed() const {
  double sum = 0, count = 0;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!(bodies[b].inv_mass > 0)) continue;
    sum += norm2(motion[b].v);
    count += 1;
  }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

IslandResult Island::resist(const IslandSettings& settings) {
  for (const IslandGroup& g : groups) {
    if (!g.answer.empty() && !g.predicted) project_group(g, true);
  }
  const std::vector<Motion> base = motion;
  apply_all(base);
  const double fall = settings.gravity * settings.h;
  const bool rests = settings.speed < kAtRest * fall;
  const double still = rests ? kStill * fall : kMovingStill * fall + kMoving * settings.speed;
  const double fair = rests ? still : kFairStill * fall + kFairMoving * settings.speed;
  IslandResult result;
  std::vector<double> z, g, best_g;
  double best = kNever;
  anderson_.reset(0);
  while (result.sweeps < settings.max_sweeps) {
    const bool accelerates = result.sweeps >= kPlainSweeps;
    if (accelerates) gather(z);
    const double forth = sweep_contacts(false);
    result.residual = std::max(forth, sweep_contacts(true));
    result.sweeps += 2;
    if (result.residual <= (result.sweeps < kCareful ? still : fair)) {
      if (!let_slip()) break;
      best = kNever;
      continue;
    }
    if (!accelerates) continue;
    gather(g);
    if (best == kNever) begin_anderson(g.size());
    const double size = anderson_.measure(z, g, weights_);
    if (!best_g.empty() && !(size <= kAstray * best)) {
      // it led astray: back to the best, and on without the past
      scatter(best_g);
      apply_all(base);
      anderson_.reset(g.size());
      best = kNever;
      best_g.clear();
      continue;
    }
    if (size < best) {
      best = size;
      best_g = g;
    }
    if (result.sweeps >= settings.max_sweeps || !anderson_.next(g, weights_)) continue;
    scatter(g);
    apply_all(base);
  }
  drop_if_not_finite(base);
  return result;
}

// Bodies that are about to leave all bounds must not take along what they touch.
void Island::drop_if_not_finite(std::span<const Motion> base) {
  std::vector<double> z;
  gather(z);
  if (std::all_of(z.begin(), z.end(), [](double p) { return std::isfinite(p); })) return;
  std::fill(z.begin(), z.end(), 0.0);
  scatter(z);
  for (IslandPatch& c : patches) c.roll = {};
  apply_all(base);
}

// Patches that have come to the bound of static friction slip from now on. Returns whether any
// did. The coefficient changes once at most: everything between is a convex problem.
bool Island::let_slip() {
  bool any = false;
  for (IslandPatch& c : patches) {
    if (c.slips || !(c.static_friction > c.sliding_friction) || c.rows == c.count) continue;
    if (!(rubbing_of(c).size(c.rub) > 1 - kAtBound)) continue;
    c.slips = any = true;
  }
  return any;
}

void Island::begin_anderson(size_t size) {
  weights_.clear();
  for (const IslandPatch& c : patches) {
    for (uint32_t k = 0; k < c.rows; ++k) {
      weights_.push_back(answers_[c.answer + size_t{k} * (c.rows + 1)]);
    }
  }
  for (const IslandRow& r : bounds) weights_.push_back(r.inv_answer > 0 ? 1 / r.inv_answer : 0);
  anderson_.reset(size);
}

double Island::push_patch_apart(IslandPatch& c) {
  if (!c.moves) return 0;
  Rows u{}, dz{};
  rates_of(c, u);
  const double* K = &answers_[c.answer];
  double largest = 0;
  for (int round = 0; round < kInner; ++round) {
    double change = 0;
    for (uint32_t k = 0; k < c.count; ++k) {
      IslandPoint& x = points[c.first + k];
      const double* column = K + size_t{k} * c.rows;
      if (!(column[k] > 0)) continue;
      const double next = std::max(0.0, x.p - (u[k] - x.least) / column[k]);
      const double dp = next - x.p;
      if (dp == 0) continue;
      x.p = next;
      dz[k] += dp;
      for (uint32_t i = 0; i < c.count; ++i) u[i] += dp * column[i];
      change = std::max(change, std::fabs(dp) * column[k]);
    }
    largest = std::max(largest, change);
    if (change <= 0.1 * largest) break;
  }
  if (largest > 0) push_patch(c, dz);
  return largest;
}

IslandResult Island::separate(const IslandSettings& settings) {
  double deepest = 0;
  for (IslandPatch& c : patches) {
    c.rub = c.roll = {};
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      IslandPoint& x = points[i];
      x.p = 0;
      x.least = -x.gap;
      deepest = std::max(deepest, x.least - rate_of(c, x));
    }
  }
  for (IslandRow& r : bounds) r.p = r.offset = 0;
  IslandResult result;
  if (!(deepest > settings.tolerance)) return result;
  for (; result.sweeps < settings.max_sweeps; ++result.sweeps) {
    double change = 0;
    if (result.sweeps % 2 == 0) {
      for (IslandPatch& c : patches) change = std::max(change, push_patch_apart(c));
    } else {
      for (auto c = patches.rbegin(); c != patches.rend(); ++c) {
        change = std::max(change, push_patch_apart(*c));
      }
    }
    for (IslandRow& r : bounds) {
      if (r.gap < kNever) resist_row(r, -std::max(r.gap, 0.0));
    }
    project_groups(false);
    result.residual = change;
    if (change <= kSeparated * deepest) {
      ++result.sweeps;
      break;
    }
  }
  return result;
}

}  // namespace tenon
