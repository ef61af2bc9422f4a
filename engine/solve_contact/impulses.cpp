// All impulses of an island as one list of numbers, and the motion that they make.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"
#include "tenon/engine/solve_contact/rubbing.h"

namespace tenon {

// Impulses of all patches, one after the other; and back, within what friction allows.
void Island::gather(std::vector<double>& z) const {
  z.clear();
  for (const SweptPatch& p : records_.patches) {
    const double* from = records_.z_of(p);
    z.insert(z.end(), from, from + p.rows);
  }
  for (size_t i = 0; i < bounds.size(); ++i) z.push_back(bounds[i].held ? rates_[i] : bounds[i].p);
}

void Island::scatter(std::span<const double> z) {
  size_t i = 0;
  for (size_t k = 0; k < patches.size(); ++k) {
    IslandPatch& c = patches[k];
    for (uint32_t n = 0; n < c.count; ++n) points[c.first + n].p = std::max(0.0, z[i++]);
    for (uint32_t n = c.count; n < c.rows; ++n) c.rub[static_cast<int>(n - c.count)] = z[i++];
    if (c.rows > c.count) {
      c.rub = rubbing_of(c).within(c.rub);
    }
    double* to = records_.z_of(records_.patches[k]);
    for (uint32_t n = 0; n < c.count; ++n) to[n] = points[c.first + n].p;
    for (uint32_t n = c.count; n < c.rows; ++n) to[n] = c.rub[static_cast<int>(n - c.count)];
  }
  for (IslandRow& r : bounds) {
    if (!r.held) r.p = std::clamp(z[i], r.low, r.high);
    ++i;
  }
  records_.wake();
}

// Motion from what it was without contacts and all impulses, those of the patches as they are in
// their points.
void Island::apply_all() {
  std::copy(base_.begin(), base_.end(), motion.begin());
  std::copy(base_rates_.begin(), base_rates_.end(), rates_.begin());
  wrenches_.assign(bodies.size(), {});
  add_wrenches(wrenches_, Kind::kSolve, false);
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i].p != 0 && !bounds[i].held) push_row(i, bounds[i].p);
  }
  for (uint32_t b = 0; b < bodies.size(); ++b) {
    const Wrench& t = wrenches_[b];
    // those of a group that nothing touches have no columns
    if (t.force == Vec3{} && t.torque == Vec3{}) continue;
    if (bodies[b].inv_mass > 0) push(b, t.force, t.torque);
  }
  project_groups(true);
}

// Where joints hold a body against all slip (a guided block on a running belt), friction moves
// nothing, and sweeps cannot tell what it is; the joints carry it. It opposes the slip with all its
// bound, and with less where that is slower than a part of the speeds that there are: of what
// stands still nobody knows it. (6g)
void Island::rub_what_is_held(double speed) {
  constexpr double kSlow = 1e-2;
  for (IslandPatch& c : patches) {
    const uint32_t m = c.count;
    if (!c.moves || c.rows == m) continue;
    const double* K = &answers_[c.answer];
    if (K[size_t{m} * (c.rows + 1)] > 0 || K[size_t{m + 1} * (c.rows + 1)] > 0) continue;
    double normal = 0;
    for (uint32_t i = c.first; i < c.first + m; ++i) normal += points[i].p;
    Rows u{};
    rates_of(c, u);
    const Vec3 aim = c.aim(), slip{u[m] - aim.y, u[m + 1] - aim.z, 0};
    const double size = std::max(norm(slip), kSlow * speed);
    if (size > 0) c.rub = (-c.sliding_friction * normal / size) * slip;
  }
}

// Sweeps know bodies that are touched: where all others of their groups go as well.
void Island::complete_groups() {
  const auto complete = [](const IslandGroup& g) {
    return g.answer.empty() || g.predicted || g.columns == g.count;
  };
  if (std::all_of(groups.begin(), groups.end(), complete)) return;
  wrenches_.assign(bodies.size(), {});
  add_wrenches(wrenches_, Kind::kSolve, false);
  add_bounds(wrenches_);
  for (const IslandGroup& g : groups) {
    if (complete(g)) continue;
    local_.clear();
    for (const uint32_t b : g.order) {
      const Wrench& t = wrenches_[b];
      local_.push_back({bodies[b].inv_mass * t.force, bodies[b].inv_I * t.torque});
    }
    g.joints->project(local_, false);
    for (size_t i = 0; i < g.order.size(); ++i) {
      const uint32_t b = g.order[i];
      if (b - g.first < g.columns) continue;
      motion[b] = {base_[b].v + local_[i].v, base_[b].w + local_[i].w};
    }
  }
}

// Bodies that are about to leave all bounds must not take along what they touch.
void Island::drop_if_not_finite() {
  gather(z_);
  if (std::all_of(z_.begin(), z_.end(), [](double p) { return std::isfinite(p); })) return;
  std::fill(z_.begin(), z_.end(), 0.0);
  for (IslandPatch& c : patches) c.roll = {};
  scatter(z_);
  apply_all();
  store_bounds();
  for (IslandRow& r : bounds) {
    if (!std::isfinite(r.p)) r.p = 0;
  }
}

}  // namespace tenon
