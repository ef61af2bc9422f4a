// Mass properties against closed forms, an independent quadrature and each other.
#include "tenon/engine/geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "hull_checks.h"

namespace tenon {
namespace {

// Sums of a few hundred terms lose a few ulps; 1e-12 is far below any error in a formula.
constexpr double kTight = 1e-12;

void expect_near(const MassProperties& a, const MassProperties& b, double relative, double length) {
  EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
  EXPECT_LE(norm(a.com - b.com), relative * length);
  double scale = 0;
  for (int i = 0; i < 3; ++i) scale = std::max(scale, std::fabs(b.inertia(i, i)));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a.inertia(i, j), b.inertia(i, j), relative * scale);
  }
}

// Gauss-Legendre nodes on [0, 1], 12 points: exact for polynomials up to degree 23.
struct Rule {
  std::vector<double> x, w;
};
Rule gauss_rule() {
  constexpr int n = 12;
  Rule rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(kPi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double p0 = 1, p1 = x;
      for (int k = 2; k <= n; ++k) {
        const double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
        p0 = p1;
        p1 = p2;
      }
      slope = n * (x * p1 - p0) / (x * x - 1);
      x -= p1 / slope;
    }
    rule.x.push_back((1 - x) / 2);
    rule.w.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

// Integrates the volume by the map unit cube -> solid given with its Jacobian determinant.
MassProperties quadrature(
    double density, const std::function<std::pair<Vec3, double>(double, double, double)>& map) {
  const Rule rule = gauss_rule();
  const size_t n = rule.x.size();
  double mass = 0;
  Vec3 first;
  Mat3 about_origin{};
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      for (size_t k = 0; k < n; ++k) {
        const auto [p, jacobian] = map(rule.x[i], rule.x[j], rule.x[k]);
        const double m = density * jacobian * rule.w[i] * rule.w[j] * rule.w[k];
        mass += m;
        first += m * p;
        about_origin = about_origin + m * (transpose(skew(p)) * skew(p));
      }
    }
  }
  const Vec3 com = first / mass;
  return {mass, com, about_origin - mass * (transpose(skew(com)) * skew(com))};
}

// A solid of revolution about y between y0 and y1 with radius(y): the angle is integrated exactly
// by 8 equal steps (the integrand has harmonics up to 2).
MassProperties revolution(double density, double y0, double y1,
                          const std::function<double(double)>& radius) {
  const Rule rule = gauss_rule();
  double mass = 0, along = 0, across_y = 0, moment = 0;
  for (size_t i = 0; i < rule.x.size(); ++i) {
    const double y = y0 + (y1 - y0) * rule.x[i], w = (y1 - y0) * rule.w[i], r = radius(y);
    const double slice = density * kPi * r * r * w;
    mass += slice;
    moment += slice * y;
    along += slice * r * r / 2;
    across_y += slice * (r * r / 4 + y * y);
  }
  const double y = moment / mass;
  const double across = across_y - mass * y * y;
  return {mass, {0, y, 0}, Mat3::diagonal({across, along, across})};
}

TEST(SphereMass, EqualsTheQuadratureOfItsSlices) {
  for (double r : {1e-3, 0.7, 1e3}) {
    const auto slices = revolution(7, -r, r, [&](double y) { return std::sqrt(r * r - y * y); });
    expect_near(calc_mass_properties(Sphere{r}, 7), slices, kTight, r);
  }
  // textbook: 2/5 m r^2 with m = 4/3 pi r^3 rho
  const MassProperties m = calc_mass_properties(Sphere{2}, 3);
  EXPECT_NEAR(m.mass, 32 * kPi, 1e-13 * m.mass);
  EXPECT_NEAR(m.inertia(0, 0), 0.4 * 32 * kPi * 4, 1e-13 * m.inertia(0, 0));
}

TEST(BoxMass, EqualsTheQuadrature) {
  const Vec3 h{0.3, 1.1, 2.7};
  const auto numeric = quadrature(2.5, [&](double a, double b, double c) {
    return std::pair{Vec3{(2 * a - 1) * h.x, (2 * b - 1) * h.y, (2 * c - 1) * h.z},
                     8 * h.x * h.y * h.z};
  });
  expect_near(calc_mass_properties(Box{h}, 2.5), numeric, kTight, 3);
  // textbook: m/12 (b^2 + c^2)
  const MassProperties m = calc_mass_properties(Box{{0.5, 1, 1.5}}, 1);
  EXPECT_NEAR(m.mass, 6, 1e-14);
  EXPECT_NEAR(m.inertia(0, 0), 6.0 / 12 * (4 + 9), 1e-13);
  EXPECT_NEAR(m.inertia(1, 1), 6.0 / 12 * (1 + 9), 1e-13);
  EXPECT_NEAR(m.inertia(2, 2), 6.0 / 12 * (1 + 4), 1e-13);
}

TEST(CylinderMass, EqualsTheQuadratureOfItsSlices) {
  const auto slices = revolution(2, -0.8, 0.8, [](double) { return 0.6; });
  expect_near(calc_mass_properties(Cylinder{0.6, 0.8}, 2), slices, kTight, 1);
  // textbook: m/12 (3 r^2 + L^2) across, m r^2 / 2 along
  const MassProperties m = calc_mass_properties(Cylinder{0.6, 0.8}, 2);
  EXPECT_NEAR(m.inertia(0, 0), m.mass / 12 * (3 * 0.36 + 1.6 * 1.6), kTight);
  EXPECT_NEAR(m.inertia(1, 1), m.mass * 0.18, kTight);
}

TEST(CapsuleMass, EqualsTheQuadratureOfItsThreePieces) {
  for (double L : {0.0, 0.3, 5.0}) {
    const double r = 0.6;
    std::vector<MassProperties> pieces{
        revolution(2, L, L + r, [&](double y) { return std::sqrt(r * r - (y - L) * (y - L)); }),
        revolution(2, -L - r, -L, [&](double y) { return std::sqrt(r * r - (y + L) * (y + L)); })};
    if (L > 0) pieces.push_back(revolution(2, -L, L, [&](double) { return r; }));
    expect_near(calc_mass_properties(Capsule{r, L}, 2), combine(pieces), kTight, L + r);
  }
  expect_near(calc_mass_properties(Capsule{0.6, 0}, 2), calc_mass_properties(Sphere{0.6}, 2),
              kTight, 1);
}

TEST(PlaneMass, IsNone) { EXPECT_EQ(calc_mass_properties(Plane{}, 5), MassProperties{}); }

TEST(HullMass, OfATetrahedronEqualsTheTextbook) {
  // regular, edge a: volume a^3 / (6 sqrt 2), inertia m a^2 / 20 about every axis
  const std::vector<Vec3> points{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const auto hull = make_hull(points);
  ASSERT_TRUE(hull.ok());
  const MassProperties m = calc_mass_properties(*hull, 1);
  const double a2 = 8, volume = std::sqrt(8.0) * 8 / (6 * std::sqrt(2.0));
  expect_near(m, {volume, {}, Mat3::diagonal(volume * a2 / 20 * Vec3{1, 1, 1})}, 1e-14, 1);
}

TEST(HullMass, OfADodecahedronEqualsTheTextbook) {
  // edge a: volume (15 + 7 sqrt 5)/4 a^3, inertia (95 + 39 sqrt 5)/300 ... = m a^2 (39 phi +
  // 28)/150
  const double phi = (1 + std::sqrt(5.0)) / 2, a = 2 / phi;
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i)
    points.push_back({i & 1 ? 1. : -1., i & 2 ? 1. : -1., i & 4 ? 1. : -1.});
  for (double s : {-1 / phi, 1 / phi}) {
    for (double l : {-phi, phi}) {
      points.push_back({0, s, l});
      points.push_back({s, l, 0});
      points.push_back({l, 0, s});
    }
  }
  const auto hull = make_hull(points);
  ASSERT_TRUE(hull.ok());
  const double volume = (15 + 7 * std::sqrt(5.0)) / 4 * a * a * a;
  const double i = volume * a * a * (39 * phi + 28) / 150;
  expect_near(calc_mass_properties(*hull, 1), {volume, {}, Mat3::diagonal({i, i, i})}, 1e-13, 1);
}

TEST(HullMass, OfRandomPointsEqualsTheQuadratureOfItsTetrahedra) {
  Rng rng(21);
  for (int round = 0; round < 10; ++round) {
    std::vector<Vec3> points;
    const Vec3 at{rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-9, 9)};
    for (int i = 0; i < 12; ++i) points.push_back(at + cwise_mul({1, 2, 0.5}, random_unit(rng)));
    const auto hull = make_hull(points);
    ASSERT_TRUE(hull.ok());
    // one quadrature per tetrahedron of a fan from the first vertex (not from the inside)
    const HullGeometry& g = *hull->geometry;
    const Vec3 o = g.vertices[0];
    std::vector<MassProperties> parts;
    for (const auto& face : g.faces) {
      for (int i = 2; i < face.count; ++i) {
        const Vec3 a = g.vertices[g.face_vertices[face.first]] - o;
        const Vec3 b = g.vertices[g.face_vertices[face.first + i - 1]] - o;
        const Vec3 c = g.vertices[g.face_vertices[face.first + i]] - o;
        const double d = dot(a, cross(b, c));
        if (d < 1e-12) continue;  // the faces at o span nothing
        // collapsed cube: p = u (a + v ((b - a) + w (c - b))), Jacobian u^2 v d
        parts.push_back(quadrature(3, [&](double u, double v, double w) {
          return std::pair{o + u * (a + v * ((b - a) + w * (c - b))), u * u * v * d};
        }));
      }
    }
    expect_near(calc_mass_properties(*hull, 3), combine(parts), kTight, 10);
  }
}

TEST(HullMass, OfATessellatedCylinderConvergesToTheCylinder) {
  // an inscribed n-gon prism is smaller by (2/3) (pi/n)^2 of its volume
  double last = 1;
  for (int n : {16, 32, 64, 128}) {
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) {
      for (double y : {-0.5, 0.5}) {
        points.push_back({std::cos(2 * kPi * i / n), y, std::sin(2 * kPi * i / n)});
      }
    }
    const auto hull = make_hull(points);
    ASSERT_TRUE(hull.ok());
    const MassProperties m = calc_mass_properties(*hull, 1),
                         round = calc_mass_properties(Cylinder{1, 0.5}, 1);
    // the prism's own closed form: area n/2 sin(2 pi/n), axial inertia m (2 + cos(2 pi/n)) / 6
    const double volume = n / 2.0 * std::sin(2 * kPi / n);
    EXPECT_NEAR(m.mass, volume, kTight * volume);
    EXPECT_NEAR(m.inertia(1, 1), volume * (2 + std::cos(2 * kPi / n)) / 6, kTight);
    const double error = (round.mass - m.mass) / round.mass;
    EXPECT_NEAR(error, 2.0 / 3.0 * (kPi / n) * (kPi / n), 0.02 * error);
    EXPECT_LT(error, last / 3.9);
    last = error;
  }
}

TEST(HullMass, FarFromTheOriginLosesOnlyWhatTheCoordinatesLost) {
  std::vector<Vec3> points;
  const Vec3 at{1048576, -1048576, 524288};  // powers of two: the corners stay exact
  for (int i = 0; i < 8; ++i)
    points.push_back(at + Vec3{i & 1 ? 1. : 0., i & 2 ? 2. : 0., i & 4 ? 4. : 0.});
  const auto hull = make_hull(points);
  ASSERT_TRUE(hull.ok());
  MassProperties box = calc_mass_properties(Box{{0.5, 1, 2}}, 1);
  box.com = at + Vec3{0.5, 1, 2};
  // the centre is stored to 1e-10 at this distance; the inertia depends on its square
  expect_near(calc_mass_properties(*hull, 1), box, 1e-14, 1e5);
}

TEST(CompoundMass, OfABoxCutInTwoIsTheBox) {
  const MassProperties whole = calc_mass_properties(Box{{1, 2, 3}}, 4);
  const MassProperties left =
      transformed({Mat3::identity(), {-0.75, 0, 0}}, calc_mass_properties(Box{{0.25, 2, 3}}, 4));
  const MassProperties right =
      transformed({Mat3::identity(), {0.25, 0, 0}}, calc_mass_properties(Box{{0.75, 2, 3}}, 4));
  const std::vector<MassProperties> parts{left, right};
  expect_near(combine(parts), whole, 1e-14, 1);
}

TEST(CompoundMass, OfDifferentDensitiesFollowsTheParallelAxes) {
  // a dumbbell: two balls on a rod along y, worked by hand
  const double mb1 = 2 * 4.0 / 3 * kPi * 0.027, mb2 = 5 * 4.0 / 3 * kPi * 0.008;
  const MassProperties rod = calc_mass_properties(Cylinder{0.05, 1}, 0.5);
  const std::vector<MassProperties> parts{
      transformed({Mat3::identity(), {0, 1, 0}}, calc_mass_properties(Sphere{0.3}, 2)),
      transformed({Mat3::identity(), {0, -1, 0}}, calc_mass_properties(Sphere{0.2}, 5)), rod};
  const MassProperties sum = combine(parts);
  const double m = mb1 + mb2 + rod.mass, y = (mb1 - mb2) / m;
  EXPECT_NEAR(sum.mass, m, kTight);
  EXPECT_NEAR(sum.com.y, y, kTight);
  const double ixx = 0.4 * mb1 * 0.09 + mb1 * (1 - y) * (1 - y) + 0.4 * mb2 * 0.04 +
                     mb2 * (1 + y) * (1 + y) + rod.mass * (0.0025 / 4 + 1.0 / 3 + y * y);
  EXPECT_NEAR(sum.inertia(0, 0), ixx, kTight * ixx);
}

TEST(CompoundMass, CommutesWithTransforms) {
  Rng rng(22);
  for (int round = 0; round < 100; ++round) {
    std::vector<MassProperties> parts, moved;
    const Transform X{random_rotation(rng), 3 * random_unit(rng)};
    for (const Shape& shape :
         {Shape{Box{{1, 2, 3}}}, Shape{Capsule{0.5, 1}}, Shape{Cylinder{1, 1}}}) {
      const Transform Y{random_rotation(rng), 3 * random_unit(rng)};
      parts.push_back(transformed(Y, calc_mass_properties(shape, rng.uniform(1, 9))));
      moved.push_back(transformed(X, parts.back()));
    }
    parts.push_back(point_mass(2, {1, 1, 1}));
    moved.push_back(point_mass(2, X * Vec3{1, 1, 1}));
    expect_near(combine(moved), transformed(X, combine(parts)), kTight, 5);
    EXPECT_TRUE(check(combine(moved)).ok());
  }
}

TEST(PointMasses, MakeADumbbell) {
  const std::vector<MassProperties> parts{point_mass(1, {2, 0, 0}), point_mass(3, {-2, 0, 0})};
  const MassProperties m = combine(parts);
  EXPECT_EQ(m.com.x, -1);
  EXPECT_NEAR(m.inertia(1, 1), 0.75 * 16, 1e-14);  // reduced mass times distance squared
  EXPECT_EQ(m.inertia(0, 0), 0);
  EXPECT_EQ(combine({}), MassProperties{});
}

TEST(ScalingToAMass, KeepsTheShapeOfTheInertia) {
  const MassProperties a = calc_mass_properties(Box{{1, 2, 3}}, 4);
  expect_near(scaled_to_mass(a, 10), calc_mass_properties(Box{{1, 2, 3}}, 10.0 / 48), kTight, 1);
}

TEST(InertiaAboutAPoint, OfARodAtItsEndIsAThirdOfMLSquared) {
  const MassProperties rod = calc_mass_properties(Box{{1e-6, 1, 1e-6}}, 1e12);
  EXPECT_NEAR(inertia_about(rod, {0, 1, 0})(0, 0), rod.mass * 4 / 3, 1e-9);
}

std::string error_of(const MassProperties& m) {
  const Status status = check(m);
  return status.ok() ? "ok" : format(status.error());
}

TEST(MassCheck, SaysWhatIsWrongAndWhatWouldBeRight) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const MassProperties good = calc_mass_properties(Box{{1, 2, 3}}, 1);
  EXPECT_EQ(error_of(good), "ok");
  MassProperties m = good;
  m.mass = 0;
  EXPECT_NE(error_of(m).find("mass is not positive (got 0"), std::string::npos) << error_of(m);
  m.mass = -2;
  EXPECT_NE(error_of(m).find("got -2"), std::string::npos);
  m.mass = nan;
  EXPECT_NE(error_of(m).find("mass is not finite"), std::string::npos);
  m = good;
  m.com.z = nan;
  EXPECT_NE(error_of(m).find("centre of mass"), std::string::npos);
  m = good;
  m.inertia(1, 2) = nan;
  EXPECT_NE(error_of(m).find("row 2, column 3"), std::string::npos);
  m = good;
  m.inertia(0, 2) = 1;
  EXPECT_NE(error_of(m).find("not symmetric"), std::string::npos);
  m.inertia = Mat3::diagonal({1, -1, 1});
  EXPECT_NE(error_of(m).find("not positive definite"), std::string::npos);
  m.inertia = Mat3::diagonal({1, 0, 1});
  EXPECT_NE(error_of(m).find("not positive definite"), std::string::npos);
  m.inertia = Mat3::diagonal({1, 5, 2});
  EXPECT_NE(error_of(m).find("triangle inequality"), std::string::npos);
  EXPECT_NE(error_of(m).find("at most 3 kg m^2"), std::string::npos) << error_of(m);
}

TEST(MassCheck, AcceptsPlatesWithRoundOffAndRefusesJustBeyond) {
  MassProperties m{1, {}, Mat3::diagonal({1, 2, 3})};
  Rng rng(23);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(check(transformed({random_rotation(rng), {}}, m)).ok());
  }
  m.inertia.r2.z = 3 * (1 + 1e-8);
  EXPECT_FALSE(check(m).ok());
}

TEST(TriangleMass, OfAnOpenInvertedOrBrokenSurfaceIsRefused) {
  const std::vector<Vec3> p{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<std::array<int, 3>> t{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const auto whole = calc_triangle_mass_properties(p, t, 6);
  ASSERT_TRUE(whole.ok());
  EXPECT_NEAR(whole->mass, 1, 1e-15);
  EXPECT_NEAR(whole->com.x, 0.25, 1e-15);
  EXPECT_NEAR(whole->inertia(0, 0), 3.0 / 40, 1e-15);  // 2 * 3/80 m
  EXPECT_NEAR(whole->inertia(0, 1), 1.0 / 80, 1e-15);  // minus the product -1/80
  auto open = t;
  open.pop_back();
  EXPECT_FALSE(calc_triangle_mass_properties(p, open, 1).ok());
  auto inverted = t;
  for (auto& tri : inverted) std::swap(tri[0], tri[1]);
  const auto inside_out = calc_triangle_mass_properties(p, inverted, 1);
  ASSERT_FALSE(inside_out.ok());
  EXPECT_NE(inside_out.error().message.find("no positive volume"), std::string::npos);
  auto flipped = t;
  std::swap(flipped[1][0], flipped[1][1]);
  EXPECT_FALSE(calc_triangle_mass_properties(p, flipped, 1).ok());
  auto bad = t;
  bad[0][0] = 7;
  EXPECT_FALSE(calc_triangle_mass_properties(p, bad, 1).ok());
  EXPECT_FALSE(calc_triangle_mass_properties(p, {}, 1).ok());
}

}  // namespace
}  // namespace tenon
