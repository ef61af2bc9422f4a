// Vectors, rotations and colours as lists of numbers, the way messages have them.
#pragma once

#include "tenon/engine/math/quat.h"
#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/document/json.h"

namespace tenon::studio {

inline scene::Json list(const Vec3& v) { return scene::Json::array({v.x, v.y, v.z}); }
inline scene::Json list(const Quat& q) { return scene::Json::array({q.w, q.x, q.y, q.z}); }
inline scene::Json list(const scene::Color& c) { return scene::Json::array({c.r, c.g, c.b}); }

}  // namespace tenon::studio
