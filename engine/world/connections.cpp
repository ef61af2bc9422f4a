// Connections of a world: which joint they are, and how they swing.
#include "tenon/engine/joints/connection.h"

#include "tenon/engine/joints/vibration.h"
#include "tenon/engine/world/joints.h"

namespace tenon {
namespace {

ConnectionEnd describe_end(const WorldData& data, BodyHandle body) {
  if (!data.body_slots.contains(body)) return {};
  const uint32_t slot = body.index;
  return {body_pose(data.state[slot], data.mass[slot].com_B),
          is_ever_dynamic(data, slot) && ever_mass(data, slot).inv_I_B == Mat3{}};
}

BodyAnswer describe_answer(const WorldData& data, uint32_t slot) {
  if (slot == kWorldBody || data.info[slot].motion != MotionKind::kDynamic) return {};
  const Mat3 R = to_matrix(data.state[slot].q_WB);
  return {data.mass[slot].inv_mass, R * data.mass[slot].inv_I_B * transpose(R)};
}

}  // namespace

Result<JointDef> make_connection_in(const WorldData& data, const ConnectionDef& def) {
  for (const BodyHandle& body : {def.a, def.b}) {
    if (!body.valid() || data.body_slots.contains(body)) continue;
    return Error{.message = "a body of the connection does not exist (any more)"};
  }
  return make_connection(def, describe_end(data, def.a), describe_end(data, def.b));
}

Vibration calc_vibration_of(const WorldData& data, uint32_t slot) {
  const JointModel& model = data.joint_models[slot];
  const JointPair& pair = model.pairs[0];
  return calc_vibration(model, current_frames(data, pair),
                        {describe_answer(data, pair.parent), describe_answer(data, pair.child)});
}

}  // namespace tenon
