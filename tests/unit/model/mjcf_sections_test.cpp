// Loops, actuators, tendons and contacts of MJCF.
#include <algorithm>

#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

// Crank, coupler and rocker in the x-z plane; `connect` closes the loop.
const char* kFourBar =
    "<mujoco><worldbody>"
    "<body name='crank'><joint name='j1' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 .5' "
    "size='.02'/>"
    "<body name='coupler' pos='0 0 .5'><joint name='j2' axis='0 1 0'/>"
    "<geom type='capsule' fromto='0 0 0 1 0 .5' size='.02'/></body></body>"
    "<body name='rocker' pos='1 0 0'><joint name='j3' axis='0 1 0'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 1' size='.02'/></body></worldbody>"
    "<equality><connect name='close' body1='coupler' body2='rocker' anchor='1 0 .5'/></equality>"
    "<actuator><velocity joint='j1' kv='50'/></actuator>"
    "<keyframe><key name='go' qpos='0 0 0' ctrl='6'/></keyframe></mujoco>";

TEST(MjcfLoops, AFourBarStaysClosed) {
  model::ImportOptions options;
  options.keyframe = "go";
  const model::Imported made = test::mjcf(kFourBar, options);
  EXPECT_EQ(made.report.loops, 1u);
  BuiltScene scene = test::build_scene(made.document);
  double gap = 0, turns = 0;
  while (scene.world.time() < 5) {
    scene.world.step();
    gap = std::max(gap, scene.world.diagnostics().joint_gap_m);
  }
  turns = scene.world.read_joint(test::joint(scene, "j1")).coordinate[3];
  EXPECT_LE(gap, 1e-6);
  EXPECT_GT(turns, 10);  // it went round
}

TEST(MjcfLoops, WeldsHoldAsTheyStandOrAsTheySay) {
  const std::string text =
      "<mujoco><option gravity='0 0 0'/><worldbody><body name='a'><freejoint/><geom "
      "size='.1'/></body>"
      "<body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body></worldbody>"
      "<equality><weld body1='a' body2='b'/></equality></mujoco>";
  BuiltScene scene = test::build_scene(test::mjcf(text).document);
  ASSERT_TRUE(scene.world.set_velocity(scene.handles[0], {0, 1, 0}).ok());
  for (int i = 0; i < 60; ++i) scene.world.step();
  EXPECT_NEAR(norm(scene.world.pose(scene.handles[0]).p - scene.world.pose(scene.handles[1]).p), 1,
              1e-6);
}

TEST(MjcfLoops, JointEqualitiesAreGears) {
  const std::string text =
      "<mujoco><option gravity='0 0 0'/><worldbody><body name='a'><joint name='p'/><geom "
      "size='.1'/></body>"
      "<body name='b' pos='1 0 0'><joint name='q'/><geom size='.1'/></body></worldbody>"
      "<equality><joint joint1='p' joint2='q' polycoef='0 3 0 0 0'/></equality>"
      "<actuator><motor joint='q' gear='.01'/></actuator><keyframe><key name='k' "
      "ctrl='1'/></keyframe></mujoco>";
  model::ImportOptions options;
  options.keyframe = "k";
  BuiltScene scene = test::build_scene(test::mjcf(text, options).document);
  for (int i = 0; i < 60; ++i) scene.world.step();
  const double p = scene.world.read_joint(test::joint(scene, "p")).coordinate[3];
  const double q = scene.world.read_joint(test::joint(scene, "q")).coordinate[3];
  EXPECT_GT(q, 0.02);
  EXPECT_NEAR(p, 3 * q, 1e-6);
}

TEST(MjcfActuators, AreForcesSpringsAndDampers) {
  const std::string begin =
      "<mujoco><worldbody><body name='a'><joint name='j' stiffness='2' springref='90'/>"
      "<geom size='.1'/></body></worldbody><actuator>";
  const auto law = [&](const std::string& actuator) {
    model::ImportOptions options;
    options.keyframe = "k";
    return test::mjcf(begin + actuator +
                          "</actuator><keyframe><key name='k' ctrl='2'/></keyframe></mujoco>",
                      options)
        .document.joints[0]
        .laws[3];
  };
  EXPECT_DOUBLE_EQ(*law("<motor joint='j' gear='3'/>").motor->force, 6);
  EXPECT_DOUBLE_EQ(*law("<motor joint='j' gear='3' ctrlrange='-1 1'/>").motor->force, 3);
  // kp (ctrl - q): a spring beside the joint's own, and a constant force
  const JointLaw position = law("<position joint='j' kp='6' kv='1'/>");
  EXPECT_DOUBLE_EQ(position.spring->stiffness, 8);
  EXPECT_DOUBLE_EQ(position.spring->rest, 2 * kPi / 2 / 8);
  EXPECT_DOUBLE_EQ(position.spring->damping, 1);
  EXPECT_DOUBLE_EQ(*position.motor->force, 12);
  const JointLaw general =
      law("<general joint='j' gainprm='5' biastype='affine' biasprm='1 -2 -3' gear='2'/>");
  EXPECT_DOUBLE_EQ(*general.motor->force, 2 * (5 * 2 + 1));
  EXPECT_DOUBLE_EQ(general.spring->stiffness, 2 + 8);
  EXPECT_DOUBLE_EQ(general.spring->damping, 12);
}

TEST(MjcfTendons, BetweenTwoSitesAreRopesAndSprings) {
  const Document d = test::mjcf(
                         "<mujoco><worldbody><site name='s' pos='0 0 2'/><body name='a' pos='0 0 "
                         "1'><freejoint/><geom size='.1'/>"
                         "<site name='t'/></body></worldbody><tendon><spatial name='rope' range='0 "
                         "1.5'><site site='s'/><site site='t'/>"
                         "</spatial><spatial name='spring' stiffness='5' damping='1'><site "
                         "site='s'/><site site='t'/></spatial></tendon></mujoco>")
                         .document;
  ASSERT_EQ(d.connections.size(), 2u);
  EXPECT_EQ(d.connections[0].type, ConnectionType::kRope);
  EXPECT_EQ(*d.connections[0].length, 1.5);
  EXPECT_EQ(d.connections[1].type, ConnectionType::kShockAbsorber);
  EXPECT_NEAR(*d.connections[1].length, 1, 1e-12);
}

TEST(MjcfContacts, MasksExcludesAndNeighboursAreKept) {
  const Document d =
      test::mjcf(
          "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' contype='1' "
          "conaffinity='1'/>"
          "<body name='a'><freejoint/><geom size='.1'/><body name='b'><joint/><geom "
          "size='.1'/><body name='c'>"
          "<joint/><geom size='.1'/></body></body></body>"
          "<body name='d' pos='3 0 0'><freejoint/><geom size='.1' contype='2' "
          "conaffinity='2'/></body>"
          "<body name='e' pos='6 0 0'><freejoint/><geom size='.1'/></body></worldbody>"
          "<contact><exclude body1='a' body2='e'/></contact></mujoco>")
          .document;
  const auto touch = [&](const char* a, const char* b) {
    return may_collide(d, *find_body(d, a), *find_body(d, b));
  };
  EXPECT_TRUE(touch("a", "floor"));
  EXPECT_FALSE(touch("d", "floor"));
  EXPECT_FALSE(touch("a", "d"));
  EXPECT_FALSE(touch("a", "e"));
  EXPECT_TRUE(touch("a", "c"));
  EXPECT_TRUE(touch("b", "e"));
}

TEST(MjcfContacts, FrictionIsTheLargerOfTwoAndCondimSaysHowMuchOfIt) {
  const Document d =
      test::mjcf(
          "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' friction='.3'/>"
          "<body name='a'><freejoint/><geom size='.1' friction='.7 .1 .01' condim='1' solref='-1e8 "
          "0'/></body></worldbody></mujoco>")
          .document;
  ASSERT_EQ(d.pairs.size(), 1u);
  EXPECT_DOUBLE_EQ(*d.pairs[0].sliding_friction, 0.7);
  EXPECT_DOUBLE_EQ(*d.pairs[0].spinning_friction, 0);  // condim 3
  EXPECT_DOUBLE_EQ(*d.pairs[0].restitution, 0.5);      // one does not bounce, one does fully
}

}  // namespace
}  // namespace tenon::scene
