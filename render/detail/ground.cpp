#include "tenon/render/detail/ground.h"

#include <algorithm>
#include <cmath>

#include "tenon/render/detail/tessellate.h"

namespace tenon::render {
namespace {

constexpr int kRings = 30;  // discs laid over one another make the fade
constexpr double kRingAlpha = 0.08;
constexpr double kReach = 3;  // of the radius of what is drawn

// 1, 2 or 5 times a power of ten, at most `size` (a positive number)
double nice_length(double size) {
  double power = 1;
  while (power > size) power /= 10;
  while (power * 10 <= size) power *= 10;
  for (const double factor : {5.0, 2.0})
    if (factor * power <= size) return factor * power;
  return power;
}

double fade(double distance, double reach) {
  const double s = std::clamp(1 - distance / reach, 0.0, 1.0);
  return s * (2 - s) * s;
}

std::string polygon(const View& view, std::span<const Vec3> points_W, const std::string& rest) {
  const std::string data = path_data(project_polygon(view, points_W), Ends::kClosed);
  return data.empty() ? "" : "<path d=\"" + data + "\"" + rest + "/>";
}

}  // namespace

std::string draw_ground(const Canvas& canvas, const GroundPatch& patch) {
  const View& view = canvas.view;
  const Vec3 n = patch.X_WP.R * Vec3{0, 1, 0};
  const Vec3 center_P = inverse_mul(patch.X_WP, patch.center_W);
  const double reach = kReach * patch.radius;
  const auto at = [&](double x, double z) { return patch.X_WP * Vec3{x, 0, z}; };
  Illumination light = canvas.lighting.at(at(center_P.x, center_P.z));
  // muted, so that the bodies stand out
  Surface muted = patch.surface;
  muted.color = mix(muted.color, {0.62, 0.62, 0.6}, 0.55);
  const scene::Color base = shade(muted, light, n, -view.forward_W);
  const scene::Color pale = mix(base, {1, 1, 1}, 0.45), dark = mix(base, {1, 1, 1}, 0.2);

  std::string text = "<g stroke=\"none\" fill=\"" + hex(pale) + "\" fill-opacity=\"" +
                     fixed(kRingAlpha, 2) + "\">\n";
  for (int k = kRings; k >= 1; --k) {
    std::vector<Vec3> ring;
    const double r = reach * k / kRings;
    for (int i = 0; i < 64; ++i)
      ring.push_back(at(center_P.x + r * cos(kPi * i / 32), center_P.z + r * sin(kPi * i / 32)));
    text += polygon(view, ring, "") + "\n";
  }
  text += "</g>\n<g stroke=\"none\" fill=\"" + hex(dark) + "\">\n";
  // squares stand on multiples of their size from the plane's origin
  const double cell = nice_length(reach / 12);
  const double i0 = std::floor((center_P.x - reach) / cell),
               j0 = std::floor((center_P.z - reach) / cell);
  const int count = static_cast<int>(2 * reach / cell) + 2;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      if (std::fmod(std::fabs(i0 + i + j0 + j), 2.0) != 0) continue;
      const double x = (i0 + i) * cell, z = (j0 + j) * cell;
      const double dx = x + 0.5 * cell - center_P.x, dz = z + 0.5 * cell - center_P.z;
      const double alpha = fade(std::sqrt(dx * dx + dz * dz), reach);
      if (alpha < 0.02) continue;
      const Vec3 square[] = {at(x, z), at(x, z + cell), at(x + cell, z + cell), at(x + cell, z)};
      text += polygon(view, square, " fill-opacity=\"" + fixed(alpha, 2) + "\"");
    }
  }
  return text + "</g>\n";
}

std::vector<Point2> hull_2d(std::vector<Point2> points) {
  std::sort(points.begin(), points.end(),
            [](const Point2& a, const Point2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  // lower chain left to right, then upper chain back (Andrew's monotone chain)
  std::vector<Point2> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const size_t first = hull.size();
    for (const Point2& p : points) {
      while (hull.size() >= first + 2) {
        const Point2 &a = hull[hull.size() - 2], &b = hull.back();
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();  // begins the other chain
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

std::string shadow_data(const Canvas& canvas, const HalfSpace& ground, const ModelPart& part,
                        const Pose& X_WB) {
  const Vec3 sun = canvas.lighting.sun_W(), n = ground.normal_W;
  const double fall = -dot(sun, n);
  if (part.marker || !(fall > 0.1)) return {};
  const Transform X_WS = to_transform(X_WB * part.X_BP);
  // plane coordinates
  const Vec3 u = any_orthogonal(n), v = cross(n, u);
  std::vector<Point2> shadows;
  double top = 0;
  for (const MeshFace& face : tessellate(part.shape, 12)) {
    for (const Vec3& p_S : face.points) {
      const Vec3 p_W = X_WS * p_S;
      const double height = std::max(0.0, dot(n, p_W) - ground.offset);
      const Vec3 s_W = p_W + (height / fall) * sun;
      top = std::max(top, height);
      shadows.push_back({dot(u, s_W), dot(v, s_W)});
    }
  }
  if (!(top > 0)) return {};
  std::vector<Vec3> outline;
  for (const Point2& p : hull_2d(std::move(shadows)))
    outline.push_back(p.x * u + p.y * v + ground.offset * n);
  return path_data(project_polygon(canvas.view, outline), Ends::kClosed);
}

}  // namespace tenon::render
