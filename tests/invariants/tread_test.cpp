// The tread of the gallery: a closed loop that only joints of rules keep on its sprockets.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <ostream>
#include <sstream>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/tests/effort.h"

namespace tenon::test {
namespace {

constexpr size_t kLinks = 34;
constexpr double kPitch = 0.12;    // m
constexpr double kRate = kPi / 3;  // rad/s
// N: a span of 12 links of 0.5 kg hangs from its ends, which slope by 5.5 times 1.6 degrees; 0.1548
// is the tangent of that
constexpr double kPull = 6 * 0.5 * 9.81 / 0.1548;
constexpr double kTooth = 2 * kPi / 10;  // rad

struct Tread {
  scene::BuiltScene scene;
  std::vector<BodyHandle> links;  // in their order along the tread
  JointHandle right, left;        // axles
};

Tread load(const char* step, const char* rate) {
  std::ifstream in(std::string(TENON_SOURCE_DIR) + "/gallery/tread.json");
  std::stringstream text;
  text << in.rdbuf();
  scene::LoadOptions options;
  options.overrides = {std::string("world.step=") + step, std::string("parameters.rate=") + rate};
  const scene::LoadResult loaded = scene::load_scene(text.str(), "tread.json", options);
  for (const Error& e : loaded.errors) ADD_FAILURE() << format(e);
  scene::BuildResult built = scene::build(loaded.flat, {.threads = 1});
  for (const Error& e : built.errors) ADD_FAILURE() << format(e);
  Tread tread{std::move(built.scene.at(0)), {}, {}, {}};
  const scene::BuiltScene& s = tread.scene;
  const auto find = [](const std::vector<std::string>& names, const std::string& name) {
    return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (size_t i = 0; i < kLinks; ++i) {
    tread.links.push_back(s.handles.at(find(s.names, "tread_" + std::to_string(i) + "/link")));
  }
  tread.right = s.joint_handles.at(find(s.joint_names, "right/axle"));
  tread.left = s.joint_handles.at(find(s.joint_names, "left/axle"));
  return tread;
}

// What the rules hold now: joints on the two sprockets, and the way by which the worst of their
// pins stands off its tooth.
struct Hold {
  std::array<int, 2> pins{};
  double off_tooth_m = 0;
};

Hold find_hold(const World& world) {
  Hold hold;
  for (const JointHandle joint : world.joints()) {
    const uint32_t rule = world.rule_of(joint);
    if (rule == kNoRule) continue;
    ++hold.pins.at(rule);
    const JointDef& def = world.joint_def(joint);
    const Pose P = world.pose(def.parent) * def.X_BP, C = world.pose(def.child) * def.X_BC;
    hold.off_tooth_m = std::max(hold.off_tooth_m, norm(P.p - C.p));
  }
  return hold;
}

// N, of the pins between links: the largest and the mean.
struct Pull {
  double largest = 0, mean = 0;
};

Pull find_pull(const Tread& tread) {
  Pull pull;
  for (size_t i = 0; i < tread.scene.joint_handles.size(); ++i) {
    if (!tread.scene.joint_names[i].starts_with("pin_")) continue;
    const double force = norm(tread.scene.world.read_joint(tread.scene.joint_handles[i]).force);
    pull.largest = std::max(pull.largest, force);
    pull.mean += force / kLinks;
  }
  return pull;
}

// Turns of each link about the middle of the tread.
class Rounds {
 public:
  explicit Rounds(const Tread& tread) : tread_(tread), turned_(kLinks, 0), last_(kLinks, 0) {
    for (size_t i = 0; i < kLinks; ++i) last_[i] = angle(i);
  }
  void update() {
    for (size_t i = 0; i < kLinks; ++i) {
      const double now = angle(i);
      turned_[i] += std::remainder(now - last_[i], 2 * kPi) / (2 * kPi);
      last_[i] = now;
    }
  }
  double least() const { return *std::min_element(turned_.begin(), turned_.end()); }
  double most() const { return *std::max_element(turned_.begin(), turned_.end()); }

 private:
  const Tread& tread_;
  std::vector<double> turned_, last_;

  double angle(size_t i) const {
    const Vec3 p = tread_.scene.world.pose(tread_.links[i]).p;
    return std::atan2(p.y, p.x);
  }
};

struct Case {
  const char *step, *rate;
  int steps;
  double seconds;
  double way;  // 1 clockwise, -1 against the clock
  friend void PrintTo(const Case& c, std::ostream* out) {
    *out << c.seconds << " s at " << c.rate << " in steps of " << c.step << " s";
  }
};

class TreadOf : public testing::TestWithParam<Case> {};

TEST_P(TreadOf, CirculatesWithEveryLinkOn) {
  const Case c = GetParam();
  Tread tread = load(c.step, c.rate);
  World& world = tread.scene.world;
  Rounds rounds(tread);
  int made = 0, released = 0;
  double off_tooth = 0, mean_pull = 0;
  for (int i = 0; i < c.steps; ++i) {
    world.step();
    rounds.update();
    for (const Event& e : world.events()) {
      made += e.kind == EventKind::kJointMade;
      released += e.kind == EventKind::kJointReleased;
    }
    const StepDiagnostics& d = world.diagnostics();
    // a millionth of a link; the joints of the rules are among those measured
    ASSERT_LE(d.joint_gap_m, 1e-6 * kPitch) << "step " << i;
    ASSERT_EQ(d.unconverged_joints, 0u) << "step " << i;
    const Hold hold = find_hold(world);
    // 216 degrees or six teeth of each sprocket are in its zone
    for (const int pins : hold.pins) {
      ASSERT_GE(pins, 5) << "step " << i;
      ASSERT_LE(pins, 7) << "step " << i;
    }
    off_tooth = std::max(off_tooth, hold.off_tooth_m);
    const Pull pull = find_pull(tread);
    // twice that of rest: the shock when a pin is caught
    ASSERT_LT(pull.largest, 2 * kPull) << "step " << i;
    mean_pull += pull.mean / c.steps;
  }
  // no load but that of the spans: what is held twice could bear any
  EXPECT_NEAR(mean_pull, kPull, 0.1 * kPull);
  // the give of a tooth, 200 kN/m, under the pull of a span and the shock of a pin that is caught
  RecordProperty("off_tooth_m", std::to_string(off_tooth));
  EXPECT_LT(off_tooth, 0.005 * kPitch);
  // as many pins come to a sprocket, and go, as teeth pass, give or take one
  const double teeth = c.seconds * kRate / kTooth;
  for (const JointHandle axle : {tread.right, tread.left}) {
    EXPECT_NEAR(-c.way * world.read_joint(axle).coordinate[3], c.seconds * kRate, 1e-6);
  }
  EXPECT_NEAR(made - 12, 2 * teeth, 2);
  EXPECT_NEAR(released, 2 * teeth, 2);
  // the tread goes on by a pitch per tooth; the angle from the middle runs fast over the spans and
  // slowly round the sprockets, which makes up to a fifth of a round
  const double least = c.way > 0 ? -rounds.most() : rounds.least();
  const double most = c.way > 0 ? -rounds.least() : rounds.most();
  EXPECT_GT(least, teeth / kLinks - 0.2);
  EXPECT_LT(most, teeth / kLinks + 0.2);
  // neighbours still meet in their pins
  for (size_t i = 0; i < kLinks; ++i) {
    const Vec3 end = (world.pose(tread.links[i]) * Pose{{kPitch / 2, 0, 0}, {}}).p;
    const Vec3 begin =
        (world.pose(tread.links[(i + 1) % kLinks]) * Pose{{-kPitch / 2, 0, 0}, {}}).p;
    EXPECT_LT(norm(end - begin), 1e-6 * kPitch) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Steps, TreadOf,
    testing::Values(Case{"1/30", "60 deg/s", effort(1800, 150), effort(60, 5), 1},
                    Case{"1/60", "60 deg/s", effort(600, 300), effort(10, 5), 1},
                    Case{"1/60", "-60 deg/s", 300, 5, -1}, Case{"1/120", "60 deg/s", 600, 5, 1}));

}  // namespace
}  // namespace tenon::test
