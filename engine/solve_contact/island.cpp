#include "tenon/engine/solve_contact/island.h"

#include <algorithm>
#include <cmath>

namespace tenon {

void Island::clear() {
  bodies.clear();
  motion.clear();
  patches.clear();
  points.clear();
  bounds.clear();
  faceted = false;
}

// Velocity of body `row` per impulse on body `column`.
Motion Island::answer_of(uint32_t row, uint32_t column, const Vec3& f, const Vec3& t) const {
  const IslandBody &r = bodies[row], &c = bodies[column];
  if (c.group == kNoGroup || groups[c.group].answer.empty()) {
    if (row != column) return {};
    return {c.inv_mass * f, c.inv_I * t};
  }
  if (r.group != c.group) return {};
  const IslandGroup& g = groups[c.group];
  const size_t n = g.numbers();
  const double wrench[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
  double u[6] = {};
  for (size_t k = 0; k < 6; ++k) {
    const double* column_k = &g.answer[(6u * c.place + k) * n + 6u * r.place];
    for (size_t i = 0; i < 6; ++i) u[i] += wrench[k] * column_k[i];
  }
  return {{u[0], u[1], u[2]}, {u[3], u[4], u[5]}};
}

void Island::push(uint32_t body, const Vec3& f, const Vec3& t) {
  const IslandBody& b = bodies[body];
  if (b.group == kNoGroup || groups[b.group].answer.empty()) {
    motion[body].v += b.inv_mass * f;
    motion[body].w += b.inv_I * t;
    return;
  }
  const IslandGroup& g = groups[b.group];
  const size_t n = g.numbers(), own = 6u * g.columns;
  // the bodies with columns come first, six numbers each
  const double wrench[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
  const double* column = &g.answer[6u * b.place * n];
  add_columns(&motion[g.first].v.x, column, n, wrench, own);
  if (g.bounds > 0) add_columns(&rates_[g.first_bound], column + own, n, wrench, g.bounds);
}

// The wrench of a unit impulse of one row on b (f at its mass centre, tB) and, negative, on a.
Island::RowWrench Island::make_row_wrench(const IslandPatch& c, uint32_t row) const {
  if (row < c.count) return {c.n, points[c.first + row].aA, points[c.first + row].aB};
  if (row >= c.count + 2) return {{}, c.n, c.n};
  const Vec3& f = row == c.count ? c.t1 : c.t2;
  return {f, cross(c.rA, f), cross(c.rB, f)};
}

double Island::rate_of(const IslandPatch& c, const IslandPoint& x) const {
  const Motion &A = motion[c.a], &B = motion[c.b];
  return dot(c.n, B.v - A.v) + dot(x.aB, B.w) - dot(x.aA, A.w);
}

void Island::rates_of(const IslandPatch& c, Rows& u) const {
  const Motion &A = motion[c.a], &B = motion[c.b];
  const Vec3 dv = B.v - A.v;
  const double un = dot(c.n, dv);
  for (uint32_t k = 0; k < c.count; ++k) {
    const IslandPoint& x = points[c.first + k];
    u[k] = un + dot(x.aB, B.w) - dot(x.aA, A.w);
  }
  if (c.rows == c.count) return;
  const Vec3 ut = dv + cross(B.w, c.rB) - cross(A.w, c.rA);
  u[c.count] = dot(c.t1, ut);
  u[c.count + 1] = dot(c.t2, ut);
  if (c.rows > c.count + 2) u[c.count + 2] = dot(c.n, B.w - A.w);
}

double Island::slip_speed(const IslandPatch& c) const {
  if (c.rows == c.count) return 0;
  Rows u{};
  rates_of(c, u);
  const Vec3 aim = c.aim();
  const double x = u[c.count] - aim.y, y = u[c.count + 1] - aim.z;
  return std::sqrt(x * x + y * y);
}

void Island::push_patch(const IslandPatch& c, const Rows& dz) {
  double dn = 0;
  Vec3 tA, tB;
  for (uint32_t k = 0; k < c.count; ++k) {
    const IslandPoint& x = points[c.first + k];
    dn += dz[k];
    tA += dz[k] * x.aA;
    tB += dz[k] * x.aB;
  }
  Vec3 f = dn * c.n;
  if (c.rows > c.count) {
    const Vec3 rub = dz[c.count] * c.t1 + dz[c.count + 1] * c.t2;
    f += rub;
    tA += cross(c.rA, rub);
    tB += cross(c.rB, rub);
    if (c.rows > c.count + 2) {
      const Vec3 spin = dz[c.count + 2] * c.n;
      tA += spin;
      tB += spin;
    }
  }
  push(c.a, -f, -tA);
  push(c.b, f, tB);
}

// Directions that joints hold answer by round-off only: none, or impulses would grow without bound
// (letters that joints keep on a wall, pressed against each other along its normal).
void Island::drop_held_rows(IslandPatch& c) {
  const auto jointed = [&](uint32_t b) {
    return bodies[b].group != kNoGroup && !groups[bodies[b].group].answer.empty();
  };
  if (!jointed(c.a) && !jointed(c.b)) return;
  double* K = &answers_[c.answer];
  const IslandBody &A = bodies[c.a], &B = bodies[c.b];
  for (uint32_t j = 0; j < c.rows; ++j) {
    const auto& [f, tA, tB] = row_wrenches_[c.wrench + j];
    const double free =
        (A.inv_mass + B.inv_mass) * norm2(f) + dot(tA, A.inv_I * tA) + dot(tB, B.inv_I * tB);
    if (K[size_t{j} * (c.rows + 1)] > kNoAnswer * free) continue;
    for (uint32_t i = 0; i < c.rows; ++i) {
      K[size_t{i} * c.rows + j] = 0;
      K[size_t{j} * c.rows + i] = 0;
    }
  }
}

void Island::prepare_patch(IslandPatch& c) {
  const bool rubs = c.static_friction > 0, spins = c.spinning > 0 || (rubs && c.count > 1);
  c.rows = c.count + (rubs || spins ? 2u : 0u) + (spins ? 1u : 0u);
  c.answer = static_cast<uint32_t>(answers_.size());
  answers_.resize(answers_.size() + size_t{c.rows} * c.rows);
  c.wrench = static_cast<uint32_t>(row_wrenches_.size());
  for (uint32_t j = 0; j < c.rows; ++j) row_wrenches_.push_back(make_row_wrench(c, j));
  calc_patch(c);
  calc_ease(c);
}

// Forces f that accelerate each body of a mechanism by g at most bring no more than
//   n.Phi f <= sqrt(n.Phi n  f.Phi f) <= g sqrt(M n.Phi n)                                   (2b)
// to a point, M the mass of them all: little where it is near a hinge. Of two sides, the sums of M
// and of n.Phi n = K bound the sum of both.
void Island::calc_ease(IslandPatch& c) {
  const auto mass_of = [&](const IslandBody& b) {
    if (answers(b)) return groups[b.group].mass;
    return b.inv_mass > 0 ? 1 / b.inv_mass : 0;
  };
  const bool jointed = answers(bodies[c.a]) || answers(bodies[c.b]);
  const double mass = jointed ? mass_of(bodies[c.a]) + mass_of(bodies[c.b]) : 0;
  for (uint32_t k = 0; k < c.count; ++k) {
    const double K = answers_[c.answer + size_t{k} * (c.rows + 1)];
    points[c.first + k].ease = jointed && K > 0 ? std::min(1.0, std::sqrt(mass * K)) : 1;
  }
}

void Island::calc_patch(IslandPatch& c) {
  double* K = &answers_[c.answer];
  const bool same = bodies[c.a].group != kNoGroup && bodies[c.a].group == bodies[c.b].group;
  const RowWrench* rows = &row_wrenches_[c.wrench];
  for (uint32_t j = 0; j < c.rows; ++j) {
    const RowWrench& r = rows[j];
    Motion A = answer_of(c.a, c.a, -r.f, -r.tA), B = answer_of(c.b, c.b, r.f, r.tB);
    if (same) {
      const Motion AB = answer_of(c.a, c.b, r.f, r.tB), BA = answer_of(c.b, c.a, -r.f, -r.tA);
      A.v += AB.v;
      A.w += AB.w;
      B.v += BA.v;
      B.w += BA.w;
    }
    const Vec3 v = B.v - A.v;
    for (uint32_t i = j; i < c.rows; ++i) {
      K[size_t{j} * c.rows + i] = dot(rows[i].f, v) + dot(rows[i].tB, B.w) - dot(rows[i].tA, A.w);
      K[size_t{i} * c.rows + j] = K[size_t{j} * c.rows + i];
    }
  }
  finish_patch(c);
}

// After the answers of its rows have changed.
void Island::finish_patch(IslandPatch& c) {
  drop_held_rows(c);
  calc_rolling(c);
}

// Whether it moves at all, and how it answers to rolling.
void Island::calc_rolling(IslandPatch& c) {
  const double* K = &answers_[c.answer];
  c.moves = false;
  for (uint32_t k = 0; k < c.count; ++k) c.moves |= K[size_t{k} * (c.rows + 1)] > 0;
  // one step for both directions: with two, resistance would not be against the rolling
  double roll = 0;
  for (const Vec3& axis : {c.t1, c.t2}) {
    if (!(c.rolling > 0)) break;
    roll += dot(axis, answer_of(c.b, c.b, {}, axis).w) + dot(axis, answer_of(c.a, c.a, {}, axis).w);
  }
  c.inv_roll[0] = c.inv_roll[1] = roll > 0 ? 1 / roll : 0;
}

Vec3 Island::point_impulse(const IslandPatch& c, const IslandPoint& x, Kind kind) const {
  double all = 0, hits = 0;
  for (uint32_t i = c.first; i < c.first + c.count; ++i) {
    all += points[i].p;
    hits += points[i].hit;
  }
  Vec3 P;
  if (kind != Kind::kHit && all > 0) {
    P += x.p * (c.n + (c.rub.x / all) * c.t1 + (c.rub.y / all) * c.t2);
  }
  if (kind != Kind::kSolve && hits > 0) {
    P += x.hit * (c.n + (c.rub_hit.x / hits) * c.t1 + (c.rub_hit.y / hits) * c.t2);
  }
  return P;
}

void Island::add_wrenches(std::span<Wrench> wrenches, Kind kind, bool late) const {
  for (const IslandPatch& c : patches) {
    double dn = 0, impulse = 0, delayed = 0;
    Vec3 tA, tB;
    for (uint32_t k = 0; k < c.count; ++k) {
      const IslandPoint& x = points[c.first + k];
      double p = kind == Kind::kHit ? x.hit : x.p;
      impulse += p;
      delayed += p * x.late;
      if (late) p *= -x.late;
      dn += p;
      tA += p * x.aA;
      tB += p * x.aB;
    }
    Vec3 rub = kind == Kind::kHit ? c.rub_hit : c.rub;
    if (late) rub *= impulse > 0 ? -delayed / impulse : 0;
    const Vec3 slide = rub.x * c.t1 + rub.y * c.t2, spin = rub.z * c.n;
    const Vec3 f = dn * c.n + slide;
    tA += cross(c.rA, slide) + spin;
    tB += cross(c.rB, slide) + spin;
    if (kind == Kind::kSolve) {
      const Vec3 roll = c.roll.y * c.t1 + c.roll.z * c.t2;
      tA += roll;
      tB += roll;
    }
    wrenches[c.a].force -= f;
    wrenches[c.a].torque -= tA;
    wrenches[c.b].force += f;
    wrenches[c.b].torque += tB;
  }
}

void Island::project_group(const IslandGroup& g, bool rates) {
  local_.resize(g.order.size());
  const bool bends = rates && !g.bend.empty();
  for (size_t i = 0; i < g.order.size(); ++i) {
    local_[i] = motion[g.order[i]];
    if (bends) local_[i] = {local_[i].v - g.bend[i].v, local_[i].w - g.bend[i].w};
  }
  g.joints->project(local_, rates);
  for (size_t i = 0; i < g.order.size(); ++i) {
    motion[g.order[i]] = local_[i];
    if (!bends) continue;
    motion[g.order[i]].v += g.bend[i].v;
    motion[g.order[i]].w += g.bend[i].w;
  }
}

void Island::find_bends() {
  for (IslandGroup& g : groups) {
    g.bend.clear();
    if (g.joints == nullptr || g.predicted) continue;
    g.bend.resize(g.order.size());
    if (!g.joints->calc_bend(g.bend)) g.bend.clear();
  }
}

void Island::bend_ways() {
  for (const IslandGroup& g : groups) {
    for (size_t i = 0; i < g.bend.size(); ++i) {
      motion[g.order[i]].v += g.bend[i].v;
      motion[g.order[i]].w += g.bend[i].w;
    }
  }
}

void Island::project_groups(bool rates) {
  for (const IslandGroup& g : groups) {
    if (g.answer.empty() && g.joints != nullptr) project_group(g, rates);
  }
}

void Island::prepare_group(uint32_t group) {
  IslandGroup& g = groups[group];
  if (g.columns == 0) {
    g.answer.clear();
    return;
  }
  std::vector<uint32_t> local(g.columns);
  for (uint32_t i = 0; i < g.order.size(); ++i) {
    if (g.order[i] - g.first < g.columns) local[g.order[i] - g.first] = i;
  }
  g.joints->calc_answer(local, g.answer);
  g.mass = 0;
  for (const uint32_t b : g.order) g.mass += bodies[b].inv_mass > 0 ? 1 / bodies[b].inv_mass : 0;
  if (g.yielding == 1) return;
  for (double& x : g.answer) x *= g.yielding;
}

void Island::prepare() {
  for (IslandGroup& g : groups) {
    if (g.columns == 0) g.answer.clear();
    if (!g.answer.empty()) soften_motors(g);
  }
  prepare_patches();
}

void Island::take_out(std::span<const Wrench> wrenches) {
  for (uint32_t b = 0; b < bodies.size(); ++b) {
    const Wrench& t = wrenches[b];
    if (t.force == Vec3{} && t.torque == Vec3{}) continue;  // answers know of touched bodies only
    push(b, -t.force, -t.torque);
  }
}

// Which patches concern a group.
void Island::sort_patches() {
  first_patch_.assign(groups.size() + 1, 0);
  const auto each = [&](const auto& visit) {
    for (uint32_t i = 0; i < patches.size(); ++i) {
      const uint32_t a = bodies[patches[i].a].group, b = bodies[patches[i].b].group;
      if (a != kNoGroup) visit(a, i);
      if (b != kNoGroup && b != a) visit(b, i);
    }
  };
  each([&](uint32_t g, uint32_t) { ++first_patch_[g + 1]; });
  for (size_t g = 0; g < groups.size(); ++g) first_patch_[g + 1] += first_patch_[g];
  group_patches_.resize(first_patch_.back());
  std::vector<uint32_t> next(first_patch_.begin(), first_patch_.end() - 1);
  each([&](uint32_t g, uint32_t i) { group_patches_[next[g]++] = i; });
}

void Island::prepare_again(IslandPatch& c) {
  for (uint32_t j = 0; j < c.rows; ++j) row_wrenches_[c.wrench + j] = make_row_wrench(c, j);
  calc_patch(c);
  if (bounds.empty()) return;
  const size_t numbers = size_t{c.rows} * c.rows;
  std::copy_n(&answers_[c.answer], numbers, &loose_answers_[c.answer]);
}

void Island::prepare_patches() {
  answers_.clear();
  row_wrenches_.clear();
  rates_.assign(bounds.size(), 0);
  for (IslandPatch& c : patches) prepare_patch(c);
  if (!bounds.empty()) {
    loose_answers_ = answers_;
    sort_patches();
  }
  for (size_t i = 0; i < bounds.size(); ++i) prepare_row(i);
}

}  // namespace tenon
