// A tetrahedron of volume 1/6 in every format.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace tenon::scene {

inline const char* const kObj =
    "# a comment\nmtllib none.mtl\no thing\nv 0 0 0\nv 1 0 0 1 0 0\nv 0 1.0e0 0\nv 0 0 +1\nvn 0 0 "
    "1\n"
    "vt 0 0\ns off\nf 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\nf -4 -1 -2\nf 2 3 \\\n  4\nl 1 2\n";

inline const char* const kStl =
    "solid thing\n"
    "facet normal 0 0 -1\n outer loop\n  vertex 0 0 0\n  vertex 0 1 0\n  vertex 1 0 0\n "
    "endloop\nendfacet\n"
    "facet normal 0 -1 0\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 0 1\n "
    "endloop\nendfacet\n"
    "facet normal -1 0 0\n outer loop\n  vertex 0 0 0\n  vertex 0 0 1\n  vertex 0 1 0\n "
    "endloop\nendfacet\n"
    "facet normal 1 1 1\n outer loop\n  vertex 1 0 0\n  vertex 0 1 0\n  vertex 0 0 1\n "
    "endloop\nendfacet\n"
    "endsolid thing\n";

inline const char* const kPly =
    "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\n"
    "property float y\nproperty float z\nproperty uchar red\nelement face 4\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0 9\n1 0 0 9\n0 1 0 9\n0 0 1 9\n"
    "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

inline void put(std::string& out, uint32_t bits, int size, bool big = false) {
  for (int i = 0; i < size; ++i) out += static_cast<char>(bits >> 8 * (big ? size - 1 - i : i));
}
inline void put(std::string& out, float value, bool big = false) {
  put(out, std::bit_cast<uint32_t>(value), 4, big);
}

inline constexpr float kCorners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
inline constexpr uint32_t kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

inline std::string binary_stl() {
  std::string out(80, ' ');
  out.replace(0, 5, "solid");  // as some programs begin binary files
  put(out, 4u, 4);
  for (const auto& face : kFaces) {
    for (int k = 0; k < 3; ++k) put(out, 0.0f);
    for (const uint32_t v : face)
      for (const float x : kCorners[v]) put(out, x);
    put(out, 0u, 2);
  }
  return out;
}

inline std::string binary_ply(bool big) {
  std::string out = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                    "_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                    "property float z\nelement face 4\nproperty list uchar ushort vertex_index\n"
                    "end_header\n";
  for (const auto& corner : kCorners)
    for (const float x : corner) put(out, x, big);
  for (const auto& face : kFaces) {
    put(out, 3u, 1);
    for (const uint32_t v : face) put(out, v, 2, big);
  }
  return out;
}

// Indices of two bytes, then positions.
inline std::string gltf_bytes() {
  std::string out;
  for (const auto& face : kFaces)
    for (const uint32_t v : face) put(out, v, 2);
  for (const auto& corner : kCorners)
    for (const float x : corner) put(out, x);
  return out;
}
inline std::string gltf_text(const std::string& uri) {
  return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
  "nodes": [{"children": [1], "translation": [1, 2, 3]}, {"mesh": 0, "scale": [2, 1, -1]}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0}]}],
  "accessors": [{"bufferView": 0, "componentType": 5123, "count": 12, "type": "SCALAR"},
                {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC3"}],
  "bufferViews": [{"buffer": 0, "byteLength": 24}, {"buffer": 0, "byteOffset": 24, "byteLength": 48}],
  "buffers": [{"byteLength": 72)" +
         (uri.empty() ? "" : ", \"uri\": \"" + uri + "\"") + "}]}";
}
inline std::string glb() {
  std::string json = gltf_text("");
  while (json.size() % 4 != 0) json += ' ';
  const std::string bytes = gltf_bytes();
  std::string out = "glTF";
  put(out, 2u, 4);
  put(out, static_cast<uint32_t>(28 + json.size() + bytes.size()), 4);
  put(out, static_cast<uint32_t>(json.size()), 4);
  out += "JSON" + json;
  put(out, static_cast<uint32_t>(bytes.size()), 4);
  out += std::string("BIN\0", 4) + bytes;
  return out;
}

}  // namespace tenon::scene
