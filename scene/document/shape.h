// Shapes as a scene describes them: full sizes, in the body's (or the part's) own frame.
// They become engine shapes and mass properties in scene/build.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tenon/engine/math/quat.h"
#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/json.h"
#include "tenon/scene/document/mesh_shape.h"

namespace tenon::scene {

// sRGB components in [0, 1].
struct Color {
  double r = 0.8, g = 0.8, b = 0.8;
  friend bool operator==(const Color&, const Color&) = default;
};

struct SphereShape {
  double radius = 0.5;  // m, > 0
  friend bool operator==(const SphereShape&, const SphereShape&) = default;
};
struct BoxShape {
  Vec3 size{1, 1, 1};  // m, full edge lengths, > 0
  friend bool operator==(const BoxShape&, const BoxShape&) = default;
};
struct CylinderShape {  // axis along y, centred
  double radius = 0.5;  // m, > 0
  double height = 1;    // m, > 0
  friend bool operator==(const CylinderShape&, const CylinderShape&) = default;
};
struct CapsuleShape {   // axis along y, centred
  double radius = 0.5;  // m, > 0
  double length = 1;    // m, between the cap centres, >= 0
  friend bool operator==(const CapsuleShape&, const CapsuleShape&) = default;
};
// The half-space dot(n, p) <= offset of the body frame, n = normal / |normal|. Never dynamic.
struct PlaneShape {
  Vec3 normal{0, 1, 0};  // any length but zero
  double offset = 0;     // m
  friend bool operator==(const PlaneShape&, const PlaneShape&) = default;
};
// The convex hull of the points; at least four that do not lie in one plane.
struct HullShape {
  std::vector<Vec3> points;  // m
  friend bool operator==(const HullShape&, const HullShape&) = default;
};
// A mass without extent: no contact. The body (or part) must give `mass`.
struct PointMassShape {
  friend bool operator==(const PointMassShape&, const PointMassShape&) = default;
};
// An immovable point to attach things to; no mass, no contact. Never dynamic.
struct FixedPointShape {
  friend bool operator==(const FixedPointShape&, const FixedPointShape&) = default;
};

using PartShape = std::variant<SphereShape, BoxShape, CylinderShape, CapsuleShape, HullShape,
                               MeshShape, PointMassShape>;

// What a piece of a compound is there for. Models of robots have one set of shapes to be seen and
// another to touch with.
enum class PartRole {
  kAll,      // it is seen, touches and weighs
  kVisual,   // it is only seen: it touches nothing and weighs nothing
  kContact,  // it touches and weighs, and is not drawn
};

// One piece of a compound; its frame is placed in the body frame.
struct Part {
  PartShape shape;
  PartRole role = PartRole::kAll;
  std::string material;                  // empty = the body's
  Vec3 position;                         // m, p_BP
  Quat orientation;                      // R_BP, unit
  std::optional<double> mass;            // kg, > 0; else density * volume
  std::optional<double> density;         // kg/m^3, > 0; else the material's
  std::optional<Color> color;            // else the body's
  std::optional<Vec3> surface_velocity;  // m/s, in the axes of the body; else the body's
  std::optional<bool> sensor;            // else the body's
  Place place;
  friend bool operator==(const Part&, const Part&) = default;
};

struct CompoundShape {
  std::vector<Part> parts;  // at least one
  friend bool operator==(const CompoundShape&, const CompoundShape&) = default;
};

using Shape = std::variant<SphereShape, BoxShape, CylinderShape, CapsuleShape, PlaneShape,
                           HullShape, MeshShape, CompoundShape, PointMassShape, FixedPointShape>;

}  // namespace tenon::scene
