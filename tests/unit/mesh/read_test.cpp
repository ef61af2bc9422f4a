#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "mesh_texts.h"
#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/mesh.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/engine/math/transform.h"
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

// An upright prism over a polygon, whose lid and bottom are single faces that begin at a corner.
std::string prism_obj(const std::vector<std::array<double, 2>>& outline, size_t first) {
  const size_t n = outline.size();
  std::string text, lid = "f", bottom = "f", walls;
  for (const int z : {0, 1})
    for (const auto& [x, y] : outline)
      text += "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  for (size_t i = 0; i < n; ++i) {
    const size_t a = (first + i) % n, b = (a + 1) % n, back = (first + n - i) % n;
    lid += " " + std::to_string(n + 1 + a);
    bottom += " " + std::to_string(1 + back);
    walls += "f " + std::to_string(1 + a) + " " + std::to_string(1 + b) + " " +
             std::to_string(n + 1 + b) + " " + std::to_string(n + 1 + a) + "\n";
  }
  return text + lid + "\n" + bottom + "\n" + walls;
}

TEST(MeshFile, ConcavePolygonsAreFilledAndNotLeftFromWhicheverCornerTheyBegin) {
  struct Case {
    std::vector<std::array<double, 2>> outline;
    double area, length;
  };
  const Case cases[] = {
      // a channel, an L, an arrow, a comb with straight corners, a frame tied by a bridge
      {{{-3, 0}, {3, 0}, {3, 4}, {2, 4}, {2, 1}, {-2, 1}, {-2, 4}, {-3, 4}}, 12, 26},
      {{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 3, 8},
      {{{0, 0}, {2, 1}, {0, 2}, {1, 1}}, 1, 2 * std::sqrt(5.0) + 2 * std::sqrt(2.0)},
      {{{0, 0},
        {1, 0},
        {2, 0},
        {5, 0},
        {5, 2},
        {4, 2},
        {4, 1},
        {3, 1},
        {3, 2},
        {2, 2},
        {2, 1},
        {1, 1},
        {1, 2},
        {0, 2},
        {0, 1}},
       8,
       18},
      {{{0, 0}, {3, 0}, {3, 3}, {0, 3}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}},
       8,
       16 + 2 * std::sqrt(2.0)}};
  for (const Case& c : cases) {
    for (size_t first = 0; first < c.outline.size(); ++first) {
      const auto read = parse_obj(prism_obj(c.outline, first), "a.obj");
      ASSERT_TRUE(read.ok()) << format(read.error());
      EXPECT_TRUE(read->remarks.empty());
      const auto mesh = make_mesh(read->vertices, read->triangles, {.use = MeshUse::kPicture});
      ASSERT_TRUE(mesh.ok()) << format(mesh.error());
      EXPECT_TRUE(mesh->geometry->closed);
      // what leaves a polygon or overlaps within it has more area; round-off is all that is left
      EXPECT_NEAR(mesh->geometry->area, 2 * c.area + c.length, 1e-12) << first;
      EXPECT_NEAR(mesh->geometry->volume, c.area, 1e-12) << first;
      for (const auto& t : read->triangles) {
        const auto at = [&](size_t k) { return read->vertices[static_cast<size_t>(t[k])]; };
        // straight corners give no slivers
        EXPECT_GT(norm(cross(at(1) - at(0), at(2) - at(0))), 1e-9) << first;
      }
    }
  }
}

TEST(MeshFile, PolygonsAreCutInTheirMeanPlaneHoweverItLies) {
  // an L in a tilted plane, its corners up to a thousandth off it
  const double outline[][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  const Mat3 R = to_matrix(from_axis_angle(normalized(Vec3{1, 2, 3}), 1.0));
  Rng rng(3);
  std::string text = "v 100 200 300\n";
  for (const auto& [x, y] : outline) {
    const Vec3 p = R * Vec3{x, y, 1e-3 * rng.uniform(-1, 1)} + Vec3{100, 200, 300};
    text +=
        "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
  }
  std::vector<std::array<int, 3>> sorted[6];
  for (int first = 0; first < 6; ++first) {
    std::string face = "f";
    for (int i = 0; i < 6; ++i) face += " " + std::to_string(2 + (first + i) % 6);
    const auto read = parse_obj(text + face + "\n", "a.obj");
    ASSERT_TRUE(read.ok());
    double area = 0;
    for (std::array<int, 3> t : read->triangles) {
      const auto at = [&](size_t k) { return read->vertices[static_cast<size_t>(t[k])]; };
      area += 0.5 * norm(cross(at(1) - at(0), at(2) - at(0)));
      std::sort(t.begin(), t.end());
      sorted[first].push_back(t);
    }
    EXPECT_NEAR(area, 3,
                1e-4);  // bent by a thousandth: a millionth more, and six digits are written
    std::sort(sorted[first].begin(), sorted[first].end());
    EXPECT_EQ(sorted[first], sorted[0]) << "other triangles from corner " << first;
  }
}

TEST(MeshFile, ConvexPolygonsStayFans) {
  const auto read =
      parse_obj("v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 2 3 4 5 1\n", "a.obj");
  ASSERT_TRUE(read.ok());
  const std::vector<std::array<int, 3>> fan{{1, 2, 3}, {1, 3, 4}, {1, 4, 0}};
  EXPECT_EQ(read->triangles, fan);
}

TEST(MeshFile, PolygonsThatPassThroughThemselvesAreNamed) {
  const std::string points = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 1 3 0\n";
  const auto remark_of = [&](const std::string& faces) {
    const auto read = parse_obj(points + faces, "a.obj");
    return !read ? format(read.error()) : read->remarks.empty() ? "" : read->remarks[0];
  };
  EXPECT_EQ(remark_of("f 1 2 3 4\n"), "");
  const std::string words = " and cannot be cut into triangles that fill it: ";
  EXPECT_EQ(remark_of("f 1 3 2 4\n"), "a polygon passes through itself" + words + "line 6");
  EXPECT_EQ(remark_of("f 1 2 3\nf 1 3 5 2 4\nf 1 2 3 4\nf 2 4 1 3\n"),
            "2 polygons pass through themselves" + words + "line 7, line 9");
}

TEST(MeshFile, PlyPolygonsAreCutAlsoAheadOfTheirVertices) {
  const std::string vertices = "0 0 0\n2 1 0\n0 2 0\n1 1 0\n", face = "4 0 1 2 3\n",
                    head = "property float x\nproperty float y\nproperty float z\n",
                    list = "element face 1\nproperty list uchar int vertex_indices\n";
  const std::string texts[] = {
      "ply\nformat ascii 1.0\nelement vertex 4\n" + head + list + "end_header\n" + vertices + face,
      "ply\nformat ascii 1.0\n" + list + "element vertex 4\n" + head + "end_header\n" + face +
          vertices};
  for (const std::string& text : texts) {
    const auto read = parse_ply(text, "a.ply");
    ASSERT_TRUE(read.ok()) << format(read.error());
    double area = 0;
    for (const auto& t : read->triangles) {
      const auto at = [&](size_t k) { return read->vertices[static_cast<size_t>(t[k])]; };
      area += 0.5 * norm(cross(at(1) - at(0), at(2) - at(0)));
    }
    EXPECT_NEAR(area, 1, 1e-15);
  }
}

TEST(MeshFile, PolygonsByChanceHaveTheirOwnArea) {
  // corners around a point at any distances: no edge crosses another, most corners are not convex
  Rng rng(5);
  for (int round = 0; round < 300; ++round) {
    const size_t n = 4 + static_cast<size_t>(round) % 40;
    std::vector<std::array<double, 2>> outline;
    double area = 0, length = 0;
    for (size_t i = 0; i < n; ++i) {
      const double angle = 2 * kPi * static_cast<double>(i) / static_cast<double>(n);
      const double r = rng.uniform(0.05, 1);
      outline.push_back(
          {std::round(1e6 * r * cos(angle)) / 1e6, std::round(1e6 * r * sin(angle)) / 1e6});
    }
    for (size_t i = 0; i < n; ++i) {
      const auto &a = outline[i], &b = outline[(i + 1) % n];
      area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
      length += std::hypot(b[0] - a[0], b[1] - a[1]);
    }
    const auto read = parse_obj(prism_obj(outline, rng.next() % n), "a.obj");
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(read->remarks.empty()) << round;
    const auto mesh = make_mesh(read->vertices, read->triangles, {.use = MeshUse::kPicture});
    ASSERT_TRUE(mesh.ok()) << round << format(mesh.error());
    EXPECT_NEAR(mesh->geometry->area, 2 * area + length, 1e-11) << round;
    EXPECT_NEAR(mesh->geometry->volume, area, 1e-12) << round;
  }
}

TEST(MeshFile, MarksOfTheByteOrderSayNothing) {
  const std::string mark = "\xef\xbb\xbf";
  const std::pair<std::string, std::string> files[] = {
      {"a.obj", "v 0 0 0\n" + std::string(kObj)}, {"a.stl", kStl}, {"a.ply", kPly}};
  for (const auto& [name, text] : files) {
    const auto plain = parse_mesh_file(text, name), marked = parse_mesh_file(mark + text, name);
    ASSERT_TRUE(plain.ok()) << format(plain.error());
    ASSERT_TRUE(marked.ok()) << format(marked.error());
    EXPECT_EQ(*marked, *plain) << name;
  }
}

TEST(MeshFile, TextsOfStlMayBeInCapitalsOnOneLineAndNamedAnything) {
  std::string capitals = kStl, one_line = kStl, named = kStl;
  for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  for (char& c : one_line) c = c == '\n' ? ' ' : c;
  named.replace(0, 11, "solid vertex of a facet 1 2 x");
  const auto plain = parse_stl(kStl, "a.stl");
  ASSERT_TRUE(plain.ok());
  for (const std::string& text : {capitals, one_line, named, one_line + one_line}) {
    const auto read = parse_stl(text, "a.stl");
    ASSERT_TRUE(read.ok()) << format(read.error());
    EXPECT_EQ(read->triangles.size(), text.size() > one_line.size() + 100 ? 8u : 4u);
    for (size_t i = 0; i < read->vertices.size(); ++i)
      EXPECT_EQ(read->vertices[i], plain->vertices[i % 12]);
  }
  EXPECT_EQ(error_of("solid x\nfact normal 0 0 1\n", "a.stl"),
            "a.stl:2: this word has no place in an STL file (got \"fact\"; accepted: solid, facet, "
            "outer loop, vertex, endloop, endfacet, endsolid)");
}

TEST(MeshFile, BinaryStlWithMoreThanItCountsSaysSo) {
  std::string bytes = binary_stl() + "x\n";
  ASSERT_TRUE(parse_stl(bytes, "a.stl").ok());
  EXPECT_TRUE(parse_stl(bytes, "a.stl")->remarks.empty());
  bytes[80] = 2;
  const auto read = parse_stl(bytes, "a.stl");
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->remarks.size(), 1u);
  EXPECT_EQ(read->remarks[0],
            "102 bytes behind the last triangle are not read: the head counts 2 triangles, 4 would "
            "fit");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(MeshFile, MistakesInPlyAndGltfAreNamedWithTheirValues) {
  EXPECT_EQ(
      error_of(replaced(kPly, "3 0 2 1", "2 0 2"), "a.ply"),
      "a.ply:16: a face needs three corners or more (got \"2\"; accepted: lists of 3 vertices "
      "or more)");
  EXPECT_EQ(error_of(replaced(kPly, "3 0 2 1", "3 0 2 -1"), "a.ply"),
            "a.ply:16: a face names a vertex that is not there (got \"-1\"; accepted: 0 or more)");
  EXPECT_EQ(
      error_of(replaced(kPly, "float z", "float depth"), "a.ply"),
      "a.ply:12: vertices have no x, y and z (got \"no z\"; accepted: properties x, y and z)");
  const std::string good = gltf_text("data:;base64," + std::string(96, 'A'));
  EXPECT_NE(error_of(good, "a.gltf").substr(0, 3), "no ");
  const auto gltf_error = [&](const std::string& from, const std::string& to) {
    const std::string text = error_of(replaced(good, from, to), "a.gltf");
    return text.substr(text.find(": ") + 2);
  };
  EXPECT_EQ(gltf_error("\"2.0\"", "\"1.0\""),
            "unknown version of glTF (asset.version) (got \"1.0\"; accepted: \"2.0\")");
  EXPECT_EQ(gltf_error("\"byteOffset\": 24", "\"byteOffset\": -24"),
            "byteOffset is no number of bytes (got -24; accepted: a whole number from 0)");
  EXPECT_EQ(gltf_error("\"POSITION\": 1", "\"POSITION\": 77"),
            "the accessor of positions is not there (got 77; accepted: 0 to 1)");
  EXPECT_EQ(gltf_error("\"count\": 4,", "\"count\": 100,"),
            "an accessor reaches beyond its buffer view, or has nothing (got a count of 100; "
            "accepted: 1 to 4 in its 48 bytes)");
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
