#include "tenon/tests/unit/narrow/separation/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::reference {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3 to_local(const Transform& X, const Vec3& v) {
  return {dot(X.R.column(0), v), dot(X.R.column(1), v), dot(X.R.column(2), v)};
}

double local_support(const Shape& shape, const Vec3& u) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius * norm(u);
  if (const auto* s = std::get_if<Box>(&shape))
    return std::abs(u.x) * s->half.x + std::abs(u.y) * s->half.y + std::abs(u.z) * s->half.z;
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return s->radius * std::hypot(u.x, u.z) + s->half_height * std::abs(u.y);
  if (const auto* s = std::get_if<Capsule>(&shape))
    return s->radius * norm(u) + s->half_length * std::abs(u.y);
  if (const auto* s = std::get_if<Hull>(&shape)) {
    double best = -kInfinity;
    for (const Vec3& v : s->geometry->vertices) best = std::max(best, dot(u, v));
    return best;
  }
  return std::hypot(u.x, u.z) < 1e-9 && u.y > 0 ? 0 : kInfinity;
}

std::vector<Vec3> face_normals(const Shape& shape, const Transform& X) {
  std::vector<Vec3> normals;
  if (const auto* hull = std::get_if<Hull>(&shape)) {
    for (const auto& face : hull->geometry->faces) {
      const Vec3 n = X.R * face.normal;
      normals.push_back(n);
      normals.push_back(-n);
    }
    return normals;
  }
  for (int i = 0; i < 3; ++i) {
    normals.push_back(X.R.column(i));
    normals.push_back(-X.R.column(i));
  }
  return normals;
}

std::vector<Vec3> edge_directions(const Shape& shape, const Transform& X) {
  std::vector<Vec3> edges;
  if (const auto* hull = std::get_if<Hull>(&shape)) {
    for (const auto& edge : hull->geometry->edges)
      edges.push_back(X.R *
                      (hull->geometry->vertices[edge.v1] - hull->geometry->vertices[edge.v0]));
    return edges;
  }
  for (int i = 0; i < 3; ++i) edges.push_back(X.R.column(i));
  return edges;
}

// One round of the pattern search: six directions at an angle of `step`.
template <class Function>
bool improve(const Function& evaluate, double step, double gain, BestDirection& at) {
  const Vec3 t1 = any_orthogonal(at.n), t2 = cross(at.n, t1);
  constexpr double kCos[] = {1, 0.5, -0.5, -1, -0.5, 0.5};
  constexpr double kSin[] = {0, 0.8660254, 0.8660254, 0, -0.8660254, -0.8660254};
  BestDirection found = at;
  for (int i = 0; i < 6; ++i) {
    const Vec3 n = normalized(at.n + step * (kCos[i] * t1 + kSin[i] * t2));
    const double value = evaluate(n);
    if (value > found.separation) found = {n, value};
  }
  if (!(found.separation > at.separation + gain)) return false;
  at = found;
  return true;
}

void add_unit(const Vec3& v, std::vector<Vec3>& list) {
  const double length = norm(v);
  if (length > 1e-9) {
    list.push_back(v / length);
    list.push_back(v / -length);
  }
}

}  // namespace

double support_value(const Shape& shape, const Transform& X, const Vec3& origin_W, const Vec3& n) {
  return dot(n, X.p - origin_W) + local_support(shape, to_local(X, n));
}

double separation(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                  const Vec3& n) {
  return -support_value(b, X_WB, X_WA.p, -n) - support_value(a, X_WA, X_WA.p, n);
}

double outside(const Shape& shape, const Transform& X, const Vec3& p_W) {
  const Vec3 q = to_local(X, p_W - X.p);
  const double rho = std::hypot(q.x, q.z);
  if (const auto* s = std::get_if<Sphere>(&shape)) return norm(q) - s->radius;
  if (const auto* s = std::get_if<Box>(&shape)) return max_component(cwise_abs(q) - s->half);
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return std::max(rho - s->radius, std::abs(q.y) - s->half_height);
  if (const auto* s = std::get_if<Capsule>(&shape))
    return std::hypot(rho, std::max(0.0, std::abs(q.y) - s->half_length)) - s->radius;
  if (const auto* s = std::get_if<Hull>(&shape)) {
    double most = -kInfinity;
    for (const auto& face : s->geometry->faces)
      most = std::max(most, dot(face.normal, q) - face.offset);
    return most;
  }
  return q.y;
}

double width(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return 2 * s->radius;
  if (const auto* s = std::get_if<Box>(&shape))
    return 2 * std::min({s->half.x, s->half.y, s->half.z});
  if (const auto* s = std::get_if<Cylinder>(&shape)) return 2 * std::min(s->radius, s->half_height);
  if (const auto* s = std::get_if<Capsule>(&shape)) return 2 * s->radius;
  if (const auto* s = std::get_if<Hull>(&shape)) return s->geometry->width;
  return 1e9;
}

double length(const Shape& shape) {
  if (kind(shape) == ShapeKind::kPlane) return 1;
  double most = 0;
  for (int i = 0; i < 3; ++i) {
    Vec3 u;
    u[i] = 1;
    most = std::max(most, local_support(shape, u) + local_support(shape, -u));
  }
  return most;
}

std::vector<Vec3> candidate_directions(const Shape& a, const Transform& X_WA, const Shape& b,
                                       const Transform& X_WB) {
  std::vector<Vec3> list = face_normals(a, X_WA);
  for (const Vec3& n : face_normals(b, X_WB)) list.push_back(n);
  const std::vector<Vec3> edges_a = edge_directions(a, X_WA), edges_b = edge_directions(b, X_WB);
  if (edges_a.size() * edges_b.size() < 3000) {
    for (const Vec3& e : edges_a)
      for (const Vec3& f : edges_b) add_unit(cross(e, f), list);
  }
  const Vec3 between = X_WB.p - X_WA.p;
  add_unit(between, list);
  // radial directions of axes
  for (const Transform* X : {&X_WA, &X_WB}) {
    const Vec3 axis = X->R.column(1);
    add_unit(between - dot(between, axis) * axis, list);
  }
  return list;
}

BestDirection search_separation(const Shape& a, const Transform& X_WA, const Shape& b,
                                const Transform& X_WB, int samples) {
  std::vector<BestDirection> tried;
  const auto evaluate = [&](const Vec3& n) { return separation(a, X_WA, b, X_WB, n); };
  for (const Vec3& n : candidate_directions(a, X_WA, b, X_WB)) tried.push_back({n, evaluate(n)});
  // a spiral over the sphere
  for (int i = 0; i < samples; ++i) {
    const double y = 1 - (2 * i + 1.0) / samples, r = std::sqrt(1 - y * y),
                 phi = 2.399963229728653 * i;
    const Vec3 n{r * std::cos(phi), y, r * std::sin(phi)};
    tried.push_back({n, evaluate(n)});
  }
  const size_t starts = std::min<size_t>(4, tried.size());
  std::partial_sort(tried.begin(), tried.begin() + static_cast<long>(starts), tried.end(),
                    [](const auto& x, const auto& y) { return x.separation > y.separation; });
  // a gain below this is round-off; without the limit a search on a plateau walks for ever
  const double gain = 1e-10 * std::min(width(a), width(b));
  BestDirection best = tried[0];
  for (size_t k = 0; k < starts; ++k) {
    BestDirection at = tried[k];
    int left = 400;
    for (double step = 0.1; step > 1e-6 && left > 0; step *= 0.4) {
      while (left > 0 && improve(evaluate, step, gain, at)) left -= 6;
      left -= 6;
    }
    if (at.separation > best.separation) best = at;
  }
  return best;
}

}  // namespace tenon::reference
