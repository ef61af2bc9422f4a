// Vectors and quaternions as bytes (engine/base/encoding.h).
#pragma once

#include "tenon/engine/base/encoding.h"
#include "tenon/engine/math/quat.h"

namespace tenon {

inline void put(Encoder& w, const Vec3& v) {
  w.f64(v.x);
  w.f64(v.y);
  w.f64(v.z);
}
inline void put(Encoder& w, const Quat& q) {
  w.f64(q.w);
  put(w, q.vec());
}
inline Vec3 get_vec(Decoder& r) {
  const double x = r.f64(), y = r.f64(), z = r.f64();
  return {x, y, z};
}
inline Quat get_quat(Decoder& r) {
  const double w = r.f64();
  const Vec3 v = get_vec(r);
  return {w, v.x, v.y, v.z};
}

}  // namespace tenon
