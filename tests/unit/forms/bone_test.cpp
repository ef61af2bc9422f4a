// Bones of a skeleton.
#include <cmath>

#include "surface_check.h"
#include "tenon/scene/forms/blobs.h"

namespace tenon::scene {
namespace {

TEST(Blobs, GradientsAreThoseOfTheField) {
  const BlobField field({bar({0, 0, 0}, 0.2, {1, 0.3, 0}, 0.1, 0.2),
                         ball({0.5, 0.4, 0.2}, 0.2, 0.15), hollow(ball({0, 0.1, 0.15}, 0.1, 0.1))});
  for (int i = 0; i < 200; ++i) {
    const Vec3 p{-0.5 + 0.011 * i, 0.6 * std::sin(i), 0.4 * std::cos(1.7 * i)};
    const FieldSample f = field.sample(p);
    const double d = 1e-6;
    const Vec3 wanted{
        (field.sample({p.x + d, p.y, p.z}).value - field.sample({p.x - d, p.y, p.z}).value) /
            (2 * d),
        (field.sample({p.x, p.y + d, p.z}).value - field.sample({p.x, p.y - d, p.z}).value) /
            (2 * d),
        (field.sample({p.x, p.y, p.z + d}).value - field.sample({p.x, p.y, p.z - d}).value) /
            (2 * d)};
    EXPECT_LT(norm(f.gradient - wanted), 1e-5) << i;  // kinks between pieces are elsewhere
  }
}

TEST(Blobs, ABallBecomesASphere) {
  const Surface surface = polygonise(BlobField({ball({0.1, 0.2, 0.3}, 0.5)}), 0.03);
  const SurfaceFacts facts = calc_facts(surface);
  EXPECT_EQ(facts.euler, 2);
  EXPECT_EQ(facts.lone_edges, 0);
  for (const Vec3& v : surface.vertices) EXPECT_NEAR(norm(v - Vec3{0.1, 0.2, 0.3}), 0.5, 1e-9);
  EXPECT_NEAR(facts.volume, 4 * kPi / 3 * 0.125, 2e-3 * 0.52);
  EXPECT_GT(facts.thinnest, 0.2);
}

TEST(Bones, EveryBoneIsASolidInOnePiece) {
  double volume = 0, area = 0;
  for (int b = 0; b <= static_cast<int>(Bone::kToes); ++b) {
    const auto bone = static_cast<Bone>(b);
    const SurfaceFacts facts =
        expect_solid(BoneForm{.bone = bone, .edge = 0.003}, std::to_string(b));
    const int pairs = bone >= Bone::kClavicle ? 2 : 1;
    volume += pairs * facts.volume;
    area += pairs * facts.area;
  }
  // a skeleton of 1.76 m has five or six litres of bone; here the skull is solid
  EXPECT_GT(volume, 4e-3);
  EXPECT_LT(volume, 9e-3);
  EXPECT_GT(area, 0.3);
}

TEST(Bones, TheRibCageHasAGapBetweenEveryTwoRibs) {
  const SurfaceFacts facts = expect_solid(BoneForm{.bone = Bone::kRibCage, .edge = 0.003}, "ribs");
  // six pairs of ribs are tied to the sternum: gaps between neighbours, and the way through the
  // cage; shoulders of vertebrae may add some
  EXPECT_LE(facts.euler, 2 - 2 * 11);
}

TEST(Bones, ForearmAndShinHaveAGapBetweenTheirTwoBones) {
  EXPECT_EQ(expect_solid(BoneForm{.bone = Bone::kForearm, .edge = 0.002}, "forearm").euler, 0);
  EXPECT_EQ(expect_solid(BoneForm{.bone = Bone::kShin, .edge = 0.002}, "shin").euler, 0);
}

TEST(Bones, TheLeftOneIsTheMirrorImageOfTheRightOne) {
  const Surface right = surface_of(BoneForm{.bone = Bone::kFoot, .edge = 0.006});
  const Surface left =
      surface_of(BoneForm{.bone = Bone::kFoot, .side = Side::kLeft, .edge = 0.006});
  ASSERT_EQ(left.vertices.size(), right.vertices.size());
  for (size_t i = 0; i < left.vertices.size(); ++i) {
    const Vec3 v = right.vertices[i];
    EXPECT_EQ(left.vertices[i], (Vec3{v.x, v.y, -v.z}));
  }
  EXPECT_GT(calc_facts(left).volume, 0);
}

TEST(Bones, StatureScalesThemAll) {
  const SurfaceFacts one = expect_solid(BoneForm{.bone = Bone::kHand, .edge = 0.003}, "hand");
  const SurfaceFacts two =
      expect_solid(BoneForm{.bone = Bone::kHand, .stature = 3.52, .edge = 0.006}, "hand");
  EXPECT_NEAR(two.volume, 8 * one.volume, 1e-12);
}

}  // namespace
}  // namespace tenon::scene
