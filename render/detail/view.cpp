#include "tenon/render/detail/view.h"

#include <algorithm>
#include <cmath>

namespace tenon::render {
namespace {

constexpr double kGuard_px = 40;  // polygons are cut this far outside of the picture

void aim(View& view, const Vec3& forward, const Vec3& up) {
  view.forward_W = normalized(forward, {0, 0, -1});
  Vec3 right = cross(view.forward_W, normalized(up, {0, 1, 0}));
  // looking along `up`
  if (norm(right) < 1e-9) right = any_orthogonal(view.forward_W);
  view.right_W = normalized(right);
  view.up_W = cross(view.right_W, view.forward_W);
}

double focal_of(double fov_rad, double height) {
  return 0.5 * height / tan(0.5 * std::clamp(fov_rad, 0.001, 3.1));
}

}  // namespace

void extend(Box2& box, const Point2& p) {
  box.lo = {std::min(box.lo.x, p.x), std::min(box.lo.y, p.y)};
  box.hi = {std::max(box.hi.x, p.x), std::max(box.hi.y, p.y)};
}

View make_view(const scene::Camera& camera, double width, double height) {
  View view;
  view.width = width;
  view.height = height;
  view.p_WE = camera.position;
  const Vec3 sight = camera.look_at - camera.position;
  aim(view, sight, camera.up);
  view.focal_px = focal_of(camera.fov, height);
  const double distance = norm(sight);
  view.near = 1e-3 * (distance > 0 && std::isfinite(distance) ? distance : 1.0);
  return view;
}

Vec3 to_eye(const View& view, const Vec3& p_W) {
  const Vec3 d = p_W - view.p_WE;
  return {dot(view.right_W, d), dot(view.up_W, d), dot(view.forward_W, d)};
}

Point2 project(const View& view, const Vec3& p_E) {
  const double s = view.focal_px / p_E.z;
  return {0.5 * view.width + s * p_E.x, 0.5 * view.height - s * p_E.y};
}

std::vector<Vec3> clip(std::span<const Vec3> polygon, const Vec3& normal, double offset) {
  std::vector<Vec3> kept;
  kept.reserve(polygon.size() + 1);
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &a = polygon[i], &b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const double da = dot(normal, a) - offset, db = dot(normal, b) - offset;
    if (da >= 0) kept.push_back(a);
    // the edge passes through the plane
    if ((da >= 0) != (db >= 0)) kept.push_back(a + (da / (da - db)) * (b - a));
  }
  if (kept.size() < 3) kept.clear();
  return kept;
}

std::vector<Point2> project_polygon(const View& view, std::span<const Vec3> polygon_W) {
  std::vector<Vec3> points;
  points.reserve(polygon_W.size());
  for (const Vec3& p_W : polygon_W) points.push_back(to_eye(view, p_W));
  const double sx = view.focal_px / (0.5 * view.width + kGuard_px);
  const double sy = view.focal_px / (0.5 * view.height + kGuard_px);
  const Vec3 sides[] = {{sx, 0, 1}, {-sx, 0, 1}, {0, sy, 1}, {0, -sy, 1}};
  const auto outside = [&](const Vec3& p) {
    return p.z < view.near ||
           std::any_of(
               std::begin(sides), std::end(sides), [&](const Vec3& n) { return dot(n, p) < 0; });
  };
  if (std::any_of(points.begin(), points.end(), outside)) {
    points = clip(points, {0, 0, 1}, view.near);
    for (const Vec3& n : sides) points = clip(points, n, 0);
  }
  std::vector<Point2> flat;
  flat.reserve(points.size());
  for (const Vec3& p : points) {
    const Point2 q = project(view, p);
    if (!std::isfinite(q.x) || !std::isfinite(q.y)) return {};
    flat.push_back(q);
  }
  return flat;
}

// The cone of rays that touch a sphere, cut by the picture plane z = 1.
// Notation: d distance of the centre, t its angle off the axis, s half the angle of the cone.
//   sin s = r / d,  D = cos^2 t - sin^2 s                              (1)
//   the section is an ellipse where D > 0 and the centre is in front   (2)
//   centre at sin t cos t / D along the direction of the sphere        (3)
//   a = sin s cos s / D,  b = sin s / sqrt(D)                          (4)
// from the half angles t - s and t + s of the section through the axis, and (4b) from the distance
// of the ellipse's centre to the cone across it.
std::optional<Ellipse> project_sphere(const View& view, const Vec3& p_WC, double radius) {
  const Vec3 c = to_eye(view, p_WC);
  const double d = norm(c);
  if (!(c.z - radius > view.near) || !std::isfinite(d)) return std::nullopt;
  const double across = std::sqrt(c.x * c.x + c.y * c.y);
  const double sin_s = radius / d, sin_t = across / d, cos_t = c.z / d;
  const double D = cos_t * cos_t - sin_s * sin_s;
  if (!(D > 1e-6)) return std::nullopt;
  Ellipse e;
  if (across > 0) e.axis = {c.x / across, -c.y / across};
  const double offset = view.focal_px * sin_t * cos_t / D;
  e.center = {0.5 * view.width + offset * e.axis.x, 0.5 * view.height + offset * e.axis.y};
  e.a = view.focal_px * sin_s * std::sqrt(1 - sin_s * sin_s) / D;
  e.b = view.focal_px * sin_s / std::sqrt(D);
  return e;
}

// All balls lie inside the four side planes of the frustum. With slopes s = half picture / focal
// and eye coordinates (x, y, z) relative to a trial eye, an eye at (ex, ey, ez) sees them when
//   ez s + ex <= min(s z + x - r sqrt(1 + s^2)) =: B,   ez s - ex <= min(s z - x - ...) =: A   (1)
// so the furthest forward is ez = (A + B) / (2 s), ex = (B - A) / 2, and the same for y; the
// smaller ez of the two directions serves both.
View frame_balls(std::span<const Ball> balls, const Vec3& forward_W, double width, double height) {
  View view;
  view.width = width;
  view.height = height;
  view.focal_px = focal_of(0.7, height);
  aim(view, forward_W, {0, 1, 0});
  if (balls.empty()) {
    view.p_WE = -5.0 * view.forward_W;
    return view;
  }
  view.p_WE = balls.front().p_WC;
  constexpr double kMargin = 0.9;  // of the picture is used
  Vec3 eye{0, 0, 1e300};
  for (int i = 0; i < 2; ++i) {
    const double s = kMargin * 0.5 * (i == 0 ? width : height) / view.focal_px;
    double A = 1e300, B = 1e300;
    for (const Ball& ball : balls) {
      const Vec3 p = to_eye(view, ball.p_WC);
      const double slack = ball.radius * std::sqrt(1 + s * s);
      A = std::min(A, s * p.z - p[i] - slack);
      B = std::min(B, s * p.z + p[i] - slack);
    }
    eye[i] = 0.5 * (B - A);
    eye.z = std::min(eye.z, 0.5 * (A + B) / s);
  }
  view.p_WE += eye.x * view.right_W + eye.y * view.up_W + eye.z * view.forward_W;
  double nearest = 1e300;
  for (const Ball& ball : balls)
    nearest = std::min(nearest, to_eye(view, ball.p_WC).z - ball.radius);
  view.near = std::max(0.1 * nearest, 1e-30);
  return view;
}

}  // namespace tenon::render
