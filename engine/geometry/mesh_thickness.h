// How thick the walls of a mesh are.
#pragma once

#include "tenon/engine/geometry/mesh.h"

namespace tenon {

// The thickness (m) that a sixth of the surface does not reach: the way from a place on it straight
// inwards to the other side, at 256 places spread evenly over the area. Wings on a thick hub give
// that of the wings, where size() is a mean over the volume; no less than an eighth of that, since
// sharp edges of any wedge are thin. Open meshes: their size. Same bits everywhere.
double calc_thickness(const MeshGeometry& mesh);

}  // namespace tenon
