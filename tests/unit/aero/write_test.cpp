// Scenes are written as world files: what comes back, and what is lost.
#include <cmath>

#include "tenon/tests/unit/aero/aero_test_help.h"

namespace tenon::scene {
namespace {

TEST(WorldFile, ComesBackAsAnEqualScene) {
  const LoadResult first = read_good(kHandWritten);
  const WorldText text = save_world(first.flat);
  EXPECT_TRUE(text.warnings.empty()) << all_notes(text.warnings);
  const LoadResult again = read_good(text.text);
  EXPECT_TRUE(again.warnings.empty()) << all_notes(again.warnings);
  EXPECT_EQ(again.document, first.document) << text.text;
  EXPECT_EQ(save_world(again.flat).text, text.text);
  // the same by way of a scene in JSON
  const LoadResult json = load_scene(save_scene(first.document), "a.json");
  ASSERT_TRUE(json.ok()) << all_notes(json.errors);
  EXPECT_EQ(json.document, first.document);
  EXPECT_EQ(save_world(json.flat).text, text.text);
}

LoadResult load_json(const std::string& text) {
  LoadResult result = load_scene(text, "scene.json");
  EXPECT_TRUE(result.ok()) << all_notes(result.errors);
  return result;
}

TEST(WorldFile, SaysWhatAeroKnows) {
  const LoadResult scene = load_json(R"({"tenon": 1,
    "bodies": [
      {"name": "slope", "shape": {"type": "plane", "normal": [1, 1, 0], "offset": 2}, "position": [0, 1, 0]},
      {"name": "pill", "shape": {"type": "capsule", "radius": 0.1, "length": 0.4}, "mass": 3, "position": [0, 2, 0]},
      {"name": "crate", "shape": {"type": "box", "size": [1, 1, 1]}, "density": 500, "position": [4, 5, 6]},
      {"name": "club", "position": [1, 0, 0], "shape": {"type": "compound", "parts": [
        {"shape": {"type": "sphere", "radius": 0.1}, "mass": 1, "position": [0, 1, 0]},
        {"shape": {"type": "sphere", "radius": 0.1}, "mass": 3, "position": [0, 2, 0]}]}}],
    "joints": [{"name": "hook", "type": "point", "child": "crate", "at": [4, 6, 6]}],
    "connections": [{"name": "strut", "type": "shock_absorber", "a": "crate", "b": "club", "stiffness": 100, "damping": 5,
                     "point_b": [0, 1, 0]}],
    "forces": [
      {"name": "spin", "body": "crate", "frame": "body", "torque": [0, 6, 0], "until": 2},
      {"name": "grow", "body": "crate", "force": [8, 0, 0], "until": 4, "ramp": {"from": 0, "to": 1}},
      {"name": "home", "body": "club", "toward": {"point": [0, 9, 0]}, "magnitude": 2, "point": [0, 2, 0]}]})");
  const WorldText text = save_world(scene.flat);
  const LoadResult back = read_good(text.text);
  const Document& d = back.flat;
  // three nails: of the joint and of the force; bodies are counted
  ASSERT_EQ(d.bodies.size(), 6u) << text.text;
  const Body& slope = d.bodies[0];
  EXPECT_LT(norm(rotate(slope.orientation, {0, 1, 0}) - normalized(Vec3{1, 1, 0})), 1e-12);
  EXPECT_LT(norm(slope.position - (Vec3{0, 1, 0} + 2 * normalized(Vec3{1, 1, 0}))), 1e-12);
  const auto& pill = std::get<CompoundShape>(d.bodies[1].shape).parts;
  ASSERT_EQ(pill.size(), 3u);
  double mass = 0;
  for (const Part& part : pill) mass += *part.mass;
  EXPECT_NEAR(mass, 3, 1e-12);
  EXPECT_EQ(d.bodies[2].mass, 500);
  EXPECT_EQ(d.bodies[2].position, (Vec3{4, 5, 6}));
  // its centre of gravity
  EXPECT_LT(norm(d.bodies[3].position - Vec3{1, 1.75, 0}), 1e-15);
  ASSERT_EQ(d.connections.size(), 3u);
  EXPECT_EQ(d.connections[0].type, ConnectionType::kSpring);
  EXPECT_NEAR(*d.connections[0].length, norm(Vec3{1, 1, 0} - Vec3{4, 5, 6}), 1e-12);
  EXPECT_LT(norm(*d.connections[0].point_b - Vec3{0, -0.75, 0}), 1e-15);
  EXPECT_EQ(d.connections[1].type, ConnectionType::kDamper);
  EXPECT_EQ(d.connections[1].damping, 5);
  EXPECT_EQ(d.connections[2].type, ConnectionType::kBall);
  // the couple: 2 r x F
  ASSERT_EQ(d.forces.size(), 2u + 10u + 1u);
  Vec3 torque, force;
  for (int i = 0; i < 2; ++i) {
    const Force& f = d.forces[static_cast<size_t>(i)];
    EXPECT_EQ(f.frame, ForceFrame::kBody);
    torque += cross(*f.point, f.force);
    force += f.force;
  }
  EXPECT_LT(norm(torque - Vec3{0, 6, 0}), 1e-12);
  EXPECT_EQ(force, Vec3{});
  // the ramp in pieces with its impulse
  double impulse = 0;
  for (size_t i = 2; i < 12; ++i)
    impulse += (*d.forces[i].until - *d.forces[i].from) * d.forces[i].force.x;
  EXPECT_NEAR(impulse, 16, 1e-12);
  EXPECT_EQ(d.forces[12].magnitude, 2);
  EXPECT_LT(norm(*d.forces[12].point - Vec3{0, 0.25, 0}), 1e-15);
}

// What world files have no record for, in comments that AERO skips.
TEST(WorldFile, KeepsTitleTimesAndNamesInComments) {
  const LoadResult scene =
      load_json(R"({"tenon": 1, "title": "Two\nlines", "description": "what # it shows",
    "world": {"step": 0.01, "duration": 3},
    "bodies": [
      {"name": "K2", "shape": {"type": "sphere", "radius": 1}},
      {"name": "red ball #3", "shape": {"type": "sphere", "radius": 1}, "position": [5, 0, 0]}],
    "connections": [
      {"name": "strut", "type": "shock_absorber", "a": "K2", "b": "red ball #3", "stiffness": 100, "damping": 5},
      {"name": "hook", "type": "ball", "a": "world", "b": "K2", "at": [0, 1, 0]}],
    "forces": [
      {"name": "push", "body": "K2", "force": [1, 0, 0]},
      {"name": "grow", "body": "K2", "force": [8, 0, 0], "until": 4, "ramp": {"from": 0, "to": 1}},
      {"name": "pull", "body": "K2", "toward": {"body": "red ball #3"}, "magnitude": 2}]})");
  const WorldText text = save_world(scene.flat);
  const LoadResult back = read_good(text.text);
  EXPECT_TRUE(back.warnings.empty()) << all_notes(back.warnings);
  EXPECT_EQ(back.flat.title, "Two lines");
  EXPECT_EQ(back.flat.description, "what # it shows");
  EXPECT_EQ(back.flat.world.step, 0.01);
  EXPECT_EQ(back.flat.world.duration, 3);
  ASSERT_EQ(back.flat.bodies.size(), 3u) << text.text;
  EXPECT_EQ(back.flat.bodies[0].name, "K2");
  EXPECT_EQ(back.flat.bodies[1].name, "red ball #3");
  ASSERT_EQ(back.flat.connections.size(), 3u);
  EXPECT_EQ(back.flat.connections[0].name, "strut");
  EXPECT_EQ(back.flat.connections[2].name, "hook");
  ASSERT_EQ(back.flat.forces.size(), 12u);
  EXPECT_EQ(back.flat.forces[0].name, "push");
  EXPECT_EQ(back.flat.forces[1].name, "grow");
  EXPECT_EQ(back.flat.forces[11].name, "pull");
  EXPECT_EQ(back.flat.forces[11].toward->body.name, "red ball #3");
  EXPECT_EQ(read_good(save_world(back.flat).text).document, back.document);
}

TEST(WorldFile, RemarksThatCannotBeAreNamed) {
  const LoadResult scene = read_good(
      "#: step soon\n#: colour blue\nZ g 0 0 0\nK1 sphere 1 #: name ball\n"
      "K2 sphere 1 #: name ball\np 9 0 0\nK3 sphere 1 #: name\np 0 9 0\nK4 sphere 1 #: name K5\n"
      "p 0 0 9\nK5 sphere 1\np 0 0 99\nQ\n");
  EXPECT_TRUE(has_note(scene.warnings, 1, "not a time")) << all_notes(scene.warnings);
  EXPECT_TRUE(has_note(scene.warnings, 2, "unknown remark"));
  EXPECT_TRUE(has_note(scene.warnings, 5, "already taken"));
  EXPECT_TRUE(has_note(scene.warnings, 7, "1 to 200 characters"));
  EXPECT_TRUE(has_note(scene.warnings, 9, "already taken"));
  ASSERT_EQ(scene.flat.bodies.size(), 5u);
  EXPECT_EQ(scene.flat.bodies[0].name, "ball");
  EXPECT_EQ(scene.flat.bodies[1].name, "K2");
  EXPECT_EQ(scene.flat.world.step, 1.0 / 60);
}

TEST(WorldFile, NamesWhatItCannotSay) {
  const LoadResult scene = load_json(R"({"tenon": 1,
    "world": {"wind": [1, 0, 0], "gravity_noise": 0.1, "method": "force", "sleeping": false},
    "tags": ["lesson"],
    "materials": {"cork": {"density": 240}},
    "cameras": [{"name": "c"}],
    "bodies": [
      {"name": "gem", "shape": {"type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}},
      {"name": "lift", "shape": {"type": "box", "size": [1,1,1]}, "motion": "kinematic", "velocity": [0, 1, 0]},
      {"name": "plug", "shape": {"type": "sphere", "radius": 1}, "material": "cork", "air": {"c_w": 1}, "position": [5, 0, 0]}],
    "joints": [{"name": "axle", "type": "hinge", "child": "plug", "axis": [0, 0, 1]}],
    "forces": [{"name": "f", "body": "gem", "force": [1, 0, 0]}, {"name": "g", "body": "plug", "torque": [1, 0, 0]}]})");
  const WorldText text = save_world(scene.flat);
  const std::string all = all_notes(text.warnings);
  for (const char* part :
       {"wind", "random gravity", "materials of their own", "cameras", "hulls", "kinematic",
        "air resistance", "material; written as plastic", "ball joints only", "world.method",
        "world.sleeping", "tags", "the body of the force was left out", "torques"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  }
  const LoadResult back = read_good(text.text);
  ASSERT_EQ(back.flat.bodies.size(), 2u);
  EXPECT_EQ(back.flat.bodies[0].motion, Motion::kStatic);
  EXPECT_NEAR(*back.flat.bodies[1].mass, 240 * 4.0 / 3 * 3.14159265358979323846, 1e-10);
}

}  // namespace
}  // namespace tenon::scene
