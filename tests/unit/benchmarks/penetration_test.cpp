// The measure by which benchmarks judge overlaps, against the engine's own: two codes, one answer.
#include "tenon/benchmarks/engines/penetration.h"

#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/narrow/separation.h"

namespace tenon {
namespace {

struct Sample {
  SceneShape shape;
  Pose X_W;
};

Sample make_sample(Rng& rng, SceneShape::Kind kind) {
  const auto length = [&] { return rng.uniform(0.2, 0.6); };
  Sample sample{{kind, {length(), length(), length()}}, {}};
  if (kind == SceneShape::Kind::kCapsule) sample.shape.half.y = sample.shape.half.x;
  const auto coordinate = [&] { return rng.uniform(-0.5, 0.5); };
  const auto angle = [&] { return rng.uniform(-3, 3); };
  sample.X_W = {{coordinate(), coordinate(), coordinate()}, exp_map({angle(), angle(), angle()})};
  return sample;
}

// The engine's capsules lie along y.
double calc_depth_of_engine(const Sample& a, const Sample& b) {
  const auto shape = [](const Sample& s) -> Shape {
    if (s.shape.kind == SceneShape::Kind::kBox) return Box{s.shape.half};
    return Capsule{s.shape.half.x, s.shape.half.z};
  };
  const auto place = [](const Sample& s) {
    const bool box = s.shape.kind == SceneShape::Kind::kBox;
    const Quat turn = box ? Quat{} : from_axis_angle({1, 0, 0}, 0.5 * kPi);
    return to_transform({s.X_W.p, s.X_W.q * turn});
  };
  return -find_separation(shape(a), place(a), shape(b), place(b)).distance;
}

TEST(PenetrationProbe, AgreesWithTheEngineOnOverlaps) {
  using enum SceneShape::Kind;
  Rng rng(7);
  int overlapping = 0;
  for (int i = 0; i < 3000; ++i) {
    const Sample a = make_sample(rng, i % 2 ? kBox : kCapsule);
    const Sample b = make_sample(rng, i / 2 % 2 ? kBox : kCapsule);
    const double depth = calc_penetration(a.shape, a.X_W, b.shape, b.X_W);
    const double of_engine = calc_depth_of_engine(a, b);
    EXPECT_EQ(depth > 1e-6, of_engine > 1e-6) << i;
    if (of_engine < 1e-6) continue;
    ++overlapping;
    // the engine promises 1e-6 of the smaller extent; the search along a capsule ends at 1e-9
    EXPECT_NEAR(depth, of_engine, 1e-6) << i;
  }
  EXPECT_GT(overlapping, 1000);
}

TEST(PenetrationProbe, FindsTheDeepestPairAndSkipsJoinedAndStaticOnes) {
  const auto box = [](double x, double mass) {
    SceneBody body;
    body.X_WB.p = {x, 0, 0};
    body.mass = mass;
    body.shape.half = {0.5, 0.5, 0.5};
    body.collides = true;
    return body;
  };
  BenchScene scene;
  // overlaps: 0.1 (free), 0.2 (joined), 0.3 (static pair), 0.05 (free)
  scene.bodies = {box(0, 1), box(0.9, 1), box(1.7, 1), box(2.65, 0), box(3.35, 0)};
  SceneJoint joint;
  joint.a = 1;
  joint.b = 2;
  scene.joints = {joint};
  std::vector<BodyReading> now;
  for (const SceneBody& body : scene.bodies) now.push_back({body.X_WB, {}, {}});
  EXPECT_NEAR(PenetrationProbe(scene).find_deepest(now), 0.1, 1e-12);
  now[0].X_WB.p.x -= 0.2;
  EXPECT_NEAR(PenetrationProbe(scene).find_deepest(now), 0.05, 1e-12);
}

}  // namespace
}  // namespace tenon
