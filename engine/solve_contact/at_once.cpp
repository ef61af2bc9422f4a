// Small islands that sweeps do not bring to an end: all rows at once, by a semismooth Newton
// method.
//
// Sweeps pass the momentum of a heavy body through a light one under it at a rate of light / heavy
// per sweep: a tonne on a kilogram would take thousands. With the answer matrix W of all rows, what
// presses and what sticks assumed, the impulses z solve linear equations
//   u0 + W z = least    for points that press and friction that sticks,
//   z_t = c sum z_n     for friction that slides, c from the last round,
//   z = 0               for the others,
// and the result says what presses and sticks in the next round [Alart1991]. Four points under a
// box hold more than they need to: a proximal term e D (z - z_last) makes the matrix regular; it
// vanishes with the rounds. The best round by its own measure is taken.  docs/theory/contacts.md
// (8a)
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"
#include "tenon/engine/solve_contact/rubbing.h"

namespace tenon {
namespace {

constexpr size_t kMostAtOnce = 126;  // rows: beyond, n^3 is dearer than more sweeps
constexpr int kRoundsAtOnce = 8;     // per proximal term
// Of the diagonal, from one solve to the next.
constexpr double kFirstProximal = 1e-3, kLessProximal = 1e-2, kLastProximal = 1e-12;
constexpr double kTinyPivot = 1e-14;

// A x = b in place by elimination with partial pivoting; b becomes x. Columns whose pivots are
// round-off get x = 0. Own code: the order of sums must not depend on the width of registers.
void solve_dense(std::vector<double>& A, std::vector<double>& b, size_t n) {
  std::vector<double> scale(n, 0);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) scale[i] = std::max(scale[i], std::fabs(A[i * n + j]));
  for (size_t k = 0; k < n; ++k) {
    size_t best = k;
    double size = -1;
    for (size_t i = k; i < n; ++i) {
      const double relative = scale[i] > 0 ? std::fabs(A[i * n + k]) / scale[i] : 0;
      if (relative > size) {
        size = relative;
        best = i;
      }
    }
    if (best != k) {
      std::swap_ranges(A.begin() + static_cast<ptrdiff_t>(k * n),
                       A.begin() + static_cast<ptrdiff_t>((k + 1) * n),
                       A.begin() + static_cast<ptrdiff_t>(best * n));
      std::swap(b[k], b[best]);
      std::swap(scale[k], scale[best]);
    }
    if (!(size > kTinyPivot)) {
      A[k * n + k] = 0;
      continue;
    }
    const double inverse = 1 / A[k * n + k];
    for (size_t i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] * inverse;
      if (factor == 0) continue;
      for (size_t j = k + 1; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t i = n; i-- > 0;) {
    if (A[i * n + i] == 0) {
      b[i] = 0;
      continue;
    }
    for (size_t j = i + 1; j < n; ++j) b[i] -= A[i * n + j] * b[j];
    b[i] /= A[i * n + i];
  }
}

}  // namespace

// The rows of all patches, one after the other, as gather() has them.
struct Island::AtOnce {
  size_t n = 0;
  std::vector<size_t> first;  // by patch: its first row
  std::vector<double> W;      // n x n, by columns
  std::vector<double> least, u0, u, z;
  double proximal = 0;         // of the diagonal
  std::vector<double> center;  // of the proximal term
  std::vector<uint8_t> held;   // point that presses, friction that sticks
  std::vector<Vec3> sliding;   // by patch: friction per sum of normal impulses
};

// W, and the rates without the impulses z.
bool Island::begin_at_once(AtOnce& s, bool rubs) {
  s.n = 0;
  s.first.clear();
  for (const IslandGroup& g : groups) {
    if (g.answer.empty()) return false;
  }
  for (const IslandPatch& c : patches) {
    s.first.push_back(s.n);
    s.n += c.moves ? (rubs ? c.rows : c.count) : 0;
  }
  if (s.n == 0 || s.n > kMostAtOnce) return false;
  const size_t n = s.n;
  s.W.assign(n * n, 0);
  s.least.assign(n, 0);
  s.u.assign(n, 0);
  const auto rates = [&](double* to) {
    for (size_t k = 0; k < patches.size(); ++k) {
      const IslandPatch& c = patches[k];
      if (!c.moves) continue;
      Rows u{};
      rates_of(c, u);
      std::copy_n(u.begin(), rubs ? c.rows : c.count, to + s.first[k]);
    }
  };
  rates(s.u.data());
  const std::vector<Motion> motion_now = motion;
  const std::vector<double> rates_now = rates_;
  for (size_t k = 0; k < patches.size(); ++k) {
    const IslandPatch& c = patches[k];
    if (!c.moves) continue;
    for (uint32_t row = 0; row < (rubs ? c.rows : c.count); ++row) {
      std::fill(motion.begin(), motion.end(), Motion{});
      Rows unit{};
      unit[row] = 1;
      push_patch(c, unit);
      rates(&s.W[(s.first[k] + row) * n]);
      if (row < c.count) {
        s.least[s.first[k] + row] = points[c.first + row].least;
      } else if (row < c.count + 2) {
        s.least[s.first[k] + row] = row == c.count ? c.drift.y : c.drift.z;
      }
    }
  }
  motion = motion_now;
  rates_ = rates_now;
  s.u0 = s.u;
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) s.u0[i] -= s.W[j * n + i] * s.z[j];
  return true;
}

// What presses, sticks and slides by the present z and u. Returns how much rates would change if
// every row were solved by itself: zero at the solution.
double Island::classify_at_once(AtOnce& s, bool rubs) const {
  const size_t n = s.n;
  const std::vector<uint8_t> held = s.held;
  const std::vector<Vec3> sliding = s.sliding;
  s.held.assign(n, 0);
  s.sliding.assign(patches.size(), {});
  double residual = 0;
  bool changed = false;  // which points press
  for (size_t k = 0; k < patches.size(); ++k) {
    const IslandPatch& c = patches[k];
    if (!c.moves) continue;
    const size_t at = s.first[k], m = c.count;
    Rubbing law = rubbing_of(c);
    law.normal = law.arm = 0;
    double reach = c.spinning;
    for (size_t i = 0; i < m; ++i) {
      const double own = s.W[(at + i) * (n + 1)];
      if (!(own > 0)) continue;
      const double next = s.z[at + i] - (s.u[at + i] - s.least[at + i]) / own;
      s.held[at + i] = next > 0;
      changed = changed || (!held.empty() && s.held[at + i] != held[at + i]);
      residual = std::max(residual, own * std::fabs(std::max(next, 0.0) - s.z[at + i]));
      const double p = std::max(s.z[at + i], 0.0);
      law.normal += p;
      law.arm += p * points[c.first + i].arm;
      reach = std::max(reach, points[c.first + i].arm);
    }
    if (!rubs || c.rows == m) continue;
    const bool spins = c.rows > m + 2;
    const Vec3 now{s.z[at + m], s.z[at + m + 1], spins ? s.z[at + m + 2] : 0};
    const Vec3 rate{s.u[at + m] - s.least[at + m], s.u[at + m + 1] - s.least[at + m + 1],
                    spins ? s.u[at + m + 2] : 0};
    const Vec3 next = law.solve(now, rate);
    const bool sticks = law.size(next) < 1 - 1e-9;
    for (size_t j = m; j < c.rows; ++j) {
      const double own = s.W[(at + j) * (n + 1)];
      const double change = next[static_cast<int>(j - m)] - now[static_cast<int>(j - m)];
      residual = std::max(residual, own * std::fabs(change) * (j < m + 2 ? 1 : reach));
      s.held[at + j] = sticks && own > 0;
    }
    if (!sticks && law.normal > 0) s.sliding[k] = (1 / law.normal) * next;
  }
  // first what presses, then what sticks: changing both at once goes round in circles
  if (changed) {
    for (size_t k = 0; k < patches.size(); ++k) {
      const IslandPatch& c = patches[k];
      if (!rubs || !c.moves) continue;
      for (size_t j = c.count; j < c.rows; ++j) s.held[s.first[k] + j] = held[s.first[k] + j];
    }
    s.sliding = sliding;
  }
  return residual;
}

void Island::solve_round(AtOnce& s, bool rubs) const {
  const size_t n = s.n;
  std::vector<size_t> rows;  // unknowns: what is held, and friction that slides
  std::vector<size_t> patch_of;
  for (size_t k = 0; k < patches.size(); ++k) {
    const IslandPatch& c = patches[k];
    if (!c.moves) continue;
    for (size_t j = 0; j < (rubs ? c.rows : c.count); ++j) {
      const bool slides = j >= c.count && !(s.sliding[k] == Vec3{});
      if (s.held[s.first[k] + j] == 0 && !slides) continue;
      rows.push_back(s.first[k] + j);
      patch_of.push_back(k);
    }
  }
  const size_t m = rows.size();
  std::vector<double> A(m * m), b(m);
  for (size_t i = 0; i < m; ++i) {
    const size_t row = rows[i], k = patch_of[i], at = s.first[k];
    if (s.held[row] != 0) {
      for (size_t j = 0; j < m; ++j) A[i * m + j] = s.W[rows[j] * n + row];
      const double proximal = s.proximal * s.W[row * (n + 1)];
      A[i * m + i] += proximal;
      b[i] = s.least[row] - s.u0[row] + proximal * s.center[row];
      continue;
    }
    A[i * m + i] = 1;
    const double part = s.sliding[k][static_cast<int>(row - at - patches[k].count)];
    for (size_t j = 0; j < m; ++j) {
      if (patch_of[j] == k && rows[j] < at + patches[k].count) A[i * m + j] -= part;
    }
  }
  solve_dense(A, b, m);
  std::fill(s.z.begin(), s.z.end(), 0.0);
  for (size_t i = 0; i < m; ++i) s.z[rows[i]] = b[i];
  s.u = s.u0;
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) s.u[i] += s.W[j * n + i] * s.z[j];
}

// From impulses `z` of all rows, as gather() has them, to better ones; false where there are none.
// `still`: changes of rates up to here are none.
bool Island::solve_at_once(std::vector<double>& z, bool rubs, double still) {
  AtOnce s;
  s.z.clear();
  size_t from = 0;
  for (const IslandPatch& c : patches) {
    const size_t rows = rubs ? c.rows : c.count;
    if (c.moves)
      s.z.insert(s.z.end(), z.begin() + static_cast<ptrdiff_t>(from),
                 z.begin() + static_cast<ptrdiff_t>(from + rows));
    from += rows;
  }
  if (!begin_at_once(s, rubs)) return false;
  double best = classify_at_once(s, rubs);
  const double first = best;
  std::vector<double> best_z = s.z;
  for (s.proximal = kFirstProximal; s.proximal >= kLastProximal && best > still;
       s.proximal *= kLessProximal) {
    s.center = s.z;
    std::vector<uint8_t> held;
    for (int round = 0; round < kRoundsAtOnce && best > still && held != s.held; ++round) {
      held = s.held;
      solve_round(s, rubs);
      const double residual = classify_at_once(s, rubs);
      if (residual < best) {
        best = residual;
        best_z = s.z;
      }
    }
  }
  if (!(best < first)) return false;
  size_t to = 0, place = 0;
  for (const IslandPatch& c : patches) {
    const size_t rows = rubs ? c.rows : c.count;
    for (size_t j = 0; j < rows && c.moves; ++j) {
      const double value = best_z[place++];
      z[to + j] = j < c.count ? std::max(value, 0.0) : value;
    }
    to += rows;
  }
  return true;
}

}  // namespace tenon
