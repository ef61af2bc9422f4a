#include "tenon/render/detail/tessellate.h"

#include "tenon/engine/math/elementary.h"
#include "tenon/render/detail/mesh_surface.h"

namespace tenon::render {
namespace {

struct RingPoint {
  double radius, y;
};

// Turns a profile, listed from the bottom up, about the y axis.
std::vector<MeshFace> revolve(const std::vector<RingPoint>& profile, int sides) {
  std::vector<double> c, s;
  for (int i = 0; i <= sides; ++i) {
    const double angle = 2 * kPi * (i % sides) / sides;
    c.push_back(cos(angle));
    s.push_back(sin(angle));
  }
  std::vector<MeshFace> faces;
  for (size_t k = 0; k + 1 < profile.size(); ++k) {
    const RingPoint &lo = profile[k], &hi = profile[k + 1];
    for (size_t i = 0; i < static_cast<size_t>(sides); ++i) {
      const auto at = [&](const RingPoint& p, size_t j) {
        return Vec3{p.radius * c[j], p.y, p.radius * s[j]};
      };
      // x towards z is clockwise seen from +y, so up first and then on around the axis
      MeshFace face;
      face.points = {at(lo, i), at(hi, i)};
      if (hi.radius > 0) face.points.push_back(at(hi, i + 1));
      if (lo.radius > 0) face.points.push_back(at(lo, i + 1));
      const double middle = 2 * kPi * (static_cast<double>(i) + 0.5) / sides;
      // the middle of a chord is nearer to the axis than its ends
      const double dy = hi.y - lo.y, dr = (hi.radius - lo.radius) * cos(kPi / sides);
      face.normal = normalized(Vec3{dy * cos(middle), -dr, dy * sin(middle)});
      faces.push_back(std::move(face));
    }
  }
  // flat ends
  for (const int end : {-1, 1}) {
    const RingPoint& p = end < 0 ? profile.front() : profile.back();
    if (!(p.radius > 0)) continue;
    MeshFace face;
    face.normal = {0, static_cast<double>(end), 0};
    for (int i = 0; i < sides; ++i) {
      const auto j = static_cast<size_t>(end < 0 ? i : sides - 1 - i);
      face.points.push_back({p.radius * c[j], p.y, p.radius * s[j]});
    }
    faces.push_back(std::move(face));
  }
  return faces;
}

// A capsule; with half_length 0 a sphere.
std::vector<MeshFace> round_ends(double radius, double half_length, int sides) {
  const int rings = sides < 8 ? 2 : sides / 4;
  std::vector<RingPoint> profile;
  for (int end : {-1, 1}) {
    for (int i = 0; i <= rings; ++i) {
      if (end > 0 && i == 0 && !(half_length > 0)) continue;  // the equator is there already
      const double angle = 0.5 * kPi * (end < 0 ? rings - i : i) / rings;
      // exactly 0 at the pole, where facets become triangles
      const double r = (end < 0 ? i == 0 : i == rings) ? 0 : radius * cos(angle);
      profile.push_back({r, end * (half_length + radius * sin(angle))});
    }
  }
  return revolve(profile, sides);
}

std::vector<MeshFace> box_faces(const Vec3& half) {
  std::vector<MeshFace> faces;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const double sign : {-1.0, 1.0}) {
      MeshFace face;
      face.normal[axis] = sign;
      for (const auto& [a, b] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
        Vec3 p;
        p[axis] = sign * half[axis];
        // the loop runs the other way round on the negative side
        p[u] = (sign > 0 ? a : b) * half[u];
        p[v] = (sign > 0 ? b : a) * half[v];
        face.points.push_back(p);
      }
      faces.push_back(std::move(face));
    }
  }
  return faces;
}

std::vector<MeshFace> hull_faces(const HullGeometry& hull) {
  std::vector<MeshFace> faces;
  for (const HullGeometry::Face& f : hull.faces) {
    MeshFace face;
    face.normal = f.normal;
    for (int i = f.first; i < f.first + f.count; ++i)
      face.points.push_back(
          hull.vertices[static_cast<size_t>(hull.face_vertices[static_cast<size_t>(i)])]);
    faces.push_back(std::move(face));
  }
  return faces;
}

// A sketch has no use for more triangles than one can see in it.
constexpr size_t kMostSketched = 3000;

std::vector<MeshFace> mesh_faces(const MeshGeometry& mesh) {
  const CoarseMesh coarse = make_coarse(mesh, kMostSketched);
  std::vector<MeshFace> faces;
  faces.reserve(coarse.triangles.size());
  for (const MeshTriangle& t : coarse.triangles) {
    const Vec3 &a = coarse.points[t[0]], &b = coarse.points[t[1]], &c = coarse.points[t[2]];
    faces.push_back({{a, b, c}, normalized(cross(b - a, c - a), {0, 1, 0})});
  }
  return faces;
}

}  // namespace

std::vector<MeshFace> tessellate(const Shape& shape, int sides) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return round_ends(s->radius, 0, sides);
  if (const auto* s = std::get_if<Box>(&shape)) return box_faces(s->half);
  if (const auto* s = std::get_if<Cylinder>(&shape))
    return revolve({{s->radius, -s->half_height}, {s->radius, s->half_height}}, sides);
  if (const auto* s = std::get_if<Capsule>(&shape))
    return round_ends(s->radius, s->half_length, sides);
  if (const auto* s = std::get_if<Hull>(&shape); s != nullptr && s->geometry)
    return hull_faces(*s->geometry);
  if (const auto* s = std::get_if<Mesh>(&shape); s != nullptr && s->geometry)
    return mesh_faces(*s->geometry);
  return {};
}

std::vector<MeshFace> tessellate_side(double radius, double half_length, int sides) {
  std::vector<MeshFace> faces = revolve({{radius, -half_length}, {radius, half_length}}, sides);
  faces.resize(static_cast<size_t>(sides));
  return faces;
}

}  // namespace tenon::render
