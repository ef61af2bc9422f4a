// Forms that are outlines in layers: gears, sprockets, letters, shoes of treads.
#include <cmath>

#include "surface_check.h"
#include "tenon/scene/forms/outline.h"

namespace tenon::scene {
namespace {

double area_of(const std::vector<Point2>& points,
               const std::vector<std::array<int, 3>>& triangles) {
  double area = 0;
  for (const auto& t : triangles) {
    const double twice = turn(points[static_cast<size_t>(t[0])], points[static_cast<size_t>(t[1])],
                              points[static_cast<size_t>(t[2])]);
    EXPECT_GT(twice, 0);
    area += twice / 2;
  }
  return area;
}

TEST(Triangulate, ASquareWithHolesHasTheAreaThatRemains) {
  std::vector<Point2> points;
  Region region{append_loop(points, {{0, 0}, {4, 0}, {4, 3}, {0, 3}})};
  for (const Point2 c : {Point2{1, 1}, Point2{2, 2}, Point2{3, 1}, Point2{1, 2.2}}) {
    std::vector<Point2> hole = circle_points(0.4, 24);
    for (Point2& p : hole) p.x += c.x, p.y += c.y;
    region.push_back(append_hole(points, hole));
  }
  const auto triangles = triangulate(points, region);
  EXPECT_NEAR(area_of(points, triangles), 12 - 4 * kPi * 0.16, 1e-12);
  // Euler: v - e + f = 1 - holes, and 3 f = 2 e - rim
  EXPECT_EQ(triangles.size(), points.size() + 2 * 4 - 2);
}

TEST(Triangulate, ACombHasTheAreaOfItsTeeth) {
  std::vector<Point2> comb{{0, 0}, {20, 0}};
  for (int i = 9; i >= 0; --i) {
    comb.push_back({2.0 * i + 2, 5});
    comb.push_back({2.0 * i + 1, 5});
    comb.push_back({2.0 * i + 1, 1});
    if (i > 0) comb.push_back({2.0 * i, 1});
  }
  comb.push_back({0, 1});
  std::vector<Point2> points;
  const Region region{append_loop(points, comb)};
  EXPECT_NEAR(area_of(points, triangulate(points, region)), 20 + 10 * 4, 1e-12);
}

// Length of arc and pitch: thickness of a tooth on the pitch circle is half the circular pitch.
TEST(Gear, TeethAreAsThickAsTheGapsBetweenThemOnThePitchCircle) {
  const GearForm form{.module = 0.01, .teeth = 24, .width = 0.02, .bore = 0.03};
  const SurfaceFacts facts = expect_solid(form, "gear");
  EXPECT_EQ(facts.euler, 0);
  EXPECT_NEAR(facts.high.x, 0.13, 1e-4);  // the tip circle; arcs are cut into chords
  const Surface surface = surface_of(GearForm{.module = 0.01, .teeth = 24, .edge = 0.0005});
  int inside = 0, all = 0;  // of directions at which the outline lies beyond the pitch circle
  std::vector<double> reach(7200, 0.0);
  for (const Vec3& v : surface.vertices) {
    const double a = std::atan2(v.y, v.x) / (2 * kPi) + 1;
    double& r = reach[static_cast<size_t>(a * 7200) % 7200];
    r = std::max(r, std::hypot(v.x, v.y));
  }
  for (const double r : reach) {
    if (r < 0.1) continue;  // nothing of the outline falls there
    ++all;
    inside += r > 0.12;
  }
  EXPECT_NEAR(static_cast<double>(inside) / all, 0.5, 0.05);
}

// The law of gearing: with the base circles' common tangent as line of action, two involutes that
// touch turn by angles in the ratio of their teeth. Points of a flank satisfy |p| cos(angle) =
// base.
TEST(Gear, FlanksAreInvolutesOfTheBaseCircle) {
  const double m = 0.02;
  const int n = 30;
  const Surface surface = surface_of(GearForm{.module = m, .teeth = n});
  const double r = m * n / 2, base = r * std::cos(kPi / 9);
  const double foot = kPi / (2 * n) + std::tan(kPi / 9) - kPi / 9;
  int flank = 0;
  for (const Vec3& v : surface.vertices) {
    const double q = std::hypot(v.x, v.y), angle = std::atan2(v.y, v.x);
    // the upper flank of the tooth on x, between base circle and tip
    if (q < base * 1.002 || q > r + m * 0.999 || angle < 0.2 / n || angle > kPi / n) continue;
    const double roll = std::acos(base / q);
    const double half = foot - (std::tan(roll) - roll);
    if (angle < 0.8 * half) continue;     // within the cap
    EXPECT_NEAR(angle, half, 1e-5) << q;  // chords of 2 mm on a curve of radius 10 cm
    ++flank;
  }
  EXPECT_GT(flank, 10);
}

TEST(Sprocket, HasASeatForEveryPin) {
  const SprocketForm form{.pitch = 0.12, .teeth = 10, .seat = 0.012, .width = 0.1, .bore = 0.05};
  const SurfaceFacts facts = expect_solid(form, "sprocket");
  EXPECT_EQ(facts.euler, 0);
  const double R = 0.06 / std::sin(kPi / 10);
  // pins of the seat's radius fit: no vertex is nearer to their axes, and some are as near
  double nearest = 1;
  for (const Vec3& v : surface_of(form).vertices)
    nearest = std::min(nearest, std::hypot(v.x - R, v.y));
  EXPECT_NEAR(nearest, 0.012, 1e-9);
}

TEST(Letters, HaveTheHolesOfTheirCounters) {
  const std::string one = "ADOPQR", two = "B";
  for (char c = 'A'; c <= 'Z'; ++c) {
    const SurfaceFacts facts =
        expect_solid(LetterForm{.letter = std::string(1, c), .height = 0.06, .pen = 0.01}, {c});
    const int holes = one.find(c) != std::string::npos   ? 1
                      : two.find(c) != std::string::npos ? 2
                                                         : 0;
    EXPECT_EQ(facts.euler, 2 - 2 * holes) << c;
    EXPECT_NEAR(facts.high.y - facts.low.y, 0.06, 2e-4) << c;
    EXPECT_NEAR(facts.high.z, 0.01, 1e-12) << c;
    EXPECT_NEAR(facts.high.x, -facts.low.x, 2e-4) << c;
  }
}

// A round pen that is drawn along a line and one across it: two stadiums less what they share.
TEST(Letters, HaveTheVolumeOfTheirStrokes) {
  const SurfaceFacts facts =
      expect_solid(LetterForm{.letter = "T", .height = 0.07, .pen = 0.01, .depth = 0.02}, "T");
  const double unit = 0.01, pen = 0.01;
  const double bar = 4 * unit * pen + kPi * pen * pen / 4;
  const double stem = 6 * unit * pen + kPi * pen * pen / 8 - pen * pen / 2;
  // the stem's upper cap lies within the bar
  EXPECT_NEAR(facts.volume, 0.02 * (bar + stem), 0.005 * facts.volume);
}

TEST(Tread, ShoesHaveEyesThatPassBetweenThoseOfTheirNeighbours) {
  const TreadForm form{.pitch = 0.12, .width = 0.24, .grouser = 0.03, .horn = 0.04, .eyes = 5};
  const SurfaceFacts facts = expect_solid(form, "tread");
  EXPECT_EQ(facts.euler, 2 - 2 * 5);  // a hole in each of five eyes
  EXPECT_NEAR(facts.high.x, 0.06 + 0.01, 1e-4);
  EXPECT_NEAR(facts.low.x, -0.07, 1e-4);
  EXPECT_NEAR(facts.low.y, -0.04, 1e-12);
  EXPECT_NEAR(facts.high.y, 0.05, 1e-12);
  // at no depth are there vertices of both sides' eyes: those on the right end where no left one is
  const Surface shoe = surface_of(form);
  for (const Vec3& a : shoe.vertices) {
    const double slot = (a.z + 0.12) / 0.048;
    if (a.x > 0.055) {
      EXPECT_LT(std::fabs(std::fmod(slot + 0.5, 2.0) - 1), 0.51) << a.z;
    }
    if (a.x < -0.055) {
      EXPECT_GT(std::fabs(std::fmod(slot + 0.5, 2.0) - 1), 0.49) << a.z;
    }
  }
  EXPECT_EQ(expect_solid(TreadForm{.grouser = 0, .horn = 0, .eyes = 3}, "plain").euler, -4);
}

}  // namespace
}  // namespace tenon::scene
