// The section `assembly`: reading, names through prefabs, mistakes, saving.
#include "scene_test_help.h"

namespace tenon::scene {
namespace {

const char* const kBodies = R"("bodies": [
  {"name": "a", "shape": {"type": "sphere", "radius": "10 cm"}},
  {"name": "b", "shape": {"type": "sphere", "radius": "10 cm"}, "position": [1, 0, 0]},
  {"name": "wall", "shape": {"type": "plane"}}],
  "joints": [{"name": "pin", "type": "point", "parent": "a", "child": "b"}],)";

std::string with_assembly(const std::string& assembly) {
  return std::string("{\"tenon\": 1, ") + kBodies + "\n\"assembly\": {" + assembly + "}}";
}

TEST(SceneAssembly, IsReadWithUnitsAndDefaults) {
  const LoadResult result = load_good(with_assembly(R"(
    "auto": true, "locked": "a", "importance": {"pin": 3}, "limits": false, "metric": "mass",
    "solver": "conjugate_gradients", "geometric": 6, "inner": 30, "precision": 1e-6, "budget": "5 ms",
    "wants": [
      {"body": "b", "reach": ["10 cm", 0, 1], "at": [0, "5 mm", 0], "weight": 2},
      {"body": "b", "orient": {"euler_deg": [0, 0, 180]}},
      {"body": "b", "upright": [0, 2, 0], "axis": [1, 0, 0]},
      {"body": "b", "stay": true}])"));
  const Assembly& a = result.flat.assembly;
  EXPECT_TRUE(a.automatic);
  EXPECT_EQ(a.locked.at(0).name, "a");
  EXPECT_EQ(a.importance.at(0).name, "pin");
  EXPECT_EQ(a.importance.at(0).weight, 3);
  EXPECT_FALSE(a.limits);
  EXPECT_EQ(a.metric, AssemblyMetric::kByMass);
  EXPECT_EQ(a.solver, AssemblySolver::kConjugateGradients);
  EXPECT_EQ(a.geometric, 6);
  EXPECT_EQ(a.inner, 30);
  EXPECT_EQ(a.precision, 1e-6);
  EXPECT_EQ(a.budget, 5e-3);
  ASSERT_EQ(a.wants.size(), 4u);
  EXPECT_EQ(a.wants[0].reach->x, 0.1);
  EXPECT_EQ(a.wants[0].at->y, 0.005);
  EXPECT_EQ(a.wants[0].weight, 2);
  EXPECT_NEAR(a.wants[1].orient->z, 1, 1e-15);
  EXPECT_EQ(a.wants[2].axis->x, 1);
  EXPECT_TRUE(a.wants[3].stay);
}

TEST(SceneAssembly, IsSavedAndReadBackTheSame) {
  const LoadResult first = load_good(with_assembly(
      R"("auto": true, "locked": ["a", "b"], "importance": {"pin": 3}, "wants": [{"body": "b", "stay": true}])"));
  const LoadResult again = load_good(save_scene(first.document));
  EXPECT_EQ(again.document, first.document);
  EXPECT_EQ(save_scene(load_good(with_assembly("")).document).find("assembly"), std::string::npos);
}

TEST(SceneAssembly, WantsOfPrefabsMoveWithTheirInstances) {
  const LoadResult result = load_good(R"({"tenon": 1,
    "prefabs": {"toy": {"bodies": [{"name": "x", "shape": {"type": "sphere", "radius": 1}}],
      "wants": [{"body": "x", "reach": [1, 0, 0]}, {"body": "x", "upright": [1, 0, 0]}]}},
    "arrays": [{"for": {"i": 2}, "instances": [{"prefab": "toy", "name": "toy_{i}", "position": ["5*i", 0, 0],
      "orientation": {"axis": [0, 0, 1], "angle": "90 deg"}}]}],
    "assembly": {"locked": "toy_0/x"}})");
  const std::vector<Want>& wants = result.flat.assembly.wants;
  ASSERT_EQ(wants.size(), 4u);
  EXPECT_EQ(wants[2].body.name, "toy_1/x");
  EXPECT_NEAR(wants[2].reach->x, 5, 1e-15);
  EXPECT_NEAR(wants[2].reach->y, 1, 1e-15);
  EXPECT_NEAR(wants[3].upright->y, 1, 1e-15);
}

TEST(SceneAssembly, MistakesAreTold) {
  const auto mistake = [](const std::string& assembly, int column, const std::string& part) {
    expect_error(with_assembly(assembly), 6, column, part);
  };
  mistake(R"("locked": ["c"])", 25, "unknown body 'c'");
  mistake(R"("locked": ["aa"])", 25, "did you mean 'a'?");
  mistake(R"("importance": {"pim": 2})", 29, "did you mean 'pin'?");
  mistake(R"("importance": {"pin": 0})", 36, "above 0");
  mistake(R"("wants": [{"body": "b"}])", 24, "does not say what");
  mistake(R"("wants": [{"body": "b", "stay": true, "reach": [0, 0, 0]}])", 24, "several things");
  mistake(R"("wants": [{"body": "wall", "stay": true}])", 33, "does not move");
  mistake(R"("wants": [{"body": "b", "upright": [0, 0, 0]}])", 49, "zero vector");
  mistake(R"("wants": [{"body": "b", "stay": true, "at": [0, 0, 0]}])", 58, "point of the body");
  mistake(R"("wants": [{"body": "b", "reach": [0, 0, 0], "axis": [0, 1, 0]}])", 66, "upright");
  mistake(R"("wants": [{"body": "b", "reach": [1e300, 0, 0]}])", 48, "1e+09");
  mistake(R"("solver": "drect")", 24, "did you mean 'direct'?");
  mistake(R"("geometric": -1)", 27, "from 0");
  mistake(R"("precision": 0)", 27, "precision");
  mistake(R"("budget": "3 m")", 24, "a time");
}

}  // namespace
}  // namespace tenon::scene
