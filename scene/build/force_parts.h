// A scene's force in the engine's terms.
#pragma once

#include <map>
#include <string>

#include "tenon/engine/forces/timed_force.h"
#include "tenon/scene/build/joint_parts.h"
#include "tenon/scene/document/force.h"

namespace tenon::scene {

// `ends` are the bodies by name. Error: a body is not there.
Result<TimedForceDef> make_force_def(const Force& force,
                                     const std::map<std::string, JointEnd>& ends);

}  // namespace tenon::scene
