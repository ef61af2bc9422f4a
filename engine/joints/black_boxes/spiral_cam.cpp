// The nearest point of an Archimedean spiral S(a) = r(a) (cos a, sin a), r = r0 + k a, to a point
// at polar coordinates (rho, phi) makes (S - p) . S' = 0. With d = a - phi - 2 pi n:
//   g(d) = k r - rho (k cos d - r sin d) = 0                                               (1)
// Each winding n has one such point, |d| < pi/2; the nearest of the windings about rho and of the
// two ends is taken. With g_n = |rho - r(phi + 2 pi n)| no point of winding n is nearer than
// g_n / 2 if rho > pi |k| / 2: where k |d| > g_n / 2, rho sin |d| is larger than that.      (2)
// The foot follows p by da = S' . dp / (S' . S' + (S - p) . S''), and not at all at an end.  (3)
#include <algorithm>
#include <cmath>
#include <string>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/joints/detail/text.h"

namespace tenon {
namespace {

struct Point2 {
  double y = 0, z = 0;
};
Point2 operator-(Point2 a, Point2 b) { return {a.y - b.y, a.z - b.z}; }
double dot(Point2 a, Point2 b) { return a.y * b.y + a.z * b.z; }

struct Spiral {
  double r0, k, end;   // m, m/rad, rad
  Point2 first, last;  // its ends
  double radius(double a) const { return r0 + k * a; }
  Point2 at(double a) const { return {radius(a) * cos(a), radius(a) * sin(a)}; }
};

// Newton's method on (1), kept by bisection within a quarter turn and on the slot: g changes its
// sign there where rho > |k|, that is, everywhere but next to the disc's centre.
Point2 polish(const Spiral& s, double start, double rho, Point2 p) {
  double low = std::clamp(-kPi / 2, -start, s.end - start);
  double high = std::clamp(kPi / 2, -start, s.end - start);
  double d = std::clamp(0.0, low, high), r = 0, c = 1, t = 0;
  bool tried_low = false, tried_high = false;
  for (int n = 0; n < 80; ++n) {
    r = s.radius(start + d);
    c = cos(d);
    t = sin(d);
    const double g = s.k * r - rho * (s.k * c - r * t);
    const double rise = s.k * s.k + rho * (2 * s.k * t + r * c);
    (g > 0 ? high : low) = d;
    double next = rise > 0 ? d - g / rise : low;
    if (next >= high && !tried_high) {  // the slot ends here, as a rule
      next = high;
      tried_high = true;
    } else if (next <= low && !tried_low) {
      next = low;
      tried_low = true;
    } else if (!(next > low && next < high)) {
      next = 0.5 * (low + high);
    }
    const double step = next - d;
    d = next;
    // sin and cos follow a last step of half the digits without being asked again
    if (!(std::fabs(step) > 1e-8)) {
      r += s.k * step;
      const double c0 = c;
      c -= step * (t + 0.5 * step * c);
      t += step * (c0 - 0.5 * step * t);
      break;
    }
  }
  // direction of p turned by d
  return {r / rho * (p.y * c - p.z * t), r / rho * (p.z * c + p.y * t)};
}

Point2 nearest_point(const Spiral& s, Point2 p) {
  const double rho = std::sqrt(dot(p, p)), phi = atan2(p.z, p.y);
  const double winding =
      std::clamp(std::round((rho - s.r0 - s.k * phi) / (2 * kPi * s.k)),
                 std::floor(-phi / (2 * kPi)), std::ceil((s.end - phi) / (2 * kPi)));
  Point2 best = s.first;
  double best2 = dot(p - s.first, p - s.first);
  const auto consider = [&](Point2 q) {
    const double d2 = dot(p - q, p - q);
    if (!(d2 < best2)) return;
    best2 = d2;
    best = q;
  };
  consider(s.last);
  if (!(rho > 1e-12 * s.r0)) return best;
  for (const int n : {0, -1, 1}) {
    const double start = phi + 2 * kPi * (winding + n), gap = rho - s.radius(start);
    if (n != 0 && rho > 1.6 * std::fabs(s.k) && gap * gap > 4 * best2) continue;  // (2)
    consider(polish(s, start, rho, p));
  }
  return best;
}

// (3); nothing where the foot is an end of the slot that p is beyond.
Mat3 foot_derivative(const Spiral& s, Point2 p, Point2 foot) {
  const double r = std::sqrt(dot(foot, foot)), a = (r - s.r0) / s.k;
  const Point2 out{foot.y / r, foot.z / r}, round{-foot.z / r, foot.y / r};
  const Point2 slope{s.k * out.y + r * round.y, s.k * out.z + r * round.z};
  const Point2 bend{2 * s.k * round.y - r * out.y, 2 * s.k * round.z - r * out.z};
  const double along = dot(p - foot, slope), slack = 1e-12 * dot(slope, slope);
  if ((a < 1e-9 && along < -slack) || (a > s.end - 1e-9 && along > slack)) return {};
  const double all = dot(slope, slope) + dot(foot - p, bend);
  const Vec3 S{0, slope.y, slope.z};
  return (1 / all) * outer(S, S);
}

// The angle of q about x follows a small rotation w of q: d(angle) = g . w.
Vec3 twist_gradient(const Quat& q) {
  const double n2 = q.w * q.w + q.x * q.x;
  return {1, (q.w * q.z + q.x * q.y) / n2, (q.x * q.z - q.w * q.y) / n2};
}

}  // namespace

Result<std::shared_ptr<const BlackBox>> make_spiral_cam(const SpiralCam& cam) {
  if (!(cam.start_radius > 0) || !std::isfinite(cam.start_radius)) {
    return Error{.message = "spiral cam: start_radius must be positive",
                 .value = detail::number_text(cam.start_radius)};
  }
  if (!(cam.turns > 0 && cam.turns <= 100)) {
    return Error{.message = "spiral cam: turns is out of range",
                 .value = detail::number_text(cam.turns),
                 .accepted = "above 0, up to 100"};
  }
  if (!std::isfinite(cam.pitch) || cam.pitch == 0 ||
      !(cam.start_radius + cam.pitch * cam.turns > 0)) {
    return Error{.message = "spiral cam: pitch must not be 0 and must keep the radius positive",
                 .value = detail::number_text(cam.pitch)};
  }
  Spiral s{cam.start_radius, cam.pitch / (2 * kPi), 2 * kPi * cam.turns, {}, {}};
  s.first = s.at(0);
  s.last = s.at(s.end);
  const bool pin = cam.guide == SpiralCam::Guide::kPin;
  const auto project = [s, pin](const Pose& X) {
    const Point2 foot = nearest_point(s, {X.p.y, X.p.z});
    if (!pin) return Pose{{X.p.x, foot.y, foot.z}, X.q};
    return Pose{{0, foot.y, foot.z}, normalized(Quat{X.q.w, X.q.x, 0, 0})};
  };
  const auto derivative = [s, pin](const Pose& X, const Pose& Y) {
    FrameDerivative D;
    D.pp = foot_derivative(s, {X.p.y, X.p.z}, {Y.p.y, Y.p.z});
    if (pin) {
      D.rr.r0 = twist_gradient(X.q);
    } else {
      D.pp(0, 0) = 1;
      D.rr = Mat3::identity();
    }
    return D;
  };
  return std::shared_ptr<const BlackBox>(std::make_shared<BlackBox>(project, 0, derivative));
}

}  // namespace tenon
