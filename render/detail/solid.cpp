#include "tenon/render/detail/solid.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/support.h"
#include "tenon/render/detail/tessellate.h"

namespace tenon::render {
namespace {

constexpr double kMarker_px = 4;  // radius of the dot for a point mass or fixed point
// A part this deep in the ground (share of its size) is cut; resting contacts overlap less.
constexpr double kCutDepth = 0.03;

enum class Ground { kAbove, kCut, kHidden };

Ground place(const Canvas& canvas, const Shape& shape, const Transform& X_WS) {
  Ground result = Ground::kAbove;
  for (const HalfSpace& ground : canvas.grounds) {
    const Vec3 n_S = transpose_mul(X_WS.R, ground.normal_W);
    const double top = dot(ground.normal_W, X_WS * support(shape, n_S)) - ground.offset;
    const double bottom = dot(ground.normal_W, X_WS * support(shape, -n_S)) - ground.offset;
    if (top <= 0) return Ground::kHidden;
    if (bottom < -kCutDepth * size(shape)) result = Ground::kCut;
  }
  return result;
}

bool in_picture(const View& view, const Box2& box) {
  return box.lo.x < view.width && box.hi.x > 0 && box.lo.y < view.height && box.hi.y > 0;
}

// Twice the area, and false for facets too small to leave a mark.
bool visible(std::span<const Point2> outline) {
  double sum = 0;
  for (size_t i = 0; i < outline.size(); ++i) {
    const Point2 &a = outline[i], &b = outline[i + 1 == outline.size() ? 0 : i + 1];
    sum += a.x * b.y - b.x * a.y;
  }
  return outline.size() >= 3 && std::fabs(sum) > 0.04;
}

class PartDrawing {
 public:
  PartDrawing(Canvas& canvas, const ModelPart& part, const Shape& shape, const Transform& X_WS)
      : canvas_(canvas), part_(part), shape_(shape), X_WS_(X_WS) {
    light_ = canvas.lighting.at(X_WS.p);
  }

  std::optional<Item> draw(const std::string& attributes) {
    const Ground ground = place(canvas_, shape_, X_WS_);
    if (ground == Ground::kHidden) return std::nullopt;
    if (ground == Ground::kCut || !draw_round()) draw_mesh(ground);
    if (body_.empty() || !in_picture(canvas_.view, bounds_)) return std::nullopt;
    Item item;
    item.markup = "<g " + attributes + style() + ">" + body_ + "</g>\n";
    item.painted = {shape_, X_WS_, bounds_, to_eye(canvas_.view, X_WS_.p).z, 0, 0, false};
    // the order of painting is that of convex solids: a box about a mesh
    if (const auto* mesh = std::get_if<Mesh>(&shape_)) {
      const Aabb& box = mesh->geometry->bounds;
      item.painted.shape = Box{cwise_max(0.5 * (box.hi - box.lo), {1e-9, 1e-9, 1e-9})};
      item.painted.X_WS.p = X_WS_ * center(box);
      item.painted.depth = to_eye(canvas_.view, item.painted.X_WS.p).z;
    }
    return item;
  }

 private:
  bool transparent() const { return part_.surface.opacity < 1; }
  bool smooth() const {
    const ShapeKind k = kind(shape_);
    return k != ShapeKind::kBox && k != ShapeKind::kHull && k != ShapeKind::kMesh;
  }

  // facets get a hair line of their own colour, else the background shines through the seams;
  // through clear bodies the edges show
  std::string style() const {
    if (!transparent()) return "";
    const std::string alpha = " fill-opacity=\"" + fixed(part_.surface.opacity, 2) + "\"";
    return alpha +
           (smooth() ? " stroke=\"none\"" : " stroke-opacity=\".8\" color=\"" + rim() + "\"");
  }

  int sides() const {
    double radius = 0;
    if (const auto* s = std::get_if<Sphere>(&shape_)) radius = s->radius;
    if (const auto* s = std::get_if<Cylinder>(&shape_)) radius = s->radius;
    if (const auto* s = std::get_if<Capsule>(&shape_)) radius = s->radius;
    const double depth = std::max(to_eye(canvas_.view, X_WS_.p).z - radius, canvas_.view.near);
    return choose_sides(canvas_.view.focal_px * radius / depth);
  }

  // Spheres and capsules whole in front of the eye: discs, and the side of the capsule over them.
  // The side's facets that look at the eye end exactly where the caps come into sight.
  bool draw_round() {
    if (const auto* sphere = std::get_if<Sphere>(&shape_)) {
      const auto outline = project_sphere(canvas_.view, X_WS_.p, sphere->radius);
      if (outline) add_disc(*outline);
      return outline.has_value();
    }
    const auto* capsule = std::get_if<Capsule>(&shape_);
    if (capsule == nullptr || transparent()) return false;
    const Vec3 axis{0, capsule->half_length, 0};
    const auto a = project_sphere(canvas_.view, X_WS_ * axis, capsule->radius);
    const auto b = project_sphere(canvas_.view, X_WS_ * -axis, capsule->radius);
    if (!a || !b) return false;
    add_disc(*a);
    if (!(capsule->half_length > 0)) return true;
    add_disc(*b);
    draw_side(capsule->radius, capsule->half_length);
    return true;
  }

  // The side of a cylinder: one outline with a gradient across it where it is whole in the picture
  // and not seen along its axis, else facets.
  void draw_side(double radius, double half_length) {
    const std::vector<MeshFace> faces = tessellate_side(radius, half_length, sides());
    const size_t n = faces.size();
    // the facets that look at the eye follow one another
    const auto front = [&](size_t i) {
      const MeshFace& face = faces[i % n];
      return dot(X_WS_.R * face.normal, canvas_.view.p_WE - X_WS_ * face.points.front()) > 0;
    };
    size_t first = 0;
    while (first < n && !(front(first) && !front(first + n - 1))) ++first;
    std::vector<std::vector<Point2>> outlines;
    std::vector<scene::Color> colors;
    for (size_t i = first; i < first + n && front(i); ++i) {
      std::vector<Vec3> points;
      for (const Vec3& p_S : faces[i % n].points) points.push_back(X_WS_ * p_S);
      outlines.push_back(project_polygon(canvas_.view, points));
      const Vec3 sight = normalized(canvas_.view.p_WE - points.front());
      colors.push_back(shade(part_.surface, light_, X_WS_.R * faces[i % n].normal, sight));
    }
    if (!add_strip(outlines, colors))
      for (const MeshFace& face : faces) add_face(face, Ground::kAbove, Side::kFront);
  }

  // Outlines of neighbouring facets, each as lower, upper, next upper, next lower corner.
  bool add_strip(const std::vector<std::vector<Point2>>& outlines,
                 const std::vector<scene::Color>& colors) {
    if (outlines.size() < 4) return false;
    std::vector<Point2> outline, upper;
    for (const auto& facet : outlines) {
      if (facet.size() != 4) return false;
      outline.push_back(facet[0]);
      upper.push_back(facet[1]);
    }
    outline.push_back(outlines.back()[3]);
    upper.push_back(outlines.back()[2]);
    // across the axis, as the middle facet shows it
    const auto& middle = outlines[outlines.size() / 2];
    const Point2 axis{middle[1].x - middle[0].x, middle[1].y - middle[0].y};
    const double length = std::sqrt(axis.x * axis.x + axis.y * axis.y);
    const Point2 u{axis.y / length, -axis.x / length};
    const auto along = [&](const Point2& p) {
      return u.x * (p.x - middle[0].x) + u.y * (p.y - middle[0].y);
    };
    const double from = along(outline.front()), to = along(outline.back());
    if (!(length > 0.15 * std::fabs(to - from)) || !(std::fabs(to - from) > 6)) return false;
    std::vector<Gradients::Stop> stops;
    const size_t stride = std::max<size_t>(1, outlines.size() / 12);
    for (size_t i = 0; i < outlines.size(); i += stride) {
      const auto& f = outlines[i];
      const double at = 0.25 * (along(f[0]) + along(f[1]) + along(f[2]) + along(f[3]));
      const double share = std::clamp((at - from) / (to - from), 0.0, 1.0);
      if (!stops.empty() && share < stops.back().share) return false;
      stops.push_back({share, colors[i]});
    }
    const auto place_at = [&](double s) {
      return Point2{middle[0].x + s * u.x, middle[0].y + s * u.y};
    };
    outline.insert(outline.end(), upper.rbegin(), upper.rend());
    for (const Point2& p : outline) extend(bounds_, p);
    const std::string fill = canvas_.gradients.line(place_at(from), place_at(to), stops);
    body_ += "<path fill=\"" + fill + "\" stroke=\"" + fill + "\" d=\"" +
             path_data(outline, Ends::kClosed) + "\"/>";
    return true;
  }

  void draw_mesh(Ground ground) {
    std::vector<MeshFace> faces = tessellate(shape_, sides());
    const auto* cylinder = std::get_if<Cylinder>(&shape_);
    if (cylinder != nullptr && !transparent() && ground == Ground::kAbove) {
      draw_side(cylinder->radius, cylinder->half_height);
      faces.erase(faces.begin(), faces.end() - 2);  // the ends are left
    }
    if (kind(shape_) == ShapeKind::kMesh) sort_by_depth(faces);
    if (transparent())
      for (const MeshFace& face : faces) add_face(face, ground, Side::kBack);
    for (const MeshFace& face : faces) add_face(face, ground, Side::kFront);
  }

  // What is not convex hides parts of itself: the far faces first.
  void sort_by_depth(std::vector<MeshFace>& faces) const {
    const auto depth = [&](const MeshFace& face) {
      double sum = 0;
      for (const Vec3& p_S : face.points) sum += to_eye(canvas_.view, X_WS_ * p_S).z;
      return sum;
    };
    std::vector<std::pair<double, size_t>> order;
    for (size_t i = 0; i < faces.size(); ++i) order.emplace_back(-depth(faces[i]), i);
    std::sort(order.begin(), order.end());
    std::vector<MeshFace> sorted;
    for (const auto& entry : order) sorted.push_back(std::move(faces[entry.second]));
    faces = std::move(sorted);
  }

  void add_disc(const Ellipse& outline) {
    extend(bounds_, {outline.center.x - outline.a, outline.center.y - outline.a});
    extend(bounds_, {outline.center.x + outline.a, outline.center.y + outline.a});
    const std::string fill = outline.a < 1.5 || part_.marker
                                 ? hex(shade(part_.surface, light_, up(), up()))
                                 : canvas_.gradients.sphere(part_.surface, light_);
    std::string attributes = "fill=\"" + fill + "\"";
    if (transparent()) attributes += " stroke=\"" + rim() + "\" stroke-opacity=\".9\"";
    if (!transparent()) attributes += " stroke=\"none\"";
    body_ += ellipse_element(outline, attributes);
  }

  Vec3 up() const { return canvas_.view.up_W; }
  std::string rim() const { return hex(mix(part_.surface.color, {1, 1, 1}, 0.35)); }

  enum class Side { kFront, kBack };
  void add_face(const MeshFace& face, Ground ground, Side side) {
    Vec3 n_W = X_WS_.R * face.normal;
    const Vec3 sight = canvas_.view.p_WE - X_WS_ * face.points.front();
    if ((dot(n_W, sight) > 0) != (side == Side::kFront)) return;
    std::vector<Vec3> points;
    points.reserve(face.points.size());
    for (const Vec3& p_S : face.points) points.push_back(X_WS_ * p_S);
    if (ground == Ground::kCut)
      for (const HalfSpace& h : canvas_.grounds) points = clip(points, h.normal_W, h.offset);
    const std::vector<Point2> outline = project_polygon(canvas_.view, points);
    if (!visible(outline)) return;
    const std::string data = path_data(outline, Ends::kClosed);
    if (data.empty()) return;
    for (const Point2& p : outline) extend(bounds_, p);
    if (side == Side::kBack) n_W = -n_W;
    const scene::Color color = shade(part_.surface, light_, n_W, normalized(sight));
    const char* paint = transparent() ? "<path fill=\"" : "<path color=\"";
    body_ += paint + hex(color) + "\" d=\"" + data + "\"/>";
  }

  Canvas& canvas_;
  const ModelPart& part_;
  const Shape& shape_;
  Transform X_WS_;
  Illumination light_;
  Box2 bounds_;
  std::string body_;
};

}  // namespace

int choose_sides(double radius_px) {
  // a facet then stands back from the circle by a tenth of a pixel: r (1 - cos(pi/n)) = 0.1
  const double n = 7 * std::sqrt(std::clamp(radius_px, 0.0, 1000.0));
  return std::clamp(4 * static_cast<int>(n / 4), 8, 96);
}

std::optional<Item> draw_part(Canvas& canvas, const ModelPart& part, const Pose& X_WB,
                              const std::string& attributes) {
  const Pose X_WP = X_WB * part.X_BP;
  Transform X_WS = to_transform({X_WP.p, normalized(X_WP.q)});
  const double distance = norm(X_WS.p - canvas.view.p_WE);
  if (!is_finite(X_WP) || !(distance < kLargestLength)) return std::nullopt;
  if (!part.marker) return PartDrawing(canvas, part, part.shape, X_WS).draw(attributes);
  const double depth = to_eye(canvas.view, X_WS.p).z;
  if (!(depth > canvas.view.near)) return std::nullopt;
  const Shape dot_shape = Sphere{kMarker_px * depth / canvas.view.focal_px};
  return PartDrawing(canvas, part, dot_shape, X_WS).draw(attributes);
}

}  // namespace tenon::render
