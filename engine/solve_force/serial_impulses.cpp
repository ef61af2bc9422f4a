#include "tenon/engine/solve_force/serial_impulses.h"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

class SerialCollisions {
 public:
  SerialCollisions(std::span<CollidingPoint> points, const ContactResponse& response,
                   std::span<Motion> velocity)
      : points_(points), response_(response), velocity_(velocity) {}

  Vec3 velocity_at(const CollidingPoint& p) const {
    return relative_velocity(p.at, velocity_[p.at.body_a], velocity_[p.at.body_b]);
  }
  double approach(const CollidingPoint& p) const { return -dot(p.at.normal_W, velocity_at(p)); }
  double fastest() const {
    double v = 0;
    for (const CollidingPoint& p : points_) v = std::max(v, approach(p));
    return v;
  }
  // (1) and (2); false where nothing moves by an impulse there
  bool collide(CollidingPoint& p) {
    const double R = (1 + p.restitution) * approach(p);
    if (!push(p, p.at.normal_W, R, kNoBound)) return false;
    const double normal = pushed_;
    if (p.friction > 0) {
      const Vec3 n = p.at.normal_W;
      Vec3 slip = velocity_at(p) + p.surface_velocity;
      slip -= dot(slip, n) * n;
      const double speed = norm(slip);
      if (speed > 0) push(p, slip / -speed, speed, p.friction * normal);
    }
    return true;
  }

 private:
  static constexpr double kNoBound = 1e300;

  // An impulse along a direction that changes the velocity there by `change`, at most `bound`.
  bool push(CollidingPoint& p, const Vec3& direction, double change, double bound) {
    LoadedBody loads[2];
    loads_at(p.at, direction, loads);
    response_.respond(loads, answer_);
    Motion a, b;
    for (const AnsweringBody& x : answer_) {
      if (x.body == p.at.body_a) a = x.change;
      if (x.body == p.at.body_b) b = x.change;
    }
    const double K = dot(direction, relative_velocity(p.at, a, b));
    if (!(K > 0)) return false;
    pushed_ = std::min(change / K, bound);
    for (const AnsweringBody& x : answer_) {
      velocity_[x.body].v += pushed_ * x.change.v;
      velocity_[x.body].w += pushed_ * x.change.w;
    }
    p.impulse_W += pushed_ * direction;
    return true;
  }

  std::span<CollidingPoint> points_;
  const ContactResponse& response_;
  std::span<Motion> velocity_;
  std::vector<AnsweringBody> answer_;
  double pushed_ = 0;
};

}  // namespace

SerialResult collide_in_turn(std::span<CollidingPoint> points, const ContactResponse& response,
                             std::span<Motion> velocity, const SerialSettings& settings) {
  SerialCollisions work(points, response, velocity);
  SerialResult result;
  result.before = result.approach = work.fastest();
  const double least = std::max(settings.slow, settings.still * result.before);
  const int most =
      settings.max_steps > 0 ? settings.max_steps : 2 * static_cast<int>(points.size());
  if (!(result.before > least)) return result;
  for (bool any = true; any;) {
    any = false;
    for (CollidingPoint& p : points) {
      if (!(work.approach(p) > least)) continue;
      if (result.steps == most) {
        result.capped = true;
        break;
      }
      if (!work.collide(p)) continue;
      ++result.steps;
      any = true;
    }
    if (result.capped) break;
  }
  result.approach = std::max(0.0, work.fastest());
  return result;
}

}  // namespace tenon
