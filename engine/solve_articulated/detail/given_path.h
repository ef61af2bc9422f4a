// How a body that does not move by itself gets from one given state to the next.
#pragma once

#include "tenon/engine/bodies/body.h"

namespace tenon::direct {

// A smooth way with the given poses at both ends and the given velocity at the second one:
//   x(t) = x0 + t D + t (t - 1) (h v1 - D),  D = x1 - x0,  0 <= t <= 1                          (1)
// and likewise for the rotation vector against the first pose. Velocities between are those of the
// way itself, so that what hangs on it meets no jerk at parts of a step.
class GivenPath {
 public:
  GivenPath(const BodyState& begin, const BodyState& end, double h) : begin_(begin), end_(end) {
    h_ = h;
    shift_ = end.x_WC - begin.x_WC;
    turn_ = log_map(end.q_WB * conjugate(begin.q_WB));
    const Vec3& a = turn_;
    // rate of the rotation vector, w = (E + [a]/2 + [a]^2/6 ...) a', solved for a'
    const Vec3 rate = end.w_WB - 0.5 * cross(a, end.w_WB) + cross(a, cross(a, end.w_WB)) / 12;
    bend_ = h * end.v_WC - shift_;
    twist_ = h * rate - turn_;
  }

  BodyState at(double t) const {
    if (t >= 1) return end_;
    BodyState s = end_;
    const double bow = t * (t - 1), bow_rate = 2 * t - 1;
    s.x_WC = begin_.x_WC + t * shift_ + bow * bend_;
    s.v_WC = (1 / h_) * (shift_ + bow_rate * bend_);
    const Vec3 a = t * turn_ + bow * twist_, rate = (1 / h_) * (turn_ + bow_rate * twist_);
    s.w_WB = rate + 0.5 * cross(a, rate) + cross(a, cross(a, rate)) / 6;
    s.q_WB = t > 0 ? normalized(exp_map(a) * begin_.q_WB) : begin_.q_WB;
    return s;
  }
  // rad/s, a bound over the way
  double fastest_spin() const { return (norm(turn_) + norm(twist_)) / h_; }

 private:
  BodyState begin_, end_;
  double h_;
  Vec3 shift_, turn_, bend_, twist_;
};

}  // namespace tenon::direct
