// What points of a mesh are held against: signed distance of a mesh or of a convex shape, cheap for
// the search and exact for what is kept. Everything in the target's own frame.
#pragma once

#include <array>
#include <vector>

#include "tenon/engine/geometry/closest_point.h"
#include "tenon/engine/geometry/mesh.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon::narrow {

struct Measured {
  Vec3 point;           // of the surface, nearest
  Vec3 normal;          // unit, outward; along it the query point is `distance` away
  double distance = 0;  // m, signed
  bool found = false;
  // The query point is as good as on the surface where faces meet: any of `faces` may be it.
  bool sure = true;
};

// Normals of the faces that pass through a place.
struct FaceNormals {
  static constexpr int kMost = 8;
  int count = 0;
  std::array<Vec3, kMost> n;
  void add(const Vec3& normal);
};

class Target {
 public:
  // `tiny` (m): nearer than this nothing tells the direction to an edge or a corner.
  Target(const Shape& shape, double tiny);

  bool convex() const { return mesh_ == nullptr; }
  const MeshGeometry* mesh() const { return mesh_; }
  const Shape& shape() const { return *shape_; }
  // m: find() is right up to this within its reach.
  double error() const { return error_; }

  // The distance if it is at most `within`; else any number above that is no larger than it. Off
  // by up to error().
  double calc_distance(const Vec3& q, double within) const {
    if (field_ != nullptr) return field_->value(q);
    return mesh_ == nullptr ? find_closest_point(*shape_, q).distance : calc_open(q, within);
  }
  // No larger than the distance but for error(): fields know less the farther away they are.
  double calc_bound(const Vec3& q, double within) const {
    const double d = calc_distance(q, within);
    return field_ != nullptr && d > field_->band() ? d / (1 + DistanceField::kFarError) : d;
  }
  // Nothing that find() holds to be as near as `reach` is farther than this, m; infinite for open
  // meshes, of whose distance the sign changes beside their rims.
  double outer(double reach) const;
  // Distance and outward direction, off by up to error().
  DistanceField::Sample find(const Vec3& q, double within) const;
  // Exact, where the nearest point is within |within|; `edge`: direction of the edge on which the
  // query point lies, zero for none.
  // `hint`, a triangle that may be near, saves time; becomes the one that is found.
  Measured measure(const Vec3& q, double within, const Vec3& edge, int& hint) const;
  Measured measure(const Vec3& q, double within, const Vec3& edge) const {
    int none = -1;
    return measure(q, within, edge, none);
  }
  // Faces at a point of the surface.
  FaceNormals faces_at(const Vec3& on_surface, int triangle) const;
  FaceNormals faces_at(const Measured& m) const { return faces_at(m.point, triangle_hint_of(m)); }

 private:
  double calc_open(const Vec3& q, double within) const;
  int triangle_hint_of(const Measured& m) const;
  FaceNormals faces_of_mesh(const Vec3& p, int triangle) const;
  FaceNormals faces_of_convex(const Vec3& p) const;

  const Shape* shape_;
  const MeshGeometry* mesh_ = nullptr;  // nullptr: convex
  const DistanceField* field_ = nullptr;
  double error_ = 0, tiny_ = 0;
};

// Nearest point of a surface that may end: beside its rim nothing is behind it.
MeshPoint find_nearest_signed(const MeshGeometry& mesh, const Vec3& q, double within,
                              int hint = -1);

// Triangles around vertex `corner` of `triangle`, that one first; of a rim too. Poles of fine balls
// and middles of discs have a thousand: what is not visited of those is not touched either.
template <class Visit>
void visit_ring(const MeshGeometry& g, int triangle, int corner, Visit visit) {
  constexpr int kMostAround = 4096;
  const int v = g.triangles[triangle][corner];
  const auto corner_in = [&](int t) {
    const MeshTriangle& x = g.triangles[t];
    return x[0] == v ? 0 : x[1] == v ? 1 : 2;
  };
  visit(triangle, corner);
  int t = triangle, k = corner;
  for (int i = 0; i < kMostAround; ++i) {
    t = g.neighbours[t][(k + 2) % 3];
    if (t == triangle) return;
    if (t < 0) break;
    k = corner_in(t);
    visit(t, k);
  }
  // met the rim: the other way round as well
  t = triangle;
  k = corner;
  for (int i = 0; i < kMostAround; ++i) {
    t = g.neighbours[t][k];
    if (t < 0 || t == triangle) return;
    k = corner_in(t);
    visit(t, k);
  }
}

}  // namespace tenon::narrow
