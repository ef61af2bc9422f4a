#include "tenon/scene/model/angles.h"

#include <cmath>

namespace tenon::scene::model {

Quat from_rpy(const Vec3& rpy) {
  const Quat x{cos(0.5 * rpy.x), sin(0.5 * rpy.x), 0, 0};
  const Quat y{cos(0.5 * rpy.y), 0, sin(0.5 * rpy.y), 0};
  const Quat z{cos(0.5 * rpy.z), 0, 0, sin(0.5 * rpy.z)};
  return normalized(z * y * x);
}

Vec3 calc_rpy(const Quat& q) {
  const Mat3 R = to_matrix(q);
  const double level = std::sqrt(R.r0.x * R.r0.x + R.r1.x * R.r1.x);
  const double pitch = atan2(-R.r2.x, level);
  if (level < 1e-9) return {0, pitch, atan2(-R.r0.y, R.r1.y)};
  return {atan2(R.r2.y, R.r2.z), pitch, atan2(R.r1.x, R.r0.x)};
}

double rounded(double x, int digits) {
  const double scale = pow(10, digits);
  return std::round(x * scale) / scale;
}

}  // namespace tenon::scene::model
