// Contact patches of common pairs, the short way. Each function answers the question of collide()
// with the same promises, or returns false where it can not prove its answer: then the general way
// decides, and `out` is worthless. Arguments are in the order that collide() works in.
#pragma once

#include "tenon/engine/collision/narrow/manifold.h"
#include "tenon/engine/geometry/shape.h"

namespace tenon::narrow {

bool collide_box_box(const Box& a, const Transform& X_WA, const Box& b, const Transform& X_WB,
                     double margin, Manifold& out);

// B is the plane.
bool collide_box_plane(const Box& a, const Transform& X_WA, const Transform& X_WB, double margin,
                       Manifold& out);

}  // namespace tenon::narrow
