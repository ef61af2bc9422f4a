#include "tenon/benchmarks/engines/penetration.h"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

constexpr double kHuge = 1e30;

// Distance of the segments a -+ u and b -+ v.
double calc_segment_distance(const Vec3& a, const Vec3& u, const Vec3& b, const Vec3& v) {
  // parameters -1 ... 1 along either
  const Vec3 w = a - b;
  const double uu = norm2(u), vv = norm2(v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
  const auto within = [](double x) { return std::clamp(x, -1.0, 1.0); };
  const double across = uu * vv - uv * uv;
  double s = across > 1e-14 ? within((uv * vw - vv * uw) / across) : 0;
  const double t = vv > 0 ? within((uv * s + vw) / vv) : 0;
  s = uu > 0 ? within((uv * t - uw) / uu) : 0;
  return norm(w + s * u - t * v);
}

double calc_box_overlap(const Mat3& R_WA, const Vec3& ha, const Mat3& R_WB, const Vec3& hb,
                        const Vec3& p_AB_W) {
  double least = kHuge;
  const auto test = [&](const Vec3& direction) {
    const double length = norm(direction);
    if (length < 1e-6) return;
    const double reach = dot(ha, cwise_abs(transpose_mul(R_WA, direction))) +
                         dot(hb, cwise_abs(transpose_mul(R_WB, direction)));
    least = std::min(least, (reach - std::fabs(dot(direction, p_AB_W))) / length);
  };
  for (int i = 0; i < 3; ++i) {
    test(R_WA.column(i));
    test(R_WB.column(i));
  }
  if (least <= 0) return least;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) test(cross(R_WA.column(i), R_WB.column(j)));
  }
  return least;
}

// A box and the segment c -+ u in its axes: depth of the segment in the box, or minus the distance.
double calc_segment_depth(const Vec3& half, const Vec3& c, const Vec3& u) {
  const auto distance2 = [&](double t) {
    const Vec3 out = cwise_abs(c + t * u) - half;
    return norm2(Vec3{std::max(out.x, 0.0), std::max(out.y, 0.0), std::max(out.z, 0.0)});
  };
  // convex in t: thirds
  double low = -1, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double third = (high - low) / 3;
    if (distance2(low + third) <= distance2(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  const double distance = std::sqrt(distance2(0.5 * (low + high)));
  if (distance > 1e-9) return -distance;
  double least = kHuge;
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    for (const Vec3& direction : {axis, cross(axis, u)}) {
      const double length = norm(direction);
      if (length < 1e-9) continue;
      const double reach = dot(half, cwise_abs(direction)) + std::fabs(dot(direction, u));
      least = std::min(least, (reach - std::fabs(dot(direction, c))) / length);
    }
  }
  return least;
}

}  // namespace

double calc_penetration(const SceneShape& a, const Pose& X_WA, const SceneShape& b,
                        const Pose& X_WB) {
  const bool a_is_box = a.kind == SceneShape::Kind::kBox;
  const bool b_is_box = b.kind == SceneShape::Kind::kBox;
  if (!a_is_box && b_is_box) return calc_penetration(b, X_WB, a, X_WA);
  const Vec3 u_W = rotate(X_WB.q, {0, 0, b.half.z});  // of a capsule
  const Vec3 p_AB_W = X_WB.p - X_WA.p;
  if (!a_is_box) {
    const Vec3 v_W = rotate(X_WA.q, {0, 0, a.half.z});
    return a.half.x + b.half.x - calc_segment_distance(X_WB.p, u_W, X_WA.p, v_W);
  }
  if (!b_is_box) {
    const Quat q_AW = conjugate(X_WA.q);
    return b.half.x + calc_segment_depth(a.half, rotate(q_AW, p_AB_W), rotate(q_AW, u_W));
  }
  return calc_box_overlap(to_matrix(X_WA.q), a.half, to_matrix(X_WB.q), b.half, p_AB_W);
}

PenetrationProbe::PenetrationProbe(const BenchScene& scene) : scene_(scene) {
  for (const SceneJoint& joint : scene.joints) joined_.insert(std::minmax(joint.a, joint.b));
}

bool PenetrationProbe::may_touch(size_t a, size_t b) const {
  if (scene_.bodies[a].mass == 0 && scene_.bodies[b].mass == 0) return false;
  return !joined_.contains(std::minmax(static_cast<int>(a), static_cast<int>(b)));
}

double PenetrationProbe::find_deepest(const std::vector<BodyReading>& now) const {
  struct Span {
    Vec3 low, high;
    size_t body;
  };
  std::vector<Span> spans;
  for (size_t i = 0; i < now.size(); ++i) {
    if (!scene_.bodies[i].collides) continue;
    const auto& [kind, half] = scene_.bodies[i].shape;
    const Mat3 R = to_matrix(now[i].X_WB.q);
    Vec3 reach = half.z * cwise_abs(R.column(2));
    if (kind == SceneShape::Kind::kBox) {
      reach += half.x * cwise_abs(R.column(0)) + half.y * cwise_abs(R.column(1));
    } else {
      reach += Vec3{half.x, half.x, half.x};
    }
    spans.push_back({now[i].X_WB.p - reach, now[i].X_WB.p + reach, i});
  }
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.low.x < b.low.x; });
  double deepest = 0;
  for (auto a = spans.begin(); a != spans.end(); ++a) {
    for (auto b = a + 1; b != spans.end() && b->low.x < a->high.x; ++b) {
      if (b->low.y > a->high.y || a->low.y > b->high.y) continue;
      if (b->low.z > a->high.z || a->low.z > b->high.z || !may_touch(a->body, b->body)) continue;
      const SceneBody &A = scene_.bodies[a->body], &B = scene_.bodies[b->body];
      deepest = std::max(deepest,
                         calc_penetration(A.shape, now[a->body].X_WB, B.shape, now[b->body].X_WB));
    }
  }
  return deepest;
}

}  // namespace tenon
