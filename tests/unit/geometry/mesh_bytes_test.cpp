#include "tenon/engine/geometry/mesh_bytes.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tenon/engine/base/hash_bytes.h"
#include "tenon/engine/base/rng.h"
#include "test_meshes.h"

namespace tenon::test {
namespace {

constexpr size_t kHead = 40;  // magic, versions, check sum

bool same(const Vec3& a, const Vec3& b) { return a == b; }

void expect_same(const MeshGeometry& a, const MeshGeometry& b, const std::string& name) {
  // all that is kept
  EXPECT_EQ(encode_mesh(a), encode_mesh(b)) << name;
  // all that is made again
  ASSERT_EQ(a.face_normals.size(), b.face_normals.size()) << name;
  ASSERT_EQ(a.tree.nodes.size(), b.tree.nodes.size()) << name;
  for (size_t t = 0; t < a.face_normals.size(); ++t) {
    EXPECT_TRUE(same(a.face_normals[t], b.face_normals[t])) << name;
    for (size_t k = 0; k < 3; ++k)
      EXPECT_TRUE(same(a.edge_normal(t, k), b.edge_normal(t, k))) << name;
  }
  for (size_t i = 0; i < a.tree.nodes.size(); ++i) {
    EXPECT_TRUE(same(a.tree.nodes[i].box.lo, b.tree.nodes[i].box.lo)) << name;
    EXPECT_TRUE(same(a.tree.nodes[i].box.hi, b.tree.nodes[i].box.hi)) << name;
    EXPECT_EQ(std::memcmp(&a.tree.slabs[i], &b.tree.slabs[i], sizeof a.tree.slabs[i]), 0) << name;
  }
  EXPECT_EQ(a.convex == nullptr, b.convex == nullptr) << name;
  EXPECT_EQ(a.field == nullptr, b.field == nullptr) << name;
}

TEST(MeshBytes, TwentyMeshesComeBackToTheLastBit) {
  for (const auto& [name, triangles] : twenty_meshes()) {
    const Mesh mesh = must_make(triangles);
    ThreadPool pool(2);
    const Result<Mesh> again = decode_mesh(encode_mesh(*mesh.geometry, &pool));
    ASSERT_TRUE(again.ok()) << name << format(again.error());
    expect_same(*mesh.geometry, *again->geometry, name);
  }
}

TEST(MeshBytes, MeshesThatPassThroughThemselvesComeBack) {
  for (const auto& [name, triangles] : crossed_meshes()) {
    const Mesh mesh = must_make(triangles);
    const Result<Mesh> again = decode_mesh(encode_mesh(*mesh.geometry));
    ASSERT_TRUE(again.ok()) << name << format(again.error());
    expect_same(*mesh.geometry, *again->geometry, name);
    EXPECT_EQ(mesh.geometry->unsure, again->geometry->unsure) << name;
    const auto &a = mesh.geometry->tree.dipoles, &b = again->geometry->tree.dipoles;
    ASSERT_EQ(a.size(), b.size()) << name;
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]), 0) << name;
  }
}

TEST(MeshBytes, OpenMeshesComeBack) {
  const Mesh mesh =
      must_make({{{0, 0, 0}, {1, 0, 0}, {0, 0, -1}, {1, 1, -1}}, {{0, 1, 2}, {1, 3, 2}}});
  const Result<Mesh> again = decode_mesh(encode_mesh(*mesh.geometry));
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->geometry->closed);
  expect_same(*mesh.geometry, *again->geometry, "open");
}

TEST(MeshBytes, DamagedBytesAreRefused) {
  const Mesh mesh = must_make(cube(), {.cell = 0.5});
  const std::vector<std::byte> bytes = encode_mesh(*mesh.geometry);
  for (size_t size = 0; size < bytes.size(); size += size < 256 ? 1 : 97)
    EXPECT_FALSE(decode_mesh(std::span(bytes).first(size)).ok());
  Rng rng(11);
  for (int i = 0; i < 500; ++i) {
    std::vector<std::byte> broken = bytes;
    const size_t at = i < 256 ? static_cast<size_t>(i) : rng.next() % bytes.size();
    broken[at] ^= std::byte{static_cast<unsigned char>(1 + rng.next() % 255)};
    EXPECT_FALSE(decode_mesh(broken).ok()) << at;
  }
}

// A check sum that is right says nothing of whoever wrote it.
TEST(MeshBytes, WhateverIsBelievedCanBeAsked) {
  const Mesh mesh = must_make(torus(1, 0.4, 12, 6), {.cell = 0.3});
  const std::vector<std::byte> bytes = encode_mesh(*mesh.geometry);
  Rng rng(12);
  int believed = 0;
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::byte> forged = bytes;
    const size_t at = kHead + rng.next() % (bytes.size() - kHead);
    forged[at] ^= std::byte{static_cast<unsigned char>(1 + rng.next() % 255)};
    const WideHash hash = hash_bytes(std::span(forged).subspan(kHead));
    std::memcpy(forged.data() + kHead - sizeof hash, &hash, sizeof hash);
    const Result<Mesh> made = decode_mesh(forged);
    if (!made) continue;
    ++believed;
    const MeshGeometry& g = *made->geometry;
    find_nearest(g, {0.3, 0.2, 0.1}, 10);
    find_support_vertex(g, {1, 2, 3});
    find_first_hit(g, {0, 5, 0}, {0.1, -1, 0.2}, 10);
    g.field->value({0.3, 0.2, 0.1});
    visit_samples(
        g.samples, [](const MeshSamples::Node&) { return false; },
        [&](int at_point) { EXPECT_LT(static_cast<size_t>(at_point), g.samples.points.size()); });
  }
  // digits of coordinates and normals may be anything
  EXPECT_GT(believed, 100);
}

// Whoever changes what is made of triangles raises kMeshVersion or kFieldVersion, and then these.
TEST(MeshBytes, TheSameVersionGivesTheSameBytes) {
  const Mesh mesh = must_make(torus(1, 0.4, 12, 6), {.cell = 0.3});
  const WideHash hash = hash_bytes(encode_mesh(*mesh.geometry));
  EXPECT_EQ(kMeshVersion, 5);  // samples in the middle of their cells, and their dip
  EXPECT_EQ(kFieldVersion, 3);
  EXPECT_EQ(hash.a, 15199550153034403754u);
  EXPECT_EQ(hash.b, 3489646843734417966u);
}

}  // namespace
}  // namespace tenon::test
