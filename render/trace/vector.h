// Vectors of floats: pictures need no more, and Embree has no other.
// Everything here is relative to the eye of the picture, so that scenes far from the origin of the
// world keep their digits.
#pragma once

#include <algorithm>
#include <cmath>

#include "tenon/engine/math/vec3.h"

namespace tenon::render {

struct V3 {
  float x = 0, y = 0, z = 0;
  float operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  V3& operator+=(const V3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
};
inline V3 to_v3(const Vec3& a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
inline V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V3 operator-(const V3& a) { return {-a.x, -a.y, -a.z}; }
inline V3 operator*(float s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
// component by component: light through a filter
inline V3 operator*(const V3& a, const V3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline float dot(const V3& a, const V3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V3 cross(const V3& a, const V3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(const V3& a) { return std::sqrt(dot(a, a)); }
inline V3 unit(const V3& a) {
  const float n = length(a);
  return n > 0 ? (1 / n) * a : V3{0, 1, 0};
}
inline V3 mix(const V3& a, const V3& b, float s) { return a + s * (b - a); }
inline float mix(float a, float b, float s) { return a + s * (b - a); }
inline float largest(const V3& a) { return std::max({a.x, a.y, a.z}); }
inline float luminance(const V3& a) { return 0.2126f * a.x + 0.7152f * a.y + 0.0722f * a.z; }
inline float smooth_step(float from, float to, float x) {
  const float s = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return s * s * (3 - 2 * s);
}

// Axes with z along a unit vector [Duff2017].
struct Axes {
  V3 x, y, z;
  explicit Axes(const V3& n) : z(n) {
    const float sign = std::copysign(1.0f, n.z);
    const float a = -1 / (sign + n.z), b = n.x * n.y * a;
    x = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    y = {b, sign + n.y * n.y * a, -n.y};
  }
  V3 to_world(const V3& v) const { return v.x * x + v.y * y + v.z * z; }
};

}  // namespace tenon::render
