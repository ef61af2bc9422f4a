// Scenes in which bodies touch: friction 0.5, no restitution, on a static slab whose surface is
// y = 0.
#pragma once

#include <optional>
#include <string>

#include "tenon/benchmarks/engines/scene_maker.h"

namespace tenon {

//   S2       a net of 16 x 16 knots, hung at four corners, and 20 boxes of 10 kg that fall into it
//   S3       a suspension bridge of 26 planks with posts and hand ropes, 81 hinged pairs of bricks
//   S4       360 rings of 6 capsules that fall over 25 poles
//   S5_N     N ragdolls of 21 bodies that fall onto one another, N = 1 ... 1000
//   S6a      10 boxes on top of each other
//   S6b      a wall of 210 boxes, base 20
//   S7       40 square four-bar linkages in a row; nothing touches
//   rings-N  N rings, as in S4, at rest around each of 4 poles, N = 1 ... 1000
// Empty if the name is none of these.
std::optional<BenchScene> make_contact_scene(const std::string& name);

inline constexpr const char* kContactScenes = "S2 S3 S4 S5_N S6a S6b S7 rings-N";

// A figure of 21 bodies and 20 joints with limits, 75 kg and 1.8 m tall. In its own frame it stands
// along z and looks along x; the origin is 0.95 m above its soles.
void add_ragdoll(SceneMaker& make, const Pose& X_WF);

}  // namespace tenon
