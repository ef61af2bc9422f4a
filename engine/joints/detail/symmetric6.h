// Eigenvalues and vectors of symmetric 6 x 6 matrices, with the same bits on every compiler.
#pragma once

#include <array>

namespace tenon::detail {

using Row6 = std::array<double, 6>;
using Mat6 = std::array<Row6, 6>;

struct Eigen6 {
  Row6 values;   // descending
  Mat6 vectors;  // row k: the unit vector of values[k]
};

// Cyclic Jacobi rotations [GolubVanLoan2013, sec. 8.5]: as mat3.h does for 3 x 3.
Eigen6 calc_symmetric_eigen(Mat6 symmetric);

}  // namespace tenon::detail
