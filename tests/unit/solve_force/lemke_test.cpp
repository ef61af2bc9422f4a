// Lemke's algorithm against enumeration of all complementary bases by Eigen.
#include "tenon/engine/solve_force/lemke.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "tenon/engine/base/rng.h"

namespace tenon {
namespace {

struct Lcp {
  size_t n = 0;
  std::vector<double> M, q;
};

// All solutions that a complementary basis has. Bases that are singular have none of their own: for
// positive semidefinite problems with a solution there is always a basis that has one.
std::vector<Eigen::VectorXd> enumerate(const Lcp& p) {
  const auto n = static_cast<Eigen::Index>(p.n);
  Eigen::MatrixXd M(n, n);
  Eigen::VectorXd q(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    q(i) = p.q[static_cast<size_t>(i)];
    for (Eigen::Index j = 0; j < n; ++j) M(i, j) = p.M[static_cast<size_t>(i * n + j)];
  }
  std::vector<Eigen::VectorXd> found;
  for (uint32_t set = 0; set < 1u << p.n; ++set) {
    // w - M z = q with w_i or z_i as the unknown
    Eigen::MatrixXd B = Eigen::MatrixXd::Identity(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      if ((set >> i & 1u) != 0) B.col(i) = -M.col(i);
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(B);
    if (!lu.isInvertible()) continue;
    const Eigen::VectorXd x = lu.solve(q);
    const double size = 1 + x.cwiseAbs().maxCoeff();
    if (x.minCoeff() < -1e-9 * size) continue;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      if ((set >> i & 1u) != 0) z(i) = x(i);
    }
    found.push_back(z);
  }
  return found;
}

double distance(const Eigen::VectorXd& a, const std::vector<double>& b) {
  double d = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    d = std::max(d, std::fabs(a(i) - b[static_cast<size_t>(i)]));
  }
  return d / (1 + a.cwiseAbs().maxCoeff());
}

enum class Matrix { kDefinite, kSemidefinite, kAny };

// kDefinite, kSemidefinite: B B^T of full or deficient rank, plus a skew part, as sliding friction
// brings one.
Lcp make_random(Rng& rng, Matrix kind) {
  Lcp p;
  p.n = 1 + rng.below(8);
  const size_t n = p.n;
  p.M.assign(n * n, 0);
  p.q.resize(n);
  const size_t rank = kind == Matrix::kDefinite ? n + 2 : std::max<size_t>(1, n / 2);
  std::vector<double> B(n * rank);
  for (double& b : B) b = rng.uniform(-1, 1);
  for (size_t i = 0; i < n; ++i) {
    p.q[i] = rng.uniform(-1, 1);
    for (size_t j = 0; j < n; ++j) {
      if (kind == Matrix::kAny) {
        p.M[i * n + j] = rng.uniform(-1, 1);
        continue;
      }
      for (size_t k = 0; k < rank; ++k) p.M[i * n + j] += B[i * rank + k] * B[j * rank + k];
    }
  }
  if (kind == Matrix::kDefinite) {
    for (size_t i = 0; i < n; ++i) {
      p.M[i * n + i] += 0.1;
      for (size_t j = 0; j < i; ++j) {
        const double s = rng.uniform(-1, 1);
        p.M[i * n + j] += s;
        p.M[j * n + i] -= s;
      }
    }
  }
  // ties: numbers that repeat
  if (rng.below(3) == 0) {
    for (double& x : p.q) x = std::round(2 * x) / 2;
  }
  return p;
}

TEST(Lemke, FindsTheOneSolutionOfDefiniteProblems) {
  Rng rng(1);
  double worst = 0;
  int pivots = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Lcp p = make_random(rng, Matrix::kDefinite);
    const std::vector<Eigen::VectorXd> all = enumerate(p);
    ASSERT_FALSE(all.empty()) << trial;
    std::vector<double> z;
    const LcpResult result = solve_lcp(p.M, p.q, z);
    ASSERT_EQ(result.status, LcpStatus::kSolved) << trial;
    EXPECT_LT(result.residual, 1e-12) << trial;
    worst = std::max(worst, distance(all.front(), z));
    pivots = std::max(pivots, result.pivots);
  }
  EXPECT_LT(worst, 1e-10);  // conditions up to 1e3
  EXPECT_LE(pivots, 24);    // 3 n
}

TEST(Lemke, SolvesSemidefiniteProblemsOrSaysThatThereIsNoSolution) {
  Rng rng(2);
  int solved = 0, rays = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Lcp p = make_random(rng, Matrix::kSemidefinite);
    const std::vector<Eigen::VectorXd> all = enumerate(p);
    std::vector<double> z;
    const LcpResult result = solve_lcp(p.M, p.q, z);
    // for these matrices a ray proves that there is none [Cottle1992, theorem 4.4.13]
    EXPECT_EQ(result.status, all.empty() ? LcpStatus::kRay : LcpStatus::kSolved) << trial;
    (all.empty() ? rays : solved) += 1;
    if (result.status != LcpStatus::kSolved) continue;
    EXPECT_LT(result.residual, 1e-10) << trial;
    // w is the same for all solutions
    for (size_t i = 0; i < p.n; ++i) {
      double w = p.q[i], other = p.q[i];
      for (size_t j = 0; j < p.n; ++j) {
        w += p.M[i * p.n + j] * z[j];
        other += p.M[i * p.n + j] * all.front()(static_cast<Eigen::Index>(j));
      }
      EXPECT_NEAR(w, other, 1e-8) << trial;
    }
  }
  EXPECT_GT(solved, 50);
  EXPECT_GT(rays, 20);
}

TEST(Lemke, NeverCallsASolutionWhatIsNone) {
  Rng rng(3);
  int solved = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Lcp p = make_random(rng, Matrix::kAny);
    const std::vector<Eigen::VectorXd> all = enumerate(p);
    std::vector<double> z;
    const LcpResult result = solve_lcp(p.M, p.q, z);
    if (result.status != LcpStatus::kSolved) continue;
    ++solved;
    EXPECT_LT(result.residual, 1e-9) << trial;
    double nearest = 1;
    for (const Eigen::VectorXd& other : all) nearest = std::min(nearest, distance(other, z));
    EXPECT_LT(nearest, 1e-7) << trial;
  }
  EXPECT_GT(solved, 30);
}

TEST(Lemke, DoesNotRunInCirclesWhereAllIsEqual) {
  // q and rows that repeat: every pivot is a tie
  const size_t n = 12;
  std::vector<double> M(n * n), q(n, -1), z;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) M[i * n + j] = (i / 3 == j / 3) ? 1 : 0.25;
  }
  const LcpResult result = solve_lcp(M, q, z);
  EXPECT_EQ(result.status, LcpStatus::kSolved);
  EXPECT_LT(result.residual, 1e-12);
  EXPECT_LE(result.pivots, 40);
}

TEST(Lemke, RefusesNumbersThatAreNone) {
  std::vector<double> z;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve_lcp(std::vector<double>{1}, std::vector<double>{nan}, z).status,
            LcpStatus::kNotFinite);
  EXPECT_EQ(solve_lcp(std::vector<double>{nan}, std::vector<double>{-1}, z).status,
            LcpStatus::kNotFinite);
  EXPECT_EQ(solve_lcp({}, {}, z).status, LcpStatus::kSolved);
  // w = -1 whatever z
  EXPECT_EQ(solve_lcp(std::vector<double>{0}, std::vector<double>{-1}, z).status, LcpStatus::kRay);
  EXPECT_EQ(z[0], 0);
}

TEST(Lemke, TakesAKnownBasisWhereItStillHolds) {
  Rng rng(4);
  for (int trial = 0; trial < 50; ++trial) {
    Lcp p = make_random(rng, Matrix::kDefinite);
    std::vector<double> z, again;
    ASSERT_EQ(solve_lcp(p.M, p.q, z).status, LcpStatus::kSolved);
    std::vector<uint8_t> marked(p.n);
    for (size_t i = 0; i < p.n; ++i) marked[i] = z[i] > 0;
    ASSERT_TRUE(solve_lcp_on(p.M, p.q, marked, again));
    for (size_t i = 0; i < p.n; ++i) EXPECT_NEAR(z[i], again[i], 1e-10);
  }
}

}  // namespace
}  // namespace tenon
