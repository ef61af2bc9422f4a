#include "tenon/scene/build/sweep_parts.h"

namespace tenon::scene {

faithful::Settings make_sweep_settings(const SweepSettings& s) {
  faithful::Settings to;
  to.free_rotation = s.free_rotation;
  to.collisions = s.collisions.on;
  to.collision = {s.collisions.sweeps, s.collisions.level_rounds, s.collisions.pair_rounds};
  to.energy_guard = s.collisions.energy_guard;
  to.contacts = s.contacts.on;
  to.contact.level = s.contacts.level_rounds;
  to.contact.pair = s.contacts.pair_rounds;
  to.sums = s.contacts.sums;
  to.ramp = s.contacts.ramp;
  to.land = s.contacts.land;
  to.roughness = s.contacts.roughness;
  to.shock = s.shock.on;
  to.shock_propagation = {s.shock.sweeps, s.shock.level_rounds, s.shock.pair_rounds};
  to.push_out = s.push_out.on;
  to.push = {s.push_out.sweeps, s.push_out.level_rounds, s.push_out.pair_rounds};
  to.push_rotates = s.push_out.rotates;
  to.push_gradually = s.push_out.gradually;
  to.push_freezes = s.push_out.freezes;
  to.joint_correction = static_cast<faithful::JointCorrection>(s.joints.correction);
  to.joint_rounds = s.joints.rounds;
  to.joints_in_shock = static_cast<faithful::JointsInShock>(s.joints.in_shock);
  to.final_joint_sweep = static_cast<faithful::FinalJointSweep>(s.joints.final_sweep);
  return to;
}

}  // namespace tenon::scene
