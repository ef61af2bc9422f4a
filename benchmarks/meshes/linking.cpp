#include "tenon/benchmarks/meshes/linking.h"

#include <cmath>
#include <cstdlib>

#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(b - a, cross(c - a, d - a));
}

// Whether the segment pq passes through the triangle abc: +-1 by its direction.
int passes(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  const double before = volume(p, a, b, c), after = volume(q, a, b, c);
  if ((before < 0) == (after < 0)) return 0;
  const double u = volume(p, q, a, b), v = volume(p, q, b, c), w = volume(p, q, c, a);
  if ((u < 0) != (v < 0) || (v < 0) != (w < 0)) return 0;
  return before < after ? 1 : -1;
}

Vec3 middle_of(const Curve& curve) {
  Vec3 sum;
  for (const Vec3& p : curve) sum += p;
  return sum / static_cast<double>(curve.size());
}

}  // namespace

int calc_linking(const Curve& a, const Curve& b) {
  const Vec3 middle = middle_of(b);
  int number = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t k = 0; k < b.size(); ++k) {
      number += passes(a[i], a[(i + 1) % a.size()], middle, b[k], b[(k + 1) % b.size()]);
    }
  }
  return number;
}

std::vector<Link> find_links(const std::vector<Curve>& curves) {
  struct Ball {
    Vec3 centre;
    double radius;
  };
  std::vector<Ball> balls;
  for (const Curve& curve : curves) {
    Ball ball{middle_of(curve), 0};
    for (const Vec3& p : curve) ball.radius = std::fmax(ball.radius, norm(p - ball.centre));
    balls.push_back(ball);
  }
  std::vector<Link> links;
  for (size_t i = 0; i < curves.size(); ++i) {
    for (size_t j = i + 1; j < curves.size(); ++j) {
      if (norm(balls[i].centre - balls[j].centre) > balls[i].radius + balls[j].radius) continue;
      const int number = calc_linking(curves[i], curves[j]);
      if (number != 0) links.push_back({static_cast<int>(i), static_cast<int>(j), number});
    }
  }
  return links;
}

int calc_winding(const Curve& curve, double x, double z) {
  double angle = 0;
  for (size_t i = 0; i < curve.size(); ++i) {
    const Vec3 p = curve[i] - Vec3{x, 0, z}, q = curve[(i + 1) % curve.size()] - Vec3{x, 0, z};
    angle += atan2(p.x * q.z - p.z * q.x, p.x * q.x + p.z * q.z);
  }
  return static_cast<int>(std::lround(angle / (2 * kPi)));
}

std::vector<Curve> ring_curves(const scene::BuiltScene& scene, const std::string& prefix) {
  std::vector<Curve> curves;
  for (size_t i = 0; i < scene.names.size(); ++i) {
    if (scene.names[i].rfind(prefix, 0) != 0) continue;
    if (scene.names[i].back() == '0') curves.emplace_back();
    curves.back().push_back(scene.world.pose(scene.handles[i]).p);
    // the joint behind it is where the next link begins
    const JointDef* joint = nullptr;
    for (size_t k = 0; k < scene.joint_names.size(); ++k) {
      if (scene.joint_names[k] == scene.names[i])
        joint = &scene.world.joint_def(scene.joint_handles[k]);
    }
    if (joint != nullptr) {
      curves.back().push_back((scene.world.pose(joint->parent) * joint->X_BP).p);
    }
  }
  return curves;
}

}  // namespace tenon
