// Rotation of a rigid body that nothing turns.
#pragma once

#include "tenon/engine/bodies/body.h"

namespace tenon {

// Where a body with the constant angular momentum L (about its mass centre, world axes) is turned
// to after a time h: the composition of `substeps` equal fourth-order steps. For a given number of
// them a smooth map of q and L that is symplectic, reversible and commutes with rotations of the
// world; exact for bodies of revolution, also with substeps = kExactTurn, which costs a fifth. A
// point mass, which has no rotation, keeps q.
inline constexpr int kExactTurn = 0;
Quat turn_freely(const Quat& q_WB, const BodyMass& body, const Vec3& L_W, double h, int substeps);

// Two of its moments are equal: kExactTurn will do.
bool turns_exactly(const BodyMass& body);

// How many substeps leave an error of about 1e-7 rad per radian turned; 1 ... 4096.
int count_turn_substeps(const Quat& q_WB, const BodyMass& body, const Vec3& L_W, double h);

}  // namespace tenon
