// Values and gradients of a black box's rows.
//
// Two-sided rows are c = b . r. Frames moved outwards by s from one that is not too deep inside a
// region are outside; the distance from its edge, continued from there into the region, is
//   c(X) = 2 |r(X + s b)| - |r(X + 2 s b)|                                               (1)
// also for projections that are not at right angles to the edge. r is here what the other rows
// leave of it. Moving X by s b turns its small rotations by exp(s b), so that with u = r / |r|
//   dc/dX = (2 u1 . E(X + s b) - u2 . E(X + 2 s b)) T,   T = exp(s b), exp(2 s b) on rotations  (2)
#include <cmath>

#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/detail/frame_change.h"

namespace tenon {
namespace {

using detail::Mat6;
using detail::Row6;

// s of (1): how far inside a region it still sees the edge. Its error is s^2 times the curvature of
// the edge, hence the small one first; the large one leads back from deeper inside.
constexpr double kReaches[] = {1e-4, 1e-2};

// r minus its components along the other rows.
Row6 without_other_rows(const BlackBoxBasis& basis, Row6 r, int row) {
  for (int m = 0; m < basis.count; ++m) {
    if (m == row) continue;
    const double s = detail::dot6(r.data(), basis.b[m]);
    for (size_t k = 0; k < 6; ++k) r[k] -= s * basis.b[m][k];
  }
  return r;
}

// The two frames of (1), from which the edge is seen.
struct EdgeView {
  BlackBoxFrame near, far;
  Row6 near_r, far_r;
  double reach = 0;  // s; 0: the edge is out of sight
  double c = 0;
};
bool find_edge(const BlackBox& box, const BlackBoxBasis& basis, int row, const Pose& X, double size,
               EdgeView& view) {
  for (const double reach : kReaches) {
    view.near = look_at(box, detail::moved(X, basis.b[row], reach, size), size);
    if (!view.near.finite) return false;
    view.near_r = without_other_rows(basis, view.near.r, row);
    const double length = detail::norm6(view.near_r);
    view.c = -reach;
    if (length <= 1e-12) continue;
    view.far = look_at(box, detail::moved(X, basis.b[row], 2 * reach, size), size);
    if (!view.far.finite) return false;
    view.far_r = without_other_rows(basis, view.far.r, row);
    view.c = 2 * length - detail::norm6(view.far_r);
    view.reach = reach;
    break;
  }
  return true;
}

// gradient += factor * u . E T of (2) at one of the two frames.
bool add_edge_gradient(const BlackBox& box, const BlackBoxFrame& at, const Row6& r, double factor,
                       const Vec3& turn, double size, Row6& gradient) {
  Mat6 columns;
  if (!detail::calc_change(box, at, size, columns)) return false;
  const double length = detail::norm6(r);
  Row6 g;
  for (size_t j = 0; j < 6; ++j) {
    g[j] = factor * detail::dot6(columns[j].data(), r.data()) / length;
  }
  const Vec3 t = transpose_mul(to_matrix(exp_map(turn)), {g[3], g[4], g[5]});
  for (size_t j = 0; j < 3; ++j) {
    gradient[j] += g[j];
    gradient[j + 3] += t[static_cast<int>(j)];
  }
  return true;
}

bool calc_edge_gradient(const BlackBox& box, const BlackBoxBasis& basis, int row, const Pose& X,
                        double size, Row6& gradient) {
  EdgeView view;
  if (!find_edge(box, basis, row, X, size, view)) return false;
  const double* b = basis.b[row];
  Row6 g{};
  if (view.reach > 0) {
    const Vec3 turn = view.reach * Vec3{b[3], b[4], b[5]};
    if (!add_edge_gradient(box, view.near, view.near_r, 2, turn, size, g) ||
        !add_edge_gradient(box, view.far, view.far_r, -1, 2.0 * turn, size, g)) {
      return false;
    }
  }
  // deep inside a region its edge is out of sight: the last known normal still leads to it
  if (detail::norm6(g) < 0.1)
    for (size_t k = 0; k < 6; ++k) g[k] = b[k];
  gradient = g;
  return true;
}

RowWrench to_wrench(const double* gradient, double size) {
  return {{gradient[0] / size, gradient[1] / size, gradient[2] / size},
          {gradient[3], gradient[4], gradient[5]}};
}

}  // namespace

bool calc_values(const BlackBox& box, const BlackBoxBasis& basis, const BlackBoxFrame& at,
                 double size, double* c) {
  bool ok = at.finite;
  for (int k = 0; k < basis.count && ok; ++k) {
    c[k] = detail::dot6(at.r.data(), basis.b[k]);
    if (!basis.one_sided[k]) continue;
    EdgeView view;
    ok = find_edge(box, basis, k, at.X, size, view);
    c[k] = view.c;
  }
  for (int k = 0; k < basis.count && !ok; ++k) c[k] = 0;
  return ok;
}

bool calc_gradients(const BlackBox& box, const BlackBoxBasis& basis, const BlackBoxFrame& at,
                    double size, RowWrench* w_P) {
  Mat6 columns;
  bool ok = detail::calc_change(box, at, size, columns);
  for (int k = 0; k < basis.count && ok; ++k) {
    Row6 g;
    for (size_t j = 0; j < 6; ++j) g[j] = detail::dot6(columns[j].data(), basis.b[k]);
    if (basis.one_sided[k]) ok = calc_edge_gradient(box, basis, k, at.X, size, g);
    w_P[k] = to_wrench(g.data(), size);
  }
  for (int k = 0; k < basis.count && !ok; ++k) w_P[k] = to_wrench(basis.b[k], size);
  return ok;
}

bool eval_black_box(const BlackBox& box, const BlackBoxBasis& basis, const Pose& X_PC, double size,
                    double* c, RowWrench* w_P) {
  const BlackBoxFrame at = look_at(box, X_PC, size);
  const bool values = calc_values(box, basis, at, size, c);
  const bool gradients = calc_gradients(box, basis, at, size, w_P);
  return values && gradients;
}

}  // namespace tenon
