// Options of the method 'force' as the engine has them.
#pragma once

#include "tenon/engine/solve_force/settings.h"
#include "tenon/scene/document/force_method.h"

namespace tenon::scene {

ForceSettings make_force_settings(const ForceMethod& f);

}  // namespace tenon::scene
