// The joint between joints.
#pragma once

#include <string>

#include "tenon/engine/joints/compile.h"

namespace tenon::detail {

// Precondition: check_joint(def) is ok.
Result<JointModel> compile_gear(const JointDef& def, const CompileContext& context);

// "x, rx", or what to say where nothing is free.
std::string list_axes(uint8_t free_axes);

}  // namespace tenon::detail
