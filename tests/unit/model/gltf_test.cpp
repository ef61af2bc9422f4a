// glTF files with rigid bodies: what a file says, and out and in again.
#include <gtest/gtest.h>

#include <algorithm>

#include "tenon/scene/formats/scene_text.h"
#include "tenon/scene/gltf/export_gltf.h"
#include "tenon/scene/gltf/import_gltf.h"
#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene::gltf {
namespace {

model::Imported must_import(const std::string& bytes, const std::string& name = "x.gltf") {
  Result<model::Imported> made = import_gltf(bytes, name, {});
  EXPECT_TRUE(made.ok()) << tenon::format(made.error());
  return made.ok() ? std::move(*made) : model::Imported{};
}

std::string import_error(const std::string& bytes) {
  const auto made = import_gltf(bytes, "x.gltf", {});
  return made.ok() ? "none" : tenon::format(made.error());
}

Document out_and_in(const Document& document) {
  const LoadResult loaded = load_scene(save_scene(document), "scene");
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : tenon::format(loaded.errors.front()));
  const Result<GltfBytes> made = export_gltf(loaded.flat, {});
  EXPECT_TRUE(made.ok()) << tenon::format(made.error());
  return must_import(made.ok() ? made->bytes : "", "x.glb").document;
}

std::string door() {
  return test::read_file(std::string(TENON_SOURCE_DIR) + "/gallery/models/door.gltf");
}

TEST(Gltf, BodiesShapesMaterialsAndFiltersAreThoseOfTheFile) {
  const model::Imported made = must_import(door());
  const Document& d = made.document;
  EXPECT_EQ(d.title, "A door");
  ASSERT_EQ(d.bodies.size(), 4u);
  EXPECT_TRUE(std::holds_alternative<PlaneShape>(d.bodies[0].shape));
  EXPECT_EQ(d.bodies[1].motion, Motion::kStatic);
  const Body* leaf = find_body(d, "door");
  ASSERT_NE(leaf, nullptr);
  EXPECT_EQ(*leaf->mass, 20);
  EXPECT_EQ(leaf->inertia->r1.y, 1.7);
  EXPECT_EQ(std::get<BoxShape>(leaf->shape).size, Vec3(0.96, 1.9, 0.04));
  EXPECT_FALSE(may_collide(d, d.bodies[1], *leaf));
  EXPECT_TRUE(may_collide(d, d.bodies[0], *leaf));
  const Body* ball = find_body(d, "ball");
  EXPECT_EQ(ball->velocity, Vec3(0, 1, -6));
  // friction is averaged by default; "maximum" gives way to "average"
  const auto pair = std::find_if(d.pairs.begin(), d.pairs.end(), [](const MaterialPair& p) {
    return p.materials[0] == "oak" && p.materials[1] == "leather";
  });
  ASSERT_NE(pair, d.pairs.end());
  EXPECT_NEAR(*pair->static_friction, 0.65, 1e-15);
  EXPECT_NEAR(*pair->restitution, 0.4, 1e-15);
}

TEST(Gltf, LimitsAndDrivesMakeAHingeAboutTheAxisThatIsLeft) {
  const Document d = must_import(door()).document;
  ASSERT_EQ(d.joints.size(), 1u);
  const Joint& hinge = d.joints[0];
  EXPECT_EQ(hinge.type, JointType::kHinge);
  EXPECT_EQ(hinge.parent.name, kWorldName);
  EXPECT_EQ(hinge.child.name, "door");
  // y of the file is x of the hinge; half units turn without round-off
  EXPECT_EQ(rotate(*hinge.parent_frame->orientation, Vec3{1, 0, 0}), Vec3(0, 1, 0));
  EXPECT_EQ(hinge.child_frame->position, Vec3(-0.5, 0, 0));
  const JointLaw& law = hinge.laws[3];
  EXPECT_EQ(*law.limits->min, -1.5);
  EXPECT_EQ(*law.limits->max, 1.5);
  EXPECT_EQ(law.spring->stiffness, 4);
  EXPECT_EQ(law.spring->damping, 10);
}

TEST(Gltf, TheDoorIsPushedOpenAndClosesAgainWithinItsLimits) {
  BuiltScene scene = test::build_scene(must_import(door()).document);
  double most = 0;
  const auto leaf = scene.handles[static_cast<size_t>(
      std::find(scene.names.begin(), scene.names.end(), "door") - scene.names.begin())];
  const auto angle = [&] {
    const Quat q = scene.world.pose(leaf).q;
    return 2 * atan2(q.y, q.w);
  };
  while (scene.world.time() < 12) {
    scene.world.step();
    most = std::max(most, std::fabs(angle()));
    EXPECT_LT(scene.world.diagnostics().joint_gap_rel, 1e-6);
  }
  EXPECT_GT(most, 0.1);
  EXPECT_LT(most, 1.5 + 1e-4);  // limits hold to the tolerance of a step
  EXPECT_LT(std::fabs(angle()), 0.05);
}

TEST(Gltf, TheSceneOfTheGalleryIsTheDoorOfTheFile) {
  const std::string text =
      test::read_file(std::string(TENON_SOURCE_DIR) + "/gallery/imported-door.json");
  const Document scene = load_scene(text, "imported-door").document;
  const Document made = load_scene(save_scene(must_import(door()).document), "model").document;
  EXPECT_EQ(scene.bodies, made.bodies);
  EXPECT_EQ(scene.joints, made.joints);
  EXPECT_EQ(scene.materials, made.materials);
  EXPECT_EQ(scene.pairs, made.pairs);
  EXPECT_EQ(scene.groups, made.groups);
}

TEST(Gltf, WhatIsNotUsedIsListedAndNothingElse) {
  EXPECT_TRUE(must_import(door()).report.ignored.empty());
  std::string text = door();
  text.replace(text.find("\"mass\": 20"), 10, "\"mass\": 20, \"warp\": 9, \"gravityFactor\": 0.5");
  text.replace(text.find("\"scene\": 0"), 10, "\"scene\": 0, \"animations\": []");
  text.replace(text.find("\"KHR_implicit_shapes\"]"), 22,
               "\"KHR_implicit_shapes\", \"KHR_materials_clearcoat\"]");
  text.replace(text.find("\"max\": 1.5"), 10, "\"max\": 1.5, \"stiffness\": 9");
  const model::Imported made = must_import(text);
  std::string all;
  for (const model::Ignored& i : made.report.ignored) all += i.what + ": " + i.reason + "\n";
  EXPECT_NE(all.find("motion warp"), std::string::npos) << all;
  EXPECT_NE(all.find("gravityFactor other than 0 and 1: NOT HONOURED"), std::string::npos) << all;
  EXPECT_NE(all.find("animations"), std::string::npos) << all;
  EXPECT_NE(all.find("extension KHR_materials_clearcoat"), std::string::npos) << all;
  EXPECT_NE(all.find("limits stiffness: NOT HONOURED"), std::string::npos) << all;
  EXPECT_EQ(made.report.ignored.size(), 5u) << all;
}

TEST(Gltf, ImportingExportingAndImportingAgainChangesNothing) {
  const Document first = must_import(door()).document;
  const Document again = out_and_in(first);
  EXPECT_EQ(first.bodies.size(), again.bodies.size());
  EXPECT_EQ(out_and_in(again), again);
}

constexpr const char* kScene =
    R"({"tenon": 1, "title": "all", "materials": {"dull": {"restitution": 0.1}},
 "bodies": [
  {"name": "floor", "shape": {"type": "plane"}, "material": "stone"},
  {"name": "ramp", "motion": "static", "position": [5, 0, 0], "orientation": [0.8, 0, 0, 0.6], "shape": {"type": "box", "size": [4, 0.2, 2]}},
  {"name": "ball", "position": [0, 2, 0], "velocity": [1, 2, 3], "orientation": [0.6, 0, 0.8, 0], "shape": {"type": "sphere", "radius": 0.3}, "material": "dull"},
  {"name": "can", "position": [1, 2, 0], "shape": {"type": "cylinder", "radius": 0.2, "height": 0.5}},
  {"name": "pill", "position": [2, 2, 0], "shape": {"type": "capsule", "radius": 0.2, "length": 0.5}},
  {"name": "hull", "position": [3, 2, 0], "shape": {"type": "hull", "points": [[0,0,0],[0.5,0,0],[0,0.5,0],[0,0,0.5]]}},
  {"name": "mesh", "position": [4, 2, 0], "shape": {"type": "mesh", "cell": 0.2, "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}},
  {"name": "dumbbell", "position": [0, 5, 0], "shape": {"type": "compound", "parts": [
    {"shape": {"type": "sphere", "radius": 0.2}, "position": [0.5, 0, 0]},
    {"shape": {"type": "box", "size": [0.4, 0.4, 0.4]}, "position": [-0.5, 0.1, 0], "orientation": [0.8, 0.6, 0, 0]}]}}],
 "joints": [
  {"name": "p", "type": "point", "parent": "can", "child": "pill", "at": [1.5, 2, 0], "axis": [1, 1, 0], "swing": 0.7, "limits": {"rx": [-0.4, 0.5]}},
  {"name": "s", "type": "slider", "parent": "world", "child": "hull", "axis": [0, 1, 0], "limits": {"x": [-1, 2]}, "motor": {"x": {"position": 0.5, "max": 90, "frequency": 3}}},
  {"name": "u", "type": "universal", "parent": "hull", "child": "mesh", "at": [3.5, 2, 0], "axis": [0, 1, 0], "axis2": [1, 0, 0]},
  {"name": "six", "type": "six_axis", "parent": "world", "child": "ball", "locked": ["x", "ry"], "spring": {"z": {"stiffness": 30, "damping": 2}}}]})";

TEST(Gltf, AllShapesAndJointsComeBack) {
  const LoadResult loaded = load_scene(kScene, "scene.json");
  ASSERT_TRUE(loaded.ok()) << tenon::format(loaded.errors.front());
  const Document once = out_and_in(loaded.flat), twice = out_and_in(once);
  EXPECT_EQ(once, twice);
  ASSERT_EQ(once.joints.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(once.joints[i].type, loaded.flat.joints[i].type) << i;
    EXPECT_EQ(once.joints[i].laws, loaded.flat.joints[i].laws) << i;
    EXPECT_EQ(once.joints[i].swing, loaded.flat.joints[i].swing) << i;
  }
  // the same bodies in the same places with the same masses
  const BuiltScene a = test::build_scene(loaded.flat), b = test::build_scene(once);
  ASSERT_EQ(a.names, b.names);
  for (size_t i = 0; i < a.handles.size(); ++i) {
    EXPECT_EQ(a.world.pose(a.handles[i]), b.world.pose(b.handles[i])) << a.names[i];
    EXPECT_NEAR(a.world.mass(a.handles[i]).mass, b.world.mass(b.handles[i]).mass, 1e-12)
        << a.names[i];
  }
}

TEST(Gltf, MistakesAreNamed) {
  EXPECT_NE(import_error("{}").find("no rigid bodies"), std::string::npos);
  EXPECT_NE(import_error("{ \"nodes\": [").find("x.gltf:1"), std::string::npos);
  EXPECT_NE(import_error(R"({"scenes": [{"nodes": [0]}], "nodes": [{"children": [0]}]})")
                .find("two parents"),
            std::string::npos);
  EXPECT_NE(import_error(R"({"scenes": [{"nodes": [7]}], "nodes": [{}]})").find("not there"),
            std::string::npos);
  // a shape that is not there is left out with a warning, not in silence
  const model::Imported made = must_import(
      R"({"nodes": [{"name": "a", "extensions": {"KHR_physics_rigid_bodies":
          {"motion": {"mass": 1}, "collider": {"geometry": {"shape": 3}}}}}]})");
  ASSERT_EQ(made.report.warnings.size(), 1u);
  EXPECT_NE(made.report.warnings[0].message.find("its shape is not there"), std::string::npos);
}

}  // namespace
}  // namespace tenon::scene::gltf
