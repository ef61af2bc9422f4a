// What a black box holds, found from its projection alone.
//
// Where X is allowed, project being idempotent makes E = dr/dX a projector, E E = E, so its
// singular values are 0 (free) or at least 1 (held), whatever the metric; its range is what the
// joint holds. It is spanned by columns of E: as long as a direction is missing, the longest of
// what the directions found leave of the columns has a length of at least 1/sqrt(6).
// On the edge of a region the two sides of a difference disagree. With n the normal, steps e_j
// forwards see n (n.e_j)+, a step -d backwards n (-n.d)+ instead of -n sum d_j (n.e_j)+; with all
// d_j = 1 the two differ by at least |n|_1 / 2, so that one step back tells whether any edge is in
// sight. If so, central differences give 1/2 for it, and the direction of r itself is the normal of
// the edge [Weinstein2006, sec. IV-A].
#include "tenon/engine/joints/black_box.h"

#include <cmath>
#include <string>

#include "tenon/engine/joints/detail/frame_change.h"
#include "tenon/engine/joints/detail/text.h"

namespace tenon {
namespace {

using detail::calc_change_by_differences;
using detail::dot6;
using detail::kDifferenceStep;
using detail::Mat6;
using detail::norm6;
using detail::Row6;

// Between 1/2 (edge) and 1 (held); a box that says how many it holds needs no such care.
constexpr double kHeldValue = 0.75, kHeldValueIfCounted = 0.1;
// Columns: between round-off and 1/sqrt(6).
constexpr double kHeldLength = 0.2;
// What a step back may differ by, of its length: edges make 1/2, curvature 1e-5.
constexpr double kStraight = 0.1;
// Frames nearer to a region's edge than this count as inside.
constexpr double kEdgeSlack = 1e-9;

void add_vector(BlackBoxBasis& basis, const Row6& v, double length, bool one_sided) {
  const double scale = 1 / length;
  for (size_t k = 0; k < 6; ++k) basis.b[basis.count][k] = scale * v[k];
  basis.one_sided[basis.count++] = one_sided;
}

// v minus its components along the vectors of the basis.
Row6 remainder(const BlackBoxBasis& basis, Row6 v) {
  for (int m = 0; m < basis.count; ++m) {
    const double s = dot6(v.data(), basis.b[m]);
    for (size_t k = 0; k < 6; ++k) v[k] -= s * basis.b[m][k];
  }
  return v;
}

// Adds up to `most` vectors that span the rows of `from`: the longest rest first, but an earlier
// one is as good while it has half the length, so that the choice changes rarely along a motion.
// What is shorter than `least` spans nothing.
void add_span(BlackBoxBasis& basis, Mat6 from, int most, double least) {
  for (int m = 0; m < most; ++m) {
    Row6 length2;
    double longest2 = 0;
    for (size_t j = 0; j < 6; ++j) {
      length2[j] = dot6(from[j].data(), from[j].data());
      if (length2[j] > longest2) longest2 = length2[j];
    }
    if (!(longest2 > least * least)) return;
    size_t pick = 0;
    while (length2[pick] < 0.25 * longest2) ++pick;
    // once more what the vectors found leave of it: round-off of the first time
    const Row6 v = remainder(basis, from[pick]);
    add_vector(basis, v, norm6(v), false);
    const double* b = basis.b[basis.count - 1];
    for (Row6& row : from) {
      const double s = dot6(row.data(), b);
      if (s == 0) continue;
      for (size_t k = 0; k < 6; ++k) row[k] -= s * b[k];
    }
  }
}

// The eigenvectors of equal singular values are arbitrary, the space they span is not: unit vectors
// projected into it give its basis.
void add_space(BlackBoxBasis& basis, const detail::Eigen6& eigen, int count) {
  Mat6 Q{};  // row j: unit vector j projected into the space
  for (int m = 0; m < count; ++m)
    for (size_t j = 0; j < 6; ++j)
      for (size_t k = 0; k < 6; ++k)
        Q[j][k] +=
            eigen.vectors[static_cast<size_t>(m)][j] * eigen.vectors[static_cast<size_t>(m)][k];
  add_span(basis, Q, count, 0);
}

// By central differences and singular values: sees edges, and the strongest of too many directions.
bool add_held_with_care(const BlackBox& box, const BlackBoxFrame& at, double size, Mat6& columns,
                        BlackBoxBasis& basis) {
  Mat6 up, down;
  if (!calc_change_by_differences(box, at, size, kDifferenceStep, up)) return false;
  if (!calc_change_by_differences(box, at, size, -kDifferenceStep, down)) return false;
  Mat6 range{};  // E E^T
  for (size_t j = 0; j < 6; ++j) {
    for (size_t a = 0; a < 6; ++a) columns[j][a] = 0.5 * (up[j][a] + down[j][a]);
    for (size_t a = 0; a < 6; ++a)
      for (size_t b = 0; b < 6; ++b) range[a][b] += columns[j][a] * columns[j][b];
  }
  const detail::Eigen6 eigen = detail::calc_symmetric_eigen(range);
  const int most = box.held() > 0 ? box.held() : 6;
  const double least = box.held() > 0 ? kHeldValueIfCounted : kHeldValue;
  int count = 0;
  while (count < most && eigen.values[static_cast<size_t>(count)] > least * least) ++count;
  add_space(basis, eigen, count);
  return true;
}

// Is the function as straight backwards as `columns` says?
bool is_straight(const BlackBox& box, const BlackBoxFrame& at, double size, const Mat6& columns) {
  constexpr Row6 kAll{1, 1, 1, 1, 1, 1};
  const BlackBoxFrame back =
      look_at(box, detail::moved(at.X, kAll.data(), -kDifferenceStep, size), size);
  if (!back.finite) return false;
  Row6 miss;
  for (size_t k = 0; k < 6; ++k) {
    miss[k] = (back.r[k] - at.r[k]) / kDifferenceStep;
    for (size_t j = 0; j < 6; ++j) miss[k] += columns[j][k];
  }
  return norm6(miss) < kStraight;
}

// What is held from both sides at the allowed frame `at`.
bool add_held(const BlackBox& box, const BlackBoxFrame& at, double size, Mat6& columns,
              BlackBoxBasis& basis) {
  const bool counted = box.held() > 0;
  // the derivative cannot tell edges from what is held; a count says that there are none
  const bool ok = counted ? detail::calc_change(box, at, size, columns)
                          : calc_change_by_differences(box, at, size, kDifferenceStep, columns) &&
                                is_straight(box, at, size, columns);
  if (ok) {
    add_span(basis, columns, 6, kHeldLength);
    if (!counted || basis.count <= box.held()) return true;
    basis = {};
  }
  return add_held_with_care(box, at, size, columns, basis);
}

bool is_finite_frame(const Pose& X) { return is_finite(X) && dot(X.q, X.q) > 0; }

}  // namespace

BlackBoxFrame look_at(const BlackBox& box, const Pose& X_PC, double size) {
  BlackBoxFrame at;
  at.X = X_PC;
  if (!is_finite(X_PC)) return at;
  at.Y = box.project(X_PC);
  if (!is_finite_frame(at.Y)) return at;
  // a Newton step for 1 / |q| is exact where |q| is one to 1e-8
  const double n2 = dot(at.Y.q, at.Y.q);
  if (std::fabs(n2 - 1) < 1e-8) {
    const double s = 1.5 - 0.5 * n2;
    at.Y.q = {s * at.Y.q.w, s * at.Y.q.x, s * at.Y.q.y, s * at.Y.q.z};
  } else {
    at.Y.q = normalized(at.Y.q);
  }
  at.r = detail::difference(X_PC, at.Y, size);
  at.finite = true;
  return at;
}

BlackBoxBasis find_basis_at(const BlackBox& box, const BlackBoxFrame& at, double size) {
  BlackBoxBasis basis;
  const BlackBoxBasis failed{.finite = false};
  if (!at.finite) return failed;
  // Y is its own projection
  const BlackBoxFrame allowed{at.Y, at.Y, {}, true};
  Mat6 columns;
  if (!add_held(box, allowed, size, columns, basis)) return failed;
  for (int k = 0; k < basis.count; ++k)
    for (size_t j = 0; j < 6; ++j) basis.gradient[k][j] = dot6(columns[j].data(), basis.b[k]);

  // what is held from outside only
  const int most = box.held() > 0 ? box.held() : 6;
  if (basis.count < most) add_edge_row(box, at, size, basis);
  return basis;
}

bool add_edge_row(const BlackBox& box, const BlackBoxFrame& at, double size, BlackBoxBasis& basis) {
  if (!at.finite || basis.count == 6) return false;
  // twice: round-off of the first time is of the size of what it takes away
  const Row6 normal = remainder(basis, remainder(basis, at.r));
  const double length = norm6(normal);
  if (length <= kEdgeSlack) return false;
  Row6 v;
  for (size_t k = 0; k < 6; ++k) v[k] = normal[k] / length;
  const BlackBoxFrame out =
      look_at(box, detail::moved(at.Y, v.data(), kDifferenceStep, size), size);
  // what is left of the residual of a curved or slanted projection is no direction that it holds
  if (!out.finite || dot6(out.r.data(), v.data()) < 0.5 * kDifferenceStep) return false;
  add_vector(basis, normal, length, true);
  for (size_t j = 0; j < 6; ++j) basis.gradient[basis.count - 1][j] = v[j];
  return true;
}

BlackBoxBasis find_basis(const BlackBox& box, const Pose& X_PC, double size) {
  return find_basis_at(box, look_at(box, X_PC, size), size);
}

Status check_derivative(const BlackBox& box, const Pose& X_PC, double size) {
  if (!box.has_derivative()) return Ok{};
  const BlackBoxFrame at = look_at(box, X_PC, size);
  Mat6 up, down, given;
  if (!at.finite || !detail::calc_change_from_derivative(box, at, size, given) ||
      !calc_change_by_differences(box, at, size, kDifferenceStep, up) ||
      !calc_change_by_differences(box, at, size, -kDifferenceStep, down)) {
    return Ok{};
  }
  static constexpr const char* kNames[] = {"x", "y", "z", "rx", "ry", "rz"};
  for (size_t j = 0; j < 6; ++j) {
    for (size_t k = 0; k < 6; ++k) {
      const double slack = 1e-3 * (1 + std::fabs(up[j][k]));
      const double low = std::fmin(up[j][k], down[j][k]), high = std::fmax(up[j][k], down[j][k]);
      if (given[j][k] >= low - slack && given[j][k] <= high + slack) continue;
      // back from the residual to what the user wrote: lengths in m
      const double unit = (k < 3 ? size : 1) / (j < 3 ? size : 1);
      const double same = j == k ? 1 : 0;
      return Error{.message = std::string("the derivative of a black box is not that of its "
                                          "function: change of ") +
                              kNames[k] + " of the nearest frame with " + kNames[j],
                   .value = detail::number_text(unit * (same - given[j][k])),
                   .accepted = detail::number_text(unit * (same - up[j][k])) + " by differences"};
    }
  }
  return Ok{};
}

FrameDistance calc_distance(const BlackBox& box, const Pose& X_PC) {
  const BlackBoxFrame at = look_at(box, X_PC, 1);
  if (!at.finite) return {};
  return {norm(X_PC.p - at.Y.p), norm(Vec3{at.r[3], at.r[4], at.r[5]})};
}

}  // namespace tenon
