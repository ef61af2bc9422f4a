#include "tenon/engine/joints/detail/symmetric6.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace tenon::detail {
namespace {

// One rotation in the plane (p, q) that makes a[p][q] zero; v collects the rotations.
void rotate_pair(Mat6& a, Mat6& v, size_t p, size_t q) {
  if (a[p][q] == 0) return;
  // the smaller root of t^2 + 2 theta t - 1 = 0 [GolubVanLoan2013, sec. 8.5.2]
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  for (size_t k = 0; k < 6; ++k) {
    const double akp = a[k][p], akq = a[k][q];
    a[k][p] = c * akp - s * akq;
    a[k][q] = s * akp + c * akq;
  }
  for (size_t k = 0; k < 6; ++k) {
    const double apk = a[p][k], aqk = a[q][k];
    a[p][k] = c * apk - s * aqk;
    a[q][k] = s * apk + c * aqk;
    const double vpk = v[p][k], vqk = v[q][k];
    v[p][k] = c * vpk - s * vqk;
    v[q][k] = s * vpk + c * vqk;
  }
}

}  // namespace

Eigen6 calc_symmetric_eigen(Mat6 a) {
  Mat6 v{};
  for (size_t k = 0; k < 6; ++k) v[k][k] = 1;
  // converges quadratically: six to eight sweeps for any 6 x 6 matrix
  for (int sweep = 0; sweep < 16; ++sweep) {
    double off = 0, all = 0;
    for (size_t p = 0; p < 6; ++p) {
      for (size_t q = 0; q < 6; ++q) {
        all += a[p][q] * a[p][q];
        if (p != q) off += a[p][q] * a[p][q];
      }
    }
    if (off <= 1e-32 * all) break;
    for (size_t p = 0; p < 5; ++p)
      for (size_t q = p + 1; q < 6; ++q) rotate_pair(a, v, p, q);
  }
  Eigen6 e{{}, v};
  for (size_t k = 0; k < 6; ++k) e.values[k] = a[k][k];
  for (size_t k = 0; k < 5; ++k) {
    size_t best = k;
    for (size_t m = k + 1; m < 6; ++m)
      if (e.values[m] > e.values[best]) best = m;
    std::swap(e.values[k], e.values[best]);
    std::swap(e.vectors[k], e.vectors[best]);
  }
  return e;
}

}  // namespace tenon::detail
