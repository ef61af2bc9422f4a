// When a point of a contact is hit within a step, and how fast, as far as straight lines tell.
#pragma once

#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"

namespace tenon {

struct Hit {
  double speed = 0, time = 0, acceleration = 0;  // closing rate < 0
  bool hits = false;
};

// When a point closes within the step, and how fast: gap + s t + a t^2 / 2 = 0, t >= from.   (2)
// Approaches that the forces of one step explain are left to the contacts.
inline Hit find_hit(double gap, double s, double a, double slow, double from, double h) {
  Hit hit{s, from, a, false};
  if (!(s < -slow)) return hit;
  const double now = gap + from * (s + 0.5 * from * a), speed = s + from * a;
  if (now > 0) {
    const double root = speed * speed - 2 * a * now;
    if (root < 0 || !(speed < 0)) return hit;
    hit.time = from + 2 * now / (-speed + std::sqrt(root));
    if (hit.time > h) return hit;
  }
  hit.hits = true;
  return hit;
}

// Normal acceleration that a body brings to a point, n and lever t. Free ones fall; that of jointed
// ones matters to those that bounce.
inline double acceleration_of(const IslandBody& b, const IslandPatch& c, const Vec3& t) {
  if (b.group == kNoGroup) return b.held ? 0 : dot(c.n, b.a);
  if (!(c.restitution > 0)) return 0;
  return dot(c.n, b.expected.v) + dot(t, b.expected.w);
}

inline Hit hit_of(const IslandBody& A, const IslandBody& B, const IslandPatch& c,
                  const IslandPoint& x, double gap, double rate, double from, double h) {
  const double forces = x.ease * std::sqrt(std::max(norm2(A.a), norm2(B.a)));
  double slow = slow_approach(std::max(forces, x.led), h, c.thin);
  // without restitution it may come as near as it is, and no nearer
  if (!(c.restitution > 0) && gap > 0) slow += gap / h;
  const double a = acceleration_of(B, c, x.aB) - acceleration_of(A, c, x.aA);
  return find_hit(gap, rate, a, slow, from, h);
}

}  // namespace tenon
