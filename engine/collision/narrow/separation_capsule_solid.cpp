// A capsule against a box or a cylinder whose insides its core does not enter.
//
// In the solid's frame the core is p + t d, t in [-1, 1], and the squared distance of a point from
// a convex set is convex and smooth, so along the core
//   f(t)  = |e(t)|^2,  e = x - (nearest point of the solid)                              (1)
//   f'(t) = 2 e . d    grows with t                                                      (2)
// and its zero is where the core is closest. Box: e_i = x_i -+ h_i beyond the faces, else 0, so (2)
// is linear between the places where the core crosses the planes of the faces, and the zero is
// found exactly. Cylinder: Newton's method within a bracket that every step narrows.
#include <algorithm>

#include "tenon/engine/collision/narrow/separation_closed.h"

namespace tenon::narrow {
namespace {

// Of the capsule's radius: with the core closer than this, e is too noisy a direction.
constexpr double kCoreApart = 1e-4;
constexpr int kMaxCoreSteps = 60;

struct BoxExcess {
  Vec3 half;
  Vec3 operator()(const Vec3& x) const { return x - cwise_max(-half, cwise_min(half, x)); }
};

struct CylinderExcess {
  double radius, half_height;
  Vec3 operator()(const Vec3& x) const {
    const double y = x.y - std::clamp(x.y, -half_height, half_height);
    const double rho2 = x.x * x.x + x.z * x.z;
    if (!(rho2 > radius * radius)) return {0, y, 0};
    const double share = 1 - radius / std::sqrt(rho2);
    return {share * x.x, y, share * x.z};
  }
};

// Where (2) is zero, for a box.
double find_nearest_box(const BoxExcess& excess, const Vec3& p, const Vec3& d) {
  const auto slope_at = [&](double t) { return dot(excess(p + t * d), d); };
  if (slope_at(-1) > 0) return -1;
  if (slope_at(1) < 0) return 1;
  // the crossings of the planes, in order
  double place[8] = {-1};
  int count = 1;
  for (int i = 0; i < 3; ++i) {
    if (d[i] == 0) continue;
    for (const double side : {-excess.half[i], excess.half[i]}) {
      const double t = (side - p[i]) / d[i];
      if (!(t > -1 && t < 1)) continue;
      int k = count++;
      for (; k > 1 && place[k - 1] > t; --k) place[k] = place[k - 1];
      place[k] = t;
    }
  }
  place[count++] = 1;
  // between `low`, the last one with a negative slope, and `high`, the first with a positive one
  double low = -1, slope_low = slope_at(-1), flat = -1;
  bool is_flat = slope_low == 0;
  for (int k = 1; k < count; ++k) {
    const double t = place[k], slope = slope_at(t);
    if (slope < 0) {
      low = t, slope_low = slope;
    } else if (slope == 0) {
      if (!is_flat) flat = t;
      is_flat = true;
      low = t, slope_low = 0;
    } else {
      if (is_flat) return 0.5 * (flat + low);
      return low + (t - low) * (-slope_low / (slope - slope_low));
    }
  }
  return is_flat ? 0.5 * (flat + low) : low;
}

double find_nearest_cylinder(const CylinderExcess& excess, const Vec3& p, const Vec3& d) {
  double low = -1, high = 1;
  const Vec3 e_low = excess(p - d), e_high = excess(p + d);
  if (dot(e_low, d) >= 0 && dot(e_high, d) > 0) return -1;
  if (dot(e_high, d) <= 0 && dot(e_low, d) < 0) return 1;
  const double radial2 = d.x * d.x + d.z * d.z;
  double t = 0;
  for (int i = 0; i < kMaxCoreSteps; ++i) {
    const Vec3 x = p + t * d, e = excess(x);
    const double slope = dot(e, d);
    if (slope == 0) break;
    (slope < 0 ? low : high) = t;
    // the derivative of (2): the side bends by radius / rho across
    double bend = e.y != 0 ? d.y * d.y : 0;
    if (e.x != 0 || e.z != 0) {
      const double rho2 = x.x * x.x + x.z * x.z, rho = std::sqrt(rho2);
      const double out = (x.x * d.x + x.z * d.z) / rho;
      bend += out * out + (1 - excess.radius / rho) * (radial2 - out * out);
    }
    const double next = t - slope / bend;
    const bool inside = bend > 0 && next > low && next < high;
    const double moved = (inside ? next : 0.5 * (low + high)) - t;
    t += moved;
    if (std::fabs(moved) <= 1e-15) break;
  }
  return t;
}

// A is the capsule, B the solid.
template <class Excess, class Nearest>
CapsuleSeparation find_separation(const Capsule& a, const Transform& X_WA, const Transform& X_WB,
                                  const Excess& excess, const Nearest& find_nearest,
                                  double max_distance) {
  CapsuleSeparation out;
  const Vec3 p = inverse_mul(X_WB, X_WA.p);
  const auto write = [&](const Vec3& x, const Vec3& e, double distance, double reach) {
    // e points from the solid to the capsule
    const Vec3 n = e / -distance;
    out.valid = true;
    out.separation.normal_W = X_WB.R * n;
    out.separation.distance = distance - reach;
    out.separation.p_WA = X_WB * (x + a.radius * n);
    out.separation.p_WB = X_WB * (x - e);
  };
  // a sphere around the capsule: when it is too far, so is the capsule
  const double reach = a.half_length + a.radius, far = max_distance + reach;
  const Vec3 e_middle = excess(p);
  const double middle2 = norm2(e_middle);
  if (middle2 > far * far) {
    write(p, e_middle, std::sqrt(middle2), reach);
    if (out.separation.distance > max_distance) return out;
  }
  const Vec3 d = transpose_mul(X_WB.R, a.half_length * X_WA.R.column(1));
  const double t = a.half_length > 0 ? find_nearest(excess, p, d) : 0;
  const Vec3 x = p + t * d, e = excess(x);
  const double distance = norm(e);
  out.valid = distance > kCoreApart * a.radius && distance > 0;
  if (out.valid) write(x, e, distance, a.radius);
  return out;
}

}  // namespace

CapsuleSeparation find_separation_capsule_box(const Capsule& a, const Transform& X_WA, const Box& b,
                                              const Transform& X_WB, double max_distance) {
  return find_separation(a, X_WA, X_WB, BoxExcess{b.half}, find_nearest_box, max_distance);
}

CapsuleSeparation find_separation_capsule_cylinder(const Capsule& a, const Transform& X_WA,
                                                   const Cylinder& b, const Transform& X_WB,
                                                   double max_distance) {
  return find_separation(a, X_WA, X_WB, CylinderExcess{b.radius, b.half_height},
                         find_nearest_cylinder, max_distance);
}

}  // namespace tenon::narrow
