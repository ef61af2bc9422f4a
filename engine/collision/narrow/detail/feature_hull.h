// The features of convex hulls.
#pragma once

#include "tenon/engine/collision/narrow/detail/feature.h"

namespace tenon::detail {

// find_feature for a hull; out.outward and out.size are set already.
void find_hull_feature(const HullGeometry& hull, const Transform& X_WS, const PatchFrame& frame,
                       double reach, Feature& out, FaceList& faces);

// Makes `out` one face of a hull, as a polygon; out.outward is set already.
void set_hull_face(const HullGeometry& hull, const Transform& X_WS, const PatchFrame& frame,
                   int face, Feature& out);

}  // namespace tenon::detail
