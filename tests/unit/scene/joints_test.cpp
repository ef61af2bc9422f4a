// Joints in scene files: every option, arrays, prefabs, and what is refused.
#include "tenon/tests/unit/scene/scene_test_help.h"

#include <cmath>

namespace tenon::scene {
namespace {

constexpr const char* kTwo = R"({"name": "a", "shape": {"type": "sphere", "radius": 1}},
  {"name": "b", "shape": {"type": "sphere", "radius": 1}, "position": [2, 0, 0]},
  {"name": "wall", "shape": {"type": "box", "size": [1, 1, 1]}, "motion": "static"})";

std::string with_joints(const std::string& joints) {
  return std::string("{\"tenon\": 1, \"bodies\": [") + kTwo + "],\n\"joints\": [" + joints + "]}";
}

// A joint from a to b with further members.
std::string joint(const std::string& more) {
  return with_joints("{\"name\": \"j\", \"parent\": \"a\", \"child\": \"b\", " + more + "}");
}

Joint load_joint(const std::string& more) {
  const LoadResult result = load_good(joint(more));
  EXPECT_EQ(result.flat.joints.size(), 1u);
  return result.flat.joints.empty() ? Joint{} : result.flat.joints[0];
}

TEST(SceneJoints, AHingeWithEverythingIsReadInSiUnits) {
  const Joint j = load_joint(R"("type": "hinge", "at": ["10 cm", 0, 0], "axis": [0, 0, 2],
    "limits": ["-30 deg", "90 deg"], "restitution": 0.3, "friction": "5 N*cm",
    "motor": {"velocity": "60 rpm", "max": "20 N m"},
    "spring": {"stiffness": "2 N m/deg", "damping": "0.5 N m s/rad", "rest": "10 deg"},
    "break_force": "2 kN", "break_torque": "3 N m", "break_time": "5 ms", "enabled": false,
    "bodies_collide": true)");
  EXPECT_EQ(j.type, JointType::kHinge);
  EXPECT_EQ(j.parent.name, "a");
  EXPECT_EQ(j.child.name, "b");
  EXPECT_EQ(j.at->x, 0.1);
  EXPECT_EQ(*j.axis, (Vec3{0, 0, 2}));
  const JointLaw& rx = j.laws[3];
  EXPECT_NEAR(*rx.limits->min, -M_PI / 6, 1e-15);
  EXPECT_NEAR(*rx.limits->max, M_PI / 2, 1e-15);
  EXPECT_EQ(rx.restitution, 0.3);
  EXPECT_NEAR(rx.friction, 0.05, 1e-17);
  EXPECT_NEAR(*rx.motor->velocity, 2 * M_PI, 1e-14);
  EXPECT_EQ(*rx.motor->max, 20);
  EXPECT_NEAR(rx.spring->stiffness, 360 / M_PI, 1e-12);
  EXPECT_EQ(rx.spring->damping, 0.5);
  EXPECT_NEAR(rx.spring->rest, M_PI / 18, 1e-16);
  EXPECT_EQ(*j.break_force, 2000);
  EXPECT_EQ(*j.break_torque, 3);
  EXPECT_EQ(j.break_time, 0.005);
  EXPECT_FALSE(j.enabled);
  EXPECT_TRUE(j.bodies_collide);
  for (size_t i : {0, 1, 2, 4, 5}) EXPECT_EQ(j.laws[i], JointLaw{}) << i;
}

TEST(SceneJoints, OptionsOfSeveralFreedomsNameTheirAxes) {
  const Joint j = load_joint(R"("type": "cylindrical", "axis": [1, 0, 0],
    "limits": {"x": ["-5 cm", "5 cm"], "rx": [null, "1 rev"]},
    "motor": {"x": {"position": "3 cm", "frequency": "4 Hz", "damping_ratio": 0.7},
              "rx": {"force": "2 N m"}}, "friction": {"x": "3 N"}, "restitution": 0.5)");
  EXPECT_EQ(j.laws[0].limits->max, 0.05);
  EXPECT_FALSE(j.laws[3].limits->min);
  EXPECT_NEAR(*j.laws[3].limits->max, 2 * M_PI, 1e-15);
  EXPECT_EQ(*j.laws[0].motor->position, 0.03);
  EXPECT_EQ(j.laws[0].motor->frequency, 4);
  EXPECT_EQ(j.laws[0].motor->damping_ratio, 0.7);
  EXPECT_EQ(*j.laws[3].motor->force, 2);
  EXPECT_EQ(j.laws[0].friction, 3);
  EXPECT_EQ(j.laws[3].friction, 0);
  EXPECT_EQ(j.laws[0].restitution, 0.5);  // what has no direction holds for both
  EXPECT_EQ(j.laws[3].restitution, 0.5);
  const Joint ball = load_joint(R"("type": "point", "swing": "40 deg", "friction": "1 N m",
    "spring": {"stiffness": "5 N m"})");
  for (size_t i : {3, 4, 5}) EXPECT_EQ(ball.laws[i].friction, 1);
  for (size_t i : {3, 4, 5}) EXPECT_EQ(ball.laws[i].spring->stiffness, 5);
  EXPECT_EQ(ball.laws[0], JointLaw{});
  EXPECT_NEAR(*ball.swing, 40 * M_PI / 180, 1e-15);
}

TEST(SceneJoints, EveryTypeIsRead) {
  const char* cases[] = {
      R"("type": "point")",
      R"("type": "hinge", "axis": [1, 0, 0])",
      R"("type": "twist", "child_frame": {"position": [0, -1, 0], "axis": [0, 1, 0]})",
      R"("type": "rigid")",
      R"("type": "slider", "axis": [0, 1, 0], "to": [0, 1, 0], "at": [0, 0, 0])",
      R"("type": "slider2", "axis": [1, 0, 0], "axis2": [0, 0, 1], "limits": {"y": [0, 1]})",
      R"("type": "slider3", "friction": "2 N")",
      R"("type": "planar_twist", "axis": [0, 0, 1])",
      R"("type": "cylindrical", "axis": [1, 0, 0])",
      R"("type": "universal", "axis": [1, 0, 0], "axis2": [0, 1, 0])",
      R"("type": "ball_in_tube", "axis": [1, 0, 0], "swing": 1)",
      R"("type": "point_on_plane", "axis": [0, 1, 0], "limits": {"z": [-1, 1]})",
      R"("type": "distance", "length": "3 m")",
      R"("type": "distance", "limits": [null, "2 m"])",
      R"("type": "screw", "axis": [0, 1, 0], "pitch": "2 mm/rev", "motor": {"velocity": "1 rpm"})",
      R"("type": "black_box", "black_box": {"type": "spiral_cam", "start_radius": "5 cm",
        "pitch": "2 cm/rev", "turns": 2, "guide": "in_plane"}, "axis": [0, 0, 1])",
      R"("type": "black_box", "black_box": {"type": "shoulder", "about_y": "60 deg"})",
      R"("type": "black_box", "black_box": {"type": "ellipsoid_magnet", "size": [1, 1, 2]})",
      R"("type": "black_box", "black_box": {"type": "torus_magnet", "tube_radius": "5 cm"})",
      R"("type": "six_axis", "locked": ["x", "y", "rz"], "limits": {"ry": [-1, 1]})",
  };
  for (const char* text : cases) {
    const LoadResult once = load_good(joint(text));
    const LoadResult again = load_good(save_scene(once.document));
    EXPECT_EQ(again.document, once.document) << text << save_scene(once.document);
    EXPECT_EQ(again.flat, once.flat) << text;
  }
  // a pitch is a way per turn, however the turn is written
  EXPECT_NEAR(*load_joint(R"("type": "screw", "axis": [0, 1, 0], "pitch": "2 mm/rev")").pitch, 2e-3,
              1e-18);
  EXPECT_EQ(load_joint(R"("type": "screw", "axis": [0, 1, 0], "pitch": "2 mm")").pitch, 2e-3);
}

TEST(SceneJoints, AChainIsOneArrayEntry) {
  const LoadResult result = load_good(R"json({"tenon": 1, "parameters": {"n": 100, "d": "20 cm"},
    "arrays": [{"for": {"i": "n"},
      "bodies": [{"name": "link_{i}", "shape": {"type": "box", "size": [0.18, 0.06, 0.06]},
        "position": ["(i + 0.5)*d", 0, 0]}],
      "joints": [{"name": "pin_{i}", "type": "point", "child": "link_{i}",
        "parent": "{i > 0 ? 'link_{i - 1}' : 'world'}", "at": ["i*d", 0, 0]}]}]})json");
  ASSERT_EQ(result.flat.joints.size(), 100u);
  EXPECT_EQ(result.flat.joints[0].parent.name, "world");
  EXPECT_EQ(result.flat.joints[99].parent.name, "link_98");
  EXPECT_EQ(result.flat.joints[99].child.name, "link_99");
  EXPECT_NEAR(result.flat.joints[99].at->x, 19.8, 1e-14);
}

TEST(SceneJoints, RingsCloseAndNetsHaveTwoIndices) {
  const LoadResult ring = load_good(R"json({"tenon": 1, "parameters": {"n": 6}, "arrays": [{
    "for": {"i": "n"}, "bodies": [{"name": "b{i}", "shape": {"type": "sphere", "radius": 1}}],
    "joints": [{"name": "j{i}", "type": "point", "parent": "b{(i - 1) % n}", "child": "b{i}"}]}]})json");
  ASSERT_EQ(ring.flat.joints.size(), 6u);
  EXPECT_EQ(ring.flat.joints[0].parent.name, "b5");
  const LoadResult net = load_good(R"json({"tenon": 1, "parameters": {"n": 4}, "arrays": [
    {"for": {"i": "n", "j": "n"}, "bodies": [
      {"name": "k_{i}_{j}", "shape": {"type": "sphere", "radius": 1}, "position": ["i", 0, "j"]}]},
    {"for": {"i": "n - 1", "j": "n"}, "joints": [
      {"name": "x_{i}_{j}", "type": "distance", "parent": "k_{i}_{j}", "child": "k_{i + 1}_{j}"},
      {"name": "z_{i}_{j}", "type": "distance", "parent": "k_{j}_{i}", "child": "k_{j}_{i + 1}"}]}]})json");
  EXPECT_EQ(net.flat.joints.size(), 24u);
  EXPECT_EQ(find_joint(net.flat, "z_2_3")->child.name, "k_3_3");
}

TEST(SceneJoints, InstancesTakeTheirJointsAlong) {
  const LoadResult result = load_good(R"json({"tenon": 1,
    "prefabs": {
      "door": {"bodies": [{"name": "leaf", "shape": {"type": "box", "size": [1, 2, 0.1]}}],
        "joints": [
          {"name": "upper", "type": "hinge", "parent": "frame", "child": "leaf", "at": [-0.5, 1, 0],
           "axis": [0, 1, 0]},
          {"name": "stop", "type": "hinge", "parent": "world", "child": "leaf",
           "parent_frame": {"position": [1, 0, 0], "axis": [1, 0, 0]},
           "child_frame": {"position": [0.5, 0, 0]}, "enabled": false},
          {"name": "lock", "type": "rigid", "child": "leaf"},
          {"name": "both", "type": "gear", "first": "upper", "second": "stop", "ratio": -2}]},
      "house": {"bodies": [{"name": "frame", "shape": {"type": "box", "size": [9, 9, 1]}}],
        "instances": [{"prefab": "door", "name": "front", "position": [0, 0, 3]}]}},
    "instances": [{"prefab": "house", "name": "home", "position": [0, 5, 0],
      "orientation": {"axis": [0, 1, 0], "angle": "90 deg"}}]})json");
  ASSERT_EQ(result.flat.joints.size(), 4u);
  const Joint& upper = result.flat.joints[0];
  EXPECT_EQ(upper.name, "home/front/upper");
  EXPECT_EQ(upper.parent.name, "home/frame");  // found outside the door
  EXPECT_EQ(upper.child.name, "home/front/leaf");
  // a quarter turn about y takes (x, z) to (z, -x)
  EXPECT_NEAR(norm(*upper.at - Vec3{3, 6, 0.5}), 0, 1e-15);
  EXPECT_NEAR(norm(*upper.axis - Vec3{0, 1, 0}), 0, 1e-15);
  const Joint& stop = result.flat.joints[1];
  EXPECT_NEAR(norm(stop.parent_frame->position - Vec3{3, 5, -1}), 0, 1e-15);
  EXPECT_NEAR(norm(*stop.parent_frame->axis - Vec3{0, 0, -1}), 0, 1e-15);
  EXPECT_EQ(stop.child_frame->position.x, 0.5);
  // axes nobody gave are the instance's
  EXPECT_NEAR(norm(*result.flat.joints[2].axis - Vec3{0, 0, -1}), 0, 1e-15);
  const Joint& gear = result.flat.joints[3];
  EXPECT_EQ(gear.first.name, "home/front/upper");
  EXPECT_EQ(gear.first_axis, JointAxis::kRx);
  EXPECT_EQ(gear.ratio, -2);
  EXPECT_EQ(load_good(save_scene(result.flat)).flat, result.flat);
}

TEST(SceneJoints, GearsMayStandBeforeTheirJointsAndComeLast) {
  const LoadResult result = load(with_joints(R"(
    {"name": "g", "type": "gear", "first": "rack", "second": "wheel", "ratio": "-5 cm/rad"},
    {"name": "rack", "type": "slider", "child": "a", "axis": [1, 0, 0]},
    {"name": "wheel", "type": "cylindrical", "child": "b", "axis": [0, 0, 1]},
    {"name": "h", "type": "gear", "first": "wheel", "first_axis": "x", "second": "wheel",
     "second_axis": "rx", "ratio": "3 mm"})"));
  // the first gear does not say which freedom of the cylinder it means
  EXPECT_FALSE(result.ok());
  const LoadResult good = load_good(with_joints(R"(
    {"name": "g", "type": "gear", "first": "rack", "second": "wheel", "ratio": "-5 cm/rad"},
    {"name": "rack", "type": "slider", "child": "a", "axis": [1, 0, 0]},
    {"name": "wheel", "type": "hinge", "child": "b", "axis": [0, 0, 1]})"));
  EXPECT_EQ(good.flat.joints[2].name, "g");
  EXPECT_EQ(good.flat.joints[2].first_axis, JointAxis::kX);
  EXPECT_EQ(good.flat.joints[2].ratio, -0.05);
  EXPECT_EQ(good.document.joints[0].name, "g");
}

TEST(SceneJoints, WorldSettingsOfTheSolverAreRead) {
  const WorldSettings w = load_good(R"({"tenon": 1, "world": {"joint_solver": "sweep",
    "integration": "rattle", "sweeps": 15, "budget": "4 ms"}})")
                              .flat.world;
  EXPECT_EQ(w.joint_solver, JointSolver::kSweep);
  EXPECT_EQ(w.integration, Integration::kRattle);
  EXPECT_EQ(w.sweeps, 15);
  EXPECT_EQ(w.budget, 0.004);
  expect_error(R"({"tenon": 1, "world": {"joint_solver": "swep"}})", 1, 40, "did you mean 'sweep'");
}

TEST(SceneJoints, OptionsOfTheSweepSolverAreRead) {
  const WorldSettings w = load_good(R"({"tenon": 1, "world": {"joint_solver": "sweep", "sweep": {
    "free_rotation": false, "collisions": {"pair_rounds": 3}, "contacts": {"ramp": false},
    "joints": {"correction": "after_move", "final_sweep": "kept"}}}})")
                              .flat.world;
  ASSERT_TRUE(w.sweep);
  SweepSettings expected;
  expected.free_rotation = false;
  expected.collisions.pair_rounds = 3;
  expected.contacts.ramp = false;
  expected.joints.correction = SweepJointCorrection::kAfterMove;
  expected.joints.final_sweep = SweepFinalJoints::kKept;
  EXPECT_EQ(*w.sweep, expected);
  EXPECT_FALSE(load_good(R"({"tenon": 1})").flat.world.sweep);
}

TEST(SceneJoints, MistakesInOptionsOfTheSweepSolverHaveAPlace) {
  const auto scene = [](const std::string& sweep) {
    return R"({"tenon": 1, "world": {"joint_solver": "sweep", "sweep": )" + sweep + "}}";
  };
  expect_error(scene(R"({"shok": {}})"), 1, 59, "did you mean 'shock'");
  expect_error(scene(R"({"shock": {"pair_rounds": -1}})"), 1, 84, "pair_rounds");
  expect_error(scene(R"({"shock": {"sweeps": 1.5}})"), 1, 79, "sweeps");
  expect_error(scene(R"({"shock": false})"), 1, 68, "must be an object");
  expect_error(scene(R"({"joints": {"correction": "after"}})"), 1, 84, "before_move, after_move");
  expect_error(scene(R"({"contacts": {"sweeps": 3}})"), 1, 72, "sweeps");
  // never ignored
  expect_error(R"({"tenon": 1, "world": {"sweep": {"shock": {"on": false}}}})", 1, 33,
               "only the joint solver 'sweep'");
}

TEST(SceneJoints, OverridesReachThem) {
  LoadOptions options;
  options.overrides = {"joints.j.limits=[0, \"20 deg\"]", "joints[0].axis[2]=5"};
  const LoadResult result =
      load_good(joint(R"("type": "hinge", "axis": [0, 0, 1], "limits": [0, 1])"), options);
  EXPECT_NEAR(*result.flat.joints[0].laws[3].limits->max, M_PI / 9, 1e-15);
  EXPECT_EQ(result.flat.joints[0].axis->z, 5);
}

}  // namespace
}  // namespace tenon::scene
