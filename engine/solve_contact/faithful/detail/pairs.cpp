#include "tenon/engine/solve_contact/faithful/detail/pairs.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/collision/narrow/collide_mesh.h"

namespace tenon::faithful::detail {
namespace {

double roughness_of(const Step& step, const ColliderPair& c) {
  return step.settings.roughness * std::min(step.colliders[c.a].size, step.colliders[c.b].size);
}

// Bounding spheres apart by more than `reach`?
bool far_apart(const Collider& a, const Transform& X_Wa, const Collider& b, const Transform& X_Wb,
               double reach) {
  const double together = a.radius + b.radius + reach;
  return norm2(X_Wa.p - X_Wb.p) > together * together;
}

Manifold collide_at(const Step& step, const ColliderPair& c, const PairPose& pose, double reach) {
  const Collider &a = step.colliders[c.a], &b = step.colliders[c.b];
  const Transform X_Wa = pose.X_Wa * a.X_CS, X_Wb = pose.X_Wb * b.X_CS;
  if (far_apart(a, X_Wa, b, X_Wb, reach)) {
    Manifold none;
    none.distance = std::numeric_limits<double>::infinity();
    return none;
  }
  return collide(*a.shape, X_Wa, *b.shape, X_Wb, reach);
}

// All patches of a pair; convex ones have one.
void collide_all_at(const Step& step, const ColliderPair& c, const PairPose& pose, double reach,
                    std::vector<Manifold>& patches) {
  const Collider &a = step.colliders[c.a], &b = step.colliders[c.b];
  const Transform X_Wa = pose.X_Wa * a.X_CS, X_Wb = pose.X_Wb * b.X_CS;
  patches.clear();
  if (!far_apart(a, X_Wa, b, X_Wb, reach))
    collide_all(*a.shape, X_Wa, *b.shape, X_Wb, reach, patches);
}

double margin_of(const Step& step, const ColliderPair& c) {
  return 2 * std::min(step.colliders[c.a].margin, step.colliders[c.b].margin);
}

void add_points(const Step& step, const BodyPair& pair, size_t index, const Manifold& m,
                std::vector<Touching>& points) {
  const ColliderPair& c = pair.colliders[index];
  const double roughness = roughness_of(step, c);
  for (size_t k = 0; k < static_cast<size_t>(m.count); ++k) {
    points.push_back({m.points[k].p_W, m.normal_W, m.points[k].distance, roughness, &c.material,
                      index, m.points[k].feature});
  }
}

// The shortest way out of an overlap may lead through the side of a body, or out of the back of a
// thin one, when the bodies came together elsewhere. Where they were apart at time n, that is known
// from there: the normal at which they came in is kept. Its distance is then that of time n and the
// way since.
void keep_entry_normal(const Step& step, BodyPair& pair, size_t index, const PairPose& next,
                       Manifold& m) {
  const Body &a = step.bodies[pair.a], &b = step.bodies[pair.b];
  const PairPose now{transform_of(a), transform_of(b)};
  if (pair.begin.size() <= index) pair.begin.resize(pair.colliders.size());
  Manifold& begin = pair.begin[index];
  if (begin.normal_W == Vec3{}) {
    const Vec3 way = (next.X_Wb.p - now.X_Wb.p) - (next.X_Wa.p - now.X_Wa.p);
    const ColliderPair& c = pair.colliders[index];
    begin = collide_at(step, c, now, margin_of(step, c) + 2 * norm(way));
  }
  if (begin.count == 0 || !(begin.distance > -roughness_of(step, pair.colliders[index]))) return;
  constexpr double kAgree = 0.7;  // cosine; about 45 degrees
  const Vec3& n = begin.normal_W;
  if (dot(n, m.normal_W) > kAgree) return;
  m.normal_W = n;
  m.distance = std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < static_cast<size_t>(m.count); ++k) {
    ContactPoint& point = m.points[k];
    const Vec3 way_a = point.p_W - now.X_Wa * inverse_mul(next.X_Wa, point.p_W);
    const Vec3 way_b = point.p_W - now.X_Wb * inverse_mul(next.X_Wb, point.p_W);
    point.distance = begin.distance + dot(n, way_b - way_a);
    m.distance = std::min(m.distance, point.distance);
  }
}

}  // namespace

std::vector<BodyPair> group_pairs(const Step& step, std::vector<ColliderPair>&& colliders) {
  const auto bodies = [&](const ColliderPair& c) {
    return std::pair(step.colliders[c.a].body, step.colliders[c.b].body);
  };
  for (ColliderPair& c : colliders) {
    if (bodies(c).first > bodies(c).second) std::swap(c.a, c.b);
  }
  std::sort(colliders.begin(), colliders.end(), [&](const ColliderPair& x, const ColliderPair& y) {
    return std::tuple(bodies(x), x.a, x.b) < std::tuple(bodies(y), y.a, y.b);
  });
  std::vector<BodyPair> pairs;
  for (const ColliderPair& c : colliders) {
    const auto [a, b] = bodies(c);
    if (a == b || (step.bodies[a].infinite && step.bodies[b].infinite)) continue;
    if (pairs.empty() || pairs.back().a != a || pairs.back().b != b) pairs.push_back({a, b, {}});
    pairs.back().colliders.push_back(c);
  }
  return pairs;
}

double find_distance(const Step& step, const BodyPair& pair, const PairPose& pose, double reach) {
  double least = std::numeric_limits<double>::infinity();
  for (const ColliderPair& c : pair.colliders) {
    least = std::min(least, collide_at(step, c, pose, reach).distance);
  }
  return least;
}

void find_touching(const Step& step, BodyPair& pair, std::vector<Touching>& points) {
  points.clear();
  const PairPose next{step.bodies[pair.a].next, step.bodies[pair.b].next};
  std::vector<Manifold> patches;
  bool overlap = !pair.sums.empty();
  for (size_t i = 0; i < pair.colliders.size(); ++i) {
    const ColliderPair& c = pair.colliders[i];
    collide_all_at(step, c, next, margin_of(step, c), patches);
    // patches of meshes keep to the side from which they look
    const bool single = !has_patches(*step.colliders[c.a].shape, *step.colliders[c.b].shape);
    for (Manifold& m : patches) {
      if (single && m.distance < 0) keep_entry_normal(step, pair, i, next, m);
      overlap = overlap || m.distance <= 0;
      add_points(step, pair, i, m, points);
    }
  }
  if (!overlap) points.clear();
}

void find_touching_now(const Step& step, BodyPair& pair, std::vector<Touching>& points) {
  points.clear();
  const PairPose now{transform_of(step.bodies[pair.a]), transform_of(step.bodies[pair.b])};
  std::vector<Manifold> patches;
  bool overlap = false;
  for (size_t i = 0; i < pair.colliders.size(); ++i) {
    const ColliderPair& c = pair.colliders[i];
    collide_all_at(step, c, now, margin_of(step, c), patches);
    for (const Manifold& m : patches) {
      overlap = overlap || m.distance < -roughness_of(step, c);
      add_points(step, pair, i, m, points);
    }
  }
  if (!overlap) points.clear();
}

}  // namespace tenon::faithful::detail
