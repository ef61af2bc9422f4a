// Triangles of forms.
#pragma once

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/form.h"
#include "tenon/scene/forms/surface.h"

namespace tenon::scene {

// The surface of a form: closed, manifold and oriented outward, except that of a ground, which is
// open and looks up. Curved parts are within edge^2 / (8 r) of the true surface, r its radius of
// curvature; flat ones are exact. Refuses what check_form refuses, and an `edge` so short that
// there would be more than kMostTriangles. Equal forms give equal bits.
Result<Surface> make_surface(const Form& form);

}  // namespace tenon::scene
