// The frame in which a contact patch is built: everything is projected along the contact normal
// onto the plane through the witness points, and carries its height along the normal.
#pragma once

#include <cmath>

#include "tenon/engine/math/vec3.h"

namespace tenon::detail {

// A lateral position: coordinates in the plane orthogonal to the normal. Left uninitialised on
// purpose: features hold arrays of them.
struct Vec2 {
  double x, y;
};
constexpr Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
constexpr Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
constexpr Vec2 operator-(const Vec2& a) { return {-a.x, -a.y}; }
constexpr Vec2 operator*(double s, const Vec2& a) { return {s * a.x, s * a.y}; }
constexpr double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
constexpr double cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
constexpr double norm2(const Vec2& a) { return dot(a, a); }
inline double norm(const Vec2& a) { return std::sqrt(norm2(a)); }
inline Vec2 unit(const Vec2& a, const Vec2& fallback) {
  const double length = norm(a);
  return length > 0 ? (1 / length) * a : fallback;
}

// Right-handed: cross(u, v) = n. The origin is midway between the witness points, so that
// coordinates stay small however far from the world's origin the pair is.
struct PatchFrame {
  Vec3 origin, n, u, v;

  Vec2 lateral(const Vec3& p_W) const { return along(p_W - origin); }
  Vec2 along(const Vec3& direction) const { return {dot(direction, u), dot(direction, v)}; }
  double height(const Vec3& p_W) const { return dot(p_W - origin, n); }
  Vec3 point(const Vec2& x, double z) const { return origin + x.x * u + x.y * v + z * n; }
};

inline PatchFrame make_patch_frame(const Vec3& origin, const Vec3& n) {
  const Vec3 u = any_orthogonal(n);
  return {origin, n, u, cross(n, u)};
}

// Height of a flat feature over the lateral plane: z0 + slope . x
struct FlatHeight {
  double z0;
  Vec2 slope;
  double operator()(const Vec2& x) const { return z0 + dot(slope, x); }
};

// The plane through p_W with normal N; N . n must not vanish.
inline FlatHeight make_flat_height(const PatchFrame& frame, const Vec3& p_W, const Vec3& normal_W) {
  const double inv = 1 / dot(normal_W, frame.n);
  const Vec2 slope = -inv * frame.along(normal_W);
  return {frame.height(p_W) - dot(slope, frame.lateral(p_W)), slope};
}

}  // namespace tenon::detail
