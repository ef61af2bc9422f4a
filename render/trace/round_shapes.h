// Where rays meet cylinders and capsules, exactly, in the frame of the shape (axis along y), and
// the worn edges of boxes.
#pragma once

#include <optional>

#include "tenon/render/trace/vector.h"

namespace tenon::render {

struct RoundShape {
  float radius = 1, half = 1;  // half height of a cylinder, half length of a capsule's axis
  bool capsule = false;
};

// Distances along a line to its entry and exit, in terms of the length of `d`; none where it
// passes by.
struct Passage {
  float in = 0, out = 0;
};
std::optional<Passage> find_passage(const RoundShape& shape, const V3& from, const V3& d);

// Outward unit normal at a point of the surface.
V3 round_normal(const RoundShape& shape, const V3& p);

// Edges of boxes are never quite sharp: near them the normal bends to the side, and they catch the
// light. The normal as it looks at a point of the surface, in the frame of the box.
V3 worn_normal(const V3& half, const V3& p);

}  // namespace tenon::render
