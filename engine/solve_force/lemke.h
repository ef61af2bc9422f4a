// Lemke's complementary pivot algorithm for the linear complementarity problem
//   w = M z + q,   w >= 0,   z >= 0,   w_i z_i = 0 for all i                                    (1)
// Source: [Cottle1992, sec. 4.4; 4.9 for the lexicographic rule].
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tenon {

enum class LcpStatus : uint8_t {
  kSolved,
  kRay,        // ended in a ray: for the matrices of contacts without friction there is no solution
  kGaveUp,     // more pivots than allowed, or round-off took over
  kNotFinite,  // a number of the problem is not finite
};
const char* name(LcpStatus status);

struct LcpResult {
  LcpStatus status = LcpStatus::kSolved;
  int pivots = 0;
  // Largest of -w, -z and min(w, z), each relative to the size of its terms.
  double residual = 0;
};

struct LcpSettings {
  int max_pivots = 0;  // 0: 50 (n + 1); the paths of contact problems are shorter than 3 n
  // What counts as zero among numbers of the tableau, which begins with entries of about one.
  double zero = 1e-11;
  // The column of the artificial variable is -(1 + spread x), x in [0, 1) from a fixed sequence.
  // Any positive column does; an uneven one takes another way through the same problem.
  double spread = 0;
};

// `M` has n rows of n numbers, n = q.size(). z is overwritten: the solution, or zero where there is
// none. Cost: O(n^2) per pivot, about n pivots. Where several variables could leave the basis, the
// lexicographic rule decides, so that it cannot run in circles.
LcpResult solve_lcp(std::span<const double> M, std::span<const double> q, std::vector<double>& z,
                    const LcpSettings& settings = {});

// The solution whose positive components of z are a subset of those that are marked, if there is
// one: one linear solve instead of many pivots, for problems that change little from one to the
// next. False: there is none, z is not usable.
bool solve_lcp_on(std::span<const double> M, std::span<const double> q,
                  std::span<const uint8_t> marked, std::vector<double>& z);

// Of z as a solution, see LcpResult.
double lcp_residual(std::span<const double> M, std::span<const double> q,
                    std::span<const double> z);

}  // namespace tenon
