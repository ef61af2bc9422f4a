// A scene's connection in the engine's terms.
#pragma once

#include "tenon/engine/joints/connection.h"
#include "tenon/scene/build/joint_parts.h"
#include "tenon/scene/document/connection.h"

namespace tenon::scene {

ConnectionDef make_connection_def(const Connection& c, const JointEnd& a, const JointEnd& b);

}  // namespace tenon::scene
