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

#include "tenon/engine/math/dense_lu.h"
#include "tenon/engine/solve_contact/island.h"
#include "tenon/engine/solve_contact/rubbing.h"

namespace tenon {
namespace {

// Rows: beyond, n^3 is dearer than more sweeps. Where meshes touch in several patches, many rows
// say the same and few act.
constexpr size_t kMostAtOnce = 126, kMostOfMeshes = 252;
constexpr int kRoundsAtOnce = 8;  // per proximal term
// Of the diagonal, from one solve to the next.
constexpr double kFirstProximal = 1e-3, kLessProximal = 1e-2;
constexpr int kProximalTerms = 5;  // down to 1e-11

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
bool Island::begin_at_once(AtOnce& s) {
  s.n = 0;
  s.first.clear();
  for (const IslandGroup& g : groups) {
    if (g.answer.empty()) return false;
  }
  for (const IslandPatch& c : patches) {
    s.first.push_back(s.n);
    s.n += c.moves ? c.rows : 0;
  }
  if (s.n == 0 || s.n > (faceted ? kMostOfMeshes : kMostAtOnce)) return false;
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
      std::copy_n(u.begin(), c.rows, to + s.first[k]);
    }
  };
  rates(s.u.data());
  const std::vector<Motion> motion_now = motion;
  const std::vector<double> rates_now = rates_;
  for (size_t k = 0; k < patches.size(); ++k) {
    const IslandPatch& c = patches[k];
    if (!c.moves) continue;
    for (uint32_t row = 0; row < c.rows; ++row) {
      std::fill(motion.begin(), motion.end(), Motion{});
      Rows unit{};
      unit[row] = 1;
      push_patch(c, unit);
      rates(&s.W[(s.first[k] + row) * n]);
      if (row < c.count) {
        s.least[s.first[k] + row] = points[c.first + row].least + points[c.first + row].turning;
      } else if (row < c.count + 2) {
        s.least[s.first[k] + row] = row == c.count ? c.aim().y : c.aim().z;
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
double Island::classify_at_once(AtOnce& s) const {
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
    if (c.rows == m) continue;
    const bool spins = c.rows > m + 2;
    const Vec3 now{s.z[at + m], s.z[at + m + 1], spins ? s.z[at + m + 2] : 0};
    const Vec3 rate{s.u[at + m] - s.least[at + m], s.u[at + m + 1] - s.least[at + m + 1],
                    spins ? s.u[at + m + 2] : 0};
    const Vec3 next = law.solve(now, rate);
    // what does not press does not stick either
    const bool sticks = law.normal > 0 && law.size(next) < 1 - 1e-9;
    for (size_t j = m; j < c.rows; ++j) {
      const double own = s.W[(at + j) * (n + 1)];
      const double change = next[static_cast<int>(j - m)] - now[static_cast<int>(j - m)];
      residual = std::max(residual, own * std::fabs(change) * (j < m + 2 ? 1 : reach));
      s.held[at + j] = sticks && own > 0 && (j < m + 2 || law.moment_of() > 0);
    }
    if (!sticks && law.normal > 0) s.sliding[k] = (1 / law.normal) * next;
  }
  // first what presses, then what sticks: changing both at once goes round in circles
  if (changed) {
    for (size_t k = 0; k < patches.size(); ++k) {
      const IslandPatch& c = patches[k];
      if (!c.moves) continue;
      for (size_t j = c.count; j < c.rows; ++j) s.held[s.first[k] + j] = held[s.first[k] + j];
    }
    s.sliding = sliding;
  }
  return residual;
}

// False where the rows contradict each other to round-off.
bool Island::solve_round(AtOnce& s) const {
  const size_t n = s.n;
  std::vector<size_t> rows;  // unknowns: what is held, and friction that slides
  std::vector<size_t> patch_of;
  for (size_t k = 0; k < patches.size(); ++k) {
    const IslandPatch& c = patches[k];
    if (!c.moves) continue;
    for (size_t j = 0; j < c.rows; ++j) {
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
  DenseLu lu;
  if (!lu.factor(A, m)) return false;
  lu.solve(b);
  std::fill(s.z.begin(), s.z.end(), 0.0);
  for (size_t i = 0; i < m; ++i) s.z[rows[i]] = b[i];
  s.u = s.u0;
  for (size_t j = 0; j < n; ++j)
    for (size_t i = 0; i < n; ++i) s.u[i] += s.W[j * n + i] * s.z[j];
  return true;
}

// From impulses `z` of all rows, as gather() has them, to better ones; false where there are none.
// `still`: changes of rates up to here are none.
bool Island::solve_at_once(std::vector<double>& z, double still) {
  AtOnce s;
  size_t from = 0;
  for (const IslandPatch& c : patches) {
    const auto begin = z.begin() + static_cast<ptrdiff_t>(from);
    if (c.moves) s.z.insert(s.z.end(), begin, begin + c.rows);
    from += c.rows;
  }
  if (!begin_at_once(s)) return false;
  double best = classify_at_once(s);
  const double first = best;
  std::vector<double> best_z = s.z;
  s.proximal = kFirstProximal;
  for (int term = 0; term < kProximalTerms && best > still; ++term, s.proximal *= kLessProximal) {
    s.center = s.z;
    std::vector<uint8_t> held;
    for (int round = 0; round < kRoundsAtOnce && best > still && held != s.held; ++round) {
      held = s.held;
      if (!solve_round(s)) break;
      const double residual = classify_at_once(s);
      if (residual < best) {
        best = residual;
        best_z = s.z;
      }
    }
  }
  if (!(best < first)) return false;
  size_t to = 0, place = 0;
  for (const IslandPatch& c : patches) {
    for (size_t j = 0; j < c.rows && c.moves; ++j) {
      const double value = best_z[place++];
      z[to + j] = j < c.count ? std::max(value, 0.0) : value;
    }
    to += c.rows;
  }
  return true;
}

}  // namespace tenon
