// Triangles of shapes, for programs that draw triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/engine/geometry/shape.h"

namespace tenon::exports {

struct TriangleMesh {
  std::vector<Vec3> points;   // m, in the frame of the shape
  std::vector<Vec3> normals;  // unit, one per point: smooth on round sides, sharp at edges
  std::vector<std::array<uint32_t, 3>> triangles;  // counter-clockwise seen from outside
};

struct MeshDetail {
  int sides = 32;           // about the axis of round shapes, 8 ... 256
  double plane_half = 100;  // m, half the edge of the square that stands for an infinite plane
};

// Points lie on the surface of the shape, so a round shape is inscribed in the true one.
TriangleMesh make_mesh(const Shape& shape, const MeshDetail& detail = {});

// A round tube along a line of at least two points, without lids.
TriangleMesh make_tube(std::span<const Vec3> line, double radius, int sides = 8);

}  // namespace tenon::exports
