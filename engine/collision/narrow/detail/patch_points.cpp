#include "tenon/engine/collision/narrow/detail/patch_points.h"

#include <limits>

namespace tenon::detail {
namespace {

// Grows with the angle of d from -pi to pi, without a transcendental function.
double pseudo_angle(const Vec2& d) {
  const double length = std::fabs(d.x) + std::fabs(d.y);
  if (!(length > 0)) return 0;
  const double t = d.x / length;  // 1 at angle 0, -1 at pi
  return d.y < 0 ? t - 1 : 1 - t;
}

}  // namespace

void PatchPoints::add_named(const Vec2& x, double zP, double zQ, uint16_t idP, uint16_t idQ) {
  const PatchPoint point =
      swapped_ ? PatchPoint{x, zQ, zP, idQ, idP} : PatchPoint{x, zP, zQ, idP, idQ};
  if (!(point.gap() <= limit_)) return;
  for (int i = 0; i < count_; ++i) {
    if (points_[i].order() == point.order()) return;
  }
  push(point, point.gap());
}

void PatchPoints::sort_by_name() {
  for (int i = 1; i < count_; ++i) {
    const PatchPoint moving = points_[i];
    int k = i;
    for (; k > 0 && points_[k - 1].order() > moving.order(); --k) points_[k] = points_[k - 1];
    points_[k] = moving;
  }
}

// `ring` lists the points around the patch. The area a point contributes is that of the triangle
// with its neighbours; a point inside the ring contributes less than nothing.
int PatchPoints::find_least_useful(const int* ring, int count, double floor) const {
  int best = -1, as_deep = 0;
  double least = 0;
  for (int k = 0; k < count; ++k) as_deep += points_[ring[k]].gap() <= floor;
  for (int k = 0; k < count; ++k) {
    const PatchPoint& point = points_[ring[k]];
    // the only point near the floor stays
    if (as_deep == 1 && point.gap() <= floor) continue;
    const Vec2 before = points_[ring[(k == 0 ? count : k) - 1]].x;
    const Vec2 after = points_[ring[k + 1 == count ? 0 : k + 1]].x;
    const double area = cross(point.x - before, after - before);
    const double tie = 1e-6 * norm2(after - before) + slop_ * slop_;
    const bool smaller =
        best < 0 || area < least - tie || (area <= least + tie && ring[k] > ring[best]);
    if (smaller) best = k, least = area;
  }
  return best;
}

void PatchPoints::reduce(int most) {
  if (count_ <= most) return;
  sort_by_name();
  find_least_gap();
  Vec2 centre{0, 0};
  for (int i = 0; i < count_; ++i) centre = centre + (1.0 / count_) * points_[i].x;
  int ring[kCapacity];
  double angle[kCapacity];
  for (int i = 0; i < count_; ++i) {
    const double a = pseudo_angle(points_[i].x - centre);
    int k = i;
    for (; k > 0 && angle[k - 1] > a; --k) ring[k] = ring[k - 1], angle[k] = angle[k - 1];
    ring[k] = i;
    angle[k] = a;
  }
  const double floor = least_gap_ + 0.1 * slop_;
  int left = count_;
  while (left > most) {
    const int drop = find_least_useful(ring, left, floor);
    --left;
    for (int k = drop; k < left; ++k) ring[k] = ring[k + 1];
  }
  bool keep[kCapacity] = {};
  for (int k = 0; k < left; ++k) keep[ring[k]] = true;
  int next = 0;
  for (int i = 0; i < count_; ++i) {
    if (keep[i]) points_[next++] = points_[i];
  }
  count_ = next;
  find_least_gap();
}

void PatchPoints::find_least_gap() {
  least_gap_ = std::numeric_limits<double>::infinity();
  for (int i = 0; i < count_; ++i) {
    least_gap_ = points_[i].gap() < least_gap_ ? points_[i].gap() : least_gap_;
  }
}

// Along the normal no point of A is higher than its witness point, at -distance / 2, and none of B
// lower than at distance / 2. A corner up to the slop outside of a face, on the face's plane, may
// seem to be: of a thin shape by much of its thickness.
void PatchPoints::lift_to(double distance) {
  const double zA = -0.5 * distance, zB = 0.5 * distance;
  // round-off decides for points that rest: no branches
  for (int i = 0; i < count_; ++i) {
    PatchPoint& p = points_[i];
    p.zA = p.zA < zA ? p.zA : zA;
    p.zB = p.zB > zB ? p.zB : zB;
  }
}

// The deepest point misses the distance by what counts as level only (and by round-off).
void PatchPoints::lower_deepest_to(double distance) {
  int deepest = 0;
  double least = points_[0].gap();
  for (int i = 1; i < count_; ++i) {
    const double gap = points_[i].gap();
    const bool deeper = gap < least;
    deepest = deeper ? i : deepest;
    least = deeper ? gap : least;
  }
  PatchPoint& p = points_[deepest];
  const double half = 0.5 * (least - distance);
  p.zA += half;
  p.zB -= half;
}

// Indices beyond 13 bits may collide: the later one moves on to the next free index.
void PatchPoints::make_names_unique() {
  for (int i = 1; i < count_; ++i) {
    for (int k = 0; k < i; ++k) {
      if (points_[k].order() != points_[i].order()) continue;
      points_[i].idA =
          static_cast<uint16_t>((points_[i].idA & 0xe000u) | ((points_[i].idA + 1u) & 0x1fffu));
      k = -1;
    }
  }
}

void PatchPoints::write(const PatchFrame& frame, double distance, Manifold& out) {
  lift_to(distance);
  reduce(Manifold::kMaxPoints);
  sort_by_name();
  make_names_unique();
  if (count_ > 0) lower_deepest_to(distance);
  out.count = count_;
  for (int i = 0; i < count_; ++i) {
    const PatchPoint& p = points_[i];
    out.points[i] = {frame.point(p.x, 0.5 * (p.zA + p.zB)), p.gap(), p.order()};
  }
}

}  // namespace tenon::detail
