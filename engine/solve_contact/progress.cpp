// Sweeps that get on faster, and what is changed where they do not get on.
#include <algorithm>

#include "tenon/engine/solve_contact/island.h"
#include "tenon/engine/solve_contact/rubbing.h"

namespace tenon {
namespace {

constexpr double kAtBound = 1e-9;

}  // namespace

void Island::begin_anderson(size_t size) {
  weights_.clear();
  for (const IslandPatch& c : patches) {
    for (uint32_t k = 0; k < c.rows; ++k) {
      weights_.push_back(answers_[c.answer + size_t{k} * (c.rows + 1)]);
    }
  }
  for (const IslandRow& r : bounds) {
    weights_.push_back(r.inv_answer > 0 && !r.held ? 1 / r.inv_answer : 0);
  }
  anderson_.reset(size);
}

// After two sweeps from z_: the combination of what came before that would be the answer if sweeps
// were linear.
void Island::accelerate(bool last) {
  gather(g_);
  if (best_ == kNever) begin_anderson(g_.size());
  const double size = anderson_.measure(z_, g_, weights_);
  if (!best_g_.empty() && !(size <= kAstray * best_)) {
    // it led astray: back to the best, and on without the past
    scatter(best_g_);
    apply_all();
    anderson_.reset(g_.size());
    best_ = kNever;
    best_g_.clear();
    return;
  }
  if (size < best_) {
    best_ = size;
    best_g_ = g_;
  }
  if (last || !anderson_.next(g_, weights_)) return;
  scatter(g_);
  apply_all();
}

// To the impulses of the sweep that changed least.
void Island::go_back_to_calmest() {
  scatter(calmest_z_);
  for (size_t i = 0; i < calmest_roll_.size(); ++i) patches[i].roll = calmest_roll_[i];
  apply_all();
}

// Points that press and do not come apart as they are asked to are asked to stay. Where bodies are
// wedged between many, rates that contradict each other let impulses drift along one another, by
// the same in every sweep; what all are asked for then, they can do. `all`: those as well that do
// as they are asked to, which may be what the others cannot follow. Returns whether there are any.
bool Island::give_up(bool all) {  // (5f)
  constexpr double kDone = 0.5;   // of what it was asked for
  go_back_to_calmest();
  store_records();
  bool any = false;
  for (const IslandPatch& c : patches) {
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      IslandPoint& x = points[i];
      if (!(x.p > 0 && x.least > 0) || !(all || rate_of(c, x) < kDone * x.least)) continue;
      x.least = 0;
      x.vain = any = true;
    }
  }
  if (any) load_records();
  return any;
}

// Patches that have come to the bound of static friction slip from now on. Returns whether any
// did. The coefficient changes once at most: everything between is a convex problem.
bool Island::let_slip() {
  const bool may = std::any_of(patches.begin(), patches.end(), [](const IslandPatch& c) {
    return !c.slips && c.static_friction > c.sliding_friction && c.rows > c.count;
  });
  if (!may) return false;
  gather(sticking_z_);
  sticking_.clear();
  for (const IslandPatch& c : patches) sticking_.push_back({c.roll, c.slips});
  store_records();
  bool any = false;
  for (IslandPatch& c : patches) {
    if (c.slips || !(c.static_friction > c.sliding_friction) || c.rows == c.count) continue;
    if (!(rubbing_of(c).size(c.rub) > 1 - kAtBound)) continue;
    c.slips = any = true;
  }
  if (any) load_records();
  return any;
}

// To where the last patches had not slipped yet. One patch that begins to slip may move the load of
// a whole heap to others: impulses that are not found in time would throw what stands still.
void Island::stick_again() {
  for (size_t i = 0; i < patches.size(); ++i) {
    patches[i].slips = sticking_[i].slips;
    patches[i].roll = sticking_[i].roll;
  }
  load_records();
  scatter(sticking_z_);
  apply_all();
}

}  // namespace tenon
