#include "tenon/engine/solve_articulated/detail/free_whole.h"

#include <algorithm>
#include <cmath>

namespace tenon::direct {
namespace {

// Sums over the bodies of a field of motions, about the mass centre; see island_balance.cpp.
struct Whole {
  double mass = 0;
  Vec3 x, v;  // mass centre, and what the field does to it
  Mat3 I{};
  Vec3 L;
};

Mat3 inertia_of(const StepBody& b, const Quat& q) {
  const Mat3 R = to_matrix(q);
  return R * b.mass->I_B * transpose(R);
}

Whole calc_whole(std::span<const StepBody> bodies, std::span<const BodyState> at,
                 std::span<const Motion> motion) {
  Whole whole;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const double m = bodies[b].mass->mass;
    whole.mass += m;
    whole.x += m * at[b].x_WC;
    whole.v += m * motion[b].v;
  }
  whole.x = whole.x / whole.mass;
  whole.v = whole.v / whole.mass;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const double m = bodies[b].mass->mass;
    const Vec3 r = at[b].x_WC - whole.x;
    const Mat3 I = inertia_of(bodies[b], at[b].q_WB);
    whole.L += m * cross(r, motion[b].v - whole.v) + I * motion[b].w;
    whole.I = whole.I + I + m * (norm2(r) * Mat3::identity() - outer(r, r));
  }
  return whole;
}

// Of points in a line, nothing turns about it.
Vec3 rotation_of(const Whole& whole) {
  constexpr double kRoundOff = 1e-12;
  const double trace = whole.I(0, 0) + whole.I(1, 1) + whole.I(2, 2);
  if (!(trace > 0)) return {};
  return inverse(whole.I + (kRoundOff * trace) * Mat3::identity()) * whole.L;
}

}  // namespace

Vec3 calc_turn_of_whole(std::span<const StepBody> bodies, std::span<const BodyState> before) {
  std::vector<Motion> shift;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const BodyState& end = bodies[b].end;
    shift.push_back({end.x_WC - before[b].x_WC, log_map(end.q_WB * conjugate(before[b].q_WB))});
  }
  return rotation_of(calc_whole(bodies, before, shift));
}

void turn_motion_of_whole(std::span<const StepBody> bodies, const Vec3& turn,
                          std::span<Motion> motion) {
  double mass = 0;
  Vec3 v;
  for (size_t b = 0; b < bodies.size(); ++b) {
    mass += bodies[b].mass->mass;
    v += bodies[b].mass->mass * motion[b].v;
  }
  v = v / mass;
  const Quat q = exp_map(turn);
  for (Motion& u : motion) u = {v + rotate(q, u.v - v), rotate(q, u.w)};
}

void raise_inner_energy(std::span<const StepBody> bodies, double wanted, double most,
                        std::span<Motion> motion) {
  std::vector<BodyState> ends;
  for (const StepBody& b : bodies) ends.push_back(b.end);
  const Whole whole = calc_whole(bodies, ends, motion);
  const Vec3 W = rotation_of(whole);
  double all = 0, inner = 0;
  const auto energy = [&](const StepBody& b, const Vec3& v, const Vec3& w) {
    return 0.5 * (b.mass->mass * norm2(v) + dot(w, inertia_of(b, b.end.q_WB) * w));
  };
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Vec3 rigid = whole.v + cross(W, ends[b].x_WC - whole.x);
    all += energy(bodies[b], motion[b].v, motion[b].w);
    inner += energy(bodies[b], motion[b].v - rigid, motion[b].w - W);
  }
  if (!(wanted > all) || !(inner > 0)) return;
  const double s = std::sqrt(std::min((inner + wanted - all) / inner, most));
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Vec3 rigid = whole.v + cross(W, ends[b].x_WC - whole.x);
    motion[b] = {rigid + s * (motion[b].v - rigid), W + s * (motion[b].w - W)};
  }
}

}  // namespace tenon::direct
