// Faces with more than three corners.
#pragma once

#include <cstddef>
#include <string>

#include "tenon/scene/mesh/mesh_file.h"

namespace tenon::scene::detail {

enum class PolygonCut {
  kDone,
  kCrossed,  // it passes through itself: the fan stays
  kTooMany,  // not convex, with more than kMostConcaveCorners: the fan stays
};

inline constexpr size_t kMostConcaveCorners = 10'000;  // their ears take n^2 steps

// `count` triangles from `first` on are the fan of one polygon about its first corner. Where the
// fan would leave the polygon, as many triangles that fill it take its place. Convex polygons keep
// their fans, but for straight corners that would give triangles without area; so do those that no
// plane fits, quads bent by more than a thousandth of their size and others by more than a tenth.
// The rest is cut alike whatever its first corner is.
PolygonCut cut_polygon(MeshData& mesh, size_t first, size_t count);

// Polygons that pass through themselves: nobody knows which side of them is inside.
class CrossedPolygons {
 public:
  void add(const std::string& place);  // "line 7"
  void tell(MeshData& mesh) const;     // a remark, where there are any

 private:
  size_t count_ = 0;
  std::string places_;
};

}  // namespace tenon::scene::detail
