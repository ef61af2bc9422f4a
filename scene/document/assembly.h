// How the mechanisms of a scene are put together, and what bodies are dragged along what paths.
// What the engine makes of it: engine/world/assembly.h, docs/assembly.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tenon/engine/math/quat.h"
#include "tenon/engine/math/vec3.h"
#include "tenon/scene/document/joint.h"
#include "tenon/scene/document/json.h"

namespace tenon::scene {

// Something that a body should do where the joints leave it room: exactly one of reach, orient,
// upright and stay.
struct Want {
  Reference body;               // dynamic
  std::optional<Vec3> reach;    // m: where the point `at` of the body should be
  std::optional<Vec3> at;       // m, in the body frame; else its origin
  std::optional<Quat> orient;   // how the body should be turned
  std::optional<Vec3> upright;  // where the direction `axis` of the body should point
  std::optional<Vec3> axis;     // in the body frame, any length but zero; else y
  bool stay = false;            // near where it starts
  double weight = 1;            // > 0
  Place place;
  friend bool operator==(const Want&, const Want&) = default;
};

// Errors of a joint count so many times as much as those of others.
struct Importance {
  std::string name;  // of the joint or connection
  double weight = 1;
  Place place;
  friend bool operator==(const Importance&, const Importance&) = default;
};

enum class AssemblyMetric { kWays, kByMass };  // order of the engine's
enum class AssemblySolver { kAuto, kConjugateGradients, kBiconjugate, kDirect };  // the engine's

struct Assembly {
  bool automatic = false;         // at the start of a run
  std::vector<Reference> locked;  // bodies that stay where they are
  std::vector<Want> wants;
  std::vector<Importance> importance;
  bool limits = true;  // joints obey theirs
  AssemblyMetric metric = AssemblyMetric::kWays;
  AssemblySolver solver = AssemblySolver::kAuto;
  int geometric = 200;      // iterations at most
  int inner = 0;            // conjugate-gradient iterations in each; 0: as many as it takes
  double precision = 1e-9;  // of body size, and rad
  double budget = 0;        // s; 0: as long as it takes
  Place place;
  friend bool operator==(const Assembly&, const Assembly&) = default;
};

}  // namespace tenon::scene
