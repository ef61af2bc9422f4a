// Laws along freedoms, edits, states and bad input in the method `force`.
#include <gtest/gtest.h>

#include "tenon/engine/joints/black_box.h"
#include "tenon/tests/physics/joints/mechanism_kit.h"

namespace tenon::test {
namespace {

World make_force_world(double frame, double accuracy = 1e-9, const Vec3& gravity = {0, -9.81, 0},
                       int threads = 1) {
  ForceSettings force;
  force.accuracy = accuracy;
  return make_world(
      frame, {.gravity = gravity, .threads = threads, .method = Method::kForce, .force = force});
}

constexpr auto kX = static_cast<size_t>(JointAxis::kX);
constexpr auto kRx = static_cast<size_t>(JointAxis::kRx);

// A mass of 1 kg on a horizontal slider along x.
struct Slider {
  BodyHandle body;
  JointHandle joint;
};
Slider add_slider(World& world, const JointAxisDef& law, double x, double v, double mass = 1) {
  BodyDef def = make_body(mass, {1, 1, 1}, {0, 0, 0});
  Slider s;
  s.body = add_body(world, def);
  JointDef joint = make_joint(world, JointKind::kSlider, {}, s.body, {});
  joint.axes[kX] = law;
  s.joint = add_joint(world, joint);
  EXPECT_TRUE(world.set_pose(s.body, {{x, 0, 0}, {}}).ok());
  EXPECT_TRUE(world.set_velocity(s.body, {v, 0, 0}).ok());
  return s;
}
double coordinate(const World& world, const Slider& s) {
  return world.read_joint(s.joint).coordinate[kX];
}

TEST(ForceLaws, SpringAndDamperFollowTheClosedForm) {
  // A6: m = 1, c = 400, x0 = 0.1: w = 20 rad/s; with d = 4 the ratio is 0.1
  for (const double d : {0.0, 4.0}) {
    World world = make_force_world(0.01, 1e-11);
    const Slider s = add_slider(world, {.stiffness = 400, .damping = d, .motor = {}}, 0.1, 0);
    const double decay = 0.5 * d, w = std::sqrt(400 - decay * decay);
    double worst = 0;
    while (world.time() < 1) {
      world.step();
      const double t = world.time();
      const double exact =
          0.1 * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
      worst = std::max(worst, std::fabs(coordinate(world, s) - exact));
    }
    report("A6 spring, damping " + std::to_string(d) + ": m over 1 s", worst, "1e-9");
    EXPECT_LT(worst, 1e-9);
    // a spring's energy is work put in from outside, as in the other methods
    EXPECT_NEAR(energy(world) - world.diagnostics().work_J, 0, 1e-7);
  }
}

TEST(ForceLaws, FrictionStopsAndHolds) {
  // 2 m/s against 4 N: stops after 0.5 s and 0.5 m, and stays
  World world = make_force_world(0.03);
  const Slider s = add_slider(world, {.friction = 4, .motor = {}}, 0, 2);
  while (world.time() < 0.45) world.step();
  const double t = world.time();
  EXPECT_NEAR(coordinate(world, s), 2 * t - 2 * t * t, 1e-9);
  while (world.time() < 2) world.step();
  EXPECT_NEAR(coordinate(world, s), 0.5, 1e-9);
  EXPECT_LT(norm(world.velocity(s.body)), 1e-12);
  // three newtons do not move it, five do: (5 - 4) t^2 / 2
  const Vec3 start = world.center_of_mass(s.body);
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(world.apply_force(s.body, {3, 0, 0}, start).ok());
    world.step();
  }
  EXPECT_NEAR(world.read_joint(s.joint).axis_force[kX], -3, 1e-9);
  EXPECT_LT(norm(world.center_of_mass(s.body) - start), 1e-12);
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(world.apply_force(s.body, {5, 0, 0}, world.center_of_mass(s.body)).ok());
    world.step();
  }
  EXPECT_NEAR(world.center_of_mass(s.body).x - start.x, 0.5 * 0.3 * 0.3, 1e-9);
}

TEST(ForceLaws, LimitsThrowBackByTheirRestitution) {
  // 1 m/s over 0.5 m, back with 0.6 m/s
  World world = make_force_world(0.07);
  const Slider s = add_slider(world, {.max = 0.5, .restitution = 0.6, .motor = {}}, 0, 1);
  while (world.time() < 1) world.step();
  EXPECT_NEAR(coordinate(world, s), 0.5 - 0.6 * (world.time() - 0.5), 1e-9);
  EXPECT_NEAR(world.velocity(s.body).x, -0.6, 1e-12);
  // what the limit has taken, and what the user gave it, is booked
  EXPECT_NEAR(energy(world) - world.diagnostics().work_J, 0, 1e-9);
}

TEST(ForceLaws, LimitsHoldAndLetGo) {
  // pulled into the limit by a spring, without restitution; then pushed away
  World world = make_force_world(0.05);
  JointAxisDef law{.min = 0, .stiffness = 100, .rest = -0.1, .motor = {}};
  const Slider s = add_slider(world, law, 0.2, 0);
  double lowest = 0;
  for (int i = 0; i < 40; ++i) {
    world.step();
    lowest = std::min(lowest, coordinate(world, s));
  }
  EXPECT_GT(lowest, -1e-11);
  EXPECT_NEAR(coordinate(world, s), 0, 1e-12);
  EXPECT_LT(norm(world.velocity(s.body)), 1e-12);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(world.apply_force(s.body, {12, 0, 0}, world.center_of_mass(s.body)).ok());
    world.step();
  }
  // x'' + 100 x = 12 - 10 from rest
  EXPECT_NEAR(coordinate(world, s), 0.02 * (1 - std::cos(10 * 0.2)), 1e-9);
}

TEST(ForceLaws, ALimitThatIsHitForEverComesToRest) {
  World world = make_force_world(0.1, 1e-8);
  const Slider s = add_slider(
      world, {.min = 0, .restitution = 0.5, .motor = {Motor::Kind::kForce, -10}}, 0.5, 0);
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_NEAR(coordinate(world, s), 0, 1e-12);
  EXPECT_LT(norm(world.velocity(s.body)), 1e-6);
}

TEST(ForceLaws, VelocityMotorsReachTheirRateAndKeepIt) {
  // 2 N on 1 kg to 1 m/s: half a second and a quarter of a metre, then steady
  World world = make_force_world(0.04);
  const Slider s = add_slider(world, {.motor = {Motor::Kind::kVelocity, 1, 2}}, 0, 0);
  while (world.time() < 2) world.step();
  EXPECT_NEAR(coordinate(world, s), 0.25 + (world.time() - 0.5), 1e-9);
  EXPECT_NEAR(world.velocity(s.body).x, 1, 1e-12);
  EXPECT_NEAR(world.read_joint(s.joint).axis_force[kX], 0, 1e-9);
  // of unlimited force: from the start
  World other = make_force_world(0.04);
  const Slider u = add_slider(other, {.motor = {Motor::Kind::kVelocity, 1}}, 0, 0);
  while (other.time() < 1) other.step();
  EXPECT_NEAR(coordinate(other, u), other.time(), 1e-9);
}

TEST(ForceLaws, MotorsAndFrictionActTogether) {
  // 3 N of motor against 1 N of friction: 2 m/s^2 up to 1 m/s, then held by 1 N
  World world = make_force_world(0.04);
  const Slider s =
      add_slider(world, {.friction = 1, .motor = {Motor::Kind::kVelocity, 1, 3}}, 0, 0);
  while (world.time() < 1) world.step();
  EXPECT_NEAR(coordinate(world, s), 0.25 + (world.time() - 0.5), 1e-9);
  // and a motor that is too weak does not start
  World stuck = make_force_world(0.04);
  const Slider w =
      add_slider(stuck, {.friction = 3, .motor = {Motor::Kind::kVelocity, 1, 2}}, 0, 0);
  while (stuck.time() < 1) stuck.step();
  EXPECT_NEAR(coordinate(stuck, w), 0, 1e-12);
}

TEST(ForceLaws, PositionMotorsMoveAsADampedOscillator) {
  World world = make_force_world(0.05);
  const Slider s =
      add_slider(world, {.motor = {Motor::Kind::kPosition, 1, kInfinity, 1, 1}}, 0, 0, 3);
  const double w = 2 * kPi;
  double worst = 0;
  while (world.time() < 2) {
    world.step();
    const double t = world.time();
    worst = std::max(worst, std::fabs(coordinate(world, s) - 1 + std::exp(-w * t) * (1 + w * t)));
  }
  report("position motor against the oscillator, m", worst, "1e-8");
  EXPECT_LT(worst, 1e-8);
  // of limited force: saturated at first, there in the end
  World weak = make_force_world(0.05);
  const Slider l = add_slider(weak, {.motor = {Motor::Kind::kPosition, 1, 2, 1, 1}}, 0, 0, 3);
  weak.step();
  EXPECT_NEAR(weak.velocity(l.body).x, 2.0 / 3 * 0.05, 1e-9);
  while (weak.time() < 8) weak.step();
  EXPECT_NEAR(coordinate(weak, l), 1, 1e-4);
}

TEST(ForceLaws, HingesStopAtTheirLimits) {
  // a rod that falls from the horizontal to a stop at 60 degrees below
  World world = make_force_world(1.0 / 60);
  const BodyHandle rod = add_body(world, make_rod(1, 1, {}));
  JointDef joint = make_joint(world, JointKind::kHinge, {}, rod, {{}, axis_along_z()});
  joint.axes[kRx] = {.min = -kPi / 3, .restitution = 0.3, .motor = {}};
  const JointHandle hinge = add_joint(world, joint);
  double lowest = 0;
  for (int i = 0; i < 300; ++i) {
    world.step();
    lowest = std::min(lowest, world.read_joint(hinge).coordinate[kRx]);
    EXPECT_LT(world.diagnostics().joint_gap_m, 1e-12);
  }
  EXPECT_GT(lowest, -kPi / 3 - 1e-10);
  EXPECT_NEAR(world.read_joint(hinge).coordinate[kRx], -kPi / 3, 1e-10);
}

TEST(ForceLaws, RopesPullOnlyWhileTheyAreTaut) {
  // a spring of 100 N/m that acts from 0.5 m on, against 1 kg with 1 m/s. Rest at 0.5 m: half a
  // swing of w = 10/s; at 0.2 m it takes hold with 30 N: from -u to u about it, tan u = 1/3
  for (const auto& [rest, swing] : {std::pair{0.5, 0.1 * kPi}, {0.2, 0.2 * std::atan(1.0 / 3)}}) {
    World world = make_force_world(0.04);
    JointAxisDef law{.stiffness = 100, .rest = rest, .motor = {}};
    law.min_separation = 0.5;
    const Slider s = add_slider(world, law, 0, 1);
    uint64_t minimum = 0;
    while (world.time() < 1.1) {
      world.step();
      minimum += world.diagnostics().minimum_steps;
    }
    EXPECT_NEAR(coordinate(world, s), 0.5 - (world.time() - 0.5 - swing), 1e-8) << rest;
    EXPECT_EQ(minimum, 0u);
    EXPECT_NEAR(energy(world) - world.diagnostics().work_J, 0, 1e-8);
  }
}

TEST(ForceLaws, ARopeThatComesTautIsInTheBalances) {
  // 2 kg fall 0.3 m beside a nail, 0.4 m aside: the rope of 0.5 m takes the part of the velocity
  // along it
  World world = make_force_world(0.01);
  BodyDef def = make_body(2, {1, 1, 1}, {0.4, 0, 0});
  const BodyHandle body = add_body(world, def);
  JointDef rope = make_joint(world, JointKind::kDistance, {}, body, {});
  rope.X_BP = rope.X_BC = {};
  rope.axes[kX] = {.min = 0, .max = 0.5, .motor = {}};
  add_joint(world, rope);
  const StepDiagnostics& d = world.diagnostics();
  const Mechanics start = world.calc_mechanics();
  double lost = 0;
  while (world.time() < 0.3) {
    world.step();
    EXPECT_LT(norm(d.mechanics.linear_momentum - start.linear_momentum - d.linear_impulse), 1e-8);
    EXPECT_LT(norm(d.mechanics.angular_momentum - start.angular_momentum - d.angular_impulse),
              1e-8);
    EXPECT_NEAR(energy(world) - d.work_J, start.kinetic_J + start.potential_J, 1e-7);
    lost = -d.work_J;
  }
  // v^2 = 2 g 0.3 at the moment; 3/5 of it along the rope
  EXPECT_NEAR(lost, 0.5 * 2 * 2 * 9.81 * 0.3 * 0.36, 1e-7);
}

TEST(ForceState, VelocitiesThatJointsDoNotAllowAreTakenAndBooked) {
  // a slider along x with 2 m/s along y: 1 kg loses 2 J and 2 N s at the first moment
  World world = make_force_world(0.01, 1e-9, {});
  const Slider s = add_slider(world, {.motor = {}}, 0, 1);
  EXPECT_TRUE(world.set_velocity(s.body, {1, 2, 0}).ok());
  world.step();
  const StepDiagnostics& d = world.diagnostics();
  EXPECT_NEAR(world.velocity(s.body).y, 0, 1e-12);
  EXPECT_NEAR(world.velocity(s.body).x, 1, 1e-12);
  // 2.5 J by the edit, 2 J of them gone
  EXPECT_NEAR(d.work_J, 2.5 - 2, 1e-12);
  EXPECT_NEAR(world.calc_mechanics().kinetic_J, d.work_J, 1e-12);
  for (const Event& event : world.events()) EXPECT_NE(event.kind, EventKind::kHealthEnergy);
}

TEST(ForceBlackBox, SlidesOnASphereAsThePendulumOfItsRadius) {
  // a mass centre kept at 1 m from the origin by a user's function, against the distance joint
  const auto run = [](bool box) {
    World world = make_force_world(0.02, 1e-9);
    BodyDef def = make_body(1, {0.1, 0.1, 0.1}, {std::sqrt(0.75), -0.5, 0});
    def.velocity = {0, 0, 1.7};
    const BodyHandle body = add_body(world, def);
    JointDef joint =
        make_joint(world, box ? JointKind::kBlackBox : JointKind::kDistance, {}, body, {});
    joint.X_BC = {};
    joint.length = 1;
    if (box) {
      joint.length = 0;
      joint.black_box = std::make_shared<BlackBox>(
          [](const Pose& X) { return Pose{normalized(X.p, {1, 0, 0}), X.q}; }, 1);
    }
    add_joint(world, joint);
    JointErrors errors;
    while (world.time() < 3 - 1e-9) {
      world.step();
      errors.add(world);
    }
    EXPECT_LT(errors.gap_m, 1e-12);
    return world.center_of_mass(body);
  };
  const double apart = norm(run(true) - run(false));
  report("black box against distance joint, accuracy 1e-9: m over 3 s", apart, "1e-6");
  EXPECT_LT(apart, 1e-6);
}

TEST(ForceKinematics, BasesCarryWhatHangsOnThem) {
  // a rod on a base that goes to and fro: the same as a rod in a field of varying gravity. Against
  // itself with frames and accuracy of another kind.
  const auto run = [](double frame, double accuracy) {
    World world = make_force_world(frame, accuracy);
    BodyDef base;
    base.motion = MotionKind::kKinematic;
    base.script.kind = KinematicMotion::Kind::kKeyframes;
    base.script.interpolation = KinematicMotion::Interpolation::kSmooth;
    base.script.repeat = KinematicMotion::Repeat::kMirror;
    base.script.keys = {{0, {{0, 0, 0}, {}}}, {0.4, {{0.3, 0, 0}, {}}}, {1, {{0.5, 0.2, 0}, {}}}};
    const BodyHandle b = add_body(world, base);
    const BodyHandle rod = add_body(world, make_rod(1, 1, {}));
    add_hinge_z(world, b, rod, {});
    const double E0 = energy(world);
    while (world.time() < 2.4 - 1e-9) world.step();
    EXPECT_LT(world.diagnostics().joint_gap_m, 1e-12);
    EXPECT_NEAR(energy(world) - world.diagnostics().work_J, E0, 1e-5);
    return point_of(world, rod, {0.5, 0, 0});
  };
  const Vec3 coarse = run(0.1, 1e-8), fine = run(0.02, 1e-11);
  report("rod on a moved base: m after 2.4 s", norm(coarse - fine), "1e-6");
  EXPECT_LT(norm(coarse - fine), 1e-6);
}

// -- states

World make_busy_world(int threads) {
  World world = make_force_world(1.0 / 30, 1e-7, {0, -9.81, 0}, threads);
  for (int i = 0; i < 6; ++i) {
    const Vec3 at{0, 0, 2.0 * i};
    const BodyHandle a = add_body(world, make_rod(1, 1, at)),
                     b = add_body(world, make_rod(1 + 0.1 * i, 1, at + Vec3{1, 0, 0}));
    JointDef joint = make_joint(world, JointKind::kHinge, {}, a, {at, axis_along_z()});
    joint.axes[kRx] = {.min = -1.2, .restitution = 0.5, .friction = 0.2, .motor = {}};
    add_joint(world, joint);
    add_ball(world, a, b, at + Vec3{1, 0, 0});
  }
  // nothing but a point: the joint has no body to be measured against
  const BodyHandle point = add_body(world, make_body(1, {}, {3, 0.2, 0.1}));
  JointDef rod = make_joint(world, JointKind::kDistance, {}, point, {{2, 0, 0}, {}});
  rod.X_BC = {};
  add_joint(world, rod);
  BodyDef def = make_body(1, {1, 2, 3}, {0, 5, 0});
  def.angular_velocity = {0.1, 2, 0.1};
  def.drag = 0.1;
  add_body(world, def);
  return world;
}

TEST(ForceState, IsTheSameForAnyNumberOfThreads) {
  World one = make_busy_world(1), two = make_busy_world(2);
  for (int i = 0; i < 40; ++i) {
    one.step();
    two.step();
    ASSERT_EQ(one.state_hash(), two.state_hash()) << i;
  }
}

TEST(ForceState, GoesOnWithTheSameBits) {
  World world = make_busy_world(1), other = make_busy_world(1);
  for (int i = 0; i < 17; ++i) world.step();
  const std::vector<std::byte> bytes = world.save_state();
  const Snapshot snapshot = world.snapshot();
  std::vector<uint64_t> hashes;
  for (int i = 0; i < 20; ++i) {
    world.step();
    hashes.push_back(world.state_hash());
  }
  ASSERT_TRUE(other.load_state(bytes).ok());
  for (int i = 0; i < 20; ++i) {
    other.step();
    ASSERT_EQ(other.state_hash(), hashes[static_cast<size_t>(i)]) << i;
  }
  world.restore(snapshot);
  for (int i = 0; i < 20; ++i) {
    world.step();
    ASSERT_EQ(world.state_hash(), hashes[static_cast<size_t>(i)]) << i;
  }
  // cut off anywhere it is refused
  for (size_t n = 0; n < bytes.size(); n += 97) {
    EXPECT_FALSE(other.load_state(std::span(bytes).first(n)).ok());
  }
}

TEST(ForceState, FramesDoNotChangeTheMotion) {
  // the integrator's steps do not know of frames
  World often = make_force_world(1e-3), seldom = make_force_world(0.25);
  const BodyHandle a = add_chain(often, 2, 1, JointKind::kHinge)[1],
                   b = add_chain(seldom, 2, 1, JointKind::kHinge)[1];
  while (often.time() < 2 - 1e-9) often.step();
  while (seldom.time() < 2 - 1e-9) seldom.step();
  EXPECT_LT(norm(often.center_of_mass(a) - seldom.center_of_mass(b)), 1e-12);
}

TEST(ForceState, EditsTakeEffectAtTheFrame) {
  World world = make_force_world(0.1, 1e-9, {});
  BodyDef def = make_body(1, {1, 1, 1});
  def.velocity = {1, 0, 0};
  const BodyHandle body = add_body(world, def);
  world.step();
  EXPECT_TRUE(world.set_velocity(body, {0, 2, 0}).ok());
  world.step();
  EXPECT_NEAR(world.center_of_mass(body).x, 0.1, 1e-14);
  EXPECT_NEAR(world.center_of_mass(body).y, 0.2, 1e-14);
  // a force acts during one frame only
  EXPECT_TRUE(world.apply_force(body, {0, 0, 5}, world.center_of_mass(body)).ok());
  world.step();
  world.step();
  EXPECT_NEAR(world.velocity(body).z, 0.5, 1e-14);
  EXPECT_NEAR(world.center_of_mass(body).z, 0.5 * 5 * 0.01 + 0.5 * 0.1, 1e-14);
  EXPECT_NEAR(energy(world) - world.diagnostics().work_J, 0, 1e-12);
}

// -- bad input

TEST(ForceBadInput, IsRefusedByName) {
  WorldSettings settings;
  settings.method = Method::kForce;
  const auto refuses = [&](const char* what) {
    const Result<World> world = World::make(settings);
    EXPECT_FALSE(world.ok()) << what;
    if (!world.ok()) {
      EXPECT_NE(world.error().message.find(what), std::string::npos) << world.error().message;
    }
    settings = {};
    settings.method = Method::kForce;
  };
  settings.force.accuracy = 0;
  refuses("accuracy");
  settings.force.h_min = 0.1;
  settings.force.h_max = 0.01;
  refuses("longest step");
  settings.force.h_min = -1;
  refuses("least step");
  settings.force.soft_frequency_hz = kNaN;
  refuses("soft_frequency_hz");
  settings.joint_solver = JointSolver::kSweep;
  refuses("force");

  World world = make_force_world(0.01);
  const BodyHandle body = add_body(world, make_rod(1, 1, {}));
  JointDef box = make_joint(world, JointKind::kBlackBox, {}, body, {});
  box.black_box = std::make_shared<BlackBox>([](const Pose& X) { return X; });
  const Result<JointHandle> refused = world.create_joint(box);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("black box"), std::string::npos);
  // what would not work is refused when the method is chosen, too
  World other = make_world(0.01);
  const BodyHandle held = add_body(other, make_rod(1, 1, {}));
  box.child = held;
  add_joint(other, box);
  WorldSettings to_force = other.settings();
  to_force.method = Method::kForce;
  EXPECT_FALSE(other.set_settings(to_force).ok());
}

TEST(ForceBadInput, StiffnessBeyondTheLeastStepIsCountedAndDoesNotHang) {
  ForceSettings force;
  force.accuracy = 1e-9;
  force.h_min = 1e-3;
  World world = make_world(1.0 / 60, {.gravity = {}, .method = Method::kForce, .force = force});
  const Slider s = add_slider(world, {.stiffness = 1e6, .motor = {}}, 0.1, 0);
  uint64_t minimum = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    minimum += world.diagnostics().minimum_steps;
  }
  EXPECT_GT(minimum, 0u);
  EXPECT_TRUE(is_finite(world.center_of_mass(s.body)));
}

TEST(ForceBadInput, AMotionThatLeavesAllBoundsIsStoppedAndTheRestGoesOn) {
  World world = make_force_world(1.0 / 60, 1e-6, {});
  BodyDef fast = make_body(1, {1, 1, 1});
  fast.velocity = {9e8, 0, 0};
  const BodyHandle a = add_body(world, fast);
  BodyDef slow = make_body(1, {1, 1, 1});
  slow.velocity = {1, 0, 0};
  const BodyHandle b = add_body(world, slow);
  for (int i = 0; i < 120; ++i) world.step();
  EXPECT_TRUE(world.frozen(a));
  EXPECT_FALSE(world.frozen(b));
  EXPECT_NEAR(world.center_of_mass(b).x, 2, 1e-9);
  EXPECT_EQ(world.diagnostics().frozen_bodies, 1u);
}

TEST(ForceBadInput, JointsThatContradictEachOtherDoNotEndTheRun) {
  World world = make_force_world(1.0 / 60, 1e-6);
  const BodyHandle rod = add_body(world, make_rod(1, 1, {}));
  add_ball(world, {}, rod, {});
  JointDef wrong = make_joint(world, JointKind::kPoint, {}, rod, {{1, 0, 0}, {}});
  wrong.X_BP.p = {1.5, 0, 0};  // half a metre farther than the rod is long
  add_joint(world, wrong);
  for (int i = 0; i < 30; ++i) world.step();
  EXPECT_TRUE(all_finite(world));
  EXPECT_NEAR(world.diagnostics().joint_gap_m, 0.25, 0.05);
}

}  // namespace
}  // namespace tenon::test
