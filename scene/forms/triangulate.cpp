// Triangles of a region with holes: holes are tied to the outline by bridges, ears are clipped, and
// edges are flipped until every one is Delaunay.
// Source: [Eberly2002] for bridges and ears, [Lawson1977] for flips.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "tenon/scene/forms/outline.h"

namespace tenon::scene {
namespace {

using Triangle = std::array<int, 3>;

const Point2& at(const std::vector<Point2>& points, int i) {
  return points[static_cast<size_t>(i)];
}

double distance2(const Point2& a, const Point2& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

// Whether open segments pq and ab cross, or a point of one lies on the other.
bool meets(const Point2& p, const Point2& q, const Point2& a, const Point2& b) {
  if (p == a || p == b || q == a || q == b) return false;
  const double s1 = turn(p, q, a), s2 = turn(p, q, b), s3 = turn(a, b, p), s4 = turn(a, b, q);
  return s1 * s2 <= 0 && s3 * s4 <= 0;
}

bool is_clear(const std::vector<Point2>& points, const Region& loops, int from, int to) {
  for (const Loop& loop : loops) {
    for (size_t i = 0; i < loop.size(); ++i) {
      const int a = loop[i], b = loop[(i + 1) % loop.size()];
      if (meets(at(points, from), at(points, to), at(points, a), at(points, b))) return false;
    }
  }
  return true;
}

// Whether the diagonal from corner i of the loop to p starts into the inside.
bool opens_to(const std::vector<Point2>& points, const Loop& loop, size_t i, const Point2& p) {
  const Point2& a = at(points, loop[(i + loop.size() - 1) % loop.size()]);
  const Point2& b = at(points, loop[i]);
  const Point2& c = at(points, loop[(i + 1) % loop.size()]);
  const bool left_of_ab = turn(a, b, p) > 0, left_of_bc = turn(b, c, p) > 0;
  return turn(a, b, c) > 0 ? left_of_ab && left_of_bc : left_of_ab || left_of_bc;
}

// One loop that runs along the outline and, over bridges, round every hole.
Loop join_holes(const std::vector<Point2>& points, Region region) {
  // from right to left: each hole then sees the outline or a hole that is tied to it already
  for (size_t h = 1; h < region.size(); ++h) {
    Loop& hole = region[h];
    const auto right = [&](int a, int b) { return at(points, a).x < at(points, b).x; };
    std::rotate(hole.begin(), std::max_element(hole.begin(), hole.end(), right), hole.end());
  }
  std::sort(region.begin() + 1, region.end(),
            [&](const Loop& a, const Loop& b) { return at(points, a[0]).x > at(points, b[0]).x; });
  while (region.size() > 1) {
    const Loop hole = region[1];
    Loop& loop = region[0];
    const Point2 p = at(points, hole[0]);
    std::vector<size_t> near(loop.size());
    for (size_t i = 0; i < near.size(); ++i) near[i] = i;
    std::sort(near.begin(), near.end(), [&](size_t a, size_t b) {
      const double da = distance2(at(points, loop[a]), p), db = distance2(at(points, loop[b]), p);
      return da != db ? da < db : a < b;
    });
    size_t best = near[0];
    for (const size_t i : near) {
      if (!opens_to(points, loop, i, p) || !is_clear(points, region, hole[0], loop[i])) continue;
      best = i;
      break;
    }
    Loop joined(loop.begin(), loop.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    joined.insert(joined.end(), hole.begin(), hole.end());
    joined.push_back(hole[0]);
    joined.insert(joined.end(), loop.begin() + static_cast<std::ptrdiff_t>(best), loop.end());
    loop = std::move(joined);
    region.erase(region.begin() + 1);
  }
  return region[0];
}

class EarClipper {
 public:
  EarClipper(const std::vector<Point2>& points, Loop loop)
      : points_(points), loop_(std::move(loop)), next_(loop_.size()), before_(loop_.size()) {
    for (size_t i = 0; i < loop_.size(); ++i) {
      next_[i] = (i + 1) % loop_.size();
      before_[next_[i]] = i;
    }
  }

  std::vector<Triangle> run() {
    std::vector<Triangle> triangles;
    size_t left = loop_.size(), i = 0, since = 0;
    while (left > 3) {
      // after a round without an ear, round-off is in the way: take any corner that turns left
      const bool ear = since > left ? is_left(i) || since > 2 * left : is_ear(i);
      if (!ear) {
        i = next_[i];
        ++since;
        continue;
      }
      triangles.push_back({loop_[before_[i]], loop_[i], loop_[next_[i]]});
      next_[before_[i]] = next_[i];
      before_[next_[i]] = before_[i];
      // the ear after next: slices of a fan are thin
      i = next_[next_[i]];
      --left;
      since = 0;
    }
    triangles.push_back({loop_[before_[i]], loop_[i], loop_[next_[i]]});
    return triangles;
  }

 private:
  const std::vector<Point2>& points_;
  Loop loop_;
  std::vector<size_t> next_, before_;

  const Point2& corner(size_t i) const { return at(points_, loop_[i]); }
  bool is_left(size_t i) const { return turn(corner(before_[i]), corner(i), corner(next_[i])) > 0; }
  bool is_ear(size_t i) const {
    if (!is_left(i)) return false;
    const Point2 a = corner(before_[i]), b = corner(i), c = corner(next_[i]);
    for (size_t k = next_[next_[i]]; k != before_[i]; k = next_[k]) {
      const Point2& p = corner(k);
      if (p == a || p == b || p == c) continue;
      if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
  }
};

// Whether d lies inside the circle through a, b, c (counter-clockwise), beyond round-off.
bool in_circle(const Point2& a, const Point2& b, const Point2& c, const Point2& d) {
  const double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x,
               cy = c.y - d.y;
  const double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
  const double det = ax * (by * c2 - cy * b2) - ay * (bx * c2 - cx * b2) + a2 * (bx * cy - cx * by);
  const double scale = std::max({a2, b2, c2});
  return det > 1e-9 * scale * scale;
}

struct HalfEdge {
  uint64_t key;
  int triangle, side;
};

// Across side k (from corner k to k + 1) of each triangle; -1 at the rim of the region.
std::vector<std::array<int, 3>> find_neighbours(const std::vector<Triangle>& triangles) {
  std::vector<HalfEdge> halves;
  for (size_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const auto a = static_cast<uint64_t>(triangles[t][static_cast<size_t>(k)]);
      const auto b = static_cast<uint64_t>(triangles[t][static_cast<size_t>((k + 1) % 3)]);
      halves.push_back({std::min(a, b) << 32 | std::max(a, b), static_cast<int>(t), k});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) {
    return a.key != b.key ? a.key < b.key : a.triangle < b.triangle;
  });
  std::vector<std::array<int, 3>> across(triangles.size(), {-1, -1, -1});
  for (size_t i = 0; i + 1 < halves.size(); ++i) {
    const HalfEdge &a = halves[i], &b = halves[i + 1];
    if (a.key != b.key) continue;
    across[static_cast<size_t>(a.triangle)][static_cast<size_t>(a.side)] = b.triangle;
    across[static_cast<size_t>(b.triangle)][static_cast<size_t>(b.side)] = a.triangle;
  }
  return across;
}

// Flips every edge between triangles that have not been touched in this pass and should be.
bool flip_edges(const std::vector<Point2>& points, std::vector<Triangle>& triangles) {
  const auto across = find_neighbours(triangles);
  std::vector<bool> touched(triangles.size(), false);
  bool flipped = false;
  for (size_t t = 0; t < triangles.size(); ++t) {
    for (size_t k = 0; k < 3 && !touched[t]; ++k) {
      const auto u = static_cast<size_t>(across[t][k]);
      if (across[t][k] < 0 || touched[u]) continue;
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3], c = triangles[t][(k + 2) % 3];
      int d = -1;
      for (const int v : triangles[u]) {
        if (v != a && v != b) d = v;
      }
      const Point2 &A = at(points, a), &B = at(points, b), &C = at(points, c), &D = at(points, d);
      if (!in_circle(A, B, C, D) || turn(A, D, C) <= 0 || turn(D, B, C) <= 0) continue;
      triangles[t] = {a, d, c};
      triangles[u] = {d, b, c};
      touched[t] = touched[u] = flipped = true;
    }
  }
  return flipped;
}

}  // namespace

std::vector<Triangle> triangulate(const std::vector<Point2>& points, const Region& region) {
  std::vector<Triangle> triangles = EarClipper(points, join_holes(points, region)).run();
  // a flip per pass and triangle; as many passes as a fan needs to come apart
  for (int pass = 0; pass < 200 && flip_edges(points, triangles); ++pass) {
  }
  return triangles;
}

}  // namespace tenon::scene
