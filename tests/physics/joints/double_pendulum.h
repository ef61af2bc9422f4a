// Two thin rods of 1 m pinned in series, released from the horizontal: an integrator in joint
// coordinates, made to compare with. It shares nothing with the engine: Lagrange's equations in the
// two absolute angles, classical Runge-Kutta in 80-bit numbers with steps of 5e-5 s.
#pragma once

#include <array>
#include <cmath>

#include "tenon/engine/math/vec3.h"

namespace tenon::test {

class DoublePendulum {
 public:
  DoublePendulum(double m1, double m2) : m1_(m1), m2_(m2) {}

  // To time t >= now, in equal steps of at most 5e-5 s.
  void advance_to(double t) {
    const long double span = static_cast<long double>(t) - t_;
    const int n = static_cast<int>(std::ceil(static_cast<double>(span) / 5e-5 - 1e-9));
    for (int i = 0; i < n; ++i) runge_kutta(span / n);
    t_ = t;
  }
  Vec3 tip() const {
    return {static_cast<double>(std::cos(y_[0]) + std::cos(y_[1])),
            static_cast<double>(std::sin(y_[0]) + std::sin(y_[1])), 0};
  }

 private:
  using State = std::array<long double, 4>;  // angles from +x, rates
  State y_{};
  long double t_ = 0, m1_, m2_;

  // (m1/3 + m2) w1' + (m2/2) cos d w2' = -(m2/2) sin d w2^2 - (m1/2 + m2) g cos a1
  // (m2/2) cos d w1' + (m2/3) w2'      =  (m2/2) sin d w1^2 - (m2/2) g cos a2,   d = a1 - a2
  State rate(const State& y) const {
    const long double g = 9.81L, d = y[0] - y[1];
    const long double A = m1_ / 3 + m2_, B = m2_ / 2 * std::cos(d), C = m2_ / 3;
    const long double r1 =
        -m2_ / 2 * std::sin(d) * y[3] * y[3] - (m1_ / 2 + m2_) * g * std::cos(y[0]);
    const long double r2 = m2_ / 2 * std::sin(d) * y[2] * y[2] - m2_ / 2 * g * std::cos(y[1]);
    const long double det = A * C - B * B;
    return {y[2], y[3], (C * r1 - B * r2) / det, (A * r2 - B * r1) / det};
  }
  static State moved(const State& y, long double h, const State& k) {
    return {y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2], y[3] + h * k[3]};
  }
  void runge_kutta(long double h) {
    const State k1 = rate(y_), k2 = rate(moved(y_, h / 2, k1)), k3 = rate(moved(y_, h / 2, k2)),
                k4 = rate(moved(y_, h, k3));
    for (size_t i = 0; i < 4; ++i) y_[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
};

}  // namespace tenon::test
