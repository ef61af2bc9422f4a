// How far a mesh is from another shape: the least distance of points of either to the other,
// by branch and bound over their samples.
//
// The nearest points of two polyhedra are a corner and a face or two edges that cross: one of them
// lies on a corner or an edge of either that is not hollow. Of those every point is near a sample,
//   |x - sample| <= sqrt(3) spacing                                                      (1)
// and distance changes by no more than the way: what is found is too large by that, at most.
#include <algorithm>
#include <array>
#include <cmath>

#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/engine/collision/narrow/mesh_search.h"
#include "tenon/engine/geometry/support.h"

namespace tenon {
namespace {

using narrow::Target;

constexpr double kRoot3 = 1.7320508075688772;

struct NearestOnMesh {
  double distance = 0;
  Vec3 normal_T{0, 1, 0};  // outward from the target
  Vec3 p_T{};              // midway
  bool found = false;
};

class DistanceSearch {
 public:
  DistanceSearch(const Target& target, const Transform& X_TS, double within)
      : target_(target), X_TS_(X_TS) {
    best_.distance = within;
  }

  void visit_all(const MeshSamples& samples) {
    const auto too_far = [&](const MeshSamples::Node& node) {
      const double within = best_.distance + node.radius + target_.error();
      return target_.calc_bound(X_TS_ * node.centre, within) > within;
    };
    visit_samples(samples, too_far, [&](int i) { visit(samples.points[i].p, 0); });
  }
  // A point of the prober with a radius around it.
  void visit(const Vec3& p_S, double radius) {
    const double within = best_.distance + radius;
    const DistanceField::Sample d = target_.find(X_TS_ * p_S, within);
    if (!(d.distance - radius < best_.distance)) return;
    const double gap = d.distance - radius;
    best_ = {gap, d.gradient, X_TS_ * p_S - (radius + 0.5 * gap) * d.gradient, true};
  }
  void visit_convex(const Shape& shape);
  const NearestOnMesh& best() const { return best_; }

 private:
  const Target& target_;
  Transform X_TS_;
  NearestOnMesh best_;
};

void DistanceSearch::visit_convex(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    visit({}, sphere->radius);
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    visit({0, capsule->half_length, 0}, capsule->radius);
    visit({0, -capsule->half_length, 0}, capsule->radius);
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    for (int k = 0; k < 8; ++k) {
      visit(cwise_mul({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0}, box->half), 0);
    }
  } else if (const auto* hull = std::get_if<Hull>(&shape)) {
    for (const Vec3& v : hull->geometry->vertices) visit(v, 0);
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    // the rim by circles that touch it from outside at its points: never too far away
    for (int k = 0; k < narrow::kRimPoints; ++k) {
      const Vec3 at = cylinder->radius * narrow::rim_direction(k);
      for (const double y : {-cylinder->half_height, cylinder->half_height})
        visit({at.x, y, at.z}, 0);
    }
  }
}

double error_of_probing(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape)) return kRoot3 * mesh->geometry->samples.spacing;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    return cylinder->radius * 3.15 / narrow::kRimPoints;
  }
  return 0;
}

}  // namespace

MeshDistance find_mesh_distance(const Shape& a, const Transform& X_WA, const Shape& b,
                                const Transform& X_WB, double max_distance) {
  const Target at_a(a, 0), at_b(b, 0);
  MeshDistance out;
  out.distance = max_distance;
  bool found = false;
  const auto look = [&](const Shape& prober, const Transform& X_WS, const Target& target,
                        const Transform& X_WT, double sign) {
    if (target.convex() && !std::holds_alternative<Mesh>(prober)) return;
    DistanceSearch search(target, inverse(X_WT) * X_WS, out.distance);
    if (const auto* mesh = std::get_if<Mesh>(&prober)) {
      search.visit_all(mesh->geometry->samples);
    } else {
      search.visit_convex(prober);
    }
    if (!search.best().found) return;
    found = true;
    out.distance = search.best().distance;
    out.p_W = X_WT * search.best().p_T;
    out.normal_W = normalized(X_WT.R * (sign * search.best().normal_T), {0, 1, 0});
  };
  // outward from B is from B to A
  look(a, X_WA, at_b, X_WB, -1);
  look(b, X_WB, at_a, X_WA, 1);
  out.error = std::max(error_of_probing(a), error_of_probing(b)) + at_a.error() + at_b.error();
  if (!found) out.distance = max_distance + std::max(1e-9 * max_distance, 1e-300);
  return out;
}

}  // namespace tenon
