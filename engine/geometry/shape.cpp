#include "tenon/engine/geometry/shape.h"

#include "tenon/engine/geometry/detail/text.h"

namespace tenon {

const char* name(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kSphere:
      return "sphere";
    case ShapeKind::kBox:
      return "box";
    case ShapeKind::kCylinder:
      return "cylinder";
    case ShapeKind::kCapsule:
      return "capsule";
    case ShapeKind::kPlane:
      return "plane";
    case ShapeKind::kHull:
      return "hull";
    case ShapeKind::kMesh:
      return "mesh";
  }
  return "unknown";
}

namespace {

std::string range_text() {
  return "a length from " + detail::to_text(kSmallestLength) + " to " +
         detail::to_text(kLargestLength) + " m";
}

Status check_length(const char* what, double value) {
  // the negated comparison also catches NaN
  if (!(value >= kSmallestLength && value <= kLargestLength)) {
    return Error{.message = std::string(what) + " is out of range",
                 .value = detail::to_text(value),
                 .accepted = range_text()};
  }
  return Ok{};
}

struct Checker {
  Status operator()(const Sphere& s) const { return check_length("sphere radius", s.radius); }
  Status operator()(const Box& s) const {
    if (Status x = check_length("box half.x", s.half.x); !x) return x;
    if (Status y = check_length("box half.y", s.half.y); !y) return y;
    return check_length("box half.z", s.half.z);
  }
  Status operator()(const Cylinder& s) const {
    if (Status r = check_length("cylinder radius", s.radius); !r) return r;
    return check_length("cylinder half_height", s.half_height);
  }
  Status operator()(const Capsule& s) const {
    if (Status r = check_length("capsule radius", s.radius); !r) return r;
    if (s.half_length == 0) return Ok{};
    return check_length("capsule half_length", s.half_length);
  }
  Status operator()(const Plane&) const { return Ok{}; }
  Status operator()(const Hull& s) const {
    if (!s.geometry || s.geometry->faces.size() < 4) {
      return Error{.message = "hull has no geometry", .accepted = "a hull made by make_hull"};
    }
    return Ok{};
  }
  Status operator()(const Mesh& s) const {
    if (!s.geometry || s.geometry->triangles.empty()) {
      return Error{.message = "mesh has no geometry", .accepted = "a mesh made by make_mesh"};
    }
    return Ok{};
  }
};

}  // namespace

Status check(const Shape& shape) { return std::visit(Checker{}, shape); }

}  // namespace tenon
