// Conservative advancement [Mirtich1996, sec. 2.3.2] of points of one shape in the distance of the
// other, both ways.
//
// Notation: f fraction of the step; q(f) a point of the prober in the target's frame; m the most
// that it moves there per unit of f; d distance of the target, off by e at most. Nothing is met
// before
//   f + (d(q(f)) - e) / m                                                                (1)
// and as distance changes by no more than the way, of all points within r of q
//   least distance on the way from f to g >= (d(q(f)) + d(q(g)) - m (g - f)) / 2 - r      (2)
// so whole nodes of samples are left out, all that could only be met after the first impact so far
// included. Between convex shapes there is one direction to go along; a mesh may be met anywhere.
#include "tenon/engine/collision/narrow/impact_time_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tenon/engine/collision/narrow/mesh_search.h"
#include "tenon/engine/geometry/support.h"

namespace tenon::narrow {
namespace {

constexpr int kMostTraces = 64;
constexpr double kMeshTolerance = 1e-3;  // of the smaller shape

struct MovingSide {
  const Shape* shape;
  const ShapeMotion* motion;
  double turn;  // rad
};

class ImpactSearch {
 public:
  ImpactSearch(const MovingSide& prober, const MovingSide& target, double tolerance)
      : prober_(prober),
        target_side_(target),
        target_(*target.shape, 0),
        tolerance_(tolerance + target_.error()) {
    const Vec3 v = prober.motion->displacement_W - target.motion->displacement_W;
    const double between = norm(prober.motion->p_WC - target.motion->p_WC) + norm(v);
    lever_ = norm(prober.motion->X_WS.p - prober.motion->p_WC);
    // a point r from the prober's shape origin: m = straight_ + turning_ r
    turning_ = prober.turn + target.turn;
    straight_ = norm(v) + turning_ * lever_ + target.turn * between;
  }
  void run(ImpactTime& first, double sign) {
    first_ = &first;
    sign_ = sign;
    if (const auto* mesh = std::get_if<Mesh>(prober_.shape)) {
      visit_nodes(mesh->geometry->samples);
    } else {
      visit_convex();
    }
  }

 private:
  double speed(const Vec3& p_S) const { return straight_ + turning_ * norm(p_S); }
  struct Poses {
    Transform target, prober;
    double fraction = -1;
    Vec3 place(const Vec3& p_S) const { return inverse_mul(target, prober * p_S); }
  };
  Poses poses_at(double f) const {
    return {calc_pose_at(*target_side_.motion, f), calc_pose_at(*prober_.motion, f), f};
  }
  // Where all begin, and where they are at the first impact so far.
  const Poses& begin() {
    if (begin_.fraction < 0) begin_ = poses_at(0);
    return begin_;
  }
  const Poses& end() {
    if (end_.fraction != first_->fraction) end_ = poses_at(first_->fraction);
    return end_;
  }
  bool is_left_out(const Vec3& centre_S, double radius);
  void visit_nodes(const MeshSamples& samples);
  void visit_convex();
  void trace(const Vec3& p_S, double radius);

  const MovingSide &prober_, &target_side_;
  Target target_;
  double tolerance_, lever_ = 0, turning_ = 0, straight_ = 0;
  ImpactTime* first_ = nullptr;
  double sign_ = 1;
  Poses begin_, end_;
};

// (2)
bool ImpactSearch::is_left_out(const Vec3& centre, double radius) {
  const double way = first_->fraction * (speed(centre) + turning_ * radius);
  const double near = radius + tolerance_, within = near + way;
  const double now = target_.calc_bound(begin().place(centre), within);
  if (now - way > near) return true;
  const double later = target_.calc_bound(end().place(centre), 2 * near + way);
  return 0.5 * (now + later - way) > near;
}

void ImpactSearch::visit_nodes(const MeshSamples& samples) {
  visit_samples(
      samples, [&](const MeshSamples::Node& node) { return is_left_out(node.centre, node.radius); },
      [&](int i) {
        const Vec3& p = samples.points[i].p;
        if (!is_left_out(p, 0)) trace(p, 0);
      });
}

void ImpactSearch::visit_convex() {
  const Shape& shape = *prober_.shape;
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    trace({}, sphere->radius);
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    for (const double y : {-capsule->half_length, capsule->half_length}) {
      trace({0, y, 0}, capsule->radius);
    }
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    for (int k = 0; k < 8; ++k) {
      trace(cwise_mul({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0}, box->half), 0);
    }
  } else if (const auto* hull = std::get_if<Hull>(&shape)) {
    for (const Vec3& v : hull->geometry->vertices) trace(v, 0);
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    for (int k = 0; k < kRimPoints; ++k) {
      const Vec3 at = cylinder->radius * rim_direction(k);
      for (const double y : {-cylinder->half_height, cylinder->half_height})
        trace({at.x, y, at.z}, 0);
    }
  }
}

// (1)
void ImpactSearch::trace(const Vec3& p, double radius) {
  const double m = speed(p);
  double f = 0;
  for (int i = 0; i < kMostTraces && f <= first_->fraction; ++i) {
    ++first_->queries;
    const Poses at = f > 0 ? poses_at(f) : begin();
    const Vec3 q = at.place(p);
    const double rest = (1 - f) * m;
    const DistanceField::Sample d = target_.find(q, rest + radius + 2 * tolerance_);
    const double gap = d.distance - radius;
    if (gap <= 2 * tolerance_) {
      first_->status = ImpactTime::Status::kImpact;
      first_->fraction = f;
      first_->distance = gap;
      first_->normal_W = normalized(at.target.R * (sign_ * d.gradient), Vec3{0, 1, 0});
      return;
    }
    if (!(m > 0)) return;
    f += (gap - tolerance_) / m;
  }
}

}  // namespace

ImpactTime calc_mesh_impact(const Shape& a, const ShapeMotion& motion_a, const Shape& b,
                            const ShapeMotion& motion_b, double target) {
  ImpactTime result;
  const double tolerance = target + kMeshTolerance * std::min(size(a), size(b));
  const MovingSide A{&a, &motion_a, norm(motion_a.rotation_W)};
  const MovingSide B{&b, &motion_b, norm(motion_b.rotation_W)};
  // outward from B is from B to A
  if (kind(a) != ShapeKind::kPlane) ImpactSearch(A, B, tolerance).run(result, -1);
  if (kind(b) != ShapeKind::kPlane) ImpactSearch(B, A, tolerance).run(result, 1);
  return result;
}

}  // namespace tenon::narrow
