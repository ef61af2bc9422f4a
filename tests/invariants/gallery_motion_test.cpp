// Scenes of the gallery do what their descriptions say.
#include <algorithm>
#include <cmath>

#include "tenon/tests/invariants/gallery_kit.h"

namespace tenon::test {
namespace {

// How far the third block is in front of the joint, at the least, in two seconds.
double nearest_to_joint(const std::vector<std::string>& overrides) {
  scene::BuiltScene s = load_gallery("fig10", overrides);
  const BodyHandle first = find_body(s, "B1"), third = find_body(s, "B3");
  double nearest = kInfinity;
  while (s.world.time() < 2) {
    s.world.step();
    const Pose X = s.world.pose(first);
    const Vec3 joint = X.p + rotate(X.q, {0.5, -0.41, 0});
    nearest = std::min(nearest, s.world.pose(third).p.x - joint.x);
  }
  return nearest;
}

// [Weinstein2006, fig. 10]: the third block, half size 0.2 m, is pushed out on its own side for
// steps up to 1/24 s, but not where joints are mended after the step.
TEST(FigureTen, TheThirdBlockStaysOnItsSideUnlessJointsAreMendedAfterTheStep) {
  const std::string sweep = "world.joint_solver=sweep";
  for (const char* h : {"1/24", "1/30", "1/60", "1/240"}) {
    const std::string step = std::string("world.step=") + h;
    EXPECT_GT(nearest_to_joint({step}), 0.19) << h;
    EXPECT_GT(nearest_to_joint({step, sweep}), 0.19) << h;
  }
  const std::string after = "world.sweep.joints.correction=after_move";
  for (const char* h : {"1/24", "1/30"}) {
    EXPECT_LT(nearest_to_joint({std::string("world.step=") + h, sweep, after}), -1) << h;
  }
}

// The letters of the word, alone: they slide 1.5 m down and are stopped by limits.
TEST(Magnets, ComeToRestWhereTheirLimitsSay) {
  scene::BuiltScene s = load_gallery("magnets", {"arrays[0].for.i=0"});
  // top-heavy letters still tip over to the limits of their turning
  while (s.world.time() < 5) s.world.step();
  for (int i = 0; i < 10; ++i) {
    const BodyHandle letter = find_body(s, "word_" + std::to_string(i) + "/letter");
    const Vec3 p = s.world.pose(letter).p;
    // the tolerance of limits is that of joints, 1e-6 of the body; friction may hold it above
    EXPECT_NEAR(p.y, 1.33, 1e-6) << i;
    EXPECT_NEAR(p.x, 0.15 * (i - 4.5), 0.02) << i;
    EXPECT_LT(norm(s.world.velocity(letter)), 1e-5) << i;
  }
}

// In the air the tank turns against its treads: nothing else takes their angular momentum.
TEST(Tank, TurnsAgainstItsTreadsInTheAir) {
  scene::BuiltScene s =
      load_gallery("tank", {"world.gravity=[0, 0, 0]", "instances[0].position[1]=8 m"});
  while (s.world.time() < 0.5) s.world.step();
  const World& world = s.world;
  Vec3 centre, drift;
  double mass = 0;
  std::vector<BodyHandle> all, treads;
  for (size_t i = 0; i < s.names.size(); ++i) {
    if (s.names[i].rfind("jumper/", 0) != 0) continue;
    const BodyHandle b = s.handles[i];
    all.push_back(b);
    if (s.names[i].find("tread_") != std::string::npos) treads.push_back(b);
    const double m = world.mass(b).mass;
    mass += m;
    centre += m * world.center_of_mass(b);
    drift += m * world.velocity(b);
  }
  ASSERT_EQ(treads.size(), 68u);
  centre = centre / mass;
  drift = drift / mass;
  const Vec3 hull = world.angular_velocity(find_body(s, "jumper/hull"));
  // of bodies that would turn with the hull: their inertia; of the rest: what they have beyond it
  double inertia = 0, running = 0, total = 0;
  for (const BodyHandle b : all) {
    const Vec3 r = world.center_of_mass(b) - centre, v = world.velocity(b) - drift;
    const double m = world.mass(b).mass, own = m * (r.x * r.x + r.y * r.y);
    const double spin = world.angular_momentum(b).z, w = world.angular_velocity(b).z;
    const double I = std::fabs(w) > 1e-9 ? spin / w : 0;
    const double L = m * (r.x * v.y - r.y * v.x) + spin;
    total += L;
    inertia += own + I;
    running += L - hull.z * (own + I);
  }
  EXPECT_LT(running, -30);                 // kg m^2/s: the treads run
  EXPECT_NEAR(total, 0, 0.01 * -running);  // and the tank as a whole does not turn
  EXPECT_NEAR(hull.z, -running / inertia, 0.05 * hull.z);
  EXPECT_GT(hull.z, 0.5);
  EXPECT_LT(world.diagnostics().joint_gap_rel, 1e-6);
}

// The figure walks to the stairs and lies at their foot in the end; its joints hold all the time.
TEST(FigureFromBvh, FollowsIsReleasedAndFallsDownTheStairs) {
  scene::BuiltScene s = load_gallery("figure-from-bvh", {});
  World& world = s.world;
  const BodyHandle hips = find_body(s, "Hips"), head = find_body(s, "Head");
  size_t released = 0;
  while (world.time() < 2 - 1e-9) world.step();
  // the root of the file's walk: 105 units/s along z, at 1.75 m for 171 units
  EXPECT_NEAR(world.pose(hips).p.z, 2 * 105 * 1.75 / 171, 1e-6);
  EXPECT_GT(world.pose(head).p.y, 1.3);
  while (world.time() < 7) {
    world.step();
    for (const Event& e : world.events()) released += e.kind == EventKind::kBodyReleased;
    ASSERT_LE(world.diagnostics().joint_gap_rel, 1e-6) << world.time();  // the tolerance
  }
  EXPECT_EQ(released, 23u);
  EXPECT_LT(world.pose(head).p.y, -0.5);  // the foot of the stairs is at -1.19 m
  for (const BodyHandle body : s.handles) EXPECT_FALSE(world.frozen(body));
}

}  // namespace
}  // namespace tenon::test
