// What nothing from outside acts on keeps its angular momentum, and gains no energy.
// docs/theory/contacts.md, section 8.
#pragma once

#include "tenon/engine/world/contact_work.h"

namespace tenon {

// The moving bodies of an island as one, about their common mass centre.
struct IslandBalance {
  Vec3 x, v;             // of the mass centre
  Vec3 L;                // kg m^2/s, spins included
  Mat3 I{};              // kg m^2, as if they were one rigid body
  double kinetic_J = 0;  // of the motion relative to the mass centre
};
IslandBalance calc_balance(const WorldData& data, const Island& island);

// Whether nothing from outside the island acts on its bodies in this step but a uniform gravity: to
// be asked before contacts are among the applied forces.
bool is_isolated(const StepContext& context, const WorldData& data, const IslandWork& w);

// Takes what the bodies of an isolated island have now for what they must have, or (energy) may
// have at most, springs included: joints that drive are free to change it.
void remember_balance(const StepContext& context, const WorldData& data, IslandWork& w);

// Puts an isolated island right, `h` after it was remembered: its mass centre to where it must be,
// by moving all bodies as one; its angular momentum likewise, by turning them as one: no joint and
// no contact sees a difference. Then takes away what kinetic energy they have above the most, by
// slowing their motion relative to that of the rigid whole: momentum and joints do not see it.
// Books all of it.
void restore_balance(const StepContext& context, WorldData& data, const IslandWork& w, double h);

// Whether contacts and joints that only hold are all that acts on an island with mechanisms or
// meshes, beside gravity and springs, and nothing in it is moved from outside: its energy cannot
// grow.
bool is_left_to_contacts(const StepContext& context, const WorldData& data, const IslandWork& w);
// Of motion, gravity and springs, J.
double calc_energy(const StepContext& context, const WorldData& data, const IslandWork& w);

}  // namespace tenon
