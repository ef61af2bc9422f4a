// Options of the method 'displacement'. Meanings and reasons: docs/theory/displacement.md; the
// engine's own words: engine/solve_displacement/settings.h. Defaults are the engine's; a test
// compares them.
#pragma once

namespace tenon::scene {

// order of the engine's
enum class Projection { kConserving, kPredicted };
enum class DisplacementSolver { kAuto, kConjugateGradients, kBiconjugate, kDirect };

struct DisplacementMethod {
  Projection projection = Projection::kConserving;
  DisplacementSolver solver = DisplacementSolver::kAuto;
  int geometric = 10, inner = 60;
  friend bool operator==(const DisplacementMethod&, const DisplacementMethod&) = default;
};

}  // namespace tenon::scene
