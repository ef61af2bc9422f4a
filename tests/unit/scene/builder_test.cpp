// The C++ builder makes the same documents as the text.
#include "tenon/scene/document/builder.h"

#include <cmath>

#include "tenon/tests/unit/scene/scene_test_help.h"

namespace tenon::scene {
namespace {

Document built() {
  WorldSettings world;
  world.step = 0.01;
  Material cork;
  cork.name = "cork";
  cork.density = 240;
  MaterialPair pair;
  pair.materials = {"cork", "iron"};
  pair.restitution = 0.4;
  Part head;
  head.shape = SphereShape{0.1};
  head.material = "iron";
  head.position = {0, 0.3, 0};
  Part handle;
  handle.shape = CylinderShape{0.02, 0.6};
  Camera camera;
  camera.name = "front";
  camera.position = {0, 2, 8};
  Group chain;
  chain.name = "chain";
  chain.ignores = {"chain"};
  Keyframe k0, k1;
  k1.t = 2;
  k1.position = Vec3{0, 1, 0};
  return SceneBuilder("Everything")
      .describe("by hand")
      .world(world)
      .parameter("n", 3)
      .add(cork)
      .add(pair)
      .add(chain)
      .add(camera)
      .add(plane("floor").of("stone"))
      .add(sphere("ball", 0.2).at({0, 2, 0}).moving({1, 0, 0}).spinning({0, 3, 0}).of("cork"))
      .add(box("box", {1, 2, 3}).weighing(5).colored({1, 0, 0}).in("chain"))
      .add(compound("hammer", {head, handle}).turned({0, 1, 0, 0}))
      .add(capsule("pill", 0.1, 0.5).fixed().running({1, 0, 0}).stopping({0, 1, 0}))
      .add(point_mass("bob", 0.5))
      .add(fixed_point("nail").at({0, 5, 0}))
      .add(cylinder("wheel", 1, 0.2).turning({{1, 0, 0}, {0, 0, 1}, 2}).sensing())
      .add(hull("gem", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
               .through({k0, k1}, Repeat::kMirror))
      .array(Json::object()
                 .set("for", Json::object().set("i", "n"))
                 .set("bodies",
                      Json::array(
                          {Json::object()
                               .set("name", "s{i}")
                               .set("shape",
                                    Json::object().set("type", "sphere").set("radius", 0.5))})))
      .document();
}

const char* kText = R"({"tenon": 1, "title": "Everything", "description": "by hand",
  "world": {"step": "10 ms"}, "parameters": {"n": 3},
  "materials": {"cork": {"density": "240 kg/m^3"}},
  "pairs": [{"materials": ["cork", "iron"], "restitution": 0.4}],
  "groups": {"chain": {"ignores": ["chain"]}},
  "cameras": [{"name": "front", "position": [0, 2, 8]}],
  "bodies": [
    {"name": "floor", "shape": {"type": "plane"}, "material": "stone"},
    {"name": "ball", "shape": {"type": "sphere", "radius": "20 cm"}, "position": [0, 2, 0],
     "velocity": ["1 m/s", 0, 0], "angular_velocity": [0, 3, 0], "material": "cork"},
    {"name": "box", "shape": {"type": "box", "size": [1, 2, 3]}, "mass": "5 kg", "color": "#f00", "group": "chain"},
    {"name": "hammer", "shape": {"type": "compound", "parts": [
      {"shape": {"type": "sphere", "radius": 0.1}, "material": "iron", "position": [0, "30 cm", 0]},
      {"shape": {"type": "cylinder", "radius": "2 cm", "height": "60 cm"}}]}, "orientation": [0, 1, 0, 0]},
    {"name": "pill", "shape": {"type": "capsule", "radius": 0.1, "length": 0.5}, "motion": "static",
     "surface_velocity": ["1 m/s", 0, 0], "one_way": [0, 1, 0]},
    {"name": "bob", "shape": {"type": "point_mass"}, "mass": "500 g"},
    {"name": "nail", "shape": {"type": "fixed_point"}, "position": [0, 5, 0]},
    {"name": "wheel", "shape": {"type": "cylinder", "radius": 1, "height": 0.2}, "motion": "kinematic",
     "turn": {"about": [1, 0, 0], "axis": [0, 0, 1], "rate": 2}, "sensor": true},
    {"name": "gem", "shape": {"type": "hull", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}, "motion": "kinematic",
     "keyframes": [{"t": 0}, {"t": 2, "position": [0, 1, 0]}], "repeat": "mirror"}],
  "arrays": [{"for": {"i": "n"}, "bodies": [{"name": "s{i}", "shape": {"type": "sphere", "radius": 0.5}}]}]})";

TEST(Builder, MakesTheDocumentOfTheText) {
  const LoadResult loaded = load_good(kText);
  EXPECT_EQ(built(), loaded.document) << save_scene(built()) << save_scene(loaded.document);
  EXPECT_EQ(*expand(built()), loaded.flat);
  EXPECT_EQ(loaded.flat.bodies.size(), 12u);
}

TEST(Builder, MistakesAreFoundWhenTheDocumentIsChecked) {
  const LoadResult result = check_scene(SceneBuilder().add(sphere("b", -1)).document());
  ASSERT_EQ(result.errors.size(), 1u) << all_errors(result.errors);
  EXPECT_NE(result.errors[0].message.find("radius must be above 0"), std::string::npos);
  EXPECT_FALSE(expand(SceneBuilder().add(sphere("b", std::nan(""))).document()).ok());
  EXPECT_FALSE(expand(SceneBuilder().add(sphere("b", 1)).add(sphere("b", 1)).document()).ok());
}

}  // namespace
}  // namespace tenon::scene
