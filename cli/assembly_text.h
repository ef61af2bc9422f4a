// What assembling a scene did, in plain words and as JSON.
#pragma once

#include <string>

#include "tenon/scene/build/build.h"
#include "tenon/scene/document/json.h"

namespace tenon::cli {

// A table of several lines, ending in a newline.
std::string describe_assembly(const AssemblyReport& report, const scene::Assembly& assembly,
                              const scene::BuiltScene& built);
// One line for a run that assembled at its start.
std::string summarize_assembly(const AssemblyReport& report, const scene::BuiltScene& built);
// Keys are stable; new ones may be added.
scene::Json assembly_to_json(const AssemblyReport& report, const scene::Assembly& assembly,
                             const scene::BuiltScene& built);

}  // namespace tenon::cli
