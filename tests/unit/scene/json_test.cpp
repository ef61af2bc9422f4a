#include "tenon/scene/formats/json_text.h"

#include <gtest/gtest.h>

namespace tenon::scene {
namespace {

Json parse(std::string_view text) {
  ParsedJson parsed = parse_json(text, "f");
  EXPECT_TRUE(parsed.complete && parsed.errors.empty())
      << (parsed.errors.empty() ? "" : format(parsed.errors[0]));
  return parsed.root;
}

struct Mistake {
  const char* text;
  int line, column;
  const char* part;
  bool complete;
};

TEST(Json, ReadsCommentsAndTrailingCommas) {
  const Json json =
      parse("// head\n{\"a\": [1, 2,], /* in\nside */ \"b\": {\"c\": null,},}\n// tail");
  EXPECT_EQ(json,
            Json::object().set("a", Json::array({1, 2})).set("b", Json::object().set("c", Json())));
}

TEST(Json, KnowsThePlaceOfEveryValueInCharacters) {
  const Json json = parse("{\n  \"\u00e4\u00f6\": [10, \"\u20ac\",  true]}");
  const Json& list = *json.find("\u00e4\u00f6");
  EXPECT_EQ(json.members[0].place.line, 2);
  EXPECT_EQ(json.members[0].place.column, 3);
  EXPECT_EQ(list.place.column, 9);
  EXPECT_EQ(list.items[0].place.column, 10);
  EXPECT_EQ(list.items[1].place.column, 14);
  EXPECT_EQ(list.items[2].place.column, 20);  // the euro sign is three bytes and one column
}

TEST(Json, ReadsEscapes) {
  EXPECT_EQ(parse(R"("\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00")").string,
            "\"\\/\b\f\n\r\t\u00e4\U0001F600");
}

TEST(Json, ReportsEachMistakeWhereItIs) {
  const Mistake mistakes[] = {
      {"", 1, 1, "ends where a value", false},
      {"{\"a\": 1", 1, 8, "ends inside an object", false},
      {"[1, 2", 1, 6, "ends inside a list", false},
      {"{\"a\": \"x", 1, 7, "string is not closed", false},
      {"[1,\n \"x\ny\"]", 2, 2, "string is not closed", false},
      {"[1] 2", 1, 5, "text after the end", false},
      {"{a: 1}", 1, 2, "key must be a string", false},
      {"{\"a\" 1}", 1, 6, "colon is missing", false},
      {"[1, 2}", 1, 6, "unexpected character in a list", false},
      {"/* open", 1, 1, "comment is not closed", false},
      {"{\"a\": 1,\n \"a\": 2}", 2, 2, "stands twice", true},
      {"[1 2]", 1, 4, "comma is missing", true},
      {"[1,, 2]", 1, 4, "value is missing", true},
      {"[NaN]", 1, 2, "finite number", true},
      {"[-Infinity]", 1, 2, "finite number", true},
      {"[1e999]", 1, 2, "too large", true},
      {"[01]", 1, 2, "malformed number", true},
      {"[.5]", 1, 2, "malformed number", true},
      {"[1.]", 1, 2, "malformed number", true},
      {"[+1]", 1, 2, "malformed number", true},
      {"[0x10]", 1, 2, "malformed number", true},
      {"[True]", 1, 2, "unknown word", true},
      {"[\"\\q\"]", 1, 3, "unknown escape", true},
      {"[\"\\ud800\"]", 1, 3, "bad \\u escape", true},
      {"[\"\xff\"]", 1, 3, "invalid UTF-8", true},
      {"[\"\xc0\xaf\"]", 1, 3, "invalid UTF-8", true},
      {"['x']", 1, 2, "unexpected character", false},
  };
  for (const Mistake& m : mistakes) {
    const ParsedJson parsed = parse_json(m.text, "f");
    ASSERT_FALSE(parsed.errors.empty()) << m.text;
    const std::string text = format(parsed.errors[0]);
    EXPECT_EQ(parsed.errors[0].line, m.line) << m.text << " " << text;
    EXPECT_EQ(parsed.errors[0].column, m.column) << m.text << " " << text;
    EXPECT_NE(text.find(m.part), text.npos) << text;
    EXPECT_EQ(parsed.complete, m.complete) << m.text;
  }
}

TEST(Json, RefusesDeepNestingWithoutFallingOver) {
  const ParsedJson parsed = parse_json(std::string(1000000, '['), "f");
  ASSERT_EQ(parsed.errors.size(), 1u);
  EXPECT_NE(format(parsed.errors[0]).find("nested too deeply"), std::string::npos);
  EXPECT_EQ(parsed.errors[0].column, 101);
}

TEST(Json, RefusesTextThatIsTooLarge) {
  JsonLimits limits;
  limits.max_bytes = 10;
  EXPECT_FALSE(parse_json("[1, 2, 3, 4, 5]", "f", limits).complete);
}

TEST(Json, EveryTruncationOfAGoodTextIsReportedNotFatal) {
  const std::string text = "{\"a\": [1, -2.5e3, \"x\\u00e4\", true, null], /* c */ \"b\": {}}";
  for (size_t n = 0; n < text.size(); ++n) {
    const ParsedJson parsed = parse_json(std::string_view(text).substr(0, n), "f");
    EXPECT_FALSE(parsed.errors.empty()) << text.substr(0, n);
  }
}

TEST(Json, TextReadsBackEqual) {
  Json json = Json::object();
  json.set("numbers", Json::array({0.1, 1e-300, 5e-324, 1.7976931348623157e308, -3}));
  json.set("text", "quotes \" \\ \n \t \x01 \u20ac");
  json.set("empty", Json::array({Json::array(), Json::object(), Json(), true}));
  json.set("long", Json::array(std::vector<Json>(60, Json(123.456))));
  EXPECT_EQ(parse(format_json(json)), json);
  EXPECT_EQ(parse(format_compact(json)), json);
}

TEST(Json, ShortTextIsCutBetweenCharacters) {
  EXPECT_EQ(format_short(Json("\u20ac\u20ac\u20ac"), 5), "\"\u20ac...");
}

}  // namespace
}  // namespace tenon::scene
