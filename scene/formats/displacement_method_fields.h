// The options of the method 'displacement', field by field; see fields.h for what a visitor has.
#pragma once

#include "tenon/scene/document/displacement_method.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

TENON_NAMED(DisplacementMethod, "displacement_method", "Options of the method 'displacement'")
TENON_WORDS(Projection, "conserving", "predicted")
TENON_WORDS(DisplacementSolver, "auto", "conjugate_gradients", "biconjugate", "direct")

template <class V, Is<DisplacementMethod> T>
void describe(V& v, T& d) {
  v.field("projection", d.projection, spec::plain(),
          "conserving: corrections along joints as they were at the begin of the step; predicted: "
          "as they are predicted to be, which loses energy");
  v.field("solver", d.solver, spec::plain(),
          "auto: direct where nothing has bounds, conjugate gradients elsewhere");
  v.field("geometric", d.geometric, spec::number().whole().from(1).up_to(1e6),
          "linearisations per step, at most");
  v.field("inner", d.inner, spec::number().whole().from(1).up_to(1e6),
          "iterations of conjugate gradients in each, at most");
}

}  // namespace tenon::scene
