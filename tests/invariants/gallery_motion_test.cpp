// Scenes of the gallery do what their descriptions say.
#include <algorithm>
#include <cmath>

#include "tenon/tests/effort.h"
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

// In how many of two seconds' 120 steps something goes farther than any velocity at either end
// says.
int count_steps_without_velocity(scene::BuiltScene& s) {
  const double h = 1.0 / 60, unseen = 1e-3;  // m/s
  const double end = s.world.time() + 2;
  int without = 0;
  while (s.world.time() < end - 0.5 * h) {
    double way = 0, speed = 0;
    std::vector<Vec3> before;
    for (const BodyHandle body : s.handles) {
      before.push_back(s.world.center_of_mass(body));
      speed = std::max(speed, norm(s.world.velocity(body)));
    }
    s.world.step();
    for (size_t i = 0; i < s.handles.size(); ++i) {
      way = std::max(way, norm(s.world.center_of_mass(s.handles[i]) - before[i]));
      speed = std::max(speed, norm(s.world.velocity(s.handles[i])));
    }
    if (way / h > speed + unseen) ++without;
  }
  return without;
}

// A heap on a bridge that swings out: what one pair gains by coming apart does not stop all others,
// which would sink on at a millimetre a second without a velocity. So what goes somewhere has a
// velocity at one end of the step, and at last nothing goes anywhere. Heaps differ by chance (of
// twelve, between 1 and 42 steps of the 120 are without a velocity, 8 in the middle), and in some a
// block tips late: the middle of eight that begin a tenth of a micrometre apart.
TEST(Bridge, ComesToRestByItsVelocities) {
  const int heaps = effort(8, 1);
  int at_rest = 0;
  std::vector<int> without;
  for (int k = 0; k < heaps; ++k) {
    scene::BuiltScene s = load_gallery("bridge", {});
    Pose pose = s.world.pose(s.handles.back());
    pose.p.x += 1e-7 * k;
    ASSERT_TRUE(s.world.set_pose(s.handles.back(), pose).ok());
    while (s.world.time() < 6) s.world.step();
    without.push_back(count_steps_without_velocity(s));
    while (s.world.time() < 15) s.world.step();
    double fastest = 0;
    for (const BodyHandle body : s.handles) {
      fastest = std::max(fastest, norm(s.world.velocity(body)));
    }
    EXPECT_LT(fastest, 1e-2) << k;
    if (fastest < 1e-4) ++at_rest;
  }
  std::sort(without.begin(), without.end());
  // of 120: overlaps may be taken apart by places; one heap alone may have twice as many
  EXPECT_LT(without[without.size() / 2], effort(20, 60));
  EXPECT_GE(at_rest, effort(4, 0));
}

// What the film of ./run shows: balls from the trough onto the bridge, dominoes, the glass ball.
TEST(Showpiece, DoesWhatItsDescriptionSays) {
  scene::BuiltScene s = load_gallery("showpiece", {});
  const Vec3 glass = s.world.pose(find_body(s, "big glass")).p;
  double gap = 0;
  while (s.world.time() < 3.5) {
    s.world.step();
    gap = std::max(gap, s.world.diagnostics().joint_gap_rel);
  }
  EXPECT_LT(gap, 1e-6) << "the tolerance of joints";
  int on_bridge = 0;
  for (int i = 0; i < 12; ++i) {
    const Vec3 p = s.world.pose(find_body(s, "ball_" + std::to_string(i))).p;
    EXPECT_LT(p.y, 1.0) << "out of the trough, ball " << i;
    on_bridge += p.y > 0.4 && std::fabs(p.x) < 1;
  }
  EXPECT_GE(on_bridge, 6);
  for (const char* domino : {"domino_0", "domino_15", "domino_29"})
    EXPECT_LT(s.world.pose(find_body(s, domino)).p.y, 0.07) << domino;  // 8.5 cm standing
  EXPECT_GT(norm(s.world.pose(find_body(s, "big glass")).p - glass), 0.05);
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

// How high the head is in the end.
double walk_and_fall(const char* step) {
  scene::BuiltScene s = load_gallery("figure-from-bvh", {std::string("world.step=") + step});
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
    EXPECT_LE(world.diagnostics().joint_gap_rel, 1e-6) << world.time();  // the tolerance
  }
  EXPECT_EQ(released, 23u);
  for (const BodyHandle body : s.handles) EXPECT_FALSE(world.frozen(body));
  return world.pose(head).p.y;
}

// The figure walks to the stairs and falls down; its joints hold all the time. How far it gets is
// chance (-0.4 to -1.1 m for steps that differ by a hundredth; the foot of the stairs is at -1.19
// m), so the mean of several falls counts.
TEST(FigureFromBvh, FollowsIsReleasedAndFallsDownTheStairs) {
  std::vector<const char*> steps{"1/60", "1/120", "1/110", "1/100", "1/130", "1/90"};
  if (kShortTests) steps.resize(1);
  double sum = 0;
  for (const char* step : steps) {
    const double head = walk_and_fall(step);
    EXPECT_LT(head, -0.2) << step;  // on the stairs, no longer at their top
    sum += head;
  }
  if (kShortTests) return;
  EXPECT_LT(sum / static_cast<double>(steps.size()), -0.6);
}

}  // namespace
}  // namespace tenon::test
