// Forces of a scene that do nothing in its run, a likely slip of times or units.
#pragma once

#include <string>
#include <vector>

#include "tenon/scene/document/document.h"

namespace tenon::cli {

// A sentence for each of them, with its name, its times and those of the run.
std::vector<std::string> find_idle_forces(const scene::Document& flat);

}  // namespace tenon::cli
