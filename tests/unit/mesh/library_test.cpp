#include "tenon/scene/mesh/mesh_library.h"

#include <gtest/gtest.h>

#include <map>

#include "../geometry/test_meshes.h"
#include "mesh_texts.h"
#include "tenon/engine/geometry/mesh_bytes.h"
#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

Result<FileBytes> read_tetrahedron(const std::string& name) {
  if (name == "t.obj") return std::make_shared<const std::string>(kObj);
  if (name == "t.stl") return std::make_shared<const std::string>(kStl);
  return Error{.message = "cannot open: No such file or directory", .file = name};
}

MeshShape from_file(const std::string& name) {
  MeshShape shape;
  shape.file = name;
  return shape;
}

TEST(MeshLibrary, EqualShapesAndEqualTrianglesAreOneGeometry) {
  MeshLibrary library({.read = read_tetrahedron, .use = MeshUse::kPicture});
  const auto a = library.find(from_file("t.obj")), b = library.find(from_file("t.obj"));
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->geometry, b->geometry);
  MeshShape written;
  written.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  written.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  EXPECT_EQ(library.find(written)->geometry, a->geometry);
  ASSERT_EQ(library.files().size(), 1u);
  EXPECT_EQ(library.files()[0].name, "t.obj");
  EXPECT_EQ(*library.files()[0].bytes, kObj);
  // from what a recording keeps, without the file
  MeshLibrary again({.read = read_from(library.files()), .use = MeshUse::kPicture});
  EXPECT_EQ(*again.find(from_file("t.obj")), *a);
  EXPECT_FALSE(again.find(from_file("t.stl")).ok());
}

TEST(MeshLibrary, UnitsAxesScaleAndOriginPlaceTheTriangles) {
  MeshShape shape = from_file("t.stl");
  shape.units = LengthUnit::kMillimetre;
  shape.up = UpAxis::kZ;
  shape.scale = {2, 1, 3};
  const Result<MeshData> data = resolve_mesh(shape, read_tetrahedron);
  ASSERT_TRUE(data.ok());
  Aabb box{data->vertices[0], data->vertices[0]};
  for (const Vec3& v : data->vertices) box = merge(box, {v, v});
  // x stays, z goes up, y goes to -z
  EXPECT_NEAR(norm(box.lo - Vec3{0, 0, -0.001}), 0, 1e-18);
  EXPECT_NEAR(norm(box.hi - Vec3{0.002, 0.003, 0}), 0, 1e-18);
  shape = from_file("t.stl");
  shape.scale = {-1, 1, 1};  // a mirror image is still outside out
  shape.origin = MeshOrigin::kCenter;
  const auto mesh = MeshLibrary({.read = read_tetrahedron, .use = MeshUse::kPicture}).find(shape);
  ASSERT_TRUE(mesh.ok()) << format(mesh.error());
  EXPECT_NEAR(mesh->geometry->volume, 1.0 / 6, 1e-15);
  EXPECT_NEAR(norm(mesh->geometry->centroid), 0, 1e-16);
}

class CountingStore final : public MeshStore {
 public:
  std::shared_ptr<const MeshGeometry> find(const MeshKey& key, ThreadPool*) override {
    ++asked;
    const auto found = meshes_.find(key);
    return found == meshes_.end() ? nullptr : found->second;
  }
  void keep(const MeshKey& key, const MeshGeometry& mesh, ThreadPool*) override {
    meshes_.emplace(key, decode_mesh(encode_mesh(mesh))->geometry);
    ++kept;
  }
  int kept = 0, asked = 0;

 private:
  std::map<MeshKey, std::shared_ptr<const MeshGeometry>> meshes_;
};

TEST(MeshLibrary, MeshesAreMadeOnceAndKept) {
  CountingStore store;
  MeshShape shape = from_file("t.obj");
  shape.cell = 0.1;
  const auto first = MeshLibrary({.read = read_tetrahedron, .store = &store}).find(shape);
  MeshLibrary library({.read = read_tetrahedron, .store = &store});
  const auto second = library.find(shape);
  EXPECT_EQ(store.kept, 1);
  EXPECT_EQ(store.asked, 2);
  EXPECT_EQ(encode_mesh(*first->geometry), encode_mesh(*second->geometry));
  // a recording has to hold the file all the same
  ASSERT_EQ(library.files().size(), 1u);
}

TEST(MeshLibrary, WhateverChangesTheMeshChangesItsKey) {
  CountingStore store;
  MeshShape shape = from_file("t.obj");
  shape.cell = 0.5;
  std::string text = kObj;
  const auto read = [&](const std::string&) -> Result<FileBytes> {
    return std::make_shared<const std::string>(text);
  };
  const auto make = [&] {
    return MeshLibrary({.read = read, .store = &store}).find(shape)->geometry->volume;
  };
  const double volume = make();
  text.replace(text.find("v 1 0 0"), 7, "v 2 0 0");
  EXPECT_NEAR(make(), 2 * volume, 1e-15);
  shape.scale = {1, 1, 3};
  EXPECT_NEAR(make(), 6 * volume, 1e-15);
  shape.cell = 0.4;
  make();
  EXPECT_EQ(store.kept, 4);
  make();
  EXPECT_EQ(store.kept, 4);
}

constexpr const char* kScene = R"({"tenon": 1, "bodies": [
  {"name": "a", "shape": {"type": "mesh", "file": "t.obj", "scale": 2, "cell": 0.2}, "density": 600},
  {"name": "b", "position": [5, 0, 0], "shape": {"type": "compound", "parts": [
    {"shape": {"type": "mesh", "file": "t.obj", "scale": 2, "cell": 0.2}, "density": 600},
    {"shape": {"type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "cell": 0.2,
               "triangles": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}, "density": 600}]}}]})";

TEST(MeshScene, BodiesHaveTheMassOfTheirMeshes) {
  const LoadResult loaded = load_scene(kScene, "scene.json");
  ASSERT_TRUE(loaded.ok()) << format(loaded.errors.front());
  MeshLibrary library({.read = read_tetrahedron});
  BuildResult built =
      build(loaded.flat, {.threads = 1, .clock = nullptr, .assemble = true, .meshes = &library});
  ASSERT_TRUE(built.ok()) << format(built.errors.front());
  const World& world = built.scene[0].world;
  EXPECT_NEAR(world.mass(built.scene[0].handles[0]).mass, 800, 1e-9);
  EXPECT_NEAR(world.mass(built.scene[0].handles[1]).mass, 900, 1e-9);
}

TEST(MeshScene, SavingKeepsTheFileAndLoadsTheSame) {
  const LoadResult loaded = load_scene(kScene, "scene.json");
  const std::string text = save_scene(loaded.document);
  EXPECT_NE(text.find("\"file\": \"t.obj\""), std::string::npos);
  EXPECT_EQ(load_scene(text, "again.json").document, loaded.document);
}

std::string first_error(const std::string& shape, const char* motion = "dynamic") {
  const std::string text = R"({"tenon": 1, "bodies": [{"name": "a", "motion": ")" +
                           std::string(motion) + R"(", "shape": {"type": "mesh", )" + shape +
                           "}}]}";
  const LoadResult loaded = load_scene(text, "s.json");
  if (!loaded.ok()) return loaded.errors.front().message;
  MeshLibrary library({.read = read_tetrahedron, .use = MeshUse::kPicture});
  const BuildResult built =
      build(loaded.flat, {.threads = 1, .clock = nullptr, .assemble = true, .meshes = &library});
  return built.ok() ? "none" : built.errors.front().message;
}

TEST(MeshScene, MistakesAreNamed) {
  EXPECT_EQ(first_error(R"("file": "none.obj")"),
            "body \"a\": mesh file 'none.obj': cannot open: No such file or directory");
  EXPECT_EQ(first_error(R"("units": "mm")"), "a mesh has neither a file nor a form nor triangles");
  EXPECT_EQ(
      first_error(
          R"("file": "t.obj", "vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]])"),
      "a mesh has more than one of file, form and triangles");
  EXPECT_EQ(first_error(R"("vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,3]])"),
            "a triangle names a vertex that is not there");
  const char* open = R"("vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]])";
  EXPECT_EQ(first_error(open), "body \"a\": its mesh is not closed and cannot move freely");
  EXPECT_EQ(first_error(open, "static"), "none");
  const char* unlike =
      R"("vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,2,1],[0,3,1],[0,3,2],[1,2,3]])";
  EXPECT_EQ(
      first_error(unlike),
      "body \"a\": the triangles of its mesh do not agree which side is outside, and it cannot "
      "move freely");
  EXPECT_EQ(first_error(std::string(unlike) + R"(, "repair": "flip")"), "none");
  EXPECT_EQ(first_error(R"("file": "t.obj", "scale": 0)"), "scale must not be 0");
  const char* inward =
      R"("vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,1,2],[0,3,1],[0,2,3],[1,3,2]])";
  EXPECT_EQ(first_error(inward), "body \"a\": the mesh is inside out: its triangles face inwards");
  EXPECT_EQ(first_error(std::string(inward) + R"(, "repair": "flip")"), "none");
}

}  // namespace
}  // namespace tenon::scene
