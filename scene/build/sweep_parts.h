// Options of the joint solver 'sweep' as the engine has them.
#pragma once

#include "tenon/engine/solve_contact/faithful/settings.h"
#include "tenon/scene/document/sweep.h"

namespace tenon::scene {

faithful::Settings make_sweep_settings(const SweepSettings& s);

}  // namespace tenon::scene
