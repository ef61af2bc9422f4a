#include "tenon/engine/math/quat.h"

namespace tenon {

Quat to_quat(const Mat3& R) {
  const double t = trace(R);
  Quat q;
  if (t > R(0, 0) && t > R(1, 1) && t > R(2, 2)) {
    q = {1 + t, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)};
  } else if (R(0, 0) >= R(1, 1) && R(0, 0) >= R(2, 2)) {
    q = {R(2, 1) - R(1, 2), 1 + R(0, 0) - R(1, 1) - R(2, 2), R(0, 1) + R(1, 0), R(0, 2) + R(2, 0)};
  } else if (R(1, 1) >= R(2, 2)) {
    q = {R(0, 2) - R(2, 0), R(0, 1) + R(1, 0), 1 + R(1, 1) - R(2, 2) - R(0, 0), R(1, 2) + R(2, 1)};
  } else {
    q = {R(1, 0) - R(0, 1), R(0, 2) + R(2, 0), R(1, 2) + R(2, 1), 1 + R(2, 2) - R(0, 0) - R(1, 1)};
  }
  q = normalized(q);
  return q.w < 0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q;
}

Quat exp_map(const Vec3& rotation) {
  const double half = 0.5 * norm(rotation);
  // sin(half)/|rotation|; its series below 1e-4 is exact to round-off
  const double scale = half < 1e-4 ? 0.5 - half * half / 12 : sin(half) / (2 * half);
  return normalized(Quat{cos(half), scale * rotation.x, scale * rotation.y, scale * rotation.z});
}

Vec3 log_map(const Quat& q) {
  const double s = norm(q.vec());
  const double sign = q.w < 0 ? -1.0 : 1.0;
  if (s < 1e-9) return 2.0 * sign * q.vec();
  return (2 * sign * atan2(s, sign * q.w) / s) * q.vec();
}

}  // namespace tenon
