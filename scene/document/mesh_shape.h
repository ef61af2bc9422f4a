// Shapes made of triangles, as a scene describes them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tenon/engine/math/vec3.h"

namespace tenon::scene {

enum class LengthUnit { kMetre, kCentimetre, kMillimetre, kInch, kFoot };
enum class UpAxis { kY, kZ, kX };          // of the file; the scene's is y
enum class MeshOrigin { kFile, kCenter };  // kCenter: the centre of mass becomes the origin
// Changes to faulty triangles, never made unasked.
enum class MeshRepair {
  kWeld,  // vertices closer than weld_distance become one
  kDrop,  // triangles without area or with a vertex twice, and second copies of one, are left out
  kFlip   // pieces that are inside out are turned; neighbours are made to agree first
};

// Triangles from a file, or written out. A closed mesh is a solid; an open one is a surface for
// bodies that do not move freely.
struct MeshShape {
  std::string file;  // relative to the scene; .obj, .stl, .ply, .gltf, .glb
  LengthUnit units = LengthUnit::kMetre;
  UpAxis up = UpAxis::kY;
  Vec3 scale{1, 1, 1};  // along the file's axes, not 0; negative ones mirror
  MeshOrigin origin = MeshOrigin::kFile;
  std::vector<Vec3> vertices;  // m; instead of a file
  std::vector<std::array<int, 3>> triangles;
  std::vector<MeshRepair> repair;
  std::optional<double> weld_distance;  // m, > 0; else 1e-6 of the longest side
  std::optional<double> cell;           // m, of the distance field; else chosen
  friend bool operator==(const MeshShape&, const MeshShape&) = default;
};

}  // namespace tenon::scene
