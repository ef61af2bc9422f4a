#include "tenon/engine/geometry/distance_field.h"

#include <gtest/gtest.h>

#include "mesh_oracle.h"
#include "tenon/engine/base/rng.h"

namespace tenon::test {
namespace {

// Each with its field, made once for all cases.
struct Made {
  std::string name;
  Triangles triangles;
  Mesh mesh;
};
const std::vector<Made>& all_made() {
  static const std::vector<Made> made = [] {
    std::vector<Made> list;
    for (const auto& [name, triangles] : twenty_meshes())
      list.push_back({name, triangles, must_make(triangles)});
    return list;
  }();
  return made;
}

// A point near the surface: on a triangle, moved by up to the band in any direction.
Vec3 near_surface(Rng& rng, const Triangles& m, double band) {
  const MeshTriangle& t = m.t[rng.next() % m.t.size()];
  double u = rng.uniform(), v = rng.uniform();
  if (u + v > 1) u = 1 - u, v = 1 - v;
  const Vec3 p = m.v[t[0]] + u * (m.v[t[1]] - m.v[t[0]]) + v * (m.v[t[2]] - m.v[t[0]]);
  return p + band * Vec3{rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)};
}

TEST(DistanceField, IsWithinHalfACellOfTheSlowDistanceNearTwentySurfaces) {
  for (const auto& [name, triangles, mesh] : all_made()) {
    const DistanceField& field = *mesh.geometry->field;
    EXPECT_LE(field.error(), 0.5 * field.cell()) << name;
    Rng rng(6);
    double worst = 0;
    for (int i = 0; i < 200; ++i) {
      const Vec3 q = near_surface(rng, triangles, field.band());
      const double d = slow_distance(triangles, q);
      if (std::fabs(d) > field.band()) continue;
      worst = std::max(worst, std::fabs(field.value(q) - d));
    }
    EXPECT_LE(worst, 0.5 * field.cell()) << name;
  }
}

TEST(DistanceField, AwayFromTheSurfaceItHasTheSignAndNearlyTheValue) {
  for (const auto& [name, triangles, mesh] : all_made()) {
    const DistanceField& field = *mesh.geometry->field;
    Rng rng(7);
    const Vec3 size = field.bounds().hi - field.bounds().lo;
    for (int i = 0; i < 100; ++i) {
      const Vec3 q =
          field.bounds().lo + cwise_mul(size, {rng.uniform(), rng.uniform(), rng.uniform()});
      const double d = slow_distance(triangles, q), value = field.value(q);
      if (std::fabs(d) <= field.band()) continue;
      EXPECT_GT(d * value, 0) << name;
      EXPECT_LE(std::fabs(value - d), std::fabs(d) / 7 + 0.5 * field.cell()) << name;
    }
  }
}

TEST(DistanceField, BeyondItsBoundsItIsALowerBound) {
  const Triangles triangles = torus(1, 0.4, 24, 12);
  const Mesh mesh = must_make(triangles);
  const DistanceField& field = *mesh.geometry->field;
  Rng rng(8);
  for (int i = 0; i < 300; ++i) {
    const Vec3 q{rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-9, 9)};
    if (contains(field.bounds(), {q, q})) continue;
    const double d = slow_distance(triangles, q);
    // the error of the cells at its border
    EXPECT_LE(field.value(q), d + 2 * field.cell());
    EXPECT_GE(field.value(q), 0.7 * d);
    EXPECT_NEAR(field.value(q), field.sample(q).distance, 1e-12);
  }
}

TEST(DistanceField, TheGradientIsThatOfTheValue) {
  const Mesh mesh = must_make(torus(1, 0.4, 24, 12));
  const DistanceField& field = *mesh.geometry->field;
  Rng rng(9);
  int off = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 q{rng.uniform(-2, 2), rng.uniform(-1, 1), rng.uniform(-2, 2)};
    const DistanceField::Sample s = field.sample(q);
    EXPECT_NEAR(s.distance, field.value(q), 1e-12);
    const double h = 1e-7;
    for (int k = 0; k < 3; ++k) {
      Vec3 a = q, b = q;
      a[k] -= h;
      b[k] += h;
      const double slope = (field.value(b) - field.value(a)) / (2 * h);
      if (std::fabs(slope - s.gradient[k]) > 1e-5) ++off;
    }
  }
  // where a side of a cell lies between the two points, of 1500, slopes jump
  EXPECT_LE(off, 2);
}

TEST(DistanceField, KeepsThinPlatesEvenWhereCellsAreMuchThicker) {
  // thickness a sixteenth of a cell
  const Triangles triangles = box({1, 0.0025, 1});
  const Mesh mesh = must_make(triangles, {.cell = 0.08});
  const DistanceField& field = *mesh.geometry->field;
  EXPECT_LE(field.error(), 0.5 * field.cell());
  Rng rng(10);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 q{rng.uniform(-0.9, 0.9), rng.uniform(-0.15, 0.15), rng.uniform(-0.9, 0.9)};
    const double d = std::fabs(q.y) - 0.0025;
    EXPECT_LE(std::fabs(field.value(q) - d), 0.5 * field.cell());
    // the triangles know both sides, however thin it is
    EXPECT_NEAR(find_nearest(*mesh.geometry, q, 1).distance, d, 1e-15);
  }
}

TEST(DistanceField, ComesBackFromItsBytes) {
  const Mesh mesh = must_make(torus(1, 0.4, 24, 12), {.cell = 0.1});
  const DistanceField& field = *mesh.geometry->field;
  const std::vector<std::byte> bytes = encode_field(field);
  const Result<DistanceField> again = decode_field(bytes);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(field == *again);
}

TEST(DistanceField, DamagedBytesAreRefused) {
  const Mesh mesh = must_make(cube(), {.cell = 0.5});
  const std::vector<std::byte> bytes = encode_field(*mesh.geometry->field);
  for (size_t size = 0; size < bytes.size(); size += size < 256 ? 1 : 97)
    EXPECT_FALSE(decode_field(std::span(bytes).first(size)).ok());
  Rng rng(11);
  for (int i = 0; i < 500; ++i) {
    std::vector<std::byte> broken = bytes;
    const size_t at = i < 256 ? static_cast<size_t>(i) : rng.next() % bytes.size();
    broken[at] ^= std::byte{static_cast<unsigned char>(1 + rng.next() % 255)};
    EXPECT_FALSE(decode_field(broken).ok()) << at;
  }
}

}  // namespace
}  // namespace tenon::test
