// Black boxes: what they hold is found from their function alone.
#include "tenon/engine/joints/black_box.h"

#include <array>
#include <limits>
#include <vector>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/joints/detail/ellipse.h"
#include "tenon/engine/joints/detail/symmetric6.h"
#include "tenon/engine/joints/swing_twist.h"
#include "tenon/tests/unit/joints/joint_test_help.h"

namespace tenon {
namespace {

using Box = std::shared_ptr<const BlackBox>;

Box make_box(BlackBox::Project project, int held = 0) {
  return std::make_shared<BlackBox>(std::move(project), held);
}
// A hinge about x, as a user would write it.
Box make_hinge_box() {
  return make_box(
      [](const Pose& X) { return Pose{{}, twist_about(0, split_swing_twist(X.q).twist)}; });
}

std::vector<std::pair<const char*, Box>> example_boxes() {
  SpiralCam in_plane{.turns = 3};
  in_plane.guide = SpiralCam::Guide::kInPlane;
  return {{"cam", *make_spiral_cam({.turns = 2})},
          {"cam in plane", *make_spiral_cam(in_plane)},
          {"inward cam", *make_spiral_cam({.start_radius = 0.2, .pitch = -0.05, .turns = 2})},
          {"cone", *make_reach_cone({.about_y = 1.2, .about_z = 0.5})},
          {"ellipsoid", *make_ellipsoid_magnet({})},
          {"sphere", *make_ellipsoid_magnet({.half = {0.4, 0.4, 0.4}})},
          {"torus", *make_torus_magnet({})}};
}

Pose moved(const Pose& X, const Vec3& d, const Vec3& w, double by) {
  return {X.p + by * d, exp_map(by * w) * X.q};
}

// x of A x = y by elimination with pivots.
std::array<double, 6> solve(std::array<std::array<double, 6>, 6> A, std::array<double, 6> y,
                            size_t n) {
  for (size_t p = 0; p < n; ++p) {
    size_t best = p;
    for (size_t i = p + 1; i < n; ++i)
      if (std::fabs(A[i][p]) > std::fabs(A[best][p])) best = i;
    std::swap(A[p], A[best]);
    std::swap(y[p], y[best]);
    for (size_t i = p + 1; i < n; ++i) {
      const double f = A[i][p] / A[p][p];
      for (size_t k = p; k < n; ++k) A[i][k] -= f * A[p][k];
      y[i] -= f * y[p];
    }
  }
  for (size_t p = n; p-- > 0;) {
    for (size_t k = p + 1; k < n; ++k) y[p] -= A[p][k] * y[k];
    y[p] /= A[p][p];
  }
  return y;
}

// Newton's method on the rows alone, smallest steps J^T (J J^T)^-1 c with the basis kept: how far
// its end is from an allowed frame.
double solve_rows(const BlackBox& box, const BlackBoxBasis& basis, Pose X, double size) {
  const auto n = static_cast<size_t>(basis.count);
  for (int iteration = 0; iteration < 12; ++iteration) {
    std::array<double, 6> c{};
    RowWrench w[6];
    eval_black_box(box, basis, X, size, c.data(), w);
    std::array<std::array<double, 6>, 6> A{};
    for (size_t a = 0; a < n; ++a)
      for (size_t b = 0; b < n; ++b)
        A[a][b] = size * size * dot(w[a].f, w[b].f) + dot(w[a].t, w[b].t);
    const std::array<double, 6> y = solve(A, c, n);
    Vec3 d, t;
    for (size_t a = 0; a < n; ++a) {
      d -= y[a] * size * size * w[a].f;
      t -= y[a] * w[a].t;
    }
    X = moved(X, d, t, 1);
  }
  const FrameDistance d = calc_distance(box, X);
  return d.gap_m / size + d.angle_rad;
}

TEST(SixBySixEigen, RebuildsItsMatrix) {
  Rng rng(20);
  for (int n = 0; n < 100; ++n) {
    detail::Mat6 a;
    for (size_t i = 0; i < 6; ++i)
      for (size_t j = 0; j <= i; ++j) a[i][j] = a[j][i] = rng.uniform(-1, 1);
    const detail::Eigen6 e = detail::calc_symmetric_eigen(a);
    for (size_t i = 0; i < 6; ++i) {
      for (size_t j = 0; j < 6; ++j) {
        double sum = 0, product = 0;
        for (size_t k = 0; k < 6; ++k) {
          sum += e.values[k] * e.vectors[k][i] * e.vectors[k][j];
          product += e.vectors[i][k] * e.vectors[j][k];
        }
        EXPECT_NEAR(sum, a[i][j], 1e-14);
        EXPECT_NEAR(product, i == j ? 1 : 0, 1e-14);
      }
    }
    for (size_t k = 0; k < 5; ++k) EXPECT_GE(e.values[k], e.values[k + 1]);
  }
}

TEST(Ellipsoids, NearestPointsLieOnThemAndAlongTheirNormals) {
  Rng rng(21);
  for (int n = 0; n < 2000; ++n) {
    Vec3 h{exp(rng.uniform(-2, 2)), exp(rng.uniform(-2, 2)), exp(rng.uniform(-2, 2))};
    if (n % 5 == 0) h.y = h.x;
    if (n % 15 == 0) h.z = h.x;
    Vec3 p = random_vector(rng, n % 2 == 0 ? 5 : 0.5);
    if (n % 7 == 0) p.x = 0;
    if (n % 11 == 0) p.z = 0;
    if (n % 77 == 0) p.y = 0;
    const Vec3 q = detail::nearest_on_ellipsoid(h, p);
    const Vec3 u{q.x / h.x, q.y / h.y, q.z / h.z};
    EXPECT_NEAR(norm(u), 1, 1e-12) << n;
    // no other point of the surface is nearer
    for (int m = 0; m < 20; ++m) {
      const Vec3 other = cwise_mul(h, normalized(random_vector(rng, 1)));
      EXPECT_GE(norm(other - p), norm(q - p) - 1e-9);
      const Vec3 close = cwise_mul(h, normalized(u + random_vector(rng, 1e-3)));
      EXPECT_GE(norm(close - p), norm(q - p) - 1e-9);
    }
  }
}

TEST(BlackBoxExamples, AreIdempotent) {
  Rng rng(22);
  for (const auto& [name, box] : example_boxes()) {
    for (int n = 0; n < 300; ++n) {
      const Pose once = box->project(random_pose(rng, 0.5));
      const Pose twice = box->project(once);
      // a spiral's foot is found to round-off of its angle
      EXPECT_NEAR(norm(once.p - twice.p), 0, 1e-13) << name;
      EXPECT_NEAR(norm(log_map(once.q * conjugate(twice.q))), 0, 1e-13) << name;
    }
  }
}

TEST(BlackBoxExamples, SpiralFeetAreTheNearestOnes) {
  Rng rng(23);
  const SpiralCam cam{.turns = 3};
  const Box box = *make_spiral_cam(cam);
  for (int n = 0; n < 150; ++n) {
    const Vec3 p{0, rng.uniform(-0.15, 0.15), rng.uniform(-0.15, 0.15)};
    double nearest = 1e9;
    for (int m = 0; m <= 10000; ++m) {
      const double a = 2 * kPi * cam.turns * m / 10000;
      const double r = cam.start_radius + cam.pitch * a / (2 * kPi);
      nearest = std::min(nearest, norm(p - Vec3{0, r * cos(a), r * sin(a)}));
    }
    // samples are 2.1e-4 m apart
    EXPECT_GE(norm(p - box->project({p, {}}).p), nearest - 1.1e-4);
    EXPECT_LE(norm(p - box->project({p, {}}).p), nearest + 1e-15);
  }
}

// Residual and rows with the derivative and without agree; edges included.
TEST(BlackBoxDerivatives, OfTheExamplesEqualFiniteDifferences) {
  Rng rng(27);
  for (const auto& [name, box] : example_boxes()) {
    ASSERT_TRUE(box->has_derivative()) << name;
    int compared = 0;
    for (int n = 0; n < 300; ++n) {
      const double off = n % 3 == 0 ? 0.2 : 0.01;  // far from what is allowed, too
      const Pose X = moved(box->project(random_pose(rng, 0.3, 1)), random_vector(rng, off),
                           random_vector(rng, off), 1);
      const double size = 0.4, step = 1e-5;
      const FrameDerivative D = box->derivative(X, box->project(X));
      const Vec3 d = random_vector(rng, size), t = random_vector(rng, 1);
      const Pose up = box->project(moved(X, d, t, step)),
                 down = box->project(moved(X, d, t, -step));
      const Vec3 dp = (up.p - down.p) / (2 * step),
                 dr = log_map(up.q * conjugate(down.q)) / (2 * step);
      const Vec3 miss_p = D.pp * d + D.pr * t - dp, miss_r = D.rp * d + D.rr * t - dr;
      // a few frames within a step of where the projection jumps or has an edge
      const Pose at = box->project(X);
      const Vec3 forth = (up.p - at.p) / step, back = (at.p - down.p) / step;
      const Vec3 forth_r = log_map(up.q * conjugate(at.q)) / step;
      const Vec3 back_r = log_map(at.q * conjugate(down.q)) / step;
      if (norm(forth - back) + norm(forth_r - back_r) > 0.1) continue;
      ++compared;
      // second derivatives up to 1e2 / m with steps of 1e-5; the third ones are left
      EXPECT_LT(norm(miss_p), 1e-5 * (1 + norm(dp))) << name << " " << n;
      EXPECT_LT(norm(miss_r), 1e-5 * (1 + norm(dr))) << name << " " << n;
    }
    EXPECT_GT(compared, 280) << name;
  }
}

TEST(BlackBoxDerivatives, AreCheckedAtAnyFrame) {
  Rng rng(28);
  for (const auto& [name, box] : example_boxes()) {
    for (int n = 0; n < 50; ++n) {
      const Pose X = box->project(random_pose(rng, 0.3, 1));  // edges included
      const Status fine = check_derivative(*box, X, 0.4);
      EXPECT_TRUE(fine.ok()) << name << ": " << fine.error().message << " " << fine.error().value;
      const auto bent = [f = box](const Pose& Z, const Pose& Y) {
        FrameDerivative D = f->derivative(Z, Y);
        D.pp(0, 1) += 0.01;  // no edge of the examples is along x
        return D;
      };
      const BlackBox wrong([f = box](const Pose& Z) { return f->project(Z); }, 0, bent);
      EXPECT_FALSE(check_derivative(wrong, X, 0.4).ok()) << name;
    }
  }
}

TEST(BlackBoxBases, CountWhatIsHeld) {
  Rng rng(24);
  const Box plane = make_box([](const Pose& X) { return Pose{{0, X.p.y, X.p.z}, X.q}; });
  const Box rigid = make_box([](const Pose&) { return Pose{}; });
  const Box nothing = make_box([](const Pose& X) { return X; });
  const std::vector<std::pair<Box, int>> cases = {
      {plane, 1},
      {make_hinge_box(), 5},
      {rigid, 6},
      {nothing, 0},
      {*make_ellipsoid_magnet({}), 3},
      {*make_torus_magnet({}), 3},
      {*make_reach_cone({.about_y = 3, .about_z = 3}), 3}};
  for (const auto& [box, count] : cases) {
    for (int n = 0; n < 100; ++n) {
      Pose X = random_pose(rng, 0.3, 0.8);
      if (n % 2 == 0) X = box->project(X);  // on and off what is allowed
      const BlackBoxBasis basis = find_basis(*box, X, 0.5);
      EXPECT_EQ(basis.count, count);
      EXPECT_TRUE(basis.finite);
      for (int a = 0; a < basis.count; ++a) {
        EXPECT_FALSE(basis.one_sided[a]);
        for (int b = 0; b <= a; ++b) {
          double product = 0;
          for (int k = 0; k < 6; ++k) product += basis.b[a][k] * basis.b[b][k];
          EXPECT_NEAR(product, a == b ? 1 : 0, 1e-13);
        }
      }
    }
  }
}

TEST(BlackBoxBases, OfAHingeAreItsHeldAxes) {
  const BlackBoxBasis basis = find_basis(*make_hinge_box(), {{}, twist_about(0, 0.7)}, 1);
  ASSERT_EQ(basis.count, 5);
  const int axes[5] = {0, 1, 2, 4, 5};
  for (int k = 0; k < 5; ++k)
    for (int m = 0; m < 6; ++m) EXPECT_NEAR(basis.b[k][m], m == axes[k] ? 1 : 0, 1e-9);
}

TEST(BlackBoxBases, HoldNothingAlongASlantedProjection) {
  // onto the plane x = 0, but not straight: idempotent all the same
  const Box box = make_box(
      [](const Pose& X) { return Pose{{0, X.p.y + 3 * X.p.x * X.p.x, X.p.z - 2 * X.p.x}, X.q}; });
  for (const double x : {-0.1, 0.0, 0.02, 0.3}) {
    const BlackBoxBasis basis = find_basis(*box, {{x, 0.2, 0.1}, {}}, 1);
    EXPECT_EQ(basis.count, 1) << x;
  }
}

TEST(BlackBoxBases, AreContinuousAlongAMotion) {
  const Box box = *make_torus_magnet({});
  BlackBoxBasis last;
  int jumps = 0;
  for (int n = 0; n < 1000; ++n) {
    const Pose X = box->project({exp(-1) * Vec3{0.3, cos(0.006 * n), sin(0.006 * n)}, {}});
    const BlackBoxBasis basis = find_basis(*box, X, 0.5);
    double change = 0;
    for (int k = 0; k < 3 && n > 0; ++k)
      for (int m = 0; m < 6; ++m) change += std::fabs(basis.b[k][m] - last.b[k][m]);
    if (change > 0.3) ++jumps;
    last = basis;
  }
  EXPECT_LE(jumps, 16);  // where another unit vector becomes the better start
}

// The examples with their derivatives and, in the same places, as functions only.
std::vector<std::pair<const char*, Box>> boxes_both_ways() {
  std::vector<std::pair<const char*, Box>> boxes = example_boxes();
  for (const auto& [name, box] : example_boxes()) {
    boxes.push_back(
        {name, make_box([f = box](const Pose& X) { return f->project(X); }, box->held())});
  }
  return boxes;
}

TEST(BlackBoxRows, GradientsEqualFiniteDifferences) {
  Rng rng(25);
  for (const auto& [name, box] : boxes_both_ways()) {
    for (int n = 0; n < 40; ++n) {
      // slightly off an allowed frame, as a solver's iterates are
      const Pose X = moved(box->project(random_pose(rng, 0.3, 1)), random_vector(rng, 0.004),
                           random_vector(rng, 0.01), 1);
      const double size = 0.4;
      const BlackBoxBasis basis = find_basis(*box, X, size);
      double c[6], up[6], down[6];
      RowWrench w[6], unused[6];
      ASSERT_TRUE(eval_black_box(*box, basis, X, size, c, w)) << name;
      const Vec3 d = random_vector(rng, size), t = random_vector(rng, 1);
      eval_black_box(*box, basis, moved(X, d, t, 1e-5), size, up, unused);
      eval_black_box(*box, basis, moved(X, d, t, -1e-5), size, down, unused);
      for (int k = 0; k < basis.count; ++k) {
        const double promised = dot(w[k].f, d) + dot(w[k].t, t);
        // what is left: forward differences of step 3e-8, central ones of 1e-5 here
        EXPECT_NEAR((up[k] - down[k]) / 2e-5, promised, 2e-6 * (1 + std::fabs(promised)))
            << name << " row " << k << " of " << basis.count;
      }
    }
  }
}

TEST(BlackBoxRows, AreZeroOnlyAtAllowedFrames) {
  Rng rng(26);
  for (const auto& [name, box] : boxes_both_ways()) {
    for (int n = 0; n < 30; ++n) {
      const Pose allowed = box->project(random_pose(rng, 0.3, 1));
      const Pose X = moved(allowed, random_vector(rng, 0.002), random_vector(rng, 0.02), 1);
      const BlackBoxBasis basis = find_basis(*box, X, 0.3);
      // one-sided rows are exact to kReaches^2 * curvature
      EXPECT_LE(solve_rows(*box, basis, X, 0.3), 1e-8) << name << " case " << n;
    }
  }
}

TEST(OneSidedRows, AppearOutsideARegionOnly) {
  const Box cone = *make_reach_cone({.about_y = 0.8, .about_z = 0.4});
  for (const double swing : {0.0, 0.2, 0.399, 0.4 - 1e-6}) {
    EXPECT_EQ(find_basis(*cone, {{}, twist_about(2, swing)}, 1).count, 3) << swing;
  }
  for (const double swing : {0.4 + 1e-6, 0.41, 0.7}) {
    const BlackBoxBasis basis = find_basis(*cone, {{}, twist_about(2, swing)}, 1);
    ASSERT_EQ(basis.count, 4) << swing;
    EXPECT_TRUE(basis.one_sided[3]);
    EXPECT_NEAR(basis.b[3][5], 1, 1e-6);
    double c[6];
    RowWrench w[6];
    eval_black_box(*cone, basis, {{}, twist_about(2, swing)}, 1, c, w);
    EXPECT_NEAR(c[3], swing - 0.4, 1e-9);
    // and on, a little, into the region
    eval_black_box(*cone, basis, {{}, twist_about(2, 0.4 - 5e-4)}, 1, c, w);
    EXPECT_NEAR(c[3], -5e-4, 1e-9);
    EXPECT_NEAR(w[3].t.z, 1, 1e-6);
  }
  // the end of a slot
  const Box cam = *make_spiral_cam({.start_radius = 0.05, .pitch = 0.02, .turns = 1});
  const BlackBoxBasis end = find_basis(*cam, {{0, 0.07, 0.004}, {}}, 0.1);
  ASSERT_EQ(end.count, 5);
  EXPECT_TRUE(end.one_sided[4]);
}

TEST(BlackBoxes, ThatGiveNoNumbersHoldNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Box> boxes = {
      make_box([nan](const Pose&) { return Pose{{nan, 0, 0}, {}}; }),
      make_box([](const Pose& X) { return Pose{X.p, {0, 0, 0, 0}}; }),
      make_box([](const Pose& X) { return Pose{X.p / (X.p.x - X.p.x), X.q}; }),
      // fails only beside the frame asked for
      make_box([nan](const Pose& X) { return X.p.x > 0 ? Pose{{nan, 0, 0}, {}} : X; })};
  for (const Box& box : boxes) {
    const BlackBoxBasis basis = find_basis(*box, {}, 1);
    EXPECT_EQ(basis.count, 0);
    EXPECT_FALSE(basis.finite);
  }
  EXPECT_FALSE(find_basis(*make_hinge_box(), {{nan, 0, 0}, {}}, 1).finite);
  // a function that fails after its basis was found
  const BlackBoxBasis basis = find_basis(*make_hinge_box(), {}, 1);
  double c[6];
  RowWrench w[6];
  EXPECT_FALSE(eval_black_box(*boxes[0], basis, {}, 1, c, w));
  for (int k = 0; k < 5; ++k) EXPECT_TRUE(c[k] == 0 && is_finite(w[k].f) && is_finite(w[k].t));
}

TEST(BlackBoxExamples, RefuseWhatMakesNoShape) {
  EXPECT_FALSE(make_spiral_cam({.start_radius = 0}).ok());
  EXPECT_FALSE(make_spiral_cam({.pitch = 0}).ok());
  EXPECT_FALSE(make_spiral_cam({.start_radius = 0.1, .pitch = -0.1, .turns = 2}).ok());
  EXPECT_FALSE(make_spiral_cam({.turns = -1}).ok());
  EXPECT_FALSE(make_reach_cone({.about_y = 4}).ok());
  EXPECT_FALSE(make_reach_cone({.about_z = 0}).ok());
  EXPECT_FALSE(make_ellipsoid_magnet({.half = {1, 0, 1}}).ok());
  EXPECT_FALSE(make_torus_magnet({.ring_radius = 0.1, .tube_radius = 0.2}).ok());
}

}  // namespace
}  // namespace tenon
