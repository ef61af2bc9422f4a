#include "tenon/engine/solve_contact/sweep.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/rubbing.h"

namespace tenon {
namespace {

constexpr int kRounds = 4;          // within a patch
constexpr double kEnough = 0.1;     // of the largest change: a round that changes less is the last
constexpr double kUnseen = -1e300;  // never visited
constexpr double kNegligible = 1e-3;  // of `fine`: changes up to here are not made

#define TENON_INLINE [[gnu::always_inline]] inline

// Which rows see the relative velocity of the mass centres along n, t1 and t2, by points.
struct Directions {
  double along[9][3][12];
};
constexpr Directions make_directions() {
  Directions d{};
  for (int m = 0; m <= 8; ++m) {
    for (int r = 0; r < 12; ++r) {
      d.along[m][0][r] = r < m ? 1 : 0;
      d.along[m][1][r] = r == m ? 1 : 0;
      d.along[m][2][r] = r == m + 1 ? 1 : 0;
    }
  }
  return d;
}
constexpr Directions kDirections = make_directions();

// The same bits with and without wide registers: every number has its own sum in its own order.
TENON_INLINE void add_six(double* u, const double* column, size_t stride, const double* wrench,
                          size_t n) {
  const double *c0 = column, *c1 = c0 + stride, *c2 = c1 + stride, *c3 = c2 + stride,
               *c4 = c3 + stride, *c5 = c4 + stride;
  for (size_t i = 0; i < n; ++i) {
    u[i] += wrench[0] * c0[i] + wrench[1] * c1[i] + wrench[2] * c2[i] + wrench[3] * c3[i] +
            wrench[4] * c4[i] + wrench[5] * c5[i];
  }
}

TENON_INLINE void push_body(const SweptBody& b, Motion& motion, const Vec3& f, const Vec3& t) {
  if (b.columns == 0) {
    motion.v += b.inv_mass * f;
    motion.w += b.inv_I * t;
    return;
  }
  const double wrench[6] = {f.x, f.y, f.z, t.x, t.y, t.z};
  const size_t stride = b.columns + b.bounds;
  add_six(b.motion, b.answer, stride, wrench, b.columns);
  if (b.bounds > 0) add_six(b.rates, b.answer + b.columns, stride, wrench, b.bounds);
}

// Friction of a patch that slides: a step against the slip, back into the bound.              (6)
template <int R>
TENON_INLINE Vec3 slide(const PatchRecord<R>& c, const Vec3& now, const Vec3& u, double most,
                        double moment, double k_spin) {
  if (!(c.slide > 0)) return now;
  const double ratio = most > 0 ? moment / most : 0;
  double step = c.slide;
  if (k_spin > 0 && step * ratio * ratio * k_spin > 1) step = 1 / (ratio * ratio * k_spin);
  const double spin = without_lost(now.z, now.x * now.x + now.y * now.y, most, moment, c.lost);
  Vec3 next{now.x - step * u.x, now.y - step * u.y, spin - step * ratio * ratio * u.z};
  const double force2 = next.x * next.x + next.y * next.y;
  if (!(moment > 0)) next.z = 0;
  if (!(most > 0)) return {0, 0, 0};
  double beyond2 = force2 / (most * most);
  if (moment > 0) beyond2 += next.z * next.z / (moment * moment);
  if (beyond2 > 1) next *= 1 / std::sqrt(beyond2);
  return next;
}

template <int R>
TENON_INLINE Vec3 rub(const PatchRecord<R>& c, uint32_t m, bool spins, const double* z,
                      const double* u) {
  const Vec3 now{z[m], z[m + 1], spins ? z[m + 2] : 0};
  double normal = 0, arm = 0;
  for (uint32_t k = 0; k < m; ++k) {
    normal += z[k];
    arm += z[k] * c.arm[k];
  }
  if (!(normal > 0) && now == Vec3{}) return now;
  const Vec3 rate{u[m] - c.least[m], u[m + 1] - c.least[m + 1], spins ? u[m + 2] : 0};
  const double most = c.friction * normal;
  const double moment = spins ? c.friction * arm + c.spinning * normal : 0;
  const Vec3 next{now.x - (c.inv11 * rate.x + c.inv12 * rate.y),
                  now.y - (c.inv12 * rate.x + c.inv22 * rate.y),
                  moment > 0 ? now.z - rate.z * c.inv[m + 2] : 0};
  // sticks where the bound allows it
  const double force2 = next.x * next.x + next.y * next.y, most2 = most * most;
  const double moment2 = moment * moment;
  const bool within =
      moment > 0 ? force2 * moment2 + next.z * next.z * most2 <= most2 * moment2 : force2 <= most2;
  if (c.inv11 > 0 && within) return next;
  return slide(c, now, rate, most, moment, spins ? c.K[m + 2][m + 2] : 0);
}

// Normal impulses and friction of one patch, in turns, with everything else as it stands. Returns
// the largest change of a rate; `rest` becomes that of the last round.
template <int R>
TENON_INLINE double solve_patch(const SweptPatch& p, PatchRecord<R>& c, SweptBody* bodies,
                                Motion* motion, double fine, double& rest) {
  Motion &MA = motion[p.a], &MB = motion[p.b];
  const uint32_t m = p.points, rows = p.rows;
  const Vec3 dv = MB.v - MA.v, wA = MA.w, wB = MB.w;
  const double un = dot(c.n, dv), u1 = dot(c.t1, dv), u2 = dot(c.t2, dv);
  const auto& along = kDirections.along[m];
  double u[R], z[R];
  for (int r = 0; r < R; ++r) {
    u[r] = along[0][r] * un + along[1][r] * u1 + along[2][r] * u2 + c.B[0][r] * wB.x +
           c.B[1][r] * wB.y + c.B[2][r] * wB.z - c.A[0][r] * wA.x - c.A[1][r] * wA.y -
           c.A[2][r] * wA.z;
    z[r] = c.z[r];
  }
  const bool spins = rows > m + 2;
  double largest = 0;
  for (int round = 0; round < kRounds; ++round) {
    double change = 0;
    for (uint32_t k = 0; k < m; ++k) {
      const double next = std::max(0.0, z[k] - (u[k] - c.least[k] + c.soft[k] * z[k]) * c.inv[k]);
      const double dp = next - z[k];
      z[k] = next;
      for (int i = 0; i < R; ++i) u[i] += dp * c.K[k][i];
      change = std::max(change, std::fabs(dp) * c.K[k][k]);
    }
    if (rows > m) {
      const Vec3 next = rub(c, m, spins, z, u);
      const Vec3 d{next.x - z[m], next.y - z[m + 1], spins ? next.z - z[m + 2] : 0};
      z[m] = next.x;
      z[m + 1] = next.y;
      for (int i = 0; i < R; ++i) u[i] += d.x * c.K[m][i] + d.y * c.K[m + 1][i];
      if (spins) {
        z[m + 2] = next.z;
        for (int i = 0; i < R; ++i) u[i] += d.z * c.K[m + 2][i];
        change = std::max(change, std::fabs(d.z) * c.K[m + 2][m + 2] * c.reach);
      }
      change = std::max(change,
                        std::max(std::fabs(d.x) * c.K[m][m], std::fabs(d.y) * c.K[m + 1][m + 1]));
    }
    largest = std::max(largest, change);
    rest = change;
    if (change <= kEnough * largest || change <= fine || rows == 1) break;
  }
  if (largest <= kNegligible * fine) return largest;
  // the wrench of all changes
  double dn = 0;
  Vec3 tA, tB;
  for (uint32_t r = 0; r < rows; ++r) {
    const double d = z[r] - c.z[r];
    c.z[r] = z[r];
    z[r] = d;
    if (r < m) dn += d;
    tA += Vec3{d * c.A[0][r], d * c.A[1][r], d * c.A[2][r]};
    tB += Vec3{d * c.B[0][r], d * c.B[1][r], d * c.B[2][r]};
  }
  Vec3 f = dn * c.n;
  if (rows > m) f += z[m] * c.t1 + z[m + 1] * c.t2;
  push_body(bodies[p.a], MA, -f, -tA);
  push_body(bodies[p.b], MB, f, tB);
  return largest;
}

TENON_INLINE double solve_any(SweepRecords& s, SweptPatch& p, Motion* motion, double fine,
                              double& rest) {
  if (p.size == 4) return solve_patch(p, s.small[p.place], s.bodies.data(), motion, fine, rest);
  if (p.size == 8) return solve_patch(p, s.middle[p.place], s.bodies.data(), motion, fine, rest);
  return solve_patch(p, s.large[p.place], s.bodies.data(), motion, fine, rest);
}

using Add = void (*)(double*, const double*, size_t, const double*, size_t);
void add_plain(double* u, const double* column, size_t stride, const double* wrench, size_t n) {
  add_six(u, column, stride, wrench, n);
}
TENON_INLINE void exchange_any(double* A, size_t n, size_t q, size_t first) {
  double* own = A + q * n;
  const double pivot = own[q];
  own[q] = 0;
  for (size_t j = first; j < n; ++j) {
    if (j == q) continue;
    double* column = A + j * n;
    const double part = column[q] / pivot;
    for (size_t i = 0; i < n; ++i) column[i] -= part * own[i];
    column[q] = -part;
  }
  for (size_t i = 0; i < n; ++i) own[i] /= pivot;
  own[q] = 1 / pivot;
}

using Exchange = void (*)(double*, size_t, size_t, size_t);
void exchange_plain(double* A, size_t n, size_t q, size_t first) { exchange_any(A, n, q, first); }
using Solve = double (*)(SweepRecords&, SweptPatch&, Motion*, double, double&);
double solve_plain(SweepRecords& s, SweptPatch& p, Motion* motion, double fine, double& rest) {
  return solve_any(s, p, motion, fine, rest);
}
#if defined(__x86_64__)
[[gnu::target("avx2")]] double solve_avx2(SweepRecords& s, SweptPatch& p, Motion* motion,
                                          double fine, double& rest) {
  return solve_any(s, p, motion, fine, rest);
}
[[gnu::target("avx2")]] void add_avx2(double* u, const double* column, size_t stride,
                                      const double* wrench, size_t n) {
  add_six(u, column, stride, wrench, n);
}
[[gnu::target("avx2")]] void exchange_avx2(double* A, size_t n, size_t q, size_t first) {
  exchange_any(A, n, q, first);
}
const Exchange kExchange = __builtin_cpu_supports("avx2") != 0 ? exchange_avx2 : exchange_plain;
const Solve kSolve = __builtin_cpu_supports("avx2") != 0 ? solve_avx2 : solve_plain;
const Add kAdd = __builtin_cpu_supports("avx2") != 0 ? add_avx2 : add_plain;
#else
constexpr Solve kSolve = solve_plain;
constexpr Add kAdd = add_plain;
constexpr Exchange kExchange = exchange_plain;
#endif

#undef TENON_INLINE

}  // namespace

void add_columns(double* u, const double* column, size_t stride, const double* wrench, size_t n) {
  kAdd(u, column, stride, wrench, n);
}

void exchange(double* A, size_t n, size_t q, size_t first) { kExchange(A, n, q, first); }

void SweepRecords::clear() {
  patches.clear();
  small.clear();
  middle.clear();
  large.clear();
}

double* SweepRecords::z_of(const SweptPatch& p) {
  return p.size == 4 ? small[p.place].z : p.size == 8 ? middle[p.place].z : large[p.place].z;
}
const double* SweepRecords::z_of(const SweptPatch& p) const {
  return p.size == 4 ? small[p.place].z : p.size == 8 ? middle[p.place].z : large[p.place].z;
}

void SweepRecords::wake() {
  for (SweptPatch& p : patches) wake(p);
}

void SweepRecords::wake(SweptPatch& p) { p.seen = kUnseen; }

double SweepRecords::visit(SweptPatch& p, std::span<Motion> motion, double still, double fine) {
  if (!p.acts) return 0;
  double &a = moved[p.mover_a], &b = moved[p.mover_b];
  if (!p.restless && p.weight_a * a + p.weight_b * b - p.seen <= still) return 0;
  double rest = 0;
  const double change = kSolve(*this, p, motion.data(), fine, rest);
  if (change > kNegligible * fine) {
    a += p.weight_a * change;
    b += p.weight_b * change;
  }
  // what it has left of its own is to be taken up again
  p.seen = p.weight_a * a + p.weight_b * b - rest;
  return change;
}

}  // namespace tenon
