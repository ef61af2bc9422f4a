// How joints bend the ways of their bodies within a step.
#include "tenon/engine/world/bends.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon {
namespace {

// The largest impulse that a law may have in the step; of a limit that is not reached, none.
double most_impulse(const BoundedRow& r, double rate, double h) {
  constexpr double kSoon = 2;  // times as far as it goes in the step
  if (std::isfinite(r.gap)) {
    return r.guess > 0 || r.gap + kSoon * h * rate <= 0 ? kInfinity : 0;
  }
  const double most = std::max(std::fabs(r.low), std::fabs(r.high));
  if (r.motor || !(r.soft > 0)) return most;
  return std::min(most, std::fabs(r.rate - (1 + r.keep) * rate) / r.soft);
}

// By how much laws of joints may change the turning of a body in the step, rad/s. As if it were
// free: joints leave less.
double calc_law_turning(const StepContext& context, const MechanismStep& step,
                        std::span<const BoundedRow> laws) {
  std::vector<double> turning(step.bodies.size(), 0);
  for (const BoundedRow& r : laws) {
    double rate = 0;
    for (int e = 0; e < 2; ++e) {
      const BodyState& s = step.bodies[r.body[e]].begin;
      rate += dot(r.f[e], s.v_WC) + dot(r.t[e], s.w_WB);
    }
    const double p = most_impulse(r, rate, context.h);
    for (int e = 0; e < 2 && p > 0; ++e) {
      const StepBody& b = step.bodies[r.body[e]];
      if (b.mass == nullptr) continue;
      const Mat3 R = to_matrix(b.begin.q_WB);
      const Vec3 turned = b.mass->inv_I_B * (transpose(R) * r.t[e]);
      const double slow = norm(r.f[e]) * b.mass->inv_mass, size = b.mass->size;
      const double answer = norm(turned) + (size > 0 ? slow / size : slow);
      if (answer > 0) turning[r.body[e]] += p * answer;
    }
  }
  return turning.empty() ? 0 : *std::max_element(turning.begin(), turning.end());
}

}  // namespace

double calc_lead(const MechanismStep& step) {
  double turning2 = 0, speed = 0;
  for (const StepBody& b : step.bodies) {
    turning2 = std::max(turning2, norm2(b.begin.w_WB));
    const double size = b.mass != nullptr ? b.mass->size : 0;
    speed = std::max(speed, norm(b.begin.v_WC) + norm(b.begin.w_WB) * size);
  }
  return std::sqrt(turning2) * speed;
}

bool bends_ways(const WorldData& data, const MechanismStep& step) {
  constexpr double kErrors = 4e-4;
  return calc_lead(step) > kErrors * norm(data.settings.gravity);
}

bool turns_steadily(const StepContext& context, const MechanismStep& step,
                    std::span<const BoundedRow> laws) {
  // of the turning, what may change in a step; and where laws may turn it back at any time, what
  // has in the last one
  constexpr double kMost = 0.5, kHardly = 0.02;
  double turning2 = 0, change2 = 0;
  for (const StepBody& b : step.bodies) {
    turning2 = std::max(turning2, norm2(b.begin.w_WB));
    change2 = std::max(change2, norm2(context.h * b.acceleration.angular));
  }
  const double turning = std::sqrt(turning2), change = std::sqrt(change2);
  if (change <= kHardly * turning) return true;
  if (change > kMost * turning) return false;
  return change + calc_law_turning(context, step, laws) <= kMost * turning;
}

std::vector<Motion> calc_hastes(const MechanismStep& step, size_t moving,
                                std::span<const Motion> mean) {
  constexpr double kUneven = 0.1;
  std::vector<Motion> hastes(mean.size());
  bool any = false;
  for (size_t i = 0; i < mean.size(); ++i) {
    const BodyState &begin = step.bodies[moving + i].begin, &end = step.bodies[moving + i].end;
    const auto haste = [&](const Vec3& v0, const Vec3& v, const Vec3& v1) {
      return norm(v0 + v1 - 2 * v) <= kUneven * norm(v1 - v0) ? v1 - v : Vec3{};
    };
    hastes[i] = {haste(begin.v_WC, mean[i].v, end.v_WC), haste(begin.w_WB, mean[i].w, end.w_WB)};
    any = any || !(hastes[i].v == Vec3{} && hastes[i].w == Vec3{});
  }
  return any ? hastes : std::vector<Motion>{};
}

void MechanismAnswer::set_hastes(std::span<const Motion> hastes) {
  hastes_.assign(hastes.begin(), hastes.end());
}

bool MechanismAnswer::calc_bend(std::span<Motion> bend) {
  if (bends_ == Bends::kNone) return false;
  all_.assign(moving_ + fixed_.size(), {});
  if (!solver_->calc_bend(all_)) return false;
  std::copy_n(all_.begin(), moving_, bend.begin());
  if (hastes_.empty()) return true;
  all_.assign(moving_, {});
  all_.insert(all_.end(), hastes_.begin(), hastes_.end());
  solver_->project(all_);
  for (size_t b = 0; b < moving_; ++b) {
    bend[b].v += all_[b].v;
    bend[b].w += all_[b].w;
  }
  return true;
}

}  // namespace tenon
