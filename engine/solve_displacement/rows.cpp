#include "tenon/engine/solve_displacement/rows.h"

#include <algorithm>
#include <cmath>

namespace tenon::displacement {

void apply_metric(Metric metric, std::span<Body> bodies) {
  if (metric == Metric::kMass) return;
  std::vector<double> sizes;
  for (const Body& body : bodies) {
    if (body.inv_mass > 0) sizes.push_back(body.size);
  }
  if (sizes.empty()) return;
  // the middle one: neither the largest body nor the smallest rules the others
  std::sort(sizes.begin(), sizes.end());
  const double length = 2 * sizes[sizes.size() / 2];
  for (Body& body : bodies) {
    if (body.inv_mass == 0) continue;
    body.inv_mass = 1;
    if (body.inv_I_B != Mat3{}) body.inv_I_B = (1 / (length * length)) * Mat3::identity();
  }
}

void displace(std::span<const Six> step, std::span<const Body> bodies, Configuration& at) {
  for (size_t b = 0; b < step.size(); ++b) {
    if (bodies[b].inv_mass == 0) continue;
    at[b].p += step[b].x;
    if (step[b].r == Vec3{}) continue;
    at[b].q = normalized(exp_map(step[b].r) * at[b].q);
  }
}

void truncate_turns(std::span<Six> step) {
  for (Six& s : step) {
    const double turn = norm(s.r);
    if (turn > kLargestTurn) s.r *= kLargestTurn / turn;
  }
}

void Operator::reset(std::span<const Body> bodies, const Configuration& at, const RowSet& rows,
                     std::span<const uint8_t> use) {
  bodies_ = bodies;
  rows_ = &rows;
  use_ = use;
  inv_I_W_.resize(bodies.size());
  for (size_t b = 0; b < bodies.size(); ++b) {
    inv_I_W_[b] = {};
    if (bodies[b].inv_mass == 0) continue;
    const Mat3 R = to_matrix(at[b].q);
    inv_I_W_[b] = R * bodies[b].inv_I_B * transpose(R);
  }
}

void Operator::apply(std::span<const Six> motion, std::span<double> out) const {
  const auto& rows = rows_->rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    double sum = 0;
    if (uses(r)) {
      for (const Entry& e : rows_->of(rows[r])) {
        sum += tenon::dot(e.f, motion[e.body].x) + tenon::dot(e.t, motion[e.body].r);
      }
    }
    out[r] = sum;
  }
}

void Operator::apply_transposed(std::span<const double> force, std::span<Six> out) const {
  std::fill(out.begin(), out.end(), Six{});
  const auto& rows = rows_->rows;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (!uses(r) || force[r] == 0) continue;
    for (const Entry& e : rows_->of(rows[r])) {
      out[e.body].x += force[r] * e.f;
      out[e.body].r += force[r] * e.t;
    }
  }
}

void Operator::apply_inverse_mass(std::span<const Six> wrench, std::span<Six> out) const {
  for (size_t b = 0; b < wrench.size(); ++b) {
    out[b] = inverse_mass(static_cast<uint32_t>(b), wrench[b]);
  }
}

}  // namespace tenon::displacement
