// The options of the joint solver 'sweep', field by field; see fields.h for what a visitor has.
#pragma once

#include "tenon/scene/document/sweep.h"
#include "tenon/scene/formats/named.h"
#include "tenon/scene/formats/spec.h"

namespace tenon::scene {

TENON_NAMED(SweepSettings, "sweep", "Options of the joint solver 'sweep'")
TENON_NAMED(SweepCollisions, "sweep_collisions", "Impulses with restitution")
TENON_NAMED(SweepContacts, "sweep_contacts", "What holds bodies up and rubs")
TENON_NAMED(SweepShock, "sweep_shock", "Shock propagation: levels below are held")
TENON_NAMED(SweepPushOut, "sweep_push_out", "Overlaps after the move")
TENON_NAMED(SweepJoints, "sweep_joints", "Joints among the contacts")
TENON_WORDS(SweepJointCorrection, "before_move", "after_move")
TENON_WORDS(SweepJointsInShock, "true_masses", "skipped")
TENON_WORDS(SweepFinalJoints, "none", "kept", "saved")

namespace spec {
inline Spec rounds() { return number().whole().from(0).up_to(1e6); }
}  // namespace spec

template <class V, Is<SweepCollisions> T>
void describe(V& v, T& s) {
  v.field("on", s.on, spec::plain(), "false: none");
  v.field("sweeps", s.sweeps, spec::rounds(), "over all levels");
  v.field("level_rounds", s.level_rounds, spec::rounds(), "over the pairs of a level");
  v.field("pair_rounds", s.pair_rounds, spec::rounds(), "impulses per visit of a pair");
  v.field("energy_guard", s.energy_guard, spec::plain(),
          "impulses that would add kinetic energy are scaled down");
}
template <class V, Is<SweepContacts> T>
void describe(V& v, T& s) {
  v.field("on", s.on, spec::plain(), "false: joints only");
  v.field("level_rounds", s.level_rounds, spec::rounds(), "over the pairs of a level");
  v.field("pair_rounds", s.pair_rounds, spec::rounds(), "impulses per visit of a pair");
  v.field("sums", s.sums, spec::plain(),
          "the sum over the sweeps pushes and obeys friction; false: every impulse");
  v.field("ramp", s.ramp, spec::plain(), "sweep i of n stops i/n of the approach");
  v.field("land", s.land, spec::plain(), "stopped as far as needed to touch; false: to zero");
  v.field("roughness", s.roughness, spec::number().from(0).up_to(0.5),
          "of the smaller shape: overlaps below are none");
}
template <class V, Is<SweepShock> T>
void describe(V& v, T& s) {
  v.field("on", s.on, spec::plain(), "false: none");
  v.field("sweeps", s.sweeps, spec::rounds(), "over all levels");
  v.field("level_rounds", s.level_rounds, spec::rounds(), "over the pairs of a level");
  v.field("pair_rounds", s.pair_rounds, spec::rounds(), "impulses per visit of a pair");
}
template <class V, Is<SweepPushOut> T>
void describe(V& v, T& s) {
  v.field("on", s.on, spec::plain(), "false: none");
  v.field("sweeps", s.sweeps, spec::rounds(), "over all levels");
  v.field("level_rounds", s.level_rounds, spec::rounds(), "over the pairs of a level");
  v.field("pair_rounds", s.pair_rounds, spec::rounds(), "displacements per visit of a pair");
  v.field("rotates", s.rotates, spec::plain(), "bodies are turned as well");
  v.field("gradually", s.gradually, spec::plain(), "half of an overlap in the first round");
  v.field("freezes", s.freezes, spec::plain(), "levels already done do not give way");
}
template <class V, Is<SweepJoints> T>
void describe(V& v, T& s) {
  v.field("correction", s.correction, spec::plain(),
          "before_move: pre-stabilization; after_move: positions only, blind to contacts");
  v.field("rounds", s.rounds, spec::rounds(), "solves of each joint per sweep");
  v.field("in_shock", s.in_shock, spec::plain(),
          "while lower levels are held: true_masses, or skipped");
  v.field("final_sweep", s.final_sweep, spec::plain(),
          "over joints alone: none; kept; saved: it moves positions only");
}
template <class V, Is<SweepSettings> T>
void describe(V& v, T& s) {
  v.field("free_rotation", s.free_rotation, spec::plain(),
          "bodies turn by the equations of motion; false: by exp(h w)");
  v.field("collisions", s.collisions, spec::plain(), "impulses with restitution");
  v.field("contacts", s.contacts, spec::plain(), "what holds bodies up and rubs");
  v.field("shock", s.shock, spec::plain(), "shock propagation");
  v.field("push_out", s.push_out, spec::plain(), "overlaps after the move");
  v.field("joints", s.joints, spec::plain(), "joints among the contacts");
}

}  // namespace tenon::scene
