// Limits, motors and friction of joints beside contacts; docs/theory/contacts.md, section 4.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"

namespace tenon {
namespace {

constexpr double kHeldAlready = 1e-9;  // of what bodies would do without joints: no answer at all
constexpr double kNoLimit = 1e300;
constexpr uint8_t kMostReleases = 2;  // of one bound in a solve: whatever goes on and off may do so

}  // namespace

void Island::prepare_row(size_t row) {
  IslandRow& r = bounds[row];
  double answer = 0, free = 0;
  for (int e = 0; e < 2; ++e) {
    if (r.body[e] == kNoBody) continue;
    const IslandBody& b = bodies[r.body[e]];
    free += b.inv_mass * norm2(r.f[e]) + dot(r.t[e], b.inv_I * r.t[e]);
  }
  const IslandGroup& g = groups[r.group];
  if (g.answer.empty()) {
    answer = free;
  } else if (g.bounds > 0) {
    const size_t q = 6u * g.columns + row - g.first_bound;
    answer = g.answer[q * (g.numbers() + 1)];
  }
  r.inv_answer = answer > kHeldAlready * free ? 1 / answer : 0;
}

// What pressed, stuck or drove in the last step will do so again.
bool Island::may_hold(const IslandRow& r) const {
  return r.inv_answer > 0 && r.low < r.p && r.p < r.high;
}

void Island::exchange_bound(size_t row) {
  const IslandRow& r = bounds[row];
  IslandGroup& g = groups[r.group];
  exchange(g.answer.data(), g.numbers(), 6u * g.columns + row - g.first_bound);
  for (size_t i = g.first_bound; i < g.first_bound + g.bounds; ++i) prepare_row(i);
}

// A limb that lies on something and against a limit as well: in turns, contact and limit would take
// each other's motion back for hundreds of sweeps. So bounds that hold are held like joints.
void Island::hold_bounds(bool limits_only) {
  for (uint32_t k = 0; k < groups.size(); ++k) {
    const IslandGroup& g = groups[k];
    if (g.answer.empty()) continue;
    bool any = false;
    for (size_t i = g.first_bound; i < g.first_bound + g.bounds; ++i) {
      IslandRow& r = bounds[i];
      if (r.held || !may_hold(r) || (limits_only && !(r.gap < kNoLimit))) continue;
      exchange_bound(i);
      r.held = any = true;
    }
    if (!any) continue;
    for (IslandPatch& c : patches) {
      if (bodies[c.a].group == k || bodies[c.b].group == k) calc_patch(c);
    }
  }
}

// Before a solve: motion is without its impulses.
void Island::begin_bounds(bool limits_only) {
  for (IslandRow& r : bounds) r.active = r.releases = 0;
  hold_bounds(limits_only);
  rates_.resize(bounds.size());
  for (size_t i = 0; i < bounds.size(); ++i) rates_[i] = rate_of(bounds[i]);
  for (size_t i = 0; i < bounds.size(); ++i) {
    const IslandRow& r = bounds[i];
    if (!r.held) continue;
    const double asked = limits_only ? -std::max(r.gap, 0.0) : r.rate;
    const double change = asked - rates_[i];
    rates_[i] = 0;
    push_row(i, change);
  }
}

// In the course of sweeps: at its rate, from where it stands; and what is without contacts, too.
void Island::hold_bound(size_t row, double rate) {
  IslandRow& r = bounds[row];
  exchange_bound(row);
  rates_[row] = r.p;
  r.held = true;
  refill_records(r.group);
  if (base_.empty()) return;
  const double change = rate - base_rates_[row];
  base_rates_[row] = 0;
  add_row(row, change, base_, base_rates_);
}

// Its impulse has left its bounds: it goes on like any other.
void Island::release_bound(size_t row, double rate) {
  IslandRow& r = bounds[row];
  r.p = rates_[row];
  r.held = false;
  r.active = 0;
  ++r.releases;
  exchange_bound(row);
  rates_[row] = rate;
  refill_records(r.group);
  if (base_.empty()) return;
  const double held = base_rates_[row];
  base_rates_[row] = rate;
  add_row(row, -held, base_, base_rates_);
}

double Island::rate_of(const IslandRow& r) const {
  double u = r.offset;
  for (int e = 0; e < 2; ++e) {
    if (r.body[e] == kNoBody) continue;
    u += dot(r.f[e], motion[r.body[e]].v) + dot(r.t[e], motion[r.body[e]].w);
  }
  return u;
}

// Changes its impulse; of one that is held, its rate.
void Island::push_row(size_t row, double change) {
  const IslandRow& r = bounds[row];
  if (!groups[r.group].answer.empty()) return add_row(row, change, motion, rates_);
  for (int e = 0; e < 2; ++e) {
    if (r.body[e] != kNoBody) push(r.body[e], change * r.f[e], change * r.t[e]);
  }
}

// The same in any motion, where the group answers by a matrix.
void Island::add_row(size_t row, double change, std::span<Motion> to, std::span<double> rates) {
  const IslandGroup& g = groups[bounds[row].group];
  if (g.bounds == 0) return;
  const size_t n = g.numbers(), own = 6u * g.columns;
  const double* column = &g.answer[(own + row - g.first_bound) * n];
  double* u = own > 0 ? &to[g.first].v.x : nullptr;
  for (size_t i = 0; i < own; ++i) u[i] += change * column[i];
  for (size_t i = 0; i < g.bounds; ++i) rates[g.first_bound + i] += change * column[own + i];
}

// Returns the change of the rate. Above `still`, one that acts for the second time will be held.
double Island::resist_row(size_t row, double rate, double still) {
  IslandRow& r = bounds[row];
  const bool answers = !groups[r.group].answer.empty();
  if (r.held) {
    if (r.low <= rates_[row] && rates_[row] <= r.high) return 0;
    release_bound(row, rate);
  }
  if (!(r.inv_answer > 0)) return 0;
  const double u = answers ? rates_[row] : rate_of(r);
  const double next = std::clamp(r.p - (u - rate) * r.inv_answer, r.low, r.high);
  const double dp = next - r.p, change = std::fabs(dp) / r.inv_answer;
  if (dp == 0) return 0;
  r.p = next;
  push_row(row, dp);
  r.active = may_hold(r) && change > still ? r.active + 1 : 0;
  if (answers && r.active > 1 && r.releases < kMostReleases) hold_bound(row, rate);
  return change;
}

void Island::add_bounds(std::span<Wrench> wrenches) const {
  for (const IslandRow& r : bounds) {
    for (int e = 0; e < 2; ++e) {
      if (r.body[e] == kNoBody) continue;
      wrenches[r.body[e]].force += r.p * r.f[e];
      wrenches[r.body[e]].torque += r.p * r.t[e];
    }
  }
}

// Impulses of those that were held in the solve.
void Island::store_bounds() {
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i].held) bounds[i].p = rates_[i];
  }
}

}  // namespace tenon
