// Limits of joints are passive: they push and never pull, they give back no more than they have
// taken, and what they take is booked as work.
#include <gtest/gtest.h>

#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

constexpr auto kTurn = static_cast<size_t>(JointAxis::kRx),
               kSlide = static_cast<size_t>(JointAxis::kX);

// Largest rises in a step, and the ends.
struct EnergyRun {
  double gain = 0;          // of kinetic + potential
  double balance_gain = 0;  // of kinetic + potential - work
  double start = 0, end = 0, balance = 0, highest = 0, kinetic = 0;
  bool finite = true;
};
EnergyRun run(World& world, double seconds) {
  const auto balance = [&] { return energy(world) - world.diagnostics().work_J; };
  EnergyRun r;
  const double balance0 = balance();
  double last = energy(world), last_balance = balance0;
  r.start = r.highest = last;
  while (world.time() < seconds - 0.5 * world.settings().step) {
    world.step();
    const double now = energy(world), now_balance = balance();
    r.gain = std::max(r.gain, now - last);
    r.balance_gain = std::max(r.balance_gain, now_balance - last_balance);
    r.highest = std::max(r.highest, now);
    r.kinetic = std::max(r.kinetic, world.calc_mechanics().kinetic_J);
    last = now;
    last_balance = now_balance;
  }
  r.end = last;
  r.balance = last_balance - balance0;
  r.finite = all_finite(world);
  return r;
}

std::string step_name(double step) { return "1/" + std::to_string(std::lround(1 / step)); }

// Rods of 0.4 m and 1 kg along x that start at rest; every hinge turns by 30 degrees at most.
void add_limited_chain(World& world, const std::vector<double>& restitutions) {
  BodyHandle last;
  for (size_t i = 0; i < restitutions.size(); ++i) {
    const Vec3 p{0.4 * static_cast<double>(i), 0, 0};
    const BodyHandle rod = add_body(world, make_rod(1, 0.4, p));
    JointDef def = make_joint(world, JointKind::kHinge, last, rod, {p, axis_along_z()});
    def.axes[kTurn].min = -kPi / 6;
    def.axes[kTurn].max = kPi / 6;
    def.axes[kTurn].restitution = restitutions[i];
    add_joint(world, def);
    last = rod;
  }
}

void check_limited_chain(const std::vector<double>& restitutions, const std::string& name) {
  for (const double step : {1.0 / 60, 1.0 / 240}) {
    World world = make_world(step);
    add_limited_chain(world, restitutions);
    const EnergyRun r = run(world, 6);
    const std::string title = name + ", " + step_name(step);
    // joint errors within a hundredth of the tolerance of 1e-6, times the forces of impacts
    const double allowed = 1e-6 * r.kinetic;
    report(title + ": largest gain in a step, J", r.gain, "1e-6 rel.");
    report(title + ": largest gain beyond work, J", r.balance_gain, "1e-6 rel.");
    report(title + ": unexplained in the run, J", r.balance, "none given");
    report(title + ": end, J", r.end, "none given");
    EXPECT_TRUE(r.finite) << title;
    EXPECT_LE(r.gain, allowed) << title;
    EXPECT_LE(r.balance_gain, allowed) << title;
    EXPECT_LE(r.highest, r.start + allowed) << title;
  }
}

TEST(LimitEnergy, NeverGrowsInChainsOfOneRestitution) {
  for (const size_t links : {2u, 3u, 5u}) {
    for (const double e : {0.0, 0.5, 0.8, 1.0}) {
      check_limited_chain(std::vector<double>(links, e),
                          std::to_string(links) + " links, e " + std::to_string(e).substr(0, 3));
    }
  }
}
TEST(LimitEnergy, NeverGrowsInChainsOfMixedRestitutions) {
  check_limited_chain({1, 0}, "e 1 0");
  check_limited_chain({0, 1}, "e 0 1");
  check_limited_chain({1, 0, 1, 0.5, 1}, "e 1 0 1 .5 1");
}

TEST(LimitEnergy, IsKeptByTwoLinksThatBounceWithoutLoss) {
  for (const double step : {1.0 / 60, 1.0 / 240}) {
    World world = make_world(step);
    add_limited_chain(world, {1, 1});
    const EnergyRun r = run(world, 6);
    // what goes is the part of the held rows' losses that impacts do not account for
    const double allowed = step < 0.01 ? 0.003 : 0.05, lost = (r.start - r.end) / r.kinetic;
    report("two links, e 1, " + step_name(step) + ": lost in 6 s, of the kinetic energy", lost,
           step < 0.01 ? "0.003" : "0.05");
    EXPECT_LT(lost, allowed);
  }
}

// -- one joint

// A pendulum of 1 m that starts with 4.5 m/s at its lowest point and bounces at +-60 degrees.
struct Drift {
  double gain, loss, beyond_rad;
};
Drift bounce_pendulum(double step, double e, double limit, double speed) {
  World world = make_world(step);
  const double I = 0.4 * 0.01;
  BodyDef ball = make_body(1, {I, I, I}, {0, -1, 0});
  ball.velocity = {speed, 0, 0};
  ball.angular_velocity = {0, 0, speed};
  const BodyHandle b = add_body(world, ball);
  JointDef def = make_joint(world, JointKind::kHinge, {}, b, {{0, 0, 0}, axis_along_z()});
  def.axes[kTurn].min = -limit;
  def.axes[kTurn].max = limit;
  def.axes[kTurn].restitution = e;
  add_joint(world, def);
  Drift d{};
  const double start = energy(world);
  while (world.time() < 10) {
    world.step();
    d.gain = std::max(d.gain, energy(world) - start);
    d.beyond_rad = std::max(d.beyond_rad, angle_between(world.pose(b).q, {}) - limit);
  }
  d.loss = start - energy(world);
  return d;
}

TEST(ABouncingPendulum, KeepsItsEnergyForRestitutionOne) {
  for (const auto& [limit, speed] : {std::pair{kPi / 3, 4.5}, std::pair{kPi / 9, 3.0}}) {
    const Drift coarse = bounce_pendulum(1.0 / 60, 1, limit, speed);
    const Drift fine = bounce_pendulum(1.0 / 240, 1, limit, speed);
    const double scale = 0.5 * speed * speed;
    report("pendulum, e 1, 1/60: gain, rel.", coarse.gain / scale, "1e-7");
    report("pendulum, e 1, 1/60: loss in 10 s, rel.", coarse.loss / scale, "1e-3");
    report("pendulum, e 1, 1/240: loss in 10 s, rel.", fine.loss / scale, "3e-5");
    for (const Drift& d : {coarse, fine}) {
      EXPECT_LT(d.gain / scale, 1e-7);
      EXPECT_LT(d.beyond_rad, 1e-7);
    }
    // of some twenty bounces: second order in the step
    EXPECT_LT(coarse.loss / scale, 1e-3);
    EXPECT_LT(fine.loss / scale, 3e-5);
  }
}

// A slider along y. Returns its highest places between bounces.
struct Slider {
  World world;
  BodyHandle body;
};
Slider make_slider(double step, const JointAxisDef& axis, double speed) {
  Slider s{make_world(step), {}};
  BodyDef def = make_body(1, {0.1, 0.1, 0.1});
  def.velocity = {0, speed, 0};
  s.body = add_body(s.world, def);
  JointDef joint = make_joint(s.world, JointKind::kSlider, {}, s.body, {{}, axis_along_y()});
  joint.axes[kSlide] = axis;
  add_joint(s.world, joint);
  return s;
}

TEST(ABouncingSlider, ReachesTheHeightsOfNewtonsLaw) {
  // thrown from the floor with 4 m/s: v^2 / 2g, then e^2 of it each time
  for (const double e : {1.0, 0.8, 0.5}) {
    for (const double step : {1.0 / 60, 1.0 / 240}) {
      JointAxisDef axis;
      axis.min = 0;
      axis.restitution = e;
      Slider s = make_slider(step, axis, 4);
      double height = 16 / (2 * 9.81), worst = 0, last = 4;
      for (int bounces = 0; bounces < 4;) {
        s.world.step();
        ASSERT_LT(s.world.time(), 10);
        const double v = s.world.velocity(s.body).y;
        if (last < 0 && v >= 0) {
          ++bounces;
          height *= e * e;
          if (height < 0.02) break;  // within a step or two
          // where it will turn: sampling the apex itself would be an error of its own
          const double apex = s.world.pose(s.body).p.y + v * v / (2 * 9.81);
          worst = std::max(worst, std::fabs(apex / height - 1));
        }
        last = v;
      }
      report("slider, e " + std::to_string(e).substr(0, 3) + ", " + step_name(step) +
                 ": error of four apexes, rel.",
             worst, "1e-6");
      // free fall is exact, and so is the energy of a bounce
      EXPECT_LT(worst, 1e-6);
    }
  }
}

TEST(ABouncingSlider, KeepsTheEnergyOfItsSpring) {
  for (const double step : {1.0 / 60, 1.0 / 240}) {
    JointAxisDef axis;
    axis.max = 0.5;
    axis.restitution = 1;
    axis.stiffness = 10;
    Slider s = make_slider(step, axis, 5);
    const auto total = [&] {
      const double y = s.world.pose(s.body).p.y;
      return energy(s.world) + 0.5 * 10 * y * y;
    };
    const double start = total();
    double worst = 0;
    while (s.world.time() < 30) {
      s.world.step();
      worst = std::max(worst, std::fabs(total() - start));
    }
    report("ceiling and spring, e 1, " + step_name(step) + ": energy error in 30 s, J", worst,
           "1e-6");
    EXPECT_LT(worst, 1e-6);  // of 12.5 J
  }
}

// -- pushes only

// B is thrown up, hits a stop on A, and lifts it off the floor; `phase` says when in the step.
TEST(ALimit, NeverPulls) {
  const double h = 1.0 / 60, g = 9.81, speed = 3;
  double worst = 0;
  for (int k = 0; k < 40; ++k) {
    const double phase = (k + 0.5) / 40, t = (12 + phase) * h, gap = speed * t - 0.5 * g * t * t;
    World world = make_world(h);
    const BodyHandle A = add_body(world, make_body(1, {0.1, 0.1, 0.1}));
    BodyDef thrown = make_body(1, {0.1, 0.1, 0.1});
    thrown.velocity = {0, speed, 0};
    const BodyHandle B = add_body(world, thrown);
    JointDef floor = make_joint(world, JointKind::kSlider, {}, A, {{}, axis_along_y()});
    floor.axes[kSlide].min = 0;
    add_joint(world, floor);
    JointDef stop = make_joint(world, JointKind::kSlider, A, B, {{}, axis_along_y()});
    stop.axes[kSlide].max = gap;
    add_joint(world, stop);
    const double start = energy(world);
    step_to(world, 14 * h);
    const double expected = 0.5 * (speed - g * t) - g * (14 * h - t);
    const double vA = world.velocity(A).y, vB = world.velocity(B).y;
    worst = std::max({worst, std::fabs(vA - expected), std::fabs(vB - expected)});
    EXPECT_LE(energy(world), start + 1e-9);
  }
  report("lifted by a stop: largest error of 40 phases, m/s", worst, "g h = 0.16");
  EXPECT_LT(worst, g * h);  // the impulse of a step cannot say when in the step it was
}

TEST(ARope, KeepsMomentumAndGainsNoEnergyWhenItComesTaut) {
  for (const double e : {0.0, 0.7, 1.0}) {
    for (const double step : {1.0 / 60, 1.0 / 240}) {
      World world = make_world(step, {.gravity = {}});
      BodyDef a = make_body(1, {0.01, 0.02, 0.03}, {0, 0, 0});
      BodyDef b = make_body(3, {0.1, 0.2, 0.15}, {0.5, 0, 0});
      b.velocity = {2, 0.7, 0.5};
      b.angular_velocity = {5, 3, 8};
      const BodyHandle A = add_body(world, a), B = add_body(world, b);
      JointDef rope = make_joint(world, JointKind::kDistance, A, B, {});
      rope.X_BP = {{0.1, 0, 0}, {}};
      rope.X_BC = {{-0.1, 0.05, 0}, {}};
      rope.axes[kSlide].max = 1;
      rope.axes[kSlide].restitution = e;
      add_joint(world, rope);
      const Mechanics m0 = world.calc_mechanics();
      const EnergyRun r = run(world, 4);
      const Mechanics m1 = world.calc_mechanics();
      const double momentum = norm(m1.linear_momentum - m0.linear_momentum);
      const double spin = norm(m1.angular_momentum - m0.angular_momentum);
      const std::string title =
          "rope, e " + std::to_string(e).substr(0, 3) + ", " + step_name(step);
      report(title + ": largest gain in a step, J", r.gain, "1e-6 rel.");
      report(title + ": energy that is left, rel.", r.end / r.start, "<= 1");
      report(title + ": unexplained, J", r.balance, "none given");
      EXPECT_LT(momentum, 1e-11);
      EXPECT_LT(spin, 1e-9);  // what Newton leaves moves bodies by some 1e-10 m
      EXPECT_LE(r.gain, 1e-6 * r.kinetic);
      EXPECT_LE(r.balance_gain, 1e-6 * r.kinetic);
      if (e == 0) {
        EXPECT_LT(r.end, 0.99 * r.start);
      }  // it does come taut
    }
  }
}

// -- accounts

TEST(ALimit, BooksWhatItTakes) {
  // inelastic and elastic stops of a single slider: nothing else can lose anything
  for (const double e : {0.0, 0.5, 1.0}) {
    JointAxisDef axis;
    axis.min = 0;
    axis.restitution = e;
    Slider s = make_slider(1.0 / 60, axis, 4);
    const EnergyRun r = run(s.world, 3);
    EXPECT_NEAR(r.balance, 0, 1e-9) << e;
    if (e < 1) {
      EXPECT_LT(r.end, 0.5 * r.start);
    }
  }
}

TEST(ALimit, BooksWhatAMovedBodyDoesThroughIt) {
  // a platform rises under a body that rests on it, and carries it along
  World world = make_world(1.0 / 60);
  BodyDef platform;
  platform.motion = MotionKind::kKinematic;
  platform.script.kind = KinematicMotion::Kind::kUniform;
  platform.script.velocity = {0, 1, 0};
  const BodyHandle lift = add_body(world, platform);
  const BodyHandle b = add_body(world, make_body(2, {0.1, 0.1, 0.1}, {0, 0.5, 0}));
  JointDef def = make_joint(world, JointKind::kSlider, lift, b, {{0, 0.5, 0}, axis_along_y()});
  def.axes[kSlide].min = -0.3;
  def.axes[kSlide].restitution = 0.6;
  add_joint(world, def);
  const EnergyRun r = run(world, 3);
  EXPECT_NEAR(world.velocity(b).y, 1, 1e-6);
  EXPECT_NEAR(world.pose(b).p.y, 0.5 + 3 - 0.3, 1e-6);
  EXPECT_NEAR(r.balance, 0, 1e-9);
}

TEST(TheEdgeOfABlackBox, BooksWhatItTakes) {
  for (const double step : {1.0 / 120, 1.0 / 480}) {
    World world = make_world(step);
    BodyDef arm = make_rod(1, 0.6, {}, -0.25 * kPi);
    arm.angular_velocity = {1, 2, 0.5};
    arm.velocity = cross(arm.angular_velocity, arm.X_WB.p);
    const BodyHandle b = add_body(world, arm);
    JointDef def = make_joint(world, JointKind::kBlackBox, {}, b, {{}, arm.X_WB.q});
    def.black_box = *make_reach_cone({.about_y = 0.4, .about_z = 0.6});
    add_joint(world, def);
    const EnergyRun r = run(world, 4);
    report("edge of a cone, " + step_name(step) + ": unexplained, J", r.balance, "1 % of the loss");
    report("edge of a cone, " + step_name(step) + ": lost, J", r.start - r.end, "none given");
    EXPECT_LE(r.balance_gain, 1e-6 * r.kinetic);
    EXPECT_GT(r.start - r.end, 0.5);
    EXPECT_LT(std::fabs(r.balance), 0.01 * (r.start - r.end));
  }
}

// -- motors and friction of limited force

TEST(AMotorOfLimitedForce, DoesNotOvershoot) {
  for (const double force : {1.0, 3.0, 5.9, 6.1, 7.0, 9.0, 11.9, 12.1, 100.0}) {
    World world = make_world(1.0 / 60, {.gravity = {}});
    const BodyHandle b = add_body(world, make_body(1, {0.1, 0.1, 0.1}));
    JointDef def = make_joint(world, JointKind::kSlider, {}, b, {});
    def.axes[kSlide].motor = {.kind = Motor::Kind::kVelocity, .target = 0.1, .max_force = force};
    add_joint(world, def);
    double fastest = 0, reached = 0;
    while (world.time() < 1) {
      world.step();
      const double v = world.velocity(b).x;
      fastest = std::max(fastest, v);
      if (v > 0.0999999 && reached == 0) reached = world.time();
    }
    EXPECT_LT(fastest, 0.1 + 1e-9) << force;
    EXPECT_NEAR(world.velocity(b).x, 0.1, 1e-9) << force;
    EXPECT_LT(reached, 0.1 / force + 1.0 / 60 + 1e-9) << force;  // m dv / force, rounded up
    EXPECT_NEAR(energy(world) - world.diagnostics().work_J, 0, 1e-12) << force;
  }
}

// More force than could ever be needed is as good as no bound at all.
TEST(AMotorOfLimitedForce, DrivesHoweverStrongItIs) {
  for (const Motor::Kind kind : {Motor::Kind::kVelocity, Motor::Kind::kPosition}) {
    for (const double most : {1e3, 1e7, 1e8, 1e12, 1e300}) {
      World world = make_world(1.0 / 60);
      const BodyHandle arm = add_body(world, make_rod(1, 1, {0.5, 0, 0}));
      JointDef def = make_joint(world, JointKind::kHinge, {}, arm, {{}, axis_along_z()});
      Motor& motor = def.axes[kTurn].motor;
      motor.kind = kind;
      motor.target = 2;
      motor.max_force = most;
      const JointHandle j = add_joint(world, def);
      for (int i = 0; i < 120; ++i) {
        world.step();
        EXPECT_EQ(world.diagnostics().softened_steps, 0u);
      }
      const JointReading now = world.read_joint(j);
      SCOPED_TRACE(most);
      if (kind == Motor::Kind::kVelocity) {
        EXPECT_NEAR(now.rate[kTurn], 2, 1e-3);  // of a Cayley rotation
        EXPECT_NEAR(now.coordinate[kTurn], 4, 1e-3);
      } else {
        EXPECT_NEAR(now.coordinate[kTurn], 2, 1e-6);
      }
      // of the mean of the last step: 1/60 rad back
      EXPECT_NEAR(now.axis_force[kTurn], 9.81 * std::cos(now.coordinate[kTurn]), 0.15);
    }
  }
}

TEST(Friction, StopsAMotionAndNeverTurnsIt) {
  for (int k = 0; k < 20; ++k) {
    World world = make_world(1.0 / 60, {.gravity = {}});
    BodyDef def = make_body(1, {0.1, 0.1, 0.1});
    def.velocity = {0.5 + 0.01 * k, 0, 0};
    const BodyHandle b = add_body(world, def);
    JointDef joint = make_joint(world, JointKind::kSlider, {}, b, {});
    joint.axes[kSlide].friction = 3;
    add_joint(world, joint);
    while (world.time() < 1) {
      world.step();
      EXPECT_GT(world.velocity(b).x, -1e-11);  // the compliance of rows leaves 1e-12
    }
    EXPECT_NEAR(world.velocity(b).x, 0, 1e-11);
    EXPECT_NEAR(energy(world) - world.diagnostics().work_J, 0, 1e-12);
  }
}

}  // namespace
}  // namespace tenon::test
