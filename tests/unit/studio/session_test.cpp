// Time: running, scrubbing, resuming, takes, events.
#include <gtest/gtest.h>

#include <cmath>

#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/tests/unit/studio/page_kit.h"

namespace tenon::test {
namespace {

constexpr const char* kTwoBalls = R"({"tenon": 1, "bodies": [
  {"name": "floor", "shape": {"type": "plane"}},
  {"name": "ball", "shape": {"type": "sphere", "radius": "10 cm"}, "position": [0, "1 m", 0], "material": "rubber"},
  {"name": "other", "shape": {"type": "sphere", "radius": "10 cm"}, "position": [1, "3 m", 0]}]})";

std::string hex(uint64_t bits) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(bits));
  return text;
}

// Hashes of a plain run, as `tenon run` makes it.
std::vector<std::string> plain_run(const std::string& text, int steps) {
  const scene::LoadResult loaded = scene::load_scene(text, "scene.json");
  EXPECT_TRUE(loaded.ok());
  scene::BuildResult built = scene::build(loaded.flat, {.threads = 1});
  EXPECT_TRUE(built.ok());
  World& world = built.scene.front().world;
  std::vector<std::string> hashes{hex(world.state_hash())};
  for (int i = 0; i < steps; ++i) {
    world.step();
    hashes.push_back(hex(world.state_hash()));
  }
  return hashes;
}

TEST(Session, SaysHelloWithItsCapabilitiesAndRefusesOtherVersions) {
  Page page;
  const Json hello = page.fine(R"("do": "hello", "protocol": 1)");
  EXPECT_EQ(hello.find("protocol")->number, 1);
  EXPECT_FALSE(hello.find("capabilities")->items.empty());
  EXPECT_EQ(page.shown.find("bodies")->items.size(), 1u);  // a new scene has a floor
  EXPECT_EQ(page.refused(R"("do": "hello", "protocol": 7)").find("accepted")->string, "1");
}

TEST(Session, RunsGalleryScenesWithTheBitsOfAPlainRun) {
  for (const char* name : {"cradle", "double-pendulum", "can-toss", "aero/vehicle-on-ice"}) {
    const std::string text = gallery_text(name);
    const std::vector<std::string> expected = plain_run(text, 90);
    Page page;
    page.fine(load_request(text));
    page.run(90);
    EXPECT_EQ(page.hash(90), expected[90]) << name;
    // back and forth: states that were passed are reached again, with the same bits
    for (const int step : {17, 0, 61, 30, 89, 90})
      EXPECT_EQ(page.hash(step), expected[step]) << name;
  }
}

TEST(Session, GoesOnAfterScrubbingAsIfNothingHadHappened) {
  const std::vector<std::string> expected = plain_run(kTwoBalls, 120);
  Page page;
  page.fine(load_request(kTwoBalls));
  page.run(60);
  page.seek(11);
  EXPECT_EQ(page.frame.step, 11);
  page.seek(60);
  page.run(60);
  EXPECT_EQ(page.hash(120), expected[120]);
  EXPECT_EQ(page.number("end"), 120);
}

TEST(Session, PlaysForwardsAndBackwardsByTheClock) {
  Page page;
  page.fine(load_request(kTwoBalls));
  page.fine(R"("do": "play", "speed": 1)");
  for (int i = 0; i < 30; ++i) page.session.advance(1.0 / 60);
  page.collect();
  EXPECT_NEAR(page.frame.time, 0.5, 1e-9);
  page.fine(R"("do": "play", "speed": -2)");
  for (int i = 0; i < 6; ++i) page.session.advance(1.0 / 60);
  page.collect();
  EXPECT_NEAR(page.frame.time, 0.3, 1e-9);
  for (int i = 0; i < 20; ++i) page.session.advance(1.0 / 60);
  page.collect();
  EXPECT_EQ(page.frame.step, 0);
  EXPECT_EQ(page.state.find("mode")->string, "paused");
  EXPECT_EQ(page.number("end"), 30);
}

TEST(Session, ShowsInstantsBetweenStepsInSlowMotion) {
  Page page;
  page.fine(load_request(kTwoBalls));
  page.run(2);
  const float after_two = page.pose("ball")[1];
  page.seek(1);
  const float after_one = page.pose("ball")[1];
  page.fine(R"("do": "play", "speed": 0.25)");
  for (int i = 0; i < 2; ++i) page.session.advance(1.0 / 60);
  page.collect();
  EXPECT_NEAR(page.frame.step, 1.5, 1e-9);
  EXPECT_NEAR(page.pose("ball")[1], (after_one + after_two) / 2, 1e-6);
}

TEST(Session, PausesAtTheEndOfTheScenesDurationAndGoesOnFromThere) {
  Page page;
  page.fine(load_request(R"({"tenon": 1, "world": {"duration": "0.2 s"}, "bodies": [
    {"name": "ball", "shape": {"type": "sphere", "radius": 1}}]})"));
  page.fine(R"("do": "play")");
  for (int i = 0; i < 30; ++i) page.session.advance(1.0 / 60);
  page.collect();
  EXPECT_EQ(page.number("end"), 12);
  EXPECT_EQ(page.state.find("stopped_by")->string, "limit");
  page.fine(R"("do": "play")");
  for (int i = 0; i < 30; ++i) page.session.advance(1.0 / 60);
  page.collect();
  EXPECT_EQ(page.number("end"), 24);
}

TEST(Session, GoesOnComputingWhenItIsRunAStepBeforeTheEndOfTheRecording) {
  Page page;
  page.fine(load_request(
      R"({"tenon": 1, "world": {"step": "1/60", "duration": "1 s"}, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}}]})"));
  page.run(90);
  page.seek(89);
  EXPECT_EQ(page.fine(R"("do": "play")").find("limit")->number, 90 + 60);
  page.fine(R"("do": "pause")");
  page.seek(20);  // far from it: what is recorded is played, and then it pauses
  EXPECT_EQ(page.fine(R"("do": "play")").find("limit")->number, 90);
}

TEST(Session, RunsToTheNextContactAndStopsAtItsStep) {
  Page page;
  page.fine(load_request(kTwoBalls));
  page.fine(R"("do": "until", "kind": "contact")");
  while (page.session.busy()) page.session.advance(1.0 / 60);
  page.collect();
  // 0.9 m of free fall take sqrt(2 0.9 / 9.81) = 0.428 s, which is within step 26
  EXPECT_EQ(page.frame.step, 26);
  EXPECT_EQ(page.state.find("stopped_by")->string, "event");
  ASSERT_FALSE(page.events.empty());
  EXPECT_EQ(page.events.back().find("kind")->string, "contact_begin");
  // the other one, which falls 2.9 m
  page.fine(R"("do": "until", "kind": "contact", "body": "other")");
  while (page.session.busy()) page.session.advance(1.0 / 60);
  page.collect();
  EXPECT_EQ(page.frame.step, std::ceil(60 * std::sqrt(2 * 2.9 / 9.81)));
  // and from the past: what is recorded is found without computing
  const double end = page.number("end");
  page.seek(3);
  page.fine(R"("do": "until", "kind": "contact")");
  while (page.session.busy()) page.session.advance(1.0 / 60);
  page.collect();
  EXPECT_EQ(page.frame.step, 26);
  EXPECT_EQ(page.number("end"), end);
}

TEST(Session, LetsGoOfWhatIsFarWhenMemoryIsShortAndComputesItAgain) {
  const std::string text = gallery_text("can-toss");
  const std::vector<std::string> expected = plain_run(text, 400);
  studio::SessionOptions options;
  options.timeline.memory_bytes = 300'000;
  Page page(options);
  page.fine(load_request(text));
  page.run(5);
  const std::vector<float> early = page.frame.poses;
  page.run(395);
  page.session.advance(0);  // this is when it looks at its memory
  page.fine(R"("do": "sync")");
  page.session.advance(0);  // again: a sync point has a state of its own
  page.fine(R"("do": "pause")");
  EXPECT_LE(page.number("bytes"), 400'000);
  EXPECT_GT(page.number("bytes"), 0);
  page.seek(5);
  EXPECT_EQ(page.frame.poses, early);
  EXPECT_EQ(page.hash(123), expected[123]);
  EXPECT_EQ(page.hash(400), expected[400]);
}

TEST(Session, KeepsSyncPointsThatCanBeNamedAndTakenAway) {
  Page page;
  page.fine(load_request(kTwoBalls));
  page.run(20);
  const int id =
      static_cast<int>(page.fine(R"("do": "sync", "name": "half way")").find("sync")->number);
  ASSERT_EQ(page.takes.find("syncs")->items.size(), 1u);
  EXPECT_EQ(page.takes.find("syncs")->items[0].find("step")->number, 20);
  page.fine("\"do\": \"sync\", \"name\": \"first\", \"rename\": " + std::to_string(id));
  EXPECT_EQ(page.takes.find("syncs")->items[0].find("name")->string, "first");
  page.fine("\"do\": \"sync\", \"remove\": " + std::to_string(id));
  EXPECT_TRUE(page.takes.find("syncs")->items.empty());
  page.refused(R"("do": "sync", "remove": 99)");
}

TEST(Session, AnswersNonsenseWithWhatWouldBeAccepted) {
  Page page;
  for (const char* text :
       {"", "{", "[]", "null", "{\"do\": 5}", "{\"id\": 1, \"do\": \"explode\"}",
        "{\"do\": \"seek\", \"step\": \"x\"}", "\xff\xfe\x00", "{\"do\": \"load\", \"text\": 3}",
        "{\"do\": \"play\", \"speed\": 0}", "{\"do\": \"grab\", \"body\": \"nobody\"}",
        "{\"do\": \"edit\", \"ops\": {}}", "{\"do\": \"take\", \"take\": 42}",
        "{\"do\": \"load\", \"project\": {\"takes\": 1}}", "{\"do\": \"step\", \"count\": 1e99}"}) {
    const size_t before = page.replies.size();
    page.session.receive(text);
    page.collect();
    ASSERT_EQ(page.replies.size(), before + 1) << text;
    EXPECT_FALSE(page.replies.back().find("ok")->boolean) << text;
    EXPECT_FALSE(page.replies.back().find("error")->find("message")->string.empty()) << text;
  }
  page.fine(R"("do": "hello", "protocol": 1)");  // and lives on
}

TEST(Session, RefusesMessagesThatAreTooLarge) {
  studio::SessionOptions options;
  options.max_message_bytes = 1000;
  Page page(options);
  page.session.receive("{\"do\": \"load\", \"text\": \"" + std::string(2000, 'x') + "\"}");
  page.collect();
  ASSERT_EQ(page.replies.size(), 1u);
  EXPECT_FALSE(page.replies[0].find("ok")->boolean);
}

}  // namespace
}  // namespace tenon::test
