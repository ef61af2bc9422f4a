// Mass properties of meshes of others against numbers that were made outside of this project.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "tenon/engine/geometry/mesh_check.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/mesh/mesh_library.h"

namespace tenon::scene {
namespace {

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Result<FileBytes> read_model(const std::string& name) {
  const std::string path = TENON_MODELS "/meshes/" + name;
  std::string bytes = read_all(path);
  if (bytes.empty()) return Error{.message = "cannot open", .file = path};
  return std::make_shared<const std::string>(std::move(bytes));
}

TEST(MeshReference, VolumeCentreInertiaAndCountsAgree) {
  const ParsedJson parsed = parse_json(read_all(TENON_REFERENCE), "G1");
  ASSERT_TRUE(parsed.complete);
  ASSERT_GE(parsed.root.members.size(), 5u);
  for (const JsonMember& entry : parsed.root.members) {
    MeshShape shape;
    shape.file = entry.key;
    const Json& wanted = entry.value;
    const Result<MeshData> data = resolve_mesh(shape, read_model);
    ASSERT_TRUE(data.ok()) << format(data.error());
    // the reference took coordinates of STL files with seven decimals
    std::vector<Vec3> points = data->vertices;
    for (Vec3& p : points)
      for (int k = 0; k < 3 && entry.key.ends_with(".stl"); ++k)
        p[k] = std::round(p[k] * 1e7) / 1e7;
    const MeshCheck check = check_triangles(data->vertices, data->triangles);
    EXPECT_EQ(static_cast<double>(data->vertices.size() - check.unused_vertices),
              wanted.find("vertices_merged")->number)
        << entry.key;
    EXPECT_EQ(static_cast<double>(data->triangles.size()), wanted.find("triangles")->number);
    EXPECT_EQ(check.closed(), wanted.find("closed")->boolean) << entry.key;
    EXPECT_EQ(static_cast<double>(check.euler), wanted.find("euler_characteristic")->number);
    const auto mesh = make_mesh(points, data->triangles, {.use = MeshUse::kPicture});
    ASSERT_TRUE(mesh.ok()) << entry.key << format(mesh.error());
    const MeshGeometry& g = *mesh->geometry;
    const double volume = wanted.find("volume")->number, size = norm(g.bounds.hi - g.bounds.lo);
    EXPECT_NEAR(g.volume, volume, 1e-10 * volume) << entry.key;
    EXPECT_NEAR(g.area, wanted.find("area")->number, 1e-10 * g.area) << entry.key;
    const Json& com = *wanted.find("com");
    const Json& inertia = *wanted.find("inertia_about_com_unit_density");
    for (int i = 0; i < 3; ++i) {
      // a centre near zero is right relative to the mesh
      EXPECT_NEAR(g.centroid[i], com.items[i].number, 1e-10 * size) << entry.key;
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(g.inertia(i, j), inertia.items[i].items[j].number, 1e-10 * trace(g.inertia))
            << entry.key;
    }
  }
}

}  // namespace
}  // namespace tenon::scene
