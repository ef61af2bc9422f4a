// Polygons are cut by clipping ears [Eberly2002] in their mean plane, whose normal is the sum of
// the cross products of neighbouring corners (Newell's), twice the area long.
//
// Corners may be straight, coincide (bridges to holes run there and back along one line), and lie
// off the plane. Of all ears the best shaped one goes first: slivers along straight edges are left
// for the end, where most of them have found a better triangle. Ears of no area are the last
// resort.
#include "tenon/scene/mesh/detail/polygon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "tenon/engine/math/vec3.h"
#include "tenon/scene/forms/outline.h"

namespace tenon::scene::detail {
namespace {

using Corners = std::vector<int>;  // vertices of the polygon, in order

bool is_before(const Vec3& p, const Vec3& q) {
  if (p.x != q.x) return p.x < q.x;
  return p.y != q.y ? p.y < q.y : p.z < q.z;
}

class Polygon {
 public:
  Polygon(const std::vector<Vec3>& vertices, Corners corners) : corners_(std::move(corners)) {
    const size_t n = corners_.size();
    // from the first place in space, so that round-off does not depend on the file's first corner
    for (size_t i = 0; i < n; ++i) places_.push_back(vertices[static_cast<size_t>(corners_[i])]);
    const auto least = std::min_element(places_.begin(), places_.end(), is_before);
    const auto shift = least - places_.begin();
    std::rotate(places_.begin(), least, places_.end());
    std::rotate(corners_.begin(), corners_.begin() + shift, corners_.end());
    first_ = (n - static_cast<size_t>(shift)) % n;
    project();
  }

  size_t size() const { return corners_.size(); }
  bool has_area() const { return has_area_; }
  // No plane is near all of its corners.
  bool is_bent() const { return is_bent_; }

  // Left turns only, and once round.
  bool is_convex() const {
    size_t changes = 0;
    const size_t n = size();
    for (size_t i = 0; i < n; ++i) {
      if (side(i, (i + 1) % n, (i + 2) % n) < 0) return false;
      changes += goes_right(i, (i + 1) % n) != goes_right((i + 1) % n, (i + 2) % n);
    }
    return changes <= 2;
  }

  // Triangles without area in the fan about the file's first corner.
  size_t count_flat_slices() const {
    size_t flat = 0;
    const size_t n = size();
    for (size_t i = 1; i + 1 < n; ++i)
      flat += side(first_, (first_ + i) % n, (first_ + i + 1) % n) == 0;
    return flat;
  }

  bool crosses_itself() const {
    const size_t n = size();
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = i + 2; j < n; ++j)
        if (cross_at(i, (i + 1) % n, j, (j + 1) % n, slack_)) return true;
    }
    return false;
  }

  // 1 left, -1 right, 0 straight on (as far as the numbers tell, or within the slack).
  int side(size_t a, size_t b, size_t c, double slack = 0) const {
    const Point2 &p = points_[a], &q = points_[b], &r = points_[c];
    const double area = turn(p, q, r);
    const double ahead = std::abs(q.x - p.x) + std::abs(q.y - p.y);
    const double sure =
        least_ * (ahead + std::abs(r.x - p.x) + std::abs(r.y - p.y)) + slack * ahead;
    return area > sure ? 1 : area < -sure ? -1 : 0;
  }
  // Whether segments ab and pq pass through one another: touching does not count.
  bool cross_at(size_t a, size_t b, size_t p, size_t q, double slack = 0) const {
    const auto apart = [](double u, double v, double x, double y) {
      return std::max(u, v) < std::min(x, y) || std::max(x, y) < std::min(u, v);
    };
    const Point2 &A = points_[a], &B = points_[b], &P = points_[p], &Q = points_[q];
    if (apart(A.x, B.x, P.x, Q.x) || apart(A.y, B.y, P.y, Q.y)) return false;
    return side(a, b, p, slack) * side(a, b, q, slack) < 0 &&
           side(p, q, a, slack) * side(p, q, b, slack) < 0;
  }

  const Point2& point(size_t i) const { return points_[i]; }
  const Vec3& place(size_t i) const { return places_[i]; }
  int corner(size_t i) const { return corners_[i]; }

 private:
  void project() {
    const size_t n = size();
    const Vec3 origin = places_[0];
    Vec3 newell, largest;
    double span2 = 0, far = 0;
    for (size_t i = 0; i < n; ++i) {
      const Vec3 here = places_[i] - origin, next = places_[(i + 1) % n] - origin;
      const Vec3 area = cross(here, next);
      newell += area;
      if (norm2(area) > norm2(largest)) largest = area;
      span2 = std::max(span2, norm2(here));
      far = std::max(far, max_component(cwise_max(places_[i], -places_[i])));
    }
    // a figure of eight has no area in the sum, and yet a plane
    has_area_ = norm(newell) > 1e-12 * span2;
    const Vec3 normal = normalized(has_area_ ? newell : largest, Vec3{0, 0, 1});
    const double ax = std::abs(normal.x), ay = std::abs(normal.y), az = std::abs(normal.z);
    const Vec3 axis = ax <= ay && ax <= az ? Vec3{1, 0, 0}
                      : ay <= az           ? Vec3{0, 1, 0}
                                           : Vec3{0, 0, 1};
    const Vec3 u = normalized(cross(axis, normal), Vec3{1, 0, 0}), v = cross(normal, u);
    double low = 0, high = 0;
    for (const Vec3& p : places_) {
      points_.push_back({dot(p - origin, u), dot(p - origin, v)});
      low = std::min(low, dot(p - origin, normal));
      high = std::max(high, dot(p - origin, normal));
    }
    is_bent_ = high - low > kBent * std::sqrt(span2);
    // what the last digits of the coordinates may move a point by
    least_ = 4e-15 * far;
    // what single precision may make of a corner that touches an edge
    slack_ = 1e-6 * std::sqrt(span2);
  }

  static constexpr double kBent = 0.1;  // of its size, from one side of the plane to the other

  bool goes_right(size_t from, size_t to) const {
    const double x = points_[to].x - points_[from].x, y = points_[to].y - points_[from].y;
    return std::abs(x) > 1e-9 * (std::abs(x) + std::abs(y)) ? x > 0 : y > 0;
  }

  Corners corners_;
  std::vector<Vec3> places_;
  std::vector<Point2> points_;
  size_t first_ = 0;              // the corner that the file names first
  double least_ = 0, slack_ = 0;  // m
  bool has_area_ = false, is_bent_ = false;
};

class Ears {
 public:
  explicit Ears(const Polygon& polygon)
      : polygon_(polygon),
        next_(polygon.size()),
        before_(polygon.size()),
        worth_(polygon.size()),
        gone_(polygon.size(), 0) {
    for (size_t i = 0; i < next_.size(); ++i) {
      next_[i] = (i + 1) % next_.size();
      before_[next_[i]] = i;
    }
  }

  // False: no ear is left where one should be.
  bool run() {
    weigh_all();
    int rounds = 0;
    for (size_t left = next_.size(); left > 2; --left) {
      size_t best = find_best();
      // clipping changes the worth of neighbours, and now and then frees others
      if (worth_[best] <= 0 && ++rounds <= kMostRounds) {
        weigh_all();
        best = find_best();
      }
      if (worth_[best] < 0) return false;
      clip(best);
    }
    return true;
  }

  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
  size_t flat() const { return flat_; }  // triangles without area

 private:
  void weigh_all() {
    for (size_t i = 0; i < worth_.size(); ++i)
      if (!gone_[i]) worth_[i] = weigh(i);
  }

  size_t find_best() const {
    size_t best = worth_.size();
    for (size_t i = 0; i < worth_.size(); ++i) {
      if (!gone_[i] && (best == worth_.size() || worth_[i] > worth_[best])) best = i;
    }
    return best;
  }

  void clip(size_t b) {
    const size_t a = before_[b], c = next_[b];
    triangles_.push_back({polygon_.corner(a), polygon_.corner(b), polygon_.corner(c)});
    flat_ += worth_[b] <= 0;
    gone_[b] = 1;
    next_[a] = c;
    before_[c] = a;
    worth_[a] = weigh(a);
    worth_[c] = weigh(c);
  }

  // How well shaped the ear at b is, above 0; 0 where it has no area, -1 where b is no ear.
  double weigh(size_t b) const {
    const size_t a = before_[b], c = next_[b];
    const int bend = polygon_.side(a, b, c);
    if (bend <= 0) return bend == 0 ? 0 : -1;
    if (next_[c] != a && !is_inside(a, b, c)) return -1;
    const Point2 &A = polygon_.point(a), &B = polygon_.point(b), &C = polygon_.point(c);
    const auto length2 = [](const Point2& p, const Point2& q) {
      return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
    };
    return turn(A, B, C) / (length2(A, B) + length2(B, C) + length2(C, A));
  }

  // Whether the edge from c back to a runs within the polygon, and nothing lies in the ear.
  bool is_inside(size_t a, size_t b, size_t c) const {
    const Polygon& p = polygon_;
    if (p.side(before_[a], a, b) > 0 && p.side(before_[a], a, c) < 0) return false;
    if (p.side(b, c, next_[c]) > 0 && p.side(c, next_[c], a) < 0) return false;
    const Point2 &A = p.point(a), &B = p.point(b), &C = p.point(c);
    const double left = std::min({A.x, B.x, C.x}), right = std::max({A.x, B.x, C.x});
    const double low = std::min({A.y, B.y, C.y}), high = std::max({A.y, B.y, C.y});
    for (size_t k = next_[c]; k != a; k = next_[k]) {
      const Point2& K = p.point(k);
      if (next_[k] != a && p.cross_at(a, c, k, next_[k])) return false;
      if (K.x < left || K.x > right || K.y < low || K.y > high) continue;
      if (K == A || K == B || K == C) continue;
      if (p.side(a, b, k) >= 0 && p.side(b, c, k) >= 0 && p.side(c, a, k) >= 0) return false;
    }
    return true;
  }

  static constexpr int kMostRounds = 20;  // n^2 steps each

  const Polygon& polygon_;
  std::vector<size_t> next_, before_;
  std::vector<double> worth_;
  std::vector<char> gone_;
  std::vector<std::array<int, 3>> triangles_;
  size_t flat_ = 0;
};

// Quads that may stay fans without a closer look: most of them have four corners that clearly turn
// left; and those that are bent have no plane to be cut in, and are what other programs make of
// them: fans. Flat ones come with errors of some digits less than these.
bool is_plain_quad(const MeshData& mesh, const std::array<int, 3>& a, const std::array<int, 3>& b) {
  constexpr double kBent = 1e-3;  // of its longer diagonal
  const auto at = [&](int v) { return mesh.vertices[static_cast<size_t>(v)]; };
  const Vec3 p[] = {at(a[0]), at(a[1]), at(a[2]), at(b[2])};
  const Vec3 across = p[2] - p[0], other = p[3] - p[1];
  const Vec3 normal = normalized(cross(across, other), Vec3{});
  if (std::abs(dot(p[1] - p[0], normal)) > kBent * std::max(norm(across), norm(other))) {
    return true;
  }
  for (size_t i = 0; i < 4; ++i) {
    const Vec3 in = p[(i + 1) % 4] - p[i], out = p[(i + 2) % 4] - p[(i + 1) % 4];
    if (!(dot(cross(in, out), normal) > 1e-6 * norm(in) * norm(out))) return false;
  }
  return true;
}

}  // namespace

PolygonCut cut_polygon(MeshData& mesh, size_t first, size_t count) {
  const auto fan = mesh.triangles.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = fan + static_cast<std::ptrdiff_t>(count);
  if (count < 2 || (count == 2 && is_plain_quad(mesh, fan[0], fan[1]))) return PolygonCut::kDone;
  Corners corners{(*fan)[0], (*fan)[1]};
  for (auto t = fan; t != end; ++t) corners.push_back((*t)[2]);
  const Polygon polygon(mesh.vertices, std::move(corners));
  if (polygon.is_bent()) return PolygonCut::kDone;
  const bool convex = polygon.has_area() && polygon.is_convex();
  const size_t flat = convex ? polygon.count_flat_slices() : 0;
  if (convex && (flat == 0 || polygon.size() > kMostConcaveCorners)) return PolygonCut::kDone;
  if (polygon.size() > kMostConcaveCorners) return PolygonCut::kTooMany;
  if (!convex && polygon.crosses_itself()) return PolygonCut::kCrossed;
  if (!polygon.has_area()) return PolygonCut::kDone;
  Ears ears(polygon);
  if (!ears.run()) return convex ? PolygonCut::kDone : PolygonCut::kCrossed;
  if (!convex || ears.flat() < flat)
    std::copy(ears.triangles().begin(), ears.triangles().end(), fan);
  return PolygonCut::kDone;
}

void CrossedPolygons::add(const std::string& place) {
  constexpr size_t kPlaces = 5;
  if (++count_ <= kPlaces) places_ += (places_.empty() ? "" : ", ") + place;
  if (count_ == kPlaces + 1) places_ += ", ...";
}

void CrossedPolygons::tell(MeshData& mesh) const {
  if (count_ == 0) return;
  mesh.remarks.push_back((count_ == 1
                              ? "a polygon passes through itself"
                              : std::to_string(count_) + " polygons pass through themselves") +
                         (" and cannot be cut into triangles that fill it: " + places_));
}

}  // namespace tenon::scene::detail
