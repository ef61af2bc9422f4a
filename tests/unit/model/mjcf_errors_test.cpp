// Bad MJCF.
#include "tenon/tests/unit/model/model_test_help.h"

namespace tenon::scene {
namespace {

void expect_error(const std::string& inside, const std::string& part) {
  const std::string error =
      test::mjcf_error("<mujoco>\n<worldbody>\n" + inside + "</worldbody></mujoco>");
  EXPECT_TRUE(test::has(error, part)) << error;
}

TEST(MjcfErrors, NameThePlaceTheValueAndWhatWouldBeAccepted) {
  expect_error("<body name='a'><joint type='rubber'/><geom size='1'/></body>",
               "not known (got rubber; accepted: free, ball");
  expect_error("<body name='a'><freejoint/><geom size='0'/></body>",
               "model.xml:3: a size of the geom is not positive");
  expect_error("<body name='a'><freejoint/><geom type='box' size='1'/></body>",
               "too few sizes (got 1; accepted: 3");
  expect_error("<body name='a'><freejoint/><geom size='1' class='no'/></body>",
               "no default class of this name (got no");
  expect_error("<body name='a'><freejoint/><geom type='mesh' mesh='no'/></body>",
               "no mesh of this name (got no");
  expect_error("<body name='a'><freejoint/><joint axis='1 0 0'/><geom size='.1'/></body>",
               "a free joint stands alone on a body of the world (got a_joint, a_joint2; accepted: "
               "one free joint");
  expect_error("<body name='a'><joint/><freejoint name='f'/><geom size='.1'/></body>",
               "a free joint stands alone on a body of the world (got a_joint, f");
  expect_error("<body name='a'><joint/></body>", "link 'a' moves and has no mass");
  expect_error("<body name='a'><joint range='2 1'/><geom size='1'/></body>",
               "range runs backwards");
  expect_error("<body name='a'><geom size='x'/></body>", "no list of finite numbers");
  expect_error("<body name='a'/><body name='a'/>", "two bodies have the same name");
  expect_error("<joint/>", "the world has no joints");
  expect_error("<body name='a' quat='0 0 0 0'><geom size='1'/></body>", "quat is zero");
  expect_error("<replicate count='1e9'><body><geom size='1'/></body></replicate>",
               "makes too many elements");
  expect_error("<body name='a'><freejoint/><geom size='1e30'/></body>", "model.xml:3");
  EXPECT_TRUE(test::has(test::mjcf_error("<robot/>"), "this is no MJCF"));
  EXPECT_TRUE(test::has(test::mjcf_error("<mujoco><compiler coordinate='global'/></mujoco>"),
                        "accepted: local"));
  EXPECT_TRUE(
      test::has(test::mjcf_error("<mujoco><option timestep='-1'/></mujoco>"), "1e-9 to 10 s"));
}

TEST(MjcfErrors, AnIncludeThatIncludesItselfIsRefusedWithTheChain) {
  const auto files = test::memory(
      {{"a.xml", "<x><include file='b.xml'/></x>"}, {"b.xml", "<x>\n<include file='a.xml'/></x>"}});
  const std::string error = test::mjcf_error("<mujoco><include file='a.xml'/></mujoco>", files);
  EXPECT_TRUE(test::has(
      error, "b.xml:2: the file includes itself (got model.xml -> a.xml -> b.xml -> a.xml"))
      << error;
  EXPECT_TRUE(test::has(test::mjcf_error("<mujoco><include file='no.xml'/></mujoco>"),
                        "not there (got no.xml"));
}

// Each file includes the next twice: what would be 2^40 elements stops at the limit.
TEST(MjcfErrors, IncludesThatMultiplyAreBounded) {
  std::map<std::string, std::string> all;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "f" + std::to_string(i + 1) + ".xml";
    all["f" + std::to_string(i) + ".xml"] =
        "<x><include file='" + next + "'/><include file='" + next + "'/></x>";
  }
  all["f40.xml"] = "<x/>";
  const std::string error =
      test::mjcf_error("<mujoco><include file='f0.xml'/></mujoco>", test::memory(all));
  EXPECT_TRUE(test::has(error, "too many includes")) << error;
}

TEST(MjcfErrors, WhatIsNotUsedIsListedWithCountAndReason) {
  const model::Imported made = test::mjcf(
      "<mujoco><worldbody>\n<body name='a'><joint armature='1' frobnicate='2'/><geom size='.1' "
      "solimp='1 1 1'/></body>\n"
      "<body name='b'><joint armature='1'/><geom size='.1' type='hfield'/><geom "
      "size='.1'/></body></worldbody>\n"
      "<blob/></mujoco>");
  const std::string text = format(made.report);
  EXPECT_TRUE(test::has(text, "<joint> armature, 2 times, first at model.xml:2: NOT HONOURED"))
      << text;
  EXPECT_TRUE(test::has(text, "<joint> frobnicate, 1 time")) << text;
  EXPECT_TRUE(test::has(text, "<geom> solimp, 1 time")) << text;
  EXPECT_TRUE(test::has(text, "<blob>, 1 time, first at model.xml:4")) << text;
  EXPECT_TRUE(test::has(text, "a geom of this type is not known; left out (got hfield")) << text;
}

TEST(MjcfErrors, WhatChangesTheMotionAndIsNotUsedIsMarked) {
  const model::Imported made = test::mjcf(
      "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' inertia='shell'/></asset>"
      "<worldbody><body name='a' gravcomp='.5'><freejoint/><geom size='.1' priority='1'/><geom "
      "type='mesh' mesh='m'/></body></worldbody></mujoco>");
  const std::string text = format(made.report);
  for (const char* what : {"<body> gravcomp", "<geom> priority", "<mesh> inertia"})
    EXPECT_TRUE(test::has(text, std::string(what) + ", 1 time, first at model.xml:1: NOT HONOURED"))
        << text;
}

TEST(MjcfErrors, DefaultsThatNothingUsesAreNotCalledUnknown) {
  const model::Imported made = test::mjcf(
      "<mujoco><default>\n<joint damping='1'/><motor gear='2'/>\n<jiont damping='1'/></default>"
      "<worldbody><body name='a'><geom size='.1'/></body></worldbody></mujoco>");
  const std::string text = format(made.report);
  const size_t unknown = text.find("unknown, and not used");
  ASSERT_NE(unknown, std::string::npos) << text;
  EXPECT_LT(text.find("<default> <joint>, 1 time, first at model.xml:2: nothing uses"), unknown)
      << text;
  EXPECT_LT(text.find("<default> <motor>, 1 time, first at model.xml:2: nothing uses"), unknown)
      << text;
  EXPECT_GT(text.find("<jiont>, 1 time, first at model.xml:3"), unknown) << text;
}

}  // namespace
}  // namespace tenon::scene
