// Every case is judged by certificates, not by a second implementation of the same algorithm:
//   lower bound   the gap between the two planes perpendicular to the returned normal (reference
//                 support functions) is at least the returned distance;
//   upper bound   apart: the witness points lie in the shapes and are no farther from each other
//                 than the returned distance. Overlapping: a brute-force search over directions
//                 finds none that separates by more;
//   normal        no direction more than 1e-3 rad away separates by clearly more;
//   witnesses     lie in their shapes, on the touching planes, and differ by distance * normal.
// Errors are relative to the smaller shape's smallest extent; those of the witness points, whose
// place in a flat feature matters less, to its largest.
#include "tenon/tests/unit/narrow/separation/pair_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tenon/engine/collision/narrow/separation.h"
#include "tenon/tests/unit/narrow/separation/random_cases.h"
#include "tenon/tests/unit/narrow/separation/reference.h"

namespace tenon::reference {
namespace {

// The promise.
constexpr double kDistanceTolerance = 1e-6;
// Twice the promise for the points (they are found from features, each with the promised error),
// plus what a normal that is known to 1e-9 rad moves them by over the distance.
constexpr double kWitnessTolerance = 2e-6;
constexpr double kNormalRoundoff = 1e-9;
// A direction that is better by this much (1/1000 of the promised distance error) and is more than
// 1e-3 rad away refutes the normal.
constexpr double kNormalAdvantage = 1e-9;

struct Errors {
  double distance = 0, witness = 0, normal = 0;
};

double normal_advantage(const Case& c, const Separation& result) {
  if (kind(c.a) == ShapeKind::kPlane) return 0;
  const double here = separation(c.a, c.X_WA, c.b, c.X_WB, result.normal_W);
  const Vec3 t1 = any_orthogonal(result.normal_W), t2 = cross(result.normal_W, t1);
  double most = 0;
  for (const double angle : {1.1e-3, 1e-2, 1e-1}) {
    for (int i = 0; i < 12; ++i) {
      const double phi = 0.5235987755982988 * i;
      const Vec3 n =
          normalized(result.normal_W + std::tan(angle) * (std::cos(phi) * t1 + std::sin(phi) * t2));
      most = std::max(most, separation(c.a, c.X_WA, c.b, c.X_WB, n) - here);
    }
  }
  return most;
}

// How far the true distance may be above the returned one.
double shortfall(const Case& c, const Separation& result) {
  if (kind(c.a) == ShapeKind::kPlane) return 0;
  if (result.distance > 0) return norm(result.p_WB - result.p_WA) - result.distance;
  return search_separation(c.a, c.X_WA, c.b, c.X_WB, 250).separation - result.distance;
}

double witness_error(const Case& c, const Separation& result) {
  double worst = std::max(outside(c.a, c.X_WA, result.p_WA), outside(c.b, c.X_WB, result.p_WB));
  worst = std::max(worst, norm(result.p_WB - result.p_WA - result.distance * result.normal_W));
  const Vec3& n = result.normal_W;
  const double top_A = support_value(c.a, c.X_WA, c.X_WA.p, n) - dot(n, result.p_WA - c.X_WA.p);
  const double top_B = support_value(c.b, c.X_WB, c.X_WB.p, -n) + dot(n, result.p_WB - c.X_WB.p);
  worst = std::max({worst, std::fabs(top_A), std::fabs(top_B)});
  return std::max(0.0, worst - kNormalRoundoff * std::fabs(result.distance));
}

Errors calc_errors(const Case& c, const Separation& result) {
  const double small = std::min(width(c.a), width(c.b));
  const double along = separation(c.a, c.X_WA, c.b, c.X_WB, result.normal_W);
  Errors errors;
  errors.distance = std::max(std::fabs(along - result.distance), shortfall(c, result)) / small;
  if (!std::isnan(c.exact))
    errors.distance = std::max(errors.distance, std::fabs(result.distance - c.exact) / small);
  errors.witness = witness_error(c, result) / std::min(length(c.a), length(c.b));
  errors.normal = normal_advantage(c, result) / small;
  return errors;
}

bool is_mirror(const Separation& x, const Separation& y) {
  return x.distance == y.distance && x.normal_W == -y.normal_W && x.p_WA == y.p_WB &&
         x.p_WB == y.p_WA;
}

// A query limited to max_distance may stop early, with a proof that the shapes are farther.
bool early_out_holds(const Case& c, const Separation& exact) {
  const double limit = 0.5 * std::fabs(exact.distance);
  if (limit < kDistanceTolerance * std::min(width(c.a), width(c.b))) return true;
  const Separation limited = find_separation(c.a, c.X_WA, c.b, c.X_WB, {limit, exact.normal_W});
  const double tolerance = kDistanceTolerance * std::min(width(c.a), width(c.b));
  if (exact.distance <= limit) return std::fabs(limited.distance - exact.distance) <= tolerance;
  const double proof = separation(c.a, c.X_WA, c.b, c.X_WB, limited.normal_W);
  return limited.distance > limit && limited.distance <= exact.distance + tolerance &&
         limited.distance <= proof + tolerance;
}

}  // namespace

void check_pair(const PairOfKinds& pair, int cases) {
  CaseMaker maker(17 + 31 * static_cast<uint64_t>(pair.a) + static_cast<uint64_t>(pair.b));
  Errors worst;
  int failures = 0, overlaps = 0;
  for (int i = 0; i < cases; ++i) {
    const Case c = maker.make(pair.a, pair.b);
    const Separation result = find_separation(c.a, c.X_WA, c.b, c.X_WB);
    const bool finite = std::isfinite(result.distance) && is_finite(result.normal_W) &&
                        is_finite(result.p_WA) && is_finite(result.p_WB);
    const bool unit = std::fabs(norm(result.normal_W) - 1) < 1e-12;
    // the same shape in the same place twice is its own swapped case: no mirror image to ask for
    const bool same = c.a == c.b && c.X_WA.p == c.X_WB.p && c.X_WA.R == c.X_WB.R;
    const bool mirrored = same || is_mirror(result, find_separation(c.b, c.X_WB, c.a, c.X_WA));
    const Errors errors = calc_errors(c, result);
    worst.distance = std::max(worst.distance, errors.distance);
    worst.witness = std::max(worst.witness, errors.witness);
    worst.normal = std::max(worst.normal, errors.normal);
    overlaps += result.distance < 0;
    const bool good = finite && unit && mirrored && early_out_holds(c, result) &&
                      errors.distance <= kDistanceTolerance &&
                      errors.witness <= kWitnessTolerance && errors.normal <= kNormalAdvantage;
    if (good) continue;
    if (++failures > 8) continue;
    ADD_FAILURE() << "case " << i << ": finite " << finite << " unit " << unit << " mirrored "
                  << mirrored << " early-out " << early_out_holds(c, result) << " distance "
                  << result.distance << " exact " << c.exact << " errors: distance "
                  << errors.distance << " witness " << errors.witness << " normal " << errors.normal
                  << " widths " << width(c.a) << " " << width(c.b) << " lengths " << length(c.a)
                  << " " << length(c.b);
  }
  EXPECT_EQ(failures, 0) << "of " << cases;
  std::printf("%-8s %-8s %6d cases (%5d overlapping)  distance %.1e  witness %.1e  normal %.1e\n",
              name(pair.a), name(pair.b), cases, overlaps, worst.distance, worst.witness,
              worst.normal);
}

}  // namespace tenon::reference
