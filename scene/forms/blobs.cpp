// Pieces of implicit surfaces and how they join.
//
// A bar from a to b with radii ra, rb: with t the clamped share of the way along it,
//   f(p) = |p - (a + t (b - a))| - (ra + t (rb - ra))                                  (1)
// An ellipsoid with half axes r, k0 = |p / r| and k1 = |p / r^2|:
//   f(p) = k0 (k0 - 1) / k1         zero on it, with unit gradient there              (2)
// A smooth minimum with blend k: w = clamp(1/2 + (f2 - f1) / (2 k), 0, 1),
//   f = w f1 + (1 - w) f2 - k w (1 - w),   grad f = w grad f1 + (1 - w) grad f2        (3)
// (the derivatives by w cancel inside the clamp). Source: the polynomial of [Quilez2013].
#include "tenon/scene/forms/blobs.h"

#include <algorithm>
#include <cmath>

namespace tenon::scene {
namespace {

FieldSample sample_bar(const Blob& s, const Vec3& p) {
  const Vec3 ab = s.b - s.a;
  const double length2 = norm2(ab);
  const double t = length2 > 0 ? std::clamp(dot(p - s.a, ab) / length2, 0.0, 1.0) : 0.0;
  const Vec3 d = p - (s.a + t * ab);
  const double distance = norm(d);
  Vec3 gradient = normalized(d);
  if (t > 0 && t < 1) gradient -= (s.rb - s.ra) / length2 * ab;
  return {distance - (s.ra + t * (s.rb - s.ra)), gradient};  // (1)
}

FieldSample sample_ellipsoid(const Blob& s, const Vec3& p) {
  const Vec3 d = p - s.a;
  const Vec3 q{d.x / s.b.x, d.y / s.b.y, d.z / s.b.z};
  const Vec3 q2{q.x / s.b.x, q.y / s.b.y, q.z / s.b.z};
  const double k0 = norm(q), k1 = norm(q2);
  if (!(k1 > 0)) return {-std::min({s.b.x, s.b.y, s.b.z}), {1, 0, 0}};
  // the derivative of k1 is left out: it is multiplied by k0 - 1, which is 0 where it matters
  return {k0 * (k0 - 1) / k1, (2 * k0 - 1) / (k0 * k1) * q2};  // (2)
}

FieldSample join(const FieldSample& f, const FieldSample& g, double k) {
  const double w = std::clamp(0.5 + (g.value - f.value) / (2 * k), 0.0, 1.0);
  return {w * f.value + (1 - w) * g.value - k * w * (1 - w),
          w * f.gradient + (1 - w) * g.gradient};  // (3)
}

FieldSample operator-(const FieldSample& f) { return {-f.value, -f.gradient}; }

}  // namespace

Blob bar(const Vec3& a, double ra, const Vec3& b, double rb, double blend) {
  return {.kind = Blob::Kind::kBar, .a = a, .b = b, .ra = ra, .rb = rb, .blend = blend};
}
Blob ball(const Vec3& centre, double radius, double blend) {
  return bar(centre, radius, centre, radius, blend);
}
Blob ellipsoid(const Vec3& centre, const Vec3& half_axes, double blend) {
  return {.kind = Blob::Kind::kEllipsoid, .a = centre, .b = half_axes, .blend = blend};
}
Blob hollow(Blob blob) {
  blob.taken_away = true;
  return blob;
}

BlobField::BlobField(std::vector<Blob> blobs) : blobs_(std::move(blobs)) {
  low_ = {1e300, 1e300, 1e300};
  high_ = -low_;
  for (const Blob& s : blobs_) {
    const bool is_bar = s.kind == Blob::Kind::kBar;
    const Vec3 centre = is_bar ? 0.5 * (s.a + s.b) : s.a;
    const double thick = std::max(s.ra, s.rb);
    bounds_.push_back({centre, is_bar ? norm(s.b - s.a) / 2 + thick : max_component(s.b)});
    if (s.taken_away) continue;
    // pieces that flow together swell by at most a quarter of the blend
    const Vec3 reach = is_bar ? Vec3{thick, thick, thick} : s.b;
    const Vec3 swell = reach + s.blend / 4 * Vec3{1, 1, 1};
    low_ = cwise_min(low_, (is_bar ? cwise_min(s.a, s.b) : s.a) - swell);
    high_ = cwise_max(high_, (is_bar ? cwise_max(s.a, s.b) : s.a) + swell);
  }
}

FieldSample BlobField::sample(const Vec3& p) const {
  FieldSample f{1e300, {1, 0, 0}};
  for (size_t i = 0; i < blobs_.size(); ++i) {
    const Blob& s = blobs_[i];
    // a piece that is further away than the rest by more than the blend has no part in it
    const double beyond = norm(p - bounds_[i].centre) - bounds_[i].radius;
    if (s.taken_away ? -beyond < f.value - s.blend : beyond > f.value + s.blend) continue;
    const FieldSample g = s.kind == Blob::Kind::kBar ? sample_bar(s, p) : sample_ellipsoid(s, p);
    f = s.taken_away ? -join(-f, g, s.blend) : join(f, g, s.blend);
  }
  return f;
}

}  // namespace tenon::scene
