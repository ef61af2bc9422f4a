// How joints bend the ways of their bodies within a step.
#include "tenon/engine/world/bends.h"

#include <algorithm>
#include <cmath>

namespace tenon {

bool bends_ways(const WorldData& data, const MechanismStep& step) {
  constexpr double kErrors = 4e-4;
  double turning2 = 0, speed = 0;
  for (const StepBody& b : step.bodies) {
    turning2 = std::max(turning2, norm2(b.begin.w_WB));
    const double size = b.mass != nullptr ? b.mass->size : 0;
    speed = std::max(speed, norm(b.begin.v_WC) + norm(b.begin.w_WB) * size);
  }
  return std::sqrt(turning2) * speed > kErrors * norm(data.settings.gravity);
}

bool turns_steadily(const StepContext& context, const MechanismStep& step, bool has_laws) {
  const double most = has_laws ? 0.02 : 0.5;  // of the turning: what it changes in a step
  double turning2 = 0, change2 = 0;
  for (const StepBody& b : step.bodies) {
    turning2 = std::max(turning2, norm2(b.begin.w_WB));
    change2 = std::max(change2, norm2(context.h * b.acceleration.angular));
  }
  return change2 <= most * most * turning2;
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
