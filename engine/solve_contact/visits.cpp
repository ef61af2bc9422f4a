// One sweep over the contacts and the bounds of an island: each patch is solved as a whole, with
// everything else as it stands.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"
#include "tenon/engine/solve_contact/rubbing.h"

namespace tenon {

Rubbing Island::rubbing_of(const IslandPatch& c) const {
  Rubbing r{&answers_[c.answer + size_t{c.count} * (c.rows + 1)],
            c.rows,
            c.rows > c.count + 2,
            c.slips ? c.sliding_friction : c.static_friction,
            0,
            0,
            c.spinning,
            c.lost};
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
      const Vec3 aim = c.aim(), rate{u[m] - aim.y, u[m + 1] - aim.z, spins ? u[m + 2] : 0};
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
// Returns the change of a rate.
double Island::resist_rolling(IslandPatch& c, double normal) {
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
  const double a = bodies[c.a].inv_mass > 0 ? norm2(c.rA) : 0;
  const double radius = std::sqrt(std::max(a, bodies[c.b].inv_mass > 0 ? norm2(c.rB) : 0));
  const double y = c.inv_roll[0] > 0 ? change.y / c.inv_roll[0] : 0;
  const double z = c.inv_roll[1] > 0 ? change.z / c.inv_roll[1] : 0;
  return radius * std::max(std::fabs(y), std::fabs(z));
}

double Island::visit(SweptPatch& p, double still, double fine) {
  const double change = records_.visit(p, motion, still, fine);
  if (p.rolls == 0) return change;
  double normal = 0;
  const double* z = records_.z_of(p);
  for (uint32_t k = 0; k < p.points; ++k) normal += z[k];
  const double rolling = resist_rolling(patches[p.rolls - 1], normal);
  records_.moved[p.mover_a] += p.weight_a * rolling;
  records_.moved[p.mover_b] += p.weight_b * rolling;
  return std::max(change, rolling);
}

double Island::sweep_patches(bool backwards, double still, double fine) {
  double change = 0;
  std::vector<SweptPatch>& list = records_.patches;
  if (backwards) {
    for (auto p = list.rbegin(); p != list.rend(); ++p) {
      change = std::max(change, visit(*p, still, fine));
    }
  } else {
    for (SweptPatch& p : list) change = std::max(change, visit(p, still, fine));
  }
  return change;
}

double Island::sweep_contacts(bool backwards, double still, double fine) {
  const double change = sweep_patches(backwards, still, fine);
  motors_change_ = 0;
  for (size_t i = 0; i < bounds.size(); ++i) {
    const double more = resist_row(i, bounds[i].rate, still);
    records_.moved[bodies.size() + bounds[i].group] += more;
    if (bounds[i].motor) motors_change_ = std::max(motors_change_, more * reach_of(bounds[i]));
  }
  project_groups(true);
  return change;
}

// Speed of the bodies of a row per rate: their radius of gyration where it turns them, m.
double Island::reach_of(const IslandRow& r) const {
  double reach = 0;
  for (int e = 0; e < 2; ++e) {
    if (r.body[e] == kNoBody) continue;
    const IslandBody& b = bodies[r.body[e]];
    const double trace = b.inv_I(0, 0) + b.inv_I(1, 1) + b.inv_I(2, 2);
    const bool turns = r.f[e] == Vec3{};
    reach = std::max(reach, turns && trace > 0 ? std::sqrt(3 * b.inv_mass / trace) : 1);
  }
  return reach;
}

}  // namespace tenon
