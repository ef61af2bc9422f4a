#include "tenon/scene/xml/element.h"

#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene::xml {
namespace {

std::string error_of(const std::string& text, const Limits& limits = {}) {
  const auto made = parse(text, "a.xml", limits);
  return made.ok() ? "no error" : tenon::format(made.error());
}

TEST(Xml, KeepsTheLineOfElementsAndAttributes) {
  const auto root =
      parse("<?xml version=\"1.0\"?>\n<a>\n  <b x='1'\n     y=\"2\"/>\n</a>", "a.xml");
  ASSERT_TRUE(root.ok());
  ASSERT_EQ(root->children.size(), 1u);
  EXPECT_EQ(root->children[0].line, 3);
  EXPECT_EQ(root->children[0].attributes[1].line, 4);
  EXPECT_EQ(root->children[0].attributes[1].value, "2");
}

TEST(Xml, RefusesWhatIsNoXmlWithItsLine) {
  EXPECT_TRUE(test::has(error_of("<a>\n<b></c>\n</a>"), "a.xml:2")) << error_of("<a>\n<b></c></a>");
  EXPECT_TRUE(test::has(error_of(""), "empty"));
  EXPECT_TRUE(test::has(error_of("no angle"), "no "));
  EXPECT_TRUE(test::has(error_of("<a/>\n<b/>"), "second root"));
}

// The classic: ten entities, each ten times the one before.
TEST(Xml, RefusesEntitiesInsteadOfExpandingThem) {
  const std::string bomb =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE lolz [\n<!ENTITY lol \"lol\">\n"
      "<!ENTITY lol1 \"&lol;&lol;&lol;\">\n]>\n<lolz>&lol1;</lolz>";
  const std::string error = error_of(bomb);
  EXPECT_TRUE(test::has(error, "a.xml:3: the file declares entities")) << error;
}

TEST(Xml, RefusesWhatIsTooDeepOrTooMuch) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_TRUE(test::has(error_of(deep), "nested too deep")) << error_of(deep);
  std::string moderate = "x";
  for (int i = 0; i < 300; ++i) moderate = "<a>" + moderate + "</a>";
  EXPECT_TRUE(test::has(error_of(moderate), "at most 100 levels")) << error_of(moderate);
  std::string wide = "<a>";
  for (int i = 0; i < 1000; ++i) wide += "<b/>";
  wide += "</a>";
  EXPECT_TRUE(test::has(error_of(wide, {.elements = 100, .attributes = 100, .depth = 10}),
                        "too many elements"));
}

TEST(Xml, ReadsListsOfNumbers) {
  auto root = parse("<a v=' +1. -.5\t2.e-1 ' n='1 2' w='1 x 2' big='1e999' s='yes'/>", "a.xml");
  ASSERT_TRUE(root.ok());
  Element& e = *root;
  EXPECT_EQ(*read_vector(e, *e.find("v")), (Vec3{1, -0.5, 0.2}));
  EXPECT_FALSE(read_vector(e, *e.find("n")).ok());
  EXPECT_FALSE(read_vector(e, *e.find("w")).ok());
  EXPECT_FALSE(read_number(e, *e.find("big")).ok());
  EXPECT_FALSE(read_switch(e, *e.find("s")).ok());
  EXPECT_TRUE(test::has(tenon::format(read_vector(e, *e.find("n")).error()),
                        "got 1 2; accepted: 3 numbers"));
}

}  // namespace
}  // namespace tenon::scene::xml
