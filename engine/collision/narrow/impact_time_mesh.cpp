// Conservative advancement [Mirtich1996, sec. 2.3.2] on the distance of meshes.
//
// Notation: f fraction of the step; d(f) distance as found, too large by e at most; v displacement
// of B's centre less that of A's; w rotation vectors; r largest distance of a point from the
// centre. No two points come nearer each other, per unit of f, than
//   m = |v| + |w_A| r_A + |w_B| r_B                                                      (1)
// so nothing is met before f + (d(f) - e - target) / m. Where d - e is down to the target, that is
// the impact as far as can be told: early by e / m at most. There is no direction to go along as
// there is between convex shapes: a mesh may be met on any side.
#include "tenon/engine/collision/narrow/impact_time_mesh.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/geometry/support.h"

namespace tenon::narrow {
namespace {

constexpr int kMostMeshQueries = 64;
constexpr double kMeshTolerance = 1e-3;  // of the smaller shape

double turning_reach(const Shape& shape, const ShapeMotion& motion) {
  if (norm2(motion.rotation_W) == 0) return 0;
  constexpr double kLargestTurn = 2;  // rad: farther apart than a diameter nothing gets by turning
  const double reach = norm(motion.X_WS.p - motion.p_WC) + bounding_radius(shape);
  return std::min(norm(motion.rotation_W), kLargestTurn * 3) * reach;
}

}  // namespace

ImpactTime calc_mesh_impact(const Shape& a, const ShapeMotion& motion_a, const Shape& b,
                            const ShapeMotion& motion_b, double target) {
  ImpactTime result;
  const Vec3 v = motion_b.displacement_W - motion_a.displacement_W;
  const double fastest =
      norm(v) + turning_reach(a, motion_a) + turning_reach(b, motion_b);
  const double tolerance = kMeshTolerance * std::min(size(a), size(b));
  double f = 0;
  while (result.queries < kMostMeshQueries) {
    const double rest = (1 - f) * fastest;
    const Transform XA = calc_pose_at(motion_a, f), XB = calc_pose_at(motion_b, f);
    // errors are known with the answer: an upper bound of them is asked for first
    MeshDistance d = find_mesh_distance(a, XA, b, XB, target + rest + 2 * tolerance);
    ++result.queries;
    if (d.distance - d.error > target + rest) return {ImpactTime::Status::kNone, 1, d.normal_W, 0, result.queries};
    if (d.distance > target + rest + 2 * tolerance) {
      // within the error of what may be met: asked again, farther
      d = find_mesh_distance(a, XA, b, XB, target + rest + 2 * tolerance + d.error);
      if (d.distance - d.error > target + rest) return {ImpactTime::Status::kNone, 1, d.normal_W, 0, result.queries};
    }
    result.fraction = f;
    result.normal_W = d.normal_W;
    result.distance = d.distance;
    const double safe = d.distance - d.error - target;
    if (safe <= tolerance) {
      result.status = ImpactTime::Status::kImpact;
      return result;
    }
    if (!(fastest > 0)) break;
    f += safe / fastest;
    if (f >= 1) return {ImpactTime::Status::kNone, 1, d.normal_W, 0, result.queries};
  }
  result.status = ImpactTime::Status::kBudget;
  return result;
}

}  // namespace tenon::narrow
