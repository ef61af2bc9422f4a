#include <gtest/gtest.h>

#include "mesh_texts.h"
#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/mesh.h"
#include "tenon/scene/mesh/mesh_repair.h"

namespace tenon::scene {
namespace {

double volume_of(MeshData data) {
  join_equal_vertices(data);
  const auto mesh = make_mesh(data.vertices, data.triangles, {.use = MeshUse::kPicture});
  return mesh && mesh->geometry->closed ? mesh->geometry->volume : -1;
}

std::string error_of(const std::string& bytes, const std::string& name) {
  const Result<MeshData> read = parse_mesh_file(bytes, name);
  return read ? "none" : format(read.error());
}

TEST(MeshFile, EveryFormatGivesTheSameTetrahedron) {
  const std::pair<std::string, std::string> files[] = {{"a.obj", kObj},
                                                       {"a.stl", kStl},
                                                       {"b.STL", binary_stl()},
                                                       {"a.ply", kPly},
                                                       {"b.ply", binary_ply(false)},
                                                       {"c.ply", binary_ply(true)}};
  for (const auto& [name, bytes] : files) {
    const Result<MeshData> read = parse_mesh_file(bytes, name);
    ASSERT_TRUE(read.ok()) << name << format(read.error());
    EXPECT_EQ(read->triangles.size(), 4u) << name;
    EXPECT_NEAR(volume_of(*read), 1.0 / 6, 1e-15) << name;
  }
}

TEST(MeshFile, NodesOfGltfPlaceScaleAndMirror) {
  const FileReader beside = [](const std::string& name) -> Result<FileBytes> {
    if (name != "folder/a b.bin") return Error{.message = "no such file", .file = name};
    return std::make_shared<const std::string>(gltf_bytes());
  };
  const std::string data = "data:application/octet-stream;base64,";
  const std::tuple<std::string, std::string> files[] = {
      {"folder/a.gltf", gltf_text("a%20b.bin")},
      {"a.glb", glb()},
      {"b.gltf",
       gltf_text(data +
                 "AAACAAEAAAABAAMAAAADAAIAAQACAAMAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8A"
                 "AAAAAAAAAAAAAAAAAIA/")}};
  for (const auto& [name, bytes] : files) {
    const Result<MeshData> read = parse_mesh_file(bytes, name, {.read = beside});
    ASSERT_TRUE(read.ok()) << format(read.error());
    EXPECT_EQ(read->vertices[0], (Vec3{1, 2, 3}));
    EXPECT_EQ(read->vertices[1], (Vec3{3, 2, 3}));
    EXPECT_EQ(read->vertices[3], (Vec3{1, 2, 2}));
    EXPECT_NEAR(volume_of(*read), 2.0 / 6, 1e-15);
  }
  EXPECT_EQ(error_of(gltf_text("a.bin"), "a.gltf").substr(0, 7), "a.gltf:");
}

TEST(MeshFile, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(error_of("v 1 2\n", "a.obj"),
            "a.obj:1: a vertex needs three finite numbers (got \"nothing\"; accepted: v X Y Z)");
  EXPECT_EQ(error_of("v 1 2 3\nv nan 0 0\n", "a.obj"),
            "a.obj:2: a vertex needs three finite numbers (got \"nan\"; accepted: v X Y Z)");
  EXPECT_EQ(error_of("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "a.obj"),
            "a.obj:3: a face names a vertex that is not there (got \"3\"; accepted: 1 to 2, or -1 "
            "to -2)");
  EXPECT_EQ(error_of("v 0 0 0\nf 1 1\n", "a.obj"),
            "a.obj:2: a face needs three corners or more (got \"2\"; accepted: f A B C)");
  EXPECT_EQ(error_of("v 0 0 0\n", "a.obj"),
            "a.obj: the file has no faces (accepted: lines with 'f')");
  EXPECT_EQ(error_of("", "a.obj"), "a.obj: the file is empty");
  EXPECT_EQ(error_of("x", "a.dae"),
            "a.dae: this is no file of triangles that we read (accepted: .obj, .stl, .ply, .gltf "
            "or .glb)");
  EXPECT_EQ(error_of("solid\nfacet\nvertex 1 2 x\n", "a.stl"),
            "a.stl:3: a vertex needs three finite numbers (got \"x\"; accepted: vertex X Y Z)");
  EXPECT_EQ(
      error_of(binary_stl().substr(0, 100), "a.stl"),
      "a.stl: the file ends before its last triangle; it was to have 4 (got byte 100; accepted: "
      "284 bytes)");
  EXPECT_EQ(
      error_of("ply\nformat ascii 1.0\nelement vertex x\n", "a.ply"),
      "a.ply:3: an element needs a name and a count (got \"x\"; accepted: element vertex 100)");
  std::string text = kPly;
  text.replace(text.find("3 1 2 3"), 7, "3 1 2 7");
  EXPECT_EQ(error_of(text, "a.ply"),
            "a.ply: a face names a vertex that is not there (got 7; accepted: 0 to 4 less one)");
  for (const char* length : {"1e65", "-1", "2.5", "nan"}) {
    text = kPly;
    text.replace(text.find("3 0 2 1"), 1, length);
    EXPECT_EQ(error_of(text, "a.ply").find("a.ply:16: "), 0) << error_of(text, "a.ply");
  }
}

TEST(MeshFile, MoreTrianglesThanAMeshTakesAreRefusedBeforeTheyTakeMemory) {
  // fifty million, says the head; the bytes are not there, and nothing is reserved for them
  std::string head(80, ' ');
  put(head, 50'000'000u, 4);
  EXPECT_EQ(
      error_of(head + std::string(50, '\0'), "a.stl"),
      "a.stl: the file has too many triangles (accepted: up to 16000000; simplify the mesh, or "
      "cut it into several files)");
  const std::string many =
      "ply\nformat binary_little_endian 1.0\nelement vertex 50000000\nproperty float "
      "x\nend_header\nxx";
  EXPECT_NE(error_of(many, "a.ply").find("ends before its last element"), std::string::npos);
  EXPECT_FALSE(parse_obj(kObj, "a.obj", {.max_triangles = 3}).ok());
  EXPECT_FALSE(parse_stl(kStl, "a.stl", {.max_triangles = 3}).ok());
  EXPECT_FALSE(parse_ply(kPly, "a.ply", {.max_triangles = 3}).ok());
  EXPECT_FALSE(parse_gltf(glb(), "a.glb", {.max_triangles = 3}).ok());
}

TEST(MeshFile, NodesThatContainThemselvesEnd) {
  const std::string text =
      R"({"scenes": [{"nodes": [0]}], "nodes": [{"children": [0, 0]}], "buffers": []})";
  EXPECT_NE(error_of(text, "a.gltf").find("nodes contain one another"), std::string::npos);
}

TEST(MeshFile, CutOffAndDamagedFilesGiveErrorsOrMeshesAndNothingElse) {
  const std::pair<std::string, std::string> files[] = {{"a.obj", kObj},
                                                       {"a.stl", kStl},
                                                       {"b.stl", binary_stl()},
                                                       {"a.ply", kPly},
                                                       {"b.ply", binary_ply(false)},
                                                       {"c.ply", binary_ply(true)},
                                                       {"a.gltf", gltf_text("data:;base64,AAAA")},
                                                       {"b.glb", glb()}};
  Rng rng(1);
  for (const auto& [name, bytes] : files) {
    for (size_t size = 0; size < bytes.size(); ++size)
      (void)parse_mesh_file(std::string_view(bytes).substr(0, size), name);
    for (int i = 0; i < 3000; ++i) {
      std::string broken = bytes;
      for (int k = 0; k < 1 + i % 3; ++k)
        broken[rng.next() % broken.size()] = static_cast<char>(rng.next());
      const Result<MeshData> read = parse_mesh_file(broken, name);
      if (!read) continue;
      for (const auto& t : read->triangles)
        for (const int v : t) ASSERT_LT(static_cast<size_t>(v), read->vertices.size());
      for (const Vec3& v : read->vertices) ASSERT_TRUE(is_finite(v));
    }
  }
}

}  // namespace
}  // namespace tenon::scene
