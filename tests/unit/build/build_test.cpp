// Scene documents become the worlds they describe.
#include "tenon/scene/build/build.h"

#include <gtest/gtest.h>

#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

BuildResult build_text(const std::string& text) {
  const LoadResult loaded = load_scene(text, "test.json");
  for (const Error& e : loaded.errors) ADD_FAILURE() << format(e);
  return build(loaded.flat, {.threads = 1});
}

// The world of a scene whose bodies are given as the inside of a JSON list.
BuiltScene build_bodies(const std::string& bodies, const std::string& more = "") {
  BuildResult result = build_text("{\"tenon\": 1, " + more + "\"bodies\": [" + bodies + "]}");
  for (const Error& e : result.errors) ADD_FAILURE() << format(e);
  EXPECT_TRUE(result.ok());
  return std::move(result.scene.front());
}

const BodyMass& mass_of(const BuiltScene& scene, size_t i) {
  return scene.world.mass(scene.handles[i]);
}

TEST(BuildMass, ComesFromMaterialDensityOrTheOverrides) {
  const BuiltScene s = build_bodies(R"(
    {"name": "by material", "shape": {"type": "box", "size": [1, 2, 3]}, "material": "wood"},
    {"name": "by density", "shape": {"type": "box", "size": [1, 2, 3]}, "density": 10},
    {"name": "by mass", "shape": {"type": "box", "size": [1, 2, 3]}, "mass": 12},
    {"name": "by inertia", "shape": {"type": "sphere", "radius": 1}, "mass": 2,
     "inertia": [3, 4, 5], "center_of_mass": [0.1, 0, 0]},
    {"name": "point", "shape": {"type": "point_mass"}, "mass": 7})");
  EXPECT_DOUBLE_EQ(mass_of(s, 0).mass, 6 * 700);
  EXPECT_DOUBLE_EQ(mass_of(s, 1).mass, 60);
  EXPECT_DOUBLE_EQ(mass_of(s, 2).mass, 12);
  EXPECT_NEAR(mass_of(s, 2).I_B(0, 0), 12.0 / 12 * (4 + 9), 1e-12);
  EXPECT_EQ(mass_of(s, 3).I_B, Mat3::diagonal({3, 4, 5}));
  EXPECT_EQ(mass_of(s, 3).com_B, (Vec3{0.1, 0, 0}));
  EXPECT_EQ(mass_of(s, 4).mass, 7);
  EXPECT_EQ(mass_of(s, 4).I_B, Mat3{});
}

TEST(BuildMass, OfACompoundAddsUpItsParts) {
  const BuiltScene s = build_bodies(R"(
    {"name": "hammer", "material": "wood", "shape": {"type": "compound", "parts": [
       {"shape": {"type": "cylinder", "radius": 0.02, "height": 0.3}},
       {"shape": {"type": "box", "size": [0.12, 0.04, 0.04]}, "material": "iron",
        "position": [0, 0.15, 0]},
       {"shape": {"type": "point_mass"}, "mass": 0.1, "position": [0, -0.15, 0]}]}})");
  const MassProperties handle = calc_mass_properties(tenon::Cylinder{0.02, 0.15}, 700);
  const MassProperties head = calc_mass_properties(tenon::Box{{0.06, 0.02, 0.02}}, 7870);
  const MassProperties parts[] = {handle,
                                  transformed(Transform{Mat3::identity(), {0, 0.15, 0}}, head),
                                  point_mass(0.1, {0, -0.15, 0})};
  const MassProperties expected = combine(parts);
  EXPECT_NEAR(mass_of(s, 0).mass, expected.mass, 1e-14);
  EXPECT_LT(norm(mass_of(s, 0).com_B - expected.com), 1e-15);
  EXPECT_NEAR(mass_of(s, 0).I_B(2, 2), expected.inertia(2, 2), 1e-16);
}

TEST(BuildPlanes, FaceAlongTheirNormalAtTheirOffset) {
  BuiltScene s = build_bodies(R"(
    {"name": "wall", "motion": "static", "sensor": true,
     "shape": {"type": "plane", "normal": [2, 0, 0], "offset": 3}},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "position": [3.4, 7, -20]})",
                              "\"world\": {\"gravity\": [0, 0, 0]}, ");
  s.world.step();
  ASSERT_EQ(s.world.contacts().size(), 1u);
  EXPECT_NEAR(s.world.contacts()[0].manifold.distance, -0.1, 1e-12);
  EXPECT_LT(norm(s.world.contacts()[0].manifold.normal_W - Vec3{1, 0, 0}), 1e-12);
}

TEST(BuildPlanes, StopWhatComesFromTheirFront) {
  BuiltScene s = build_bodies(R"(
    {"name": "wall", "motion": "static", "shape": {"type": "plane", "normal": [2, 0, 0], "offset": 3}},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "position": [4, 7, -20],
     "velocity": [-3, 0, 0]})",
                              "\"world\": {\"gravity\": [0, 0, 0]}, ");
  for (int i = 0; i < 60; ++i) s.world.step();
  // 10 times the tolerance of the ball's size: what contacts leave
  EXPECT_GE(s.world.pose(s.handles[1]).p.x, 3.5 - 2e-5);
  EXPECT_GE(s.world.velocity(s.handles[1]).x, -1e-9);
}

TEST(BuildMotion, StateAndScriptsAreTheScenes) {
  BuiltScene s = build_bodies(R"(
    {"name": "a", "shape": {"type": "sphere", "radius": 1}, "position": [1, 2, 3],
     "orientation": {"axis": [0, 0, 1], "angle": "90 deg"}, "velocity": [4, 5, 6],
     "angular_velocity_body": [1, 0, 0], "gravity": false, "collision": false},
    {"name": "b", "shape": {"type": "box", "size": [1, 1, 1]}, "motion": "kinematic",
     "position": [2, 0, 0], "turn": {"about": [0, 0, 0], "axis": [0, 2, 0], "rate": "90 deg/s"}},
    {"name": "c", "shape": {"type": "box", "size": [1, 1, 1]}, "motion": "kinematic",
     "interpolation": "linear", "keyframes": [{"t": 0}, {"t": 1, "position": [0, 10, 0]}]})",
                              "\"world\": {\"step\": 0.5}, ");
  EXPECT_EQ(s.world.pose(s.handles[0]).p, (Vec3{1, 2, 3}));
  EXPECT_LT(norm(s.world.angular_velocity(s.handles[0]) - Vec3{0, 1, 0}), 1e-15);
  s.world.step();
  s.world.step();
  EXPECT_LT(norm(s.world.pose(s.handles[0]).p - Vec3{5, 7, 9}), 1e-14);
  EXPECT_LT(norm(s.world.pose(s.handles[1]).p - Vec3{0, 0, -2}), 1e-14);
  EXPECT_LT(norm(s.world.pose(s.handles[2]).p - Vec3{0, 10, 0}), 1e-14);
}

TEST(BuildAir, UsesTheGivenAreaOrAQuarterOfTheSurface) {
  const auto speed_after = [](const std::string& air) {
    BuiltScene s = build_bodies(
        "{\"name\": \"a\", \"shape\": {\"type\": \"sphere\", \"radius\": 0.5}, \"mass\": 2, "
        "\"velocity\": [10, 0, 0], \"air\": " +
            air + "}",
        "\"world\": {\"gravity\": [0, 0, 0]}, ");
    for (int i = 0; i < 60; ++i) s.world.step();
    return s.world.velocity(s.handles[0]).x;
  };
  const double area = kPi * 0.25;
  EXPECT_NEAR(speed_after("{\"c_w\": 0.3}"), 10 / (1 + 0.3 * area * 10 / 2), 1e-9);
  EXPECT_NEAR(speed_after("{\"c_w\": 0.3, \"area\": 2}"), 10 / (1 + 0.3 * 2 * 10 / 2), 1e-9);
}

TEST(BuildGroups, DecideWhoMayTouch) {
  const char* scene = R"({"tenon": 1, "world": {"gravity": [0, 0, 0]},
    "groups": {"ghost": {"ignores": ["solid"]}, "solid": {}},
    "bodies": [
      {"name": "s", "shape": {"type": "sphere", "radius": 1}, "group": "solid"},
      {"name": "g", "shape": {"type": "sphere", "radius": 1}, "group": "ghost", "position": [0.5, 0, 0]},
      {"name": "h", "shape": {"type": "sphere", "radius": 1}, "group": "ghost", "position": [1, 0, 0]},
      {"name": "n", "shape": {"type": "sphere", "radius": 1}, "position": [1.5, 0, 0],
       "collides_with": ["ghost"]}]})";
  BuildResult result = build_text(scene);
  ASSERT_TRUE(result.ok());
  BuiltScene& s = result.scene.front();
  s.world.step();
  std::vector<std::string> pairs;
  for (const Contact& c : s.world.contacts())
    pairs.push_back(s.names[c.body_a] + s.names[c.body_b]);
  EXPECT_EQ(pairs, (std::vector<std::string>{"gh", "gn", "hn"}));
}

TEST(BuildSurfaces, OfPartsAreTheirOwnOrTheBodys) {
  const auto structure = [](const std::string& parts, const std::string& body) {
    BuiltScene s =
        build_bodies("{\"name\": \"b\", \"shape\": {\"type\": \"compound\", \"parts\": [" + parts +
                     "]}" + body + "}");
    return s.world.state_hash();
  };
  const std::string ball = R"({"shape": {"type": "sphere", "radius": 1}, "density": 1000)";
  const std::string runs = R"(, "surface_velocity": [1, 0, 0])", feels = R"(, "sensor": true)";
  const uint64_t plain = structure(ball + "}", "");
  EXPECT_NE(structure(ball + runs + "}", ""), plain);
  EXPECT_EQ(structure(ball + runs + "}", ""), structure(ball + "}", runs));
  EXPECT_NE(structure(ball + feels + "}", ""), plain);
  EXPECT_EQ(structure(ball + feels + "}", ""), structure(ball + "}", feels));
  EXPECT_EQ(structure(ball + R"(, "sensor": false})", feels), plain);
  // fronts have a direction, no length
  EXPECT_EQ(structure(ball + "}", R"(, "one_way": [0, 2, 0])"),
            structure(ball + "}", R"(, "one_way": [0, 1, 0])"));
  EXPECT_NE(structure(ball + "}", R"(, "one_way": [0, 2, 0])"), plain);
}

TEST(BuildSurfaces, ActAsTheSceneSays) {
  const char* scene = R"({"tenon": 1, "world": {"gravity": [0, 0, 0]}, "bodies": [
    {"name": "gate", "shape": {"type": "box", "size": [1, 1, 1]}, "motion": "static", "sensor": true},
    {"name": "deck", "shape": {"type": "box", "size": [1, 1, 1]}, "motion": "static",
     "position": [5, 0, 0], "one_way": [0, 1, 0]},
    {"name": "a", "shape": {"type": "sphere", "radius": 0.1}},
    {"name": "below", "shape": {"type": "sphere", "radius": 0.1}, "position": [4.8, -0.595, 0]},
    {"name": "above", "shape": {"type": "sphere", "radius": 0.1}, "position": [5.2, 0.595, 0]}]})";
  BuildResult result = build_text(scene);
  ASSERT_TRUE(result.ok());
  BuiltScene& s = result.scene.front();
  s.world.step();
  std::vector<std::string> acting, idle;
  for (const Contact& c : s.world.contacts())
    (c.acts ? acting : idle).push_back(s.names[std::max(c.body_a, c.body_b)]);
  EXPECT_EQ(acting, std::vector<std::string>{"above"});
  EXPECT_EQ(idle, (std::vector<std::string>{"a", "below"}));
}

TEST(BuildMaterials, PairsHoldWhereTheyAreGivenAndMeansElsewhere) {
  BuildResult result = build_text(R"({"tenon": 1,
    "materials": {"felt": {"static_friction": 0.9, "sliding_friction": 0.1, "restitution": 0}},
    "pairs": [{"materials": ["ice", "felt"], "static_friction": 0.33}],
    "bodies": [
      {"name": "a", "shape": {"type": "sphere", "radius": 1}, "material": "ice"},
      {"name": "b", "shape": {"type": "sphere", "radius": 1}, "material": "felt", "position": [9, 0, 0]},
      {"name": "c", "shape": {"type": "sphere", "radius": 1}, "material": "iron", "position": [0, 9, 0]}]})");
  ASSERT_TRUE(result.ok());
  const MaterialTable& table = result.scene.front().world.materials();
  ASSERT_EQ(table.size(), 4u);  // the engine's default, then those in use
  EXPECT_EQ(table.mix(2, 1).static_friction, 0.33);
  EXPECT_EQ(table.mix(1, 2).static_friction, 0.33);
  EXPECT_EQ(table.mix(3, 2).restitution, 0);
  EXPECT_NEAR(table.mix(3, 2).static_friction, std::sqrt(0.7 * 0.9), 1e-15);
  EXPECT_EQ(table.mix(3, 3).restitution, 0.8);
}

TEST(BuildErrors, NameThePlaceAndTheBody) {
  // a program may build what a file could not say
  Document d;
  Body body;
  body.name = "nothing";
  body.shape = PointMassShape{};
  d.bodies = {body};
  body.name = "odd";
  body.shape = HullShape{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};
  body.place = {4, 7};
  d.bodies.push_back(body);
  const BuildResult result = build(d, {.threads = 1});
  ASSERT_EQ(result.errors.size(), 2u);
  EXPECT_NE(result.errors[0].message.find("\"nothing\""), std::string::npos);
  EXPECT_NE(result.errors[1].message.find("\"odd\""), std::string::npos);
  EXPECT_EQ(result.errors[1].line, 4);
  EXPECT_EQ(result.errors[1].column, 7);
}

TEST(BuildErrors, WhatAnArrayRepeatsIsToldOnceWithItsCount) {
  const BuildResult result = build_text(R"({"tenon": 1, "arrays": [{"for": {"i": 5}, "bodies": [
    {"name": "a_{i}", "shape": {"type": "sphere", "radius": 0.1}, "position": ["i", 1, 0]},
    {"name": "b_{i}", "shape": {"type": "sphere", "radius": 0.1}, "position": ["i", 2, 0]}],
    "joints": [
    {"name": "neck_{i}", "type": "point", "parent": "a_{i}", "child": "b_{i}", "at": ["i", 1.5, 0],
     "swing": 1, "limits": {"rx": [-1, 1]},
     "spring": {"ry": {"damping": 1}, "rz": {"damping": 1}}}]}]})");
  ASSERT_EQ(result.errors.size(), 1u);
  const std::string text = format(result.errors[0]);
  EXPECT_NE(text.find("joint \"neck_0\" and 4 more of this place: a point joint"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("limits of ry and rz in place of the cone"), std::string::npos) << text;
  EXPECT_GT(result.errors[0].line, 0);
}

}  // namespace
}  // namespace tenon::scene
