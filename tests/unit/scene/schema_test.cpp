// The published JSON Schema against an independent reader (nlohmann-json) and validator (valijson).
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tenon/scene/formats/color_names.h"
#include "tenon/scene/formats/expression.h"
#include "tenon/scene/formats/units.h"
#include "tenon/tests/effort.h"
#include "tenon/tests/unit/scene/scene_test_help.h"

namespace tenon::scene {
namespace {

const std::filesystem::path kRoot = TENON_SOURCE_DIR;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Validator {
 public:
  Validator() : document_(nlohmann::json::parse(scene_schema())) {
    valijson::SchemaParser parser;
    valijson::adapters::NlohmannJsonAdapter adapter(document_);
    parser.populateSchema(adapter, schema_);
  }
  // Empty when the text (with comments and trailing commas) validates.
  std::string validate(const std::string& text) {
    const nlohmann::json strict = nlohmann::json::parse(format_json(parse_json(text, "").root));
    valijson::adapters::NlohmannJsonAdapter target(strict);
    valijson::ValidationResults results;
    valijson::Validator validator;
    if (validator.validate(schema_, target, &results)) return "";
    std::string all;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
      for (const std::string& step : error.context) all += step;
      all += ": " + error.description + "\n";
    }
    return all.empty() ? "invalid" : all;
  }

 private:
  nlohmann::json document_;
  valijson::Schema schema_;
};

Validator& validator() {
  static Validator instance;
  return instance;
}

TEST(Schema, TheCommittedFileIsTheGeneratedOne) {
  EXPECT_EQ(read_file(kRoot / "docs/scene.schema.json"), scene_schema())
      << "write scene_schema() to docs/scene.schema.json";
}

// The reference names everything there is: keys, shapes, units, functions, materials, colours.
TEST(Schema, TheReferenceNamesEveryWordOfTheFormat) {
  const std::string text = read_file(kRoot / "docs/scene-format.md");
  const nlohmann::json schema = nlohmann::json::parse(scene_schema());
  std::vector<std::string> words;
  for (const auto& definition : schema["definitions"]) {
    if (!definition.contains("properties")) continue;
    for (const auto& [key, value] : definition["properties"].items()) words.push_back(key);
  }
  for (const auto& shape : schema["definitions"]["shape"]["anyOf"]) {
    words.push_back(shape["properties"]["type"]["const"]);
  }
  for (const Unit& unit : units()) words.push_back(unit.name);
  for (const std::string& function : function_names()) words.push_back(function);
  EXPECT_GT(words.size(), 150u);
  for (const std::string& word : words) {
    const bool named =
        text.find("`" + word + "`") != text.npos || text.find("\"" + word + "\"") != text.npos;
    EXPECT_TRUE(named) << word;
  }
  for (const Material& material : builtin_materials()) {
    EXPECT_NE(text.find("| " + material.name + " | " + std::to_string(int(material.density))),
              text.npos)
        << material.name;
  }
  for (const NamedColor& color : kNamedColors) EXPECT_NE(text.find(color.name), text.npos);
}

TEST(Schema, EveryGallerySceneValidatesAndLoads) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "gallery")) {
    if (entry.path().extension() != ".json") continue;
    if (++count > test::effort(1000, 6)) continue;
    const std::string text = read_file(entry.path());
    EXPECT_EQ(validator().validate(text), "") << entry.path();
    const LoadResult result = load_scene(text, entry.path().filename().string());
    EXPECT_TRUE(result.ok()) << all_errors(result.errors);
    EXPECT_FALSE(result.document.title.empty()) << entry.path();
    EXPECT_FALSE(result.flat.bodies.empty()) << entry.path();
    EXPECT_EQ(load_scene(save_scene(result.document), "saved").document, result.document);
    EXPECT_EQ(validator().validate(save_scene(result.flat)), "") << entry.path();
  }
  EXPECT_GE(count, 2);
}

TEST(Schema, RefusesWhatTheLoaderRefusesWhereItCanKnow) {
  const char* bad[] = {
      R"({})",
      R"({"tenon": 2})",
      R"({"tenon": 1, "boddies": []})",
      R"({"tenon": 1, "bodies": {}})",
      R"({"tenon": 1, "bodies": [{"shape": {"type": "sphere", "radius": 1}}]})",
      R"({"tenon": 1, "bodies": [{"name": "b"}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere"}}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "mesh", "file": 3}}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": -1}}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "box", "size": [1, 1]}}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}, "mass": 0}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}, "motion": "x"}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}, "colour": "red"}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}, "color": "rde"}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}, "orientation": [1]}]})",
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "hull", "points": [[0, 0, 0]]}}]})",
      R"({"tenon": 1, "world": {"step": 0}})",
      R"({"tenon": 1, "world": {"seed": 0.5}})",
      R"({"tenon": 1, "materials": {"x": {"restitution": 2}}})",
      R"({"tenon": 1, "pairs": [{}]})",
      R"({"tenon": 1, "joints": [{}]})",
      R"({"tenon": 1, "joints": [{"name": "j", "type": "hing"}]})",
      R"({"tenon": 1, "joints": [{"name": "j", "type": "hinge", "limits": [1]}]})",
      R"({"tenon": 1, "joints": [{"name": "j", "type": "hinge", "limits": {"r": [1, 2]}}]})",
      R"({"tenon": 1, "joints": [{"name": "j", "type": "hinge", "motor": {"speed": 1}}]})",
      R"({"tenon": 1, "joints": [{"name": "j", "type": "six_axis", "locked": ["a"]}]})",
      R"({"tenon": 1, "joints": [{"name": "j", "type": "black_box", "black_box": {"type": "x"}}]})",
      R"({"tenon": 1, "rules": [{}]})",
      R"({"tenon": 1, "arrays": [{}]})",
      R"({"tenon": 1, "arrays": [{"for": {"i": -1}}]})",
      R"({"tenon": 1, "arrays": [{"for": {"i": 1}, "bodies": [{"name": 3}]}]})",
      R"({"tenon": 1, "prefabs": {"p": {"bodis": []}}})",
      R"({"tenon": 1, "instances": [{"name": "x"}]})",
      R"({"tenon": 1, "lights": [{"type": "moon"}]})",
      R"({"tenon": 1, "parameters": {"a": true}})",
  };
  for (const char* text : bad) {
    EXPECT_NE(validator().validate(text), "") << text;
    EXPECT_FALSE(load(text).ok()) << text;
  }
}

TEST(Schema, KnowsTheOptionsOfJoints) {
  EXPECT_EQ(validator().validate(R"({"tenon": 1, "joints": [
    {"name": "j", "type": "hinge", "child": "b", "axis": [0, 0, 1], "limits": [null, "90 deg"],
     "motor": {"velocity": "3 rpm", "max": 2}, "friction": 0.1, "spring": {"stiffness": "2 N m"}},
    {"name": "k", "type": "cylindrical", "child": "b", "limits": {"x": [0, 1], "rx": [-1, null]},
     "motor": {"x": {"position": "1 cm"}}, "parent_frame": {"position": [0, 0, 0]}},
    {"name": "s", "type": "six_axis", "child": "b", "locked": "x"},
    {"name": "g", "type": "gear", "first": "j", "second": "k", "second_axis": "rx", "ratio": -2},
    {"name": "c", "type": "black_box", "child": "b", "black_box": {"type": "shoulder"}}]})"),
            "");
}

TEST(Schema, AcceptsExpressionsWhereverNumbersStand) {
  EXPECT_EQ(
      validator().validate(R"({"tenon": 1, "parameters": {"n": "3 m"}, "world": {"step": "1/60"},
    "arrays": [{"for": {"i": {"from": 0, "to": "n"}, "r": ["1 m", 2]}, "where": "i > 0", "bodies": [
      {"name": "b", "shape": {"type": "box", "size": ["1 m", 2, "n"]}, "gravity": "i > 2",
       "orientation": {"axis": [0, 1, 0], "angle": "i*10 deg"}, "color": {"hsv": ["i/3", 1, 1]}}]}]})"),
      "");
}

}  // namespace
}  // namespace tenon::scene
