// What becomes of a URDF.
#include "tenon/scene/urdf/export_urdf.h"
#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

const char* kInertial =
    "<inertial><origin xyz='0 0 0.5'/><mass value='2'/>"
    "<inertia ixx='0.2' ixy='0' ixz='0' iyy='0.2' iyz='0' izz='0.01'/></inertial>";

std::string link(const std::string& name, const std::string& more = "") {
  return "<link name='" + name + "'>" + kInertial + more + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& more = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + more + "</joint>\n";
}
std::string robot(const std::string& inside) { return "<robot name='r'>\n" + inside + "</robot>"; }

TEST(Urdf, AHingeIsALevelPendulumThatFallsAsItShould) {
  // the centre of mass at (0.5, 0, 0) of a link that turns about y; released at rest and level:
  // theta'' = m g d / (I + m d^2)
  const std::string text = robot("<link name='world'/>" +
                                 std::string("<link name='arm'><inertial><origin xyz='0.5 0 0'/>"
                                             "<mass value='2'/><inertia ixx='0.01' ixy='0' ixz='0' "
                                             "iyy='0.2' iyz='0' izz='0.2'/></inertial>"
                                             "</link>") +
                                 joint("pin", "continuous", "world", "arm", "<axis xyz='0 1 0'/>"));
  const model::Imported made = test::urdf(text);
  EXPECT_EQ(made.document.bodies.size(), 1u);  // the world is no body
  ASSERT_EQ(made.document.joints.size(), 1u);
  EXPECT_EQ(made.document.joints[0].type, JointType::kHinge);
  BuiltScene scene = test::build_scene(made.document);
  tenon::WorldSettings settings = scene.world.settings();
  settings.step = 1e-3;
  ASSERT_TRUE(scene.world.set_settings(settings).ok());
  for (int i = 0; i < 10; ++i) scene.world.step();
  const double theta = scene.world.read_joint(test::joint(scene, "pin")).coordinate[3];
  // about +y, downwards for a positive angle; gravity is constant to 1e-7 over this angle
  EXPECT_NEAR(theta, 0.5 * 2 * 9.81 * 0.5 / (0.2 + 0.5) * 1e-4, 2e-6);
}

TEST(Urdf, FixedLinksWithMassAreHeldAndThoseWithoutArePartsOfTheirParents) {
  const std::string text = robot(link("base") + link("tool") +
                                 "<link name='tip'><visual><geometry><sphere radius='0.1'/>"
                                 "</geometry></visual></link>" +
                                 joint("j1", "fixed", "base", "tool", "<origin xyz='0 0 1'/>") +
                                 joint("j2", "fixed", "tool", "tip", "<origin xyz='0 0 0.25'/>"));
  const model::Imported made = test::urdf(text);
  ASSERT_EQ(made.document.bodies.size(), 2u);
  const auto& parts = std::get<CompoundShape>(made.document.bodies[1].shape).parts;
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].position, (Vec3{0, 0, 0.25}));
  EXPECT_EQ(parts[0].role, PartRole::kVisual);
  EXPECT_TRUE(test::has(format(made.report), "tip into tool, it has no mass"));
  EXPECT_EQ(made.document.joints.size(), 2u);  // one of them holds the base
  model::ImportOptions options;
  options.merge_fixed = true;
  const model::Imported merged = test::urdf(text, options);
  ASSERT_EQ(merged.document.bodies.size(), 1u);
  EXPECT_DOUBLE_EQ(*merged.document.bodies[0].mass, 4);
  EXPECT_DOUBLE_EQ(merged.document.bodies[0].center_of_mass->z, 1);
}

TEST(Urdf, ManyLinksWithoutMassAreSummedUp) {
  std::string text = link("l0");
  const int count = 5000;
  for (int i = 1; i <= count; ++i) {
    const std::string own = std::to_string(i);
    text += "<link name='l" + own + "'/>" +
            joint("j" + own, "fixed", "l" + std::to_string(i - 1), "l" + own,
                  i == 1 ? "" : "<origin xyz='0 0 0.001'/>");
  }
  const model::Imported made = test::urdf(robot(text));
  EXPECT_EQ(made.document.bodies.size(), 1u);
  ASSERT_EQ(made.report.notes.size(), 1u);
  EXPECT_EQ(made.report.notes[0],
            "5000 links without mass are parts of their parents: l1 into l0, l2 into l0, ...");
}

TEST(Urdf, WhatIsSeenNeitherTouchesNorWeighs) {
  const std::string text = robot(link("base",
                                      "<visual><geometry><box size='1 1 1'/></geometry></visual>"
                                      "<collision><origin xyz='0 0 1'/><geometry><cylinder "
                                      "radius='0.2' length='1'/></geometry></collision>"));
  const model::Imported made = test::urdf(text);
  const BuiltScene scene = test::build_scene(made.document);
  const auto& parts = std::get<CompoundShape>(made.document.bodies[0].shape).parts;
  EXPECT_EQ(parts[0].role, PartRole::kVisual);
  EXPECT_EQ(parts[1].role, PartRole::kContact);
  EXPECT_DOUBLE_EQ(scene.world.mass(scene.handles[0]).mass, 2);
}

TEST(Urdf, JointsOfAllTypes) {
  const std::string text =
      robot(link("base") + link("a") + link("b") + link("c") + link("d") + link("e") +
            joint("rev", "revolute", "base", "a",
                  "<axis xyz='0 0 2'/><limit lower='-1' upper='2' effort='5' velocity='1'/>"
                  "<dynamics damping='0.5' friction='0.25'/>") +
            joint("con", "continuous", "a", "b") +
            joint("pri", "prismatic", "b", "c",
                  "<limit lower='0.5' upper='2' effort='5' velocity='1'/>") +
            joint("pla", "planar", "c", "d", "<axis xyz='0 0 1'/>") +
            joint("flo", "floating", "base", "e"));
  const model::Imported made = test::urdf(text);
  const Joint* rev = find_joint(made.document, "rev");
  ASSERT_NE(rev, nullptr);
  EXPECT_EQ(rev->laws[3].limits->min, -1.0);
  EXPECT_EQ(rev->laws[3].spring->damping, 0.5);
  EXPECT_EQ(rev->laws[3].friction, 0.25);
  EXPECT_EQ(find_joint(made.document, "con")->type, JointType::kHinge);
  EXPECT_EQ(find_joint(made.document, "pri")->type, JointType::kSlider);
  EXPECT_EQ(find_joint(made.document, "pla")->type, JointType::kPlanarTwist);
  EXPECT_EQ(find_joint(made.document, "flo"), nullptr);
  // zero is out of reach of the prismatic joint: it starts at its limit
  const BuiltScene scene = test::build_scene(made.document);
  EXPECT_NEAR(scene.world.read_joint(test::joint(scene, "pri")).coordinate[0], 0.5, 1e-12);
  EXPECT_EQ(made.report.freedoms, 6u);
}

TEST(Urdf, MimicJointsAreGeared) {
  const std::string text =
      robot(link("base") + link("a") + link("b") +
            joint("first", "continuous", "base", "a", "<axis xyz='0 0 1'/>") +
            joint("second", "continuous", "base", "b",
                  "<axis xyz='0 0 1'/><mimic joint='first' multiplier='-2' offset='0.25'/>"));
  const model::Imported made = test::urdf(text);
  Document d = made.document;
  for (Joint& joint : d.joints) {
    if (joint.name != "first") continue;
    JointMotor motor;
    motor.velocity = 1;
    joint.laws[3].motor = motor;
  }
  BuiltScene scene = test::build_scene(d);
  for (int i = 0; i < 30; ++i) scene.world.step();
  const double first = scene.world.read_joint(test::joint(scene, "first")).coordinate[3];
  const double second = scene.world.read_joint(test::joint(scene, "second")).coordinate[3];
  EXPECT_NEAR(first, 0.5, 1e-3);
  EXPECT_NEAR(second, -2 * first + 0.25, 1e-6);  // the scene's tolerance
}

TEST(Urdf, TheBaseIsHeldOrFree) {
  const std::string text = robot(link("base"));
  BuiltScene held = test::build_scene(test::urdf(text).document);
  model::ImportOptions options;
  options.base = model::ImportOptions::Base::kFree;
  BuiltScene free = test::build_scene(test::urdf(text, options).document);
  for (int i = 0; i < 30; ++i) {
    held.world.step();
    free.world.step();
  }
  EXPECT_NEAR(held.world.pose(held.handles[0]).p.y, 0, 1e-9);
  EXPECT_LT(free.world.pose(free.handles[0]).p.y, -1);
}

TEST(Urdf, HoldKeepsAnArmWhereItStarts) {
  const std::string text =
      robot(link("base") + link("a") +
            joint("lift", "revolute", "base", "a",
                  "<axis xyz='0 1 0'/><limit lower='-3' upper='3' effort='100' velocity='1'/>"));
  model::ImportOptions options;
  options.hold = true;
  options.start = {{"lift", 1.0}};
  BuiltScene scene = test::build_scene(test::urdf(text, options).document);
  for (int i = 0; i < 120; ++i) scene.world.step();
  EXPECT_NEAR(scene.world.read_joint(test::joint(scene, "lift")).coordinate[3], 1, 0.02);
}

TEST(Urdf, LinksTouchOneAnotherOnlyWhereAskedForAndNotWhereTheyOverlap) {
  const std::string ball = "<collision><geometry><sphere radius='0.3'/></geometry></collision>";
  const std::string text =
      robot(link("a", ball) + link("b", ball) + link("c", ball) + link("d", ball) +
            joint("ab", "fixed", "a", "b", "<origin xyz='1 0 0'/>") +
            joint("bc", "fixed", "b", "c", "<origin xyz='-0.8 0 0'/>") +
            joint("cd", "fixed", "c", "d", "<origin xyz='2 0 0'/>"));
  const auto touch = [](const Document& d, const char* a, const char* b) {
    return may_collide(d, *find_body(d, a), *find_body(d, b));
  };
  EXPECT_FALSE(touch(test::urdf(text).document, "a", "d"));
  model::ImportOptions options;
  options.self_collision = true;
  const Document d = test::urdf(text, options).document;
  EXPECT_TRUE(touch(d, "a", "d"));
  EXPECT_FALSE(touch(d, "a", "c"));  // 0.2 m apart, 0.3 m thick
}

TEST(Urdf, UnknownTagsAndAttributesAreListedWithLineAndCount) {
  const std::string text =
      "<robot name='r' colour='red'>\n" + link("a") + "<gazebo/>\n<gazebo/>\n<strange/>\n</robot>";
  const std::string report = format(test::urdf(text).report);
  EXPECT_TRUE(test::has(report, "<gazebo>, 2 times, first at robot.urdf:3")) << report;
  EXPECT_TRUE(test::has(report, "<strange>, 1 time, first at robot.urdf:5")) << report;
  EXPECT_TRUE(test::has(report, "<robot> colour, 1 time")) << report;
}

TEST(Urdf, FindsFilesOfPackagesInFoldersAbove) {
  const model::Files files = test::memory({{"../../arm/meshes/a.stl", ""}, {"b.stl", ""}});
  EXPECT_EQ(model::find_file(files, "robot.urdf", "package://arm/meshes/a.stl").value_or(""),
            "../../arm/meshes/a.stl");
  EXPECT_EQ(model::find_file(files, "robot.urdf", "package://arm/b.stl").value_or(""), "b.stl");
  EXPECT_FALSE(model::find_file(files, "robot.urdf", "package://arm/c.stl").has_value());
}

// Import, export, import: no bit of the scene changes.
TEST(Urdf, ExportingAndImportingAgainChangesNothing) {
  const std::string text = robot(
      link("base",
           "<visual><origin xyz='0.1 0 0' rpy='0.3 -1.57075 2.5'/><geometry><cylinder radius='0.1' "
           "length='0.4'/></geometry><material name='m'><color rgba='0.1 0.2 0.3 "
           "1'/></material></visual>") +
      link("a", "<collision><geometry><box size='0.1 0.2 0.3'/></geometry></collision>") +
      link("b") + link("c") +
      joint("j1", "revolute", "base", "a",
            "<origin xyz='0 0.1 0.2' rpy='1.57079632679 0 -3.14159265359'/><axis xyz='0 0.6 0.8'/>"
            "<limit lower='-1' upper='2' effort='5' velocity='1'/><dynamics damping='0.5' "
            "friction='0.1'/>") +
      joint("j2", "prismatic", "a", "b",
            "<origin xyz='1 2 3' rpy='-1.57079632679 3.14159265359 0'/><limit lower='-1' upper='1' "
            "effort='1' velocity='1'/>") +
      joint("j3", "continuous", "b", "c",
            "<axis xyz='-1 0 0'/><mimic joint='j1' multiplier='0.5'/>"));
  const Document first = test::urdf(text).document;
  const auto exported = urdf::export_urdf(first);
  ASSERT_TRUE(exported.ok());
  EXPECT_EQ(exported->inexact, 0u);
  const Document second = test::urdf(exported->text).document;
  EXPECT_EQ(save_scene(first), save_scene(second)) << exported->text;
  EXPECT_EQ(urdf::export_urdf(second)->text, exported->text);
}

TEST(Urdf, UnitsAndUprightOfMeshesGoOutAsScaleAndOrigin) {
  Document scene;
  Body body;
  body.name = "part";
  body.mass = 1;
  body.center_of_mass = Vec3{};
  body.inertia = Mat3::identity();
  MeshShape mesh;
  mesh.file = "part.stl";
  mesh.units = LengthUnit::kMillimetre;
  mesh.up = UpAxis::kZ;
  mesh.scale = {2, 2, 2};
  mesh.origin = MeshOrigin::kCenter;
  body.shape = mesh;
  scene.bodies.push_back(body);
  const auto made = urdf::export_urdf(scene);
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(test::has(made->text, "scale=\"0.002 0.002 0.002\"")) << made->text;
  // z of the file is y of the part: turned by -90 degrees about x
  EXPECT_TRUE(test::has(made->text, "rpy=\"-1.57")) << made->text;
  ASSERT_EQ(made->warnings.size(), 1u);
  EXPECT_TRUE(test::has(tenon::format(made->warnings[0]), "does not centre")) << made->text;
}

TEST(Urdf, ALinkThatMovesIsNeverWrittenWithoutMass) {
  Document scene;
  scene.source.name = "scene.json";
  Body body;
  body.name = "part";
  body.mass = 3;
  MeshShape mesh;
  mesh.file = "cube.obj";
  body.shape = mesh;
  scene.bodies.push_back(body);
  const auto without = urdf::export_urdf(scene);
  ASSERT_FALSE(without.ok());
  EXPECT_TRUE(test::has(tenon::format(without.error()), "cube.obj"));
  const std::string cube =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
      "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
  const auto made = urdf::export_urdf(scene, [&](const std::string&) -> Result<FileBytes> {
    return std::make_shared<const std::string>(cube);
  });
  ASSERT_TRUE(made.ok()) << tenon::format(made.error());
  EXPECT_TRUE(test::has(made->text, "<mass value=\"3\"/>")) << made->text;
  const size_t at = made->text.find("ixx=\"");
  ASSERT_NE(at, std::string::npos) << made->text;
  EXPECT_NEAR(std::stod(made->text.substr(at + 5)), 3 * 1.0 / 6, 1e-12);  // m a^2 / 6
}

}  // namespace
}  // namespace tenon::scene
