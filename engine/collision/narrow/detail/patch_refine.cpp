// Candidates for patches are followed to where the two surfaces are nearest: samples are few.
#include <algorithm>
#include <cmath>

#include "tenon/engine/collision/narrow/detail/patch_builder.h"
#include "tenon/engine/collision/narrow/mesh_edges.h"

namespace tenon::narrow {
namespace {

constexpr double kAround = 1.8;  // spacings: nearer points are the same hill

// From vertex to vertex against `up`, the steepest way, no farther than `most` (m) from the first.
MeshCorner walk_down(const MeshGeometry& g, MeshCorner at, const Vec3& up, double most) {
  constexpr int kMostSteps = 512;
  const Vec3 origin = g.vertices[at.vertex(g)];
  double least = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    MeshCorner next = at;
    visit_neighbours(g, at, [&](const MeshCorner& around) {
      const Vec3 d = g.vertices[around.vertex(g)] - origin;
      const double h = dot(up, d);
      if (!(h < least) || norm2(d) > most * most) return;
      least = h;
      next = around;
    });
    if (next.triangle == at.triangle && next.corner == at.corner) break;
    at = next;
  }
  return at;
}

}  // namespace

// From a vertex of a fine mesh down to the lowest one around: samples are few. Near a place the
// distance is as good as a plane: as long as it bends little, the way down it is found by that,
// which costs a product for each vertex passed, and only where it ends the field is asked. So cost
// follows how far it is and not how fine the mesh is. The last rings are held against the field.
void PatchBuilder::descend(Candidate& c) const {
  constexpr int kMostSteps = 64, kMostWalks = 8;
  const MeshSide &from = pair_.side(c.prober), &to = target_of(c);
  const MeshGeometry& g = *from.target.mesh();
  const Transform X_TS = inverse(to.X_PS) * from.X_PS;
  const double reach = std::fabs(c.gap) + pair_.margin + to.target.error();
  const auto height = [&](int v) { return to.target.calc_distance(X_TS * g.vertices[v], reach); };
  MeshCorner at{c.sample->triangle, c.sample->corner};
  const int first = at.vertex(g);
  double least = height(first);
  const auto is_lower = [&](double h) { return h < least - 1e-12 * (std::fabs(h) + pair_.tiny); };
  for (int walk = 0; walk < kMostWalks; ++walk) {
    const Vec3 p = g.vertices[at.vertex(g)];
    const Vec3 up = transpose_mul(X_TS.R, to.target.find(X_TS * p, reach).gradient);
    const MeshCorner end = walk_down(g, at, up, kAround * g.samples.spacing);
    if (end.vertex(g) == at.vertex(g)) break;
    const double h = height(end.vertex(g));
    if (!is_lower(h)) break;
    least = h;
    at = end;
  }
  for (int step = 0; step < kMostSteps; ++step) {
    MeshCorner next = at;
    visit_neighbours(g, at, [&](const MeshCorner& around) {
      const double h = height(around.vertex(g));
      if (!is_lower(h)) return;
      least = h;
      next = around;
    });
    if (next.triangle == at.triangle && next.corner == at.corner) break;
    at = next;
  }
  const int best = at.vertex(g);
  if (best == first) return;
  c.p = from.X_PS * g.vertices[best];
  c.gap = least;
  c.triangle = at.triangle;
  c.corner = at.corner;
  c.feature = (c.feature & kOfB) | kOfVertex | static_cast<uint32_t>(best);
}

// The edge of the prober's mesh along which the distance falls most from one of its vertices; none
// where it rises along all. `back`: how far the mesh is taken to stand away.
PatchBuilder::WayDown PatchBuilder::find_way_down(const Candidate& c, const Vec3& n,
                                                  const Vec3& back) const {
  const MeshSide& from = pair_.side(c.prober);
  const MeshGeometry& g = *from.target.mesh();
  constexpr double kDown = -0.02;
  double steepest = kDown;
  WayDown way;
  visit_ring(g, c.sample->triangle, c.sample->corner, [&](int t, int k) {
    const Vec3 there = from.X_PS * g.vertices[g.triangles[t][(k + 1) % 3]] + back;
    const double s = dot(n, normalized(there - c.p));
    if (!(s < steepest)) return;
    steepest = s;
    way = {there, t, k};
  });
  return way;
}

// To the lowest place near a sample: samples are few.
void PatchBuilder::refine(Candidate& c) const {
  if (c.refined || c.exact || c.through || c.sample == nullptr) return;
  c.refined = true;
  const MeshSide &from = pair_.side(c.prober), &to = target_of(c);
  const MeshGeometry& g = *from.target.mesh();
  if (c.sample->corner >= 0 && g.samples.thinned) return descend(c);
  const double reach = std::fabs(c.gap) + 2 * to.target.error() + pair_.tiny;
  const auto look = [&](double more) {
    return to.target.measure(inverse_mul(to.X_PS, c.p), reach + more,
                             transpose_mul(to.X_PS.R, c.edge));
  };
  Measured m = look(0);
  if (!m.found) return;
  // where faces meet on the surface itself, slopes mean nothing: seen from a little farther away
  Vec3 back;
  if (!m.sure) {
    const double away = 2 * pair_.tiny;
    back = -away * c.own;
    c.p += back;
    m = look(2 * away);
    if (!m.found || !(m.distance > 0)) {
      c.p -= back;
      return;
    }
  }
  c.gap = m.distance;
  if (c.sample->edge >= 0) {
    const MeshTriangle& t = g.triangles[c.sample->triangle];
    const Vec3 a = from.X_PS * g.vertices[t[c.sample->edge]] + back;
    const Vec3 b = from.X_PS * g.vertices[t[(c.sample->edge + 1) % 3]] + back;
    if (slide_along_edge(pair_, c, a, b, m)) {
      c.feature = name_edge(pair_, c, c.sample->triangle, c.sample->edge);
    }
  } else {
    const WayDown way = find_way_down(c, to.X_PS.R * m.normal, back);
    if (way.triangle >= 0 && slide_along_edge(pair_, c, c.p, way.end, m)) {
      c.feature = name_edge(pair_, c, way.triangle, way.edge);
    }
  }
  if (back == Vec3{}) return;
  c.p -= back;
  const Vec3 out = c.prober == 0 ? -c.n : c.n;
  c.gap -= dot(out, back);
  if (c.exact) c.q = c.p - c.gap * out;
}

// Which candidates no other near them is lower than: those are followed to where they are lowest.
void PatchBuilder::refine_lowest() {
  constexpr int kMostRefined = 24;
  const double radius_a =
      pair_.a.target.mesh() ? kAround * pair_.a.target.mesh()->samples.spacing : 0;
  const double radius_b =
      pair_.b.target.mesh() ? kAround * pair_.b.target.mesh()->samples.spacing : 0;
  int refined = 0;
  std::vector<uint32_t> lowest;
  for (uint32_t i = 0; i < list_.size() && refined < kMostRefined; ++i) {
    const Candidate& c = list_[i];
    if (c.exact || c.sample == nullptr || c.through) continue;
    const double radius = c.prober == 0 ? radius_a : radius_b;
    // in order of gaps: only those before are lower
    const bool hidden = std::any_of(lowest.begin(), lowest.end(), [&](uint32_t k) {
      return list_[k].prober == c.prober && dot(list_[k].n, c.n) > kNearCone &&
             norm2(list_[k].p - c.p) < radius * radius;
    });
    if (hidden) continue;
    lowest.push_back(i);
    ++refined;
  }
  // by place as they were: refining moves points
  for (const uint32_t i : lowest) refine(list_[i]);
}

// Two ways down may lead to one place.
void PatchBuilder::drop_doubles() {
  const auto is_same = [](const Candidate& x, const Candidate& y) {
    return x.sample != nullptr && y.sample != nullptr && x.feature == y.feature;
  };
  std::sort(list_.begin(), list_.end(), [](const Candidate& x, const Candidate& y) {
    return x.feature != y.feature ? x.feature < y.feature : x.gap < y.gap;
  });
  list_.erase(std::unique(list_.begin(), list_.end(), is_same), list_.end());
}

}  // namespace tenon::narrow
