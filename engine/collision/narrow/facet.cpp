// Let a facet of E have the outward normal -n, so that s = s(n), and let the foot of the origin on
// its plane lie inside the facet, at depth r from its border. E holds the disk of radius r about
// the foot, so for a direction n' at angle theta from n
//   s(n') <= s cos(theta) - r sin(theta)                                                 (1)
// Apart (s >= 0) that is below s for every theta: the facet is nearest. Overlapping by p = -s, it
// is below s as long as p tan(theta / 2) <= r. For the directions that are left, which for r > p
// point backwards, E also holds c, the way between two inner points of the cores, with the parts
// c_n along n and c_t across:
//   s(n') <= n' . c <= c_n cos(theta) + c_t sin(theta)                                   (2)
// and this falls with theta there. At tan(theta / 2) = r / p (2) is below s where
//   c_n (r^2 - p^2) - 2 p r c_t >= p (r^2 + p^2)                                         (3)
// which holds for a shallow contact. So no search over all other features of E is needed.
#include "tenon/engine/collision/narrow/facet.h"

#include <algorithm>

#include "tenon/engine/collision/narrow/witness.h"

namespace tenon::narrow {
namespace {

// Of the smaller width: what points may lie outside of their cores, and the least depth r.
constexpr double kOutside = 1e-10, kLeastDepth = 1e-6;
// Beyond this, likewise, GJK is quick and the middle of a common part not worth finding.
constexpr double kClearlyApart = 1e-2;

struct Facet {
  double s = -1e300;
  Vec3 n;                         // from A to B
  const Core* owner = nullptr;    // of the face; nullptr: two lines
  int face = 0;                   // of a hull; axis of a box
  Vec3 line_a, line_b;            // unit directions of the lines
  double half_a = 0, half_b = 0;  // their half lengths
};

// Faces of `owner`, whose outward normals are along sign * n.
void try_faces(const Core& owner, const Core& other, double sign, Facet& best) {
  const Vec3 middle = transpose_mul(owner.R, other.middle - owner.p);
  const auto offer = [&](const Vec3& outward, double offset, int face) {
    const double s = dot(outward, support(other, -outward) - owner.p) - offset;
    if (s > best.s) best = {s, sign * outward, &owner, face, {}, {}, 0, 0};
  };
  if (owner.kind == Core::Kind::kHull) {
    // the other's middle is one of its points, so no face separates by more than its height; the
    // face that it is highest above comes first and rules out most of the others
    const std::vector<HullGeometry::Face>& faces = owner.hull->faces;
    const auto height = [&](size_t i) { return dot(faces[i].normal, middle) - faces[i].offset; };
    size_t first = 0;
    double highest = height(0);
    for (size_t i = 1; i < faces.size(); ++i) {
      if (const double h = height(i); h > highest) highest = h, first = i;
    }
    if (!(highest > best.s)) return;
    offer(owner.R * faces[first].normal, faces[first].offset, static_cast<int>(first));
    for (size_t i = 0; i < faces.size(); ++i) {
      if (height(i) <= best.s || i == first) continue;
      offer(owner.R * faces[i].normal, faces[i].offset, static_cast<int>(i));
    }
    return;
  }
  for (int i = 0; i < 3; ++i) {
    if (owner.kind == Core::Kind::kCylinder && i != 1) continue;
    const double along = middle[i];
    if (std::fabs(along) - owner.half[i] <= best.s) continue;
    offer(along < 0 ? -owner.axis[i] : owner.axis[i], owner.half[i], i);
  }
}

bool has_faces(const Core& core) {
  return core.kind == Core::Kind::kHull || (core.half.x > 0 && core.half.y > 0 && core.half.z > 0);
}

// Lines along the axes of a cylinder, and the edges of a box.
void try_lines(const CorePair& pair, Facet& best) {
  const Vec3 between = pair.B.middle - pair.A.middle;
  for (int i = 0; i < 3; ++i) {
    if ((pair.A.kind == Core::Kind::kCylinder && i != 1) || !(pair.A.half[i] > 0)) continue;
    for (int j = 0; j < 3; ++j) {
      if ((pair.B.kind == Core::Kind::kCylinder && j != 1) || !(pair.B.half[j] > 0)) continue;
      Vec3 n;
      if (!find_perpendicular(pair.A.axis[i], pair.B.axis[j], n)) continue;
      if (dot(n, between) < 0) n = -n;
      const double s = separation_along(pair, n);
      if (s > best.s) {
        best = {s, n, nullptr, 0, pair.A.axis[i], pair.B.axis[j], pair.A.half[i], pair.B.half[j]};
      }
    }
  }
}

// How deep the point lies inside the face, seen along its normal.
double depth_in_face(const Core& core, int face_index, const Vec3& point) {
  const Vec3 q = transpose_mul(core.R, point - core.p);
  if (core.kind == Core::Kind::kCylinder) return core.half.x - std::sqrt(q.x * q.x + q.z * q.z);
  double least = 1e300;
  if (core.kind == Core::Kind::kBox) {
    for (int i = 0; i < 3; ++i) {
      if (i != face_index) least = std::min(least, core.half[i] - std::fabs(q[i]));
    }
    return least;
  }
  const HullGeometry& hull = *core.hull;
  const HullGeometry::Face& face = hull.faces[face_index];
  const int* loop = &hull.face_vertices[face.first];
  for (int i = 0; i < face.count; ++i) {
    const Vec3 &v0 = hull.vertices[loop[i]], &v1 = hull.vertices[loop[(i + 1) % face.count]];
    const Vec3 inward = cross(face.normal, v1 - v0);
    const double length2 = norm2(inward);
    if (length2 > 0) least = std::min(least, dot(inward, q - v0) / std::sqrt(length2));
  }
  return least;
}

// The other core's nearest point as witness points, and how deep that is inside the face. Where its
// nearest feature is an edge or a face, one point of it need not lie in the face: then the middle
// of what they have in common.
double put_on_face(const CorePair& pair, const Facet& facet, CoreSeparation& out) {
  const bool on_a = facet.owner == &pair.A;
  const Vec3 shift = facet.s * facet.n;
  const Vec3 q = on_a ? support(pair.B, -facet.n) - shift : support(pair.A, facet.n);
  out = {facet.n, facet.s, q, q + shift};
  const double r = depth_in_face(*facet.owner, facet.face, q);
  if (r > kLeastDepth * pair.small || facet.s > kClearlyApart * pair.small) return r;
  out = find_flat_witness(pair, facet.n, facet.s);
  return depth_in_face(*facet.owner, facet.face, on_a ? out.a : out.b);
}

// Where the two lines pass each other, as witness points, and how deep that is inside both.
double cross_lines(const CorePair& pair, const Facet& facet, CoreSeparation& out) {
  const Vec3 &u = facet.line_a, &v = facet.line_b;
  // the middles of both lines
  const Support at = support(pair, facet.n);
  const Vec3 a = at.a - dot(at.a - pair.A.middle, u) * u;
  const Vec3 b = at.b - dot(at.b - pair.B.middle, v) * v;
  // a + t u and b + w v have the same place across n
  const Vec3 r = b - a, uv = cross(u, v);
  const double sin2 = norm2(uv);
  const double t = dot(cross(r, v), uv) / sin2, w = dot(cross(r, u), uv) / sin2;
  out = {facet.n, facet.s, a + t * u, b + w * v};
  return std::sqrt(sin2) * std::min(facet.half_a - std::fabs(t), facet.half_b - std::fabs(w));
}

// (3)
bool is_shallow(const CorePair& pair, const Facet& facet, double r) {
  const double p = -facet.s;
  const Vec3 c = pair.B.middle - pair.A.middle;
  const double c_n = dot(c, facet.n), c_t = norm(c - c_n * facet.n);
  return r > p && c_n > 0 && c_n * (r * r - p * p) - 2 * p * r * c_t >= p * (r * r + p * p);
}

}  // namespace

bool find_facet(const CorePair& pair, double far, CoreSeparation& out) {
  Facet best;
  if (has_faces(pair.A)) try_faces(pair.A, pair.B, 1, best);
  if (has_faces(pair.B)) try_faces(pair.B, pair.A, -1, best);
  const bool lines = pair.A.kind != Core::Kind::kHull && pair.B.kind != Core::Kind::kHull;
  if (lines && best.s <= far) try_lines(pair, best);
  if (best.s > far) {
    out = {best.n, best.s, pair.A.middle, pair.B.middle};
    return true;
  }
  const double r = best.owner ? put_on_face(pair, best, out) : cross_lines(pair, best, out);
  if (!(r > kLeastDepth * pair.small)) return false;
  if (calc_outside(pair, out) > kOutside * pair.small) return false;
  return best.s >= 0 || is_shallow(pair, best, r);
}

}  // namespace tenon::narrow
