// How a body that joints guide presses with several points.
//
// A pad on a slider cannot tilt, so that statics does not say where it presses: every pressure p'
// with
//   W p' = W p,   p' >= 0                                                                      (8b)
// moves all bodies alike, W the answer of the points that touch. Sweeps leave all of it to the
// point that they visit first, and friction would act at one corner of a brake's pad. Bodies that
// give way a little, all points alike, would share it by the least sum of squares, and so it is
// shared: what is symmetric presses symmetrically. With a factor W = L L^T of n x r numbers, found
// by pivots, that is p' = L (L^T L)^-1 L^T p; points for which it is negative press with nothing.
#include <algorithm>
#include <cmath>

#include "tenon/engine/math/dense_lu.h"
#include "tenon/engine/solve_contact/island.h"

namespace tenon {
namespace {

constexpr size_t kMostShared = 64;  // points: beyond, n^2 answers are dearer than the solve
// Points whose rates are so near what is asked for, of what the pressure of the patch does, touch.
constexpr double kTouches = 1e-3;
constexpr double kGuided = 1e-6;    // of what a body would turn by without joints
constexpr double kRankEnds = 1e-9;  // of the largest pivot
constexpr double kSame = 1e-9;      // of y = L^T p: how well p' must do what p does

// L, by rows, of a symmetric semidefinite matrix; returns r.
size_t factor_by_pivots(std::vector<double>& W, size_t n, std::vector<double>& L) {
  L.assign(n * n, 0);
  double largest = 0;
  for (size_t rank = 0; rank < n; ++rank) {
    size_t q = 0;
    for (size_t i = 1; i < n; ++i) {
      if (W[i * (n + 1)] > W[q * (n + 1)]) q = i;
    }
    const double pivot = W[q * (n + 1)];
    largest = std::max(largest, pivot);
    if (!(pivot > kRankEnds * largest)) return rank;
    const double root = std::sqrt(pivot);
    for (size_t i = 0; i < n; ++i) L[i * n + rank] = W[q * n + i] / root;
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) W[i * n + j] -= L[i * n + rank] * L[j * n + rank];
    }
    W[q * (n + 1)] = 0;
  }
  return n;
}

// The least p' >= 0 with L^T p' = L^T p; empty where none is found.
std::vector<double> share(const std::vector<double>& L, size_t n, size_t r,
                          const std::vector<double>& p) {
  std::vector<double> y(r, 0), A(r * r), b, shared;
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < r; ++k) y[k] += L[i * n + k] * p[i];
  }
  std::vector<uint8_t> out(n, 0);
  for (size_t round = 0; round < n; ++round) {
    std::fill(A.begin(), A.end(), 0.0);
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < r * r && out[i] == 0; ++k) {
        A[k] += L[i * n + k / r] * L[i * n + k % r];
      }
    }
    DenseLu lu;
    if (!lu.factor(A, r)) return {};
    b = y;
    lu.solve(b);
    shared.assign(n, 0);
    size_t least = 0;
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < r && out[i] == 0; ++k) shared[i] += L[i * n + k] * b[k];
      if (shared[i] < shared[least]) least = i;
    }
    const double most = *std::max_element(shared.begin(), shared.end());
    if (!(shared[least] < -kSame * most)) break;
    out[least] = 1;
  }
  double wrong = 0, whole = 0;
  for (size_t k = 0; k < r; ++k) {
    double sum = -y[k];
    for (size_t i = 0; i < n; ++i) sum += L[i * n + k] * std::max(shared[i], 0.0);
    wrong += sum * sum;
    whole += y[k] * y[k];
  }
  return wrong <= kSame * kSame * whole ? shared : std::vector<double>{};
}

}  // namespace

// Whether joints keep a body from tilting against a patch.
bool Island::is_guided(uint32_t body, const IslandPatch& c) const {
  if (!answers(bodies[body])) return false;
  const Mat3& inv_I = bodies[body].inv_I;
  const auto turns = [&](const Vec3& axis) {
    return dot(axis, answer_of(body, body, {}, axis).w) > kGuided * dot(axis, inv_I * axis);
  };
  return !turns(c.t1) && !turns(c.t2);
}

void Island::share_pressure() {
  const auto presses = [&](const IslandPatch& c) {
    const auto first = points.begin() + c.first;
    return std::any_of(first, first + c.count, [](const IslandPoint& x) { return x.p > 0; });
  };
  const bool any = std::any_of(patches.begin(), patches.end(), [&](const IslandPatch& c) {
    return c.count > 1 && (is_guided(c.a, c) || is_guided(c.b, c)) && presses(c);
  });
  if (!any) return;
  for (const IslandGroup& g : groups) {
    if (g.answer.empty()) return;
  }
  struct Row {
    const IslandPatch* patch;
    uint32_t k;
  };
  std::vector<Row> rows;
  for (const IslandPatch& c : patches) {
    double pressure = 0;
    for (uint32_t i = c.first; i < c.first + c.count; ++i) pressure += points[i].p;
    for (uint32_t k = 0; k < c.count && c.moves; ++k) {
      const IslandPoint& x = points[c.first + k];
      const double change = pressure * answers_[c.answer + size_t{k} * (c.rows + 1)];
      const bool touches = rate_of(c, x) - x.least - x.turning < kTouches * change;
      if (x.p > 0 || touches) rows.push_back({&c, k});
    }
  }
  const size_t n = rows.size();
  if (n > kMostShared) return;

  std::vector<double> W(n * n), L, p(n);
  const std::vector<Motion> motion_now = motion;
  const std::vector<double> rates_now = rates_;
  for (size_t j = 0; j < n; ++j) {
    p[j] = points[rows[j].patch->first + rows[j].k].p;
    std::fill(motion.begin(), motion.end(), Motion{});
    Rows unit{};
    unit[rows[j].k] = 1;
    push_patch(*rows[j].patch, unit);
    for (size_t i = 0; i < n; ++i) {
      W[j * n + i] = rate_of(*rows[i].patch, points[rows[i].patch->first + rows[i].k]);
    }
  }
  motion = motion_now;
  rates_ = rates_now;
  const size_t r = factor_by_pivots(W, n, L);
  if (r == n) return;

  const std::vector<double> shared = share(L, n, r, p);
  if (shared.empty()) return;
  for (size_t i = 0; i < n; ++i) {
    IslandPoint& x = points[rows[i].patch->first + rows[i].k];
    const double next = std::max(shared[i], 0.0);
    Rows change{};
    change[rows[i].k] = next - x.p;
    push_patch(*rows[i].patch, change);
    x.p = next;
  }
}

}  // namespace tenon
