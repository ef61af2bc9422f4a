// Linear systems of displacements against Eigen's dense decompositions.
#include "tenon/engine/solve_displacement/krylov.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/solve_displacement/body_factor.h"

namespace tenon::displacement {
namespace {

struct Problem {
  std::vector<Body> bodies;
  Configuration at;
  RowSet set;

  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<long>(set.rows.size()),
                                              6 * static_cast<long>(bodies.size()));
    for (size_t r = 0; r < set.rows.size(); ++r) {
      for (const Entry& e : set.of(set.rows[r])) {
        for (int k = 0; k < 3; ++k) {
          J(static_cast<long>(r), 6 * e.body + k) += e.f[k];
          J(static_cast<long>(r), 6 * e.body + 3 + k) += e.t[k];
        }
      }
    }
    return J;
  }
  Eigen::VectorXd b() const {
    Eigen::VectorXd v(static_cast<long>(set.rows.size()));
    for (size_t r = 0; r < set.rows.size(); ++r) v[static_cast<long>(r)] = set.rows[r].b;
    return v;
  }
  // M^-1/2: bodies here have inertias that are multiples of one
  Eigen::VectorXd root() const {
    Eigen::VectorXd v(6 * static_cast<long>(bodies.size()));
    for (size_t i = 0; i < bodies.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        v[6 * static_cast<long>(i) + k] = std::sqrt(bodies[i].inv_mass);
        v[6 * static_cast<long>(i) + 3 + k] = std::sqrt(bodies[i].inv_I_B.r0.x);
      }
    }
    return v;
  }
  // argmin |b - J x|, of those the one with the least x . M x
  Eigen::VectorXd least_squares() const {
    const Eigen::MatrixXd B = dense() * root().asDiagonal();
    const Eigen::VectorXd y = B.completeOrthogonalDecomposition().solve(b());
    return root().asDiagonal() * y;
  }
};

// A chain of bodies with three rows between neighbours, the first one to the world.
Problem make_chain(size_t n, uint64_t seed) {
  Rng rng(seed);
  Problem p;
  const auto any = [&] { return Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}; };
  for (size_t i = 0; i < n; ++i) {
    Body body;
    body.inv_mass = rng.uniform(0.2, 3);
    body.inv_I_B = rng.uniform(0.5, 9) * Mat3::identity();
    p.bodies.push_back(body);
    p.at.push_back({any(), Quat{}});
  }
  for (uint32_t i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      Row row;
      row.first = static_cast<uint32_t>(p.set.entries.size());
      row.owner = i;
      row.b = rng.uniform(-1, 1);
      p.set.entries.push_back({i, any(), any()});
      if (i > 0) p.set.entries.push_back({i - 1, any(), any()});
      row.count = static_cast<uint32_t>(p.set.entries.size()) - row.first;
      p.set.rows.push_back(row);
    }
  }
  return p;
}

// The same again with other wishes: they contradict each other.
void repeat_rows(Problem& p, double change) {
  const size_t n = p.set.rows.size();
  for (size_t r = 0; r < n; ++r) {
    Row row = p.set.rows[r];
    row.owner += 1000;
    row.b += change;
    p.set.rows.push_back(row);
  }
}

double distance(std::span<const Six> step, const Eigen::VectorXd& x) {
  double worst = 0;
  for (size_t b = 0; b < step.size(); ++b) {
    for (int k = 0; k < 3; ++k) {
      worst = std::max({worst, std::fabs(step[b].x[k] - x[6 * static_cast<long>(b) + k]),
                        std::fabs(step[b].r[k] - x[6 * static_cast<long>(b) + 3 + k])});
    }
  }
  return worst;
}

KrylovResult solve(const Problem& p, bool scaled, int iterations, LeastSquares& solver,
                   std::vector<Six>& step) {
  Operator op;
  op.reset(p.bodies, p.at, p.set);
  JointScaling scaling;
  scaling.reset(op);
  step.assign(p.bodies.size(), {});
  KrylovLimits limits;
  limits.iterations = iterations;
  limits.precision = 1e-14;
  return solver.solve(op, scaled ? &scaling : nullptr, limits, step);
}

TEST(ConjugateGradients, FindTheLeastStepThatDoesAllRows) {
  const Problem p = make_chain(12, 1);
  for (const bool scaled : {false, true}) {
    LeastSquares solver;
    std::vector<Six> step;
    solve(p, scaled, 400, solver, step);
    // conditions of about 1e3 and a residual of 1e-13
    EXPECT_LT(distance(step, p.least_squares()), 1e-9) << scaled;
  }
}

TEST(ConjugateGradients, FindLeastSquaresOfContradictingRows) {
  Problem p = make_chain(10, 2);
  repeat_rows(p, 0.3);
  LeastSquares solver;
  std::vector<Six> step;
  const KrylovResult result = solve(p, false, 600, solver, step);
  EXPECT_LT(distance(step, p.least_squares()), 1e-8);
  // half of 0.3 for each row and its double
  EXPECT_NEAR(result.residual, 0.15 * std::sqrt(60.0), 1e-9);
  EXPECT_FALSE(result.reached);
}

TEST(ConjugateGradients, HaveAResidualThatFallsInEveryIteration) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Problem p = make_chain(15, seed);
    if (seed % 2 == 0) repeat_rows(p, 0.2);
    LeastSquares solver;
    std::vector<Six> step;
    solve(p, seed % 3 == 0, 120, solver, step);
    const std::span<const double> history = solver.history();
    for (size_t i = 1; i < history.size(); ++i) {
      // round-off where it has come to its end
      EXPECT_LE(history[i], history[i - 1] * (1 + 1e-12) + 1e-14) << seed << " " << i;
    }
  }
}

TEST(ConjugateGradients, StopAtTheIterationsAndAtTheClock) {
  const Problem p = make_chain(20, 3);
  LeastSquares solver;
  std::vector<Six> step;
  EXPECT_EQ(solve(p, true, 5, solver, step).iterations, 5);
  Operator op;
  op.reset(p.bodies, p.at, p.set);
  KrylovLimits limits;
  limits.clock = [] { return 2.0; };
  limits.deadline = 1;
  EXPECT_EQ(solver.solve(op, nullptr, limits, step).iterations, 0);
  for (const Six& s : step) EXPECT_EQ(dot(s, s), 0);
}

TEST(ConjugateGradients, LeaveOutBodiesThatDoNotMove) {
  Problem p = make_chain(4, 4);
  p.bodies[1] = Body{};
  LeastSquares solver;
  std::vector<Six> step;
  solve(p, true, 100, solver, step);
  EXPECT_EQ(dot(step[1], step[1]), 0);
  EXPECT_GT(dot(step[0], step[0]), 0);
}

TEST(Biconjugate, FindsTheSameWhereBothJacobiansAreOne) {
  const Problem p = make_chain(12, 5);
  Operator op;
  op.reset(p.bodies, p.at, p.set);
  Biconjugate solver;
  std::vector<double> force(p.set.rows.size());
  std::vector<Six> step(p.bodies.size());
  KrylovLimits limits;
  limits.iterations = 400;
  limits.precision = 1e-13;
  EXPECT_TRUE(solver.solve(op, op, limits, force, step).reached);
  EXPECT_LT(distance(step, p.least_squares()), 1e-8);
}

// (mu M / mean + J^T J) step = J^T b, of redundant and of contradicting rows.
TEST(DirectSolution, IsTheSameAsEigens) {
  for (const bool contradict : {false, true}) {
    Problem p = make_chain(12, 6);
    if (contradict) repeat_rows(p, 0.3);
    BodyFactor factor;
    factor.reset(p.bodies, p.set);
    const std::vector<uint8_t> use(p.set.rows.size(), 1);
    factor.assemble(p.bodies, p.at, p.set, use);
    std::vector<double> wanted;
    for (const Row& row : p.set.rows) wanted.push_back(row.b);
    std::vector<Six> step(p.bodies.size());
    const double mu = 1e-4;
    ASSERT_TRUE(factor.solve(mu, wanted, step));
    const Eigen::MatrixXd J = p.dense();
    Eigen::MatrixXd A = J.transpose() * J;
    double mean = 0;
    for (const Body& body : p.bodies) mean += 1 / body.inv_mass / 12;
    A.diagonal() += mu / mean * p.root().array().square().inverse().matrix();
    const Eigen::VectorXd x = A.ldlt().solve(J.transpose() * p.b());
    // a condition of about 1e7, and no pivoting: 8.6e-7 seen; the steps are of the order of one
    EXPECT_LT(distance(step, x), 1e-5) << contradict;
  }
}

}  // namespace
}  // namespace tenon::displacement
