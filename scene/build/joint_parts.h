// A scene's joint in the engine's terms.
#pragma once

#include <map>
#include <string>

#include "tenon/engine/base/result.h"
#include "tenon/engine/joints/joint_def.h"
#include "tenon/engine/world/joint_rules.h"
#include "tenon/scene/document/rule.h"

namespace tenon::scene {

// One end of a joint: the body and where it stands. The world has an invalid handle and the
// identity.
struct JointEnd {
  BodyHandle body;
  Pose X_WB;
};

// The frames of P and C on their bodies, from where the joint says it is.
struct JointFrames {
  Pose X_BP, X_BC;
};
JointFrames calc_frames(const Joint& joint, const JointEnd& parent, const JointEnd& child);

// `joints` are those made so far, by name; gears look theirs up. Error: a gear's joint is not
// there.
Result<JointDef> make_joint_def(const Joint& joint, const JointEnd& parent, const JointEnd& child,
                                const std::map<std::string, JointHandle>& joints);

// A scene's rule; `ends` are the bodies by name. Error: a body is not there, or the black box is
// not one.
Result<JointRuleDef> make_rule_def(const Rule& rule, const std::map<std::string, JointEnd>& ends);

}  // namespace tenon::scene
