#include "tenon/engine/collision/narrow/mesh_edges.h"

#include <algorithm>
#include <cmath>

namespace tenon::narrow {
namespace {

// A place on an edge of the prober.
struct EdgePlace {
  double at = 0;     // m along the way
  double slope = 0;  // of the distance, along the way
  double distance = 0;
  Vec3 normal;  // of the target
};

// Where an edge passes through an edge of the target, the nearest face changes at its deepest
// point, from one with outward normal n1 to one with n2, and the distance d has a kink there. With
// slopes s1 < 0 < s2 along the edge, what moves it out as a whole is
//   n ~ s2 n1 - s1 n2,   perpendicular to both edges,                                    (1)
// and as both faces are d away, the target's edge is (s2 - s1) d / |s2 n1 - s1 n2| away along n.
bool cross_edges(const MeshPair& pair, Candidate& c, const EdgePlace& x, const EdgePlace& y,
                 const Vec3& way) {
  const MeshSide& to = pair.side(1 - c.prober);
  const double bend = y.slope - x.slope;
  const double between =
      (x.distance - y.distance + y.slope * y.at - x.slope * x.at) / std::max(bend, 1e-300);
  const double at = std::clamp(between, x.at, y.at);
  const double d = x.distance + (at - x.at) * x.slope;
  const Vec3 sum = y.slope * x.normal - x.slope * y.normal;
  const double length = norm(sum);
  constexpr double kFacing = 0.3;  // of the slopes: the two sides of a sheet have no edge
  if (!(d < pair.margin) || !(length > kFacing * bend)) return false;
  // other faces may be between the two
  constexpr double kOff = 0.5;
  const Vec3 there = c.p + at * way;
  const double reach = std::fabs(d) + to.target.error() + pair.tiny;
  const Measured m = to.target.measure(inverse_mul(to.X_PS, there), reach, {});
  if (!m.found || !(std::fabs(m.distance - d) < kOff * std::fabs(d) + pair.tiny)) return false;
  const Vec3 out = to.X_PS.R * ((1 / length) * sum);
  c.p = there;
  c.gap = bend * d / length;
  c.n = c.prober == 0 ? -out : out;
  c.q = c.p - c.gap * out;
  c.exact = true;
  return true;
}

}  // namespace

bool slide_along_edge(const MeshPair& pair, Candidate& c, const Vec3& a, const Vec3& b,
                      Measured here) {
  constexpr int kSteps = 8;
  constexpr double kFlatEnough = 1e-3;
  const MeshSide& to = pair.side(1 - c.prober);
  const Vec3 edge = normalized(b - a), edge_T = transpose_mul(to.X_PS.R, edge);
  const double start = dot(here.normal, edge_T);
  if (std::fabs(start) < kFlatEnough) return false;
  const Vec3 end = start > 0 ? a : b;
  const double length = norm(end - c.p), reach = std::fabs(c.gap) + 2 * length + pair.tiny;
  const Vec3 way = (1 / std::max(length, 1e-300)) * (end - c.p);
  const Vec3 way_T = transpose_mul(to.X_PS.R, way);
  if (!(length > 1e-3 * pair.tiny)) return false;
  int hint = -1;
  const auto look = [&](double s) {
    here = to.target.measure(inverse_mul(to.X_PS, c.p + s * way), reach, edge_T, hint);
    return EdgePlace{s, here.found ? dot(here.normal, way_T) : 0, here.distance, here.normal};
  };
  // regula falsi, the end that stays halved: slopes jump where the target has edges
  EdgePlace low{0, dot(here.normal, way_T), here.distance, here.normal}, high = look(length);
  double f_low = low.slope, f_high = high.slope, at = length;
  // the corner at its end is a sample as well, and lower
  if (!(f_high > 0) && !pair.side(c.prober).target.mesh()->samples.thinned) return false;
  c.edge = edge;
  if (f_high > 0) {
    bool flat = f_high < kFlatEnough;
    for (int i = 0; i < kSteps && !flat; ++i) {
      at = std::clamp((low.at * f_high - high.at * f_low) / (f_high - f_low),
                      low.at + 0.05 * (high.at - low.at), high.at - 0.05 * (high.at - low.at));
      const EdgePlace x = look(at);
      flat = std::fabs(x.slope) < kFlatEnough;
      if (x.slope < 0) {
        low = x;
        f_low = x.slope;
        f_high *= 0.5;
      } else {
        high = x;
        f_high = x.slope;
        f_low *= 0.5;
      }
    }
    if (!flat && cross_edges(pair, c, low, high, way)) return true;
  }
  c.p += at * way;
  c.gap = here.distance;
  return true;
}

uint32_t name_edge(const MeshPair& pair, const Candidate& c, int triangle, int edge) {
  const MeshSide& from = pair.side(c.prober);
  const MeshGeometry& g = *from.target.mesh();
  const int other = g.neighbours[triangle][edge];
  if (other >= 0 && other < triangle) {
    const auto& around = g.neighbours[other];
    edge = around[0] == triangle ? 0 : around[1] == triangle ? 1 : 2;
    triangle = other;
  }
  const Vec3 a = from.X_PS * g.vertices[g.triangles[triangle][edge]];
  const Vec3 b = from.X_PS * g.vertices[g.triangles[triangle][(edge + 1) % 3]];
  const uint32_t half = dot(c.p - a, b - a) > 0.5 * norm2(b - a) ? 1 : 0;
  const uint32_t place = 2 * (3 * static_cast<uint32_t>(triangle) + static_cast<uint32_t>(edge));
  return (c.feature & kOfB) | kOfEdge | (place + half);
}

}  // namespace tenon::narrow
