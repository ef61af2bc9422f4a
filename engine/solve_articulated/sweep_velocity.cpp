#include <vector>

#include "tenon/engine/solve_articulated/detail/sweep_linear.h"
#include "tenon/engine/solve_articulated/sweep.h"

namespace tenon {
namespace {

using sweep::Mat6;
using sweep::Vec6;

// One joint at fixed positions [Weinstein2006, sec. V].
// Notation: s the middle of the anchors; h_i = s - x_i; (f, t) a held direction; impulses y act
// along the directions on the child at s and against them on the parent.
//   rate_k = f_k . (u_c - u_p) + t_k . (w_c - w_p),  u_i = v_i + w_i x h_i (1) A_kl = sum over
//   bodies of f_k . f_l / m + (h x f_k + t_k) . I^-1 (h x f_l + t_l)             (2) A y = -rate
//   (3)
// Departure: only held directions appear, so what a joint leaves free never gets an impulse.
struct VelocityJoint {
  Vec3 hP, hC;
  size_t both_ways = 0, count = 0;  // rows; limits come last
  std::array<SweepRow, 6> rows{};   // world axes, torques times the length of the bodies
  std::array<Vec3, 6> aP{}, aC{};   // I^-1 (h x f + t)
  Mat6 A{};                         // (2)
  Mat6 factor{};                    // of its first both_ways rows and columns
};

// Relative frame after the time t, bodies going on as they do.
Pose relative_frame(const SweepBody& p, const SweepBody& c, const SweepJoint& joint, double t) {
  const JointPair& pair = joint.model->pairs[0];
  const Quat qP = exp_map(t * p.w) * p.q, qC = exp_map(t * c.w) * c.q;
  const Quat q_WP = qP * joint.q_BP;
  const Vec3 d = (c.x + t * c.v) - (p.x + t * p.v) + rotate(qC, pair.rC_B) - rotate(qP, pair.rP_B);
  return {rotate(conjugate(q_WP), d), conjugate(q_WP) * (qC * joint.q_BC)};
}

void add_rows(VelocityJoint& j, const SweepRows& held, const Quat& q_WP, double length,
              bool limits) {
  for (size_t i = 0; i < static_cast<size_t>(held.count); ++i) {
    const SweepRow& row = held.row[i];
    if ((row.sense != 0) != limits) continue;
    j.rows[j.count++] = {rotate(q_WP, row.f), length * rotate(q_WP, row.t), row.sense};
  }
}

bool prepare(VelocityJoint& j, const SweepWork& work, const SweepJoint& joint, double h) {
  const SweepBody& p = work.bodies[joint.parent];
  const SweepBody& c = work.bodies[joint.child];
  if (p.infinite && c.infinite) return true;
  const JointPair& pair = joint.model->pairs[0];
  // a limit that is left alone holds nothing, so ask a moment ahead
  constexpr double kMoment = 1e-3;
  const SweepRows soon =
      work.project.held(*joint.model, joint.state, relative_frame(p, c, joint, kMoment * h));
  const Quat q_WP = p.q * joint.q_BP;
  const Vec3 aP = p.x + rotate(p.q, pair.rP_B) + rotate(q_WP, joint.nearest.p);
  const Vec3 s = 0.5 * (aP + c.x + rotate(c.q, pair.rC_B));
  j.hP = s - p.x;
  j.hC = s - c.x;
  double length = std::sqrt(p.size2 > c.size2 ? p.size2 : c.size2);
  if (!(length > 0)) length = 1;
  add_rows(j, joint.held, q_WP, length, false);
  j.both_ways = j.count;
  add_rows(j, soon, q_WP, length, true);
  for (size_t k = 0; k < j.count; ++k) {
    const SweepRow& row = j.rows[k];
    if (!is_finite(row.f) || !is_finite(row.t)) return false;
    if (!p.infinite) j.aP[k] = p.inv_I * (cross(j.hP, row.f) + row.t);
    if (!c.infinite) j.aC[k] = c.inv_I * (cross(j.hC, row.f) + row.t);
  }
  for (size_t k = 0; k < j.count; ++k) {
    const SweepRow& row = j.rows[k];
    const Vec3 mP = cross(j.hP, row.f) + row.t, mC = cross(j.hC, row.f) + row.t;
    for (size_t l = 0; l <= k; ++l) {
      j.A[k][l] =
          (p.inv_mass + c.inv_mass) * dot(row.f, j.rows[l].f) + dot(mP, j.aP[l]) + dot(mC, j.aC[l]);
      j.A[l][k] = j.A[k][l];
    }
  }
  j.factor = j.A;
  sweep::factor_cholesky(j.both_ways, j.factor);
  return true;
}

// (3) with limits: those that move outward hold; one that would have to pull is let go.
Vec6 solve_with_limits(const VelocityJoint& j, const Vec6& rate) {
  std::array<bool, 6> active{};
  for (size_t k = 0; k < j.count; ++k) {
    active[k] = k < j.both_ways || j.rows[k].sense * rate[k] < 0;
  }
  for (;;) {
    std::array<size_t, 6> index{};
    size_t n = 0;
    for (size_t k = 0; k < j.count; ++k) {
      if (active[k]) index[n++] = k;
    }
    Mat6 A{};
    Vec6 b{}, y{};
    for (size_t a = 0; a < n; ++a) {
      b[a] = -rate[index[a]];
      for (size_t c = 0; c < n; ++c) A[a][c] = j.A[index[a]][index[c]];
    }
    sweep::factor_cholesky(n, A);
    const Vec6 x = sweep::solve_cholesky(n, A, b);
    bool pulls = false;
    for (size_t a = 0; a < n; ++a) {
      const int sense = j.rows[index[a]].sense;
      if (sense * x[a] < 0) active[index[a]] = false, pulls = true;
      y[index[a]] = x[a];
    }
    if (!pulls) return y;
  }
}

// False if nothing finite comes out; then nothing is applied.
bool solve(const VelocityJoint& j, SweepBody& p, SweepBody& c, SweepJoint& joint) {
  const Vec3 w = c.w - p.w, u = c.v + cross(c.w, j.hC) - p.v - cross(p.w, j.hP);
  Vec6 rate{};
  for (size_t k = 0; k < j.count; ++k) {
    const SweepRow& row = j.rows[k];
    rate[k] = dot(row.f, u) + dot(row.t, w);
  }
  Vec6 y{};
  if (j.count > j.both_ways) {
    y = solve_with_limits(j, rate);
  } else {
    Vec6 b{};
    for (size_t k = 0; k < j.count; ++k) b[k] = -rate[k];
    y = sweep::solve_cholesky(j.count, j.factor, b);
  }
  Vec3 f, t;
  for (size_t k = 0; k < j.count; ++k) {
    f += y[k] * j.rows[k].f;
    t += y[k] * j.rows[k].t;
  }
  const Vec3 momentP = cross(j.hP, f) + t, momentC = cross(j.hC, f) + t;
  if (!is_finite(f) || !is_finite(momentP) || !is_finite(momentC)) return false;
  const Vec3 s = c.x + j.hC;
  p.apply(-f, s, -t);
  c.apply(f, s, t);
  const Vec3 rC = rotate(c.q, joint.model->pairs[0].rC_B);
  joint.impulse += f;
  joint.angular_impulse += t + cross(j.hC - rC, f);
  return true;
}

}  // namespace

void sweep_velocities(SweepWork& work, double h, int sweeps, SweepCounts& counts,
                      std::span<const uint8_t> chosen) {
  if (sweeps <= 0) return;
  std::vector<VelocityJoint> joints(work.joints.size());
  for (size_t i = 0; i < joints.size(); ++i) {
    if (!chosen.empty() && chosen[i] == 0) continue;
    if (!prepare(joints[i], work, work.joints[i], h)) {
      joints[i].count = 0;
      ++counts.skipped;
    }
  }
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (size_t i = 0; i < joints.size(); ++i) {
      SweepJoint& joint = work.joints[i];
      if (joints[i].count == 0) continue;
      SweepBody& p = work.bodies[joint.parent];
      SweepBody& c = work.bodies[joint.child];
      if (!solve(joints[i], p, c, joint)) ++counts.skipped;
    }
  }
}

}  // namespace tenon
