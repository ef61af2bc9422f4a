// Vectors, 3x3 matrices, boxes and the symmetric eigenproblem.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/math/aabb.h"
#include "tenon/engine/math/quat.h"

namespace tenon {
namespace {

double largest(const Mat3& m) {
  return std::max({max_component(cwise_abs(m.r0)), max_component(cwise_abs(m.r1)),
                   max_component(cwise_abs(m.r2))});
}
Mat3 random_mat(Rng& rng) {
  Mat3 m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = rng.uniform(-1, 1);
  }
  return m;
}
Mat3 random_rotation(Rng& rng) {
  return to_matrix(normalized(
      Quat{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)}));
}

TEST(Matrix3, InverseTimesMatrixIsTheIdentity) {
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const Mat3 m = random_mat(rng) + 3.0 * Mat3::identity();  // diagonally dominant: well behaved
    ASSERT_LT(largest(inverse(m) * m - Mat3::identity()), 1e-14);
  }
}

TEST(Matrix3, ProductsAgreeWithTheirDefinitions) {
  Rng rng(2);
  for (int n = 0; n < 100; ++n) {
    const Mat3 a = random_mat(rng), b = random_mat(rng), ab = a * b;
    const Vec3 u{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    const Vec3 v{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        ASSERT_NEAR(ab(i, j), dot(a.row(i), b.column(j)), 1e-15);
        ASSERT_EQ(outer(u, v)(i, j), u[i] * v[j]);
        ASSERT_EQ(transpose(a)(i, j), a(j, i));
      }
    }
    ASSERT_LT(norm(transpose_mul(a, v) - transpose(a) * v), 1e-15);
    ASSERT_LT(norm(skew(u) * v - cross(u, v)), 1e-15);
    ASSERT_NEAR(determinant(ab), determinant(a) * determinant(b), 1e-14);
  }
  EXPECT_EQ(trace(Mat3::diagonal({1, 2, 4})), 7);
}

TEST(Vector3, NormalisingSurvivesExtremeLengths) {
  for (double size : {1e-320, 1e-200, 1.0, 1e200, 1e308}) {
    const Vec3 n = normalized(Vec3{size, -size, 0});
    EXPECT_NEAR(norm(n), 1, 1e-15) << size;
    EXPECT_GT(n.x, 0);
  }
  EXPECT_EQ(normalized(Vec3{}, {0, 1, 0}), (Vec3{0, 1, 0}));
  EXPECT_EQ(normalized(Vec3{std::numeric_limits<double>::infinity(), 0, 0}, {0, 1, 0}),
            (Vec3{0, 1, 0}));
}

TEST(Vector3, AnyOrthogonalIsAUnitVectorAtARightAngle) {
  Rng rng(3);
  for (int i = 0; i < 1000; ++i) {
    Vec3 n = normalized(Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)});
    if (i < 6)
      n = {i == 0   ? 1.0
           : i == 1 ? -1.0
                    : 0,
           i == 2   ? 1.0
           : i == 3 ? -1.0
                    : 0,
           i == 4   ? 1.0
           : i == 5 ? -1.0
                    : 0};
    ASSERT_NEAR(norm(any_orthogonal(n)), 1, 1e-14);
    ASSERT_NEAR(dot(any_orthogonal(n), n), 0, 1e-14);
  }
}

TEST(Box, OverlapAndContainmentAreClosed) {
  const Aabb a{{0, 0, 0}, {1, 1, 1}}, touching{{1, 0, 0}, {2, 1, 1}}, apart{{1.1, 0, 0}, {2, 1, 1}};
  EXPECT_TRUE(overlaps(a, touching));
  EXPECT_FALSE(overlaps(a, apart));
  EXPECT_TRUE(contains(a, a));
  EXPECT_TRUE(contains(merge(a, apart), apart));
  EXPECT_FALSE(contains(a, inflate(a, 1e-9)));
  EXPECT_FALSE(overlaps(Aabb{}, Aabb{}));  // a default box is empty
  EXPECT_EQ(center(a), (Vec3{0.5, 0.5, 0.5}));
}

// V D V^T = A, V orthonormal and right-handed, values ascending. Cyclic Jacobi is backward stable:
// a few dozen roundings of the largest entry.
void expect_decomposes(const Mat3& A) {
  const SymmetricEigen e = calc_symmetric_eigen(A);
  const double tolerance = 1e-14 * largest(A);
  const Mat3 rebuilt = e.vectors * Mat3::diagonal(e.values) * transpose(e.vectors);
  EXPECT_LE(largest(rebuilt - A), tolerance);
  EXPECT_LE(largest(transpose(e.vectors) * e.vectors - Mat3::identity()), 1e-14);
  EXPECT_NEAR(determinant(e.vectors), 1, 1e-14);
  EXPECT_LE(e.values.x, e.values.y);
  EXPECT_LE(e.values.y, e.values.z);
}

TEST(SymmetricEigenproblem, IsSolvedForRandomMatrices) {
  Rng rng(4);
  for (int i = 0; i < 2000; ++i) {
    const Mat3 m = random_mat(rng);
    expect_decomposes(m + transpose(m));
  }
}

TEST(SymmetricEigenproblem, FindsPrescribedValues) {
  Rng rng(5);
  const Vec3 prescribed[] = {{1, 2, 3},
                             {-5, 0, 7},
                             {1, 1, 1 + 1e-9},
                             {1, 1 + 1e-13, 2},
                             {2, 2, 2},
                             {1, 1 + 1e-15, 1 + 2e-15},
                             {1e-9, 1, 1e9},
                             {0, 0, 1},
                             {0, 0, 0},
                             {-1, -1, 3},
                             {1e-3, 1e-3, 1e-3 + 1e-12}};
  for (const Vec3& values : prescribed) {
    for (int i = 0; i < 50; ++i) {
      const Mat3 R = random_rotation(rng);
      Mat3 A = R * Mat3::diagonal(values) * transpose(R);
      A = 0.5 * (A + transpose(A));
      expect_decomposes(A);
      const Vec3 found = calc_symmetric_eigen(A).values;
      const double size = std::max(std::fabs(values.x), std::fabs(values.z));
      ASSERT_LE(max_component(cwise_abs(found - values)), 1e-14 * size);
    }
  }
}

TEST(SymmetricEigenproblem, LeavesADiagonalMatrixAlone) {
  const SymmetricEigen e = calc_symmetric_eigen(Mat3::diagonal({1, 2, 3}));
  EXPECT_EQ(e.values, (Vec3{1, 2, 3}));
  EXPECT_EQ(e.vectors, Mat3::identity());
}

TEST(SymmetricEigenproblem, DoesNotDependOnTheUnits) {
  const Mat3 A{{2, 1, 0.5}, {1, 3, -0.25}, {0.5, -0.25, 1}};
  for (double unit : {1e-180, 1e-30, 1.0, 1e30, 1e150}) expect_decomposes(unit * A);
}

}  // namespace
}  // namespace tenon
