// Bad URDF: an error that names file, line, value and what would be accepted, or a warning.
#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

std::string link(const std::string& name,
                 const std::string& inertia = "ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'",
                 const std::string& mass = "1") {
  return "<link name='" + name + "'><inertial><mass value='" + mass + "'/><inertia " + inertia +
         "/></inertial></link>\n";
}
std::string joint(const std::string& parent, const std::string& child, const std::string& more = "",
                  const std::string& type = "continuous") {
  return "<joint name='" + parent + child + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + more + "</joint>\n";
}

void expect_error(const std::string& inside, const std::string& part) {
  const std::string error = test::urdf_error("<robot name='r'>\n" + inside + "</robot>");
  EXPECT_TRUE(test::has(error, part)) << error;
}

TEST(UrdfErrors, NameThePlaceTheValueAndWhatWouldBeAccepted) {
  expect_error("", "the robot has no link");
  expect_error(link("a") + link("a"), "robot.urdf:3: two links have the same name (got a)");
  expect_error(link("a") + link("b"), "two links have no parent (got a, b; accepted: one root)");
  expect_error(link("a") + joint("a", "bb"), "names a link that is not there");
  expect_error(link("a") + link("b") + joint("a", "b") + joint("b", "a"), "go round in a circle");
  expect_error(link("a") + link("b") + link("c") + joint("a", "c") + joint("b", "c"),
               "has two parents");
  expect_error(link("a") + link("b") + joint("a", "b", "", "rubber"),
               "type is not known (got rubber");
  expect_error(link("a") + link("b") + joint("a", "b", "<axis xyz='0 0 0'/>"), "has no direction");
  expect_error(link("a") + link("b") + joint("a", "b", "<origin xyz='1 2'/>"),
               "accepted: 3 numbers");
  expect_error(link("a") + link("b") + joint("a", "b", "<origin xyz='1 2 nan'/>"),
               "no list of finite numbers");
  expect_error(link("a") + link("b") + joint("a", "b", "<limit lower='2' upper='1'/>", "revolute"),
               "the lower limit is above the upper one (got 2 > 1");
  expect_error(link("a") + link("b") + joint("a", "b", "<mimic joint='none'/>"), "cannot mimic");
  expect_error(link("a", "ixx='1' iyy='1' izz='1'", "-1"), "value is below 0");
  expect_error("<xacro:macro name='m'/>", "xacro");
  expect_error(link("a") + "<link name='b'/>" + joint("a", "b"), "link 'b' moves and has no mass");
  // with the name of the link or joint that it is in
  expect_error(link("a", "ixx='1' iyy='1' izz='1'", "-1"), "link 'a': <mass> value is below 0");
  expect_error(link("a") + link("b") + joint("a", "b", "", "rubber"), "joint 'ab': <joint> type");
  EXPECT_TRUE(test::has(test::urdf_error("<sdf/>"), "this is no URDF (got <sdf>"));
}

TEST(UrdfErrors, CirclesOfMimicsThatContradictThemselvesAreRefused) {
  const auto robot = [](const std::string& of_b, const std::string& of_c) {
    return link("a") + link("b") + link("c") + link("d") +
           joint("a", "b", "<mimic joint='ac' " + of_b + "/>") +
           joint("a", "c", "<mimic joint='ab' " + of_c + "/>") +
           joint("a", "d", "<mimic joint='ab'/>");
  };
  expect_error(robot("multiplier='2'", "multiplier='2' offset='1'"),
               "robot.urdf:6: joints mimic one another in a circle that contradicts itself: ab = 2 "
               "ac, ac = 2 ab + 1 (got ab = 4 ab + 2; accepted: multipliers whose product is 1");
  expect_error(robot("", "offset='1'"), "(got ab = 1 ab + 1");
  const std::string good = "<robot name='r'>" +
                           robot("multiplier='2' offset='1'", "multiplier='.5' offset='-.5'") +
                           "</robot>";
  EXPECT_EQ(test::urdf_error(good), "no error");
}

TEST(UrdfErrors, AbsurdSizesAreRefusedWithTheirPlace) {
  expect_error(
      "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
      "<collision><geometry><box size='1e30 1 1'/></geometry></collision></link>",
      "robot.urdf:2");
  expect_error(
      "<link name='a'><inertial><mass value='1e99'/><inertia ixx='1' iyy='1' "
      "izz='1'/></inertial></link>",
      "robot.urdf:2");
  expect_error(link("a") + link("b") + joint("a", "b", "<origin xyz='1e200 0 0'/>"), "robot.urdf");
}

TEST(UrdfErrors, InertiasThatNoBodyHasAreMendedAndNamed) {
  const auto warn = [](const std::string& inertia, const std::string& shape = "") {
    const std::string text =
        "<robot name='r'>\n<link name='a'>\n<inertial><mass value='2'/><inertia " + inertia +
        "/></inertial>" + shape + "</link></robot>";
    return test::urdf(text);
  };
  const model::Imported flat = warn("ixx='1' iyy='1' izz='3'");
  ASSERT_EQ(flat.report.warnings.size(), 1u);
  const std::string text = tenon::format(flat.report.warnings[0]);
  EXPECT_TRUE(test::has(text, "robot.urdf:3: link 'a': no body has this inertia")) << text;
  EXPECT_TRUE(test::has(text, "principal moments 1, 1, 3; accepted: each principal moment at most"))
      << text;
  EXPECT_NEAR(flat.document.bodies[0].inertia->r0.x, 1.5, 1e-12);
  EXPECT_NEAR(flat.document.bodies[0].inertia->r2.z, 3, 1e-12);
  // a sphere of 2 kg: 2/5 m r^2
  const model::Imported none =
      warn("ixx='0' iyy='0' izz='0'",
           "<collision><geometry><sphere radius='0.5'/></geometry></collision>");
  EXPECT_EQ(none.report.warnings.size(), 1u);
  EXPECT_NEAR(none.document.bodies[0].inertia->r0.x, 0.2, 1e-12);
  expect_error(link("a", "ixx='0' iyy='0' izz='0'"), "no shape says what it could be");
}

TEST(UrdfErrors, MissingMeshesAndTexturesAreNamedWithTheirLine) {
  const std::string text =
      "<robot name='r'>\n<material name='m'>\n<texture filename='wood.png'/></material>\n"
      "<link name='a'><visual><geometry>\n<mesh "
      "filename='package://none/a.stl'/></geometry></visual>\n"
      "</link></robot>";
  const std::string report = format(test::urdf(text).report);
  EXPECT_TRUE(test::has(report, "robot.urdf:3: the texture file is not there (got wood.png"))
      << report;
  EXPECT_TRUE(test::has(report, "robot.urdf:5: link 'a': the mesh file is not there")) << report;
  EXPECT_TRUE(test::has(report, "got package://none/a.stl")) << report;
}

}  // namespace
}  // namespace tenon::scene
