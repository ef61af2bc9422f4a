// Bodies, joints, geoms and defaults of MJCF.
#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

std::string world(const std::string& inside, const std::string& before = "") {
  return "<mujoco model='m'>" + before + "<worldbody>" + inside + "</worldbody></mujoco>";
}

TEST(Mjcf, MassesOfGeomsAreThoseOfTheirShapes) {
  const Document d =
      test::mjcf(
          world("<body name='s'><freejoint/><geom size='0.1'/></body>"
                "<body name='b'><freejoint/><geom type='box' size='.1 .2 .3' mass='6'/></body>"
                "<body name='e'><freejoint/><geom type='ellipsoid' size='.1 .2 .3' "
                "density='500'/></body>"
                "<body name='c'><freejoint/><geom type='capsule' fromto='0 0 0 0 0 1' "
                "size='.1'/></body>"))
          .document;
  EXPECT_NEAR(*find_body(d, "s")->mass, 1000 * 4.0 / 3 * kPi * 1e-3, 1e-9);
  EXPECT_NEAR(find_body(d, "b")->inertia->r0.x, 6.0 / 3 * (0.04 + 0.09), 1e-12);
  const double m = 500 * 4.0 / 3 * kPi * 0.006;
  EXPECT_NEAR(*find_body(d, "e")->mass, m, 1e-9);
  EXPECT_NEAR(find_body(d, "e")->inertia->r2.z, m / 5 * 0.05, 1e-9);
  EXPECT_NEAR(*find_body(d, "c")->mass, 1000 * kPi * 0.01 * (1 + 4.0 / 30), 1e-9);
  EXPECT_NEAR(find_body(d, "c")->center_of_mass->z, 0.5, 1e-12);
}

TEST(Mjcf, OnlyGeomsOfTheGroupsThatCountWeigh) {
  const std::string body =
      "<body name='a'><freejoint/><geom type='box' size='.1 .1 .1' pos='.3 0 0'/>"
      "<geom type='box' size='.1 .1 .1' pos='-.5 0 0' group='3'/></body>";
  const model::Imported some = test::mjcf(world(body, "<compiler inertiagrouprange='0 1'/>"));
  EXPECT_NEAR(*find_body(some.document, "a")->mass, 8, 1e-12);
  EXPECT_NEAR(find_body(some.document, "a")->center_of_mass->x, 0.3, 1e-12);
  EXPECT_EQ(std::get<CompoundShape>(find_body(some.document, "a")->shape).parts.size(), 2u);
  EXPECT_FALSE(test::has(format(some.report), "inertiagrouprange"));
  EXPECT_NEAR(*find_body(test::mjcf(world(body)).document, "a")->mass, 16, 1e-12);
  EXPECT_TRUE(test::has(test::mjcf_error(world(body, "<compiler inertiagrouprange='2 1'/>")),
                        "inertiagrouprange runs backwards (got 2 1"));
}

constexpr const char* kTetrahedron = "vertex='0 0 0 1 0 0 0 1 0 0 0 1'";

TEST(Mjcf, ReferencesOfMeshesMoveTheirPoints) {
  // v -> scale * R^T (v - refpos): a quarter turn back about x takes y to -z and z to y
  const std::string obj =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string reference = " refpos='.1 .2 .3' refquat='1 1 0 0'";
  const std::string meshes[] = {
      std::string("<mesh name='m' ") + kTetrahedron + reference + " scale='2 2 2'/>",
      "<mesh name='m' file='t.obj'" + reference + " scale='2 2 2'/>",
      std::string("<mesh name='m' ") + kTetrahedron + reference + " scale='2 3 4'/>",
      "<mesh name='m' file='t.obj'" + reference + " scale='2 3 4'/>"};
  for (int i = 0; i < 4; ++i) {
    const model::Imported made = test::mjcf(
        world("<body name='a'><freejoint/><geom type='mesh' mesh='m' pos='5 0 0'/></body>",
              "<asset>" + meshes[i] + "</asset>"),
        {}, test::memory({{"t.obj", obj}}));
    const Body* a = find_body(made.document, "a");
    ASSERT_NE(a, nullptr);
    const Vec3 s = i < 2 ? Vec3{2, 2, 2} : Vec3{2, 3, 4};
    const Vec3 centre = Vec3{5, 0, 0} + cwise_mul(s, Vec3{0.25 - 0.1, 0.25 - 0.3, -(0.25 - 0.2)});
    EXPECT_NEAR(norm(*a->center_of_mass - centre), 0, 1e-12) << i;
    EXPECT_NEAR(*a->mass, 1000 * s.x * s.y * s.z / 6, 1e-9) << i;
    EXPECT_FALSE(test::has(format(made.report), "ref")) << format(made.report);
    // those that stand in the model itself
    if (i % 2 == 0) test::build_scene(made.document);
  }
}

TEST(Mjcf, PrimitivesAreFittedToMeshes) {
  // the box with the inertia of a box is that box: its longest side is along z of the geom
  const std::string box =
      "<asset><mesh name='m' vertex='0 0 0 6 0 0 0 2 0 6 2 0 0 0 4 6 0 4 0 2 4 6 2 4'/></asset>";
  const auto part_of = [&](const std::string& geom) {
    const model::Imported made =
        test::mjcf(world("<body name='a'><freejoint/><geom mesh='m' " + geom + "/></body>", box));
    return std::get<CompoundShape>(find_body(made.document, "a")->shape).parts.at(0);
  };
  const Part fitted = part_of("type='box' pos='1 0 0'");
  EXPECT_NEAR(norm(fitted.position - Vec3{4, 1, 2}), 0, 1e-9);
  const Vec3 size = std::get<BoxShape>(fitted.shape).size;
  EXPECT_NEAR(norm(size - Vec3{2, 4, 6}), 0, 1e-9);
  EXPECT_NEAR(std::abs(rotate(fitted.orientation, Vec3{0, 0, 1}).x), 1, 1e-9);
  EXPECT_NEAR(std::get<SphereShape>(part_of("type='sphere'").shape).radius, 2, 1e-9);
  const auto rod = std::get<CylinderShape>(part_of("type='cylinder' fitscale='2'").shape);
  EXPECT_NEAR(rod.radius, 3, 1e-9);
  EXPECT_NEAR(rod.height, 12, 1e-9);
  EXPECT_TRUE(test::has(
      test::mjcf_error(world("<body name='a'><freejoint/><geom type='box' mesh='m'/></body>",
                             "<compiler fitaabb='true'/>" + box)),
      "geoms are not fitted to the bounds of a mesh here (got box; accepted: fitaabb=\"false\""));
}

TEST(Mjcf, OrientationsInAllWaysAreTheSame) {
  // a quarter turn about z
  const char* ways[] = {"quat='1 0 0 1'", "axisangle='0 0 3 90'", "euler='0 0 90'",
                        "xyaxes='0 1 0 -1 0 0'"};
  for (const char* way : ways) {
    const Document d = test::mjcf(world(std::string("<body name='a' pos='1 0 0' ") + way +
                                        "><freejoint/><geom size='.1' pos='1 0 0'/></body>"))
                           .document;
    const Vec3 x = test::z_up(rotate(find_body(d, "a")->orientation, Vec3{1, 0, 0}));
    EXPECT_NEAR(x.y, 1, 1e-12) << way;
  }
  const Document z =
      test::mjcf(world("<body name='a' zaxis='1 0 0'><freejoint/><geom size='.1'/></body>"))
          .document;
  EXPECT_NEAR(test::z_up(rotate(find_body(z, "a")->orientation, Vec3{0, 0, 1})).x, 1, 1e-12);
  // upper case: about fixed axes
  const Document fixed =
      test::mjcf(world("<body name='a' euler='90 0 90'><freejoint/><geom size='.1'/></body>",
                       "<compiler eulerseq='XYZ'/>"))
          .document;
  const Vec3 y = test::z_up(rotate(find_body(fixed, "a")->orientation, Vec3{0, 1, 0}));
  EXPECT_NEAR(y.z, 1, 1e-12);  // y to z by the first, and z stays
}

TEST(Mjcf, DefaultClassesNestAndChildclassHoldsForAllBelow) {
  const Document d =
      test::mjcf(
          "<mujoco><default><geom size='.1'/><default class='big'><geom size='.2' density='10'/>"
          "<default class='bigger'><geom size='.3'/></default></default></default><worldbody>"
          "<body name='a'><freejoint/><geom/></body>"
          "<body name='b' childclass='big'><freejoint/><geom/><body "
          "name='c'><joint/><geom/></body></body>"
          "<body name='d'><freejoint/><geom class='bigger'/></body></worldbody></mujoco>")
          .document;
  const auto radius = [&](const char* name) {
    return std::get<SphereShape>(std::get<CompoundShape>(find_body(d, name)->shape).parts[0].shape)
        .radius;
  };
  EXPECT_EQ(radius("a"), 0.1);
  EXPECT_EQ(radius("b"), 0.2);
  EXPECT_EQ(radius("c"), 0.2);
  EXPECT_EQ(radius("d"), 0.3);
  EXPECT_NEAR(*find_body(d, "d")->mass, 10 * 4.0 / 3 * kPi * 0.027, 1e-9);
}

TEST(Mjcf, CompilerSettingsHold) {
  const char* body =
      "<body name='a' euler='0 0 1.5707963267948966'><joint range='-1 1' ref='0.25' "
      "springref='0.5' "
      "stiffness='2'/><geom size='.1' mass='3'/></body>";
  const Document d =
      test::mjcf(world(body, "<compiler angle='radian' settotalmass='7' boundinertia='1'/>"))
          .document;
  const Joint& joint = d.joints[0];
  EXPECT_DOUBLE_EQ(*joint.laws[3].limits->min, -1.25);
  EXPECT_DOUBLE_EQ(joint.laws[3].spring->rest, 0.25);
  EXPECT_DOUBLE_EQ(*find_body(d, "a")->mass, 7);
  EXPECT_NEAR(find_body(d, "a")->inertia->r0.x, 7.0 / 3, 1e-9);
  const Document off = test::mjcf(world(body, "<compiler autolimits='false'/>")).document;
  EXPECT_FALSE(off.joints[0].laws[3].limits.has_value());
  const Document from = test::mjcf(world("<body name='a'><freejoint/><inertial pos='0 0 0' "
                                         "mass='5' diaginertia='1 1 1'/><geom size='.1'/></body>",
                                         "<compiler inertiafromgeom='true'/>"))
                            .document;
  EXPECT_NEAR(*find_body(from, "a")->mass, 1000 * 4.0 / 3 * kPi * 1e-3, 1e-9);
}

TEST(Mjcf, SeveralJointsOfOneBodyBecomeTheJointsThatTheyAre) {
  const auto type = [](const std::string& joints) {
    const Document d =
        test::mjcf(world("<body name='a'>" + joints + "<geom size='.1'/></body>")).document;
    std::string all;
    for (const Joint& j : d.joints) all += std::to_string(static_cast<int>(j.type)) + " ";
    return all + std::to_string(d.bodies.size());
  };
  const auto word = [](JointType t, int bodies) {
    return std::to_string(static_cast<int>(t)) + " " + std::to_string(bodies);
  };
  EXPECT_EQ(type("<joint type='ball'/>"), word(JointType::kPoint, 1));
  EXPECT_EQ(type("<joint axis='1 0 0'/><joint axis='0 1 0'/>"), word(JointType::kUniversal, 1));
  EXPECT_EQ(type("<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"),
            word(JointType::kSlider2, 1));
  EXPECT_EQ(type("<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/><joint "
                 "axis='0 1 0'/>"),
            word(JointType::kPlanarTwist, 1));
  EXPECT_EQ(type("<joint type='slide'/><joint/>"), word(JointType::kCylindrical, 1));
  // axes that do not meet need a body between them
  EXPECT_EQ(type("<joint axis='1 0 0'/><joint axis='0 1 0' pos='0 0 1'/>"),
            std::to_string(static_cast<int>(JointType::kHinge)) + " " + word(JointType::kHinge, 2));
  EXPECT_EQ(type("<freejoint/>"), "1");
}

// The same state by our joints as by the formula of the model: X = X0 T1(q1) T2(q2) T3(q3).
TEST(Mjcf, CoordinatesOfSeveralJointsAreThoseOfTheModel) {
  model::ImportOptions options;
  options.start = {{"x", 0.3}, {"z", -0.4}, {"y", 0.5}};
  const Document d =
      test::mjcf(world("<body name='a' pos='0 0 1'><joint name='x' axis='1 0 0'/><joint name='z' "
                       "axis='0 0 1'/>"
                       "<joint name='y' axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body>"),
                 options)
          .document;
  const Quat q = from_axis_angle({1, 0, 0}, 0.3) * from_axis_angle({0, 0, 1}, -0.4) *
                 from_axis_angle({0, 1, 0}, 0.5);
  const Vec3 v = test::z_up(rotate(find_body(d, "a")->orientation, Vec3{1, 2, 3}));
  EXPECT_LT(norm(v - rotate(q, Vec3{1, 2, 3})), 1e-12);
  const BuiltScene scene = test::build_scene(d);
  const JointReading both = scene.world.read_joint(test::joint(scene, "x+z"));
  EXPECT_NEAR(both.coordinate[3], 0.3, 1e-12);
  EXPECT_NEAR(both.coordinate[4], -0.4, 1e-12);
  EXPECT_NEAR(scene.world.read_joint(test::joint(scene, "y")).coordinate[3], 0.5, 1e-12);
}

TEST(Mjcf, FramesAndReplicatesStandForThemselves) {
  const Document d = test::mjcf(world("<replicate count='3' offset='1 0 0' euler='0 0 90'><frame "
                                      "pos='0 0 2'><body name='a'><freejoint/>"
                                      "<geom size='.1'/></body></frame></replicate>"))
                         .document;
  ASSERT_EQ(d.bodies.size(), 3u);
  EXPECT_LT(norm(test::z_up(find_body(d, "a0")->position) - Vec3{0, 0, 2}), 1e-12);
  EXPECT_LT(norm(test::z_up(find_body(d, "a1")->position) - Vec3{1, 0, 2}), 1e-12);
  EXPECT_LT(norm(test::z_up(find_body(d, "a2")->position) - Vec3{1, 1, 2}), 1e-12);
}

TEST(Mjcf, IncludesArePutWhereTheyStand) {
  const auto files =
      test::memory({{"parts/arm.xml",
                     "<mujocoinclude><body name='arm'><freejoint/><geom size='.1'/>"
                     "</body><include file='more.xml'/></mujocoinclude>"},
                    {"parts/more.xml", "<x><geom name='floor' type='plane' size='1 1 1'/></x>"}});
  const Document d = test::mjcf(world("<include file='parts/arm.xml'/>"), {}, files).document;
  EXPECT_NE(find_body(d, "arm"), nullptr);
  EXPECT_NE(find_body(d, "floor"), nullptr);
}

TEST(Mjcf, KeyFramesAreStatesToStartFrom) {
  const std::string text =
      "<mujoco><worldbody><body name='f' pos='0 0 1'><freejoint/><geom size='.1'/></body>"
      "<body name='h'><joint name='j' ref='10'/><geom size='.1' pos='1 0 0'/></body></worldbody>"
      "<actuator><motor joint='j' gear='2'/></actuator>"
      "<keyframe><key name='up' qpos='0 0 5 1 0 0 0 0.5' qvel='1 0 0 0 0 0 2' "
      "ctrl='3'/></keyframe></mujoco>";
  model::ImportOptions options;
  options.keyframe = "up";
  const Document d = test::mjcf(text, options).document;
  EXPECT_DOUBLE_EQ(find_body(d, "f")->position.y, 5);
  EXPECT_DOUBLE_EQ(find_body(d, "f")->velocity.x, 1);
  EXPECT_DOUBLE_EQ(*d.joints[0].laws[3].motor->force, 6);
  const BuiltScene scene = test::build_scene(d);
  const JointReading r = scene.world.read_joint(test::joint(scene, "j"));
  EXPECT_NEAR(r.coordinate[3], 0.5 - 10 * kPi / 180, 1e-12);
  EXPECT_NEAR(r.rate[3], 2, 1e-9);
}

}  // namespace
}  // namespace tenon::scene
