// For two overlapping polyhedra the maximum of s(n) is at the normal of a face of E, and such a
// face is a face of A, a face of B, or spanned by an edge of each [Gottschalk1996]. Two edges span
// a face of E only where the arcs that they draw on the sphere of normals cross [Gregorius2013]:
//   with a, b the normals at A's edge e_A, c, d the negated normals at B's edge e_B
//   (c.e_A)(d.e_A) < 0,  (a.e_B)(b.e_B) < 0,  (c.e_A)(b.e_B) > 0         (1)
// where e_A points along b x a and e_B along d x c.
#include "tenon/engine/collision/narrow/axes.h"

#include <vector>

namespace tenon::narrow {
namespace {

// Both signs of an axis at once, for cores that are symmetric about their middle.
void try_box_axis(const CorePair& pair, const Vec3& between, const Vec3& n, Best& best) {
  const Core &A = pair.A, &B = pair.B;
  const double along = dot(n, between);
  double reach = 0;
  for (int i = 0; i < 3; ++i) {
    reach += A.half[i] * std::fabs(dot(n, A.axis[i])) + B.half[i] * std::fabs(dot(n, B.axis[i]));
  }
  best.offer(along < 0 ? -n : n, std::fabs(along) - reach);
}

struct EdgeArc {
  Vec3 point, e;          // a point of the edge, its unit direction oriented as in (1)
  Vec3 normal0, normal1;  // outward normals of its two faces; unused for a bare segment
};
struct EdgeArcs {
  std::vector<EdgeArc> arcs;
  bool bare = false;  // a segment: its one edge is met by every normal perpendicular to it
};

void add_arc(const Vec3& p0, const Vec3& p1, const Vec3& n0, const Vec3& n1, EdgeArcs& list) {
  const Vec3 e = normalized(p1 - p0);
  list.arcs.push_back({p0, dot(e, cross(n1, n0)) < 0 ? -e : e, n0, n1});
}

void add_box_arcs(const Core& core, EdgeArcs& list) {
  for (int i = 0; i < 3; ++i) {
    if (!(core.half[i] > 0)) continue;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int corner = 0; corner < 4; ++corner) {
      const double sj = corner & 1 ? 1 : -1, sk = corner & 2 ? 1 : -1;
      const Vec3 middle =
          core.p + (sj * core.half[j]) * core.axis[j] + (sk * core.half[k]) * core.axis[k];
      add_arc(middle - core.half[i] * core.axis[i], middle + core.half[i] * core.axis[i],
              sj * core.axis[j], sk * core.axis[k], list);
    }
  }
}

EdgeArcs make_arcs(const Core& core) {
  EdgeArcs list;
  if (core.kind == Core::Kind::kHull) {
    const HullGeometry& hull = *core.hull;
    list.arcs.reserve(hull.edges.size());
    for (const HullGeometry::Edge& edge : hull.edges) {
      add_arc(core.p + core.R * hull.vertices[edge.v0], core.p + core.R * hull.vertices[edge.v1],
              core.R * hull.faces[edge.face0].normal, core.R * hull.faces[edge.face1].normal, list);
    }
  } else if (core.half.x == 0 && core.half.z == 0) {
    list.bare = true;
    if (core.half.y > 0) list.arcs.push_back({core.p, core.axis[1], {}, {}});
  } else {
    add_box_arcs(core, list);
  }
  return list;
}

// Face normals of core `of`, where `sign` is +1 for A and -1 for B.
void try_faces(const CorePair& pair, const Core& of, double sign, Best& best) {
  if (of.kind == Core::Kind::kHull) {
    for (const HullGeometry::Face& face : of.hull->faces)
      try_direction(pair, of.R * (sign * face.normal), best);
    return;
  }
  for (int i = 0; i < 3; ++i) {
    try_direction(pair, of.axis[i], best);
    try_direction(pair, -of.axis[i], best);
  }
}

bool arcs_cross(const EdgeArc& A, bool bare_A, const EdgeArc& B, bool bare_B) {
  const double c_A = -dot(B.normal0, A.e), d_A = -dot(B.normal1, A.e);
  if (!bare_B && !(c_A * d_A < 0)) return false;
  const double a_B = dot(A.normal0, B.e), b_B = dot(A.normal1, B.e);
  if (!bare_A && !(a_B * b_B < 0)) return false;
  // B's edge is oriented for its outward normals; negating both leaves d x c as it is
  return bare_A || bare_B || c_A * b_B > 0;
}

void try_edge_pair(const CorePair& pair, const EdgeArc& A, const EdgeArc& B, const Vec3& outward,
                   Best& best) {
  Vec3 n;
  if (!find_perpendicular(A.e, B.e, n)) return;
  if (dot(n, outward) < 0) n = -n;
  // the short form holds when both edges support n; the full one settles it
  if (dot(n, B.point - A.point) > best.s) try_direction(pair, n, best);
}

}  // namespace

void try_axes_box_box(const CorePair& pair, Best& best) {
  const Vec3 between = pair.B.p - pair.A.p;
  Vec3 n;
  for (int i = 0; i < 3; ++i) try_box_axis(pair, between, pair.A.axis[i], best);
  for (int i = 0; i < 3; ++i) try_box_axis(pair, between, pair.B.axis[i], best);
  for (int i = 0; i < 3; ++i) {
    if (!(pair.A.half[i] > 0)) continue;
    for (int j = 0; j < 3; ++j) {
      if (!(pair.B.half[j] > 0)) continue;
      // parallel edges span no face
      if (find_perpendicular(pair.A.axis[i], pair.B.axis[j], n))
        try_box_axis(pair, between, n, best);
    }
  }
}

double count_edge_pairs(const CorePair& pair) {
  const auto edges = [](const Core& core) {
    return core.kind == Core::Kind::kHull ? static_cast<double>(core.hull->edges.size()) : 12.0;
  };
  return edges(pair.A) * edges(pair.B);
}

void try_axes_hull(const CorePair& pair, Best& best) {
  try_faces(pair, pair.A, 1, best);
  try_faces(pair, pair.B, -1, best);
  const EdgeArcs A = make_arcs(pair.A), B = make_arcs(pair.B);
  for (const EdgeArc& edge_A : A.arcs) {
    for (const EdgeArc& edge_B : B.arcs) {
      if (!arcs_cross(edge_A, A.bare, edge_B, B.bare)) continue;
      const Vec3 outward = (edge_A.normal0 + edge_A.normal1) - (edge_B.normal0 + edge_B.normal1);
      try_edge_pair(pair, edge_A, edge_B, outward, best);
    }
  }
}

}  // namespace tenon::narrow
