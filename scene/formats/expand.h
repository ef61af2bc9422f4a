// Prefabs, instances and arrays -> bodies and joints.
#pragma once

#include "tenon/scene/document/document.h"
#include "tenon/scene/formats/reader.h"

namespace tenon::scene {

// Evaluates the scene's parameters in file order; each may use those before it.
void evaluate_parameters(Reader& r, const std::vector<Parameter>& parameters, Scope& scope);

// Fills `flat` (a copy of `document` without its trees) with every body and joint. Mistakes go to
// the reader. Fails at once, before doing the work, when an array is too large.
void expand_into(Reader& r, const Document& document, const Scope& globals, size_t max_bodies,
                 Document& flat);

}  // namespace tenon::scene
