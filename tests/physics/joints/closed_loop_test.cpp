// Closed loops against outside references (validation cases C1-C3): the N-four-bar of the IFToMM
// benchmark, the planar slider-crank, and loops with more joints than they need.
#include <gtest/gtest.h>

#include "tenon/tests/physics/joints/mechanism_kit.h"
#include "tenon/tests/physics/reference_series.h"

namespace tenon::test {
namespace {

double crank_angle(const World& world, BodyHandle crank) {
  const Vec3 along = rotate(world.pose(crank).q, {1, 0, 0});
  return std::atan2(along.y, along.x);
}

struct FourBarRun {
  double error_2s = 0, error_10s = 0, worst = 0, parallel = 0, energy_J = 0, gain_J = 0, gap = 0;
  double out_of_plane = 0;
  std::vector<Vec3> path;  // of B0, at the reference's times
};

FourBarRun run_four_bar(double step, double tolerance, JointKind kind = JointKind::kHinge,
                        int copies = 1) {
  const Series reference = load_series("C1_four_bar_N2.csv");
  World world = make_world(step, {.tolerance = tolerance});
  const FourBars m = add_four_bars(world, 2, kind, copies);
  const double E0 = energy(world);
  FourBarRun run;
  JointErrors joints;
  for (size_t row = 1; row < reference.rows.size(); ++row) {
    const double t = reference.at(row, "t");
    while (world.time() < t - 0.5 * step) {
      world.step();
      joints.add(world);
      run.energy_J = std::max(run.energy_J, std::fabs(energy(world) - E0));
      run.gain_J = std::max(run.gain_J, energy(world) - E0);
      const double angle = crank_angle(world, m.cranks[0]);
      for (const BodyHandle crank : m.cranks) {
        const double d = crank_angle(world, crank) - angle;
        run.parallel = std::max(run.parallel, std::fabs(std::remainder(d, 2 * kPi)));
        run.out_of_plane = std::max(run.out_of_plane, std::fabs(world.center_of_mass(crank).z));
      }
    }
    const Vec3 B0 = point_of(world, m.cranks[0], {0.5, 0, 0});
    const double error = norm(B0 - Vec3{reference.at(row, "x"), reference.at(row, "y"), 0});
    run.worst = std::max(run.worst, error);
    if (std::fabs(t - 2) < 1e-9) run.error_2s = error;
    run.error_10s = error;
    run.path.push_back(B0);
  }
  run.gap = joints.gap_m;
  return run;
}

TEST(FourBar, FollowsTheReferenceThroughItsSingularPositions) {
  const FourBarRun run = run_four_bar(1e-3, 1e-10);
  report("C1 four-bar, 1e-3: B0 at 2 s, m", run.error_2s, "1e-3");
  report("C1 four-bar, 1e-3: B0 at 10 s, m", run.error_10s, "none given");
  report("C1 four-bar, 1e-3: cranks parallel, rad", run.parallel, "1e-6");
  report("C1 four-bar, 1e-3: energy over 10 s, J", run.energy_J, "1.1e-3 (exudyn)");
  report("C1 four-bar, 1e-3: gap, m", run.gap, "1e-10");
  EXPECT_LT(run.error_2s, 1e-3);
  EXPECT_LT(run.error_10s, 1e-3);
  EXPECT_LT(run.parallel, 1e-6);  // on the parallelogram's branch all along
  EXPECT_LT(run.energy_J, 1.1e-3);
  EXPECT_LT(run.gap, 1e-10);
}

TEST(FourBar, ErrsWithTheSquareOfTheStep) {
  const FourBarRun coarse = run_four_bar(5e-3, 1e-10), fine = run_four_bar(2.5e-3, 1e-10);
  report("C1 four-bar: order", std::log2(coarse.worst / fine.worst), ">= 1.9");
  EXPECT_GT(std::log2(coarse.worst / fine.worst), 1.9);
  EXPECT_LT(coarse.parallel, 1e-6);
}

TEST(FourBar, StaysOnItsBranchAtFilmSteps) {
  for (const double step : {1.0 / 60, 1.0 / 40, 0.05}) {
    const FourBarRun run = run_four_bar(step, 1e-6);
    report("C1 four-bar, " + std::to_string(step) + ": cranks parallel, rad", run.parallel, "1e-6");
    report("C1 four-bar, " + std::to_string(step) + ": energy gained, J", run.gain_J, "1e-4");
    EXPECT_LT(run.parallel, 1e-6) << step;
    EXPECT_LT(run.gain_J, 1e-4) << step;  // of 25 J: tolerance times the forces in the joints
  }
}

TEST(RedundantLoop, MovesAsTheFourBarDoes) {
  const FourBarRun hinges = run_four_bar(1e-3, 1e-10);
  const FourBarRun balls = run_four_bar(1e-3, 1e-10, JointKind::kPoint);
  const FourBarRun doubled = run_four_bar(1e-3, 1e-10, JointKind::kHinge, 2);
  double with_balls = 0, with_double = 0;
  for (size_t i = 0; i < hinges.path.size(); ++i) {
    with_balls = std::max(with_balls, norm(balls.path[i] - hinges.path[i]));
    with_double = std::max(with_double, norm(doubled.path[i] - hinges.path[i]));
  }
  report("C3 ball joints against hinges, 10 s, m", with_balls, "1e-6");
  report("C3 ball joints: out of plane, m", balls.out_of_plane, "none given");
  report("C3 doubled coupler against single, 10 s, m", with_double, "1e-6");
  report("C3 doubled coupler: gap, m", doubled.gap, "1e-10");
  EXPECT_LT(with_balls, 1e-6);
  EXPECT_LT(with_double, 1e-6);
  EXPECT_LT(balls.gap, 1e-10);
  EXPECT_LT(doubled.gap, 1e-10);
}

// -- C2: slider-crank

struct SliderCrankRun {
  double angle_1s = 0, worst_1s = 0, work_error = 0, gap = 0, account = 0;
};

SliderCrankRun run_slider_crank(double step) {
  const Series reference = load_series("C2_slider_crank.csv");
  World world = make_world(step, {.gravity = {}, .tolerance = 1e-11});
  const JointHandle motor = add_slider_crank(world).motor;
  SliderCrankRun run;
  JointErrors joints;
  for (size_t row = 1; row < reference.rows.size(); ++row) {
    const double t = reference.at(row, "t");
    if (t > 1 + 1e-9) break;
    while (world.time() < t - 0.5 * step) {
      world.step();
      joints.add(world);
    }
    const double angle = world.read_joint(motor).coordinate[static_cast<size_t>(JointAxis::kRx)];
    run.angle_1s = std::fabs(angle - reference.at(row, "theta"));
    run.worst_1s = std::max(run.worst_1s, run.angle_1s);
    run.work_error = std::fabs(energy(world) / (0.1 * angle) - 1);
    run.account = std::fabs(energy(world) - world.diagnostics().work_J);
  }
  run.gap = joints.gap_m;
  return run;
}

TEST(SliderCrank, TurnsAsTheReferenceUnderAConstantTorque) {
  const SliderCrankRun coarse = run_slider_crank(2e-3), fine = run_slider_crank(1e-3);
  report("C2 slider-crank, 1e-3: angle at 1 s, rad", fine.angle_1s, "0.02");
  report("C2 slider-crank, 1e-3: energy against M theta at 1 s", fine.work_error, "1e-2");
  report("C2 slider-crank, 1e-3: energy against booked work, J", fine.account, "none given");
  report("C2 slider-crank: order", std::log2(coarse.worst_1s / fine.worst_1s), ">= 1.9");
  report("C2 slider-crank, 1e-3: gap, m", fine.gap, "none given");
  EXPECT_LT(fine.angle_1s, 0.02);
  EXPECT_LT(fine.work_error, 1e-2);
  EXPECT_GT(std::log2(coarse.worst_1s / fine.worst_1s), 1.9);
  EXPECT_LT(fine.gap, 1e-11);
}

}  // namespace
}  // namespace tenon::test
