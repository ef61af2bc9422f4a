// What hits bounces: the end of a step.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_displacement/step.h"

namespace tenon::displacement {

// The largest part of the impulses in wrench_ after which bodies have no more kinetic energy than
// they came with, forces of the step included: levers and normals have turned since they were
// found.
double Stepper::find_bounce_share(std::span<const StepBody> bodies) const {
  double before = 0, now = 0, linear = 0, square = 0;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const StepBody& body = bodies[b];
    if (body.mass == nullptr) {
      // what a script moves may give energy
      if (!(at_[b] == begin_[b])) return 1;
      continue;
    }
    const BodyMass& m = *body.mass;
    const Vec3 v = body.begin.v_WC + h_ * m.inv_mass * body.force;
    const Vec3 L = body.begin.L_W + h_ * body.torque;
    const Vec3 w = angular_velocity(begin_[b].q, m.inv_I_B, L);
    before += 0.5 * m.mass * norm2(v) + 0.5 * tenon::dot(w, L);
    const BodyState& end = body.end;
    now += 0.5 * m.mass * norm2(end.v_WC) + 0.5 * tenon::dot(end.w_WB, end.L_W);
    linear += tenon::dot(end.v_WC, wrench_[b].x) + tenon::dot(end.w_WB, wrench_[b].r);
    square += 0.5 * m.inv_mass * norm2(wrench_[b].x) +
              0.5 * tenon::dot(wrench_[b].r, angular_velocity(end.q_WB, m.inv_I_B, wrench_[b].r));
  }
  if (!(now + linear + square > before) || !(square > 0)) return 1;
  const double root = std::sqrt(std::max(0.0, linear * linear - 4 * square * (now - before)));
  return std::clamp((root - linear) / (2 * square), 0.0, 1.0);
}

// What hit bounces: velocities along the normals of contacts that stopped an approach in this step
// become those of restitution, with joints held. Resting contacts, which only stop what forces gave
// in one step, do not.
void Stepper::bounce(std::span<StepBody> bodies, std::span<StepContact> contacts,
                     const Settings& settings, StepResult& result) {
  const auto speed = [&](const StepContact& c, bool end) {
    Vec3 v[2];
    for (size_t k = 0; k < 2; ++k) {
      const StepBody& body = bodies[c.body[k]];
      const BodyState& s = end ? body.end : body.begin;
      const uint32_t b = c.body[k];
      const Vec3 r = end ? rotate(at_[b].q * conjugate(begin_[b].q), c.r[k]) : c.r[k];
      v[k] = s.v_WC + cross(s.w_WB, r);
      // it hits with what forces give it in this step
      if (!end && body.mass != nullptr) v[k] += h_ * body.mass->inv_mass * body.force;
    }
    return tenon::dot(c.n, v[1] - v[0]);
  };
  std::vector<double> wanted(contacts.size(), 0);
  bool any = false;
  for (size_t i = 0; i < contacts.size(); ++i) {
    const StepContact& c = contacts[i];
    if (!(c.normal > 0) || !(c.restitution > 0)) continue;
    double push = 0;  // what forces alone give in a step
    for (const uint32_t b : c.body) {
      if (bodies[b].mass != nullptr) push += h_ * bodies[b].mass->inv_mass * norm(bodies[b].force);
    }
    const double approach = -speed(c, false);
    if (approach <= 2 * push) continue;
    wanted[i] = c.restitution * approach;
    any = true;
  }
  if (!any) return;
  make_rows(contacts, at_);
  const size_t n = rows_.rows.size();
  for (std::vector<double>* v : {&change_, &b_, &low_, &high_, &soft_}) v->assign(n, 0);
  for (size_t r = 0; r < n; ++r) {
    const Row& row = rows_.rows[r];
    if (row.kind == RowKind::kHeld) {
      low_[r] = -kInfinity;
      high_[r] = kInfinity;
    }
    if (row.kind != RowKind::kContact || row.part != 0) continue;
    const StepContact& c = contacts[row.owner];
    if (!(c.normal > 0)) continue;
    b_[r] = wanted[row.owner] - speed(c, true);
    high_[r] = kInfinity;
  }
  KrylovLimits limits;
  limits.iterations = settings.inner;
  limits.precision = 1e-10;
  bounded_.solve(op_, {b_, low_, high_, soft_}, limits, change_);
  op_.apply_transposed(change_, wrench_);
  const double share = find_bounce_share(bodies);
  for (double& x : change_) x *= share;
  for (Six& w : wrench_) w = {share * w.x, share * w.r};
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].mass == nullptr || !is_finite(wrench_[b].x) || !is_finite(wrench_[b].r)) continue;
    BodyState& end = bodies[b].end;
    const auto energy = [&] {
      return 0.5 * bodies[b].mass->mass * norm2(end.v_WC) + 0.5 * tenon::dot(end.w_WB, end.L_W);
    };
    result.contact_work_J -= energy();
    end.v_WC += bodies[b].mass->inv_mass * wrench_[b].x;
    end.L_W += wrench_[b].r;
    end.w_WB = angular_velocity(end.q_WB, bodies[b].mass->inv_I_B, end.L_W);
    result.contact_work_J += energy();
  }
  for (size_t r = joint_rows_; r < n; ++r) {
    if (rows_.rows[r].part == 0) contacts[rows_.rows[r].owner].normal += change_[r];
  }
}

}  // namespace tenon::displacement
