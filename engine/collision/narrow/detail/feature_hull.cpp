#include "tenon/engine/collision/narrow/detail/feature_hull.h"

#include <limits>

#include "tenon/engine/geometry/support.h"

namespace tenon::detail {
namespace {

// An edge has one name, whichever of its two faces is looked at.
uint16_t hull_edge_id(const HullGeometry& hull, int v0, int v1) {
  const int low = v0 < v1 ? v0 : v1, high = v0 < v1 ? v1 : v0;
  const int first = hull.first_neighbour[low], last = hull.first_neighbour[low + 1];
  for (int k = first; k < last; ++k) {
    if (hull.neighbours[k] == high) return make_feature(FeatureType::kEdge, k);
  }
  return make_feature(FeatureType::kEdge, first);  // across the corners of a face thinned out
}

// The list keeps the order of the indices.
void push(FaceList& list, int face, double top) {
  if (list.count == FaceList::kMost) {
    int lowest = 0;
    for (int i = 1; i < list.count; ++i) {
      if (list.top[i] < list.top[lowest]) lowest = i;
    }
    if (!(list.top[lowest] < top)) return;
    --list.count;
    for (int i = lowest; i < list.count; ++i) {
      list.face[i] = list.face[i + 1];
      list.top[i] = list.top[i + 1];
    }
  }
  list.face[list.count] = face;
  list.top[list.count++] = top;
}

// Lists the faces within the angle that come within `reach` of the top. Returns the one best
// aligned with m among those that reach up to it; -1 where there is none. (A better aligned face
// that stays below the top would miss the deepest point.)
int find_top_faces(const HullGeometry& hull, const Vec3& m, double top, double reach,
                   FaceList& list) {
  const double is_top = top - 2 * hull.tolerance;
  const double is_near = top - reach < is_top ? top - reach : is_top;
  int best = -1;
  double best_cos = kCosFace;
  for (int f = 0; f < static_cast<int>(hull.faces.size()); ++f) {
    const HullGeometry::Face& face = hull.faces[f];
    const double cosine = dot(face.normal, m);
    if (cosine < kCosFace) continue;
    double highest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < face.count && highest < is_top; ++i) {
      const double h = dot(hull.vertices[hull.face_vertices[face.first + i]], m);
      if (h > highest) highest = h;
    }
    if (highest >= is_near) push(list, f, highest);
    if (highest >= is_top && cosine >= best_cos) best = f, best_cos = cosine;
  }
  return best;
}

}  // namespace

void set_hull_face(const HullGeometry& hull, const Transform& X_WS, const PatchFrame& frame,
                   int face_index, Feature& out) {
  const HullGeometry::Face& face = hull.faces[face_index];
  const int count = face.count < Feature::kMaxVertices ? face.count : Feature::kMaxVertices;
  const bool reverse = out.outward < 0;  // counter-clockwise from outside is clockwise along -n
  out.kind = FeatureKind::kPolygon;
  out.id = face_id();
  out.count = count;
  const bool thin = count < face.count;
  const auto vertex_at = [&](int i) {
    const int place = thin ? static_cast<int>(static_cast<int64_t>(i) * face.count / count) : i;
    return hull.face_vertices[face.first + place];
  };
  for (int i = 0; i < count; ++i) {
    const int k = reverse ? count - 1 - i : i;
    const int next = reverse ? (k == 0 ? count : k) - 1 : (k + 1 == count ? 0 : k + 1);
    const int vertex = vertex_at(k);
    out.x[i] = frame.lateral(X_WS * hull.vertices[vertex]);
    out.vertex_id[i] = make_feature(FeatureType::kVertex, vertex);
    out.edge_id[i] = hull_edge_id(hull, vertex, vertex_at(next));
  }
  const Vec3 p = hull.vertices[vertex_at(0)];
  const Vec3 along = hull.vertices[vertex_at(1)] - p;
  out.height = make_flat_height(frame, X_WS * p, X_WS.R * face.normal);
  out.axis[0] = frame.along(X_WS.R * along);
  out.axis[1] = frame.along(X_WS.R * cross(face.normal, along));
}

void find_hull_feature(const HullGeometry& hull, const Transform& X_WS, const PatchFrame& frame,
                       double reach, Feature& out, FaceList& faces) {
  const Vec3 m = transpose_mul(X_WS.R, out.outward * frame.n);
  const int top = find_support_vertex(hull, m, 0);
  const Vec3 p = hull.vertices[top];
  const int face = find_top_faces(hull, m, dot(p, m), reach, faces);
  if (face >= 0) {
    set_hull_face(hull, X_WS, frame, face, out);
    return;
  }
  faces.count = 0;
  // the flattest edge at the top vertex
  int other = -1;
  double flattest = kSinLine;
  for (int k = hull.first_neighbour[top]; k < hull.first_neighbour[top + 1]; ++k) {
    const Vec3 e = hull.vertices[hull.neighbours[k]] - p;
    const double sine = std::fabs(dot(e, m)) / norm(e);
    if (sine <= flattest) flattest = sine, other = hull.neighbours[k];
  }
  out.id = make_feature(FeatureType::kVertex, top);
  if (other < 0) return;
  const int v[2] = {top < other ? top : other, top < other ? other : top};
  set_segment({X_WS * hull.vertices[v[0]], X_WS * hull.vertices[v[1]]}, frame, out);
  for (int k = 0; k < 2; ++k) out.vertex_id[k] = make_feature(FeatureType::kVertex, v[k]);
  out.id = hull_edge_id(hull, v[0], v[1]);
}

}  // namespace tenon::detail
