// Rims of cylinders against a mesh.
#include <array>
#include <cmath>

#include "tenon/engine/collision/narrow/detail/prober.h"
#include "tenon/engine/math/elementary.h"

namespace tenon::narrow {
namespace {

// A rim of a cylinder: the circle of its end. As a wheel rolls, its points come down on the ground
// ahead, and others go up behind; the circle does neither. With the axle a, the spin w about it and
// a normal n of the ground, a point r from the middle nears the ground at the rate
//   w n . (a x r)                                                                        (4)
// which is none where the gap is least along the rim, and not elsewhere.
// As contacts, such points would stop the wheel before they are down. So a rim touches with its
// lowest points, and with others only where it lies flat: there n . (a x r) is small for all.
struct RimProbe {
  Prober& prober;
  const Cylinder& cylinder;
  double side;

  Vec3 at(double angle) const {
    return {cylinder.radius * cos(angle), side * cylinder.half_height,
            cylinder.radius * sin(angle)};
  }
  double height(double angle) const {
    return prober.target().calc_distance(prober.in_target(at(angle)),
                                         prober.reach() + 2 * cylinder.radius);
  }
  // Whether the end lies as flat on what is near this point as faces of convex pairs do, or may at
  // the end of the step; or in a round seat, along whose wall the point goes as the rim turns.
  bool lies_flat(double angle) const {
    constexpr double kAlong = 0.17;               // sine of 10 degrees
    constexpr double kFlat = 0.3490658503988659;  // rad, 20 degrees as kCosFace of detail/feature.h
    const double most = kFlat + prober.turning();
    if (most > 0.5 * kHalfTurn) return true;
    const Vec3 out = prober.target().find(prober.in_target(at(angle)), prober.reach()).gradient;
    const Vec3 n = prober.in_prober(normalized(out, {}));
    const bool along = std::fabs(n.z * cos(angle) - n.x * sin(angle)) <= kAlong;
    return -side * n.y >= (along ? kAlong : cos(most));
  }
  // Between the neighbours of a point that is lower than both.
  double find_lowest(double angle) const {
    constexpr int kSteps = 12;
    constexpr double kGolden = 0.6180339887498949;
    double low = angle - 2 * kHalfTurn / kRimPoints, high = angle + 2 * kHalfTurn / kRimPoints;
    double x = high - kGolden * (high - low), y = low + kGolden * (high - low);
    double fx = height(x), fy = height(y);
    for (int i = 0; i < kSteps; ++i) {
      if (fx <= fy) {
        high = y;
        y = x;
        fy = fx;
        x = high - kGolden * (high - low);
        fx = height(x);
      } else {
        low = x;
        x = y;
        fx = fy;
        y = low + kGolden * (high - low);
        fy = height(y);
      }
    }
    return settle(0.5 * (low + high));
  }
  // The lowest point over a flat face lies against its normal; round-off is all that is left.
  double settle(double angle) const {
    for (int i = 0; i < 3; ++i) {
      const Measured m = prober.target().measure(prober.in_target(at(angle)),
                                                 prober.reach() + 2 * cylinder.radius, {});
      if (!m.found || !m.sure) break;
      const Vec3 n = prober.in_prober(m.normal);
      if (n.x * n.x + n.z * n.z < 1e-12) break;
      const double next = atan2(-n.z, -n.x);
      if (height(next) > height(angle) + 1e-9 * cylinder.radius) break;
      angle = next;
    }
    return angle;
  }
};

}  // namespace

void probe_cylinder(Prober& prober, const Cylinder& c) {
  const double within =
      prober.reach() + std::sqrt(c.radius * c.radius + c.half_height * c.half_height);
  if (prober.target().calc_bound(prober.in_target({}), within) > within) return;
  for (int end = 0; end < 2; ++end) {
    const RimProbe rim{prober, c, end == 0 ? -1.0 : 1.0};
    const Vec3 middle = prober.in_target({0, rim.side * c.half_height, 0});
    const double around = prober.reach() + c.radius;
    if (prober.target().calc_bound(middle, around) > around) continue;
    std::array<double, kRimPoints> height;
    for (int k = 0; k < kRimPoints; ++k) height[k] = rim.height(2 * kHalfTurn * k / kRimPoints);
    for (int k = 0; k < kRimPoints; ++k) {
      double angle = 2 * kHalfTurn * k / kRimPoints;
      const double before = height[(k + kRimPoints - 1) % kRimPoints];
      const double after = height[(k + 1) % kRimPoints], slop = 1e-6 * c.radius;
      const bool lowest = height[k] <= before && height[k] <= after &&
                          (height[k] < before - slop || height[k] < after - slop);
      // between its neighbours it may be lower by the way to them
      const double low = height[k] - (lowest ? 2 * kHalfTurn / kRimPoints * c.radius : 0);
      if (low > prober.reach()) continue;
      if (!lowest && !rim.lies_flat(angle)) continue;
      if (lowest) angle = rim.find_lowest(angle);
      const Vec3 p = rim.at(angle);
      prober.add(p, normalized(Vec3{p.x / c.radius, rim.side, p.z / c.radius}), 0.25 * kHalfTurn,
                 static_cast<uint32_t>(end * kRimPoints + k));
    }
  }
}

}  // namespace tenon::narrow
