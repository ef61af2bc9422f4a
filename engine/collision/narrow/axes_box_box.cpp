// Source: [Gottschalk1996]. Everything in A's axes, with C the rotation from B's axes to A's and
// t the way from A's centre to B's. With h the half extents and |.| taken element by element,
//   A's face i    s = |t_i| - hA_i - (|C| hB)_i                                          (1)
//   B's face j    s = |(C^T t)_j| - hB_j - (|C|^T hA)_j                                  (2)
//   edges i, j    n = e_i x C_j, not of unit length: with i, k, l and j, p, q cyclic,
//     |n| s = |t . n| - hA_k |C_lj| - hA_l |C_kj| - hB_p |C_iq| - hB_q |C_ip|            (3)
//     |n|^2 = C_kj^2 + C_lj^2                                                            (4)
// For nearly parallel edges (3) is noise over a small |n|; an axis that seems to win is therefore
// measured again as a unit vector, which can only be poor, never wrong.
#include "tenon/engine/collision/narrow/axes_box_box.h"

#include "tenon/engine/collision/narrow/core.h"

namespace tenon::narrow {
namespace {

// An edge pair must beat the faces by this share of the smallest half extent: less than a tenth of
// a thousandth of what is promised, far above round-off.
constexpr double kFaceFirst = 1e-10;

struct Pair {
  double hA[3], hB[3], t[3];
  double C[3][3], Q[3][3];  // Q = |C|
};

Pair make_pair(const Box& a, const Transform& X_WA, const Box& b, const Transform& X_WB) {
  Pair p;
  const Vec3 t = transpose_mul(X_WA.R, X_WB.p - X_WA.p);
  const Mat3 &A = X_WA.R, &B = X_WB.R;
  const Vec3 rows[3] = {A.r0.x * B.r0 + A.r1.x * B.r1 + A.r2.x * B.r2,
                        A.r0.y * B.r0 + A.r1.y * B.r1 + A.r2.y * B.r2,
                        A.r0.z * B.r0 + A.r1.z * B.r1 + A.r2.z * B.r2};
  p.t[0] = t.x, p.t[1] = t.y, p.t[2] = t.z;
  p.hA[0] = a.half.x, p.hA[1] = a.half.y, p.hA[2] = a.half.z;
  p.hB[0] = b.half.x, p.hB[1] = b.half.y, p.hB[2] = b.half.z;
  for (int i = 0; i < 3; ++i) {
    p.C[i][0] = rows[i].x, p.C[i][1] = rows[i].y, p.C[i][2] = rows[i].z;
    for (int j = 0; j < 3; ++j) p.Q[i][j] = std::fabs(p.C[i][j]);
  }
  return p;
}

// Separation along a unit vector in A's axes, whichever of its signs is from A to B.
double separation_along(const Pair& p, const Vec3& n) {
  const double along = n.x * p.t[0] + n.y * p.t[1] + n.z * p.t[2];
  double reach = std::fabs(n.x) * p.hA[0] + std::fabs(n.y) * p.hA[1] + std::fabs(n.z) * p.hA[2];
  for (int j = 0; j < 3; ++j) {
    reach += p.hB[j] * std::fabs(n.x * p.C[0][j] + n.y * p.C[1][j] + n.z * p.C[2][j]);
  }
  return std::fabs(along) - reach;
}

// The winner: axis 0..2 a face of A, 3..5 one of B, 6 the direction n in A's axes.
struct Winner {
  double s;
  int axis;
  Vec3 n;
};

Winner find_best_face(const Pair& p) {
  Winner best{-1e300, 0, {}};
  for (int i = 0; i < 3; ++i) {
    const double reach = p.Q[i][0] * p.hB[0] + p.Q[i][1] * p.hB[1] + p.Q[i][2] * p.hB[2];
    const double s = std::fabs(p.t[i]) - p.hA[i] - reach;
    if (s > best.s) best.s = s, best.axis = i;
  }
  for (int j = 0; j < 3; ++j) {
    const double along = p.C[0][j] * p.t[0] + p.C[1][j] * p.t[1] + p.C[2][j] * p.t[2];
    const double reach = p.Q[0][j] * p.hA[0] + p.Q[1][j] * p.hA[1] + p.Q[2][j] * p.hA[2];
    const double s = std::fabs(along) - p.hB[j] - reach;
    if (s > best.s) best.s = s, best.axis = 3 + j;
  }
  return best;
}

// x > c sqrt(y2), without the root.
bool is_above(double x, double c, double y2) {
  const double x2 = x * x, c2 = c * c * y2;
  return c < 0 ? x >= 0 || x2 < c2 : x > 0 && x2 > c2;
}

// Measures the common perpendicular of edges i and j, as a unit vector.
void try_edges(const Pair& p, int i, int j, double bias, Winner& best) {
  // an edge without length spans no face
  if (!(p.hA[i] > 0 && p.hB[j] > 0)) return;
  const Vec3 e{i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
  Vec3 n;
  if (!find_perpendicular(e, {p.C[0][j], p.C[1][j], p.C[2][j]}, n)) return;
  const double s = separation_along(p, n);
  if (!(s > best.s + bias)) return;
  const double along = n.x * p.t[0] + n.y * p.t[1] + n.z * p.t[2];
  best = {s, 6, along < 0 ? -n : n};
}

void find_best_edges(const Pair& p, double far, Winner& best) {
  // the smallest extent that is not zero; zero has no edges
  double least = 1e300;
  for (int i = 0; i < 3; ++i) {
    if (p.hA[i] > 0 && p.hA[i] < least) least = p.hA[i];
    if (p.hB[i] > 0 && p.hB[i] < least) least = p.hB[i];
  }
  const double bias = kFaceFirst * least;
  constexpr int kNext[3] = {1, 2, 0}, kLast[3] = {2, 0, 1};
  for (int i = 0; i < 3; ++i) {
    const int k = kNext[i], l = kLast[i];
    for (int j = 0; j < 3; ++j) {
      const int f = kNext[j], g = kLast[j];
      const double along = p.t[l] * p.C[k][j] - p.t[k] * p.C[l][j];
      const double reach = p.hA[k] * p.Q[l][j] + p.hA[l] * p.Q[k][j] +  //
                           p.hB[f] * p.Q[i][g] + p.hB[g] * p.Q[i][f];
      const double length2 = p.C[k][j] * p.C[k][j] + p.C[l][j] * p.C[l][j];
      if (!is_above(std::fabs(along) - reach, best.s + bias, length2)) continue;
      try_edges(p, i, j, bias, best);
      if (best.s > far) return;
    }
  }
}

}  // namespace

BoxAxis find_axis_box_box(const Box& a, const Transform& X_WA, const Box& b, const Transform& X_WB,
                          double far) {
  const Pair p = make_pair(a, X_WA, b, X_WB);
  Winner best = find_best_face(p);
  if (!(best.s > far)) find_best_edges(p, far, best);
  if (best.axis == 6) return {X_WA.R * best.n, best.s};
  const Vec3 n = best.axis < 3 ? X_WA.R.column(best.axis) : X_WB.R.column(best.axis - 3);
  return {dot(n, X_WB.p - X_WA.p) < 0 ? -n : n, best.s};
}

}  // namespace tenon::narrow
