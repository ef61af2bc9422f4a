// Dense linear systems of moderate size: LU with partial pivoting.
// Why not Eigen: its blocked kernels sum in an order that depends on the machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tenon {

class DenseLu {
 public:
  // `A`: n rows of n numbers. Returns false where a pivot vanishes against the row's own size: the
  // matrix is singular to round-off.
  bool factor(std::span<const double> A, size_t n);
  // Solves A x = b in place. Precondition: factor() was successful.
  void solve(std::span<double> x) const;

 private:
  size_t n_ = 0;
  std::vector<double> lu_;
  std::vector<size_t> row_;  // which row of A stands where
};

}  // namespace tenon
