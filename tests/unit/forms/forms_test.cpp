// Forms are closed surfaces with the topology and volume that they should have.
#include <cmath>

#include "surface_check.h"
#include "tenon/engine/base/hash.h"

namespace tenon::scene {
namespace {

// Volumes of inscribed polyhedra fall short by about (edge / radius of curvature)^2 / 6.
TEST(Forms, ASphereHasItsVolumeAndRadius) {
  const SurfaceFacts facts = expect_solid(SphereForm{.radius = 0.5, .edge = 0.02}, "sphere");
  EXPECT_EQ(facts.euler, 2);
  EXPECT_NEAR(facts.volume, 4 * kPi / 3 * 0.125, 1e-3 * 0.5236);
  EXPECT_LE(facts.longest_edge, 0.02);
  EXPECT_GT(facts.thinnest, 0.6);  // equilateral: 0.866
}

TEST(Forms, ABoxKeepsItsVolumeHoweverItIsDivided) {
  for (const Edge& edge : {Edge{}, Edge{0.3}, Edge{0.02}}) {
    const SurfaceFacts facts = expect_solid(BoxForm{.size = {1, 0.5, 0.25}, .edge = edge}, "box");
    EXPECT_EQ(facts.euler, 2);
    EXPECT_NEAR(facts.volume, 0.125, 1e-12);
    EXPECT_NEAR(facts.area, 2 * (0.5 + 0.25 + 0.125), 1e-12);
    EXPECT_LE(facts.longest_edge, edge.value_or(2));
  }
}

TEST(Forms, ATorusHasAHoleAndTheVolumeOfPappus) {
  const SurfaceFacts facts =
      expect_solid(TorusForm{.radius = 0.5, .bar = 0.1, .edge = 0.01}, "torus");
  EXPECT_EQ(facts.euler, 0);
  const double exact = 2 * kPi * kPi * 0.5 * 0.01;
  EXPECT_NEAR(facts.volume, exact, 0.003 * exact);
  EXPECT_NEAR(facts.high.x, 0.6, 2e-4);  // a corner of the section need not lie outermost
  EXPECT_NEAR(facts.high.z, 0.1, 1e-4);
  EXPECT_LE(facts.longest_edge, 1.5 * 0.01);  // the diagonal of a square
}

TEST(Forms, AChainLinkIsAStadiumOfABar) {
  const SurfaceFacts facts = expect_solid(
      ChainLinkForm{.length = 0.2, .radius = 0.1, .bar = 0.03, .edge = 0.005}, "chain link");
  EXPECT_EQ(facts.euler, 0);
  const double exact = kPi * 0.03 * 0.03 * (2 * 0.2 + 2 * kPi * 0.1);
  EXPECT_NEAR(facts.volume, exact, 0.006 * exact);
  EXPECT_NEAR(facts.high.x - facts.low.x, 0.2 + 2 * 0.13, 1e-9);
}

TEST(Forms, ALinkIsABentBarWithKnobs) {
  const LinkForm form{.radius = 0.3, .angle = kPi / 3, .bar = 0.03, .knob = 0.04, .edge = 0.004};
  const SurfaceFacts facts = expect_solid(form, "link");
  EXPECT_EQ(facts.euler, 2);
  // the bar between the necks, and two balls less the caps that stick in the bar
  const double k = 0.04, neck = std::sqrt(k * k - 0.03 * 0.03), cap = k - neck;
  const double bar = kPi * 0.03 * 0.03 * (kPi / 3 * 0.3 - 2 * neck);
  const double balls = 2 * (4 * kPi / 3 * k * k * k - kPi * cap * cap * (k - cap / 3));
  EXPECT_NEAR(facts.volume, bar + balls, 0.01 * (bar + balls));
  // the ends of the ring's chord, with half a ball beyond
  EXPECT_NEAR(facts.high.y, 0.3 * 0.5 + k, 0.01 * k);
  EXPECT_NEAR(facts.low.y, -facts.high.y, 1e-12);
}

TEST(Forms, ANutIsAHexagonLessACircle) {
  const SurfaceFacts facts =
      expect_solid(NutForm{.across = 0.03, .height = 0.015, .bore = 0.009}, "nut");
  EXPECT_EQ(facts.euler, 0);
  // bores have the area of their circle
  const double exact = 0.015 * (std::sqrt(3.0) / 2 * 0.03 * 0.03 - kPi * 0.009 * 0.009);
  EXPECT_NEAR(facts.volume, exact, 1e-12 * exact);
}

// Shell of a sphere between two cones, and half a ring for the rim.
TEST(Forms, ABowlIsAShellWithARoundRim) {
  const BowlForm form{.radius = 0.5, .height = 0.4, .wall = 0.04, .edge = 0.008};
  const SurfaceFacts facts = expect_solid(form, "bowl");
  EXPECT_EQ(facts.euler, 2);
  EXPECT_NEAR(facts.low.y, 0, 1e-12);
  EXPECT_NEAR(facts.high.y, 0.4, 0.01);
  const double end = kPi / 2 + std::asin((0.4 - 0.5 - 0.02) / 0.48);
  const double shell = 2 * kPi / 3 * (0.125 - std::pow(0.46, 3)) * (1 - std::cos(end));
  // Pappus: the middle of half a disc lies 4 r / (3 pi) from its edge
  const double arm = 0.48 * std::sin(end) + 4 * 0.02 / (3 * kPi) * std::cos(end);
  const double rim = kPi * 0.02 * 0.02 / 2 * 2 * kPi * arm;
  EXPECT_NEAR(facts.volume, shell + rim, 0.005 * shell);
}

TEST(Forms, AGroundLooksUpAndStaysWithinItsHeight) {
  const GridForm form{.length = 4, .width = 2, .height = 0.3, .wavelength = 1, .edge = 0.05};
  const Surface surface = surface_of(form);
  const SurfaceFacts facts = calc_facts(surface);
  EXPECT_EQ(facts.euler, 1);  // a disc
  EXPECT_EQ(facts.repeated_edges, 0);
  EXPECT_GT(facts.high.y, 0.05);
  EXPECT_LE(std::max(facts.high.y, -facts.low.y), 0.3);
  EXPECT_NEAR(facts.high.x, 2, 1e-15);
  EXPECT_NEAR(facts.high.z, 1, 1e-15);
  for (const auto& t : surface.triangles) {
    const Vec3 a = surface.vertices[static_cast<size_t>(t[0])];
    const Vec3 n = cross(surface.vertices[static_cast<size_t>(t[1])] - a,
                         surface.vertices[static_cast<size_t>(t[2])] - a);
    ASSERT_GT(n.y, 0);
  }
}

TEST(Forms, AGroundOfMillionsOfTrianglesIsMade) {
  const Surface surface =
      surface_of(GridForm{.length = 100, .width = 100, .height = 1, .edge = 0.14});
  EXPECT_GT(surface.triangles.size(), 2'000'000u);
}

TEST(Forms, HalvingTheEdgeGivesFourTimesTheTriangles) {
  const Form coarse[] = {SphereForm{.edge = 0.1}, TorusForm{.edge = 0.02},
                         GearForm{.edge = 0.001}, BowlForm{.edge = 0.02},
                         BoneForm{.edge = 0.004}, LetterForm{.edge = 0.002}};
  const Form fine[] = {SphereForm{.edge = 0.05}, TorusForm{.edge = 0.01},
                       GearForm{.edge = 0.0005}, BowlForm{.edge = 0.01},
                       BoneForm{.edge = 0.002},  LetterForm{.edge = 0.001}};
  for (size_t i = 0; i < 6; ++i) {
    const auto few = static_cast<double>(surface_of(coarse[i]).triangles.size());
    const auto many = static_cast<double>(surface_of(fine[i]).triangles.size());
    EXPECT_NEAR(many / few, 4, 1.3) << i;  // edges are split in halves, whole numbers of times
  }
}

TEST(Forms, EqualFormsHaveEqualBits) {
  for (const Form& form :
       {Form{GearForm{}}, Form{BoneForm{.edge = 0.006}}, Form{LetterForm{"Q"}}}) {
    const Surface a = surface_of(form), b = surface_of(form);
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_EQ(a.triangles, b.triangles);
  }
}

// Whoever changes triangles of forms raises kFormsVersion, and then this: caches go by it.
TEST(Forms, TheSameVersionGivesTheSameTriangles) {
  Hasher h;
  const Form forms[] = {SphereForm{}, BoxForm{},  TorusForm{}, ChainLinkForm{},
                        LinkForm{},   GearForm{}, NutForm{},   BowlForm{}};
  for (const Form& form : forms) {
    const Result<Surface> surface = make_surface(form);
    ASSERT_TRUE(surface.ok());
    for (const Vec3& v : surface->vertices)
      for (int k = 0; k < 3; ++k) h.add(v[k]);
    for (const auto& t : surface->triangles)
      for (const int v : t) h.add(static_cast<uint64_t>(v));
  }
  EXPECT_EQ(kFormsVersion, 1);
  EXPECT_EQ(h.value(), 3934624046873681004u);
}

TEST(Forms, NumbersThatDoNotGoTogetherAreRefused) {
  const struct {
    Form form;
    const char* field;
  } cases[] = {
      {TorusForm{.radius = 0.1, .bar = 0.1}, "bar"},
      {ChainLinkForm{.radius = 0.1, .bar = 0.2}, "bar"},
      {LinkForm{.bar = 0.05, .knob = 0.04}, "knob"},
      {LinkForm{.radius = 0.1, .bar = 0.05, .knob = 0.2}, "knob"},
      {LinkForm{.radius = 0.3, .angle = 0.1}, "angle"},
      {LinkForm{.radius = 0.3, .angle = 6.2}, "angle"},
      {GearForm{.teeth = 20, .addendum = 3}, "addendum"},
      {GearForm{.teeth = 20, .bore = 0.2}, "bore"},
      {SprocketForm{.pitch = 0.1, .seat = 0.05}, "seat"},
      {SprocketForm{.pitch = 0.1, .bore = 0.5}, "bore"},
      {NutForm{.across = 0.03, .bore = 0.015}, "bore"},
      {BowlForm{.radius = 0.5, .wall = 0.3}, "wall"},
      {BowlForm{.radius = 0.5, .height = 0.99}, "height"},
      {LetterForm{.letter = "a"}, "letter"},
      {LetterForm{.letter = ""}, "letter"},
      {LetterForm{.pen = 0.03}, "pen"},
      {TreadForm{.thickness = 0.05}, "thickness"},
      {TreadForm{.pin = 0.01}, "pin"},
      {TreadForm{.eyes = 4}, "eyes"},
      {TreadForm{.eyes = 51}, "eyes"},
      {SphereForm{.edge = 1e-6}, "edge"},
      {GridForm{.edge = 1e-5}, "edge"},
      {BoneForm{.edge = 1e-5}, "edge"},
      {GearForm{.edge = 1e-6}, "edge"},
      {TorusForm{.edge = 1e-6}, "edge"},
  };
  for (const auto& c : cases) {
    const auto made = make_surface(c.form);
    ASSERT_FALSE(made.ok()) << c.field << " " << c.form.index();
    EXPECT_EQ(made.error().value, c.field) << made.error().message;
  }
}

}  // namespace
}  // namespace tenon::scene
