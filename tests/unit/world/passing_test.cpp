// Bodies with joints do not pass through thin things, however they are driven.
#include "tenon/tests/physics/joints/mechanism_kit.h"
#include "tenon/tests/physics/meshes/mesh_kit.h"
#include "tenon/tests/unit/world/world_fixture.h"

namespace tenon::test {
namespace {

WorldSettings weightless() {
  WorldSettings settings;
  settings.gravity = {};
  return settings;
}

BodyHandle add_post(World& world, const Vec3& position, const Vec3& half) {
  BodyDef def = make_box(position, half);
  def.motion = MotionKind::kStatic;
  return add_body(world, def);
}

// A finger of 0.2 kg, 2 cm thick, on a rail along x that a force pushes.
BodyHandle add_finger(World& world, double x, double force) {
  const Vec3 half{0.01, 0.15, 0.05};
  BodyDef def = make_box({x, 0, 0}, half);
  def.colliders[0].density = 0.2 / (8 * half.x * half.y * half.z);
  const BodyHandle body = add_body(world, def);
  JointDef rail;
  rail.kind = JointKind::kSlider;
  rail.child = body;
  rail.X_BP.p = {x, 0, 0};
  rail.axes[0].motor = {.kind = Motor::Kind::kForce, .target = force};
  EXPECT_TRUE(world.create_joint(rail).ok());
  return body;
}

double x_of(const World& world, BodyHandle body) { return world.pose(body).p.x; }

// From rest they would go 1 to 17 cm in the first step: nothing of it is to be seen in their
// velocities.
TEST(Fingers, ThatForcesPressTogetherMeet) {
  for (const double force : {10.0, 30.0, 100.0}) {
    for (const double gap : {0.002, 0.005, 0.015, 0.04, 0.1, 0.35}) {
      World world = make_world(weightless());
      const double x = 0.01 + 0.5 * gap;
      const BodyHandle left = add_finger(world, -x, force), right = add_finger(world, x, -force);
      for (int i = 0; i < 120; ++i) {
        world.step();
        const double apart = x_of(world, right) - x_of(world, left);
        ASSERT_GT(apart, 0.02 - 2e-3) << force << " N, " << gap << " m, step " << i;
      }
      EXPECT_LT(x_of(world, right) - x_of(world, left), 0.03) << force << " N, " << gap << " m";
    }
  }
}

// What is taken back and made again is nobody else's matter: to the last bit, with and without the
// fingers beside it, an arm falls on a post and a box slides.
TEST(Fingers, DoNotChangeWhatIsElsewhere) {
  const auto run = [](bool fingers) {
    World world = make_world();
    add_post(world, {0, -1.01, 10}, {3, 0.01, 1});
    BodyDef sliding = make_box({1, -0.9, 10}, {0.1, 0.1, 0.1});
    sliding.velocity = {0.5, 0, 0};
    const BodyHandle box = add_body(world, sliding);
    const BodyHandle arm = add_body(world, make_box({0.5, 0, 10}, {0.5, 0.05, 0.05}));
    add_hinge_z(world, {}, arm, {0, 0, 10});
    add_post(world, {0, -0.8, 10}, {0.05, 0.05, 0.2});
    if (fingers) {
      add_finger(world, -0.185, 100);
      add_finger(world, 0.185, -100);
    }
    std::vector<Vec3> places;
    for (int i = 0; i < 60; ++i) {
      world.step();
      places.push_back(world.pose(box).p);
      places.push_back(world.pose(arm).p);
    }
    return places;
  };
  const std::vector<Vec3> alone = run(false), beside = run(true);
  for (size_t i = 0; i < alone.size(); ++i) ASSERT_EQ(alone[i], beside[i]) << "step " << i / 2;
}

// The tip goes up to 1 m in a step and the middle half of that; the post is 2 cm thick.
TEST(Arm, ThatSwingsFastStopsAtAPost) {
  for (const double spin : {20.0, 40.0, 60.0}) {
    World world = make_world(weightless());
    BodyDef def = make_box({0.5, 0, 0}, {0.5, 0.01, 0.01});
    def.angular_velocity = {0, 0, spin};
    def.velocity = {0, 0.5 * spin, 0};
    const JointHandle hinge = add_hinge_z(world, {}, add_body(world, def), {});
    add_post(world, {0, 0.8, 0}, {0.01, 0.1, 0.1});
    // it may come back from the post and round to its other side
    for (int i = 0; i < 120; ++i) {
      world.step();
      const double angle = world.read_joint(hinge).coordinate[3];
      ASSERT_LT(angle, 0.5 * kPi) << spin << " rad/s, step " << i;
      ASSERT_GT(angle, -1.5 * kPi) << spin << " rad/s, step " << i;
    }
  }
}

TEST(Arm, ThatATorqueDrivesFromRestStopsAtAPost) {
  for (const double torque : {20.0, 200.0, 1000.0}) {
    World world = make_world(weightless());
    const BodyHandle arm = add_body(world, make_box({0.5, 0, 0}, {0.5, 0.01, 0.01}));
    JointDef def = make_joint(world, JointKind::kHinge, {}, arm, {{}, axis_along_z()});
    def.axes[3].motor = {.kind = Motor::Kind::kForce, .target = torque};
    const JointHandle hinge = add_joint(world, def);
    add_post(world, {0.8, 0.06, 0}, {0.1, 0.01, 0.1});
    for (int i = 0; i < 120; ++i) {
      world.step();
      const double angle = world.read_joint(hinge).coordinate[3];
      ASSERT_LT(std::fabs(angle), 0.08) << torque << " N m, step " << i;
    }
  }
}

// Falls on a smooth plate, 1 cm thick, and comes back; where it is then.
Vec3 fall_and_bounce(const Shape& shape, const Vec3& spin, bool jointed) {
  World world = make_world();
  const MaterialId smooth =
      *world.add_material({.restitution = 0.5, .static_friction = 0, .sliding_friction = 0});
  BodyDef plate = make_box({0, -0.005, 0}, {20, 0.005, 20});
  plate.motion = MotionKind::kStatic;
  plate.colliders[0].material = smooth;
  add_body(world, plate);
  BodyDef def;
  def.colliders = {{shape, {}, smooth, 1000}};
  def.X_WB = {{0, 0.25, 0}, from_axis_angle({0, 0, 1}, 0.5 * kPi)};  // wheels upright
  def.velocity = {3, -7, 1};
  def.angular_velocity = spin;
  const BodyHandle body = add_body(world, def);
  // a joint that changes nothing: it slides and turns as it likes
  if (jointed) {
    JointDef loose = make_joint(world, JointKind::kSixAxis, {}, body, {});
    loose.axes[0].damping = 1e-12;
    add_joint(world, loose);
  }
  for (int i = 0; i < 12; ++i) world.step();
  return world.pose(body).p;
}

// Without friction nobody can see that it spins.
TEST(Spin, OfBallsAndWheelsDoesNotMatterToWhereTheyHit) {
  for (const bool jointed : {false, true}) {
    for (const double w : {5.0, 100.0, 300.0, 518.0}) {
      const Vec3 still = fall_and_bounce(Sphere{0.04}, {}, jointed);
      EXPECT_GT(still.y, 0.2);
      const Vec3 ball = fall_and_bounce(Sphere{0.04}, {-0.1 * w, 0.2 * w, w}, jointed);
      EXPECT_LT(norm(ball - still), 1e-9) << w;
      const Cylinder wheel{0.06, 0.02};
      const Vec3 rolls = fall_and_bounce(wheel, {w, 0, 0}, jointed);
      EXPECT_LT(norm(rolls - fall_and_bounce(wheel, {}, jointed)), 1e-6) << w;
    }
  }
}

// Equal balls on a line exchange their velocities: who does not look at their names sees each go
// straight on through all others, by a diameter farther at every meeting.
TEST(Row, OfElasticBallsPassesHitsOnWithoutLoss) {
  constexpr double kRadius = 0.05;
  for (const bool jointed : {false, true}) {
    for (const double pitch : {0.1, 0.103, 0.13, 0.2}) {
      World world = make_world(weightless());
      const MaterialId steel =
          *world.add_material({.restitution = 1, .static_friction = 0, .sliding_friction = 0});
      std::vector<BodyHandle> balls;
      for (int i = 0; i < 8; ++i) {
        BodyDef def;
        def.colliders = {{Sphere{kRadius}, {}, steel, 1000}};
        def.X_WB.p = {pitch * i, 0, 0};
        def.velocity = {i < 2 ? 3.0 : 0.0, 0, 0};
        balls.push_back(add_body(world, def));
        if (!jointed) continue;
        JointDef rail =
            make_joint(world, JointKind::kSlider, {}, balls.back(), world.pose(balls.back()));
        add_joint(world, rail);
      }
      for (int step = 1; step <= 60; ++step) {
        world.step();
        std::vector<double> points;
        for (int i = 0; i < 8; ++i) {
          points.push_back((pitch - 2 * kRadius) * i + (i < 2 ? 3.0 * step / 60 : 0));
        }
        std::sort(points.begin(), points.end());
        for (int i = 0; i < 8; ++i) {
          const double x = x_of(world, balls[static_cast<size_t>(i)]) - 2 * kRadius * i;
          ASSERT_NEAR(x, points[static_cast<size_t>(i)], 1e-6)
              << (jointed ? "on rails" : "free") << ", " << pitch << " m, ball " << i << ", step "
              << step;
        }
      }
    }
  }
}

// Parts of steps leave nothing behind that a snapshot would not hold.
TEST(Fingers, GoOnFromASnapshotWithTheSameBits) {
  World world = make_world(weightless());
  add_finger(world, -0.03, 30);
  const BodyHandle right = add_finger(world, 0.03, -30);
  for (int i = 0; i < 3; ++i) world.step();
  World other = make_world(weightless());
  add_finger(other, -0.03, 30);
  add_finger(other, 0.03, -30);
  ASSERT_TRUE(other.load_state(world.save_state()).ok());
  for (int i = 0; i < 60; ++i) {
    world.step();
    other.step();
    ASSERT_EQ(world.state_hash(), other.state_hash()) << i;
  }
  EXPECT_GT(x_of(world, right), 0);
}

// Nothing is driven: what was looked at in the last step must not matter.
TEST(Row, GoesOnFromASnapshotWithTheSameBits) {
  const auto make = [] {
    World world = make_world(weightless());
    const MaterialId steel =
        *world.add_material({.restitution = 1, .static_friction = 0, .sliding_friction = 0});
    for (int i = 0; i < 3; ++i) {
      BodyDef def;
      def.colliders = {{Sphere{0.05}, {}, steel, 1000}};
      def.X_WB.p = {i == 0 ? -3.12 : 0.103 * i, 0, 0};
      def.velocity = {i == 0 ? 3.0 : 0.0, 0, 0};
      const BodyHandle ball = add_body(world, def);
      add_joint(world, make_joint(world, JointKind::kSlider, {}, ball, world.pose(ball)));
    }
    return world;
  };
  for (const int begun : {58, 59, 60, 61, 62}) {
    World world = make(), other = make();
    for (int i = 0; i < begun; ++i) world.step();
    ASSERT_TRUE(other.load_state(world.save_state()).ok());
    for (int i = 0; i < 10; ++i) {
      world.step();
      other.step();
      ASSERT_EQ(world.state_hash(), other.state_hash()) << begun << " + " << i;
    }
  }
}

// Elsewhere something gives way in the same step.
TEST(Fingers, MeetAlsoWhereAJointBreaks) {
  World world = make_world(weightless());
  const BodyHandle left = add_finger(world, -0.06, 100), right = add_finger(world, 0.06, -100);
  const BodyHandle far = add_body(world, make_box({50, 0, 0}));
  JointDef weak = make_joint(world, JointKind::kRigid, {}, far, world.pose(far));
  weak.break_force = 1e-6;
  weak.break_time = 1e-6;
  add_joint(world, weak);
  ASSERT_TRUE(world.apply_force(far, {1000, 0, 0}, {50, 0, 0}).ok());
  for (int i = 0; i < 60; ++i) {
    world.step();
    ASSERT_GT(x_of(world, right) - x_of(world, left), 0.018) << i;
  }
}

// A ring of 0.2 kg upright to the x axis, its wire 4 cm thick, on a rail along x that a force
// pushes.
BodyHandle add_ring(World& world, double x, double force) {
  static const Mesh mesh = to_mesh(torus(0.1, 0.02, 24, 12));
  const double volume = 2 * kPi * kPi * 0.1 * 0.02 * 0.02;
  BodyDef def;
  def.colliders = {{mesh, {}, 0, 0.2 / volume}};
  def.X_WB = {{x, 0, 0}, from_axis_angle({0, 0, 1}, 0.5 * kPi)};
  const BodyHandle body = add_body(world, def);
  JointDef rail = make_joint(world, JointKind::kSlider, {}, body, {{x, 0, 0}, {}});
  rail.axes[0].motor = {.kind = Motor::Kind::kForce, .target = force};
  EXPECT_TRUE(world.create_joint(rail).ok());
  return body;
}

// From rest they would go up to 14 cm in the first step, through a plate of 1 cm.
TEST(Rings, OfTrianglesThatForcesDriveStopAtAPlate) {
  for (const double force : {10.0, 30.0, 100.0}) {
    for (const double gap : {0.002, 0.01, 0.03, 0.06}) {
      World world = make_world(weightless());
      const BodyHandle ring = add_ring(world, -0.025 - gap, force);
      add_post(world, {}, {0.005, 0.3, 0.3});
      for (int i = 0; i < 60; ++i) {
        world.step();
        ASSERT_LT(x_of(world, ring), -0.021) << force << " N, " << gap << " m, step " << i;
      }
      EXPECT_GT(x_of(world, ring), -0.03) << force << " N, " << gap << " m";
    }
  }
}

TEST(Rings, OfTrianglesThatForcesPressTogetherMeet) {
  for (const double force : {30.0, 100.0}) {
    for (const double gap : {0.005, 0.03, 0.08}) {
      World world = make_world(weightless());
      const double x = 0.02 + 0.5 * gap;
      const BodyHandle left = add_ring(world, -x, force), right = add_ring(world, x, -force);
      for (int i = 0; i < 60; ++i) {
        world.step();
        ASSERT_GT(x_of(world, right) - x_of(world, left), 0.036)
            << force << " N, " << gap << " m, step " << i;
      }
      EXPECT_LT(x_of(world, right) - x_of(world, left), 0.05) << force << " N, " << gap << " m";
    }
  }
}

TEST(Rings, OfTrianglesGoOnFromASnapshotWithTheSameBits) {
  const auto make = [] {
    World world = make_world(weightless());
    add_ring(world, -0.06, 100);
    add_post(world, {}, {0.005, 0.3, 0.3});
    return world;
  };
  for (const int begun : {1, 2, 4}) {
    World world = make(), other = make();
    for (int i = 0; i < begun; ++i) world.step();
    ASSERT_TRUE(other.load_state(world.save_state()).ok());
    for (int i = 0; i < 20; ++i) {
      world.step();
      other.step();
      ASSERT_EQ(world.state_hash(), other.state_hash()) << begun << " + " << i;
    }
  }
}

}  // namespace
}  // namespace tenon::test
