#include "tenon/scene/mesh/mesh_repair.h"

#include <gtest/gtest.h>

#include "../geometry/test_meshes.h"
#include "tenon/engine/geometry/mesh_check.h"

namespace tenon::scene {
namespace {

MeshData data_of(const test::Triangles& m) { return {m.v, m.t}; }

// Every triangle with vertices of its own, as in an STL file.
MeshData scattered(const test::Triangles& m) {
  MeshData out;
  for (const MeshTriangle& t : m.t) {
    const int first = static_cast<int>(out.vertices.size());
    for (const int v : t) out.vertices.push_back(m.v[v]);
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

double volume_of(const MeshData& data) {
  const auto mesh = make_mesh(data.vertices, data.triangles, {.use = MeshUse::kPicture});
  return mesh && mesh->geometry->closed ? mesh->geometry->volume : -1;
}

TEST(MeshRepair, EqualVerticesAreJoinedAndNoOthers) {
  const test::Triangles m = test::torus(1, 0.4, 24, 12);
  MeshData data = scattered(m);
  EXPECT_FALSE(check_triangles(data.vertices, data.triangles).closed());
  EXPECT_EQ(join_equal_vertices(data), 3 * m.t.size() - m.v.size());
  EXPECT_TRUE(check_triangles(data.vertices, data.triangles).closed());
  EXPECT_EQ(join_equal_vertices(data), 0u);
  data = {{{0, 0, 0}, {-0.0, 0, 0}, {1e-300, 0, 0}}, {}};
  EXPECT_EQ(join_equal_vertices(data), 1u);
}

TEST(MeshRepair, WeldingClosesGapsOfRoundOff) {
  MeshData data = scattered(test::sphere(6));
  for (size_t i = 0; i < data.vertices.size(); ++i)
    data.vertices[i].x += 1e-7 * static_cast<double>(i % 5);
  EXPECT_EQ(volume_of(data), -1);
  weld_vertices(data, 1e-6);
  EXPECT_NEAR(volume_of(data), volume_of(data_of(test::sphere(6))), 1e-5);
}

TEST(MeshRepair, DroppingTakesWhatHasNoAreaAndCopies) {
  MeshData data = data_of(test::cube());
  data.triangles.push_back(data.triangles[3]);
  data.triangles.push_back({0, 1, 1});
  data.vertices.push_back(0.5 * (data.vertices[0] + data.vertices[1]));
  data.triangles.push_back({0, 1, 8});
  EXPECT_EQ(drop_triangles(data), 3u);
  EXPECT_EQ(data.triangles, test::cube().t);
}

TEST(MeshRepair, FlippingTurnsWhatIsInsideOutAndLeavesHollowsAlone) {
  MeshData data = data_of(test::turned(test::torus(1, 0.4, 24, 12)));
  const size_t count = data.triangles.size();
  EXPECT_EQ(flip_triangles(data), count);
  EXPECT_NEAR(volume_of(data), volume_of(data_of(test::torus(1, 0.4, 24, 12))), 1e-12);
  // one triangle against its neighbours
  data = data_of(test::sphere(4));
  std::swap(data.triangles[5][1], data.triangles[5][2]);
  EXPECT_EQ(flip_triangles(data), 1u);
  // a hollow is as it should be; an outward ball beside an inward one is not
  const test::Triangles ball = test::sphere(4);
  const auto small = [](const Vec3& p) { return 0.5 * p; };
  const auto beside = [](const Vec3& p) { return p + Vec3{5, 0, 0}; };
  data = data_of(test::joined(ball, test::turned(test::moved(ball, small))));
  EXPECT_EQ(flip_triangles(data), 0u);
  data = data_of(test::joined(ball, test::turned(test::moved(ball, beside))));
  EXPECT_EQ(flip_triangles(data), ball.t.size());
}

}  // namespace
}  // namespace tenon::scene
