// A file of triangles by itself, as a scene: a body that falls onto a floor.
#pragma once

#include <string>

#include "tenon/scene/model/import.h"

namespace tenon::scene::model {

// .obj, .stl or .ply. Faults that a repair mends are mended, and that is told; a surface that stays
// open stands still, for it encloses no mass. Errors name the file and the place in it.
Result<Imported> import_mesh(const std::string& file, const Files& files);

}  // namespace tenon::scene::model
