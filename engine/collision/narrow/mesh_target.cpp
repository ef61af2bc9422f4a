#include "tenon/engine/collision/narrow/mesh_target.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::narrow {
namespace {

// Times the tiny length, which is a thousandth of the smaller shape: so far behind an open surface
// things are pushed back to its front.
constexpr double kDepth = 1000;
constexpr double kSameFace = 1 - 1e-6;  // cosine
constexpr double kOnEdge = 1e-7;        // of the triangle's longest edge: as good as on it

const Vec3& vertex(const MeshGeometry& g, int triangle, int k) {
  return g.vertices[g.triangles[triangle][k % 3]];
}

// Which edges of a triangle a point of its plane lies on: bit k for edge k.
int edges_at(const MeshGeometry& g, int triangle, const Vec3& p) {
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    longest = std::max(longest, norm2(vertex(g, triangle, k + 1) - vertex(g, triangle, k)));
  }
  const double near = kOnEdge * std::sqrt(longest);
  int bits = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &a = vertex(g, triangle, k), &b = vertex(g, triangle, k + 1);
    const Vec3 along = b - a;
    const double height = dot(cross(g.face_normals[triangle], along), p - a);
    if (height <= near * norm(along)) bits |= 1 << k;
  }
  return bits;
}

// Corner of a triangle at which two of its edges meet, -1 for none.
int corner_of(int bits) {
  if ((bits & 5) == 5) return 0;
  if ((bits & 3) == 3) return 1;
  return (bits & 6) == 6 ? 2 : -1;
}

// Direction of the mesh's edge on which a point lies; zero where it does not, or at a corner.
Vec3 edge_at(const MeshGeometry& g, int triangle, const Vec3& p) {
  const int bits = edges_at(g, triangle, p);
  for (int k = 0; k < 3; ++k) {
    if (bits != 1 << k) continue;
    const int other = g.neighbours[triangle][k];
    if (other >= 0 && dot(g.face_normals[triangle], g.face_normals[other]) > kSameFace) return {};
    return normalized(vertex(g, triangle, k + 1) - vertex(g, triangle, k), {});
  }
  return {};
}

// The normal of a place on a round surface, of which faces are but a likeness: nearer than `width`
// to an edge it turns from that of one face to that of the other, and about a corner to that of the
// vertex. With the faces as they are, what lies with an edge on an edge would have another normal
// in every step.
Vec3 blend_normals(const MeshGeometry& g, const Vec3& p, int triangle, double width) {
  const Vec3& n = g.face_normals[triangle];
  Vec3 sum = n, corner;
  double near_corner = 0;
  for (int k = 0; k < 3; ++k) {
    const Vec3 &a = vertex(g, triangle, k), &b = vertex(g, triangle, k + 1);
    const double beside = 2 - norm(p - a) / width;
    if (beside > near_corner) {
      near_corner = beside;
      corner = g.vertex_normals[g.triangles[triangle][k]];
    }
    const double height = dot(cross(n, normalized(b - a, {})), p - a);
    const double part = 1 - std::fabs(height) / width;
    const int other = g.neighbours[triangle][k];
    if (part > 0 && other >= 0) sum += part * g.face_normals[other];
  }
  const double part = std::min(near_corner, 1.0);
  return normalized((1 - part) * normalized(sum, n) + part * corner, n);
}

}  // namespace

void FaceNormals::add(const Vec3& normal) {
  for (int i = 0; i < count; ++i) {
    if (dot(n[i], normal) > kSameFace) return;
  }
  if (count < kMost) n[count++] = normal;
}

MeshPoint find_nearest_signed(const MeshGeometry& mesh, const Vec3& q, double within, int hint) {
  MeshPoint m = find_nearest(mesh, q, within, hint);
  if (m.triangle < 0 || mesh.closed || !(m.distance < 0)) return m;
  const int bits = edges_at(mesh, m.triangle, m.point);
  for (int k = 0; k < 3; ++k) {
    if ((bits & 1 << k) == 0 || mesh.neighbours[m.triangle][k] >= 0) continue;
    const Vec3 d = q - m.point;
    const double beside = norm(d - dot(d, m.normal) * m.normal);
    if (beside < 1e-6 * -m.distance) continue;  // straight behind
    m.distance = -m.distance;
    return m;
  }
  return m;
}

Target::Target(const Shape& shape, double tiny) : shape_(&shape), tiny_(tiny) {
  if (const auto* mesh = std::get_if<Mesh>(&shape)) {
    mesh_ = mesh->geometry.get();
    field_ = mesh_->field.get();
    if (field_ != nullptr) error_ = field_->error();
  }
}

double Target::calc_open(const Vec3& q, double within) const {
  const MeshPoint m = find_nearest_signed(*mesh_, q, std::max(within, kDepth * tiny_));
  return m.triangle < 0 ? 2 * within + 1e-300 : m.distance;
}

// Within the band fields are off by error(), beyond it by kFarError of the distance. Beyond their
// bounds they take sqrt(a^2 + b^2) for a distance of a + b at most.
double Target::outer(double reach) const {
  if (mesh_ != nullptr && field_ == nullptr) return std::numeric_limits<double>::infinity();
  const double far = std::sqrt(2.0) / (1 - DistanceField::kFarError) * reach;
  return (field_ == nullptr || far <= field_->band() ? reach : far) + error_;
}

DistanceField::Sample Target::find(const Vec3& q, double within) const {
  if (field_ != nullptr) return field_->sample(q);
  if (mesh_ == nullptr) {
    const ClosestPoint c = find_closest_point(*shape_, q);
    return {c.distance, c.normal};
  }
  const MeshPoint m = find_nearest_signed(*mesh_, q, std::max(within, kDepth * tiny_));
  if (m.triangle < 0) return {2 * within + 1e-300, {0, 1, 0}};
  const Vec3 n = std::fabs(m.distance) > tiny_ ? (1 / m.distance) * (q - m.point) : m.normal;
  return {m.distance, n};
}

Measured Target::measure(const Vec3& q, double within, const Vec3& edge, int& hint) const {
  Measured out;
  if (mesh_ == nullptr) {
    const ClosestPoint c = find_closest_point(*shape_, q);
    out = {c.point, c.normal, c.distance, true, true};
    if (std::fabs(c.distance) < tiny_) out.sure = faces_of_convex(c.point).count < 2;
    return out;
  }
  const MeshPoint m = find_nearest_signed(*mesh_, q, within, hint);
  if (m.triangle < 0) return out;
  hint = m.triangle;
  out = {m.point, m.normal, m.distance, true, true};
  if (std::fabs(m.distance) > tiny_) {
    out.normal = normalized((1 / m.distance) * (q - m.point), m.normal);
    return out;
  }
  const FaceNormals faces = faces_of_mesh(m.point, m.triangle);
  const bool round = mesh_->closed && mesh_->samples.smooth;
  if (faces.count == 1) {
    out.normal = round ? blend_normals(*mesh_, m.point, m.triangle, tiny_) : faces.n[0];
    return out;
  }
  // two edges that cross have one normal
  const Vec3 across = cross(edge, edge_at(*mesh_, m.triangle, m.point));
  constexpr double kCrossed = 0.1;
  if (norm2(across) > kCrossed * kCrossed) {
    out.normal = normalized(dot(across, m.normal) < 0 ? -across : across);
    out.distance = dot(out.normal, q - m.point);
    return out;
  }
  if (round) {
    out.normal = blend_normals(*mesh_, m.point, m.triangle, tiny_);
    return out;
  }
  out.sure = false;
  return out;
}

FaceNormals Target::faces_at(const Vec3& on_surface, int triangle) const {
  if (mesh_ == nullptr) return faces_of_convex(on_surface);
  return triangle < 0 ? FaceNormals{} : faces_of_mesh(on_surface, triangle);
}

int Target::triangle_hint_of(const Measured& m) const {
  return mesh_ == nullptr ? -1 : find_nearest(*mesh_, m.point, tiny_).triangle;
}

FaceNormals Target::faces_of_mesh(const Vec3& p, int triangle) const {
  FaceNormals faces;
  faces.add(mesh_->face_normals[triangle]);
  const int bits = edges_at(*mesh_, triangle, p);
  if (const int corner = corner_of(bits); corner >= 0) {
    visit_ring(*mesh_, triangle, corner, [&](int t, int) { faces.add(mesh_->face_normals[t]); });
    return faces;
  }
  for (int k = 0; k < 3; ++k) {
    const int other = mesh_->neighbours[triangle][k];
    if ((bits & 1 << k) != 0 && other >= 0) faces.add(mesh_->face_normals[other]);
  }
  return faces;
}

FaceNormals Target::faces_of_convex(const Vec3& p) const {
  FaceNormals faces;
  if (const auto* box = std::get_if<Box>(shape_)) {
    for (int k = 0; k < 3; ++k) {
      if (std::fabs(p[k]) < box->half[k] - tiny_) continue;
      Vec3 n;
      n[k] = p[k] < 0 ? -1 : 1;
      faces.add(n);
    }
  } else if (const auto* cylinder = std::get_if<Cylinder>(shape_)) {
    const double rho = std::sqrt(p.x * p.x + p.z * p.z);
    if (rho > cylinder->radius - tiny_) faces.add(normalized(Vec3{p.x, 0, p.z}));
    if (std::fabs(p.y) > cylinder->half_height - tiny_) faces.add({0, p.y < 0 ? -1.0 : 1.0, 0});
  } else if (const auto* hull = std::get_if<Hull>(shape_)) {
    for (const HullGeometry::Face& f : hull->geometry->faces) {
      if (dot(f.normal, p) > f.offset - tiny_) faces.add(f.normal);
    }
  }
  return faces;
}

}  // namespace tenon::narrow
