// Perspective: from the world to the picture.
// The eye frame E has x to the right, y up and z *forward*, so z is the depth of a point. Pictures
// have x to the right and y down, in pixels, origin at the top left.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tenon/engine/math/transform.h"
#include "tenon/scene/document/document.h"

namespace tenon::render {

struct Point2 {
  double x = 0, y = 0;
  friend constexpr bool operator==(const Point2&, const Point2&) = default;
};
struct Box2 {
  Point2 lo{1e30, 1e30}, hi{-1e30, -1e30};  // empty
};
void extend(Box2& box, const Point2& p);

struct View {
  Vec3 p_WE;
  Vec3 right_W{1, 0, 0}, up_W{0, 1, 0}, forward_W{0, 0, -1};  // orthonormal
  double focal_px = 1000;                                     // pixels per unit of x/z
  double width = 1280, height = 720;                          // px
  double near = 1e-3;                                         // m, nothing nearer is drawn
};

// Any camera gives a proper view: degenerate directions fall back to others, fov is clamped.
View make_view(const scene::Camera& camera, double width, double height);

Vec3 to_eye(const View& view, const Vec3& p_W);
// Precondition: p_E.z > 0.
Point2 project(const View& view, const Vec3& p_E);

// The part of a convex polygon with dot(normal, p) >= offset; empty when nothing is left. One edge
// after the other, [Sutherland1974].
std::vector<Vec3> clip(std::span<const Vec3> polygon, const Vec3& normal, double offset);

// A convex polygon of the world in the picture: cut at the near plane and a little outside of the
// picture's edges, then projected. Empty when nothing of it is seen.
std::vector<Point2> project_polygon(const View& view, std::span<const Vec3> polygon_W);

// A sphere in the picture is an ellipse, long axis away from the picture's centre.
struct Ellipse {
  Point2 center;
  double a = 0, b = 0;  // px, semi-axes, a >= b
  Point2 axis{1, 0};    // unit, along a
};
// Nothing when the eye's plane cuts the sphere (its outline is then no ellipse).
std::optional<Ellipse> project_sphere(const View& view, const Vec3& p_WC, double radius);

struct Ball {
  Vec3 p_WC;
  double radius = 0;
};
// The nearest eye that looks along `forward` and has all balls in the picture with a margin.
View frame_balls(std::span<const Ball> balls, const Vec3& forward_W, double width, double height);

}  // namespace tenon::render
