// What has come to rest is left alone: it costs nothing, wakes when it must, and nothing else
// changes.
#include <gtest/gtest.h>

#include "tenon/tests/physics/contacts/contact_kit.h"

namespace tenon::test {
namespace {

World make_pile_world(bool sleeping, int threads = 1) {
  return make_world(kFrame, {.threads = threads, .sleeping = sleeping});
}

bool all_asleep(const World& world, const std::vector<BodyHandle>& bodies) {
  return std::all_of(bodies.begin(), bodies.end(), [&](BodyHandle b) { return world.asleep(b); });
}

TEST(Sleeping, BeginsSoonAfterAStackIsAtRest) {
  World world = make_pile_world(true);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  const std::vector<BodyHandle> boxes = add_stack(world, std::vector<double>(5, 10.0), m);
  step_to(world, 3);
  EXPECT_TRUE(all_asleep(world, boxes));
  const Vec3 top = world.center_of_mass(boxes.back());
  // forces go on being there
  EXPECT_NEAR(world.contact_force(boxes[0]).y, 10 * kG, 1e-4 * kG);
  step_to(world, 20);
  EXPECT_EQ(world.center_of_mass(boxes.back()), top);
  EXPECT_EQ(world.diagnostics().sleeping_bodies, 5u);
}

TEST(Sleeping, ChangesNothingThatCanBeSeen) {
  std::vector<Vec3> before[2], after[2];
  for (const bool sleeping : {false, true}) {
    World world = make_pile_world(sleeping);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    add_stack(world, {5, 3, 8, 2}, m);
    const BodyHandle ball = add_solid(world, Sphere{0.2}, 4, {3, 0.2, 0}, m);
    step_to(world, 4);
    for (const BodyHandle b : world.bodies()) before[sleeping].push_back(world.center_of_mass(b));
    EXPECT_TRUE(world.set_velocity(ball, {-2, 0, 0}).ok());  // rolls into the stack
    step_to(world, 10);
    for (const BodyHandle b : world.bodies()) after[sleeping].push_back(world.center_of_mass(b));
  }
  for (size_t i = 0; i < before[0].size(); ++i) {
    // what an awake stack creeps in 4 s; a hit makes it a hundred times larger
    EXPECT_LT(norm(before[0][i] - before[1][i]), 1e-5) << i;
    EXPECT_LT(norm(after[0][i] - after[1][i]), 1e-3) << i;
  }
}

TEST(Sleeping, EndsWhenSomethingComesNear) {
  World world = make_pile_world(true);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  const std::vector<BodyHandle> boxes = add_stack(world, {5, 5, 5}, m);
  const BodyHandle ball = add_solid(world, Sphere{0.2}, 20, {0, 60, 0}, m);
  bool slept = false;
  while (world.center_of_mass(ball).y > 2.5) {
    slept = slept || all_asleep(world, boxes);
    world.step();
  }
  EXPECT_TRUE(slept);
  step_to(world, world.time() + 0.05);
  EXPECT_FALSE(world.asleep(boxes[0]));
  EXPECT_LT(world.diagnostics().penetration_m, 0.02);
}

TEST(Sleeping, EndsWhenTheGroundGoesAway) {
  World world = make_pile_world(true);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  const BodyHandle table = add_solid(world, Box{{1, 0.5, 1}}, 50, {0, 0.5, 0}, m);
  const BodyHandle cup = add_solid(world, Cylinder{0.1, 0.1}, 1, {0, 1.1, 0}, m);
  step_to(world, 3);
  ASSERT_TRUE(world.asleep(cup));
  ASSERT_TRUE(world.remove_body(table).ok());
  step_to(world, 4.5);
  EXPECT_NEAR(world.center_of_mass(cup).y, 0.1, 1e-3);
}

TEST(Sleeping, EndsWhenThePlatformMovesOrAForceActs) {
  World world = make_pile_world(true);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  BodyDef platform;
  platform.motion = MotionKind::kKinematic;
  platform.script.kind = KinematicMotion::Kind::kKeyframes;
  platform.script.interpolation = KinematicMotion::Interpolation::kLinear;
  platform.script.keys = {{0, {{0, -0.1, 0}, {}}}, {4, {{0, -0.1, 0}, {}}}, {6, {{0, 1.9, 0}, {}}}};
  platform.colliders = {{Box{{3, 0.1, 3}}, {}, m, 1000}};
  add_body(world, platform);
  const BodyHandle crate = add_solid(world, Box{{0.25, 0.25, 0.25}}, 5, {0, 0.25, 0}, m);
  const BodyHandle other = add_solid(world, Box{{0.25, 0.25, 0.25}}, 5, {2, 0.25, 0}, m);
  step_to(world, 3.5);
  ASSERT_TRUE(world.asleep(crate));
  step_to(world, 7);
  EXPECT_NEAR(world.center_of_mass(crate).y, 2.25, 1e-3);
  step_to(world, 9);
  ASSERT_TRUE(world.asleep(other));
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(world.apply_wrench(other, {{60, 0, 0}, {}}).ok());
    world.step();
  }
  EXPECT_GT(world.center_of_mass(other).x, 2.3);
  EXPECT_TRUE(world.asleep(crate));  // an island of its own
}

// Bodies that hang still by joints and lean on something sleep with what they lean on.
TEST(Sleeping, IncludesMechanisms) {
  World world = make_pile_world(true);
  const MaterialId m = add_surface(world, {.friction = 0.5});
  add_floor(world, m);
  std::vector<BodyHandle> links;
  for (int i = 0; i < 4; ++i) {
    links.push_back(add_solid(world, Box{{0.2, 0.05, 0.1}}, 1, {0.45 * i, 0.05, 0}, m));
    if (i == 0) continue;
    const Pose at{{0.45 * i - 0.225, 0.05, 0}, axis_along_z()};
    add_joint(world, make_joint(world, JointKind::kHinge, links[size_t(i) - 1], links.back(), at));
  }
  step_to(world, 3);
  EXPECT_TRUE(all_asleep(world, links));
  EXPECT_LT(world.diagnostics().joint_gap_rel, 1e-6);
}

// The middle of a pile at rest, saved and gone on with, and with two threads: the same bits.
// On its edge, hardly beyond balance: slower than many an error of a heap, but it falls. In one
// part and in two, which are solved as islands with joints are.
TEST(Sleeping, IsNotForWhatBeginsToFall) {
  const Vec3 size{0.1, 1, 0.3};
  for (const double parts : {1.0, 2.0}) {
    for (const double beyond : {6e-5, 8e-5, 1e-4, 2e-4}) {
      World world = make_pile_world(true);
      const MaterialId m = add_surface(world, {.friction = 0.6});
      add_floor(world, m);
      const double angle = -atan2(size.x, size.y) - beyond;  // about z, on the edge at the origin
      const Quat turn = exp_map(Vec3{0, 0, angle});
      std::vector<BodyHandle> halves;
      for (double i = 0; i < parts; ++i) {
        const double length = size.y / parts;
        const Vec3 middle = rotate(turn, {-0.5 * size.x, (i + 0.5) * length, 0});
        const Box box{{0.5 * size.x, 0.5 * length, 0.5 * size.z}};
        halves.push_back(add_solid(world, box, 2.5, middle, m, turn));
      }
      if (parts > 1) {
        const Pose at{rotate(turn, {-0.5 * size.x, 0.5 * size.y, 0}), turn};
        add_joint(world, make_joint(world, JointKind::kRigid, halves[0], halves[1], at));
      }
      step_to(world, 12);
      EXPECT_LT(world.center_of_mass(halves.back()).y, 0.1) << parts << " " << beyond;
    }
  }
}

// Capsules in a tray that can move: so many touch that sweeps do not solve them, and all that
// stands on the tray, beyond its wall at x = 0.4, is one island with them.
std::vector<BodyHandle> add_heap_on_tray(World& world) {
  // capsules that roll on one another without resistance would rock for minutes
  const MaterialId rough = add_surface(world, {.friction = 0.5, .rolling = 2e-4});
  BodyDef tray;
  tray.X_WB = {{0, 0, 0}, {}};
  const auto wall = [&](const Vec3& half, const Vec3& p) {
    tray.colliders.push_back({Box{half}, {p, {}}, rough, 2000});
  };
  wall({1.5, 0.05, 0.5}, {0.5, 0.05, 0});
  wall({0.03, 0.4, 0.5}, {-0.4, 0.5, 0});
  wall({0.03, 0.4, 0.5}, {0.4, 0.5, 0});
  wall({0.4, 0.4, 0.03}, {0, 0.5, -0.4});
  wall({0.4, 0.4, 0.03}, {0, 0.5, 0.4});
  add_body(world, tray);
  std::vector<BodyHandle> heap;
  Rng rng(5);
  for (int i = 0; i < 60; ++i) {
    const Vec3 p{0.2 * (i % 3 - 1) + rng.uniform(-0.01, 0.01), 0.25 + 0.11 * (i / 9),
                 0.2 * (i / 3 % 3 - 1) + rng.uniform(-0.01, 0.01)};
    heap.push_back(add_solid(world, Capsule{0.04, 0.06}, 1, p, rough, exp_map(random_vec(rng, 2))));
  }
  return heap;
}

TEST(Sleeping, IncludesHeapsThatSweepsDoNotSolve) {
  for (const double step : {kFrame, 1.0 / 120}) {
    World world = make_world(step, {.sleeping = true});
    const MaterialId m = add_surface(world, {.friction = 0.5});
    add_floor(world, m);
    const std::vector<BodyHandle> heap = add_heap_on_tray(world);
    step_to(world, 10);
    EXPECT_TRUE(all_asleep(world, heap)) << step;
    EXPECT_LT(world.diagnostics().penetration_m, 5e-4) << step;  // a tenth of a fall, and slack
  }
}

// Nor in such a heap: the post falls, and takes nothing for rest on its way.
TEST(Sleeping, IsNotForWhatBeginsToFallInAHeap) {
  const Vec3 size{0.1, 1, 0.3};
  for (const double beyond : {1e-4, 2e-4, 1e-3, 5e-3}) {
    World world = make_pile_world(true);
    const MaterialId m = add_surface(world, {.friction = 0.6});
    add_floor(world, m);
    const std::vector<BodyHandle> heap = add_heap_on_tray(world);
    step_to(world, 6);
    ASSERT_TRUE(all_asleep(world, heap));
    const Quat turn = exp_map(Vec3{0, 0, -atan2(size.x, size.y) - beyond});
    const Vec3 edge{1, 0.1, 0};
    const BodyHandle post = add_solid(
        world, Box{0.5 * size}, 5, edge + rotate(turn, {-0.5 * size.x, 0.5 * size.y, 0}), m, turn);
    step_to(world, 14);
    EXPECT_LT(world.center_of_mass(post).y, 0.25) << beyond;
  }
}

TEST(Sleeping, GoesOnAfterResume) {
  std::vector<std::byte> ends[3];
  for (int run = 0; run < 3; ++run) {
    World world = make_pile_world(true, run == 2 ? 2 : 1);
    const MaterialId m = add_surface(world, {.friction = 0.5});
    add_stack(world, {5, 3, 8, 2}, m);
    add_solid(world, Sphere{0.2}, 4, {0, 90, 0}, m);  // lands after 4.2 s
    step_to(world, 2);
    if (run == 1) {
      const std::vector<std::byte> state = world.save_state();
      step_to(world, 3);
      ASSERT_TRUE(world.load_state(state).ok());
    }
    step_to(world, 5);
    ends[run] = world.save_state();
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

}  // namespace
}  // namespace tenon::test
