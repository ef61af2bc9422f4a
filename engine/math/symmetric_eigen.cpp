#include <utility>

#include "tenon/engine/math/mat3.h"

namespace tenon {

// Cyclic Jacobi [GolubVanLoan2013, sec. 8.5]: each rotation zeroes one off-diagonal entry; the
// off-diagonal norm falls quadratically, so that 3x3 needs about five sweeps.
SymmetricEigen calc_symmetric_eigen(const Mat3& symmetric) {
  Mat3 a = symmetric;
  Mat3 v = Mat3::identity();
  for (int sweep = 0; sweep < 12; ++sweep) {
    const double off = std::fabs(a(0, 1)) + std::fabs(a(0, 2)) + std::fabs(a(1, 2));
    if (off == 0) break;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a(p, q) == 0) continue;
        // tan of the rotation angle, the smaller root: |angle| <= pi/4
        const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
        const double t =
            std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        Mat3 rotation = Mat3::identity();
        rotation(p, p) = c;
        rotation(q, q) = c;
        rotation(p, q) = s;
        rotation(q, p) = -s;
        a = transpose(rotation) * a * rotation;
        a(p, q) = a(q, p) = 0;
        v = v * rotation;
      }
    }
  }
  // sort ascending, keep the basis right-handed
  Vec3 values{a(0, 0), a(1, 1), a(2, 2)};
  Vec3 columns[3] = {v.column(0), v.column(1), v.column(2)};
  for (int i = 0; i < 2; ++i) {
    for (int j = i + 1; j < 3; ++j) {
      if (values[j] < values[i]) {
        std::swap(values[i], values[j]);
        std::swap(columns[i], columns[j]);
      }
    }
  }
  if (dot(cross(columns[0], columns[1]), columns[2]) < 0) columns[2] = -columns[2];
  return {values, Mat3::from_columns(columns[0], columns[1], columns[2])};
}

}  // namespace tenon
