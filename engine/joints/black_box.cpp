// What a black box holds, found from its projection alone.
//
// With X (-) Y = ((p_X - p_Y) / size, log(q_X q_Y^-1)) the difference of two frames in P's axes,
// the residual is r(X) = X (-) project(X), and E = dr/dX = 1 - dproject/dX, by central differences.
// Where X is allowed, project being idempotent makes E a projector, E E = E, so its singular values
// are 0 (free) or at least 1 (held), whatever the metric; its range is what the joint holds. On the
// edge of a region the two sides of a central difference disagree and their mean gives 1/2; the
// direction of r itself is then the normal of the edge [Weinstein2006, sec. IV-A].
// Frames moved outwards by s from one that is not too deep inside are outside; the distance from
// the edge, continued from there into the region, is
//   c(X) = 2 |r(X + s b)| - |r(X + 2 s b)|                                               (1)
// also for projections that are not at right angles to the edge.
#include "tenon/engine/joints/black_box.h"

#include <cmath>

#include "tenon/engine/joints/detail/symmetric6.h"

namespace tenon {
namespace {

using detail::Mat6;
using detail::Row6;

// Truncation 1e-10 and round-off 1e-11 of the derivatives.
constexpr double kStep = 1e-5;
// Between 1/2 (edge) and 1 (held); a box that says how many it holds needs no such care.
constexpr double kHeldValue = 0.75, kHeldValueIfCounted = 0.1;
// Frames nearer to a region's edge than this count as inside.
constexpr double kEdgeSlack = 1e-9;
// s of (1): how far inside a region it still sees the edge. Its error is s^2 times the curvature of
// the edge, hence the small one first; the large one leads back from deeper inside.
constexpr double kReaches[] = {1e-4, 1e-2};

double dot6(const Row6& a, const double* b) {
  double sum = 0;
  for (size_t k = 0; k < 6; ++k) sum += a[k] * b[k];
  return sum;
}
double norm6(const Row6& a) { return std::sqrt(dot6(a, a.data())); }

Pose moved(const Pose& X, const double* direction, double by, double size) {
  const Vec3 d{direction[0], direction[1], direction[2]};
  const Vec3 w{direction[3], direction[4], direction[5]};
  return {X.p + (by * size) * d, exp_map(by * w) * X.q};
}

// X (-) Y
Row6 difference(const Pose& X, const Pose& Y, double size) {
  const Vec3 d = (X.p - Y.p) / size, w = log_map(X.q * conjugate(Y.q));
  return {d.x, d.y, d.z, w.x, w.y, w.z};
}

// The user's function behind a gate: false where its result is no frame.
bool project_safely(const BlackBox& box, const Pose& X, Pose& Y) {
  Y = box.project(X);
  if (!is_finite(Y) || !(norm(Y.q) > 0)) return false;
  Y.q = normalized(Y.q);
  return true;
}

bool calc_residual(const BlackBox& box, const Pose& X, double size, Row6& r) {
  Pose Y;
  if (!project_safely(box, X, Y)) return false;
  r = difference(X, Y, size);
  return true;
}

// E E^T at an allowed frame.
bool calc_range(const BlackBox& box, const Pose& X, double size, Mat6& range) {
  Mat6 columns;
  for (size_t j = 0; j < 6; ++j) {
    Row6 e{}, up, down;
    e[j] = 1;
    if (!calc_residual(box, moved(X, e.data(), kStep, size), size, up)) return false;
    if (!calc_residual(box, moved(X, e.data(), -kStep, size), size, down)) return false;
    for (size_t k = 0; k < 6; ++k) columns[j][k] = (up[k] - down[k]) / (2 * kStep);
  }
  for (size_t a = 0; a < 6; ++a) {
    for (size_t b = 0; b < 6; ++b) {
      range[a][b] = 0;
      for (size_t j = 0; j < 6; ++j) range[a][b] += columns[j][a] * columns[j][b];
    }
  }
  return true;
}

void add_vector(BlackBoxBasis& basis, const Row6& v, double length, bool one_sided) {
  for (size_t k = 0; k < 6; ++k) basis.b[basis.count][k] = v[k] / length;
  basis.one_sided[basis.count++] = one_sided;
}

// v minus its components along the vectors of the basis.
Row6 remainder(const BlackBoxBasis& basis, Row6 v, int skip = -1) {
  // twice: round-off of the first pass is of the size of what it takes away
  for (int pass = 0; pass < 2; ++pass) {
    for (int m = 0; m < basis.count; ++m) {
      if (m == skip) continue;
      const double s = dot6(v, basis.b[m]);
      for (size_t k = 0; k < 6; ++k) v[k] -= s * basis.b[m][k];
    }
  }
  return v;
}

// The eigenvectors of equal singular values are arbitrary, the space they span is not. Its basis is
// made from the unit vectors projected into it: the longest rest first, but an earlier one is as
// good while it has half the length, so that the choice changes rarely along a motion.
void add_canonical(BlackBoxBasis& basis, const detail::Eigen6& eigen, int count) {
  Mat6 Q{};  // row j: unit vector j projected into the space
  for (int m = 0; m < count; ++m)
    for (size_t j = 0; j < 6; ++j)
      for (size_t k = 0; k < 6; ++k)
        Q[j][k] +=
            eigen.vectors[static_cast<size_t>(m)][j] * eigen.vectors[static_cast<size_t>(m)][k];
  for (int m = 0; m < count; ++m) {
    Mat6 rest;
    Row6 length;
    double longest = 0;
    for (size_t j = 0; j < 6; ++j) {
      rest[j] = remainder(basis, Q[j]);
      length[j] = norm6(rest[j]);
      if (length[j] > longest) longest = length[j];
    }
    size_t pick = 0;
    while (length[pick] < 0.5 * longest) ++pick;
    add_vector(basis, rest[pick], length[pick], false);
  }
}

// Adds the normal of the edge that X is outside of, if there is one. Y is X's projection.
bool add_edge(const BlackBox& box, const Pose& X, const Pose& Y, double size,
              BlackBoxBasis& basis) {
  const Row6 normal = remainder(basis, difference(X, Y, size));
  const double length = norm6(normal);
  if (length <= kEdgeSlack) return true;
  Row6 v, out;
  for (size_t k = 0; k < 6; ++k) v[k] = normal[k] / length;
  if (!calc_residual(box, moved(Y, v.data(), kStep, size), size, out)) return false;
  // what is left of the residual of a curved or slanted projection is no direction that it holds
  if (dot6(out, v.data()) < 0.5 * kStep) return true;
  add_vector(basis, normal, length, true);
  return true;
}

// (1): the distance from the edge of row k's region.
bool calc_edge_distance(const BlackBox& box, const BlackBoxBasis& basis, int k, const Pose& X,
                        double size, double& c) {
  for (const double reach : kReaches) {
    Row6 near, far;
    if (!calc_residual(box, moved(X, basis.b[k], reach, size), size, near)) return false;
    if (!calc_residual(box, moved(X, basis.b[k], 2 * reach, size), size, far)) return false;
    const double length = norm6(remainder(basis, near, k));
    c = -reach;
    if (length <= 1e-12) continue;
    c = 2 * length - norm6(remainder(basis, far, k));
    break;
  }
  return true;
}

bool calc_values(const BlackBox& box, const BlackBoxBasis& basis, const Pose& X, double size,
                 double* c) {
  Row6 r;
  if (!calc_residual(box, X, size, r)) return false;
  for (int k = 0; k < basis.count; ++k) {
    c[k] = dot6(r, basis.b[k]);
    if (basis.one_sided[k] && !calc_edge_distance(box, basis, k, X, size, c[k])) return false;
  }
  return true;
}

RowWrench to_wrench(const double* gradient, double size) {
  return {{gradient[0] / size, gradient[1] / size, gradient[2] / size},
          {gradient[3], gradient[4], gradient[5]}};
}

}  // namespace

BlackBoxBasis find_basis(const BlackBox& box, const Pose& X_PC, double size) {
  BlackBoxBasis basis;
  Pose Y;
  Mat6 range;
  const BlackBoxBasis failed{.finite = false};
  if (!is_finite(X_PC) || !project_safely(box, X_PC, Y)) return failed;
  if (!calc_range(box, Y, size, range)) return failed;

  // what is held from both sides
  const detail::Eigen6 eigen = detail::calc_symmetric_eigen(range);
  const int most = box.held() > 0 ? box.held() : 6;
  const double least = box.held() > 0 ? kHeldValueIfCounted : kHeldValue;
  int count = 0;
  while (count < most && eigen.values[static_cast<size_t>(count)] > least * least) ++count;
  add_canonical(basis, eigen, count);

  // what is held from outside only
  if (basis.count < most && !add_edge(box, X_PC, Y, size, basis)) return failed;
  return basis;
}

bool eval_black_box(const BlackBox& box, const BlackBoxBasis& basis, const Pose& X_PC, double size,
                    double* c, RowWrench* w_P) {
  Mat6 gradient{};
  bool ok = is_finite(X_PC) && calc_values(box, basis, X_PC, size, c);
  for (size_t j = 0; j < 6 && ok; ++j) {
    Row6 e{}, up{}, down{};
    e[j] = 1;
    ok = calc_values(box, basis, moved(X_PC, e.data(), kStep, size), size, up.data()) &&
         calc_values(box, basis, moved(X_PC, e.data(), -kStep, size), size, down.data());
    for (size_t k = 0; k < 6; ++k) gradient[k][j] = (up[k] - down[k]) / (2 * kStep);
  }
  for (int k = 0; k < basis.count; ++k) {
    const Row6& g = gradient[static_cast<size_t>(k)];
    // deep inside a region its edge is out of sight: the last known normal still leads to it
    const bool blind = basis.one_sided[k] && norm6(g) < 0.1;
    w_P[k] = to_wrench(ok && !blind ? g.data() : basis.b[k], size);
    if (!ok) c[k] = 0;
  }
  return ok;
}

FrameDistance calc_distance(const BlackBox& box, const Pose& X_PC) {
  Pose Y;
  if (!is_finite(X_PC) || !project_safely(box, X_PC, Y)) return {};
  return {norm(X_PC.p - Y.p), norm(log_map(X_PC.q * conjugate(Y.q)))};
}

}  // namespace tenon
