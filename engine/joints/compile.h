// From what a user says about a joint (JointDef) to what the solvers work with (JointModel).
#pragma once

#include "tenon/engine/base/result.h"
#include "tenon/engine/joints/joint_def.h"
#include "tenon/engine/joints/joint_model.h"

namespace tenon {

// A body as a joint sees it when it is made.
struct JointBody {
  bool found = false;    // the handle names a body that exists
  bool dynamic = false;  // moved by forces
  uint32_t slot = 0;
  Vec3 com_B;  // centre of mass in the body frame
  Pose X_WB;   // where it is now
  bool is_static = false;
  bool point_mass = false;  // dynamic, without inertia
};

// One of the two joints that a gear couples.
struct CoupledJoint {
  const JointModel* model = nullptr;  // nullptr: the handle names no joint that exists
  PairFrames frames;                  // of its first pair, now
  bool dynamic = false;               // at least one of its bodies is
};

struct CompileContext {
  JointBody parent, child;     // of JointDef::parent and child; parent is not read for the world
  CoupledJoint first, second;  // of kGear only
};

// Everything about a definition that can be judged without knowing the bodies.
Status check_joint(const JointDef& def);

// Held rows first, then one row for each freedom that something acts on, the cone last. Fails, with
// the reason, for everything check_joint refuses, for bodies and joints that do not exist, for
// joints that no dynamic body takes part in, and for joints that would turn a point mass
// (detail/point_mass.h).
Result<JointModel> compile_joint(const JointDef& def, const CompileContext& context);

// State of a joint that has just been made: coordinates of its rows, no forces. Angles begin on the
// turn that obeys their limits, or comes nearest to that. `x2` is read for gears only.
JointState make_joint_state(const JointModel& model, const PairFrames& x, const PairFrames& x2);

// Puts the angles of a state, and the rows along them, on the turn nearest to `near`, or on that
// which obeys their limits.
void set_turns(const JointModel& model, const std::array<double, 3>& near, JointState& state);

// The sum that a gear keeps is part of its state. Nothing happens to other joints.
inline void set_gear_value(JointModel& model, const JointState& state) {
  if (model.kind == JointKind::kGear) model.rows[0].value = state.coordinate[kGearValue];
}

}  // namespace tenon
