// Two convex solids apart from one another have a plane between them; the one on the far side of it
// cannot hide the other. This is the decisive one of the tests of [Newell1972], on whole solids
// instead of polygons: the faces of a convex solid that look at the eye never hide one another.
// Departures: instead of cutting solids in a cycle of three or more apart, the furthest of them is
// painted first; where two overlap in space the direction of least penetration stands in for the
// plane.
#include "tenon/render/detail/paint_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "tenon/engine/collision/narrow/separation.h"
#include "tenon/engine/geometry/support.h"

namespace tenon::render {
namespace {

// Pairs to look at closely; beyond it only those with a large solid, the others go by depth.
constexpr size_t kMaxPairs = 400000;
constexpr double kLargeShare = 0.004;  // of the picture's area

bool overlap(const Box2& a, const Box2& b) {
  return a.lo.x < b.hi.x && b.lo.x < a.hi.x && a.lo.y < b.hi.y && b.lo.y < a.hi.y;
}

// -1: a before b, +1: b before a, 0: no matter.
int compare(const Painted& a, const Painted& b, const Vec3& p_WE) {
  if (a.line && b.line) return 0;
  SeparationQuery query;
  query.max_distance = 0;
  const Separation s = find_separation(a.shape, a.X_WS, b.shape, b.X_WS, query);
  if (s.distance < 0) {
    if (a.line != b.line) return a.line ? -1 : 1;
    if (a.body == b.body && a.pose != b.pose) return a.pose < b.pose ? -1 : 1;
  }
  const Vec3& n = s.normal_W;
  const auto furthest = [](const Painted& item, const Vec3& u) {
    return item.X_WS * support(item.shape, transpose_mul(item.X_WS.R, u));
  };
  const double height = dot(n, p_WE - 0.5 * (furthest(a, n) + furthest(b, -n)));
  if (!std::isfinite(height) || height == 0) return 0;
  return height > 0 ? -1 : 1;
}

struct Pair {
  size_t a, b;
};

// Pairs whose boxes overlap in the picture, by a sweep from left to right.
std::vector<Pair> find_pairs(const std::vector<Painted>& items, double large_area) {
  std::vector<size_t> by_x(items.size());
  std::iota(by_x.begin(), by_x.end(), size_t{0});
  std::sort(by_x.begin(), by_x.end(), [&](size_t a, size_t b) {
    const double xa = items[a].bounds.lo.x, xb = items[b].bounds.lo.x;
    return xa != xb ? xa < xb : a < b;
  });
  const auto large = [&](const Box2& box) {
    return (box.hi.x - box.lo.x) * (box.hi.y - box.lo.y) > large_area;
  };
  std::vector<Pair> some, small;
  std::vector<size_t> open;
  bool all = true;
  for (size_t i : by_x) {
    const Box2& box = items[i].bounds;
    std::erase_if(open, [&](size_t j) { return items[j].bounds.hi.x <= box.lo.x; });
    for (size_t j : open) {
      if (!overlap(items[j].bounds, box) || (items[i].line && items[j].line)) continue;
      if (large(items[j].bounds) || large(box)) {
        some.push_back({j, i});
      } else if (all) {
        small.push_back({j, i});
        all = small.size() < kMaxPairs;
      }
    }
    open.push_back(i);
  }
  if (all) some.insert(some.end(), small.begin(), small.end());
  if (some.size() > 4 * kMaxPairs) some.clear();
  return some;
}

}  // namespace

std::vector<size_t> find_paint_order(const std::vector<Painted>& items, const View& view) {
  const size_t n = items.size();
  std::vector<std::vector<size_t>> after(n);
  std::vector<size_t> waits_for(n, 0);
  for (const Pair& pair : find_pairs(items, kLargeShare * view.width * view.height)) {
    const int order = compare(items[pair.a], items[pair.b], view.p_WE);
    if (order == 0) continue;
    const size_t first = order < 0 ? pair.a : pair.b, second = order < 0 ? pair.b : pair.a;
    after[first].push_back(second);
    ++waits_for[second];
  }
  // the furthest of those that need not wait; in a cycle the furthest of all
  std::vector<size_t> far_first(n), rank(n);
  std::iota(far_first.begin(), far_first.end(), size_t{0});
  std::sort(far_first.begin(), far_first.end(), [&](size_t a, size_t b) {
    return items[a].depth != items[b].depth ? items[a].depth > items[b].depth : a < b;
  });
  for (size_t k = 0; k < n; ++k) rank[far_first[k]] = k;
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;  // ranks
  for (size_t i = 0; i < n; ++i)
    if (waits_for[i] == 0) ready.push(rank[i]);
  std::vector<size_t> order;
  std::vector<bool> done(n, false);
  size_t next = 0;
  while (order.size() < n) {
    while (next < n && done[far_first[next]]) ++next;
    size_t i = far_first[next];
    if (!ready.empty()) {
      i = far_first[ready.top()];
      ready.pop();
      if (done[i]) continue;
    }
    done[i] = true;
    order.push_back(i);
    for (size_t j : after[i])
      if (--waits_for[j] == 0 && !done[j]) ready.push(rank[j]);
  }
  return order;
}

}  // namespace tenon::render
