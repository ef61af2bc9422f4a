// Jointed mechanisms that nothing touches: ball joints and hinges, no limits.
#pragma once

#include <optional>
#include <string>

#include "tenon/benchmarks/engines/scene.h"

namespace tenon {

enum class SceneFamily {
  kChain,  // n links of 1 kg, 0.2 m apart, hung at one end, released when level
  kHeavy,  // the same with a last link of 1000 kg
  kNet,    // n x n knots and rods between them, hung at four corners, sagging
  kBars,   // n square four-bar linkages in a row, standing up, pushed at 1 m/s
  kGrid,   // n x n balls of 268 kg in an upright square, hung along its top: a scene of Box3D
};

struct SceneChoice {
  SceneFamily family;
  int n;
};
const char* name(SceneFamily family);
// "chain-1000", or "chain" for the usual size; empty if it is none of these or n is out of range
// (at least 1, nets and grids at least 2; at most 1,000,000 bodies).
std::optional<SceneChoice> parse_scene(const std::string& text);

BenchScene make_scene(const SceneChoice& choice);

}  // namespace tenon
