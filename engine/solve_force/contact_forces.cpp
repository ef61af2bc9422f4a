#include "tenon/engine/solve_force/contact_forces.h"

#include <cmath>

namespace tenon {

double spring_force(const ContactLaw& law, double depth, double approach, double v_blend) {
  if (!(depth > 0)) return 0;
  double part = approach >= 0 ? 1 : 0;
  if (v_blend > 0) part = std::clamp(0.5 + 0.5 * approach / v_blend, 0.0, 1.0);
  return (law.restitution + part * (1 - law.restitution)) * law.stiffness * depth;
}

double penalty_force(const ContactLaw& law, double depth, double approach) {
  if (!(depth > 0)) return 0;
  return std::max(0.0, law.stiffness * depth + law.damping * approach);
}

Vec3 friction_force(const ContactLaw& law, const Vec3& slip, double normal_force,
                    double v_tangent_max) {
  const double speed = norm(slip);
  if (!(speed > 0)) return {};
  if (speed <= v_tangent_max) {
    return (-law.static_friction * normal_force / v_tangent_max) * slip;
  }
  return (-law.sliding_friction * normal_force / speed) * slip;
}

Vec3 rolling_torque(const ContactLaw& law, const Vec3& turning, const Vec3& normal,
                    double normal_force, double w_max) {
  if (!(law.rolling_lever > 0) && !(law.spinning_lever > 0)) return {};
  const auto against = [&](const Vec3& w, double lever) {
    const double speed = norm(w);
    if (!(speed > 0) || !(lever > 0)) return Vec3{};
    return (-lever * normal_force / std::max(speed, w_max)) * w;
  };
  const Vec3 spin = dot(turning, normal) * normal;
  return against(turning - spin, law.rolling_lever) + against(spin, law.spinning_lever);
}

double law_rate(const ContactLaw& law, double mass) {
  if (!(mass > 0)) return 0;
  // roots of m s^2 + d s + c
  const double half = 0.5 * law.damping / mass, square = law.stiffness / mass;
  const double inside = half * half - square;
  return inside > 0 ? half + std::sqrt(inside) : std::sqrt(square);
}

}  // namespace tenon
