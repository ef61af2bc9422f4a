#include "tenon/render/trace/round_shapes.h"

namespace tenon::render {
namespace {

// A ball about (0, y, 0): |f + t d|^2 = r^2.
std::optional<Passage> pass_ball(float radius, float y, const V3& from, const V3& d) {
  const V3 f{from.x, from.y - y, from.z};
  const float a = dot(d, d), t = -dot(f, d) / a;
  // from the nearest point of the line, which keeps digits far from small balls
  const V3 nearest = f + t * d;
  const float rest = radius * radius - dot(nearest, nearest);
  if (!(rest >= 0)) return std::nullopt;
  const float s = std::sqrt(rest / a);
  return Passage{t - s, t + s};
}

// The endless cylinder: the same in x and z. A line along the axis is in it or out of it.
std::optional<Passage> pass_side(float radius, const V3& from, const V3& d) {
  const float a = d.x * d.x + d.z * d.z;
  if (!(a > 1e-12f * dot(d, d))) {
    if (from.x * from.x + from.z * from.z > radius * radius) return std::nullopt;
    return Passage{-1e30f, 1e30f};
  }
  const float t = -(from.x * d.x + from.z * d.z) / a;
  const float x = from.x + t * d.x, z = from.z + t * d.z;
  const float rest = radius * radius - x * x - z * z;
  if (!(rest >= 0)) return std::nullopt;
  const float s = std::sqrt(rest / a);
  return Passage{t - s, t + s};
}

// The slab |y| <= half.
std::optional<Passage> pass_slab(float half, const V3& from, const V3& d) {
  if (d.y == 0) {
    if (std::fabs(from.y) > half) return std::nullopt;
    return Passage{-1e30f, 1e30f};
  }
  const float a = (-half - from.y) / d.y, b = (half - from.y) / d.y;
  return Passage{std::min(a, b), std::max(a, b)};
}

}  // namespace

std::optional<Passage> find_passage(const RoundShape& shape, const V3& from, const V3& d) {
  std::optional<Passage> found;
  const auto side = pass_side(shape.radius, from, d), slab = pass_slab(shape.half, from, d);
  if (side && slab) {
    const Passage both{std::max(side->in, slab->in), std::min(side->out, slab->out)};
    if (both.in <= both.out) found = both;
  }
  if (!shape.capsule) return found;
  // convex: the union of what the line has in common with its parts is one piece
  for (const float end : {-shape.half, shape.half}) {
    const auto ball = pass_ball(shape.radius, end, from, d);
    if (!ball) continue;
    found = found ? Passage{std::min(found->in, ball->in), std::max(found->out, ball->out)} : *ball;
  }
  return found;
}

V3 round_normal(const RoundShape& shape, const V3& p) {
  if (shape.capsule) {
    const float y = std::clamp(p.y, -shape.half, shape.half);
    return unit({p.x, p.y - y, p.z});
  }
  const float across = std::sqrt(p.x * p.x + p.z * p.z);
  const bool end = shape.half - std::fabs(p.y) < shape.radius - across;
  return end ? V3{0, std::copysign(1.0f, p.y), 0} : unit({p.x, 0, p.z});
}

V3 worn_normal(const V3& half, const V3& p) {
  // relative to the smallest edge; real corners of planks and blocks are as round
  const float width = 0.10f * std::min({half.x, half.y, half.z});
  int face = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(p[i]) * half[face] > std::fabs(p[face]) * half[i]) face = i;
  const auto tilt = [&](int i) {
    const float inside = half[i] - std::fabs(p[i]);
    return std::copysign(i == face ? 1.0f : 0.7f * (1 - smooth_step(0, width, inside)), p[i]);
  };
  return unit({tilt(0), tilt(1), tilt(2)});
}

}  // namespace tenon::render
