// What must not be lost or go wrong over a long day of work: edits that are one, scenes that are
// saved, hands that were holding when the page went away, projects that somebody has damaged.
#include <gtest/gtest.h>

#include <map>

#include "tenon/tests/unit/studio/page_kit.h"

namespace tenon::test {
namespace {

constexpr const char* kBall = R"({"tenon": 1, "bodies": [
  {"name": "floor", "shape": {"type": "plane"}, "material": "stone"},
  {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "position": [0, 2, 0], "material": "rubber"}]})";
constexpr const char* kRow = R"({"tenon": 1, "bodies": [
  {"name": "floor", "shape": {"type": "plane"}, "material": "stone"}],
  "arrays": [{"for": {"i": {"from": 0, "to": 2}}, "bodies": [
    {"name": "block_{i}", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": ["0.5*i", 0.1, 0]}]}]})";

std::string edit(const std::string& ops, const std::string& more = "") {
  return R"("do": "edit", "label": "e", "ops": [)" + ops + "]" + more;
}
std::string set(const std::string& path, const std::string& value) {
  return R"({"op": "set", "path": )" + path + ", \"value\": " + value + "}";
}
std::string place(double x) {
  return set(R"(["bodies", "ball", "position"])", "[" + std::to_string(x) + ", 2, 0]");
}
Json project_of(Page& page) { return *page.fine(R"("do": "project")").find("project"); }
std::string load_project(const Json& project) {
  return R"("do": "load", "project": )" + scene::format_compact(project);
}
Json* find(Json& project, const char* list, size_t i) { return &project.find(list)->items[i]; }

// A folder that is a map.
class Shelf : public studio::Files {
 public:
  Result<std::vector<std::string>> list() override {
    std::vector<std::string> names;
    for (const auto& [name, text] : files) names.push_back(name);
    return names;
  }
  Result<std::string> read(const std::string& path) override {
    if (!files.contains(path)) return Error{.message = "none"};
    return files[path];
  }
  Status write(const std::string& path, const std::string& text) override {
    files[path] = text;
    return Ok{};
  }
  Result<scene::FileBytes> read_mesh(const std::string&, const std::string&) override {
    return Error{.message = "none"};
  }
  Status write_mesh(const std::string&, const std::string&, const std::string&) override {
    return Ok{};
  }
  std::map<std::string, std::string> files;
};

TEST(Save, ReplacesAnotherSceneOnlyWhenThatIsSaid) {
  Shelf shelf;
  shelf.files = {{"untitled.json", kRow}, {"sub/a.json", kBall}};
  studio::SessionOptions options;
  options.files = &shelf;
  Page page(options);
  page.fine(R"("do": "load")");  // its label is untitled.json as well
  EXPECT_EQ(page.state.find("file")->string, "");
  const Json error = page.refused(R"("do": "save", "file": "untitled.json")");
  EXPECT_EQ(error.find("place")->string, "replace");
  EXPECT_EQ(shelf.files["untitled.json"], kRow);
  page.fine(R"("do": "save", "file": "untitled.json", "replace": true)");
  EXPECT_NE(shelf.files["untitled.json"], kRow);
  EXPECT_EQ(page.state.find("file")->string, "untitled.json");
  page.fine(R"("do": "save", "file": "untitled.json")");  // its own by now
  page.fine(R"("do": "load", "file": "sub/a.json")");
  EXPECT_EQ(page.state.find("file")->string, "sub/a.json");
  page.fine(R"("do": "save", "file": "sub/a.json")");
  page.fine(R"("do": "save", "file": "mine.json")");
  EXPECT_EQ(page.state.find("file")->string, "mine.json");
  // what comes from elsewhere under the same label is no file of the folder
  page.fine(R"("do": "load", "name": "mine.json", "text": )" + scene::quote(kBall));
  EXPECT_EQ(page.state.find("file")->string, "");
  page.refused(R"("do": "save", "file": "mine.json")");
}

TEST(Meshes, OfTheHostsSceneAreReadForThatSceneAlone) {
  studio::SessionOptions options;
  int asked = 0;
  options.read = [&](const std::string& name) -> Result<scene::FileBytes> {
    ++asked;
    return Error{.message = "not here", .file = name};
  };
  const std::string scene =
      R"({"tenon": 1, "bodies": [{"name": "m", "shape": {"type": "mesh", "file": "/etc/passwd"}}]})";
  Page page(options);
  page.fine(load_request(scene));
  EXPECT_EQ(asked, 0) << "a scene that a page brought reads no file of the user";
  page.session.open_first(scene, "first.json");
  EXPECT_GT(asked, 0);
}

TEST(Edits, ThatAreOneLeaveNoTakesAndNoValuesThatAreSetAgain) {
  Page page;
  page.fine(load_request(kBall));
  for (int i = 1; i <= 20; ++i) page.fine(edit(place(i), R"(, "merge": "nudge")"));
  Json project = project_of(page);
  ASSERT_EQ(project.find("takes")->items.size(), 2u);
  EXPECT_EQ(find(project, "takes", 1)->find("ops")->items.size(), 1u);
  EXPECT_EQ(page.pose("ball")[0], 20);
  page.fine(R"("do": "undo")");
  EXPECT_EQ(page.pose("ball")[0], 0);
  page.fine(R"("do": "redo")");
  EXPECT_EQ(page.pose("ball")[0], 20);
  // a value inside one that is set again depends on it
  const std::string whole = R"(["bodies", "ball", "shape"])",
                    part = R"(["bodies", "ball", "shape", "radius"])";
  const std::string box = R"({"type": "box", "size": [1, 1, 1]})",
                    ball = R"({"type": "sphere", "radius": 1})";
  page.fine(edit(set(whole, ball) + ", " + set(part, "0.3"), R"(, "merge": "s")"));
  page.fine(edit(set(whole, box), R"(, "merge": "s")"));
  project = project_of(page);
  EXPECT_EQ(project.find("takes")->items.back().find("ops")->items.size(), 3u);
  EXPECT_EQ(page.shown.find("bodies")->items[1].find("shape")->find("type")->string, "box");
}

TEST(Edits, OfCamerasAreOneInOneTakeOnly) {
  Page page;
  page.fine(load_request(kBall));
  const auto camera = [&](double fov) {
    return edit(
        set(R"(["cameras"])",
            R"([{"name": "c", "type": "fixed", "position": [0, 1, 5], "look_at": [0, 0, 0], "fov": )" +
                std::to_string(fov) + "}]"),
        R"(, "merge": "fov")");
  };
  page.fine(camera(1));
  page.fine(edit(place(1)));
  page.fine(R"("do": "take", "take": 0)");
  page.run(3);
  page.fine(R"("do": "take", "take": 0)");
  const double before = page.number("edits");
  // the last entry is not of this take: no part of it
  page.fine(R"("do": "take", "take": 1)");
  page.fine(camera(1.1));
  page.fine(R"("do": "take", "take": 0)");
  page.fine(camera(0.9));
  EXPECT_EQ(page.number("edits"), before + 2);
}

TEST(Memory, OfScenesThatAreNotOnTheStageIsLetGoAndMadeAgain) {
  studio::SessionOptions options;
  options.timeline.memory_bytes = 200'000;
  Page page(options);
  page.fine(load_request(kBall));
  for (int i = 1; i <= 60; ++i) page.fine(edit(place(i)));
  EXPECT_GT(page.number("bytes"), 200'000) << "sixty scenes are more than that";
  page.session.advance(0);
  page.run(1);
  EXPECT_LT(page.number("bytes"), 200'000);
  // cameras are said to all takes, also to those that were let go
  page.fine(edit(set(R"(["title"])", R"("said")")));
  for (int i = 59; i >= 40; --i) {
    page.fine(R"("do": "undo")");
    if (i == 59) page.fine(R"("do": "undo")");
    EXPECT_EQ(page.pose("ball")[0], i);
  }
  for (int i = 0; i < 21; ++i) page.fine(R"("do": "redo")");
  EXPECT_EQ(page.shown.find("title")->string, "said");
  EXPECT_EQ(page.pose("ball")[0], 60);
}

TEST(Expanding, InMidRunKeepsWhatIsSaidOfTheWholeRunAfterwards) {
  Page page;
  page.fine(load_request(kRow));
  page.run(10);
  const std::string ice = set(R"(["bodies", "block_1", "material"])", R"("ice")");
  page.fine(R"("do": "expand", "label": "ice", "ops": [)" + ice + "]");
  page.run(5);
  page.fine(edit(
      R"({"op": "add", "path": ["cameras"], "value": {"name": "c", "type": "fixed", "position": [0, 1, 5], "look_at": [0, 0, 0]}})"));
  page.seek(12);
  bool found = false;
  for (const Json& camera : page.shown.find("cameras")->items)
    found = found || camera.find("name")->string == "c";
  EXPECT_TRUE(found) << "a camera of the whole run is there after the change too";
}

TEST(Expanding, IsDoneAgainOfTheSceneThatIsThere) {
  Page page;
  page.fine(load_request(kRow));
  page.run(10);
  const double first =
      page.fine(edit(set(R"(["bodies", "floor", "material"])", R"("ice")"))).find("take")->number;
  page.run(10);
  const std::string iron = set(R"(["bodies", "block_1", "material"])", R"("iron")");
  page.fine(R"("do": "expand", "label": "iron", "ops": [)" + iron + "]");
  page.run(5);
  page.fine(R"("do": "cut", "remove": true, "take": )" + std::to_string(static_cast<int>(first)));
  page.run(15);
  const std::vector<Json>& bodies = page.shown.find("bodies")->items;
  EXPECT_EQ(bodies[0].find("name")->string, "floor");
  EXPECT_NE(bodies[0].find("material")->string, "ice") << "the ice was taken out";
  EXPECT_EQ(bodies[2].find("material")->string, "iron");
}

TEST(Hands, OpenWhenThePageComesBack) {
  Page page;
  page.fine(load_request(kBall));
  page.fine(R"("do": "play")");
  page.fine(R"("do": "grab", "body": "ball", "point": [0, 0, 0], "target": [0, 3, 0])");
  page.session.advance(0.05);
  page.collect();
  EXPECT_TRUE(page.state.find("grabbing")->boolean);
  Json kept = project_of(page);
  page.fine(R"("do": "hello", "protocol": 1)");
  EXPECT_FALSE(page.state.find("grabbing")->boolean);
  page.refused(R"("do": "grab_move", "target": [0, 4, 0])");
  // what was kept while it held: it lets go where the recording ended
  Page other;
  other.fine(load_project(kept));
  const Json again = project_of(other);
  const Json* inputs = again.find("takes")->items.back().find("inputs");
  ASSERT_NE(inputs, nullptr);
  EXPECT_EQ(inputs->items.back().find("kind")->string, "end");
  // and falls from then on: for five seconds nothing holds it up
  other.fine(R"("do": "step", "count": 300)");
  EXPECT_LT(other.pose("ball")[1], 1.9);
}

// A clock that goes on with every look at it, so that budgets end.
double g_now = 0;
double ticking() { return g_now += 0.01; }

TEST(Goals, ThatAreFarAreComputedInTheBackground) {
  studio::SessionOptions options;
  options.timeline.clock = ticking;
  Page page(options);
  page.fine(load_request(kBall));
  EXPECT_EQ(page.fine(R"("do": "step", "count": 1000)").find("step")->number, 1000);
  EXPECT_LT(page.number("end"), 1000) << "it has answered before all was computed";
  EXPECT_TRUE(page.session.busy());
  EXPECT_EQ(project_of(page).find("step")->number, 1000);
  for (int i = 0; i < 5000 && page.session.busy(); ++i) page.session.advance(0.01);
  page.collect();
  EXPECT_EQ(page.number("step"), 1000);
  // and can be given up
  page.fine(R"("do": "step", "count": 5000)");
  page.fine(R"("do": "pause")");
  EXPECT_FALSE(page.session.busy());
}

TEST(Goals, OfDamagedProjectsLockNothing) {
  Page page;
  page.fine(load_request(kBall));
  page.run(10);
  page.fine(edit(set(R"(["bodies", "ball", "material"])", R"("iron")")));
  page.run(10);
  Json project = project_of(page);
  project.set("step", 1e7);
  for (Json& h : project.find("history")->items) h.items[1] = h.items[3] = Json(1e300);
  studio::SessionOptions options;
  options.timeline.clock = ticking;
  Page other(options);
  other.fine(load_project(project));
  for (int i = 0; i < 100 && other.session.busy(); ++i) other.session.advance(0.01);
  other.collect();
  EXPECT_EQ(other.number("step"), 20) << "no farther than the take went";
  other.refused(R"("do": "undo")");  // an entry of no step is none
  project.set("step", 20);
  find(project, "takes", 1)->set("end", 1e7);
  find(project, "takes", 1)->set("at", 1e7);
  Page third(options);
  third.fine(load_project(project));
  EXPECT_TRUE(third.session.busy()) << "it answers while it computes";
}

TEST(Syncs, OfATakeThatIsDiscardedDoNotComeBackByUndoing) {
  Page page;
  page.fine(load_request(kBall));
  page.run(30);
  page.seek(10);
  const int other = static_cast<int>(
      page.fine(edit(set(R"(["bodies", "ball", "material"])", R"("iron")"))).find("take")->number);
  page.run(10);
  const int id = static_cast<int>(page.fine(R"("do": "sync")").find("sync")->number);
  page.fine(R"("do": "take", "take": 0)");
  page.fine(R"("do": "sync", "remove": )" + std::to_string(id));
  page.fine(R"("do": "discard", "take": )" + std::to_string(other));
  page.fine(R"("do": "undo")");
  EXPECT_TRUE(page.takes.find("syncs")->items.empty());
  page.session.advance(0);
  page.fine(R"("do": "play")");
}

TEST(Syncs, HaveAStateThatIsNotLetGo) {
  studio::SessionOptions options;
  options.timeline.memory_bytes = 40'000;
  Page page(options);
  page.fine(load_request(kBall));
  page.run(77);
  page.fine(R"("do": "sync")");
  page.run(300);
  for (int i = 0; i < 4; ++i) page.session.advance(0);
  EXPECT_TRUE(page.session.timeline().has_state(0, 77));
  page.seek(5);
  page.fine(edit(set(R"(["bodies", "ball", "material"])", R"("iron")")));
  page.run(400);
  for (int i = 0; i < 4; ++i) page.session.advance(0);
  EXPECT_TRUE(page.session.timeline().has_state(0, 77)) << "also of a take nobody looks at";
}

TEST(Undo, OfANoteIsAboutItsOwnEdit) {
  Page page;
  page.fine(load_request(kBall));
  page.fine(edit(place(1)));
  const double edits = page.number("edits");
  const std::string undo = R"("do": "undo", "edits": )" + std::to_string(static_cast<int>(edits));
  page.fine(edit(place(2)));
  page.refused(undo);
  EXPECT_EQ(page.pose("ball")[0], 2);
  page.fine(R"("do": "undo")");
  page.fine(undo);
  EXPECT_EQ(page.pose("ball")[0], 0);
}

// A cut that halves the step: the same number is another instant then.
TEST(Instants, AreThoseOfTheClockWhereTakesHaveOtherSteps) {
  Page page;
  page.fine(load_request(kBall));
  page.run(60);
  page.seek(20);
  page.fine(edit(set(R"(["world", "step"])", R"("1/120")")));
  page.run(40);
  EXPECT_DOUBLE_EQ(page.frame.time, 40.0 / 60);
  const float y = page.pose("ball")[1];
  page.fine(R"("do": "ghost", "take": 0)");
  EXPECT_EQ(page.frame.flags, 8u);
  EXPECT_DOUBLE_EQ(page.frame.time, 40.0 / 60);
  EXPECT_NEAR(page.pose("ball")[1], y, 1e-5);
  page.fine(R"("do": "ghost", "take": null)");
  page.fine(R"("do": "seek", "time": 0.5)");
  EXPECT_EQ(page.number("step"), 20 + 20);
  EXPECT_DOUBLE_EQ(page.frame.time, 0.5);
  page.fine(R"("do": "seek", "time": 0.25)");
  EXPECT_EQ(page.number("step"), 15);
  page.seek(50);
  page.fine(R"("do": "take", "take": 0)");
  EXPECT_EQ(page.number("step"), 35);
  EXPECT_DOUBLE_EQ(page.frame.time, 35.0 / 60);
  const Json& second = page.takes.find("takes")->items[1];
  EXPECT_DOUBLE_EQ(second.find("begins")->number, 20.0 / 60);
  EXPECT_DOUBLE_EQ(second.find("ends")->number, 40.0 / 60);
  EXPECT_DOUBLE_EQ(second.find("step_length")->number, 1.0 / 120);
  // a run goes on for the duration of the scene, by the clock
  page.fine(R"("do": "take", "take": 1)");
  EXPECT_EQ(page.fine(R"("do": "play")").find("limit")->number, 20 + (10 * 120 - 40));
}

TEST(Hands, SayHowHardTheyPull) {
  Page page;
  page.fine(load_request(
      R"({"tenon": 1, "bodies": [{"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "mass": "2 kg", "position": [0, 2, 0]}]})"));
  page.fine(R"("do": "play")");
  page.fine(R"("do": "grab", "body": "ball", "point": [0, 0, 0], "target": [0, 2, 0])");
  for (int i = 0; i < 300; ++i) page.session.advance(1.0 / 60);
  const Json answer = page.fine(R"("do": "grab_move", "target": [0, 2, 0])");
  // after five seconds it hangs still: the hand carries its weight
  EXPECT_NEAR(answer.find("force")->number, 2 * 9.81, 0.02 * 2 * 9.81);
}

TEST(Events, OfContactsEndWithAWordAndRareOnesGoOn) {
  studio::SessionOptions options;
  options.timeline.most_events = 4;
  Page page(options);
  page.fine(load_request(kBall));
  page.run(400);
  EXPECT_LE(page.events.size(), 4u);
  EXPECT_TRUE(page.session.timeline().take(0).events_full);
}

TEST(Energy, IsComparedWithTheMostThereWas) {
  Page page;
  page.fine(load_request(kBall));
  page.run(600);
  const studio::Frame first = *page.session.timeline().frame(0, 0);
  const studio::Frame last = *page.session.timeline().frame(0, 600);
  const double fall = first.stats.potential_J - last.stats.potential_J;
  EXPECT_EQ(first.stats.largest_J, 0);
  EXPECT_LT(last.stats.kinetic_J, 0.05 * fall);  // it has bounced most of it away
  EXPECT_GT(last.stats.largest_J, 0.9 * fall);
}

TEST(History, OfCamerasAndSyncPointsOutlivesAReload) {
  Page page;
  page.fine(load_request(kBall));
  page.fine(edit(place(1)));
  page.fine(edit(set(R"(["title"])", R"("one")")));
  page.run(5);
  page.fine(edit(set(R"(["title"])", R"("two")")));
  page.fine(R"("do": "sync", "name": "five")");
  Page other;
  other.fine(load_project(project_of(page)));
  EXPECT_EQ(other.number("edits"), 4);
  EXPECT_EQ(other.shown.find("title")->string, "two");
  other.fine(R"("do": "undo")");
  EXPECT_TRUE(other.takes.find("syncs")->items.empty());
  other.fine(R"("do": "undo")");
  EXPECT_EQ(other.shown.find("title")->string, "one");
  other.fine(R"("do": "redo")");
  EXPECT_EQ(other.shown.find("title")->string, "two");
  other.fine(R"("do": "redo")");
  ASSERT_EQ(other.takes.find("syncs")->items.size(), 1u);
  EXPECT_EQ(other.takes.find("syncs")->items[0].find("name")->string, "five");
  for (int i = 0; i < 4; ++i) other.fine(R"("do": "undo")");
  EXPECT_EQ(other.pose("ball")[0], 0);
  EXPECT_EQ(other.shown.find("title")->string, "");
}

}  // namespace
}  // namespace tenon::test
