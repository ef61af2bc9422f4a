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

// What a servo on a hinge of the inertia 1 kg m^2 is here.
struct Servo {
  JointLaw law;
  model::Report report;
};
Servo read_servo(const std::string& actuators, const std::string& joint = "") {
  model::ImportOptions options;
  options.keyframe = "k";
  model::Imported made = test::mjcf(
      "<mujoco><option gravity='0 0 0'/><worldbody><body name='a'><joint name='j' " + joint +
          "/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><geom size='.1'/></body>"
          "</worldbody><actuator>" +
          actuators + "</actuator><keyframe><key name='k' ctrl='10'/></keyframe></mujoco>",
      options);
  return {made.document.joints[0].laws[3], made.report};
}

std::string not_honoured(const model::Report& report) {
  std::string all;
  for (const model::Ignored& i : report.ignored) all += i.what + ": " + i.reason + "\n";
  for (const std::string& note : report.notes) all += note + "\n";
  return all.find("NOT HONOURED") == std::string::npos ? "" : all;
}

TEST(MjcfActuators, AServoForASpeedThatHasABoundIsAMotorWithThatBound) {
  for (const char* text : {"<velocity joint='j' kv='100' forcerange='-1 1' forcelimited='true'/>",
                           "<velocity joint='j' kv='100' forcerange='-1 1'/>",
                           "<general joint='j' biastype='affine' gainprm='100' biasprm='0 0 -100' "
                           "forcerange='-1 1'/>"}) {
    const Servo servo = read_servo(text);
    ASSERT_TRUE(servo.law.motor.has_value()) << text;
    EXPECT_EQ(servo.law.motor->velocity, 10) << text;
    EXPECT_EQ(servo.law.motor->max, 1) << text;
    EXPECT_FALSE(servo.law.motor->force) << text;
    EXPECT_FALSE(servo.law.spring) << text;
    EXPECT_TRUE(servo.report.ignored.empty()) << servo.report.ignored[0].what;
  }
  // F = gear clamp(...), and the speed of the actuator is gear times that of the joint
  const Servo geared =
      read_servo("<velocity joint='j' gear='-2' kv='100' ctrlrange='-4 4' forcerange='-3 3'/>");
  EXPECT_EQ(geared.law.motor->velocity, -2);
  EXPECT_EQ(geared.law.motor->max, 6);
  // switched off, there is none: a damper and a force, as exactly as MuJoCo has it
  const Servo free =
      read_servo("<velocity joint='j' kv='100' forcerange='-1 1' forcelimited='false'/>");
  EXPECT_EQ(free.law.spring->damping, 100);
  EXPECT_EQ(free.law.motor->force, 1000);
  EXPECT_TRUE(free.report.ignored.empty());
}

TEST(MjcfActuators, ABoundThatCannotBeHonouredIsListedAsSuch) {
  EXPECT_EQ(read_servo("<motor joint='j' gear='2' forcerange='-3 3'/>").law.motor->force, 6);
  EXPECT_EQ(not_honoured(read_servo("<motor joint='j' forcerange='-3 3'/>").report), "");
  for (const char* text :
       {"<position joint='j' kp='5' forcerange='-1 1'/>",
        "<velocity joint='j' kv='.01' forcerange='-1 1'/>",  // a soft damper, no motor
        "<velocity joint='j' kv='100' forcerange='-1 .5'/>",
        "<motor joint='j'/><velocity joint='j' kv='100' forcerange='-1 1'/>"
        "<motor joint='j' gear='3' ctrlrange='1 2'/>",
        "<motor joint='j'/><velocity joint='j' kv='100' forcerange='-1 1'/>"}) {
    EXPECT_NE(not_honoured(read_servo(text).report), "") << text;
  }
}

TEST(MjcfActuators, TheSpringOfAServoIsAtRestWhereQposIsZero) {
  const Servo servo = read_servo("<position joint='j' kp='5'/>", "ref='90'");
  EXPECT_DOUBLE_EQ(servo.law.spring->rest, -kPi / 2);  // our zero is where the model stands
  EXPECT_DOUBLE_EQ(*servo.law.motor->force, 50);
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

TEST(MjcfFloor, IsNotAddedBelowAModelThatHasOne) {
  model::ImportOptions options;
  options.floor = true;
  const std::string ball = "<body pos='0 0 1'><freejoint/><geom size='.1'/></body>";
  const auto planes = [&](const std::string& world, model::Report& report) {
    const model::Imported made =
        test::mjcf("<mujoco><worldbody>" + world + ball + "</worldbody></mujoco>", options);
    report = made.report;
    size_t count = 0;
    for (const Body& body : made.document.bodies)
      count += std::holds_alternative<PlaneShape>(body.shape) ? 1 : 0;
    return count;
  };
  model::Report report;
  EXPECT_EQ(planes("", report), 1u);
  EXPECT_TRUE(report.notes.empty());
  EXPECT_EQ(planes("<geom name='ground' type='plane' size='1 1 1'/>", report), 1u);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_EQ(report.notes[0], "no floor was added: the model has one, 'ground'");
  // a wall is none
  EXPECT_EQ(planes("<geom type='plane' size='1 1 1' zaxis='1 0 0'/>", report), 2u);
}

}  // namespace
}  // namespace tenon::scene
