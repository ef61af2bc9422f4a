#include "tenon/engine/solve_contact/faithful/detail/impulses.h"

#include <algorithm>

namespace tenon::faithful::detail {
namespace {

enum class Moment : uint8_t { kBegin, kPredicted };

PatchBody patch_body(const Body& b, Moment moment) {
  if (b.infinite || b.held) return {b.v, b.w, 0, {}};
  if (moment == Moment::kBegin) return {b.v, b.w, b.inv_mass, b.inv_I};
  const Mat3 inv_I = world_inverse_inertia(b.next.R, b.inv_I_B);
  return {b.v, inv_I * b.L, b.inv_mass, inv_I};
}

Vec3 velocity_at(const PatchBody& b, const Vec3& r) { return b.v + cross(b.w, r); }

// Levers at which impulses of time n act, for a point found at time n+1.
// Each body's own would be p - x'. As x' - x differs between the bodies, these are two points at
// time n, and a pair of opposite forces at two points is a torque from nowhere. So the point goes
// back with the bodies' mean velocity, where the smaller body has the larger weight (the slip of a
// box must not move the place where it is carried), and an infinite one none:
//   p_n = p - h (W_a v_a + W_b v_b),  W_a = s_b / (s_a + s_b), s the bodies' size squared
struct Levers {
  Vec3 back;  // by which points go back
  Vec3 xa, xb;
};
Levers levers_of_time_n(const Body& a, const Body& b) {
  const Vec3 way_a = a.next.p - a.x, way_b = b.next.p - b.x;
  double weight_a = 0.5;
  if (a.infinite != b.infinite) {
    weight_a = a.infinite ? 0 : 1;
  } else if (a.size2 + b.size2 > 0) {
    weight_a = b.size2 / (a.size2 + b.size2);
  }
  return {weight_a * way_a + (1 - weight_a) * way_b, a.x, b.x};
}

struct Patch {
  std::vector<PatchPoint> points;
  PatchBody a, b;
  bool approaches = false;
};

void add_point(Patch& patch, const Touching& t, const Vec3& rA, const Vec3& rB) {
  PatchPoint p;
  p.rA = rA;
  p.rB = rB;
  p.n = t.n;
  p.static_mu = t.material->static_friction;
  p.sliding_mu = t.material->sliding_friction;
  patch.points.push_back(p);
}

// Impulse-weighted centre of the patch and mean coefficients.
RollingFriction rolling_law(const Patch& patch, const std::vector<Touching>& touching) {
  RollingFriction law;
  double sum = 0;
  for (size_t k = 0; k < patch.points.size(); ++k) {
    const PatchPoint& p = patch.points[k];
    const double weight = dot(p.impulse, p.n);
    if (!(weight > 0)) continue;
    sum += weight;
    law.rA += weight * p.rA;
    law.rB += weight * p.rB;
    law.n += weight * p.n;
    law.rolling += weight * touching[k].material->rolling_friction;
    law.spinning += weight * touching[k].material->spinning_friction;
  }
  if (!(sum > 0)) return {};
  law.rA = law.rA / sum;
  law.rB = law.rB / sum;
  law.n = normalized(law.n);
  law.rolling /= sum;
  law.spinning /= sum;
  return law;
}

BodyPair::Sum* find_sum(BodyPair& pair, const Touching& t) {
  for (BodyPair::Sum& s : pair.sums) {
    if (s.collider == t.collider && s.feature == t.feature) return &s;
  }
  return nullptr;
}

// `scale`: the part of the last impulses that was applied.
void store_sums(BodyPair& pair, const Patch& patch, const std::vector<Touching>& touching,
                double scale) {
  for (size_t k = 0; k < touching.size(); ++k) {
    const Vec3& J = patch.points[k].impulse;
    if (BodyPair::Sum* sum = find_sum(pair, touching[k])) {
      sum->impulse += scale * (J - sum->impulse);
    } else if (!(J == Vec3{})) {
      pair.sums.push_back({touching[k].collider, touching[k].feature, scale * J});
    }
  }
}

// Solves the patch, guards the energy and applies; `scale` is what the guard left of it. False: no
// impulse.
bool solve_and_apply(Step& step, const BodyPair& pair, Patch& patch,
                     const std::vector<Touching>& touching, double tolerance, double& scale) {
  scale = 1;
  PatchImpulse j = solve_patch(patch.a, patch.b, patch.points, tolerance);
  if (!j.any) return false;
  if (j.sticks) add_rolling_friction(patch.a, patch.b, rolling_law(patch, touching), j);
  if (step.settings.energy_guard) {
    // by the inertia of time n, which the velocities belong to
    const PatchBody a = patch_body(step.bodies[pair.a], Moment::kBegin);
    const PatchBody b = patch_body(step.bodies[pair.b], Moment::kBegin);
    scale = calc_energy_guard(a, b, j);
    if (scale == 0) return false;
    j.linear *= scale;
    j.torque_A *= scale;
    j.torque_B *= scale;
  }
  if (!is_finite(j.linear) || !is_finite(j.torque_A) || !is_finite(j.torque_B)) return false;
  apply_to_pair(step, pair, j);
  return true;
}

// `give` on the body that moves, from one that does not and has the velocity v, w; r from the
// latter's mass centre to the point of action is contained in `couple`, the torque about it.
void book(Step& step, const Body& moves, const Vec3& give, const Vec3& torque, const Body& fixed,
          const Vec3& couple) {
  step.account.impulse += give;
  step.account.angular_impulse += cross(moves.x, give) + torque;
  step.account.work_J += dot(give, fixed.v) - dot(couple, fixed.w);
  if (fixed.held) step.account.held_impulse += give;
}

}  // namespace

void apply_to_pair(Step& step, const BodyPair& pair, const PatchImpulse& j) {
  Body &a = step.bodies[pair.a], &b = step.bodies[pair.b];
  if (a.gives_way() && !b.gives_way()) book(step, a, -j.linear, j.torque_A, b, j.torque_B);
  if (b.gives_way() && !a.gives_way()) book(step, b, j.linear, j.torque_B, a, j.torque_A);
  const auto apply = [&](Body& body, const Vec3& f, const Vec3& t) {
    if (!body.gives_way()) return;
    body.v += body.inv_mass * f;
    body.L += t;
    body.w = body.inv_I * body.L;
    predict(body, step.h);
  };
  apply(a, -j.linear, j.torque_A);
  apply(b, j.linear, j.torque_B);
}

bool collide_pair(Step& step, BodyPair& pair) {
  std::vector<Touching> touching;
  find_touching(step, pair, touching);
  if (touching.empty()) return false;
  const Body &a = step.bodies[pair.a], &b = step.bodies[pair.b];
  Patch patch{{}, patch_body(a, Moment::kPredicted), patch_body(b, Moment::kPredicted)};
  for (const Touching& t : touching) {
    // each its own lever: with a common one at time n fast slip would make spin out of nothing
    const Vec3 rA = t.p - a.next.p, rB = t.p - b.next.p;
    add_point(patch, t, rA, rB);
    const double u = dot(velocity_at(patch.b, rB) - velocity_at(patch.a, rA), t.n);
    const bool overlaps = t.distance <= 0;
    // near points must not be turned into an overlap by the others
    patch.points.back().bound =
        overlaps ? -std::min(u, 0.0) * t.material->restitution : u - t.distance / step.h;
    patch.approaches = patch.approaches || (overlaps && u < 0);
  }
  double scale = 1;
  return patch.approaches && solve_and_apply(step, pair, patch, touching, kPatchTolerance, scale);
}

bool contact_pair(Step& step, BodyPair& pair, double s) {
  std::vector<Touching> touching;
  find_touching(step, pair, touching);
  if (touching.empty()) return false;
  const Body &a = step.bodies[pair.a], &b = step.bodies[pair.b];
  Patch patch{{}, patch_body(a, Moment::kBegin), patch_body(b, Moment::kBegin)};
  const Levers levers = levers_of_time_n(a, b);
  for (const Touching& t : touching) {
    const Vec3 p_n = t.p - levers.back;
    const Vec3 rA = p_n - levers.xa, rB = p_n - levers.xb;
    add_point(patch, t, rA, rB);
    if (const BodyPair::Sum* sum = find_sum(pair, t)) patch.points.back().impulse = sum->impulse;
    const double u = dot(velocity_at(patch.b, rB) - velocity_at(patch.a, rA), t.n);
    double& bound = patch.points.back().bound;
    if (t.distance > 0) {
      bound = u - t.distance / step.h;
    } else if (u >= 0) {
      bound = 0;
    } else {
      const double stop = step.settings.land ? std::min(-u, -t.distance / step.h) : -u;
      bound = u + s * stop;
      patch.approaches = patch.approaches || stop > 0;
    }
  }
  const double tolerance = s < 1 ? kRoughTolerance : kPatchTolerance;
  if (!patch.approaches && pair.sums.empty()) return false;
  double scale = 1;
  if (!solve_and_apply(step, pair, patch, touching, tolerance, scale)) return false;
  if (step.settings.sums) store_sums(pair, patch, touching, scale);
  return true;
}

}  // namespace tenon::faithful::detail
