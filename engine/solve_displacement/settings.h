// What can be set about displacements. Theory: docs/theory/displacement.md.
#pragma once

#include <cstdint>

namespace tenon::displacement {

enum class Solver : uint8_t {
  kAuto,                // direct, unless told how many inner iterations to spend
  kConjugateGradients,  // least squares (krylov.h); wants weigh a tenth of joints
  kBiconjugate,         // the paper's
  kDirect,              // factorised (body_factor.h); joints first, wants where they leave room
};
const char* name(Solver solver);

enum class Projection : uint8_t { kConserving, kPredicted };

// What can be set about the method 'displacement'. Time: WorldSettings::budget_ms.
struct Settings {
  Projection projection = Projection::kConserving;
  Solver solver = Solver::kAuto;  // direct where nothing has bounds, conjugate gradients elsewhere
  int geometric = 10;  // iterations at most, >= 1. The paper: 1 when speed counts, 3 for precision
  int inner = 60;      // of conjugate gradients in each, >= 1. The paper: 5 to 50
};

}  // namespace tenon::displacement
