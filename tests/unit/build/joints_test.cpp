// Joints of scene documents become the joints they describe.
#include <gtest/gtest.h>

#include "tenon/scene/build/build.h"
#include "tenon/scene/build/force_method_parts.h"
#include "tenon/scene/build/sweep_parts.h"
#include "tenon/scene/document/builder.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

BuildResult build_scene(const Document& document) {
  const LoadResult checked = check_scene(document);
  for (const Error& e : checked.errors) ADD_FAILURE() << format(e);
  return build(checked.flat, {.threads = 1});
}

// Two boxes, the second a quarter turn about z away from the first.
SceneBuilder two_boxes() {
  SceneBuilder s("two");
  s.add(box("a", {1, 1, 1}).at({1, 0, 0}));
  s.add(box("b", {1, 1, 1}).at({3, 0, 0}).turned(from_axis_angle({0, 0, 1}, kPi / 2)));
  return s;
}

JointDef only_def(const SceneBuilder& s) {
  const BuildResult result = build_scene(s.document());
  for (const Error& e : result.errors) ADD_FAILURE() << format(e);
  if (!result.ok() || result.scene[0].joint_handles.empty()) return {};
  return result.scene[0].world.joint_def(result.scene[0].joint_handles.back());
}

TEST(BuildJoints, FramesComeFromTheInitialPoses) {
  const JointDef def = only_def(two_boxes().add(
      hinge("h", "a", "b").at({2, 1, 0}).about({0, 0, 2}, {0, 3, 1}).limited(-1, 2)));
  EXPECT_EQ(def.kind, JointKind::kHinge);
  EXPECT_NEAR(norm(def.X_BP.p - Vec3{1, 1, 0}), 0, 1e-15);
  // b's axes: x_b = y, y_b = -x; the joint is at (-1, 1, 0) from b
  EXPECT_NEAR(norm(def.X_BC.p - Vec3{1, 1, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(rotate(def.X_BP.q, {1, 0, 0}) - Vec3{0, 0, 1}), 0, 1e-15);
  EXPECT_NEAR(norm(rotate(def.X_BP.q, {0, 1, 0}) - Vec3{0, 1, 0}), 0, 1e-15);  // made orthogonal
  EXPECT_NEAR(norm(rotate(def.X_BC.q, {0, 1, 0}) - Vec3{1, 0, 0}), 0, 1e-15);
  EXPECT_EQ(def.axes[3].min, -1);
  EXPECT_EQ(def.axes[3].max, 2);
  EXPECT_EQ(def.axes[0].max, kInfinity);
}

TEST(BuildConnections, HoldTheirBodiesWhereTheySay) {
  // b stands at (3, 0, 0), its x axis along y
  const auto made = [](ConnectionBuilder&& c) { return only_def(two_boxes().add(std::move(c))); };
  JointDef def = made(ConnectionBuilder("c", ConnectionType::kSpring, "a", "b").stiff(10));
  EXPECT_EQ(def.kind, JointKind::kDistance);
  EXPECT_NEAR(norm(def.X_BP.p) + norm(def.X_BC.p), 0, 1e-15);
  EXPECT_NEAR(def.axes[0].rest, 2, 1e-15);
  def = made(ConnectionBuilder("c", ConnectionType::kRope, "b", "world")
                 .at({3, 0.5, 0})
                 .to({3, 4, 0})
                 .of_length(6));
  EXPECT_FALSE(def.parent.valid());
  EXPECT_NEAR(norm(def.X_BP.p - Vec3{3, 4, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(def.X_BC.p - Vec3{0.5, 0, 0}), 0, 1e-15);
  EXPECT_EQ(def.axes[0].max, 6);
  EXPECT_TRUE(def.bodies_collide);
  def = made(ConnectionBuilder("c", ConnectionType::kBall, "a", "b").at({2, 0, 0}));
  EXPECT_EQ(def.kind, JointKind::kPoint);
  EXPECT_NEAR(norm(def.X_BP.p - Vec3{1, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(def.X_BC.p - Vec3{0, 1, 0}), 0, 1e-15);
  def = made(ConnectionBuilder("c", ConnectionType::kRigid, "a", "b")
                 .with(&Connection::point_b, Vec3{0, 0, 1}));
  EXPECT_EQ(def.kind, JointKind::kRigid);
  EXPECT_NEAR(norm(def.X_BP.p - Vec3{2, 0, 1}), 0, 1e-15);
}

TEST(BuildConnections, ThatCannotBeAreRefusedByName) {
  SceneBuilder s = two_boxes();
  s.add(ConnectionBuilder("stick", ConnectionType::kRod, "a", "b").at({2, 0, 0}).to({2, 0, 0}));
  const BuildResult result = build_scene(s.document());
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_NE(format(result.errors[0]).find("connection \"stick\": a rod needs a length"),
            std::string::npos)
      << format(result.errors[0]);
}

TEST(BuildJoints, OnPointMassesThatTheyWouldTurnAreRefusedByName) {
  SceneBuilder s("point");
  s.add(point_mass("bob", 1).at({1, 0, 0}));
  s.add(hinge("swing", "world", "bob").at({0, 0, 0}).about({0, 0, 1}));
  const BuildResult result = build_scene(s.document());
  ASSERT_EQ(result.errors.size(), 1u);
  const std::string text = format(result.errors[0]);
  for (const char* part : {"joint \"swing\"", "the child body \"bob\" is a point mass", "1 m away",
                           "accepted: a body with inertia"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(BuildJoints, PlacesThatAreLeftOutAreTheOriginsOfBodies) {
  JointDef def = only_def(two_boxes().add(hinge("h", "a", "b").about({0, 0, 1})));
  EXPECT_NEAR(norm(def.X_BP.p - Vec3{2, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(def.X_BC.p), 0, 1e-15);
  def = only_def(two_boxes().add(rope("r", "a", "b", 2.5)));
  EXPECT_NEAR(norm(def.X_BP.p) + norm(def.X_BC.p), 0, 1e-15);
  EXPECT_EQ(def.axes[0].max, 2.5);
  def = only_def(
      two_boxes().add(slider("s", "world", "b").at({1, 0, 0}).to({3, 0, 0}).along({1, 0, 0})));
  EXPECT_FALSE(def.parent.valid());
  EXPECT_NEAR(norm(def.X_BP.p - Vec3{1, 0, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(def.X_BC.p), 0, 1e-15);
}

TEST(BuildJoints, AFrameOnOneBodyFixesTheOther) {
  const JointDef def = only_def(
      two_boxes().add(point("p", "a", "b").child_frame({{0, 1, 0}, {}, Vec3{0, 1, 0}, {}})));
  EXPECT_NEAR(norm(def.X_BC.p - Vec3{0, 1, 0}), 0, 1e-15);
  EXPECT_NEAR(norm(def.X_BP.p - Vec3{1, 0, 0}), 0, 1e-15);  // (2, 0, 0) in the world
  EXPECT_NEAR(norm(rotate(def.X_BP.q, {1, 0, 0}) - Vec3{-1, 0, 0}), 0, 1e-15);
}

TEST(BuildJoints, EveryOptionReachesTheEngine) {
  JointDef def = only_def(two_boxes().add(cylindrical("c", "a", "b")
                                              .about({1, 0, 0})
                                              .on(JointAxis::kX)
                                              .limited(-1, 1)
                                              .bouncing(0.5)
                                              .rubbing(3)
                                              .going_to(0.5, 20)
                                              .on(JointAxis::kRx)
                                              .sprung(4, 0.5, 0.1)
                                              .driven(7)
                                              .breaking(100, 50)
                                              .disabled()
                                              .letting_bodies_collide()));
  const JointAxisDef &x = def.axes[0], &rx = def.axes[3];
  EXPECT_EQ(x.restitution, 0.5);
  EXPECT_EQ(x.friction, 3);
  EXPECT_EQ(x.motor.kind, Motor::Kind::kPosition);
  EXPECT_EQ(x.motor.target, 0.5);
  EXPECT_EQ(x.motor.max_force, 20);
  EXPECT_EQ(rx.stiffness, 4);
  EXPECT_EQ(rx.damping, 0.5);
  EXPECT_EQ(rx.rest, 0.1);
  EXPECT_EQ(rx.motor.kind, Motor::Kind::kVelocity);
  EXPECT_EQ(rx.motor.max_force, kInfinity);
  EXPECT_EQ(def.break_force, 100);
  EXPECT_EQ(def.break_torque, 50);
  EXPECT_FALSE(def.enabled);
  EXPECT_TRUE(def.bodies_collide);
  def = only_def(two_boxes().add(screw("s", "world", "b", 0.01).about({0, 1, 0}).pushed(2)));
  EXPECT_EQ(def.pitch, 0.01);
  EXPECT_EQ(def.axes[3].motor.kind, Motor::Kind::kForce);
  def = only_def(two_boxes().add(six_axis("s", "a", "b", {JointAxis::kY, JointAxis::kRz})));
  EXPECT_TRUE(def.locked[1] && def.locked[5] && !def.locked[0]);
  def = only_def(two_boxes().add(point("p", "a", "b").swinging(0.7)));
  EXPECT_EQ(def.swing_max, 0.7);
  Joint box = JointBuilder("k", JointType::kBlackBox, "a", "b").joint();
  box.black_box = ShoulderBox{};
  EXPECT_TRUE(only_def(two_boxes().add(box)).black_box);
}

TEST(BuildJoints, GearsFindTheirJointsAndNamesTheirHandles) {
  SceneBuilder s = two_boxes();
  s.add(gear("g", "wheel", "rack", 2));
  s.add(hinge("wheel", "world", "a").about({0, 0, 1}));
  s.add(slider("rack", "world", "b").along({1, 0, 0}));
  const BuildResult result = build_scene(s.document());
  ASSERT_TRUE(result.ok()) << format(result.errors[0]);
  const BuiltScene& scene = result.scene[0];
  EXPECT_EQ(scene.joint_names, (std::vector<std::string>{"wheel", "rack", "g"}));
  const JointDef& gear = scene.world.joint_def(scene.joint_handles[2]);
  EXPECT_EQ(gear.first, scene.joint_handles[0]);
  EXPECT_EQ(gear.second, scene.joint_handles[1]);
  EXPECT_EQ(gear.first_axis, tenon::JointAxis::kRx);
  EXPECT_EQ(gear.second_axis, tenon::JointAxis::kX);
  EXPECT_EQ(gear.ratio, 2);
}

TEST(BuildJoints, WhatTheEngineRefusesHasThePlaceOfTheJoint) {
  const LoadResult loaded = load_scene(R"({"tenon": 1, "bodies": [
    {"name": "a", "shape": {"type": "sphere", "radius": 1}}], "joints": [
    {"name": "j", "type": "point", "child": "a", "limits": {"ry": [-3, 3]}}]})",
                                       "test.json");
  ASSERT_TRUE(loaded.ok());
  const BuildResult result = build(loaded.flat, {.threads = 1});
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_EQ(result.errors[0].line, 3);
  EXPECT_EQ(result.errors[0].file, "test.json");
  EXPECT_NE(format(result.errors[0]).find("joint \"j\": "), std::string::npos);
}

TEST(BuildJoints, SettingsOfTheSolverReachTheWorld) {
  WorldSettings w;
  w.joint_solver = JointSolver::kSweep;
  w.sweeps = 12;
  const BuildResult swept = build_scene(SceneBuilder().world(w).document());
  ASSERT_TRUE(swept.ok());
  EXPECT_EQ(swept.scene[0].world.settings().joint_solver, tenon::JointSolver::kSweep);
  EXPECT_EQ(swept.scene[0].world.settings().sweeps, 12);
  w.sweep.emplace();
  w.sweep->push_out.on = false;
  w.sweep->joints.in_shock = SweepJointsInShock::kSkipped;
  const BuildResult switched = build_scene(SceneBuilder().world(w).document());
  ASSERT_TRUE(switched.ok());
  const faithful::Settings& s = switched.scene[0].world.settings().faithful;
  EXPECT_FALSE(s.push_out);
  EXPECT_EQ(s.joints_in_shock, faithful::JointsInShock::kSkipped);
  w.sweep.reset();
  w.joint_solver = JointSolver::kDirect;
  w.integration = Integration::kConservative;
  const BuildResult direct = build_scene(SceneBuilder().world(w).document());
  ASSERT_TRUE(direct.ok());
  EXPECT_EQ(direct.scene[0].world.settings().integration, tenon::Integration::kConservative);
}

TEST(BuildJoints, DefaultsOfTheSweepSolverAreTheEngines) {
  EXPECT_TRUE(make_sweep_settings({}) == faithful::Settings{});
}

TEST(BuildWorld, TakesTheMethodAndItsOptions) {
  const ForceSettings theirs, ours = make_force_settings({});
  EXPECT_EQ(ours.accuracy, theirs.accuracy);
  EXPECT_EQ(ours.h_min, theirs.h_min);
  EXPECT_EQ(ours.h_max, theirs.h_max);
  EXPECT_EQ(ours.joints, theirs.joints);
  EXPECT_EQ(ours.baumgarte_alpha, theirs.baumgarte_alpha);
  EXPECT_EQ(ours.baumgarte_beta, theirs.baumgarte_beta);
  EXPECT_EQ(ours.soft_frequency_hz, theirs.soft_frequency_hz);
  EXPECT_EQ(ours.soft_damping_ratio, theirs.soft_damping_ratio);
  EXPECT_EQ(ours.contacts, theirs.contacts);
  EXPECT_EQ(ours.dt_col, theirs.dt_col);
  EXPECT_EQ(ours.v_normal_max, theirs.v_normal_max);
  EXPECT_EQ(ours.v_tangent_max, theirs.v_tangent_max);
  const LoadResult loaded = load_scene(
      R"({"tenon": 1, "world": {"method": "force", "force": {"accuracy": 1e-9, "h_max": "20 ms",
          "joints": "baumgarte", "soft_frequency": "50 Hz"}}, "bodies": []})",
      "test.json");
  ASSERT_TRUE(loaded.errors.empty()) << format(loaded.errors[0]);
  const BuildResult built = build(loaded.flat);
  ASSERT_TRUE(built.ok());
  const tenon::WorldSettings& s = built.scene[0].world.settings();
  EXPECT_EQ(s.method, tenon::Method::kForce);
  EXPECT_EQ(s.force.accuracy, 1e-9);
  EXPECT_EQ(s.force.h_max, 0.02);
  EXPECT_EQ(s.force.joints, tenon::ForceJoints::kBaumgarte);
  EXPECT_EQ(s.force.soft_frequency_hz, 50);
  // bounds that contradict each other are the engine's to refuse, with a name
  const LoadResult odd = load_scene(
      R"({"tenon": 1, "world": {"method": "force", "force": {"h_min": 0.1, "h_max": 0.01}},
          "bodies": []})",
      "test.json");
  const BuildResult refused = build(odd.flat);
  ASSERT_EQ(refused.errors.size(), 1u);
  EXPECT_NE(refused.errors[0].accepted.find("h_min <= h_max"), std::string::npos);
  EXPECT_FALSE(
      load_scene(R"({"tenon": 1, "world": {"force": {"accuracy": 0}}})", "t").errors.empty());
}

// The joints hold: a pendulum built from text swings about its pin.
TEST(BuildJoints, APendulumKeepsItsLength) {
  SceneBuilder s("pendulum");
  s.add(sphere("bob", 0.1).at({1, 0, 0}));
  s.add(hinge("pin", "world", "bob").at({0, 0, 0}).about({0, 0, 1}));
  BuildResult result = build_scene(s.document());
  ASSERT_TRUE(result.ok());
  BuiltScene& scene = result.scene[0];
  for (int k = 0; k < 60; ++k) {
    scene.world.step();
    const Vec3 p = scene.world.pose(scene.handles[0]).p;
    ASSERT_NEAR(norm(p), 1, 1e-6) << k;  // the tolerance of the world
    ASSERT_NEAR(p.z, 0, 1e-9);
  }
  EXPECT_LT(scene.world.pose(scene.handles[0]).p.x, 0);  // on the other side after a second
}

}  // namespace
}  // namespace tenon::scene
