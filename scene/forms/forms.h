// Triangles of forms.
#pragma once

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/form.h"
#include "tenon/scene/forms/surface.h"

namespace tenon::scene {

// Raised whenever the same form gets other triangles than before: caches go by it.
inline constexpr int kFormsVersion = 1;

// The surface of a form: closed, manifold and oriented outward, except that of a ground, which is
// open and looks up. Curved parts are within edge^2 / (8 r) of the true surface, r its radius of
// curvature; flat ones are exact. Refuses what check_form refuses, and an `edge` so short that
// there would be more than kMostTriangles. Equal forms give equal bits.
Result<Surface> make_surface(const Form& form);

}  // namespace tenon::scene
