#include "tenon/engine/solve_contact/island.h"

#include <algorithm>

namespace tenon {

void Island::clear() {
  bodies.clear();
  motion.clear();
  patches.clear();
  points.clear();
  groups.clear();
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
  const size_t n = 6u * g.columns;
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
  const size_t n = 6u * g.columns;
  double* u = &motion[g.first].v.x;  // the bodies with columns come first, six numbers each
  const double* column = &g.answer[6u * b.place * n];
  const double wrench[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
  for (size_t i = 0; i < n; ++i) {
    u[i] += wrench[0] * column[i] + wrench[1] * column[n + i] + wrench[2] * column[2 * n + i] +
            wrench[3] * column[3 * n + i] + wrench[4] * column[4 * n + i] +
            wrench[5] * column[5 * n + i];
  }
}

void Island::push_pair(const IslandPatch& c, const IslandPoint& x, const Vec3& dp) {
  const Vec3 P = dp.x * c.n + dp.y * c.t1 + dp.z * c.t2;
  push(c.a, -P, -cross(x.rA, P));
  push(c.b, P, cross(x.rB, P));
}

// Relative velocity of b against a at a point, along n, t1, t2.
Vec3 Island::rate_of(const IslandPatch& c, const IslandPoint& x) const {
  const Motion &A = motion[c.a], &B = motion[c.b];
  const Vec3 u = B.v + cross(B.w, x.rB) - A.v - cross(A.w, x.rA);
  return {dot(c.n, u), dot(c.t1, u), dot(c.t2, u)};
}

Vec3 Island::point_answer(const IslandPatch& c, const IslandPoint& x, const Vec3& d) const {
  const Vec3 tA = cross(x.rA, d), tB = cross(x.rB, d);
  Motion A = answer_of(c.a, c.a, -d, -tA), B = answer_of(c.b, c.b, d, tB);
  if (bodies[c.a].group != kNoGroup && bodies[c.a].group == bodies[c.b].group) {
    const Motion AB = answer_of(c.a, c.b, d, tB), BA = answer_of(c.b, c.a, -d, -tA);
    A.v += AB.v;
    A.w += AB.w;
    B.v += BA.v;
    B.w += BA.w;
  }
  const Vec3 u = B.v + cross(B.w, x.rB) - A.v - cross(A.w, x.rA);
  return {dot(c.n, u), dot(c.t1, u), dot(c.t2, u)};
}

void Island::project_group(const IslandGroup& g, bool rates) {
  local_.resize(g.order.size());
  for (size_t i = 0; i < g.order.size(); ++i) local_[i] = motion[g.order[i]];
  g.joints->project(local_, rates);
  for (size_t i = 0; i < g.order.size(); ++i) motion[g.order[i]] = local_[i];
}

void Island::project_groups(bool rates) {
  for (const IslandGroup& g : groups) {
    if (g.answer.empty()) project_group(g, rates);
  }
}

// Column by column: a unit impulse on a free body, then what the joints leave of it.
void Island::make_answer(IslandGroup& g) {
  const size_t n = 6u * g.columns;
  g.answer.assign(n * n, 0);
  std::vector<uint32_t> local_of(g.columns);
  for (uint32_t i = 0; i < g.order.size(); ++i) {
    if (g.order[i] - g.first < g.columns) local_of[g.order[i] - g.first] = i;
  }
  for (uint32_t b = 0; b < g.columns; ++b) {
    for (int k = 0; k < 6; ++k) {
      Vec3 f, t;
      (k < 3 ? f : t)[k % 3] = 1;
      local_.assign(g.order.size(), {});
      const IslandBody& body = bodies[g.first + b];
      local_[local_of[b]] = {body.inv_mass * f, body.inv_I * t};
      g.joints->project(local_, false);
      double* column = &g.answer[(6u * b + static_cast<size_t>(k)) * n];
      for (uint32_t r = 0; r < g.columns; ++r) {
        const Motion& u = local_[local_of[r]];
        const double values[6] = {u.v.x, u.v.y, u.v.z, u.w.x, u.w.y, u.w.z};
        std::copy_n(values, 6, column + 6u * r);
      }
    }
  }
}

void Island::prepare() {
  for (IslandGroup& g : groups) {
    if (g.columns > 0) make_answer(g);
  }
  for (IslandPatch& c : patches) {
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      IslandPoint& x = points[i];
      const Vec3 n = point_answer(c, x, c.n), t1 = point_answer(c, x, c.t1);
      const Vec3 t2 = point_answer(c, x, c.t2);
      x.K = {n.x, n.y, n.z, t1.y, t1.z, t2.z};
    }
    if (c.rolling > 0 || c.spinning > 0) {
      const Vec3 axes[3] = {c.n, c.t1, c.t2};
      for (size_t k = 0; k < 3; ++k) {
        const double answer = dot(axes[k], answer_of(c.b, c.b, {}, axes[k]).w) +
                              dot(axes[k], answer_of(c.a, c.a, {}, axes[k]).w);
        c.inv_couple[k] = answer > 0 ? 1 / answer : 0;
      }
    }
  }
}

}  // namespace tenon
