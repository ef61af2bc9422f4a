#include "tenon/engine/forces/random_gravity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tenon {
namespace {

TEST(RandomGravity, HasMeanZeroAndTheVarianceOfItsDefinition) {
  const double seconds = 20000;
  const int count = 400000;
  Vec3 sum, squares;
  double largest = 0;
  for (int i = 0; i < count; ++i) {
    const Vec3 n = gravity_noise_at(7, (i + 0.37) * seconds / count);
    sum += n;
    squares += Vec3{n.x * n.x, n.y * n.y, n.z * n.z};
    largest = std::max(largest, max_component(cwise_abs(n)));
  }
  // 16 independent numbers a second, standard deviation about 1/2: 0.001 for the mean; four of it
  const double error = 4 * 0.5 / std::sqrt(16 * seconds);
  EXPECT_LT(max_component(cwise_abs(sum / count)), error);
  EXPECT_LT(max_component(cwise_abs(mean_gravity_noise(7, 0, seconds))), error);
  for (const double v : {squares.x, squares.y, squares.z}) {
    EXPECT_NEAR(v / count, 26.0 / 105, 2 * error);
  }
  EXPECT_LE(largest, 1);
  EXPECT_GT(largest, 0.99);
}

TEST(RandomGravity, MeansAreExactIntegrals) {
  for (const auto& [t0, t1] : {std::pair{0.0, 1.0 / 60},
                               {0.06, 0.07},
                               {3.7, 9.31},
                               {-0.51, 0.4},
                               {0.0625, 0.125},
                               {1e6, 1e6 + 0.25}}) {
    // Simpson's rule is exact for cubics, so pieces of which none holds a corner inside
    Vec3 sum;
    const int pieces = static_cast<int>(std::ceil((t1 - t0) * 16)) * 64;
    const double d = (t1 - t0) / pieces;
    for (int i = 0; i < pieces; ++i) {
      const double a = t0 + i * d;
      sum += (d / 6) * (gravity_noise_at(11, a) + 4 * gravity_noise_at(11, a + 0.5 * d) +
                        gravity_noise_at(11, a + d));
    }
    const Vec3 mean = mean_gravity_noise(11, t0, t1);
    // corners fall into pieces, where Simpson errs by the fourth power of their length
    EXPECT_LT(norm(mean - sum / (t1 - t0)), t0 > 1e5 ? 1e-5 : 1e-7) << t0;
  }
}

TEST(RandomGravity, MeansOfPartsGiveTheMeanOfTheWhole) {
  const double h = 1.0 / 60;
  Vec3 sum;
  for (int i = 0; i < 600; ++i) sum += mean_gravity_noise(5, i * h, (i + 1) * h);
  EXPECT_LT(norm(sum / 600 - mean_gravity_noise(5, 0, 10)), 1e-13);
}

TEST(RandomGravity, IsSmoothAndKnowsNothingButSeedAndTime) {
  for (double t = 0; t < 2; t += 0.001) {
    // slope at most 1.5 * 2 * 16 a second and component
    EXPECT_LT(norm(gravity_noise_at(1, t + 1e-6) - gravity_noise_at(1, t)), 48e-6 * 1.8);
  }
  EXPECT_EQ(gravity_noise_at(1, 0.3), gravity_noise_at(1, 0.3));
  EXPECT_NE(gravity_noise_at(1, 0.3), gravity_noise_at(2, 0.3));
  const Vec3 g{0, -9.81, 0};
  EXPECT_EQ(gravity_deviation_at({0, 3}, g, 1), Vec3{});
  EXPECT_EQ(gravity_deviation_at({0.5, 3}, {}, 1), Vec3{});
  EXPECT_EQ(gravity_deviation_at({0.1, 3}, g, 1), 0.1 * 9.81 * gravity_noise_at(3, 1));
}

}  // namespace
}  // namespace tenon
