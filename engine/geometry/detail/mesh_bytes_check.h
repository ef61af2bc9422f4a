// Whether what was read as a mesh is one: what no check sum can tell.
#pragma once

#include "tenon/engine/geometry/mesh.h"

namespace tenon::detail {

// What is wrong, or nullptr: indices that lead nowhere, trees that are none, numbers that are not
// finite. Needs what is kept in bytes, not what is made of it.
const char* find_damage(const MeshGeometry& mesh);

}  // namespace tenon::detail
