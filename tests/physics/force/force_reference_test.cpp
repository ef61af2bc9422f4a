// The method `force` against outside references (validation cases A1-A5, B1-B4, C1, C2, C3): it is
// what other methods are measured by, so it has to be far better than they are. The files of
// tests/reference were computed in joint coordinates with extrapolation.
#include <gtest/gtest.h>

#include <functional>

#include "tenon/tests/physics/joints/mechanism_kit.h"
#include "tenon/tests/physics/reference_series.h"

namespace tenon::test {
namespace {

World make_force_world(double frame, double accuracy, const Vec3& gravity = {0, -9.81, 0},
                       ForceJoints joints = ForceJoints::kConstraint) {
  ForceSettings force;
  force.accuracy = accuracy;
  force.h_max = 0.2;
  force.joints = joints;
  return make_world(frame, {.gravity = gravity, .method = Method::kForce, .force = force});
}

Quat reference_orientation(const Series& s, size_t row) {
  return normalized(Quat{s.at(row, "qw"), s.at(row, "qx"), s.at(row, "qy"), s.at(row, "qz")});
}

struct Followed {
  double worst = 0;
  uint64_t steps = 0, minimum = 0;
  JointErrors joints;
};

// Steps to each row of a reference up to `until`, where `error` is measured. Frames are at the rows
// or between them, never beyond.
Followed follow(World& world, const Series& reference, double until,
                const std::function<double(size_t row)>& error) {
  Followed f;
  const double step = world.settings().step;
  for (size_t row = 1; row < reference.rows.size(); ++row) {
    const double t = reference.at(row, "t");
    if (t > until + 1e-9) break;
    while (world.time() < t - 0.5 * step) {
      world.step();
      f.joints.add(world);
      f.steps += world.diagnostics().integrator_steps;
      f.minimum += world.diagnostics().minimum_steps;
    }
    EXPECT_NEAR(world.time(), t, 1e-9);
    f.worst = std::max(f.worst, error(row));
  }
  return f;
}

// -- free bodies

TEST(ForceFreeFall, IsExactAtAnyFrame) {
  for (const double frame : {1e-2, 1.0 / 24, 0.5}) {
    World world = make_force_world(frame, 1e-6);
    BodyDef def = make_body(2, {0.3, 0.5, 0.4});
    def.velocity = {1, 5, 0};
    def.angular_velocity = {0, 3, 0};
    const BodyHandle body = add_body(world, def);
    double worst = 0;
    while (world.time() < 5) {
      world.step();
      const double t = world.time();
      worst = std::max(worst,
                       norm(world.center_of_mass(body) - Vec3{t, 5 * t - 0.5 * 9.81 * t * t, 0}));
    }
    report("A1 free fall in force: m over 5 s", worst, "1e-12 of 130 m");
    EXPECT_LT(worst, 130e-12) << frame;
  }
}

double follow_free_rotation(const char* file, const Vec3& moments, double until, double accuracy,
                            double& momentum) {
  const Series reference = load_series(file);
  World world = make_force_world(reference.at(1, "t"), accuracy, {});
  BodyDef def = make_body(1, moments);
  def.angular_velocity = {reference.at(0, "wwx"), reference.at(0, "wwy"), reference.at(0, "wwz")};
  const BodyHandle body = add_body(world, def);
  const Vec3 L0 = world.angular_momentum(body);
  const Followed f = follow(world, reference, until, [&](size_t row) {
    momentum = std::max(momentum, norm(world.angular_momentum(body) - L0));
    return angle_between(world.pose(body).q, reference_orientation(reference, row));
  });
  EXPECT_EQ(f.minimum, 0u);
  return f.worst;
}

TEST(ForceFreeRotation, FollowsTheReferences) {
  double momentum = 0;
  const double top =
      follow_free_rotation("A2_symmetric_top.csv", {0.25, 0.25, 0.5}, 5, 1e-10, momentum);
  report("A2 symmetric top, accuracy 1e-10: rad over 5 s", top, "1e-8");
  EXPECT_LT(top, 1e-8);
  const double flip =
      follow_free_rotation("A3_intermediate_axis.csv", {1, 2, 3}, 40, 1e-10, momentum);
  report("A3 intermediate axis, accuracy 1e-10: rad over 40 s", flip, "1e-6");
  EXPECT_LT(flip, 1e-6);
  EXPECT_EQ(momentum, 0);  // to the last bit
}

TEST(ForceDrag, FollowsTheClosedForm) {
  // a fall from rest: v = v_t tanh(g t / v_t), y = -(v_t^2 / g) ln cosh(g t / v_t)
  World world = make_force_world(0.25, 1e-10);
  BodyDef def = make_body(2, {1, 1, 1});
  def.drag = 0.05;
  const BodyHandle body = add_body(world, def);
  const double terminal = 19.80908882;
  double worst = 0;
  while (world.time() < 5) {
    world.step();
    const double s = 9.81 * world.time() / terminal;
    worst = std::max(worst, std::fabs(world.velocity(body).y + terminal * std::tanh(s)));
    worst = std::max(worst, std::fabs(world.center_of_mass(body).y +
                                      terminal * terminal / 9.81 * std::log(std::cosh(s))));
  }
  report("A5 drag, accuracy 1e-10: m and m/s over 5 s", worst, "1e-9; v_t has 10 digits");
  EXPECT_LT(worst, 3e-8);
  // what the air has taken is booked
  EXPECT_NEAR(energy(world) - world.diagnostics().work_J, 0, 1e-7);
}

// -- joints

TEST(ForceHeavyTop, FollowsTheReference) {
  const Series reference = load_series("A4_heavy_top.csv");
  World world = make_force_world(reference.at(1, "t"), 1e-10, {0, 0, -9.81});
  BodyDef def = make_body(15, {0.234375, 0.46875, 0.234375}, {0, 1, 0});
  def.angular_velocity = {0, 150, -4.61538};
  def.velocity = cross(def.angular_velocity, {0, 1, 0});
  const BodyHandle top = add_body(world, def);
  add_ball(world, {}, top, {});
  const Followed f = follow(world, reference, 1, [&](size_t row) {
    return norm(world.center_of_mass(top) - Vec3{reference.at(row, "comx"),
                                                 reference.at(row, "comy"),
                                                 reference.at(row, "comz")});
  });
  report("A4 heavy top, accuracy 1e-10: centre over 1 s, m", f.worst, "1e-8");
  report("A4 heavy top, accuracy 1e-10: gap, m", f.joints.gap_m, "1e-12");
  EXPECT_LT(f.worst, 1e-8);
  EXPECT_LT(f.joints.gap_m, 1e-12);
}

World make_point_pendulum(double frame, double accuracy, const Vec3& start, const Vec3& velocity,
                          const Vec3& gravity, BodyHandle& mass) {
  World world = make_force_world(frame, accuracy, gravity);
  BodyDef def = make_body(1, {}, start);
  def.velocity = velocity;
  mass = add_body(world, def);
  JointDef rod = make_joint(world, JointKind::kDistance, {}, mass, {});
  rod.X_BC = {};
  rod.length = 1;
  add_joint(world, rod);
  return world;
}

TEST(ForcePendulums, FollowTheReferences) {
  {
    const Series reference = load_series("B1_simple_pendulum.csv");
    BodyHandle mass;
    World world =
        make_point_pendulum(reference.at(1, "t"), 1e-9, {-1, 0, 0}, {}, {0, -9.81, 0}, mass);
    const Followed f = follow(world, reference, 10, [&](size_t row) {
      return norm(world.center_of_mass(mass) -
                  Vec3{reference.at(row, "x"), reference.at(row, "y"), 0});
    });
    report("B1 pendulum, accuracy 1e-9: m over 10 s", f.worst, "1e-6");
    report("B1 pendulum, accuracy 1e-9: gap, m", f.joints.gap_m, "1e-12");
    EXPECT_LT(f.worst, 1e-6);
    EXPECT_LT(f.joints.gap_m, 1e-12);
  }
  {
    const Series reference = load_series("B3_spherical_pendulum.csv");
    BodyHandle mass;
    World world = make_point_pendulum(reference.at(1, "t"), 1e-9, {std::sqrt(0.75), 0, -0.5},
                                      {0, 2 * std::sqrt(0.75), 0}, {0, 0, -9.81}, mass);
    const Followed f = follow(world, reference, 1e9, [&](size_t row) {
      return norm(world.center_of_mass(mass) -
                  Vec3{reference.at(row, "x"), reference.at(row, "y"), reference.at(row, "z")});
    });
    report("B3 spherical pendulum, accuracy 1e-9: m", f.worst, "1e-6");
    report("B3 spherical pendulum, accuracy 1e-9: gap, m", f.joints.gap_m, "1e-12");
    EXPECT_LT(f.worst, 1e-6);
    EXPECT_LT(f.joints.gap_m, 1e-12);
  }
}

struct DoubleRun {
  Followed followed;
  double energy = 0;
};
DoubleRun run_double_pendulum(double accuracy, double until, ForceJoints joints) {
  const Series reference = load_series("B2_double_pendulum.csv");
  World world = make_force_world(reference.at(1, "t"), accuracy, {0, -9.81, 0}, joints);
  const std::vector<BodyHandle> rods = add_chain(world, 2, 1, JointKind::kHinge);
  const double E0 = energy(world);
  DoubleRun run;
  run.followed = follow(world, reference, until, [&](size_t row) {
    run.energy = std::max(run.energy, std::fabs(energy(world) - E0));
    return norm(point_of(world, rods[1], {0.5, 0, 0}) -
                Vec3{reference.at(row, "x2"), reference.at(row, "y2"), 0});
  });
  return run;
}

TEST(ForceDoublePendulum, FollowsTheReference) {
  const DoubleRun run = run_double_pendulum(1e-9, 1e9, ForceJoints::kConstraint);
  report("B2 double pendulum, accuracy 1e-9: tip, m", run.followed.worst, "1e-6");
  report("B2 double pendulum, accuracy 1e-9: gap, m", run.followed.joints.gap_m, "1e-12");
  report("B2 double pendulum, accuracy 1e-9: energy, J", run.energy, "none given");
  EXPECT_LT(run.followed.worst, 1e-6);
  EXPECT_LT(run.followed.joints.gap_m, 1e-12);
}

TEST(ForceBallChain, FollowsTheReference) {
  const Series reference = load_series("B4_ball_chain2.csv");
  World world = make_force_world(reference.at(1, "t"), 1e-9, {0, 0, -9.81});
  const BodyHandle b = add_ball_chain(world);
  const Followed f = follow(world, reference, 1e9, [&](size_t row) {
    return norm(point_of(world, b, {0.25, 0, 0}) - Vec3{reference.at(row, "tipx"),
                                                        reference.at(row, "tipy"),
                                                        reference.at(row, "tipz")});
  });
  report("B4 two boxes, accuracy 1e-9: tip, m", f.worst, "1e-6");
  report("B4 two boxes, accuracy 1e-9: gap, m", f.joints.gap_m, "1e-12");
  EXPECT_LT(f.worst, 1e-6);
  EXPECT_LT(f.joints.gap_m, 1e-12);
}

struct LoopRun {
  Followed followed;
  std::vector<Vec3> path;
};
LoopRun run_four_bar(JointKind kind, int copies) {
  const Series reference = load_series("C1_four_bar_N2.csv");
  World world = make_force_world(reference.at(1, "t"), 1e-9);
  const FourBars m = add_four_bars(world, 2, kind, copies);
  LoopRun run;
  run.followed = follow(world, reference, 1e9, [&](size_t row) {
    run.path.push_back(point_of(world, m.cranks[0], {0.5, 0, 0}));
    return norm(run.path.back() - Vec3{reference.at(row, "x"), reference.at(row, "y"), 0});
  });
  return run;
}

TEST(ForceFourBar, FollowsTheReferenceThroughItsSingularPositions) {
  const LoopRun hinges = run_four_bar(JointKind::kHinge, 1);
  report("C1 four-bar, accuracy 1e-9: B0 over 10 s, m", hinges.followed.worst, "1e-6");
  report("C1 four-bar, accuracy 1e-9: gap, m", hinges.followed.joints.gap_m, "1e-12");
  report("C1 four-bar: integrator steps", static_cast<double>(hinges.followed.steps), "none given");
  EXPECT_LT(hinges.followed.worst, 1e-6);
  EXPECT_LT(hinges.followed.joints.gap_m, 1e-12);
  EXPECT_EQ(hinges.followed.minimum, 0u);
  // C3: more joints than it takes change nothing
  const LoopRun doubled = run_four_bar(JointKind::kHinge, 2);
  report("C3 doubled coupler, accuracy 1e-9: B0, m", doubled.followed.worst, "1e-6");
  EXPECT_LT(doubled.followed.worst, 1e-6);
  EXPECT_LT(doubled.followed.joints.gap_m, 1e-12);
}

TEST(ForceSliderCrank, FollowsTheReference) {
  const Series reference = load_series("C2_slider_crank.csv");
  World world = make_force_world(reference.at(1, "t"), 1e-9, {});
  const SliderCrank s = add_slider_crank(world);
  double slider = 0;
  const Followed f = follow(world, reference, 1e9, [&](size_t row) {
    slider = std::max(slider,
                      std::fabs(world.center_of_mass(s.slider).x - reference.at(row, "slider_x")));
    return std::fabs(world.read_joint(s.motor).coordinate[static_cast<size_t>(JointAxis::kRx)] -
                     reference.at(row, "theta"));
  });
  report("C2 slider-crank, accuracy 1e-9: angle, rad", f.worst, "1e-6 of 122 rad");
  report("C2 slider-crank, accuracy 1e-9: slider, m", slider, "1e-6");
  report("C2 slider-crank, accuracy 1e-9: gap, m", f.joints.gap_m, "1e-12");
  EXPECT_LT(slider, 1e-6);
  EXPECT_LT(f.worst, 1e-5);
  EXPECT_LT(f.joints.gap_m, 1e-12);
  // motor's work
  EXPECT_NEAR(energy(world), world.diagnostics().work_J, 1e-7);
}

TEST(ForceAccuracy, IsWhatIsAskedFor) {
  double last = kInfinity;
  for (const double accuracy : {1e-5, 1e-7, 1e-9}) {
    const DoubleRun run = run_double_pendulum(accuracy, 2, ForceJoints::kConstraint);
    report("B2 over 2 s, accuracy " + std::to_string(std::log10(accuracy)), run.followed.worst,
           "falls with it");
    EXPECT_LT(run.followed.worst, 0.1 * last);
    last = run.followed.worst;
  }
}

// -- F8: other ways to hold joints, for comparison

// The table of docs/theory/force.md.
TEST(ForceJointMethods, BaumgarteAndSoftRodsAreMeasurablyWorse) {
  const std::pair<const char*, ForceJoints> methods[] = {{"constraint", ForceJoints::kConstraint},
                                                         {"baumgarte", ForceJoints::kBaumgarte},
                                                         {"soft", ForceJoints::kSoft}};
  std::printf("| joints | accuracy | tip, m | gap, m | energy, J | steps |\n");
  for (const double accuracy : {1e-5, 1e-7, 1e-9}) {
    DoubleRun runs[3];
    for (size_t i = 0; i < 3; ++i) {
      runs[i] = run_double_pendulum(accuracy, 5, methods[i].second);
      std::printf("| `%s` | %.0e | %.1e | %.1e | %.1e | %d |\n", methods[i].first, accuracy,
                  runs[i].followed.worst, runs[i].followed.joints.gap_m, runs[i].energy,
                  static_cast<int>(runs[i].followed.steps));
    }
    const DoubleRun &exact = runs[0], &pulled = runs[1], &soft = runs[2];
    EXPECT_LT(exact.followed.joints.gap_m, 1e-12);
    EXPECT_GT(pulled.followed.joints.gap_m, 100 * exact.followed.joints.gap_m);
    EXPECT_GT(pulled.followed.steps, exact.followed.steps);
    // it stretches by its weight, whatever the accuracy
    EXPECT_GT(soft.followed.joints.gap_m, 2e-5);
    EXPECT_GT(soft.followed.worst, 100 * exact.followed.worst);
    EXPECT_GT(soft.followed.steps, 5 * exact.followed.steps);
  }
}

}  // namespace
}  // namespace tenon::test
