// Making, removing and reading the joints of a world.
#pragma once

#include "tenon/engine/base/result.h"
#include "tenon/engine/joints/compile.h"
#include "tenon/engine/world/world_data.h"

namespace tenon {

Result<JointHandle> create_joint(WorldData& data, const JointDef& def);
// What create_joint would make of a definition.
Result<JointModel> compile_in(const WorldData& data, const JointDef& def);
// What JointSolver::kSweep does not know is refused: gears, motors, springs, dampers, friction,
// restitution at limits.
Status check_sweep_joint(const JointDef& def);
// What the method and the joint solver of `settings` do not know.
Status check_joint_for(const JointDef& def, const WorldSettings& settings);
// All joints of the world against the joint solver of `settings`.
Status check_joints_for(const WorldData& data, const WorldSettings& settings);
// Precondition: the handle is live.
void remove_joint(WorldData& data, JointHandle joint);
// Joints of a body that is removed go with it.
void remove_joints_of(WorldData& data, uint32_t body_slot);
Status set_motor(WorldData& data, JointHandle joint, JointAxis axis, const Motor& motor);
JointReading read_joint(const WorldData& data, uint32_t slot);

// The joint of a connection between bodies of this world, and how its springs swing.
Result<JointDef> make_connection_in(const WorldData& data, const ConnectionDef& def);
Vibration calc_vibration_of(const WorldData& data, uint32_t slot);

// Live, enabled and not broken; gears only where both their joints are.
bool holds(const WorldData& data, uint32_t slot);
// None of its bodies is dynamic yet (release.h).
bool rests(const WorldData& data, const JointModel& model);
// Holds and does not rest.
bool acts(const WorldData& data, uint32_t slot);
// After the mass centre of a body has moved in it: where its joints are, from there.
void attach_joints(WorldData& data, uint32_t body_slot);
void set_joint_enabled(WorldData& data, JointHandle joint, bool enabled);
// At the end of a step of length h: angles of freedoms that nothing acts along, turns counted.
void count_turns(const PairFrames& x, const WorldData& data, const JointModel& model, double h,
                 JointState& state);

// Frames of pair `pair` of a joint where the bodies are now.
PairFrames current_frames(const WorldData& data, const JointPair& pair);

// What should be zero and is not, at given frames.
struct JointError {
  double gap_m = 0, angle_rad = 0;
};
JointError measure_joint(const JointModel& model, const PairFrames& x, const PairFrames& x2,
                         const JointState& state);
// m: what a gap is small or large against: the smaller jointed body, as the diagonal of a box with
// its mass and inertia.
double joint_size(const WorldData& data, const JointModel& model);

// Energy of its springs, J; those of JointAxisDef::min_separation have none where they do not act.
double calc_elastic_energy(const WorldData& data, uint32_t slot);

// engine/solve_articulated/mobility.h for each mechanism, in the order of find_mechanisms.
std::vector<MechanismReport> calc_mechanism_reports(const WorldData& data);

}  // namespace tenon
