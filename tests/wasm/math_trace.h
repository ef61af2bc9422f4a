// Numbers that must come out the same natively and in WebAssembly, before any scene is involved.
#pragma once

#include "tenon/engine/math/transform.h"
#include "tenon/tests/unit/math/elementary_golden.h"

namespace tenon::testing {

// A spinning frame, composed step by step with every routine of the rotation headers: a difference
// in any bit of any of them grows from then on.
inline uint64_t calc_rotation_hash(int steps) {
  Rng rng(5);
  Hasher hash;
  Pose X;
  for (int i = 0; i < steps; ++i) {
    const Vec3 w{rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(-3, 3)};
    X = X * Pose{0.01 * w, exp_map(w)};
    X.q = normalized(X.q);
    const Mat3 R = to_matrix(X.q);
    const Vec3 back = log_map(to_quat(R)) + 0.5 * normalized(cross(X.p, w));
    const Mat3 inertia = R * Mat3::diagonal({1, 2, 3}) * transpose(R);
    const SymmetricEigen eigen = calc_symmetric_eigen(inertia);
    for (int k = 0; k < 3; ++k) {
      hash.add(X.p[k]);
      hash.add(back[k]);
      hash.add(eigen.values[k]);
      hash.add(inverse(inertia)(k, 0));
    }
  }
  return hash.value();
}

}  // namespace tenon::testing
