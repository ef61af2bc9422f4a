// Files that a page hands over: meshes of its scene, and what importers make of others.
#include <gtest/gtest.h>

#include "tenon/tests/unit/studio/page_kit.h"

namespace tenon::test {
namespace {

// A tetrahedron as OBJ; encoded with coreutils' base64.
constexpr const char* kTetrahedron =
    "diAwIDAgMAp2IDEgMCAwCnYgMCAxIDAKdiAwIDAgMQpmIDEgMyAyCmYgMSAyIDQKZiAxIDQgMwpmIDIgMyA0Cg==";

std::string upload(const std::string& name, const std::string& data, bool more = false) {
  return R"("do": "upload", "name": ")" + name + R"(", "data": ")" + data + R"(", "more": )" +
         (more ? "true" : "false");
}
std::string add_body(const std::string& file) {
  return R"("do": "edit", "ops": [{"op": "add", "path": ["bodies"], "value": {"name": "rock", "shape": {"type": "mesh", "file": ")" +
         file + R"("}, "position": [0, 1, 0]}}])";
}

TEST(Upload, GivesMeshesToTheScene) {
  Page page;
  EXPECT_EQ(page.fine(upload("rocks/tetra.obj", kTetrahedron)).find("bytes")->number, 64);
  page.fine(add_body("tetra.obj"));  // pages know no folders: the last part is enough
  const Json& rock = page.shown.find("bodies")->items.back();
  EXPECT_EQ(rock.find("shape")->find("type")->string, "mesh");
  // a sixth of a cubic metre of plastic
  EXPECT_NEAR(rock.find("mass")->number, 1050 / 6.0, 1e-9);
  page.run(10);
  EXPECT_LT(page.pose("rock")[1], 1);
}

TEST(Upload, TakesLargeFilesInParts) {
  Page page;
  const std::string all = kTetrahedron;
  page.fine(upload("tetra.obj", all.substr(0, 40)));
  EXPECT_EQ(page.fine(upload("tetra.obj", all.substr(40), true)).find("bytes")->number, 64);
  page.fine(add_body("tetra.obj"));
}

TEST(Upload, IsRefusedWhereItIsNoFile) {
  Page page;
  page.refused(upload("", "AAAA"));
  page.refused(upload("../..", "AAAA"));
  page.refused(upload("a.obj", "AAA"));
  const Json error = page.refused(upload("a.obj", "A!AA"));
  EXPECT_NE(error.find("accepted"), nullptr);
  page.refused(add_body("nowhere.obj"));
  page.refused(R"("do": "upload", "name": "a.obj")");
}

TEST(Upload, IsAmbiguousWhereTwoFilesEndAlike) {
  Page page;
  page.fine(upload("a/tetra.obj", kTetrahedron));
  page.fine(upload("b/tetra.obj", kTetrahedron));
  page.refused(add_body("tetra.obj"));
  page.fine(add_body("a/tetra.obj"));
}

TEST(Upload, MakesRoomOfWhatEarlierScenesHad) {
  studio::Uploads files;
  const std::string much(size_t{40} << 20, 'A');  // 30 MB of zeros in base64
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(files.add("old" + std::to_string(i), much, true).ok());
  ASSERT_FALSE(files.add("new", much, true).ok());
  files.forget_old({});
  EXPECT_NE(files.find("old0"), nullptr) << "of this scene still";
  files.age();
  files.forget_old({"folder/old3"});
  EXPECT_EQ(files.find("old0"), nullptr);
  EXPECT_NE(files.find("old3"), nullptr) << "the scene names it";
  EXPECT_TRUE(files.add("new", much, true).ok());
}

TEST(Import, IsTheHostsToDo) {
  Page none;
  const Json error = none.refused(R"("do": "import", "name": "robot.urdf")");
  EXPECT_NE(error.find("accepted")->string.find("tenon import"), std::string::npos);
  studio::SessionOptions options;
  options.import = [](const std::string& name,
                      const studio::Uploads& files) -> Result<studio::ImportedScene> {
    if (files.find(name) == nullptr) return Error{.message = "not handed over"};
    return studio::ImportedScene{R"({"tenon": 1, "title": "made"})", "one line"};
  };
  Page page(options);
  page.refused(R"("do": "import", "name": "robot.urdf")");
  page.fine(upload("robot.urdf", "AAAA"));
  const Json answer = page.fine(R"("do": "import", "name": "robot.urdf")");
  EXPECT_EQ(answer.find("name")->string, "robot.json");
  EXPECT_EQ(answer.find("report")->string, "one line");
  EXPECT_EQ(page.shown.find("title")->string, "made");
}

TEST(Loading, WhatIsNoSceneReplacesNothing) {
  Page page;
  page.fine(load_request(
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}}]})"));
  page.run(4);
  const std::string hash = page.hash(4);
  const Json cut = page.refused(load_request("{\"tenon\": 1,\n \"bodies\": [{"));
  EXPECT_EQ(cut.find("line")->number, 2);
  page.refused(load_request(""));
  const Json other = page.refused(load_request(R"({"version": 3})"));
  EXPECT_NE(other.find("message")->string.find("not a scene"), std::string::npos);
  EXPECT_EQ(page.number("step"), 4);
  EXPECT_EQ(page.hash(4), hash);
  // one with mistakes is a scene: it opens, and they are listed
  const Json answer = page.fine(load_request(
      R"({"tenon": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": "3 kg"}}]})"));
  EXPECT_EQ(answer.find("errors")->items.size(), 1u);
}

}  // namespace
}  // namespace tenon::test
