// Hostile input fails at once, with a reason.
#include "tenon/tests/unit/scene/scene_test_help.h"

#include <chrono>

namespace tenon::scene {
namespace {

std::string body(const std::string& name) {
  return "{\"name\": \"" + name + "\", \"shape\": {\"type\": \"sphere\", \"radius\": 1}}";
}

// Loads, expects this error, and that it took less than two seconds of work on a slow machine
// (what it guards against takes hours).
void expect_refused_at_once(const std::string& text, const std::string& part) {
  const auto start = std::chrono::steady_clock::now();
  const LoadResult result = load(text);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  ASSERT_FALSE(result.ok());
  EXPECT_NE(all_errors(result.errors).find(part), std::string::npos) << all_errors(result.errors);
  EXPECT_LT(spent.count(), 20);
}

TEST(Limits, AHostileArrayIsRefusedBeforeItStarts) {
  expect_refused_at_once(
      "{\"tenon\": 1, \"arrays\": [{\"for\": {\"i\": 1e12}, \"bodies\": [" + body("b{i}") + "]}]}",
      "the array is too large: 1e+12 bodies");
  expect_refused_at_once(
      "{\"tenon\": 1, \"arrays\": [{\"for\": {\"i\": 100000, \"j\": 100000}, "
      "\"where\": \"i == j\", \"bodies\": [" +
          body("b{i}") + "]}]}",
      "the array is too large");
  expect_refused_at_once(
      "{\"tenon\": 1, \"arrays\": [{\"for\": {\"i\": {\"from\": -1e9, \"to\": 1e9, "
      "\"step\": 1e-9}}, \"bodies\": [" +
          body("b{i}") + "]}]}",
      "the array is too large");
}

TEST(Limits, RoundsThatOnlyShowThemselvesOnTheWayAreCounted) {
  LoadOptions options;
  options.max_bodies = 1000;
  const LoadResult result = load(
      "{\"tenon\": 1, \"arrays\": [{\"for\": {\"i\": 1000, \"j\": {\"from\": 0, \"to\": "
      "\"1000*i\"}}, "
      "\"where\": \"false\"}]}",
      options);
  ASSERT_EQ(result.errors.size(), 1u);
  EXPECT_NE(result.errors[0].message.find("too many rounds"), std::string::npos);
}

TEST(Limits, BodiesAreCountedAcrossAllSources) {
  LoadOptions options;
  options.max_bodies = 10;
  const std::string text = "{\"tenon\": 1, \"bodies\": [" + body("x") +
                           "], \"arrays\": [{\"for\": {\"i\": 10}, \"bodies\": [" + body("b{i}") +
                           "]}]}";
  const LoadResult result = load(text, options);
  ASSERT_EQ(result.errors.size(), 1u) << all_errors(result.errors);
  EXPECT_NE(result.errors[0].message.find("too many bodies"), std::string::npos);
  options.max_bodies = 11;
  EXPECT_TRUE(load(text, options).ok());
}

TEST(Limits, PrefabsThatDoubleAndDoubleAreStopped) {
  std::string prefabs = "\"p0\": {\"bodies\": [" + body("b") + "]}";
  for (int i = 1; i <= 30; ++i) {
    const std::string inner = "\"prefab\": \"p" + std::to_string(i - 1) + "\"";
    prefabs += ", \"p" + std::to_string(i) + "\": {\"instances\": [{" + inner +
               ", \"name\": \"l\"}, {" + inner + ", \"name\": \"r\"}]}";
  }
  expect_refused_at_once("{\"tenon\": 1, \"prefabs\": {" + prefabs +
                             "}, \"instances\": [{\"prefab\": \"p30\", \"name\": \"x\"}]}",
                         "nested too deeply");
}

TEST(Limits, BoundsHoldForWhatInstancesMake) {
  const LoadResult result = load(
      "{\"tenon\": 1, \"prefabs\": {\"p\": {\"bodies\": [{\"name\": \"b\", \"position\": [8e8, 0, "
      "0], "
      "\"shape\": {\"type\": \"sphere\", \"radius\": 1}}]}}, \"instances\": [{\"prefab\": \"p\", "
      "\"name\": \"x\", \"position\": [8e8, 0, 0]}]}");
  ASSERT_EQ(result.errors.size(), 1u) << all_errors(result.errors);
  EXPECT_NE(result.errors[0].message.find("too far away"), std::string::npos);
}

TEST(Limits, ManyKeysAndManyNamesAreNotQuadratic) {
  std::string text = "{\"tenon\": 1, \"materials\": {";
  for (int i = 0; i < 20000; ++i) text += "\"m" + std::to_string(i) + "\": {},";
  text += "}}";
  EXPECT_TRUE(load(text).ok());
}

TEST(Limits, ALargeHullIsRead) {
  std::string points;
  for (int i = 0; i < 20000; ++i) {
    points += "[" + std::to_string(i % 101) + "," + std::to_string(i % 103) + "," +
              std::to_string(i % 107) + "],";
  }
  EXPECT_TRUE(load(with_bodies("{\"name\": \"h\", \"shape\": {\"type\": \"hull\", \"points\": [" +
                               points + "]}}"))
                  .ok());
}

TEST(Limits, DamagedScenesNeverCrash) {
  const std::string text = R"({"tenon": 1, "parameters": {"n": "2*3"}, "bodies": [
    {"name": "a", "shape": {"type": "box", "size": [1, "2 m", 3]}, "orientation": [1, 0, 0, 0]}],
    "arrays": [{"for": {"i": "n"}, "bodies": [{"name": "b{i}", "shape": {"type": "sphere", "radius": "i + 1"}}]}]})";
  ASSERT_TRUE(load(text).ok());
  for (size_t i = 0; i < text.size(); ++i) {
    for (char c : {'\0', '"', '{', ']', '9', '-', '\xff'}) {
      std::string broken = text;
      broken[i] = c;
      const LoadResult result = load(broken);
      for (const Error& e : result.errors) EXPECT_FALSE(e.message.empty());
    }
    std::string shorter = text;
    shorter.erase(i, 1);
    load(shorter);
  }
}

}  // namespace
}  // namespace tenon::scene
