// Limits, motors and friction of joints beside contacts; docs/theory/contacts.md, section 4.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"

namespace tenon {
namespace {

constexpr double kNoLimit = 1e300;
constexpr uint8_t kMostReleases = 2;  // of one bound in a solve: whatever goes on and off may do so
// Contacts must be able to move what they touch: of their answer without held bounds.
constexpr double kLeastAnswer = 1e-2;
constexpr double kAtLimit = 1000;  // tolerances, rad or m: nearer ones are reached

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
    answer = free + r.soft;
  } else if (g.bounds > 0) {
    const size_t q = 6u * g.columns + row - g.first_bound;
    answer = g.answer[q * (g.numbers() + 1)];
  }
  r.inv_answer = answer > kNoAnswer * free ? 1 / answer : 0;
}

void Island::begin_springs() {
  for (IslandRow& r : bounds) {
    if (r.soft > 0) r.rate -= r.keep * rate_of(r);
  }
}

// Motors that hold the legs of what stands on the ground ask for rates that contacts do not allow,
// each for its own, and would fight one another through the ground with all their strength. As
// contacts see it, a motor goes on with the impulse p0 of the last step and changes it by no more
// than what it lacks is worth: with its answer W to an impulse,
//   u + s W (p - p0) = rate it aims at,   low <= p <= high                                    (5h)
// At rest u is that rate, and what it carries is all its own: it does not sag. With s = 1 it gets
// half of what it lacks in a step where nothing resists. What comes out for u is what it then does.
// W is its answer with what lies on it, about W m / (m + load): of a lighter one it would take
// 1 / s (load / m) steps to find what a heavy load weighs, and sink meanwhile.
void Island::soften_motors(IslandGroup& g) {
  constexpr double kSoft = 1e-3;
  for (size_t i = g.first_bound; i < g.first_bound + g.bounds; ++i) {
    IslandRow& r = bounds[i];
    if (!r.motor) continue;
    double& own = g.answer[(6u * g.columns + i - g.first_bound) * (g.numbers() + 1)];
    if (!(own > 0)) continue;
    r.soft = kSoft * own * (g.mass > 0 ? g.mass / (g.mass + g.load) : 1);
    r.rate += r.soft * r.p;
    own += r.soft;
  }
}

double Island::agreed_rate(size_t row) const {
  const IslandRow& r = bounds[row];
  return rate_of(r);
}

// Springs and dampers are linear: they are held as joints are, and contacts need not take turns
// with them. Their softness stays in the matrix, so that contacts can always move them.
void Island::hold_springs() {
  for (uint32_t k = 0; k < groups.size(); ++k) {
    const IslandGroup& g = groups[k];
    if (g.answer.empty()) continue;
    bool any = false;
    for (size_t i = g.first_bound; i < g.first_bound + g.bounds; ++i) {
      IslandRow& r = bounds[i];
      if (!(r.soft > 0) || r.motor || r.held || !(r.inv_answer > 0)) continue;
      exchange_bound(i);
      r.held = any = true;
    }
    if (!any) continue;
    calc_patches(k);
    loose_answers_ = answers_;
  }
}

// What springs, dampers and constant forces have given since the motion without them.
double Island::work_of_laws() const {
  double work = 0;
  for (const IslandRow& r : bounds) {
    if (r.motor || (!(r.soft > 0) && r.low != r.high)) continue;
    work += std::max(0.0, 0.5 * r.p * (rate_in(r, loose_base_) + rate_of(r)));
  }
  return work;
}

// Limits, and motors that were not at their bounds; of friction it is not known whether it will
// hold.
bool Island::may_hold(const IslandRow& r) const {
  const bool softened = r.motor && r.soft > 0;
  return r.inv_answer > 0 && (softened || r.gap < kNoLimit) && r.low < r.p && r.p < r.high;
}

// Rates of all rows of a group's patches per impulse of a bound; of one that is held, per rate.
void Island::calc_couplings(size_t row) {
  const IslandRow& r = bounds[row];
  const IslandGroup& g = groups[r.group];
  const double* column = &g.answer[(6u * g.columns + row - g.first_bound) * g.numbers()];
  const auto rate_at = [&](uint32_t b, const Vec3& f, const Vec3& t) {
    if (bodies[b].group != r.group) return 0.0;
    const double* u = column + 6u * bodies[b].place;
    return f.x * u[0] + f.y * u[1] + f.z * u[2] + t.x * u[3] + t.y * u[4] + t.z * u[5];
  };
  couplings_.clear();
  for (const uint32_t i : patches_of(r.group)) {
    const IslandPatch& c = patches[i];
    for (uint32_t j = 0; j < c.rows; ++j) {
      const auto& [f, tA, tB] = row_wrenches_[c.wrench + j];
      couplings_.push_back(rate_at(c.b, f, tB) - rate_at(c.a, f, tA));
    }
  }
}

// Answers of patches with the bound exchanged, from their couplings to it: a change of rank one,
// K - c c^T / pivot, with the other sign where impulse and rate change their places back.
void Island::couple_patches(size_t row) {
  const IslandRow& r = bounds[row];
  const IslandGroup& g = groups[r.group];
  const double pivot = g.answer[(6u * g.columns + row - g.first_bound) * (g.numbers() + 1)];
  const double* coupling = couplings_.data();
  for (const uint32_t i : patches_of(r.group)) {
    const IslandPatch& c = patches[i];
    double* K = &answers_[c.answer];
    for (uint32_t j = 0; j < c.rows; ++j) {
      const double part = (r.held ? -coupling[j] : coupling[j]) / pivot;
      for (uint32_t k = 0; k < c.rows; ++k) K[size_t{j} * c.rows + k] -= part * coupling[k];
    }
    coupling += c.rows;
  }
}

// Whether contacts could still move their bodies if it were held: a lever between a limit and
// something that is moved must be let go, and nothing but a contact's own impulse can tell. If so,
// their answers become those with it held.
bool Island::leaves_contacts_free(size_t row) {
  const IslandRow& r = bounds[row];
  const IslandGroup& g = groups[r.group];
  const double pivot = g.answer[(6u * g.columns + row - g.first_bound) * (g.numbers() + 1)];
  calc_couplings(row);
  const double* coupling = couplings_.data();
  for (const uint32_t i : patches_of(r.group)) {
    const IslandPatch& c = patches[i];
    for (uint32_t j = 0; j < c.rows; ++j) {
      const size_t at = c.answer + size_t{j} * (c.rows + 1);
      const double left = answers_[at] - coupling[j] * coupling[j] / pivot;
      if (loose_answers_[at] > 0 && !(left > kLeastAnswer * loose_answers_[at])) return false;
    }
    coupling += c.rows;
  }
  couple_patches(row);
  return true;
}

void Island::exchange_bound(size_t row) {
  const IslandRow& r = bounds[row];
  IslandGroup& g = groups[r.group];
  exchange(g.answer.data(), g.numbers(), 6u * g.columns + row - g.first_bound, 0);
  for (size_t i = g.first_bound; i < g.first_bound + g.bounds; ++i) prepare_row(i);
}

// exchange_bound() for several, one after the other: at once in the columns of bounds, which tell
// whether the next one may be held, and at last in those of bodies, all together.
void Island::exchange_in_bounds(size_t row) {
  const IslandRow& r = bounds[row];
  IslandGroup& g = groups[r.group];
  const size_t n = g.numbers(), own = 6u * g.columns, q = own + row - g.first_bound;
  const double* column = &g.answer[q * n];
  pivot_columns_.insert(pivot_columns_.end(), column, column + own);
  pivots_.push_back(column[q]);
  exchange(g.answer.data(), n, q, own);
  for (size_t i = g.first_bound; i < g.first_bound + g.bounds; ++i) prepare_row(i);
}

// Rows of bodies lose the products of the pivots' columns, symmetric; those of bounds mirror their
// columns, with the other sign where rate and impulse have changed places.
void Island::finish_exchange(IslandGroup& g) {
  constexpr size_t kAtATime = 6;
  const size_t n = g.numbers(), own = 6u * g.columns;
  while (pivots_.size() % kAtATime != 0) pivots_.push_back(1);
  pivot_columns_.resize(pivots_.size() * own, 0.0);
  for (size_t j = 0; j < own; ++j) {
    double* column = &g.answer[j * n];
    for (size_t k = 0; k < pivots_.size(); k += kAtATime) {
      const double* from = &pivot_columns_[k * own];
      double factor[kAtATime];
      for (size_t l = 0; l < kAtATime; ++l) factor[l] = -from[l * own + j] / pivots_[k + l];
      add_columns(column, from, own, factor, own);
    }
    for (size_t i = 0; i < g.bounds; ++i) {
      const double mirror = g.answer[(own + i) * n + j];
      column[own + i] = bounds[g.first_bound + i].held ? -mirror : mirror;
    }
  }
  pivots_.clear();
  pivot_columns_.clear();
}

// A limb that lies on something and against a limit as well: in turns, contact and limit would take
// each other's motion back for hundreds of sweeps. So limits that press are held like joints.
void Island::hold_bounds(bool displaces, double tolerance) {
  for (uint32_t k = 0; k < groups.size(); ++k) {
    IslandGroup& g = groups[k];
    if (g.answer.empty()) continue;
    for (size_t i = g.first_bound; i < g.first_bound + g.bounds; ++i) {
      IslandRow& r = bounds[i];
      if (r.held || !may_hold(r)) continue;
      if (r.motor ? displaces : r.gap > kAtLimit * tolerance) continue;
      if (!leaves_contacts_free(i)) {
        r.releases = kMostReleases;
        continue;
      }
      exchange_in_bounds(i);
      r.held = true;
    }
    if (pivots_.empty()) continue;
    finish_exchange(g);
    for (const uint32_t i : patches_of(k)) finish_patch(patches[i]);
  }
}

void Island::calc_patches(uint32_t group) {
  for (const uint32_t i : patches_of(group)) calc_patch(patches[i]);
}

// Before a solve: motion is without its impulses.
void Island::begin_bounds(bool displaces, double tolerance) {
  for (IslandRow& r : bounds) r.active = r.releases = 0;
  hold_springs();
  hold_bounds(displaces, tolerance);
  start_held(displaces);
}

// Rates of all, and motion with those that are held.
void Island::start_held(bool displaces) {
  rates_.resize(bounds.size());
  for (size_t i = 0; i < bounds.size(); ++i) rates_[i] = rate_of(bounds[i]);
  // all rates of held ones are given before any of their impulses is known
  std::vector<double>& change = z_;
  change.assign(bounds.size(), 0);
  for (size_t i = 0; i < bounds.size(); ++i) {
    const IslandRow& r = bounds[i];
    if (!r.held) continue;
    // springs resist displacements from where they are
    const double way = r.soft > 0 ? 0 : -std::max(r.gap, 0.0);
    change[i] = (displaces ? way : r.rate) - rates_[i];
    rates_[i] = 0;
  }
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i].held) push_row(i, change[i]);
  }
}

// Everything as it was before anything was held, and nothing will be.
void Island::release_all() {
  for (size_t i = 0; i < bounds.size(); ++i) {
    IslandRow& r = bounds[i];
    if (r.held) {
      r.held = false;
      exchange_bound(i);
    }
    r.releases = kMostReleases;
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
  calc_couplings(row);
  couple_patches(row);
  r.p = rates_[row];
  r.held = false;
  r.active = 0;
  ++r.releases;
  released_ = true;
  exchange_bound(row);
  rates_[row] = rate;
  refill_records(r.group);
  if (base_.empty()) return;
  const double held = base_rates_[row];
  base_rates_[row] = rate;
  add_row(row, -held, base_, base_rates_);
}

// Motors that are held and would have to give more than they can go on at their bounds. Returns
// whether there are any.
bool Island::bound_motors() {
  bool any = false;
  for (size_t i = 0; i < bounds.size(); ++i) {
    IslandRow& r = bounds[i];
    if (!r.motor || !r.held || (r.low <= rates_[i] && rates_[i] <= r.high)) continue;
    release_bound(i, r.rate);
    const double bound = std::clamp(r.p, r.low, r.high), change = bound - r.p;
    r.p = bound;
    push_row(i, change);
    any = true;
  }
  return any;
}

double Island::rate_in(const IslandRow& r, std::span<const Motion> of) const {
  double u = r.offset;
  for (int e = 0; e < 2; ++e) {
    if (r.body[e] == kNoBody) continue;
    u += dot(r.f[e], of[r.body[e]].v) + dot(r.t[e], of[r.body[e]].w);
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

// A motor that presses a body against a contact and the contact that resists gain on each other by
// what a sweep moves the body, again and again, until the motor is at its bound: many sweeps where
// it is strong. What wants the same again, and no less, gets ever more of it.
double Island::hasten(IslandRow& r, double wanted) const {
  constexpr uint8_t kPatient = 2, kMost = 12;
  constexpr double kNoLess = 0.9;
  const bool bounded = (r.soft == 0 || r.motor) && std::isfinite(r.low) && std::isfinite(r.high);
  const bool again =
      bounded && wanted * r.wanted > 0 && std::fabs(wanted) > kNoLess * std::fabs(r.wanted);
  r.repeats = again ? static_cast<uint8_t>(std::min<int>(r.repeats + 1, kMost)) : uint8_t{0};
  r.wanted = wanted;
  return r.repeats < kPatient ? 1 : static_cast<double>(uint64_t{1} << (2 * (r.repeats - 1)));
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
  const double u = answers ? rates_[row] : rate_of(r) + r.soft * r.p;
  const double wanted = (rate - u) * r.inv_answer;
  const double next = std::clamp(r.p + hasten(r, wanted) * wanted, r.low, r.high);
  const double dp = next - r.p, change = std::fabs(dp) / r.inv_answer;
  if (dp == 0) return 0;
  r.p = next;
  push_row(row, dp);
  r.active = may_hold(r) && change > still ? r.active + 1 : 0;
  if (answers && r.active > 1 && r.releases < kMostReleases) {
    if (leaves_contacts_free(row)) {
      hold_bound(row, rate);
    } else {
      r.releases = kMostReleases;
    }
  }
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

void Island::add_springs(std::span<Wrench> wrenches) const {
  std::vector<double> impulse;
  for (const IslandGroup& g : groups) {
    const auto first = bounds.begin() + g.first_bound, last = first + g.bounds;
    const auto springs = [](const IslandRow& r) { return r.held && r.soft > 0 && !r.motor; };
    if (g.answer.empty() || std::none_of(first, last, springs)) continue;
    // of a row that is held, the answer is its impulse
    impulse.assign(g.bounds, 0);
    const size_t n = g.numbers(), own = 6u * g.columns;
    for (uint32_t b = 0; b < g.columns; ++b) {
      const Wrench& w = wrenches[g.first + b];
      const double numbers[6] = {w.force.x,  w.force.y,  w.force.z,
                                 w.torque.x, w.torque.y, w.torque.z};
      for (size_t k = 0; k < 6; ++k) {
        const double* column = &g.answer[(6u * b + k) * n + own];
        for (size_t i = 0; i < g.bounds; ++i) impulse[i] += numbers[k] * column[i];
      }
    }
    for (size_t i = 0; i < g.bounds; ++i) {
      const IslandRow& r = bounds[g.first_bound + i];
      if (!springs(r)) continue;
      for (int e = 0; e < 2; ++e) {
        if (r.body[e] == kNoBody) continue;
        wrenches[r.body[e]].force += impulse[i] * r.f[e];
        wrenches[r.body[e]].torque += impulse[i] * r.t[e];
      }
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
