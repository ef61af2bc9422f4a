// Forms in scene files: read, written back, and refused with a place.
#include "scene_test_help.h"

namespace tenon::scene {
namespace {

std::string with_form(const std::string& form, const std::string& more = "") {
  return "{\"tenon\": 1, \"bodies\": [{\"name\": \"a\", \"shape\": {\"type\": \"mesh\"" + more +
         ", \"form\": " + form + "}}]}";
}

TEST(FormScenes, AFormIsReadWithUnitsAndDefaults) {
  const LoadResult loaded = load_scene(
      with_form("{\"type\": \"gear\", \"module\": \"1 cm\", \"teeth\": 18, \"width\": \"3 cm\"}"),
      "f");
  ASSERT_TRUE(loaded.errors.empty()) << format(loaded.errors[0]);
  const auto& shape = std::get<MeshShape>(loaded.flat.bodies[0].shape);
  ASSERT_TRUE(shape.form.has_value());
  EXPECT_EQ(std::get<GearForm>(*shape.form),
            (GearForm{.module = 0.01, .teeth = 18, .width = 0.03}));
}

TEST(FormScenes, EveryFormIsWrittenAsItIsRead) {
  const char* forms[] = {
      R"({"type": "sphere", "radius": 0.3})",
      R"({"type": "box", "size": [1, 2, 3], "edge": 0.1})",
      R"({"type": "torus", "radius": 0.3, "bar": 0.1})",
      R"({"type": "chain_link", "length": 0.2, "radius": 0.1, "bar": 0.02})",
      R"({"type": "link", "radius": 0.3, "angle": "50 deg", "bar": 0.02, "knob": 0.03})",
      R"({"type": "sprocket", "pitch": 0.1, "teeth": 12, "seat": 0.01, "tooth": 0.02, "width": 0.03})",
      R"({"type": "nut", "across": 0.03, "height": 0.02, "bore": 0.008})",
      R"({"type": "bowl", "radius": 0.4, "height": 0.3, "wall": 0.02})",
      R"({"type": "letter", "letter": "Q", "height": 0.06, "pen": 0.01, "depth": 0.02})",
      R"({"type": "tread", "pitch": 0.12, "width": 0.2, "thickness": 0.02, "pin": 0.005, "eyes": 7})",
      R"({"type": "bone", "bone": "rib_cage"})",
      R"({"type": "bone", "bone": "hand", "side": "left", "stature": "1.6 m"})",
      R"({"type": "grid", "length": 4, "width": 3, "height": 0.2, "seed": 5})",
  };
  for (const char* form : forms) {
    const LoadResult first = load_scene(with_form(form), "f");
    ASSERT_TRUE(first.errors.empty()) << form << format(first.errors[0]);
    const LoadResult second = load_scene(save_scene(first.document), "f");
    ASSERT_TRUE(second.errors.empty()) << form << format(second.errors[0]);
    EXPECT_EQ(first.flat.bodies[0].shape, second.flat.bodies[0].shape) << form;
  }
}

TEST(FormScenes, MistakesAreNamedWithTheirPlace) {
  const struct {
    std::string text;
    const char* says;
    const char* accepts;
  } cases[] = {
      {with_form(R"({"type": "geer", "module": 1})"), "unknown form 'geer'", "gear"},
      {with_form(R"({"type": "torus", "radius": 0.1, "bar": 0.2})"), "too thick",
       "below the radius"},
      {with_form(R"({"type": "torus", "radius": "1 kg", "bar": 0.2})"), "length", ""},
      {with_form(R"({"type": "gear", "module": 0.01, "teeth": 2.5, "width": 1})"), "teeth", ""},
      {with_form(R"({"type": "bone", "bone": "wing"})"), "bone", "pelvis"},
      {with_form(
           R"({"type": "letter", "letter": "?", "height": 0.06, "pen": 0.01, "depth": 0.01})"),
       "letter", "A to Z"},
      {with_form(R"({"type": "nut", "across": 0.03, "height": 0.02})"), "bore", ""},
      {with_form(R"({"type": "sphere", "radius": 1})", R"(, "file": "a.obj")"), "more than one",
       "file"},
      {with_form(R"({"type": "sphere", "radius": 1})", R"(, "units": "mm")"), "not for forms", ""},
  };
  for (const auto& c : cases) {
    const LoadResult loaded = load_scene(c.text, "f");
    ASSERT_FALSE(loaded.errors.empty()) << c.text;
    const Error& e = loaded.errors[0];
    EXPECT_NE(format(e).find(c.says), std::string::npos) << format(e);
    EXPECT_NE(e.accepted.find(c.accepts), std::string::npos) << format(e);
    EXPECT_GT(e.column, 40) << format(e);  // behind the name of the body
  }
}

}  // namespace
}  // namespace tenon::scene
