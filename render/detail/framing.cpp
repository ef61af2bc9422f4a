#include "tenon/render/detail/framing.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/render/detail/poses.h"

namespace tenon::render {
namespace {

constexpr double kPictureHeight = 720;  // any: only the shape of the picture matters
constexpr double kFarStart = 30, kFarFlight = 6, kFarBall = 5, kFarJourney = 30;  // see frame_model

struct Extent {
  Aabb box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  bool empty() const { return box.lo.x > box.hi.x; }
  void add(const Ball& ball) {
    const Vec3 r{ball.radius, ball.radius, ball.radius};
    box = merge(box, {ball.p_WC - r, ball.p_WC + r});
  }
  double half_diagonal() const { return empty() ? 0 : 0.5 * norm(box.hi - box.lo); }
};

// The part as balls that its convex hull is in.
void add_part(const ModelPart& part, const Pose& X_WB, std::vector<Ball>& balls) {
  const Pose X_WP = X_WB * part.X_BP;
  if (part.marker) {
    balls.push_back({X_WP.p, 0});
  } else if (const auto* sphere = std::get_if<Sphere>(&part.shape)) {
    balls.push_back({X_WP.p, sphere->radius});
  } else if (const auto* capsule = std::get_if<Capsule>(&part.shape)) {
    for (const double end : {-1.0, 1.0})
      balls.push_back(
          {X_WP.p + rotate(X_WP.q, {0, end * capsule->half_length, 0}), capsule->radius});
  } else {
    const Aabb box = calc_bounds(part.shape, Transform{});
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 p{corner & 1 ? box.lo.x : box.hi.x, corner & 2 ? box.lo.y : box.hi.y,
                   corner & 4 ? box.lo.z : box.hi.z};
      balls.push_back({X_WP.p + rotate(X_WP.q, p), 0});
    }
  }
}

std::vector<Ball> collect(const Model& model, const BodyPoses& poses, bool moving) {
  std::vector<Ball> balls;
  for (size_t b = 0; b < model.bodies.size() && b < poses.size(); ++b) {
    if (model.bodies[b].moves != moving || !drawable(poses[b])) continue;
    for (const ModelPart& part : model.bodies[b].parts) add_part(part, poses[b], balls);
  }
  return balls;
}

std::vector<Framed::UpperSide> find_grounds(const Model& model, const BodyPoses& poses) {
  std::vector<Framed::UpperSide> grounds;
  for (size_t b = 0; b < model.bodies.size() && b < poses.size(); ++b) {
    for (const ModelPart& part : model.bodies[b].planes) {
      const Pose X_WP = poses[b] * part.X_BP;
      if (!drawable(X_WP)) continue;
      const Vec3 n = rotate(X_WP.q, {0, 1, 0});
      if (n.y > 0.1) grounds.push_back({n, dot(n, X_WP.p)});
    }
  }
  return grounds;
}

Vec3 median_point(std::span<const Ball> balls) {
  Vec3 middle;
  std::vector<double> values(balls.size());
  for (int axis = 0; axis < 3; ++axis) {
    for (size_t i = 0; i < balls.size(); ++i) values[i] = balls[i].p_WC[axis];
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), half, values.end());
    middle[axis] = *half;
  }
  return middle;
}

// Median distance of balls from a point.
double median_distance(std::span<const Ball> balls, const Vec3& from) {
  std::vector<double> distances;
  for (const Ball& ball : balls) distances.push_back(norm(ball.p_WC - from) + ball.radius);
  if (distances.empty()) return 0;
  const auto half = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), half, distances.end());
  return *half;
}

bool in_reach(const Ball& ball, const Vec3& middle, double limit) {
  return norm(ball.p_WC - middle) + ball.radius <= limit;
}

Extent extent_of(std::span<const Ball> balls) {
  Extent extent;
  for (const Ball& ball : balls) extent.add(ball);
  return extent;
}

// How far things may be away that count, from where they begin and are.
// `middles`: of each frame.
void find_limit(std::vector<Ball> first, std::span<const Ball> all, std::span<const Vec3> middles,
                Framed& framed) {
  if (all.empty()) return;
  if (!first.empty()) {
    const Vec3 middle = median_point(first);
    const double near = kFarStart * median_distance(first, middle);
    if (near > 0) std::erase_if(first, [&](const Ball& b) { return !in_reach(b, middle, near); });
  }
  framed.middle = median_point(all);
  const double size = extent_of(first).half_diagonal();
  framed.limit = std::max(kFarFlight * size, kFarBall * median_distance(all, framed.middle));
  // where most of what moves goes together it does not fly away from anything
  double journey = 0;
  for (const Vec3& m : middles) journey = std::max(journey, norm(m - framed.middle));
  if (journey <= kFarJourney * size) framed.limit = std::max(framed.limit, journey + 2 * size);
}

bool under_ground(const Framed& framed, const Ball& ball) {
  return std::any_of(framed.grounds.begin(), framed.grounds.end(), [&](const auto& g) {
    return dot(g.normal_W, ball.p_WC) + ball.radius < g.offset;
  });
}

bool counts(const Framed& framed, const Ball& ball) {
  return in_reach(ball, framed.middle, framed.limit) && !under_ground(framed, ball);
}

void measure(Framed& framed) {
  const Extent all = extent_of(framed.balls);
  framed.box = all.box;
  framed.extent = std::max(all.half_diagonal(), 1e-9);
}

// Where the automatic camera looks.
Vec3 direction(bool deep) { return deep ? Vec3{-1, -0.38, -0.5} : Vec3{-0.5, -0.38, -1}; }

}  // namespace

Framed frame_model(const Model& model, std::span<const BodyPoses> frames) {
  Framed framed;
  if (frames.empty()) return framed;
  std::vector<Ball> moving;
  std::vector<Vec3> middles;
  for (const BodyPoses& poses : frames) {
    const std::vector<Ball> more = collect(model, poses, true);
    if (!more.empty()) middles.push_back(median_point(more));
    moving.insert(moving.end(), more.begin(), more.end());
  }
  find_limit(collect(model, frames.front(), true), moving, middles, framed);
  framed.grounds = find_grounds(model, frames.front());
  std::erase_if(moving, [&](const Ball& ball) { return !counts(framed, ball); });
  const Extent about = extent_of(moving);
  framed.balls = moving;
  for (const Ball& ball : collect(model, frames.front(), false)) {
    if (about.empty() ||
        norm(ball.p_WC - center(about.box)) + ball.radius <= 2 * about.half_diagonal())
      framed.balls.push_back(ball);
  }
  if (framed.balls.empty()) framed.balls.push_back({{}, 1});  // a plane alone in its scene
  measure(framed);
  return framed;
}

Widening::Widening(const Model& model, Framed& framed, double aspect)
    : model_(model), framed_(framed) {
  for (const bool deep : {false, true}) {
    const View view =
        frame_balls(framed.balls, direction(deep), aspect * kPictureHeight, kPictureHeight);
    for (const auto& [axis, size] :
         {std::pair{view.right_W, view.width}, std::pair{view.up_W, view.height}}) {
      const double slope = 0.5 * size / view.focal_px;
      for (const double side : {-1.0, 1.0})
        edges_.push_back(
            {side * axis - slope * view.forward_W, std::sqrt(1 + slope * slope), -1e300});
    }
  }
  for (const Ball& ball : framed.balls) reaches_further(ball);
}

bool Widening::reaches_further(const Ball& ball) {
  bool further = false;
  for (Edge& edge : edges_) {
    const double reach = dot(edge.normal_W, ball.p_WC) + edge.stretch * ball.radius;
    if (!(reach > edge.reach)) continue;
    edge.reach = reach;
    further = true;
  }
  return further;
}

void Widening::add(const BodyPoses& poses) {
  std::vector<Ball> balls;
  for (size_t b = 0; b < model_.bodies.size() && b < poses.size(); ++b) {
    if (!model_.bodies[b].moves || !drawable(poses[b])) continue;
    balls.clear();
    for (const ModelPart& part : model_.bodies[b].parts) add_part(part, poses[b], balls);
    for (const Ball& ball : balls) {
      if (counts(framed_, ball) && reaches_further(ball)) framed_.balls.push_back(ball);
      const bool gone =
          !in_reach(ball, framed_.middle, framed_.limit) && !under_ground(framed_, ball);
      if (gone && (framed_.strays.empty() || framed_.strays.back() != b))
        framed_.strays.push_back(b);
    }
  }
}

void Widening::finish() {
  std::vector<size_t>& strays = framed_.strays;
  std::sort(strays.begin(), strays.end());
  strays.erase(std::unique(strays.begin(), strays.end()), strays.end());
  measure(framed_);
}

StageCamera automatic_camera(const Framed& framed, double aspect) {
  const Vec3 size = framed.box.hi - framed.box.lo;
  const bool deep = size.z > 1.3 * size.x;
  const View view =
      frame_balls(framed.balls, direction(deep), aspect * kPictureHeight, kPictureHeight);
  StageCamera camera;
  camera.name = "auto";
  camera.p_WE = view.p_WE;
  camera.right_W = view.right_W;
  camera.up_W = view.up_W;
  camera.forward_W = view.forward_W;
  camera.fov_rad = 2 * atan(0.5 * kPictureHeight / view.focal_px);
  camera.focus_m = std::max(dot(center(framed.box) - view.p_WE, view.forward_W), 1e-9);
  return camera;
}

double round_length(double length) {
  if (!(length > 0) || !std::isfinite(length)) return 1;
  double power = 1;
  while (power > length) power /= 10;
  while (10 * power <= length) power *= 10;
  for (const double step : {5.0, 2.0})
    if (step * power <= length) return step * power;
  return power;
}

}  // namespace tenon::render
