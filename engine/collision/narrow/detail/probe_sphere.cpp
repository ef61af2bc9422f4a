// Balls against a mesh: the places of its surface where the distance from their middle is least.
#include <array>
#include <cmath>

#include "tenon/engine/collision/narrow/detail/prober.h"

namespace tenon::narrow {
namespace {

// Nearest point of a triangle, with the edges it lies on as bits.
struct OnTriangle {
  Vec3 p;
  int edges = 0;
};

// [Ericson2005, sec. 5.1.5].
OnTriangle nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {a, 5};
  const Vec3 bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {b, 3};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, 1};
  const Vec3 cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {c, 6};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, 4};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), 2};
  }
  const double scale = 1 / (va + vb + vc);
  return {a + (vb * scale) * ab + (vc * scale) * ac, 0};
}

double distance2_to_box(const Aabb& box, const Vec3& p) {
  const Vec3 d = cwise_max(cwise_max(box.lo - p, p - box.hi), Vec3{});
  return norm2(d);
}

// Whether no point of a node sees `p` along a normal of its surface: the distance from p has no
// minimum in it. With b the angle of the ball about the box as p sees it, and a that of the cone,
// the way to p must be within a + b of its axis.
bool looks_away(const MeshTree::Node& node, const MeshTree::Cone& cone, const Vec3& p) {
  if (cone.cosine < -1) return false;
  const Vec3 d = p - center(node.box);
  const double radius2 = 0.25 * norm2(node.box.hi - node.box.lo), far2 = norm2(d);
  if (!(far2 > radius2)) return false;
  const double sine2 = radius2 / far2, sine = std::sqrt(sine2), cosine = std::sqrt(1 - sine2);
  const double a_cosine = static_cast<double>(cone.cosine), a_sine = static_cast<double>(cone.sine);
  if (!(a_sine * cosine + a_cosine * sine > 0)) return false;  // a + b beyond half a turn
  const Vec3 axis{cone.axis[0], cone.axis[1], cone.axis[2]};
  return dot(axis, d) < (a_cosine * cosine - a_sine * sine) * std::sqrt(far2);
}

// Whether the distance from the centre has a minimum at the nearest point of a triangle: it grows
// in all faces that meet there. On inner edges of a flat or hollow surface it does not.
bool is_minimum(const MeshGeometry& g, int triangle, const OnTriangle& x, const Vec3& centre) {
  if (x.edges == 0) return true;
  const Vec3 up = centre - x.p;
  const double slop = 1e-9 * norm2(up);
  const auto rises = [&](int t, const Vec3& far) {
    return dot(up, far - x.p) <= slop * 1e3 || t < 0;
  };
  if (x.edges == 5 || x.edges == 3 || x.edges == 6) {
    const int corner = x.edges == 5 ? 0 : x.edges == 3 ? 1 : 2;
    bool all = true;
    visit_ring(g, triangle, corner, [&](int t, int k) {
      const MeshTriangle& v = g.triangles[t];
      all = all && rises(t, g.vertices[v[(k + 1) % 3]]) && rises(t, g.vertices[v[(k + 2) % 3]]);
    });
    return all;
  }
  const int k = x.edges == 1 ? 0 : x.edges == 2 ? 1 : 2;
  const int other = g.neighbours[triangle][k];
  if (other < 0) return true;
  const MeshTriangle &t = g.triangles[triangle], &o = g.triangles[other];
  // the corner of the other triangle that is not on the edge, without its part along the edge
  const int v0 = t[k], v1 = t[(k + 1) % 3];
  const int apex = o[0] != v0 && o[0] != v1 ? o[0] : o[1] != v0 && o[1] != v1 ? o[1] : o[2];
  const Vec3 along = normalized(g.vertices[v1] - g.vertices[v0]);
  Vec3 into = g.vertices[apex] - x.p;
  into -= dot(into, along) * along;
  return dot(up, into) <= 1e-6 * norm(up) * norm(into);
}

}  // namespace

void Prober::add_critical(const Vec3& centre, double radius, const MeshPoint& m, uint32_t feature) {
  Candidate c;
  const Vec3 d = centre - m.point;
  const Vec3 out = std::fabs(m.distance) > pair_.tiny
                       ? normalized((m.distance < 0 ? -1.0 : 1.0) * d, m.normal)
                       : m.normal;
  c.gap = m.distance - radius;
  c.exact = true;
  c.round = true;
  c.feature = feature | (static_cast<uint32_t>(m.triangle) << 1 & (kOfConvex - 1)) |
              (prober_ == 1 ? kOfB : 0);
  c.prober = static_cast<uint8_t>(prober_);
  c.p = to_.X_PS * (centre - radius * out);
  c.q = to_.X_PS * m.point;
  c.n = to_.X_PS.R * (prober_ == 0 ? -out : out);
  out_.push_back(c);
}

void Prober::add_sphere(const Vec3& centre_S, double radius, uint32_t feature) {
  const MeshGeometry& g = *to_.target.mesh();
  const Vec3 centre = X_TS_ * centre_S;
  const double within = radius + pair_.margin;
  const double about = to_.target.calc_distance(centre, within + to_.target.error());
  if (about > within + to_.target.error()) return;
  const double deep = g.closed ? -1.2 * about : kMostThrough * pair_.tiny;
  const MeshPoint nearest =
      find_nearest_signed(g, centre, std::max(within, deep) + to_.target.error());
  // deep inside: out by the shortest way
  if (nearest.triangle < 0 || nearest.distance <= pair_.tiny) {
    if (nearest.triangle >= 0) add_critical(centre, radius, nearest, feature | kOfConvex);
    return;
  }
  if (nearest.distance > within) return;
  std::array<int, 128> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int at = stack[--top];
    const MeshTree::Node& node = g.tree.nodes[at];
    if (distance2_to_box(node.box, centre) > within * within) continue;
    if (looks_away(node, g.tree.cones[at], centre)) continue;
    if (node.count == 0) {
      stack[top++] = node.first;
      stack[top++] = at + 1;
      continue;
    }
    for (int i = node.first; i < node.first + node.count; ++i) {
      const int t = g.tree.order[i];
      const MeshTriangle& v = g.triangles[t];
      const OnTriangle x =
          nearest_on_triangle(g.vertices[v[0]], g.vertices[v[1]], g.vertices[v[2]], centre);
      const double distance2 = norm2(centre - x.p);
      if (distance2 > within * within) continue;
      if (dot(centre - x.p, g.face_normals[t]) < 0 && x.edges == 0) continue;  // from behind
      if (!is_minimum(g, t, x, centre)) continue;
      MeshPoint m;
      m.point = x.p;
      m.distance = std::sqrt(distance2);
      m.normal = g.face_normals[t];
      m.triangle = t;
      add_critical(centre, radius, m, feature | kOfConvex);
    }
  }
}

}  // namespace tenon::narrow
