// What searches remember of earlier ones changes no contact: same bits with it, without it, and
// with what was remembered elsewhere.
#include <gtest/gtest.h>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/narrow/collide_mesh.h"
#include "tenon/tests/physics/meshes/mesh_kit.h"

namespace tenon::test {
namespace {

void expect_same(const std::vector<Manifold>& a, const std::vector<Manifold>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].count, b[i].count);
    EXPECT_EQ(a[i].normal_W, b[i].normal_W);
    for (int k = 0; k < a[i].count; ++k) {
      const auto at = static_cast<size_t>(k);
      EXPECT_EQ(a[i].points[at].p_W, b[i].points[at].p_W);
      EXPECT_EQ(a[i].points[at].distance, b[i].points[at].distance);
      EXPECT_EQ(a[i].points[at].feature, b[i].points[at].feature);
    }
  }
}

// B wanders about A: small steps near and into it, with jumps now and then. Returns how many
// patches there were.
size_t wander(const Shape& a, const Shape& b, const Vec3& from, double stride) {
  Rng random(7);
  PairMemory memory;
  Pose X{from, {}};
  size_t patches = 0;
  for (int i = 0; i < 400; ++i) {
    const auto any = [&] {
      return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    };
    const double way = (i % 50 == 49 ? 20 : 1) * stride;
    X.p += way * any() + 0.02 * (from - X.p);
    X.q = normalized(exp_map((2 * way) * any()) * X.q);
    const double margin = stride * (1 + random.uniform(0, 4));
    PairMotion motion{0.3 * stride * any(), 0.1 * stride * any(), X.p, margin, {}};
    std::vector<Manifold> alone, remembered;
    collide_mesh(a, {}, b, to_transform(X), margin, alone, motion);
    motion.memory = &memory;
    collide_mesh(a, {}, b, to_transform(X), margin, remembered, motion);
    expect_same(alone, remembered);
    patches += alone.size();
  }
  return patches;
}

TEST(ProbeMemory, ChangesNoContactOfTwoMeshes) {
  const Shape ring = to_mesh(torus(0.3, 0.06, 48, 24));
  // linked: the bar of the one in the hole of the other
  EXPECT_GT(wander(ring, ring, {0.3, 0, 0.05}, 0.004), 100u);
  EXPECT_GT(wander(ring, ring, {0.1, 0.13, 0.02}, 0.001), 100u);
}

TEST(ProbeMemory, ChangesNoContactWithConvexShapes) {
  const Shape ring = to_mesh(torus(0.3, 0.06, 48, 24));
  EXPECT_GT(wander(ring, Box{{0.1, 0.1, 0.1}}, {0.1, 0.1, 0}, 0.003), 50u);
  EXPECT_GT(wander(Capsule{0.1, 0.4}, ring, {0.145, 0.1, 0}, 0.003), 100u);
}

}  // namespace
}  // namespace tenon::test
