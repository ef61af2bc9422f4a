// The nearest point of an Archimedean spiral S(a) = r(a) (cos a, sin a), r = r0 + k a, to a point
// at polar coordinates (rho, phi) makes (S - p) . S' = 0:
//   g(a) = k r - rho (k cos(phi - a) + r sin(phi - a)) = 0                                 (1)
// Each winding has one such point near a = phi + 2 pi n; the nearest of the windings about rho and
// of the two ends is taken.
#include <algorithm>
#include <cmath>
#include <string>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/joints/detail/text.h"
#include "tenon/engine/joints/swing_twist.h"

namespace tenon {
namespace {

struct Spiral {
  double r0, k, end;  // m, m/rad, rad
  double radius(double a) const { return r0 + k * a; }
};

double squared_distance(const Spiral& s, double a, double y, double z) {
  const double dy = s.radius(a) * cos(a) - y, dz = s.radius(a) * sin(a) - z;
  return dy * dy + dz * dz;
}

// Newton's method on (1), kept by bisection within a quarter turn of its start and on the slot: g
// changes its sign there where rho > |k|, that is, everywhere but next to the disc's centre.
double polish(const Spiral& s, double start, double rho, double phi) {
  double low = std::clamp(start - kPi / 2, 0.0, s.end);
  double high = std::clamp(start + kPi / 2, 0.0, s.end);
  double a = std::clamp(start, low, high);
  for (int n = 0; n < 80; ++n) {
    const double r = s.radius(a), c = rho * cos(phi - a), t = rho * sin(phi - a);
    const double g = s.k * r - s.k * c - r * t;
    const double rise = s.k * s.k - 2 * s.k * t + r * c;
    (g > 0 ? high : low) = a;
    double next = rise > 0 ? a - g / rise : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool done = std::fabs(next - a) <= 1e-16 * (1 + a);
    a = next;
    if (done) break;
  }
  return a;
}

double nearest_angle(const Spiral& s, double y, double z) {
  const double rho = std::sqrt(y * y + z * z), phi = atan2(z, y);
  const double winding =
      std::clamp(std::round((rho - s.r0 - s.k * phi) / (2 * kPi * s.k)),
                 std::floor(-phi / (2 * kPi)), std::ceil((s.end - phi) / (2 * kPi)));
  double best = 0, best_distance = squared_distance(s, 0, y, z);
  const auto consider = [&](double a) {
    const double d = squared_distance(s, a, y, z);
    if (d < best_distance) {
      best_distance = d;
      best = a;
    }
  };
  consider(s.end);
  for (int n = -1; n <= 1; ++n) consider(polish(s, phi + 2 * kPi * (winding + n), rho, phi));
  return best;
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
  const Spiral s{cam.start_radius, cam.pitch / (2 * kPi), 2 * kPi * cam.turns};
  const bool pin = cam.guide == SpiralCam::Guide::kPin;
  const auto project = [s, pin](const Pose& X) {
    const double a = nearest_angle(s, X.p.y, X.p.z);
    Pose Y{{X.p.x, s.radius(a) * cos(a), s.radius(a) * sin(a)}, X.q};
    if (pin) {
      Y.p.x = 0;
      Y.q = twist_about(0, split_swing_twist(X.q).twist);
    }
    return Y;
  };
  return std::shared_ptr<const BlackBox>(std::make_shared<BlackBox>(project));
}

}  // namespace tenon
