// What rays meet: the solids and tubes of a stage in Embree [Wald2014].
// Spheres are Embree's own, boxes and hulls triangles of one mesh, cylinders and capsules exact
// (no facets on silhouettes), tubes Embree's round curves; large hulls are stored once and placed
// often, as are meshes, whose normals are smooth where they have no crease. Planes, which are
// infinite, are met by a formula.
#pragma once

#include <memory>
#include <vector>

#include "tenon/render/stage.h"
#include "tenon/render/trace/vector.h"

namespace tenon::render {

struct Ray {
  V3 from, along;  // along is unit
  float near = 0, far = 1e30f;
};

struct Hit {
  float distance = 0;
  V3 point, normal;  // outward unit normal of the surface
  V3 bent;           // the normal as it looks: smooth over facets, turned to the side near edges
  V3 local;          // point in the frame of the solid; of a tube: in the eye's
  const StageLook* look = nullptr;
  const Shape* shape = nullptr;  // nullptr: a tube
  uint32_t seed = 0;             // the same for all parts of a body: no two look the same
};

// Embree's door; made once, used for all pictures.
class Device {
 public:
  Device();
  void* handle() const { return handle_.get(); }
  // What was made of the mesh: once for all pictures.
  struct PlacedMesh;
  const PlacedMesh& find_mesh(const std::shared_ptr<const MeshGeometry>& mesh) const;

 private:
  struct Meshes;
  std::shared_ptr<void> handle_;
  std::shared_ptr<Meshes> meshes_;
};

class Geometry {
 public:
  // The stage outlives it; `origin_W` becomes the origin. Things beyond 1e15 m are left out.
  Geometry(const Device& device, const Stage& stage, const Vec3& origin_W);
  ~Geometry();
  Geometry(const Geometry&) = delete;
  Geometry& operator=(const Geometry&) = delete;

  // Whether there is a surface, and the nearest one.
  bool find(const Ray& ray, Hit& hit) const;
  // How much light comes along the ray from its far end: 0 behind what is opaque, tinted behind
  // glass (which bends nothing here: its shadow is light, without caustics).
  V3 find_light(const Ray& ray) const;

 private:
  struct State;
  std::unique_ptr<State> state_, opaque_,
      glass_;  // the last where there is glass; opaque_ there and with overlays
};

}  // namespace tenon::render
