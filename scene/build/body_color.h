// The colour that a body is shown with: in films, exports and the studio alike.
#pragma once

#include <string>

#include "tenon/scene/document/document.h"

namespace tenon::scene {

// Of the piece of a compound, else of the body, else of its material; where none is given, grey for
// what stands and one of eight, by its place among the bodies, for what moves. `body` is one of
// `flat`.
Color find_shown_color(const Document& flat, const Body& body, const std::string& material,
                       bool is_plane, const Part* piece);

}  // namespace tenon::scene
